# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The document that a registry is kept as, what one entry of it says, and how entries change: pure functions.

It is JSON with a format number, read with distrust. Whatever is wrong with it is an error: a registry that were taken
for an empty one would have everything made twice.
"""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t

from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.text import join_names, names_a_secret, quoted, shortened
from ..model import KINDS, NUMBER, EntryKind, Place, reject_duplicate_keys

CREATED, ADOPTED, FOUND, REMOVED = "created", "adopted", "found", "removed"
CREATING, THERE = "creating", "there"
_WEIGHT = {REMOVED: 0, FOUND: 1, ADOPTED: 2, CREATED: 3}

ObjectNumber = t.Union[int, str, None]


@dataclasses.dataclass(frozen=True)
class KnownObject:
    """What a run knows of an object, whose ``id`` may be unknown: some kinds have none.

    ``identity`` are the options that it can be removed with: plain values, no secrets. ``key`` is its label, the name
    where it has none. ``protected``: it must not be destroyed, also when it is not declared any more. ``applied``: what
    is known of its last apply (``AppliedNote``), None for nothing new. ``moved_from``: the key or name that it had
    before, as long as the site file says so or the thing may still have its old name. ``made_at``: when the service
    says that it was made, None where it does not say so.
    """

    kind: str
    name: str
    id: ObjectNumber = None
    identity: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)
    key: str = ""
    protected: bool = False
    applied: str | None = None
    moved_from: str = ""
    made_at: str | None = None

    def with_fields(self, **changed: t.Any) -> t.Self:
        """Return one that differs in some fields."""
        return dataclasses.replace(self, **changed)

    @property
    def place(self) -> Place:
        """Kind and name."""
        return self.kind, self.name


@dataclasses.dataclass(frozen=True)
class Owned(KnownObject):
    """One entry of a registry.

    ``origin``: ``created`` and ``adopted`` belong to the site; ``found`` was there before, is kept as declared and
    never removed; ``removed`` is only in the document of a part, against what another document still says. ``phase``:
    ``creating`` from before the request until its outcome is known. ``serial`` grows from run to run; the higher is
    right.
    """

    origin: str = CREATED
    phase: str = THERE
    serial: int = 0

    @property
    def prunable(self) -> bool:
        """Whether the site may remove it once it is not declared any more."""
        return self.origin in (CREATED, ADOPTED)


def shown_place(place: Place) -> str:
    """Return an object for a sentence, in one line whatever its name is."""
    kind, name = place
    return f"{kind if kind.isidentifier() else quoted(shortened(kind))} {quoted(shortened(name))}"


def checked_identity(kind: str, identity: t.Mapping[str, object]) -> dict[str, object]:
    """Return the options as they come back from JSON. Raises ValueError for one that names a secret."""
    secret = [name for name in identity if names_a_secret(name)]
    if secret:
        raise ValueError(f"identity of {kind}: {', '.join(secret)} must not be written down")
    return dict(json.loads(json.dumps(dict(identity))))


REGISTRY_FORMAT = 3
WHAT = "registry of a site"
REGISTRY_MARK = re.compile(rb'"what"\s*:\s*"registry of a site"')
"""What is in each such document; a broken one is told by it from a file of somebody else."""

_IS = {"site": str, "serial": int, "entries": list}
_SIGNED_IS = {"key": str, "written": int, "where": str, "digests": list, "signature": str}
_ENTRY_IS = {"kind": str, "name": str, "identity": dict, "serial": int, "key": str, "moved_from": str}
_MAY_BE = {
    "id": (int, str, type(None)),
    "protected": (bool,),
    "applied": (str, type(None)),
    "made_at": (str, type(None)),
}
_WORDS = {"origin": tuple(_WEIGHT), "phase": (CREATING, THERE)}


class Signature(t.NamedTuple):
    """What a document is signed with (``registry_proof``): where it was written, and digests of its entries.

    ``key`` is the name of the key; ``written`` grows with each time that the document is written.
    """

    key: str
    written: int
    where: str
    digests: tuple[t.Any, ...]
    signature: str


class RegistryDocument(t.NamedTuple):
    """One document. ``part`` is ``part-k-of-n``, or ``whole``; ``entries`` may have removed ones in those of parts.

    ``stored_at``: since when the service has had it, in seconds since 1970; None where nobody knows.
    """

    site: str
    part: str
    serial: int
    entries: dict[Place, Owned]
    signature: Signature | None = None
    stored_at: float | None = None


def written_document(document: RegistryDocument) -> bytes:
    """Return the document as JSON in ASCII, the same for the same content."""
    head = {
        "what": WHAT,
        "format": REGISTRY_FORMAT,
        "site": document.site,
        "part": document.part,
        "serial": document.serial,
    }
    if document.signature is not None:
        head.update(document.signature._asdict())
    entries = [vars(entry) for _place, entry in sorted(document.entries.items())]
    rows = ",\n".join(json.dumps(row, sort_keys=True) for row in entries)
    start = json.dumps(head, separators=(",", ":"))[:-1]
    return f'{start},\n"entries":[\n{rows}\n]}}\n'.encode("ascii")


def read_document(content: bytes, place: str, *, site: str | None = None) -> RegistryDocument:
    """Return the document in ``content``; with ``site``, it has to be that site's.

    Raises InvalidInput, which names ``place`` and says what to do.
    """
    try:
        found = json.loads(content, object_pairs_hook=reject_duplicate_keys)
    except (ValueError, RecursionError) as exc:
        raise damaged_registry(place, f"it is not complete JSON ({exc})") from None
    head = _checked_head(found, place)
    if site is not None and head["site"] != site:
        raise InvalidInput(
            f"registry: {place} belongs to the site {head['site']!r}, not to {site!r}.",
            next_step="Give each site, and each environment of one, a file of its own, or a container, which many can "
            "share. If the site was renamed, rename it in that file too.",
            option="registry",
        )
    for row in head["entries"]:
        if isinstance(row, dict):
            row.pop("signature", None)  # of a secret that was shared: it counts as not signed
    entries = [_entry(row, place, number) for number, row in enumerate(head["entries"], 1)]
    by_place = {entry.place: entry for entry in entries}
    if len(by_place) != len(entries):
        raise damaged_registry(place, "it has two entries of one kind and name")
    return RegistryDocument(head["site"], str(head.get("part")), head["serial"], by_place, _signature(head, place))


def _signature(head: t.Mapping[str, t.Any], place: str) -> Signature | None:
    if "digests" not in head:
        return None
    _check_types(head, _SIGNED_IS, place, "it")
    return Signature(head["key"], head["written"], head["where"], tuple(head["digests"]), head["signature"])


def damaged_registry(place: str, why: str) -> InvalidInput:
    """Return the error for a document that cannot be used."""
    return InvalidInput(
        f"registry: {place} cannot be read: {why}. Without it, it is unknown what the site owns; nothing was done.",
        next_step="Restore an earlier version of it. If there is none, remove it: everything that the site declares "
        "then counts as found, and with adopt: true as the site's own again.",
        option="registry",
    )


def _checked_head(found: object, place: str) -> dict[str, t.Any]:
    if not isinstance(found, dict) or found.get("what") != WHAT:
        raise damaged_registry(place, "it is not the registry of a site")
    number = found.get("format")
    if number != REGISTRY_FORMAT:
        raise damaged_registry(
            place, f"its format is {number!r}, and this version of the collection reads {REGISTRY_FORMAT}"
        )
    _check_types(found, _IS, place, "it")
    return found


def _entry(row: object, place: str, number: int) -> Owned:
    where = f"its entry {number}"
    if not isinstance(row, dict) or set(row) != {field.name for field in dataclasses.fields(Owned)}:
        raise damaged_registry(place, f"{where} does not have the fields of one")
    _check_types(row, _ENTRY_IS, place, where)
    wrong = [name for name, types in _MAY_BE.items() if type(row[name]) not in types]
    wrong += [name for name, words in _WORDS.items() if row[name] not in words]
    if wrong:
        raise damaged_registry(place, f"{where} has no valid {wrong[0]}")
    return Owned(**row)


def _check_types(found: t.Mapping[str, object], types: t.Mapping[str, type], place: str, what: str) -> None:
    for name, expected in types.items():
        value = found.get(name)
        if not isinstance(value, expected) or isinstance(value, bool):
            raise damaged_registry(place, f"{what} has no {name}, or one of another type")


RegistryEntries = t.Dict[Place, Owned]


def intended_entry(was: Owned | None, known: KnownObject) -> Owned:
    """Return it before it is created: it was looked for and is not there, so what was known of it is history.

    With a number it is there, and about to be replaced: whose it is shows when that is done.
    """
    if known.id is None:
        return _owned(known, CREATED).with_fields(phase=CREATING)
    if was is None or was.origin == REMOVED:
        return _owned(known, FOUND).with_fields(phase=CREATING, applied=None)
    return _owned(known, was.origin).with_fields(phase=CREATING, applied=was.applied, made_at=was.made_at)


def not_made_entry(was: Owned | None) -> Owned | None:
    """Return what is left of it when it is certain that it was not made: what was to be replaced is still there."""
    if was is None or was.phase != CREATING:
        return was
    return None if was.id is None else was.with_fields(phase=THERE)


def created_entry(_was: Owned | None, known: KnownObject) -> Owned:
    """Return it when it was made by this run."""
    return _owned(known, CREATED)


def found_entry(was: Owned | None, known: KnownObject) -> Owned:
    """Return it when it was there before this run.

    What was about to be created when an earlier run died was made by that run: it had looked, and it was not there.
    What has another number than the object of the site is not that object any more, but one that somebody else made.
    """
    if was is None or was.origin == REMOVED:
        return _owned(known, FOUND)
    if was.phase != CREATING and differ(was.id, known.id):
        return _owned(known, FOUND)
    number = known.id if was.id is None or differ(was.id, known.id) else was.id  # the same, be it a number or text
    applied = was.applied if known.applied is None else known.applied
    made_at = was.made_at if was.phase == THERE and was.made_at is not None else known.made_at
    return _owned(known.with_fields(id=number, applied=applied, made_at=made_at), was.origin)


def met_entry(_was: Owned | None, known: KnownObject) -> Owned:
    """Return it when this run was about to make it, and somebody else did."""
    return _owned(known, FOUND)


def adopted_entry(was: Owned | None, known: KnownObject) -> Owned:
    """Return it when it is to be the site's from now on; what the site has created stays so."""
    kept = found_entry(was, known)
    return kept if kept.prunable else kept.with_fields(origin=ADOPTED)


