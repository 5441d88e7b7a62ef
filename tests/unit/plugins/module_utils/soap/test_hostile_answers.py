# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that are meant to do harm, over a real socket to a process of its own whose memory is measured.

Each ends with one line within a bound on memory, and nothing reaches another address.
"""

from __future__ import annotations

import functools
import gzip
import sys
import time
import typing as t
import zlib

import pytest

pytest.importorskip("zeep")
pytest.importorskip("lxml.etree")

from ansible_collections.fcd.cloud.plugins.module_utils._soap import contract
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.http.raw_server import RawServer, Visit

from .contracts import sandbox_data
from .stand_in import FCD, MODELS, S12, XSI
from .victim import MEBIBYTE, Victim

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the measure of memory is Linux's")

LIMIT = 64  # MiB of an answer
MAX_MEMORY = 6 * LIMIT  # the pieces of the answer, the whole, its elements, what is decoded from them; 320 were seen
SECONDS = 30.0

START = (
    f'<s:Envelope xmlns:s="{S12}" xmlns:f="{FCD}" xmlns:m="{MODELS}" xmlns:i="{XSI}" '
    'xmlns:z="http://schemas.microsoft.com/2003/10/Serialization/" '
    'xmlns:c="http://schemas.datacontract.org/2004/07/Example.Common.Search"><s:Body>'
).encode()
END = b"</s:Body></s:Envelope>"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/soap+xml\r\n"

Sends = t.Callable[[Visit, bytes], None]
"""Sends an answer; it is given the address of another server."""


def whole(make: t.Callable[[], bytes], *headers: str, status: str = "200 OK") -> Sends:
    """Answer with bytes that are made when they are needed."""
    return lambda visit, _other: visit.answer(make(), status, "Content-Type: application/soap+xml", *headers)


def endless(piece: bytes) -> Sends:
    """Answer with the start of an envelope and one piece after the other until the client goes."""
    many = piece * (MEBIBYTE // len(piece) + 1)
    chunk = b"%x\r\n%s\r\n" % (len(many), many)

    def send(visit: Visit, _other: bytes) -> None:
        visit.send(HEAD, b"Transfer-Encoding: chunked\r\n\r\n", b"%x\r\n%s\r\n" % (len(START), START))
        while True:
            visit.send(chunk)

    return send


def result(operation: str, inside: bytes) -> bytes:
    name = operation.encode()
    return START + b"<f:%sResponse><f:%sResult>%s</f:%sResult></f:%sResponse>" % (name, name, inside, name, name) + END


def filled(operation: str, piece: bytes, start: bytes = b"", end: bytes = b"", size: int = LIMIT) -> bytes:
    """An answer of nearly the greatest size with the piece in it again and again."""
    return result(operation, start + piece * ((size * MEBIBYTE - 2000) // len(piece)) + end)


def bomb(start: bytes, piece: bytes, times: int) -> bytes:
    """A small packed body that unpacks to ``times`` MiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    many = piece * (MEBIBYTE // len(piece))
    return packer.compress(start) + b"".join(packer.compress(many) for _number in range(times)) + packer.flush()


def entities() -> bytes:
    """The billion laughs."""
    levels = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10))
    return f'<!DOCTYPE s [<!ENTITY l0 "ha">{levels}]>'.encode() + result("GetUser", b"&l9;")


ROWS = b"<c:_results>"
ROW = b'<m:WarehouseItem z:Id="i1"><m:WarehouseId>7</m:WarehouseId></m:WarehouseItem>'
BROKEN = "GetUser: the answer (HTTP 200) cannot be used: "
TOO_LARGE = "it is larger than 64 MiB"


