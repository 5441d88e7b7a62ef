# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the guides show is valid: their plays run, their site files are read by the collection."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import typing as t
from pathlib import Path

import collection_tree
import jsonschema
import pytest
import yaml
from referencing import Registry, Resource
from sandbox.process import SandboxProcess

CHECKOUT = Path(__file__).resolve().parents[2]
RECIPES = CHECKOUT / "docs" / "docsite" / "rst" / "recipes.rst"
"""Each of them is run by ``tests/examples/test_recipes.py``."""

GUIDES = sorted({*RECIPES.parent.glob("*.rst")} - {RECIPES})
BLOCK = re.compile(r"^( *)\.\. code-block:: (\w+)\n\n((?:\1 +.*\n|\n)+)", re.MULTILINE)
ACCOUNTS = ("production", "staging")
NETWORK = "fcd.cloud.private_network"
VARIABLES = {
    "vault_api_client_secret": "api_client_secret",
    "vault_panel_password": "password",
}


class Block(t.NamedTuple):
    """A block of code in a guide."""

    guide: str
    language: str
    text: str

    @property
    def content(self) -> t.Any:
        return yaml.safe_load(self.text)

    @property
    def named(self) -> str:
        """The file that the first line names."""
        first = self.text.lstrip().splitlines()[0]
        return first.removeprefix("# ") if first.startswith("# ") else ""


def blocks_in(text: str, guide: str = "") -> list[Block]:
    """Return the blocks of a guide, or of a part of its text, in their order."""
    found = []
    for _indent, language, indented in BLOCK.findall(text):
        lines = indented.splitlines()
        margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        found.append(Block(guide, language, "\n".join(line[margin:] for line in lines).strip() + "\n"))
    return found


def blocks(language: str) -> list[Block]:
    found = [block for guide in GUIDES for block in blocks_in(guide.read_text(encoding="utf-8"), guide.stem)]
    return [block for block in found if block.language == language]


def plays() -> list[Block]:
    return [block for block in blocks("yaml") if isinstance(block.content, list)]


def declarations() -> list[Block]:
    """Return site files, and what is laid over them, which need not name its site."""
    return [block for block in blocks("yaml") if isinstance(block.content, dict) and _declares(block)]


def _declares(block: Block) -> bool:
    return "site" in block.content or block.named.startswith("environments/")


def profile() -> dict[str, t.Any]:
    """Return the profile file that the guide on authentication shows."""
    (block,) = (block for block in blocks("yaml") if block.named == "~/.config/fcd/cloud.yml")
    return dict(block.content)


SET_BY_PROFILE = (*profile()["default"], "ca_path")
"""Each sandbox has a certificate of its own."""


def test_each_block_of_yaml_is_of_a_kind_that_is_tested() -> None:
    others = [block.named for block in blocks("yaml") if block not in [*plays(), *declarations()]]
    assert sorted(others) == [
        *(f"inventory/{name}.fcd.yml" for name in ACCOUNTS),
        "policies/shop.yml",
        "shop.fcd.yml",
        "~/.config/fcd/cloud.yml",
        "~/.config/fcd/cloud.yml with two accounts",
    ]
    assert len(plays()) >= 6
    assert [block.named for block in declarations()] == ["site.yml", "environments/production.yml", "next/site.yml"]


@pytest.mark.parametrize("block", declarations(), ids=lambda block: block.named)
def test_a_site_file_follows_its_schema(block: Block) -> None:
    name = "environment" if block.named.startswith("environments/") else "site"
    validator = schemas(f"{name}.schema.json")
    validator.validate(block.content)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**block.content, "instence": []})


def named(name: str) -> Block:
    """Return the one block of YAML of that name."""
    (found,) = (block for block in blocks("yaml") if block.named == name)
    return found


def test_the_policies_of_a_guide_are_read_and_can_be_tried(tmp_path: Path) -> None:
    from ansible.parsing.dataloader import DataLoader

    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_policies import PolicyCheck, read_policies

    (tmp_path / "shop.yml").write_text(named("policies/shop.yml").text, encoding="utf-8")
    check = PolicyCheck(DataLoader(), {}, read_policies([str(tmp_path)]))
    changes = [{"name": "data", "after": {"size": 800}}, {"name": "logs", "after": {}}]
    plan = {"counts": {}, "by_kind": {"disks": {"delete": 1}}, "changes": changes, "not_sent": [], "errors": []}
    found = check.results(plan)
    assert [one["message"] for one in found] == ["A disk would be removed.", "data is large."]
    assert all(one["passed"] for one in check.results({**plan, "by_kind": {}, "changes": changes[1:]}))


