# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secret and personal values, hidden in results and differences.

National IDs (pesel) are only shown if requested; passwords, tokens and the like never. It is not known which types hold
them, so every member with such a name counts, on any level.
"""

from __future__ import annotations

import itertools
import typing as t

from .._connection.task import Params, Task
from .._core.errors import InvalidInput
from .._core.text import HIDDEN, HIDDEN_CHANGED, fold, names_a_secret
from .._core.type_aliases import JsonObject

NATIONAL_ID = "pesel"
SHOW = "show_pesel"
HARMLESS = frozenset(("code",))  # in answers and records: the code of a street, a country, a service, a currency


def hide_personal(task: Task, params: Params, value: object) -> t.Any:
    """Return the value with secret and personal texts and numbers hidden."""
    mapped = task.settings["soap_member_map"] or {}
    ids = {fold(member) for name, member in mapped.items() if fold(name.rpartition(".")[2]) == NATIONAL_ID}

    def hides(key: str) -> bool:
        word = fold(key)
        if word in ids or NATIONAL_ID in word:
            return not params.get(SHOW)
        return word not in HARMLESS and names_a_secret(key)

    return _hide(value, hides)


def _hide(value: object, hides: t.Callable[[str], bool], key: str = "") -> object:
    """Return the value of a key; texts in a list are shown."""
    if isinstance(value, list):
        return [_hide(entry, hides) for entry in value]
    if isinstance(value, dict):
        return {name: _hide(entry, hides, name) for name, entry in value.items()}
    is_text = key and value is not None and not isinstance(value, bool)
    return HIDDEN if is_text and hides(key) else value


def without_secrets(task: Task, value: object) -> t.Any:
    """Return the value with passwords, tokens and national ids hidden on every level."""
    return hide_personal(task, {}, value)


def diff_without_secrets(task: Task, before: JsonObject, after: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return both sides of a diff; hidden values that differ say so. ``members`` would repeat them."""
    sides = [{name: value for name, value in side.items() if name != "members"} for side in (before, after)]
    old, new = (without_secrets(task, side) for side in sides)
    return old, _mark_changes(new, sides[0], sides[1])


def _mark_changes(shown: t.Any, before: t.Any, after: t.Any) -> t.Any:
    if isinstance(shown, dict):
        known = before if isinstance(before, dict) else {}
        return {name: _mark_changes(value, known.get(name), after[name]) for name, value in shown.items()}
    if isinstance(shown, list):
        same_place = itertools.chain(before if isinstance(before, list) else (), itertools.repeat(None))
        return list(map(_mark_changes, shown, same_place, after))
    return HIDDEN_CHANGED if shown == HIDDEN and after not in (before, HIDDEN) else shown


def find_secrets(
    value: object, harmless: t.Container[str] = (), path: str = "", *, secret: bool = False
) -> t.Iterator[tuple[str, object]]:
    """Yield path and value of all texts and numbers whose names say that they are secret, except ``harmless`` ones."""
    if isinstance(value, t.Mapping):
        for key, entry in value.items():
            inside = secret or (names_a_secret(str(key)) and fold(str(key)) not in harmless)
            yield from find_secrets(entry, harmless, f"{path}.{key}".lstrip("."), secret=inside)
    elif isinstance(value, (list, tuple)):
        for number, entry in enumerate(value):
            yield from find_secrets(entry, harmless, f"{path}[{number}]", secret=secret)
    elif secret and value not in (None, "") and not isinstance(value, bool):
        yield path, value


def result_holds_secrets(result: object) -> bool:
    """Whether a result has a password, a token, a code for verification or a national id in it."""
    return any(find_secrets(result, HARMLESS))


def merge_secrets(plain: object, secret: object, path: str) -> t.Any:
    """Return both, with dictionaries merged on every level; the two may spell the name of a member differently.

    Secret values take precedence. Raises InvalidInput, with the ``path`` of the secret, for a dictionary where the
    other has a plain value.
    """
    if plain is None or not isinstance(secret, t.Mapping):
        return secret
    if not isinstance(plain, t.Mapping):
        option = path.partition(".")[0]
        raise InvalidInput(f"{path}: there is a plain value in the same place.", option=option)
    joined = dict(plain)
    for key, value in secret.items():
        same = [key] if key in plain else [name for name in plain if fold(str(name)) == fold(str(key))]
        name = same[0] if len(same) == 1 else key
        joined[name] = merge_secrets(joined.get(name), value, f"{path}.{key}")
    return joined
