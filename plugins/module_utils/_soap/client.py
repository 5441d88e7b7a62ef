# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The SOAP client: one operation, plain data in, plain data out.

Source: wire-facts 9.1 to 9.3. Reads are recognized by their names. A call is not repeated after a fault, unless the
object is locked (133): then every 5 seconds within the time for one call. A read whose answer cannot be used is sent
again like one without an answer; a write never is. If a write is refused other than by a fault, a gateway may have
refused it after it was done, so its outcome is unknown.
"""

from __future__ import annotations

import functools
import re
import typing as t

from .._core.clock import Deadline
from .._core.errors import (
    DOUBT,
    GATEWAY,
    Conflict,
    FcdError,
    RateLimited,
    Rejected,
    Unauthorized,
    Unclear,
    Unusable,
    note_change,
    outcome_unknown,
)
from .._core.text import Redactor, quoted
from .._http.client import Exchange, Request, Response
from .._http.messages import LOGIN, READ, WRITE
from .._http.retries import pause
from . import envelope
from .codec import Decoder, Encoder
from .contract import Contract, Malformed, SoapOperation, local
from .envelope import Node

_INDEX = re.compile(r"\[\d+\]")
_LONGEST = 80  # characters of a name that is shown

READS = ("Get", "Is", "Has", "Verify", "Validate")
SAME_AGAIN = ("Update", "Set", "Delete", "Block", "Unblock")  # sending these again does nothing more
LOGON = "LogonUser"
OWN_ADDRESS = "Check soap_url: it must be the address of the SOAP service itself."
LOCK_PAUSE = 5.0  # seconds; wire-facts 9.3

NO_ENTRY = (401, 403)  # the login may be the cause of these, whatever the answer looks like

# A fault comes with 500 or 400; the other refusals are worded here, where the login and the address are known.
ACCEPTED = frozenset({500, *range(400, 429), *range(430, 500)} - {408})


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
    """The end of the task, the seconds for one call with all its retries, their number, and who is told about them."""

    deadline: Deadline
    timeout: float
    retries: int
    warn: t.Callable[[str], None]


class Message(t.NamedTuple):
    """A request that was checked and can be sent: the content of its body, and the namespaces to declare there.

    ``kind`` says how it may be repeated: a read always, a log-in and a write never once they were sent.
    """

    operation: SoapOperation
    kind: str
    text: str
    prefixes: t.Mapping[str, str]


class SoapClient:
    """Calls operations of one contract; ``unknown`` are the members of answers that the contract does not have."""

    def __init__(
        self, exchange: Exchange, contract: Contract, service: Service, patience: Patience, redactor: Redactor
    ) -> None:
        self.contract = contract
        self._exchange = exchange
        self._service = service
        self._patience = patience
        self._redactor = redactor
        self.unknown: dict[str, None] = {}

    def message(self, operation: str, values: t.Mapping[str, t.Any], *, reads: bool | None = None) -> Message:
        """Return the request for ``operation`` (any spelling). Raises InvalidInput; nothing is sent.

        ``reads`` says whether the operation only reads, if its name cannot tell.
        """
        found = self.contract.operation(operation)
        encoder = Encoder(self.contract)
        text = encoder.message(*found.input, values)
        self._redactor.add(*encoder.secrets)
        reads = is_read(found.name) if reads is None else reads
        kind = LOGIN if found.name == LOGON else READ if reads else WRITE
        return Message(found, kind, text, encoder.prefixes)

    def call(self, operation: str, values: t.Mapping[str, t.Any]) -> t.Any:
        """Call ``operation`` (any spelling) and return its result. Raises InvalidInput, then what ``send`` raises."""
        return self.send(self.message(operation, values))

    def send(self, message: Message) -> t.Any:
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
                return self._sent(message, timeout, limit)
            except FcdError as error:
                if message.kind == WRITE and (outcome_unknown(error) or _may_be_done(message, error)):
                    note_change(error)
                unusable += isinstance(error, Unusable)
                self._wait(message, error, unusable, limit)
            timeout = limit.left()

    def _wait(self, message: Message, error: FcdError, unusable: int, limit: Deadline) -> None:
        """Pause before the call is sent again, or raise the error if it is not to be."""
        if isinstance(error, Unusable):
            again = message.kind == READ and unusable <= self._patience.retries and "redirect" not in error.details
            seconds = pause(unusable, None)
        else:
            from .faults import LOCKED

            again = isinstance(error, Conflict) and error.details.get("error_code") == LOCKED
            seconds = LOCK_PAUSE
        left = limit.left()
        if not again or (left is not None and left <= seconds):
            raise error
        spent = self._exchange.spend_retry(self._service.endpoint) if isinstance(error, Unusable) else ""
        if spent:
            error.message += f" It was not sent again: {spent}."
            raise error
        self._patience.warn(f"{error.message} Trying again in {seconds:.1f} s.")
        limit.sleep(seconds)

    def _sent(self, message: Message, timeout: float | None, limit: Deadline) -> t.Any:
        operation = message.operation
        headers, body, message_id = envelope.write_envelope(
            self.contract.envelope, operation.action, self._service.to, message.text, message.prefixes
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
                accept_statuses=ACCEPTED,
                timeout=timeout,
                harmless=operation.name.startswith(SAME_AGAIN),
            )
        )
        alive = functools.partial(limit.check, operation.name)
        try:
            answer = self._opened(message, response, alive)
            result = None if answer is None else self._read(message, message_id, response, answer)
        except Malformed as problem:
            raise self._problem(message, response, str(problem)) from None
        alive()
        return result

    def _opened(
        self, message: Message, response: Response, alive: t.Callable[[], None]
    ) -> envelope.AnswerEnvelope | None:
        """Return the envelope of the answer; None for an empty answer if none is expected."""
        if message.operation.output is None and 200 <= response.status < 300 and not response.body.strip():
            return None
        try:
            return envelope.AnswerEnvelope(response.body, alive)
        except Malformed as problem:
            raise self._not_soap(message, response, problem) from None

    def _read(self, message: Message, message_id: str, response: Response, answer: envelope.AnswerEnvelope) -> t.Any:
        """Return the result in an envelope, or raise the fault in it."""
        operation, content = message.operation, answer.content
        if answer.relates_to not in ("", message_id):
            raise Malformed("it belongs to another request")
        decoder = Decoder(self.contract, answer.tree)
        if content is not None and content.tag in envelope.FAULTS:
            raise self._fault(operation.name, content, response, decoder)
        if not 200 <= response.status < 300:
            problem = Malformed("it has an error status, but contains no fault")
            raise self._not_soap(message, response, problem) if response.status in NO_ENTRY else problem
        if operation.output is None:
            return None
        element, key = operation.output
        if content is None or content.tag != element:
            raise self._wrong_element(message, response, "" if content is None else content.tag, element)
        members = decoder.message(content, key)
        self.unknown.update(dict.fromkeys(map(functools.partial(_INDEX.sub, ""), decoder.unknown)))
        return self._result(key, members)

    def _fault(self, operation: str, content: Node, response: Response, decoder: Decoder) -> FcdError:
        from . import faults

        error = faults.fault_error(
            operation, faults.read_fault(content), decoder, self._redactor.text, **_details(response)
        )
        if response.status in NO_ENTRY and error.next_step is None:
            error.next_step = faults.CHECK_LOGIN
        return error

    def _wrong_element(self, message: Message, response: Response, came: str, element: str) -> FcdError:
        found, desired, advice = local(came)[:_LONGEST] or "nothing", local(element), None
        if found == desired:
            spaces = [self._redactor.text(name.rpartition("}")[0][1:])[:_LONGEST] for name in (came, element)]
            found, desired = (f"{desired} of the namespace {quoted(space)}" for space in spaces)
            advice = "The WSDL may have changed: set soap_contract_ttl to 1 once to read it again."
        return self._problem(message, response, f"it contains {found} instead of {desired}", advice)

    def _result(self, key: str, members: dict[str, t.Any]) -> t.Any:
        """Return the members of an answer, or the value of the only one; null instead of a list is an empty one."""
        fields = self.contract.fields(key)
        if len(fields) != 1:
            return members or None
        (value,) = members.values()
        return [] if value is None and self.contract.item(fields[0].type) is not None else value

    def _not_soap(self, message: Message, response: Response, problem: Malformed) -> FcdError:
        """Return the error for an answer that is not an envelope; a plain refusal is recognized by its status."""
        from . import faults

        operation, status, headers = message.operation.name, response.status, response.headers
        # a log-in asks for credentials before it looks at the request
        gateway = status not in NO_ENTRY or "www-authenticate" not in headers
        told: dict[str, t.Any] = {"operation": operation, GATEWAY: gateway or None, **_details(response)}
        unclear = gateway and message.kind == WRITE
        kind: type[FcdError]
        if status in NO_ENTRY:
            kind = Unclear if unclear else Unauthorized
            words = faults.refused_login(status, headers, response.body, self._redactor.text(self._service.user))
            return kind(f"{operation}: {words}", next_step=_step(faults.CHECK_LOGIN, unclear), **told)
        found = faults.describe(response.body, headers)
        if 400 <= status < 500:
            kind = Unclear if unclear else Rejected
            place = f"{self._service.endpoint} answered HTTP {status} with {found}"
            words = f"{operation}: {place}; this is not the answer of a SOAP service."
            return kind(words, next_step=_step(OWN_ADDRESS, unclear), **told)
        words = str(problem) if found.startswith("XML") else f"it is {found}"
        return self._problem(message, response, words, faults.advice(headers, response.body))

    def _problem(self, message: Message, response: Response, problem: str, next_step: str | None = None) -> FcdError:
        operation = message.operation.name
        text = f"{operation}: the answer (HTTP {response.status}) cannot be used: {problem}"
        unclear = message.kind != READ
        told: dict[str, t.Any] = {"operation": operation, **_details(response)}
        return (Unclear if unclear else Unusable)(f"{text}.", next_step=_step(next_step, unclear), **told)


def _step(advice: str | None, unclear: bool) -> str | None:
    """Return the next step, behind the doubt if it is not known whether the operation was carried out."""
    return " ".join(filter(None, [DOUBT, advice])) if unclear else advice


def is_read(operation: str) -> bool:
    """Return whether the operation only reads, by its name: ``Get...`` and the like, ``...Exists``."""
    return operation.endswith("Exists") or any(
        operation.startswith(verb) and operation[len(verb) : len(verb) + 1].isupper() for verb in READS
    )


def _may_be_done(message: Message, error: FcdError) -> bool:
    """Return whether a gateway refused what may be sent again: other refusals are in the service's own words."""
    return isinstance(error, RateLimited) and message.operation.name.startswith(SAME_AGAIN)


def _details(response: Response) -> dict[str, t.Any]:
    return {"status": response.status, "request_id": response.request_id}
