# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox's infrastructure service in this process, the real client, and a clock that moves when somebody sleeps.

Calls of the client are logged by their names, and can be made to fail before or after they had their effect.
"""

from __future__ import annotations

import functools
import io
import json
import re
import typing as t
from urllib.parse import urlsplit

from sandbox.rest.attachment import (
    attach_address,
    attach_disk,
    attach_network,
    make_address,
    make_disk,
    remove_instance,
)
from sandbox.rest.models import Address, Disk, Instance, InstanceType, Network, Subregion, Template
from sandbox.rest.service import RestService
from sandbox.rest.ssh_keys import SshKey
from sandbox.seed import Credentials

from ansible_collections.fcd.cloud.plugins.module_utils._connection.credentials import GivenToken
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task, exchange
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, ExchangeOptions
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request, Response, outgoing
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure

Json = t.Dict[str, t.Any]
TOKEN = "bearer-of-the-tests"
READS = ("get_", "list_", "read_")
RESERVED = 1109
CALLS = (
    *("list_instances", "get_instance", "create_instance", "change_name", "change_type", "power_on", "power_off"),
    *("shutdown", "reboot", "reset", "extend_disk", "change_disk_tier", "delete_instance", "list_instance_disks"),
    *("list_instance_events", "list_instance_ip_addresses", "list_ip_addresses", "read_pages", "read_one", "read_json"),
    *("start", "get_ticket", "list_tickets", "list_instance_types", "list_subregions", "list_templates"),
    *("list_ssh_keys", "list_dictionaries", "get_dictionary"),
)
"""Methods of the client that are logged, unless another of them calls them."""

FILTERS = {"list_instances": "query", "list_tickets": "creation_date_from"}
"""What a test hands on by its place."""

TIMES = ("visible_after", "lock_tail", "initializing_tail", "ticket_new_seconds", "access_data_after", "list_lag")
OPERATIONS = {
    "create": "create_instance",
    "delete": "delete_instance",
    "rename": "instance_change_name",
    "type": "instance_change_type",
    "power on": "instance_power_on",
    "power off": "instance_power_off",
    "shutdown": "instance_shutdown",
    "reboot": "instance_reboot",
    "reset": "instance_reset",
    "clone": "instance_clone",
    "convert": "instance_convert_to_template",
    "extend": "disk_extend",
    "tier": "disk_change_tier",
    "attach_opn_ticket": "instance_attach_private_network",
    "detach_opn_ticket": "instance_detach_private_network",
    "attach_ip_ticket": "floating_ip_attach_ip",
    "detach_ip_ticket": "floating_ip_detach_ip",
}
"""What the sandbox calls an operation whose ticket is to fail."""

SENT_BY_ALL = {"InstancesCount": 1, "DiskSize": 20, "DiskClass": 48, "AuthorizationMethodId": 1399}
"""What a create holds besides, whoever sends it."""

REFERENCES = {"Status": "status", "Type": "type", "Subregion": "subregion", "Template": "template"}
EXACT: Json = {
    **dict.fromkeys((*TIMES, "ticket_list_lag"), 0.0),
    "ticket_seconds": 20.0,
    "null_members": [],
}
"""No time passes but that of the tickets, and no member is null; a test sets what it is about.