def renamed_entries(
    entries: RegistryEntries, pairs: t.Iterable[tuple[Place, KnownObject]]
) -> dict[Place, Owned | None]:
    """Return what changes when what is owned as the first of a pair is the second from now on, all pairs at once.

    Its number stays, and what was applied; that it may still have its old name is noted. What is not owned has been
    renamed before, or never was the site's: nothing changes. Raises InvalidInput for another kind or number, and where
    the new name is that of something else.
    """
    moving = {old: known for old, known in pairs if old in entries}
    new: dict[Place, Owned | None] = {}
    for old, known in moving.items():
        was = entries[old]
        other = was if known.place in moving else entries.get(known.place, was)
        is_other = known.kind != was.kind or differ(was.id, known.id) or known.place in new
        if is_other or (other is not was and not is_same_number(was.id, other.id)):
            raise InvalidInput(
                f"{shown_place(old)} cannot become {shown_place(known.place)}: that is another object.",
                next_step="Release or remove the other one first, or choose another name.",
            )
        origin = max(was.origin, other.origin, key=_WEIGHT.__getitem__)
        former = known.moved_from or (was.name if was.name != known.name else "")
        same = known.with_fields(id=was.id, applied=was.applied, moved_from=former, made_at=was.made_at)
        new[known.place] = _owned(same, origin).with_fields(phase=was.phase)
    return {**dict.fromkeys(moving), **new}


