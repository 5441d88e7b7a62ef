# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``fcd-sandbox``: start the service, run something against it, look into it, end it.

It is a program of its own, which talks to the sandbox by its control address.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .process import SandboxProcess

INFO = "FCD_SANDBOX_INFO"
"""The environment variable that names the file with the addresses of a running sandbox."""
DEFAULT_INFO = ".fcd-sandbox.json"
SHOWN = ("state", "requests", "counts", "faults", "settings", "violations")
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ADVICE = "use it with: fcd-sandbox env; end it with: fcd-sandbox stop; or start another one with another --info FILE"
NEVER_STRUCK = 3
"""Exit status of ``run`` when the command ended well, but was not tested with every fault that was ordered."""


class Mistake(Exception):
    """What the user must change, in one line."""


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; 2 when that cannot be done."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.do(options) or 0)
    except (Mistake, OSError, RuntimeError, ValueError) as error:
        print(f"fcd-sandbox: {error}", file=sys.stderr)
        return 2


def run(options: argparse.Namespace) -> int:
    """Start, run a command with the environment of the sandbox, and end; returns the status of the command."""
    if not options.command:
        raise Mistake("say what to run, such as: fcd-sandbox run -- ansible-playbook site.yml")
    with _prepared(options) as sandbox:
        info_file = Path(sandbox.info["work"], "info.json")
        _write_private(info_file, json.dumps(sandbox.info))
        status = _run(options.command, {**_without_account(), **_environment(sandbox.info, info_file)})
        counts = sandbox.counts()
        idle = [fault for fault in sandbox.faults() if not fault["used"]]
        print(
            f"fcd-sandbox: {counts['total']} requests, {counts['writes']} of them to change something", file=sys.stderr
        )
        for fault in idle:
            print(f"fcd-sandbox: this fault struck no request: {_in_words(fault)}", file=sys.stderr)
    return status or (NEVER_STRUCK if idle else 0)


def start(options: argparse.Namespace) -> None:
    """Start, order the faults, print the environment, and leave it running, or wait for the end of this process."""
    if options.info.exists():
        with contextlib.suppress(Mistake):
            _running(options.info)
            raise ValueError(f"a sandbox runs already, see {options.info}; {ADVICE}")
    with _prepared(options, "--info", str(options.info.resolve()), stays=not options.foreground) as sandbox:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # so that none gets lost before it is waited for
        print(_formatted(sandbox.info, options), flush=True)
        if options.foreground:
            signal.sigwait(ENDING)


def stop(options: argparse.Namespace) -> None:
    """End a sandbox that was started, and wait until it is gone."""
    sandbox = _running(options.info)
    os.kill(sandbox.info["pid"], signal.SIGTERM)
    while True:
        time.sleep(0.05)
        try:
            _running(options.info)
        except Mistake:
            return


def env(options: argparse.Namespace) -> None:
    """Print the environment of a running sandbox."""
    print(_formatted(_running(options.info).info, options))


def show(options: argparse.Namespace) -> None:
    """Print what a running sandbox knows, as JSON."""
    print(json.dumps(_running(options.info).control("GET", options.what), indent=2))


def fault(options: argparse.Namespace) -> None:
    """Order faults from a running sandbox."""
    sandbox = _running(options.info)
    if options.clear:
        sandbox.clear_faults()
    _order(sandbox, options)


def reset(options: argparse.Namespace) -> None:
    """Put objects, settings, faults and the log of a running sandbox back to the start."""
    _running(options.info).reset()


@contextlib.contextmanager
def _prepared(options: argparse.Namespace, *more: str, stays: bool = False) -> Iterator[SandboxProcess]:
    """A sandbox with the faults that were ordered; it ends with the block, or, if it stays, when the block fails."""
    sandbox = SandboxProcess(*_passed_on(options), *more, timeout=options.wait, stays=stays)
    sandbox.start()
    try:
        sys.stderr.write(sandbox.errors())
        _write_private(Path(sandbox.info["work"], "cloud.yml"), _profile(sandbox.info))
        _order(sandbox, options)
        yield sandbox
    except BaseException:
        sandbox.stop()
        raise
    if not stays:
        sandbox.stop()


def _passed_on(options: argparse.Namespace) -> list[str]:
    """The options that the sandbox itself takes."""
    names = ("preset", "ticket_seconds", "port_base", "credentials", "idle_exit")
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    single = [part for name, value in given.items() for part in ("--" + name.replace("_", "-"), value)]
    return [*single, *(part for limit in options.storage_limit for part in ("--storage-limit", limit))]


