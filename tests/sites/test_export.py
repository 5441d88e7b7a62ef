# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The export of an account: every entry is as it is, and nothing in it is taken for something else."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
import yaml
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import with_numbers
from sites.busy_account import SECRET_KEY, TEMPLATE, TEXTS, seed
from sites.operations import done, outcome, part

QUICK = {"ticket_seconds": 0.02, "lock_tail": 0.0, "visible_after": 0.0, "access_data_after": 0.0}


class Literal(str):
    """A text with the tag that keeps it from being evaluated."""

    __slots__ = ()


class Loader(yaml.SafeLoader):
    """Reads YAML 1.1 as Ansible does."""


def _literal(loader: Loader, node: yaml.ScalarNode) -> Literal:
    return Literal(loader.construct_scalar(node))


Loader.add_constructor("!unsafe", _literal)

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def home(sandbox: SandboxProcess, tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[SandboxProcess]:
    """The sandbox with a busy account, and the variables of a task."""
    sandbox.reset()
    sandbox.settings(rest=QUICK)
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**sandbox.environment, "FCD_STATE_DIR": str(folder / "state")}.items():
            patch.setenv(name, value)
        seed(folder)
        yield sandbox


@pytest.fixture(scope="module")
def exported(home: SandboxProcess) -> dict[str, t.Any]:
    """What is exported without options."""
    home.clear_requests()
    return export()


def export(**options: t.Any) -> dict[str, t.Any]:
    """Return the result of an export."""
    return done(site_export(), options)


def site_export() -> t.Any:
    """Return the operation of the module."""
    return part("_site_export.export").OPERATION