All else is read in the hard way; test_on_sandbox.py and the integration targets have the hard times and nulls too.
"""


class Fault(t.NamedTuple):
    """What goes wrong with one call: before it had its effect, or after."""

    error: FcdError
    after: bool = False


class SteppingClock(t.Protocol):
    """A clock that only moves when somebody sleeps: the fixture ``fake_clock``."""

    time: float

    def now(self) -> float:
        """Seconds since the epoch."""

    def sleep(self, seconds: float) -> None:
        """Move on."""


class Tokens:
    """One token, which lives for ever."""

    def check(self, token: str) -> str | None:
        """Return its scope."""
        return "service.api" if token == TOKEN else None


class InProcessExchange(Exchange):
    """Hands each request to the service in this process."""

    def __init__(self, options: ExchangeOptions, service: Service) -> None:
        super().__init__(options)
        self._service = service

    def _adapter(self, url: str) -> t.Any:
        return None

    def _try(self, adapter: t.Any, request: Request, proof: t.Mapping[str, str], limit: t.Any) -> Response:
        there = outgoing(request, {"User-Agent": self.options.user_agent, **proof})
        return self._service.answer(request.method, there.url, there.headers, there.body or b"")


class Service:
    """The service; its state can be looked at, and prepared, past the client."""

    def __init__(self, clock: SteppingClock) -> None:
        self.clock = clock
        self.rest = RestService(Credentials(), Tokens(), clock=clock.now)
        self.rest.settings.update(EXACT)
        self.rest.reset()
        self.calls: list[tuple[str, tuple[t.Any, ...], Json]] = []
        self.faults: dict[str, list[Fault | None]] = {}  # one for each call to come
        self.odd: dict[int, Json] = {}
        """Members that answers tell of an instance in place of what the sandbox would say."""

        self.converted: list[Json] = []
        """Bodies of conversions to templates."""

        self.access: list[t.Any] = []
        """What is told of access in place of what the sandbox would say, one for each call."""

        self.lag = 0.0
        """Seconds for which lists go on to show what was removed; those of the sandbox do not."""

        self._rows: dict[int, Json] = {}
        self._missed: dict[int, float] = {}
        self.search_blind = False
        """Whether a search by name finds nothing."""

        self.world.table(Network)[41002] = Network(41002, "storage", clock.now())
        for number in (31002, 31003):
            self.world.table(SshKey)[number] = SshKey(number, "twice", "ssh-ed25519 AAAA", clock.now())
        for number in (120001, 120002):
            assert make_address(self.world, 1, RESERVED).id == number
        self._depth = 0
        self.raw: t.Any = None
        """A client that logs nothing."""

    def __getattr__(self, name: str) -> t.Any:
        """Return a method of the client, for a test that puts another one in its place."""
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self.raw, name)
        return functools.partial(self._called_by_test, name, method) if name in CALLS else method

    def _called_by_test(self, name: str, method: t.Callable[..., t.Any], *args: t.Any, **kwargs: t.Any) -> t.Any:
        if name in FILTERS:
            kwargs.update({FILTERS[name]: args[0]} if args and args[0] is not None else {})
            args = ()
        return self.called(name, method, args, kwargs)

    @property
    def is_calling(self) -> bool:
        """Whether a method of the client is at work."""
        return bool(self._depth)

    @property
    def world(self) -> t.Any:
        """The objects of the sandbox, after all that is due."""
        return self.rest._catch_up()

    @property
    def settings(self) -> Json:
        """What can be changed at run time: tests/sandbox/rest/settings.py."""
        return self.rest.settings

    def answer(self, method: str, url: str, headers: t.Mapping[str, str], body: bytes) -> Response:
        """Answer a request as the sandbox does."""
        place = urlsplit(url)
        environ: Json = {
            "REQUEST_METHOD": method,
            "PATH_INFO": place.path,
            "QUERY_STRING": place.query,
            "wsgi.url_scheme": place.scheme,
            "wsgi.input": io.BytesIO(body),
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": headers.get("Content-Type", ""),
            "HTTP_HOST": place.netloc,
            "HTTP_AUTHORIZATION": headers.get("Authorization", ""),
            "HTTP_USER_AGENT": headers["User-Agent"],
        }
        started: list[tuple[str, dict[str, str]]] = []
        content = b"".join(self.rest(environ, lambda line, head: started.append((line, dict(head)))))
        ((line, head),) = started
        if place.path.endswith("/convert_to_template_ticket"):
            self.converted.append(json.loads(body))
        if self.odd and re.search(r"/(instances(/\d+)?|templates/\d+)$", place.path) and line.startswith("200"):
            content = self._oddly(content)
        return Response(int(line.split()[0]), {name.lower(): value for name, value in head.items()}, content)

    def _oddly(self, content: bytes) -> bytes:
        found = json.loads(content)
        rows = found.get("Items", [found])
        for row in rows:
            row.update(self.odd.get(row["Id"], {}))
        return json.dumps(found).encode()

    def client(self, task: Task) -> Infrastructure:
        """Return a client for a task; what its methods are called with is logged."""
        settings = task.settings
        sender = InProcessExchange(exchange(task).options, self)
        parts = (sender, settings["base_url"], GivenToken(TOKEN), settings["api_version"])
        self.raw = self.raw or Infrastructure(*parts)
        return _Logged(self, *parts)

    def called(self, name: str, method: t.Callable[..., t.Any], args: tuple[t.Any, ...], kwargs: Json) -> t.Any:
        """Log a call, and strike where a fault is planned; what a call leads to is no call of its own."""
        if self._depth:
            return method(*args, **kwargs)
        self.calls.append((name, args, kwargs))
        faults = self.faults.get(name, [])
        fault = faults.pop(0) if faults else None
        if fault is not None and not fault.after:
            raise fault.error
        self._depth += 1
        try:
            if name == "read_json" and self.access:
                answer = self.access.pop(0)
            elif name == "list_instances" and self.search_blind and kwargs.get("query") is not None:
                answer = []
            else:
                answer = method(*args, **kwargs)
                if name == "list_instances":
                    answer = [*answer, *self._ghosts(answer, kwargs.get("query") or "")]
        finally:
            self._depth -= 1
        if fault is not None:
            raise fault.error
        return answer

    def _ghosts(self, listed: list[Json], query: str) -> list[Json]:
        """Return the rows of what was removed and is still to be listed."""
        now = self.clock.now()
        self._rows.update({row["Id"]: row for row in listed})
        gone = [row for number, row in self._rows.items() if number not in self.instances]
        until = {row["Id"]: self._missed.setdefault(row["Id"], now) + self.lag for row in gone}
        return [row for row in gone if now < until[row["Id"]] and query.lower() in row["Name"].lower()]

    # ---------------------------------------------------------------- for the tests

    def names(self) -> list[str]:
        """Names of the methods that were called."""
        return [name for name, _args, _kwargs in self.calls]

    def writes(self) -> list[str]:
        """Names of the writing methods that were called."""
        return [name for name in self.names() if not name.startswith(READS)]

    @property
    def instances(self) -> dict[int, Instance]:
        """The instances that there are, as the sandbox keeps them."""
        found: dict[int, Instance] = self.world.table(Instance)
        return found

    def add(self, name: str, **members: t.Any) -> Instance:
        """Put an instance there, which runs; ``members`` are those of the sandbox's model."""
        world, now = self.world, self.clock.now()
        networks, has_disk = members.pop("networks", []), members.pop("disk", True) is not None
        odd = {name: members.pop(name) for name in list(members) if name[0].isupper()}
        known = {"Status": (86, 87, 126, 1748), "Type": world.table(InstanceType), "Template": world.table(Template)}
        for told, own in REFERENCES.items():
            if isinstance(odd.get(told), dict) and odd[told].get("Id") in known.get(told, world.table(Subregion)):
                members[own] = odd.pop(told)["Id"]
        template = world.table(Template)[members.get("template", 60001)]
        plain: Json = {
            "template": template.id,
            "template_name": template.name,
            "template_type": template.type,
            "category": template.category,
            "tools": template.tools,
            "subregion": 1,
            "type": 34,
            "status": 86,
            "method": 1399,
            "password": "odd",
        }
        made = Instance(id=world.new_id(Instance), name=name, created=now, **{**plain, **members})
        world.table(Instance)[made.id] = made
        if has_disk:
            disk = make_disk(world, Disk(world.new_id(Disk), "System disk", 20, 48, now, made.subregion))
            attach_disk(world, made, disk, system=True)
        for number in networks:
            self.connect(made, network=number)
        self.odd.update({made.id: odd} if odd else {})
        self._rows[made.id] = self.row(made)
        return made

    def row(self, one: Instance) -> Json:
        """Return an instance as answers show it now."""
        found: Json = self.raw.get_instance(one.id)
        return found

    def fail(self, *names: str) -> None:
        """Let the tickets of these operations fail, and of no others."""
        self.settings["fail_tickets"] = "|".join(OPERATIONS[name] for name in names) or None

    @property
    def addresses(self) -> dict[int, int]:
        """The instance of each public address that is attached; those that the service gives by itself left out."""
        found = self.world.table(Address).values()
        return {one.id: one.instance for one in found if one.instance is not None and one.kind == RESERVED}

    def connect(self, one: Instance, *, network: int | None = None, address: int | None = None) -> None:
        """Attach a private network, or a public address."""
        if network is not None:
            attach_network(self.world, one, self.world.table(Network)[network], self.clock.now())
        if address is not None:
            attach_address(self.world, one, self.world.table(Address)[address])

    def lock(self, one: t.Any, seconds: float = 1e9) -> None:
        """Let another operation run on an object for so long."""
        one.lock.since = self.clock.now()
        self.touch(one)
        self.later(seconds, lambda: self.unlock(one))

    def unlock(self, one: t.Any) -> None:
        """Let the other operation end."""
        one.lock.since = None
        self.touch(one)

    def touch(self, one: t.Any) -> None:
        """Let answers tell what was changed here."""
        if isinstance(one, Instance):
            one.fragment = None

    def change(self, one: Instance, **members: t.Any) -> None:
        """Change an instance by hand."""
        for name, value in members.items():
            setattr(one, name, value)
        self.touch(one)

    def vanish(self) -> None:
        """Remove all instances by hand."""
        for one in list(self.instances.values()):
            remove_instance(self.world, one, deep=True)

    def later(self, seconds: float, effect: t.Callable[[], object]) -> None:
        """Do something when so many seconds have passed."""
        self.world.timeline.at(self.clock.now() + seconds, lambda _when: effect())


class _Logged(Infrastructure):
    """The client, which tells the service of the calls of its methods."""

    def __init__(self, service: Service, *arguments: t.Any) -> None:
        super().__init__(*arguments)
        self._service = service


def _logging(name: str) -> t.Callable[..., t.Any]:
    @functools.wraps(getattr(Infrastructure, name))
    def call(self: _Logged, *args: t.Any, **kwargs: t.Any) -> t.Any:
        if name in vars(self._service) and not self._service.is_calling:  # a test has put another one there
            return vars(self._service)[name](*args, **kwargs)
        return self._service.called(name, functools.partial(getattr(Infrastructure, name), self), args, kwargs)

    return call


for _name in CALLS:
    setattr(_Logged, _name, _logging(_name))
