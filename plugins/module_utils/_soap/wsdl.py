# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the WSDL into the data of a contract (see contract.py); imported only if none is cached.

``WsdlDocuments`` loads the documents. A remote WSDL is read from its own origin only: an import that names another host
(services behind a proxy publish names of hosts that are known on their own network only) is requested from the WSDL's
own host by the same path, and no local file is ever read for it. The imports of a WSDL file are in the same folder as
the file. A DTD is refused; number and size of the documents are limited, and so are the tags and attributes in them.

``read_wsdl`` is the only place that uses zeep, which reads ports, bindings, operations and actions. Only operations of
style document/literal with one element as input are callable, and only if all of that element is understood; others are
listed with the reason in ``left_out``. What is not understood of an answer is returned as open data.

``SchemaReader`` reads the types from the documents and not from zeep's types: in zeep 4.3.3 a type that extends a base
and can reach itself (User -> Client -> User) loses inherited members in some places. Attributes and ``xs:any`` are left
out. A type that cannot be understood does not affect others: a member of such a type is open data (``xs:anyType``),
which is enough for an answer, and ``unclear`` reports it if a message has to be written.
"""

from __future__ import annotations

import contextlib
import os
import re
import typing as t
import warnings
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from .._core.errors import FcdError, InvalidInput, Unauthorized, require
from .._core.home import expand_home
from .._core.private_files import read_regular
from .._http.client import Exchange, Request
from .._http.messages import origin
from .client import ANSWER_STATUSES
from .contract import (
    ADDRESSING,
    ADDRESSING_2004,
    ANY,
    CACHE_FORMAT,
    NO_ANSWER,
    OWN_CONTENT,
    SOAP_11,
    SOAP_12,
    XSD,
    local,
)
from .faults import CHECK_LOGIN, NO_ENTRY, describe, refused_login
from .messages import Service

LIBRARIES = ("requests", "lxml.etree", "zeep")  # all that a first task needs
MAX_ZEEP_TEXT = 200  # characters of zeep's words in an error
MAX_DOCUMENTS = 100
MAX_WSDL_BYTES = 32 << 20  # all documents together
MAX_MARKS = 200_000  # the same: tags and attributes; zeep needs up to two kilobytes for each
MAX_FIELDS = 50_000
WSDL_ADVICE = (
    "Set soap_wsdl to the address of the WSDL (by default soap_url with ?wsdl), or to a file with a saved one."
)
OPERATION = "Read the WSDL"
SAVED = "soap_wsdl may also name a file with the saved WSDL."
WSDL = "http://schemas.xmlsoap.org/wsdl/"

_XS = f"{{{XSD}}}"
_POLICY_USE = "PolicyReference"
_POLICY_ID = "{http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd}Id"
_ENCODING = re.compile(rb"[^>]{0,99}\sencoding\s*=\s*[\"']([\w.-]+)")
_COUNTED = (b"utf-8", b"utf-16", b"us-ascii", b"iso-8859-", b"windows-125")  # < and = are the same bytes in all of them
_ROOTS = (f"{{{WSDL}}}definitions", f"{_XS}schema")
_KINDS = ("complexType", "simpleType", "element", "group")
_GROUPS = ("sequence", "all", "choice")


def is_remote(address: str) -> bool:
    """Return whether the WSDL is fetched over the network; everything else is the path of a file."""
    return urlsplit(address).scheme in ("http", "https")


def download_wsdl(exchange: Exchange, service: Service, address: str) -> bytes:
    """Return a document from the network; the login is only sent to the origin of the service."""
    own = origin(address) == origin(service.endpoint)
    response = exchange.send(
        Request(
            operation=OPERATION,
            method="GET",
            url=address,
            kind="read",
            headers={},
            basic=(service.user, service.password) if own else None,
            accept_statuses=ANSWER_STATUSES,
            limit=MAX_WSDL_BYTES,
        )
    )
    details: dict[str, t.Any] = {
        "operation": OPERATION,
        "status": response.status,
        "request_id": response.request_id,
    }
    if response.status in NO_ENTRY:
        refusal = f"asks for a login (HTTP {response.status}); none was sent: it is not the origin of soap_url."
        advice = "Set soap_wsdl to an address that does not ask for one."
        if own:
            refusal = refused_login(response.status, response.headers, response.body, service.user)
            advice = CHECK_LOGIN
        raise Unauthorized(f"{OPERATION}: {address}: {refusal}", next_step=f"{advice} {SAVED}", **details)
    if response.status != 200:
        advice = f"Check soap_url ({service.endpoint}). {WSDL_ADVICE}" if own else WSDL_ADVICE
        raise InvalidInput(f"There is no WSDL at {address}: HTTP {response.status}.", next_step=advice, **details)
    return response.body


class WsdlDocuments:
    """Reads and keeps the documents; ``roots`` has the root elements in the order in which they were read.

    ``get`` returns what the service's host answers for an address and raises FcdError.
    """

    def __init__(self, address: str, get: t.Callable[[str], bytes]) -> None:
        self.address = address if is_remote(address) else os.path.abspath(expand_home(address))
        self.roots: list[t.Any] = []
        self._get = get
        self._bodies: dict[str, bytes] = {}
        self._marks = 0

    def read(self, location: str) -> bytes:
        """Return the document at ``location``, as an import names it. Raises InvalidInput and what ``get`` raises."""
        place = self._place(location)
        if place in self._bodies:
            return self._bodies[place]
        if len(self._bodies) >= MAX_DOCUMENTS:
            raise self.refused(f"imports more than {MAX_DOCUMENTS} documents")
        try:
            body = self._get(place) if is_remote(self.address) else read_regular(place, MAX_WSDL_BYTES)
        except OSError as exc:
            raise self.refused(f"cannot be read: {exc.strerror or exc}") from None
        if sum(map(len, self._bodies.values())) + len(body) > MAX_WSDL_BYTES:
            raise self.refused(f"and its imports are larger than {MAX_WSDL_BYTES >> 20} MiB")
        self.roots.append(self._root(place, body))
        self._bodies[place] = body
        return body

    def refused(self, problem: str) -> FcdError:
        """Return the error that says why this WSDL cannot be used."""
        return InvalidInput(f"The WSDL {self.address} {problem}.", next_step=WSDL_ADVICE, wsdl=self.address)

    def _place(self, location: str) -> str:
        """Return the address at the WSDL's origin, or the path beside the WSDL file, of what an import names."""
        if is_remote(self.address):
            parts, own = urlsplit(location), urlsplit(self.address)
            if parts.scheme not in ("http", "https"):
                raise self.refused(f"imports {location!r}, which is not a network address; refused")
            return urlunsplit((own.scheme, own.netloc, parts.path, parts.query, ""))
        if location == self.address:
            return location
        folder = os.path.dirname(self.address)
        names = _saved_names(location, folder)
        for name in names:
            place = os.path.normpath(os.path.join(folder, name))
            if os.path.commonpath([folder, place]) == folder and os.path.isfile(place):
                return place
        raise self.refused(f"imports {location!r}, which is not in its folder (save it there as {names[-1]!r})")

    def _root(self, place: str, body: bytes) -> t.Any:
        """Return the root element of a document, which must be XML without a DTD."""
        etree = require("lxml.etree", "lxml", purpose="The SOAP interface")
        found = describe(body)
        try:
            root = self._parse(etree, place, body)
        except (etree.XMLSyntaxError, ValueError) as exc:
            words = " ".join(str(getattr(exc, "msg", exc)).split())
            raise self._not_a_document(place, f"{found} ({words})" if found.startswith("XML") else found) from None
        if root.getroottree().docinfo.doctype:
            raise self._not_a_document(place, found if "HTML" in found else "a document with a DTD (refused)")
        if root.tag not in (_ROOTS if self._bodies else _ROOTS[:1]):
            name = etree.QName(root).localname
            html = root.tag.lower().endswith("html")
            raise self._not_a_document(place, "an HTML page" if html else f"an XML document <{name}>")
        return root

    def _parse(self, etree: t.Any, place: str, body: bytes) -> t.Any:
        """Return the root element. Whatever could fill the memory is counted in the bytes before."""
        self._marks += body.count(b"<") + body.count(b"=")
        if self._marks > MAX_MARKS:
            raise self.refused(f"and its imports have more than {MAX_MARKS} tags and attributes")
        declared = _ENCODING.match(body[:200].replace(b"\0", b""))
        if declared and not declared[1].lower().startswith(_COUNTED):
            encoding = declared[1].decode()
            raise self._not_a_document(place, f"a document in the encoding {encoding!r} (it must be UTF-8)")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        return etree.fromstring(body, parser)

    def _not_a_document(self, place: str, found: str) -> FcdError:
        if place == self.address:
            return InvalidInput(f"There is no WSDL at {place}: found {found}.", next_step=WSDL_ADVICE, wsdl=place)
        return self.refused(f"imports {place}, which is not a schema: found {found}")


