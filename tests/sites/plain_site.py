# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site without a file and without Ansible around it: plain data in, the result of a run out."""

from __future__ import annotations

import functools
import json
import os
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

QUICK = {"ticket_seconds": 0.05, "lock_tail": 0.02, "visible_after": 0.05}
"""Settings of the REST service of the sandbox."""

Given = t.Mapping[str, t.Any]
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
LATER = "(known after apply)"
PASSWORD = "Pelican-over-9-bridges"
CLERK: dict[str, t.Any] = {
    "user_name": "shop.clerk",
    "client_id": 100,
    "user_password": PASSWORD,
    "first_name": "Shop",
    "last_name": "Clerk",
    "email": "clerk@example.com",
    "phone_number": "+48225550199",
}
"""A complete entry of ``client_users``."""


@dataclass
class Ran:
    """What came of a run: the result, what it warned of and told, and the plans that it has shown.

    ``diff`` is that of the result before it is shortened and secrets are hidden in it.
    """

    result: dict[str, t.Any]
    warnings: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    shown: list[dict[str, t.Any]] = field(default_factory=list)
    diff: list[dict[str, t.Any]] = field(default_factory=list)

    @property
    def plan(self) -> dict[str, t.Any]:
        """The plan."""
        return t.cast("dict[str, t.Any]", self.result["plan"])

    @property
    def counts(self) -> dict[str, int]:
        """The counts that are not 0."""
        return {name: number for name, number in self.plan["counts"].items() if number}

    def succeeded(self) -> Ran:
        """Return itself, unless it failed."""
        assert not self.result.get("failed"), self.result
        return self


def declared(content: Given, site: str = "shop", registry: Given | None = None) -> t.Any:
    """Return the declaration of a site; a reference is written as ``{"ref": "kind.name"}``.

    An entry may have ``key``, ``lifecycle``, ``adopt`` and ``secrets``, the content ``moved``, ``removed`` and
    ``outputs``.
    """
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import digest_of
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS, REST, Declaration

    entries: list[t.Any] = []
    for name, kind in KINDS.items():
        for number, given in enumerate(content.get(name, ())):
            entries.append(_entry(kind, dict(given), f"site.yml:{len(entries) + 1}", number))
    places = {entry.place for entry in entries}
    entries = [entry._replace(refs=tuple(ref for ref in entry.refs if ref in places)) for entry in entries]
    stages = {entry.place: entry.stage for entry in entries}
    entries = [e._replace(stage=REST) if any(stages[ref] == REST for ref in e.refs) else e for e in entries]
    whole = Declaration(site, None, dict(registry or {}), tuple(entries), "")
    whole = whole._replace(**_words(content, {f"{entry.kind}.{entry.key}": entry.place for entry in entries}))
    return whole._replace(digest=digest_of(whole, os.getcwd()))


def _kind_and_label(text: str) -> tuple[str, str]:
    kind, _dot, label = text.partition(".")
    return kind, label


