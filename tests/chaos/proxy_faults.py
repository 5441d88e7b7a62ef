# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fault of the matrix is, which requests it is for, and how the proxy is told of it."""

from __future__ import annotations

import typing as t

from chaos.fault_proxy import Armed, Effect, FaultProxy

Environment = t.Dict[str, str]
Settings = t.Mapping[str, t.Mapping[str, t.Any]]
WRITE, READ, ANY, TICKET, SINGLE, SECOND_PAGE = "write", "read", "any", "ticket", "single", "second page"
NOTHING: t.Mapping[str, t.Any] = {}
REST = ("rest",)
LISTS, MANY, TICKETS, STATE, PAGES, CREATES, NAMES = (
    frozenset({one}) for one in ("lists", "many", "tickets", "state", "pages", "creates", "names")
)
"""What a case must have: lists that can be late, more than one write, tickets, a state (acts have none), long lists,
something new that is made, one name."""


class Fault(t.NamedTuple):
    """``effect`` strikes ``times`` requests of the kind ``at`` (0: all) after ``skip``; ``settings`` are the sandbox's.

    It strikes the first run, or the second (``at_run``), or ``for_good``. ``options`` and ``environment`` are added to
    that run. ``to_process`` is done to its process when the write has come, ``afterwards`` to the content of its notes
    when it has ended. ``later`` changes the environment of the runs after the first. After ``settles`` seconds nothing
    more happens by itself, and lists are late by ``lag``. ``lies``: the proxy says of something done that it was not,
    or does it again after the answer, which no run can know in time. With ``others``, somebody else has an object of
    the same kind. A name has this ``ending`` and is ``kept_as`` another one by the service. It can strike a case that
    has all it ``needs``, at one of ``services``; empty: at any.
    """

    name: str
    says: str
    effect: Effect | None = None
    at: str = WRITE
    skip: int = 0
    times: int = 1
    settings: t.Callable[[float], Settings] | None = None
    lag: float = 0.0
    settles: float = 0.0
    at_run: int = 1
    for_good: bool = False
    options: t.Mapping[str, t.Any] = NOTHING
    environment: t.Mapping[str, str] = NOTHING
    later: t.Callable[[Environment], Environment] = dict
    to_process: str = ""
    afterwards: t.Callable[[t.Any], t.Any] | None = None
    clock: float = 0.0
    lies: bool = False
    others: bool = False
    ending: str = ""
    kept_as: t.Callable[[str], str] = str
    services: tuple[str, ...] = ()
    needs: frozenset[str] = frozenset()


def lists_lag(seconds: float) -> Settings:
    """Return the settings with which what is new is on no list for so long."""
    soap = {"visibility_delay": seconds, "users_visibility_delay": seconds}
    return {"rest": {"visibility_delay": seconds, "list_lag": seconds}, "soap": soap}


def all_lags(seconds: float) -> Settings:
    """Return the settings with which the list of tickets lags too."""
    return {**lists_lag(seconds), "rest": {**lists_lag(seconds)["rest"], "ticket_list_lag": seconds}}


def selection(fault: Fault, write: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return which requests the fault is for, where ``write`` are those that change something."""
    service = {"service": write["service"]}
    return {
        WRITE: dict(write),
        READ: {**service, "reads": True},
        SINGLE: {
            "service": "rest",
            "method": "GET",
            "path": r"/(instances|disks|ip_addresses|opns|sshkeys|snapshots)/\d+$",
        },
        TICKET: {"service": "rest", "path": r"/tickets/\d+$"},
        SECOND_PAGE: {**service, **_second_page(write["service"])},
    }.get(fault.at, service)


def _second_page(service: str) -> dict[str, t.Any]:
    return {"body_has": "PageNumber>2<"} if service == "soap" else {"path": "pageNumber=2|marker=."}


def arm(proxy: FaultProxy, fault: Fault, write: t.Mapping[str, t.Any]) -> Armed | None:
    """Have the fault strike; what happens to the task's process has to wait for the process."""
    if fault.effect is None or fault.to_process:
        return None
    return proxy.arm(selection(fault, write), fault.effect, skip=fault.skip, times=fault.times)
