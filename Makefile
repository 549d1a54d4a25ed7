# SPDX-License-Identifier: Apache-2.0

# Everything is done by Go programs; this file is for those who type make. `make help` lists the targets.

GO ?= go
# How many times each benchmark runs; benchstat wants at least six.
COUNT ?= 6
BENCH ?= .

.PHONY: all help build dist web-pictures rename test quick long beam beam-flink bench bench-peers synth install-tools clean

all: build ## the two commands in bin/, and all ROM images and sources in build/
	$(GO) run ./cmd/genrom

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r t d; do printf '  make %-14s %s\n' "$$t" "$$d"; done

build: ## the commands ply11 and genrom, in bin/
	$(GO) build -o bin/ ./cmd/...

dist: install-tools ## what people install, of the latest commit, in build/dist: programs, a Debian package, Verilog, wheels, npm tarballs, crate; and uses them
	internal/dist/dist.sh build/dist
	internal/dist/check.sh build/dist

web-pictures: ## the pictures of the explorer's page in README.md and docs/EXPLORER.md, by Chromium: look at them before you keep them
	dir=$$(mktemp -d) && PLY11_SHOTS=$$dir $(GO) test -C web/browser -count=1 -run '^TestBrowser$$/^(move|openings)$$' . && cp $$dir/explorer-move.png $$dir/explorer-openings.png docs/ && rm -r $$dir

# Imports, other texts of Go and of pages that name the module, and go.mod.
rename: ## gives the module another path, for the day on which it has a home: make rename MODULE=github.com/somebody/ply11
	git ls-files -z '*.go' '*.md' | xargs -0 sed -E -i \
	  -e 's#^(\s*(import )?([a-z0-9_.]+ )?")ply11(/[a-z0-9/]+"$$)#\1$(MODULE)\4#' \
	  -e 's#(\\"|coverpkg=|module = ")ply11/#\1$(MODULE)/#g' -e 's#(-require |-replace )ply11([@=])#\1$(MODULE)\2#g'
	git ls-files -z '*go.mod' | xargs -0 sed -E -i 's#^(module |replace |\t)ply11(/| v| =>|$$)#\1$(MODULE)\2#'
	git ls-files -z '*.go' | xargs -0 gofmt -w

quick: ## formatting, vet and the Go tests that need only Go: 90 s
	@$(GO) run ./internal/testrun -short -only '^(gofmt|lines|vet|test)$$'

test: install-tools ## every test, simulation and proof; first installs the programs that are missing
	@$(GO) build -o bin/testrun ./internal/testrun
	@PATH="$$PATH:/usr/games" bin/testrun

long: install-tools beam beam-flink ## what takes hours: the tests with the tag long, those of beam/, the short ones for 32 bits and for big-endian, and a minute for each fuzz target
	PATH="$$PATH:/usr/games" $(GO) test -tags long -timeout 0 ./...
	GOARCH=386 CGO_ENABLED=0 $(GO) test -short -timeout 0 ./...
	GOARCH=s390x CGO_ENABLED=0 PLY11_EXEC=qemu-s390x $(GO) test -short -timeout 0 -exec qemu-s390x ./...
	PATH="$$PATH:/usr/games" $(GO) run ./internal/testrun -only '^fuzz$$' -fuzz 1m -fuzz-total 24h

beam: ## vet and tests of the module beam/, whose libraries take minutes to compile at first
	cd beam && $(GO) vet ./... && $(GO) test ./...

beam-flink: ## the pipelines of beam/ on a cluster of Apache Flink, whose jars Maven puts in build/flink: Java 17 or newer and mvn must be there; five minutes
	rm -rf build/flink && mvn -q -B -ntp -f beam/flink/pom.xml dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/build/flink
	cd build/flink && sha256sum --check --quiet --strict ../../beam/flink/SHA256SUMS && test $$(ls | wc -l) = $$(wc -l < ../../beam/flink/SHA256SUMS) || \
	  { echo "build/flink has other jars than beam/flink/SHA256SUMS says" >&2; exit 1; }
	cd beam && PLY11_FLINK_JARS=$(CURDIR)/build/flink $(GO) test -tags long -count=1 -timeout 60m -run '^TestFlink$$' -v ./cmd/ply11-beam

# For benchstat: make bench BENCH=Perft > new.txt; benchstat old.txt new.txt
bench: ## benchmarks that match BENCH=regexp, each COUNT=6 times
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...

bench-peers: install-tools ## ply11 beside pgn-extract, SCID, shakmaty, python-chess, xz and others, on real data, on one core: an hour
	@$(GO) run ./internal/benchpeers

synth: install-tools ## the tables of area and speed in docs/measurements.md and README.md, measured anew, which takes hours
	$(GO) build -o bin/genrom ./cmd/genrom
	for family in ice40 ecp5 gowin nexus osu018 xc7; do \
	  bin/genrom synth --family $$family --record hdl/syn/measured.json || test $$? = 3 || exit 1; \
	done
	$(GO) test ./cmd/genrom -run '^TestAreaTable$$' -update

install-tools: ## the Debian packages that the tests run; says which before it installs them
	@.ci/install-tools

clean: ## removes build/ and bin/
	rm -rf build bin
