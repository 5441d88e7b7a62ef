# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry keeps of the last apply of an entry, as one text: digests, and no value."""

from __future__ import annotations

import hashlib
import typing as t

SECRET_MARK = "!"  # noqa: S105 - marks the name of one


class AppliedNote(t.NamedTuple):
    """What is known of the last apply of an entry.

    ``declared`` has a digest of each option as it was sent, ``left`` one of each field as the service had it in the
    end. That of a secret begins with the name of the key that it was made with. ``secrets`` are the names of options
    that were secret. ``parts`` has digests of the members and items inside an option, but for secret ones.
    """

    salt: str
    declared: t.Mapping[str, str]
    left: t.Mapping[str, str] = {}
    secrets: frozenset[str] = frozenset()
    parts: t.Mapping[str, frozenset[str]] = {}

    @classmethod
    def read(cls, text: str | None) -> AppliedNote | None:
        """Return what a text of the registry says, None for one that says nothing; unknown words of it do not count."""
        if not text:
            return None
        salt, *words = text.split(" ")
        pairs = {sign: [word.partition(sign) for word in words if sign in word] for sign in ":=~"}
        declared, left, parts = ({name: digest for name, _sign, digest in pairs[sign]} for sign in ":=~")
        hushed = frozenset(word[1:] for word in words if word.startswith(SECRET_MARK))
        return cls(salt, declared, left, hushed, {name: frozenset(one.split(",")) for name, one in parts.items()})

    def __str__(self) -> str:
        """Return the text for the registry."""
        declared = [f"{name}:{one}" for name, one in sorted(self.declared.items())]
        left = [f"{name}={one}" for name, one in sorted(self.left.items())]
        parts = [f"{name}~{','.join(sorted(one))}" for name, one in sorted(self.parts.items())]
        hushed = (f"{SECRET_MARK}{name}" for name in sorted(self.secrets))
        return " ".join([self.salt, *declared, *left, *parts, *hushed])

    def edited(self, now: AppliedNote) -> frozenset[str] | None:
        """Return the options that were edited since, None where the registry has no digests of options."""
        if not self.declared:
            return None
        names = {*self.declared, *now.declared} - self.unknown(now)
        return frozenset(name for name in names if self.declared.get(name) != now.declared.get(name))

    def shrunk(self, now: AppliedNote) -> frozenset[str]:
        """Return the options that are still declared, with a member or an item less."""
        both = self.parts.keys() & now.declared.keys()
        return frozenset(name for name in both if self.parts[name] - now.parts.get(name, frozenset()))

    def unknown(self, now: AppliedNote) -> frozenset[str]:
        """Return the options of which nobody can tell: all without digests, else those with that of another key."""
        if not self.declared:
            return frozenset(now.declared)
        both = self.declared.keys() & now.declared.keys()
        return frozenset(name for name in both if _key_of(self.declared[name]) != _key_of(now.declared[name]))


def _key_of(digest: str) -> str:
    return digest.rpartition(".")[0]


def parts_inside(value: object, path: str = "") -> t.Iterator[str]:
    """Yield what a mapping or list consists of: the path of each member, and each item that is a plain value.

    Rules are told apart by what they match.
    """
    if isinstance(value, dict):
        for name, one in value.items():
            if one is not None:
                yield f"{path}.{name}"
                yield from parts_inside(one, f"{path}.{name}")
    elif isinstance(value, list):
        for one in value:
            matched = one.get("match", "") if isinstance(one, dict) else ""
            yield from parts_inside(one, f"{path}[{matched}]")
    elif path.endswith("[]"):
        yield f"{path}{value}"


def short_digest(salt: str, name: str, text: str) -> str:
    """Return a digest that says only, beside another one with this salt, whether it is of the same text."""
    return hashlib.sha256(f"{salt}\0{name}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
