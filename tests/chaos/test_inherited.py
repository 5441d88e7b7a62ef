# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a process inherits is an input: tasks do the same under any of it, and what they keep is private."""

from __future__ import annotations

import codecs
import os
import resource
import signal
import stat
import subprocess
import time
import typing as t
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from chaos import playbook_run, task_process
from chaos.kinds import KINDS
from chaos.storage_view import View
from chaos.workplace import Workplace

Tasks = t.Sequence[t.Tuple[str, task_process.Args]]


def _zone(name: str) -> t.Callable[[], None]:
    def set_zone() -> None:
        os.environ["TZ"] = name
        time.tzset()

    return set_zone


def _in_a_folder_that_is_gone() -> None:
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir(os.path.abspath("."))


def _ignore_signals() -> None:
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)


INHERITED: dict[str, t.Sequence[t.Callable[[], object]]] = {
    "as a service": (
        lambda: os.umask(0),
        lambda: os.closerange(0, 3),
        _ignore_signals,
        _zone("<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"),
    ),
    "with little": (
        lambda: os.umask(0o177),
        lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
        _in_a_folder_that_is_gone,
        _zone(":No/Where"),
    ),
}


def _perform(answer: Connection, folder: str, what: str, tasks: Tasks, environment: dict[str, str]) -> None:
    os.environ.update(environment)
    codecs.lookup("ascii")  # of the way that a task is measured here
    os.chdir(folder)
    for inherit in INHERITED[what]:
        inherit()
    answer.send([task_process.run(module, args, check_mode=False).result for module, args in tasks])


@pytest.mark.parametrize("what", INHERITED)
def test_tasks_do_the_same(place: Workplace, tmp_path: Path, what: str) -> None:
    view = View(place.sandbox)
    view.ask("PUT", "/crates", b"")
    for number in range(12):
        view.ask("PUT", f"/crates/folder/{number}", b"content")
    tasks = [
        ("storage_sync", {"mode": "pull", "container": "crates", "path": str(tmp_path / "files")}),
        (
            "storage_object",
            {"container": "crates", "name": "expiring", "content": "x", "expires_at": "2035-06-01T12:00:00Z"},
        ),
        ("private_network", {"name": "inherited"}),
        ("warehouse", KINDS["warehouse"].args("inherited")),
    ]
    context = task_process.context()
    answer, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_perform, args=(theirs, str(tmp_path), what, tasks, place.environment))
    child.start()
    theirs.close()
    results = answer.recv()
    child.join()
    assert [(result.get("msg"), result["changed"]) for result in results] == [(None, True)] * len(tasks)
    assert len(list((tmp_path / "files" / "folder").iterdir())) == 12
    assert results[1]["object"]["expires_at"] == "2035-06-01T12:00:00Z"
    kept = [place.state_dir, *place.state_dir.rglob("*")]
    modes = (
        {stat.S_IMODE(one.stat().st_mode) for one in kept if one.is_file()},
        {stat.S_IMODE(one.stat().st_mode) for one in kept if one.is_dir()},
    )
    assert modes == ({0o600}, {0o700}), [(str(one), oct(one.stat().st_mode)) for one in kept]


# ---------------------------------------------------------------- where a playbook writes its lines

UNWRITABLE = {"closed": ">&-", "full": ">/dev/full"}
SITE = """
site: web-shop
registry: {path: registry.json}
private_networks: [{name: shop-lan}]
"""
PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - fcd.cloud.site: {src: site.yml, show_plan: true}
    - ansible.builtin.file: {path: "{{ playbook_dir }}/afterwards", state: directory}
"""


@pytest.mark.parametrize("output", UNWRITABLE)
def test_a_run_goes_on_where_nobody_can_read_its_lines(place: Workplace, tmp_path: Path, output: str) -> None:
    """Ansible itself passes over what its callbacks cannot write, but an unwritten line of a task would stop it."""
    (tmp_path / "site.yml").write_text(SITE, encoding="utf-8")
    (tmp_path / "play.yml").write_text(PLAY, encoding="utf-8")
    command = f"exec {playbook_run.PROGRAM} play.yml {UNWRITABLE[output]}"
    environment = {**playbook_run.environment_of_ansible(place, place.home), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            _nothing, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert (tmp_path / "afterwards").is_dir(), errors
