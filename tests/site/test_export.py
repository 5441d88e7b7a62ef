# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The export of an account: every entry is as it is, and nothing in it is taken for something else."""

from __future__ import annotations

import typing as t

import pytest
import yaml
from busy_account import SECRET_KEY, TEMPLATE, TEXTS, seed
from operations import done, outcome, part
from sandbox.process import SandboxProcess

QUICK = {"ticket_seconds": 0.02, "lock_tail": 0.0, "visible_after": 0.0, "access_data_after": 0.0}


class Literal(str):
    """A text with the tag that keeps it from being evaluated."""

    __slots__ = ()


class Loader(yaml.SafeLoader):
    """Reads YAML 1.1 as Ansible does."""


Loader.add_constructor("!unsafe", lambda loader, node: Literal(loader.construct_scalar(node)))


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
    return done(part("_resources.site_export.operation").OPERATION, options)


def loaded(result: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the site file as it is read."""
    site: dict[str, t.Any] = yaml.load(result["text"], Loader)
    return site


def entries(site: t.Mapping[str, t.Any]) -> t.Iterator[tuple[str, dict[str, t.Any]]]:
    """Yield kind and options of every entry, the defaults in them."""
    for kind in part("_resources.site.kinds").KINDS:
        for entry in site.get(kind, ()):
            yield kind, {**site.get("defaults", {}).get(kind, {}), **entry}


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


def test_every_entry_changes_nothing(home: SandboxProcess, exported: dict[str, t.Any]) -> None:
    kinds = part("_resources.site.kinds").KINDS
    home.clear_requests()
    site, checked = loaded(exported), 0
    for kind, options in entries(site):
        result = outcome(kinds[kind].operation(), with_numbers(home, options), check_mode=True)
        assert (result.get("failed", False), result["changed"]) == (False, False), (kind, options, result)
        checked += 1
    assert checked == sum(exported["counts"].values()) > 60
    assert [one for one in home.requests() if one["write"]] == []
    assert all(exported["counts"].values()), "a kind without an entry proves nothing"


def with_numbers(home: SandboxProcess, options: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return the options with the address behind each reference to one."""
    if "ip_addresses" not in options:
        return options
    addresses = part("_resources.ip_address.reading").OPERATION
    by_comment = {one["comment"]: one["address"] for one in done(addresses, {})["ip_addresses"]}
    given = [
        by_comment[one["ref"].partition(".")[2]] if isinstance(one, dict) else one for one in options["ip_addresses"]
    ]
    return {**options, "ip_addresses": given}


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
    for name in ("soon gone", "zipped", "large", "cut", "known secret"):
        assert ("storage_objects", f"yes/{name}", None) in told
    assert ("instances", None, "init_script") in told
    assert not any(".fcd-sites" in str(one) for one in told)
    assert exported["not_read"] == []
