# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run notes in the registry of its site: what it is going to make, and its outcomes as it goes on.

With each entry, the registry keeps one text (``AppliedNote``), by which a later run tells what was edited in the file
from what was changed at the service: a salt, a digest of each option that was declared, and one of each declared field
as the service had it in the end. That of a secret is made slowly and with a key, so that no reader of the registry can
try it out. The names of the options that were secret are in it, too: what they were given stays hidden even when
nothing in the site file says any more that it is a secret.
"""

from __future__ import annotations

import json
import secrets
import typing as t

from ...module_utils._connection.task import Task
from ...module_utils._core.clock import Clock
from ...module_utils._core.errors import FcdError, ServiceError, Unclear, Unreachable, has_changed
from ...module_utils._core.later import LATER
from ...module_utils._core.type_aliases import JsonMapping
from ...module_utils._engine.create_once import NO_EFFECT
from ...module_utils._engine.plan import CREATE, DELETE
from .declare.declaration import secret_option_names, whole_option
from .model import CONTAINERS, OBJECTS, Entry, Moved, Place, with_numbers
from .registry.applied_note import AppliedNote, parts_inside, short_digest
from .registry.registry import Ownership
from .registry.registry_document import ADOPTED, CREATED, CREATING, FOUND, REMOVED, KnownObject, Owned, differ, is_stale
from .site_key import SiteKey, controller_key, user_key
from .stages import ADOPT, MADE, RELEASE, UNCHANGED, Done, Planned, as_mapping, followers_of, hidden_names

NOT_MADE, MET = "not made", "met"
NOTE_PAUSE = 5.0  # seconds between two notes while the work goes on


class OwnershipNotes:
    """The notes of one run. ``moved`` is what the site file says of entries that had another key or name before.

    ``aside``, the container of the registry, never is its own: it outlives the site, and others may have theirs in it.
    """

    def __init__(self, ownership: Ownership, clock: Clock, aside: Place, moved: t.Iterable[Moved]) -> None:
        self._ownership = ownership
        self._clock = clock
        self._aside = aside
        self._moved = {one.new: one.old for one in moved}
        self._last = clock.monotonic()
        self._new: list[Done] = []
        self._left: set[Place] = set()  # what earlier runs intended and did not live to settle

    def begin(self, plans: t.Sequence[Planned]) -> None:
        """Note what is going to be made. Raises Busy when the lock is lost, InvalidInput for a conflict."""
        replaced = [self._known(plan.entry, plan.number) for plan in plans if plan.orphan and followers_of(plan, plans)]
        if replaced:  # by their other names, before they get them
            self._ownership.settle(created=replaced)
        self._ownership.claim(self._known(plan.entry, plan.number) for plan in plans if plan.verdict == ADOPT)
        self._left = {place for place, entry in self._ownership.owned().items() if entry.phase == CREATING}
        coming = [plan for plan in plans if _is_to_be_made(plan) and plan.place != self._aside]
        self._ownership.intend([self._known(plan.entry, plan.replaced) for plan in coming])

    def move(self, plans: t.Sequence[Planned], moves: t.Iterable[tuple[Place, KnownObject]]) -> None:
        """Note, in one write, what of this run has another place now. Raises as ``begin``."""
        planned = {plan.place for plan in plans if not plan.context}
        moving = [(old, known) for old, known in moves if known.place in planned]
        if moving:
            self._ownership.renamed(moving)

    def ended(self, plan: Done) -> None:
        """Take note of an entry that has ended, and write it down every few seconds.

        Raises Busy when this run may not write any more. Where the storage fails, the next note has all of it.
        """
        self._new.append(plan)
        if self._clock.monotonic() - self._last >= NOTE_PAUSE:
            try:
                self._settle(self._new)
                self._new = []
            except (ServiceError, Unclear, Unreachable):
                pass
            self._last = self._clock.monotonic()

    def end(self, plans: t.Sequence[Done], declared: t.Collection[Place]) -> None:
        """Note all outcomes of the run; what was only found and is not declared any more is forgotten.

        What is protected is not: taking its entry out lifts nothing.
        """
        known = self._ownership.owned()
        forgotten = [
            place
            for place, owned in known.items()
            if not (owned.prunable or owned.protected or place in declared) or is_stale(owned, known)
        ]
        self._settle([plan for plan in plans if not plan.context], forgotten)

    def _settle(self, plans: t.Sequence[Done], forgotten: t.Sequence[Place] = ()) -> None:
        by_outcome: dict[str | None, list[Done]] = {}
        for plan in plans:
            by_outcome.setdefault(self._outcome(plan), []).append(plan)

        def known(outcome: str) -> list[KnownObject]:
            return [
                self._known(plan.entry, plan.number).with_fields(
                    applied=applied_note(plan, owned.get(plan.place)), made_at=plan.made_at
                )
                for plan in by_outcome.get(outcome, ())
            ]

        owned = self._ownership.owned()
        made = {plan.place for plan in plans if _is_made(plan)}
        # what failed and refers to something that was made: replacing that may have changed it as well
        torn = [plan.place for plan in plans if plan.error is not None and made.intersection(plan.entry.refs)]
        self._ownership.settle(
            created=known(CREATED),
            found=known(FOUND),
            adopted=known(ADOPTED),
            met=known(MET),
            removed=[*(plan.place for plan in by_outcome.get(REMOVED, ())), *forgotten],
            not_made=[plan.place for plan in by_outcome.get(NOT_MADE, ())],
            unknown=torn,
        )

    def _known(self, entry: Entry, number: object) -> KnownObject:
        return known_object(entry, number, self._moved.get(entry.place, ""))

    def _outcome(self, plan: Done) -> str | None:
        """Return what the registry is to know of an entry, None for nothing new."""
        if plan.error is not None:
            return NOT_MADE if _was_not_made(plan, plan.error) else None
        if plan.verdict == RELEASE:
            return REMOVED
        if plan.removes:
            return REMOVED if _is_gone(plan) else None
        return self._origin(plan) if plan.done is not None or not plan.changes else None

    def _origin(self, plan: Done) -> str:
        if plan.place == self._aside:
            return FOUND
        if self.is_met(plan):
            return MET
        return CREATED if _is_made(plan) else ADOPTED if plan.adopts else FOUND

    def is_met(self, plan: Done) -> bool:
        """Return whether somebody else has made what was to be made: no run of this site can have been it."""
        if plan.done is None or plan.half_done or _is_made(plan) or not _is_to_be_made(plan):
            return False
        is_other = plan.replaced is None or differ(plan.replaced, plan.number)
        return is_other and plan.place not in (*self._left, self._aside)


def known_object(entry: Entry, number: t.Any, moved_from: str = "") -> KnownObject:
    """Return what the registry is to know of an entry; whom it refers to by number is called by that."""
    protected = entry.lifecycle.prevent_destroy
    identity = with_numbers(entry.identity, lambda _kind, name: int(name) if name.isdigit() else None)
    return KnownObject(entry.kind, entry.name, number, identity, entry.key, protected, moved_from=moved_from)


def _is_to_be_made(plan: Planned) -> bool:
    return plan.verdict in MADE and not plan.removes


def _is_made(plan: Done) -> bool:
    return plan.done is not None and plan.done.action in MADE


def _is_gone(plan: Done) -> bool:
    if plan.done is not None:
        return plan.done.action in (DELETE, None)
    return plan.planned is not None and plan.planned.action is None


def _was_not_made(plan: Done, error: FcdError) -> bool:
    """Return whether it is certain that something which was to be made was not."""
    without_effect = isinstance(error, NO_EFFECT) and not has_changed(error)
    return _is_to_be_made(plan) and (not plan.started or without_effect)


class DeclaredDigests:
    """Makes the digests of what entries declare.

    Those of secret options are made with the key of the site, or else with that of this controller.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._key: SiteKey | None = None

    def note(self, entry: Entry, known: AppliedNote | None) -> AppliedNote:
        """Return what is to be noted of the options of an entry, with the salt of what is ``known`` of it.

        A run that compares with nothing and notes nothing does without the slow digests of secrets.
        """
        salt, secret = secrets.token_hex(8) if known is None else known.salt, secret_option_names(entry)
        counts = known is not None or not self._task.check_mode
        digests, parts = {}, {}
        for name, value in entry.given.items():
            if value is not None:
                whole = whole_option(entry, name)
                text, key = json.dumps(whole, sort_keys=True, default=str), ""
                if name not in secret and entry.of.options()[name].get("type") in ("dict", "list"):
                    parts[name] = frozenset(short_digest(salt, name, part) for part in parts_inside(whole))
                if name in secret and not counts:
                    text = ""
                elif name in secret:
                    self._key = self._key or user_key(self._task) or controller_key(self._task)
                    text, key = self._key.slow_digest(salt, text), f"{self._key.name}."
                digests[name] = f"{key}{short_digest(salt, name, text)}"
        return AppliedNote(
            salt, digests, secrets=entry.secrets, parts={name: one for name, one in parts.items() if one}
        )


