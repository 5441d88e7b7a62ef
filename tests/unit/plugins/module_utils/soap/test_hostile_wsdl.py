# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""WSDL documents that are meant to do harm, over real sockets to a process of its own whose memory is measured.

Each ends with one line within a bound on memory; no file is read for it, and no other address sees the login.
"""

from __future__ import annotations

import base64
import gzip
import sys
import typing as t

import pytest

pytest.importorskip("zeep")
pytest.importorskip("lxml.etree")

from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.http.raw_server import RawServer, Visit

from .contracts import wsdl
from .victim import MEBIBYTE, PASSWORD, USER, Ended, Victim

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the measure of memory is Linux's")

MAX_MEMORY = 256  # MiB
SECONDS = 30.0
PLAIN = '<xs:element name="In"><xs:complexType><xs:sequence/></xs:complexType></xs:element>'
LOGIN = base64.b64encode(f"API\\{USER}:{PASSWORD}".encode())
UNREACHED = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

Make = t.Callable[[str], t.Union[str, bytes]]
"""Makes a document; it is given the address of another server."""


def importing(location: str) -> Make:
    """A WSDL whose only import is there; {} stands for the other server."""
    statement = '<xs:import namespace="urn:z" schemaLocation="{}"/>'
    return lambda other: wsdl(statement.format(location.replace("{}", other)) + PLAIN)


def doctype(declaration: str) -> Make:
    return lambda other: f"<!DOCTYPE d {declaration.replace('{}', other)}>" + wsdl(PLAIN)


def noted(inside: t.Callable[[], str]) -> Make:
    """A WSDL with something huge in a place where nobody looks."""
    return lambda _other: wsdl(PLAIN + f"<xs:annotation><xs:appinfo>{inside()}</xs:appinfo></xs:annotation>")


def groups(_other: str) -> str:
    """Groups of groups: 10 to the power of 12 members when they are written out."""
    made = "".join(
        f'<xs:group name="g{n}"><xs:sequence>{f"""<xs:group ref="t:g{n + 1}"/>""" * 10}</xs:sequence></xs:group>'
        for n in range(12)
    )
    end = '<xs:group name="g12"><xs:sequence><xs:element name="x" type="xs:int"/></xs:sequence></xs:group>'
    return wsdl(
        f'{made}{end}<xs:element name="In"><xs:complexType><xs:group ref="t:g0"/></xs:complexType></xs:element>'
    )


def circle(_other: str) -> str:
    return wsdl(
        '<xs:group name="g"><xs:sequence><xs:group ref="t:g"/></xs:sequence></xs:group>'
        '<xs:element name="In"><xs:complexType><xs:group ref="t:g"/></xs:complexType></xs:element>'
    )


def bases(_other: str) -> str:
    """A type with 3000 bases, one on the other."""
    made = "".join(
        f'<xs:complexType name="T{n}"><xs:complexContent><xs:extension base="t:T{n + 1}"><xs:sequence/></xs:extension>'
        "</xs:complexContent></xs:complexType>"
        for n in range(3000)
    )
    return wsdl(
        f'<xs:element name="In" type="t:T0"/>{made}<xs:complexType name="T3000"><xs:sequence/></xs:complexType>'
    )


ENTITIES = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
DTD = "found a document with a DTD (refused)"
BROKEN = "found XML that is broken or cut off"
MARKS = "have more than 200000 tags and attributes"

DOCUMENTS: dict[str, tuple[Make, str]] = {
    "an entity bomb": (doctype(f'[<!ENTITY l0 "ha">{ENTITIES}]'), DTD),
    "an entity bomb in use": (
        lambda _other: f'<!DOCTYPE d [<!ENTITY l0 "ha">{ENTITIES}]>' + wsdl(PLAIN.replace('name="In"', 'name="&l9;"')),
        "There is no WSDL at",
    ),
    "a file as an entity": (doctype('[<!ENTITY f SYSTEM "file:///etc/hostname">]'), DTD),
    "an entity elsewhere": (doctype('[<!ENTITY f SYSTEM "{}/f">]'), DTD),
    "a parameter entity elsewhere": (doctype('[<!ENTITY % p SYSTEM "{}/p"> %p;]'), DTD),
    "a DTD elsewhere": (doctype('SYSTEM "{}/d.dtd"'), DTD),
    "an import of a file": (importing("file:///etc/hostname"), "which is not a network address; refused"),
    "an import of another scheme": (importing("ftp://127.0.0.1/x.xsd"), "which is not a network address; refused"),
    "an import from elsewhere": (importing("{}/evil.xsd"), "There is no WSDL at http://127.0.0.1:"),
    "an import with a login in it": (importing("http://user:pass@127.0.0.2/x.xsd"), "There is no WSDL at"),
    "imports without end": (
        lambda _other: wsdl(
            "".join(f'<xs:import namespace="urn:z{n}" schemaLocation="x{n}.xsd"/>' for n in range(200)) + PLAIN
        ),
        "There is no WSDL at",
    ),
    "deep elements": (noted(lambda: "<a>" * 100_000), BROKEN),
    "elements without number": (noted(lambda: "<a/>" * (7 * MEBIBYTE)), MARKS),
    "attributes without number": (noted(lambda: "<a " + " ".join(f'a{n}=""' for n in range(1_000_000)) + "/>"), MARKS),
    "types without number": (
        lambda _other: wsdl(PLAIN + "".join(f'<xs:simpleType name="T{n}"/>' for n in range(150_000))),
        MARKS,
    ),
    "an odd encoding": (
        lambda _other: b'<?xml version="1.0" encoding="utf-7"?>' + wsdl(PLAIN).replace("<", "+ADw-").encode(),
        "found a document in the encoding 'utf-7' (it must be UTF-8)",
    ),
    "one long text": (noted(lambda: "x" * (30 * MEBIBYTE)), BROKEN),
    "too many bytes": (noted(lambda: "<a>" + "x" * (33 * MEBIBYTE)), "it is larger than 32 MiB"),
    "groups of groups": (groups, "its types have more than 50000 members"),
    "a group in itself": (circle, "cannot be understood: "),
    "bases of bases": (bases, "cannot be understood: "),
}


class Service:
    """A server of documents, and another one that counts who comes."""

    def __init__(self, make: Make, *headers: str, status: str = "200 OK") -> None:
        self.other = RawServer(self._elsewhere)
        self.server = RawServer(self._serve)
        self.url = f"{self.server.url}/CommonFcd.svc"
        self._make = make
        self._headers, self._status = headers, status

    def _serve(self, visit: Visit) -> None:
        while True:
            request = visit.read()
            if not request:
                return
            if request.startswith(b"GET /CommonFcd.svc?wsdl "):
                made = self._make(self.other.url)
                body = made.encode() if isinstance(made, str) else made
                headers = [header.replace("{}", self.other.url) for header in self._headers]
                visit.answer(body, self._status, *headers)
            else:
                visit.send(UNREACHED)

    def _elsewhere(self, visit: Visit) -> None:
        visit.read()
        visit.answer(wsdl(PLAIN).encode())

    def close(self) -> None:
        self.server.close()
        self.other.close()


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Victim]:
    process = Victim(str(tmp_path_factory.mktemp("home")))
    yield process
    process.close()


@pytest.fixture
def serve() -> t.Iterator[t.Callable[..., Service]]:
    started: list[Service] = []

    def start(*args: t.Any, **more: t.Any) -> Service:
        started.append(Service(*args, **more))
        return started[-1]

    yield start
    for service in started:
        service.close()


def check(name: str, ended: Ended, words: str) -> None:
    print(name, ended)
    assert words in ended.message
    assert "\n" not in ended.message
    assert len(ended.message) < 1000
    assert ended.mebibytes < MAX_MEMORY
    assert ended.seconds < SECONDS


OFTEN = (
    *("an entity bomb in use", "a file as an entity", "an import of a file", "an import from elsewhere"),
    *("imports without end", "deep elements", "types without number", "too many bytes", "a group in itself"),
)
"""One of each kind; the others end in the same place of the code."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.full]) for name in DOCUMENTS]
)
def test_a_hostile_wsdl(name: str, victim: Victim, serve: t.Any, tmp_path: t.Any) -> None:
    make, words = DOCUMENTS[name]
    service = serve(make)
    ended = victim.do("Op", {}, soap_url=service.url, state_dir=str(tmp_path))
    check(name, ended, words)
    assert ended.kind in ("InvalidInput", "Unusable")
    assert service.other.connections == 0
    assert all(request.startswith(b"GET /") for request in service.server.requests)


