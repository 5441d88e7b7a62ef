# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan in a file: what is none is refused in one line, and what differs is named."""

from __future__ import annotations

import contextlib
import json
import os
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.binding import Binding, check_same
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan import plan_document
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_document import changes_digest, read_plan

ASIDE = ("storage_containers", "state")
NOTHING = Binding(None, "salt", {}, {})
BARE = {"key": None, "salt": "", "seal": ""}


def change(name: str, action: str = "create", **after: t.Any) -> dict[str, t.Any]:
    """Return one change of a plan."""
    unmoved = {"id": None, "adopts": False, "moved_from": None}
    return {"kind": "instances", "name": name, "action": action, **unmoved, "before": {}, "after": after}


def plan(*changes: dict[str, t.Any], **more: t.Any) -> dict[str, t.Any]:
    """Return a plan that binds nothing but itself."""
    made = {
        "format": 1,
        "site": "shop",
        "environment": None,
        "registry": "states",
        "stage": "all",
        "part": None,
        "kinds": None,
        "targets": None,
        "state": "present",
        "adopt": False,
        "force_create": False,
        "max_delete": "10",
        "max_replace": None,
        "mode": "plan",
        "made_at": "2026-11-21T12:00:00Z",
        "declaration_digest": "sha256:1",
        "policies_digest": None,
        "changes_digest": "sha256:1",
        "changes": list(changes),
    }
    with contextlib.suppress(KeyError, TypeError):  # what is no change is refused when it is read
        made["changes_digest"] = changes_digest(changes, ASIDE)
    return NOTHING.sealed({**made, **more})


def test_a_plan_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan(change("web"))))
    assert read_plan(str(path)) == plan(change("web"))


def test_what_is_no_plan_is_refused(tmp_path: Path) -> None:
    for content, told in [
        ("", "it is not JSON"),
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("\x00\xff", "it is not JSON"),
        ("[1]", "it is not the plan of a site"),
        ('{"format_version": "1.2", "resource_changes": []}', "it is not the plan of a site"),
        (json.dumps(plan(format=0)), "it has format 0, and this version of the collection reads 1"),
        (json.dumps({"format": 1}), "it lacks parts of a plan"),
        (json.dumps(plan(changes={})), "it lacks parts of a plan"),
        (json.dumps(plan({"kind": "instances"})), "it lacks parts of a plan"),
        (json.dumps(plan(change(t.cast("t.Any", ["web"])))), "it lacks parts of a plan"),
        (json.dumps(plan(changes_digest=None)), "it lacks parts of a plan"),
        (json.dumps({**plan(), "bound": None}), "it lacks parts of a plan"),
        (json.dumps({**plan(), "bound": {**BARE, "account": {}}}), "it lacks parts of a plan"),
        (json.dumps({**plan(changes=None), "bound": BARE}), "it lacks parts of a plan"),
        (json.dumps({**plan(), "bound": {**plan()["bound"], "values": []}}), "it lacks parts of a plan"),
    ]:
        path = tmp_path / "plan.json"
        path.write_text(content, encoding="latin-1")
        assert told in refused(str(path))


def test_plans_beside_one_that_is_not_there_are_told(tmp_path: Path) -> None:
    """The plan of a part has a name of its own."""
    for part in (2, 1):
        (tmp_path / f"site-rest-{part}-of-2.plan.json").touch()
    beside = f"{tmp_path} has site-rest-1-of-2.plan.json, site-rest-2-of-2.plan.json."
    assert beside in refused(str(tmp_path / "site.plan.json"))
    assert "site-rest" not in refused(str(tmp_path / "none" / "site.plan.json"))
    assert "-2-of-2" not in refused(str(tmp_path / "site-rest-1-of-2.plan.json"))


def test_odd_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan()))
    (tmp_path / "link").symlink_to(path)
    os.mkfifo(tmp_path / "pipe")
    assert "No such file" in refused(str(tmp_path / "missing"))
    assert "symbolic link" in refused(str(tmp_path / "link"))
    assert "not a regular file" in refused(str(tmp_path / "pipe"))
    assert "Is a directory" in refused(str(tmp_path))
    monkeypatch.setattr(plan_document, "MAX_PLAN_BYTES", 10)
    assert "it has more than 10 bytes" in refused(str(path))


def refused(path: str) -> str:
    """Return how the file is refused, in one line."""
    with pytest.raises(InvalidInput) as caught:
        read_plan(path)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(f"plan: {path} cannot be used: ")
    return text


