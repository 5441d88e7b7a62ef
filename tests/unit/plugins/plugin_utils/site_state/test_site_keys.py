# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a site, and that of a controller, which is made once."""

from __future__ import annotations

import base64
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import typing as t
from pathlib import Path

import pytest
import workspace
from hypothesis import given as given_by
from hypothesis import strategies as some
from site_keys import private_key, public_key

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.site_key import (
    HOW_TO_MAKE,
    SiteKey,
    checked_key,
    controller_key,
    user_key,
)


def task(folder: Path, **settings: t.Any) -> Task:
    """Return a task that keeps its files in a folder."""
    return Task(Settings({"state_dir": str(folder), "task_timeout": 60.0, **settings}))


def make_key(folder: Path, begin: t.Any, names: t.Any) -> None:
    """Make the key of a controller when all others do."""
    begin.wait()
    names.put(controller_key(task(folder)).name)


def test_processes_that_make_the_key_at_once_have_one(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for attempt in range(5):
        folder, begin, names = tmp_path / str(attempt), context.Barrier(8), context.Queue()
        children = [context.Process(target=make_key, args=(folder, begin, names)) for _one in range(8)]
        for child in children:
            child.start()
        found = {names.get(timeout=120) for _one in children}
        for child in children:
            child.join()
        assert len(found) == 1
        assert [path.name for path in folder.iterdir()] == ["controller-key.json"]
        assert (folder / "controller-key.json").stat().st_mode & 0o777 == 0o600


def test_the_key_of_a_controller_stays(tmp_path: Path) -> None:
    first = controller_key(task(tmp_path))
    assert controller_key(task(tmp_path)).name == first.name
    assert not first.given
    assert first.name not in (tmp_path / "controller-key.json").read_text()


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"key": 1}', '{"key": "short"}', "{}"])
def test_what_is_no_key_is_not_replaced(tmp_path: Path, content: str) -> None:
    """Nobody knows which plans were made with it: a person says that it may go."""
    path = tmp_path / "controller-key.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(InvalidInput, match=r"controller-key\.json is not a key") as caught:
        controller_key(task(tmp_path))
    assert "Remove it and make new plans" in str(caught.value)
    assert path.read_text() == content


def test_a_key_that_others_may_read_is_none(tmp_path: Path) -> None:
    path = tmp_path / "controller-key.json"
    path.write_text(json.dumps({"key": "0" * 64}))
    path.chmod(0o644)
    with pytest.raises(InvalidInput, match="other users can read it"):
        controller_key(task(tmp_path))


PRIVATE = private_key("Words")
PUBLIC = public_key(PRIVATE)


def in_pem(kind: str, key: str) -> str:
    return f"-----BEGIN {kind} KEY-----\n{key}\n-----END {kind} KEY-----\n"


def given(text: str) -> SiteKey:
    return checked_key("site_key", text)


@pytest.mark.parametrize("private", [PRIVATE, f" {PRIVATE}\n", in_pem("PRIVATE", PRIVATE)])
@pytest.mark.parametrize("public", [PUBLIC, in_pem("PUBLIC", PUBLIC).replace("\n", " ")])
def test_the_public_key_checks_what_the_private_one_signs(private: str, public: str) -> None:
    signature = given(private).sign("registry", {"b": 1, "a": ["\udcff"]})
    assert given(public).name == given(private).name != given(private_key("Others")).name
    for key in (given(private), given(public)):
        assert key.has_signed(signature, "registry", {"a": ["\udcff"], "b": 1})
        assert not key.has_signed(signature, "registry", {"a": [], "b": 1})
        assert not any(key.has_signed(other, "registry", {"a": ["\udcff"], "b": 1}) for other in ("", "zz", "00" * 64))
    assert not given(private_key("Others")).has_signed(signature, "registry", {"b": 1, "a": ["\udcff"]})
    with pytest.raises(
        InvalidInput, match="it is the public key of the site, and signing the registry needs the private"
    ):
        given(public).sign("registry")


@given_by(some.binary(min_size=32, max_size=32))
def test_only_the_private_key_opens_what_is_sealed(seed: bytes) -> None:
    text = base64.b64encode(base64.b64decode(PRIVATE)[:-32] + seed).decode()
    private, public = given(text), given(public_key(text))
    for key in (private, public):
        half, secret = key.new_secret()
        assert private.secret_of(half) == secret
        assert SiteKey.of_seed(bytes(32), given=True).secret_of(half) != secret or seed == bytes(32)
        with pytest.raises(InvalidInput, match="checking a plan needs the private key"):
            public.secret_of(half)


@pytest.mark.parametrize("half", ["", "zz", "00" * 16, "00" * 32, "01" + "00" * 31, "ff" * 64])
def test_what_is_no_half_opens_nothing(half: str) -> None:
    """Nobody can choose the secret: it is another one each time."""
    assert given(PRIVATE).secret_of(half) != given(PRIVATE).secret_of(half)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_keys_are_made_as_the_guide_says() -> None:
    guide = (workspace.CHECKOUT / "docs" / "docsite" / "rst" / "site_file.rst").read_text(encoding="utf-8")
    made = re.search(r"FCD_SITE_KEY=\$\((openssl .*)\)", guide)
    derived = re.search(r"echo .* -pubout .*", guide)
    assert made and derived
    assert made[1] in HOW_TO_MAKE
    private = subprocess.check_output(["sh", "-c", made[1]], text=True)
    public = subprocess.check_output(["sh", "-c", derived[0]], text=True, env={**os.environ, "FCD_SITE_KEY": private})
    assert given(public).has_signed(given(private).sign("registry"), "registry")
    with pytest.raises(InvalidInput, match="it is the public key of the site"):
        given(public).sign("registry")


NO_KEYS = {
    "short": "short",
    "openssl rand -hex 32": "5e" * 32,
    "empty": in_pem("PRIVATE", ""),
    "another curve": "MC4CAQAwBQYDK2VuBCIEIA" + "A" * 42,
    "an unknown one": "MC4CAQAwBQYDKmUABCIEIA" + "A" * 42,
    "cut": PRIVATE[:-4],
    "with a password": "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh=",
    "not ASCII": "klucz-żółw-klucz-żółw",
}


@pytest.mark.parametrize("case", NO_KEYS)
def test_what_is_no_key_is_told(tmp_path: Path, case: str) -> None:
    assert user_key(task(tmp_path)) is None
    with pytest.raises(InvalidInput, match="site_key: this is not an unencrypted Ed25519 key") as caught:
        user_key(task(tmp_path, site_key=NO_KEYS[case]))
    assert "openssl genpkey -algorithm ed25519 -outform DER | base64" in str(caught.value)
    assert NO_KEYS[case] not in str(caught.value)
