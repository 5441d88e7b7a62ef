# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surplus instances, which are no longer declared: which they are, how many may be removed, and when they are kept."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput, OperationFailed
from ..._engine.plan import Plan, RemovalLimit
from .instance_records import only_instance, unsettled

if t.TYPE_CHECKING:
    from ..rest_records import Row
    from .instance_options import Params
    from .instance_planning import DeclaredInstance

MAKES = ("create", "replace")


def surplus_of_count(params: Params, family: t.Mapping[str, t.Sequence[Row]], names: t.Collection[str]) -> list[Row]:
    """Return the numbered instances that the count leaves out.

    Raises Ambiguous if some of them share a name, InvalidInput if they are more than allowed.
    """
    surplus = sorted((name for name in family if name not in names), key=lambda name: int(name.rpartition("-")[2]))
    records = [record for name in surplus if (record := only_instance(name, family[name])) is not None]
    whole = sum(map(len, family.values()))
    limit = RemovalLimit(params["max_delete"], "max_delete").of(whole)
    require_allowed([record["name"] for record in records], whole, limit, "max_delete")
    return records


def require_allowed(names: list[t.Any], whole: int, limit: int, option: str) -> None:
    """Raise InvalidInput if more of the whole would be removed than allowed."""
    if len(names) <= limit:
        return
    listed = ", ".join(map(str, names[:10])) + (", ..." if len(names) > 10 else "")
    subject = option.partition(".")[0]
    raise InvalidInput(
        f"{subject}: {len(names)} of {whole} instances would be removed ({listed}), but at most {limit} may be. "
        "Nothing was done.",
        next_step=f"Check the list of instances; if they should be removed, set {option} to {len(names)}.",
        option=subject,
        names=names,
    )


def keep_after_failures(members: t.Sequence[DeclaredInstance], extra: t.Sequence[DeclaredInstance]) -> None:
    """Keep the surplus if some of the declared instances failed: it may still be needed."""
    failed = sum(one.error is not None for one in members)
    for one in extra if failed else ():
        one.error = OperationFailed(
            f"Instance {one.name!r} was not removed, because {failed} of the declared instances failed.",
            next_step="Run the task again when they are fixed.",
        )


def keep_while_coming(
    members: t.Sequence[DeclaredInstance],
    extra: t.Sequence[DeclaredInstance],
    option: str,
    warn: t.Callable[[str], None],
) -> None:
    """Keep the surplus in a task that does not wait for what is declared: it may never exist.

    Otherwise, a create that fails in the end would cost the instances that could have replaced it.
    """
    coming = sum(map(_is_coming, members))
    if not extra or not coming:
        return
    for one in extra:
        one.plan = Plan(None, before=one.plan.before, after=one.plan.before)
    kept = (
        "an instance that is no longer declared is"
        if len(extra) == 1
        else (f"{len(extra)} instances that are no longer declared are")
    )
    warn(
        f"{option}: {kept} kept in this run: {coming} of the "
        "declared ones do not exist yet and, with wait=false, it is not known whether they will. A later run "
        "removes them."
    )


def _is_coming(instance: DeclaredInstance) -> bool:
    """Return whether a declared instance does not exist yet, or is not ready."""
    return (
        instance.plan.action in MAKES
        or instance.under_way
        or (instance.current is not None and unsettled(instance.current))
    )
