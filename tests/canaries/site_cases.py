# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays for every playbook and role of the tree, on a site file with secrets in options that are not secret themselves.

What is encrypted or looked up in the file is secret wherever it stands: metadata, scripts, names of people, content.
"""

from __future__ import annotations

import typing as t
from pathlib import Path

import yaml

from canaries.module_cases import CONNECTION, control, control_variables
from canaries.words import PESEL, canary, hard, kinds_in, script

Item = t.Dict[str, t.Any]
CHECKOUT = Path(__file__).resolve().parents[2]
PLAYBOOKS = sorted(path.stem for path in (CHECKOUT / "playbooks").glob("*.yml") if ".example" not in path.name)
_FILES = {name: CHECKOUT / "playbooks" / f"{name}.yml" for name in PLAYBOOKS}
PLAYS = {yaml.safe_load(path.read_text("utf-8"))[0]["name"]: name for name, path in _FILES.items()}
"""Which playbook begins with a play of this name."""

ROLES = sorted(path.parent.name for path in (CHECKOUT / "roles").glob("*/meta"))
ELSEWHERE = {
    "awx_setup": "a controller is needed; tests/awx/leaks.py looks for its secrets",
    "drift": "not run yet: an apply that is refused ends the run before",
    "drift_ticket": "not run yet, as drift",
    "plan_pushed": "the playbook plan on a checkout",
    "exit_code": "the end of plan, prune and drift, without a task that has data",
}
GIVEN = "given"
"""Folder of what the user has written down in clear."""

PLAN = {"provision_plan_file": "{{ canary_folder }}/site.plan.json"}
INSTANCE = {"template_id": 304, "subregion": "EU-001", "type_id": 34}
LOOKED_UP = "{{{{ lookup('ansible.builtin.file', '{}/looked-up') }}}}"


class Secret(str):
    """A text that the site file holds encrypted."""

    __slots__ = ()


def _leaves(value: t.Any) -> t.Iterator[t.Any]:
    if isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _leaves(entry)
    else:
        yield value


def site_file(folder: Path, given: Path, encrypt: t.Callable[[str], str]) -> None:
    """Write a site file with every kind of secret in it; what is looked up is in ``given``."""
    (given / "looked-up").write_text(canary("lookedup"), encoding="utf-8")
    (folder / "public").mkdir(exist_ok=True)
    (folder / "public" / "index.html").write_text("a page", encoding="utf-8")

    class Dumper(yaml.SafeDumper):
        """Writes what is secret as ansible-vault does."""

    Dumper.add_representer(
        Secret, lambda dumper, text: dumper.represent_scalar("!vault", encrypt(str(text)), style="|")
    )
    site = _site(LOOKED_UP.format(given))
    (folder / "site.yml").write_text(yaml.dump(site, Dumper=Dumper, sort_keys=False), encoding="utf-8")


def _site(looked_up: str) -> Item:
    return {
        "site": "canaries",
        "registry": {"container": "canary-state"},
        "instances": [{"name": "canary-web", **INSTANCE, "init_script": Secret(script("sitescript"))}],
        "private_networks": [{"name": "canary-net"}],
        "storage_containers": [
            {"name": "canary-state"},
            {
                "name": "canary-files",
                "force": True,
                "metadata": {"owner": Secret(canary("sitemetadata")), "team": looked_up},
                "temp_url_key": Secret(hard("sitetempurlkey")),
            },
        ],
        "storage_folders": [{"path": "public", "container": "canary-files", "prefix": "public"}],
        "storage_objects": [
            {"container": "canary-files", "name": "note", "content": Secret(hard("sitecontent"))},
            {"container": "canary-files", "name": "coded", "content": f"{looked_up[:-3]} | b64encode }}}}"},
        ],
        "client_users": [
            {
                "user_name": "canary.reader",
                "user_password": Secret(hard("siteuserpassword")),
                "first_name": "Canary",
                "last_name": Secret(canary("sitelastname")),
                "email": "canary.reader@example.com",
                "privileges": [],
            }
        ],
        "outputs": {"web": "instances.canary-web.id"},
    }


def profile(given: Path) -> Path:
    """Write the credentials where a user has them, for playbooks and roles take no options; return the file."""
    place = given / "cloud.yml"
    place.write_text(yaml.safe_dump({"default": dict(CONNECTION)}), encoding="utf-8")
    place.chmod(0o600)
    return place


ROLE_VARIABLES: dict[str, Item] = {
    "client_onboarding": {
        "client_onboarding_user_defaults": {"privilege_type_id": 9071},
        "client_onboarding_clients": [
            {
                "id": 101,
                "secret_fields": {"pit_data": {"pesel": "{{ own_site.pesel }}"}},
                "users": [
                    {
                        "user_name": "role.reader",
                        "user_password": "{{ own_site.roleuserpassword }}",
                        "first_name": "Role",
                        "last_name": "Reader",
                        "email": "role.reader@example.com",
                        "privileges": ["ReadReports"],
                    }
                ],
            }
        ],
    },
    "credentials": {"credentials_interfaces": ["infrastructure", "storage", "soap"]},
    "instances": {
        "instances_defaults": INSTANCE,
        "instances_present": [{"name": "role-1", "init_script": "{{ own_site.rolescript }}"}],
    },
    "object_storage": {
        "object_storage_containers": [{"name": "kept", "temp_url_key": "{{ own_site.roletempurlkey }}", "force": True}],
        "object_storage_objects": [{"container": "kept", "name": "note", "content": "a note"}],
    },
    "orchestrated_instances": {
        "orchestrated_instances_fleet": "role",
        "orchestrated_instances_present": [
            {"instance_name": "role-web", "template_id": 304, "subregion_id": 1, "type_id": 34}
        ],
    },
    "warehouses": {
        "warehouses_defaults": {"partner_id": 12, "template_id": 304, "queue_length": 4},
        "warehouses_list": [{"data_store_number": "DS-11", "name": "spare"}],
    },
}
"""By role; provision is what the playbooks of a site run."""

OWN_SITE = {
    "roleuserpassword": hard("roleuserpassword"),
    "rolescript": script("rolescript"),
    "roletempurlkey": hard("roletempurlkey"),
    "ticket": hard("ticket"),
    "pesel": PESEL,
}


RUNS: tuple[tuple[str, Item], ...] = (
    ("validate", {"provision_read_secrets": True}),
    ("export", {"provision_export_file": "{{ canary_folder }}/exported.yml"}),  # what is there is no secret to it
    ("plan", PLAN),
    ("apply", {**PLAN, "provision_outputs_file": "{{ canary_folder }}/outputs.json"}),
    ("state", {}),
    ("move", {"provision_what": "private_networks.canary-net", "provision_to": "private_networks.canary-moved"}),
    ("release", {"provision_what": "private_networks.canary-moved"}),
    ("prune", {"provision_dry_run": False, "provision_hosts": "pruning"}),
    ("publish_files", ROLE_VARIABLES["object_storage"]),
    ("orchestrated_instances", ROLE_VARIABLES["orchestrated_instances"]),
    ("deprovision", {"provision_dry_run": False, "provision_confirm": "canaries", "provision_max_delete": "100%"}),
)
"""A site from its first plan to its end, and the playbooks that have no site."""

AT_LAST: tuple[tuple[str, Item], ...] = (("apply", {"provision_hosts": "refused"}),)
"""What comes when the service refuses everything that is written; it ends the run."""

HOSTS = ("localhost", "pruning", "refused", "drifting")
PLAYBOOKS_TRIED = sorted(set(PLAYBOOKS) - set(ELSEWHERE))
ROLES_TRIED = sorted(set(ROLES) - set(ELSEWHERE))


def tried() -> set[str]:
    """Return the playbooks and roles that the plays run."""
    return {name for name, _given in (*RUNS, *AT_LAST)} | {*ROLE_VARIABLES, "provision"}


def kinds() -> set[str]:
    """Return the kinds of canaries that only the plays of a site have."""
    texts = [canary("lookedup"), canary("vaultpassword"), *OWN_SITE.values(), *_leaves(_site(""))]
    return {kind for text in texts for kind in kinds_in(str(text).encode())}


def plays(bench: t.Any, folder: Path, way: t.Any) -> tuple[list[Item], Item]:
    """Return the plays, and the variables they are given encrypted."""
    site_file(folder / "project", bench.folder / GIVEN, bench.encrypted)
    given = {"provision_file": "{{ canary_folder }}/site.yml", "provision_reports": "{{ canary_folder }}/reports"}

    def imported(name: str, more: Item) -> Item:
        return {"import_playbook": f"fcd.cloud.{name}", "vars": {**given, **more}}

    roles = [
        {"name": f"{role}: role", "ansible.builtin.include_role": {"name": f"fcd.cloud.{role}"}, "vars": variables}
        for role, variables in ROLE_VARIABLES.items()
    ]
    pull = {"mode": "pull", "path": str(folder / "registry"), "container": "canary-state"}
    registry = [{"name": "registry", "fcd.cloud.storage_sync": pull}]
    local = {"hosts": "localhost", "gather_facts": False}
    done = [imported(name, more) for name, more in RUNS]
    refusing = {**local, "tasks": [control("faults", {"fault": "repeat", "times": 0, "write": True})]}
    return [
        {**local, "tasks": roles},
        *done[:4],
        {**local, "tasks": registry},
        *done[4:],
        refusing,
        *(imported(name, more) for name, more in AT_LAST),
    ], {
        "own_site": OWN_SITE,
        "canary_folder": str(folder / "project"),
        "canary_ticket_url": bench.sandbox.info["foreign_url"],
        **control_variables(bench.sandbox.info),
    }
