# Everything a newcomer needs. `make demo` and `make test` do all their own set-up: Python 3.11+ and git are enough.

PYTHON ?= python3
UV_VERSION := 0.13.9
TOOLS := .tools
# uv from the PATH where there is one, else a copy of our own that touches nothing of the system's Python.
UV ?= $(or $(shell command -v uv 2>/dev/null),$(CURDIR)/$(TOOLS)/bin/uv)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Never download an interpreter: the machine's own is used.
export UV_PYTHON_DOWNLOADS := never
export UV
export SAM_CLI_TELEMETRY := 0
# SAM in an environment of its own, locked beside its script: it holds back boto3 and others.
SAM_CLI = $(UV) run --quiet --locked --script local/sam_cli.py
TURNKEY_ARCHITECTURE ?= x86_64
export TURNKEY_ARCHITECTURE

.DEFAULT_GOAL := help
.PHONY: help demo up test test-more lint types template unit workflow small-model chaos conformance schema evals format lock build sizes sam test-sam clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(TOOLS)/bin/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Turnkey needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(TOOLS) 2>/dev/null || $(PYTHON) -m venv --without-pip $(TOOLS)
	@$(TOOLS)/bin/python -m pip install -q "uv==$(UV_VERSION)" 2>/dev/null || \
	  $(PYTHON) -m pip install -q --prefix $(TOOLS) --ignore-installed "uv==$(UV_VERSION)" || \
	  { echo "Neither venv with pip nor pip is there: install python3-venv or uv."; exit 1; }

$(READY): pyproject.toml uv.lock $(if $(filter $(CURDIR)/%,$(UV)),$(TOOLS)/bin/uv)
	@$(UV) sync --quiet --frozen --compile-bytecode --python $(PYTHON)
	@touch $@

demo: $(READY) ## start the stack, onboard the bookshop, have a short conversation, show each turn
	@$(BIN)/turnkey demo

up: $(READY) ## the same set-up, staying up: write to the bookshop from the terminal
	@$(BIN)/turnkey up --demo

test: lint template ## everything but SAM
	@$(MAKE) --no-print-directory -j 2 types unit
	@$(MAKE) --no-print-directory workflow small-model

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .

types: $(READY)
	@$(BIN)/pyright --pythonpath $(BIN)/python

template: $(READY) ## cfn-lint, and the state machine's own check
	@$(BIN)/cfn-lint template.yaml
	@$(BIN)/python -m local.state_machine_check functions/turn.asl.yaml

unit: $(READY)
	@$(BIN)/pytest tests/unit -n 2 -m "not long"

workflow: $(READY)
	@$(BIN)/pytest tests/workflow -n 3 --dist loadfile -m "not long"

test-more: $(READY) ## what takes longer: servers that fail, the attacker, scale, a chaos sample, server-everything from npm
	@$(BIN)/pytest tests/unit -n 2 -m long
	@$(BIN)/pytest tests/workflow -n 3 --dist loadfile -m long
	@$(BIN)/pytest tests/e2e/test_everything.py

build: $(READY) ## sam build, from locked wheels; TURNKEY_ARCHITECTURE=arm64 for the other processor
	@find functions layers/turnkey -name __pycache__ -prune -exec rm -rf {} +
	@$(SAM_CLI) build --parameter-overrides Architecture=$(TURNKEY_ARCHITECTURE)

sizes: build ## unzipped size of each layer
	@$(BIN)/python layers/sizes.py

sam: build ## run the built product in SAM's containers
	@$(BIN)/turnkey sam

test-sam: $(READY) ## the whole turn in SAM's containers
	@$(BIN)/pytest tests/e2e/test_sam.py

lock: $(READY) ## lock dependencies anew, and what the layers carry
	@$(UV) lock && $(UV) lock --script local/sam_cli.py && $(BIN)/python layers/dependencies/lock.py

small-model: $(READY)
	@$(BIN)/pytest tests/e2e/test_local_model.py tests/e2e/test_demo.py

chaos: $(READY) ## kill the process before and after every write and request of a turn
	@$(BIN)/pytest tests/chaos -s

conformance: $(READY) ## the public conformance suite for MCP clients, about two minutes; writes docs/conformance.md
	@$(BIN)/python -m tests.conformance

schema: $(READY) ## write docs/manifest.schema.json anew
	@$(BIN)/turnkey schema > docs/manifest.schema.json

evals: $(READY) ## what is handed over, with the embedded model: the tables of docs/evals.md
	@$(BIN)/turnkey eval --cases tests/evals/cases --language en --mode bare
	@$(BIN)/turnkey eval --cases tests/evals/cases --language en

format: $(READY) ## fix what can be fixed
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

clean: ## remove everything that was set up
	rm -rf $(VENV) $(TOOLS) .aws-sam .turnkey
