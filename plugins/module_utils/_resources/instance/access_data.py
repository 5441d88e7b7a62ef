# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first password and the SSH keys of a machine, which the service may tell only minutes after it was made."""

from __future__ import annotations

import typing as t

from ..._api.instance_details import InstanceDetails
from ..._core.errors import FcdError, NotFound, WaitTimeout
from ..._engine.change import TolerantReader
from ..._engine.scheduler import Job, Progress, run_jobs
from .context import InstanceContext

LONGEST = 300.0  # seconds; one client asks 3 times, 60 s apart (wire-facts section 5.2)
Data = t.Dict[str, t.Any]


def access_data(context: InstanceContext, number: int, name: str) -> Data | None:
    """Return ``{password, ssh_keys}``; without waiting None when the service has nothing to tell yet.

    Raises WaitTimeout.
    """
    what = f"Reading the access data of instance {name!r}"
    limit = context.change.deadline.within(LONGEST if context.change.wait else 0.0, "wait")
    ended = run_jobs({"": _told(context, number, what)}, limit, tell=context.change.task.tell)[""]
    if isinstance(ended, WaitTimeout):
        if not context.change.wait:
            return None
        ended.next_step = "The machine itself is ready: run the task again later."
    if isinstance(ended, FcdError):
        raise ended
    return ended


def _told(context: InstanceContext, number: int, what: str) -> Job[Data]:
    details, patient = InstanceDetails(context.api), TolerantReader(context.change.task)
    nothing: Data = {}
    while True:
        try:
            told = patient.read(lambda: details.get_access_data(number), nothing)
        except NotFound:
            told = nothing
        keys = [
            {"id": key.get("Id"), "name": key.get("Name"), "public_key": key.get("Value")}
            for key in told.get("SshKeys") or ()
        ]
        if told.get("Password") or keys:
            return {"password": told.get("Password"), "ssh_keys": keys}
        yield Progress(what, "the service tells nothing yet")
