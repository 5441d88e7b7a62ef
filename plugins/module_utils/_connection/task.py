# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The current task: its settings, its clock, what it may say, how it sends; and the operation that it runs.

An operation is what a module does, as plain data and one function. The module and its action plugin share it. The
settings are the values of all connection options: from the task, the environment, the profile file or their defaults.
"""

from __future__ import annotations

import copy
import functools
import os
import threading
import time
import typing as t
from urllib.parse import urlsplit

from .._core.clock import Clock, Deadline
from .._core.errors import FcdError, InvalidInput, MissingSettings
from .._core.home import expand_home
from .._core.later import UNLESS_CREATED
from .._core.private_files import PRIVATE_MODE, file_lock, open_regular, private_folder, remove_older
from .._core.text import Redactor, digest, visible
from .._http.client import Exchange, ExchangeOptions
from .._http.messages import AddressSource, AddressSources, is_loopback, normalized, origin, source_of
from .._http.retries import SharedRetries
from .options import (
    ADDRESS_OPTIONS,
    COMMON,
    OPTIONS,
    REST,
    SECONDS,
    Option,
    OptionSpecs,
    check_settings,
    connection_options,
    convert_option,
    environment_name,
)
from .profiles import other_profiles, read_profile

if t.TYPE_CHECKING:
    import ssl

    from .._engine.create_once import SharedLock
    from .._engine.plan import Field, Outcome
    from .check_mode_state import PlannedObjects

LOCK_TIMEOUT = 600.0  # seconds for which another task may be changing the same object
EMPTY_COUNTS = ("soap_user_prefix",)  # elsewhere, an empty text counts as not set
PLAY_VARIABLE = "FCD_PLAY_PROCESS"  # with which the action plugin passes the result of this_run to a module


class Settings(t.Dict[str, t.Any]):
    """The values, by the names of the options; None if one is not set, or the task's services do not take it."""

    def __init__(self, values: t.Mapping[str, object]) -> None:
        super().__init__({**dict.fromkeys(OPTIONS), **values})

    def __repr__(self) -> str:
        """Return none of the values: secrets are among them."""
        return "Settings(...)"

    @classmethod
    def resolve(cls, params: t.Mapping[str, object], services: t.Sequence[str]) -> Settings:
        """Return the settings for these services. Raises InvalidInput for a value that cannot be right."""
        options = connection_options(services)
        values = {name: _from_task_or_environment(name, option, params) for name, option in options.items()}
        profile = _profile(values)
        _require_one_account(params, values, profile)
        for name, option in options.items():
            if values[name] is None:
                values[name] = profile.get(name)
            if values[name] is None and option.default is not None:
                values[name] = convert_option(name, option, option.default, name)
        check_settings(values)
        return cls(values)

    def require(self, services: t.Iterable[str]) -> None:
        """Raise MissingSettings, naming all of them, if one of these services cannot be used without them."""
        missing = [
            name
            for name, option in OPTIONS.items()
            if option.needed and self[name] is None and option.is_of(self._to_log_in(services, name))
        ]
        if missing:
            them = "it as an option" if len(missing) == 1 else "them as options"
            named = ", ".join(f"{name} ({environment_name(name)})" for name in missing)
            raise MissingSettings(
                f"Missing: {named}.",
                next_step=f"Give {them}, in the environment, or in the profile "
                f"{self['profile']!r} of {self['config_file']}{other_profiles(self['config_file'], self['profile'])}.",
                missing=missing,
                environment=[environment_name(name) for name in missing],
            )

    def _to_log_in(self, services: t.Iterable[str], name: str) -> set[str]:
        """Return those of the services for which the option ``name`` is needed: with a token, there is no log-in."""
        no_login = self["access_token"] is not None and name != "base_url"
        return set(services) - {REST} if no_login else set(services)

    def login(self, option: str) -> str:
        """Return the user as it is sent to the service whose address ``option`` is; empty if there is none."""
        if option == "storage_base":
            return self["storage_user"] or ""
        user = self["username"] or ""
        has_domain = option != "soap_url" or not user or "\\" in user  # of its own
        return user if has_domain else (self["soap_user_prefix"] or "") + user

    def secrets(self) -> list[str]:
        """Return the values that must never be shown."""
        return [str(self[name]) for name, option in OPTIONS.items() if option.secret and self[name]]


def _from_task_or_environment(name: str, option: Option, params: t.Mapping[str, object]) -> object:
    variable = environment_name(name)
    for value, where in ((params.get(name), f"option {name}"), (os.environ.get(variable), variable)):
        if value is not None and (value != "" or name in EMPTY_COUNTS):
            return convert_option(name, option, value, where)
    return None


