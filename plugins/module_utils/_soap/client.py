# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The SOAP client: one operation, plain data in, plain data out; and the envelopes that carry it.

Source: docs/service/contract.md, "Transport", "Shapes" and "Faults". Reads are recognized by their names. A call
is not repeated after a fault, unless the object is locked (133): then every 5 seconds within the time for one call. A
read whose answer cannot be used is sent again like one without an answer; a write never is. If a write is refused other
than by a fault, a gateway may have refused it after it was done, so its outcome is unknown.

The headers of a request have no ``mustUnderstand``: peers without WS-Addressing answer it with a fault. The XML of an
answer becomes a tree of small nodes, read with the standard library's parser: importing lxml would double the cost of a
small call. Refused: a DTD (so there are no entities), more than 60 levels, more than a million elements (as objects
they are many times as large as ``<a/>``), more than a thousand prefixes of namespaces (what each of them costs grows
with their number), a tag or comment that never ends, text that is not well-formed or is cut off. The size in bytes is
bounded where the answer is received.
"""

from __future__ import annotations

import functools
import os
import re
import typing as t
from xml.parsers import expat

from .._core.clock import Deadline
from .._core.errors import Conflict, FcdError, RateLimited, Unusable, note_change, outcome_unknown
from .._core.text import Redactor, join_names
from .._http.client import Exchange, Request, Response
from .._http.messages import LOGIN, READ, WRITE
from .._http.retries import pause
from .codec import SERIALIZATION, Decoder, Encoder, escape, is_value
from .contract import (
    ADDRESSING,
    ADDRESSING_2004,
    CONTENT,
    MAX_MESSAGE_DEPTH,
    NIL,
    SOAP_11,
    SOAP_12,
    TYPE,
    Contract,
    Malformed,
    NotUnderstood,
    SoapOperation,
    local,
)

READ_VERBS = ("Get", "Is", "Has", "Verify", "Validate")
SAME_AGAIN = ("Update", "Set", "Delete", "Block", "Unblock")  # sending these again does nothing more
LOGON = "LogonUser"
SERVICE_LOCK_PAUSE = 5.0  # seconds, as another client does
ANSWER_STATUSES = frozenset({500, *range(400, 429), *range(430, 500)} - {408})
"""A fault comes with 500 or 400; the other refusals are worded in faults.py, with the login and the address."""
SOAP_VERSIONS = {SOAP_12: "1.2", SOAP_11: "1.1"}
FAULTS = tuple(f"{{{namespace}}}Fault" for namespace in (SOAP_12, SOAP_11))
ID = f"{{{SERIALIZATION}}}Id"
_RELATES_TO = tuple(f"{{{namespace}}}RelatesTo" for namespace in (ADDRESSING, ADDRESSING_2004))
MAX_ELEMENTS = 1_000_000
MAX_PREFIXES = 1000  # distinct ones: a serializer declares the same few again and again
MAX_NAMED_ELEMENTS = 3  # elements in an error
MAX_TAG = 1 << 20  # bytes of a tag with its attributes, or of a comment

_INDEX = re.compile(r"\[\d+\]")
_LONGEST = 80  # characters of a name that is shown
_PIECE = 1 << 18
_BLANKS = b" \t\r\n"  # some servers send an empty line before the XML declaration
_NO_ATTRIBUTES: dict[str, str] = {}
_NO_CHILDREN: t.Any = ()  # most nodes have none, and a list for each would take as much memory as the node


class Service(t.NamedTuple):
    """Where requests go and who sends them. ``to`` is the address under which the service knows itself."""

    endpoint: str
    to: str
    user: str
    password: str

    def __repr__(self) -> str:
        """Return it without the password."""
        return f"Service({self.endpoint!r}, {self.to!r}, {self.user!r})"


class Patience(t.NamedTuple):
    """The end of the task, the seconds for one call with all its retries, their number, and who hears of them."""

    deadline: Deadline
    timeout: float
    retries: int
    warn: t.Callable[[str], None]


class SoapMessage(t.NamedTuple):
    """A request that was checked and can be sent: the content of its body, and the namespaces to declare there.

    ``kind`` says how it may be repeated: a read always, a log-in and a write never once they were sent. ``version`` is
    that of SOAP.
    """

    operation: SoapOperation
    kind: str
    text: str
    prefixes: t.Mapping[str, str]
    version: str


class SoapClient:
    """Calls operations of one contract; ``unknown`` are the members of answers that the contract does not have.

    ``read_again`` is called with what an answer has that the contract lacks. It may return the contract of a newer
    WSDL, once; the answer is then read by that.
    """

    def __init__(
        self,
        exchange: Exchange,
        contract: Contract,
        service: Service,
        patience: Patience,
        redactor: Redactor,
        read_again: t.Callable[[t.Collection[str]], Contract | None] = lambda _lacking: None,
    ) -> None:
        self.contract = contract
        self._read_again = read_again
        self._exchange = exchange
        self._service = service
        self._patience = patience
        self._redactor = redactor
        self.unknown: dict[str, None] = {}

    def message(self, operation: str, values: t.Mapping[str, object], *, reads: bool | None = None) -> SoapMessage:
        """Return the request for ``operation`` (any spelling). Raises InvalidInput; nothing is sent.

        ``reads`` says whether the operation only reads, if its name cannot tell.
        """
        found = self.contract.operation(operation)
        encoder = Encoder(self.contract)
        text = encoder.message(*found.input, values)
        self._redactor.add(*encoder.secrets)
        reads = is_read(found.name) if reads is None else reads
        kind = LOGIN if found.name == LOGON else READ if reads else WRITE
        return SoapMessage(found, kind, text, encoder.prefixes, SOAP_VERSIONS[self.contract.envelope])

    def call(self, operation: str, values: t.Mapping[str, object]) -> t.Any:
        """Call ``operation`` (any spelling) and return its result. Raises InvalidInput, then what ``send`` raises."""
        return self.send(self.message(operation, values))

    def send(self, message: SoapMessage) -> t.Any:
        """Send a message and return the result: a scalar, a dictionary, a list or None.

        A result of a list type is a list, empty if the service says null. Raises Unreachable, Unauthorized,
        Forbidden, Conflict, Rejected, ServiceError, Unclear (a write whose answer cannot be used), Unusable
        (a read whose answer cannot be used), DeadlinePassed, also while the answer is turned into data.
        """
        limit = self._patience.deadline.within(self._patience.timeout, "call")
        limit.check(message.operation.name)  # whatever fails later may have been sent
        unusable, timeout = 0, None
        while True:
            try:
                return self._send_once(message, timeout, limit)
            except FcdError as error:
                # a gateway may have refused what may be sent again; other refusals are the service's own
                limited = isinstance(error, RateLimited) and message.operation.name.startswith(SAME_AGAIN)
                if message.kind == WRITE and (limited or outcome_unknown(error)):
                    note_change(error)
                unusable += isinstance(error, Unusable)
                self._wait(message, error, unusable, limit)
            timeout = limit.left()

    def _wait(self, message: SoapMessage, error: FcdError, unusable: int, limit: Deadline) -> None:
        """Pause before the call is sent again, or raise the error if it must not be."""
        if isinstance(error, Unusable):
            final = not error.details.keys().isdisjoint(("redirect", "not_understood"))
            again = message.kind == READ and unusable <= self._patience.retries and not final
            seconds = pause(unusable, None)
        else:
            from .faults import LOCKED

            again = isinstance(error, Conflict) and error.details.get("error_code") == LOCKED
            seconds = SERVICE_LOCK_PAUSE
        left = limit.left()
        if not again or (left is not None and left <= seconds):
            raise error
        spent = self._exchange.spend_retry(self._service.endpoint) if isinstance(error, Unusable) else ""
        if spent:
            error.message += f" It was not sent again: {spent}."
            raise error
        self._patience.warn(f"{error.message} Trying again in {seconds:.1f} s.")
        limit.sleep(seconds)

    def _send_once(self, message: SoapMessage, timeout: float | None, limit: Deadline) -> object:
        operation = message.operation
        headers, body, message_id = write_envelope(
            self.contract.envelope,
            operation.action,
            self._service.to,
            message.text,
            message.prefixes,
            self.contract.addressing,
        )
        response = self._exchange.send(
            Request(
                operation=operation.name,
                method="POST",
                url=self._service.endpoint,
                kind=message.kind,
                headers=headers,
                body=body,
                basic=(self._service.user, self._service.password),
                accept_statuses=ANSWER_STATUSES,
                timeout=timeout,
                harmless=operation.name.startswith(SAME_AGAIN),
            )
        )
        alive = functools.partial(limit.check, operation.name)
        result = None
        try:
            if operation.output is not None or not 200 <= response.status < 300 or response.body.strip():
                result = self._read(message, message_id, response, self._open(message, response, alive))
        except Malformed as problem:
            from .faults import NEWER_WSDL, malformed_answer

            lacking = isinstance(problem, NotUnderstood)
            words = self._redactor.text(str(problem))
            unusable = malformed_answer(message, response, words, NEWER_WSDL if lacking else None)
            if lacking:
                unusable.details["not_understood"] = words
            raise unusable from None
        alive()
        return result

    def _open(self, message: SoapMessage, response: Response, alive: t.Callable[[], None]) -> AnswerEnvelope:
        try:
            return AnswerEnvelope(response.body, alive)
        except Malformed as problem:
            from .faults import no_envelope

            raise no_envelope(message, response, problem, self._service, self._redactor.text) from None

    def _read(self, message: SoapMessage, message_id: str, response: Response, answer: AnswerEnvelope) -> t.Any:
        """Return the result in an envelope, or raise the fault in it."""
        operation, content = message.operation, answer.content
        if answer.relates_to and message_id not in answer.relates_to:
            raise Malformed("it belongs to another request")
        decoder = Decoder(self.contract, answer.tree)
        if content is not None and content.tag in FAULTS:
            from .faults import fault_error, read_fault, response_details

            fault, details = read_fault(content), response_details(response)
            to, version = self._service.to, message.version
            raise fault_error(operation.name, fault, decoder, self._redactor.text, to=to, version=version, **details)
        if not 200 <= response.status < 300:
            from .faults import no_fault

            raise no_fault(message, response, self._service, self._redactor.text)
        if operation.output is None:
            return None
        element = operation.output[0]
        if content is None or content.tag != element:
            from .faults import wrong_element

            tag = "" if content is None else content.tag
            raise wrong_element(message, response, tag, element, self._redactor.text)
        return self._result(operation.name, content, decoder)

    def _result(self, operation: str, content: Node, decoder: Decoder) -> object:
        """Return the members of an answer, or the value of the only one; null instead of a list is an empty one."""
        output = self.contract.operation(operation).output or ("", "")
        members: dict[str, object] = {}
        problem: NotUnderstood | None = None
        fields = self.contract.fields(output[1])
        try:
            members = decoder.message(content, output[1])
        except NotUnderstood as found:
            problem = found
        bare = any(field.element == CONTENT for field in fields)
        if len(fields) == 1 and not (content.children or bare) and is_value(self.contract, fields[0]):
            problem = NotUnderstood(f"{local(content.tag)} does not contain {fields[0].name}")
        lacking = dict.fromkeys(_INDEX.sub("", path) for path in decoder.unknown)
        newer = self._read_again(lacking or [str(problem)]) if lacking or problem else None
        if newer is not None:
            self.contract = newer
            return self._result(operation, content, decoder.by(newer))
        if problem is not None:
            raise problem
        self.unknown.update(lacking)
        if len(fields) != 1:
            return members or None
        (value,) = members.values()
        return [] if value is None and self.contract.item(fields[0].type) is not None else value


def is_read(operation: str) -> bool:
    """Return whether the operation only reads, by its name: ``Get...`` and the like, ``...Exists``."""
    return operation.endswith("Exists") or any(
        operation.startswith(verb) and operation[len(verb) : len(verb) + 1].isupper() for verb in READ_VERBS
    )


def write_envelope(
    namespace: str, action: str, to: str, message: str, prefixes: t.Mapping[str, str], addressing: str = ADDRESSING
) -> tuple[dict[str, str], bytes, str]:
    """Return headers and body of the request that carries ``message``, and the ID that its answer must relate to.

    ``namespace`` is that of the envelope; ``prefixes`` are the namespaces to declare, by address; ``addressing`` is the
    namespace of WS-Addressing, whose version of 2004 has no answer without a ReplyTo.
    """
    # a random UUID; importing ``uuid`` would cost more than the whole call
    number = int.from_bytes(os.urandom(16), "big") & ~(0xF << 76) | 4 << 76
    digits = f"{number & ~(3 << 62) | 2 << 62:032x}"
    message_id = f"urn:uuid:{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    reply_to = f"<a:ReplyTo><a:Address>{addressing}/role/anonymous</a:Address></a:ReplyTo>"
    text = (
        f'<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="{namespace}" xmlns:a="{addressing}"'
        f"{declare(prefixes)}>"
        f"<s:Header><a:Action>{escape(action)}</a:Action><a:MessageID>{message_id}</a:MessageID>"
        f"{reply_to if addressing == ADDRESSING_2004 else ''}<a:To>{escape(to)}</a:To></s:Header>"
        f"<s:Body>{message}</s:Body></s:Envelope>"
    )
    headers = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{action}"'}
    if namespace == SOAP_12:
        headers = {"Content-Type": f'application/soap+xml; charset=utf-8; action="{action}"'}
    return headers, text.encode("utf-8"), message_id


def declare(prefixes: t.Mapping[str, str]) -> str:
    """Return the attributes that declare namespaces; ``prefixes`` are by address."""
    return "".join(f' xmlns:{prefix}="{escape(address)}"' for address, prefix in prefixes.items())


class AnswerEnvelope:
    """An answer: the namespace of its envelope, and what it relates to."""

    def __init__(self, body: bytes, alive: t.Callable[[], None] = lambda: None) -> None:
        """Open the envelope; ``alive`` is called now and then and may raise. Raises Malformed if there is none."""
        self.tree = XmlTree(body, alive)
        root = self.tree.root
        self.namespace = root.tag[1:].rpartition("}")[0]
        if root.tag != f"{{{self.namespace}}}Envelope" or self.namespace not in (SOAP_11, SOAP_12):
            raise Malformed("it is XML, but no SOAP envelope")
        body_node = self._part("Body")
        if body_node is None:
            raise Malformed("its envelope has no body")
        self._contents = body_node.children
        header = self._part("Header")
        self.relates_to = [node.text.strip() for node in (header.children if header else ()) if node.tag in _RELATES_TO]

    @property
    def content(self) -> Node | None:
        """Return the one element of the body, if any. Raises Malformed if there are more, which may include a fault."""
        nodes = self._contents
        if len(nodes) > 1:
            names = join_names([local(node.tag)[:_LONGEST] for node in nodes], MAX_NAMED_ELEMENTS)
            raise Malformed(f"its body contains {names} instead of one element")
        return nodes[0] if nodes else None

    def _part(self, name: str) -> Node | None:
        found = [node for node in self.tree.root.children if node.tag == f"{{{self.namespace}}}{name}"]
        if len(found) > 1:
            raise Malformed(f"its envelope contains {len(found)} elements {name} instead of one")
        return found[0] if found else None


class Node:
    """One element. ``tag`` and the names of attributes are ``{namespace}name``, and so is the value of an xsi:type.

    ``text`` is empty if the element contains other elements.
    """

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.attributes = _NO_ATTRIBUTES
        self.text = ""
        self.children: list[Node] = _NO_CHILDREN

    @property
    def nil(self) -> bool:
        """Return whether the element says that it is null."""
        return self.attributes.get(NIL, "").strip() in ("true", "1")


class XmlTree:
    """A parsed document: its ``root``, the nodes that others refer to by ``ids``, and the ``size`` in nodes."""

    def __init__(self, body: bytes, alive: t.Callable[[], None] = lambda: None) -> None:
        """Parse ``body``; ``alive`` is called after each piece and may raise. Raises Malformed."""
        self.ids: dict[str, Node] = {}
        self.size = 0
        self._prefixes: dict[str, list[str]] = {}
        parser, above = expat.ParserCreate(namespace_separator="}"), Node("")
        parser.buffer_text, parser.buffer_size = True, _PIECE
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartNamespaceDeclHandler = self._declare
        parser.EndNamespaceDeclHandler = lambda prefix: self._prefixes[prefix or ""].pop()
        self._handle_elements(parser, above)
        view = memoryview(body.lstrip(_BLANKS) if body[:1] in _BLANKS else body)
        size = len(view)
        try:
            for start in range(0, size, _PIECE):
                parser.Parse(view[start : start + _PIECE], False)  # noqa: FBT003 - it takes no keywords
                alive()
                if start + _PIECE - parser.CurrentByteIndex > MAX_TAG + _PIECE:
                    raise Malformed(f"it has a tag or a comment larger than {MAX_TAG >> 20} MiB")
            parser.Parse(b"", True)  # noqa: FBT003
        except (expat.ExpatError, ValueError, LookupError) as exc:
            raise Malformed(f"it is not well-formed XML ({exc})") from None
        self.root = above.children[0]

    def _handle_elements(self, parser: t.Any, above: Node) -> None:
        """Make the parser attach the root to ``above``.

        The two busiest handlers are functions with local variables, and each name is joined once: with a page of
        10,000 rows that is a third of the time.
        """
        parent, open_nodes = above, [above]
        tags: dict[str, str] = {}
        pieces: list[str] = []

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal parent
            node = Node(tags.get(name) or tags.setdefault(name, "{" + name if "}" in name else name))
            if attributes:
                self._note(node, attributes)
            if parent.children:
                parent.children.append(node)
            else:
                parent.children = [node]
            parent = node
            open_nodes.append(node)
            pieces.clear()
            self.size += 1
            if len(open_nodes) > MAX_MESSAGE_DEPTH + 1 or self.size > MAX_ELEMENTS:
                large = self.size > MAX_ELEMENTS
                problem = (
                    f"has more than {MAX_ELEMENTS} elements"
                    if large
                    else f"is nested deeper than {MAX_MESSAGE_DEPTH} levels"
                )
                raise Malformed(f"it {problem}")

        def end(_name: str) -> None:
            nonlocal parent
            if pieces:
                if not parent.children:
                    parent.text = "".join(pieces)
                pieces.clear()
            open_nodes.pop()
            parent = open_nodes[-1]

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = pieces.append

    def _note(self, node: Node, attributes: dict[str, str]) -> None:
        node.attributes = {"{" + key if "}" in key else key: value for key, value in attributes.items()}
        named = node.attributes.get(TYPE)
        if named:
            prefix, _colon, word = named.strip().rpartition(":")
            scope = self._prefixes.get(prefix) or [""]
            node.attributes[TYPE] = f"{{{scope[-1]}}}{word}" if scope[-1] else word
        if ID in node.attributes:
            self.ids[node.attributes[ID]] = node

    def _doctype(self, *declaration: object) -> None:
        del declaration
        raise Malformed("it has a DTD, which SOAP forbids")

    def _declare(self, prefix: str | None, namespace: str | None) -> None:
        self._prefixes.setdefault(prefix or "", []).append(namespace or "")
        if len(self._prefixes) > MAX_PREFIXES:
            raise Malformed(f"it declares more than {MAX_PREFIXES} namespace prefixes")
