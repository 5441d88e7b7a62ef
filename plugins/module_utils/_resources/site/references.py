# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""References between entries: ``{ref: kind.key}``, and names of other entries where a module takes names."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import did_you_mean
from .entries import Number, Place
from .kinds import KINDS, NAME, Kind, Target

REF = "ref"
Spec = t.Mapping[str, t.Any]
_SINGLE = ("int", "str")


class Named(t.Protocol):
    """What can be referred to: a declared entry with its options, not checked yet."""

    @property
    def kind(self) -> str:
        """Name of its kind."""

    @property
    def key(self) -> str:
        """Its label."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def options(self) -> dict[str, t.Any]:
        """What is declared of it."""

    @property
    def place(self) -> Place:
        """Kind and name."""


class Register:
    """All declared entries, by key and by name."""

    def __init__(self, entries: t.Iterable[Named]) -> None:
        self._keys: dict[str, dict[str, Named]] = {name: {} for name in KINDS}
        self._names: dict[str, dict[str, Named]] = {name: {} for name in KINDS}
        for entry in entries:
            self._keys[entry.kind].setdefault(entry.key, entry)
            self._names[entry.kind].setdefault(entry.name, entry)

    def called(self, kind: str, label: str) -> Named | None:
        """Return the entry that has the name or else the key."""
        return self._names[kind].get(label) or self._keys[kind].get(label)

    def meant(self, reference: t.Any) -> Named:
        """Return the entry behind the value of ``ref``. Raises InvalidInput."""
        kind, _dot, key = str(reference).partition(".")
        if not isinstance(reference, str) or not key:
            raise InvalidInput("ref: write it as kind.key, such as ip_addresses.web.")
        if kind not in KINDS:
            raise InvalidInput(f"ref: there is no kind {kind!r}. {did_you_mean(kind, KINDS)}")
        found = self._keys[kind].get(key) or self._names[kind].get(key)
        if found is None:
            raise InvalidInput(f"ref: there is no {key!r} in {kind}. {did_you_mean(key, self._keys[kind])}")
        return found


class Links:
    """Resolves the references of one entry and collects what it refers to."""

    def __init__(self, kind: Kind, register: Register) -> None:
        self._kind = kind
        self._register = register
        self.refs: dict[Place, None] = {}

    def option(self, name: str, spec: Spec, value: t.Any) -> t.Any:
        """Return the value of an option, references resolved. Raises InvalidInput."""
        return self._value(spec, value, self._kind.references.get(name))

    def _value(self, spec: Spec, value: t.Any, target: Target | None) -> t.Any:
        kind = spec.get("type", "str")
        if kind in _SINGLE and isinstance(value, dict) and set(value) == {REF}:
            found = self._register.meant(value[REF])
            if target is not None and found.kind != target.kind:
                raise InvalidInput(f"ref: this is one of {found.kind}; one of {target.kind} belongs here.")
            return self._of(found, kind, target)
        if kind == "list" and isinstance(value, list):
            inside = {"type": spec.get("elements", "raw"), "options": spec.get("options")}
            return [self._value(inside, entry, target) for entry in value]
        if kind == "dict" and spec.get("options") and isinstance(value, dict):
            known = spec["options"]
            return {name: self._value(known.get(name, {"type": "raw"}), entry, None) for name, entry in value.items()}
        if target is not None and isinstance(value, (str, int)) and not isinstance(value, bool):
            return self._labelled(value, kind, target)
        return value

    def _labelled(self, value: str | int, kind: str, target: Target) -> t.Any:
        """Return what the module takes for a label that may be that of an entry; others are at the service already."""
        found = self._register.called(target.kind, str(value).strip())
        if found is None:
            return value
        if kind == "int":  # a number that is declared as such
            self.refs[found.place] = None
            return value
        return self._of(found, kind, target)

    def _of(self, found: Named, kind: str, target: Target | None) -> t.Any:
        self.refs[found.place] = None
        identity = KINDS[found.kind].identity_of(found.options)
        if target is not None and target.by == NAME and kind == "str" and "name" in identity:
            return identity["name"]
        number = found.options.get("id")
        if number is not None:
            return str(number) if kind == "str" else number
        if kind == "str" and "address" in identity and target is not None:
            return identity["address"]
        if "id" not in KINDS[found.kind].options():
            raise InvalidInput(f"ref: {found.kind} have no number that could stand here. Write the name.")
        return Number(found.kind, found.name, kind == "str")


def cycles(refs: t.Mapping[Place, t.Sequence[Place]]) -> list[list[Place]]:
    """Return the circles in which entries refer to one another, each once and beginning with its first by name."""
    done: set[Place] = set()
    found: dict[tuple[Place, ...], None] = {}
    for start in refs:
        stack: list[tuple[Place, t.Iterator[Place]]] = [] if start in done else [(start, iter(refs[start]))]
        way = [place for place, _rest in stack]
        while stack:
            following = next(stack[-1][1], None)
            if following is None:
                done.add(stack.pop()[0])
                way.pop()
            elif following in way:
                circle = way[way.index(following) :]
                first = circle.index(min(circle))
                found[tuple(circle[first:] + circle[:first])] = None
            elif following not in done:
                stack.append((following, iter(refs.get(following, ()))))
                way.append(following)
    return [list(circle) for circle in found]
