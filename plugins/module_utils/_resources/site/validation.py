# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation site_validate: options, and the result for a declaration that is right."""

from __future__ import annotations

from ..._core.errors import InvalidInput
from ..._session.operation import Operation, Params, Result
from ..._session.task import Task
from .entries import Declaration
from .kinds import KINDS

OF_A_SITE: dict[str, dict[str, object]] = {
    "src": {"type": "path", "required": True, "aliases": ["path"]},
    "overlays": {"type": "list", "elements": "path", "default": []},
    "environment": {"type": "str"},
}


def validated(declaration: Declaration) -> Result:
    """Return what is declared, without any option of it."""
    counts = {name: sum(entry.kind == name for entry in declaration.entries) for name in KINDS}
    return {
        "changed": False,
        "site": declaration.site,
        "environment": declaration.environment,
        "registry": dict(declaration.registry),
        "declaration_digest": declaration.digest,
        "count": len(declaration.entries),
        "counts": {name: number for name, number in counts.items() if number},
        "services": list(declaration.services()),
        "entries": [
            {
                "kind": entry.kind,
                "key": entry.key,
                "name": entry.name,
                "source": entry.source,
                "stage": entry.stage,
                "state": entry.params.get("state"),
                "refs": [f"{kind}.{name}" for kind, name in entry.refs],
            }
            for entry in declaration.entries
        ],
        "errors": [],
    }


def run(task: Task, params: Params) -> Result:
    """Say where it runs: the action plugin of the same name does the work on the controller."""
    del task, params
    raise InvalidInput("fcd.cloud.site_validate runs on the controller only, as the action plugin of the collection.")


OPERATION = Operation(
    "site_validate",
    (),
    {**OF_A_SITE, "read_secrets": {"type": "bool", "default": True, "no_log": False}},
    run,
)