def test_a_small_answer_that_unpacks_to_a_large_one(victim: Victim, serve: t.Any, tmp_path: t.Any) -> None:
    packed = gzip.compress(wsdl(PLAIN).encode() + b" " * (100 * MEBIBYTE), 1)
    service = serve(lambda _other: packed, "Content-Encoding: gzip")
    ended = victim.do("Op", {}, soap_url=service.url, state_dir=str(tmp_path))
    check("100 MiB, packed", ended, "it is larger than 32 MiB")


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_redirect_is_not_followed(status: str, victim: Victim, serve: t.Any, tmp_path: t.Any) -> None:
    service = serve(lambda _other: b"", "Location: {}/x?wsdl", status=status)
    ended = victim.do("Op", {}, soap_url=service.url, state_dir=str(tmp_path))
    check(status, ended, "redirects to")
    assert service.other.connections == 0


def test_the_published_address_gets_nothing(victim: Victim, serve: t.Any, tmp_path: t.Any) -> None:
    service = serve(lambda other: wsdl(PLAIN).replace("https://inner.example.net/x", f"{other}/CommonFcd.svc"))
    ended = victim.do("Op", {}, soap_url=service.url, state_dir=str(tmp_path))
    check("another address", ended, "answered HTTP 404")
    assert service.other.connections == 0
    posted = service.server.requests[-1]
    assert posted.startswith(b"POST /CommonFcd.svc ")
    assert f"To>{service.other.url}/CommonFcd.svc</".encode() in posted


