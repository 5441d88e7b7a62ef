# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any operation of the WSDL by its name, those that no table of the contract lists too."""

from __future__ import annotations

import re
import typing as t

from .._core.errors import InvalidInput
from .._core.names import listed, snake
from .._transport.soap.client import SoapClient, is_read
from .._transport.soap.contract import Contract, SchemaField, local
from .._transport.soap.encoder import TYPE_KEY, Encoder
from .._transport.soap.simple_values import wanted_type
from .search_pages import all_rows, search_input

Values = t.Mapping[str, t.Any]
MOST_WORDS = 10  # of an enumeration, in a sentence


class AnyOperation:
    """One operation. ``reads`` overrides the judgement by its name, on which depends what is sent again.

    Inputs count in any spelling; None is sent as null. Errors: those of SoapClient.message, then those of its send.
    """

    def __init__(self, client: SoapClient, name: str, reads: bool | None = None) -> None:
        """Look the operation up. Raises InvalidInput with the nearest names."""
        self._client = client
        self._said = reads
        self.name = client.contract.operation(name).name
        self.reads = is_read(self.name) if reads is None else reads

    def call(self, values: Values) -> t.Any:
        """Call it and return the plain result."""
        return self._call(self.name, values)

    def rows(self, values: Values, limit: int | None = None) -> list[dict[str, t.Any]]:
        """Return all rows of a paged search, at most ``limit``. Raises InvalidInput where it is none."""
        if not self.reads or search_input(self._client.contract, self.name) is None:
            raise InvalidInput(
                f"{self.name} has no pages to follow: that takes a reading operation whose only input is a search.",
                next_step="Leave all_pages and limit out.",
                operation=self.name,
                option="all_pages",
            )
        self._client.message(self.name, values)  # wrong inputs are told by their own names
        criteria = [value for key, value in values.items() if key != TYPE_KEY]
        return all_rows(self._client.contract, self._call, self.name, (criteria or [{}])[0] or {}, limit)

    def preview(self, values: Values, secrets: Values) -> dict[str, t.Any]:
        """Return the inputs as they would be sent, by the names of the schema, without what ``secrets`` names."""
        from .._transport.soap.preview import previewed

        return previewed(self._client.contract, self._client.message(self.name, values), secrets)

    def missing(self, values: Values) -> dict[str, str]:
        """Return the inputs that should not be left out, each as a dotted path, with what it has to be.

        They are those without a null, in given objects too, for the service fills in a default of its own; when no
        input is given at all, they are all inputs. Raises InvalidInput for inputs that are wrong.
        """
        contract = self._client.contract
        element, key = contract.operation(self.name).input
        encoder = Encoder(contract)
        encoder.message(element, key, values)
        start = local(element)
        given = any(name != TYPE_KEY for name in values)
        left_out = encoder.defaulted if given else [(f"{start}.{each.name}", each) for each in contract.fields(key)]
        return {_spelled(path[len(start) + 1 :]): _asked(contract, field) for path, field in left_out}

    @property
    def unknown_members(self) -> list[str]:
        """Members that the answers so far had and the WSDL has not, each as a path."""
        return list(self._client.unknown)

    def related_reads(self) -> list[str]:
        """Return the operations that read what this one writes, going by their names, at most four."""
        if is_read(self.name):
            return []
        _verb, *words = re.findall("[A-Z][a-z0-9]*", self.name) or [""]
        every = [name for name in self._client.contract.operations() if is_read(name)]
        for thing in ("".join(words).rstrip("s"), *words[:1]):
            found = [name for name in every if thing and re.match(f"([A-Z][a-z]+)?{thing}", name)]
            if found:
                return sorted(found, key=len)[:4]
        return []

    def _call(self, operation: str, values: Values) -> t.Any:
        return self._client.send(self._client.message(operation, values, reads=self._said))


def _spelled(path: str) -> str:
    """Return a path with the names as results have them."""
    return re.sub(r"[^.\[\]]+", lambda name: snake(name[0]), path)


def _asked(contract: Contract, field: SchemaField) -> str:
    """Return what an input has to be, in words."""
    simple = contract.simple(field.type)
    if field.repeated or (simple is None and contract.item(field.type) is not None):
        return "a list"
    if simple is None:
        return f"a dictionary ({local(field.type)})"
    if simple.get("enum"):
        return f"{'any' if simple['simple'] == 'list' else 'one'} of {listed(simple['enum'], MOST_WORDS)}"
    return "a guid" if local(field.type) == "guid" else wanted_type(simple["simple"])
