# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two sides gone through together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.remote_listing import Remote
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.tree_merge import merge_sorted

NAMES = st.sets(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5))


@given(NAMES, NAMES)
def test_each_name_comes_once_in_the_order_of_utf8(left: set[str], right: set[str]) -> None:
    sides = [[Remote(name, 0, "", "") for name in sorted(names, key=str.encode)] for names in (left, right)]
    found = list(merge_sorted(*sides))
    assert [name for name, _one, _other in found] == sorted(left | right, key=str.encode)
    assert {name for name, one, _other in found if one is not None} == left
    assert {name for name, _one, other in found if other is not None} == right
    assert all(side is None or side.name == name for name, *both in found for side in both)
