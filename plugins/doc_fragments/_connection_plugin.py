# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connection options of lookups and inventories, with their variables. Private to the collection."""

from __future__ import annotations

from ansible_collections.fcd.cloud.plugins.plugin_utils._connection_docs import rendered


class ModuleDocFragment:
    """C(fcd.cloud._connection_plugin.rest) and its like."""

    COMMON = rendered("common", plugin=True)
    IDENTITY = rendered("identity", plugin=True)
    REST = rendered("rest", plugin=True)
    SOAP = rendered("soap", plugin=True)
    STORAGE = rendered("storage", plugin=True)
