# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the site itself has written its registry: its key signs who, when and where, and a digest of each entry.

A document says in ``written`` how often it was, beginning at the time, so that an older one that was put back is told
from the last one that this controller has seen (``<state_dir>/seen``). A controller that has not seen it goes by the
time since when the service has had it: a document is stored when it is signed.

Where it is counts as well: one that was copied to the registry of another account, or to another container, is not
believed there. Whoever moves a registry signs it anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import typing as t

from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.private_files import private_folder, read_json, write_json
from ....module_utils._core.text import join_names, quoted, shortened
from ..model import Place
from ..site_key import SiteKey
from .registry_document import Owned, RegistryDocument, Signature, shown_place

SIGN_IT = "site_state with command: sign, or ansible-playbook fcd.cloud.state -e provision_sign=true"
TOLD = 5
MAX_SHOWN_LOCATION = 200  # characters of a place in a message
MAX_LATE = 3600
"""Seconds from the signature of a document to its arrival, with what the clocks of controller and service differ."""


class UntrustedDocument(t.NamedTuple):
    """Why a document is not believed. ``places`` are the entries meant; ``may_be_signed``: as it is, after a review.

    ``by_another_key``: it is signed with another key than this run has, so nobody can say more.
    """

    text: str
    why: str
    places: tuple[Place, ...]
    may_be_signed: bool = False
    by_another_key: bool = False


class RegistryProof:
    """Signs and checks the documents of one owner in one place. Without a key nothing is signed, and nothing may be.

    ``seen`` is the folder of notes on what this controller has seen last, ``where`` the address of the place.
    """

    def __init__(self, key: SiteKey | None, owner: str, seen: str = "", where: str = "") -> None:
        self.key = key
        self._owner = owner
        self._folder = seen
        self.where = where

    def with_key(self, key: SiteKey) -> RegistryProof:
        """Return the proof of the same registry with another key, which has its own notes on what was seen."""
        return RegistryProof(key, self._owner, self._folder, self.where)

    def signed(self, document: RegistryDocument, now: float) -> RegistryDocument:
        """Return a document as it is to be written now, signed if there is a key."""
        if self.key is None:
            return document
        digests = tuple(_digest(entry) for _place, entry in sorted(document.entries.items()))
        draft = Signature(self.key.name, max(self.seen(document.part) + 1, int(now)), self.where, digests, "")
        signature = self.key.sign(*self._head(document.part, document, draft))
        return document._replace(signature=draft._replace(signature=signature))

    def _head(self, part: str, document: RegistryDocument, signature: Signature) -> tuple[t.Any, ...]:
        """Return what is signed."""
        who_and_where = (self._owner, part, signature.where)
        return ("registry", *who_and_where, document.serial, signature.written, list(signature.digests))

    def doubt(self, name: str, text: str, found: RegistryDocument, seen: int) -> UntrustedDocument | None:
        """Return why a document that was read as ``name`` is not believed, None for one that is.

        ``seen`` is what was noted of it before it was read.
        """
        every, signature = tuple(sorted(found.entries)), found.signature
        if signature is None:
            return None if self.key is None else UntrustedDocument(text, "not signed", every, may_be_signed=not seen)
        if self.key is None or signature.key != self.key.name:
            given = "no site_key is given" if self.key is None else f"site_key is the key {self.key.name!r}"
            why = f"signed with the key {signature.key!r}, but {given}"
            return UntrustedDocument(text, why, every, by_another_key=True)
        if not self.key.has_signed(signature.signature, *self._head(name, found, signature)):
            return UntrustedDocument(text, "signed wrongly", every)
        difference = self._difference(text, found.entries, set(signature.digests))
        if difference is None and signature.where != self.where:
            why = (
                f"signed for {quoted(shortened(signature.where, MAX_SHOWN_LOCATION))}, and this is {quoted(self.where)}"
            )
            return UntrustedDocument(text, why, every, may_be_signed=not seen)
        return difference or self._replayed(text, found, signature, seen)

    @staticmethod
    def _difference(text: str, entries: t.Mapping[Place, Owned], signed: t.Collection[str]) -> UntrustedDocument | None:
        digests = {place: _digest(entry) for place, entry in sorted(entries.items())}
        forged = tuple(place for place, digest in digests.items() if digest not in signed)
        if forged or len(digests) < len(signed):
            return UntrustedDocument(
                text, "signed wrongly" if forged else "missing entries that it was signed with", forged
            )
        return None

    @staticmethod
    def _replayed(text: str, found: RegistryDocument, signature: Signature, seen: int) -> UntrustedDocument | None:
        if signature.written < seen:
            return UntrustedDocument(text, "an older version that was restored", ())
        late = found.stored_at is not None and found.stored_at - signature.written > MAX_LATE
        if late and signature.written != seen:
            return UntrustedDocument(
                text, "an older version that was restored, or was signed by a clock that is slow", ()
            )
        return None

    def seen(self, name: str) -> int:
        """Return what the last document of this name that was seen says in ``written``; 0 for none."""
        known = read_json(self._note_of(name)) if self._folder and self.key is not None else None
        return int(known["written"]) if isinstance(known, dict) and isinstance(known.get("written"), int) else 0

    def note(self, name: str, document: RegistryDocument | None) -> None:
        """Note that this document was seen, or written, last; None: it was removed, and is not to come back."""
        if not self._folder or self.key is None:
            return
        known = self.seen(name)
        written = known + 1 if document is None else document.signature.written if document.signature else 0
        if written > known and (known or document is not None):
            private_folder(self._folder)
            write_json(self._note_of(name), {"written": written, "site": self._owner, "document": name})

    def _note_of(self, name: str) -> str:
        key = self.key.name if self.key is not None else ""
        label = hashlib.sha256(f"{self.where}\0{self._owner}\0{name}\0{key}".encode("utf-8", "surrogatepass"))
        return os.path.join(self._folder, f"{label.hexdigest()[:32]}.json")


def _digest(entry: Owned) -> str:
    text = json.dumps(vars(entry), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def require_trusted(doubts: t.Sequence[UntrustedDocument], key: SiteKey | None) -> None:
    """Raise InvalidInput when there is a document that is not believed; it names the entries."""
    if not doubts:
        return
    first, places = doubts[0], [place for doubt in doubts for place in doubt.places]
    entries = join_names(list(map(shown_place, places)), TOLD)
    named = f" {len(places)} entries ({entries}) are not trusted. Nothing was done." if places else " Nothing was done."
    if all(doubt.by_another_key for doubt in doubts):
        named, step = "", "Give the site_key (FCD_SITE_KEY) that it is signed with."
        if key is not None:
            step += f" After a change of the key, sign it with the new one: {SIGN_IT}, and give the former one as "
            step += "previous_key (FCD_PREVIOUS_SITE_KEY)."
    elif all(doubt.may_be_signed for doubt in doubts):
        step = f"If you have moved it here, or nobody else can have written it, sign it: {SIGN_IT}. First review the "
        step += "list that it shows in check mode (--check)."
    else:
        step = f"Find out who wrote it, and restore the last correct version. Or sign it: {SIGN_IT}. With discard: "
        step += "true (-e provision_discard=true) the site then forgets the entries that are not trusted."
    raise InvalidInput(
        f"registry: {first.text} is {first.why}.{named}",
        next_step=step,
        option="registry",
        documents=[{"place": doubt.text, "why": doubt.why} for doubt in doubts],
        entries=[{"kind": kind, "name": name} for kind, name in places],
    )
