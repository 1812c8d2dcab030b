# SPDX-License-Identifier: Apache-2.0
# regild. `make` builds, `make demo` shows it, `make test` tests it; both of these first install what
# is missing. `make test-long` tests all points of what `make test` takes samples of. Everything lands under build/.
#
#   CC=clang          another compiler
#   SAN=address,undefined | thread     a sanitizer build, in a folder of its own
#   FUZZ=1            with `make fuzz CC=clang`: libFuzzer's programs, in a folder of their own
#   ALL=1             with `make lint`: clang-tidy reads every file, not only those that changed
#   WITH_EXECUTORCH=0 without ExecuTorch's formats and the commands for them
#   WITH_CLICKHOUSE=0 without histories on ClickHouse; each of these builds in a folder of its own
#   WITH_HDF5=0, WITH_NETCDF=0, WITH_FITS=0   without that library; by default without those that are not installed
#   UNITS=1           some units of many files each, in a folder of its own: what `make demo` compiles
#   STATIC=1          one file that needs no library; `make dist` sets it, with a compiler that has them
#   V=1               show the commands

VERSION := 0.1.0
ifeq ($(origin CC),default)
CC := gcc
endif
SAN ?=
PREFIX ?= /usr/local

.DEFAULT_GOAL := all
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY: # no object is removed again, and nothing said of it
MAKEFLAGS += --no-builtin-rules

comma := ,
empty :=
space := $(empty) $(empty)
variant := $(notdir $(firstword $(CC)))$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(FUZZ),-fuzz)
without := $(foreach part,executorch clickhouse hdf5 netcdf fits,$(if $(filter 0,$(WITH_$(shell echo $(part) | tr a-z A-Z))),$(part)))
variant := $(subst $(space),,$(variant)$(addprefix -no-,$(without)))$(if $(UNITS),-units)
B := build/$(variant)
Q := $(if $(V),,@)

# The libraries that read the goldens of the sciences, and what encloses them: as far as they are installed.
hdf5_package := hdf5-serial
netcdf_package := netcdf
fits_package := cfitsio
seccomp_package := libseccomp
sandbox_package := libseccomp
binary := $(if $(STATIC),,$(foreach part,$(filter-out $(without),hdf5 netcdf fits seccomp),\
	$(shell pkg-config --exists $($(part)_package) && echo $(part))))
not_binary := $(filter-out $(binary),hdf5 netcdf fits seccomp)

# Loaded when they are first asked for (lib/base/library.h): what regild itself is not linked with.
LAZY := libcurl libarchive
LINKED := libgit2 libcjson minizip zlib libcrypto sqlite3 yaml-0.1 $(if $(STATIC),$(LAZY))
PACKAGES := $(LINKED) $(LAZY)
TEST_PACKAGES := cmocka libmicrohttpd
# Asked only where something is compiled: `make setup` must work before they are there.
pkg = $(shell pkg-config $(if $(STATIC),--static) $(1) $(2))

# In a unit, -Wshadow would be about what two files call the same, and what minizip's headers define comes too late.
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wvla -Wcast-qual -Wformat=2 -Wundef $(if $(UNITS),-Wno-shadow -D_LARGEFILE64_SOURCE -I.)
CFLAGS ?= -O2 -g
# WERROR=1 makes warnings errors, as CI does. A packager's newer compiler may have warnings of its own.
base_cflags := -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 \
	-DREGILD_VERSION='"$(VERSION)"' -Ilib -Icmd -I$(B)/gen $(WARNINGS) $(if $(WERROR),-Werror) -fno-common \
	-ffp-contract=off -pthread -MMD -MP \
	$(if $(filter executorch,$(without)),-DREGILD_WITHOUT_EXECUTORCH) \
	$(if $(filter clickhouse,$(without)),-DREGILD_WITHOUT_CLICKHOUSE)
