# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How requests are sent to the infrastructure REST interface; PascalCase data in and out, unchanged.

There are two lines of the interface (docs/service/infrastructure.md, "The two lines"): that of 2020, and that of 2023,
which has ``/floating_ips`` (2022). The older one requires members that were removed then, and does not know those that
were added. Lists are read whole: mostly they are one page, and rest_pages.py reads the others.
"""

from __future__ import annotations

import re
import typing as t

from .._core.clock import Memory
from .._core.errors import (
    DOUBT,
    FcdError,
    Forbidden,
    NotFound,
    Rejected,
    ServiceError,
    Unclear,
    Unconfirmed,
    Unusable,
)
from .._core.type_aliases import JsonMapping, JsonObject, JsonObjects
from .._http.messages import READ, WRITE, Credentials, Request, Response
from .rest_pages import Paging

if t.TYPE_CHECKING:
    from .._http.client import Exchange
    from .rest_pages import Orders

ONE, ANY, LIST, PAGES = "object", "any JSON", "list", "list with pages"  # the shapes of what is read
NO_FILTERS: JsonMapping = {}


class RestRead(t.NamedTuple):
    """What is to be read; ``filters`` are its query. ``operation`` is its name for a person.

    ``orders`` are what a list with pages can be ordered by, if this is not that of the kind of object that it lists.

    While a task waits, it ``polls``: a list that was read for others since the last change will do. What is asked for
    ``alone`` must not be taken from a list.
    """

    operation: str
    path: str
    shape: str
    filters: JsonMapping = NO_FILTERS
    polls: bool = False
    alone: bool = False
    orders: Orders = ()

    @property
    def question(self) -> tuple[t.Hashable, ...]:
        """What is the same in all reads with the same answer."""
        given = {name: value for name, value in self.filters.items() if value is not None}
        return (self.shape, self.path, *sorted(given.items()))


RestReader = t.Callable[[RestRead], t.Any]
Changed = t.Callable[[object, t.Optional[JsonObject]], object]

_NUMBERS = re.compile(r"\d+")
_ID_IN_PATH = re.compile(r"/(\d+)(?=/|$)")
MAX_ID = 1 << 63
MAY_BE_MISSING = (
    "The service answers 403 for missing objects, too: check the ID, the rights of the user and the scope of the token."
)
PATH_OF_INSTANCE = re.compile(r"/instances/(\d+)/(\w+)")
AUTO, OLDER = "auto", "2020"
LATER_PATH = "/floating_ips"


def is_id(value: object, least: int = 1) -> bool:
    """Return whether the service may number an object like this."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < MAX_ID


def ignore(*_what: object) -> None:
    """Do nothing about a change."""


def _is_object(found: object) -> bool:
    """Return whether this may be an object of the service; not everything has a number, and 0 may stand for none."""
    if not isinstance(found, dict):
        return False
    return all(number is None or is_id(number, 0) for number in (found.get("Id"), found.get("ObjectId")))


def _fault_of_one(path: str, found: t.Any, what: str, old: t.Container[int] = ()) -> str:
    """Return what is wrong with an answer that is to be one object: that of the path if this ends with an ID."""
    if not _is_object(found) or not found.get("Id"):
        return f"is not {what}"
    number, asked = found["Id"], path.rpartition("/")[2]
    if asked.isdigit() and number != int(asked):
        return f"is about another object, {number}"
    return f"is about {number}, which was there before" if number in old else ""


class ObjectKind(t.NamedTuple):
    """A kind of object: all are listed at ``path``, those of an instance at ``/instances/{id}/<below>``.

    ``orders`` are what lists with pages can be ordered by: first by keys that few rows share, then another. ``reads``
    are the paths where single objects are read besides ``path``; the ID in them may be that of what it belongs to.

    The others are for check mode (check_mode_infrastructure.py): ``instances`` is the member of a record that tells the
    instances of the object, ``of_instance`` the member of the record of an instance that tells all its objects of the
    kind; empty where it tells none. ``places`` is the member of the service that lists the instances of the object;
    without it there is one at most, in ``Instance``. ``members`` are those of the service whose names are not ours in
    another spelling.
    """

    path: str = ""
    orders: Orders = ()
    below: str = ""
    instances: str = ""
    of_instance: str = ""
    places: str = ""
    members: t.Mapping[str, str] = {}
    reads: tuple[str, ...] = ()


