# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The profile file: found, read, checked; and never quoted."""

from __future__ import annotations

import itertools
import os
import struct
import sys
import types
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings
from ansible_collections.fcd.cloud.plugins.module_utils._core import files
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    InvalidInput,
    MissingLibrary,
    MissingSettings,
)

GOOD = """
default:
  base_url: https://api.example.com/beta
  timeout: 5
second:
  base_url: https://api2.example.com/beta
  validate_certs: false
"""


@pytest.fixture
def path(own_home: Path) -> Path:
    found = own_home / ".config" / "fcd" / "cloud.yml"
    found.parent.mkdir(parents=True)
    return found


def resolve(**params: object) -> Settings:
    return Settings.resolve(params, ("rest", "soap"))


def test_the_default_profile(path: Path) -> None:
    path.write_text(GOOD)
    settings = resolve()
    assert (settings["base_url"], settings["timeout"]) == ("https://api.example.com/beta", 5.0)


def test_another_profile(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(GOOD)
    settings = resolve(profile="second")
    found = (settings["base_url"], settings["validate_certs"], settings["timeout"])
    assert found == ("https://api2.example.com/beta", False, 60.0)
    monkeypatch.setenv("FCD_PROFILE", "second")
    assert resolve()["base_url"] == "https://api2.example.com/beta"


def test_another_file(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(GOOD)
    other = tmp_path / "other.yml"
    other.write_text("default: {base_url: 'https://other.example.com'}\n")
    assert resolve(config_file=str(other))["base_url"] == "https://other.example.com"
    monkeypatch.setenv("FCD_CONFIG_FILE", str(other))
    assert resolve()["base_url"] == "https://other.example.com"


def test_no_file_is_fine_unless_it_was_named(own_home: Path, tmp_path: Path) -> None:
    assert resolve()["base_url"] is None
    with pytest.raises(InvalidInput, match=r"does not exist, and profile or config_file asks for it\. Create the file"):
        resolve(config_file=str(tmp_path / "none.yml"))
    with pytest.raises(InvalidInput, match=r"does not exist, and profile or config_file asks for it\. Create the file"):
        resolve(profile="second")


def test_no_default_profile_is_fine_unless_it_was_named(path: Path) -> None:
    path.write_text("first: {timeout: 5}\n")
    assert resolve()["timeout"] == 60.0
    with pytest.raises(InvalidInput, match="no profile 'frist'") as caught:
        resolve(profile="frist")
    assert caught.value.next_step == "Did you mean 'first'? It has the profile 'first'."


X: list[tuple[t.Any, ...]] = [
    ("{}", "It has none."),
    ("b: {}\na: {}\n1: {}\n", "It has the profiles '1', 'a', 'b'."),
    ("scope: {}\n", "It has the profile 'scope'."),
]


def test_a_profile_that_is_not_there(path: Path, subtests: pytest.Subtests) -> None:
    for text, advice in X:
        with subtests.test(text=text, advice=advice):
            path.write_text(text)
            with pytest.raises(InvalidInput, match="no profile 'zzz'") as caught:
                resolve(profile="zzz")
            assert caught.value.next_step == advice


def test_options_that_stand_in_no_profile(path: Path, subtests: pytest.Subtests) -> None:
    for desired in ({}, {"profile": "default"}, {"profile": "first"}):
        with subtests.test(desired=desired):
            path.write_text("base_url: https://canary.example.com\ntimeout: 5\nfirst: {retries: 1}\n")
            with pytest.raises(InvalidInput) as caught:
                resolve(**desired)
            assert str(caught.value) == (
                f"{path}: base_url, timeout must be inside a profile. "
                "Put a line 'default:' above the options and indent them by two spaces."
            )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("first: {}\nother: {}\n", ", which has the profiles 'first', 'other'."),
        ("default: {}\nother: {}\n", "."),
        (None, "."),
    ],
)
def test_missing_settings_name_the_profiles_that_there_are(path: Path, text: str | None, words: str) -> None:
    if text is not None:
        path.write_text(text)
    with pytest.raises(MissingSettings) as caught:
        resolve().require(("rest",))
    assert str(caught.value).endswith(f"in the profile 'default' of {path}{words}")


def test_an_option_without_a_value_is_none(path: Path) -> None:
    path.write_text("default: {timeout: , ca_path: ~}\n")
    assert (resolve()["timeout"], resolve()["ca_path"]) == (60.0, None)


