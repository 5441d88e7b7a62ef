# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``storage_sync``, checked and parsed; headers for objects that match a pattern."""

from __future__ import annotations

import os
import re
import typing as t

from .._connection.options import WHOLE_SECONDS, OptionSpecs, check_least
from .._connection.task import Params
from .._core.errors import InvalidInput
from .._core.files import mode_of
from .._core.later import LATER
from .._core.type_aliases import JsonObject
from .api import Headers
from .features import Features
from .object_properties import HEADER_OPTIONS, object_headers
from .option_values import check_text, desired_metadata
from .properties import SEGMENT_OPTIONS, check_container, in_bytes, merge_metadata, segment_container
from .source_file import check_path
from .tree_merge import FOLLOW, REFUSE, SKIP, Filter, compile_patterns

RULE_OPTIONS: OptionSpecs = {
    "match": {"type": "str", "default": "**"},
    **{name: {"type": "str"} for name in HEADER_OPTIONS},
    "metadata": {"type": "dict"},
    "expires_in": {"type": WHOLE_SECONDS},
}


class DesiredHeaders(t.NamedTuple):
    """The desired headers of an object: texts by option, metadata by item, and the seconds until it expires."""

    texts: t.Mapping[str, str]
    metadata: t.Mapping[str, str]
    expires_in: int | None

    def headers(self) -> Headers:
        return object_headers(self.apply_to({}), {}, self.expires_in)

    def apply_to(self, record: JsonObject) -> JsonObject:
        """Return the record of an object with these values applied. An existing expiry stays."""
        after = {**record, **self.texts, "metadata": {**record.get("metadata", {}), **self.metadata}}
        if self.expires_in is not None and not record.get("expires_at"):
            after["expires_at"] = LATER
        return after

    @property
    def more_than_type(self) -> bool:
        """Whether anything is desired that a listing does not show."""
        return bool(self.metadata or self.expires_in or set(self.texts) - {"content_type"})

    def find_differences(self, record: JsonObject) -> list[str]:
        """Return the options that differ on an object."""
        after = self.apply_to(record)
        names = [
            name for name in (*HEADER_OPTIONS[1:], "metadata", "expires_at") if record.get(name) != after.get(name)
        ]
        return ["content_type", *names] if self.has_other_type(record.get("content_type") or "") else names

    def has_other_type(self, listed: str) -> bool:
        """Return whether the content type differs from the one in a listing."""
        desired = self.texts.get("content_type")
        return desired is not None and plain_type(desired) != plain_type(listed)


def plain_type(content_type: str) -> str:
    """Return a content type without blanks around semicolons, which differ between a listing and the object."""
    return ";".join(part.strip() for part in content_type.split(";"))


class HeaderRules:
    """The rules of the option ``headers``: all that match a name apply, later ones take precedence."""

    def __init__(self, rules: t.Sequence[t.Mapping[str, t.Any]], features: Features) -> None:
        self._features = features
        self._rules = [self._rule(number, rule) for number, rule in enumerate(rules)]
        self._known: dict[tuple[int, ...], DesiredHeaders] = {}

    def for_name(self, name: str) -> DesiredHeaders:
        """Return the desired headers of an object of this name. Raises InvalidInput."""
        fitting = tuple(number for number, (pattern, _rule) in enumerate(self._rules) if pattern.fullmatch(name))
        if fitting not in self._known:
            texts: dict[str, str] = {}
            metadata: dict[str, str] = {}
            expires_in = None
            for rule in (self._rules[number][1] for number in fitting):
                texts.update(rule.texts)
                metadata.update(rule.metadata)
                expires_in = expires_in if rule.expires_in is None else rule.expires_in
            merge_metadata(dict(metadata), {}, self._features, purge=True)  # it may be too much in total
            self._known[fitting] = DesiredHeaders(texts, metadata, expires_in)
        return self._known[fitting]

    def _rule(self, number: int, rule: t.Mapping[str, t.Any]) -> tuple[re.Pattern[str], DesiredHeaders]:
        try:
            return compile_patterns([rule["match"]], "match"), self._desired(rule)
        except InvalidInput as error:
            error.message = f"headers[{number}].{error.message}"
            raise

    def _desired(self, rule: t.Mapping[str, t.Any]) -> DesiredHeaders:
        texts = {name: check_text(name, rule[name]) for name in HEADER_OPTIONS if rule.get(name) is not None}
        for name, value in texts.items():
            if not value:
                raise InvalidInput(f"{name}: it is empty.", next_step="Leave it out.", option="headers")
        check_least(rule, expires_in=1)
        metadata: dict[str, str] = {}
        given = rule.get("metadata") or {}
        for name, item in desired_metadata(given, self._features, empty_removes=False).items():
            if item is None:
                raise InvalidInput(f"metadata: {name} has no value.", next_step="Leave it out.", option="headers")
            metadata[name] = item
        return DesiredHeaders(texts, metadata, rule.get("expires_in"))


