# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an entry was edited in the file, or changed at the service, since it was applied last.

The registry keeps one text of each entry: a salt, a digest of what was declared, and a digest of each declared field as
the service had it in the end. Secrets are not in it; the names of the options are that were secret, for what they were
given is hidden also when nothing in the site file says any more that it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import typing as t

from ....module_utils._engine.plan import CREATE, LATER
from ..declaration import canonical_options
from ..entry_plan import UNCHANGED, EntryPlan, EntryResult
from ..entry_secrets import hidden_names
from ..model import Entry, Place
from .registry_document import Owned, differ

SECRET = "!"  # noqa: S105 - marks the name of one
CONTENT = "etag"  # tells of the options content and src, which are not in what the service says


class AppliedNote(t.NamedTuple):
    """What is known of the last apply of an entry: digests, of ``left`` by the names of fields.

    ``secrets`` are the names of options that were secret.
    """

    salt: str
    declared: str
    left: t.Mapping[str, str]
    secrets: frozenset[str] = frozenset()

    @classmethod
    def read(cls, text: str | None) -> AppliedNote | None:
        """Return what a text of the registry says, None for one that says nothing."""
        salt, declared, *fields = (text or "").split(" ") if " " in (text or "") else ("", "")
        secrets = frozenset(field[1:] for field in fields if field.startswith(SECRET))
        pairs = [field.partition("=") for field in fields if not field.startswith(SECRET)]
        return cls(salt, declared, {name: digest for name, _is, digest in pairs}, secrets) if declared else None

    def __str__(self) -> str:
        """Return the text for the registry."""
        secrets = [f"{SECRET}{name}" for name in sorted(self.secrets)]
        return " ".join(
            [self.salt, self.declared, *(f"{name}={one}" for name, one in sorted(self.left.items())), *secrets]
        )

    def is_as_left(self, name: str, value: t.Any) -> bool:
        """Return whether a field is as it was left."""
        return self.left[name] == _digest(self.salt, name, value)


def applied_note(plan: EntryPlan, was: Owned | None, salt: str) -> str | None:
    """Return what is to be noted of an entry that is as declared now; None where that says nothing new."""
    known = AppliedNote.read(was.applied if was is not None else None)
    declared = _declared(plan.entry, known.salt if known is not None else salt)
    replaced = set(plan.entry.given).difference(plan.left_out)
    secrets = plan.entry.secrets | noted_secrets(was).difference(replaced)
    if known is not None and plan.done is None and (declared, secrets) == (known.declared, known.secrets):
        return None
    salt = known.salt if known is not None else salt
    record = _as_left(plan)
    names = [name for name in _fields(plan.entry) if name in record]
    return str(AppliedNote(salt, declared, {name: _digest(salt, name, record[name]) for name in names}, secrets))


def noted_secrets(owned: Owned | None) -> frozenset[str]:
    """Return the options that were secret when they were applied last."""
    note = AppliedNote.read(owned.applied if owned is not None else None)
    return frozenset() if note is None else note.secrets


def note_applied_secrets(plans: t.Iterable[EntryPlan], owned: t.Mapping[Place, Owned]) -> None:
    """Fill in what was secret when it was applied last, and has to stay hidden."""
    for plan in plans:
        plan.secrets |= noted_secrets(owned.get(plan.place))


def _as_left(plan: EntryPlan) -> t.Mapping[str, t.Any]:
    """Return what the service has now of one that is as declared, nothing where that was not read."""
    side = plan.done.after if plan.done is not None else plan.planned.before if plan.planned is not None else None
    return side if isinstance(side, t.Mapping) else {}


def edited_and_drifted(plans: t.Iterable[EntryPlan], owned: t.Mapping[Place, Owned]) -> None:
    """Fill in, for all that changes, whether it was edited in the file or changed at the service since the last apply.

    What the registry does not know is new in the file, unless the registry knows nothing of any apply.
    """
    known = any(one.applied is not None for one in owned.values())
    for plan in plans:
        if plan.planned is None or plan.context or plan.removes or plan.verdict == UNCHANGED:
            continue  # what goes is told to go
        was = owned.get(plan.place)
        if was is None:
            is_new = plan.planned.action == CREATE
            plan.edited, plan.drifted = (True, False if is_new else None) if known else (None, None)
        else:
            plan.edited, plan.drifted = _since(plan, was)


def _since(plan: EntryPlan, was: Owned) -> tuple[bool | None, bool | None]:
    """Return whether it was edited, and whether it has drifted; None where nobody knows."""
    note = AppliedNote.read(was.applied)
    if note is None or plan.planned is None:
        return None, None
    edited = _declared(plan.entry, note.salt) != note.declared
    if plan.planned.action == CREATE or differ(was.id, plan.number):
        return edited, True
    by_field = _as_left_by_field(note, plan.planned)
    edited = any((edited, plan.adopts, plan.moved_from is not None, True in by_field.values()))
    return edited, False in by_field.values() if by_field or edited else None


def _as_left_by_field(note: AppliedNote, planned: EntryResult) -> dict[str, bool | None]:
    """Return for each field that is to be changed whether it is as it was left, None where what it names is new."""
    before, after = (side if isinstance(side, t.Mapping) else {} for side in (planned.before, planned.after))
    told = [(name, before[name], _canonical(after.get(name))) for name in note.left if name in before]
    return {
        name: note.is_as_left(name, present) and (None if LATER in desired else True)
        for name, present, desired in told
        if _canonical(present) != desired
    }


def _fields(entry: Entry) -> list[str]:
    """Return the fields whose digests are noted: none by which somebody could try a secret out."""
    hidden = hidden_names(entry.kind, entry.secrets)
    return [name for name in (*entry.given, CONTENT) if name not in hidden]


def _declared(entry: Entry, salt: str) -> str:
    folder = os.path.dirname(os.path.abspath(entry.source.rpartition(":")[0]))
    return _digest(salt, entry.kind, [canonical_options(entry, folder)], 32)


def _digest(salt: str, name: str, value: t.Any, length: int = 12) -> str:
    text = f"{salt}\0{name}\0{_canonical(value)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def _canonical(value: t.Any) -> str:
    """Return a value as text: of a thing its number, lists in any order, and nothing as nothing, however it is said."""
    if isinstance(value, t.Mapping):
        if value.get("id") is not None:
            return _canonical(value["id"])
        return "{%s}" % ",".join(f"{name}:{_canonical(one)}" for name, one in sorted(value.items()))
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join(sorted(map(_canonical, value))) if value else "null"
    return json.dumps(None if value == "" else value, default=str)
