# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an inventory has its instances from: the service, or the cache of earlier runs."""

from __future__ import annotations

import json
import typing as t

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
from ansible_collections.fcd.cloud.plugins.plugin_utils._kept_records import KeptRecords, Records

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
            if renew or not _may_pass(problem):
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
        self._task.warn(
            self._task.redactor.text(
                f"{self._name}: the hosts are those of {_time(age)} ago, for the service cannot be asked: {problem}"
            )
        )
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


def _may_pass(problem: FcdError) -> bool:
    """Whether the service is not to be had for now; a refusal of what was asked is another matter."""
    return not isinstance(problem, (InvalidInput, Rejected)) or isinstance(problem, RateLimited)


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
