# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An edit of what cannot be compared with the service is carried out or told, and never counts as declared."""

from __future__ import annotations

import copy
import os
import re
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.terminal import plan_lines
from sites.plain_site import CLERK, INSTANCE, Content, Ran, run

KEYS = [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{letter}o= k" for letter in "pq"]
CREATED = "edited; counts only when the object is created"
NOT_SENT = "edited; not compared with the service, and not sent by this run"
PARTLY = "partly taken out of the file; the service keeps what it has"
LEFT_OUT = "edited; what it leaves out from now on stays at the service as it is"
GONE = "taken out of the file; the service keeps what it has"
PLANNED = "planned"
TEXTS = {"match": "*.txt", "cache_control": "max-age=1"}
LOGS = {"match": "*.log", "content_disposition": "inline"}
EDITS: list[tuple[str, str, str, t.Any, str]] = [
    ("instances", "web", "ssh_keys", ["second"], CREATED),
    ("instances", "web", "init_script", "echo two", CREATED),
    ("instances", "web", "authorization_method", "user and password", CREATED),
    ("instances", "web", "ip_address_id", {"ref": "ip_addresses.back"}, CREATED),
    ("instances", "db", "without_public_ip", False, CREATED),
    ("client_users", "shop.clerk", "user_password", "Heron-over-11-bridges", PLANNED),
    ("client_users", "kept.clerk", "user_password", "Heron-over-11-bridges", NOT_SENT),
    ("storage_containers", "assets", "temp_url_key", "second-secret", PLANNED),
    ("storage_containers", "public", "read_acl", None, GONE),
    ("storage_containers", "assets", "metadata", {"b": "2", "c": "3"}, PARTLY),
    ("storage_folders", "assets/two", "headers", [{"cache_control": "max-age=1"}], PARTLY),
    ("instances", "db", "private_networks", ["inner"], PARTLY),
    ("storage_folders", "assets/cache", "headers", [{"cache_control": "max-age=2"}], PLANNED),
    ("storage_folders", "assets/meta", "headers", [{"metadata": {"a": "2"}}], PLANNED),
    ("storage_folders", "assets/down", "headers", [{"content_disposition": "inline"}], PLANNED),
    ("storage_folders", "assets/rules", "headers", [TEXTS], PARTLY),
    ("storage_folders", "assets/match", "headers", [TEXTS], PARTLY),
    ("storage_folders", "assets/order", "headers", [LOGS, TEXTS], LEFT_OUT),
    ("storage_folders", "assets/less", "exclude", ["*.txt"], LEFT_OUT),
    ("storage_folders", "assets/more", "include", ["a*"], LEFT_OUT),
    ("storage_folders", "assets/plain", "preserve_mtime", True, NOT_SENT),
    ("storage_folders", "assets/plain", "segment_threshold", "2M", NOT_SENT),
    ("storage_objects", "assets/kept", "content", "two", NOT_SENT),
    ("storage_objects", "assets/kept", "segment_size", "2M", NOT_SENT),
    ("storage_objects", "assets/soon", "expires_in", "2h", NOT_SENT),
]


@pytest.fixture
def content(home: Path) -> Content:
    folders = []
    for name, headers in {
        "cache": [{"cache_control": "max-age=1"}],
        "meta": [{"metadata": {"a": "1"}}],
        "down": [{"content_disposition": "attachment"}],
        "two": [{"cache_control": "max-age=1", "content_disposition": "inline"}],
        "rules": [TEXTS, LOGS],
        "match": [{**TEXTS, "match": "*"}],
        "order": [TEXTS, LOGS],
        "less": [],
        "more": [],
        "plain": [],
    }.items():
        (home / name).mkdir()
        (home / name / "a.txt").write_text(name, encoding="utf-8")
        folders.append({"container": "assets", "prefix": name, "path": str(home / name), "headers": headers})
    return {
        "ssh_keys": [{"name": name, "public_key": key} for name, key in zip(("first", "second"), KEYS)],
        "private_networks": [{"name": "inner"}, {"name": "outer"}],
        "ip_addresses": [{"comment": name, "subregion": "EU-001", "static": True} for name in ("front", "back")],
        "storage_containers": [
            {"name": "assets", "temp_url_key": "first-secret", "metadata": {"a": "1", "b": "2"}},
            {"name": "public", "read_acl": ".r:*"},
        ],
        "instances": [
            {
                "name": "web",
                "ssh_keys": ["first"],
                "init_script": "echo one",
                "authorization_method": "SSH keys",
                "ip_address_id": {"ref": "ip_addresses.front"},
                **INSTANCE,
            },
            {"name": "db", "private_networks": ["inner", "outer"], "without_public_ip": True, **INSTANCE},
        ],
        "storage_objects": [
            {"container": "assets", "name": "kept", "content": "one", "overwrite": False, "segment_size": "1M"},
            {"container": "assets", "name": "soon", "content": "one", "expires_in": "1h"},
        ],
        "storage_folders": folders,
        "client_users": [
            {**CLERK},
            {**CLERK, "user_name": "kept.clerk", "email": "kept@example.com", "update_password": "on_create"},
        ],
    }


def edited(content: Content) -> Content:
    """Return all edits at once."""
    content = copy.deepcopy(content)
    for kind, name, option, value, _way in EDITS:
        found = next(
            one
            for one in content[kind]
            if name in (one.get("name"), one.get("user_name"), f"assets/{one.get('prefix', one.get('name'))}")
        )
        found[option] = value
        if value is None:
            del found[option]
    return content


def ways(planned: Ran) -> dict[tuple[str, str, str], str]:
    """Return how a plan treats each of the edits."""
    told = {(one["kind"], one["name"], one["option"]): one["msg"] for one in planned.succeeded().plan["not_sent"]}
    changes = {(one["kind"], one["name"]) for one in planned.plan["changes"]}
    of_changes = {(kind, name, option): PLANNED for kind, name, option, *_rest in EDITS if (kind, name) in changes}
    return {**of_changes, **told}


def test_each_edit_is_planned_or_told(sandbox: SandboxProcess, content: Content) -> None:
    run(content).succeeded()
    again = run(content, check_mode=True).succeeded()
    assert (again.plan["changes"], again.plan["not_sent"], again.plan["unknown_edits"]) == ([], [], 0)
    assert again.warnings == []
    expected = {(kind, name, option): way for kind, name, option, _value, way in EDITS}
    assert ways(run(edited(content), check_mode=True)) == expected
    changed = edited(content)
    changed["instances"] = [{**one, "type": "v1.standard-4.4", "force_stop": True} for one in changed["instances"]]
    assert run(changed).succeeded().warnings == [], "what only a create uses is told as an edit"
    assert sandbox.counts()["by"]["soap SetUserPassword"] == 1
    later = run(changed, check_mode=True)
    lines = [line.text for line in plan_lines(later.plan)]
    assert "    ! instances web ssh_keys: edited; counts only when the object is created" in lines
    assert lines[-1] == "Plan: nothing to do; 18 as declared; 6 with edits that are not sent."
    assert ways(later) == {place: way for place, way in expected.items() if way in (CREATED, NOT_SENT)}, (
        "it is told until it counts"
    )
    changed["instances"] = [{**one, "lifecycle": {"ignore_changes": ["ssh_keys"]}} for one in changed["instances"]]
    assert ("instances", "web", "ssh_keys") not in ways(run(changed, check_mode=True))


@pytest.mark.usefixtures("home")
def test_an_old_registry_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One without digests of options takes nothing for edited, and nothing for declared."""
    monkeypatch.delenv("FCD_SITE_KEY")
    content: Content = {"client_users": [{**CLERK}], "private_networks": [{"name": "inner"}]}
    run(content).succeeded()
    registry = Path(os.environ["FCD_STATE_DIR"]) / "sites" / "shop.json"
    registry.write_text(re.sub(r" \w+:[\w.]+", "", registry.read_text(encoding="utf-8")), encoding="utf-8")
    content["client_users"][0]["user_password"] = "Heron-over-11-bridges"
    planned = run(content, check_mode=True).succeeded()
    assert (planned.plan["changes"], planned.plan["unknown_edits"]) == ([], 1)
    told = "In 1 entry, options that cannot be compared with the service may have been edited"
    assert any(told in line.text for line in plan_lines(planned.plan))
    run(content).succeeded()
    assert run(content, check_mode=True).succeeded().plan["unknown_edits"] == 0
    text = registry.read_text(encoding="utf-8")
    assert "user_password:" in text
    assert "Heron" not in text
