# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site owns: read from its registry, and noted there before and after each change.

The registry is one JSON document for the whole site and one for each part that runs apart, in a container below
``.fcd-sites/`` or in a folder. Where the order of runs matters it goes by a number that grows with each run, not by
clocks. Open it while the lock of the site is held (``site_lock``): what another run wrote before is seen then. What
another site in the same place owns, no site may declare.
"""

from __future__ import annotations

import os
import threading
import typing as t

from ....module_utils._connection.task import Task
from ....module_utils._core.clock import Clock
from ....module_utils._core.errors import Busy, InvalidInput
from ....module_utils._core.text import join_names, quoted, shortened, visible
from ....module_utils._object_storage.leases import HeldLock
from ..model import Place
from ..site_key import MAKE_A_KEY, SiteKey, user_key
from .registry_document import (
    REMOVED,
    KnownObject,
    Owned,
    RegistryDocument,
    RegistryEntries,
    adopted_entry,
    created_entry,
    found_entry,
    intended_entry,
    merged_entries,
    met_entry,
    not_made_entry,
    read_document,
    renamed_entries,
    shown_place,
    written_document,
)
from .registry_places import (
    WHOLE_SITE,
    Registry,
    RegistryPlace,
    checked_owner,
    content_tag,
    document_name,
    object_name,
    registry_place,
)
from .registry_proof import SIGN_IT, RegistryProof, UntrustedDocument, require_trusted

MAX_SHOWN_PLACES = 5


class OtherSites:
    """The registries of other sites in the same place; read again only where they have changed."""

    def __init__(self, place: RegistryPlace, site: str) -> None:
        self._place = place
        self._site = site
        self._read: dict[str, tuple[str, RegistryDocument]] = {}

    def check(self, places: t.Iterable[Place]) -> None:
        """Raise InvalidInput when another site owns one of these."""
        self._refresh()
        owners = self.owners()
        taken = [(place, *owners[place]) for place in dict.fromkeys(places) if place in owners]
        if not taken:
            return
        named = join_names([f"{shown_place(place)} (of {site})" for place, site, _text in taken], MAX_SHOWN_PLACES)
        place, other, text = taken[0]
        label = visible(shortened(".".join(place)))
        raise InvalidInput(
            f"The sites {self._site!r} and {other!r} declare the same object: {named} cannot be in the site "
            f"{self._site!r}, because another site owns it. Nothing was sent.",
            next_step=f"Declare it in only one of them; {text} lists what {other!r} owns. To hand it over takes two "
            f"merges. First release it from {other!r}: removed: [{{what: {label}, destroy: false}}] "
            "in its site file in place of the entry, then apply. Then set adopt: true in the entry here, and apply.",
            sites=sorted({self._site, *(site for _key, site, _text in taken)}),
        )

    def _refresh(self) -> None:
        known, self._read = self._read, {}
        for text, tag in self._place.others().items():
            if text in known and known[text][0] == tag:
                self._read[text] = known[text]
                continue
            content = self._place.read_other(text)
            if content is not None:
                self._read[text] = (tag, read_document(content, text, site=self._place.site_of(text)))

    def _by_site(self) -> list[tuple[str, dict[str, RegistryDocument]]]:
        by_site: dict[str, dict[str, RegistryDocument]] = {}
        for text, (_tag, document) in self._read.items():
            by_site.setdefault(document.site, {})[text] = document
        by_site.pop(self._site, None)
        return sorted(by_site.items())

    def owners(self) -> dict[Place, tuple[str, str]]:
        """Return for all objects that other sites owned when that was checked last the site and its document."""
        owners = {}
        for site, documents in self._by_site():
            for place, entry in merged_entries(documents.values()).items():
                if entry.prunable:
                    owners[place] = (site, next(text for text, one in documents.items() if place in one.entries))
        return owners

    def protected(self) -> list[tuple[Owned, str]]:
        """Return what other sites protected when that was checked last, and which site each."""
        return [
            (entry, site)
            for site, documents in self._by_site()
            for entry in merged_entries(documents.values()).values()
            if entry.protected and entry.origin != REMOVED
        ]


def require_key(task: Task, site: str, registry: Registry) -> None:
    """Raise InvalidInput for a registry that must be signed, and no key. To be called before anything is written."""
    if "container" in registry and user_key(task) is None:
        Ownership.opened(task, site, registry)  # if it is signed already, its key is asked for
        text = f"{registry['container']}/{object_name(site, WHOLE_SITE)}"
        raise InvalidInput(
            f"registry: {text} is in a container, so it must be signed, but no site_key is set.",
            next_step=f"{MAKE_A_KEY}. To sign an existing registry, use {SIGN_IT}.",
            option="site_key",
        )


Changes = t.Dict[Place, t.Optional[Owned]]


class Ownership:
    """The registry of one site, as one run of it sees and changes it. Threads may share it.

    In check mode everything works alike, and nothing is written: changes are seen by this run only.
    """

    def __init__(
        self,
        store: RegistryPlace,
        site: str,
        document: str,
        lock: HeldLock | None,
        *,
        check_mode: bool,
        proof: RegistryProof | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._proof = proof or RegistryProof(None, site)
        self._clock = clock or Clock()
        self._site = site
        self._name = document
        self._lock = lock
        self._check_mode = check_mode
        self._others = OtherSites(store, site)
        self._one_at_a_time = threading.RLock()
        self._documents: dict[str, RegistryDocument] = {}
        self._parts: set[str] = set()  # the documents of parts that there may be
        self._tags: dict[str, set[str | None]] = {}  # what the store may have, more than one after a failed write
        self.doubts: list[UntrustedDocument] = []  # why documents are not believed
        self._read_all()
        self._entries = merged_entries(self._documents.values())
        serials = [document.serial for document in self._documents.values()]
        self._serial = max([*serials, *(entry.serial for entry in self._entries.values()), 0]) + 1

    @classmethod
    def opened(
        cls,
        task: Task,
        site: str,
        registry: Registry | None,
        part: str | None = None,
        lock: HeldLock | None = None,
        *,
        doubtful: bool = False,
    ) -> Ownership:
        """Read it.

        ``site`` is the owner (``owner_name``), ``registry`` is ``{"container": name}``, ``{"path": file}`` or empty
        (``<state_dir>/sites/<site>.json``), ``part`` is ``k/n`` or None. With a ``lock``, nothing is written once that
        is lost. A registry that is not there yet, its container included, owns nothing. Raises InvalidInput for one
        that cannot be read, that others may write, or that the site itself has not written, and what the storage
        raises. ``doubtful``: one that is not believed is read all the same, to be looked at, or to be signed.
        """
        name, key = document_name(part), user_key(task)
        store = registry_place(task, checked_owner(site), registry)
        proof = RegistryProof(key, site, os.path.join(task.state_dir, "seen"), store.where)
        own = cls(store, site, name, lock, check_mode=task.check_mode, proof=proof, clock=task.clock)
        if not doubtful:
            require_trusted(own.doubts, key)
        return own

    @property
    def place(self) -> str:
        """Where this run writes, for people."""
        return self._store.text(self._name)

    def owned(self) -> dict[Place, Owned]:
        """Return all entries of the site, whichever part they are from; the removed ones are not among them."""
        with self._one_at_a_time:
            return {place: entry for place, entry in self._entries.items() if entry.origin != REMOVED}

    def check_conflicts(self, places: t.Iterable[Place]) -> None:
        """Raise InvalidInput when another site in the same place owns one of these; it names both sites."""
        with self._one_at_a_time:
            self._others.check(places)

    def owned_by_others(self) -> dict[Place, str]:
        """Return what other sites in the same place owned when that was checked last, and which."""
        with self._one_at_a_time:
            return {place: site for place, (site, _text) in self._others.owners().items()}

    def protected_by_others(self) -> list[tuple[Owned, str]]:
        """Return what other sites in the same place protected when that was checked last, and which site each."""
        with self._one_at_a_time:
            return self._others.protected()

    def intend(self, entries: t.Iterable[KnownObject]) -> None:
        """Note, in one write, that these are about to be created, or replaced where they have a number.

        Raises Busy when the lock is lost or somebody else wrote the registry meanwhile, InvalidInput for a conflict.
        """
        self._announce(entries, intended_entry)

    def claim(self, adopted: t.Iterable[KnownObject]) -> None:
        """Note, in one write, that these become the site's own. Raises as ``intend``."""
        self._announce(adopted, adopted_entry)

    def _announce(self, known: t.Iterable[KnownObject], rule: t.Callable[[Owned | None, KnownObject], Owned]) -> None:
        """Note what is to be the site's own, unless another site takes it at the same moment.

        The others are looked at again when they can see what this one has noted: one of two at a time sees both.
        """
        with self._one_at_a_time:
            before = dict(self._entries)
            changes: Changes = {one.place: rule(before.get(one.place), one) for one in known}
            if not changes:
                return
            self._check_lock()
            self._others.check(changes)
            try:
                self._note(changes)
            except BaseException:
                self._entries = before
                raise
            try:
                self._others.check(changes)
            except InvalidInput:
                self._note({place: before.get(place) for place in changes})
                raise

    def settle(
        self,
        *,
        created: t.Iterable[KnownObject] = (),
        found: t.Iterable[KnownObject] = (),
        adopted: t.Iterable[KnownObject] = (),
        met: t.Iterable[KnownObject] = (),
        removed: t.Iterable[Place] = (),
        not_made: t.Iterable[Place] = (),
        unknown: t.Iterable[Place] = (),
    ) -> None:
        """Note outcomes, in one write, or none when they say nothing new; a whole run folds the parts' documents in.

        ``created``: made now. ``found``: were there when the run began; those with an intent of an earlier run, which
        did not live to settle it, count as created, and those that the site owns stay owned, unless the number says
        that it is another object. ``adopted``: found, and the user wants them to be the site's. ``met``: intended by
        this run, but somebody else was quicker, so they count as found. ``removed``: are gone, or were only found and
        are not declared any more. ``not_made``: intended, and certainly not created. ``unknown``: what was applied to
        these last does not count any more, since what they refer to was made anew.

        What could not be written stays known here, and the next call writes it.
        """
        with self._one_at_a_time:
            new: dict[Place, Owned | None] = {}
            rules = ((created, created_entry), (found, found_entry), (adopted, adopted_entry), (met, met_entry))
            for outcomes, rule in rules:
                for known in outcomes:
                    new[known.place] = rule(self._entries.get(known.place), known)
            for place in not_made:
                new[place] = not_made_entry(self._entries.get(place))
            torn = {**self._entries, **new}
            lost = [entry for entry in map(torn.get, unknown) if entry is not None]
            new.update((entry.place, entry.with_fields(applied=None)) for entry in lost)
            new.update((place, None) for place in removed)
            self._note(new)

    def orphans(self, declared: t.Iterable[Place]) -> list[Owned]:
        """Return what the site owns and does not declare any more, by kind and name.

        ``declared`` are the places of the whole declaration, not only of this part, this stage or some kinds. Of those
        in the phase ``creating`` nobody knows whether they are there.
        """
        desired = set(declared)
        return [entry for place, entry in sorted(self.owned().items()) if place not in desired and entry.prunable]

    def find(self, kind: str, label: str) -> Owned | None:
        """Return what the site owns by this key, or else by this name. Raises InvalidInput when a key means several."""
        owned = {entry.name: entry for entry in self.owned().values() if entry.kind == kind}
        found = {name: entry for name, entry in sorted(owned.items()) if entry.key == label}
        if len(found) > 1 and label not in found:
            names = join_names([quoted(shortened(name)) for name in found], MAX_SHOWN_PLACES)
            raise InvalidInput(
                f"{shown_place((kind, label))}: the site owns several objects with this key: {names}.",
                next_step="Give the name of one of them.",
            )
        return found[label] if label in found else next(iter(found.values()), owned.get(label))

    def renamed(self, pairs: t.Iterable[tuple[Place, KnownObject]]) -> None:
        """Note, in one write, that the first of each pair is the second from now on: all at once, so that two may swap.

        The numbers stay; what is not owned is left out. Raises InvalidInput, before anything is written, for a new name
        that is owned under another number (``renamed_entries``), else what ``settle`` raises.
        """
        with self._one_at_a_time:
            self._note(renamed_entries(self.owned(), pairs))

    def released(self, places: t.Iterable[Place]) -> list[Owned]:
        """Note, in one write, that these are the site's no longer, and stay as they are; return those that were."""
        with self._one_at_a_time:
            owned = self.owned()
            leaving = [owned[place] for place in dict.fromkeys(places) if place in owned]
            self._note({entry.place: None for entry in leaving})
            return leaving

    def sign(self, previous: SiteKey | None, *, discard: bool) -> bool:
        """Sign the whole registry anew, parts folded in; returns whether there was anything to do.

        Believed is what is signed with the key, or with the ``previous`` one; without that also what never was signed.
        With ``discard`` all else is forgotten. Raises InvalidInput for it without, and what ``settle`` raises.
        """
        with self._one_at_a_time:
            if not self.doubts:
                return False
            before = self._proof.with_key(previous) if previous is not None else None
            left = [doubt for doubt in self.doubts if not self._is_acceptable(doubt, before)]
            if not discard:
                require_trusted(left, self._proof.key)
            for doubt in left:
                name = self._name_of(doubt)
                document = self._documents[name]
                kept = {place: entry for place, entry in document.entries.items() if place not in doubt.places}
                self._documents[name] = document._replace(entries=kept)
            self._entries = merged_entries(self._documents.values())
            if not self._check_mode:
                self._tags[self._name].add(None)  # so that it is written, whatever it has
                self._write()
            self.doubts = []
            return True

    def _name_of(self, doubt: UntrustedDocument) -> str:
        return next(name for name in self._documents if self._store.text(name) == doubt.text)

    def _is_acceptable(self, doubt: UntrustedDocument, before: RegistryProof | None) -> bool:
        if before is None:
            return doubt.may_be_signed
        name = self._name_of(doubt)
        return before.doubt(name, doubt.text, self._documents[name], before.seen(name)) is None

    # Reading and writing

    def _read_all(self) -> None:
        names = self._store.documents()
        self._parts = names - {WHOLE_SITE}
        for name in sorted(names | {self._name}):
            seen = self._proof.seen(name)
            content = self._store.read(name)
            self._tags[name] = {content and content.tag}
            if content is not None:
                text = self._store.text(name)
                document = read_document(content.content, text, site=self._site)._replace(stored_at=content.stored_at)
                self._documents[name] = document
                doubt = self._proof.doubt(name, text, document, seen)
                if doubt is not None:
                    self.doubts.append(doubt)
                else:
                    self._proof.note(name, document)

    def _note(self, changes: Changes) -> None:
        """Take over what differs, and write what the store does not have yet."""
        for place, entry in changes.items():
            was = self._entries.get(place)
            if entry is None:
                self._drop(place)
            elif was is None or entry.with_fields(serial=was.serial) != was:
                self._entries[place] = entry.with_fields(serial=self._serial)
        if not self._check_mode:
            self._write()

    def _drop(self, place: Place) -> None:
        """Forget an entry; where another document still has it, this one says that it is gone."""
        was = self._entries.get(place)
        if was is None or was.origin == REMOVED:
            return
        if any(place in document.entries for name, document in self._documents.items() if name != self._name):
            self._entries[place] = was.with_fields(id=None, identity={}, origin=REMOVED, serial=self._serial)
        else:
            del self._entries[place]

    def _write(self) -> None:
        """Store what this document is to have: all in the whole one, else what it had and what this run changed.

        The whole one also has what parts have noted, and their documents are removed then.
        """
        if self._name == WHOLE_SITE:
            if self._parts:
                self._store_document(self._entries)  # with all that is removed, until the parts are gone
                for name in sorted(self._parts.intersection(self._documents)):
                    self._remove_document(name)
                self._store.forget_parts()
                self._parts = set()
            self._entries = self.owned()
            self._store_document(self._entries)
            return
        own = self._documents.get(self._name)
        places = own.entries if own else {}
        mine = self._serial
        known = self._entries.items()
        self._store_document({place: entry for place, entry in known if place in places or entry.serial == mine})

    def _store_document(self, entries: RegistryEntries) -> None:
        """Write the document of this run unless the store has it; one without entries is none."""
        name = self._name
        was = self._documents.get(name)
        if len(self._tags[name]) == 1 and entries == (was.entries if was else {}):
            return
        if not entries:
            self._remove_document(name)
            return
        self._check_store(name)
        document = RegistryDocument(self._site, name, self._serial, dict(entries))
        document = self._proof.signed(document, self._clock.now())
        content = written_document(document)
        self._tags[name].add(content_tag(content))
        self._tags[name] = {self._store.write(name, content)}
        self._documents[name] = document
        self._proof.note(name, document)

    def _remove_document(self, name: str) -> None:
        self._check_store(name)
        self._tags[name].add(None)
        self._store.remove(name)
        self._tags[name] = {None}
        self._documents.pop(name, None)
        self._proof.note(name, None)

    def _check_store(self, name: str) -> None:
        """Raise Busy when nothing may be written: the lock is lost, or the document is not as it was left."""
        self._check_lock()
        if self._store.tag(name) not in self._tags[name]:
            raise Busy(
                f"registry: {self._store.text(name)} was changed by another process after it was read.",
                next_step="Wait until the other run of this site ends, then run this one again. With a lock, they wait "
                "for each other.",
                option="registry",
            )

    def _check_lock(self) -> None:
        if self._lock is not None and not self._check_mode:
            self._lock.check()
