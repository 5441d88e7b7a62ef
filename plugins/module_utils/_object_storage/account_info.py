# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account of the object storage and what the service tells about itself, read only."""

from __future__ import annotations

from .._session.operation import Operation, Params, Result
from .._session.task import Task
from .account_record import SECRET, read_account
from .connection import object_storage, require_settings, service_features
from .result import shown


def run(task: Task, params: Params) -> Result:
    """Read both."""
    del params
    require_settings(task)
    account = shown(read_account(object_storage(task)), SECRET)
    return {"changed": False, "account": account, "features": service_features(task) or None}


OPERATION = Operation(name="storage_account_info", services=("storage",), options={}, run=run)
