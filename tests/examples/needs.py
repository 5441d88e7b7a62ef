# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader of the examples has and the sandbox lacks: files, objects, variables.

A plugin whose examples need nothing has no line here. Addresses and credentials of the examples are exchanged for those
of the sandbox in every plugin; ids and labels are not: examples use what the seed has, or read them when they run.
"""

from __future__ import annotations

import typing as t

from sandbox.ready import SITE_KEY
from site_keys import private_key

Tasks = t.List[t.Dict[str, t.Any]]

ADDRESSES = {
    "https://api.example.com/beta": "base_url",
    "https://auth.example.com": "auth_url",
    "https://storage.example.com": "storage_base",
    "https://soap.example.com/CommonFcd.svc": "soap_url",
    "https://sandbox.example.com": "control_url",
    "token-of-the-sandbox": "control_token",
}
"""Addresses in the examples, and what opens the last, with their names in the ready document of the sandbox."""

CREDENTIALS = {"example:admin": "storage_user", "panel.user@example.com": "username"}
"""Public halves of credentials in the examples, with their names among those of the sandbox."""

VARIABLES = {
    "vault_api_client_id": "api_client_id",
    "vault_api_client_secret": "api_client_secret",
    "vault_panel_password": "password",
    "vault_storage_key": "storage_key",
}
"""Variables that the examples take secrets from, with their names among the credentials of the sandbox."""


class Needs(t.NamedTuple):
    """``files`` lie beside the playbook, those with a leading slash elsewhere; ``before`` are tasks that run first.

    ``folders`` are elsewhere too, with whatever is in them.

    ``unchanged`` names the tasks that are to change nothing, in a plugin whose other tasks all do.
    """

    files: t.Mapping[str, str] = {}
    folders: t.Sequence[str] = ()
    variables: t.Mapping[str, t.Any] = {}
    before: t.Sequence[t.Mapping[str, t.Any]] = ()
    unchanged: t.Collection[str] = ()


def _container(name: str, **more: str) -> dict[str, t.Any]:
    return {"name": f"container {name}", "fcd.cloud.storage_container": {"name": name, **more}}


def _object(container: str, name: str, content: str = "something") -> dict[str, t.Any]:
    args = {"container": container, "name": name, "content": content}
    return {"name": f"object {name}", "fcd.cloud.storage_object": args}


def _instance(name: str, **more: t.Any) -> dict[str, t.Any]:
    args = {"name": name, "template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2", **more}
    return {"name": f"instance {name}", "fcd.cloud.instance": args}


def _group(name: str, *instances: str) -> dict[str, t.Any]:
    return {"name": f"group {name}", "fcd.cloud.instance_group": {"name": name, "instances": [*instances]}}


def _balancer(group: str) -> dict[str, t.Any]:
    return {"name": f"load balancer of {group}", "fcd.cloud.load_balancer": {"group": group}}


def _export(name: str, instance: str) -> dict[str, t.Any]:
    args = {"name": name, "instance": instance, "location": "exports", "project": "backups"}
    return {"name": f"export {name}", "fcd.cloud.instance_export": args}


def _import(name: str) -> dict[str, t.Any]:
    args = {"name": name, "location": f"exports/{name}.ovf", "project": "backups"}
    return {"name": f"import {name}", "fcd.cloud.instance_import": args}


def _snapshot(name: str, instance: str) -> dict[str, t.Any]:
    return {"name": f"snapshot {name}", "fcd.cloud.snapshot": {"name": name, "instance": instance}}


ALWAYS = {"check_mode": False}
"""For what a reader has from outside, or from earlier runs: a letter, the registry of a site, versions, interfaces."""


def _letter() -> dict[str, t.Any]:
    args = {"action": "request_reset", "email": "second.user@example.com"}
    return {"name": "letter", "fcd.cloud.client_user_password": args, **ALWAYS}


def _token_of_the_letter() -> list[dict[str, t.Any]]:
    """The letter is not sent: its token stands among the objects of the sandbox."""
    token = "{{ (written.content | from_json).soap.reset_tokens | first }}"
    return [
        {
            "name": "objects of the sandbox",
            "ansible.builtin.uri": {
                "url": "https://sandbox.example.com/sandbox/state",
                "headers": {"X-Sandbox-Token": "token-of-the-sandbox"},
                "return_content": True,
            },
            "register": "written",
            **ALWAYS,
        },
        {"name": "token of the letter", "ansible.builtin.set_fact": {"vault_reset_token": token}},
    ]


SITE = "site: web-shop\ninstances: [{name: web, template: Debian 9, subregion: EU-001, type: v1.standard-1.09}]\n"

PRODUCTION = "instances: [{name: web, remove: true}]\nprivate_networks: [{name: production}]\n"

NEEDS = {
    "client_phone_verification": Needs(
        variables={"code_from_the_phone": "271828"},
        unchanged=("Save the result",),  # it is verified in the seed
    ),
    "client_user": Needs(variables={"vault_billing_reader_password": "An-Odd-Example-Word-1"}),
    "client_user_password": Needs(
        variables={
            "vault_second_user_password": "An-Odd-Example-Word-1",
            "vault_second_user_next_password": "An-Odd-Example-Word-2",
        },
        before=[_letter(), *_token_of_the_letter()],
    ),
    "health_check": Needs(variables={"vault_sip_password": "An-Odd-Example-Word-1"}),
    "client_user_session": Needs(
        variables={"vault_reset_token": "no longer"},
        unchanged=("Check whether a password reset token is still valid",),
    ),
    "contract_call": Needs(
        variables={"vault_applicant_pesel": "44051401359"},
        unchanged=("Read the time zones", "Read some clients", "Call an operation with a secret"),
    ),
    "disk": Needs(before=[_instance("web")]),
    "disk_info": Needs(before=[_instance("web")]),
    "infrastructure_call": Needs(unchanged=("Read the SSH keys of the account", "Read the standard templates")),
    "group_autoscaler": Needs(before=[_instance("web"), _instance("db"), _group("shop", "web")]),
    "group_schedule": Needs(before=[_instance("web"), _group("shop", "web")]),
    "group_schedule_info": Needs(before=[_instance("web"), _group("shop", "web")]),
    "instance_autoscaler": Needs(before=[_instance("web")]),
    "instance_console_info": Needs(before=[_instance("web")]),
    "instance_clone": Needs(before=[_instance("web")]),
    "instance_group": Needs(before=[_instance("web")]),
    "instance_group_info": Needs(before=[_instance("web"), _group("web-tier", "web")]),
    "instance_export": Needs(before=[_instance("web")]),
    "instance_export_info": Needs(before=[_instance("web"), _export("monthly", "web")]),
    "instance_import_run": Needs(before=[_import("web")]),
    "instance_console": Needs(before=[_instance("web")]),
    "instance_interface": Needs(before=[{**_instance("db", private_networks=["backend"]), **ALWAYS}]),
    "instance_screenshot": Needs(before=[_instance("web")]),
    "instance_power": Needs(before=[_instance("web")]),
    "instance_schedule": Needs(before=[_instance("web")]),
    "instance_schedule_info": Needs(before=[_instance("web")]),
    "instance_to_template": Needs(before=[_instance("builder")]),
    "ip_address": Needs(before=[_instance("web")]),
    "ip_address_info": Needs(before=[_instance("web")]),
    "load_balancer": Needs(before=[_group("web-tier")]),
    "load_balancer_drain": Needs(before=[_instance("web"), _group("web-tier", "web"), _balancer("web-tier")]),
    "load_balancer_info": Needs(before=[_instance("web"), _group("web-tier", "web"), _balancer("web-tier")]),
    "orchestration": Needs(
        folders=["/srv/deploy", "/opt/plugins"],
        before=[_container("states"), _instance("legacy")],
    ),
    "site": Needs(
        files={"site.yml": SITE, "environments/production.yml": PRODUCTION},
        # all is declared
        unchanged=("Remove what the site owns and no longer declares, at most three objects",),
    ),
    "site_export": Needs(
        unchanged=(  # and no object is so large that it would become a file
            "Read the account",
            "Export the instances of the shop and the objects connected to them",
            "Export the object storage, with larger objects as files",
        )
    ),
    "site_report": Needs(
        files={"site.yml": f"{SITE}registry: {{container: site-states}}\n"},
        unchanged=("Remove the reports of an earlier run",),  # there are none
    ),
    "site_state": Needs(
        files={"site.yml": f"{SITE}disks: [{{name: archive, size: 10, disk_class: Tier 1, subregion: EU-001}}]\n"},
        before=[{"name": "apply", "fcd.cloud.site": {"src": "site.yml"}, **ALWAYS}],
        variables={"vaulted_site_key": SITE_KEY, "vaulted_previous_site_key": private_key("EarlierKey")},
        unchanged=(
            *("List what the site owns", "Show what the service reports about an entry"),
            # the registry is signed with the sandbox's key from the beginning
            *("Show the entries of an unsigned registry", "Change the signing key"),
        ),
    ),
    "site_validate": Needs(
        files={"site.yml": SITE, "environments/production.yml": "instances: [{name: web, type: v1.standard-2.2}]"},
        unchanged=("Check a site file", "Check the production environment without access to its passwords"),
    ),
    "snapshot": Needs(before=[_instance("web")]),
    "snapshot_info": Needs(before=[_instance("web")]),
    "snapshot_restore": Needs(before=[_instance("web"), _snapshot("before-update", "web")]),
    "storage_account": Needs(
        variables={
            "vault_temp_url_key": "An-Odd-Example-Word-1",
            "vault_next_temp_url_key": "An-Odd-Example-Word-2",
        },
    ),
    "storage_container": Needs(
        variables={"vault_documents_key": "An-Odd-Example-Word-1"},
        before=[_container("scratch"), _object("scratch", "something")],
    ),
    "storage_container_info": Needs(before=[_container("backups")]),
    "storage_object": Needs(
        files={"files/db.sql.gz": "a dump", "files/server.qcow2": "a disk", "/var/log/app.log": "a line"},
        before=[
            *map(_container, ("downloads", "backups", "releases", "reports")),
            _object("releases", "1.4.2.tar.gz"),
            _object("reports", "summary.txt"),  # for the lookup of the same name
        ],
    ),
    "storage_object_download": Needs(
        folders=["/var/backups"],
        before=[_container("downloads"), _object("downloads", "current.tar.gz")],
        unchanged=("Show what a second run would do",),
    ),
    "storage_object_info": Needs(
        before=[
            *map(_container, ("downloads", "backups")),
            _object("downloads", "current.tar.gz"),
            {**_container("documents", versioning="enabled"), **ALWAYS},
            *({**_object("documents", "contract.pdf", content), **ALWAYS} for content in ("old", "new")),
        ]
    ),
    "storage_sync": Needs(
        files={"/srv/site/index.html": "a page", "/srv/site/assets/a.css": "a style", "/var/log/app/a.log.gz": "a log"},
        folders=["/srv/site", "/var/log/app", "/opt/releases"],
        before=[
            *map(_container, ("www", "logs", "releases", "backups")),
            _object("releases", "1.4/app.tar.gz"),
        ],
    ),
    "storage_temp_url": Needs(
        variables={"vault_temp_url_key": "An-Odd-Example-Word-1"},
        before=[_container("reports", temp_url_key="An-Odd-Example-Word-1")],
    ),
    "storage_token": Needs(unchanged=("Log in to the object storage",)),
}