def _saved_names(location: str, folder: str) -> list[str]:
    """Return the names, relative to the folder, that a saved import may have."""
    parts = urlsplit(location)
    names = [os.path.basename(parts.path)]
    if not is_remote(location):
        return [os.path.relpath(location, folder), *names] if os.path.isabs(location) else [location, *names]
    for _key, value in parse_qsl(parts.query):
        endings = ("", ".xsd", ".wsdl") if "wsdl" in value else ("", ".xsd")
        names += [os.path.basename(value) + ending for ending in endings]
    return names


def read_wsdl(documents: WsdlDocuments, now: float) -> dict[str, object]:
    """Return the data of the contract (see contract.py). Raises InvalidInput, MissingLibrary, and what reads raise."""
    for name in LIBRARIES:
        require(name, purpose="The SOAP interface", besides=LIBRARIES)
    documents.read(documents.address)  # to tell this apart from a WSDL that zeep does not understand
    try:
        return {"source": documents.address, "read_at": now, **_compile(_load(documents), documents)}
    except FcdError:
        raise
    except (SchemaProblem, TooLarge) as exc:
        raise documents.refused(f"cannot be used: {exc}") from None
    except Exception as exc:  # zeep raises nearly every kind of error for an odd WSDL
        words = " ".join(str(exc).split())[:MAX_ZEEP_TEXT]
        raise documents.refused(
            f"cannot be understood: {words.rstrip('.') or 'it uses a name that it does not define'}"
        ) from exc


