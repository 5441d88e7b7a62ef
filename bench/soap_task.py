# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a warm SOAP call costs a process, against a process that posts the same bytes with requests.

Run it with the Python that has the collection's libraries::

    python bench/soap_task.py [--rounds 15] [--info FILE of a running sandbox]

Processes take turns: one that does nothing (empty), one that imports requests and posts (bare), one that imports the
SOAP client, loads the compiled contract and calls (ours), and the same with our code in a zip file, compiled anew each
time as in a module that Ansible has packed (packed). Printed are the least wall and processor times in milliseconds,
and the ratios to bare, whole and beyond what an empty process costs. On a busy machine only the processor times count.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from typing import Any

import figures

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = "ansible_collections.fcd.cloud.plugins.module_utils"

EMPTY = "pass"
BARE = """
import json, sys
import requests
told = json.load(open(sys.argv[1]))
with open(told["body"], "rb") as handle:
    body = handle.read()
answer = requests.post(told["url"], data=body, headers=told["headers"], auth=tuple(told["auth"]), **told["more"])
assert answer.status_code == 200 and b"false" in answer.content
"""
OURS = f"""
import json, sys
from {PACKAGE}._contract.connection import common_fcd
from {PACKAGE}._connection.task import Settings, Task
told = json.load(open(sys.argv[1]))
task = Task(Settings.resolve({{"state_dir": told["state_dir"]}}, ("soap",)))
key = {{"partner_id": 1, "template_id": 2, "data_store_number": "3"}}
assert common_fcd(task).is_true("WarehouseExists", **key) is False
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
    exchange = __import__(f"{PACKAGE}._http.client", fromlist=["Exchange"])
    session = __import__(f"{PACKAGE}._contract.connection", fromlist=["common_fcd"])
    tasks = __import__(f"{PACKAGE}._connection.task", fromlist=["Settings", "Task"])
    original = exchange.Exchange.send

    def noted(self: Any, request: Any, credentials: Any = None) -> Any:
        sent.update(url=request.url, headers=dict(request.headers), auth=request.basic, body=request.body)
        return original(self, request, credentials)

    exchange.Exchange.send = noted
    task = tasks.Task(tasks.Settings.resolve({"state_dir": os.path.join(folder, "state")}, ("soap",)))
    key = {"partner_id": 1, "template_id": 2, "data_store_number": "3"}
    assert session.common_fcd(task).is_true("WarehouseExists", **key) is False
    exchange.Exchange.send = original
    body = os.path.join(folder, "body.xml")
    with open(body, "wb") as binary:
        binary.write(sent["body"])
    more = {"verify": ready["ca_path"], "timeout": 60}
    told = {**sent, "body": body, "more": more, "state_dir": os.path.join(folder, "state")}
    path = os.path.join(folder, "told.json")
    with open(path, "w", encoding="utf-8") as handle:
        json.dump(told, handle)
    return path


def packed(folder: str) -> str:
    """The collection's module_utils in a zip file, as Ansible packs them."""
    path = os.path.join(folder, "packed.zip")
    source = os.path.join(ROOT, "plugins", "module_utils")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for place in ("", "fcd/", "fcd/cloud/", "fcd/cloud/plugins/"):
            archive.writestr(f"ansible_collections/{place}__init__.py", "")
        for parent, _folders, names in os.walk(source):
            for name in (name for name in names if name.endswith(".py")):
                inside = os.path.relpath(os.path.join(parent, name), ROOT)
                archive.write(os.path.join(parent, name), f"ansible_collections/fcd/cloud/{inside}")
    return path


def milliseconds(code: str, told: str, path: str) -> tuple[float, float]:
    """Wall time and processor time of a process."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code, told], check=True, env={**os.environ, "PYTHONPATH": path})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return (time.perf_counter() - start) * 1000, spent * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description="What a warm SOAP call costs a process.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--info")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sandbox(arguments.info, folder) as ready:
        tree = os.path.join(folder, "tree")
        os.makedirs(os.path.join(tree, "ansible_collections", "fcd"))
        os.symlink(ROOT, os.path.join(tree, "ansible_collections", "fcd", "cloud"))
        os.environ.update(ready["environment"], PYTHONPYCACHEPREFIX=os.path.join(folder, "compiled"))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.path.insert(0, tree)
        told = prepared(ready, folder)
        variants = {
            "empty": (EMPTY, tree),
            "bare": (BARE, tree),
            "ours": (OURS, tree),
            "packed": (OURS, packed(folder)),
        }
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in variants}
        for turn in range(arguments.rounds + 1):
            for name, (code, path) in variants.items():
                spent = milliseconds(code, told, path)
                if turn:  # the first round only fills the caches
                    times[name].append(spent)
    report(times)


def report(times: dict[str, list[tuple[float, float]]]) -> None:
    """Print the figures beside the goals; nothing fails on them."""
    wall = {name: min(value for value, _cpu in values) for name, values in times.items()}
    processor = {name: min(value for _wall, value in values) for name, values in times.items()}
    for name in times:
        print(f"{name:6} wall {wall[name]:6.1f} ms   processor {processor[name]:6.1f} ms")
        who = {"ours": "ours", "packed": "ours, packed"}.get(name, f"{name} process")
        figures.note("one SOAP call by a process", who, seconds=wall[name] / 1000, busy=processor[name] / 1000)
    for name in ("ours", "packed"):
        for title, times_of in (("wall", wall), ("processor", processor)):
            whole, beyond = ratios(times_of, name)
            print(f"{name} / bare, {title}: {whole:.2f} whole, {beyond:.2f} beyond an empty process")
    print("goals, processor: ours <= 1.25 beyond an empty process, packed <= 1.35 whole")


def ratios(times: dict[str, float], name: str) -> tuple[float, float]:
    return times[name] / times["bare"], (times[name] - times["empty"]) / (times["bare"] - times["empty"])


if __name__ == "__main__":
    main()
