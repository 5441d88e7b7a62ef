# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running an operation: which secrets the result must not show, and values that are refused before it runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import Execution, execute
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import REST, SECONDS
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, mark_changed_on_error
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import quoted
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Response


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: t.Any) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


def ended(**params: t.Any) -> Execution:
    def run(_task: t.Any, _params: t.Any) -> t.NoReturn:
        raise AssertionError("it ran")

    operation = Operation("example", (REST,), {"wait_timeout": {"type": SECONDS}, "content": {"type": "raw"}}, run)
    quiet: dict[str, t.Any] = {
        "check_mode": False,
        "diff_mode": False,
        "warn": print,
        "tell": print,
        "runner": "module",
    }
    return execute(operation, params, **quiet)


@pytest.mark.parametrize(
    ("address", "password"),
    [
        ("https://user:canary@api.example.com/", "canary"),
        ("https://:canary@api.example.com", "canary"),
        ("https://user:can:ar@y@api.example.com/", "can:ar@y"),
    ],
)
def test_a_password_in_an_address_is_a_secret(address: str, password: str) -> None:
    done = ended(base_url=address)
    assert done.result["msg"].startswith("base_url: the address must not contain a user name or a password.")
    assert password in done.secrets


@pytest.mark.parametrize("address", ["https://api.example.com:8443/a:b@c", "https://api.example.com/?a=b:c@d"])
def test_other_addresses_hold_none(address: str) -> None:
    assert ended(base_url=address, wait_timeout=-1.0).secrets == set()


@pytest.mark.parametrize(("name", "value"), [("wait_timeout", "soon"), ("content", "\udcff")])
def test_values_that_cannot_be_meant_end_it(name: str, value: t.Any) -> None:
    done = ended(**{name: value})
    assert (done.result["failed"], done.result["error"]["kind"]) == (True, "InvalidInput")
    assert done.result["msg"].startswith(f"{name}: ")


@pytest.mark.parametrize("changed", [False, True])
def test_a_failure_says_whether_something_was_changed_before(changed: bool) -> None:
    def run(_task: t.Any, _params: t.Any) -> t.NoReturn:
        with mark_changed_on_error(changed):
            raise FcdError("It failed.", status=500)

    done = execute(
        Operation("example", (REST,), {}, run),
        {},
        check_mode=False,
        diff_mode=False,
        warn=print,
        tell=print,
        runner="module",
    )
    error = {"kind": "FcdError", "status": 500}
    assert done.result == {"failed": True, "changed": changed, "msg": "It failed.", "error": error}


@pytest.mark.parametrize("hides", [True, False])
def test_what_is_given_to_secret_options_is_hidden_in_all_that_comes_out(hides: bool) -> None:
    spec: dict[str, t.Any] = {
        "fields": {"type": "dict", "no_log": True},
        "users": {"type": "list", "elements": "dict", "options": {"pesel": {"type": "int", "no_log": True}}},
    }
    said: list[str] = []
    coded = "eDpjYW5hcnktb25lCg=="  # x:canary-one

    def run(task: t.Any, _params: t.Any) -> dict[str, t.Any]:
        task.warn(f"warned of {coded}")
        task.tell("told of canary-one and 44051401359")
        return {"changed": True, "number": 44051401359, "text": f"is {coded}", "diff": {"after": ["canary-one"]}}

    done = execute(
        Operation("example", (REST,), spec, run, returns_secrets=not hides),
        {"fields": {"a": ["canary-one"]}, "users": [{"pesel": 44051401359}]},
        check_mode=False,
        diff_mode=True,
        warn=said.append,
        tell=said.append,
        runner="module",
    )
    shown = f"{said} {done.result if hides else ''}"
    assert not re.search("canary|Nhbmrye|Y2FuYXJ5|NhbmFyeS|4405", shown), shown
    assert done.result["changed"] is True
    assert hides or done.result["number"] == 44051401359, "what is asked for is told"


def defect(run: t.Callable[..., t.Any]) -> dict[str, t.Any]:
    operation = Operation("example", (REST,), {}, run)
    done = execute(operation, {}, check_mode=False, diff_mode=False, warn=print, tell=print, runner="module")
    assert done.result["error"]["place"] in done.result["msg"]
    return dict(done.result["error"])


def test_a_defect_names_its_file_within_the_collection() -> None:
    error = defect(lambda task, _params: task.refuse_missing("no error"))
    assert error["type"] == "TypeError"
    assert re.fullmatch(r"plugins/module_utils/_connection/task\.py:\d+", error["place"])


def test_a_defect_in_a_library_names_the_line_of_ours_that_called_it() -> None:
    place = defect(lambda _task, _params: Response(200, {}, b"{").json())["place"]
    assert re.fullmatch(r"plugins/module_utils/_http/messages\.py:\d+", place)