MARK_OF_KIND = {OBJECTS: "etag", CONTAINERS: "last_modified"}
"""Fields by which what has no number is told from what somebody else has put in its place; no option is called so."""


def applied_note(plan: Done, was: Owned | None) -> str | None:
    """Return what is to be noted of an entry that is as declared now; None where that says nothing new.

    Of an edit that this run has not sent, what was sent last stays noted.
    """
    if plan.note is None:
        return None
    known, now = AppliedNote.read(was.applied if was is not None else None), plan.note
    declared = dict(now.declared)
    for name in declared.keys() & set(plan.not_sent):  # what was taken out of the file is told once
        del declared[name]
        if known is not None and name in known.declared:
            declared[name] = known.declared[name]
    replaced = set(plan.entry.given).difference(plan.left_out)
    hushed = plan.entry.secrets | noted_secrets(was).difference(replaced)
    record = plan.before if plan.done is None else as_mapping(plan.done.after)  # what the service has now, if read
    same = known is not None and now._replace(declared=declared, left=known.left, secrets=hushed) == known
    if same and plan.done is None and not (plan.entry.kind == CONTAINERS and is_another(was, record)):
        return None
    hidden = hidden_names(plan.entry.kind, plan.entry.secrets)  # by their digests somebody could try a secret out
    names = record.keys() & {*plan.entry.given, MARK_OF_KIND.get(plan.entry.kind, "")} - hidden
    left = {name: short_digest(now.salt, name, _canonical(record[name])) for name in names}
    return str(AppliedNote(now.salt, declared, left, hushed, now.parts))


