# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How requests are sent to the infrastructure REST interface; PascalCase data in and out, unchanged.

There are two lines of the interface (infrastructure facts, revisions): that of 2020, and that of 2023, which has
``/floating_ips`` (2022). The older one requires members that were removed then, and does not know members that were
added.
"""

from __future__ import annotations

import typing as t

from .._core.errors import DOUBT, FcdError, Forbidden, NotFound, Unclear, Unusable
from .._core.memoize import Memory
from .._http.messages import READ, WRITE, Credentials, Request, Response
from .paging import Paging

if t.TYPE_CHECKING:
    from .._http.client import Exchange

Item = t.Dict[str, t.Any]
Items = t.List[Item]
Values = t.Mapping[str, t.Any]

AUTO, OLDER = "auto", "2020"
LATER_PATH = "/floating_ips"


class RestClient:
    """Sends requests to the service at ``base_url``; ``api_version`` is the setting of that name.

    Reads raise the ServiceError of their status. If there is no clear answer, requests that change something raise
    Unclear or ServiceError, and may have been carried out.
    """

    def __init__(self, exchange: Exchange, base_url: str, credentials: Credentials, api_version: str = AUTO) -> None:
        self._exchange = exchange
        self._base = base_url.rstrip("/")
        self._credentials = credentials
        self._api_version = api_version
        self._line = Memory()
        self._paging = Paging()

    def is_older_line(self) -> bool:
        """Return whether the service runs the line of 2020; with ``auto``, the first call of a task sends a request."""
        if self._api_version != AUTO:
            return self._api_version == OLDER
        return self._line.answer(LATER_PATH, self._lacks_later_path)

    def ticket(
        self,
        operation: str,
        method: str,
        path: str,
        params: Values | None = None,
        json: t.Any = None,
    ) -> Item:
        """Change something that takes time, and return the ticket."""
        return self.direct(operation, method, path, params, json, what="ticket")

    def direct(
        self,
        operation: str,
        method: str,
        path: str,
        params: Values | None = None,
        json: t.Any = None,
        what: str = "object with an Id",
    ) -> Item:
        """Change something that is done at once, and return the object in the answer."""
        request = self._request(operation, method, path, WRITE, params, json)
        response = self._exchange.send(request, self._credentials)
        found = response.json()
        if not isinstance(found, dict) or not isinstance(found.get("Id"), int):
            raise Unclear(
                f"{operation}: the answer is not the expected {what}.",
                next_step=DOUBT,
                **_details(request, response),
            )
        return found

    def silent(self, operation: str, method: str, path: str, json: t.Any = None) -> None:
        """Change something that is done at once and answered with an empty body (wire-facts section 2)."""
        request = self._request(operation, method, path, WRITE, None, json)._replace(empty_ok=True)
        self._exchange.send(request, self._credentials)

    def plain(self, operation: str, path: str) -> t.Any:
        """Return any JSON; None if the body is empty."""
        request = self._request(operation, "GET", path, READ, None)._replace(empty_ok=True)
        return self._exchange.send(request, self._credentials).json()

    def one(self, operation: str, path: str) -> Item:
        """Return one object."""
        request = self._request(operation, "GET", path, READ, None)
        response = self._exchange.send(request, self._credentials)
        found = response.json()
        if not isinstance(found, dict) or "Id" not in found:
            raise _unusable(request, response, "is not an object with an Id")
        return found

    def whole(self, operation: str, path: str) -> Items:
        """Read a list without pages."""
        return self._page(operation, path, {})[0]

    def pages(self, operation: str, path: str, **filters: t.Any) -> Items:
        """Read a whole list, whatever its pages are."""
        query = {_camel(name): value for name, value in filters.items()}

        def ask(page: dict[str, t.Any], fresh: bool) -> tuple[Items, int]:
            return self._page(operation, path, {**query, **page}, fresh)

        return self._paging.whole(operation, path, ask)

    def _page(self, operation: str, path: str, query: Values, fresh: bool = False) -> tuple[Items, int]:
        request = self._request(operation, "GET", path, READ, query)._replace(fresh=fresh)
        response = self._exchange.send(request, self._credentials)
        found = response.json()
        items = found.get("Items") if isinstance(found, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise _unusable(request, response, "is not a list of objects in Items")
        meta = found.get("Meta")
        total = meta.get("Total") if isinstance(meta, dict) else None
        return items, total if isinstance(total, int) else len(items)

    def _lacks_later_path(self) -> bool:
        """Return whether there is no such path; any other refusal is about rights or the verb."""
        probe = self._request("Find out the version of the interface", "GET", LATER_PATH, READ, {"pageSize": 1})
        try:
            self._exchange.send(probe, self._credentials)
        except (Forbidden, NotFound) as refusal:
            return refusal.status == 404
        return False

    def _request(
        self, operation: str, method: str, path: str, kind: str, params: Values | None, json: t.Any = None
    ) -> Request:
        return Request(
            operation=operation,
            method=method,
            url=self._base + path,
            kind=kind,
            params=params,
            json=json,
            json_answer=True,
            fixed=kind == READ and not any(letter.isdigit() for letter in path),  # no ID of an object in it
        )


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _unusable(request: Request, response: Response, problem: str) -> FcdError:
    return Unusable(
        f"{request.operation}: the answer (HTTP {response.status}) {problem}.",
        next_step="Check that base_url is the address of the infrastructure interface.",
        **_details(request, response),
    )


def _details(request: Request, response: Response) -> dict[str, t.Any]:
    return {"operation": request.operation, "status": response.status, "request_id": response.request_id}