ANSWERS: dict[str, tuple[Sends, str]] = {
    "an entity bomb": (whole(entities), BROKEN + "it has a DTD, which SOAP forbids"),
    "a file as an entity": (
        whole(lambda: b'<!DOCTYPE s [<!ENTITY f SYSTEM "file:///etc/hostname">]>' + result("GetUser", b"&f;")),
        BROKEN + "it has a DTD, which SOAP forbids",
    ),
    "an entity elsewhere": (
        lambda visit, other: visit.answer(
            b'<!DOCTYPE s [<!ENTITY f SYSTEM "%s/f">]>' % other + result("GetUser", b"&f;")
        ),
        BROKEN + "it has a DTD, which SOAP forbids",
    ),
    "a DTD elsewhere": (
        lambda visit, other: visit.answer(b'<!DOCTYPE s SYSTEM "%s/s.dtd">' % other + result("GetUser", b"")),
        BROKEN + "it has a DTD, which SOAP forbids",
    ),
    "a parameter entity elsewhere": (
        lambda visit, other: visit.answer(
            b'<!DOCTYPE s [<!ENTITY %% p SYSTEM "%s/p"> %%p;]>' % other + result("GetUser", b"")
        ),
        BROKEN + "it has a DTD, which SOAP forbids",
    ),
    "a schema elsewhere": (
        lambda visit, other: visit.answer(
            result("GetUser", b'<m:UserId i:schemaLocation="%s/a %s/b">1</m:UserId>' % ((other,) * 2))
        ),
        "'user_id': 1",
    ),
    "deep elements": (
        whole(lambda: result("GetUser", b"<m:Client>" * 1_000_000)),
        BROKEN + "it is nested deeper than 60 levels",
    ),
    "elements without number": (
        whole(lambda: filled("GetUser", b"<a/>")),
        BROKEN + "it has more than 1000000 elements",
    ),
    "rows without number": (
        whole(lambda: filled("GetWarehouses", b"<m:WarehouseItem/>", ROWS, b"</c:_results>", 16)),
        "GetWarehouses: the answer (HTTP 200) cannot be used: it has more than 2000000 values",
    ),
    "as many rows as may be": (
        whole(lambda: filled("GetWarehouses", b"<m:WarehouseItem/>", ROWS, b"</c:_results>", 4)),
        "{'results': [{",
    ),
    "names, each another": (
        whole(lambda: result("GetUser", b"".join(b"<a%x/>" % number for number in range(300_000)))),
        BROKEN + "GetUserResponse.GetUserResult contains a0, a1, a2, a3, a4 and 299995 more",
    ),
    "attributes without number": (
        whole(lambda: result("GetUser", b"<a %s/>" % b" ".join(b'a%x=""' % number for number in range(1_000_001)))),
        BROKEN + "it has a tag or a comment larger than 1 MiB",
    ),
    "a comment without end": (
        whole(lambda: filled("GetUser", b"x", b"<!--")),
        BROKEN + "it has a tag or a comment larger than 1 MiB",
    ),
    "a number of 60 million digits": (
        whole(lambda: result("GetUser", b"<m:UserId>%s</m:UserId>" % (b"7" * (60 * MEBIBYTE)))),
        BROKEN + "GetUserResponse.GetUserResult.UserId contains text that is not a whole number (int)",
    ),
    "text between elements": (
        whole(lambda: filled("GetUser", b"x<a/>", size=1)),
        BROKEN + "GetUserResponse.GetUserResult contains a, and no member that the WSDL has",
    ),
    "rows that are one row": (
        whole(lambda: filled("GetWarehouses", b'<m:WarehouseItem z:Ref="i1"/>', ROWS + ROW, b"</c:_results>", 16)),
        "GetWarehouses: the answer (HTTP 200) cannot be used: it has more than 2000000 values",
    ),
    "an endless text": (endless(b"x"), TOO_LARGE),
    "endless elements": (endless(b"<a></a>"), TOO_LARGE),
    "an endless start": (endless(b" "), TOO_LARGE),
    "a declared terabyte": (
        lambda visit, _other: visit.send(HEAD, b"Content-Length: 1099511627776\r\n\r\n", START, bytes(100 * MEBIBYTE)),
        TOO_LARGE,
    ),
    "300 MiB, packed": (
        whole(functools.partial(bomb, START, b"x", 300), "Content-Encoding: gzip"),
        TOO_LARGE,
    ),
    "packed twice": (
        whole(lambda: gzip.compress(bomb(START, b"x", 300)), "Content-Encoding: gzip, gzip"),
        "it is compressed in a way that was not requested",
    ),
    "a huge fault": (
        whole(lambda: fault(b"no " * (20 * MEBIBYTE)), status="500 Internal Server Error"),
        "GetUser: the service refused it: no no no",
    ),
    "a huge detail of a fault": (
        whole(lambda: fault(b"no", b"<m:A/>" * 200_000), status="500 Internal Server Error"),
        "GetUser: the service refused it: no.",
    ),
    **{
        f"a redirect with {status}": (
            lambda visit, other, status=status: visit.answer(b"", status, f"Location: {other.decode()}/x"),
            "redirects to",
        )
        for status in ("301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect")
    },
}


def fault(words: bytes, detail: bytes = b"") -> bytes:
    code = b"<s:Code><s:Value>s:Sender</s:Value></s:Code>"
    reason = b"<s:Reason><s:Text>%s</s:Text></s:Reason><s:Detail>%s</s:Detail>" % (words, detail)
    return START + b"<s:Fault>%s%s</s:Fault>" % (code, reason) + END


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Victim]:
    process = Victim(str(tmp_path_factory.mktemp("home")))
    yield process
    process.close()


@pytest.fixture
def other() -> t.Iterator[RawServer]:
    """Another address; whoever comes is counted and gets an answer."""
    server = RawServer(lambda visit: (visit.read() and visit.answer()) or None)
    yield server
    server.close()


OFTEN = (
    *("an entity bomb", "a file as an entity", "deep elements", "a comment without end", "an endless text"),
    *("a declared terabyte", "300 MiB, packed", "a huge detail of a fault", "a redirect with 307 Temporary Redirect"),
)
"""One of each kind; the others take a second of a processor each, or end in the same place of the code."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.full]) for name in ANSWERS]
)
def test_a_hostile_answer(name: str, victim: Victim, other: RawServer, tmp_path: t.Any) -> None:
    sends, words = ANSWERS[name]

    def serve(visit: Visit) -> None:
        visit.read()
        sends(visit, other.url.encode())

    service = RawServer(serve)
    try:
        url = f"{service.url}/CommonFcd.svc"
        path = contract.contract_file(str(tmp_path), f"{url}?wsdl")
        contract.save_contract(path, {**sandbox_data(), "read_at": time.time()}, pytest.fail)
        operation, values = ("GetWarehouses", {}) if "rows" in name else ("GetUser", {"user_id": 1})
        ended = victim.do(operation, values, soap_url=url, state_dir=str(tmp_path))
    finally:
        service.close()
    print(name, ended)
    assert words in ended.message
    assert "\n" not in ended.message
    assert len(ended.message) < 1000
    assert ended.mebibytes < MAX_MEMORY
    assert ended.seconds < SECONDS
    assert other.connections == 0
    assert service.connections == 1 + ("no member that the WSDL has" in ended.message)  # the WSDL is read again
