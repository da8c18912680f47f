# noughts: `make` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock
PAGE := python/noughts/server/page/index.html
PAGE_SOURCES := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts web/tsconfig.json

.DEFAULT_GOAL := help
.PHONY: help setup serve play web wheel test checks lint types layers stubs rust weblint pytest covered coverage soak bench records \
	api screens lock clean node chromium systemd nginx

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.kernel ## install everything into .venv (other targets do it when needed)

serve: setup web ## build everything and serve it at http://127.0.0.1:8000
	@$(BIN)/noughts serve --log warning

play: setup ## play 4x4 against the AI
	@$(BIN)/noughts play 4x4

web: $(PAGE) ## build the page that the server serves

wheel: $(VENV)/.python web ## build a wheel that includes the page, in dist/
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/maturin build --release --locked --out dist

test: ## run every check
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target checks
	@$(MAKE) --no-print-directory pytest

# Two jobs: linking the kernel and some other steps use a single core.
checks: setup web chromium systemd nginx lint types layers stubs rust weblint covered

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports --no-logo

stubs: setup
	$(BIN)/stubtest noughts._kernel

# Without make's variables, or rustdoc warns about a job server it cannot use.
rust:
	cargo fmt --all --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo test --locked --quiet --package noughts-kernel --lib --tests
	env -u MAKEFLAGS -u MFLAGS cargo test --locked --quiet --package noughts-kernel --doc

weblint: web/node_modules/.ready
	cd web && npm run --silent lint
	cd web && npm run --silent test

pytest: setup web chromium systemd nginx
	$(BIN)/pytest -q -n 2 -m "not slow"

covered: setup
	$(BIN)/python -m tests.covered

coverage: setup web chromium systemd nginx ## measure what the tests cover
	$(BIN)/coverage run -m pytest -q -m "not slow" && $(BIN)/coverage report --show-missing

soak: setup web chromium systemd nginx ## run the slow tests too, with ten times the examples
	NOUGHTS_HYPOTHESIS=soak $(BIN)/pytest -q -n 2

bench: $(VENV)/.bench ## measure speed against other libraries and write benchmarks/latest.md
	$(BIN)/python -m benchmarks

records: setup ## write the golden games again
	$(BIN)/python -m tests.golden

api: setup web/node_modules/.ready ## generate the page's types from the OpenAPI document
	$(BIN)/noughts serve --openapi > web/openapi.json
	cd web && npm run --silent types

screens: setup web chromium ## take the screenshots in docs/ again
	$(BIN)/python docs/screens.py

lock: ## pin the newest versions of all dependencies in constraints.txt
	rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	$(PYTHON) tools/requirements.py > $(VENV)/wanted.txt
	$(VENV)/lock/bin/pip install -q -r $(VENV)/wanted.txt
	{ echo '# Made by make lock.'; $(VENV)/lock/bin/pip freeze; } > constraints.txt

clean: ## remove everything that was built
	rm -rf $(VENV) target dist python/noughts/*.so web/node_modules $(dir $(PAGE))

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

# Debian packages are installed when make runs as root; otherwise a message says what to install.
debian = { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1); }

node:
	@command -v node > /dev/null && command -v npm > /dev/null || $(call debian,nodejs npm) \
		|| { echo "the page needs Node 18.18 or later and npm: install nodejs and npm" >&2; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 18 || (a == 18 && b >= 18) ? 0 : 1)' \
		|| { echo "the page needs Node 18.18 or later; this is $$(node --version)" >&2; exit 1; }

# After node, so that two installations do not run at once.
chromium: | node
	@test -x "$${NOUGHTS_CHROMIUM:-/usr/bin/chromium}" || $(call debian,chromium) \
		|| { echo "the browser tests need Chromium: install chromium, or set NOUGHTS_CHROMIUM to the path of a browser" >&2; exit 1; }

# After the browser, for the same reason. It checks deploy/noughts.service.
systemd: | chromium
	@command -v systemd-analyze > /dev/null || $(call debian,systemd) \
		|| { echo "the tests of deploy/ need systemd-analyze: install systemd" >&2; exit 1; }

# It checks deploy/nginx.conf.
nginx: | systemd
	@command -v nginx > /dev/null || test -x /usr/sbin/nginx || $(call debian,nginx-light) \
		|| { echo "the tests of deploy/ need nginx: install nginx" >&2; exit 1; }

web/node_modules/.ready: web/package-lock.json web/package.json | node
	cd web && npm install --silent --no-save --no-audit --no-fund
	@touch $@

$(PAGE): web/node_modules/.ready $(PAGE_SOURCES)
	cd web && npm run --silent build -- --logLevel warn
	@touch $@
