# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said about entries before anything is sent, beyond their types."""

from __future__ import annotations

import sys
import typing as t

from ..._core.errors import FcdError, InvalidInput
from ..._core.names import shortened
from ..._session.own_options import check_own_options
from .entries import Entry, Number
from .kinds import Kind
from .mistakes import Mistake, Mistakes
from .sources import Source

Params = t.Mapping[str, t.Any]


def check_container_name(name: str) -> None:
    """Raise InvalidInput when no container can be called so."""
    from ..._object_storage.limits import check_container

    check_container(name, _unlimited(), "container")


def check_entry(kind: Kind, params: Params) -> list[str]:
    """Return what is wrong with the checked options of one entry."""
    try:
        check_own_options(kind.operation().options, params)
        _OF_KINDS.get(kind.name, _nothing)(params)
    except FcdError as error:
        return [str(error)]
    return []


def _nothing(params: Params) -> None:
    """Check nothing: the service knows more."""


def _instance(params: Params) -> None:
    from ..instance.options import check

    check(params)


def _named(longest: int, *, any_letters: bool = False) -> t.Callable[[Params], None]:
    def check(params: Params) -> None:
        from ..parts.options import check_name

        check_name(params.get("name"), longest, any_letters=any_letters)

    return check


def _ssh_key(params: Params) -> None:
    _named(200, any_letters=True)(params)
    text = params.get("public_key") or ""
    if "PRIVATE KEY" in text or "Private-Lines:" in text:
        raise InvalidInput(
            "public_key: this is a private key, which has no business at the service.",
            next_step="Give the content of the file whose name ends in .pub, and see that the key leaves this file.",
        )


def _client_user(params: Params) -> None:
    if params.get("user_password") == "" and params["state"] != "absent":
        raise InvalidInput(
            "user_password is empty.",
            next_step="If it comes from a variable of the environment, check that the variable is set.",
        )


def _unlimited() -> t.Any:
    """Return limits that nothing passes: the service may allow more than is usual, and is asked later."""
    from ..._object_storage.limits import DEFAULT_LIMITS, Limits

    return Limits(lambda: dict.fromkeys(DEFAULT_LIMITS, sys.maxsize))


def _container(params: Params) -> None:
    from ..._object_storage.limits import check_container
    from ..._object_storage.metadata import desired_metadata

    check_container(params["name"], _unlimited())
    desired_metadata(params["metadata"] or {}, _unlimited(), empty_removes=True)


def _object(params: Params) -> None:
    from ..._object_storage.object import object_spec

    object_spec(params, _unlimited())


def _folder(params: Params) -> None:
    from ..._object_storage.sync_spec import sync_spec

    sync_spec(params, _unlimited())


_OF_KINDS: dict[str, t.Callable[[Params], None]] = {
    "instances": _instance,
    "ssh_keys": _ssh_key,
    "private_networks": _named(500),
    "disks": _named(300),
    "client_users": _client_user,
    "storage_containers": _container,
    "storage_objects": _object,
    "storage_folders": _folder,
}
"""Bounds: wire-facts sections 5.3, 6 and 7."""


def check_together(entries: t.Sequence[Entry], mistakes: Mistakes) -> None:
    """Note entries that would undo one another in each run."""
    _check_pricelists(entries, mistakes)
    _check_folders(entries, mistakes)


def _check_pricelists(entries: t.Sequence[Entry], mistakes: Mistakes) -> None:
    owners: dict[t.Any, Entry] = {}
    for entry in entries:
        for client in entry.params["client_ids"] if entry.kind == "client_pricelists" else ():
            other = owners.setdefault(client, entry)
            if other is not entry and not isinstance(client, Number):
                mistakes.append(about(entry, f"client {client} has the price list {other.name} by {other.source}."))


def _check_folders(entries: t.Sequence[Entry], mistakes: Mistakes) -> None:
    """Note objects in a folder that removes what is not in it on disk."""
    folders = [entry for entry in entries if entry.kind == "storage_folders" and entry.params["delete"]]
    for entry in entries if folders else ():
        for folder in folders if entry.kind == "storage_objects" and not entry.absent else ():
            prefix = folder.params["prefix"].rstrip("/")
            inside = not prefix or entry.params["name"].startswith(f"{prefix}/")
            if entry.params["container"] == folder.params["container"] and inside:
                msg = f"the folder {folder.name} at {folder.source} has delete: true and would remove this object."
                mistakes.append(about(entry, f"{msg} Choose another place, or leave delete out."))


def about(entry: Entry, msg: str) -> Mistake:
    """Return what is wrong with an entry that is complete."""
    return Mistake(Source(entry.source, ""), f"{entry.kind} ({shortened(entry.name)})", msg, entry.kind, entry.name)
