# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A create under a lock that controllers share: what it asks of the lock, and what controllers tell one another."""

from __future__ import annotations

import contextlib
import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Busy, CannotDetermine, Unclear
from ansible_collections.fcd.cloud.plugins.module_utils._engine.create_once import (
    CreateNote,
    CreateSettings,
    create_once,
    no_shared_lock,
)

IDENTITY = ("https://api.example.com", "thing", "web")


class Service:
    """One thing, which nothing but its number leads to."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.answers = True

    def find(self) -> dict[str, t.Any] | None:
        self.order.append("find")
        return None

    def verify(self) -> None:
        self.order.append("verify")

    def send(self, intent: CreateNote) -> dict[str, t.Any]:
        self.order.append("send")
        if not self.answers:
            raise Unclear("reset")
        intent.add_answer(id=7)
        return {"id": 7}

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        self.order.append("resume")
        return {"id": facts["id"]} if "id" in facts else None


class Container:
    """What all controllers see."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.note: dict[str, t.Any] = {}
        self.lost = False

    @contextlib.contextmanager
    def hold(self, key: str, what: str, deadline: Deadline, note: CreateNote) -> t.Iterator[t.Callable[[], None]]:
        del key, what, deadline
        note.adopt(self.note)

        def before_sending() -> None:
            self.service.order.append("check")
            assert note.content() == {}, "it is noted on this machine when it is sure that it is sent"
            if self.lost:
                raise Busy("lost")

        try:
            yield before_sending
        finally:
            self.note = note.content()


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def container(service: Service) -> Container:
    return Container(service)


def controller(folder: pathlib.Path, container: Container) -> CreateSettings:
    clock = Clock()
    return CreateSettings(str(folder), clock, Deadline(clock, None), grace=0.0, shared=container.hold)


def test_the_lock_is_looked_at_last(tmp_path: pathlib.Path, service: Service, container: Container) -> None:
    create_once(controller(tmp_path, container), IDENTITY, "thing web", service)
    assert service.order == ["find", "verify", "check", "send"]
    assert container.note["lead"]["id"] == 7


def test_with_a_lost_lock_nothing_is_sent(tmp_path: pathlib.Path, service: Service, container: Container) -> None:
    container.lost = True
    with pytest.raises(Busy):
        create_once(controller(tmp_path, container), IDENTITY, "thing web", service)
    assert "send" not in service.order
    assert container.note == {}


def test_what_another_controller_has_sent_is_looked_for(
    tmp_path: pathlib.Path, service: Service, container: Container
) -> None:
    service.answers = False
    with pytest.raises(CannotDetermine):
        create_once(controller(tmp_path / "one", container), IDENTITY, "thing web", service)
    container.note["id"] = 7  # as a create that was cut off may have noted it
    made = create_once(controller(tmp_path / "two", container), IDENTITY, "thing web", service)
    assert (made.by_us, made.record, service.order.count("send")) == (False, {"id": 7}, 1)
    assert container.note == {}


def test_a_note_of_this_machine_is_not_replaced(tmp_path: pathlib.Path) -> None:
    note = CreateNote(str(tmp_path), "key", Clock())
    note.adopt({"time": 1.0})
    note.adopt({"time": 2.0})
    assert note.content() == {"time": 1.0}


def test_no_shared_lock_holds_nothing_and_is_never_lost(fake_clock: t.Any) -> None:
    given = ("a", "thing web", Deadline(fake_clock, 0.0), t.cast("t.Any", None))
    with no_shared_lock(*given) as check, no_shared_lock(*given):
        check()
