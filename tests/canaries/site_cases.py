# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays for every playbook and role of the tree, on a site file with secrets in options that are not secret themselves.

What is encrypted or looked up in the file is secret wherever it stands: metadata, scripts, names of people, content.
"""

from __future__ import annotations

import subprocess
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
    "awx_setup": {
        "awx_setup_image": "registry.example.com/fcd",
        "awx_setup_project_url": "https://git.example.com/shop.git",
        "awx_setup_credential_inputs": {
            name: f"{{{{ own_site.awx{name} }}}}" for name in ("password", "site_key", "storage_key")
        },
        "awx_setup_notification_type": "webhook",
        "awx_setup_notification_configuration": {
            "url": "https://chat.example.com/hook",
            "http_method": "POST",
            "password": "{{ own_site.awxnotification }}",
        },
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
    "ticket": canary("ticket"),
    "drifted": canary("drifted"),
    "pesel": PESEL,
    **{f"awx{name}": hard(f"awx{name.replace('_', '')}") for name in ("password", "site_key", "storage_key")},
    "awxnotification": hard("awxnotification"),
}
TOOL = {
    "orchestrated_instances_engine": "orchestration",
    "orchestrated_instances_adopt": True,
    "orchestrated_instances_path": "{{ canary_folder }}/tool",
    "orchestrated_instances_executable": "{{ canary_tool.executable }}",
    "orchestrated_instances_plugin_path": "{{ canary_tool.plugin }}",
}
"""The same instances with the module orchestration."""

TICKET = {"drift_ticket_url": "{{ canary_ticket_url }}", "drift_ticket_token": "{{ own_site.ticket }}"}
EVENT = {"drift_site": "canaries", "drift_changes": 1, "drift_errors": 0, "drift_report": "reports/drift.json"}
PUSHED = {f"pushed_{name}": f"{{{{ canary_pushed.{name} }}}}" for name in ("repository", "commit", "folder")}

RUNS: tuple[tuple[str, Item], ...] = (
    ("validate", {"provision_read_secrets": True}),
    ("export", {"provision_export_file": "{{ canary_folder }}/exported.yml"}),  # what is there is no secret to it
    ("plan", PLAN),
    ("apply", {**PLAN, "provision_outputs_file": "{{ canary_folder }}/outputs.json"}),
    ("state", {}),
    ("plan_pushed", PUSHED),
    ("move", {"provision_what": "private_networks.canary-net", "provision_to": "private_networks.canary-moved"}),
    ("release", {"provision_what": "private_networks.canary-moved"}),
    ("prune", {"provision_dry_run": False, "provision_hosts": "pruning"}),
    ("publish_files", ROLE_VARIABLES["object_storage"]),
    ("orchestrated_instances", {**ROLE_VARIABLES["orchestrated_instances"], **TOOL}),
    ("awx_setup", ROLE_VARIABLES["awx_setup"]),
    ("drift_ticket", {**TICKET, **EVENT}),
)
"""A site from its first plan on, and the playbooks that have no site."""

DRIFT: tuple[tuple[str, Item], ...] = (("drift", {"provision_hosts": "drifting"}),)
END: tuple[tuple[str, Item], ...] = (
    ("deprovision", {"provision_dry_run": False, "provision_confirm": "canaries", "provision_max_delete": "100%"}),
    ("apply", {"provision_hosts": "refused"}),  # when the service refuses everything that is written
)
HOSTS = ("localhost", "pruning", "refused", "drifting")


def tried() -> set[str]:
    """Return the playbooks and roles that the plays run."""
    return {name for name, _given in (*RUNS, *DRIFT, *END)} | {*ROLE_VARIABLES, "provision", "exit_code"}


def kinds() -> set[str]:
    """Return the kinds of canaries that only the plays of a site have."""
    texts = [canary("lookedup"), canary("vaultpassword"), *OWN_SITE.values(), *_leaves(_site(""))]
    return {kind for text in texts for kind in kinds_in(str(text).encode())}


def pushed(folder: Path) -> dict[str, str]:
    """Commit the site file and its folder, as somebody who pushes does; return where and what."""
    project, origin = folder / "project", folder / "origin"
    who = ["-c", "user.name=canary", "-c", "user.email=canary@example.com"]
    for command in (["init", "--quiet"], ["add", "site.yml", "public"], [*who, "commit", "--quiet", "-m", "site"]):
        subprocess.run(["git", f"--git-dir={origin}", f"--work-tree={project}", *command], cwd=project, check=True)
    return {"repository": str(origin), "commit": "HEAD", "folder": str(project / "pushed")}


def plays(bench: t.Any, folder: Path) -> tuple[list[list[Item]], Item]:
    """Return the plays of each run, for one in which all hosts fail ends it, and the variables, which are encrypted."""
    site_file(folder / "project", bench.folder / GIVEN, bench.encrypted)
    given = {"provision_file": "{{ canary_folder }}/site.yml", "provision_reports": "{{ canary_folder }}/reports"}

    def imported(runs: t.Iterable[tuple[str, Item]]) -> list[Item]:
        own = {"plan_pushed": {}}
        return [
            {"import_playbook": f"fcd.cloud.{name}", "vars": {**own.get(name, given), **more}} for name, more in runs
        ]

    def local(*tasks: Item) -> Item:
        return {"hosts": "localhost", "gather_facts": False, "tasks": [*tasks]}

    roles = [
        {"name": f"{role}: role", "ansible.builtin.include_role": {"name": f"fcd.cloud.{role}"}, "vars": variables}
        for role, variables in ROLE_VARIABLES.items()
    ]
    pull = {"mode": "pull", "path": str(folder / "registry"), "container": "canary-state"}
    other = {"name": "canary-files", "metadata": {"owner": "{{ own_site.drifted }}"}}
    drifting = {"name": "drifting", "fcd.cloud.storage_container": other, "no_log": True}
    refusing = control("faults", {"fault": "repeat", "times": 0, "write": True})
    variables = {
        "own_site": OWN_SITE,
        "canary_folder": str(folder / "project"),
        "canary_ticket_url": bench.sandbox.info["foreign_url"],
        "canary_tool": bench.tool(),
        "canary_pushed": pushed(folder),
        **control_variables(bench.sandbox.info),
    }
    done = imported(RUNS)
    return [
        [local(*roles), *done[:4], local({"name": "registry", "fcd.cloud.storage_sync": pull}), *done[4:]],
        [local(drifting), *imported(DRIFT)],
        [*imported(END[:1]), local(refusing), *imported(END[1:])],
    ], variables