darwin := $(filter Darwin,$(shell uname -s))
base_cflags += $(if $(darwin),-D_DARWIN_C_SOURCE -Dst_mtim=st_mtimespec -Dst_ctim=st_ctimespec)
san_flags := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)
# Without the coverage of all that is compiled a fuzzer is blind.
fuzz_flags := $(if $(FUZZ),-fsanitize=fuzzer-no-link)
# What is linked is not loaded.
static_flags := $(if $(STATIC),-DREGILD_STATIC -ffunction-sections -fdata-sections)
loading_sources := $(if $(STATIC),lib/base/library.c)
ALL_CFLAGS = $(base_cflags) $(static_flags) $(CPPFLAGS) $(CFLAGS) $(san_flags) $(fuzz_flags) $(call pkg,--cflags,$(PACKAGES))
# A program loads the libraries that it uses, no others.
as_needed := -Wl,$(if $(darwin),-dead_strip_dylibs,--as-needed)
# musl gives a thread the stack that the program's header asks for.
as_needed += $(if $(STATIC),-Wl$(comma)--gc-sections -Wl$(comma)-z$(comma)stack-size=8388608)
LDLIBS_OF = $(LDFLAGS) $(san_flags) -pthread $(as_needed) $(call pkg,--libs,$(1)) -lm
ALL_LDLIBS = $(call LDLIBS_OF,$(PACKAGES))

# What a build leaves out, and the tests' programs that include a header of it.
executorch_sources := $(wildcard lib/*/executorch/*.c) cmd/executorch.c
clickhouse_sources := lib/store/clickhouse.c lib/store/history_clickhouse.c lib/store/history_tables.c
executorch_headers := (golden|compare|report|flow)/executorch/
clickhouse_headers := store/(clickhouse|history_tables)\.h
left_out := $(loading_sources) $(foreach part,$(not_binary),$(wildcard lib/golden/binary/$(part)*.c)) \
	$(binary:%=lib/golden/binary/without_%.c) $(foreach part,$(filter executorch clickhouse,$(without)),$($(part)_sources) \
	$(shell grep -lE '^.include "$($(part)_headers)' tests/*/*.c))
sources = $(filter-out $(left_out),$(sort $(wildcard $(1))))