def is_another(was: Owned | None, present: JsonMapping) -> bool:
    """Return whether somebody has changed or made again what has no number, since the last apply."""
    note = AppliedNote.read(was.applied if was is not None else None)
    mark = "" if was is None else MARK_OF_KIND.get(was.kind, "")
    if note is None or mark not in note.left or present.get(mark) is None:
        return False
    return note.left[mark] != short_digest(note.salt, mark, _canonical(present[mark]))


def noted_secrets(owned: Owned | None) -> frozenset[str]:
    """Return the options that were secret when they were applied last."""
    note = AppliedNote.read(owned.applied if owned is not None else None)
    return frozenset() if note is None else note.secrets


class SinceLastApply(t.NamedTuple):
    """Whether an entry was ``applied`` before, and what happened to it since then; None where nobody knows."""

    applied: bool | None = None
    edited: bool | None = None
    drifted: bool | None = None


def since_last_apply(plan: Planned, was: Owned | None, *, knows: bool) -> SinceLastApply:
    """Return whether a change was edited in the file, and whether it was changed at the service since the last apply.

    What the registry does not know was not applied yet, unless the registry ``knows`` nothing of any apply. Nothing is
    said of what goes, of which the file says so.
    """
    if plan.planned is None or plan.context or plan.removes or plan.verdict == UNCHANGED:
        return SinceLastApply()
    if was is None:
        drifted = False if plan.planned.action == CREATE else None
        return SinceLastApply(applied=False, drifted=drifted) if knows else SinceLastApply()
    note = AppliedNote.read(was.applied)
    if note is None or plan.edits is None:
        return SinceLastApply()
    edited = bool(plan.edits)
    if plan.planned.action == CREATE or differ(was.id, plan.number):
        return SinceLastApply(applied=True, edited=edited, drifted=True)
    by_field = _as_left_by_field(note, plan)
    edited = any((edited, plan.adopts, plan.moved_from is not None, True in by_field.values()))
    drifted = False in by_field.values() if by_field or edited else None
    return SinceLastApply(applied=True, edited=edited, drifted=drifted)


def _as_left_by_field(note: AppliedNote, plan: Planned) -> dict[str, bool | None]:
    """Return for each field that is to be changed whether it is as it was left, None where what it names is new."""
    before, after = plan.before, plan.after
    told = [(name, before[name], _canonical(after.get(name))) for name in note.left if name in before]
    return {
        name: note.left[name] == short_digest(note.salt, name, _canonical(present))
        and (None if LATER in desired else True)
        for name, present, desired in told
        if _canonical(present) != desired
    }


def _canonical(value: object) -> str:
    """Return a value as text: of a thing its number, lists in any order, and nothing as nothing, however it is said."""
    if isinstance(value, t.Mapping):
        if value.get("id") is not None:
            return _canonical(value["id"])
        return "{%s}" % ",".join(f"{name}:{_canonical(one)}" for name, one in sorted(value.items()))
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join(sorted(map(_canonical, value))) if value else "null"
    return json.dumps(None if value == "" else value, default=str)
