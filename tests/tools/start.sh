#!/bin/sh
# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Run `enter.py` with the first Python that runs at all; it finds the right one and builds the environment.
set -eu

here=$(dirname "$0")
for python in python3 python3.13 python3.12 python3.11 /usr/local/bin/python3 /usr/bin/python3; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' >/dev/null 2>&1; then
        exec "$python" "$here/enter.py" "$@"
    fi
done
echo "No Python 3.9 or newer was found on PATH; Python 3.11, 3.12 or 3.13 is needed." >&2
exit 1
