# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Each target builds what it needs below .work/ first; CORE=2.19 takes another ansible-core than the newest one.
START = @sh tests/tools/start.sh
PYTEST = $(START) -m pytest -q -n auto --dist loadfile --no-loadscope-reorder --durations 20
COVERAGE = --cov plugins/module_utils --cov-report term:skip-covered --cov-fail-under 90

.PHONY: help demo sandbox format quick test rest test-all night chaos canaries mutation bench docs release environment clean
export CORE

help: ## Show this help
	@sed -n 's/^\([a-z-]*\):[^=]*## /  make \1\t/p' Makefile | expand -t 22

demo: ## Plan and apply a site against a simulated service, then show drift; a minute
	$(START) tests/tools/demo.py

sandbox: ## Keep the simulated service running until Ctrl+C, and print how to use it; starts in seconds
	$(START) tests/tools/keep_sandbox.py

format: ## Format the code and fix what ruff can fix; seconds
	$(START) -m ruff format .
	$(START) -m ruff check --fix .

quick: ## Check format, style, types and structure, and run the unit tests; three minutes
	$(PYTEST) tests/checks/test_source.py tests/unit

# With sys.monitoring, on Python 3.12 and newer, counting lines costs next to nothing.
test: export COVERAGE_CORE = sysmon
test: ## The tests that a change must pass: all modules, sites, faults, secrets; CORE=2.19 for another core; 20 minutes
	$(PYTEST) $(COVERAGE)

rest: ## Only what test-all runs after test; 50 minutes
	$(PYTEST) --full

test-all: test rest ## test, then everything else: other versions of ansible-core, all examples, AWX, pipelines; over an hour

night: chaos canaries mutation ## chaos, canaries, mutation, all cores, many random examples; hours
	$(PYTEST) --hypothesis-profile night tests/unit
	$(PYTEST) --night
	@SITE_MODEL_LIVES=200 sh tests/tools/start.sh -m pytest -q --full tests/sites/test_model.py

chaos: ## Try every fault on every change; writes docs/fault-matrix.md; CHAOS="--jobs 8" for options; two hours
	$(START) tests/chaos/matrix.py --page $(CHAOS)

canaries: ## Run every module, playbook and role with made-up secrets, and look for them; writes docs/canaries.md; half an hour
	$(START) tests/canaries/suite.py

mutation: ## Break the engine in one place at a time, to see if a test fails; FILES="plan create_once" for some; ten minutes
	$(START) tests/tools/mutation.py $(FILES)

bench: ## Measure costs beside other programs, and tell what moved; BENCH="--size 40 --only parts" for options
	$(START) bench/run_benches.py $(BENCH)

docs: ## Build the documentation site and open it; half a minute
	$(START) tests/tools/docsite.py --open

release: ## Build VERSION=1.0.0 in .work/releases; RELEASE=yes writes version and changelog, KEY=... signs; a minute
	$(START) tests/tools/release.py "$(VERSION)" $(if $(filter yes,$(RELEASE)),--write) \
		$(if $(KEY),--key "$(KEY)") $(if $(BUILDER),--builder "$(BUILDER)") $(if $(filter no,$(IMPORTER)),--no-importer)

environment: ## Only build what the others need, with .venv; half a minute
	$(START)

clean: ## Remove everything that was built; seconds
	@sh tests/tools/start.sh --clean