def loaded(result: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the site file as it is read."""
    site: dict[str, t.Any] = yaml.load(result["text"], Loader)
    return site


def declared(result: t.Mapping[str, t.Any], folder: Path) -> t.Any:
    """Return what the exported file declares, read by the loader of site files."""
    from ansible.parsing.dataloader import DataLoader
    from ansible.template import Templar

    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import read_site

    file = folder / "site.yml"
    file.write_text(result["text"], encoding="utf-8")
    return read_site(DataLoader(), Templar(loader=DataLoader(), variables={}), str(file))


def checked(home: SandboxProcess, declaration: t.Any) -> int:
    """Run every entry through its module in check mode, and return how many changed nothing: all of them."""
    listed = done(part("_infrastructure.ip_address").INFO, {})["ip_addresses"]
    numbers = {("ip_addresses", one["comment"]): one["id"] for one in listed}
    home.clear_requests()
    for entry in declaration.entries:
        params = with_numbers(entry.params, lambda *place: numbers[place])
        result = done(
            entry.of.operation(), {name: one for name, one in params.items() if one is not None}, check_mode=True
        )
        assert result["changed"] is False, (entry.place, params, result)
    assert [one for one in home.requests() if one["write"]] == []
    return len(declaration.entries)


def test_only_reads_are_sent(home: SandboxProcess, exported: dict[str, t.Any]) -> None:
    assert exported["changed"] is False
    writes = [one for one in home.requests() if one["write"]]
    assert writes == []


def test_the_text_is_the_data(exported: dict[str, t.Any]) -> None:
    assert loaded(exported) == exported["site"]


def test_nothing_is_evaluated(exported: dict[str, t.Any]) -> None:
    found = list(texts(loaded(exported)))
    assert TEMPLATE in found
    assert [one for one in found if ("{{" in one or "{%" in one) and not isinstance(one, Literal)] == []


def texts(value: t.Any) -> t.Iterator[str]:
    """Yield all texts in a value, keys too."""
    if isinstance(value, dict):
        value = [one for pair in value.items() for one in pair]
    if isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif isinstance(value, str):
        yield value


def test_twice_is_the_same(exported: dict[str, t.Any]) -> None:
    assert export()["text"] == exported["text"]


def test_every_entry_changes_nothing(home: SandboxProcess, exported: dict[str, t.Any], tmp_path: Path) -> None:
    assert checked(home, declared(exported, tmp_path)) == sum(exported["counts"].values()) > 60
    assert all(exported["counts"].values()), "a kind without an entry proves nothing"


def test_small_texts_are_told(exported: dict[str, t.Any]) -> None:
    told = {one["name"]: one["content"] for one in loaded(exported)["storage_objects"] if one["container"] == "assets"}
    assert told == {**TEXTS, "yes": "no"}


def test_no_secret_is_told(home: SandboxProcess, exported: dict[str, t.Any]) -> None:
    secrets = [
        SECRET_KEY,
        "Quite-long-1-and-odd",
        *(home.environment[name] for name in ("FCD_PASSWORD", "FCD_STORAGE_KEY")),
    ]
    assert [secret for secret in secrets if secret in repr(exported)] == []


def test_what_is_left_out_is_told(exported: dict[str, t.Any]) -> None:
    told = {(one["kind"], one["name"], one["option"]): one["reason"] for one in exported["left_out"]}
    for name in ("soon gone", "zipped", "large", "cut", "dynamic", "known secret"):
        assert ("storage_objects", f"yes/{name}", None) in told
    assert ("storage_containers", "yes", "cors_allow_origin") in told
    assert ("instances", None, "init_script") in told
    assert ("storage_containers", "state-of-x", None) in told, "it is that of another site"
    assert not any(".fcd-sites" in str(one) for one in told)
    assert exported["not_read"] == []


@pytest.mark.full
def test_larger_objects_become_files(home: SandboxProcess, tmp_path: Path) -> None:
    options = {
        "kinds": ["storage_objects"],
        "folder": str(tmp_path / "objects"),
        "names": {"storage_objects": ["yes/*"]},
    }
    foreseen = done(site_export(), options, check_mode=True)
    assert (foreseen["changed"], (tmp_path / "objects").exists()) == (True, False)
    first, second = export(**options), export(**options)
    assert (first["changed"], second["changed"]) == (True, False)
    assert {first["text"], second["text"]} == {foreseen["text"]}
    files = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "objects").rglob("*") if file.is_file()}
    assert files == {"large": 0o600, "zipped": 0o600}
    told = {one["name"]: one["reason"] for one in first["left_out"]}
    assert told["yes/large/below"] == "its file would replace that of 'yes/large'"
    assert told["yes/$HOME"] == "a part of its name would be taken for a variable of the environment"
    assert told["yes/vaulted"].startswith("a site would decrypt its file with Ansible Vault")
    assert checked(home, declared(first, tmp_path)) == first["counts"]["storage_objects"] == 3


def test_the_site_may_call_the_folder_otherwise(home: SandboxProcess, tmp_path: Path) -> None:
    options = {"names": {"storage_objects": ["yes/zipped"]}, "folder": str(tmp_path / "objects")}
    result = export(kinds=["storage_objects"], folder_in_site="objects", **options)
    assert result["site"]["storage_objects"][0]["src"] == "objects/yes/zipped"
    assert checked(home, declared(result, tmp_path)) == 1


def test_containers_with_many_objects(home: SandboxProcess) -> None:
    result = export(kinds=["storage_containers", "storage_objects"], object_limit=3)
    assert "storage_objects" not in result["site"]
    assert {"assets/*", "yes/*"} <= {one["name"] for one in result["left_out"]}


def test_names_choose(home: SandboxProcess) -> None:
    result = export(kinds=["instances", "disks"], names={"instances": ["web*", "none"], "disks": []})
    assert result["counts"] == {"instances": 1, "disks": 0}
    assert result["site"]["instances"][0]["ip_addresses"] != [{"ref": "ip_addresses.web entry"}], "it is not declared"


def test_an_interface_that_is_not_set_up(home: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FCD_SOAP_URL")
    monkeypatch.delenv("FCD_STORAGE_KEY")
    result = export()
    assert [one["kind"] for one in result["not_read"]] == [
        "storage_containers",
        "clients",
        "storage_objects",
        "warehouses",
        "client_users",
        "client_pricelists",
    ]
    assert len(result["warnings"]) == 6
    named = outcome(site_export(), {"kinds": ["ssh_keys", "clients"]})
    assert (named["failed"], "soap_url" in named["msg"]) == (True, True)


def test_nothing_is_set_up(home: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in home.environment:
        if name.startswith("FCD_"):
            monkeypatch.delenv(name)
    result = outcome(site_export(), {})
    assert (result["failed"], result["error"]["kind"]) == (True, "MissingSettings")


def test_a_user_without_the_role_of_an_administrator(home: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    info = home.control("GET", "info")
    credentials = {**info, **info.get("credentials", {})}
    monkeypatch.setenv("FCD_STORAGE_USER", credentials["storage_other_user"])
    monkeypatch.setenv("FCD_STORAGE_KEY", credentials["storage_other_key"])
    result = export()
    assert [one["kind"] for one in result["not_read"]] == ["storage_containers", "storage_objects"]
    assert "administrator" in result["not_read"][0]["reason"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"site": "Web shop"}, "cannot be the name of a site"),
        ({"kinds": []}, "the list is empty"),
        ({"concurrency": 0}, "at least 1"),
        ({"inline_limit": -1}, "inline_limit: '-1' is not a size"),
        ({"folder_in_site": "x"}, "it requires folder"),
        ({"folder": __file__}, "is not a folder"),
    ],
)
def test_impossible_options_are_refused(home: SandboxProcess, options: dict[str, t.Any], told: str) -> None:
    home.clear_requests()
    result = outcome(site_export(), options)
    assert (result["failed"], home.requests()) == (True, [])
    assert told in result["msg"]


@pytest.mark.full
def test_thousands_of_instances_cost_few_requests(home: SandboxProcess) -> None:
    """It is the last one: the sandbox has other objects from now on.

    Nothing is asked for each instance. Pages are long here and in order: how many a list takes is not the point.
    """
    home.reset()
    home.settings(rest={"bulk_instances": 2000, "longest_page": 0, "shuffled": False})
    result = export(kinds=["private_networks", "ip_addresses", "instances", "disks"])
    assert result["counts"]["instances"] == 2000
    counts = home.counts()
    assert counts["writes"] == 0
    assert sum(number for name, number in counts["by"].items() if name.startswith("rest ")) <= 15
