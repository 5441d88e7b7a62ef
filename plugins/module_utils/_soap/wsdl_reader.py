# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The WSDL to the data of a contract; the only place that uses zeep, and only if there is no compiled contract.

zeep loads the documents by our rules (wsdl_documents), resolves imports, and reads ports, bindings, operations and
actions; the types come from schema_reader. Only operations of style document/literal with one element as input are
callable, and only if all of that element is understood; others are listed with the reason in ``left_out``. What is
not understood of an answer is returned as open data.
"""

from __future__ import annotations

import typing as t
import warnings

from .._core.errors import FcdError, require
from .contract import FORMAT, NOTHING, local
from .envelope import SOAP_11, SOAP_12
from .schema_reader import SchemaProblem, SchemaReader
from .wsdl_documents import WSDL, WsdlDocuments

LIBRARIES = ("requests", "lxml.etree", "zeep")  # what a first task needs in total
LONGEST = 200  # characters of zeep's words in an error


def read_wsdl(documents: WsdlDocuments, now: float) -> dict[str, t.Any]:
    """Return the data of the contract (see contract.py). Raises InvalidInput, MissingLibrary, and what reads raise."""
    for name in LIBRARIES:
        require(name, purpose="The SOAP interface", besides=LIBRARIES)
    documents.read(documents.address)  # to tell this apart from a WSDL that zeep does not understand
    try:
        return {"source": documents.address, "read_at": now, **_compile(_document(documents), documents)}
    except FcdError:
        raise
    except SchemaProblem as exc:
        raise documents.refused(f"cannot be used: {exc}") from None
    except Exception as exc:  # zeep raises nearly every kind of error for an odd WSDL
        words = " ".join(str(exc).split())[:LONGEST]
        raise documents.refused(
            f"cannot be understood: {words.rstrip('.') or 'it uses a name that it does not define'}"
        ) from exc


def _document(documents: WsdlDocuments) -> t.Any:
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


def _compile(document: t.Any, documents: WsdlDocuments) -> dict[str, t.Any]:
    envelope, address, binding = _port(document, documents)
    schema = SchemaReader(documents.roots)
    found, left_out = _callable(binding, documents, schema)
    faults = dict(_faults(binding, schema))
    types = schema.types()
    left_out.update({name: _unusable(words, schema, types) for name, words in found.items()})
    left_out = {name: why for name, why in left_out.items() if why}
    operations = {name: words for name, words in found.items() if name not in left_out}
    if not operations:
        first = next(map(" ({0[0]}: {0[1]})".format, left_out.items()), "")
        raise documents.refused(f"has no operation that can be called{first}")
    return {
        "format": FORMAT,
        "endpoint": address,
        "envelope": envelope,
        "operations": operations,
        "left_out": left_out,
        "faults": {element: key for element, key in faults.items() if key[:3] == "xs:" or key in types},
        "types": types,
    }


def _callable(binding: t.Any, documents: WsdlDocuments, schema: SchemaReader) -> tuple[dict[str, str], dict[str, str]]:
    """Return the operations as words, and for each of the others why it cannot be called."""
    found: dict[str, str] = {}
    bound = [node for root in documents.roots for node in root.iterfind(f"{{{WSDL}}}binding/{{{WSDL}}}operation")]
    left_out = dict.fromkeys((node.get("name") for node in bound), "the WSDL does not define its messages")
    encoded = {node.get("name") for node in bound if any(part.get("use") == "encoded" for part in node.iter())}
    for name, operation in binding.all().items():
        try:
            found[name] = _written(operation, schema, encoded=name in encoded)
        except SchemaProblem as exc:
            left_out[name] = str(exc)
    return found, left_out


def _port(document: t.Any, documents: WsdlDocuments) -> tuple[str, str | None, t.Any]:
    """Return namespace of the envelope, address and binding of the first SOAP 1.2 port, else the first SOAP 1.1 port.

    The address is None if the port has none.
    """
    from zeep.wsdl.bindings import Soap11Binding, Soap12Binding

    ports = [port for service in document.services.values() for port in service.ports.values()]
    for kind, envelope in ((Soap12Binding, SOAP_12), (Soap11Binding, SOAP_11)):
        for port in ports:
            if isinstance(port.binding, kind):
                return envelope, (port.binding_options or {}).get("address"), port.binding
    raise documents.refused("has no SOAP port")


def _written(operation: t.Any, schema: SchemaReader, *, encoded: bool) -> str:
    """Write an operation as words (see contract.py). Raises SchemaProblem for one that cannot be called."""
    abstract = operation.abstract
    parts = list(abstract.input_message.parts.values()) if abstract.input_message else []
    if operation.style != "document" or encoded:
        raise SchemaProblem("its style is not document/literal")
    if len(parts) != 1 or parts[0].element is None:
        raise SchemaProblem("its input is not one element")
    asked, answered = _message(abstract.input_message, schema), _message(abstract.output_message, schema)
    return f"{asked} {answered} {abstract.wsa_action or operation.soapaction or ''}"


def _unusable(words: str, schema: SchemaReader, types: t.Mapping[str, t.Any]) -> str:
    """Return why an operation cannot be called because of its messages; empty if it can."""
    element, key, _answer, answer_key, _action = words.split(" ", 4)
    unclear = schema.unclear(key, local(element))
    if unclear:
        return f"of its input, {unclear}"
    if not isinstance(types.get(key), str):
        return "its input is not a structure"
    return "" if answer_key == NOTHING or isinstance(types.get(answer_key), str) else "its answer is not a structure"


def _message(message: t.Any, schema: SchemaReader) -> str:
    """Write the element of a message and its type as two words (see contract.py)."""
    parts = message.parts.values() if message else ()
    elements = [part.element.qname.text for part in parts if part.element is not None]
    return f"{elements[0]} {schema.element(elements[0])}" if elements else f"{NOTHING} {NOTHING}"


def _faults(binding: t.Any, schema: SchemaReader) -> t.Iterator[tuple[str, str]]:
    """Yield element and type key of what the faults of all operations have as their detail, where it is defined."""
    messages = [each for operation in binding.all().values() for each in operation.abstract.fault_messages.values()]
    for message in messages:
        try:
            element, key = _message(message, schema).split(" ")
        except SchemaProblem:
            continue
        if element != NOTHING:
            yield element, key
