# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user without rights is told, and one whose quota is used up."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Forbidden, Rejected
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync import OPERATION as SYNC

from .conftest import Bench

ADMINISTRATOR = "storage_user and storage_key of a user with the administrator role."


@pytest.fixture
def other(filled: Bench) -> dict[str, str]:
    known = filled.info["credentials"]
    return {"storage_user": known["storage_other_user"], "storage_key": known["storage_other_key"]}


def test_a_user_without_rights(filled: Bench, other: dict[str, str]) -> None:
    user, status = other["storage_user"], r"HTTP 403: .* \(request tx[0-9a-z-]+\)"
    for container in ("c", "none"):
        text = f"^Container metadata: {status}: the service denies it to the user '{user}' for '{container}'"
        with pytest.raises(Forbidden, match=text) as caught:
            filled.container(container, connection=other)
        assert str(caught.value).endswith(
            f"Let read_acl of the container '{container}' name that user, or use {ADMINISTRATOR}"
        )
        assert caught.value.status == 403
    with pytest.raises(Forbidden, match=f"to the user '{user}' for 'c/a b'. Let read_acl of the container 'c' name"):
        filled.object("a b", content="x", connection=other)
    with pytest.raises(Forbidden, match=f"to the user '{user}' for 'c'. Let read_acl of the container 'c' name"):
        filled.run(SYNC, mode="pull", container="c", path=str(filled.folder), connection=other)


def test_a_user_who_may_read(filled: Bench, other: dict[str, str]) -> None:
    filled.container(read_acl=other["storage_user"])
    with pytest.raises(Forbidden, match=r"for 'c/o'\. Let write_acl of the container 'c' name that user, or use"):
        filled.object(content="x", connection=other)
    with pytest.raises(Forbidden, match=r"for 'c'\. Use storage_user and storage_key of a user with the admin"):
        filled.container(metadata={"a": "b"}, connection=other)
    filled.container(write_acl=other["storage_user"])
    assert filled.object(content="x", connection=other)["changed"]


def test_a_quota(bench: Bench) -> None:
    bench.container(quota_bytes="3")
    with pytest.raises(Rejected, match=r"HTTP 413: .*quota.*\. Raise the quota \(quota_bytes, quota_count of the cont"):
        bench.object(content="long")
