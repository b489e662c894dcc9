# Two commands do all their own set-up: `make run` starts the judge, `make test` runs every check.
# TORCH_INDEX names another package index for torch, for instance one with CPU-only wheels.

PYTHON ?= python3
VENV ?= .venv
TORCH_INDEX ?=
TORCH := $(shell sed -n 's/^ *"\(torch==[^"]*\)",/\1/p' pyproject.toml)
BIN := $(VENV)/bin
PYTEST_ARGS ?= -n auto

.PHONY: run test lint bundle benchmark clean

run: $(VENV)/.judge
	@$(BIN)/judge serve

test: lint
	OMP_NUM_THREADS=1 $(BIN)/pytest $(PYTEST_ARGS)

lint: $(VENV)/.judge-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

benchmark: $(VENV)/.judge-dev
	$(BIN)/python benchmarks/latency.py
	$(BIN)/python benchmarks/pages.py

# The editor bundle in web/static is committed; this builds it anew (needs Node 20 or later).
bundle:
	cd web/frontend && npm ci --no-audit --no-fund && npm run build

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "This needs Python 3.11 or later; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.torch: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install -q $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	@touch $@

$(VENV)/.judge: $(VENV)/.torch pyproject.toml
	$(BIN)/pip install -q -e .
	@touch $@

$(VENV)/.judge-dev: $(VENV)/.torch pyproject.toml
	$(BIN)/pip install -q -e '.[dev]'
	@touch $@ $(VENV)/.judge

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
