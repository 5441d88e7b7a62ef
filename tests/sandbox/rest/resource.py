# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of objects, each declared once beside its handlers; all else that a kind needs follows from that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from sandbox.rest.call import Call
    from sandbox.rest.world import World


class Numbered(Protocol):
    """An object with an id, which nothing else of its class has."""

    id: int


T = TypeVar("T", bound=Numbered)


def _nothing(_now: float) -> Iterable[Any]:
    return ()


@dataclass(frozen=True)
class Resource(Generic[T]):
    """A kind of object: ``model`` is its class, ``title`` what a refusal calls one.

    ``describe`` gives one as answers show it, ``truth`` as it really is, for tests to compare with: flat, ids only, no
    passwords; ``name`` is that of the list of all there. ``missing`` is the status when there is none with the id in
    the path, or the setting that has it. ``first_id`` is that of the first that is made. What is made ``at_once`` has
    no ticket, so the setting visible_after is not for it. ``seed`` gives what is there at the start, made at that time
    (unix seconds).
    """

    model: type[T]
    title: str
    describe: Callable[[Call, T], dict[str, Any]]
    missing: int | str = 404
    first_id: int = 1
    at_once: bool = False
    seed: Callable[[float], Iterable[T]] = _nothing
    name: str = ""
    truth: Callable[[World, T], dict[str, Any]] | None = None


RESOURCES: dict[type, Resource[Any]] = {}
"""All of them by class; ``operations.py`` imports the files that declare them."""


def declare(resource: Resource[Any]) -> None:
    """Let the service have objects of this kind."""
    RESOURCES[resource.model] = resource
