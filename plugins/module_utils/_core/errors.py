# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one family of errors: every layer raises them, only the face turns them into a failed result.

If a task changes something and then fails, its result says ``changed``. A request that the service has accepted and not
reported as failed counts as changed, as it does for tasks that do not wait for it.

Third-party libraries are imported late; if one is missing, the message says how to install it.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import typing as t


class FcdError(Exception):
    """Something that the user has to know.

    ``message`` is one clear line; ``next_step`` says what to do about it; ``details`` are plain values for programs
    (they become the result's ``error`` dictionary). Neither may hold a secret or a whole body. A line feed in the
    message is part of a name or of the service's words, unless ``has_lines`` says that it ends a line. ``difference``
    has the object before and after a change that is refused, as a diff shows them.
    """

    has_lines = False
    difference: tuple[t.Mapping[str, t.Any], t.Mapping[str, t.Any]] | None = None

    def __init__(self, message: str, *, next_step: str | None = None, **details: t.Any) -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step
        self.details = {name: value for name, value in details.items() if value is not None}

    def __str__(self) -> str:
        """Return the message followed by the next step."""
        return f"{self.message} {self.next_step}" if self.next_step else self.message

    def as_result(self) -> dict[str, t.Any]:
        """Return the fields of a failed Ansible result."""
        return {"msg": str(self), "error": {"kind": type(self).__name__, **self.details}}


class InvalidInput(FcdError):
    """An option, a setting or a file of the user is wrong; nothing was sent."""


class MissingSettings(InvalidInput):
    """Settings that the task needs are found nowhere; all of them are named at once."""


class MissingLibrary(FcdError):
    """A Python library that only some modules need is not installed."""


class Unreachable(FcdError):
    """No connection was made: the request certainly had no effect."""


class Unclear(FcdError):
    """The request was sent, but no usable answer came: it may or may not have taken effect."""


class DeadlinePassed(Unclear):
    """The time for a call or a task is over."""


class ServiceError(FcdError):
    """The service answered, and the answer is an error.

    Details: ``operation``, ``status`` (HTTP), ``service_message`` (its own words), ``request_id``.
    """

    @property
    def status(self) -> int | None:
        """HTTP status of the answer."""
        status: int | None = self.details.get("status")
        return status


class Rejected(ServiceError):
    """A 4xx or a SOAP fault: the service understood the request and did nothing."""


class Unauthorized(Rejected):
    """The credentials were refused (401, OAuth errors of the log-in)."""


class Forbidden(Rejected):
    """Not allowed, or, for some kinds of objects, not there (403)."""


class NotFound(Rejected):
    """There is no such object (404, 410)."""


class NotOffered(NotFound):
    """The service offers nothing to read at this path (405); it may take other methods there."""


class Conflict(Rejected):
    """The state of the object does not allow it now, often because another operation is running (409, fault 133)."""


class RateLimited(Rejected):
    """Too many requests (429), or the like; nothing was done."""


PLAIN_REFUSALS = (Forbidden, Unauthorized, RateLimited, Conflict)  # refusals whose message needs nothing added


class Unusable(ServiceError):
    """An answer that cannot be what was requested: HTML, JSON of another shape, a redirect to another host."""


class IncompleteList(Unusable):
    """A list that shows fewer rows than the service counts: what it lacks may exist, and its ``rows`` do."""

    rows: t.Sequence[t.Dict[str, t.Any]] = ()


class Ambiguous(FcdError):
    """More than one object matches; ``ids`` lists them."""


class ImmutableChange(InvalidInput):
    """An attribute differs that cannot be changed on an existing object."""


class Unconfirmed(FcdError):
    """The object itself does not confirm what a list has shown of it; nothing was sent to it."""


class CannotDetermine(FcdError):
    """A create had no clear answer, and the object did not appear within the grace time."""


class WaitTimeout(FcdError):
    """The desired state was not reached in time."""


class OperationFailed(FcdError):
    """A long operation of the service ended with an error."""


class Busy(FcdError):
    """Another task holds the lock for this object."""


def asks_elsewhere(error: FcdError) -> bool:
    """Return whether the answer redirects the request as it is (307, 308), so that nothing was done.

    Any other redirect may follow a request that was carried out: 303 says where its result is.
    """
    return "redirect" in error.details and error.details.get("status") in (307, 308)


def outcome_unknown(error: FcdError) -> bool:
    """Return whether a request may have been carried out: it was sent, and the answer is neither good nor a refusal."""
    if isinstance(error, Rejected) or asks_elsewhere(error):
        return False
    return isinstance(error, (Unclear, ServiceError))


GATEWAY = "gateway"  # a detail of a gateway's refusal, which may follow a request that was carried out
CHANGED = "changed"  # a detail of the error, so that an error made from another one keeps it


