# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that REST resources share: names and texts that the service takes, and references by number or label."""

from __future__ import annotations

import typing as t

from .._connection.task import Params
from .._core.errors import InvalidInput
from .._core.text import number_in, shortened
from .._engine.labels import resolve
from .reference_names import INSTANCE

if t.TYPE_CHECKING:
    from .instance.instance_records import InstanceSearch
    from .rest_search import RestSearch

GRACE: dict[str, dict[str, t.Any]] = {"create_grace": {"type": "float", "default": 30.0}}
NUMBER: dict[str, dict[str, t.Any]] = {"id": {"type": "int"}}
NAME_REFUSED, TEXT_REFUSED = "/\\|<>%", "/"  # letters; wire-facts 5.3, 6 and 7, infrastructure facts a.8

Named = t.Dict[str, t.Any]


def check_name(name: str | None, longest: int, *, any_letters: bool = False, option: str = "name") -> None:
    """Raise InvalidInput for a name that the service cannot take."""
    if name is None:
        return
    if name and not name.strip():
        raise InvalidInput(f"{option}: there are only blanks in it.", option=option)
    if not 1 <= len(name) <= longest:
        raise InvalidInput(
            f"{option}: it has {len(name)} characters, allowed are 1 to {longest}.",
            option=option,
        )
    if not any_letters:
        check_letters(name, NAME_REFUSED, option)


def check_letters(text: str | None, refused: str, option: str) -> None:
    """Raise InvalidInput for a text with letters that the service refuses there."""
    wrong = [letter for letter in refused if letter in (text or "")]
    if not wrong:
        return
    several = f"one of the characters {' '.join(refused)}, namely" if len(refused) > 1 else "the character"
    raise InvalidInput(
        f"{option}: {shortened(str(text))!r} has {several} {' '.join(wrong)}.",
        next_step="The service takes none of them there."
        if len(refused) > 1
        else "The service does not take it there.",
        option=option,
    )


def check_not_empty(params: Params, *options: str) -> None:
    """Raise InvalidInput for texts without anything in them."""
    for option in options:
        if params.get(option) is not None and not str(params[option]).strip():
            raise InvalidInput(f"{option}: the text is empty.", option=option)


def require_options(params: Params, kind: str, name: str, options: t.Sequence[str]) -> None:
    """Raise InvalidInput for options that a create needs and that were not given."""
    missing = [option for option in options if params.get(option) is None]
    if missing:
        raise InvalidInput(
            f"There is no {kind} {name!r}, and to create it this is missing: {', '.join(missing)}.",
            next_step="Give all of them, or check the name.",
            options=missing,
        )


def chosen_item(
    given: t.Any, present: Named | None, items: t.Callable[[], t.Sequence[Named]], option: str, where: str
) -> Named:
    """Return ``{id, label}`` for a number or a label; what the object has already costs no request.

    ``items`` reads all there are. Raises InvalidInput with the nearest labels, or for one that is not active, as
    subregions may be; or Ambiguous.
    """
    text = str(given).strip()
    if present is not None and text in (str(present["id"]), present["label"]):
        return present
    entries = items()
    labels = [(entry["Id"], str(entry.get("Label") or entry.get("Name"))) for entry in entries]
    number = resolve(text, labels, option=option, where=where)
    _require_active(number, entries, labels, option)
    return {"id": number, "label": dict(labels)[number]}


def _require_active(number: int, entries: t.Sequence[Named], labels: t.Sequence[tuple[int, str]], option: str) -> None:
    idle = {entry["Id"] for entry in entries if entry.get("IsActive") is False}
    if number in idle:
        active = [label for one, label in labels if one not in idle]
        raise InvalidInput(
            f"{option}: {dict(labels)[number]} ({number}) is not active.",
            next_step=f"Active are: {', '.join(active)}." if active else "None is active.",
            option=option,
        )


def instance_of(search: RestSearch, given: t.Any, option: str, present: t.Sequence[Named] = ()) -> Named:
    """Return ``{id, label}`` for an instance, given by number or name; one of ``present`` costs no request.

    Raises InvalidInput when there is none, Ambiguous when several bear the name.
    """
    text = str(given).strip()
    for one in present:
        if text in (str(one["id"]), one["label"]):
            return one
    record = required_instance(search, text, option)
    return {"id": record["id"], "label": record["name"]}


def required_instance(search: RestSearch, text: str, option: str) -> dict[str, t.Any]:
    """Return the record of an instance, given by number or name; a new one may be missing in the list.

    Raises InvalidInput when there is none or it is still being made, Ambiguous when several bear the name.
    """
    record = instance_if_any(search, text)
    if record is None:
        raise no_instance(text, option)
    return record


def no_instance(text: str, option: str) -> InvalidInput:
    """Return the error for an instance that is not there."""
    return InvalidInput(
        f"{option}: there is no instance {shortened(text.strip())!r}.",
        next_step="Check the name, or give the number.",
        option=option,
    )


def instance_if_any(search: RestSearch, text: str) -> dict[str, t.Any] | None:
    """Return the same, None when there is none."""
    from .instance.instance_records import InstanceSearch

    instances, number = InstanceSearch(search.api), number_in(text)
    record = _named(instances, text) if number is None else instances.by_id(number)
    if record is not None:
        search.names.know(INSTANCE, [{"Id": record["id"], "Name": record["name"]}])
    return record


def _named(search: InstanceSearch, name: str) -> dict[str, t.Any] | None:
    from .instance.instance_records import only_instance

    found = only_instance(name, search.by_names([name], name)[name]) if name else None
    if found is not None or not name:
        return found
    from .instance.instance_acts import unlisted

    return unlisted(search, name)
