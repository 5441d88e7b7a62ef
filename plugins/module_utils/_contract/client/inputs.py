# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the updates of clients take, by the names of our options.

Source: contract/soap-common-fcd.md, "Clients". The inputs are read from the WSDL, so that those which it has beyond the
contract count as well.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import did_you_mean, fold, snake
from ..typed_values import Member, TypedValues

INDIVIDUAL, COMPANY = "individual", "company"
OF_TYPE = {INDIVIDUAL: "UpdateIndividualClient", COMPANY: "UpdateCompanyClient"}
OF_ANY = "UpdateClient"
CHANGE_OF_TYPE = {COMPANY: "ChangeIndividualClientType", INDIVIDUAL: "ChangeCompanyClientType"}
WITH_PROJECT_NAME = {
    "UpdateIndividualClient": "UpdateIndividualClientWithProjectName",
    "UpdateCompanyClient": "UpdateCompanyClientWithProjectName",
    "UpdateClient": "UpdateClientWithProjectName",
}
BY_ROLE, PIT_DATA, STATUS = "UpdateClientAddresses", "CreateOrUpdateClientPitData", "UpdateClientStatus"
ROLES = {"main_address": "main", "correspondence_address": "correspondence", "billing_address": "billing"}

_OTHERWISE = {"user": "default_user"}  # an input that our option calls by another name


class Inputs:
    """The inputs of the updates, by our names."""

    def __init__(self, typed: TypedValues) -> None:
        self._typed = typed
        self._found: dict[str, dict[str, Member]] = {}

    def of(self, operation: str) -> dict[str, Member]:
        """Return the inputs of an operation besides the client's number. Raises InvalidInput when there is no such."""
        found = self._found.get(operation)
        if found is None:
            members = self._typed.inputs(operation)
            found = self._found[operation] = {_ours(item): item for item in members if fold(item.name) != "clientid"}
        return found

    def of_update(self, operation: str) -> dict[str, Member]:
        """Return what an update takes, with or without a project name."""
        named = WITH_PROJECT_NAME[operation]
        return {**self.of(operation), **(self.of(named) if self._typed.offers(named) else {})}

    def member(self, name: str) -> Member:
        """Return the input behind an attribute. Raises InvalidInput when no operation takes it."""
        for operation in (*OF_TYPE.values(), OF_ANY):
            if self._typed.offers(operation) and name in self.of_update(operation):
                return self.of_update(operation)[name]
        for operation in (*CHANGE_OF_TYPE.values(), BY_ROLE, PIT_DATA, STATUS):
            if self._typed.offers(operation) and name in self.of(operation):
                return self.of(operation)[name]
        raise InvalidInput(f"{name}: no operation of the service takes it for a client.", option=name)

    def field(self, given: str) -> str:
        """Return the attribute that a key of the option fields means. Raises InvalidInput."""
        known = {
            name
            for operation in (*OF_TYPE.values(), OF_ANY)
            if self._typed.offers(operation)
            for name in self.of_update(operation)
        }
        found = [name for name in known if fold(name) == fold(_OTHERWISE.get(fold(given), given))]
        if found:
            return found[0]
        raise InvalidInput(
            f"fields.{given}: no update of clients takes such a value.",
            next_step=did_you_mean(given, sorted(known)),
            option="fields",
        )

    def covering(self, kind: str, names: t.AbstractSet[str]) -> list[tuple[str, set[str]]]:
        """Return the updates that a client of this type needs, each with what it is for. Raises InvalidInput."""
        own, general = set(self.of_update(OF_TYPE[kind])), self._general()
        if names <= own:
            return [(OF_TYPE[kind], set(names))]
        if names <= general:
            return [(OF_ANY, set(names))]
        left = sorted(names - own - general)
        if left:
            other = INDIVIDUAL if kind == COMPANY else COMPANY
            raise InvalidInput(
                f"{left[0]}: the client's type is {kind}, and its updates do not take that.",
                next_step=f"Leave it out, or make the client of another type with type: {other}.",
                option=left[0],
            )
        both = [(OF_TYPE[kind], names & own), (OF_ANY, names - own)]
        return [(operation, set(part)) for operation, part in both if part]

    def _general(self) -> set[str]:
        return set(self.of_update(OF_ANY)) if self._typed.offers(OF_ANY) else set()


def _ours(member: Member) -> str:
    return _OTHERWISE.get(fold(member.name), snake(member.name))