def note_change(error: FcdError) -> None:
    """Note that something had been changed when this error occurred."""
    error.details[CHANGED] = True


def has_changed(error: FcdError) -> bool:
    """Return whether something had been changed."""
    return bool(error.details.get(CHANGED))


@contextlib.contextmanager
def mark_changed_on_error(changed: bool = True, next_step: str | None = None) -> t.Iterator[None]:
    """Mark errors in the block as errors after a change, if ``changed``, and give them a next step."""
    try:
        yield
    except FcdError as error:
        if changed:
            note_change(error)
            error.next_step = next_step_of(error, next_step)
        raise


def reading_back() -> t.ContextManager[None]:
    """Return the context for reading back what was changed."""
    return mark_changed_on_error(next_step="The change was made; only reading it back failed. Run the task again.")


DOUBT = "It is not known whether it was done."
"""The default next step after an unclear outcome; callers that know more replace it."""

RUN_AGAIN = f"{DOUBT} Run the task again: it reads the current state before it sends anything."


def next_step_of(error: FcdError, otherwise: str | None) -> str | None:
    """Return the next step of an error: ``otherwise`` if it has none, and both if it only states the doubt."""
    if error.next_step == DOUBT and otherwise:
        return otherwise if otherwise.startswith(DOUBT) else f"{DOUBT} {otherwise}"
    return error.next_step or otherwise


def confirm_write(write: t.Callable[[], object], done: t.Callable[[], bool], *, refusals: bool = False) -> None:
    """Run a write that may be repeated; after an error that says changed, ``done`` reads whether it worked.

    A refusal by a gateway is checked as well and, with ``refusals``, one that may mean that nothing is left to do.
    """
    try:
        write()
    except FcdError as problem:
        with contextlib.suppress(FcdError):  # without a reading, nothing is certain
            may_be_needless = isinstance(problem, Rejected) and not isinstance(problem, PLAIN_REFUSALS)
            may_be_done = has_changed(problem) or GATEWAY in problem.details
            if (may_be_done or (refusals and may_be_needless)) and done():
                return
        if has_changed(problem):
            problem.next_step = next_step_of(problem, RUN_AGAIN)
        raise


class ChangeTracker:
    """Tracks the outcomes of the operations on one object, which are started one after the other."""

    def __init__(self) -> None:
        self._ticket: int | None = None
        self._under_way = False
        self._before = False

    def start(self, ticket: int | None) -> None:
        """Note an operation that the service has accepted, or that took effect at once; the one before succeeded."""
        self._before = self._before or self._under_way
        self._ticket, self._under_way = ticket, True

    def fail(self, ticket: int) -> None:
        """Note that the service reports an operation as failed: it has changed nothing."""
        if ticket == self._ticket:
            self._under_way = False

    def doubt(self) -> None:
        """Note an operation of which nobody knows whether the service has accepted it."""
        self._before = True

    def mark(self, error: FcdError) -> None:
        """Note in the error whether something was changed, or is being changed."""
        if self._before or self._under_way:
            note_change(error)


FREE_PAGES, MIN_ROWS = 100, 10


class PageLimit:
    """Counts the pages of a list, because only the service says how many there are.

    100 pages may be of any size. More are read if they hold 10 rows on average, but not more than ``most``.
    """

    def __init__(self, what: str, most: int) -> None:
        self._what = what
        self._most = most
        self._pages = self._rows = 0

    def count(self, rows: int) -> None:
        """Count a page of so many rows. Raises Unusable."""
        self._pages += 1
        self._rows += rows
        if self._pages > min(self._most, FREE_PAGES + self._rows // MIN_ROWS):
            raise Unusable(
                f"{self._what}: after {self._pages} pages with {self._rows} rows, the list is still not complete.",
                next_step="Something on the way may ignore which page is requested.",
            )


def require(
    name: str, package: str | None = None, *, purpose: str = "this module", besides: t.Iterable[str] = ()
) -> t.Any:
    """Return the module called ``name``.

    ``package`` is its name on the package index if that differs; ``besides`` are modules that will be needed too.
    Raises MissingLibrary, naming all that are missing.
    """
    try:
        return importlib.import_module(name)
    except ImportError as exc:
        others = [other.partition(".")[0] for other in besides if not _can_import(other)]
        missing = list(dict.fromkeys([package or name.partition(".")[0], *others]))
        what, them = ("library", "it") if len(missing) == 1 else ("libraries", "them")
        raise MissingLibrary(
            f"{purpose} needs the Python {what} {' and '.join(missing)}, which {sys.executable} does not have ({exc}).",
            next_step=f"Install {them} with: {sys.executable} -m pip install {' '.join(missing)}",
            library=missing[0],
            libraries=missing,
            python=sys.executable,
        ) from exc


def _can_import(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True
