# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Start the sandbox: ``python tests/sandbox [options]``."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def run() -> int:
    """Patch the network functions for green threads before anything else imports them, then run."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [str(here.parent), *(path for path in sys.path if Path(path).resolve() != here)]
    os.environ["EVENTLET_NO_GREENDNS"] = "yes"  # a third of the start, for names that are never looked up
    try:
        from swift.common import utils
    except ModuleNotFoundError as error:
        print(f"sandbox: {error}; install what it needs: pip install -r {here}/requirements.txt", file=sys.stderr)
        return 2
    utils.monkey_patch()
    from sandbox.main import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
