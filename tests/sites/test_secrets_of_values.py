# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values from a vault or a lookup are in nothing that a run writes or shows, whichever options they are given to.

FCD_CORES: further interpreters with an ansible-core, separated by colons, that these tests run with.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import typing as t
from pathlib import Path
from urllib.parse import quote, quote_plus

import forked_ansible
import pytest
from ansible.parsing.vault import VaultLib, VaultSecret
from sandbox.process import SandboxProcess

CORES = [sys.executable, *filter(None, os.environ.get("FCD_CORES", "").split(os.pathsep))]
PASSPHRASE = "of the vault"
SCRIPT = "#!/bin/sh\necho 'ocelot & \"tamarin\"' > /root/marmoset\nexport MACAW=jerboa/numbat?gerbil\n"
VAULTED = {
    "metadata": "CNRYvaultedMeta",
    "variable": "CNRY/vaulted?variable",
    "inner": 'CNRY "inner" <variable>',
    "versioning": "CNRYversioning",
}
FROM_ENVIRONMENT = {"SITE_META": "CNRYlookup&meta", "SITE_LAST_NAME": "CNRYöst Name", "SITE_CODED": "CNRYcodedValue"}
WHAT = "provision_what=storage_containers.gonec"
LINES = [line for line in SCRIPT.splitlines() if len(line) > 20]
SECRETS = [*VAULTED.values(), *FROM_ENVIRONMENT.values(), SCRIPT.strip(), *LINES]
SITE = """\
site: secrets
registry: {path: registry.json}
storage_containers:
  - name: secret-words
    metadata:
      owner: !vault |
VAULTED_OWNER
      looked-up: "{{ lookup('ansible.builtin.env', 'SITE_META') }}"
      coded: "{{ lookup('ansible.builtin.env', 'SITE_CODED') | b64encode }}"
      in-a-variable: "user={{ settings.names[1] | lower | upper if settings else '' }};{{ named.inner }}"
      count: "{{ lookup('ansible.builtin.env', 'SITE_COUNT') | int }}"
      word: "{{ lookup('ansible.builtin.env', 'SITE_WORD') }}"
      open: !reveal "{{ lookup('ansible.builtin.env', 'SITE_SHOWN') }}"
      pure: "{{ query('ansible.builtin.sequence', 'start=1 end=3') | join('-') }}"
storage_objects:
  - container: secret-words
    name: word
    content: "{{ lookup('ansible.builtin.env', 'SITE_META') }}"
instances:
  - name: secret-web
    template: CentOS 7
    subregion: EU-001
    type: v1.standard-2.2
    init_script: "{{ lookup('ansible.builtin.file', 'init.sh') }}"
client_users:
  - user_name: secret.reader
    user_password: "{{ lookup('ansible.builtin.env', 'SITE_CODED') }}Aa1!"
    first_name: Sec
    last_name: "{{ lookup('ansible.builtin.env', 'SITE_LAST_NAME') }}"
    email: secret.reader@example.com
    privileges: []
outputs:
  meta: storage_containers.secret-words.metadata.owner
  number: instances.secret-web.id
"""


def encrypted(text: str, indent: int) -> str:
    """Return what follows ``!vault |``."""
    lines = VaultLib([("default", VaultSecret(PASSPHRASE.encode()))]).encrypt(text).decode().splitlines()
    return "\n".join(f"{' ' * indent}{line}" for line in lines)


def spellings(secret: str) -> t.Iterator[str]:
    """Yield the secret in its encodings, of base64 what is the same wherever it begins."""
    yield from (secret, quote(secret, safe=""), quote_plus(secret), shlex.quote(secret).strip("'"))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1])
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for shift in range(3):
            yield encode(b"\0" * shift + secret.encode()).decode().rstrip("=")[4 * bool(shift) : -3]


