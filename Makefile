# Start with make run or make test. Every target installs and builds what it needs.
.DEFAULT_GOAL := help
.PHONY: help node-version modules tools run test test-node coverage mutation torture build lint check conformance clients bench bench-search docs screenshots snapshots release audit clean

modules := node_modules/.package-lock.json
# The conformance suite and other versions of Node.js, which have packages of their own.
tools := conformance/node_modules/.package-lock.json runtimes/node_modules/.package-lock.json

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s%s\n", $$1, $$2 }' Makefile

run: build ## Start the service; an empty database gets an account and a sample project
	MALLOC_MMAP_THRESHOLD_=32768 MALLOC_ARENA_MAX=2 node --max-semi-space-size=8 --heap-growing-percent=40 --expose-gc --wasm-tiering-budget=50000000 dist/src/cli/index.js serve --sample

# COVERAGE collects coverage in coverage/v8, also of worker threads and child processes.
test: build ## Run the tests; FILES="dist/test/…" runs some, TEST_DATABASE_URL uses PostgreSQL
	NODE_OPTIONS=--import=$(CURDIR)/dist/test/$(if $(COVERAGE),coverage/hook,support/quick-start).js \
	  $(if $(COVERAGE),NODE_V8_COVERAGE=$(CURDIR)/coverage/v8) npx tap run --disable-coverage $$(node dist/test/support/shared-processes.js $(FILES))

# Tests that a Node.js version could break: about a minute. Without browser tests, long trials, and bounds, which are our own code's.
quick = $(shell find $(addprefix dist/test/,$(addsuffix .test.js,accounts/keys accounts/passwords accounts/tokens adapters/mcp/clients \
  adapters/mcp/endpoint adapters/mcp/legacy adapters/mcp/modern search/segments server/connections) fulltext http relevance settings \
  sources/formats) -name '*.test.js' ! -name '*-bounds.test.js')

test-node: build runtimes/node_modules/.package-lock.json ## Run the quick tests on another Node.js version: NODE=20 (20.12), 22 or 24
	PATH="$(CURDIR)/runtimes/node_modules/node-$(NODE)/bin:$$PATH" NODE_OPTIONS=--import=$(CURDIR)/dist/test/support/quick-start.js \
	  node node_modules/.bin/tap run --disable-coverage $$(node dist/test/support/shared-processes.js $(quick))

coverage: ## Run the tests and report the coverage of src, db and schemas
	rm -rf coverage
	$(MAKE) test COVERAGE=1
	node dist/test/coverage/report.js

mutation: build ## Run mutation tests; ONLY, SAMPLE, SEED, JOBS
	ONLY=$(ONLY) node dist/test/mutation/index.js

# BUILT skips it where several targets run after one build (.ci/run).
build: $(modules) ## Compile to dist/
	$(if $(BUILT),,npm run --silent build)

lint: $(modules) ## Check style and layers
	npx eslint .

check: ## Run everything that must pass before a change is merged
	bash .ci/run

# The conformance suite installs the newer Node.js that it needs.
conformance: build conformance/node_modules/.package-lock.json ## Run the official MCP conformance suite in both protocol eras
	node conformance/run.mjs

# The clients are a tool for development alone. Two of them unpack their program with a script, which is run by name. Not npm ci: it wants
# the packages of every platform in the lock file, and a registry may lack those of others.
client_modules := clients/node_modules/.package-lock.json

clients: build ## Drive real MCP clients through a week's work with a stand-in model; ONLY=codex drives one
	-@$(MAKE) --no-print-directory $(client_modules)
	ONLY="$(ONLY)" node clients/run.mjs

$(client_modules): clients/package.json clients/package-lock.json
	npm install --no-save --prefix clients
	npm rebuild --prefix clients --ignore-scripts=false @anthropic-ai/claude-code opencode-ai
	@touch $(client_modules)

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
	rm -rf dist release/out coverage .tap node_modules conformance/node_modules conformance/results runtimes/node_modules clients/node_modules

modules: $(modules)

tools: $(tools)

# npm checks no version: with engine-strict, it would reject packages that state a newer minimum than they need.
node-version:
	@node -e 'const min = require("./package.json").engines.node.slice(2); if (process.versions.node.localeCompare(min, "en", { numeric: true }) < 0) { console.error(`Litfeed needs Node.js $${min} or newer; this is $${process.version}.`); process.exit(1) }'

$(modules): package.json package-lock.json | node-version
	npm ci
	npx tap build
	@touch $(modules)

$(tools): %/node_modules/.package-lock.json: %/package.json %/package-lock.json
	npm ci --prefix $*
	@touch $@