PUSH, PULL, COPY = "push", "pull", "copy"
CHECKSUM, SIZE = "checksum", "size"
MAX_CONNECTIONS = 64
MODES_OF_OPTIONS = {  # the modes that an option is for; all others are for each mode
    "path": (PUSH, PULL),
    "source_container": (COPY,),
    "source_prefix": (COPY,),
    "headers": (PUSH, COPY),
    "verify_headers": (PUSH, COPY),
    "preserve_mtime": (PUSH, PULL),
    "segment_threshold": (PUSH,),
    "segment_size": (PUSH,),
    "segment_container": (PUSH, COPY),
    "file_mode": (PULL,),
    "directory_mode": (PULL,),
}
SYNC_OPTIONS: OptionSpecs = {
    "mode": {"type": "str", "choices": [PUSH, PULL, COPY], "required": True},
    "path": {"type": "path", "aliases": ["folder", "directory"]},
    "container": {"type": "str", "required": True},
    "prefix": {"type": "str", "default": ""},
    "source_container": {"type": "str"},
    "source_prefix": {"type": "str", "default": ""},
    "include": {"type": "list", "elements": "str", "default": []},
    "exclude": {"type": "list", "elements": "str", "default": []},
    "delete": {"type": "bool", "default": False},
    "max_delete": {"type": "str"},
    "compare": {"type": "str", "choices": [CHECKSUM, SIZE], "default": CHECKSUM},
    "checksum_cache": {"type": "bool", "default": True},
    "symlinks": {"type": "str", "choices": [FOLLOW, SKIP, REFUSE], "default": FOLLOW},
    "empty_directories": {"type": "bool", "default": False},
    "headers": {"type": "list", "elements": "dict", "default": [], "options": RULE_OPTIONS},
    "verify_headers": {"type": "bool", "default": True},
    "preserve_mtime": {"type": "bool", "default": False},
    **SEGMENT_OPTIONS,
    "file_mode": {"type": "raw"},
    "directory_mode": {"type": "raw"},
    "connections": {"type": "int", "default": 8},
    "list_limit": {"type": "int", "default": 1000},
}
SYNC_RULES = {
    "required_if": [("mode", PUSH, ("path",)), ("mode", PULL, ("path",)), ("mode", COPY, ("source_container",))]
}


class SyncSpec(t.NamedTuple):
    """The options after their checks. Prefixes are empty or end with a slash; modes are numbers, None: by the umask.

    ``source`` is the container and prefix that objects come from, both empty if files do.
    """

    mode: str
    root: str
    container: str
    prefix: str
    source: tuple[str, str]
    names: Filter
    rules: HeaderRules
    file_mode: int | None
    directory_mode: int | None
    segment_container: str
    params: Params


def sync_spec(params: Params, features: Features) -> SyncSpec:
    """Return the checked options. Raises InvalidInput."""
    mode, container = params["mode"], check_container(params["container"], features, "container")
    _check_options(params)
    segments = params["segment_container"] or segment_container(container)
    prefix = _prefix(params["prefix"], "prefix")
    source = (container, prefix) if mode == PULL else ("", "")
    if mode == COPY:
        place = check_container(params["source_container"], features, "source_container")
        source = place, _prefix(params["source_prefix"], "source_prefix")
    spec = SyncSpec(
        mode=mode,
        root=os.path.abspath(check_path(params["path"], "path")) if mode != COPY else "",
        container=container,
        prefix=prefix,
        source=source,
        names=Filter(params["include"], params["exclude"]),
        rules=HeaderRules(params["headers"], features),
        file_mode=_mode_option(params, "file_mode"),
        directory_mode=_mode_option(params, "directory_mode"),
        segment_container=check_container(segments, features, "segment_container"),
        params=params,
    )
    if mode == COPY:
        _check_apart(spec)
    return spec


def _check_options(params: Params) -> None:
    """Raise InvalidInput for options that are wrong by themselves."""
    if not 1 <= params["connections"] <= MAX_CONNECTIONS:
        text = f"connections: {params['connections']} is not between 1 and {MAX_CONNECTIONS}."
        raise InvalidInput(text, option="connections")
    check_least(params, list_limit=0, segment_threshold=1, segment_size=1)
    for option, modes in MODES_OF_OPTIONS.items():
        if params["mode"] not in modes and params[option] != SYNC_OPTIONS[option].get("default"):
            raise InvalidInput(f"{option}: it does not apply to mode={params['mode']}.", option=option)


def _prefix(given: str, option: str) -> str:
    """Return a prefix as a folder. Raises InvalidInput."""
    if given.startswith("/"):
        raise InvalidInput(
            f"{option}: {given!r} begins with a slash, which would be part of every name.",
            next_step=f"Write {given.strip('/')!r}; an empty text is the whole container.",
            option=option,
        )
    if {".", ".."} & set(given.split("/")):
        raise InvalidInput(f"{option}: {given!r} has a part that is only a dot or two dots.", option=option)
    in_bytes(given, option)
    return given if not given or given.endswith("/") else f"{given}/"


def _check_apart(spec: SyncSpec) -> None:
    container, prefix = spec.source
    if container == spec.container and (prefix.startswith(spec.prefix) or spec.prefix.startswith(prefix)):
        raise InvalidInput(
            f"source_prefix: {container}/{prefix} and {spec.container}/{spec.prefix} overlap, so the copies would be "
            "copied again.",
            next_step="Choose a prefix beside it, or another container.",
            option="source_prefix",
        )


def _mode_option(params: Params, option: str) -> int | None:
    if params[option] is None:
        return None

    return mode_of(params[option], option)
