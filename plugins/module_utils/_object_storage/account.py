# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring what describes the account of the object storage to its desired state."""

from __future__ import annotations

from .._connection.options import OptionSpecs
from .._connection.task import ManagedObject, Operation, Params, Result, Task
from .._core.errors import Forbidden, InvalidInput, NotFound, mark_changed_on_error
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import Created, Field, Fields, reconcile
from .._http.messages import number_of
from .access import administrator_missing
from .api import Headers, ObjectStorage
from .connection import features_of, object_storage, service_features
from .container_settings import ACCOUNT_ITEMS, MetadataOptions, item_fields, item_options, pop_items, secret_options
from .container_writes import check_item_features, metadata_changes
from .features import Features
from .properties import hide_secrets, metadata_of, storage_result

ACCOUNT_SECRETS = secret_options(ACCOUNT_ITEMS)


def read_account(storage: ObjectStorage) -> dict[str, object]:
    """Return the account as a result shows it, except that secrets are still in it. Raises Forbidden, NotFound."""
    try:
        headers = storage.account_metadata()
    except Forbidden as exc:
        raise administrator_missing(exc, "Reading the account") from None
    if headers is None:
        raise NotFound(
            f"There is no account at {storage.address()}.",
            next_step="The login returned this address. Perhaps nothing was ever stored there: create a container "
            "first.",
            operation="Account metadata",
            status=404,
        )
    return storage_account_record(storage.address(), headers)


def update_account_metadata(storage: ObjectStorage, headers: Headers) -> None:
    """Set or remove (empty value) what the headers name; all else stays. Raises Forbidden without the right to."""
    storage.set("Update account metadata", "POST", storage.address(), headers, storage.account_metadata)


def storage_account_record(url: str, headers: Headers) -> dict[str, object]:
    """Return the record for the headers of an account."""
    metadata = metadata_of(headers, "account")
    items = pop_items(ACCOUNT_ITEMS, metadata)
    return {
        "url": url,
        "container_count": number_of(headers, "x-account-container-count", "0"),
        "object_count": number_of(headers, "x-account-object-count", "0"),
        "bytes_used": number_of(headers, "x-account-bytes-used", "0"),
        "metadata": metadata,
        **items,
    }


UNKNOWN_ACCOUNT: dict[str, object] = {**storage_account_record("", {}), "url": None}
ACCOUNT_FIELDS: Fields = (Field("metadata"), *item_fields(ACCOUNT_ITEMS))
ACCOUNT_OPTIONS: OptionSpecs = {
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    **item_options(ACCOUNT_ITEMS),
}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    features = features_of(task)
    metadata = MetadataOptions(ACCOUNT_ITEMS, params, features, task.redactor)
    account = StorageAccount(object_storage(task), features)
    outcome = reconcile(account, metadata.desired(account.current), "present", check_mode=task.check_mode)
    if task.check_mode:
        outcome = outcome._replace(record={**(outcome.record or {}), **metadata.secrets})
    return storage_result("account", outcome, UNKNOWN_ACCOUNT, ACCOUNT_SECRETS)


def run_account_info(task: Task, params: Params) -> Result:
    """Read the account, and what the service states about itself."""
    del params
    account = hide_secrets(read_account(object_storage(task)), ACCOUNT_SECRETS)
    return {"changed": False, "account": account, "features": service_features(task) or None}


class StorageAccount:
    """The account that the token is for. It always exists and is read once, in the constructor."""

    kind = "account"
    fields = ACCOUNT_FIELDS

    def __init__(self, storage: ObjectStorage, features: Features) -> None:
        self._storage = storage
        self._features = features
        self.current = read_account(storage)

    def find(self, desired: JsonMapping) -> JsonObject:
        """Return the account as the constructor read it."""
        del desired
        return self.current

    def verify(self, action: str | None, values: JsonMapping, current: JsonMapping | None) -> None:
        """Raise InvalidInput when the service has no use for what is to be set."""
        del action, current

        check_item_features(ACCOUNT_ITEMS, values, self._features)

    def update(self, current: JsonMapping, changes: JsonMapping) -> JsonObject:
        """Send the differences only: the service merges them into what is there."""
        metadata = metadata_changes(ACCOUNT_ITEMS, current, changes)
        headers = {f"X-Account-Meta-{name}": value for name, value in metadata.items()}
        try:
            update_account_metadata(self._storage, headers)
        except Forbidden as exc:
            if "quota_bytes" not in changes:
                raise administrator_missing(exc, "Changing the account") from None
            refused = "quota_bytes: the service refused to set the quota of the account, and with it the whole change."
            next_step = "In this interface, only the operator of the service can set it, not the users of the account."
            raise Forbidden(refused, next_step=next_step, **exc.details) from None
        with mark_changed_on_error():
            return read_account(self._storage)

    def create(self, values: JsonMapping) -> Created:
        """Raise InvalidInput: who has a token has an account."""
        del values
        raise InvalidInput("This module cannot create an account of the object storage.")

    def delete(self, current: JsonMapping) -> None:
        """Raise InvalidInput."""
        del current
        raise InvalidInput("This module cannot remove an account of the object storage.")


ACCOUNT_INFO = Operation(name="storage_account_info", services=("storage",), options={}, run=run_account_info)
OPERATION = Operation(
    "storage_account", ("storage",), ACCOUNT_OPTIONS, run, manages=ManagedObject("account", "account")
)
