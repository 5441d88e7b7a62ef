# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that calls a hostile service the whole way, from settings to result, and measures what it takes.

Run as a script it does one job for each line of standard input; ``Victim`` starts it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import typing as t

PASSWORD = "canary-żółw-7"
USER = "jan"
MEBIBYTE = 1 << 20


class Ended(t.NamedTuple):
    """What became of a job: the class of the error or the result, its words, the most memory and the work it added."""

    kind: str
    message: str
    mebibytes: int
    seconds: float
    """Of a processor: how long it takes is up to the load of the host."""


class Victim:
    """The process; it can only be asked one thing after the other."""

    def __init__(self, home: str) -> None:
        unset = ("FCD_", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**kept, "HOME": home, "PYTHONPATH": os.pathsep.join(sys.path), "MALLOC_ARENA_MAX": "1"},
        )

    def do(self, operation: str, values: t.Mapping[str, t.Any], **settings: t.Any) -> Ended:
        """Call an operation with these connection settings."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        given = {"username": USER, "password": PASSWORD, "retries": 0, "timeout": 60, **settings}
        json.dump({"operation": operation, "values": values, "settings": given}, self._process.stdin)
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return Ended(*json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        self._process.communicate(timeout=30)


def memory(name: str) -> int:
    """A figure of this process in MiB: VmRSS is the memory in use, VmHWM the most since ``forget``."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) >> 10


def forget() -> None:
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def done(job: dict[str, t.Any]) -> tuple[str, str]:
    from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
    from ansible_collections.fcd.cloud.plugins.module_utils._contract.connection import common_fcd
    from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError

    try:
        task = Task(Settings.resolve(job["settings"], ("soap",)))
        result = common_fcd(task).call(job["operation"], **job["values"])
    except FcdError as error:
        return type(error).__name__, str(error)
    return type(result).__name__, repr(result)[:200]


def main() -> None:
    import lxml.etree  # noqa: F401 - what is imported is not part of what an answer costs
    import requests  # noqa: F401
    import zeep.wsdl  # noqa: F401

    for line in sys.stdin:
        pid = os.fork()  # each job finds the memory as it was at the start
        if pid == 0:
            report(json.loads(line))
            os._exit(0)
        os.waitpid(pid, 0)


def report(job: dict[str, t.Any]) -> None:
    forget()
    before, start = memory("VmRSS"), time.process_time()
    kind, message = done(job)
    print(json.dumps((kind, message, memory("VmHWM") - before, time.process_time() - start)), flush=True)


if __name__ == "__main__":
    main()