WRONG_CONTENT: list[tuple[t.Any, ...]] = [
    ("default: {bas_url: x}", "there is no option 'bas_url'"),
    ("default: {5: x}", "there is no option '5'"),
    ("default: {profile: x}", "there is no option 'profile'"),
    ("default: {config_file: x}", "there is no option 'config_file'"),
    ("default: canary-text", "must be a mapping of options, not a text"),
    ("default: [canary]", "must be a mapping of options, not a list"),
    ("default:", "must be a mapping of options, not nothing"),
    ("- canary", "must be a mapping from profile names to options, not a list"),
    ("canary-text", "must be a mapping from profile names to options, not a text"),
    ("", "must be a mapping from profile names to options, not nothing"),
    ("default: {password: canary\n", "not valid YAML in line 2, column"),
    ("default: {password: *canary}", "not valid YAML in line 1, column"),
    ("default: {password: !vault canary}", "not valid YAML in line 1, column"),
    ("a: b\x01canary", "not valid YAML"),
    ("default: {username: 2026-02-30}", "not valid YAML"),
    ("default: {timeout: !!int ''}", "not valid YAML"),
    ("default:\n  username: " + "[" * 50000, "too many nested lists or mappings in line 2"),
    ("- " * 50000, "too many nested lists or mappings in line 1"),
    ("default: {password: 0123}", "password must be a string: put it in quotes"),
    ("default: {username: 2020-01-01}", "username must be a string: put it in quotes"),
    ("default: {username: no}", "username must be a string: put it in quotes"),
    ("default: {ca_path: 5}", "ca_path must be a string: put it in quotes"),
    ("default: {api_version: 2019}", "api_version must be one of auto, 2020, 2023, not '2019'"),
    ("default: {timeout: soon}", "timeout must be a number of seconds"),
    ("default: {validate_certs: 5}", "validate_certs must be true or false"),
    ("default: {soap_member_map: [canary]}", "soap_member_map must be a mapping"),
    ("$ANSIBLE_VAULT;1.1;AES256\n6162", "encrypted with ansible-vault"),
]


def test_content_that_cannot_be(path: Path, subtests: pytest.Subtests) -> None:
    for text, words in WRONG_CONTENT:
        with subtests.test(text=text, words=words):
            path.write_text(text)
            path.chmod(0o600)
            with pytest.raises(InvalidInput, match=words) as caught:
                resolve()
            assert str(path) in caught.value.message
            if "soap_member_map" not in text:
                assert "canary" not in str(caught.value)


def test_the_nearest_option_is_named(path: Path) -> None:
    path.write_text("default: {bas_url: x}")
    with pytest.raises(InvalidInput) as caught:
        resolve()
    assert "'base_url'" in str(caught.value.next_step)


def test_another_profile_need_not_be_right(path: Path) -> None:
    path.write_text("default: {timeout: 5}\nbroken: {tmeout: 5}\nodd: 7\n")
    assert resolve()["timeout"] == 5.0