class ListedValue(t.NamedTuple):
    """What a list has shown of an object: the value of the member that it was found by. ``read`` reads the object."""

    what: str
    read: t.Callable[[], JsonObject]
    member: str
    value: object

    def is_confirmed_by(self, found: JsonMapping) -> bool:
        """Return whether the object shows the same, or does not show it at all."""
        return bool(found.get(self.member, self.value) == self.value)

    def confirm(self) -> None:
        """Read the object. Raises Unconfirmed; what cannot be read on its own is taken from the list."""
        try:
            found = self.read()
        except (Forbidden, NotFound):
            return
        except (Unclear, ServiceError) as cause:
            if isinstance(cause, Rejected):
                raise
            raise Unconfirmed(
                f"A list shows {self.what} as {self.value!r}, which the object itself has to confirm, and reading it "
                f"failed: {cause.message}",
                next_step="Nothing was sent to it. Run the task again.",
            ) from cause
        if not self.is_confirmed_by(found):
            raise Unconfirmed(
                f"A list shows {self.what} as {self.value!r}, but the object itself says {found[self.member]!r}: the "
                "list is late, or something else has renamed it meanwhile. Nothing was sent to it.",
                next_step="Run the task again later, or give the ID of the one that is meant.",
                id=found["Id"],
            )


