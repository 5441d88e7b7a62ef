# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the generated action plugins, and the action groups: ``python tests/tools/action_plugins.py``.

An action plugin is a file for each module. Links to one file would do for Ansible, but tools that document a collection
take a linked plugin for another name of the one it leads to, and leave its module out. One plugin that
``meta/runtime.yml`` routes all modules to would be the ``resolved_action`` of a task when it starts and of its loop, by
which callbacks and AWX report; and each task worker would import it, a fifth of a second, where now the controller
does so once.

``main`` is for ansible-lint, which looks for it here, not in the module, and checks no options without it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import tree_yaml

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
MARK = "written by tests/tools/action_plugins.py"
RUNTIME = PLUGINS.parent / "meta" / "runtime.yml"
INTERFACES = {"infrastructure": "rest", "object_storage": "storage", "soap": "soap"}
"""Action groups, with the services whose options their modules take."""
PLUGIN = '''\
# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugin of the module {module}, {mark}."""

from __future__ import annotations

from ansible_collections.fcd.cloud.plugins.modules import {module}
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import InProcessAction

main = {module}.main  # for ansible-lint, which checks options with it


class ActionModule(InProcessAction):
    """Runs the operation of the module in the task worker."""

    operation = {module}.OPERATION
'''


def action_plugins() -> dict[Path, str]:
    """Return the files with their text; an action plugin with logic of its own, which bears no mark, is left alone."""
    found = {}
    for face in sorted((PLUGINS / "modules").glob("*.py")):
        plugin = PLUGINS / "action" / face.name
        if not plugin.exists() or MARK in plugin.read_text(encoding="utf-8"):
            found[plugin] = PLUGIN.format(module=face.stem, mark=MARK)
    return found


def groups() -> dict[str, list[str]]:
    """Return the action groups: all modules, and for each interface those that take all options of it."""
    modules = sorted(file.stem for file in (PLUGINS / "modules").glob("*.py") if file.stem != "__init__")
    shared = {name: tree_yaml.documentation(name)["extends_documentation_fragment"] for name in modules}
    of_interfaces = {
        group: [name for name in modules if f"fcd.cloud._connection.{service}" in shared[name]]
        for group, service in INTERFACES.items()
    }
    return {"fcd": modules, **of_interfaces}


def _with_groups(text: str) -> str:
    """Return meta/runtime.yml with the modules of each action group."""
    for group, modules in groups().items():
        entries = "".join(f"    - {name}\n" for name in modules)
        text = re.sub(rf"^(  {group}:\n)(?:    - \w+\n)*", rf"\g<1>{entries}", text, flags=re.MULTILINE)
    return text


def orphans() -> list[Path]:
    """Return action plugins that were written for modules that are gone."""
    files = (file for file in (PLUGINS / "action").glob("*.py") if not (PLUGINS / "modules" / file.name).exists())
    return sorted(file for file in files if MARK in file.read_text(encoding="utf-8"))


def main() -> int:
    """Write those that differ, and remove those whose module is gone."""
    for plugin in orphans():
        plugin.unlink()
        print(f"removed: plugins/action/{plugin.name}")
    text = RUNTIME.read_text(encoding="utf-8")
    RUNTIME.write_text(_with_groups(text), encoding="utf-8")
    for plugin, text in action_plugins().items():
        if not plugin.exists() or plugin.read_text(encoding="utf-8") != text:
            plugin.write_text(text, encoding="utf-8")
            print(f"written: plugins/action/{plugin.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
