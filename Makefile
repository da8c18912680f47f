# noughts: `make` lists what can be made.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock

.DEFAULT_GOAL := help
.PHONY: help setup play test lint types layers stubs rust pytest covered coverage soak bench records lock clean

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.kernel ## make .venv with everything in it (runs by itself when needed)

play: setup ## play 4x4 against the AI
	@$(BIN)/noughts play 4x4

test: lint types layers stubs rust pytest covered ## run every check

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports --no-logo

stubs: setup
	$(BIN)/stubtest noughts._kernel

rust:
	cargo fmt --all --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo test --locked --quiet

pytest: setup
	$(BIN)/pytest -q -n 2 -m "not slow"

covered: setup
	$(BIN)/python -m tests.covered

coverage: setup ## measure what the tests cover
	$(BIN)/coverage run -m pytest -q -m "not slow" && $(BIN)/coverage report --show-missing

soak: setup ## the long checks: slow tests, ten times the examples
	NOUGHTS_HYPOTHESIS=soak $(BIN)/pytest -q -n 2

bench: $(VENV)/.bench ## measure speed beside the peers and write benchmarks/latest.md
	$(BIN)/python -m benchmarks

records: setup ## play the golden games again
	$(BIN)/python -m tests.golden

lock: ## pin the newest versions of all dependencies in constraints.txt
	rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	sed -n '/^dev = \[/,/^\]/p;/^server = \[/,/^\]/p;/^dependencies/p;/^bench/p;/^lab = /p' pyproject.toml \
		| grep -oE '"[^"]+"' | tr -d '"' | grep -v '^noughts\[' > $(VENV)/wanted.txt
	$(VENV)/lock/bin/pip install -q -r $(VENV)/wanted.txt
	{ echo '# Made by make lock.'; $(VENV)/lock/bin/pip freeze; } > constraints.txt

clean: ## remove everything that was built
	rm -rf $(VENV) target dist python/noughts/*.so

$(VENV)/.python: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("noughts needs Python 3.11 or later" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt "maturin>=1.8,<2"
	@touch $@

$(VENV)/.kernel: $(VENV)/.python $(RUST)
	PATH="$(CURDIR)/$(BIN):$$PATH" PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/pip install -q --disable-pip-version-check --no-build-isolation -e '.[dev]'
	@touch $@

$(VENV)/.bench: $(VENV)/.kernel
	PATH="$(CURDIR)/$(BIN):$$PATH" PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/pip install -q --disable-pip-version-check --no-build-isolation -e '.[bench]'
	@touch $@
