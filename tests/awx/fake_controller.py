# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A controller that keeps what it is told, for the modules of awx.awx: objects, what they are associated with, surveys.

It refuses what AWX refuses (``awx_rules.py``), unknown references, and whoever has not the token.
"""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
import threading
import typing as t
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from awx.awx_rules import (
    NOTIFICATION_SECRETS,
    playbooks,
    refused_answers,
    refused_credential_type,
    refused_survey,
)

Item = dict[str, t.Any]

TOKEN = "fake-controller-token"
ROOT = "/api/v2/"
HIDDEN = "$encrypted$"
REFERENCES = {
    "organization": "organizations",
    "credential_type": "credential_types",
    "execution_environment": "execution_environments",
    "default_environment": "execution_environments",
    "credential": "credentials",
    "project": "projects",
    "source_project": "projects",
    "inventory": "inventories",
    "workflow_job_template": "workflow_job_templates",
}
REPOSITORY = ("scm_type", "scm_url", "scm_branch", "credential")
"""What a project is synced after a change of."""

TEMPLATES = ("job_templates", "workflow_job_templates", "projects", "inventory_sources", "workflow_approval_templates")
WITH_SURVEY = ("job_templates", "workflow_job_templates")
NOT_KEPT = {"workflow_approval_templates": ("workflow_job_template", "identifier", "unified_job_template")}


class Refused(Exception):
    """A request that the controller does not carry out: a status, and what is wrong."""

    def __init__(self, status: int, why: t.Any) -> None:
        """Remember both."""
        super().__init__(why)
        self.status = status
        self.why = why


class Objects:
    """Everything that the controller has, by kind and number."""

    def __init__(self) -> None:
        """Have nothing."""
        self.kinds: dict[str, dict[int, Item]] = {}
        self.associated: dict[str, list[int]] = {}
        self.surveys: dict[str, t.Any] = {}
        self.playbooks: dict[int, list[str]] = {}
        self.repositories_answer = True
        self._last = 0

    def named(self, kind: str, name: str) -> Item:
        """Return the one object with this name."""
        [found] = [item for item in self.kinds[kind].values() if item["name"] == name]
        return found

    def listed(self, kind: str, desired: t.Mapping[str, str]) -> list[Item]:
        """Return what has these values; where a name may be a number, either is meant."""
        kinds = TEMPLATES if kind == "unified_job_templates" else (kind,)
        items = [item for each in kinds for item in self.kinds.get(each, {}).values()]
        return [shown(item, self) for item in items if self._fits(item, desired)]

    def _fits(self, item: Item, desired: t.Mapping[str, str]) -> bool:
        return all(str(self._value(item, key)) == value for key, value in desired.items())

    def _value(self, item: Item, key: str) -> t.Any:
        """Return a member, or with ``__name`` behind it the name of what it refers to."""
        reference = key.removesuffix("__name")
        number = item.get(reference)
        return number if key == reference or number is None else self.one(REFERENCES[reference], number)["name"]

    def one(self, kind: str, number: int) -> Item:
        """Return an object. Raises Refused where there is none."""
        try:
            return self.kinds[kind][number]
        except KeyError:
            raise Refused(404, {"detail": "Not found."}) from None

    def create(self, kind: str, values: Item) -> Item:
        """Make an object."""
        self._last += 1
        place = f"{ROOT}{kind}/{self._last}/"
        related = {"survey_spec": f"{place}survey_spec/"} if kind in WITH_SURVEY else {"update": f"{place}update/"}
        item = {"id": self._last, "url": place, "type": kind[:-1] if kind != "inventories" else "inventory"}
        item |= {"related": related, "summary_fields": {}}
        if kind == "projects":
            item["scm_revision"] = ""
        self.kinds.setdefault(kind, {})[self._last] = item
        try:
            return self.change(kind, item, values)
        except Refused:
            del self.kinds[kind][self._last]
            raise

    def change(self, kind: str, item: Item, values: Item) -> Item:
        """Give an object other values. Raises Refused for what is wrong with them."""
        if kind == "inventories":
            values = {**values, "kind": values.get("kind") or ""}
        self._check(kind, {**item, **values})
        repository = [item.get(key) for key in REPOSITORY]
        item.update({key: value for key, value in values.items() if key not in NOT_KEPT.get(kind, ())})
        if kind == "projects" and repository != [item.get(key) for key in REPOSITORY]:
            item["summary_fields"] = {"current_update": {"id": self.sync(item)["id"]}}
        return shown(item, self)

    def sync(self, project: Item) -> Item:
        """Bring the repository of a project here, and return the update that did, which may have failed."""
        with tempfile.TemporaryDirectory() as folder:
            command = ["git", "clone", "--quiet", "--depth", "1", "--branch", project["scm_branch"], project["scm_url"]]
            failed = not self.repositories_answer or subprocess.run([*command, folder], check=False).returncode != 0
            if not failed:
                self.playbooks[project["id"]] = playbooks(Path(folder))
                command = ["git", "-C", folder, "rev-parse", "HEAD"]
                project["scm_revision"] = subprocess.run(
                    command, check=True, capture_output=True, text=True
                ).stdout.strip()
        return self.create(
            "project_updates",
            {
                "status": "failed" if failed else "successful",
                "failed": failed,
                "finished": "2026-01-01T00:00:00Z",
                "scm_revision": project["scm_revision"],
            },
        )

    def _check(self, kind: str, values: Item) -> None:
        missing = [
            key for key, kinds in REFERENCES.items() if values.get(key) and values[key] not in self.kinds.get(kinds, {})
        ]
        if missing:
            raise Refused(400, {key: ["Invalid pk - object does not exist."] for key in missing})
        wrong = refused_credential_type(values) if kind == "credential_types" else []
        if wrong:
            raise Refused(400, {"__all__": wrong})
        if kind == "job_templates" and values["playbook"] not in self.playbooks.get(values["project"], ()):
            raise Refused(400, {"playbook": ["Playbook not found for project."]})
        if kind in ("schedules", "workflow_job_template_nodes"):
            self._check_answers(kind, values)

    def _check_answers(self, kind: str, values: Item) -> None:
        survey = self.survey_of(values.get("unified_job_template", 0))
        answers = values.get("extra_data") or {}
        wrong = refused_answers(survey, answers, later=kind != "schedules", others=False)
        if wrong:
            raise Refused(400, {"variables_needed_to_start": wrong})

    def survey_of(self, template: int) -> Item:
        """Return the survey of a template, empty if it has none."""
        places = [self.kinds.get(kind, {}).get(template, {}).get("url", "") for kind in WITH_SURVEY]
        return next((self.surveys[place] for place in places if place in self.surveys), {})


def shown(item: Item, objects: Objects) -> Item:
    """Return an object as the controller tells of it: without secrets."""
    if "notification_type" in item:
        return _hidden(item, "notification_configuration", NOTIFICATION_SECRETS.get(item["notification_type"], ()))
    if "credential_type" not in item or "inputs" not in item:
        return dict(item)
    kind = objects.one("credential_types", item["credential_type"])
    return _hidden(item, "inputs", [field["id"] for field in kind["inputs"]["fields"] if field.get("secret")])


def _hidden(item: Item, member: str, secret: t.Collection[str]) -> Item:
    return {**item, member: {key: HIDDEN if key in secret else value for key, value in item[member].items()}}


class FakeController(ThreadingHTTPServer):
    """The controller on a free port of 127.0.0.1, as a context manager."""

    daemon_threads = True

    def __init__(self) -> None:
        """Listen."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects = Objects()
        self.writes: list[str] = []
        self.lock = threading.Lock()

    def __enter__(self) -> FakeController:  # noqa: PYI034 (typing.Self is newer than the style)
        """Serve."""
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop."""
        self.shutdown()
        self.server_close()

    @property
    def environment(self) -> dict[str, str]:
        """The variables that point the modules of awx.awx here."""
        return {"CONTROLLER_HOST": f"http://127.0.0.1:{self.server_port}", "CONTROLLER_OAUTH_TOKEN": TOKEN}


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: FakeController
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        """Send small answers at once."""
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_arguments: t.Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Read."""
        self._answer("GET")

    def do_POST(self) -> None:
        """Make, associate, or set a survey."""
        self._answer("POST")

    def do_PATCH(self) -> None:
        """Change."""
        self._answer("PATCH")

    def _answer(self, method: str) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size) or b"{}")
        try:
            with self.server.lock:
                status, content = self._done(method, body)
        except Refused as refused:
            status, content = refused.status, refused.why
        data = b"" if status == 204 else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("X-API-Product-Name", "AWX")
        self.send_header("X-API-Product-Version", "24.6.1")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _done(self, method: str, body: Item) -> tuple[int, t.Any]:
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise Refused(401, {"detail": "Authentication credentials were not provided."})
        if method != "GET":
            self.server.writes.append(f"{method} {self.path}")
        address = urlsplit(self.path)
        kind, *rest = address.path[len(ROOT) :].strip("/").split("/")
        objects = self.server.objects
        if not rest:
            if method == "GET":
                return 200, _page(objects.listed(kind, dict(parse_qsl(address.query))))
            return 201, objects.create(kind, body)
        item = objects.one(kind, int(rest[0]))
        if len(rest) > 1:
            return self._below(method, item, rest[1], body)
        return 200, shown(item, objects) if method == "GET" else objects.change(kind, item, body)

    def _below(self, method: str, item: Item, what: str, body: Item) -> tuple[int, t.Any]:
        objects = self.server.objects
        if what == "survey_spec":
            return self._survey(method, item, body)
        if what == "playbooks":
            return 200, objects.playbooks.get(item["id"], [])
        if what == "update":
            return 202, objects.sync(item)
        if what == "create_approval_template":
            made = objects.create("workflow_approval_templates", body)
            item["unified_job_template"] = made["id"]
            item["related"]["unified_job_template"] = made["url"]
            return 201, made
        if item["type"] == "workflow_approval_template":
            raise Refused(404, {"detail": "Not found."})
        held = objects.associated.setdefault(f"{item['url']}{what}", [])
        if method == "GET":
            return 200, _page([{"id": number} for number in held])
        if body.get("disassociate"):
            held.remove(body["id"])
        else:
            held.append(body["id"])
        return 204, None

    def _survey(self, method: str, item: Item, body: Item) -> tuple[int, t.Any]:
        surveys = self.server.objects.surveys
        if method == "GET":
            return 200, surveys.get(item["url"], {})
        wrong = refused_survey(body)
        if wrong:
            raise Refused(400, {"error": "; ".join(wrong)})
        surveys[item["url"]] = body
        return 200, {}


def _page(items: list[Item]) -> Item:
    return {"count": len(items), "next": None, "previous": None, "results": items}
