# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Each target builds what it needs below .work/ first; CORE=2.19 takes another ansible-core than the newest one.
START = @sh tests/tools/start.sh
PYTEST = $(START) -m pytest -q -n auto --dist loadfile --no-loadscope-reorder --durations 20
COVERAGE = --cov plugins/module_utils --cov-report term:skip-covered --cov-fail-under 90

.PHONY: help demo sandbox format quick test rest test-all night chaos canaries mutation docs release environment clean
export CORE

help: ## Show this help
	@sed -n 's/^\([a-z-]*\):[^=]*## /  make \1\t/p' Makefile | expand -t 22

demo: ## A real provisioning run on the sandbox of this machine; a minute
	$(START) tests/tools/demo.py

sandbox: ## Keep the sandbox running; prints the lines to paste into a shell
	$(START) tests/tools/keep_sandbox.py

format: ## Format the code and mend what ruff can mend; seconds
	$(START) -m ruff format .
	$(START) -m ruff check --fix .

quick: ## Format, style, types, structure and the unit tests; two minutes
	$(PYTEST) tests/checks/test_source.py tests/unit

# With sys.monitoring, on Python 3.12 and newer, counting lines costs next to nothing.
test: export COVERAGE_CORE = sysmon
test: ## What proves a change: all modules, sites, faults, secrets, with the newest ansible-core; ten minutes
	$(PYTEST) $(COVERAGE)

rest: ## What test-all runs after test
	$(PYTEST) --full

test-all: test rest ## test, then everything else: other versions of ansible-core, all examples, AWX, pipelines; 45 minutes

night: chaos canaries mutation ## What takes hours: all faults, all canaries, mutations, and many random examples
	$(PYTEST) --hypothesis-profile night tests/unit
	@SITE_MODEL_LIVES=200 sh tests/tools/start.sh -m pytest -q --full tests/sites/test_model.py

chaos: ## Every fault on every change; writes docs/fault-matrix.md; CHAOS="--jobs 8" for options; an hour
	$(START) tests/chaos/matrix.py --page $(CHAOS)

canaries: ## Every module, playbook and role with secrets, in every way; writes docs/canaries.md; half an hour
	$(START) tests/canaries/suite.py

mutation: ## Whether the unit tests notice changes of the engine; FILES="plan create_once" for some; ten minutes
	$(START) tests/tools/mutation.py $(FILES)

docs: ## Build the documentation site and open it; half a minute
	$(START) tests/tools/docsite.py --open

release: ## Build VERSION=1.0.0 in .work/releases; RELEASE=yes writes version and changelog, KEY=... signs; a minute
	$(START) tests/tools/release.py "$(VERSION)" $(if $(filter yes,$(RELEASE)),--write) \
		$(if $(KEY),--key "$(KEY)") $(if $(BUILDER),--builder "$(BUILDER)") $(if $(filter no,$(IMPORTER)),--no-importer)

environment: ## Only build .venv; half a minute
	$(START)

clean: ## Remove everything that was built; seconds
	@sh tests/tools/start.sh --clean