def differ(one: ObjectNumber, other: ObjectNumber) -> bool:
    """Whether these are surely numbers of two objects; a number may be written as text."""
    return one is not None and other is not None and str(one) != str(other)


def is_same_number(one: ObjectNumber, other: ObjectNumber) -> bool:
    """Whether these are surely numbers of one object."""
    return None not in (one, other) and str(one) == str(other)


def merged_entries(documents: t.Iterable[RegistryDocument]) -> RegistryEntries:
    """Return what all documents of a site say together, removed entries included.

    The entry with the higher serial is right. With equal ones, which runs without a lock may write, the object stays
    owned if one of them says so: to lose what the site has made is worse than to know it twice.
    """
    entries: RegistryEntries = {}
    for document in documents:
        for thing, entry in document.entries.items():
            if thing not in entries or _rank(entry) > _rank(entries[thing]):
                entries[thing] = entry
    return entries


def _rank(entry: Owned) -> tuple[int, int, str, str]:
    return entry.serial, _WEIGHT[entry.origin], entry.phase, str(entry.id)


def _owned(known: KnownObject, origin: str) -> Owned:
    identity = checked_identity(known.kind, known.identity)
    return Owned(**{**vars(known), "identity": identity, "key": known.key or known.name}, origin=origin)


# ---------------------------------------------------------------- what was replaced