def _words(content: Given, places: t.Mapping[str, tuple[str, str]]) -> dict[str, t.Any]:
    """Return what stands beside the entries."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Moved, Output, Released

    moved = [
        Moved(*_kind_and_label(one["from"]), places[one["to"]], f"site.yml:{100 + number}")
        for number, one in enumerate(content.get("moved", ()))
    ]
    removed = [
        Released(*_kind_and_label(one["what"]), one.get("destroy", True), f"site.yml:{200 + number}")
        for number, one in enumerate(content.get("removed", ()))
    ]
    outputs = []
    for number, (name, text) in enumerate(content.get("outputs", {}).items()):
        kind, key, *path = text.split(".")
        outputs.append(Output(name, places[f"{kind}.{key}"], tuple(path), f"site.yml:{300 + number}"))
    return {"moved": tuple(moved), "removed": tuple(removed), "outputs": tuple(outputs)}


def _entry(kind: t.Any, given: dict[str, t.Any], source: str, number: int) -> t.Any:
    from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

    from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import own_options
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Entry, Lifecycle, NumberReference

    key, adopt = given.pop("key", None), given.pop("adopt", False)
    secrets = frozenset(given.pop("secrets", ()))
    lifecycle = Lifecycle(**given.pop("lifecycle", {}))
    refs: list[tuple[str, str]] = []

    def resolved(value: t.Any) -> t.Any:
        if isinstance(value, dict) and set(value) == {"ref"}:
            place = tuple(value["ref"].split(".", 1))
            refs.append(t.cast("tuple[str, str]", place))
            return NumberReference(*place)
        return [resolved(one) for one in value] if isinstance(value, list) else value

    plain = {name: value for name, value in given.items() if resolved(value) == value}
    numbers = {name: resolved(value) for name, value in given.items() if name not in plain}
    refs = list(dict.fromkeys(refs))
    operation = kind.operation()
    filled = {name: [1] if isinstance(value, list) else 1 for name, value in numbers.items()}
    checked = ArgumentSpecValidator(dict(operation.options), **operation.rules).validate(
        {**plain, **filled, **kind.fixed}
    )
    assert not checked.error_messages, checked.error_messages
    params = {**own_options(operation.options, checked.validated_parameters), **numbers}
    for option, target in kind.references.items():
        value = plain.get(option)
        refs += [(target.kind, str(one)) for one in (value if isinstance(value, list) else [value]) if one is not None]
    name = kind.name_of({**params}) or str(number)
    refs = list(dict.fromkeys(refs))
    return Entry(
        kind.name, key or name, name, given, params, source, tuple(refs), kind.stage, lifecycle, adopt, secrets
    )


def run(
    content: Given,
    *,
    check_mode: bool = False,
    registry: Given | None = None,
    policies: t.Callable[[t.Any], t.Any] = lambda _plan: [],
    policy_files: t.Sequence[str] = (),
    **options: t.Any,
) -> Ran:
    """Run a site with the settings of the environment.

    ``policies`` returns what comes of the checks on a plan, which ``policy_files`` would have; they are not tried.
    """
    from ansible_collections.fcd.cloud.plugins.modules.site import OPERATION
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.site_run import RunObserver, run_site

    ran = Ran({})
    site = declared(content, options.pop("site", "shop"), registry)
    observer = RunObserver(lambda line, _state: ran.told.append(line), ran.shown.append)
    work = functools.partial(run_site, site, policies=policies, observer=observer)
    return executed(OPERATION, work, ran, check_mode=check_mode, policies=list(policy_files), **options)


def executed(operation: t.Any, work: t.Callable[..., t.Any], ran: Ran, *, check_mode: bool, **options: t.Any) -> Ran:
    """Execute an operation as a task of Ansible has it, with ``work`` in its place; ``ran`` gets what comes of it."""
    from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import execute

    def watched(*given: t.Any) -> t.Any:
        result = work(*given)
        ran.diff = result.get("diff") or []
        return result

    params = {name: spec.get("default") for name, spec in operation.options.items()}
    done = execute(
        operation._replace(run=watched),
        {**params, "src": "site.yml", **options},
        check_mode=check_mode,
        diff_mode=True,
        warn=ran.warnings.append,
        tell=ran.told.append,
        runner="worker",
    )
    ran.result = done.result
    return ran


def chain() -> Content:
    """Return new things that refer to one another."""
    return {
        "private_networks": [{"name": "inner"}],
        "ip_addresses": [{"comment": "front", "subregion": "EU-001", "static": True}],
        "storage_containers": [{"name": "assets"}],
        "clients": [{"id": 100, "project_name": "project 100"}],
        "instances": [
            {"name": "web", "private_networks": ["inner"], "ip_addresses": [{"ref": "ip_addresses.front"}], **INSTANCE},
            {"name": "db", "private_networks": ["inner"], **INSTANCE},
        ],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
        "storage_objects": [{"container": "assets", "name": f"f{n}", "content": f"<{n}>"} for n in range(4)],
        "client_users": [{**CLERK, "client_id": {"ref": "clients.100"}}],
    }


def named(ran: Ran) -> dict[str, dict[str, t.Any]]:
    """Return what changes, by kind and name."""
    return {f"{one['kind']} {one['name']}": one for one in ran.plan["changes"]}


def keep(home: Path, ran: Ran) -> str:
    """Write the plan of a run, and return the path."""
    path = home / "site.plan.json"
    path.write_text(json.dumps(ran.plan), encoding="utf-8")
    return str(path)
