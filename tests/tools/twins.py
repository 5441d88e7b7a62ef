# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the twins of modules in plugins/action that add nothing of their own: ``python tests/tools/twins.py``.

They are files, one for each module. Links to one file would do for Ansible, but tools that document a collection take a
linked plugin for another name of the one it leads to, and leave its module out. One plugin that ``meta/runtime.yml``
routes all modules to would be the ``resolved_action`` of every task, by which callbacks and AWX report.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
MARK = "written by tests/tools/twins.py"
OPERATION = re.compile(r"^from \.\.module_utils\.(\S+) import \(?\s*([^()\n]*\bOPERATION),?$", re.MULTILINE)
LONGEST = 120
TWIN = '''\
# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twin of the module {module}, {mark}."""

from __future__ import annotations

{operation}
from ansible_collections.fcd.cloud.plugins.plugin_utils._twin import TwinAction


class ActionModule(TwinAction):
    """Runs the operation of the module in the task worker."""

    operation = OPERATION
'''


def twins() -> dict[Path, str]:
    """Return the files, and what is to be in them; a twin with logic of its own, which bears no mark, is left alone."""
    found = {}
    for face in sorted((PLUGINS / "modules").glob("*.py")):
        twin = PLUGINS / "action" / face.name
        if not twin.exists() or MARK in twin.read_text(encoding="utf-8"):
            found[twin] = TWIN.format(module=face.stem, mark=MARK, operation=_import_of(face))
    return found


def _import_of(face: Path) -> str:
    """Return the line by which the face imports its operation, made absolute."""
    (found,) = OPERATION.findall(face.read_text(encoding="utf-8"))
    place, names = found
    line = f"from ansible_collections.fcd.cloud.plugins.module_utils.{place} import {names}"
    return line if len(line) <= LONGEST else line.replace(names, f"(\n    {names},\n)")


def main() -> int:
    """Write those that differ."""
    for twin, text in twins().items():
        if not twin.exists() or twin.read_text(encoding="utf-8") != text:
            twin.write_text(text, encoding="utf-8")
            print(f"written: plugins/action/{twin.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
