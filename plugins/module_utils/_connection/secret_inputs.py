# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs and results of operations that are called by name: which of them are secret, by the names of their members."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.text import fold, leaf_texts, names_a_secret
from .._core.type_aliases import JsonMapping, JsonObject
from .task import Task

HARMLESS = frozenset(("code",))  # in answers and records: the code of a street, a country, a service, a currency


def join_inputs(task: Task, inputs: JsonMapping, secret_inputs: JsonMapping) -> JsonObject:
    """Return all inputs, secret ones taking precedence. Raises InvalidInput for a secret among the others."""
    exposed = list(find_secrets(inputs))
    task.redactor.add(*leaf_texts(secret_inputs), *(str(value) for _path, value in exposed))
    if exposed:
        raise InvalidInput(
            f"inputs: {exposed[0][0]} is a secret, by its name.",
            next_step="Put it into secret_inputs, so that it is not logged.",
            option="inputs",
            path=exposed[0][0],
        )
    joined: JsonObject = merge_secrets(inputs, secret_inputs, "secret_inputs")
    return joined


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
