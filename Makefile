# Two commands matter: make run, make test. Each installs and builds what it needs.
.PHONY: run test torture build lint check conformance bench bench-search docs screenshots snapshots release audit clean

modules := node_modules/.package-lock.json

run: build
	node dist/src/cli/index.js serve --sample

# FILES names some of them: make test FILES=dist/test/settings.test.js
test: build
	npx tap run --disable-coverage $(FILES)

build: $(modules)
	npx tsc -p .

lint: $(modules)
	npx eslint .

# Everything that must pass before a change goes in.
check:
	bash .ci/run

# The official MCP conformance suite, both eras; it brings the newer Node.js that it needs.
conformance: build
	npm ci --prefix conformance
	node conformance/run.mjs

bench: build
	ONLY=$(ONLY) node dist/bench/index.js

# The search against SQLite FTS5 (python3 has it), on BENCH_PAPERS papers; BENCH_CORPUS names a file of real ones.
bench-search: build
	node dist/bench/search/index.js

# Writes what is generated: .env.example and the reference parts of docs/.
docs: build
	node dist/docs/generate.js

# Takes the pictures in docs/images of a service with the sample project; needs Chromium.
screenshots: build
	node dist/docs/screenshots.js

# Accepts a change of the published surface: read the difference before committing it.
snapshots: build
	npx tap run --disable-coverage --snapshot dist/test/tables.test.js

# The long trials: what is promised of the service under attack, kills and outages. Each prints what was wanted and what was seen; loopback only.
# TORTURE_DATABASE_URL names a PostgreSQL server on which databases may be made; PART one part of a trial.
torture: build
	ONLY=$(ONLY) PART=$(PART) node dist/test/torture/index.js

# One archive with everything in it, in release/out, tried: unpacked, installed and run without a network.
release: build
	node dist/release/build.js
	node dist/release/try.js

# Asks the package registry whether weaknesses are known of what ships; needs one that answers such questions.
audit: $(modules)
	npm audit --omit dev

clean:
	rm -rf dist release/out .tap node_modules conformance/node_modules conformance/results

$(modules): package.json package-lock.json
	npm ci
	@touch $(modules)
