# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Start the sandbox: ``python tests/sandbox [options]``."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path


def run() -> int:
    """Patch the network functions for green threads before anything else imports them, then run."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != here]
    os.environ["EVENTLET_NO_GREENDNS"] = "yes"  # a third of the start, for names that are never looked up
    try:
        from swift.common import utils
    except ImportError as error:
        print(f"sandbox: {error}; install what it needs: pip install {here}", file=sys.stderr)
        return 2
    utils.monkey_patch()
    _be_the_package(here)
    from sandbox.main import main

    return main()


def _be_the_package(here: Path) -> None:
    """Make this folder the package ``sandbox``, whatever it is called where it is installed."""
    spec = importlib.util.spec_from_file_location(
        "sandbox", here / "__init__.py", submodule_search_locations=[str(here)]
    )
    assert spec
    sys.modules["sandbox"] = importlib.util.module_from_spec(spec)


if __name__ == "__main__":
    sys.exit(run())
