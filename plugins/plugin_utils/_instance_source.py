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

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    FcdError,
    InvalidInput,
    RateLimited,
    Rejected,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import digest
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import (
    KEYS,
    checked_filters,
    read_instances,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_records import ReferenceNames

Records = t.List[t.Dict[str, t.Any]]
BROKEN = (KeyError, TypeError, ValueError, RecursionError, zlib.error, AnsibleError)
QUICK = 1  # of the levels of compression


class KeptRecords:
    """The records under one key; times in seconds, ``fresh_for`` 0 means for ever.

    ``members`` are those that each record has: another version of the collection may have kept others.
    """

    def __init__(
        self,
        cache: t.MutableMapping[str, t.Any],
        key: str,
        fresh_for: float,
        stale_for: float,
        members: t.Collection[str],
    ) -> None:
        self._cache = cache
        self._key = key
        self._members = frozenset(members)
        self._fresh_for = fresh_for
        self._longest = fresh_for + stale_for

    def fresh(self, now: float) -> Records | None:
        """Return the records if they are fresh."""
        found = self._kept(now)
        return found[1] if found and (not self._fresh_for or found[0] <= self._fresh_for) else None

    def stale(self, now: float) -> tuple[float, Records] | None:
        """Return how old the records are, and the records, if they may still serve."""
        found = self._kept(now)
        return found if found and (not self._fresh_for or found[0] <= self._longest) else None

    def keep(self, records: Records, now: float) -> None:
        """Keep the records."""
        text = json.dumps(records, separators=(",", ":"))
        self._cache[self._key] = {"read": now, "records": packed(text)}

    def _kept(self, now: float) -> tuple[float, Records] | None:
        try:
            entry = self._cache[self._key]
            age, records = now - float(entry["read"]), json.loads(unpacked(entry["records"]))
        except BROKEN:  # or missing: it is read anew
            return None
        if age < 0 or not isinstance(records, list):
            return None
        whole = all(isinstance(record, dict) and record.keys() == self._members for record in records)
        return (age, records) if whole else None


def packed(text: str) -> str:
    """Return a long text as a short one without meaning."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), QUICK)).decode("ascii")


def unpacked(text: str) -> str:
    """Return the long text again. Raises one of BROKEN."""
    return zlib.decompress(base64.b64decode(text, validate=True)).decode("utf-8")


WHO = ("base_url", "username", "api_client_id", "access_token")


class CachingPlugin(t.Protocol):
    """What is needed of an inventory plugin that is core's ``Cacheable``."""

    @property
    def cache(self) -> t.MutableMapping[str, t.Any]:
        """What it keeps."""

    def set_option(self, option: str, value: t.Any) -> None:
        """Set an option."""

    def load_cache_plugin(self) -> None:
        """Begin anew with the cache plugin, as the options are now."""


class InstanceSource:
    """The instances of one account that fit the filters; ``name`` is that of the plugin."""

    def __init__(self, plugin: CachingPlugin, name: str, task: Task, options: t.Mapping[str, t.Any]) -> None:
        self._plugin = plugin
        self._name = name
        self._task = task
        self._filters = checked_filters(options["filters"] or {})
        self._templates = bool(options["template_names"])
        self._kept = self._cache(options) if options["cache"] else None

    def records(self, *, renew: bool) -> Records:
        """Return the records; with ``renew`` never old ones."""
        now = self._task.clock.now()
        fresh = None if renew or self._kept is None else self._kept.fresh(now)
        if fresh is not None:
            return fresh
        try:
            api = infrastructure(self._task)
            found = read_instances(api, self._filters, ReferenceNames(api), templates=self._templates)
        except FcdError as problem:
            refused = isinstance(problem, (InvalidInput, Rejected)) and not isinstance(problem, RateLimited)
            if renew or refused:  # else the service is not to be had for now
                raise
            return self._old(problem, now)
        if self._kept is not None:
            self._kept.keep(found, now)
        return found

    def _old(self, problem: FcdError, now: float) -> Records:
        """Return what was kept too long, with a warning. Raises the problem when there is nothing."""
        old = self._kept.stale(now) if self._kept is not None else None
        if old is None:
            raise problem
        age, records = old
        told = f"{self._name}: the hosts are those of {_time(age)} ago, for the service cannot be asked: {problem}"
        self._task.warn(self._task.redactor.text(told))
        return records

    def _cache(self, options: t.Mapping[str, t.Any]) -> KeptRecords:
        fresh_for, stale_for = options["cache_timeout"] or 0, options["cache_stale_seconds"]
        for name, seconds in (("cache_timeout", fresh_for), ("cache_stale_seconds", stale_for)):
            if seconds < 0:
                raise InvalidInput(f"{name} must be 0 or more, not {seconds}.", option=name)
        if fresh_for:  # what counts as over for the cache plugin cannot be had from it any more
            self._plugin.set_option("cache_timeout", fresh_for + stale_for)
            self._plugin.load_cache_plugin()
        return KeptRecords(self._plugin.cache, self._key(), fresh_for, stale_for, KEYS)

    def _key(self) -> str:
        """Return a key that nobody shares who may see other instances."""
        settings, asked = self._task.settings, json.dumps([self._filters, self._templates], sort_keys=True)
        return f"{self._name}_{digest(*(settings[name] for name in WHO), asked)}"


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
