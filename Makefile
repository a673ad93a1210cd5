# Short names for what people do; CMake does the work.
BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)

.PHONY: all demo check check-long explorer dist fuzz install deps format clean
all: $(BUILD)/Makefile
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS)

deps:
	@./tools/deps

$(BUILD)/Makefile: CMakeLists.txt | deps
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

demo: deps all
	@./tools/demo $(BUILD)

# The page of `bine explore`. What it is compiled with is large: it is installed for this alone.
explorer: all
	@./tools/deps emscripten
	@cmake -S . -B $(BUILD) > /dev/null
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS) explorer
	@echo "$(BUILD)/share/bine/explorer.html: open it in a browser"

# A release: what is in the repository, and the page ready made.
dist: explorer
	@./tools/explorer/dist $(BUILD)

check: deps
	@./tests/run short

check-long: deps
	@./tools/deps emscripten chromium
	@./tests/run long

fuzz: deps
	@./tests/fuzz/run $(BUILD)-fuzz

install: all
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null
	@cmake --install $(BUILD)

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	@rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-fuzz
