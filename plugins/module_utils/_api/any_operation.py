# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any operation of the WSDL by its name, those that no table of the contract lists too."""

from __future__ import annotations

import re
import typing as t

from .._core.errors import InvalidInput
from .._core.names import snake
from .._transport.soap.client import SoapClient, is_read
from .._transport.soap.contract import Field
from .._transport.soap.encoder import TYPE_KEY, matched
from .search_pages import all_rows, search_input

Values = t.Mapping[str, t.Any]
WHOLE_NUMBERS = ("byte", "int", "long", "short", "unsignedByte", "unsignedInt", "unsignedLong", "unsignedShort")


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
        from .._transport.soap.preview import shown

        return shown(self._client.contract, self._client.message(self.name, values), secrets)

    def missing(self, values: Values) -> list[str]:
        """Return the inputs that should not be left out: whole numbers that cannot be null; all, if none is given.

        Raises InvalidInput for inputs that are wrong.
        """
        self._client.message(self.name, values)  # tells what is wrong with them
        fields = self._client.contract.fields(self._client.contract.operation(self.name).input[1])
        given = matched(fields, values, self.name)
        lacking = [field for field in fields if field.name not in given]
        return [snake(field.name) for field in lacking if not given or self._whole_number(field)]

    def _whole_number(self, field: Field) -> bool:
        simple = self._client.contract.simple(field.type)
        return simple is not None and simple["simple"] in WHOLE_NUMBERS and not field.nillable and not field.repeated

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
