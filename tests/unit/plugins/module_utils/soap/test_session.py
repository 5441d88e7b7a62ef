# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole way, from settings to the SOAP service of the sandbox: WSDL, contract, login, calls, failures."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import typing as t
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest

pytest.importorskip("zeep")
pytest.importorskip("lxml.etree")

from sandbox.seed import Credentials
from sandbox.soap.service import SoapService

import ansible_collections.fcd.cloud.plugins.module_utils._contract.connection as subject
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import CommonFcd
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._soap import contract
from ansible_collections.fcd.cloud.plugins.module_utils._soap.client import is_read

from .bench import data_without
from .contracts import WSDL_FOLDER, sandbox, sandbox_data
from .stand_in import Still

PASSWORD = "canary-zażółć-1"
KEY: dict[str, t.Any] = {"partner_id": 12, "template_id": 304, "data_store_number": "DS-01"}


CALLING = """
import json, sys
from ansible_collections.fcd.cloud.plugins.module_utils._contract.connection import common_fcd
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
api = common_fcd(Task(Settings.resolve(json.loads(sys.argv[1]), ('soap',))))
key = {'partner_id': 1, 'template_id': 2, 'data_store_number': '3'}
"""


class Quiet(WSGIRequestHandler):
    def log_message(self, *_args: t.Any) -> None:
        """Say nothing."""


