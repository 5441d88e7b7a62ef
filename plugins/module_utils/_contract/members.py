# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members of the service's types by what we call them: their real names are only known from the WSDL.

Source: wire-facts 9.4 (hardly a member is known), architecture.md ("What is unknown about the service").
"""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.names import did_you_mean, fold
from .._transport.soap.contract import Contract, result_names


class Members:
    """The members of one type. ``overrides`` is the option soap_member_map: ``{"Type.attribute": "Member"}``."""

    def __init__(self, contract: Contract, type_name: str, overrides: t.Mapping[str, str] | None = None) -> None:
        """Look the type up: a complex type, or else the input of an operation. Raises InvalidInput."""
        self.type_name = type_name
        self._keys = result_names(contract.fields(_type_key(contract, type_name)))
        self._overrides = {
            attribute: member
            for name, member in (overrides or {}).items()
            for type_part, _dot, attribute in (name.rpartition("."),)
            if fold(type_part) == fold(type_name)
        }

    def names(self) -> list[str]:
        """Return the members by their names in the schema."""
        return list(self._keys)

    def find(self, attribute: str, *candidates: str) -> str:
        """Return the key that results have for ``attribute``; requests take it too.

        It is the member that soap_member_map says, else the first of ``attribute`` and ``candidates``, in any
        spelling, that is one. Raises InvalidInput naming the members of the type when nothing fits.
        """
        found = self.find_if_any(attribute, *candidates)
        if found is not None:
            return found
        raise InvalidInput(
            f"The service's type {self.type_name} has no member that could be {attribute}: "
            f"it has {', '.join(self._keys) or 'none'}.",
            next_step=f'Name the member in soap_member_map: {{"{self.type_name}.{attribute}": ...}}.',
            type=self.type_name,
            attribute=attribute,
        )

    def find_if_any(self, attribute: str, *candidates: str) -> str | None:
        """Return the same as ``find``, or None when no member fits."""
        if attribute in self._overrides:
            return self._overridden(attribute)
        for candidate in (attribute, *candidates):
            fitting = [name for name in self._keys if fold(name) == fold(candidate)]
            if candidate in self._keys or len(fitting) == 1:
                return self._keys[candidate if candidate in self._keys else fitting[0]]
        return None

    def _overridden(self, attribute: str) -> str:
        wanted = self._overrides[attribute]
        for name in (wanted, *(name for name in self._keys if fold(name) == fold(wanted))):
            if name in self._keys:
                return self._keys[name]
        raise InvalidInput(
            f"soap_member_map: the service's type {self.type_name} has no member {wanted!r}.",
            next_step=did_you_mean(wanted, self._keys),
            type=self.type_name,
            attribute=attribute,
        )


def _type_key(contract: Contract, name: str) -> str:
    for key in contract.keys(name):
        if contract.simple(key) is None:
            return key
    if any(fold(name) == fold(operation) for operation in contract.operations()):
        return contract.operation(name).input[1]
    raise InvalidInput(
        f"The WSDL {contract.source} has no type {name!r}.", next_step=did_you_mean(name, contract.type_names())
    )
