# `make demo` and `make test` need Python 3.11 or newer with pip, and nothing else. PYTHON=python3.13 names another one for
# a new environment (`make clean` deletes the old one).
# CITEPLUG_NO_SKIP=1 turns every skipped test into a failure, save those marked shared_data or optional.

PYTHON ?= python3
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV = $(BIN)/uv pip
TORCH := 2.13.0
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RECORDS ?= 3000000
JOBS ?= 2
SEED ?= 1
COVERED ?= citeplug
TEX_PACKAGES := latexmk biber texlive-latex-base texlive-latex-recommended texlive-publishers \
	texlive-bibtex-extra texlive-fonts-recommended texlive-plain-generic texlive-latex-extra texlive-xetex \
	texlive-luatex zip poppler-utils

PYTEST = $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder
PEERS := .peers
VSCODE := vscode-bridge
NODE_STAMP := $(VSCODE)/node_modules/.installed
EDITOR_STAMP := $(VSCODE)/e2e/node_modules/.installed
EDITOR_PACKAGES := chromium firefox-esr fonts-dejavu-core emacs-nox elpa-eglot
MANUAL_PACKAGES := groff-base

.PHONY: audit demo docs pictures lock test test-fast test-system test-data coverage torture lint bench bench-quick bench-lsp bench-vscode bench-check bench-hallmark bench-full bench-scale bench-writing bench-sections report report-published release vscode overleaf-extension vscode-tests system-deps setup clean help

help:
	@echo "make demo | docs | pictures | audit | test | test-fast | test-system | test-data | coverage | lock | torture | lint | bench | bench-quick | bench-lsp | bench-vscode | bench-check | bench-hallmark | bench-full | bench-scale | bench-writing | bench-sections | report | report-published | vscode | overleaf-extension | release | system-deps | clean"

setup: $(STAMP)

# Every file by its hash, but torch, by its version: where pip is told of a build for the processor alone it takes that,
# whose hash no index tells, and with hashes it would take PyPI's, which brings CUDA. uv takes seconds where pip takes
# minutes; pip does the work where only it knows the way to a registry.
$(STAMP): pyproject.toml requirements.lock build_backend.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	sed -n '/^uv==/,/# via/p' requirements.lock > $(VENV)/uv.txt
	$(PIP) --no-deps --require-hashes -r $(VENV)/uv.txt
	$(UV) install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements.lock || $(PIP) --no-deps --require-hashes -r requirements.lock
	$(PIP) --no-compile torch==$(TORCH)
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $(STAMP)

# The lock file anew after a change of the dependencies; `make lock UPGRADE=--upgrade` takes the newest versions.
# Where rfc3987-syntax is there, jsonschema loads it for a format that nothing here checks, in three seconds of each process.
lock: $(STAMP)
	$(UV) compile --quiet --universal --python-version 3.11 --generate-hashes --extra dev $(UPGRADE) \
		--no-emit-package torch --no-emit-package rfc3987-syntax --no-emit-package lark --custom-compile-command "make lock" pyproject.toml -o requirements.lock

# Known vulnerabilities of what the lock file names; OSV=all.zip is a copy of OSV's database, and then no network is used.
audit: $(STAMP)
	$(if $(OSV),$(BIN)/python audit_offline.py $(OSV),pipx run pip-audit --no-deps --disable-pip -r requirements.lock)

demo: $(STAMP)
	$(BIN)/citeplug demo

docs: $(STAMP)
	$(BIN)/python -m mkdocs build --strict -f .mkdocs.yml

# The pictures of docs/images anew, after a change of what they show.
pictures: $(STAMP) vscode-tests
	$(BIN)/python -m benchmarks.pictures

# In JOBS processes; the tests of one file stay in one, and the longest begin first, as tests/conftest.py has them: xdist would
# begin with the files of most tests, and end with one browser while the other processes wait.
# CITEPLUG_LONG=300 has Hypothesis try 300 examples in place of 30, and tests of chance as many rounds.
test: lint vscode-tests
	$(PYTEST)

# What needs no TeX, editor, server, crowd of processes, torch or data beside the project.
test-fast: $(STAMP)
	$(PYTEST) -m "not slow and not system and not shared_data"

# The lines that the fast tests run in their own processes, of COVERED=citeplug or a part of it; not those of commands started.
coverage: $(STAMP)
	$(PYTEST) -m "not slow and not system and not shared_data" --cov=$(COVERED) --cov-report=term:skip-covered

# All the others. `make test-fast test-system` runs what `make test` runs, in two stages.
test-system: vscode-tests $(STAMP)
	$(PYTEST) -m "slow or system or shared_data"

# The tests of the data that lies beside the project in ../shared, where it is there.
test-data: $(STAMP)
	$(PYTEST) -m shared_data