class Box:
    """The service behind a socket on this machine; ``seen`` has method, query and Authorization of each request."""

    def __init__(self, folder: str) -> None:
        self.seen: list[tuple[str, str, str]] = []
        self.replies: dict[str, tuple[str, bytes]] = {}
        self.service = SoapService(Credentials(password=PASSWORD))
        self.server: WSGIServer = make_server("127.0.0.1", 0, self._app, handler_class=Quiet)
        self.url = f"http://127.0.0.1:{self.server.server_port}/CommonFcd.svc"
        self.folder = folder
        self.said: list[str] = []

    def _app(self, environ: dict[str, t.Any], start_response: t.Any) -> t.Iterable[bytes]:
        method, query = environ["REQUEST_METHOD"], environ.get("QUERY_STRING", "")
        self.seen.append((method, query, environ.get("HTTP_AUTHORIZATION", "")))
        if method in self.replies:
            status, body = self.replies[method]
            start_response(status, [("Content-Type", "text/html"), ("Content-Length", str(len(body)))])
            return [body]
        return self.service(environ, start_response)

    def params(self, **more: t.Any) -> dict[str, t.Any]:
        login = self.service._credentials.username
        given = {"soap_url": self.url, "username": login, "password": PASSWORD, "state_dir": self.folder, "retries": 0}
        return {**given, **more}

    def api(self, **more: t.Any) -> CommonFcd:
        return subject.common_fcd(Task(Settings.resolve(self.params(**more), ("soap",)), warn=self.said.append))

    def process(self, code: str) -> subprocess.Popen[str]:
        """Start another process with this code, which finds the settings in its arguments."""
        path = os.pathsep.join(place for place in sys.path if place)
        return subprocess.Popen(
            [sys.executable, "-c", code, json.dumps(self.params())],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def gets(self) -> list[str]:
        return [query for method, query, _login in self.seen if method == "GET"]


@pytest.fixture
def box(cold: Box) -> Box:
    """With a compiled contract, like all but the first process of a user."""
    path = contract.contract_file(cold.folder, f"{cold.url}?wsdl")
    contract.save_contract(path, {**sandbox_data(), "read_at": time.time()}, pytest.fail)
    return cold


@pytest.fixture
def cold(tmp_path: t.Any, monkeypatch: pytest.MonkeyPatch) -> t.Iterator[Box]:
    for name in [name for name in os.environ if name.startswith("FCD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(subject, "_contracts", {})
    box = Box(str(tmp_path / "state"))
    thread = threading.Thread(target=box.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield box
    box.server.shutdown()
    thread.join()
    box.server.server_close()


def test_the_wsdl_is_read_once_and_the_contract_kept(cold: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cold.api().is_true("WarehouseExists", **KEY) is False
    assert sorted(cold.gets()) == ["wsdl", *[f"xsd=xsd{number}" for number in range(7)]]
    (name,) = os.listdir(os.path.join(cold.folder, "contracts"))
    with open(os.path.join(cold.folder, "contracts", name), encoding="utf-8") as handle:
        text = handle.read()
    assert PASSWORD not in text
    assert json.loads(text)["source"] == f"{cold.url}?wsdl"
    for kept in ({}, subject._contracts):  # another process, then the next item of a loop
        monkeypatch.setattr(subject, "_contracts", kept)
        assert cold.api().is_true("WarehouseExists", **KEY) is False
    assert len(cold.gets()) == 8
    assert cold.said == []


def test_the_items_of_a_loop_read_no_file_again(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.api()
    monkeypatch.setattr(subject, "load_contract", lambda *_any: pytest.fail("the file was read again"))
    assert box.api().is_true("WarehouseExists", **KEY) is False


def test_the_wsdl_is_read_again_if_an_answer_has_more(cold: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    path = contract.contract_file(cold.folder, f"{cold.url}?wsdl")
    older = {**data_without(frozenset({("TimeZone", "StandardName")})), "read_at": time.time()}
    contract.save_contract(path, older, pytest.fail)
    cold.replies["GET"] = ("503 Oh", b"later")
    api = cold.api()
    for _turn in range(2):
        (first, *_others) = api.records("GetTimeZones")
    assert (first["_unknown"], len(cold.said), len(cold.gets())) == (["StandardName"], 1, 1)
    assert "does not fit the WSDL, which could not be read again" in cold.said[0]
    cold.replies.clear()
    cold.seen.clear()
    for kept in (subject._contracts, {}):  # another process the second time
        monkeypatch.setattr(subject, "_contracts", kept)
        (first, *_others) = cold.api().records("GetTimeZones")
        assert first["standard_name"]
        assert "_unknown" not in first
    assert len(cold.gets()) == 8
    assert len(cold.said) == 1


def test_an_old_contract_is_read_anew(cold: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    cold.api()
    monkeypatch.setattr(subject, "_contracts", {})
    time.sleep(0.002)
    cold.api(soap_contract_ttl=0.001)
    assert len(cold.gets()) == 16


def test_the_login_has_a_prefix_and_goes_out_in_utf_8(cold: Box) -> None:
    assert cold.api().record("GetUser", user_id=1) is not None
    expected = f"API\\{cold.service._credentials.username}:{PASSWORD}".encode()
    assert {base64.b64decode(login.partition(" ")[2]) for _method, _query, login in cold.seen} == {expected}


@pytest.mark.parametrize(
    ("more", "sent"),
    [
        ({"username": "jan"}, "API\\jan"),
        ({"username": "AD\\jan"}, "AD\\jan"),
        ({"username": "jan", "soap_user_prefix": "X\\"}, "X\\jan"),
        ({"password": "canary-wrong"}, "API\\{}"),
    ],
)
def test_a_refused_login_names_what_was_sent(box: Box, more: dict[str, t.Any], sent: str) -> None:
    with pytest.raises(errors.Unauthorized) as caught:
        box.api(**more).record("GetUser", user_id=1)
    assert f"it was sent as '{sent.format(box.service._credentials.username)}'" in caught.value.message
    assert "canary" not in str(caught.value.as_result())
    assert len(box.seen) == 1


def test_posts_go_to_soap_url_and_to_is_what_the_wsdl_publishes(box: Box) -> None:
    box.service.settings["to"] = "https://node1.internal.example/CommonFcd.svc"
    assert box.api().is_true("WarehouseExists", **KEY) is False
    with pytest.raises(errors.Rejected, match="set soap_to to that address"):
        box.api(soap_to="https://wrong.example.com/").is_true("WarehouseExists", **KEY)
    box.service.settings["to"] = "urn:own"
    assert box.api(soap_to="urn:own").is_true("WarehouseExists", **KEY) is False


def test_imports_that_name_an_inner_machine_are_asked_for_at_the_own_host(cold: Box) -> None:
    cold.service.settings["import_address"] = "http://node1.internal.example/CommonFcd.svc"
    assert cold.api().is_true("WarehouseExists", **KEY) is False
    assert len(cold.gets()) == 8


def test_a_saved_wsdl_needs_no_net(cold: Box) -> None:
    api = cold.api(soap_wsdl=os.path.join(WSDL_FOLDER, "CommonFcd.wsdl"))
    assert cold.gets() == []
    assert api.is_true("WarehouseExists", **KEY) is False


def test_the_login_stays_with_its_origin(cold: Box) -> None:
    other = f"http://localhost:{cold.server.server_port}/CommonFcd.svc?wsdl"
    cold.api(soap_wsdl=other)
    assert {login for _method, _query, login in cold.seen} == {""}


@pytest.mark.parametrize(
    ("status", "body", "problem"),
    [
        ("404 Not Found", b"<html></html>", "There is no WSDL at {}: HTTP 404."),
        ("200 OK", b"<!DOCTYPE html><html>", "There is no WSDL at {}: found an HTML page."),
        ("200 OK", b"[]", "There is no WSDL at {}: found JSON."),
        ("200 OK", b"<definitions", "There is no WSDL at {}: found XML that is broken or cut off ("),
    ],
)
def test_unusable_wsdl_is_refused(cold: Box, status: str, body: bytes, problem: str) -> None:
    cold.replies["GET"] = status, body
    with pytest.raises(errors.InvalidInput) as caught:
        cold.api()
    assert caught.value.message.startswith(problem.format(f"{cold.url}?wsdl"))
    assert not os.path.exists(os.path.join(cold.folder, "contracts"))


@pytest.mark.parametrize("own", [True, False])
def test_a_wsdl_that_asks_for_another_login(cold: Box, own: bool) -> None:
    cold.replies["GET"] = "401 Unauthorized", b"<Error/>"
    address = f"{cold.url}?wsdl" if own else f"http://localhost:{cold.server.server_port}/x?wsdl"
    with pytest.raises(errors.Unauthorized) as caught:
        cold.api(soap_wsdl=address)
    says = (
        "the service refused the login (HTTP 401); it was sent as 'API\\"
        if own
        else "asks for a login (HTTP 401); none"
    )
    assert f"Read the WSDL: {address}: {says}" in caught.value.message


@pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden"])
@pytest.mark.parametrize(
    ("body", "came"), [(b'{"Message": "No."}', ", with JSON"), (b"", ""), (b"<html>IIS</html>", ", with an HTML page")]
)
def test_a_refused_wsdl_names_the_login_first_and_then_the_address(
    cold: Box, status: str, body: bytes, came: str
) -> None:
    cold.replies["GET"] = status, body
    with pytest.raises(errors.Unauthorized) as caught:
        cold.api()
    assert f"the service refused the login (HTTP {status[:3]}{came}); it was sent as 'API\\" in caught.value.message
    assert (caught.value.next_step or "").startswith(
        "Check username, password and soap_user_prefix; if they are right, check soap_url: "
    )


def test_a_wsdl_port_without_an_address(cold: Box, tmp_path: t.Any) -> None:
    """It is needed for the header To alone: soap_url takes its place, and the user is told."""
    saved = tmp_path / "saved"
    shutil.copytree(WSDL_FOLDER, saved)
    path = saved / "CommonFcd.wsdl"
    whole = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"<[a-z0-9]+:address [^>]*/>", "", whole), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != whole
    api = cold.api(soap_wsdl=str(path))
    assert (api.contract.endpoint, api.is_true("WarehouseExists", **KEY)) == (None, False)
    assert len(cold.said) == 1
    assert cold.said[0].startswith(f"The WSDL {path} has a port without an address, so soap_url is used.")
    cold.api(soap_wsdl=str(path), soap_to="urn:x", soap_contract_ttl=0.001)
    assert len(cold.said) == 1


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"soap_wsdl": "https://user:canary-pw@soap.example.com/?wsdl"}, "soap_wsdl"),
        ({"soap_wsdl": "http://soap.example.com/?wsdl"}, "soap_wsdl"),
        ({"soap_wsdl": "/no/such.wsdl"}, "The WSDL /no/such.wsdl cannot be read"),
    ],
)
def test_an_address_that_cannot_be_meant(cold: Box, more: dict[str, t.Any], problem: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        cold.api(**more)
    assert caught.value.message.startswith(problem)
    assert "canary" not in str(caught.value)
    assert cold.seen == []


def test_missing_settings_are_all_named(box: Box) -> None:
    with pytest.raises(errors.MissingSettings) as caught:
        subject.common_fcd(Task(Settings.resolve({"state_dir": box.folder}, ("soap",))))
    assert caught.value.details["missing"] == ["username", "password", "soap_url"]


def test_a_warm_process_knows_neither_zeep_nor_lxml(box: Box) -> None:
    box.api()
    code = CALLING + (
        "assert api.is_true('WarehouseExists', **key) is False and api.search('GetUsers', {})\n"
        "assert api.members('User').find('email')\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'zeep', 'lxml', 'dataclasses', 'xml'}))\n"
    )
    said, _errors = box.process(code).communicate()
    assert not {"zeep", "lxml"} & set(json.loads(said.replace("'", '"')))
    assert box.gets() == []


@pytest.mark.full
def test_processes_with_a_cold_cache_do_not_disturb_each_other(cold: Box) -> None:
    """They are started, and not forked: threads of the service run in this one."""
    started = [cold.process(f"{CALLING}print(api.is_true('WarehouseExists', **key))") for _number in range(4)]
    assert [process.communicate()[0] for process in started] == ["False\n"] * 4
    assert len(os.listdir(os.path.join(cold.folder, "contracts"))) == 1
    assert cold.api().is_true("WarehouseExists", **KEY) is False


def test_faults_of_the_service(box: Box) -> None:
    api = box.api()
    box.service.settings["faults"] = [{"operation": "GetUser$", "error_code": 7, "message": "nie", "times": 1}]
    with pytest.raises(errors.Rejected, match=r"GetUser: the service refused it: nie \(error code 7\)\."):
        api.record("GetUser", user_id=1)
    with pytest.raises(errors.Rejected, match=r"UpdateWarehouse: .*does not exist \(error code 1001\)\."):
        api.call("UpdateWarehouse", warehouse_id=99, warehouse_name="x", queue_length=1)


def test_a_lock_is_waited_for(box: Box) -> None:
    clock = Still()
    task = Task(Settings.resolve(box.params(), ("soap",)), warn=box.said.append, clock=clock)
    api = subject.common_fcd(task)
    box.service.settings["faults"] = [{"operation": "BlockUser", "error_code": 133, "message": "busy", "times": 2}]
    api.call("BlockUser", user_id=2)
    assert clock.slept == [5.0, 5.0]
    assert len(box.said) == 2


def test_every_read_is_understood(box: Box) -> None:
    box.service.settings["rich_answers"] = True
    api, contract, answered = box.api(), sandbox(), set()
    for name in filter(is_read, contract.operations()):
        numbers = [field.name for field in contract.fields(contract.operation(name).input[1]) if field.type == "xs:int"]
        for number in (1, 12, 100, 9071):
            try:
                answered.add((name, api.call(name, **dict.fromkeys(numbers, number)) is not None))
            except errors.Rejected:
                answered.add((name, False))
    assert len({name for name, _something in answered}) == 70
    assert len([name for name, something in answered if something]) > 50
    assert box.service.violations == []


def test_objects_through_the_whole_way(box: Box) -> None:
    api = box.api()
    partner, template, number = KEY.values()
    api.call(
        "CreateWarehouse",
        warehouse_name="zażółć",
        queue_capacity=5,
        data_store_number=number,
        template_id=template,
        partner_id=partner,
    )
    assert api.is_true("WarehouseExists", **KEY) is True
    (row,) = api.search("GetWarehouses", {"partner_id": partner})
    assert row["warehouse_name"] == "zażółć"
    api.call("UpdateWarehouse", warehouse_id=row["warehouse_id"], warehouse_name="other", queue_length=7)
    assert (api.record("GetWarehouse", warehouse_id=row["warehouse_id"]) or {})["warehouse_name"] == "other"
    api.call("DeleteWarehouse", warehouse_id=row["warehouse_id"])
    assert api.record("GetWarehouse", warehouse_id=row["warehouse_id"]) is None
    user = api.call(
        "CreateUserWithPrivileges",
        ad_login="jan",
        ad_password="canary-1234",
        user={"email": "jan@example.com", "last_name": "J"},
        privileges=[1, 2],
    )
    assert {entry["privilege_id"] for entry in api.records("GetUserPrivileges", user_id=user)} == {1, 2}
    assert api.is_true("IsUserNameAlreadyTaken", user_name="jan") is True
    api.call("DeleteUsers", user_ids=[user])
    assert box.service.violations == []


@pytest.mark.parametrize("first_page", [0, 1])
def test_a_search_over_many_pages(box: Box, first_page: int) -> None:
    api = box.api()
    box.service.settings.update(maximum_page_size=7, first_page=first_page)
    for number in range(20):
        api.call(
            "CreateWarehouse",
            warehouse_name=f"w{number}",
            queue_capacity=1,
            data_store_number=str(number),
            template_id=304,
            partner_id=1,
        )
    assert len({row["warehouse_id"] for row in api.search("GetWarehouses", {"partner_id": 1})}) == 20


def test_answers_of_a_richer_service_are_understood(box: Box) -> None:
    box.service.settings["rich_answers"] = True
    api = box.api()
    user = api.record("GetUser", user_id=1)
    assert user is not None
    assert user["user_id"] == 1
    assert box.service.violations == []
