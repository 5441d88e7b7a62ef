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

from canaries.module_cases import Item, control, control_variables
from canaries.words import PESEL, canary, hard, kinds_in, script

CHECKOUT = Path(__file__).resolve().parents[2]
PLAYBOOKS = {path.stem: path for path in sorted((CHECKOUT / "playbooks").glob("*.yml")) if ".example" not in path.name}
PLAYS = {
    yaml.safe_load(path.read_text("utf-8"))[0]["name"]: name for name, path in PLAYBOOKS.items()
}  # by the first play
ROLES = sorted(path.parent.name for path in (CHECKOUT / "roles").glob("*/meta"))
HOSTS = ("localhost", "pruning", "refused", "drifting")
GIVEN = "given"  # folder of what the user has written down in clear
SITE = """
site: canaries
registry: {container: canary-state}
instances:
  - {name: canary-web, template_id: 304, subregion: EU-001, type_id: 34, init_script: !script sitescript}
private_networks: [name: canary-net]
storage_containers:
  - name: canary-state
  - name: canary-files
    force: true
    metadata: {owner: !canary sitemetadata, team: LOOKED_UP}
    temp_url_key: !hard sitetempurlkey
storage_folders: [{path: public, container: canary-files, prefix: public}]
storage_objects:
  - {container: canary-files, name: note, content: !hard sitecontent}
  - {container: canary-files, name: coded, content: LOOKED_UP_AND_CODED}
client_users:
  - {user_name: canary.reader, user_password: !hard siteuserpassword, first_name: Canary,
     last_name: !canary sitelastname, email: canary.reader@example.com, privileges: []}
outputs: {web: instances.canary-web.id}"""
ROLE_VARIABLES: dict[str, Item] = yaml.safe_load("""
client_onboarding:
  client_onboarding_user_defaults: {privilege_type_id: 9071}
  client_onboarding_clients:
    - id: 101
      secret_fields: {pit_data: {pesel: "{{ own_site.pesel }}"}}
      users:
        - {user_name: role.reader, user_password: "{{ own_site.roleuserpassword }}", first_name: Role,
           last_name: Reader, email: role.reader@example.com, privileges: [ReadReports]}
credentials: {credentials_interfaces: [infrastructure, object_storage, soap]}
instances:
  instances_defaults: {template_id: 304, subregion: EU-001, type_id: 34}
  instances_present: [{name: role-1, init_script: "{{ own_site.rolescript }}"}]
object_storage:
  object_storage_containers: [{name: kept, temp_url_key: "{{ own_site.roletempurlkey }}", force: true}]
  object_storage_objects: [{container: kept, name: note, content: a note}]
orchestrated_instances:
  orchestrated_instances_fleet: role
  orchestrated_instances_present:
    - {instance_name: role-web, template_id: 304, subregion_id: 1, type_id: 34, disk_class: "48", init_disk_size: 10}
warehouses:
  warehouses_defaults: {partner_id: 12, template_id: 304, queue_length: 4}
  warehouses_list: [{data_store_number: DS-11, name: spare}]
web_tier:
  web_tier_definition:
    name: role-tier
    count: 1
    instance: {template_id: 304, subregion: EU-001, type_id: 34, init_script: "{{ own_site.rolescript }}"}
awx_setup:
  awx_setup_image: registry.example.com/fcd
  awx_setup_project_url: "{{ canary_awx_project }}"
  awx_setup_credential_inputs: {password: "{{ own_site.awxpassword }}", site_key: "{{ own_site.awxsitekey }}",
                                storage_key: "{{ own_site.awxstoragekey }}"}
  awx_setup_notification_type: webhook
  awx_setup_notification_configuration:
    {url: https://chat.example.com/hook, http_method: POST, password: "{{ own_site.awxnotification }}"}
""")
"""By role; provision is what the playbooks of a site run."""

_HARD = ("roleuserpassword", "roletempurlkey", "awxpassword", "awxsitekey", "awxstoragekey", "awxnotification")
OWN_SITE = {
    "rolescript": script("rolescript"),
    "ticket": canary("ticket"),
    "drifted": canary("drifted"),
    "pesel": PESEL,
}
OWN_SITE.update({name: hard(name) for name in _HARD})
RUNS, DRIFT, END = yaml.safe_load("""
- validate: {provision_read_secrets: true}
  export: {provision_export_file: "{{ canary_folder }}/exported.yml"}  # what is there is no secret to it
  plan: &plan {provision_plan_file: "{{ canary_folder }}/site.plan.json"}
  apply: {<<: *plan, provision_outputs_file: "{{ canary_folder }}/outputs.json"}
  state: {}
  plan_pushed:
    pushed_repository: "{{ canary_pushed.repository }}"
    pushed_commit: "{{ canary_pushed.commit }}"
    pushed_folder: "{{ canary_folder }}/pushed"
    provision_file: "{{ canary_folder }}/pushed/site.yml"
    provision_reports: "{{ canary_folder }}/pushed/reports"
  move: {provision_what: private_networks.canary-net, provision_to: private_networks.canary-moved}
  release: {provision_what: private_networks.canary-moved}
  prune: {provision_dry_run: false, provision_hosts: pruning}
  publish_files: {}
  orchestrated_instances:  # those of the role, which the module orchestration takes over
    orchestrated_instances_engine: orchestration
    orchestrated_instances_adopt: true
    orchestrated_instances_path: "{{ canary_folder }}/tool"
    orchestrated_instances_executable: "{{ canary_tool.executable }}"
    orchestrated_instances_plugin_path: "{{ canary_tool.plugin }}"
  awx_setup: {}
  web_tier: {}
  drift_ticket: {drift_ticket_url: "{{ canary_ticket_url }}", drift_ticket_token: "{{ own_site.ticket }}",
                 drift_site: canaries, drift_changes: 1, drift_errors: 0, drift_report: reports/drift.json}
- drift: {provision_hosts: drifting}
- deprovision: {provision_dry_run: false, provision_confirm: canaries, provision_max_delete: 100%}
  apply: {provision_hosts: refused}  # when the service refuses everything that is written
""")
"""What playbooks are given: a site from its first plan on with those that have no site, and two ends of a run."""


