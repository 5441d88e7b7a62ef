# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No name of an object leads out of the folder."""

from __future__ import annotations

import os

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.file_places import NameClashes, check_file_name

ROOT = "/srv/root"
HOSTILE = st.text("./\\a\0~é\n", max_size=12)
PLAIN = st.sets(st.lists(st.text("ab-.", min_size=1, max_size=2), min_size=1, max_size=3).map("/".join), max_size=10)


@given(HOSTILE)
def test_what_passes_is_below_the_root_and_means_itself(name: str) -> None:
    if check_file_name(name) is None:
        path = os.path.join(ROOT, name)
        assert os.path.normpath(path) == path
        assert path.startswith(f"{ROOT}/")
        assert "\0" not in path


@given(PLAIN)
def test_names_below_objects_are_found(names: set[str]) -> None:
    clashes = NameClashes()
    found = {name: clashes.find_object_above(name) for name in sorted(names)}
    for name, above in found.items():
        parents = {name[:at] for at, char in enumerate(name) if char == "/"} & names
        assert (above in parents) if parents else above is None


@given(st.lists(st.sampled_from(["a", "A", "é", "e\u0301", "É", "b", "ß", "SS"]), unique=True))
def test_names_that_are_alike_are_found(names: list[str]) -> None:
    classes = {"a": 1, "A": 1, "é": 2, "e\u0301": 2, "É": 2, "b": 3, "ß": 4, "SS": 4}
    clashes, seen = NameClashes(), set()
    for name in names:
        assert (clashes.find_equivalent(name) is not None) is (classes[name] in seen)
        seen.add(classes[name])
