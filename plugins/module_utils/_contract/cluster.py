# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters, the subregions, read only (contract/soap-common-fcd.md, wire-facts 9.4)."""

from __future__ import annotations

from .member_reading import Attribute
from .reading import Reading, reader

ATTRIBUTES = (
    Attribute("id", ("ClusterId",)),
    Attribute("name", ("DisplayName", "ClusterName")),
    Attribute("is_active", ("Active",)),
)

OPERATION = reader(
    "cluster_info",
    {
        "clusters": Reading(
            "GetClusters", ("client_id", "only_client_clusters"), rows="ClusterSimple", attributes=ATTRIBUTES
        )
    },
    {"client_id": {"type": "int"}, "only_client_clusters": {"type": "bool"}},
)
