# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connection options of modules, one fragment for each interface. Private to the collection."""

from __future__ import annotations

from ansible_collections.fcd.cloud.plugins.plugin_utils._connection_docs import rendered


class ModuleDocFragment:
    """C(fcd.cloud._connection.rest) and its like."""

    COMMON = rendered("common")
    IDENTITY = rendered("identity")
    REST = rendered("rest")
    SOAP = rendered("soap")
    STORAGE = rendered("storage")