def _running(info_file: Path) -> SandboxProcess:
    """The sandbox of a file that was written at its start."""
    try:
        info = json.loads(info_file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Mistake(f"no sandbox runs: there is no {info_file}. Start one with: fcd-sandbox start") from None
    sandbox = SandboxProcess()
    sandbox.info = info
    try:
        answer = sandbox.control("GET", "info")
    except (OSError, ValueError):
        answer = None
    if answer != info:
        raise Mistake(f"the sandbox of {info_file} has ended. Start another one with: fcd-sandbox start")
    return sandbox


def _order(sandbox: SandboxProcess, options: argparse.Namespace) -> None:
    wishes = [_wish(text) for text in options.fault]
    for file in options.faults:
        wishes += _wishes_of(file)
    for wish in wishes:
        sandbox.control("POST", "faults", wish)


def _wish(text: str) -> dict[str, Any]:
    """A fault from ``drop_after service=rest method=POST times=2``; values are read as YAML."""
    import yaml

    name, *filters = shlex.split(text) or [""]
    pairs = [part.partition("=") for part in filters]
    wrong = [pair[0] for pair in pairs if not pair[1]]
    if wrong:
        raise Mistake(f"fault {text!r}: write {wrong[0]} as NAME=VALUE")
    return {"fault": name, **{key: yaml.safe_load(value) for key, _equals, value in pairs}}


def _wishes_of(file: Path) -> list[dict[str, Any]]:
    """A list of faults from a file of YAML or JSON."""
    import yaml

    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise Mistake(f"{file}: {' '.join(str(error).split())}") from None
    if not isinstance(found, list) or not all(isinstance(wish, dict) for wish in found):
        raise Mistake(
            f"{file}: a list of faults is expected, each with the members that the README of the sandbox names"
        )
    return found


def _in_words(shown: dict[str, Any]) -> str:
    members = ("service", "method", "path", "operation", "write", "skip")
    given = [f"{name}={str(shown[name]).strip('^$')}" for name in members if shown.get(name)]
    return " ".join([shown["fault"], *given])


def _without_account() -> dict[str, str]:
    """The environment, with nothing that could lead a task to a real account."""
    return {name: value for name, value in os.environ.items() if not name.startswith("FCD_")}


def _environment(info: dict[str, Any], info_file: Path) -> dict[str, str]:
    """The variables of the sandbox, with a profile file and a folder for state of its own."""
    work = Path(info["work"])
    return {
        **info["environment"],
        "FCD_PROFILE": "default",
        "FCD_CONFIG_FILE": str(work / "cloud.yml"),
        "FCD_STATE_DIR": str(work / "state"),
        INFO: str(info_file.resolve()),
    }


def _profile(info: dict[str, Any]) -> str:
    options = {name.removeprefix("FCD_").lower(): value for name, value in info["environment"].items()}
    return json.dumps({"default": options}, indent=2) + "\n"


def _formatted(info: dict[str, Any], options: argparse.Namespace) -> str:
    if options.format == "profile":
        return _profile(info).rstrip()
    variables = _environment(info, options.info)
    if options.format == "json":
        return json.dumps(variables, indent=2)
    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items())


def _run(command: list[str], environment: dict[str, str]) -> int:
    """Run a command to its end, also when this process is told to end; returns its status as a shell does."""
    try:
        process = subprocess.Popen(command, env=environment)
    except OSError as error:
        print(f"fcd-sandbox: cannot run {command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    signal.signal(signal.SIGINT, lambda _number, _frame: None)  # the terminal tells the command, too
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: process.send_signal(number))
    status = process.wait()
    return status if status >= 0 else 128 - status


def _write_private(path: Path, text: str) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("fcd-sandbox", description="A simulation of the FCD cloud on 127.0.0.1.")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    for function, words in (
        (run, "run a command against a new sandbox, and end it; status 3 if a fault struck no request"),
        (start, "start a sandbox that stays, and print the environment for its clients"),
        (stop, "end it"),
        (env, "print its environment again"),
        (show, "print what it knows"),
        (fault, "order faults from it"),
        (reset, "put it back to its start"),
    ):
        action = actions.add_parser(function.__name__, help=words, description=function.__doc__)
        action.set_defaults(do=function)
        for add in ARGUMENTS[function.__name__]:
            add(action)
    return parser


def _starting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", metavar="NAME", help="hard (default), friendly, older or random:SEED")
    parser.add_argument("--ticket-seconds", metavar="F", help="how long an operation takes (default: 0.3)")
    parser.add_argument("--port-base", metavar="N", help="listen on N to N+4 instead of free ports")
    parser.add_argument("--credentials", metavar="FILE", help="JSON object with other log-in data")
    parser.add_argument("--idle-exit", metavar="S", help="end after S seconds without a request")
    parser.add_argument("--storage-limit", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument(
        "--wait", type=float, default=60.0, metavar="S", help="seconds until it must be ready (default: 60)"
    )


def _ordering(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fault", action="append", default=[], metavar="FAULT", help="such as 'drop_after service=rest method=POST'"
    )
    parser.add_argument("--faults", action="append", default=[], type=Path, metavar="FILE", help="YAML list of faults")


def _reaching(parser: argparse.ArgumentParser) -> None:
    place = Path(os.environ.get(INFO) or DEFAULT_INFO)
    words = f"file with the addresses of the sandbox (default: {INFO}, else {DEFAULT_INFO})"
    parser.add_argument("--info", type=Path, default=place, metavar="FILE", help=words)


def _printing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("shell", "json", "profile"), default="shell")


ARGUMENTS = {
    "run": (_starting, _ordering, lambda parser: parser.add_argument("command", nargs="*", metavar="COMMAND")),
    "start": (
        _starting,
        _ordering,
        _reaching,
        _printing,
        lambda parser: parser.add_argument("--foreground", action="store_true", help="end it with Ctrl+C"),
    ),
    "stop": (_reaching,),
    "env": (_reaching, _printing),
    "show": (_reaching, lambda parser: parser.add_argument("what", choices=SHOWN)),
    "fault": (
        _reaching,
        _ordering,
        lambda parser: parser.add_argument("--clear", action="store_true", help="first clear those that are ordered"),
    ),
    "reset": (_reaching,),
}


if __name__ == "__main__":
    sys.exit(main())
