# Every step is done in every module of the repository.
MODULES := . examples/acptap
GO      ?= go
BIN     := $(CURDIR)/bin
FUZZTIME ?= 10s

.DEFAULT_GOAL := help
.PHONY: help demo test race check fuzz bench cover conformance build

help: ## say what there is to make
	@awk -F':.*## ' '/^[a-z]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build the programs into bin/
	@mkdir -p $(BIN)
	@$(GO) build -o $(BIN)/ ./examples/scriptedagent ./examples/minimal ./examples/explicit
	@cd examples/acptap && $(GO) build -o $(BIN)/ .

demo: build ## run the main job: an agent over real pipes, its private methods as neutral events
	@$(BIN)/acptap run --ask first --timeout 60s --prompt "Show me what you can do." -- $(BIN)/scriptedagent

test: ## run the tests
	@for m in $(MODULES); do (cd $$m && $(GO) test ./...) || exit 1; done

race: ## run the tests with the race detector, in random order
	@for m in $(MODULES); do (cd $$m && $(GO) test -race -shuffle=on ./...) || exit 1; done

check: ## vet, staticcheck, gofmt, tidy, and what is built for other systems
	@./.ci/check

fuzz: ## run every fuzz target for FUZZTIME (10s)
	@./.ci/fuzz $(FUZZTIME)

bench: ## run the benchmarks; each has its baseline in the same run
	@for m in $(MODULES); do (cd $$m && $(GO) test -run '^$$' -bench . -benchmem ./...) || exit 1; done

conformance: ## compare this module's connection with the SDK's own, probe by probe
	@cd client/conformance && $(GO) test -count=1 -table

cover: ## show the coverage of the library
	@$(GO) test -coverprofile=coverage.out -coverpkg=./dialect/...,./registry/...,./client/...,./dialects/... ./... >/dev/null
	@$(GO) tool cover -func=coverage.out | tail -1