class RestClient:
    """Sends requests to the service at ``base_url``; ``api_version`` is the setting of that name.

    All reads go through ``read``, which others may wrap (``Infrastructure.reading``); only the version of the
    interface is asked past it. ``changed`` is called after each change, with what was sent and the answer, None where
    none could be used. Reads raise the ServiceError of their status. If there is no clear answer, requests that change
    something raise Unclear or ServiceError, and may have been carried out.
    """

    kinds: t.ClassVar[t.Mapping[str, ObjectKind]]
    """By the name of the module."""

    @classmethod
    def kind_at(cls, path: str) -> str:
        """Return the name of the kind of object that is listed at a path, empty for any other path."""
        of_instance, whole = PATH_OF_INSTANCE.fullmatch(path), re.sub(r"/\d+/", "/", path)
        for name, kind in cls.kinds.items():
            if kind.below == of_instance[2] if of_instance else whole == kind.path:
                return name
        return ""

    @classmethod
    def single_at(cls, path: str) -> tuple[str, int] | None:
        """Return the kind and the ID of the single object that is read at a path, None for any other path."""
        found = _ID_IN_PATH.search(path)
        if found is None:
            return None
        template = f"{path[: found.start()]}/{{id}}{path[found.end() :]}"
        for name, kind in cls.kinds.items():
            if template in kind.reads or (kind.path and template == f"{kind.path}/{{id}}"):
                return name, int(found[1])
        return None

    def __init__(self, exchange: Exchange, base_url: str, credentials: Credentials, api_version: str = AUTO) -> None:
        self._exchange = exchange
        self._base = base_url.rstrip("/")
        self._credentials = credentials
        self._api_version = api_version
        self._line = Memory()
        self._paging = Paging(self._sleep)
        self._listed: dict[str, frozenset[int]] = {}  # the IDs that each list has shown
        self.unconfirmed: dict[tuple[str, int], ListedValue] = {}  # by kind and ID
        self._confirmed: dict[tuple[str, int], ListedValue] = {}  # until a change that names it is accepted
        self.read: RestReader = self._read_from_service
        self.changed: Changed = ignore

    def _sleep(self, seconds: float) -> None:
        self._exchange.options.deadline.sleep(seconds)

    def is_older_line(self) -> bool:
        """Return whether the service runs the line of 2020; with ``auto``, the first call of a task sends a request."""
        if self._api_version != AUTO:
            return self._api_version == OLDER
        return self._line.answer(LATER_PATH, self._lacks_later_path)

    def observe(self, kind: str, number: int, found: JsonMapping) -> None:
        """Compare what was read of an object with what a list has shown of it; the last read counts."""
        key = kind, number
        shown = self.unconfirmed.get(key) or self._confirmed.get(key)
        if shown is None:
            return
        now, before = self._confirmed, self.unconfirmed
        if not shown.is_confirmed_by(found):
            now, before = before, now
        now[key] = shown  # first, since instances of a fleet share it
        before.pop(key, None)

    def confirm(self, *sent: object) -> None:
        """Confirm what a list has shown of the objects whose IDs are anywhere in what is going to be sent.

        Lists may be late, and show the name that an object had before it became somebody else's; and who has waited may
        have read another name since. Raises Unconfirmed.
        """
        for key, shown in _among(self.unconfirmed, sent):
            shown.confirm()
            self._confirmed[key] = shown
            self.unconfirmed.pop(key, None)  # another instance of a fleet may have done so meanwhile

    def start(
        self, operation: str, method: str, path: str, params: JsonMapping | None = None, json: object = None
    ) -> JsonObject:
        """Change something that takes time, and return the ticket, which is a new one."""
        return self._change(operation, method, path, params, json, "ticket", "/tickets")

    def change_at_once(
        self, operation: str, method: str, path: str, json: object, listed: str | None = None
    ) -> JsonObject:
        """Change something that is done at once, and return the object in the answer.

        A POST makes a new one, which is ``listed`` at that path, or where it was sent.
        """
        return self._change(operation, method, path, None, json, "object with an Id", listed or path)

    def _change(
        self,
        operation: str,
        method: str,
        path: str,
        params: JsonMapping | None,
        json: object,
        what: str,
        where: str,
    ) -> JsonObject:
        """Send a change, and return the ``what`` in the answer, unless the list at ``where`` had shown it before."""
        made, old = None, self._listed.get(where, frozenset())
        try:
            response = self._send(operation, method, path, WRITE, params, json)
            found: JsonObject = response.json()
            problem = _fault_of_one(where, found, f"the expected {what}", old)
            if not problem and not self._of_instance(path, [found]):
                problem = "is about another instance"
            if problem:
                raise Unclear(f"{operation}: the answer {problem}.", next_step=DOUBT, **_details(operation, response))
            made = found
            return found
        finally:
            self.changed(json, made)

    def change_silently(
        self, operation: str, method: str, path: str, json: object = None, params: JsonMapping | None = None
    ) -> t.Any:
        """Change something that is done at once, and return the answer: mostly an empty body, which is None."""
        return self._send(operation, method, path, WRITE, params, json, empty_ok=True).json()

    def read_json(self, operation: str, path: str, **filters: object) -> t.Any:
        """Return any JSON; None if the body is empty."""
        return self.read(RestRead(operation, path, ANY, filters))

    def read_one(self, operation: str, path: str) -> JsonObject:
        """Return the object whose ID the path ends with, if it does."""
        found: JsonObject = self.read(RestRead(operation, path, ONE))
        return found

    def read_list(self, operation: str, path: str, **filters: object) -> JsonObjects:
        """Read a list without pages."""
        items: JsonObjects = self.read(RestRead(operation, path, LIST, filters))
        return items

    def read_pages(self, operation: str, path: str, **filters: object) -> JsonObjects:
        """Read a whole list, whatever its pages are."""
        items: JsonObjects = self.read(RestRead(operation, path, PAGES, filters))
        return items

    def _read_from_service(self, request: RestRead) -> t.Any:
        operation, path = request.operation, request.path
        query = {_in_query(name): value for name, value in request.filters.items()}
        if request.shape == LIST:
            return self._of_instance(path, self._page(operation, path, query)[0])
        if request.shape == PAGES:
            orders = request.orders or self.kinds[self.kind_at(path)].orders
            rows = self._paging.read(operation, orders, lambda page: self._page(operation, path, {**query, **page}))
            return self._of_instance(path, rows)
        response = self._send(operation, "GET", path, READ, query, empty_ok=request.shape == ANY)
        found = response.json()
        if request.shape == ONE and found is None:
            raise NotFound(f"{operation}: there is none; the answer is null.", **_details(operation, response))
        problem = _fault_of_one(path, found, "an object with an Id") if request.shape == ONE else ""
        if problem:
            raise _unusable(operation, response, problem)
        return found

    def _of_instance(self, path: str, rows: JsonObjects) -> JsonObjects:
        """Return the rows of a list, without those of other instances if it is one of what an instance has."""
        of_instance = PATH_OF_INSTANCE.fullmatch(path)
        if of_instance is None:
            return rows
        places = self.kinds.get(self.kind_at(path), ObjectKind()).places
        number = int(of_instance[1])

        def is_own(row: JsonObject) -> bool:
            named = {(one.get("Instance") or {}).get("Id") for one in (row.get(places) or () if places else [row])}
            return number in named or named <= {None}

        return [*filter(is_own, rows)]

    def _page(self, operation: str, path: str, query: JsonMapping) -> tuple[JsonObjects, int]:
        response = self._send(operation, "GET", path, READ, query)
        found = response.json()
        items = found.get("Items", ()) if isinstance(found, dict) else ()
        meta = found.get("Meta") if isinstance(found, dict) else None
        total = meta.get("Total") if isinstance(meta, dict) else None
        if items is None and not total:
            items = []
        if not isinstance(items, list) or not all(map(_is_object, items)):
            raise _unusable(operation, response, "is not a list of objects in Items")
        self._listed[path] = self._listed.get(path, frozenset()).union(item["Id"] for item in items if "Id" in item)
        return items, total if isinstance(total, int) else len(items)

    def _lacks_later_path(self) -> bool:
        """Return whether there is no such path; any other refusal is about rights or the verb."""
        try:
            self._send("Find out the version of the interface", "GET", LATER_PATH, READ, {"pageSize": 1})
        except (Forbidden, NotFound) as refusal:
            return refusal.status == 404
        return False

    def _send(
        self,
        operation: str,
        method: str,
        path: str,
        kind: str,
        params: JsonMapping | None = None,
        json: object = None,
        *,
        empty_ok: bool = False,
    ) -> Response:
        if kind == WRITE:
            self.confirm(path, params, json)
        fixed = kind == READ and not any(letter.isdigit() for letter in path)  # no ID of an object in it
        request = Request(operation, method, self._base + path, kind, params, json=json, json_answer=True, fixed=fixed)
        sent: tuple[object, ...] = (path, params, json) if kind == WRITE else ()
        try:
            return self._exchange.send(request._replace(empty_ok=empty_ok), self._credentials)
        except Rejected as refusal:
            sent = ()
            if isinstance(refusal, Forbidden) and _ID_IN_PATH.search(path):
                refusal.next_step = MAY_BE_MISSING
            raise
        finally:
            for key, _shown in _among(self._confirmed, sent):
                self._confirmed.pop(key, None)


def _among(
    listed: t.Mapping[tuple[str, int], ListedValue], sent: tuple[object, ...]
) -> list[tuple[tuple[str, int], ListedValue]]:
    """Return what was listed of those objects whose IDs are anywhere in what is sent."""
    numbers = set(_NUMBERS.findall(repr(sent))) if listed and sent else set()
    return [(key, shown) for key, shown in [*listed.items()] if str(key[1]) in numbers]


def _in_query(name: str) -> str:
    """Return the name of a filter as the service has it."""
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest))


def _unusable(operation: str, response: Response, problem: str) -> FcdError:
    return Unusable(
        f"{operation}: the answer (HTTP {response.status}) {problem}.",
        next_step="Check that base_url is the address of the infrastructure interface.",
        **_details(operation, response),
    )


def _details(operation: str, response: Response) -> dict[str, t.Any]:
    return {"operation": operation, "status": response.status, "request_id": response.request_id}
