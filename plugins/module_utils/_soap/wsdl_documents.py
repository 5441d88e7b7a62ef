# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents of one WSDL: where they may come from, what they must not be, and how they are fetched.

A remote WSDL is read from its own origin only: an import that names another host (services behind a proxy publish names
of hosts that are known on their own network only) is requested from the WSDL's own host by the same path, and no local
file is ever read for it. The imports of a WSDL file are in the same folder as the file. A DTD is refused; number and
size of the documents are limited, and so are the tags and attributes in them.
"""

from __future__ import annotations

import os
import re
import typing as t
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from .._core.errors import FcdError, InvalidInput, Unauthorized, require
from .._core.files import read_regular
from .._http.client import Exchange, Request
from .._http.messages import origin
from .client import ACCEPTED, NO_ENTRY, Service
from .faults import CHECK_LOGIN, describe, refused_login

MOST_DOCUMENTS = 100
MOST_BYTES = 32 << 20  # all documents together
MOST_MARKS = 200_000  # the same: tags and attributes; zeep needs up to two kilobytes for each
NEXT_STEP = "Set soap_wsdl to the address of the WSDL (by default soap_url with ?wsdl), or to a file with a saved one."
WSDL = "http://schemas.xmlsoap.org/wsdl/"

_ENCODING = re.compile(rb"[^>]{0,99}\sencoding\s*=\s*[\"']([\w.-]+)")
_COUNTED = (b"utf-8", b"utf-16", b"us-ascii", b"iso-8859-", b"windows-125")  # < and = are the same bytes in all of them
_ROOTS = (f"{{{WSDL}}}definitions", "{http://www.w3.org/2001/XMLSchema}schema")
OPERATION = "Read the WSDL"
SAVED = "soap_wsdl may also name a file with the saved WSDL."


def is_remote(address: str) -> bool:
    """Return whether the WSDL is fetched over the network; everything else is the path of a file."""
    return urlsplit(address).scheme in ("http", "https")


class WsdlDocuments:
    """Reads and keeps the documents; ``roots`` has the root elements in the order in which they were read.

    ``get`` returns what the service's host answers for an address and raises FcdError.
    """

    def __init__(self, address: str, get: t.Callable[[str], bytes]) -> None:
        self.address = address if is_remote(address) else os.path.abspath(os.path.expanduser(address))
        self.roots: list[t.Any] = []
        self._get = get
        self._kept: dict[str, bytes] = {}
        self._marks = 0

    def read(self, location: str) -> bytes:
        """Return the document at ``location``, as an import names it. Raises InvalidInput and what ``get`` raises."""
        place = self._place_at_origin(location) if is_remote(self.address) else self._place_beside(location)
        if place in self._kept:
            return self._kept[place]
        if len(self._kept) >= MOST_DOCUMENTS:
            raise self.refused(f"imports more than {MOST_DOCUMENTS} documents")
        body = self._get(place) if is_remote(self.address) else self._from_file(place)
        if sum(map(len, self._kept.values())) + len(body) > MOST_BYTES:
            raise self.refused(f"and its imports are larger than {MOST_BYTES >> 20} MiB")
        self.roots.append(self._checked(place, body))
        self._kept[place] = body
        return body

    def refused(self, problem: str) -> FcdError:
        """Return the error that says why this WSDL cannot be used."""
        return InvalidInput(f"The WSDL {self.address} {problem}.", next_step=NEXT_STEP, wsdl=self.address)

    def _place_at_origin(self, location: str) -> str:
        parts, own = urlsplit(location), urlsplit(self.address)
        if parts.scheme not in ("http", "https"):
            raise self.refused(f"imports {location!r}, which is not a network address; refused")
        return urlunsplit((own.scheme, own.netloc, parts.path, parts.query, ""))

    def _place_beside(self, location: str) -> str:
        if location == self.address:
            return location
        folder = os.path.dirname(self.address)
        for name in _names(location, folder):
            place = os.path.normpath(os.path.join(folder, name))
            if os.path.commonpath([folder, place]) == folder and os.path.isfile(place):
                return place
        desired = _names(location, folder)[-1]
        raise self.refused(f"imports {location!r}, which is not in its folder (save it there as {desired!r})")

    def _from_file(self, place: str) -> bytes:
        try:
            return read_regular(place, MOST_BYTES + 1)
        except OSError as exc:
            raise self.refused(f"cannot be read: {exc.strerror or exc}") from None

    def _checked(self, place: str, body: bytes) -> t.Any:
        """Return the root element of a document, which must be XML without a DTD."""
        etree = require("lxml.etree", "lxml", purpose="The SOAP interface")
        try:
            root = self._parsed(etree, place, body)
        except (etree.XMLSyntaxError, ValueError) as exc:
            found = describe(body)
            said = " ".join(str(getattr(exc, "msg", exc)).split())
            raise self._not_one(place, f"{found} ({said})" if found.startswith("XML") else found) from None
        if root.getroottree().docinfo.doctype:
            raise self._not_one(
                place, "an HTML page" if "HTML" in describe(body) else "a document with a DTD (refused)"
            )
        if root.tag not in (_ROOTS if self._kept else _ROOTS[:1]):
            found = (
                "an HTML page"
                if root.tag.lower().endswith("html")
                else f"an XML document <{etree.QName(root).localname}>"
            )
            raise self._not_one(place, found)
        return root

    def _parsed(self, etree: t.Any, place: str, body: bytes) -> t.Any:
        """Return the root element. What would fill the memory is counted before, in the bytes."""
        self._marks += body.count(b"<") + body.count(b"=")
        if self._marks > MOST_MARKS:
            raise self.refused(f"and its imports have more than {MOST_MARKS} tags and attributes")
        declared = _ENCODING.match(body[:200].replace(b"\0", b""))
        if declared and not declared[1].lower().startswith(_COUNTED):
            raise self._not_one(place, f"a document in the encoding {declared[1].decode()!r} (it must be UTF-8)")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        return etree.fromstring(body, parser)

    def _not_one(self, place: str, found: str) -> FcdError:
        if place == self.address:
            return InvalidInput(f"There is no WSDL at {place}: found {found}.", next_step=NEXT_STEP, wsdl=place)
        return self.refused(f"imports {place}, which is not a schema: found {found}")


def _names(location: str, folder: str) -> list[str]:
    """Return the names, relative to the folder, that a saved import may have."""
    parts = urlsplit(location)
    name = os.path.basename(parts.path)
    if is_remote(location):
        stems = [value for _key, value in parse_qsl(parts.query)]
        return [
            name,
            *[os.path.basename(stem) + end for stem in stems for end in ("", ".xsd", ".wsdl")[: 2 + ("wsdl" in stem)]],
        ]
    return [os.path.relpath(location, folder), name] if os.path.isabs(location) else [location, name]


def downloader(exchange: Exchange, service: Service) -> t.Callable[[str], bytes]:
    """Return a function that fetches an address; the login is only sent to the origin of the service."""

    def fetch(address: str) -> bytes:
        own = origin(address) == origin(service.endpoint)
        response = exchange.send(
            Request(
                operation=OPERATION,
                method="GET",
                url=address,
                kind="read",
                headers={},
                basic=(service.user, service.password) if own else None,
                accept_statuses=ACCEPTED,
                limit=MOST_BYTES,
            )
        )
        if response.status in NO_ENTRY:
            refusal = f"asks for a login (HTTP {response.status}); none was sent: it is not the origin of soap_url."
            if own:
                refusal = refused_login(response.status, response.headers, response.body, service.user)
            raise Unauthorized(
                f"{OPERATION}: {address}: {refusal}",
                next_step=f"{CHECK_LOGIN if own else 'Set soap_wsdl to an address that does not ask for one.'} {SAVED}",
                operation=OPERATION,
                status=response.status,
                request_id=response.request_id,
            )
        if response.status != 200:
            raise InvalidInput(
                f"There is no WSDL at {address}: HTTP {response.status}.",
                next_step=f"Check soap_url ({service.endpoint}). {NEXT_STEP}" if own else NEXT_STEP,
                operation=OPERATION,
                status=response.status,
                request_id=response.request_id,
            )
        return response.body

    return fetch
