# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The SOAP client: one operation, plain data in, plain data out.

Source: docs/service/contract.md, "Transport", "Shapes" and "Faults". Reads are recognized by their names. A call
is not repeated after a fault, unless the object is locked (133): then every 5 seconds within the time for one call. A
read whose answer cannot be used is sent again like one without an answer; a write never is. If a write is refused other
than by a fault, a gateway may have refused it after it was done, so its outcome is unknown.
"""

from __future__ import annotations

import functools
import re
import typing as t

from .._core.clock import Deadline
from .._core.errors import Conflict, FcdError, RateLimited, Unusable, note_change, outcome_unknown
from .._core.text import Redactor
from .._http.client import Exchange, Request, Response
from .._http.messages import LOGIN, READ, WRITE
from .._http.retries import may_repeat, pause
from .codec import Decoder, Encoder, is_value
from .contract import (
    OWN_CONTENT,
    SOAP_11,
    SOAP_12,
    Contract,
    Malformed,
    NotUnderstood,
    SchemaField,
    local,
)
from .faults import (
    LOCKED,
    NEWER_WSDL,
    fault_error,
    malformed_answer,
    no_envelope,
    no_fault,
    read_fault,
    response_details,
    wrong_element,
)
from .messages import AnswerEnvelope, Node, Service, SoapMessage, write_envelope

READ_VERBS = ("Get", "Is", "Has", "Verify", "Validate")
SAME_AGAIN = ("Update", "Set", "Delete", "Block", "Unblock")  # sending these again does nothing more
LOGON = "LogonUser"
SERVICE_LOCK_PAUSE = 5.0  # seconds, as another client does
ANSWER_STATUSES = frozenset({500, *range(400, 429), *range(430, 500)} - {408})
"""A fault comes with 500 or 400; the other refusals are worded in faults.py, with the login and the address."""
SOAP_VERSIONS = {SOAP_12: "1.2", SOAP_11: "1.1"}
FAULTS = tuple(f"{{{namespace}}}Fault" for namespace in (SOAP_12, SOAP_11))

_INDEX = re.compile(r"\[\d+\]")


class Patience(t.NamedTuple):
    """The end of the task, the seconds for one call with all its retries, their number, and who hears of them."""

    deadline: Deadline
    timeout: float
    retries: int
    warn: t.Callable[[str], None]


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
            again = unusable <= self._patience.retries and may_repeat(message.kind, error)
            seconds = pause(unusable, None)
        else:
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
            lacking = isinstance(problem, NotUnderstood)
            words = self._redactor.text(str(problem))
            unusable = malformed_answer(message, response, words, NEWER_WSDL if lacking else None)
            if lacking:
                unusable.details["repeatable"] = False
            raise unusable from None
        alive()
        return result

    def _open(self, message: SoapMessage, response: Response, alive: t.Callable[[], None]) -> AnswerEnvelope:
        try:
            return AnswerEnvelope(response.body, alive)
        except Malformed as problem:
            raise no_envelope(message, response, problem, self._service, self._redactor.text) from None

    def _read(self, message: SoapMessage, message_id: str, response: Response, answer: AnswerEnvelope) -> t.Any:
        """Return the result in an envelope, or raise the fault in it."""
        operation, content = message.operation, answer.content
        if answer.relates_to and message_id not in answer.relates_to:
            raise Malformed("it belongs to another request")
        decoder = Decoder(self.contract, answer.tree)
        if content is not None and content.tag in FAULTS:
            fault, details = read_fault(content), response_details(response)
            to, version = self._service.to, message.version
            raise fault_error(operation.name, fault, decoder, self._redactor.text, to=to, version=version, **details)
        if not 200 <= response.status < 300:
            raise no_fault(message, response, self._service, self._redactor.text)
        if operation.output is None:
            return None
        element = operation.output[0]
        if content is None or content.tag != element:
            tag = "" if content is None else content.tag
            raise wrong_element(message, response, tag, element, self._redactor.text)
        return self._result(operation.name, content, decoder)

    def _members(self, content: Node, key: str, fields: t.Sequence[SchemaField], decoder: Decoder) -> dict[str, object]:
        """Return the members of an answer. Raises NotUnderstood also for one without its only member."""
        bare = any(field.element == OWN_CONTENT for field in fields)
        members = decoder.message(content, key)
        if len(fields) == 1 and not (content.children or bare) and is_value(self.contract, fields[0]):
            raise NotUnderstood(f"{local(content.tag)} does not contain {fields[0].name}")
        return members

    def _result(self, operation: str, content: Node, decoder: Decoder) -> object:
        """Return the members of an answer, or the value of the only one; null instead of a list is an empty one."""
        _element, key = self.contract.operation(operation).output or ("", "")
        fields = self.contract.fields(key)
        members: dict[str, object] = {}
        problem: NotUnderstood | None = None
        try:
            members = self._members(content, key, fields, decoder)
        except NotUnderstood as found:
            problem = found
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
