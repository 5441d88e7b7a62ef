# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Create one object exactly once, although the service has no idempotency key and lets two objects share a name.

Lock, read, note the intent, send once. After an unclear answer, or if an earlier run died halfway, read until the
object appears or the grace time ends. What has not appeared an hour after it was sent, longer than any create takes,
was not done; before that, only the user can decide to send again.

A note on disk says "I may have created this" before the request is sent. Once a list has shown the object, its number
stays in the note for a day: another list may come from a replica that is late. A number is read before anything is
created, so a note of an object that was removed stands in nobody's way.
"""

from __future__ import annotations

import contextlib
import os
import time
import typing as t

from .._core.clock import Clock, Deadline
from .._core.errors import (
    GATEWAY,
    Busy,
    CannotDetermine,
    FcdError,
    InvalidInput,
    RateLimited,
    Rejected,
    ServiceError,
    Unclear,
    Unconfirmed,
    Unreachable,
    asks_elsewhere,
    has_changed,
    mark_changed_on_error,
    note_change,
)
from .._core.private_files import file_lock, load_json, overwrite_json, read_regular, remove, write_json
from .._core.text import Redactor, digest
from .._core.type_aliases import JsonObject
from .plan import Created

NO_EFFECT = (InvalidInput, Rejected, RateLimited, Unconfirmed, Unreachable)
"""Nothing was done; InvalidInput and Unconfirmed are raised before anything is sent."""
UNCLEAR = (Unclear, ServiceError)
LEAD_MEMBER, LISTED, LOOKED = "lead", "listed", "looked"  # their names in a note
NOTE_FORMAT = 1
SETTLED = 3600.0  # seconds after which a create that nothing shows was not done; the slowest one takes 45 minutes
MAX_NOTED_SECONDS = 1e12  # since the epoch, or whatever a note counts in seconds
KEPT_SECONDS = 86400.0  # seconds for which the number of what a list has shown stays noted
REPEATS = 3  # of a create that a gateway has refused for now, and that has not appeared since
MAX_REFUSAL = 60.0  # seconds that are waited if it asks for more
NOTE_BYTES = 2048  # bytes that a note takes up, so that additions fit even if the disk is full by then
CREATE_ADVICE = (
    "Check at the service, in its panel or with the module that lists such objects, whether it exists. Run the task "
    "again when it is listed: the task looks for it before it sends anything. An hour after that create, what is still "
    "not there is created; if it certainly does not exist, force_create: true does so at once."
)
NOTHING_SENT = " This task has sent nothing."
CREATES = "creates"  # the folder of notes and locks, in the user's own folder
Found = t.Optional[t.Dict[str, object]]
SharedLock = t.Callable[[str, str, Deadline, "CreateNote"], t.ContextManager[t.Callable[[], None]]]
"""A lock of several controllers: takes its key, what it is for, the deadline and the note of the create.

It yields a function that raises Busy if the lock was lost, to be called before sending.
"""


@contextlib.contextmanager
def no_shared_lock(key: str, what: str, deadline: Deadline, note: CreateNote) -> t.Iterator[t.Callable[[], None]]:
    """Hold nothing: all tasks that might create the same object have one folder for locks."""
    del key, what, deadline, note
    yield lambda: None


class CreateSettings(t.NamedTuple):
    """What create_once needs to know about times and places.

    ``folder`` holds locks and notes; ``grace`` is how long, in seconds, a new object may stay invisible;
    ``force`` sends a create even if the outcome of an earlier one is unknown; ``lock_wait`` is how long another task
    may hold the lock; ``shared`` is the lock of all controllers.
    """

    folder: str
    clock: Clock
    deadline: Deadline
    grace: float = 30.0
    force: bool = False
    lock_wait: float = 600.0
    pause: float = 0.5
    shared: SharedLock = no_shared_lock

    @classmethod
    def of(cls, task: ChangeEnvironment, grace: float, *, force: bool = False) -> CreateSettings:
        """Return those of a task; ``grace`` in seconds, ``force`` as in the option ``force_create``."""
        shared = task.shared_lock or no_shared_lock
        folder = os.path.join(task.state_dir, CREATES)
        return cls(folder, task.clock, task.deadline, grace, force, shared=shared)


class ChangeEnvironment(t.Protocol):
    """The task, as far as changes need it."""

    clock: Clock
    deadline: Deadline
    redactor: Redactor
    warn: t.Callable[[str], None]
    tell: t.Callable[[str], None]

    @property
    def settings(self) -> t.Mapping[str, t.Any]:
        """The values of the connection options."""

    @property
    def state_dir(self) -> str:
        """The user's own folder."""

    def account(self, option: str) -> tuple[str, str]:
        """Return service and user, whose address this option has, as keys of locks and notes use them."""

    @property
    def shared_lock(self) -> SharedLock | None:
        """The lock of all controllers for creates; None if they need none."""


