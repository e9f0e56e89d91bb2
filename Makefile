# Every target that builds first installs the Debian packages that it needs and that are missing.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=

NEEDS := binutils ca-certificates faketime gcc git jq libc6-dev libffi-dev libsodium-dev libsqlite3-dev make musl-dev nodejs pkg-config python3 tzdata zlib1g-dev

.PHONY: help run test lint check fuzz bench bench-short torture mutants install uninstall clean needs

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

needs:
	@Tools/need.sh $(NEEDS)
	@Tools/need-swift.sh

run: needs ## build everything and start the agent of this folder's settings.json
	@Tools/run.sh

test: needs ## one debug build with coverage; every test
	@Tools/need.sh chromium-headless-shell openssl
	@Tools/test.sh

lint: needs ## format, imports between targets, text rules, words
	@Tools/lint.sh

check: needs ## thread and address sanitizer on the libraries that need no others
	@Tools/sanitize.sh

fuzz: needs ## inputs made by libFuzzer; FUZZ="SECONDS SEED" for each target, 60 and 1 by default
	@Tools/fuzz.sh $(FUZZ)

bench: needs ## release build; each measurement beside its probe
	@Benchmarks/run.sh

bench-short: needs ## debug build; shows that every measurement runs, without peers and verdicts
	@Benchmarks/run.sh --short

torture: needs ## random kill -9 of workers and hosts, a broken and a full disk; TORTURE="WORKERS HOSTS", TASKS="KILLS LIVES", KILLS="2000 8" set how many
	@Tools/torture.sh $(TORTURE)
	@Tools/torture-tasks.sh $(TASKS)
	@Tools/torture-host.sh $(KILLS)
	@Tools/torture-store.sh

mutants: needs ## plants one fault at a time in a copy and shows which test catches it; MUTANTS="NAME…" for some, JOBS=2
	@Tools/mutants.sh $(MUTANTS)

install: needs ## PREFIX=/usr/local; DESTDIR is honoured
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Tools/install.sh

uninstall: ## removes what install wrote
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Tools/uninstall.sh

clean: ## removes what builds wrote
	rm -rf .build .build-* SDK/.build Benchmarks/.build*
