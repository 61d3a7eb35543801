# Everything runs in its own virtual environment, made when it is needed.
# `make help` lists the targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CORE   := $(shell find solstis_ai -name '*.pyx' -o -name '*.pxd')
PROTOS := $(shell find proto -name '*.proto')

.DEFAULT_GOAL := help
.PHONY: help build demo test test-long lint format proto proto-check bench clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 14

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "solstis-ai needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "setuptools>=77" "Cython>=3.1"
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

lint: build proto-check ## Check style, types and generated code
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

format: build ## Bring the sources into shape
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

define generate
$(BIN)/python -m grpc_tools.protoc --proto_path=proto --python_out=$(1) --pyi_out=$(1) \
    --grpc_python_out=$(1) $(PROTOS)
endef

proto: build ## Generate solstis_ai/v1 from proto/
	$(call generate,.)

proto-check: build
	@rm -rf build/proto && mkdir -p build/proto
	@$(call generate,build/proto)
	@for file in build/proto/solstis_ai/v1/*; do \
	    cmp "$$file" "solstis_ai/v1/$$(basename "$$file")" \
	        || { echo "generated code is stale; run 'make proto'" >&2; exit 1; }; \
	done

bench: build ## Measure playouts and search
	$(BIN)/solstis-ai bench playouts
	$(BIN)/solstis-ai bench search

clean: ## Remove the environment and everything built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find solstis_ai -name '*.so' -delete -o -name '*.c' -delete