def identity_of(task: ChangeEnvironment, kind: str, *names: object) -> tuple[object, ...]:
    """Return what identifies an object in locks and notes: service, account, kind and name."""
    return (*task.account("base_url"), kind, *names)


def has_create_note(task: ChangeEnvironment, identity: t.Sequence[object]) -> bool:
    """Return whether a create of this object has left a note."""
    return os.path.exists(note_path(os.path.join(task.state_dir, CREATES), digest(*identity)))


def note_path(folder: str, key: str) -> str:
    """Return the path of a note; ``folder`` has those of all creates, and their locks."""
    return os.path.join(folder, "intents", key + ".json")


class Creation(t.Protocol):
    """How one kind of object is found, created and, after an unclear answer, found again.

    It may also have ``verify()``, which raises if the service would refuse the create. It only reads. It is called
    under the lock, when the object certainly does not exist and before the intent is noted. And it may have
    ``has_failed(facts, looked)``: whether the service says that the create with these facts has failed or, after
    a whole grace time of looking (``looked``), that what it created is gone. If its objects cannot be told apart until
    they are complete, it may have ``alone(settings)``, a context in which no other one is created or looked for.
    """

    def find(self) -> Found:
        """Return the object, or None. Raises Ambiguous if there are several."""

    def send(self, intent: CreateNote) -> JsonObject:
        """Send the create and return the object. Whatever becomes known on the way may be added to the note."""

    def resume(self, facts: t.Mapping[str, object]) -> Found:
        """Find the object by the note of a run with an unclear outcome; at least as well as ``find``."""


def create_once(settings: CreateSettings, identity: t.Sequence[object], what: str, creation: Creation) -> Created:
    """Create the object that ``identity`` (account, kind, name) stands for, exactly once.

    ``what`` names it in messages. Raises CannotDetermine if it cannot be found out whether it exists.
    """
    alone = getattr(creation, "alone", lambda _settings: contextlib.nullcontext())
    with lock_note(settings, identity, what) as (intent, before_sending), alone(settings):
        found = creation.find() if intent.read() is None else None
        facts = intent.read() or intent.lead()
        if found is None and facts is not None:
            found = find_earlier(settings, creation, intent, what, facts)
        if found is None:
            verify = getattr(creation, "verify", None)
            if verify is not None:
                verify()
            return Created(_send(settings, creation, intent, what, before_sending))
        intent.clear()
        return Created(found, by_us=False)


@contextlib.contextmanager
def lock_note(
    settings: CreateSettings, identity: t.Sequence[object], what: str
) -> t.Iterator[tuple[CreateNote, t.Callable[[], None]]]:
    """Hold the lock of a create, including the lock of all controllers, while the block runs.

    Yields its note, and a function to call right before anything is sent. Raises Busy.
    """
    key = digest(*identity)
    wait = settings.deadline.within(settings.lock_wait, "wait for the lock")
    intent = CreateNote(settings.folder, key, settings.clock)
    with file_lock(settings.folder, key, wait, what=what), settings.shared(key, what, wait, intent) as before_sending:
        yield intent, before_sending


def find_earlier(
    settings: CreateSettings, creation: Creation, intent: CreateNote, what: str, facts: t.Mapping[str, t.Any]
) -> Found:
    """Look for what an earlier run has requested, according to the facts of its note; None if a create may be sent.

    What was looked for during the grace time, by whichever task, is only looked at once. Raises CannotDetermine.
    """
    has_failed = getattr(creation, "has_failed", lambda _facts, **_more: False)
    if has_failed(facts, looked=False):
        intent.clear()
        return None
    left = 0.0 if facts.get(LISTED) else max(0.0, settings.grace - intent.looked())
    found = _search(settings, creation, intent, facts, settings.clock.monotonic() + left)
    if found is not None or settings.force or has_failed(facts, looked=True):
        return found
    if intent.age() >= SETTLED:
        intent.drop()
        return None
    if left:  # else its age stays as it is
        intent.add(**{LOOKED: settings.grace})
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(float(facts["time"])))
    broken = f" (its note {intent.path} cannot be understood: {facts['broken']})" if "broken" in facts else ""
    raise CannotDetermine(
        f"Cannot determine whether {what} exists: an earlier create ({when}) had no clear outcome{broken}, and {what} "
        f"has not appeared since.{NOTHING_SENT}",
        next_step=CREATE_ADVICE,
    )


