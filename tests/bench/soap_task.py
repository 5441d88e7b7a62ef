# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a warm SOAP call costs a process, against a process that posts the same bytes with requests.

Run it with the Python that has the collection's libraries::

    python tests/bench/soap_task.py [--rounds 15] [--info FILE of a running sandbox]

Three processes take turns: one that does nothing, one that imports requests and posts, one that imports the SOAP client,
loads the compiled contract and calls. Printed are the least and the middle of the wall times in milliseconds, and the ratio
of the last two, whole and beyond what an empty process costs. The whole ratio has to be at most 1.35, the other 1.25.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = "ansible_collections.fcd.cloud.plugins.module_utils"

EMPTY = "pass"
BARE = """
import json, sys
import requests
told = json.load(open(sys.argv[1]))
with open(told["body"], "rb") as handle:
    body = handle.read()
answer = requests.post(told["url"], data=body, headers=told["headers"], auth=tuple(told["auth"]), verify=told["ca_path"], timeout=60)
assert answer.status_code == 200 and b"false" in answer.content
"""
OURS = f"""
import json, sys
from {PACKAGE}._session.common_fcd import common_fcd
from {PACKAGE}._session.settings import Settings
from {PACKAGE}._session.task import Task
told = json.load(open(sys.argv[1]))
task = Task(Settings.resolve({{"state_dir": told["state_dir"]}}, ("soap",)))
assert common_fcd(task).warehouse_exists(1, 2, "3") is False
assert "zeep" not in sys.modules and "lxml" not in sys.modules
"""


@contextlib.contextmanager
def sandbox(info: str | None, folder: str) -> Iterator[dict[str, Any]]:
    """The ready document of a sandbox: the one that runs, or one of our own."""
    if info:
        with open(info, encoding="utf-8") as handle:
            yield json.load(handle)
        return
    path = os.path.join(folder, "info.json")
    command = [sys.executable, os.path.join(ROOT, "tests", "sandbox"), "--info", path, "--parent-pid", str(os.getpid())]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while not os.path.exists(path) and process.poll() is None:
            time.sleep(0.05)
        with open(path, encoding="utf-8") as handle:
            yield json.load(handle)
    finally:
        process.terminate()
        process.wait()


def prepared(ready: dict[str, Any], folder: str) -> str:
    """Compile the contract, note the bytes of one call, and return the path of what the processes need to know."""
    sent: dict[str, Any] = {}
    exchange = __import__(f"{PACKAGE}._transport.exchange", fromlist=["Exchange"])
    session = __import__(f"{PACKAGE}._session.common_fcd", fromlist=["common_fcd"])
    settings = __import__(f"{PACKAGE}._session.settings", fromlist=["Settings"])
    tasks = __import__(f"{PACKAGE}._session.task", fromlist=["Task"])
    original = exchange.Exchange.send

    def noted(self: Any, request: Any, credentials: Any = None) -> Any:
        sent.update(url=request.url, headers=dict(request.headers), auth=request.basic, body=request.body)
        return original(self, request, credentials)

    exchange.Exchange.send = noted
    task = tasks.Task(settings.Settings.resolve({"state_dir": os.path.join(folder, "state")}, ("soap",)))
    assert session.common_fcd(task).warehouse_exists(1, 2, "3") is False
    exchange.Exchange.send = original
    body = os.path.join(folder, "body.xml")
    with open(body, "wb") as handle:
        handle.write(sent["body"])
    told = {**sent, "body": body, "ca_path": ready["ca_path"], "state_dir": os.path.join(folder, "state")}
    path = os.path.join(folder, "told.json")
    with open(path, "w", encoding="utf-8") as handle:
        json.dump(told, handle)
    return path


def milliseconds(code: str, told: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, told], check=True)
    return (time.perf_counter() - start) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description="What a warm SOAP call costs a process.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--info")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sandbox(arguments.info, folder) as ready:
        tree = os.path.join(folder, "tree", "ansible_collections", "fcd")
        os.makedirs(tree)
        os.symlink(ROOT, os.path.join(tree, "cloud"))
        os.environ.update(ready["environment"], PYTHONPATH=os.path.join(folder, "tree"))
        sys.path.insert(0, os.environ["PYTHONPATH"])
        told = prepared(ready, folder)
        times: dict[str, list[float]] = {"empty": [], "bare": [], "ours": []}
        for turn in range(arguments.rounds + 1):
            for name, code in (("empty", EMPTY), ("bare", BARE), ("ours", OURS)):
                spent = milliseconds(code, told)
                if turn:  # the first round only warms up
                    times[name].append(spent)
    return report(times)


def report(times: dict[str, list[float]]) -> int:
    least = {name: min(values) for name, values in times.items()}
    middle = {name: statistics.median(values) for name, values in times.items()}
    for name in times:
        print(f"{name:6} least {least[name]:7.1f} ms   middle {middle[name]:7.1f} ms")
    whole, beyond = ratios(least)
    print(f"ours / bare: {whole:.2f} whole, {beyond:.2f} beyond an empty process (by the least times)")
    whole, beyond = ratios(middle)
    print(f"ours / bare: {whole:.2f} whole, {beyond:.2f} beyond an empty process (by the middle ones)")
    return 0 if whole <= 1.35 and beyond <= 1.25 else 1


def ratios(times: dict[str, float]) -> tuple[float, float]:
    return times["ours"] / times["bare"], (times["ours"] - times["empty"]) / (times["bare"] - times["empty"])


if __name__ == "__main__":
    sys.exit(main())