@pytest.fixture
def only_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the folder of a file count alone; those above it are closed in tests."""
    monkeypatch.setattr(files, "_folders_above", lambda path: [os.path.dirname(path)])


@pytest.mark.usefixtures("only_its_folder")
def test_a_file_with_secrets_belongs_to_one_user(path: Path, subtests: pytest.Subtests) -> None:
    for mode, profile, secret in itertools.product(
        (0o644, 0o604, 0o662), ("default", "another"), [name for name, option in OPTIONS.items() if option.secret]
    ):
        with subtests.test(mode=mode, profile=profile):
            path.parent.chmod(0o755)
            path.write_text(f"{profile}: {{{secret}: 'canary'}}\n")
            path.chmod(mode)
            with pytest.raises(
                InvalidInput, match="other users can change it" if mode & 0o022 else "be read by other users"
            ) as caught:
                resolve()
            assert str(caught.value.next_step).endswith(f"chmod 600 {path}")
            path.chmod(0o600)
            resolve()
            path.chmod(mode)
            path.parent.chmod(0o700)
            resolve()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to other groups")
@pytest.mark.parametrize(("group", "others"), [(0, False), (54321, True)])
@pytest.mark.usefixtures("only_its_folder")
def test_the_group_root_has_no_other_users(group: int, others: bool, path: Path) -> None:
    path.write_text("default: {password: canary}")
    os.chown(path, -1, group)
    path.chmod(0o660)
    assert files.readable_by_others(str(path)) is others


ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
EVIL = "default: {storage_base: 'https://evil.example.com', ca_path: evil-ca.pem}\n"


@pytest.mark.usefixtures("only_its_folder")
def test_a_file_that_others_can_change_is_not_believed(path: Path, subtests: pytest.Subtests) -> None:
    for mode in (0o666, 0o664, 0o646):
        with subtests.test(mode=mode):
            path.write_text(EVIL)
            os.chown(path, -1, 54321 if os.geteuid() == 0 else -1)
            path.chmod(mode)
            with pytest.raises(InvalidInput, match=rf"The profile file {path} is not used: other users can change it"):
                resolve()


@pytest.mark.parametrize(
    ("modes", "doubtful"),
    [
        ((0o755, 0o777), True),  # others put another file in its place
        ((0o777, 0o755), True),  # or another folder
        ((0o775, 0o755), True),
        ((0o1777, 0o755), False),  # as below /tmp
        ((0o755, 0o1777), False),
        ((0o700, 0o777), False),  # nobody else gets there
        ((0o777, 0o700), True),  # a closed folder is replaced whole
        ((0o711, 0o777), True),
    ],
)
def test_a_file_that_others_can_replace_is_not_believed(
    modes: tuple[int, int], doubtful: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [path.parent.parent, path.parent]
    path.write_text(EVIL)
    for folder, mode in zip(folders, modes):
        os.chown(folder, -1, 54321 if os.geteuid() == 0 else -1)
        folder.chmod(mode)
    monkeypatch.setattr(files, "_folders_above", lambda _path: map(str, folders[::-1]))
    if not doubtful:
        assert resolve()["ca_path"] == str(path.parent / "evil-ca.pem")
        return
    open_one = next(folder for folder, mode in zip(folders, modes) if mode & 0o022 and not mode & 0o1000)
    with pytest.raises(InvalidInput, match=rf"{path} is not used: other users can change the folder {open_one}\. Keep"):
        resolve()


@ROOT_ONLY
@pytest.mark.parametrize("what", ["file", "link", "ca_path"])
@pytest.mark.usefixtures("only_its_folder")
def test_a_file_of_another_user_is_not_believed(what: str, path: Path, tmp_path: Path) -> None:
    """Not even in a closed folder, and whatever it holds: it says where secrets are sent."""
    authority = path.parent / "evil-ca.pem"
    authority.write_text("")
    path.write_text(EVIL)
    if what == "link":
        path.rename(tmp_path / "mine.yml")
        path.symlink_to(tmp_path / "mine.yml")
    chosen = authority if what == "ca_path" else path
    os.chown(chosen, 54321, 54321, follow_symlinks=False)
    with pytest.raises(InvalidInput, match=f"{chosen} .*belongs to another user"):
        resolve()
    os.chown(chosen, 0, 0, follow_symlinks=False)
    assert resolve()["ca_path"] == str(authority)


@ROOT_ONLY
@pytest.mark.usefixtures("only_its_folder")
def test_files_of_root_serve_everybody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("default: {username: somebody}\n")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert resolve()["username"] == "somebody"


@ROOT_ONLY
@pytest.mark.parametrize(("members", "alone"), [([], True), (["me"], True), (["me", "other"], False)])
def test_the_own_group_of_a_user_has_no_others(
    members: list[str], alone: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a group is the default of most systems, with a umask that lets it write."""
    path.touch()
    os.chown(path, -1, 54321)
    path.chmod(0o664)
    monkeypatch.setattr(os, "getegid", lambda: 54321)
    user, group = types.SimpleNamespace(pw_name="me"), types.SimpleNamespace(gr_name="me", gr_mem=members)
    monkeypatch.setattr(files.pwd, "getpwuid", lambda _number: user)
    monkeypatch.setattr(files.grp, "getgrgid", lambda _number: group)
    monkeypatch.setattr(files, "_folders_above", lambda _path: [])
    assert (files.reason_for_distrust(str(path)) is None) is alone


USER, GROUP = 2, 8  # what an entry of an access-control list is for


