# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run knows of one entry after each of its stages: Selected, Read, Planned, Done.

Each stage makes its values once, from those of the stage before, and nothing changes them afterwards.
"""

from __future__ import annotations

import dataclasses
import enum
import typing as t

from ...module_utils._core.errors import FcdError, has_changed
from ...module_utils._core.type_aliases import JsonMapping
from ...module_utils._engine.plan import CREATE, REPLACE
from .model import INSTANCES, KINDS, Entry, Place
from .registry.applied_note import AppliedNote
from .registry.registry_document import is_name_of_predecessor, successor_of

ORPHAN, UNCHANGED, ERROR = "orphan", "unchanged", "error"
ADOPT, MOVE, RELEASE = "adopt", "move", "release"
NOTED_VERDICTS = (ADOPT, MOVE, RELEASE)
"""Actions that change the registry alone."""

MADE = (CREATE, REPLACE)
MADE_AT = "creation_date"
"""What modules tell of when a thing was made."""


OF_CONTENT = ("etag", "size")
"""Fields that tell of the option ``content``, which is no field itself."""


class EntryResult(t.NamedTuple):
    """What an operation has done, or would do. ``action`` is create, update, replace, delete or None.

    ``number`` is the id. ``forced_by`` names the options that force a replacement. ``record`` is what the module tells
    of the thing, without its diff. ``refusal`` is why no apply would change it, where only differences are looked for.
    """

    action: str | None
    before: t.Any
    after: t.Any
    number: t.Any = None
    forced_by: tuple[str, ...] = ()
    record: t.Mapping[str, t.Any] = {}
    refusal: str | None = None


EntryOutcome = t.Union[EntryResult, FcdError]
NOTHING = EntryResult(None, {}, {})


class Desired(enum.Enum):
    """What a run wants of an entry."""

    PRESENT = enum.auto()
    ABSENT = enum.auto()
    SPARED = enum.auto()
    """It would have to go, and is left alone all the same."""
    RELEASED = enum.auto()
    """The site owns it no longer, and it stays."""
    CONTEXT = enum.auto()
    """It is only looked at, since others refer to it."""


@dataclasses.dataclass(frozen=True, eq=False)
class Selected:
    """An entry that a run is about. ``orphan``: the site owns it and no longer declares it.

    ``registered`` is its number by the registry, ``former`` the key or name by which the site owned it before it moved.
    ``secrets`` are the options that are secret, or were when they were applied last. ``detaches``: its removal detaches
    it first. ``known`` is what needs no look: that it is released, or why the registry is not believed. ``note`` is
    what the registry is to know of its options, ``edits`` are those that were edited since the last apply, None where
    nobody knows, and ``doubtful`` those of which nobody knows. From inside ``shrunk`` ones something was taken out.
    """

    entry: Entry
    desired: Desired = Desired.PRESENT
    orphan: bool = False
    registered: object = None
    former: str | None = None
    secrets: frozenset[str] = frozenset()
    detaches: bool = False
    known: EntryOutcome | None = None
    note: AppliedNote | None = None
    edits: frozenset[str] | None = None
    doubtful: frozenset[str] = frozenset()
    shrunk: frozenset[str] = frozenset()

    @classmethod
    def of(cls, before: Selected, **more: t.Any) -> t.Self:
        """Return the value of this stage for one of an earlier stage."""
        return cls(**{**vars(before), **more})

    def with_fields(self, **changed: t.Any) -> t.Self:
        """Return one that differs in some fields."""
        return dataclasses.replace(self, **changed)

    @property
    def place(self) -> Place:
        """Kind and name, which no two entries of a run share."""
        return self.entry.place

    @property
    def removes(self) -> bool:
        """Whether its operation gets state=absent, be it only to look at what would go."""
        return self.desired in (Desired.ABSENT, Desired.SPARED, Desired.RELEASED)

    @property
    def acts(self) -> bool:
        """Whether this run may do anything about it at the service."""
        return self.desired in (Desired.PRESENT, Desired.ABSENT)

    @property
    def context(self) -> bool:
        """Whether it is only looked at, since others refer to it."""
        return self.desired is Desired.CONTEXT

    @property
    def ignored(self) -> t.Collection[str]:
        """Options that do not count as long as it exists."""
        return () if self.removes else self.entry.lifecycle.ignore_changes

    @property
    def resent(self) -> dict[str, tuple[str, object]]:
        """The edited options that are sent, or compared, with another option, unless the entry says otherwise."""
        given = self.entry.given
        edited = [name for name in self.edits or () if given.get(name) is not None and name not in self.ignored]
        ways = {name: way for name, way in self.entry.of.resends.items() if name in edited}
        return {name: (option, value) for name, (option, value) in ways.items() if given.get(option, value) == value}

    @property
    def in_fleet(self) -> bool:
        """Whether this is an instance that a fleet finds: by its name alone."""
        return self.entry.kind == INSTANCES and self.entry.params.get("id") is None

    def __str__(self) -> str:
        """Return kind and name."""
        return f"{self.entry.kind} {self.entry.name}"


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Read(Selected):
    """An entry that was looked at: what its operation is expected to do, or why that cannot be said.

    ``by_number``: only its number by the registry leads to it, for no list shows it. ``left_out`` are options that do
    not count, since it exists. ``moved_from`` is the key or name by which the site has owned it until now. ``sends``
    has the digests of what is sent, where contents are bound.
    """

    expected: EntryOutcome
    by_number: bool = False
    moved_from: str | None = None
    left_out: t.Collection[str] = ()
    sends: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def planned(self) -> EntryResult | None:
        """What its operation is expected to do."""
        return self.expected if isinstance(self.expected, EntryResult) else None

    @property
    def error(self) -> FcdError | None:
        """Why it cannot be planned."""
        return self.expected if isinstance(self.expected, FcdError) else None

    @property
    def outcome(self) -> EntryResult | None:
        """What is known of it at this stage."""
        return self.planned

    @property
    def changes(self) -> bool:
        """Whether something is to be done at the service."""
        return self.acts and self.planned is not None and self.planned.action is not None

    @property
    def missing(self) -> bool:
        """Whether others refer to it, it is not there yet, and this run does not create it."""
        return self.context and self.planned is not None and self.planned.action == CREATE

    @property
    def may_change(self) -> bool:
        """Whether something is to be done, or might be: guards are asked also of what cannot be planned."""
        return self.changes or (self.acts and self.error is not None)

    @property
    def goes(self) -> bool:
        """Whether the thing that is there is to be removed, be it for another one."""
        return self.removes or self.replaces

    @property
    def replaces(self) -> bool:
        """Whether another thing is to take the place of the one that is there."""
        return self.planned is not None and self.planned.action == REPLACE

    @property
    def before(self) -> JsonMapping:
        """What the service shows of the thing now; nothing where that is not known."""
        return as_mapping(None if self.planned is None else self.planned.before)

    @property
    def after(self) -> JsonMapping:
        """What is planned for the thing; nothing where that is not known."""
        return as_mapping(None if self.planned is None else self.planned.after)

    @property
    def coming(self) -> bool:
        """Whether it is not there yet, so that its number is not known."""
        return self.outcome is not None and self.outcome.action in MADE and self.outcome.number is None

    @property
    def replaced(self) -> t.Any:
        """The number of the thing that goes for another one to come, None where nothing is replaced."""
        return self.before.get("id") if self.replaces else None

    @property
    def number(self) -> t.Any:
        """The number of the thing, None while nobody knows it."""
        return None if self.outcome is None else self.outcome.number

    @property
    def made_at(self) -> str | None:
        """When the service says that it was made, None where it does not say so."""
        made_at = None if self.outcome is None else self.outcome.record.get(MADE_AT)
        return made_at if isinstance(made_at, str) else None


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Planned(Read):
    """An entry of which it is settled what is to be done. ``verdict`` is how it counts in the plan.

    ``adopts``: what exists becomes the site's own. ``creates_first``: it is replaced by something that is created
    first. ``applied`` says whether an apply has dealt with it, ``edited`` and ``drifted`` whether it was changed in the
    file, or at the service, since the last one; None where nobody knows. ``not_sent`` are edited options that this run
    neither sends nor compares, ``kept`` those that leave something at the service as it is, ``unknown`` those of which
    nobody knows whether they were edited.
    """

    verdict: str
    adopts: bool = False
    creates_first: bool = False
    not_sent: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    applied: bool | None = None
    edited: bool | None = None
    drifted: bool | None = None

    @property
    def is_news(self) -> bool:
        """Whether something is to be done, be it in the registry alone, or was done before, as for its container."""
        return self.changes or self.verdict in (*NOTED_VERDICTS, CREATE)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Done(Planned):
    """An entry at the end of a run. ``actual`` is what came of it, None where nothing was to be done.

    ``started``: its work was begun. ``half_done``: a try that was repeated may have made it.
    """

    actual: EntryOutcome | None = None
    started: bool = False
    half_done: bool = False

    @property
    def done(self) -> EntryResult | None:
        """What was done."""
        return self.actual if isinstance(self.actual, EntryResult) else None

    @property
    def error(self) -> FcdError | None:
        """Why it failed, was not begun, or could not be planned."""
        return self.actual if isinstance(self.actual, FcdError) else super().error

    @property
    def outcome(self) -> EntryResult | None:
        """What was done, or else what was planned."""
        return self.done or self.planned

    @property
    def changed_something(self) -> bool:
        """Whether the work on it has changed something, at the service or in the registry."""
        if self.error is not None:
            return self.started and has_changed(self.error)
        return self.is_news if self.done is None else self.half_done or self.done.action is not None

    @property
    def was_done_by_others(self) -> bool:
        """Whether it was as declared when this run came to do what was planned."""
        return self.changes and self.done is not None and not self.changed_something


def is_predecessor(entry: Entry) -> bool:
    """Return whether this is what something that was created first has taken the place of."""
    return is_name_of_predecessor(entry.name, entry.params.get("id"))


def followers_of(one: Selected, whole: t.Iterable[Selected]) -> list[Place]:
    """Return what a predecessor is removed after: its successor, and what refers to that; nothing for any other entry.

    Else the old one goes with what hangs on it.
    """
    if not is_predecessor(one.entry):
        return []
    successor = successor_of(one.entry.kind, one.entry.name)
    return [other.place for other in whole if other.place == successor or successor in other.entry.refs]


def as_mapping(side: object) -> JsonMapping:
    """Return one side of a diff as fields; that of a folder is a text, and has none."""
    return side if isinstance(side, t.Mapping) else {}


def hidden_names(kind: str, secrets: t.Collection[str]) -> set[str]:
    """Return the fields that are hidden whatever is in them, by the options that are secret, with what follows them.

    An ID hides its object.
    """
    names = {*secrets, *(option.removesuffix("_id") for option in secrets)}
    follow = [one for item in KINDS[kind].operation().fields if item.name in names for one in item.follows]
    return names.union(follow, OF_CONTENT if "content" in names else ())
