# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs of any operation as a user gives them: plain ones, and secret ones that nobody may see."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.names import fold, names_a_secret
from .._session.task import Task

Inputs = t.Mapping[str, t.Any]


def taken(task: Task, inputs: Inputs, secret_inputs: Inputs) -> dict[str, t.Any]:
    """Return all inputs together, the secret ones over the others. Raises InvalidInput for a secret in the open."""
    for text in _texts(secret_inputs):
        task.redactor.add(text)
    exposed = list(secrets_in(inputs))
    for _path, value in exposed:
        task.redactor.add(str(value))
    if exposed:
        raise InvalidInput(
            f"inputs: {exposed[0][0]} is a secret, by its name.",
            next_step="Put it into secret_inputs, so that it is not logged.",
            option="inputs",
            path=exposed[0][0],
        )
    return _merged(inputs, secret_inputs)


def secrets_in(value: t.Any, path: str = "", *, secret: bool = False) -> t.Iterator[tuple[str, t.Any]]:
    """Yield path and value of all texts and numbers whose name says that they are secret."""
    if isinstance(value, t.Mapping):
        for key, entry in value.items():
            yield from secrets_in(entry, f"{path}.{key}" if path else str(key), secret=names_a_secret(str(key)))
    elif isinstance(value, (list, tuple)):
        for number, entry in enumerate(value):
            yield from secrets_in(entry, f"{path}[{number}]", secret=secret)
    elif secret and value not in (None, "") and not isinstance(value, bool):
        yield path, value


def holds_secrets(result: t.Any) -> bool:
    """Whether a result has a password, a token, a code for verification or a national id in it.

    A member that is only called ``code`` is none there: services and offices have one.
    """
    return any(fold(path.rpartition(".")[2]) != "code" for path, _value in secrets_in(result))


def _texts(value: t.Any) -> t.Iterator[str]:
    if isinstance(value, t.Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for entry in value:
            yield from _texts(entry)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _merged(below: Inputs, above: Inputs) -> dict[str, t.Any]:
    """Return both, dictionaries joined on every level; the names of a member may be spelled differently in the two."""
    out = dict(below)
    for key, value in above.items():
        same = [name for name in below if name == key] or [name for name in below if fold(str(name)) == fold(str(key))]
        name = same[0] if len(same) == 1 else key
        both = isinstance(value, t.Mapping) and isinstance(out.get(name), t.Mapping)
        out[name] = _merged(out[name], value) if both else value
    return out