def _send(
    settings: CreateSettings, creation: Creation, intent: CreateNote, what: str, before_sending: t.Callable[[], None]
) -> dict[str, object]:
    """Send the create; again if a gateway has refused it for now, and it has not appeared since."""
    repeats = REPEATS
    while True:
        before_sending()
        intent.write()
        begun = settings.clock.monotonic()
        try:
            record: Found = creation.send(intent)
        except FcdError as error:
            record = _after_error(settings, creation, intent, what, error, begun)
            if record is None and not repeats:
                raise
        if record is not None:
            intent.clear()
            return record
        repeats -= 1


def _after_error(
    settings: CreateSettings, creation: Creation, intent: CreateNote, what: str, error: FcdError, begun: float
) -> Found:
    """Return what was created despite the error, or None if nothing was, and it may be sent again. Else raise it."""
    if isinstance(error, NO_EFFECT) or asks_elsewhere(error):
        if has_changed(error):  # it happened after the create that was refused
            raise error
        by_gateway, found = GATEWAY in error.details, None
        if by_gateway:
            pause = max(settings.grace, min(error.details.get("retry_after") or 1.0, MAX_REFUSAL))
            found = _outcome(settings, creation, intent, error, begun + pause)
        if found is None:
            intent.withdraw()
        if not by_gateway:
            raise error
        return found
    if not isinstance(error, UNCLEAR):
        note_change(error)  # errors of this kind do not occur before the request
        intent.add()
        raise error
    with mark_changed_on_error():  # it may have been done, and must not be reported as certainly not done
        found = _outcome(settings, creation, intent, error, begun + settings.grace)
        if found is None:
            intent.add(**{LOOKED: settings.grace})
            raise _outcome_unknown(settings, what, error) from error
    return found


def _outcome(settings: CreateSettings, creation: Creation, intent: CreateNote, cause: FcdError, end: float) -> Found:
    """Look for what was sent just now; an error of this search also says what the create was answered."""
    try:
        return _search(settings, creation, intent, intent.read() or {"time": settings.clock.now()}, end)
    except FcdError as error:
        error.message += f" Before that, the create had no clear answer: {cause.message}"
        raise


def _search(
    settings: CreateSettings, creation: Creation, intent: CreateNote, facts: t.Mapping[str, object], end: float
) -> Found:
    """Read until the object appears, for the last time after ``end`` (of the monotonic clock, which nobody can set).

    A read that began before ``end`` does not cover the whole time, however long it took.
    """
    while True:
        left = end - settings.clock.monotonic()
        found = creation.resume(intent.read() or facts)
        if found is not None or left <= 0:
            return found
        settings.deadline.check("Looking for the outcome of an earlier create")
        settings.deadline.sleep(min(settings.pause, left))


def _outcome_unknown(settings: CreateSettings, what: str, cause: FcdError) -> CannotDetermine:
    return CannotDetermine(
        f"Cannot determine whether {what} exists: the create had no clear answer ({cause.message}) "
        f"and it did not appear within {settings.grace:g} s.",
        next_step=CREATE_ADVICE,
        cause=type(cause).__name__,
        **{name: value for name, value in cause.details.items() if name in ("operation", "status", "request_id")},
    )


def create_note(task: ChangeEnvironment, identity: t.Sequence[object]) -> CreateNote:
    """Return the note that create_once keeps for this object."""
    return CreateNote(os.path.join(task.state_dir, CREATES), digest(*identity), task.clock)


def all_notes(task: ChangeEnvironment) -> list[CreateNote]:
    """Return the notes of all creates, of whatever kind."""
    folder = os.path.join(task.state_dir, CREATES)
    names = os.listdir(os.path.dirname(note_path(folder, "")))
    return [CreateNote(folder, name[: -len(".json")], task.clock) for name in names if name.endswith(".json")]