HOSTILE = "esc\x1b]0;owned\x07 nl\n::warning::x rtl\u202egnp.exe"


def test_what_ansible_prints_as_it_is_can_be_seen() -> None:
    result = {
        "msg": HOSTILE,
        "name": HOSTILE,
        "diff": {"before_header": HOSTILE, "before": HOSTILE, "after": {HOSTILE: [HOSTILE]}},
    }
    one_line = r"esc\x1b]0;owned\x07 nl\n::warning::x rtl\u202egnp.exe"
    lines = "esc\\x1b]0;owned\\x07 nl\n\\x3a:warning::x rtl\\u202egnp.exe"
    diff = {"before_header": one_line, "before": lines, "after": {one_line: [one_line]}}
    assert Execution(result, set()).shown() == {"msg": one_line, "name": HOSTILE, "diff": diff}
    assert Execution({"diff": [result["diff"]]}, set()).shown() == {"diff": [diff]}
    assert Execution(result, set(), has_lines=True).shown()["msg"] == lines


ANY_TEXT = st.text(st.characters(exclude_categories=()))
ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inside: st.lists(inside) | st.dictionaries(ANY_TEXT, inside),
)


@given(ANY_TEXT, st.dictionaries(ANY_TEXT, ANY_VALUE), ANY_VALUE)
def test_any_program_can_read_a_result(msg: str, diff: dict[str, t.Any], names: t.Any) -> None:
    shown = Execution({"msg": msg, "diff": diff, "names": names}, set()).shown()
    json.dumps(shown, ensure_ascii=False, allow_nan=False).encode()


def test_the_name_of_a_file_is_spelt_alike_everywhere() -> None:
    name = os.fsdecode(b"a\xe9\\\xc3\xa9")
    spelt = "a\\xe9\\é"
    result = {"msg": f"{name}: {quoted(name)}", "diff": {"before": name, "after": [name]}, name: [{"name": name}]}
    shown = {"msg": f"{spelt}: '{spelt}'", "diff": {"before": spelt, "after": [spelt]}, spelt: [{"name": spelt}]}
    assert Execution(result, set()).shown() == shown


MODULE = """
import json
from ansible.module_utils import basic
args = {"password": "canary\\udcff", "timeout": "soon" * 99, "ca_path": "/caf\\udce9"}
args["_ansible_inject_invocation"] = True
basic._ANSIBLE_ARGS, basic._ANSIBLE_PROFILE = json.dumps({"ANSIBLE_MODULE_ARGS": args}).encode(), "legacy"
from ansible_collections.fcd.cloud.plugins.modules import subregion_info
subregion_info.run_module(subregion_info.OPERATION)
"""


def test_a_module_shows_its_arguments_without_secrets_and_fit_to_be_read() -> None:
    environment = {**os.environ, "PYTHONPATH": os.environ["ANSIBLE_COLLECTIONS_PATH"]}
    done = subprocess.run([sys.executable, "-c", MODULE], capture_output=True, text=True, check=False, env=environment)
    result = json.loads(done.stdout)
    assert (result["changed"], result["invocation"]["module_args"]["ca_path"]) == (False, r"/caf\xe9")
    assert "canary" not in done.stdout
    assert "soon… (396 characters)" in result["msg"]


def test_a_secret_with_control_characters_is_hidden_before_it_becomes_visible() -> None:
    result = {"msg": f"it is {HOSTILE}!", "diff": {"before": {"key": HOSTILE}, "after": HOSTILE}}
    for done in (Execution(result, {HOSTILE}).shown(), Execution(result, set()).shown([HOSTILE])):
        assert "owned" not in str(done)


@pytest.mark.parametrize(
    ("diff", "shown"),
    [
        (
            {"before": {}, "after": {"name": "web", "size": 0, "on": False, "note": None, "tags": [], "text": ""}},
            {"before": {}, "after": {"name": "web", "size": 0, "on": False}},
        ),
        ({"before": {"name": "web", "note": None}, "after": {}}, {"before": {"name": "web"}, "after": {}}),
        ({"before": {"note": None}, "after": {"note": "x"}}, {"before": {"note": None}, "after": {"note": "x"}}),
        (
            [{"before": {}, "after": {"id": 1, "note": None}, "after_header": "web"}],
            [{"before": {}, "after": {"id": 1}, "after_header": "web"}],
        ),
        ({"before": "", "after": "a\n"}, {"before": "", "after": "a\n"}),
        ({"prepared": "a"}, {"prepared": "a"}),
    ],
)
def test_differences_of_creates_and_removals_are_short(diff: t.Any, shown: t.Any) -> None:
    operation = Operation("example", (REST,), {}, lambda _task, _params: {"changed": True, "diff": diff})
    quiet: dict[str, t.Any] = {"check_mode": False, "diff_mode": True, "warn": print, "tell": print, "runner": "module"}
    assert execute(operation, {}, **quiet).result["diff"] == shown
