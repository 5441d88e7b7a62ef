# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the WSDL at hand says of operations and types: the operation contract_info.

Nothing is asked of the service but the WSDL. A list type (``ArrayOfX``) is shown as a list of X and no type of its own,
the way that inputs and results have it.
"""

from __future__ import annotations

import itertools
import typing as t

from .._connection.options import SOAP
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import InvalidInput
from .._core.text import did_you_mean, fold, nearest
from .._soap.client import is_read
from .._soap.contract import Contract, SchemaField, local, result_names
from .api import common_fcd
from .search_pages import search_input

Entry = t.Dict[str, t.Any]
INFO_OPTIONS: dict[str, dict[str, t.Any]] = {
    "operation": {"type": "list", "elements": "str"},
    "type": {"type": "list", "elements": "str"},
    "search": {"type": "str"},
}


class Introspection:
    """Looks into one contract."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.source = contract.source
        self.left_out: list[Entry] = [{"name": name, "why": why} for name, why in sorted(contract.left_out.items())]

    def names(self) -> list[str]:
        """Return the names of all operations."""
        return sorted(self._contract.operations())

    def name(self, word: str) -> str:
        """Return the name of the operation that is spelled like this. Raises InvalidInput with the nearest names."""
        return self._contract.operation(word).name

    def key(self, word: str) -> str:
        """Return the key of the type that is spelled like this. Raises InvalidInput with the nearest names."""
        found = self._contract.keys(word)
        if not found:
            known = [local(key) for key in self._types()]
            raise InvalidInput(
                f"The WSDL {self.source} has no type {word!r}.", next_step=did_you_mean(word, known), type=word
            )
        return found[0]

    def like(self, text: str) -> tuple[list[str], list[str]]:
        """Return the names of operations and the keys of types that have the text in them, else those nearest to it."""
        keys = {local(key): key for key in self._types()}
        operations, types = (
            [name for name in known if fold(text) in fold(name)] for known in (self.names(), sorted(keys))
        )
        if not operations and not types:
            operations, types = nearest(text, self.names()), nearest(text, keys)
        return operations, [keys[name] for name in types]

    def operation(self, name: str) -> Entry:
        """Return what one operation takes and returns."""
        found = self._contract.operation(name)
        paged = search_input(self._contract, name) is not None
        return {
            "name": name,
            "reads": is_read(name),
            "paged": paged,
            "inputs": self._members(found.input[1]),
            "result": None if found.output is None else self._result(found.output[1], paged=paged),
            "action": found.action,
        }

    def reachable(self, operations: t.Iterable[str], keys: t.Sequence[str]) -> list[Entry]:
        """Return the types that messages of these operations can have, and those given, with all they lead to."""
        messages = itertools.chain.from_iterable(self._contract.operation(name)[2:] for name in operations)
        waiting = [*keys, *(field.type for side in filter(None, messages) for field in self._fields(side[1]))]
        seen: dict[str, None] = {}
        while waiting:
            key = waiting.pop()
            if key not in seen and self._has_members(key):
                seen[key] = None
                waiting += [*(field.type for field in self._fields(key)), *self._derived(key)]
        enumerations = itertools.filterfalse(self._has_members, keys)
        types = (key for key in seen if self._contract.item(key) is None)
        return sorted(map(self._type, (*types, *enumerations)), key=lambda entry: str(entry["name"]))

    def _types(self) -> list[str]:
        """Return the keys of the types that have a name and are no lists."""
        every = [key for key in self._contract.types if key[0] != "#"]
        return [key for key in every if self._contract.item(key) is None]

    def _derived(self, key: str) -> list[str]:
        return [other for other in self._contract.types if self._contract.base(other) == key]

    def _type(self, key: str) -> Entry:
        simple = self._contract.simple(key)
        base = self._contract.base(key)
        return {
            "name": local(key),
            "namespace": key[1:].rpartition("}")[0],
            "base": simple["simple"] if simple else local(base) if base else None,
            "derived": [local(other) for other in self._derived(key)],
            "members": self._members(key),
            **({"allowed_values": list(simple.get("enum") or [])} if simple else {}),
        }

    def _has_members(self, key: str) -> bool:
        return self._contract.simple(key) is None

    def _fields(self, key: str) -> list[SchemaField]:
        return self._contract.fields(key) if self._has_members(key) else []

    def _members(self, key: str) -> list[Entry]:
        fields = self._fields(key)
        names = result_names(fields)

        def member(field: SchemaField) -> Entry:
            told = {"name": field.name, "key": names[field.name], **self._kind(field)}
            return {**told, "required": field.required, "nullable": field.nillable}

        return list(map(member, fields))

    def _kind(self, field: SchemaField) -> Entry:
        """Return the type of a member, whether it is a list of it, and the words of an enumeration."""
        item = self._contract.item(field.type)
        key = field.type if item is None else item.type
        simple = self._contract.simple(key)
        words = list((simple or {}).get("enum") or [])
        shown = local(key) if simple is None or (words and key[0] != "#") else simple["simple"]
        return {
            "type": shown,
            "list": field.repeated or item is not None,
            **({"allowed_values": words} if words else {}),
        }

    def _result(self, key: str, *, paged: bool) -> Entry | None:
        fields = self._fields(key)
        if len(fields) != 1:
            return {"type": None, "list": False, "members": self._members(key)} if fields else None
        kind = self._kind(fields[0])
        lists = [entry["type"] for entry in self._members(fields[0].type) if entry["list"]]
        return {**kind, "rows": lists[0]} if paged and lists and not kind["list"] else kind


def run(task: Task, params: Params) -> Result:
    """Return operations and types."""
    about = Introspection(common_fcd(task).contract)
    operations = [about.name(word) for word in params["operation"] or ()]
    keys = [about.key(word) for word in params["type"] or ()]
    if params["search"]:
        more, types = about.like(params["search"])
        operations, keys = operations + more, keys + types
    chosen = any(params[name] for name in INFO_OPTIONS)
    desired = list(dict.fromkeys(operations)) if chosen else about.names()
    return {
        "changed": False,
        "source": about.source,
        "operations": [about.operation(name) for name in desired],
        "types": about.reachable(desired, list(dict.fromkeys(keys))) if chosen else [],
        "left_out": about.left_out,
    }


CONTRACT_INFO = Operation("contract_info", (SOAP,), INFO_OPTIONS, run)
