# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets of entries: which texts no run may show, and fields that are hidden whatever is in them.

A text is hidden wherever it turns up, which would garble a plan when the text is an ordinary word. So a secret that
came from a lookup or a vault and is a word which the site file shows anyway is hidden only as the value of a field.
"""

from __future__ import annotations

import typing as t

from ...module_utils._core.text import HIDDEN, HIDDEN_CHANGED, leaf_texts, secret_option_values
from .model import KINDS, Declaration

OF_CONTENT = ("etag", "size")
"""Fields that tell of the option ``content``, which is no field itself."""

Side = t.Dict[str, t.Any]


def secret_texts(declaration: Declaration) -> t.Iterator[str]:
    """Yield the texts that must not be shown anywhere."""
    public = "\0".join(_public_texts(declaration))
    for entry in declaration.entries:
        specs = entry.of.operation().options
        yield from secret_option_values(specs, entry.given)
        for name in entry.secrets:
            yield from (text for text in leaf_texts(entry.given.get(name)) if text not in public)


def _public_texts(declaration: Declaration) -> t.Iterator[str]:
    """Yield the texts that the file and its form show in clear."""
    yield from (declaration.site, declaration.environment or "", *leaf_texts(dict(declaration.registry)), *KINDS)
    for kind in {entry.kind for entry in declaration.entries}:
        for name, option in KINDS[kind].operation().options.items():
            yield from (name, *map(str, option.get("choices", ())))
    for entry in declaration.entries:
        yield from (entry.name, entry.key)
        for name, value in entry.given.items():
            if name not in entry.secrets:
                yield from leaf_texts(value)


def hidden_names(kind: str, secrets: t.Collection[str]) -> set[str]:
    """Return the fields that are hidden whatever is in them, by the options that are secret, with what follows them.

    An ID hides its object.
    """
    names = {*secrets, *(option.removesuffix("_id") for option in secrets)}
    follow = [one for item in KINDS[kind].operation().fields if item.name in names for one in item.follows]
    return names.union(follow, OF_CONTENT if "content" in names else ())


def with_hidden_fields(kind: str, secrets: t.Collection[str], before: Side, after: Side) -> tuple[Side, Side]:
    """Return both sides of a change without the values of secret options; what is hidden and differs says so."""
    old, new = dict(before), dict(after)
    for name in hidden_names(kind, secrets):
        differs = old.get(name) is not None and old[name] != new.get(name)
        old.update(_hidden(old, name, HIDDEN))
        new.update(_hidden(new, name, HIDDEN_CHANGED if differs else HIDDEN))
    return old, new


def _hidden(side: Side, name: str, shown: str) -> Side:
    """Return the field as it is shown; nothing for one that is not there, has no value, or is hidden already."""
    return {} if side.get(name) in (None, HIDDEN, HIDDEN_CHANGED) else {name: shown}
