# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state as an object of the object storage."""

from __future__ import annotations

import shutil
import typing as t

import pytest
from orchestration.managed_folder import DB, WEB, ManagedFolder

KEPT: dict[str, t.Any] = {"state_container": "states"}


@pytest.fixture
def kept(managed: ManagedFolder) -> ManagedFolder:
    """The container is there."""
    managed.place.run("storage_container", {"name": "states"}).succeeded()
    return managed


def names(managed: ManagedFolder) -> list[str]:
    """Return what the container holds."""
    return sorted(managed.sandbox.state()["storage"]["containers"]["states"]["objects"])


def test_instances_from_creation_to_removal(kept: ManagedFolder) -> None:
    assert kept.run(WEB, check_mode=True, **KEPT).succeeded()["changed"]
    assert names(kept) == []
    number = kept.run(WEB, **KEPT).succeeded()["instances"]["web"]["id"]
    assert names(kept) == ["site.tfstate"]
    assert not [name for name in kept.files() if name.startswith("terraform.tfstate")]
    assert not kept.run(WEB, **KEPT).succeeded()["changed"]
    shutil.rmtree(kept.path)  # the disk is gone, the state is not
    again = kept.run(WEB, **KEPT).succeeded()
    assert not again["changed"]
    assert again["instances"]["web"]["id"] == number
    assert kept.run(state="absent", **KEPT).succeeded()["changed"]
    assert not kept.run(state="absent", **KEPT).succeeded()["changed"]
    assert kept.instances() == []


def test_a_foreign_lock(kept: ManagedFolder) -> None:
    kept.run(WEB, **KEPT).succeeded()
    lock = (
        '{"ID": "1", "Who": "somebody@elsewhere", "Operation": "OperationTypeApply", "Created": "2026-01-01T00:00:00Z"}'
    )
    kept.place.run("storage_object", {"container": "states", "name": "site.tfstate.lock", "content": lock}).succeeded()
    told = kept.run(WEB, DB, lock_timeout=0, **KEPT)
    assert "somebody@elsewhere" in told.message
    assert "remove the object site.tfstate.lock from the container states" in told.message
    assert not told.result["changed"]
    assert names(kept) == ["site.tfstate", "site.tfstate.lock"]


def test_a_state_that_cannot_be_stored_is_stored_later(kept: ManagedFolder) -> None:
    kept.run(WEB, **KEPT).succeeded()
    kept.sandbox.fault("status_before", service="storage", method="PUT", path=r"site\.tfstate$", status=507, times=0)
    failed = kept.run(WEB, DB, **KEPT)
    assert failed.result["changed"]
    assert "507" in failed.message
    assert "errored.tfstate" in kept.files()
    kept.sandbox.clear_faults()
    done = kept.run(WEB, DB, **KEPT)
    assert done.succeeded()["changed"] is False
    assert any("could not store has been stored now" in warning for warning in done.warnings)
    assert "errored.tfstate" not in kept.files()
    assert len(kept.instances()) == 2


def test_the_place_of_a_state_does_not_change_unseen(kept: ManagedFolder) -> None:
    kept.run(WEB, **KEPT).succeeded()
    assert "has been kept in states/site.tfstate so far" in kept.run(WEB).message
    assert "has been kept in states/site.tfstate so far, not in" in kept.run(WEB, state_object="other", **KEPT).message
    kept.run(state="absent", **KEPT).succeeded()
    assert kept.run(WEB, check_mode=True).succeeded()["changed"]  # there is nothing left to lose
    kept.path = kept.path.with_name("local")
    kept.run(DB).succeeded()
    refused = kept.run(DB, **KEPT).message
    assert "terraform.tfstate contains instances that are missing from states/local.tfstate" in refused


def test_without_a_container(managed: ManagedFolder) -> None:
    told = managed.run(WEB, **KEPT)
    assert told.failed
    assert told.message.startswith("state_container: there is no container states.")
    assert managed.instances() == []