def _profile(values: t.Mapping[str, t.Any]) -> t.Mapping[str, t.Any]:
    chosen = values["profile"] is not None or values["config_file"] is not None
    default: str = OPTIONS["config_file"].default
    path: str = values["config_file"] or expand_home(default)
    if not chosen and not (os.path.isabs(path) and os.path.exists(path)):
        return {}

    return read_profile(path, values["profile"] or OPTIONS["profile"].default, required=chosen)


def _require_one_account(
    params: t.Mapping[str, object], values: t.Mapping[str, object], profile: t.Mapping[str, object]
) -> None:
    """Refuse variables that lead to another account than the profile that the task itself has selected."""
    selected = params.get("profile")
    if selected is None or selected == os.environ.get(environment_name("profile")):
        return
    for name, value in profile.items():
        variable = environment_name(name)
        from_environment = str(values.get(name)) == os.environ.get(variable)
        if from_environment and values[name] != value and COMMON not in OPTIONS[name].groups:
            raise InvalidInput(
                f"profile: {selected!r} and {variable} contain different values for {name}.",
                next_step=f"Unset {variable}, or give {name} in the task.",
                option="profile",
            )


def _silent(text: str) -> None:
    del text


def this_run() -> str:
    """Return what tells this run of a playbook from every other: the process that forks the tasks, and its start."""
    import multiprocessing  # modules do not come here

    parent = multiprocessing.parent_process()
    number = os.getpid() if parent is None else parent.pid
    return f"{number} {_start(number)}"


@functools.lru_cache(maxsize=4)
def _start(number: int | None) -> str:
    """Return when a process was started, in the kernel's own unit; empty if the system does not tell."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as handle:
            return handle.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


class Task:
    """One run of an operation. ``warn`` shows a warning, ``tell`` shows progress where Ansible allows it.

    ``runner`` is ``module``, ``worker`` or ``lookup`` and becomes part of the User-Agent. ``clients`` are those that
    the operations of a task with many of them share; None if each makes its own. ``shared_lock`` is the lock of all
    controllers for creates; None if they need none. ``sends`` has the SHA-256 (hex) of each content that is sent, by
    container and object: check mode records them, and a run sends nothing else; None if contents are not bound.
    ``expects_new`` says that a plan of this run has not found the object: if a create looks for it under its lock, or
    the service refuses to replace anything, it is not looked for before. ``planned_objects`` are what earlier tasks of
    a run in check mode would create; None outside of such a run. ``knows_last_apply``: what only a create uses is
    compared with what was last sent. ``begun`` names the changes that were begun, as far as
    a defect may leave it open what became of them.
    """

    clients: SharedClients | None = None
    planned_objects: PlannedObjects | None = None
    expects_new = False
    knows_last_apply = False
    sends: dict[str, str] | None = None
    shared_lock: SharedLock | None = None

    def __init__(
        self,
        settings: Settings,
        *,
        check_mode: bool = False,
        clock: Clock | None = None,
        warn: t.Callable[[str], None] = _silent,
        tell: t.Callable[[str], None] = _silent,
        runner: str = "module",
    ) -> None:
        self.settings = settings
        self.check_mode = check_mode
        self.clock = clock or Clock()
        self.runner = runner
        self.begun: set[str] = set()
        self.redactor = redactor = Redactor(settings.secrets())
        self.warn: t.Callable[[str], None] = lambda text: warn(visible(redactor.text(text)))
        self.tell: t.Callable[[str], None] = lambda text: tell(visible(redactor.text(text)))
        self.deadline = Deadline(self.clock, settings["task_timeout"], "task")

    @property
    def play(self) -> str:
        """What tells this run of a playbook from every other; empty in a module that was not told."""
        return os.environ.get(PLAY_VARIABLE, "") if self.runner == "module" else this_run()

    @property
    def state_dir(self) -> str:
        """The user's own folder for tokens, locks, notes and compiled contracts."""
        return t.cast("str", self.settings["state_dir"])

    def account(self, option: str) -> tuple[str, str]:
        """Return service and user for keys of locks and notes, the same for all spellings of the address and the user.

        ``option`` is the one with the address of the service.
        """
        return normalized(str(self.settings[option])), self.settings.login(option).strip().casefold()

    def refuse_missing(self, error: FcdError) -> None:
        """Raise that something is missing; warn in check mode where it is unknown what earlier tasks would create."""
        if not self.check_mode or self.planned_objects is not None:
            raise error

        self.warn(f"{error.message} {UNLESS_CREATED}")

    def change_lock(self, what: str, *identity: object) -> t.ContextManager[None]:
        """Return a context in which no other task of this host changes the object. Entering it may raise Busy.

        An update that sends values which were read reads them in it. ``what`` names the object in messages, and
        ``identity`` is the same in all tasks that change it: the service, the kind and a number or a name.
        """
        wait = self.deadline.within(LOCK_TIMEOUT, "wait for the lock")
        return file_lock(os.path.join(self.state_dir, "changes"), digest(*identity), wait, what=what)


