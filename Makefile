# Everything a person or a CI needs, one word each. `make` alone shows them.
# The environment is .venv (never the root itself: that would fill bin/ and lib/).

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 4
PYTEST := $(BIN)/python -m pytest
export MCPEAK_LANG ?= en

# The first interpreter that is new enough and can make an environment; PYTHON=… overrides.
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11 python3.14 /usr/bin/python3 python; do \
	$$each -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$each; break; }; done)

.PHONY: compiled help setup run test check golden schemas pages picture bench test-real soak conformance test-clients wheel clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## make .venv with mcpeak (editable) and the tools that check it

# Scripts are copied on installation, so a new file in bin/ needs another one; so does a changed pyproject.toml.
$(STAMP): pyproject.toml scripts/setup.py bin
	@test -n "$(PYTHON)" || { echo "make: no Python of version 3.11 or newer with venv was found; name one: make setup PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) scripts/setup.py $(VENV)
	@touch $(STAMP)

compiled: $(STAMP)
	@$(BIN)/python scripts/compile.py

run: compiled ## test the example server with the example suite
	$(BIN)/python bin/mcpeak test examples/weather/weather.suite.json -- $(BIN)/python examples/weather/server.py

test: compiled check ## check, then run every test but those that install real servers
	$(PYTEST) -n $(WORKERS) --dist loadgroup -m "not real"

check: $(STAMP) ## format, lint, strict types, schema drift
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy lib bin/mcpeak-*
	@# bin/mcpeak has the name of the package, so mypy takes it only as a text
	MYPYPATH=lib $(BIN)/mypy --config-file= --strict --explicit-package-bases -c "$$(cat bin/mcpeak)"
	$(BIN)/python scripts/schemas.py --check
	$(BIN)/python scripts/pages.py --check

golden: compiled ## rewrite the golden streams in tests/streams and show what changed
	$(BIN)/python tests/streams/rewrite.py
	@git --no-pager diff --stat -- tests/streams
	@git --no-pager diff -- tests/streams

schemas: $(STAMP) ## write schemas/ from the record types
	$(BIN)/python scripts/schemas.py

pages: $(STAMP) ## write the pages that are made: every error code, the man pages
	$(BIN)/python scripts/pages.py

picture: $(STAMP) ## draw the terminal pictures of the READMEs from real runs
	$(BIN)/python scripts/picture.py en
	$(BIN)/python scripts/picture.py ko

bench: compiled ## measure against the floor, as ratios in one run (PAIRS=9)
	$(BIN)/python bench/bench.py

test-real: compiled ## install real servers into build/real and test them; the largest faults
	$(PYTEST) -m real tests/real tests/faults

soak: compiled ## run 2,000 times, well and badly: nothing may be left (RUNS=2000)
	$(BIN)/python tests/faults/soak.py $(RUNS)

conformance: $(STAMP) ## run the protocol's conformance suite against client and mock
	$(BIN)/python tests/conformance/run

test-clients: $(STAMP) ## run real MCP clients against the mock
	$(BIN)/python tests/clients/run

wheel: $(STAMP) ## build wheel and sdist, check them, install and start every program
	$(BIN)/python scripts/wheel.py

clean: ## remove what make made, but not .venv
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