def _load(documents: WsdlDocuments) -> object:
    """Return the WSDL as zeep reads it."""
    from zeep.settings import Settings
    from zeep.transports import Transport
    from zeep.wsdl import Document

    class OwnTransport(Transport):
        """Loads documents by our rules and sends nothing by itself."""

        def __init__(self) -> None:
            self._close_session = False

        def load(self, url: str) -> bytes:
            return documents.read(url)

    transport: t.Any = OwnTransport()
    settings = Settings(strict=True, forbid_dtd=True, forbid_entities=True, xml_huge_tree=False, force_https=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what cannot be resolved is listed in left_out
        return Document(documents.address, transport, settings=settings)


def _compile(document: object, documents: WsdlDocuments) -> dict[str, object]:
    envelope, port = _port(document, documents)
    address, binding = (port.binding_options or {}).get("address"), port.binding
    schema = SchemaReader(documents.roots)
    operations, left_out, faults = _messages(binding, documents, schema)
    types = schema.types()
    left_out.update({name: _unusable(words, schema, types) for name, words in operations.items()})
    left_out = {name: why for name, why in left_out.items() if why}
    operations = {name: _with_structures(words, types) for name, words in operations.items() if name not in left_out}
    if not operations:
        first = next(map(" ({0[0]}: {0[1]})".format, left_out.items()), "")
        raise documents.refused(f"has no operation that can be called{first}")
    return {
        "format": CACHE_FORMAT,
        "endpoint": address,
        "envelope": envelope,
        "addressing": _addressing(port, documents),
        "operations": operations,
        "left_out": left_out,
        "faults": {element: key for element, key in faults.items() if key[:3] == "xs:" or key in types},
        "types": types,
    }


def _port(document: t.Any, documents: WsdlDocuments) -> tuple[str, t.Any]:
    """Return the namespace of the envelope, and the first SOAP 1.2 port, else the first SOAP 1.1 port."""
    from zeep.wsdl.bindings import Soap11Binding, Soap12Binding

    ports = [port for service in document.services.values() for port in service.ports.values()]
    for kind, envelope in ((Soap12Binding, SOAP_12), (Soap11Binding, SOAP_11)):
        for port in ports:
            if isinstance(port.binding, kind):
                return envelope, port
    raise documents.refused("has no SOAP port")


def _addressing(port: t.Any, documents: WsdlDocuments) -> str:
    """Return the namespace of WS-Addressing that the policies of a port and its binding ask for.

    That of 2005 goes to a service that asks for none: it does not have to understand the headers.
    """
    every = [node for root in documents.roots for node in root.iter() if isinstance(node.tag, str)]
    names = {f"{{{WSDL}}}binding": local(port.binding.name.text), f"{{{WSDL}}}port": port.name}
    scopes = [node for node in every if node.tag in names and node.get("name") == names[node.tag]]
    used = {
        node.get("URI", "").lstrip("#") for scope in scopes for node in scope.iter() if local(node.tag) == _POLICY_USE
    }
    scopes += [node for node in every if node.get(_POLICY_ID, "") in used - {""}]
    found = {node.tag for scope in scopes for node in scope.iter()}
    return ADDRESSING_2004 if f"{{{ADDRESSING_2004}/policy}}UsingAddressing" in found else ADDRESSING


def _with_structures(words: str, types: dict[str, t.Any]) -> str:
    """Return the words of an operation, with a structure around each message that is none (see contract.py)."""
    element, key, answer, answer_key, action = words.split(" ", 4)
    keys = []
    for name, kind in ((element, key), (answer, answer_key)):
        bare = kind != NO_ANSWER and not isinstance(types.get(kind), str)
        keys.append(f"#{OWN_CONTENT}{name}" if bare else kind)
        if bare:
            types[keys[-1]] = f"{NO_ANSWER} {local(name)} {OWN_CONTENT} {kind} 0000"
    return " ".join((element, keys[0], answer, keys[1], action))


def _messages(
    binding: t.Any, documents: WsdlDocuments, schema: SchemaReader
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return the operations as words, the reasons why others cannot be called, and elements and types of faults."""
    operations: dict[str, str] = {}
    faults: dict[str, str] = {}
    bound = [node for root in documents.roots for node in root.iterfind(f"{{{WSDL}}}binding/{{{WSDL}}}operation")]
    left_out = dict.fromkeys((node.get("name") for node in bound), "the WSDL does not define its messages")
    encoded = {node.get("name") for node in bound if any(part.get("use") == "encoded" for part in node.iter())}
    for name, operation in binding.all().items():
        try:
            operations[name] = _operation(operation, schema, encoded=name in encoded)
        except SchemaProblem as exc:
            left_out[name] = str(exc)
        for message in operation.abstract.fault_messages.values():
            with contextlib.suppress(SchemaProblem):
                element, key = _message(message, schema)
                faults[element] = key
    return operations, left_out, faults


def _operation(operation: t.Any, schema: SchemaReader, *, encoded: bool) -> str:
    """Write an operation as words (see contract.py). Raises SchemaProblem for one that cannot be called."""
    abstract = operation.abstract
    parts = list(abstract.input_message.parts.values()) if abstract.input_message else []
    if operation.style != "document" or encoded:
        raise SchemaProblem("its style is not document/literal")
    if len(parts) != 1 or parts[0].element is None:
        raise SchemaProblem("its input is not one element")
    messages = *_message(abstract.input_message, schema), *_message(abstract.output_message, schema)
    return f"{' '.join(messages)} {abstract.wsa_action or operation.soapaction or ''}"


def _message(message: t.Any, schema: SchemaReader) -> tuple[str, str]:
    """Return the element of a message and its type. Raises SchemaProblem."""
    elements = (
        [part.element.qname.text for part in message.parts.values() if part.element is not None] if message else []
    )
    return (elements[0], schema.element(elements[0])) if elements else (NO_ANSWER, NO_ANSWER)


def _unusable(words: str, schema: SchemaReader, types: t.Mapping[str, object]) -> str:
    """Return why an operation cannot be called because of its messages; empty if it can."""
    element, key, _answer, answer_key, _action = words.split(" ", 4)
    unclear = schema.unclear(key, local(element))
    if unclear:
        return f"of its input, {unclear}"
    if key not in types and key[:3] != "xs:":
        return "its input is not understood"
    return "" if answer_key in types or answer_key[:3] in ("xs:", NO_ANSWER) else "its answer is not understood"


class SchemaProblem(Exception):
    """Something in the schema documents cannot be understood; the text says what, and starts with "it"."""


class TooLarge(Exception):
    """The schema documents contain more than any service needs."""


class _Bounds(t.NamedTuple):
    """Whether the particles around an element let it be missing, and whether they let it repeat."""

    optional: bool = False
    repeated: bool = False

    def within(self, node: t.Any) -> _Bounds:
        most = node.get("maxOccurs", "1")
        optional = self.optional or node.get("minOccurs") == "0" or node.tag == f"{_XS}choice"
        return _Bounds(optional, self.repeated or most == "unbounded" or int(most) > 1)


class SchemaReader:
    """All schema documents together; types are compiled when something refers to them."""

    def __init__(self, roots: t.Iterable[t.Any]) -> None:
        self._nodes: dict[str, dict[str, object]] = {kind: {} for kind in _KINDS}
        self._types: dict[str, dict[str, t.Any]] = {}
        self._problems: dict[str, str] = {}  # by the keys of the types that cannot be understood
        self._unnamed: dict[object, str] = {}  # keys by node: lxml keeps one object for it as long as it is used
        self._waiting: list[tuple[str, t.Any]] = []
        self._count = 0
        for schema in (schema for root in roots for schema in root.iter(f"{_XS}schema")):
            namespace = schema.get("targetNamespace")
            for node in schema:
                kind, name = local(node.tag), node.get("name")
                if kind in _KINDS and name:
                    self._nodes[kind].setdefault(f"{{{namespace}}}{name}" if namespace else name, node)

    def element(self, name: str) -> str:
        """Return the type key of a global element. Raises SchemaProblem."""
        return self._type_of(self._find("element", name))

    def types(self) -> dict[str, t.Any]:
        """Return the type table with every named type: an answer may state one that no element has.

        The types that cannot be understood are not in it. Raises TooLarge.
        """
        for kind in ("complexType", "simpleType"):
            for name in self._nodes[kind]:
                self._key(name)
        while self._waiting:
            key, node = self._waiting.pop()
            try:
                self._types[key] = self._simple(node) if node.tag == f"{_XS}simpleType" else self._complex(node)
            except SchemaProblem as exc:
                self._problems.setdefault(key, str(exc))
        for key in self._types:
            try:
                self._check(key)
            except SchemaProblem as exc:
                self._problems.setdefault(key, str(exc))
        return {key: self._table_entry(key) for key in self._types if key not in self._problems}

    def unclear(self, key: str, path: str) -> str:
        """Return what is not understood of a message of this type, called ``path``; empty if everything is understood.

        Call it after ``types``.
        """
        visited: set[str] = set()
        waiting = [(key, path)] if self._problems else []
        while waiting:
            key, path = waiting.pop(0)
            if key in self._problems:
                return f"{path} cannot be understood: {self._problems[key]}"
            if key not in visited and "fields" in self._types.get(key, {}):
                visited.add(key)
                waiting += [(kind, f"{path}.{name}") for name, _element, kind, *_flags in self._all_fields(key)]
        return ""

    def _find(self, kind: str, name: str) -> object:
        node = self._nodes[kind].get(name)
        if node is None:
            raise SchemaProblem(f"it refers to the {kind} {name}, which none of its documents defines")
        return node

    def _key(self, name: str) -> str:
        """Return the key of a named type, and have it compiled."""
        if name.startswith(_XS):
            return f"xs:{local(name)}"
        if name not in self._types:
            node = self._nodes["complexType"].get(name)
            try:
                self._add(name, self._find("simpleType", name) if node is None else node)
            except SchemaProblem as exc:
                self._problems.setdefault(name, str(exc))
        return name

    def _add(self, key: str, node: object) -> None:
        self._types[key] = {}  # types are recursive: known before it is compiled
        self._waiting.append((key, node))

    def _inline(self, node: object) -> str:
        """Return the key of a type without a name, the same wherever its element or group is referred to."""
        if node not in self._unnamed:
            self._unnamed[node] = f"#{len(self._unnamed) + 1}"
            self._add(self._unnamed[node], node)
        return self._unnamed[node]

    def _type_of(self, node: t.Any) -> str:
        if node.get("type"):
            return self._key(_qualified(node, node.get("type")))
        inline = [child for child in node if child.tag in (f"{_XS}complexType", f"{_XS}simpleType")]
        return self._inline(inline[0]) if inline else ANY

    def _check(self, key: str) -> None:
        """Raise SchemaProblem for a type that is not understood because of its names or its base types."""
        has_fields = "fields" in self._types[key]
        for link in self._chain(key, "inherits" if has_fields else "of"):
            if link in self._problems:
                raise SchemaProblem(self._problems[link])
        words = [word for field in self._all_fields(key) for word in field[:3]] if has_fields else []
        if any(not word or len(word.split()) != 1 for word in words):
            raise SchemaProblem("its name contains a space")

    def _table_entry(self, key: str) -> object:
        """Return a type as the contract keeps it."""
        if "fields" in self._types[key]:
            return self._words(key)
        chain = self._chain(key, "of")
        last = chain[-1]
        item = self._types.get(last, {}).get("item")
        chain += self._chain(item, "of") if item else []
        simple = last[3:] if last.startswith("xs:") else self._types[last].get("simple", "string")
        enums = [self._types[link]["enum"] for link in chain if self._types.get(link, {}).get("enum")]
        return {"simple": simple, "enum": enums[0]} if enums else {"simple": simple}

    def _words(self, key: str) -> str:
        """Write a complex type as words (see contract.py); a member of a type that is not understood is open data."""
        base = self._types[key]["base"]
        words, namespace = [NO_ANSWER if base in self._problems else base or NO_ANSWER], ""
        for name, element, kind, *flags in self._all_fields(key):
            own = element[: len(element) - len(name)]
            words += [name, "." if own == namespace else element, ANY if kind in self._problems else kind]
            words.append("".join("1" if flag else "0" for flag in flags))
            namespace = own
        return " ".join(words)

    def _chain(self, key: str, link: str) -> list[str]:
        """Return the key and all keys that it is derived from, by the entry called ``link``."""
        chain = [key]
        while self._types.get(chain[-1], {}).get(link):
            chain.append(self._types[chain[-1]][link])
            if len(set(chain)) < len(chain):
                raise SchemaProblem(f"it is the type {key}, which is derived from itself")
        return chain

    def _all_fields(self, key: str) -> list[list[t.Any]]:
        chain = reversed(self._chain(key, "inherits"))
        return [field for link in chain for field in self._types[link].get("fields", [])]

    def _simple(self, node: t.Any) -> dict[str, t.Any]:
        """Compile a simple type: a restriction is what it restricts, a list is words, a union is text."""
        restriction, words = node.find(f"{_XS}restriction"), node.find(f"{_XS}list")
        if words is not None:
            inline, item = words.find(f"{_XS}simpleType"), words.get("itemType")
            key = self._key(_qualified(words, item)) if item else None if inline is None else self._inline(inline)
            return {"simple": "list", "item": key}
        if restriction is None:
            return {"simple": "string"}
        base, inline = restriction.get("base"), restriction.find(f"{_XS}simpleType")
        words = [child.get("value") for child in restriction.findall(f"{_XS}enumeration")]
        entry: dict[str, t.Any] = {"of": self._key(_qualified(restriction, base)) if base else ANY}
        if not base and inline is not None:
            entry["of"] = self._inline(inline)
        return {**entry, "enum": words} if words else entry

    def _complex(self, node: t.Any) -> dict[str, t.Any]:
        content = [child for child in node if child.tag in (f"{_XS}complexContent", f"{_XS}simpleContent")]
        if not content:
            return {"fields": self._particles(node, _Bounds()), "base": "", "inherits": ""}
        derivation = [each for each in content[0] if each.tag in (f"{_XS}extension", f"{_XS}restriction")]
        if not derivation:
            raise SchemaProblem(f"it is the type {node.get('name')}, whose content is not derived from a type")
        base = self._key(_qualified(derivation[0], derivation[0].get("base", "")))
        if content[0].tag == f"{_XS}simpleContent":
            return {"of": base}
        known = "" if base == ANY else base
        inherits = known if derivation[0].tag == f"{_XS}extension" else ""
        return {"fields": self._particles(derivation[0], _Bounds()), "base": known, "inherits": inherits}

    def _particles(self, node: t.Any, bounds: _Bounds) -> list[list[object]]:
        """Return the members below a sequence, all, choice or group."""
        found: list[list[t.Any]] = []
        for child in node:
            if child.get("maxOccurs") == "0":
                continue
            if child.tag == f"{_XS}element":
                found.append(self._field(child, bounds))
            elif child.tag == f"{_XS}group":
                group = self._find("group", _qualified(child, child.get("ref", "")))
                found += self._particles(group, bounds.within(child))
            elif local(child.tag) in _GROUPS:
                found += self._particles(child, bounds.within(child))
            self._count += 1
            if self._count > MAX_FIELDS:
                raise TooLarge(f"its types have more than {MAX_FIELDS} members")
        return found

    def _field(self, node: t.Any, around: _Bounds) -> list[object]:
        name, element, bounds = node.get("name"), "", around.within(node)
        if node.get("ref"):
            element = _qualified(node, node.get("ref"))
            if element.startswith(_XS):  # the published form of a DataSet
                raise SchemaProblem("it is a data set, which carries its schema in the data, so the WSDL lacks it")
            node, name = self._find("element", element), local(element)
        else:
            schema = next(node.iterancestors(f"{_XS}schema"))
            form = node.get("form") or schema.get("elementFormDefault")
            namespace = schema.get("targetNamespace")
            element = f"{{{namespace}}}{name}" if form == "qualified" and namespace else name
        nillable = node.get("nillable") in ("true", "1")
        independent = bounds.optional and not around.optional  # not one of a choice, nor of a group that may be missing
        defaulted = independent and not bounds.repeated and not nillable and node.get("default") is None
        return [name, element, self._type_of(node), not bounds.optional, bounds.repeated, nillable, defaulted]


def _qualified(node: t.Any, text: str) -> str:
    """Return ``prefix:name``, a value in the scope of ``node``, as ``{namespace}name``. Raises SchemaProblem."""
    prefix, _colon, name = text.strip().rpartition(":")
    if prefix and prefix not in node.nsmap:
        raise SchemaProblem(f"the prefix of {text!r} is not declared")
    namespace = node.nsmap.get(prefix or None)
    return f"{{{namespace}}}{name}" if namespace else name