class CreateNote:
    """The note of the create of one object; it outlives the process. It must not hold a secret.

    From before the create is sent until its outcome is known, the note is an intent, with a ``time`` and further facts.
    What the service has answered, the ID of a ticket or of the object, is a lead: it stays until a day after a list has
    shown the object, because lists may lag behind. The lock of create_once guards the note.
    """

    _of_process: t.ClassVar[dict[str, JsonObject]] = {}  # what this process has noted of all creates, by path

    def __init__(self, folder: str, key: str, clock: Clock) -> None:
        self._folder = folder
        self._key = key
        self.path = note_path(folder, key)
        self._clock = clock
        self._incomplete = False
        self._before: JsonObject | None = None
        self._own: JsonObject = {}  # what this process has noted, should the file vanish

    def content(self) -> JsonObject:
        """Return everything in the note, empty if there is none.

        A note that cannot be understood is no sign that nothing was sent: it counts as an intent without facts.
        """
        try:
            content = load_json(self.path)
            problem = _misshapen(content)
        except (FileNotFoundError, NotADirectoryError):
            return {**self._own}
        except OSError as exc:
            problem = exc.strerror
        except ValueError:
            problem = "it is not JSON"
        if problem:
            return {"time": self._clock.now() - self.age(), "broken": problem}
        return {name: value for name, value in content.items() if name not in ("format", "boot", "up")}

    def age(self) -> float:
        """Return the seconds since it was written, if possible by a clock that nobody can set."""
        with contextlib.suppress(OSError, ValueError):
            stamp = load_json(self.path)
            if not _misshapen(stamp) and stamp["boot"] and stamp["boot"] == this_boot():
                return self._clock.monotonic() - float(stamp["up"])
        with contextlib.suppress(OSError):
            return self._clock.now() - os.stat(self.path).st_mtime
        return 0.0

    def looked(self) -> float:
        """Return for how many seconds what may have been created was looked for."""
        return float(self.content().get(LOOKED, 0.0))

    def adopt(self, content: JsonObject) -> None:
        """Take over the note of another controller if there is none here. Raises InvalidInput."""
        if content and not self.content():
            problem = _misshapen(self._stamped(content))
            self._write({"time": self._clock.now(), "broken": problem} if problem else content)

    def write(self, **facts: t.Any) -> None:
        """Note the intent with the time, in one step that survives a crash; the lead of an earlier create stays.

        Raises InvalidInput if it cannot be noted, so that nothing is sent.
        """
        self._before = self.content()
        self._write(_with_lead({**facts, "time": self._clock.now()}, self._before.get(LEAD_MEMBER)))

    def withdraw(self) -> None:
        """Take back what was written: that this create had no effect says nothing about an earlier one."""
        if self._before is None:
            return
        earlier = {name: value for name, value in self._before.items() if name != LEAD_MEMBER}
        if earlier:
            self._note(earlier, self.content().get(LEAD_MEMBER))
        else:
            self.clear()

    def add(self, **facts: t.Any) -> None:
        """Add what became known; the time of the intent stays. What has vanished from the disk is noted again."""
        content = self.content()
        if content:
            self._note({**content, **facts}, content.get(LEAD_MEMBER))

    def add_answer(self, **facts: t.Any) -> None:
        """Add what the service has answered, under the lock: it leads to the object from now on."""
        self._note({**self.content(), **facts}, {**facts, "time": self._clock.now()})

    def read(self) -> JsonObject | None:
        """Return what an earlier run noted before it knew the outcome, or None."""
        content = self.content()
        content.pop(LEAD_MEMBER, None)
        return self._with_time(content)

    def lead(self) -> JsonObject | None:
        """Return what leads to an object that lists may not show, with its ``time``, or None."""
        return self._with_time(self.content().get(LEAD_MEMBER))

    def clear(self) -> None:
        """Forget the intent: its outcome is known. If that cannot be written, the next run looks for the object."""
        if self._incomplete:
            return
        lead = self.content().get(LEAD_MEMBER)
        if lead is None:
            self.drop()
        else:
            self._note({}, lead)

    def set_lead(self, **facts: object) -> None:
        """Replace the lead. While a create of the object holds the lock, the lead stays."""
        with contextlib.suppress(Busy, InvalidInput), self._lock_at_once():
            self._note(self.content(), {**facts, "time": self._clock.now()})

    def clear_lead(self, lead: t.Mapping[str, object] | None = None) -> None:
        """Forget the lead: a list shows the object, or it is gone. With ``lead``, forget this one, not a later one."""
        with contextlib.suppress(Busy, InvalidInput), self._lock_at_once():
            content = self.content()
            noted = content.pop(LEAD_MEMBER, None)
            if noted is None or (lead is not None and {**noted, "time": None} != {**lead, "time": None}):
                return
            if self._with_time(content):
                self._note(content, None)
            else:
                self.drop()

    def keep(self, number: object) -> None:
        """Keep the number of what a list shows, for a day; forget the rest. A create that holds the lock keeps all."""
        content, now = self.content(), self._clock.now()
        since = content.get(LEAD_MEMBER, {}).get("time", now)
        if not content:
            return
        with contextlib.suppress(Busy, InvalidInput):
            if content != {LEAD_MEMBER: {"id": number, LISTED: True, "time": since}}:
                with self._lock_at_once():
                    self._note({}, {"id": number, LISTED: True, "time": now})
            elif now - since > KEPT_SECONDS:
                with self._lock_at_once():
                    self.drop()

    def drop(self) -> None:
        """Remove the note; if that is not possible it stays, which does not affect what was done."""
        with contextlib.suppress(InvalidInput):
            remove(self.path)
            self._own = {}
            self._of_process.pop(self.path, None)

    def _lock_at_once(self) -> t.ContextManager[None]:
        return file_lock(self._folder, self._key, Deadline(self._clock, 0.0), what="the note of a create")

    def _note(self, facts: JsonObject, lead: JsonObject | None) -> None:
        """Note what became known after the create was sent: a full disk does not affect what was done."""
        content = _with_lead(facts, lead)
        try:
            self._write(content)
        except InvalidInput:
            try:
                overwrite_json(self.path, self._stamped(content))
            except InvalidInput:
                self._incomplete = True

    def _write(self, content: JsonObject) -> None:
        """Write the note and, if the folder has vanished, those of all creates of this process: lists may be late."""
        folder = os.path.dirname(self.path)
        lost = {} if os.path.isdir(folder) else {**self._of_process}
        write_json(self.path, self._stamped(content), room=NOTE_BYTES)
        self._own = self._of_process[self.path] = content
        for path in lost.keys() - {self.path}:
            if os.path.dirname(path) == folder:
                write_json(path, self._stamped(lost[path]), room=NOTE_BYTES)

    def _stamped(self, content: JsonObject) -> JsonObject:
        return {**content, "format": NOTE_FORMAT, "boot": this_boot(), "up": self._clock.monotonic()}

    def _with_time(self, facts: t.Any) -> JsonObject | None:
        """Return the facts with a time, or None. A time in the future, as after the clock was set back, becomes now."""
        return {**facts, "time": min(facts["time"], self._clock.now())} if facts and "time" in facts else None


