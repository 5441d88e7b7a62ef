# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a site, and whether the site itself has written its registry: the key signs it, and each entry of it.

A document says in ``written`` how often it was, beginning at the time, so that an older one that was put back is told
from the last one that this controller has seen (``<state_dir>/seen``). A controller that has not seen it goes by the
time since when the service has had it: a document is stored when it is signed.

The key also binds what is secret in a plan. It is an option of the user. Where the registry is no shared place a plan
may be bound by a key of this controller.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import typing as t

from ....module_utils._connection.task import Task
from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.private_files import private_folder, read_json, remove, unusable, write_json
from ....module_utils._core.text import join_names
from ..model import Place
from .registry_document import RegistryDocument, Signature, shown_place

SHORTEST_KEY = 16  # characters
OWN_KEY = "controller-key.json"


class SiteKey(t.NamedTuple):
    """A key; ``name`` tells one from another and nothing of what it is."""

    secret: bytes
    given: bool

    @property
    def name(self) -> str:
        """Return what this key is called in plans and registries: eight characters that do not lead back to it."""
        return self.digest("name")[:8]

    def digest(self, purpose: str, *parts: t.Any) -> str:
        """Return 64 hexadecimal digits for plain data; nobody without the key can tell what they are of."""
        text = json.dumps([purpose, *parts], sort_keys=True, separators=(",", ":"), default=str)
        return hmac.new(self.secret, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def user_key(task: Task) -> SiteKey | None:
    """Return the key that the user gave, None for none. Raises InvalidInput for one that is too short."""
    if "site_key" not in task.settings or not task.settings["site_key"]:
        return None
    return checked_key("site_key", task.settings["site_key"])


def checked_key(option: str, value: str) -> SiteKey:
    """Return the key of an option. Raises InvalidInput for one that is too short."""
    if len(value) < SHORTEST_KEY:
        raise InvalidInput(
            f"{option}: it has {len(value)} characters; at least {SHORTEST_KEY} are required.",
            next_step="Create one with openssl rand -hex 32, and keep it with your other secrets.",
            option=option,
        )
    return SiteKey(value.encode("utf-8", "surrogateescape"), given=True)


def controller_key(task: Task) -> SiteKey:
    """Return the key of this controller, made when it is first needed; nobody else may read its file.

    Of several processes that make it at once all get the same. Raises InvalidInput when it cannot be kept.
    """
    folder = private_folder(task.state_dir)
    path = os.path.join(folder, OWN_KEY)
    if not os.path.lexists(path):
        made = os.path.join(folder, f".{OWN_KEY}-{secrets.token_hex(8)}")
        write_json(made, {"key": secrets.token_hex(32)})
        try:
            with contextlib.suppress(FileExistsError):  # somebody else was quicker
                os.link(made, path)
        except OSError as error:
            raise unusable(folder, error.strerror) from None
        finally:
            remove(made)
    found = read_json(path)
    if not isinstance(found, dict) or not isinstance(found.get("key"), str) or len(found["key"]) < SHORTEST_KEY:
        raise InvalidInput(
            f"{path} is not a key, or other users can read it.",
            next_step="Remove it and make new plans, which creates a new key, or give site_key.",
        )
    return SiteKey(found["key"].encode("utf-8", "surrogatepass"), given=False)


SIGN_IT = "site_state with command: sign, or ansible-playbook fcd.cloud.state -e provision_sign=true"
MAKE_A_KEY = "Create one with openssl rand -hex 32, and give it as site_key (FCD_SITE_KEY) to every run of the site"
TOLD = 5
MOST_LATE = 3600
"""Seconds from the signature of a document to its arrival, with what the clocks of controller and service differ."""


class Doubt(t.NamedTuple):
    """Why a document is not believed. ``places`` are the entries meant; ``never_signed``: it may be signed as it is."""

    text: str
    why: str
    places: tuple[Place, ...]
    never_signed: bool = False


class RegistryProof:
    """Signs and checks the documents of one owner. Without a key nothing is signed, and nothing may be.

    ``seen`` is the folder of notes on what this controller has seen last, ``place`` what tells one registry from
    another.
    """

    def __init__(self, key: SiteKey | None, owner: str, seen: str = "", place: t.Sequence[str] = ()) -> None:
        self.key = key
        self._owner = owner
        self._folder = seen
        self._place = place

    def with_key(self, key: SiteKey) -> RegistryProof:
        """Return the proof of the same registry with another key, which has its own notes on what was seen."""
        return RegistryProof(key, self._owner, self._folder, self._place)

    def signed(self, document: RegistryDocument, now: float) -> RegistryDocument:
        """Return a document as it is to be written now, signed if there is a key."""
        if self.key is None:
            return document
        written = max(self.seen(document.part) + 1, int(now))
        return document._replace(signature=_signature(self.key, self._owner, document, written))

    def doubt(self, name: str, text: str, found: RegistryDocument, seen: int) -> Doubt | None:
        """Return why a document that was read as ``name`` is not believed, None for one that is.

        ``seen`` is what was noted of it before it was read.
        """
        every, signature = tuple(sorted(found.entries)), found.signature
        if signature is None:
            return None if self.key is None else Doubt(text, "not signed", every, never_signed=not seen)
        if self.key is None or signature.key != self.key.name:
            given = "no site_key is given" if self.key is None else f"site_key is the key {self.key.name!r}"
            return Doubt(text, f"signed with the key {signature.key!r}, but {given}", every)
        right = _signature(self.key, self._owner, found._replace(part=name), signature.written)
        return self._difference(text, found.entries, signature, right) or self._replayed(text, found, signature, seen)

    @staticmethod
    def _difference(text: str, entries: t.Iterable[Place], signature: Signature, right: Signature) -> Doubt | None:
        forged = tuple(place for place in sorted(entries) if signature.entries.get(place) != right.entries[place])
        if forged or signature.whole != right.whole:
            return Doubt(text, "signed wrongly" if forged else "missing entries that it was signed with", forged)
        return None

    @staticmethod
    def _replayed(text: str, found: RegistryDocument, signature: Signature, seen: int) -> Doubt | None:
        if signature.written < seen:
            return Doubt(text, "an older version that was restored", ())
        late = found.stored_at is not None and found.stored_at - signature.written > MOST_LATE
        if late and signature.written != seen:
            return Doubt(text, "an older version that was restored, or was signed by a clock that is slow", ())
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
        label = hashlib.sha256("\0".join([*self._place, self._owner, name, key]).encode("utf-8", "surrogatepass"))
        return os.path.join(self._folder, f"{label.hexdigest()[:32]}.json")


def _signature(key: SiteKey, owner: str, document: RegistryDocument, written: int) -> Signature:
    head = (owner, document.part, document.serial, written)
    entries = {
        place: key.digest("registry entry", *head, entry._asdict()) for place, entry in sorted(document.entries.items())
    }
    return Signature(key.name, written, key.digest("registry", *head, list(entries.values())), entries)


def check_doubts(doubts: t.Sequence[Doubt], key: SiteKey | None) -> None:
    """Raise InvalidInput when there is a document that is not believed; it names the entries."""
    if not doubts:
        return
    first, places = doubts[0], [place for doubt in doubts for place in doubt.places]
    named = (
        f" {len(places)} entries ({join_names(list(map(shown_place, places)), TOLD)}) are not trusted."
        if places
        else ""
    )
    if key is None:
        step = "Give the site_key (FCD_SITE_KEY) that it is signed with."
    elif all(doubt.never_signed for doubt in doubts):
        step = f"If nobody else can have written it, sign it: {SIGN_IT}. First review the list that it shows in check "
        step += "mode (--check)."
    else:
        step = "Find out who wrote it, and restore the last correct version. After a change of the key, sign it again: "
        step += f"{SIGN_IT}, and give the former key as previous_key (FCD_PREVIOUS_SITE_KEY). With discard: true "
        step += "(-e provision_discard=true) the site forgets the entries that are not trusted."
    raise InvalidInput(
        f"registry: {first.text} is {first.why}.{named} Nothing was done.",
        next_step=step,
        option="registry",
        documents=[{"place": doubt.text, "why": doubt.why} for doubt in doubts],
        entries=[{"kind": kind, "name": name} for kind, name in places],
    )


def proof_of(task: Task, owner: str, key: SiteKey | None, texts: t.Sequence[str]) -> RegistryProof:
    """Return the proof for a registry; ``texts`` say where it is."""
    storage = [str(task.settings.get(name) or "") for name in ("storage_base", "storage_user")]
    return RegistryProof(key, owner, os.path.join(task.state_dir, "seen"), [*storage, *texts])
