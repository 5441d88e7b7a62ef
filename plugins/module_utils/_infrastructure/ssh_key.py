# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH keys: found by name or ID, stored, replaced, removed and listed (docs/service/infrastructure.md, "SSH keys")."""

from __future__ import annotations

import base64
import re
import typing as t

from .._connection.options import REST
from .._connection.task import CREATE_OPTIONS, STATE, ManagedObject, Operation, Params, Result, Task, non_null_options
from .._core.errors import ImmutableChange, InvalidInput
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import Change
from .._engine.plan import Field
from .api import infrastructure
from .rest_changes import removal_of
from .rest_records import RestSearch, check_name, check_not_empty, plain_members, require_options
from .rest_resource import RestResource, reconcile_resource, rest_reader

_PLAIN = {"id": "Id", "name": "Name", "public_key": "Value", "creation_date": "CreationDate"}


def ssh_key_record(key: JsonMapping) -> JsonObject:
    """Return the record of a key."""
    owner = key.get("OwnerUser") or {}
    return {**plain_members(key, _PLAIN), "owner_user": owner.get("Login")}


class KeySearch(RestSearch):
    """Finds SSH keys."""

    kind = "SSH key"
    describe = staticmethod(ssh_key_record)

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the keys that the service lists."""
        return self.api.list_ssh_keys(**filters)

    def read(self, number: int) -> JsonObject:
        """Return one key."""
        return self.api.get_ssh_key(number)


def same_key(desired: object, current: object) -> bool:
    """Return whether two texts are the same key: type and data count, the comment after them does not."""
    return _essence(str(desired)) == _essence(str(current or ""))


def _essence(text: str) -> list[str]:
    words = text.split()
    one_line = len(text.strip().splitlines()) == 1
    return words[:2] if one_line and len(words) > 1 and words[1].startswith("AAAA") else words


_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
PUBLIC_KEY_ADVICE = "Give the content of the file whose name ends in .pub: one line of type, data and comment."


def is_private_key(text: str) -> bool:
    """Return whether a text is, or contains, a private key."""
    return "PRIVATE KEY" in text or "Private-Lines:" in text


def check_public_key(text: str) -> None:
    """Raise InvalidInput unless the text is one line of type, data in base64 that starts with that type, and comment.

    The message never quotes the text.
    """
    wrong = _fault(text.strip())
    if wrong:
        raise InvalidInput(f"public_key: {wrong}", next_step=PUBLIC_KEY_ADVICE, option="public_key")


def _fault(text: str) -> str | None:
    if text.startswith("----"):
        return "this is a key in another format than that of OpenSSH. Convert it with ssh-keygen -i -f FILE."
    if len(text.splitlines()) != 1:
        return "it must be a single line with one key."
    words = text.split(None, 2)
    if len(words) == 1:
        return "it must start with a type such as ssh-ed25519, followed by the data of the key."
    kind, data = words[0].encode("utf-8", "replace"), words[1]
    if not _BASE64.fullmatch(data):
        return "the data after the type is not base64. Check that the key is complete."
    blob = base64.b64decode(data[: len(data) // 4 * 4])
    if not blob.startswith(len(kind).to_bytes(4, "big") + kind):
        return "the data is not that of a key of the type before it. Check that the key is complete."
    return None


MAX_KEY_NAME = 200  # characters
KEY_OPTIONS = ("name", "public_key")


class DeclaredKey(RestResource):
    """The SSH key that the options declare."""

    search: KeySearch
    fields = (Field("name", on_update=False), Field("public_key", same_key, on_update=False, may_be_unknown=True))

    def __init__(self, task: Task, search: KeySearch, params: Params) -> None:
        super().__init__(task, search, params)
        self.may_replace = bool(params["recreate"])

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values."""
        if current is None:
            require_options(self.params, self.kind, str(self.params.get("name")), KEY_OPTIONS)
        return non_null_options(self.params, KEY_OPTIONS)

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what stores the key."""
        name, text = values["name"], values["public_key"].strip()
        return lambda: self.search.api.create_ssh_key(name, text)

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it; the answer is empty."""
        return [removal_of(self, current, self.search.api.delete_ssh_key)]


def check_ssh_key(params: Params) -> None:
    """Raise InvalidInput for a name or key that the service does not accept, or a private key."""
    check_name(params.get("name"), MAX_KEY_NAME, any_letters=True)
    check_not_empty(params, "public_key")
    text = params.get("public_key") or ""
    if is_private_key(text):
        raise InvalidInput(
            "public_key: this is a private key, which must not be sent to the service. Nothing was sent.",
            next_step="Give the content of the file whose name ends in .pub.",
            option="public_key",
        )
    if text and params["state"] != "absent":
        check_public_key(text)


def run(task: Task, params: Params) -> Result:
    """Bring the SSH key to its state."""
    if is_private_key(params.get("public_key") or ""):
        task.redactor.add(params["public_key"])  # the options are shown beside the error
    check_ssh_key(params)
    try:
        return reconcile_resource(DeclaredKey(task, KeySearch(infrastructure(task)), params), "ssh_key")
    except ImmutableChange as difference:
        difference.next_step = (
            "Keep the current value, or set recreate: true to remove and re-create the key, under another ID."
        )
        raise


OPERATION = Operation(
    "ssh_key",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["ssh_key_name"]},
        "id": {"type": "int"},
        "public_key": {"type": "str", "aliases": ["ssh_key"], "no_log": False},
        "recreate": {"type": "bool", "default": False},
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("name", "id")]},
    fields=DeclaredKey.fields,
    members=tuple(ssh_key_record({})),
    manages=ManagedObject("ssh_key", "ssh_key"),
    check=check_ssh_key,
)


INFO = rest_reader(
    "ssh_key_info",
    "ssh_keys",
    lambda api, _params: KeySearch(api),
    {"name": {"type": "str"}},
    {"mutually_exclusive": [("id", "name")]},
)
