# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings: sources and their order, types, what is missing, and addresses; all before anything is sent."""

from __future__ import annotations

import itertools
import os
import pwd
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS, connection_options
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, MissingSettings

ALL = ("identity", "rest", "soap", "storage", "site")
BASE = "https://api.example.com/beta"


@pytest.fixture(autouse=True)
def alone(own_home: Path) -> Path:
    return own_home


def write_profile(home: Path, text: str) -> Path:
    path = home / ".config" / "fcd" / "cloud.yml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)
    return path


def test_the_order_of_sources(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_profile(own_home, "default: {username: profile, scope: profile, api_client_id: profile, retries: 7}\n")
    monkeypatch.setenv("FCD_USERNAME", "environment")
    monkeypatch.setenv("FCD_SCOPE", "environment")
    settings = Settings.resolve({"username": "task", "own": "of the module", "retries": None}, ("rest",))
    found = {name: settings[name] for name in ("username", "scope", "api_client_id", "retries", "timeout")}
    assert found == {
        "username": "task",
        "scope": "environment",
        "api_client_id": "profile",
        "retries": 7,
        "timeout": 60.0,
    }
    assert "own" not in settings


STAGING = "https://staging.example.com/beta"


@pytest.mark.parametrize("as_modules_get_it", [{}, {"base_url": BASE}])
def test_a_selected_profile_is_not_mixed_with_another_account(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, as_modules_get_it: dict[str, str]
) -> None:
    """Ansible gives a module the variables of text options as if the task had them."""
    write_profile(own_home, f"staging: {{base_url: {STAGING}, api_client_secret: canary, timeout: 5}}\n")
    monkeypatch.setenv("FCD_BASE_URL", BASE)
    with pytest.raises(InvalidInput) as caught:
        Settings.resolve({"profile": "staging", **as_modules_get_it}, ("rest",))
    assert str(caught.value) == (
        "profile: 'staging' and FCD_BASE_URL contain different values for base_url. "
        "Unset FCD_BASE_URL, or give base_url in the task."
    )


@pytest.mark.parametrize(
    ("params", "variables", "base"),
    [
        ({"profile": "staging", "base_url": "https://other.example.com/beta"}, {"base_url": BASE}, "other"),
        ({"profile": "staging"}, {"base_url": STAGING}, "staging"),
        ({"profile": "staging"}, {"timeout": "7", "username": "of the environment"}, "staging"),
        ({}, {"profile": "staging", "base_url": BASE}, "api"),
        ({"profile": "staging"}, {"profile": "staging", "base_url": BASE}, "api"),
    ],
)
def test_variables_beside_a_profile(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, params: dict[str, str], variables: dict[str, str], base: str
) -> None:
    write_profile(own_home, f"staging: {{base_url: {STAGING}, timeout: 5}}\n")
    for name, value in variables.items():
        monkeypatch.setenv("FCD_" + name.upper(), value)
    assert Settings.resolve(params, ("rest",))["base_url"] == f"https://{base}.example.com/beta"


def test_defaults(own_home: Path) -> None:
    settings = Settings.resolve({}, ALL)
    assert len(settings) == len(OPTIONS)
    assert {name: value for name, value in settings.items() if value is not None} == {
        "profile": "default",
        "config_file": str(own_home / ".config/fcd/cloud.yml"),
        "state_dir": str(own_home / ".local/state/fcd-cloud"),
        "timeout": 60.0,
        "retries": 3,
        "retry_budget": 500,
        "progress": "auto",
        "validate_certs": True,
        "allow_plain_http": False,
        "api_version": "auto",
        "scope": "service.api",
        "token_cache": True,
        "soap_user_prefix": "API\\",
        "soap_contract_ttl": 86400.0,
        "storage_key_encoding": "none",
    }


def test_settings_of_other_services_are_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCD_STORAGE_KEY", "canary-key")
    monkeypatch.setenv("FCD_SOAP_URL", "not an address")
    settings = Settings.resolve({}, ("rest",))
    assert settings["storage_key"] is None
    assert settings.secrets() == []


def test_an_empty_text_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    for name in [name for name in OPTIONS if name != "soap_user_prefix"]:
        with monkeypatch.context() as patch, subtests.test(name=name):
            plain = Settings.resolve({}, ALL)
            patch.setenv("FCD_" + name.upper(), "")
            assert dict(Settings.resolve({name: ""}, ALL)) == dict(plain)


def test_an_empty_prefix_is_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.resolve({"soap_user_prefix": ""}, ("soap",))["soap_user_prefix"] == ""
    monkeypatch.setenv("FCD_SOAP_USER_PREFIX", "")
    assert Settings.resolve({}, ("soap",))["soap_user_prefix"] == ""


TYPES: list[tuple[t.Any, ...]] = [
    ("timeout", "2.5", 2.5),
    ("timeout", 3, 3.0),
    ("task_timeout", "1e3", 1000.0),
    ("retries", "0", 0),
    ("retries", 2.0, 2),
    ("retry_budget", "0", 0),
    ("validate_certs", "no", False),
    ("validate_certs", "False", False),
    ("validate_certs", "1", True),
    ("validate_certs", 0, False),
    ("validate_certs", "Y", True),
    ("validate_certs", False, False),
    ("soap_member_map", '{"A.b": "C"}', {"A.b": "C"}),
    ("soap_member_map", {"A.b": "C"}, {"A.b": "C"}),
    ("storage_key_encoding", "percent", "percent"),
    ("username", 1234, "1234"),
    ("password", " with blanks ", " with blanks "),
]


def test_types(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    for name, text, value in TYPES:
        with monkeypatch.context() as patch, subtests.test(name=name, text=text):
            assert Settings.resolve({name: text}, ALL)[name] == value
            if isinstance(text, str):
                patch.setenv("FCD_" + name.upper(), text)
                assert Settings.resolve({}, ALL)[name] == value


WRONG_VALUES: list[tuple[t.Any, ...]] = [
    ("timeout", "soon", "a number"),
    ("timeout", "nan", "a number"),
    ("timeout", "inf", "a number"),
    ("timeout", True, "a number"),
    ("timeout", "0", "more than 0"),
    ("timeout", "-1", "more than 0"),
    ("task_timeout", 0, "more than 0"),
    ("soap_contract_ttl", 0, "more than 0"),
    ("retries", "1.5", "a whole number"),
    ("retries", 1.5, "a whole number"),
    ("retries", True, "a whole number"),
    ("retries", -1, "0 or more"),
    ("retry_budget", -1, "0 or more"),
    ("validate_certs", "maybe", "true or false"),
    ("validate_certs", 2, "true or false"),
    ("soap_member_map", "[1]", "a mapping"),
    ("soap_member_map", "{", "a mapping"),
    ("storage_key_encoding", "base64", "one of none, percent"),
    ("password", ["canary"], "a text"),
    ("password", True, "a text"),
    ("password", "canary\udcff", "a text in UTF-8"),
    ("username", "no\udcffbody", "a text in UTF-8"),
    ("timeout", "1e10", "at most 1000000000 seconds"),
    ("task_timeout", 1e300, "at most 1000000000 seconds"),
]


def test_values_that_cannot_be(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    for name, text, words in WRONG_VALUES:
        with monkeypatch.context() as patch, subtests.test(name=name, text=text):
            with pytest.raises(InvalidInput, match=words) as caught:
                Settings.resolve({name: text}, ALL)
            assert name in caught.value.message
            assert caught.value.details["option"] == name
            assert "canary" not in str(caught.value)
            if isinstance(text, str):
                patch.setenv("FCD_" + name.upper(), text)
                with pytest.raises(InvalidInput, match=words):
                    Settings.resolve({}, ALL)


def test_the_place_of_a_wrong_value_is_named(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_profile(own_home, "default: {timeout: soon}\n")
    with pytest.raises(InvalidInput, match=rf"{path}, profile 'default': timeout must be a number of seconds"):
        Settings.resolve({}, ())
    monkeypatch.setenv("FCD_TIMEOUT", "later")
    with pytest.raises(
        InvalidInput,
        match=r"^FCD_TIMEOUT must be a number of seconds, or a duration with a unit such as 10m, not 'later'",
    ):
        Settings.resolve({}, ())
    with pytest.raises(
        InvalidInput,
        match=r"^option timeout must be a number of seconds, or a duration with a unit such as 10m, not 'now'",
    ):
        Settings.resolve({"timeout": "now"}, ())


def test_a_zero_byte_in_a_path(subtests: pytest.Subtests) -> None:
    for name in ("ca_path", "state_dir", "config_file"):
        with subtests.test(name=name):
            with pytest.raises(InvalidInput, match=f"^option {name} must be a path"):
                Settings.resolve({name: "/some\0where"}, ())


def test_paths_may_be_short(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMEWHERE", "/somewhere")
    settings = Settings.resolve({"ca_path": "~/ca.pem", "state_dir": "$SOMEWHERE/state"}, ())
    assert (settings["ca_path"], settings["state_dir"]) == (str(own_home / "ca.pem"), "/somewhere/state")


def test_an_empty_home_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "")
    settings = Settings.resolve({"ca_path": "~/ca.pem"}, ())
    home = pwd.getpwuid(os.getuid()).pw_dir
    assert (settings["ca_path"], settings["state_dir"]) == (f"{home}/ca.pem", f"{home}/.local/state/fcd-cloud")
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 2)
    with pytest.raises(InvalidInput, match=r"^state_dir: '~/.* is not an absolute path, .*Set HOME"):
        Settings.resolve({}, ())


@pytest.mark.parametrize("folder", ["st", "./st", "~", "~nobody-here/st", None])
def test_the_folder_for_state_is_the_same_wherever_a_task_runs(
    folder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even the home folder is known: a container may run as a user that has no entry."""
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setenv("FCD_STATE_DIR", folder or "")
    with pytest.raises(InvalidInput, match=r"^state_dir: .* is not an absolute path, .*Set HOME, or give an absolute"):
        Settings.resolve({}, ())


def test_a_variable_where_python_knows_only_ascii(own_home: Path) -> None:
    """The bytes of the variable are UTF-8 all the same."""
    code = f"from {Settings.__module__} import Settings; print(ascii(Settings.resolve({{}}, ('rest',))['password']))"
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment = {**ascii_only, "PYTHONPATH": os.environ["ANSIBLE_COLLECTIONS_PATH"], "HOME": str(own_home)}
    environment["FCD_PASSWORD"] = "zażółć"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ascii("zażółć")


# ---------------------------------------------------------------- what is missing


def test_everything_that_is_missing_is_named_at_once(own_home: Path) -> None:
    settings = Settings.resolve({"username": "somebody"}, ALL)
    with pytest.raises(MissingSettings) as caught:
        settings.require(ALL)
    desired = [name for name, option in OPTIONS.items() if option.needed and name != "username"]
    assert caught.value.details["missing"] == desired
    for name in desired:
        assert f"{name} (FCD_{name.upper()})" in caught.value.message
    assert "'default'" in str(caught.value.next_step)
    assert str(own_home / ".config/fcd/cloud.yml") in str(caught.value.next_step)


NEEDS: list[tuple[t.Any, ...]] = [
    (("rest",), "base_url auth_url api_client_id api_client_secret username password"),
    (("identity",), "auth_url api_client_id api_client_secret username password"),
    (("soap",), "username password soap_url"),
    (("storage",), "storage_base storage_user storage_key"),
    ((), ""),
]


def test_what_a_service_needs(subtests: pytest.Subtests) -> None:
    for services, missing in NEEDS:
        with subtests.test(services=services, missing=missing):
            settings = Settings.resolve({}, ALL)
            if missing:
                with pytest.raises(MissingSettings) as caught:
                    settings.require(services)
                assert caught.value.details["missing"] == missing.split()
            else:
                settings.require(services)


NEEDS_WITH_TOKEN: list[tuple[t.Any, ...]] = [
    (("rest",), "base_url"),
    (("rest", "soap"), "base_url username password soap_url"),
    (("rest", "identity"), "base_url auth_url api_client_id api_client_secret username password"),
]


def test_with_a_token_nobody_logs_in(subtests: pytest.Subtests) -> None:
    for services, missing in NEEDS_WITH_TOKEN:
        with subtests.test(services=services, missing=missing):
            settings = Settings.resolve({"access_token": "canary"}, ALL)
            with pytest.raises(MissingSettings) as caught:
                settings.require(services)
            assert caught.value.details["missing"] == missing.split()
            Settings.resolve({"access_token": "canary", "base_url": BASE}, ("rest",)).require(("rest",))


def test_secrets() -> None:
    params = {name: f"canary-{name}" for name in OPTIONS if OPTIONS[name].secret}
    assert sorted(Settings.resolve(params, ALL).secrets()) == sorted(params.values())


# ---------------------------------------------------------------- addresses


ADDRESSES: list[tuple[t.Any, ...]] = [
    ("api.example.com", "must start with https://"),
    ("https://", "has no host name"),
    ("https://user:canary@api.example.com", "must not contain a user name or a password"),
    ("http://api.example.com", "unencrypted"),
    ("https://api.example.com/#x", "it contains '\\?' or '#'"),
]


def test_addresses(subtests: pytest.Subtests) -> None:
    for (url, words), name in itertools.product(ADDRESSES, ("base_url", "auth_url", "soap_url", "storage_base")):
        with subtests.test(url=url, words=words):
            with pytest.raises(InvalidInput, match=words) as caught:
                Settings.resolve({name: url}, ALL)
            assert caught.value.message.startswith(name + ": ")
            assert "canary" not in str(caught.value)


def test_the_storage_is_a_host(subtests: pytest.Subtests) -> None:
    for url in ("localhost:1", "https://", "https://a b", "https://a:b"):
        with subtests.test(url=url):
            with pytest.raises(InvalidInput, match=r"Write it like https://storage\.example\.com\.$"):
                Settings.resolve({"storage_base": url}, ALL)


def test_paths_are_put_behind_these(subtests: pytest.Subtests) -> None:
    for name in ("base_url", "auth_url", "storage_base"):
        with subtests.test(name=name):
            with pytest.raises(InvalidInput, match="must end with its path"):
                Settings.resolve({name: "https://api.example.com/?a=b"}, ALL)


def test_the_address_of_soap_may_have_a_query() -> None:
    assert Settings.resolve({"soap_url": "https://api.example.com/a.svc?b"}, ("soap",))["soap_url"]


def test_plain_http() -> None:
    Settings.resolve({"base_url": "http://localhost:1/beta"}, ("rest",))
    Settings.resolve({"base_url": "http://api.example.com", "allow_plain_http": True}, ("rest",))


def test_options_of_services() -> None:
    assert "base_url" not in connection_options(("soap",))
    assert set(connection_options(())) == {name for name, option in OPTIONS.items() if option.groups == ("common",)}


def test_a_member_is_named_with_its_type(subtests: pytest.Subtests) -> None:
    for name, member in (("pesel", "Pesel"), (".pesel", "Pesel"), ("User.", "Pesel"), ("User.pesel", 3), (3, "Pesel")):
        with subtests.test(name=name, member=member):
            with pytest.raises(InvalidInput, match=r"soap_member_map: .* is not the name of a member") as caught:
                Settings.resolve({"soap_member_map": {"User.login": "Login", name: member}}, ("soap",))
            assert caught.value.next_step == 'Write it as "Type.attribute": "Member".'


def test_files_that_are_none(tmp_path: Path) -> None:
    """A pipe would have the task wait for a writer."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", "/dev/null"):
        with pytest.raises(InvalidInput, match=f"ca_path: {path} is not a regular file"):
            Settings.resolve({"ca_path": str(path)}, ("rest",))
    with pytest.raises(InvalidInput, match="soap_wsdl: it contains a null byte"):
        Settings.resolve({"soap_wsdl": "a\0b"}, ("soap",))


def test_no_value_shows_where_settings_are_printed() -> None:
    assert repr(Settings({"password": "hunter2-hunter2"})) == "Settings(...)"
    assert "hunter2" not in f"{Settings({'password': 'hunter2-hunter2'})}"


ODD = {"username": "Odd", "soap_user_prefix": "API\\", "storage_user": "stored"}


@pytest.mark.parametrize(
    ("option", "settings", "user"),
    [
        ("base_url", {}, "odd"),
        ("base_url", {"username": "jana"}, "jana"),
        ("base_url", {"username": " ODD"}, "odd"),
        ("base_url", {"username": None}, ""),
        ("soap_url", {}, "api\\odd"),
        ("soap_url", {"username": "api\\odd"}, "api\\odd"),
        ("soap_url", {"username": "API\\odd", "soap_user_prefix": ""}, "api\\odd"),
        ("soap_url", {"soap_user_prefix": ""}, "odd"),
        ("storage_base", {}, "stored"),
    ],
)
def test_an_account_has_one_key(option: str, settings: dict[str, str | None], user: str) -> None:
    """It has the user as it is sent; test_addresses.py has the spellings of addresses."""
    task = Task(Settings({**ODD, option: f"{BASE}/", **settings}))
    assert task.account(option) == (BASE, user)
