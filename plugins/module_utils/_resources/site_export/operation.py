# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account as a site file which, applied, changes nothing."""

from __future__ import annotations

import os
import re
import typing as t

from ..._core.errors import FcdError, Forbidden, InvalidInput, MissingSettings, NotFound
from ..._session.operation import Operation, Params, Result
from ..._session.options import REST, SOAP, STORAGE
from ..._session.task import Task
from .account import Account
from .defaults import defaults_of, without
from .found import Found, LeftOut
from .kinds import KINDS

SITE = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
TELLING = (MissingSettings, Forbidden, NotFound, InvalidInput)
"""What a kind that was not asked for by name may fail with: it is left out then, with a warning."""
NotRead = t.List[t.Dict[str, str]]


def run(task: Task, params: Params) -> Result:
    """Read the account."""
    _check(params)
    found, not_read = _read(Account(task, params), params["kinds"])
    for missing in not_read:
        task.warn(f"{missing['kind']} are left out: {missing['reason']}")
    site: dict[str, t.Any] = {"site": params["site"]}
    defaults = {one.table.kind: values for one in found for values in [defaults_of(one)] if values}
    if defaults:
        site["defaults"] = defaults
    for one in found:
        if one.entries:
            kind = one.table.kind
            site[kind] = [without(defaults.get(kind, {}), entry) for entry in one.entries]
    left_out = [left for one in found for left in one.left_out]
    from .text import text_of

    return {
        "changed": any(one.changed for one in found),
        "site": site,
        "text": text_of(site, left_out, not_read),
        "kinds": [one.table.kind for one in found],
        "counts": {one.table.kind: len(one.entries) for one in found},
        "left_out": [_told(left) for left in left_out],
        "not_read": not_read,
    }


def _told(left: LeftOut) -> dict[str, t.Any]:
    return {"kind": left.kind, "name": left.name, "option": left.option, "reason": left.reason}


def _read(account: Account, asked: t.Sequence[str] | None) -> tuple[list[Found], NotRead]:
    """Return what was found of each kind, and which kinds could not be read though nobody named them.

    Raises the error of a kind that was named, or the last one when none can be read.
    """
    found: list[Found] = []
    not_read: NotRead = []
    error: FcdError | None = None
    for kind, (service, read) in KINDS.items():
        if asked is not None and kind not in asked:
            continue
        try:
            account.task.settings.require((service,))
            one = read(account)
        except TELLING as problem:
            if asked is not None:
                raise
            not_read.append({"kind": kind, "reason": problem.message})
            error = problem
            continue
        one.conceal(account.holds_secret)
        one.leave_withheld()
        found.append(one)
    if error is not None and not found:
        raise error
    return found, not_read


def _check(params: Params) -> None:
    """Raise InvalidInput for options that cannot be meant."""
    if not SITE.fullmatch(params["site"]):
        raise InvalidInput(
            f"site: {params['site']!r} cannot be the name of a site.",
            next_step="Write 1 to 63 small letters, digits and hyphens; it begins with a letter or a digit.",
            option="site",
        )
    for option, least in (("concurrency", 1), ("inline_limit", 0), ("object_limit", 0)):
        if params[option] < least:
            raise InvalidInput(f"{option}: {params[option]}; it must be at least {least}.", option=option)
    folder = params["folder"]
    if folder is not None and os.path.lexists(folder) and not os.path.isdir(folder):
        raise InvalidInput(f"folder: {folder} is no folder.", next_step="Give another path.", option="folder")
    if params["folder_in_site"] is not None and folder is None:
        raise InvalidInput("folder_in_site: it has a meaning only with folder.", option="folder_in_site")
    if params["kinds"] is not None and not params["kinds"]:
        raise InvalidInput("kinds: the list is empty.", next_step="Leave it out to read all kinds.", option="kinds")


OPERATION = Operation(
    "site_info",
    (REST, SOAP, STORAGE),
    {
        "site": {"type": "str", "default": "exported"},
        "kinds": {"type": "list", "elements": "str", "choices": list(KINDS)},
        "names": {
            "type": "dict",
            "options": {kind: {"type": "list", "elements": "str", "no_log": False} for kind in KINDS},
        },
        "inline_limit": {"type": "int", "default": 4096},
        "object_limit": {"type": "int", "default": 1000},
        "folder": {"type": "path"},
        "folder_in_site": {"type": "str"},
        "concurrency": {"type": "int", "default": 8},
    },
    run,
)
