# Two commands on a fresh machine: `make demo` and `make test`. Everything else is for the people who build it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO_ARGS ?=
TEST_ARGS ?=
RESULTS_ARGS ?=
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

.DEFAULT_GOAL := help
.PHONY: help demo demo-nli demo-reset test check lint format bench results screenshots requirements clean

help:
	@echo 'make demo        install, seed a demo project, run its judges, print the table, serve until Ctrl-C'
	@echo '                 (DEMO_ARGS=--no-serve ends after the table, DEMO_ARGS="--port 8080" takes that port)'
	@echo 'make demo-nli    the same with torch and transformers, for the entailment judge'
	@echo 'make demo-reset  throw the demo away; the next `make demo` begins anew'
	@echo 'make test        every test, on SQLite and without a server; DATABASE_URL and CELERY_BROKER_URL choose others'
	@echo 'make check       static checks: ruff, mypy, import contract, migrations, deployment settings'
	@echo 'make bench       performance as ratios against a baseline taken in the same run'
	@echo 'make results     docs/results.md from public sets: DATA=folder, and MODEL=folder of an entailment model'
	@echo '                 (RESULTS_ARGS="--state FOLDER" keeps the work, so that an interrupted call can go on)'
	@echo 'make screenshots the pictures of the README, taken from a running demo'

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if (3, 11) <= v[:2] <= (3, 13) else "Touchstone needs Python 3.11 to 3.13; %s is %d.%d. Give another: make PYTHON=python3.12 ..." % (sys.executable, v[0], v[1]))'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.core: $(VENV)/.made requirements/core.txt
	@echo 'installing the pinned requirements into $(VENV)'
	@$(PIP) -r requirements/core.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.core requirements/dev.txt
	@echo 'installing what the tests need into $(VENV)'
	@$(PIP) -r requirements/dev.txt
	@touch $@

demo: $(VENV)/.core
	@TOUCHSTONE_DEMO=1 $(BIN)/python manage.py demo $(DEMO_ARGS)

# Where pip is offered only the build of torch with CUDA, its companions are not among the pinned ones.
$(VENV)/.nli: $(VENV)/.core requirements/nli.txt
	@echo 'installing torch and transformers into $(VENV)'
	@$(PIP) -r requirements/nli.txt || { echo 'the pinned CPU build is not on offer; installing the extra as it comes'; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[nli]'; }
	@touch $@

demo-nli: $(VENV)/.nli demo

demo-reset:
	@rm -rf var
	@echo 'the demo is gone; `make demo` begins anew'

test: $(VENV)/.dev
	@$(BIN)/python -m tests.report_browser
	@$(BIN)/python -m tests.report_nli
	@$(BIN)/python -m pytest -n 2 --dist loadfile $(TEST_ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	TOUCHSTONE_DEMO=1 $(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	TOUCHSTONE_DEMO=1 $(BIN)/python manage.py makemigrations --check --dry-run
	DJANGO_SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" DJANGO_ALLOWED_HOSTS=touchstone.example TOUCHSTONE_LOG_LEVEL=ERROR \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	@for part in import_items labelling comparison pages entailment checks claude; do TOUCHSTONE_DEMO=1 $(BIN)/python -m bench.$$part || exit 1; done

results: $(VENV)/.dev
	@$(if $(DATA),,$(error results needs DATA=folder with the sets, and takes MODEL=folder of an entailment model))
	@nice $(BIN)/python -m bench.results $(RESULTS_ARGS) $(DATA) $(MODEL)

screenshots: $(VENV)/.dev
	@TOUCHSTONE_DEMO=1 $(BIN)/python -m docs.screenshots

# Pinned with hashes and without the address of any index. Run on the oldest supported Python.
requirements: $(VENV)/.dev
	env -u PIP_FIND_LINKS $(BIN)/pip-compile $(COMPILE) --output-file requirements/core.txt pyproject.toml
	env -u PIP_FIND_LINKS $(BIN)/pip-compile $(COMPILE) --extra dev --output-file requirements/dev.txt pyproject.toml
	env -u PIP_FIND_LINKS $(BIN)/pip-compile $(COMPILE) --output-file requirements/nli.txt requirements/nli.in
	cat requirements/torch.pin >> requirements/nli.txt
COMPILE := --quiet --generate-hashes --allow-unsafe --strip-extras --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options

clean:
	rm -rf $(VENV) var .mypy_cache .ruff_cache .pytest_cache .hypothesis