def _with_lead(facts: dict[str, object], lead: dict[str, object] | None) -> dict[str, object]:
    return facts if lead is None else {**facts, LEAD_MEMBER: lead}


def this_boot() -> str:
    """Return what tells this run of the machine from all others, empty where nothing does."""
    try:
        return read_regular("/proc/sys/kernel/random/boot_id", 100).decode("ascii").strip()
    except OSError:
        return ""


def _misshapen(content: t.Any) -> str | None:
    """Return what is wrong with the content of a note, None if it can be understood."""
    if not isinstance(content, dict) or content.get("format") != NOTE_FORMAT:
        return f"it is not of format {NOTE_FORMAT}"
    lead = content.get(LEAD_MEMBER)
    if not {"boot", "up"} <= content.keys() or "time" not in (lead if isinstance(lead, dict) else content):
        return "it has no time"
    for name, value in (*content.items(), *(lead.items() if isinstance(lead, dict) else ())):
        if name not in _MEMBERS or not _MEMBERS[name](value):
            return f"its member {name!r} is unknown or wrong"
    return None


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 63


def _are_seconds(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < MAX_NOTED_SECONDS


_MEMBERS: dict[str, t.Callable[[t.Any], bool]] = {
    **dict.fromkeys(("format", "id", "ticket"), _is_id),
    **dict.fromkeys(("time", "up", LOOKED), _are_seconds),
    **dict.fromkeys(("boot", "folder", "broken"), lambda value: isinstance(value, str)),
    **dict.fromkeys(("alike", "known", "ids"), lambda value: isinstance(value, list) and all(map(_is_id, value))),
    **dict.fromkeys(("at_work", LISTED), lambda value: value is True),
    LEAD_MEMBER: lambda value: isinstance(value, dict),
}
"""Whether a value may be that of a member."""