class Folder:
    """A folder with a site file, and playbooks that are run in it."""

    def __init__(self, path: Path, python: str) -> None:
        self.path = path
        self._python = python
        (path / "pass").write_text(PASSPHRASE, encoding="utf-8")
        (path / "init.sh").write_text(SCRIPT, encoding="utf-8")
        variables = {name: encrypted(text, 6) for name, text in VAULTED.items()}
        text = (
            "settings:\n  names:\n    - shown\n    - !vault |\n{variable}\nnamed:\n  inner: '{{{{ hidden.deep }}}}'\n"
        )
        text += "hidden:\n  deep: !vault |\n{inner}\n"
        (path / "variables.yml").write_text(text.format(**variables), encoding="utf-8")

    def declare(self, text: str) -> None:
        """Write the site file."""
        (self.path / "site.yml").write_text(text, encoding="utf-8")

    def run(self, playbook: str, *more: str) -> subprocess.CompletedProcess[str]:
        """Run a playbook with all that may tell something."""
        options = ("--vault-password-file", "pass", "-e", "@variables.yml", "-e", "provision_outputs_file=out.json")
        kept = {"ANSIBLE_CACHE_PLUGIN": "jsonfile", "ANSIBLE_CACHE_PLUGIN_CONNECTION": str(self.path / "facts")}
        kept.update(ANSIBLE_LOG_PATH=str(self.path / "ansible.log"), ANSIBLE_LOCALHOST_WARNING="False")
        program = str(Path(self._python).with_name("ansible-playbook"))
        environment = {**os.environ, **FROM_ENVIRONMENT, **kept, "SITE_WORD": "web", "SITE_COUNT": "3377"}
        environment.update(SITE_SHOWN="shown-to-all", ANSIBLE_CALLBACKS_ENABLED="ansible.builtin.junit")
        environment.update(JUNIT_OUTPUT_DIR=str(self.path / "junit"))
        return forked_ansible.run((program, playbook, *options, "--diff", "-vvv", *more), self.path, environment)

    def written(self, *further: Path) -> dict[str, str]:
        """Return all that was written, by the names of the files, without what was there before."""
        own = ("pass", "init.sh", "variables.yml", "site.yml")
        files = [one for folder in (self.path, *further) for one in folder.rglob("*") if one.is_file()]
        return {str(one): one.read_text("utf-8", "replace") for one in files if one.name not in own}