def grant(path: Path, *entries: tuple[int, int, int], most: int = 7) -> None:
    """Give the file or folder an access-control list with these entries: of a kind, what they may, and number."""
    rights = 7 if path.is_dir() else 6
    known = [(1, rights, 2**32 - 1), (4, 0, 2**32 - 1), (16, most, 2**32 - 1), (32, 0, 2**32 - 1), *entries]
    packed = b"".join(struct.pack("<HHI", *entry) for entry in sorted(known))
    try:
        os.setxattr(path, "system.posix_acl_access", struct.pack("<I", 2) + packed)
    except OSError as error:
        pytest.skip(f"this file system has no access-control lists: {error}")


@pytest.mark.parametrize(
    ("entry", "most", "may_write", "may_read"),
    [
        ((USER, 6, 54321), 6, True, True),
        ((USER, 2, 54321), 7, True, True),
        ((USER, 6, 54321), 4, False, True),
        ((USER, 4, 54321), 6, False, True),
        ((USER, 0, 54321), 6, False, False),
        ((USER, 6, 0), 6, False, False),
        ((USER, 6, os.geteuid()), 6, False, False),
        ((GROUP, 6, 54321), 6, True, True),
        ((GROUP, 6, 0), 6, False, False),
    ],
)
@pytest.mark.usefixtures("only_its_folder")
def test_what_an_access_control_list_grants_counts(
    entry: tuple[int, int, int], most: int, may_write: bool, may_read: bool, path: Path
) -> None:
    path.write_text("default: {password: canary}")
    grant(path, entry, most=most)
    if may_write or may_read:
        words = "other users can change it" if may_write else "can be read by other users"
        with pytest.raises(InvalidInput, match=words):
            resolve()
    else:
        assert resolve()["password"] == "canary"


@pytest.mark.usefixtures("only_its_folder")
def test_a_folder_with_an_access_control_list(path: Path) -> None:
    path.write_text("default: {timeout: 5}")
    grant(path.parent, (USER, 5, 54321))
    assert resolve()["timeout"] == 5.0
    grant(path.parent, (USER, 7, 54321))
    with pytest.raises(InvalidInput, match=f"other users can change the folder {path.parent}"):
        resolve()


def test_a_file_without_secrets_may_be_seen(path: Path) -> None:
    path.write_text("default: {username: somebody, password: }\n")
    path.chmod(0o644)
    assert resolve()["username"] == "somebody"


def test_a_choice_may_be_a_number(path: Path) -> None:
    path.write_text("default: {api_version: 2023}")
    assert resolve()["api_version"] == "2023"


def test_what_cannot_be_read(path: Path) -> None:
    path.mkdir()
    with pytest.raises(InvalidInput, match="cannot be read: Is a directory"):
        resolve()
    path.rmdir()
    path.write_bytes(b"default: {username: \xff}")
    with pytest.raises(InvalidInput, match="it is not UTF-8"):
        resolve()


@pytest.mark.parametrize("behind_a_link", [False, True])
def test_a_pipe_is_no_profile_file(path: Path, tmp_path: Path, behind_a_link: bool) -> None:
    """It would have the task wait for a writer."""
    pipe = tmp_path / "pipe" if behind_a_link else path
    os.mkfifo(pipe)
    if behind_a_link:
        path.symlink_to(pipe)
    with pytest.raises(InvalidInput, match="cannot be read: it is not a regular file"):
        resolve()


def test_relative_paths_begin_at_the_folder_of_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("default: {ca_path: ca.pem, state_dir: ../state, soap_wsdl: saved/fcd.wsdl}")
    monkeypatch.chdir(path.parent.parent)
    for given in (str(path), os.path.relpath(path)):
        found = resolve(config_file=given)
        assert [os.path.normpath(found[name]) for name in ("ca_path", "state_dir", "soap_wsdl")] == [
            str(path.parent / "ca.pem"),
            str(path.parent.parent / "state"),
            str(path.parent / "saved" / "fcd.wsdl"),
        ]


def test_other_paths_are_as_they_are_written(path: Path, own_home: Path) -> None:
    path.write_text("default: {ca_path: ~/ca.pem, state_dir: /var/state, soap_wsdl: 'https://example.com/?wsdl'}")
    found = resolve()
    assert [found[name] for name in ("ca_path", "state_dir", "soap_wsdl")] == [
        str(own_home / "ca.pem"),
        "/var/state",
        "https://example.com/?wsdl",
    ]
    assert resolve(ca_path="other.pem")["ca_path"] == "other.pem"


def test_without_the_library(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(GOOD)
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingLibrary, match="-m pip install PyYAML"):
        resolve()
