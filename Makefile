# Short names for what people do; CMake does the work.
BUILD  ?= build
PREFIX ?=
JOBS   ?= $(shell nproc)
prefix = $(PREFIX:%=-DCMAKE_INSTALL_PREFIX=%)# as it was before, or /usr/local, where none is given
first  = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF)# tests are what `make check` adds

.PHONY: all demo check check-quick check-long explorer dist fuzz install uninstall deps docs format clean
all: $(BUILD)/Makefile
	@[ ! -e $(BUILD)/missing ] || ./tools/deps --since $(BUILD) || cmake -S . -B $(BUILD) > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS)

deps:
	@./tools/deps

$(BUILD)/Makefile: CMakeLists.txt
	@./tools/deps --missing
	@cmake -S . -B $(BUILD) $(first) $(prefix) > $(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

demo: deps
	@$(MAKE) --no-print-directory all
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

# For every edit: a part of `make check` that takes a minute.
check-quick: deps
	@./tests/run quick

check: deps
	@./tests/run short

check-long: deps
	@./tools/deps emscripten chromium
	@./tests/run long

fuzz: deps
	@./tests/fuzz/run $(BUILD)-fuzz

# Another prefix than before: what knows it is built anew.
install: $(BUILD)/Makefile
	@cmake -S . -B $(BUILD) $(prefix) > /dev/null
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS)
	@./packaging/install $(BUILD)

# What the last `make install` put there.
uninstall:
	@./packaging/uninstall $(BUILD)

# The pages that the program prints; `ctest -R docs-generated` compares them.
docs: all
	@./packaging/manual/docs $(BUILD)/bin/bine docs

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	@rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-fuzz