@pytest.fixture(params=CORES)
def folder(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> Folder:
    """An empty folder, and a core."""
    del home
    (tmp_path / "site").mkdir()
    return Folder(tmp_path / "site", request.param)


def leaks(secrets: t.Iterable[str], told: t.Mapping[str, str]) -> list[tuple[str, str]]:
    """Return which spelling is where."""
    all_spelled = {spelled for secret in secrets for spelled in spellings(secret)}
    return [(spelled, name) for spelled in all_spelled for name, text in told.items() if spelled in text]


def test_no_secret_value_is_in_anything_that_is_written_or_shown(folder: Folder, sandbox: SandboxProcess) -> None:
    folder.declare(SITE.replace("VAULTED_OWNER", encrypted(VAULTED["metadata"], 8)))
    planned = folder.run("fcd.cloud.plan")
    assert planned.returncode == 0, planned.stdout[-3000:]
    plan = json.loads((folder.path / "site.plan.json").read_text(encoding="utf-8"))
    changes = {(one["kind"], one["name"]): one["after"] for one in plan["changes"]}
    assert changes["storage_containers", "secret-words"]["metadata"] == "(hidden)"
    assert changes["instances", "secret-web"]["name"] == "secret-web", "web is a word, hidden by its field"
    applied = folder.run("fcd.cloud.apply", "-e", "provision_plan_file=site.plan.json")
    assert applied.returncode == 0, applied.stdout[-3000:]
    made = json.dumps(sandbox.state()["storage"]["containers"]["secret-words"])
    for secret in (VAULTED["metadata"], "3377", "shown-to-all", "1-2-3"):
        assert secret in made, "the service has it"
    again = folder.run("fcd.cloud.plan")
    assert again.returncode == 0, again.stdout[-3000:]
    told = folder.written(Path(os.environ["FCD_STATE_DIR"]))
    assert {Path(one).suffix for one in told} >= {".json", ".md", ".html", ".xml", ".log"}
    for name, done in (("plan", planned), ("apply", applied), ("again", again)):
        told[f"{name} stdout"], told[f"{name} stderr"] = done.stdout, done.stderr
    assert leaks(SECRETS, told) == []
    assert json.loads((folder.path / "out.json").read_text(encoding="utf-8"))["meta"] == "(hidden)"


@pytest.mark.full
def test_validate_runs_nothing(folder: Folder) -> None:
    def touch(name: str) -> str:
        return f"lookup('ansible.builtin.pipe', 'touch {folder.path}/{name}')"  # a lookup runs in the playbook's folder

    inner = "{{{{ " + touch("nested").replace("'", '\\"') + " }}}}"
    made = touch("made").replace("'", '\\"')
    folder.declare(f"""\
site: nothing-runs
storage_containers:
  - name: !reveal "a{{{{ {touch("name")} }}}}"
    metadata:
      owner: "{{{{ {touch("metadata")} }}}}"
      pure: "{{{{ lookup('ansible.builtin.items', ['x']) }}}}"
      nested: !reveal "{{{{ lookup('list', '{inner.format()}') }}}}"
      made: !reveal "{{{{ lookup('nested', ['<< {made} >>' | replace('<', '{{') | replace('>', '}}')], ['b']) }}}}"
client_users:
  - user_name: reader
    user_password: "{{{{ {touch("password")} }}}}"
    last_name: "{{{{ cycler.__init__.__globals__.os.system('touch escaped') if false else named.inner }}}}"
""")
    before = {one.name for one in folder.path.iterdir()}
    done = folder.run("fcd.cloud.validate")
    assert done.returncode == 0, done.stdout[-3000:]
    assert {one.name for one in folder.path.iterdir()} - before <= {"ansible.log", "facts", "junit"}
    assert leaks(SECRETS, {**folder.written(), "stdout": done.stdout, "stderr": done.stderr}) == []


@pytest.mark.full
def test_mistakes_show_no_secret(folder: Folder) -> None:
    folder.declare(f"""\
site: mistakes
storage_containers:
  - name: a
    versioning: !vault |
{encrypted(VAULTED["versioning"], 6)}
  - name: "x-{{{{ lookup('ansible.builtin.env', 'SITE_CODED') | lower }}}}"
""")
    done = folder.run("fcd.cloud.plan")
    assert done.returncode == 2
    assert "site.yml:4: storage_containers[0] (a): value of versioning must be one of" in done.stdout
    assert re.search(r"site\.yml:\d+: storage_containers\[1\].*: name: it comes from a lookup.*!reveal", done.stdout)
    assert leaks([*SECRETS, "cnrycodedvalue"], {**folder.written(), "out": done.stdout, "err": done.stderr}) == []


@pytest.mark.full
def test_a_secret_that_is_a_word_or_digits_garbles_no_plan(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*("changes", "action", "kind", "before", "after", "counts", "plan", "format", "create", "site.yml", "msg")]
    words += ["2026", "name", "label", "error", "failed", "failed_entries", "diff", "after apply", "(hidden)"]
    words += ["0" * 4] * 4  # of the digests, once they are known
    lines = [f"      m{at}: \"{{{{ lookup('ansible.builtin.env', 'SITE_WORD_{at}') }}}}\"" for at in range(len(words))]
    text = "site: words\nprivate_networks: [name: netone]\nstorage_containers:\n  - name: wordc\n    metadata:\n"
    folder.declare(text + "\n".join(lines))
    for at, word in enumerate(words):
        monkeypatch.setenv(f"SITE_WORD_{at}", word)
    assert folder.run("fcd.cloud.plan").returncode == 0
    plan = json.loads((folder.path / "site.plan.json").read_text(encoding="utf-8"))
    for at, name in enumerate(("declaration_digest", "changes_digest", "shown_digest", "made_at")):
        monkeypatch.setenv(f"SITE_WORD_{len(words) - 1 - at}", plan[name].replace("sha256:", "")[8:12])
    planned = folder.run("fcd.cloud.plan")
    assert planned.returncode == 0, planned.stdout[-3000:]
    plan = json.loads((folder.path / "site.plan.json").read_text(encoding="utf-8"))
    assert [(one["kind"], one["name"], one["action"]) for one in plan["changes"]] == [
        ("private_networks", "netone", "create"),
        ("storage_containers", "wordc", "create"),
    ]
    assert plan["counts"]["create"] == 2
    assert "*" not in plan["declaration_digest"] + plan["changes_digest"] + plan["shown_digest"] + plan["made_at"]
    applied = folder.run("fcd.cloud.apply", "-e", "provision_plan_file=site.plan.json")
    assert applied.returncode == 0, applied.stdout[-3000:]


@pytest.mark.full
def test_what_was_secret_when_it_was_applied_stays_hidden(folder: Folder) -> None:
    site = "site: gone\nregistry: {path: registry.json}\nprivate_networks: [name: shown]\n"
    secret = "{owner: \"{{ lookup('ansible.builtin.env', 'SITE_META') }}\"}"
    container = "storage_containers:\n- {name: gonec, metadata: METADATA}\n"
    objects = "storage_objects:\n- {container: gonec, name: o, src: o.txt}\n"
    (folder.path / "o.txt").write_text(encrypted("CNRYsrc of an object", 0) + "\n", encoding="utf-8")
    folder.declare(site + container.replace("METADATA", secret) + objects)
    told = {}
    done = folder.run("fcd.cloud.apply")
    assert done.returncode == 0, done.stdout[-3000:]
    folder.declare(site + container.replace("METADATA", "{owner: plain}") + objects)
    shown = folder.run("fcd.cloud.state", "-e", WHAT)
    assert '"owner"' not in shown.stdout
    assert '"metadata": "(hidden)"' in shown.stdout
    told["state"] = shown.stdout
    for name, text, playbook in (
        ("plain", container.replace("METADATA", "{owner: plain}"), "plan"),
        ("prune", "", "prune"),
    ):
        folder.declare(site + text)
        done = folder.run(f"fcd.cloud.{playbook}", "--check")
        assert done.returncode == 0, done.stdout[-3000:]
        told[name] = done.stdout
        assert "(hidden" in done.stdout
    told.update(folder.written(Path(os.environ["FCD_STATE_DIR"])))
    etag = hashlib.md5(b"CNRYsrc of an object").hexdigest()
    assert leaks([FROM_ENVIRONMENT["SITE_META"], etag], told) == []


@pytest.mark.full
def test_an_encrypted_file_of_a_folder_stays_encrypted(folder: Folder, sandbox: SandboxProcess) -> None:
    """It is stored as it is in the folder, with --diff and a vault password at hand, too."""
    text = "site: sent\nregistry: {path: registry.json}\nstorage_containers: [name: sentc]\n"
    folder.declare(text + "storage_folders: [{path: public, container: sentc, prefix: public}]\n")
    (folder.path / "public").mkdir()
    whole = encrypted("CNRYfile of a folder", 0) + "\n"
    (folder.path / "public" / "page.html").write_text(whole, encoding="utf-8")
    told = {}
    for playbook in ("plan", "apply", "drift"):
        done = folder.run(f"fcd.cloud.{playbook}")
        assert done.returncode == 0, done.stdout[-3000:]
        told[playbook] = done.stdout + done.stderr
    told.update(folder.written(Path(os.environ["FCD_STATE_DIR"])))
    assert leaks(["CNRYfile of a folder", hashlib.md5(b"CNRYfile of a folder").hexdigest()], told) == []
    etag = hashlib.md5(whole.encode()).hexdigest()
    assert etag in json.dumps(sandbox.state()["storage"]["containers"]["sentc"])