def kinds() -> set[str]:
    """Return the kinds of canaries that only the plays of a site have."""
    return kinds_in("\n".join([_site(canary("lookedup"), str), canary("vaultpassword"), *OWN_SITE.values()]).encode())


def _site(looked_up: str, encrypt: t.Callable[[str], str]) -> str:
    """Return the site file, in which the canaries are encrypted."""
    own: list[t.Any] = [type("Own", (base,), {}) for base in (yaml.SafeLoader, yaml.SafeDumper, str)]
    loader, dumper, secret = own
    for tag, make in {"!canary": canary, "!hard": hard, "!script": script}.items():
        loader.add_constructor(tag, lambda _loader, node, make=make: secret(encrypt(make(node.value))))
    dumper.add_representer(secret, lambda dumper, text: dumper.represent_scalar("!vault", str(text), style="|"))
    text = SITE.replace("LOOKED_UP_AND_CODED", f'"{{{{ {looked_up} | b64encode }}}}"')
    site = yaml.load(text.replace("LOOKED_UP", f'"{{{{ {looked_up} }}}}"'), loader)
    return yaml.dump(site, Dumper=dumper, sort_keys=False)


def pushed(folder: Path) -> dict[str, str]:
    """Commit the site file and its folder, as somebody who pushes does; return where and what."""
    return {
        "repository": str(_committed(folder / "project", folder / "origin", "site.yml", "public")),
        "commit": "HEAD",
    }


def _committed(project: Path, origin: Path, *names: str) -> Path:
    """Commit what has these names to a new repository, and return it."""
    who = ["-c", "user.name=canary", "-c", "user.email=canary@example.com"]
    begin = ["init", "--quiet", "--initial-branch", "main"]
    for command in (begin, ["add", *names], [*who, "commit", "--quiet", "-m", "site"]):
        subprocess.run(["git", f"--git-dir={origin}", f"--work-tree={project}", *command], cwd=project, check=True)
    return origin


def _imported(runs: t.Mapping[str, Item], *names: str) -> list[Item]:
    given = {"provision_file": "{{ canary_folder }}/site.yml", "provision_reports": "{{ canary_folder }}/reports"}
    given.update({name: value for one in ROLE_VARIABLES.values() for name, value in one.items()})
    return [{"import_playbook": f"fcd.cloud.{name}", "vars": {**given, **runs[name]}} for name in names or runs]


def _local(*tasks: Item) -> Item:
    return {"hosts": "localhost", "gather_facts": False, "tasks": [*tasks]}


def plays(bench: t.Any, folder: Path) -> tuple[list[list[Item]], Item]:
    """Return the plays of each run, for one in which all hosts fail ends it, and the variables, which are encrypted."""
    looked_up = bench.folder / GIVEN / "looked-up"
    looked_up.write_text(canary("lookedup"), encoding="utf-8")
    site = _site(f"lookup('ansible.builtin.file', '{looked_up}')", bench.encrypted)
    (folder / "project" / "site.yml").write_text(site, encoding="utf-8")
    (folder / "project" / "public").mkdir()
    (folder / "project" / "public" / "index.html").write_text("a page", encoding="utf-8")
    roles = [
        {"ansible.builtin.include_role": {"name": f"fcd.cloud.{role}"}, "vars": given}
        for role, given in ROLE_VARIABLES.items()
    ]
    pull = {"mode": "pull", "path": str(folder / "registry"), "container": "canary-state"}
    other = {"name": "canary-files", "metadata": {"owner": "{{ own_site.drifted }}"}}
    drifting = {"name": "drifting", "fcd.cloud.storage_container": other, "no_log": True}
    refusing = control("faults", {"fault": "repeat", "times": 0, "write": True})
    registry, done = _local({"name": "registry", "fcd.cloud.storage_sync": pull}), _imported(RUNS)
    return [
        [_local(*roles), *done[:4], registry, *done[4:]],
        [_local(drifting), *_imported(DRIFT)],
        [*_imported(END, "deprovision"), _local(refusing), *_imported(END, "apply")],
    ], {
        "own_site": OWN_SITE,
        "canary_folder": str(folder / "project"),
        "canary_ticket_url": bench.sandbox.info["foreign_url"],
        "canary_tool": bench.tool(),
        "canary_pushed": pushed(folder),
        "canary_awx_project": _committed(CHECKOUT / "extensions/awx/project", folder / "awx", ".").as_uri(),
        **control_variables(bench.sandbox.info),
    }
