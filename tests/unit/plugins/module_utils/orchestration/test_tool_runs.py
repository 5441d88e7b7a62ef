# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation with a tool that only says what a real one said: what is started, written, put back and told."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    Ambiguous,
    CannotDetermine,
    FcdError,
    InvalidInput,
    OperationFailed,
)
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.tool_commands import EngineFailed

from . import recorded
from .conftest import TOKEN, Bench, ListedInstances


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return mode and content of each file by its path."""
    every = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    return {str(file.relative_to(folder)): (stat.S_IMODE(file.stat().st_mode), file.read_bytes()) for file in every}


@pytest.fixture
def made(bench: Bench) -> Bench:
    """The instance web is there."""
    bench.will_do(recorded.CREATE_DB, state=recorded.state(web=recorded.WEB))
    bench.run("web")
    bench.engine.answer("plan")
    bench.engine.calls()
    return bench


def test_the_first_run(bench: Bench) -> None:
    bench.will_do(recorded.CREATE_DB, recorded.UPDATE_WEB, state=recorded.state(web=recorded.LARGER, db=recorded.DB))
    result = bench.run("web", "db")
    assert result["changed"]
    assert [one["action"] for one in result["actions"]] == ["create", "update"]
    assert result["instances"] == {"web": recorded.LARGER, "db": recorded.DB}
    assert (result["engine"], result["engine_version"]) == ("OpenTofu", "1.11.2")
    calls = bench.engine.calls()
    assert [call["words"][0] for call in calls] == [
        *("version", "providers", "init", "providers", "plan", "show", "apply", "plan")
    ]
    assert {mode for mode, _content in files(bench.path).values()} == {0o600}
    link = bench.path / "terraform.d/plugins/mirror.example.com/fcd/service/1.0.0"
    assert [os.readlink(file) for file in link.rglob("*service_v1.0.0")] == [str(bench.plugin)]
    assert not [call for call in calls if TOKEN in json.dumps([call["words"], call["text"]])]
    assert [call["words"][0] for call in calls if call["environment"].get("TF_VAR_access_token") == TOKEN] == [
        *("init", "providers", "plan", "show", "apply", "plan")
    ]


def test_with_nothing_to_do_the_tool_is_started_once(made: Bench) -> None:
    result = made.run("web")
    assert made.engine.commands() == ["plan"]
    assert (result["changed"], result["actions"], result["config_changed"]) == (False, [], False)
    assert result["instances"] == {"web": recorded.WEB}


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ("plugin", ["init"]),
        ("tool", ["version", "init"]),
        ("folder", ["init"]),
        ("version", ["init"]),
        ("source", ["init"]),
    ],
)
def test_what_the_preparation_depends_on(made: Bench, change: str, more: list[str]) -> None:
    (made.path / ".terraform.lock.hcl").write_text("", encoding="utf-8")
    params = {}
    if change == "plugin":
        made.plugin.write_text("#!/bin/false\n", encoding="utf-8")
    elif change == "tool":
        made.engine.answer("version", out="OpenTofu v1.12.0\n")
        os.utime(made.engine.path, (1, 1))
    elif change == "folder":
        (made.path / ".terraform").rmdir()
    else:
        params = {"plugin_version": "2.0.0"} if change == "version" else {"provider_source": "a.example.com/b/service"}
    made.run("web", **params)
    assert made.engine.commands() == [*more, "providers", "plan"]
    assert (made.path / ".terraform.lock.hcl").exists() == (change != "plugin")
    made.run("web", **params)
    assert made.engine.commands() == ["plan"]


def test_check_mode_leaves_no_trace(bench: Bench) -> None:
    bench.will_do(recorded.CREATE_DB)
    assert bench.run("db", check_mode=True)["changed"]
    assert "apply" not in bench.engine.commands()
    assert not bench.path.exists()


def test_check_mode_works_in_a_copy(made: Bench) -> None:
    before = files(made.path)
    made.will_do(recorded.UPDATE_WEB)
    result = made.run("web", check_mode=True)
    (plan, _show) = made.engine.calls()
    assert plan["folder"] != str(made.path)
    assert "-lock=false" in plan["words"]
    assert result["instances"]["web"] == recorded.LARGER
    assert files(made.path) == before
    assert not os.path.exists(plan["folder"])


@pytest.mark.parametrize(
    ("change", "protect", "words"),
    [
        (
            recorded.REPLACE_WEB,
            ["replace"],
            "service_oci.web would be removed and created again, without its data. Nothing",
        ),
        (recorded.DELETE_WEB, ["delete", "replace"], "service_oci.web would be removed. Nothing was done."),
    ],
)
def test_what_is_protected(made: Bench, change: dict[str, object], protect: list[str], words: str) -> None:
    before = files(made.path)
    made.will_do(change)
    with pytest.raises(InvalidInput, match=words) as caught:
        made.run("other", protect=protect)
    assert caught.value.details["option"] == "protect"
    assert made.engine.commands() == ["plan", "show"]
    assert files(made.path) == before


def test_a_plan_that_fails_leaves_the_configuration(made: Bench, service: ListedInstances) -> None:
    service.instances = [{"Id": 250001, "Name": "web"}]
    before = files(made.path)
    made.engine.answer("plan", status=1, out=recorded.lines(recorded.REFUSED))
    words = r"plan failed: service_oci.bad: create bad: HTTP Error 400: Bad Request: TemplateId: 1 does not exist\.$"
    with pytest.raises(EngineFailed, match=words):
        made.run("other")
    assert files(made.path) == before


@pytest.mark.parametrize("state", ["present", "absent"])
def test_what_others_have_removed_is_forgotten(made: Bench, service: ListedInstances, state: str) -> None:
    service.instances, service.made = [{"Id": 250002, "Name": "db"}], []
    (made.path / "terraform.tfstate").write_text(
        json.dumps(recorded.state(web=recorded.WEB, db=recorded.DB)), encoding="utf-8"
    )
    refusal = recorded.diagnostic("Error retrieving disk: Status: 403", address="service_oci.web")
    made.engine.answer("plan", status=1, out=recorded.lines(refusal), then={"status": 0})
    result = made.run("web", "db", state=state)
    assert result["drift"] == ["service_oci.web"]
    assert "the state has forgotten them: web (instance 250001)." in made.warnings[0]
    plan, forget, again = made.engine.calls()
    assert [plan["words"][0], again["words"][0]] == ["plan", "plan"]
    assert (forget["words"][:2], forget["words"][-1]) == (["state", "rm"], "service_oci.web")


def test_nothing_is_forgotten_if_the_plugin_talks_to_another_service(made: Bench, service: ListedInstances) -> None:
    made.engine.answer("plan", status=1)
    with pytest.raises(EngineFailed):
        made.run("web", api_url="https://other.example.com/beta")
    assert made.engine.commands() == ["plan"]


def test_what_cannot_be_imported_holds_up_nothing_else(bench: Bench, service: ListedInstances) -> None:
    service.instances = [{"Id": 250001, "Name": "web"}]
    bench.will_do(recorded.CREATE_DB, state=recorded.state(db=recorded.DB))
    refusal = recorded.diagnostic("resource service_oci doesn't support import", address="service_oci.web")
    bench.engine.answer("plan", status=1, out=recorded.lines(refusal), then={"status": 2})
    with pytest.raises(
        OperationFailed, match=r"Not imported: service_oci\.web \(instance 250001\)\. .*was done"
    ) as told:
        bench.run("web", "db", adopt=True)
    assert "doesn't support import" in str(told.value)
    assert told.value.details == {"not_imported": {"web": "250001"}, "changed": True}
    plans = [call["text"] for call in bench.engine.calls() if call["words"][0] == "plan"]
    assert ["service_oci.web" in text for text in plans] == [True, False]
    assert '"web"' not in (bench.path / "main.tf").read_text(encoding="utf-8")


def test_a_plugin_as_of_version_1(bench: Bench) -> None:
    bench.engine.answer("providers schema", out=recorded.NEW_SCHEMA)
    with pytest.raises(InvalidInput, match=r"instances \(web\): ip_address_id: .* only with a public address"):
        bench.run("web")
    bench.will_do(recorded.CREATE_NEW, state=recorded.state("service_instance", web=recorded.NEW))
    entry = {"instance_name": "web", "disk_class": "48", "init_disk_size": 10, "ip_address_id": 901}
    assert bench.run(instances=[entry])["instances"] == {"web": recorded.NEW}
    text = (bench.path / "main.tf").read_text(encoding="utf-8")
    assert 'odk_api_url  = "https://api.example.com/beta"' in text
    assert text.endswith(WHOLE_OF_VERSION_1)
    bench.engine.answer("plan")
    assert not bench.run("web")["changed"], "only a create needs the address"
    bench.plugin.write_text("another version", encoding="utf-8")
    bench.engine.answer("providers schema", out=recorded.SCHEMA)
    with pytest.raises(InvalidInput, match="are of the type service_instance, and this version of the plugin has serv"):
        bench.run("web")


WHOLE_OF_VERSION_1 = """resource "service_instance" "web" {
  name                 = "web"
  system_disk_class_id = 48
  system_disk_size     = 10
  public_ips           = [901]

  lifecycle {
    ignore_changes = [authorization_method_id, subregion_id, template_id, type_id]
  }
}
"""


def test_a_half_done_apply(made: Bench) -> None:
    made.will_do(recorded.CREATE_DB, recorded.CREATE_BAD)
    made.engine.answer("apply", status=1, out=recorded.HALF_APPLIED, state=recorded.state(db=recorded.DB))
    with pytest.raises(EngineFailed) as caught:
        made.run("db", "bad")
    assert caught.value.details["changed"] is True
    assert caught.value.details["applied"] == [{"address": "service_oci.db", "action": "create", "id": "250002"}]
    assert "Done before the failure: service_oci.db (create). Not finished: service_oci.bad; if it is created" in str(
        caught.value
    )
    assert "bad" in (made.path / "main.tf").read_text(encoding="utf-8"), "what was begun is what is wanted"
    assert made.told == [
        f"service_oci.{name}" for name in ("db: apply_start", "bad: apply_start", "bad: apply_errored")
    ] + ["service_oci.db: apply_complete"]


@pytest.mark.parametrize(("kept", "changed"), [({"web": recorded.WEB}, None), ({"web": recorded.LARGER}, True)])
def test_a_failed_apply_has_changed_what_the_state_says(made: Bench, kept: dict[str, object], changed: bool) -> None:
    made.will_do(recorded.UPDATE_WEB)
    made.engine.answer("apply", status=1, out=recorded.lines(recorded.REFUSED), state=recorded.state(**kept))
    with pytest.raises(EngineFailed, match=r"Done before the failure: nothing\.") as caught:
        made.run("web")
    assert caught.value.details.get("changed") is changed


def test_a_plugin_that_is_killed_may_have_changed_something(made: Bench) -> None:
    made.will_do(recorded.CREATE_DB)
    gone = recorded.lines(
        recorded.hook("apply_start", "db", "create"),
        recorded.hook("apply_errored", "db", "create"),
        recorded.diagnostic("Plugin did not respond"),
    )
    made.engine.answer("apply", status=1, out=gone)
    words = r"Not finished: service_oci\.db; .* the next run finds it\."
    with pytest.raises(EngineFailed, match=words) as caught:
        made.run("web", "db")
    assert caught.value.details["changed"] is True


BEGUN = recorded.hook("apply_start", "db", "create")
LOST = recorded.diagnostic("create db: the connection was reset", address="service_oci.db")


def test_what_was_begun_is_looked_for_and_taken_over(bench: Bench, service: ListedInstances) -> None:
    service.instances = [{"Id": 250000, "Name": "db"}]  # another one of that name, which is not taken over
    bench.will_do(recorded.CREATE_DB)
    bench.engine.answer("apply", status=1, out=recorded.lines(BEGUN, LOST))
    with pytest.raises(EngineFailed, match=r"Not finished: service_oci\.db; .* the next run finds it\.") as caught:
        bench.run("db")
    assert caught.value.details["changed"] is True
    bench.engine.calls()
    bench.will_do(recorded.UPDATE_WEB, state=recorded.state(web=recorded.LARGER))
    with pytest.raises(
        CannotDetermine, match=r"Cannot determine whether instance 'db' exists: .* appeared since\. Everything else"
    ) as caught:
        bench.run("web", "db")
    assert caught.value.details["changed"] is True
    plan, *_more = bench.engine.calls()
    assert [f'"service_oci" "{name}"' in plan["text"] for name in ("web", "db")] == [True, False]
    service.instances.append({"Id": 250002, "Name": "db"})
    bench.engine.answer("apply", state=recorded.state(db=recorded.DB))
    for _ in range(2):  # what is known of it stays known as long as the state does not have it
        bench.engine.answer("plan", status=1)
        with pytest.raises(EngineFailed):
            bench.run("db")
        plan, without = [call["text"] for call in bench.engine.calls() if call["words"][0] == "plan"]
        assert 'id = "250002"' in plan
        assert "service_oci" not in without


def test_a_create_that_is_certainly_not_there_is_forced(bench: Bench) -> None:
    bench.will_do(recorded.CREATE_DB)
    bench.engine.answer("apply", status=1, out=recorded.lines(BEGUN, LOST))
    with pytest.raises(EngineFailed):
        bench.run("db")
    bench.will_do(recorded.CREATE_DB, state=recorded.state(db=recorded.DB))
    assert bench.run("db", force_create=True)["changed"]
    bench.engine.answer("plan")
    assert not bench.run("db")["changed"]


def test_what_was_not_begun_or_refused_is_sent_again(bench: Bench) -> None:
    words = recorded.diagnostic("HTTP Error 400", '{"Message": "no"}', address="service_oci.db")
    for out in ("", recorded.lines(BEGUN, words)):
        bench.will_do(recorded.CREATE_DB)
        bench.engine.answer("apply", status=1, out=out)
        with pytest.raises(EngineFailed) as caught:
            bench.run("db")
        assert "changed" not in caught.value.details
    bench.will_do(recorded.CREATE_DB, state=recorded.state(db=recorded.DB))
    assert bench.run("db")["changed"]


def test_a_second_one_is_told(bench: Bench, service: ListedInstances) -> None:
    bench.will_do(recorded.CREATE_DB, state=recorded.state(db=recorded.DB))
    service.instances = [{"Id": 250002, "Name": "db"}, {"Id": 249999, "Name": "db"}]
    bench.run("db", create_grace=0.5)  # both were there before
    bench.will_do(
        recorded.CREATE_BAD, state=recorded.state(bad={**recorded.DB, "id": "250003", "instance_name": "bad"})
    )
    service.late = [{"Id": 250003, "Name": "bad"}, {"Id": 250004, "Name": "bad"}]
    with pytest.raises(Ambiguous, match="250004") as caught:
        bench.run("bad", create_grace=0.5)
    assert caught.value.details["changed"] is True
    bench.engine.answer("plan")
    with pytest.raises(Ambiguous, match="250004") as caught:
        bench.run("bad", create_grace=0.5)
    assert "changed" not in caught.value.details
    service.late.pop()
    assert not bench.run("bad", create_grace=0.5)["changed"]
    assert all('"listed":true' in note.read_text() for note in bench.state_dir.rglob("intents/*.json"))


def test_warnings_are_told_once(made: Bench) -> None:
    made.will_do(recorded.UPDATE_WEB, state=recorded.state(web=recorded.LARGER))
    warning = recorded.lines(recorded.diagnostic("It is old", "Take the new one.", "warning"))
    made.engine.answer("plan", status=2, out=warning, then={})
    made.engine.answer("apply", out=warning, state=recorded.state(web=recorded.LARGER))
    made.run("web")
    assert made.warnings == ["It is old: Take the new one"]


def test_a_plugin_that_removes_nothing(made: Bench, service: ListedInstances) -> None:
    made.will_do(recorded.DELETE_WEB, state=recorded.state())
    service.instances = [{"Id": 250001, "Name": "web"}]
    words = r"removed service_oci\.web \(instance 250001\), but the service still has it"
    with pytest.raises(OperationFailed, match=words) as caught:
        made.run(state="absent", instances=None)
    assert caught.value.details == {"ids": [250001], "changed": True}


def test_a_plugin_that_changes_nothing(made: Bench) -> None:
    made.will_do(recorded.UPDATE_WEB, state=recorded.state(web=recorded.LARGER))
    made.engine.answer("plan", status=2)
    assert not made.run("web")["changed"]
    assert made.warnings == [
        "The plugin reports as changed what the service shows unchanged: init_disk_size of web is 10, not 20."
    ]


def test_what_was_changed_cannot_be_read(made: Bench) -> None:
    made.will_do(recorded.UPDATE_WEB, state=recorded.state(web=recorded.LARGER))
    made.engine.answer("plan", status=2, then={"status": 1, "err": "Error: no"})
    assert made.run("web")["changed"]
    assert made.warnings == ["It could not be checked whether anything is left to change: plan failed: Error: no."]


def test_absent(made: Bench) -> None:
    made.will_do(recorded.DELETE_WEB, state=recorded.state())
    result = made.run(state="absent", instances=None)
    assert [one["action"] for one in result["actions"]] == ["delete"]
    plan, _show, _apply = made.engine.calls()
    assert "-destroy" in plan["words"]
    assert "service_oci" not in plan["text"]
    assert made.run(state="absent", instances=None)["changed"] is False
    assert made.engine.calls() == []


def test_absent_with_a_state_that_was_not_stored(made: Bench) -> None:
    (made.path / "terraform.tfstate").unlink()
    kept = made.path / "errored.tfstate"
    kept.write_text(json.dumps(recorded.state(web=recorded.WEB)), encoding="utf-8")
    made.will_do(recorded.DELETE_WEB, state=recorded.state())
    assert made.run(state="absent", instances=None)["changed"]
    assert made.engine.commands() == ["state", "plan", "show", "apply"]


def test_a_state_that_was_not_stored_is_stored(made: Bench) -> None:
    kept = made.path / "errored.tfstate"
    kept.write_text(json.dumps(recorded.state()), encoding="utf-8")
    made.run("web", check_mode=True)
    assert kept.exists()
    assert made.engine.commands() == ["plan"]
    made.run("web")
    assert not kept.exists()
    assert made.engine.commands() == ["state", "plan"]
    assert [str(kept) in warning for warning in made.warnings] == [True, True]


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"version": {"out": "GNU bash, version 5"}}, "is not a usable orchestration tool; it says: GNU bash"),
        ({"version": {"out": "Terraform v1.3.9\n"}}, r"is Terraform 1\.3\.9; at least 1\.5 is needed\."),
        (
            {"init": {"status": 1, "err": "╷\n│ Error: no\n│ such thing\n╵\n"}},
            "init failed: Error: no such thing. Check plugin_",
        ),
        ({"plan": {"status": 1, "err": ""}}, "plan failed: it says nothing"),
        (
            {"init": {"status": 1, "err": "\x1b[31mError: \x1b[0mError acquiring the state lock\n" + "long " * 200}},
            "init failed: Error: Error acquiring the state lock long .* Another run",
        ),
        (
            {"plan": {"status": 1, "out": recorded.lines(recorded.diagnostic("Error acquiring the state lock"))}},
            "Another run",
        ),
        (
            {"plan": {"status": 1, "out": recorded.lines(recorded.diagnostic("failed to instantiate provider: no"))}},
            "Check plugin_path",
        ),
        ({"providers": {"out": "nothing"}}, "providers failed: nothing"),
    ],
)
def test_what_the_tool_does_not_do(bench: Bench, answers: dict[str, dict[str, object]], words: str) -> None:
    for command, what in answers.items():
        bench.engine.answer(command, **what)
    with pytest.raises(FcdError, match=words) as caught:
        bench.run("web")
    assert "\n" not in str(caught.value)
    assert not (bench.path / "main.tf").exists()


def test_an_older_tool_is_told_nothing_of_ephemeral_variables(bench: Bench) -> None:
    bench.engine.answer("version", out="OpenTofu v1.6.2\n")
    bench.run("web")
    assert "ephemeral" not in (bench.path / "main.tf").read_text(encoding="utf-8")


def test_the_private_folder_is_gone(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    bench.will_do(recorded.CREATE_DB, state=recorded.state(db=recorded.DB))
    bench.run("db")
    (out,) = [word for call in bench.engine.calls() for word in call["words"] if word.startswith("-out=")]
    assert out.startswith(f"-out={temporary}/fcd-orchestration-")
    assert list(temporary.iterdir()) == []


def test_the_time_of_the_task(made: Bench) -> None:
    made.will_do(recorded.UPDATE_WEB)
    made.engine.answer("apply", wait=recorded.lines(recorded.hook("apply_start", "web", "update")), status=1)
    with pytest.raises(EngineFailed, match=r"apply: the time limit of this task \(1 s\) has passed") as caught:
        made.run("web", task_timeout=1)
    assert caught.value.details["changed"] is True, "nobody knows how far it came"


@pytest.mark.parametrize("name", ["more.tf", "x.tofu.json", "terraform.tfvars", "a.auto.tfvars.json"])
def test_what_the_tool_would_read_as_well(bench: Bench, name: str) -> None:
    bench.path.mkdir(exist_ok=True)
    (bench.path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match=f"contains {name} besides main.tf"):
        bench.run("web", overwrite=True)


def test_a_pipe_as_state(bench: Bench) -> None:
    bench.path.mkdir(exist_ok=True)
    os.mkfifo(bench.path / "terraform.tfstate")
    with pytest.raises(InvalidInput, match=r"terraform\.tfstate cannot be read: it is not a regular file"):
        bench.run("web")


def test_notes_of_somebody_else(made: Bench) -> None:
    noted = made.path / ".fcd-orchestration.json"
    noted.write_text('{"prepared_for": 5, "source": 5, "executable": {}, "plugin": 1, "state": 5}', encoding="utf-8")
    noted.chmod(0o600)
    assert made.run("web")["changed"] is False


def test_paths_that_cannot_be_used(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InvalidInput, match=r"path: .*file.* cannot be used: (Not a directory|File exists)"):
            bench.run("web", path=str(path))
    with pytest.raises(InvalidInput, match="lock_timeout: -1; it must be at least 0"):
        bench.run("web", lock_timeout=-1)
    for option, value in {
        "plugin_version": "../../x",
        "provider_source": "../../x",
        "api_url": "http://a.example.com",
    }.items():
        with pytest.raises(InvalidInput, match=f"^{option}: "):
            bench.run("web", **{option: value})
    assert not bench.path.exists()
    with pytest.raises(InvalidInput, match="state_container: 'a/b' cannot be the name of a container"):
        bench.run("web", state_container="a/b")


def test_the_executable_in_the_path(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/no/where")
    with pytest.raises(InvalidInput, match="there is no tofu and no terraform in PATH"):
        bench.run("web", executable=None)
    with pytest.raises(InvalidInput, match="is not an executable file"):
        bench.run("web", executable="./tofu")
    monkeypatch.setenv("PATH", str(bench.engine.place))
    bench.run("web", executable=None)
    bench.run("web", executable="tofu")
