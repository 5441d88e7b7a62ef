# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an inventory has its instances from: the service, or the cache of earlier runs."""

from __future__ import annotations

import base64
import json
import typing as t
import zlib

from ansible.errors import AnsibleError

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import REST_ACCOUNT
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    FcdError,
    InvalidInput,
    RateLimited,
    Rejected,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import digest
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_choice import RECORD_KEYS
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_details import (
    DETAILS,
    add_details,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import (
    parse_filters,
    read_instances,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.reference_names import ReferenceNames

InstanceRecords = t.List[t.Dict[str, t.Any]]
CACHE_ERRORS = (KeyError, TypeError, ValueError, RecursionError, zlib.error, AnsibleError)
COMPRESSION_LEVEL = 1  # of the levels of compression


class CachingPlugin(t.Protocol):
    """What is needed of an inventory plugin that is core's ``Cacheable``."""

    @property
    def cache(self) -> t.MutableMapping[str, t.Any]:
        """What it keeps."""

    def set_option(self, option: str, value: object) -> None:
        """Set an option."""

    def load_cache_plugin(self) -> None:
        """Begin anew with the cache plugin, as the options are now."""


class InstanceSource:
    """The instances of one account that fit the filters; ``name`` is that of the plugin."""

    def __init__(self, plugin: CachingPlugin, name: str, task: Task, options: t.Mapping[str, t.Any]) -> None:
        self._plugin = plugin
        self._name = name
        self._task = task
        self._filters = parse_filters(options["filters"] or {})
        self._templates = bool(options["template_names"])
        self._details = sorted(set(options["details"]))
        self._members = {*RECORD_KEYS, *(DETAILS[name] for name in self._details)}
        self._fresh_for, stale_for = options["cache_timeout"] or 0, options["cache_stale_seconds"]  # 0: for ever
        self._longest = self._fresh_for + stale_for
        self._caches = bool(options["cache"])
        if not self._caches:
            return
        for option, seconds in (("cache_timeout", self._fresh_for), ("cache_stale_seconds", stale_for)):
            if seconds < 0:
                raise InvalidInput(f"{option} must be 0 or more, not {seconds}.", option=option)
        if self._fresh_for:  # what counts as over for the cache plugin cannot be had from it any more
            plugin.set_option("cache_timeout", self._longest)
            plugin.load_cache_plugin()

    def records(self, *, renew: bool) -> InstanceRecords:
        """Return the records; with ``renew`` never old ones."""
        now = self._task.clock.now()
        kept = None if renew else self._from_cache(now, self._fresh_for)
        if kept is not None:
            return kept[1]
        try:
            api = infrastructure(self._task)
            found = read_instances(api, self._filters, ReferenceNames(api), templates=self._templates)
            add_details(api, found, self._details)
        except FcdError as problem:
            is_refusal = isinstance(problem, (InvalidInput, Rejected)) and not isinstance(problem, RateLimited)
            kept = None if renew or is_refusal else self._from_cache(now, self._longest)
            if kept is None:
                raise
            age, records = kept
            text = f"{self._name}: the hosts are those of {_time(age)} ago, for the service cannot be asked: {problem}"
            self._task.warn(self._task.redactor.text(text))
            return records
        if self._caches:
            text = json.dumps(found, separators=(",", ":"))
            self._plugin.cache[self._key()] = {"read": now, "records": pack_text(text)}
        return found

    def _from_cache(self, now: float, longest: float) -> tuple[float, InstanceRecords] | None:
        """Return the age of the records in the cache, in seconds, and the records, if they are not too old.

        Another version of the collection may have kept records with other members; those do not count.
        """
        if not self._caches:
            return None
        try:
            entry = self._plugin.cache[self._key()]
            age, records = now - float(entry["read"]), json.loads(unpack_text(entry["records"]))
        except CACHE_ERRORS:  # or missing: it is read anew
            return None
        if age < 0 or (self._fresh_for and age > longest) or not isinstance(records, list):
            return None
        is_valid = all(isinstance(record, dict) and record.keys() == self._members for record in records)
        return (age, records) if is_valid else None

    def _key(self) -> str:
        """Return a key that nobody shares who may see other instances."""
        settings = self._task.settings
        asked = json.dumps([self._filters, self._templates, self._details], sort_keys=True)
        return f"{self._name}_{digest(*(settings[name] for name in REST_ACCOUNT), asked)}"


def pack_text(text: str) -> str:
    """Return a long text as a short one without meaning."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), COMPRESSION_LEVEL)).decode("ascii")


def unpack_text(text: str) -> str:
    """Return the long text again. Raises one of UNREADABLE."""
    return zlib.decompress(base64.b64decode(text, validate=True)).decode("utf-8")


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
