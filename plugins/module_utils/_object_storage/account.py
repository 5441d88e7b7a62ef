# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring what describes the account of the object storage to its wanted state."""

from __future__ import annotations

import typing as t

from .._core.errors import Forbidden, InvalidInput
from .._engine.change_tracking import mark_changed_on_error
from .._engine.converge import Created, converge
from .._engine.fields import Field, Fields, Record
from .._session.operation import Operation, Params, Result
from .._session.task import Task
from . import known_items
from .account_record import ITEMS, SECRET, UNKNOWN, read_account
from .administrator import administrator_missing
from .api import ObjectStorage
from .connection import object_storage, require_settings, service_features
from .features import Features
from .metadata import check_amount, misplaced_secrets, settled, wishes
from .names import Limits
from .result import storage_result
from .storage_account import update_account_metadata

FIELDS: Fields = (Field("metadata"), *known_items.fields_of(ITEMS))
OPTIONS: dict[str, dict[str, t.Any]] = {
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    **known_items.options_of(ITEMS),
}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    features = Features(lambda: service_features(task))
    limits = Limits(features.limits)
    for secret in (*(params[option] for option in SECRET), *misplaced_secrets(params["metadata"])):
        task.redactor.add(secret)
    asked = known_items.asked_for(ITEMS, params, limits)
    given, wanted_metadata = params["metadata"], None
    if given is not None:
        own = known_items.own_options(ITEMS)
        wanted_metadata = wishes(given, limits, empty_removes=True, own_options=own)

    account = Account(object_storage(task), features)
    after = settled(wanted_metadata, account.current["metadata"], limits, purge=params["purge_metadata"])
    items = known_items.as_metadata(ITEMS, {**account.current, **asked})
    check_amount({**after, **{name: value for name, value in items.items() if value}}, limits)
    outcome = converge(account, {"metadata": after, **asked}, "present", check_mode=task.check_mode)
    if task.check_mode:
        secrets = {option: asked[option] for option in SECRET if option in asked}
        outcome = outcome._replace(record={**(outcome.record or {}), **secrets})
    return storage_result("account", outcome, UNKNOWN, SECRET)


class Account:
    """The account that the token is for. It is read once, when this is made, and always there."""

    kind = "account"
    fields = FIELDS

    def __init__(self, storage: ObjectStorage, features: Features) -> None:
        self._storage = storage
        self._features = features
        self.current = read_account(storage)

    def find(self, wanted: Record) -> dict[str, t.Any]:
        """Return the account as it was when this was made."""
        del wanted
        return self.current

    def verify(self, action: str | None, values: Record, current: Record | None) -> None:
        """Raise InvalidInput when the service has no use for what is to be set."""
        del action, current
        known_items.check_features(ITEMS, values, self._features)

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Send the differences only: the service merges them into what is there."""
        metadata = known_items.as_metadata(ITEMS, changes)
        have, want = current["metadata"], changes.get("metadata", current["metadata"])
        metadata.update({name: want.get(name, "") for name in {**have, **want} if have.get(name) != want.get(name)})
        headers = {f"X-Account-Meta-{name}": value for name, value in metadata.items()}
        try:
            update_account_metadata(self._storage, headers)
        except Forbidden as exc:
            raise _refused(exc, changes) from None
        with mark_changed_on_error():
            return read_account(self._storage)

    def create(self, values: Record) -> Created:
        """Raise InvalidInput: who has a token has an account."""
        del values
        raise InvalidInput("An account of the object storage is not made here.")

    def delete(self, current: Record) -> None:
        """Raise InvalidInput."""
        del current
        raise InvalidInput("An account of the object storage is not removed here.")


def _refused(error: Forbidden, changes: Record) -> Forbidden:
    if "quota_bytes" not in changes:
        return administrator_missing(error, "Changing the account")
    return Forbidden(
        "quota_bytes: the service refused to set the quota of the account, and with it all of this change.",
        next_step="In this interface that is for the operator of the service, not for the account's own users.",
        **error.details,
    )


OPERATION = Operation(name="storage_account", services=("storage",), options=OPTIONS, run=run)