Params = t.Mapping[str, t.Any]
Result = t.Dict[str, t.Any]


NO_RULES: t.Mapping[str, object] = {}


class ManagedObject(t.NamedTuple):
    """The kind of object that an operation brings to its state, and the member of its result that shows it, or them."""

    kind: str
    member: str


class Operation(t.NamedTuple):
    """``options`` is the argument specification of the module's own options; connection options come from ``services``.

    ``run`` gets the task and the validated options and returns a result of plain data that includes ``changed``; it
    raises FcdError. ``rules`` are the further conditions of an argument specification (``required_if``,
    ``mutually_exclusive``, ``required_together``, ``required_one_of``, ``required_by``). ``returns_secrets`` says that
    the result itself is secret, or decides by looking at it: the action plugin hides such a result from every event,
    and it stays usable when registered. ``fields`` are those of an object that it brings to its state, ``members``
    names all members that are returned of an existing one; both are empty if they depend on the service. ``manages``
    says what it is; None if later tasks of a run in check mode have nothing to know. ``check`` raises InvalidInput for
    wrong values that show without asking the service: ``run`` does that first, and validating a site does nothing else.
    """

    name: str
    services: tuple[str, ...]
    options: OptionSpecs
    run: t.Callable[[Task, Params], Result]
    rules: t.Mapping[str, t.Any] = NO_RULES
    returns_secrets: bool | t.Callable[[Result], bool] = False
    fields: t.Sequence[Field] = ()
    members: tuple[str, ...] = ()
    manages: ManagedObject | None = None
    check: t.Callable[[Params], object] | None = None


STATE: OptionSpecs = {"state": {"type": "str", "choices": ["present", "absent"], "default": "present"}}
WAIT_OPTIONS: OptionSpecs = {
    "wait": {"type": "bool", "default": True},
    "wait_timeout": {"type": SECONDS, "default": 2700},
}
CREATE_OPTIONS: OptionSpecs = {
    "create_grace": {"type": SECONDS, "default": 30},
    "force_create": {"type": "bool", "default": False},
}


def non_null_options(params: Params, names: t.Iterable[str]) -> dict[str, t.Any]:
    """Return the options that the user gave, by name."""
    return {name: params[name] for name in names if params.get(name) is not None}


def result_of(key: str, outcome: Outcome) -> Result:
    """Return the result of a module that brought one object to its state."""
    return {
        "changed": outcome.changed,
        key: outcome.record,
        "action": outcome.action or "none",
        "diff": outcome.diff,
        **({"forced_by": list(outcome.forced_by)} if outcome.forced_by else {}),
    }


# ---------------------------------------------------------------- how a task sends its requests

VERSION = "1.0.0"
MEANT = {
    "base_url": "the address of the infrastructure interface, such as https://api.example.com/beta",
    "auth_url": "the address of the identity server, without the path of the token endpoint",
    "soap_url": "the address of the SOAP service itself",
    "soap_wsdl": "the address of the WSDL",
    "storage_base": "the host address of the object storage, without a path",
}
UNCHECKED = (
    "validate_certs is false: certificates are not checked, so anyone on the network path can read and change what is "
    "sent, including the credentials. Set ca_path to the authority of the service instead."
)
A_DAY = 86400.0  # seconds after which a file belongs to a run that is over


def preload_client(*, library: bool = True) -> None:
    """Do slow work in advance, in a process whose forks will send requests; without the library if few need it."""
    from .._http import requests_adapter, standard_adapter  # noqa: F401 - this one stays in sys.modules

    this_run()  # it remembers when this process was started
    if library:
        requests_adapter.preload_requests()
    _new_context()


def exchange(task: Task, *, direct: bool = False, reads_only: bool = False) -> Exchange:
    """Return what sends the requests of this task; ``direct`` uses http.client, which costs less.

    With ``reads_only``, a request that would change something is a defect of the caller, and is not sent. Raises
    InvalidInput if the CA file is not one.
    """
    settings = task.settings
    path: str | None = settings["ca_path"]
    verify: bool | str = settings["validate_certs"] and (True if path is None else path)
    if settings["allow_plain_http"] or verify is not True:
        _check_transport(task, verify)
    sources = [AddressSource(name, settings[name], meant) for name, meant in MEANT.items() if settings[name]]
    return Exchange(
        ExchangeOptions(
            verify=verify,
            timeout=settings["timeout"],
            retries=settings["retries"],
            deadline=task.deadline,
            clock=task.clock,
            user_agent=f"fcd.cloud/{VERSION} ({task.runner})",
            warn=task.warn,
            redactor=task.redactor,
            allow_plain_http=settings["allow_plain_http"],
            sources=sources,
            direct=direct,
            shared=_shared_retries(task, sources),
            begin=_refuse_change if reads_only else task.begun.add,
        )
    )


