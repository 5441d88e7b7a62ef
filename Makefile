# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Each target builds what it needs below .work/ first.
START = @sh tests/tools/start.sh

.PHONY: help demo sandbox quick test matrix chaos canaries mutation docs release environment clean

help: ## Show this help
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 22

demo: ## A real provisioning run on the sandbox of this machine
	$(START) tests/tools/demo.py

sandbox: ## Keep the sandbox running; prints the lines to paste into a shell
	$(START) tests/tools/keep_sandbox.py

quick: ## Formatters, types, structure and the quick unit tests, in a minute
	$(START) tests/tools/checks.py quick quick-others quick-http typing formatters

test: ## All checks, with the oldest and the newest ansible-core; CHECKS="units typing" for some
	$(START) tests/tools/checks.py $(CHECKS)

matrix: ## All checks, with every supported ansible-core
	$(START) tests/tools/checks.py --matrix

chaos: ## Every fault on every change, an hour; writes docs/fault-matrix.md; CHAOS="--jobs 8" for options
	$(START) tests/chaos/matrix.py --page $(CHAOS)

canaries: ## Every module, playbook and role with secrets, in every way; writes docs/canaries.md
	$(START) tests/canaries/suite.py

mutation: ## Whether the unit tests notice changes of the engine, in ten minutes; FILES="plan create_once" for some
	$(START) tests/tools/mutation.py $(FILES)

docs: ## Build the documentation site and open it
	$(START) tests/tools/docsite.py --open

release: ## Build VERSION=1.0.0 in .work/releases; RELEASE=yes writes version and changelog, KEY=... signs
	$(START) tests/tools/release.py "$(VERSION)" $(if $(filter yes,$(RELEASE)),--write) \
		$(if $(KEY),--key "$(KEY)") $(if $(BUILDER),--builder "$(BUILDER)") $(if $(filter no,$(IMPORTER)),--no-importer)

environment: ## Only build .venv
	$(START)

clean: ## Remove everything that was built
	@sh tests/tools/start.sh --clean
