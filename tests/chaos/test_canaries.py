# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every secret holds an odd word. Playbooks run at -vvvvv, well and badly; then the words are looked for everywhere.

They may be in the token store, and in what this test itself hands over: the variables of the play, and the environment,
which ansible-runner copies into ``env/`` and ``artifacts/*/command`` whoever sets it. So a real run should be given its
secrets in files (reliability.md section 6). That they are found there shows that the search finds something.
"""

from __future__ import annotations

import json
import stat
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chaos import canaries, echoes
from chaos.command_lines import CommandLines
from chaos.kinds import CONTAINER, KINDS, Wish
from chaos.playbook_run import VARIABLES, WAYS, Played, TaskItem, play, task
from chaos.workplace import Workplace

NAME = "tenrec"
EVERYTHING = "-vvvvv --diff"
HANDED_OVER = {"env/envvars", "command", VARIABLES}
PLAY_VARIABLES = {
    "user_password": canaries.USER_PASSWORD,
    "other_password": canaries.OTHER_PASSWORD,
    "wrong_password": canaries.WRONG_PASSWORD,
    "wrong_key": canaries.WRONG_KEY,
    "national_id": canaries.PESEL,
}
MACHINE = KINDS["instance"].args(NAME)
DEPOT = KINDS["warehouse"].args(NAME)
THING = KINDS["storage_object"].args(NAME)
PERSON: Wish = {
    **KINDS["client_user"].args(NAME),
    "user_password": "{{ user_password }}",
    "pesel": "{{ national_id }}",
    "create_grace": 0.2,
}
READ: Wish = {"dictionary": "17"}


@dataclass
class Secrets:
    """All that must not be found, by name."""

    values: dict[str, str] = field(default_factory=dict)

    def learn(self, place: Workplace) -> None:
        """Add the tokens that were issued: those that requests bore, and those in the store."""
        for entry in place.sandbox.requests():
            headers = entry["headers"]
            scheme, _blank, proof = headers.get("Authorization", "").partition(" ")
            for kind, value in ((f"{scheme} header", proof), ("storage token", headers.get("X-Auth-Token", ""))):
                if value:
                    self.values[f"{kind} {value[-4:]}"] = value
        for value in _kept_tokens(place):
            self.values[f"kept token {value[-4:]}"] = value

    def told_by(self, content: bytes) -> set[str]:
        """Return the names of the secrets that the content tells."""
        return {name for name, value in self.values.items() if any(one in content for one in canaries.spellings(value))}


def _kept_tokens(place: Workplace) -> list[str]:
    """Return every token in the store, whatever its files look like: what is long and no address."""
    files = sorted((place.state_dir / "tokens").glob("*.json"))
    texts = [text for file in files for text in _texts(json.loads(file.read_text(encoding="utf-8")))]
    return [text for text in texts if len(text) >= canaries.PIECE_OF_TOKEN and "://" not in text]


def _texts(value: t.Any) -> t.Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)


@pytest.fixture
def secrets() -> Secrets:
    """What is known before anything runs."""
    own = {name: value for name, value in canaries.CREDENTIALS.items() if "secret" in name or "key" in name}
    return Secrets({**own, "password": canaries.CREDENTIALS["password"], **PLAY_VARIABLES})


def _play(place: Workplace, tasks: t.Sequence[TaskItem], folder: Path, way: str, cmdline: str = EVERYTHING) -> Played:
    temporary = place.home / "temporary"
    temporary.mkdir(exist_ok=True)
    own = {
        "TMPDIR": str(temporary),
        "ANSIBLE_LOG_PATH": str(place.home / "ansible.log"),
    }
    return play(place, tasks, folder, way=way, cmdline=cmdline, variables=PLAY_VARIABLES, environment=own)


def _require_hidden(place: Workplace, secrets: Secrets, lines: CommandLines, *runs: Played) -> None:
    """Search everything that the runs have left behind, and the command lines of all processes meanwhile."""
    secrets.learn(place)
    found: dict[str, set[str]] = {}
    for root in (place.home, *(run.folder for run in runs)):
        for file in root.rglob("*"):
            if file.is_file():
                found[str(file.relative_to(root))] = secrets.told_by(file.read_bytes())
    handed_over = {path for path in found if any(path.endswith(name) for name in HANDED_OVER)}
    kept = {path for path in found if path.startswith("state/tokens/")}
    leaks = {path: names for path, names in found.items() if names and path not in handed_over | kept}
    assert leaks == {}, _context(leaks, secrets, place, runs)
    assert all(found[path] for path in handed_over), "the search does not find what is there"
    assert all(found[path] for path in kept if path.endswith(".json")), "there is a token file without a known token"
    for run in runs:
        assert secrets.told_by(run.stdout.encode()) == set()
    assert {line for line in lines.seen if secrets.told_by(line)} == set()
    assert any(b"ansible-playbook" in line for line in lines.seen), "no process was seen"


def _context(leaks: t.Mapping[str, set[str]], secrets: Secrets, place: Workplace, runs: t.Sequence[Played]) -> str:
    """Return the surroundings of the first hit in each file, for whoever has to mend it."""
    shown = []
    for path, names in leaks.items():
        for root in (place.home, *(run.folder for run in runs)):
            content = (root / path).read_bytes() if (root / path).is_file() else b""
            places = [content.find(one) for name in names for one in canaries.spellings(secrets.values[name])]
            shown += [f"{path}: {content[max(0, at - 150) : at + 60]!r}" for at in places if at >= 0][:1]
    return "\n".join(shown)


def _require_private(place: Workplace) -> None:
    """Require modes that keep all other users out."""
    modes = {
        str(path.relative_to(place.home)): stat.S_IMODE(path.stat().st_mode) for path in place.state_dir.rglob("*")
    }
    assert {path: mode for path, mode in modes.items() if mode not in (0o600, 0o700)} == {}
    assert stat.S_IMODE(place.state_dir.stat().st_mode) == 0o700
    assert any(path.startswith("state/tokens/") for path in modes)


def _good_tasks() -> list[TaskItem]:
    """Return a play in which all modules do all they can do, and hand tokens on."""
    fresh = {"scope": "service.api offline_access", "renew": True}
    lookup = "{{ lookup('fcd.cloud.token') }}"
    return [
        task("token", fresh, register="issued"),
        task(
            "token",
            {"scope": fresh["scope"], "refresh_token": "{{ issued.refresh_token }}"},
            "refresh",
            register="next",
        ),
        task("dictionary_info", {**READ, "access_token": "{{ next.access_token }}"}, "with a token"),
        task("dictionary_info", {**READ, "access_token": lookup}, "with a token that is looked up"),
        task("instance", MACHINE),
        task("warehouse", DEPOT),
        task("storage_container", {"name": CONTAINER, "metadata": {"owner": "us"}}),
        task("storage_object", THING),
        task("client_user", PERSON),
        task("client_user", {**PERSON, "first_name": "Other"}, "changed"),
        task(
            "client_user", {**PERSON, "user_password": "{{ other_password }}", "update_password": "always"}, "password"
        ),
        task("client_user", PERSON, "as wanted"),
        task("client_user", {"user_name": NAME, "state": "absent"}, "removed"),
        {"name": "kept", "ansible.builtin.set_fact": {"lifetime": "{{ issued.expires_in }}", "cacheable": True}},
        {
            "name": "usable",
            "ansible.builtin.assert": {"that": ["issued.expires_in > 0", "next.access_token | length > 0"]},
        },
    ]


def _bad_tasks() -> list[TaskItem]:
    """Return tasks with wrong secrets, and with secrets in the wrong places.

    What is misplaced holds no backslash: in words of its own, Ansible writes that twice and then does not know it.
    """
    misplaced = {**PERSON, "user_password": "{{ other_password }}"}
    wrong: list[tuple[str, Wish]] = [
        ("token", {"password": "{{ wrong_password }}", "renew": True}),
        ("token", {"api_client_secret": "{{ wrong_key }}", "renew": True}),
        ("token", {"refresh_token": "{{ wrong_key }}"}),
        ("dictionary_info", {**READ, "access_token": "{{ wrong_key }}"}),
        ("warehouse", {**DEPOT, "password": "{{ wrong_password }}"}),
        ("client_user", {**PERSON, "password": "{{ wrong_password }}"}),
        ("client_user", {**PERSON, "email": "panel.owner@example.com"}),
        ("client_user", {**misplaced, "state": "{{ other_password }}"}),
        ("client_user", {**misplaced, "id": "{{ other_password }}"}),
        ("storage_container", {"name": CONTAINER, "storage_key": "{{ wrong_key }}", "token_cache": False}),
        ("storage_container", {"name": CONTAINER, "storage_base": "http://o.example.com"}),
    ]
    return [task(module, args, f"bad {number}", ignore_errors=True) for number, (module, args) in enumerate(wrong)]


@pytest.mark.parametrize("way", WAYS)
def test_a_good_play(place: Workplace, secrets: Secrets, tmp_path: Path, way: str) -> None:
    """In check mode first; as modules, of which each costs a second, for real only."""
    runs: list[Played] = []
    with CommandLines() as lines:
        if way == "worker":
            runs.append(_play(place, _good_tasks(), tmp_path / "first", way, f"{EVERYTHING} --check"))
        done = _play(place, _good_tasks(), tmp_path / "done", way)
    assert done.status == 0, done.stdout[-3000:]
    assert [one.name for one in done.results if one.failed] == []
    assert list(done.folder.glob("artifacts/*/fact_cache/*")), "there is no fact cache to search"
    _require_hidden(place, secrets, lines, *runs, done)
    _require_private(place)


@pytest.mark.parametrize("way", WAYS)
def test_a_bad_play(place: Workplace, secrets: Secrets, tmp_path: Path, way: str) -> None:
    """As modules only some."""
    place.sandbox.settings(identity={"lock_after": 0})
    tasks = _bad_tasks() if way == "worker" else _bad_tasks()[::2]
    with CommandLines() as lines:
        done = _play(place, tasks, tmp_path / "run", way)
    assert [one.name for one in done.results if not one.failed] == []
    assert len(done.results) == len(tasks)
    _require_hidden(place, secrets, lines, done)


@pytest.mark.parametrize("way", WAYS)
def test_a_service_that_repeats_secrets(place: Workplace, secrets: Secrets, tmp_path: Path, way: str) -> None:
    """Its errors hold whatever it was sent: credentials, tokens, the password and the number of a new user.

    As modules only some, for each costs a second.
    """
    place.run("dictionary_info", READ).succeeded()
    place.run("storage_container", {"name": CONTAINER}).succeeded()
    repeated = echoes.sent(place, [canaries.USER_PASSWORD, canaries.PESEL])
    chosen = echoes.ECHOES if way == "worker" else echoes.ECHOES[::4]
    tasks = echoes.prepare(place, chosen, repeated, PERSON)
    with CommandLines() as lines:
        done = _play(place, tasks, tmp_path / "run", way)
    assert [one.name for one in done.results if not one.failed] == []
    assert len(done.results) == len(tasks)
    unused = [armed for armed in place.sandbox.faults() if not armed["used"]]
    assert unused == []
    _require_hidden(place, secrets, lines, done)
    assert sum("********" in one.message for one in done.results) >= len(tasks) / 4, "the errors repeat nothing"
