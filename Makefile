# Short names for what people do; CMake does the work.
BUILD  ?= build
PREFIX ?=
JOBS   ?= $(shell nproc)
prefix = $(PREFIX:%=-DCMAKE_INSTALL_PREFIX=%)# as it was before, or /usr/local, where none is given
first  = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DBUILD_TESTING=OFF)# tests are what `make check` adds

.PHONY: all demo check check-long fuzz install deps format clean
all: $(BUILD)/Makefile
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

check: deps
	@./tests/run short

check-long: deps
	@./tests/run long

fuzz: deps
	@./tests/fuzz/run $(BUILD)-fuzz

# Another prefix than before: what knows it is built anew.
install: $(BUILD)/Makefile
	@cmake -S . -B $(BUILD) $(prefix) > /dev/null
	@$(MAKE) --no-print-directory -C $(BUILD) -j$(JOBS)
	@cmake --install $(BUILD)

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	@rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-fuzz
