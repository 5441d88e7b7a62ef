# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Power of an instance (docs/service/infrastructure.md, "Changing an instance")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.instance_changes import change
from sandbox.rest.models import Instance
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import require_free

POWERED_ON, POWERED_OFF = 86, 87
POWERING_OFF, POWERING_ON, HARD_RESET, SHUTDOWN, SOFT_REBOOT = 142, 143, 153, 1331, 1368
NO_TOOLS, TOOLS_STOPPED = 1364, 1365


def _running(call: Call, *, tools: bool = False) -> Instance:
    found = lookup.addressed(call, Instance)
    require_free(call, found)
    if found.status != POWERED_ON:
        raise Refusal(400, f"Instance {found.id} is powered off.")
    if tools and found.tools in (NO_TOOLS, TOOLS_STOPPED):
        raise Refusal(400, f"The guest tools of instance {found.id} are not running.")
    return found


@handles("instance_power_on")
def power_on(call: Call) -> Any:
    found = lookup.addressed(call, Instance)
    require_free(call, found)
    if found.status == POWERED_ON:
        raise Refusal(400, f"Instance {found.id} is powered on.")
    return change(call, found, POWERING_ON, status=POWERED_ON)


@handles("instance_power_off")
def power_off(call: Call) -> Any:
    return change(call, _running(call), POWERING_OFF, status=POWERED_OFF)


@handles("instance_shutdown")
def shut_down(call: Call) -> Any:
    return change(call, _running(call, tools=True), SHUTDOWN, status=POWERED_OFF)


@handles("instance_reboot")
def reboot(call: Call) -> Any:
    return change(call, _running(call, tools=True), SOFT_REBOOT)


@handles("instance_reset")
def reset(call: Call) -> Any:
    return change(call, _running(call), HARD_RESET)
