# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Autoscalers of instances (docs/service/infrastructure.md, "Autoscaling")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.instance_changes import change
from sandbox.rest.models import Instance
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import require_free

MODES, PARAMETER_TYPES = 56, 90215
OFF, ON, NOTIFY = 187, 188, 235
NOTIFYING = 859
UPDATING = 595
PLAIN = (
    *("MinRam", "MaxRam", "MinCpu", "MaxCpu", "TimeZoneName"),
    *("HasAgreedToIncreaseClass", "HasAgreedToDecreaseClass", "HasAgreedToRestart"),
)
TIMES = ("RestartTimeFrom", "RestartTimeTo")
PAIRS = (("MinRam", "MaxRam"), ("MinCpu", "MaxCpu"), TIMES)


@handles("read_instance_autoscaler")
def read_autoscaler(call: Call) -> Any:
    """The autoscaler of an instance; without parameters until some were set."""
    found = lookup.addressed(call, Instance)
    values, kept = call.world.dictionaries, found.autoscaler
    parameters = {
        "AutoscalingParameterType": values.optional(PARAMETER_TYPES, kept.get("AutoscalingParameterType")),
        **{name: kept.get(name) for name in PLAIN},
        **{name: _time(kept.get(name)) for name in TIMES},
    }
    return {
        "AutoscalingMode": values.value(MODES, found.autoscaling),
        "HotPlugEnabled": found.hot_plug,
        "AutoscalingParameter": parameters if kept else None,
    }


def _time(text: str | None) -> dict[str, int] | None:
    hours, _colon, minutes = (text or "").partition(":")
    return {"Hours": int(hours), "Minutes": int(minutes)} if text else None


@handles("update_instance_autoscaler")
def change_autoscaler(call: Call) -> Any:
    """All parameters anew, at once; what is left out is emptied (setting put_empties)."""
    found = lookup.addressed(call, Instance)
    require_free(call, found)
    if "AutoscalingParameterType" in call.body:
        kind = call.body["AutoscalingParameterType"]
        lookup.item(call, PARAMETER_TYPES, kind, "AutoscalingParameterType")
    desired = {**({} if call.settings["put_empties"] else found.autoscaler), **call.body}
    for low, high in PAIRS:
        if (desired.get(low) is None) != (desired.get(high) is None):
            raise Refusal(400, f"{low} and {high}: one needs the other.")
    found.autoscaler = desired
    return NOTHING


@handles("instance_autoscaler_enable")
def enable_autoscaler(call: Call) -> Any:
    """The autoscaler is on when the ticket ends; how depends on its parameters."""
    found = lookup.addressed(call, Instance)
    if not found.autoscaler:
        raise Refusal(400, "The autoscaler has no parameters.")
    notifies = found.autoscaler.get("AutoscalingParameterType") == NOTIFYING
    return change(call, found, UPDATING, autoscaling=NOTIFY if notifies else ON)


@handles("instance_autoscaler_disable")
def disable_autoscaler(call: Call) -> Any:
    """The autoscaler is off when the ticket ends; its parameters stay."""
    return change(call, lookup.addressed(call, Instance), UPDATING, autoscaling=OFF)