@pytest.mark.parametrize("challenge", ["", "401"])
def test_a_wsdl_from_elsewhere_is_read_without_the_login(
    challenge: str, victim: Victim, serve: t.Any, tmp_path: t.Any
) -> None:
    """The option soap_wsdl names another server, which may even ask for a login; imports are asked for there too."""
    answers = {"": "200 OK", "401": "401 Unauthorized"}
    source = serve(
        importing("{}/a.xsd"), 'WWW-Authenticate: Basic realm="x"', status=answers[challenge]
    )  # its "other" stands for a third server
    service = serve(lambda _other: wsdl(PLAIN))
    ended = victim.do("Op", {}, soap_url=service.url, soap_wsdl=f"{source.url}?wsdl", state_dir=str(tmp_path))
    check("from elsewhere", ended, "none was sent" if challenge else f"There is no WSDL at {source.server.url}/a.xsd")
    assert len(source.server.requests) == (1 if challenge else 2)
    assert all(b"authorization" not in request.lower() for request in source.server.requests)
    assert (source.other.connections, service.server.connections) == (0, 0)


def test_the_own_server_gets_the_login(victim: Victim, serve: t.Any, tmp_path: t.Any) -> None:
    """Or the tests above would prove nothing."""
    service = serve(lambda _other: wsdl(PLAIN))
    ended = victim.do("Op", {}, soap_url=service.url, state_dir=str(tmp_path))
    check("own", ended, "answered HTTP 404")
    assert [request.partition(b" ")[0] for request in service.server.requests] == [b"GET", b"POST"]
    assert all(b"Authorization: Basic " + LOGIN in request for request in service.server.requests)
