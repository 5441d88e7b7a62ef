# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The action plugin of storage_object: where it looks for src, what it decrypts, sends and cleans up."""

from __future__ import annotations

import os
import pathlib
import types
import typing as t

import pytest
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.fcd.cloud.plugins.action.storage_object import ActionModule
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput

PLAIN = b"what the vault hides"


class Sending(ActionModule):
    """The action plugin with a host that is noted down in place of being reached."""

    def __init__(self, loader: DataLoader, transport: str, **context: t.Any) -> None:
        context = {"become": False, "async_val": 0, "tmpdir": None, **context}
        shell = types.SimpleNamespace(tmpdir=context["tmpdir"], join_path=os.path.join)
        self._loader = loader
        self._connection = types.SimpleNamespace(transport=transport, _shell=shell)
        self._play_context = types.SimpleNamespace(become=context["become"])
        self._task = types.SimpleNamespace(
            async_val=context["async_val"], get_search_path=lambda: [loader.get_basedir()]
        )
        self.sent: list[tuple[bytes, str]] = []
        self.readable: list[tuple[str, ...]] = []

    def _make_tmp_path(self, remote_user: str | None = None) -> str:
        return "/remote/made"

    def _transfer_file(self, local_path: str, remote_path: str) -> str:
        self.sent.append((pathlib.Path(local_path).read_bytes(), remote_path))
        return remote_path

    def _fixup_perms2(self, remote_paths: t.Any, remote_user: str | None = None, execute: bool = True) -> None:
        self.readable.append(tuple(remote_paths))


@pytest.fixture
def loader(tmp_path: pathlib.Path) -> DataLoader:
    """A playbook folder with a plain and an encrypted file in ``files/``."""
    secrets = [("default", VaultSecret(b"password"))]
    files = tmp_path / "files"
    files.mkdir()
    (files / "plain.txt").write_bytes(b"plain")
    (files / "secret.txt").write_bytes(VaultLib(secrets).encrypt(PLAIN))
    made = DataLoader()
    made.set_basedir(str(tmp_path))
    made.set_vault_secrets(secrets)
    return made


def test_what_is_not_on_the_controller_is_left_alone(loader: DataLoader) -> None:
    for in_worker in [True, False]:
        for args in [
            {"content": "abc"},
            {"src": "/on/the/host", "remote_src": True},
            {"src": "/on/the/host", "remote_src": "yes"},
            {"src": "nowhere.txt", "state": "absent"},
            {"src": ""},
            {"src": None},
            {"src": ["a"]},
        ]:
            action = Sending(loader, "ssh")
            assert action.prepare(dict(args), {}, in_worker=in_worker) == args
            action.finish()
            assert action.sent == []


@pytest.mark.parametrize("in_worker", [True, False])
def test_a_file_that_this_machine_can_read_is_not_sent(loader: DataLoader, in_worker: bool) -> None:
    action = Sending(loader, "local")
    args = action.prepare({"src": "plain.txt", "name": "o"}, {}, in_worker=in_worker)
    assert args == {"src": os.path.join(loader.get_basedir(), "files", "plain.txt"), "name": "o"}
    assert action.sent == []
    action.finish()
    assert pathlib.Path(args["src"]).read_bytes() == b"plain"


def test_an_encrypted_file_is_decrypted_for_the_time_of_the_task(loader: DataLoader) -> None:
    action = Sending(loader, "local")
    decrypted = pathlib.Path(action.prepare({"src": "secret.txt"}, {}, in_worker=True)["src"])
    assert decrypted.read_bytes() == PLAIN
    assert decrypted.stat().st_mode & 0o077 == 0
    action.finish()
    assert not decrypted.exists()


@pytest.mark.parametrize(
    ("transport", "context"), [("ssh", {}), ("local", {"become": True}), ("local", {"async_val": 60})]
)
def test_elsewhere_the_file_is_sent(loader: DataLoader, transport: str, context: dict[str, t.Any]) -> None:
    action = Sending(loader, transport, **context)
    args = action.prepare({"src": "secret.txt", "remote_src": False}, {}, in_worker=False)
    assert args == {"src": "/remote/made/.source", "remote_src": True}
    assert action.sent == [(PLAIN, "/remote/made/.source")]
    assert action.readable == [("/remote/made", "/remote/made/.source")]


def test_a_temporary_folder_that_is_there_is_used(loader: DataLoader) -> None:
    action = Sending(loader, "ssh", tmpdir="/remote/there")
    assert action.prepare({"src": "plain.txt"}, {}, in_worker=False)["src"] == "/remote/there/.source"


def test_what_is_no_file_is_told(loader: DataLoader) -> None:
    action = Sending(loader, "local")
    with pytest.raises(InvalidInput, match="is a folder; an object is created from a single file"):
        action.prepare({"src": loader.get_basedir()}, {}, in_worker=True)
    action.finish()


@pytest.mark.parametrize(
    ("src", "told"),
    [
        ("none.txt", ", neither in the folder files of the role or playbook nor beside it."),
        ("/nowhere/none.txt", "there is no such file on the controller."),
    ],
)
def test_a_file_that_is_nowhere_is_told_in_one_line(loader: DataLoader, src: str, told: str) -> None:
    action = Sending(loader, "local")
    with pytest.raises(InvalidInput) as caught:
        action.prepare({"src": src}, {}, in_worker=True)
    message = str(caught.value)
    assert message.startswith(f"src: {src} cannot be read: there is no such file on the controller")
    assert told in message
    assert "set remote_src" in message
    assert "\n" not in message
    action.finish()


@pytest.mark.parametrize("src", ["/dev/zero", "files/pipe"])
def test_no_ordinary_file(src: str, loader: DataLoader, tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "files" / "pipe")
    with pytest.raises(InvalidInput, match=r"^src: /.* is no ordinary file; an object is created from a single file"):
        Sending(loader, "local").prepare({"src": src}, {}, in_worker=True)
