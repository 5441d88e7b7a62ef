# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The schema documents of a WSDL to the type table of the contract.

Read from the documents and not from zeep's types: in zeep 4.3.3 a type that extends a base and can reach itself
(User -> Client -> User) loses inherited members in some places. Attributes and ``xs:any`` are left
out.

A type that cannot be understood does not affect others: a member of such a type is open data (``xs:anyType``), which is
enough for an answer, and ``unclear`` reports it if a message has to be written.
"""

from __future__ import annotations

import typing as t

from .contract import ANY, NOTHING, local

XSD = "http://www.w3.org/2001/XMLSchema"
MOST_FIELDS = 50_000

_KINDS = ("complexType", "simpleType", "element", "group")
_GROUPS = ("sequence", "all", "choice")


class SchemaProblem(Exception):
    """Something in the schema documents cannot be understood; the text says what, and starts with "it"."""


class TooLarge(SchemaProblem):
    """The schema documents contain more than any service needs."""


def schema_tag(name: str) -> str:
    """Return the name of an element of XML Schema."""
    return f"{{{XSD}}}{name}"


def qualified(node: t.Any, text: str) -> str:
    """Return ``prefix:name``, a value in the scope of ``node``, as ``{namespace}name``. Raises SchemaProblem."""
    prefix, _colon, name = text.strip().rpartition(":")
    if prefix and prefix not in node.nsmap:
        raise SchemaProblem(f"the prefix of {text!r} is not declared")
    namespace = node.nsmap.get(prefix or None)
    return f"{{{namespace}}}{name}" if namespace else name


class _Bounds(t.NamedTuple):
    """What the particles around an element say: whether it may be missing, and whether it may repeat."""

    optional: bool = False
    repeated: bool = False

    def within(self, node: t.Any) -> _Bounds:
        most = node.get("maxOccurs", "1")
        optional = self.optional or node.get("minOccurs") == "0" or node.tag == schema_tag("choice")
        return _Bounds(optional, self.repeated or most == "unbounded" or int(most) > 1)


class SchemaReader:
    """All schema documents together; types are compiled when something refers to them."""

    def __init__(self, roots: t.Iterable[t.Any]) -> None:
        self._nodes: dict[str, dict[str, t.Any]] = {kind: {} for kind in _KINDS}
        self._types: dict[str, dict[str, t.Any]] = {}
        self._problems: dict[str, str] = {}  # by the keys of the types that cannot be understood
        self._unnamed: dict[t.Any, str] = {}  # keys by node: lxml keeps one object for it as long as it is used
        self._waiting: list[tuple[str, t.Any]] = []
        self._count = 0
        for root in roots:
            for schema in root.iter(schema_tag("schema")):
                self._index(schema)

    def _index(self, schema: t.Any) -> None:
        namespace = schema.get("targetNamespace")
        for node in schema:
            kind, name = local(node.tag), node.get("name")
            if kind in _KINDS and name:
                self._nodes[kind].setdefault(f"{{{namespace}}}{name}" if namespace else name, node)

    def element(self, name: str) -> str:
        """Return the type key of a global element. Raises SchemaProblem."""
        return self._type_of(self._find("element", name))

    def types(self) -> dict[str, t.Any]:
        """Return the type table with every named type: an answer may state one that no element has.

        The types that cannot be understood are not in it. Raises TooLarge.
        """
        for kind in ("complexType", "simpleType"):
            for name in self._nodes[kind]:
                self._key(name)
        while self._waiting:
            key, node = self._waiting.pop()
            self._tried(self._compile, key, node)
        for key in self._types:
            self._tried(self._check, key)
        return {key: self._finished(key) for key in self._types if key not in self._problems}

    def unclear(self, key: str, path: str) -> str:
        """Return what is not understood of a message of this type, which is called ``path``; empty if everything is.

        Call it after ``types``.
        """
        seen: set[str] = set()
        waiting = [(key, path)] if self._problems else []
        while waiting:
            key, path = waiting.pop(0)
            if key in self._problems:
                return f"{path} cannot be understood: {self._problems[key]}"
            if key not in seen and "fields" in self._types.get(key, {}):
                seen.add(key)
                waiting += [(kind, f"{path}.{name}") for name, _element, kind, *_flags in self._all_fields(key)]
        return ""

    def _tried(self, step: t.Callable[..., None], key: str, *given: t.Any) -> None:
        """Do what is needed for a type, and note why if it cannot be understood."""
        try:
            step(key, *given)
        except TooLarge:
            raise
        except SchemaProblem as exc:
            self._problems.setdefault(key, str(exc))

    def _find(self, kind: str, name: str) -> t.Any:
        node = self._nodes[kind].get(name)
        if node is None:
            raise SchemaProblem(f"it refers to the {kind} {name}, which none of its documents defines")
        return node

    def _key(self, name: str) -> str:
        """Return the key of a named type, and have it compiled."""
        if name.startswith(schema_tag("")):
            return f"xs:{local(name)}"
        if name not in self._types:
            self._tried(self._define, name)
        return name

    def _define(self, name: str) -> None:
        node = self._nodes["complexType"].get(name)
        self._later(name, self._find("simpleType", name) if node is None else node)

    def _later(self, key: str, node: t.Any) -> None:
        self._types[key] = {}  # types are recursive: known before it is compiled
        self._waiting.append((key, node))

    def _inline(self, node: t.Any) -> str:
        """Return the key of a type without a name, the same wherever its element or group is referred to."""
        if node not in self._unnamed:
            self._unnamed[node] = f"#{len(self._unnamed) + 1}"
            self._later(self._unnamed[node], node)
        return self._unnamed[node]

    def _compile(self, key: str, node: t.Any) -> None:
        self._types[key] = self._simple(node) if node.tag == schema_tag("simpleType") else self._complex(node)

    def _check(self, key: str) -> None:
        """Raise SchemaProblem for a type that is not understood because of its names or its base types."""
        has_fields = "fields" in self._types[key]
        for link in self._chain(key, "inherits" if has_fields else "of"):
            if link in self._problems:
                raise SchemaProblem(self._problems[link])
        words = [word for field in self._all_fields(key) for word in field[:3]] if has_fields else []
        if any(not word or len(word.split()) != 1 for word in words):
            raise SchemaProblem("its name contains a space")

    def _type_of(self, node: t.Any) -> str:
        if node.get("type"):
            return self._key(qualified(node, node.get("type")))
        inline = [child for child in node if child.tag in (schema_tag("complexType"), schema_tag("simpleType"))]
        return self._inline(inline[0]) if inline else ANY

    # -- simple types

    def _simple(self, node: t.Any) -> dict[str, t.Any]:
        """Compile a simple type: a restriction is what it restricts, a list is words, a union is text."""
        restriction = node.find(schema_tag("restriction"))
        if restriction is None:
            return {"simple": "list" if node.find(schema_tag("list")) is not None else "string"}
        base, inline = restriction.get("base"), restriction.find(schema_tag("simpleType"))
        words = [child.get("value") for child in restriction.findall(schema_tag("enumeration"))]
        entry: dict[str, t.Any] = {"of": self._key(qualified(restriction, base)) if base else ANY}
        if not base and inline is not None:
            entry["of"] = self._inline(inline)
        return {**entry, "enum": words} if words else entry

    def _finished(self, key: str) -> t.Any:
        """Return a type as the contract keeps it."""
        entry = self._types[key]
        if "fields" in entry:
            base = "" if entry["base"] in self._problems else entry["base"]
            fields = self._all_fields(key)  # a member of a type that is not understood is open data
            return _written(
                base, [[*each[:2], ANY, *each[3:]] if each[2] in self._problems else each for each in fields]
            )
        chain = self._chain(key, "of")
        last = chain[-1]
        simple = last[3:] if last.startswith("xs:") else self._types[last].get("simple", "string")
        words = [self._types[link]["enum"] for link in chain if self._types.get(link, {}).get("enum")]
        return {"simple": simple, "enum": words[0]} if words else {"simple": simple}

    def _chain(self, key: str, link: str) -> list[str]:
        """Return the key and all keys that it is derived from, by the entry called ``link``."""
        chain = [key]
        while self._types.get(chain[-1], {}).get(link):
            chain.append(self._types[chain[-1]][link])
            if len(set(chain)) < len(chain):
                raise SchemaProblem(f"it is the type {key}, which is derived from itself")
        return chain

    # -- complex types

    def _complex(self, node: t.Any) -> dict[str, t.Any]:
        content = [child for child in node if child.tag in (schema_tag("complexContent"), schema_tag("simpleContent"))]
        if not content:
            return {"fields": self._particles(node, _Bounds()), "base": "", "inherits": ""}
        derivation = [each for each in content[0] if each.tag in (schema_tag("extension"), schema_tag("restriction"))]
        if not derivation:
            raise SchemaProblem(f"it is the type {node.get('name')}, whose content is not derived from a type")
        base = self._key(qualified(derivation[0], derivation[0].get("base", "")))
        if content[0].tag == schema_tag("simpleContent"):
            return {"of": base}
        known = "" if base == ANY else base
        inherits = known if derivation[0].tag == schema_tag("extension") else ""
        return {"fields": self._particles(derivation[0], _Bounds()), "base": known, "inherits": inherits}

    def _all_fields(self, key: str) -> list[list[t.Any]]:
        chain = reversed(self._chain(key, "inherits"))
        return [field for link in chain for field in self._types[link].get("fields", [])]

    def _particles(self, node: t.Any, bounds: _Bounds) -> list[list[t.Any]]:
        """Return the members below a sequence, all, choice or group."""
        found: list[list[t.Any]] = []
        for child in node:
            if child.get("maxOccurs") == "0":
                continue
            if child.tag == schema_tag("element"):
                found.append(self._field(child, bounds))
            elif child.tag == schema_tag("group"):
                group = self._find("group", qualified(child, child.get("ref", "")))
                found += self._particles(group, bounds.within(child))
            elif local(child.tag) in _GROUPS:
                found += self._particles(child, bounds.within(child))
            self._count += 1
            if self._count > MOST_FIELDS:
                raise TooLarge(f"its types have more than {MOST_FIELDS} members")
        return found

    def _field(self, node: t.Any, around: _Bounds) -> list[t.Any]:
        name, element, bounds = node.get("name"), "", around.within(node)
        if node.get("ref"):
            element = qualified(node, node.get("ref"))
            if element.startswith(schema_tag("")):  # the published form of a DataSet
                raise SchemaProblem("it is a data set, which carries its schema in the data, so the WSDL lacks it")
            node, name = self._find("element", element), local(element)
        else:
            schema = next(node.iterancestors(schema_tag("schema")))
            form = node.get("form") or schema.get("elementFormDefault")
            namespace = schema.get("targetNamespace")
            element = f"{{{namespace}}}{name}" if form == "qualified" and namespace else name
        nillable = node.get("nillable") in ("true", "1")
        alone = bounds.optional and not around.optional  # not one of a choice, nor of a group that may be missing
        defaulted = alone and not bounds.repeated and not nillable and node.get("default") is None
        return [name, element, self._type_of(node), not bounds.optional, bounds.repeated, nillable, defaulted]


def _written(base: str, fields: t.Iterable[t.Sequence[t.Any]]) -> str:
    """Write a complex type as words (see contract.py)."""
    words, namespace = [base or NOTHING], ""
    for name, element, key, *flags in fields:
        here = element[: len(element) - len(name)]
        words += [name, "." if here == namespace else element, key, "".join("1" if flag else "0" for flag in flags)]
        namespace = here
    return " ".join(words)