lib_sources := $(call sources,lib/*/*.c lib/*/*/*.c)
cmd_sources := $(call sources,cmd/*.c)
unit_sources := $(call sources,tests/unit/test_*.c)
hub_sources := $(call sources,tests/hub/*.c)
fault_sources := $(call sources,tests/faults/*.c)
bench_sources := $(call sources,tests/bench/*.c)
support_sources := $(call sources,tests/support/*.c)
fuzz_sources := $(call sources,tests/fuzz/fuzz_*.c)
template_files := $(sort $(wildcard templates/*))

object = $(patsubst %.c,$(B)/obj/%.o,$(1))
# $(call units,NAME,SOURCES): these, or with UNITS=1 what includes them, but for those that have flags of their own.
alone := lib/golden/dtype.c lib/golden/convention.c lib/compare/pair_kernel.c lib/net/curl.c lib/archive/libarchive.c \
	lib/worktree/worktree.c \
	$(wildcard lib/golden/binary/hdf5*.c lib/golden/binary/netcdf*.c lib/golden/binary/fits*.c) lib/golden/binary/sandbox.c
units = $(if $(UNITS),$(filter $(alone),$(2)) $(shell sh scripts/units.sh $(B)/units/$(1) $(filter-out $(alone),$(2))),$(2))
lib_objects := $(call object,$(call units,lib,$(lib_sources))) $(B)/obj/gen/templates.o
cmd_objects := $(call object,$(call units,cmd,$(cmd_sources)))
hub_objects := $(call object,$(call units,hub,$(hub_sources)))

.PHONY: all
all: $(B)/regild build/regild

# The last variant built is the one at build/regild.
.PHONY: build/regild
build/regild: $(B)/regild
	$(Q)ln -sfn $(variant)/regild build/regild

$(B)/regild: $(cmd_objects) $(B)/libregild.a
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(call LDLIBS_OF,$(LINKED))

$(B)/libregild.a: $(lib_objects)
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(extra_cflags) -c -o $@ $<

# templates/ compiled in, so that the binary works wherever it is copied.
$(B)/gen/templates.c: $(template_files) scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh $(template_files) > $@
$(B)/obj/gen/templates.o: $(B)/gen/templates.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Loops that only vector instructions make fast; at -O2 GCC does not look for them.
$(call object,lib/golden/dtype.c lib/golden/convention.c lib/compare/pair_kernel.c lib/audit/conformal.c \
	lib/base/median.c): private extra_cflags = -O3

# Asked only where they are compiled, as the packages are.
library = $(shell sh scripts/library.sh "$(firstword $(CC))" $(1))
$(call object,lib/net/curl.c): private extra_cflags = -DREGILD_LIBCURL='"$(call library,libcurl)"'
$(call object,lib/archive/libarchive.c): private extra_cflags = -DREGILD_LIBARCHIVE='"$(call library,libarchive)"'
define binary_library
$$(call object,$$(wildcard lib/golden/binary/$(1)*.c)): private extra_cflags = $$(call pkg,--cflags,$($(1)_package)) \
	-DREGILD_LIBRARY='"$$(shell sh scripts/library.sh "$$(firstword $$(CC))" $($(1)_package) $(2))"'
endef
$(eval $(call binary_library,hdf5,libhdf5))
$(eval $(call binary_library,netcdf,libnetcdf))
$(eval $(call binary_library,fits,libcfitsio))
ifneq (,$(filter seccomp,$(binary)))
$(eval $(call binary_library,sandbox,libseccomp))
endif
$(call object,lib/worktree/worktree.c): private extra_cflags = \
	$(if $(STATIC),,$(shell sh scripts/certificates.sh "$(firstword $(CC))" $(PACKAGES)))

$(cmd_objects): private extra_cflags = $(if $(STATIC),-include cmd/streams.h)

# Tests' own programs.
$(hub_objects): private extra_cflags = $(call pkg,--cflags,libmicrohttpd) -Itests
$(call object,$(unit_sources)): private extra_cflags = $(call pkg,--cflags,cmocka) -Itests -Iscripts
schema_object := $(call object,scripts/json_schema.c)
support_objects := $(call object,$(support_sources))
$(support_objects) $(B)/obj/tests/schema/check.o: private extra_cflags = $(call pkg,--cflags,cmocka) -Itests -Iscripts

# The JSON Schemas, made of the tables that write the documents.
$(B)/schemas: $(call object,scripts/schemas.c) $(schema_object) $(B)/libregild.a
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(ALL_LDLIBS)
$(B)/schema/made: $(B)/schemas
	@mkdir -p $(@D)
	$(Q)$(B)/schemas $(@D) && touch $@

# Holds what commands print against these, in the command tests.
$(B)/schema-check: $(call object,tests/schema/check.c tests/support/schema.c) $(schema_object) $(B)/libregild.a
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(ALL_LDLIBS)

.PHONY: hub
hub: $(B)/hub
$(B)/hub: $(hub_objects) $(B)/libregild.a
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(call pkg,--libs,libmicrohttpd) $(ALL_LDLIBS)

unit_programs := $(patsubst tests/unit/%.c,$(B)/unit/%,$(unit_sources))
$(B)/unit/%: $(B)/obj/tests/unit/%.o $(support_objects) $(schema_object) $(B)/libregild.a
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(if $(darwin),,$(addprefix -Wl$(comma)--wrap=,pthread_create fork posix_spawnp)) $(call pkg,--libs,cmocka) $(ALL_LDLIBS)

# regild with every file operation and allocation of our own interposed (tests/faults/wrap.c).
wrapped := malloc calloc realloc strdup open openat write fsync fdatasync syncfs close rename renameat \
	unlink unlinkat mkdir mkdirat link linkat fchmod ftruncate read dlopen posix_spawnp
$(B)/regild-faults: $(cmd_objects) $(call object,$(fault_sources)) $(B)/libregild.a
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(addprefix -Wl$(comma)--wrap=,$(wrapped)) $(call LDLIBS_OF,$(LINKED))

# Fuzz targets are plain drivers that replay files; with FUZZ=1 they are libFuzzer's.
fuzz_programs := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(fuzz_sources))
$(call object,$(fuzz_sources)): private extra_cflags = -Itests
$(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(if $(FUZZ),,$(B)/obj/tests/fuzz/replay.o) $(B)/libregild.a
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(if $(FUZZ),-fsanitize=fuzzer) $(ALL_LDLIBS)
.PHONY: fuzz fuzz-short
fuzz: $(fuzz_programs)
# Each of them for five seconds.
fuzz-short: science
	$(Q)$(MAKE) --no-print-directory fuzz FUZZ=1 CC=clang UNITS=1
	$(Q)bash tests/fuzz/short.sh build/clang-fuzz-units

bench_programs := $(patsubst tests/bench/%.c,$(B)/bench/%,$(bench_sources))
$(B)/bench/%: $(B)/obj/tests/bench/%.o $(B)/libregild.a
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(ALL_LDLIBS)

# Reruns the tables of man/regild-noise.7 (tests/simulate).
simulate_objects := $(call object,$(sort $(wildcard tests/simulate/*.c)))
$(simulate_objects): private extra_cflags = -Itests
$(B)/simulate: $(simulate_objects) $(B)/libregild.a
	@echo "  LD    $@"
	$(Q)$(CC) -o $@ $^ $(ALL_LDLIBS)

.PHONY: programs unit
unit: all $(if $(hub_sources),$(B)/hub) $(unit_programs)
programs: all $(if $(hub_sources),$(B)/hub) $(B)/schema/made $(B)/schema-check $(B)/simulate $(unit_programs) $(fuzz_programs) $(bench_programs) \
	$(if $(fault_sources),$(B)/regild-faults)

.PHONY: setup science dist test-dist test-reproducible test-foreign demo test test-long test-browser test-cluster test-duckdb test-skills screenshots simulate lint bench bench-history bench-peers check-update check-presets install clean
setup:
	$(Q)sh scripts/setup.sh $(PACKAGES) $(TEST_PACKAGES)

# Folders below PREFIX, whose name may have blanks, and a ~ that the shell is to expand.
installed = $(foreach folder,$(1),$(subst $(space),\$(space),$(DESTDIR)$(PREFIX))/$(folder))

# Where the shells look for what completes the calls of a program.
completion_bash := share/bash-completion/completions/regild
completion_zsh := share/zsh/site-functions/_regild
completion_fish := share/fish/vendor_completions.d/regild.fish

# As many jobs as there are cores, where the caller did not say how many.
parallel = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

# The static program for each of these, and what a release has beside it, in build/dist/out. Minutes for each.
DIST_ARCHES ?= x86_64 aarch64
dist: setup
	$(Q)sh scripts/setup.sh --dist
	$(Q)$(MAKE) $(parallel) --no-print-directory $(B)/schema/made
	$(Q)bash release/dist.sh $(VERSION) $(B)/schema/compare.json $(DIST_ARCHES)
# Parts of their own, because of what they build and install: tests of what `make dist` made, and whether another folder
# and time make the same.
test-dist: dist
	$(Q)$(MAKE) $(parallel) --no-print-directory $(B)/regild $(if $(fault_sources),$(B)/regild-faults) $(B)/hub $(B)/schema-check \
		$(B)/bench/measure
	$(Q)bash tests/dist/run.sh $(B) $(VERSION) "$(ONLY)"
test-reproducible: dist
	$(Q)bash release/again.sh $(VERSION) $(DIST_ARCHES)

# The unit tests on a big-endian machine, and on one of 32 bits. Many minutes, and not in CI.
FOREIGN_ARCHES ?= s390x i386
test-foreign: setup
	$(Q)sh scripts/setup.sh --foreign
	$(Q)for arch in $(FOREIGN_ARCHES); do bash tests/dist/foreign.sh $$arch $(ONLY) || exit 1; done

# A regild that is there is shown; otherwise it is compiled in units, and without what only debuggers read, which takes half
# as long. A second make, because what is installed by setup changes what pkg-config answers.
demo_flags = $(if $(wildcard $(B)/regild),,UNITS=1 CFLAGS=-O1)
demo:
	$(Q)sh scripts/setup.sh --demo $(PACKAGES) libmicrohttpd
	@echo "demo: building regild, and a GitHub of our own"
	$(Q)$(MAKE) $(parallel) --no-print-directory all hub $(demo_flags) $(if $(V),,>/dev/null)
	@echo "demo: a refresh"
	$(Q)bash scripts/demo.sh $(if $(demo_flags),$(B:-units=)-units,$(B))

# Goldens of the sciences are tested with the libraries that read them, which a demo needs not.
science: setup
	$(Q)sh scripts/setup.sh --science
test: science
	$(Q)$(MAKE) $(parallel) --no-print-directory programs
	$(Q)bash tests/run.sh $(B) "$(ONLY)"

# The tests that take a sample of thousands in `make test`, here with every point.
test-long: export TEST_LONG = 1
test-long: setup
	$(Q)sh scripts/setup.sh --rules || echo "test-long: tools that are not there are skipped"
	$(Q)$(MAKE) --no-print-directory test

# regild's pages in a headless Chromium. A part of its own, because of what it installs.
test-browser: setup
	$(Q)sh scripts/setup.sh --browser
	$(Q)$(MAKE) --no-print-directory $(B)/regild $(B)/hub
	$(Q)bash tests/browser/run.sh $(B)

# A history on ClickHouse: two servers on loopback. Likewise.
test-cluster: setup
	$(Q)sh scripts/setup.sh --cluster
	$(Q)$(MAKE) --no-print-directory $(B)/regild $(B)/hub $(B)/unit/test_history_store $(B)/unit/test_history_store_audits \
		$(B)/bench/history
	$(Q)bash tests/cluster/run.sh $(B)

# An exported history, read by DuckDB. A part of its own, because of what it installs.
test-duckdb: setup
	$(Q)sh scripts/setup.sh --duckdb
	$(Q)$(MAKE) --no-print-directory $(B)/regild
	$(Q)bash tests/duckdb/run.sh $(B)

# The skills' texts, and what regild answers to the calls of their evals; part of test-long.
test-skills: export TEST_LONG = 1
test-skills: setup
	$(Q)sh scripts/setup.sh --skills
	$(Q)$(MAKE) --no-print-directory $(B)/regild $(B)/hub
	$(Q)bash tests/parts/skills.sh $(B)

# The README's pictures, again.
screenshots: setup
	$(Q)sh scripts/setup.sh --browser
	$(Q)$(MAKE) --no-print-directory $(B)/regild $(B)/hub
	$(Q)bash scripts/screenshots.sh $(B)

# Takes minutes; `make test` has a short form of it.
simulate: setup
	$(Q)$(MAKE) --no-print-directory $(B)/regild $(B)/simulate
	$(Q)bash tests/simulate/run.sh $(B)

# Which of the files that presets were written from have changed: make check-presets CLONE=DIR
check-presets:
	$(Q)bash scripts/check-presets.sh "$(CLONE)"

# Writes what the commands print now over the expectations under tests/cli: read the diff.
check-update: science
	$(Q)$(MAKE) --no-print-directory programs
	$(Q)bash tests/cli/run.sh --update $(B) $(ONLY)

lint: science
	$(Q)$(MAKE) $(parallel) --no-print-directory all
	$(Q)PACKAGES="$(PACKAGES) $(TEST_PACKAGES) $(foreach part,$(binary),$($(part)_package))" OBJECTS=$(B)/obj bash scripts/lint.sh $(if $(ALL),--all)

bench: science
	$(Q)$(MAKE) --no-print-directory programs
	$(Q)bash tests/bench/run.sh $(B) $(ONLY)

# Large work beside DuckDB, simdjson, numdiff, git and cat: tests/bench/peers.bench.sh says how to run fewer rows.
bench-peers: setup
	$(Q)sh scripts/setup.sh --peers
	$(Q)$(MAKE) --no-print-directory $(B)/regild $(foreach program,goldens large measure sides,$(B)/bench/$(program))
	$(Q)bash tests/bench/run.sh $(B) peers

# Takes minutes: 10,000 runs, or RUNS=N.
bench-history: ONLY := history
bench-history: bench

install: all $(B)/schema/made
	install -d $(call installed,bin share/man/man1 share/man/man5 share/man/man7 share/regild/templates share/regild/schema share/regild/sql share/regild/grafana)
	install -d $(call installed,$(dir $(completion_bash) $(completion_zsh) $(completion_fish)))
	install -m 755 $(B)/regild $(call installed,bin)
	install -m 644 man/*.1 $(call installed,share/man/man1)
	install -m 644 man/*.5 $(call installed,share/man/man5)
	install -m 644 man/*.7 $(call installed,share/man/man7)
	install -m 644 $(filter-out %.sql,$(template_files)) $(call installed,share/regild/templates)
	install -m 644 $(filter %.sql,$(template_files)) $(call installed,share/regild/sql)
	install -m 644 examples/grafana/goldens.json $(call installed,share/regild/grafana)
	install -m 644 $(B)/schema/*.json $(call installed,share/regild/schema)
	$(B)/regild completion bash > $(call installed,$(completion_bash))
	$(B)/regild completion zsh > $(call installed,$(completion_zsh))
	$(B)/regild completion fish > $(call installed,$(completion_fish))
	chmod 644 $(call installed,$(completion_bash) $(completion_zsh) $(completion_fish))

clean:
	rm -rf build

-include $(shell find $(B) -name '*.d' 2>/dev/null)
