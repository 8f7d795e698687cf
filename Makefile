# Start with make run or make test. Every target installs and builds what it needs.
.DEFAULT_GOAL := help
.PHONY: help run test test-node coverage mutation torture build lint check conformance bench bench-search docs screenshots snapshots release audit clean

modules := node_modules/.package-lock.json

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s%s\n", $$1, $$2 }' Makefile

run: build ## Start the service; an empty database gets an account and a sample project
	node dist/src/cli/index.js serve --sample

test: build ## Run the tests; FILES="dist/test/…" runs some, TEST_DATABASE_URL uses PostgreSQL
	$(measure) npx tap run --disable-coverage $(FILES)

# Tests that a Node.js version could break, without browser tests and long trials: two or three minutes.
quick := $(addprefix dist/test/,accounts adapters/mcp adapters/rest fulltext http relevance schemas search settings sources/formats tables.test.js db/embedded.test.js)

test-node: build ## Run the quick tests on another Node.js version: NODE=20 (20.12), 22 or 24
	npm ci --prefix runtimes
	PATH="$(CURDIR)/runtimes/node_modules/node-$(NODE)/bin:$$PATH" node node_modules/.bin/tap run --disable-coverage $(quick)

# Set COVERAGE to collect coverage in coverage/v8, also of worker threads and child processes.
measure := $(if $(COVERAGE),NODE_V8_COVERAGE=$(CURDIR)/coverage/v8 NODE_OPTIONS=--import=$(CURDIR)/dist/test/coverage/hook.js)

coverage: ## Run the tests and report the coverage of src, db and schemas
	rm -rf coverage
	$(MAKE) test COVERAGE=1
	node dist/test/coverage/report.js

mutation: build ## Run mutation tests; ONLY, SAMPLE, SEED, JOBS
	ONLY=$(ONLY) node dist/test/mutation/index.js

build: $(modules) ## Compile to dist/
	npm run --silent build

lint: $(modules) ## Check style and layers
	npx eslint .

check: ## Run everything that must pass before a change is merged
	bash .ci/run

# The conformance suite installs the newer Node.js that it needs.
conformance: build ## Run the official MCP conformance suite in both protocol eras
	npm ci --prefix conformance
	node conformance/run.mjs

bench: build ## Measure performance; ONLY=http runs one benchmark
	ONLY=$(ONLY) node dist/bench/index.js

bench-search: build ## Compare search with SQLite FTS5 (needs python3); BENCH_PAPERS, BENCH_CORPUS
	node dist/bench/search/index.js

docs: build ## Generate .env.example and the reference tables in docs/
	node dist/docs/generate.js

screenshots: build ## Take the screenshots in docs/images (needs Chromium)
	node dist/docs/screenshots.js

snapshots: build ## Accept a change of the published surface; review the difference before you commit it
	npx tap run --disable-coverage --snapshot dist/test/tables.test.js

# Loopback only. The trials create databases on the PostgreSQL server that TORTURE_DATABASE_URL names; PART selects one part of a trial.
torture: build ## Run the long trials: attacks, kills, outages; ONLY=jobs runs one
	ONLY=$(ONLY) PART=$(PART) node dist/test/torture/index.js

release: build ## Build release/out/litfeed-VERSION.tgz and test it without a network
	node dist/release/build.js
	node dist/release/try.js

audit: $(modules) ## Check runtime dependencies for known vulnerabilities
	npm audit --omit dev

clean: ## Remove built and installed files
	rm -rf dist release/out coverage .tap node_modules conformance/node_modules conformance/results

$(modules): package.json package-lock.json
	npm ci
	@touch $(modules)
