# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What registry and service have to agree on before something goes: number, name, and when it was made.

Of a registry nothing is believed but which thing is meant. It never gives an option that says how to treat the thing.
"""

from __future__ import annotations

import typing as t

from ...module_utils._core.errors import FcdError, InvalidInput
from ...module_utils._core.text import join_names, quoted, shortened
from ...module_utils._engine.plan import REPLACE
from .entry_plan import MADE_AT, EntryPlan
from .foresight import before_of
from .lifecycle import was_replaced
from .model import KINDS, NUMBER, EntryKind, Place
from .state.registry_document import CREATING, Owned, differ


def believed_identity(owned: Owned) -> dict[str, t.Any]:
    """Return the options that say which one is meant. Raises InvalidInput for anything else that stands there."""
    kind, identity = KINDS[owned.kind], dict(owned.identity)
    strange = [name for name in identity if name not in {option for way in kind.identity for option in way}]
    if strange:
        raise _not_removed(f"{join_names(list(map(_shown, strange)), 3)} in its identity does not identify an object")
    odd = [name for name, value in identity.items() if not _is_plain(value)]
    if odd:
        raise _not_removed(f"{odd[0]} in its identity is not a plain text or number")
    if not _is_of(kind, identity, owned):
        raise _not_removed("its identity is not that of an object of this name")
    return identity


def identity_or_fault(owned: Owned) -> tuple[dict[str, t.Any], FcdError | None]:
    """Return the options that say which one is meant, or none of them and why they are not believed."""
    try:
        return believed_identity(owned), None
    except InvalidInput as error:
        return {}, error


def _shown(name: str) -> str:
    return name if name.isidentifier() else quoted(shortened(name))


def _is_plain(value: t.Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _is_of(kind: EntryKind, identity: t.Mapping[str, t.Any], owned: Owned) -> bool:
    """Return whether the identity is one way of naming just this; of what was replaced it is the number.

    What refers to another thing by its number is called by the key of that.
    """
    refers = any(option in identity and target.by == NUMBER for option, target in kind.references.items())
    of_replaced = was_replaced(owned) and set(identity) == {"id"} and str(identity["id"]) == str(owned.id)
    return kind.identity_of(identity) == identity and (of_replaced or refers or kind.name_of(identity) == owned.name)


def note_disagreements(
    plans: t.Iterable[EntryPlan], owned: t.Mapping[Place, Owned], others: t.Mapping[Place, str], *, signed: bool
) -> None:
    """Note an error in each plan that would remove or replace what is another's, or the service shows to be another.

    ``others`` are the sites that own something in the same place. What an interrupted run was about to make has no
    number yet, so that its name has to do. That a registry does not know when something was made is believed only
    where it is ``signed``, or the service does not say so either.
    """
    for plan in plans:
        goes = plan.changes and (plan.removes or plan.verdict == REPLACE)
        known = owned.get(plan.place) if goes and not plan.entry.absent else None
        if known is not None and known.prunable:
            why = _why_it_stays(plan, known, others.get(plan.place), signed=signed)
            if why:
                plan.error, plan.planned = _not_removed(why), None


def _why_it_stays(plan: EntryPlan, known: Owned, owner: str | None, *, signed: bool) -> str:
    if owner is not None:
        return f"the site {owner!r} owns it, too"
    return "" if known.phase == CREATING else _disagreement(plan, known, signed=signed)


def _disagreement(plan: EntryPlan, known: Owned, *, signed: bool) -> str:
    """Return in what the service disagrees with the registry, nothing where it does not."""
    before = before_of(plan)
    number, made_at, name = before.get("id", known.id), before.get(MADE_AT), str(before.get("name"))
    if str(number) != str(known.id):
        return f"its number is {number} at the service, and {known.id or 'missing'} in the registry"
    if differ(made_at, known.made_at):
        return f"it was created at {made_at} according to the service, and at {known.made_at} according to the registry"
    if was_replaced(known) and name != known.name:
        return f"its name is {quoted(shortened(name))} at the service"
    if plan.orphan and known.name == f"#{known.id}" and differ(made_at, str(known.made_at)):
        return "the registry has neither its name nor when it was created"
    return "" if signed else _unknown_date(made_at, known)


def _unknown_date(made_at: t.Any, known: Owned) -> str:
    if made_at is None or known.made_at is not None:
        return ""
    return f"it was created at {made_at} according to the service, and the registry does not know when"


def _not_removed(why: str) -> InvalidInput:
    return InvalidInput(
        f"It is not removed, because its entry in the registry cannot be trusted: {why}.",
        next_step="Check who can write to the registry. To end the site's ownership, release it: with the command "
        "release of site_state, or an item in removed with destroy: false. To remove it anyway, declare it "
        "with state: absent.",
    )