def schemas(name: str) -> jsonschema.Draft202012Validator:
    """Return what validates by a schema beside the playbooks, which may refer to the others there."""
    files = (CHECKOUT / "playbooks").glob("*.schema.json")
    contents = {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    registry: t.Any = Registry().with_resources(
        (own, Resource.from_contents(content)) for own, content in contents.items()
    )
    return jsonschema.Draft202012Validator(contents[name], registry=registry)


class Reader:
    """Somebody who types what the guides show, beside the sandbox."""

    def __init__(self, sandbox: SandboxProcess, staging: SandboxProcess, home: Path) -> None:
        self._sandbox = sandbox
        self._staging = staging
        self.home = home
        self.project = home / "project"
        (self.project / "public").mkdir(parents=True)
        (self.project / "public" / "page.html").write_text("<h1>page</h1>", encoding="utf-8")
        (home / ".ssh").mkdir()
        key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExamp reader"
        (home / ".ssh" / "id_ed25519.pub").write_text(key, encoding="utf-8")
        self._write_profile()

    def _write_profile(self) -> None:
        """Write the profiles that the guides show, with the values of two sandboxes."""
        accounts = {"default": self._sandbox, "production": self._sandbox, "staging": self._staging}
        mine = {
            account: {name: place.environment["FCD_" + name.upper()] for name in SET_BY_PROFILE}
            for account, place in accounts.items()
        }
        file = self.home / ".config" / "fcd" / "cloud.yml"
        file.parent.mkdir(parents=True)
        file.touch(mode=0o600)
        file.write_text(yaml.safe_dump(mine), encoding="utf-8")

    def keep(self, name: str, content: t.Any) -> str:
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
        return str(file)

    def run(self, *arguments: str) -> str:
        kept = {"FCD_" + name.upper() for name in SET_BY_PROFILE}
        environment = {
            **{name: value for name, value in self._sandbox.environment.items() if name not in kept},
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "SITE_BILLING_READER_PASSWORD": "An-Odd-Example-Word-1",
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_LOCALHOST_WARNING": "0",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "0",
            "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "true",
        }
        done = subprocess.run(arguments, cwd=self.project, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
        return done.stdout


@pytest.fixture(scope="module")
def staging() -> t.Iterator[SandboxProcess]:
    """Another service, and so another account."""
    with SandboxProcess("--ticket-seconds", "0") as process:
        yield process


@pytest.fixture(scope="module")
def reader(
    sandbox: SandboxProcess, staging: SandboxProcess, tmp_path_factory: pytest.TempPathFactory
) -> t.Iterator[Reader]:
    sandbox.reset()
    sandbox.settings(rest={"ticket_seconds": 0})
    yield Reader(sandbox, staging, tmp_path_factory.mktemp("reader"))
    assert sandbox.violations() + staging.violations() == []


@pytest.mark.full
def test_plays_run_and_site_files_are_valid(reader: Reader) -> None:
    """One start of Ansible for all of them."""
    for block in declarations():
        reader.keep(block.named, block.text)
    check = {
        "name": "Check the site file",
        "hosts": "localhost",
        "gather_facts": False,
        "tasks": [
            {"fcd.cloud.site_validate": {"src": "site.yml"}},
            {"fcd.cloud.site_validate": {"src": "next/site.yml"}},
            {"fcd.cloud.site_validate": {"src": "site.yml", "overlays": ["environments/production.yml"]}},
        ],
    }
    names = [reader.keep(f"{number}-{block.guide}.yml", block.text) for number, block in enumerate(plays())]
    secrets = {name: reader._sandbox.info["credentials"][value] for name, value in VARIABLES.items()}
    variables = json.dumps({**secrets, "vault_billing_reader_password": "An-Odd-Example-Word-1"})
    site = reader.keep("check.yml", [check])
    said = reader.run("ansible-playbook", "-e", variables, *names, site)
    assert said.count("PLAY [") == len(names) + 1


@pytest.mark.full
def test_the_inventory_is_one(reader: Reader, sandbox: SandboxProcess) -> None:
    (block,) = (block for block in blocks("yaml") if block.named == "shop.fcd.yml")
    name = reader.keep("shop.fcd.yml", block.text)
    before = sandbox.counts()["total"]
    assert reader.run("ansible-inventory", "-i", name, "--graph").startswith("@all:")
    assert sandbox.counts()["total"] > before


@pytest.mark.full
def test_two_accounts_stand_side_by_side(reader: Reader, sandbox: SandboxProcess, staging: SandboxProcess) -> None:
    """The instances of each are hosts of their own, and what is changed is changed in the one account."""
    (first,) = (block for block in plays() if block.named == "accounts.yml")
    for place in (sandbox, staging):
        place.settings(rest={"bulk_instances": 3})
    for account in ACCOUNTS:
        reader.keep(f"inventory/{account}.fcd.yml", named(f"inventory/{account}.fcd.yml").text)
    network = {"name": "only-in-production", "profile": "production"}
    before = [{"name": "Before", "hosts": "localhost", "gather_facts": False, "tasks": [{NETWORK: network}]}]
    reader.run("ansible-playbook", reader.keep("before.yml", before), reader.keep("accounts.yml", first.text))
    for place in (sandbox, staging):
        assert "only-in-production" in {one["Name"] for one in place.state()["rest"]["networks"]}
    hosts = json.loads(reader.run("ansible-inventory", "-i", "inventory", "--list"))
    for account in ACCOUNTS:
        names = hosts[account]["hosts"]
        assert len(names) >= 3
        assert {name.rpartition(".")[2] for name in names} == {account}


def test_the_profile_has_only_options_that_there_are() -> None:
    from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS

    two = named("~/.config/fcd/cloud.yml with two accounts").content
    assert tuple(two) == ACCOUNTS
    assert {name for values in [*profile().values(), *two.values()] for name in values} <= set(OPTIONS)


def test_commands_name_what_there_is() -> None:
    everything = "".join(guide.read_text(encoding="utf-8") for guide in GUIDES)
    playbooks = set(re.findall(r"ansible-playbook fcd\.cloud\.(\w+)", everything))
    assert {name for name in playbooks if not (CHECKOUT / "playbooks" / f"{name}.yml").exists()} == set()
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"\bmake ([a-z]+)\b(?= {2,}#|``|\n)", everything))
    assert {"demo", "sandbox"} <= targets
    assert {name for name in targets if f"\n{name}:" not in makefile} == set()
    modules = set(re.findall(r"ansible localhost -m fcd\.cloud\.(\w+)", everything))
    assert {name for name in modules if not (CHECKOUT / "plugins" / "modules" / f"{name}.py").exists()} == set()
    variables = set(re.findall(r"\b(provision_\w+)", everything))
    spec = (CHECKOUT / "roles" / "provision" / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
    assert {name for name in variables if name not in spec} == set()