_REPLACED = " (replaced "


def name_of_predecessor(name: str, number: object) -> str:
    """Return the name that an old thing gets when its successor is created first."""
    return f"{name}{_REPLACED}{number})"


def is_name_of_predecessor(name: str, number: object) -> bool:
    """Return whether this is such a name of the thing with this number."""
    return number is not None and name.endswith(name_of_predecessor("", number))


def successor_of(kind: str, name: str) -> Place:
    """Return what takes the place of one of that name."""
    return kind, name.rsplit(_REPLACED, 1)[0]


def is_stale(one: Owned, owned: t.Mapping[Place, Owned]) -> bool:
    """Return whether the registry has it as replaced, and as what was to be replaced, which never came to that."""
    successor = successor_of(one.kind, one.name)  # of which the thing may have been about to be made in its place
    return was_replaced(one) and any(
        (other.kind, str(other.id)) == (one.kind, str(one.id)) and (other.phase == THERE or other.place != successor)
        for other in owned.values()
        if other.place != one.place
    )


def was_replaced(one: Owned) -> bool:
    """Return whether the registry has it as what something that was created first has taken the place of."""
    return is_name_of_predecessor(one.name, one.id)


def validated_identity(owned: Owned) -> dict[str, t.Any]:
    """Return the options that say which one is meant. Raises InvalidInput for anything else that stands there."""
    kind, identity = KINDS[owned.kind], dict(owned.identity)
    strange = [name for name in identity if name not in {option for way in kind.identity for option in way}]
    if strange:
        names = join_names(list(map(_readable, strange)), 3)
        raise not_trusted(f"{names} in its identity does not identify an object")
    odd = [name for name, value in identity.items() if isinstance(value, bool) or not isinstance(value, (str, int))]
    if odd:
        raise not_trusted(f"{odd[0]} in its identity is not a plain text or number")
    if not _is_of(kind, identity, owned):
        raise not_trusted("its identity is not that of an object of this name")
    return identity


def _readable(name: str) -> str:
    return name if name.isidentifier() else quoted(shortened(name))


def _is_of(kind: EntryKind, identity: t.Mapping[str, object], owned: Owned) -> bool:
    """Return whether the identity is one way of naming just this; of what was replaced it is the number.

    What refers to another thing by its number is called by the key of that.
    """
    refers = any(option in identity and target.by == NUMBER for option, target in kind.references.items())
    of_replaced = was_replaced(owned) and set(identity) == {"id"} and str(identity["id"]) == str(owned.id)
    return kind.identity_of(identity) == identity and (of_replaced or refers or kind.name_of(identity) == owned.name)


def not_trusted(why: str) -> InvalidInput:
    """Return the error for a thing that stays, since what the registry says of it is not believed."""
    return InvalidInput(
        f"It is not removed, because its entry in the registry cannot be trusted: {why}.",
        next_step="Check who can write to the registry. To end the site's ownership, release it: with the command "
        "release of site_state, or an item in removed with destroy: false. To remove it anyway, declare it "
        "with state: absent.",
    )