def test_the_same_plan_passes() -> None:
    check_same("p", plan(change("web")), plan(change("web"), mode="apply"), NOTHING, ASIDE)


@pytest.mark.parametrize("name", ["api_client_id", "username", "storage_user"])
def test_a_plan_of_another_login_is_refused(name: str) -> None:
    one, other = (NOTHING._replace(account={"base_url": "https://a", name: who}) for who in ("one", "other"))
    made = one.sealed(plan())
    check_same("p", made, plan(), one, ASIDE)
    with pytest.raises(InvalidInput, match=f"p is for another account: its {name} is not other"):
        check_same("p", made, plan(), other, ASIDE)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (plan(site="blog"), "is for site shop, this run is for blog"),
        (plan(registry="others"), "is for registry states, this run is for others"),
        (plan(stage="rest"), "is for stage all, this run is for rest"),
        (plan(part="1/2"), "is for part none, this run is for 1/2"),
        (plan(kinds=["disks", "instances"]), "is for kinds none, this run is for disks, instances"),
        (plan(state="absent"), "is for state present, this run is for absent"),
        (plan(adopt=True), "is for adopt False, this run is for True"),
        (plan(force_create=True), "is for force_create False, this run is for True"),
        (plan(max_delete="100%"), "is for max_delete 10, this run is for 100%"),
        (plan(max_replace="1"), "is for max_replace none, this run is for 1"),
        (plan(policies_digest="sha256:2"), "no longer matches the policies: the same"),
        (plan(mode="prune"), "was made for plan, this run is for prune"),
        (
            plan(declaration_digest="sha256:2"),
            "p (2026-11-21T12:00:00Z) no longer matches the declaration: the same",
        ),
        (
            plan(change("web")),
            "p (2026-11-21T12:00:00Z) no longer matches the required changes: instances web (unchanged, now",
        ),
    ],
)
def test_what_differs_is_named(now: dict[str, t.Any], told: str) -> None:
    assert told in differing(plan(), now)


def test_a_drift_report_is_no_plan() -> None:
    assert "was made for drift, this run is for plan" in differing(plan(mode="drift"), plan())


def test_the_first_differences_are_told() -> None:
    before = plan(change("a"), change("b", "update", size=1), *(change(f"c{n}") for n in range(4)))
    now = plan(change("a"), change("b", "update", size=2), change("d"))
    told = differing(before, now)
    assert "instances b (update; size: 1, now 2), instances c0 (create, now unchanged), instances c1" in told
    assert "and 3 more" in told


def test_another_thing_of_that_name_is_another_change() -> None:
    before, now = ({**change("web", "update", size=2), "id": number} for number in (11, 12))
    assert "instances web (update; id: 11, now 12)" in differing(plan(before), plan(now))


def test_the_fields_that_differ_are_told() -> None:
    sides = ({"metadata": {"team": team}, "size": 2, "tags": tags} for team, tags in (("other", []), ("third", None)))
    before, now = ({**change("web", "update", metadata={"team": "shop"}), "before": side} for side in sides)
    told = differing(plan(before), plan(now))
    assert "instances web (update; metadata.team: other -> shop, now third -> shop; tags: [], now null). Not" in told
    more = differing(plan(change("web", **{f"o{n}": 1 for n in range(9)})), plan(change("web", o9="a\nb")))
    assert "(create; o0: 1, now unchanged; o1: 1, now unchanged; o2: 1, now unchanged; and 7 more)" in more


@pytest.mark.parametrize("changes", [{"changes": None}, {}])
def test_digests_alone_bind_and_name_no_differences(tmp_path: Path, changes: dict[str, t.Any]) -> None:
    path = tmp_path / "plan.json"
    made = plan(change("web"))
    path.write_text(json.dumps({**{name: value for name, value in made.items() if name != "changes"}, **changes}))
    before = read_plan(str(path))
    check_same("p", before, made, NOTHING, ASIDE)
    told = differing(before, plan(change("web"), change("db")))
    assert "p (2026-11-21T12:00:00Z) no longer matches the required changes. Nothing was changed." in told


def test_what_is_put_aside_is_not_told() -> None:
    state = {**change("state"), "kind": "storage_containers"}
    assert "storage_containers" not in differing(plan(state, change("web")), plan(change("db")))


def differing(before: dict[str, t.Any], now: dict[str, t.Any]) -> str:
    """Return how the plan is refused."""
    with pytest.raises(InvalidInput) as caught:
        check_same("p", before, now, NOTHING, ASIDE)
    return str(caught.value)
