# SPDX-License-Identifier: Apache-2.0

# Everything is done by Go programs; this file is for those who type make.

GO ?= go
# How many times each benchmark runs; benchstat wants at least six.
COUNT ?= 6
BENCH ?= .

.PHONY: all build test quick long bench synth install-tools clean

# Makes the ROM images and sources in build/, and the two commands in bin/.
all: build
	$(GO) run ./cmd/genrom

build:
	$(GO) build -o bin/ ./cmd/...

# All tests. Installs what is missing; the last line counts what passed, failed and was skipped.
test: install-tools
	@$(GO) build -o bin/testrun ./internal/testrun
	@PATH="$$PATH:/usr/games" bin/testrun

# The Go tests alone.
quick:
	@PATH="$$PATH:/usr/games" $(GO) run ./internal/testrun -only '^(gofmt|vet|test)$$'

# What takes hours: the tests with the tag long, and a minute for each fuzz target.
long: install-tools
	PATH="$$PATH:/usr/games" PLY11_LONG=1 $(GO) test -tags long -timeout 0 ./...
	PATH="$$PATH:/usr/games" $(GO) run ./internal/testrun -only '^(prove|fuzz)$$' -fuzz 1m -fuzz-total 24h

# Benchmarks, in the form that benchstat reads: make bench BENCH=Decode > new.txt; benchstat old.txt new.txt
bench:
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...

# The README's table of area and speed.
synth: install-tools
	@$(GO) run ./cmd/genrom synth

install-tools:
	@.ci/install-tools

clean:
	rm -rf build bin