def _refuse_change(operation: str) -> t.NoReturn:
    raise AssertionError(f"{operation} is not sent while planning")


def _check_transport(task: Task, verify: bool | str) -> None:
    """Warn of settings that let others read or change what is sent, unless a task of this run has done so.

    ``verify`` is False, True or a file of authorities. Raises InvalidInput if it is not one.
    """
    for text in _dangers(task):
        if _is_first(task, text):
            task.warn(text)
    if isinstance(verify, str):
        try:
            with open_regular(verify) as handle:
                status = os.fstat(handle.fileno())
        except OSError as exc:
            raise _wrong(verify, f"cannot be read ({exc.strerror})") from None
        try:
            _load_authorities(verify, status.st_mtime_ns, status.st_size)
        except (OSError, ValueError):
            raise _wrong(verify, "holds no certificates in PEM form") from None


@functools.lru_cache(maxsize=8)
def _load_authorities(path: str, _changed: int, _size: int) -> None:
    """Try whether the file holds certificates, once until it changes. Raises OSError, ValueError."""
    _new_context().load_verify_locations(cafile=path)


@functools.lru_cache(maxsize=1)
def _new_context() -> ssl.SSLContext:
    """Return the context that files are tried with, and no connection uses; creating one takes 2 ms."""
    import ssl

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _wrong(path: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"ca_path: {path} {problem}.",
        next_step="Give a file with the certificates of the authorities (-----BEGIN CERTIFICATE-----).",
        option="ca_path",
    )


def _dangers(task: Task) -> t.Iterator[str]:
    if not task.settings["validate_certs"]:
        yield UNCHECKED
    for name in (*ADDRESS_OPTIONS, "soap_wsdl") if task.settings["allow_plain_http"] else ():
        parts = urlsplit(task.settings[name] or "")
        if parts.scheme.lower() == "http" and not is_loopback(parts.hostname or ""):
            yield (
                f"{name} starts with http://, which allow_plain_http allows: anyone on the path to {parts.hostname} "
                "can read and change everything that is sent, including the credentials."
            )


def _is_first(task: Task, text: str) -> bool:
    """Record that this is said, and return whether it is new; if that cannot be recorded, it is said again.

    Each task of a run is a process of its own: empty files, named after run and warning, are the record.
    """
    folder = os.path.join(task.state_dir, "warned")
    path = os.path.join(folder, digest(task.play or os.getpid(), text))
    try:
        private_folder(folder)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, PRIVATE_MODE))
    except FileExistsError:
        return False
    except (FcdError, OSError):
        return True
    remove_older(folder, time.time() - A_DAY)
    return True


def _shared_retries(task: Task, sources: AddressSources) -> SharedRetries | None:
    """Return the budget of all tasks of the play, or of all of the user's tasks if the play is not known."""
    capacity, play = task.settings["retry_budget"], task.play
    if not capacity:
        return None

    def file(url: str) -> str:
        source = source_of(url, sources)
        option = source.option if source else ""
        account = task.settings["storage_user" if option == "storage_base" else "username"]
        return os.path.join(task.state_dir, "retries", digest(play, option, origin(url), account))

    return SharedRetries(capacity, file, "this play" if play else "this user", task.tell)


_Client = t.TypeVar("_Client")
Make = t.Callable[..., _Client]
"""Makes a client for a task; what sends its requests may be given too."""


class SharedClients:
    """Gives out one client for each service; it is created, and its settings are checked, when it is first needed."""

    def __init__(self, task: Task) -> None:
        self._task = copy.copy(task)
        self._task.clients = None  # the clients themselves are made as for a task that shares none
        self._lock = threading.RLock()
        self._clients: dict[str, object] = {}

    def of(self, service: str, make: Make[_Client]) -> _Client:
        """Return the client of a service, or what ``make`` makes for it. Raises what ``make`` does."""
        with self._lock:
            if service not in self._clients:
                self._clients[service] = self.make(service, make)
            return t.cast("_Client", self._clients[service])

    def make(self, service: str, make: Make[_Client]) -> _Client:
        """Return a new client."""
        del service
        return make(self._task)
