# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations of modules that work on the controller alone: the action plugin of the same name does the work."""

from __future__ import annotations

import typing as t

from .._connection.options import REST, SOAP, STORAGE
from .._connection.task import NO_RULES, Operation, Params, Result, Task
from .._core.errors import FcdError

Options = t.Mapping[str, t.Dict[str, t.Any]]


def controller_operation(
    name: str, options: Options, rules: t.Mapping[str, t.Any] | None = None, *, reaches_services: bool = False
) -> Operation:
    """Return an operation whose ``run`` says where it belongs; the action plugin takes its options and rules."""

    def run(task: Task, params: Params) -> Result:
        del task, params
        raise FcdError(
            f"fcd.cloud.{name} runs on the controller, as an action plugin only.",
            next_step="Use it as a task of a play, without async.",
        )

    return Operation(name, (REST, SOAP, STORAGE) if reaches_services else (), options, run, rules or NO_RULES)
