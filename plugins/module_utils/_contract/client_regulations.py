# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The regulations, accepted for a client (contract/soap-common-fcd.md, AcceptRegulations)."""

from __future__ import annotations

from .._core.errors import InvalidInput
from .._session.operation import Operation, Params, Result
from .._session.options import SOAP
from .._session.task import Task
from .acts import once
from .clients import Clients
from .common_fcd import CommonFcd
from .confirmation import confirmed
from .credentials import ClientActs
from .member_reading import Attribute, MemberReader
from .task_client import common_fcd
from .typed_values import TypedValues

ACCEPTED = Attribute(
    "accepted",
    (
        "RegulationsAccepted",
        "AreRegulationsAccepted",
        "IsRegulationsAccepted",
        "HasAcceptedRegulations",
        "AcceptedRegulations",
        "RegulationsAcceptanceDate",
        "RegulationsAcceptedDate",
    ),
)
FIND_OUT = "Whether it was done is not known: look in the panel, or run the task again."


def run(task: Task, params: Params) -> Result:
    """Accept the regulations, unless the client is known to have done so."""
    api, number = common_fcd(task), params["client_id"]
    reader = MemberReader(api.members("Client"), [ACCEPTED])
    readable = reader.key("accepted") is not None
    result: Result = {"changed": True, "client_id": number}
    if readable and _accepted(api, reader, number):
        return {**result, "changed": False}
    ClientActs(TypedValues(api.contract).check).accept_regulations(number)
    if not task.check_mode:
        once(
            lambda: confirmed(
                lambda: ClientActs(api.call).accept_regulations(number),
                lambda: readable and _accepted(api, reader, number),
            ),
            FIND_OUT,
        )
    return result


def _accepted(api: CommonFcd, reader: MemberReader, number: int) -> bool:
    """Return whether the client tells that it has; a date tells it too."""
    row = Clients(api.call).get_client(number)
    if row is None:
        raise InvalidInput(f"client_id: there is no client with the number {number}.", option="client_id")
    return bool(reader.record(row).get("accepted"))


OPERATION = Operation("client_regulations", (SOAP,), {"client_id": {"type": "int", "required": True}}, run)
