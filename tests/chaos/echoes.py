# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Services that repeat in their errors all the secrets that they were sent, and tasks that meet these errors.

Each task is bent to an address of its own below the usual one (``/echo-7``), so that its error strikes nobody else.
"""

from __future__ import annotations

import base64
import html
import json
import typing as t
from dataclasses import dataclass
from urllib.parse import quote

from chaos.kinds import KINDS, Wish
from chaos.playbook_run import TaskItem, task
from chaos.workplace import Workplace

FAULT = (
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value>'
    '</s:Code><s:Reason><s:Text xml:lang="en">{}</s:Text></s:Reason>{}</s:Fault></s:Body></s:Envelope>'
)
DETAIL = "<s:Detail><E><ErrorMsg>{0}</ErrorMsg><Given><One>{0}</One><Two>{0}</Two></Given></E></s:Detail>"
Sent = t.Mapping[str, t.Sequence[str]]
PADDING = "x" * 285
"""So many letters that the secret behind them lies where long texts are cut."""

FORMS: dict[str, tuple[str, t.Callable[[str], str]]] = {
    "json": ("application/json", lambda text: json.dumps({"Message": text, "ErrorId": 17})),
    "oauth": ("application/json", lambda text: json.dumps({"error": "invalid_request", "error_description": text})),
    "code": ("application/json", lambda text: json.dumps({"error": text})),
    "page": ("text/html", lambda text: f"<html><body><h1>Error</h1><p>{html.escape(text)}</p></body></html>"),
    "form": ("text/html", lambda text: f'<html><body><input value="{html.escape(text)}"></body></html>'),
    "text": ("text/plain; charset=utf-8", lambda text: f"bad request: {text}"),
    "quoted": ("text/plain; charset=utf-8", lambda text: f"bad request: {json.dumps(text)} or {quote(text)}"),
    "fault": ("application/soap+xml; charset=utf-8", lambda text: FAULT.format(html.escape(text), "")),
    "detail": (
        "application/soap+xml; charset=utf-8",
        lambda text: FAULT.format("refused", DETAIL.format(html.escape(text))),
    ),
}


@dataclass(frozen=True)
class Echo:
    """An error of a service: on which requests of the bent task, which status, in which form."""

    service: str
    status: int
    form: str
    path: str = ""
    padded: bool = False
    repeated: bool = False

    @property
    def receives(self) -> str:
        """Which secrets the request has."""
        return "storage log-in" if self.path == LOG_IN else self.service

    def __str__(self) -> str:
        """Return the name of its task."""
        more = " padded" * self.padded + " again" * self.repeated
        return f"echo of {self.service} {self.path.strip('/')} {self.status} {self.form}{more}"


LOG_IN = "/auth/v1.0"
NEXT = {"/instances": "^create_instance$", LOG_IN: "^GET auth$"}
ECHOES = (
    Echo("identity", 400, "oauth"),
    Echo("identity", 400, "code"),
    Echo("identity", 401, "text"),
    Echo("identity", 500, "page"),
    Echo("identity", 500, "form"),
    Echo("identity", 403, "quoted"),
    Echo("rest", 400, "json"),
    Echo("rest", 403, "page"),
    Echo("rest", 409, "text"),
    Echo("rest", 500, "quoted"),
    Echo("rest", 500, "text", padded=True),
    Echo("rest", 503, "json", repeated=True),
    Echo("rest", 500, "json", path="/instances"),
    Echo("rest", 400, "json", path="/instances"),
    Echo("soap", 500, "fault"),
    Echo("soap", 500, "fault", padded=True),
    Echo("soap", 400, "fault", path="CreateUserWithPrivileges"),
    Echo("soap", 500, "detail"),
    Echo("soap", 500, "detail", path="CreateUserWithPrivileges", padded=True),
    Echo("soap", 500, "page", path="CreateUserWithPrivileges"),
    Echo("soap", 401, "page"),
    Echo("soap", 400, "text"),
    Echo("soap", 503, "text", repeated=True),
    Echo("storage", 401, "text", path=LOG_IN),
    Echo("storage", 500, "page", path=LOG_IN),
    Echo("storage", 403, "text", path="/v1/"),
    Echo("storage", 500, "quoted", path="/v1/"),
    Echo("storage", 422, "text", path="/v1/", padded=True),
    Echo("rest", 401, "json"),
    Echo("storage", 401, "page", path="/v1/"),
)
"""Those of tokens that are refused come last: the tasks after them know another token."""


def sent(place: Workplace, of_user: t.Sequence[str]) -> Sent:
    """Return the secrets that each service gets: of the kept tokens those that requests have borne."""
    known = place.sandbox.info["credentials"]
    rest, storage = place.sandbox.requests("rest"), place.sandbox.requests("storage")
    bearers = {entry["headers"]["Authorization"].partition(" ")[2] for entry in rest}
    tokens = {entry["headers"]["X-Auth-Token"] for entry in storage if "X-Auth-Token" in entry["headers"]}
    client, login = (
        (known["api_client_id"], known["api_client_secret"]),
        ("API\\" + known["username"], known["password"]),
    )
    return {
        "identity": [known["password"], known["api_client_secret"], _basic(*client)],
        "rest": sorted(bearers),
        "soap": [known["password"], _basic(*login), *of_user],
        "storage": sorted(tokens),
        "storage log-in": [known["storage_key"]],
    }


def _basic(user: str, password: str) -> str:
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def prepare(place: Workplace, chosen: t.Sequence[Echo], secrets: Sent, user: Wish) -> list[TaskItem]:
    """Arm these echoes and return their tasks; ``user`` has the options of a user with secrets in them."""
    return [_one(place, number, echo, secrets, user) for number, echo in enumerate(chosen)]


def _one(place: Workplace, number: int, echo: Echo, secrets: Sent, user: Wish) -> TaskItem:
    mark = f"echo-{number}-"
    module, args = _bent(place, echo, mark, user)
    kind, form = FORMS[echo.form]
    text = "".join((PADDING if echo.padded else "") + f" {secret} " for secret in secrets[echo.receives])
    answer = {"status": echo.status, "content_type": kind, "body": form(text)}
    place.sandbox.fault("status_before", **_selection(echo, mark), **answer)
    return task(module, {**args, "retries": int(echo.repeated)}, str(echo), ignore_errors=True)


def _selection(echo: Echo, mark: str) -> Wish:
    """Return which requests it answers. Creates of instances and log-ins have no address of their own: the next one."""
    if echo.path in NEXT:
        return {"service": echo.service, "operation": NEXT[echo.path], "times": 1}
    if echo.service == "soap" and echo.path:
        return {"service": "soap", "path": mark, "operation": f"^{echo.path}$", "times": 0}
    return {"service": _service(echo), "path": mark, "times": 0}


def _service(echo: Echo) -> str:
    """Return who gets the bent request: what does not begin with /core/ is for the REST service."""
    return "rest" if echo.service == "identity" else echo.service


def _bent(place: Workplace, echo: Echo, mark: str, user: Wish) -> tuple[str, Wish]:
    info = place.sandbox.info
    if echo.service == "identity":
        return "token", {"auth_url": f"{info['auth_url']}/{mark}"}
    if echo.path == "/instances":
        return "instance", {**KINDS["instance"].args(mark), "create_grace": 0.2}
    if echo.service == "rest":
        return "dictionary_info", {"dictionary": "17", "base_url": f"{info['base_url']}/{mark}"}
    if echo.service == "soap":
        return "client_user", {**user, "soap_url": f"{info['soap_url']}?{mark}", "soap_wsdl": info["soap_wsdl"]}
    return "storage_container", {"name": mark, "token_cache": echo.path not in NEXT}
