# Everything runs in its own virtual environment, made when it is needed.
# `make help` lists the targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
MINUTES ?= 30
CYTHON := Cython==3.3.*
CORE   := $(shell find solstis_ai -name '*.pyx' -o -name '*.pxd')

.DEFAULT_GOAL := help
.PHONY: help build demo test test-long soak strength levels lint format proto proto-check check-c bench guard plots clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 14

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "solstis-ai needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "setuptools>=77" "$(CYTHON)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[dev]"
	@touch $@

$(VENV)/.built: $(VENV)/.installed setup.py $(CORE)
	$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

build: $(VENV)/.built ## Set up the environment and compile

demo: build ## Start a service, ask it for a move, print the answer, stop it
	$(BIN)/python examples/demo.py

test: build ## Run the tests
	$(BIN)/python -m pytest

test-long: build ## Run the tests that take minutes
	$(BIN)/python -m pytest -m long

soak: build ## Load a server for 30 minutes (MINUTES=...) and check that it stays as it was
	$(BIN)/python scripts/soak.py --minutes $(MINUTES)

strength: build ## Measure the headline figures of docs/strength.md (12 minutes on two cores)
	$(BIN)/python training/headline.py

levels: build ## Measure the levels of play that have changed, write docs/levels.md
	$(BIN)/python training/levels.py

lint: build proto-check check-c ## Check style, types and generated code
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

format: build ## Bring the sources into shape
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

proto: build ## Generate solstis_ai/v1 from proto/
	PYTHON=$(BIN)/python scripts/generate_proto.sh

proto-check: build
	PYTHON=$(BIN)/python scripts/generate_proto.sh --check

check-c: build ## Check that the loops touch no Python object
	$(BIN)/python scripts/check_generated_c.py

guard: build ## Fail if the engine costs more instructions than recorded; needs valgrind
	$(BIN)/python benchmarks/instructions.py --check

bench: build ## Measure playouts and search
	$(BIN)/solstis-ai bench playouts
	$(BIN)/solstis-ai bench search
	$(BIN)/solstis-ai bench determinization

plots: build ## Measure and draw the figures of docs/performance
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[plots]"
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/plots.py

clean: ## Remove the environment and everything built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find solstis_ai -name '*.so' -delete -o -name '*.c' -delete
