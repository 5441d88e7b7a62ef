# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets given as metadata: they are refused, and hidden where the options of the failed task are shown."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import account, container
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object as storage_object
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import sync as storage_sync

from .conftest import Bench

SECRET = "canary-in-metadata"


@pytest.mark.parametrize("item", ["Temp-URL-Key", "temp-url-key-2", "Temp_URL_Key"])
@pytest.mark.parametrize(
    ("operation", "params"),
    [
        (account.OPERATION, {}),
        (container.OPERATION, {"name": "c"}),
        (storage_object.OPERATION, {"container": "c", "name": "o", "content": "x"}),
        (storage_sync.OPERATION, {"mode": "push", "container": "c", "path": "/"}),
    ],
    ids=lambda value: value.name if isinstance(value, Operation) else "",
)
def test_they_are_hidden(bench: Bench, operation: Operation, params: dict[str, t.Any], item: str) -> None:
    task, metadata = bench.task(), {"harmless": "shown", item: SECRET}
    given = {"headers": [{"match": "**", "metadata": metadata}]} if "headers" in operation.options else {}
    with pytest.raises(InvalidInput):
        bench.run(operation, task, **params, **(given or {"metadata": metadata}))
    assert SECRET in task.redactor.secrets
    assert "shown" not in task.redactor.secrets
