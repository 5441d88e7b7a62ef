# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The exchange of a task: what it trusts and how it calls itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection import task as task_module
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import VERSION, exchange
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput

from .conftest import Tasks


@pytest.fixture
def ca_file(tmp_path: Path) -> Path:
    path = tmp_path / "ca.pem"
    pytest.importorskip("trustme").CA().cert_pem.write_to_path(str(path))
    return path


def test_what_it_is_made_of(tasks: Tasks) -> None:
    task = tasks(timeout=5, retries=1, task_timeout=7, allow_plain_http=True)
    made = exchange(task).options
    assert made.verify is True
    assert (made.timeout, made.retries, made.allow_plain_http) == (5.0, 1, True)
    assert made.user_agent == f"fcd.cloud/{VERSION} (test)"
    assert (made.deadline, made.clock, made.redactor) == (task.deadline, task.clock, task.redactor)
    assert made.warn is task.warn


def test_the_options_that_addresses_come_from(tasks: Tasks) -> None:
    base = "https://api.example.com/beta"
    sources = exchange(tasks(base_url=base, storage_base=None)).options.sources
    assert ("base_url", base) in [source[:2] for source in sources]
    assert "storage_base" not in [source.option for source in sources]


def test_a_file_of_authorities(ca_file: Path, tasks: Tasks) -> None:
    assert exchange(tasks(ca_path=str(ca_file))).options.verify == str(ca_file)


def test_unchecked_certificates_win(tasks: Tasks) -> None:
    assert exchange(tasks(ca_path="/does/not/exist.pem", validate_certs=False)).options.verify is False


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read \\(No such file"),
        ("", "holds no certificates in PEM form"),
        ("canary", "holds no certificates in PEM form"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "holds no certificates in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "holds no certificates in PEM form"),
    ],
)
def test_unusable_ca_file_is_refused(content: str | None, words: str, tasks: Tasks, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InvalidInput, match=words) as caught:
        exchange(tasks(ca_path=str(path)))
    assert caught.value.message.startswith(f"ca_path: {path} ")
    assert "canary" not in str(caught.value)


def test_an_empty_path_does_not_trust_the_usual_authorities(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORPORATE_CA", "")
    with pytest.raises(InvalidInput, match="ca_path:  cannot be read"):
        exchange(tasks(ca_path="$CORPORATE_CA"))


def test_a_folder_is_no_file(tasks: Tasks, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read \\(Is a directory"):
        exchange(tasks(ca_path=str(tmp_path)))


def test_a_file_is_looked_into_once_until_it_changes(ca_file: Path, tasks: Tasks) -> None:
    task_module._load_authorities.cache_clear()
    exchange(tasks(ca_path=str(ca_file)))
    exchange(tasks(ca_path=str(ca_file)))
    assert task_module._load_authorities.cache_info().misses == 1
    ca_file.write_text("broken")
    os.utime(ca_file, (1, 1))
    with pytest.raises(InvalidInput):
        exchange(tasks(ca_path=str(ca_file)))
