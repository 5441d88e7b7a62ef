# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand in for get-pip.py: let an environment of ansible-test use the pip that this script lies beside.

ansible-test downloads get-pip.py from a place that is not a package index, but prefers a file of the right name in
``~/.ansible/test/cache``. It is run by the environment's Python, with pip's own options, which do not matter here.
"""

from __future__ import annotations

import os
import site

SHARED_PIP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shared_pip")

with open(os.path.join(site.getsitepackages()[0], "shared_pip.pth"), "w", encoding="utf-8") as link:
    link.write(f"{os.path.realpath(SHARED_PIP)}\n")
