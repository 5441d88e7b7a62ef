# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every fault on every change: a task with it, again at once, and once more when all lists are up to date.

    python tests/chaos/matrix.py [--fault 01f]... [--case instance]... [--creates] [--times N]
    python tests/chaos/matrix.py --ever-red --each
    python tests/chaos/matrix.py --ever-red --share 0.1 --seed 15 --minutes 3
    python tests/chaos/matrix.py --page

What comes of a cell is a verdict of matrix_verdicts.py. Cells are tried side by side, each on a sandbox of its own, and
mostly wait. ``make chaos`` is the last line, which tries all and writes docs/fault-matrix.md.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]

if __name__ == "__main__":  # the tasks' processes import this file too: there is as little in it as can be
    sys.path[:0] = [str(TESTS), str(TESTS / "tools")]
    import collection_tree

    sys.path.insert(0, str(collection_tree.linked()))
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:3])
    from chaos import matrix_runner

    sys.exit(matrix_runner.main(__doc__ or ""))
