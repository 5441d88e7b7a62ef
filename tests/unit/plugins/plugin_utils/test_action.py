# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The action plugin: which Python is the controller's, what it hides, what the next try of a task begins with."""

from __future__ import annotations

import datetime as dt
import importlib
import types
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation, this_run
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import plain_data
from ansible_collections.fcd.cloud.plugins.plugin_utils import _action


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Two environments made of the same Python, one of them reached by a link too, and another Python beside it."""
    for name in ("system", "one/bin", "two/bin"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "system" / "python3.13").write_text("")
    for environment in ("one", "two"):
        folder = tmp_path / environment / "bin"
        (folder / "python").symlink_to(tmp_path / "system" / "python3.13")
        (folder / "python3").symlink_to("python")
        (folder / "python3.13").symlink_to("python")
        (folder / "other").write_text("")
    (tmp_path / "link").symlink_to("one")
    return tmp_path


def test_the_own_interpreter(places: Path) -> None:
    for desired, same in [
        ("one/bin/python", True),
        ("one/bin/python3", True),
        ("one/bin/python3.13", True),
        ("one/bin/../bin/python", True),
        ("one/bin/other", False),
        ("one/bin/nowhere", False),
        ("two/bin/python", False),
        ("two/bin/python3.13", False),
        ("link/bin/python3", False),
        ("system/python3.13", False),
    ]:
        assert _action._same_interpreter(f"{places}/{desired}", f"{places}/one/bin/python3") is same


class Alone(_action.InProcessAction):
    """An action plugin without a worker around it; ``gives`` is what its operation returns."""

    operation = Operation("example", (), {}, lambda _task, _params: {})

    def __init__(self, args: dict[str, t.Any], gives: dict[str, t.Any], *, secret: bool, async_val: int = 0) -> None:
        self.operation = self.operation._replace(returns_secrets=secret)  # type: ignore[misc]
        self._task = types.SimpleNamespace(args=args, async_val=async_val, check_mode=False, no_log=False)
        self._connection = types.SimpleNamespace(_shell=types.SimpleNamespace(tmpdir="/nowhere"))
        self.seen: list[t.Any] = []
        self._gives = gives

    def same_as_module(self, variables: dict[str, t.Any]) -> bool:
        return True

    def prepare(self, args: dict[str, t.Any], variables: dict[str, t.Any], *, in_worker: bool) -> dict[str, t.Any]:
        return {**args, "src": "/temporary"}

    def _in_worker(self, args: dict[str, t.Any]) -> dict[str, t.Any]:
        self.seen.append(args)
        self._task.args = args
        return dict(self._gives)


def test_the_next_try_begins_with_the_arguments_of_the_task() -> None:
    """What was prepared for the first, such as a decrypted file, is gone by then."""
    plugin = Alone({"src": "vaulted.txt"}, {"changed": False}, secret=False)
    for _try in range(2):
        plugin.run(None, {})
        assert plugin._task.args == {"src": "vaulted.txt"}
    assert plugin.seen == [{"src": "/temporary"}] * 2


def test_a_long_value_is_cut_in_an_error() -> None:
    value = "9" * 5000
    for args, given in (({"quota_bytes": value}, value), ({"names": [f"{value}\n"]}, f"{value}\\n")):
        said = f"it must be a size, not {given}."
        result = Alone(args, {"failed": True, "msg": said}, secret=False).run(None, {})
        assert result["msg"].startswith(f"it must be a size, not {value[:200]}… (5,00")
        assert len(result["msg"]) < 300
    assert Alone({"a": "b" * 200}, {"failed": True, "msg": "b" * 200}, secret=False).run(None, {})["msg"] == "b" * 200


class Refusing(Alone):
    """An action plugin whose arguments cannot be used."""

    def prepare(self, args: dict[str, t.Any], variables: dict[str, t.Any], *, in_worker: bool) -> dict[str, t.Any]:
        raise InvalidInput("src: it is a pipe\n.", next_step="Give a file.", option="src")


def test_what_an_action_refuses_is_told_as_an_operation_tells_it() -> None:
    assert Refusing({"src": "pipe"}, {}, secret=False).run(None, {}) == {
        "failed": True,
        "changed": False,
        "msg": "src: it is a pipe\\n. Give a file.",
        "error": {"kind": "InvalidInput", "option": "src"},
    }


class Elsewhere(Alone):
    """An action plugin that hands over to its module."""

    def same_as_module(self, variables: dict[str, t.Any]) -> bool:
        return False

    def _execute_module(self, **how: t.Any) -> dict[str, t.Any]:
        self.seen.append(self._task.environment)
        return dict(self._gives)


def test_a_module_is_told_which_play_it_belongs_to() -> None:
    """All tasks of it share a budget of retries; the module cannot find out by itself."""
    plugin = Elsewhere({}, {"changed": False}, secret=False)
    for environment in ([{"OWN": "x"}, {}], [], {"OWN": "x"}, {}, None):
        plugin._task.environment = environment
        assert plugin.run(None, {})["changed"] is False
        own = environment if isinstance(environment, list) else [environment or {}]
        assert plugin.seen.pop() == [*own, {"FCD_PLAY_PROCESS": this_run()}]
        assert plugin._task.environment == environment


@pytest.mark.parametrize(
    ("secret", "gives", "hidden"),
    [
        (True, {"changed": False, "access_token": "x"}, True),
        (True, {"failed": True, "msg": "wrong"}, False),
        (False, {"changed": False}, False),
    ],
)
def test_a_secret_result_is_hidden_in_the_sum_of_a_loop_too(
    secret: bool, gives: dict[str, t.Any], hidden: bool
) -> None:
    plugin = Alone({}, gives, secret=secret)
    assert plugin.run(None, {}).get("_ansible_no_log", False) is hidden


def test_a_secret_result_is_not_left_to_async_status() -> None:
    plugin = Alone({}, {"changed": False}, secret=True, async_val=20)
    result = plugin.run(None, {})
    assert (result["failed"], result["msg"]) == (
        True,
        "async: the result of example would be shown by async_status. Leave async out.",
    )
    assert plugin.seen == []
    assert not Alone({}, {"changed": False}, secret=False, async_val=20).run(None, {}).get("failed")


@pytest.mark.parametrize(
    ("name", "args", "refused"),
    [
        ("contract_call", {"operation": "GetUser"}, True),
        ("client_user_session", {}, True),
        ("client_phone_verification", {}, True),
        ("token", {}, True),
        ("disk", {}, False),
        ("instance", {}, False),
        ("instance", {"access_data": "no"}, False),
        ("instance", {"access_data": True}, True),
        ("instance", {"access_data": "yes"}, True),
        ("instance_info", {}, False),
        ("instance_info", {"include": ["disks", "events"]}, False),
        ("instance_info", {"include": ["disks", "access_data"]}, True),
        ("instance_info", {"include": "disks, init_script"}, True),
    ],
)
def test_async_is_refused_where_the_result_may_be_secret(name: str, args: dict[str, t.Any], refused: bool) -> None:
    """Some results are secret only at times; where the arguments tell when, the other tasks may go on."""
    face = importlib.import_module(f"ansible_collections.fcd.cloud.plugins.action.{name}").ActionModule
    plugin = type("Of", (Alone, face), {})(args, {"changed": False}, secret=False, async_val=20)
    plugin.operation = face.operation
    result = plugin.run(None, {})
    assert ("would be shown by async_status" in result.get("msg", "")) is refused
    assert (plugin.seen == []) is refused


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (dt.datetime(2031, 1, 1, 10, tzinfo=dt.timezone.utc), "2031-01-01T10:00:00+00:00"),
        (dt.datetime(2031, 1, 1, 10), "2031-01-01T10:00:00"),  # noqa: DTZ001 - YAML without a zone
        (dt.date(2031, 1, 1), "2031-01-01"),
        ({"a": [dt.date(2031, 1, 1)]}, {"a": ["2031-01-01"]}),
    ],
)
def test_moments_are_written_as_a_module_gets_them(value: object, plain: object) -> None:
    assert plain_data(value) == plain
