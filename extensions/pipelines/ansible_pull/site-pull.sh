#!/bin/sh
# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetch the repository of a site and apply what it declares; never twice at a time. Copy this to /etc/site/site-pull.sh.
# It reads from the environment:
#   SITE_REPOSITORY   where git fetches it from
#   SITE_BRANCH       the branch, main when it is not set
#   SITE_HOME         where the work tree, the lock and the reports are kept
#   SITE_TOOLS        the bin folder of the virtual environment with Ansible
#   SITE_WAIT         seconds to wait for another run, 600 when it is not set
# Further arguments go to ansible-pull: --check --diff only shows what would be done.
set -eu

PATH="$SITE_TOOLS:$PATH"
ANSIBLE_PYTHON_INTERPRETER="$SITE_TOOLS/python3"
PYTHONUNBUFFERED=1 # shows the plan before anything is done, not when the task ends
export PATH ANSIBLE_PYTHON_INTERPRETER PYTHONUNBUFFERED

# Another run that takes longer is told as an error: exit code 75.
exec flock --wait "${SITE_WAIT:-600}" --conflict-exit-code 75 "$SITE_HOME/pull.lock" \
    ansible-pull \
    --url "$SITE_REPOSITORY" \
    --checkout "${SITE_BRANCH:-main}" \
    --directory "$SITE_HOME/site" \
    --inventory localhost, \
    --extra-vars "provision_reports=$SITE_HOME/reports" \
    "$@" \
    pull.yml