# A hunt for losses, half an hour or less; SEED draws another one, QUICK=1 the short form that is among the tests.
torture: $(STAMP)
	$(BIN)/python -m tests.torture --seed $(SEED) $(if $(QUICK),--quick)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What benchmarks/results.md says of the corpus, with the command that makes each number:
# hours, and 16 GB of disk; RECORDS=300000 takes a tenth. MODEL: the folder of a larger embedding model.
bench: bench-quick bench-full bench-scale

bench-quick: $(STAMP)
	$(BIN)/python -m benchmarks.retrieval
	$(BIN)/python -m benchmarks.plain_prose
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.check_quality --speed

# benchmarks/report.md: all numbers that need no network, in some minutes.
report: $(STAMP)
	$(BIN)/python -m benchmarks.report

# FETCH=1 is consent to fetch the public outputs of published systems (benchmarks/published.toml, and repositories at
# one commit); CLONES names git directories that have these.
report-published: $(STAMP)
	$(BIN)/python -m benchmarks.report_published $(if $(FETCH),--fetch)
	$(BIN)/python -m benchmarks.field $(if $(FETCH),--fetch) $(addprefix --clone ,$(CLONES))
	$(BIN)/python -m benchmarks.preference $(if $(FETCH),--fetch) $(addprefix --clone ,$(CLONES))

# Writing without a model: the leaderboard, in 10 minutes.
bench-sections: $(STAMP)
	$(BIN)/python -m benchmarks.writing $(if $(FETCH),--fetch) $(addprefix --clone ,$(CLONES))

# The other checkers live in a folder of their own: their dependencies would move ours.
bench-check: $(STAMP)
	$(PIP) --no-deps --upgrade --target $(PEERS) \
		-r benchmarks/requirements.txt
	PYTHONPATH=$(PEERS) $(BIN)/python -m benchmarks.check_quality --seed 2028

# HALLMARK and CiteAudit; FETCH=1 is consent to clone their repositories.
bench-hallmark: $(STAMP)
	$(BIN)/python -m benchmarks.hallmark $(if $(FETCH),--fetch)

# CATALOGUE: a data directory with a catalogue and its vectors, for the completions from it.
bench-lsp: $(STAMP)
	$(BIN)/python -m benchmarks.language_server $(CATALOGUE)

bench-vscode: $(STAMP) vscode-tests
	$(BIN)/python -m benchmarks.vscode

bench-writing: $(STAMP)
	$(BIN)/python -m benchmarks.model_sections
	$(BIN)/python -m benchmarks.model_sections --adversaries 1000

bench-scale: $(STAMP)
	$(BIN)/python -m benchmarks.scale --records $(RECORDS)

bench-full: $(STAMP)
	$(BIN)/python -m benchmarks.ingest
	$(BIN)/python -m benchmarks.update
	$(BIN)/python -m benchmarks.embedding $(if $(MODEL),--mpnet $(MODEL))
	$(BIN)/python -m benchmarks.retrieval --full
	$(if $(MODEL),$(BIN)/python -m benchmarks.larger_model $(MODEL))

# The VS Code extension. Node 20 or newer is needed, with npm.
vscode: $(NODE_STAMP)
	cd $(VSCODE) && npm run --silent package

# The browser extension for Overleaf's page, a zip for Chromium and one for Firefox, the same bytes each time.
overleaf-extension: $(NODE_STAMP)
	cd $(VSCODE) && npm run --silent overleaf

$(NODE_STAMP): $(VSCODE)/package.json $(VSCODE)/package-lock.json
	cd $(VSCODE) && npm ci --silent --ignore-scripts
	@touch $@

# A VS Code for the tests, from npm: none of its native modules is needed, so nothing is compiled.
$(EDITOR_STAMP): $(VSCODE)/e2e/package-lock.json
	cd $(VSCODE)/e2e && npm ci --silent --ignore-scripts
	cd $(VSCODE)/e2e/node_modules/code-server/lib/vscode && \
		npm install --silent --ignore-scripts --omit=dev --no-save
	@touch $@

# What is published of a version, into dist/: build_release.py says what. Needs git, npm, TeX and the package registries.
release: vscode-tests $(STAMP)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python build_release.py

# Without npm, or the registry, the tests of the extension are skipped, and say so.
vscode-tests:
	-if command -v npm > /dev/null; then $(MAKE) $(NODE_STAMP) $(EDITOR_STAMP); fi

system-deps:
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends git $(TEX_PACKAGES) $(EDITOR_PACKAGES) $(MANUAL_PACKAGES)

clean:
	rm -rf $(VENV) $(PEERS) citeplug/corpus/vectors/all-MiniLM-L6-v2 $(VSCODE)/node_modules $(VSCODE)/e2e/node_modules $(VSCODE)/dist $(VSCODE)/dist-test $(VSCODE)/overleaf/dist $(VSCODE)/overleaf/dist-test \
		.mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
