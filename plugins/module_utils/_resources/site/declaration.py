# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site file and its environments, as read, become a declaration; all that is wrong is told together."""

from __future__ import annotations

import os
import re
import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import did_you_mean, quoted
from ..site_ownership.registry_names import owner_name
from .checks import about, check_container_name, check_entry, check_together
from .digest import digest_of
from .drafts import Draft, Reader, drafts_of
from .entries import Declaration, Entry, Place
from .kinds import FOUNDATIONS, REST
from .mistakes import Mistakes
from .overlays import combined, described, layer_of
from .references import Links, Register, cycles
from .shape import REGISTRY, SITE, words_of
from .sources import Source, Table
from .stand_ins import put_back, stand_ins


def declared(documents: t.Sequence[Table], reader: Reader, environment: str | None = None) -> Declaration:
    """Return what the first document declares with the others laid over it.

    Raises InvalidInput; ``errors`` in its details has all that is wrong.
    """
    mistakes = Mistakes()
    whole = combined([layer_of(document, reader.value, mistakes) for document in documents], mistakes)
    site = _site(whole.top, reader, mistakes)
    _check_environment(environment, documents[0].source, mistakes)
    registry = _registry(whole.top, reader, mistakes)
    drafts = drafts_of(whole, reader, mistakes)
    register = Register(draft for draft in drafts if draft.name)
    entries = [entry for draft in drafts for entry in _entry(draft, register, reader, mistakes)]
    entries = _in_stages(entries)
    _check_cycles(entries, mistakes)
    _check_absent(entries, mistakes)
    check_together(entries, mistakes)
    mistakes.told()
    digest = digest_of(site, environment, registry, entries, documents[0].source.folder)
    return Declaration(site, environment, registry, tuple(entries), digest)


def _site(top: Table, reader: Reader, mistakes: Mistakes) -> str:
    source = top.source_of("site")
    if top.get("site") is None:
        mistakes.note(top.source, "site is missing: the name of the whole, such as web-shop. It says who owns what.")
        return ""
    try:
        name = reader.whole(top["site"])
    except InvalidInput as error:
        mistakes.note(source, f"site: {error}")
        return ""
    if not isinstance(name, (str, int)) or not SITE.fullmatch(str(name)):
        shown = quoted(name) if isinstance(name, str) else described(name)
        hint = "lower-case letters, digits and hyphens, at most 63, and it begins with a letter or digit"
        mistakes.note(source, f"site: {shown} is no name of a site: {hint}.")
    return str(name)


def _check_environment(environment: str | None, source: Source, mistakes: Mistakes) -> None:
    """Note an environment that cannot be a part of who owns what, whatever the site is called."""
    try:
        owner_name("site", environment)
    except InvalidInput as error:
        mistakes.note(source._replace(line=None), str(error))


def _registry(top: Table, reader: Reader, mistakes: Mistakes) -> dict[str, str]:
    source = top.source_of("registry")
    try:
        given = reader.whole(top.get("registry"))
    except InvalidInput as error:
        mistakes.note(source, f"registry: {error}")
        return {}
    if given is None:
        return {}
    unknown = [key for key in given if key not in REGISTRY] if isinstance(given, dict) else []
    if unknown:
        mistakes.note(source, f"registry: there is no {unknown[0]!r} in it. {did_you_mean(unknown[0], REGISTRY)}")
    elif (
        not isinstance(given, dict)
        or len(given) != 1
        or not all(isinstance(one, str) and one for one in given.values())
    ):
        mistakes.note(source, "registry: either {container: name} or {path: file} is expected.")
    elif "path" in given:
        return {"path": os.path.join(source.folder, os.path.expanduser(given["path"]))}
    else:
        return _registry_container(given["container"], source, mistakes)
    return {}


def _registry_container(name: str, source: Source, mistakes: Mistakes) -> dict[str, str]:
    try:
        check_container_name(name)
    except InvalidInput as error:
        mistakes.note(source, f"registry: {error}")
    return {"container": name}


def _entry(draft: Draft, register: Register, reader: Reader, mistakes: Mistakes) -> t.Iterator[Entry]:
    """Yield the entry, if it is right."""
    links = Links(draft.of, register)
    given: dict[str, t.Any] = {}
    right = draft.right
    spec = words_of(draft.of).spec
    for name, value in draft.options.items():
        try:
            given[name] = links.option(name, spec[name], value)
        except InvalidInput as error:
            mistakes.append(draft.mistake(f"{name}: {error}", name))
            right = False
    if not right or not draft.name:
        return
    plain, places = stand_ins({**given, **draft.of.fixed})
    params, problems = reader.validated(draft.of, plain)
    if not problems:
        problems = check_entry(draft.of, params)
    mistakes.extend(draft.mistake(problem, _option_in(problem, given)) for problem in problems)
    if not problems:
        params = put_back(params, places)
        given = {name: params[name] for name in given}  # of the right types, whatever a template gave
        yield Entry(
            draft.kind, draft.key, draft.name, given, params, str(draft.source), tuple(links.refs), draft.of.stage
        )


def _option_in(problem: str, options: t.Iterable[str]) -> str | None:
    """Return the option that a message is about, the first that it names, for its line."""
    known = set(options)
    return next((word for word in re.findall(r"[a-z_]+", problem) if word in known), None)


def _in_stages(entries: list[Entry]) -> list[Entry]:
    """Return the entries with their stages: what refers to something of the rest is of the rest."""
    stages: dict[Place, str] = {entry.place: entry.stage for entry in entries}
    moved = True
    while moved:
        moved = False
        for entry in entries:
            if stages[entry.place] == FOUNDATIONS and any(stages.get(ref) == REST for ref in entry.refs):
                stages[entry.place] = REST
                moved = True
    return [entry._replace(stage=stages[entry.place]) for entry in entries]


def _check_cycles(entries: list[Entry], mistakes: Mistakes) -> None:
    by_place = {entry.place: entry for entry in entries}
    for circle in cycles({entry.place: entry.refs for entry in entries}):
        way = " -> ".join(f"{kind}.{name}" for kind, name in [*circle, circle[0]])
        msg = f"these refer to one another in a circle, so that none can be made first: {way}."
        mistakes.append(about(by_place[circle[0]], msg))


def _check_absent(entries: list[Entry], mistakes: Mistakes) -> None:
    """Note entries that need what is declared to be gone."""
    gone = {entry.place for entry in entries if entry.absent}
    for entry in entries if gone else ():
        for ref in () if entry.absent else entry.refs:
            if ref in gone:
                msg = f"it refers to {ref[0]}.{ref[1]}, which has state absent. Leave one of them out."
                mistakes.append(about(entry, msg))
