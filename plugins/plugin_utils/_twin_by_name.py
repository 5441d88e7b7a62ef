# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twin of the module whose name it is loaded by.

The twins in plugins/action that add nothing of their own are links to this file. They are not one plugin that
``meta/runtime.yml`` routes the modules to: ansible-core 2.18 would then give the name of that plugin as the
``resolved_action`` of every task, and later ones until the task runs, and callbacks and AWX report by it.
"""

from __future__ import annotations

import importlib

from ansible_collections.fcd.cloud.plugins.plugin_utils._twin import TwinAction

MODULE = __name__.rpartition(".")[2]


class ActionModule(TwinAction):
    """Runs the operation of its module in the task worker."""

    if not MODULE.startswith("_"):  # by its own name this file is the twin of no module
        operation = importlib.import_module(f"ansible_collections.fcd.cloud.plugins.modules.{MODULE}").OPERATION
