# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON schema of site files is up to date, and says the same as the checks when a file is read."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
import site_schema
import tree_yaml
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import read_site
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS

PLAYBOOKS = site_schema.ROOT / "playbooks"
EXAMPLE, PRODUCTION = PLAYBOOKS / "site.example.yml", PLAYBOOKS / "environments" / "production.example.yml"


def validator(name: str) -> Draft202012Validator:
    """Return a validator with the file as it is in the repository."""
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in site_schema.TARGETS.values()}
    registry: Registry[t.Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in schemas.items()
    )
    return Draft202012Validator(schemas[site_schema.TARGETS[name].name], registry=registry)


SITE, ENVIRONMENT = validator("site"), validator("environment")


def test_the_schemas_are_up_to_date() -> None:
    old = [name for name, file in site_schema.TARGETS.items() if file.read_text("utf-8") != site_schema.text_of(name)]
    assert old == [], "run: python tests/tools/site_schema.py"


def test_they_are_schemas() -> None:
    for name in site_schema.TARGETS:
        Draft202012Validator.check_schema(json.loads(site_schema.text_of(name)))


def test_every_option_is_described() -> None:
    told = site_schema.site()["$defs"]
    for kind in KINDS:
        options = told[f"{kind}.options"]["properties"]
        assert [name for name, option in options.items() if not option.get("description")] == []


def test_no_markup_is_left_in_it() -> None:
    text = site_schema.text_of("site")
    assert [mark for mark in "OVCEMBIUL" if f"{mark}(" in text.replace("UTC(", "").replace("MD5(", "")] == []


def test_the_examples_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    base, over = (tree_yaml.of_file(path) for path in (EXAMPLE, PRODUCTION))
    assert list(SITE.iter_errors(base)) == []
    assert list(ENVIRONMENT.iter_errors(over)) == []
    loader = DataLoader()
    read = read_site(loader, Templar(loader=loader), str(EXAMPLE), [str(PRODUCTION)], secrets=False)
    assert len(read.entries) > len(base["instances"])
    assert {entry.kind for entry in read_site(loader, Templar(loader=loader), str(EXAMPLE), secrets=False).entries} == {
        *KINDS
    }


RIGHT = [
    "site: a",
    "site: a\ninstances:",
    "site: a\ninstances: []",
    "site: a\ninstances: [{name: w}]",
    "site: a\ninstances: [{instance_name: w, isfreemium: yes}]",
    "site: a\ninstances: [{name: w, type: null, type_id: 3}]",
    "site: a\ninstances: [{name: w, instances_count: '2'}]",
    "site: a\ninstances: [{name: w, stop_timeout: 1.5, force_stop: 'on'}]",
    "site: a\ninstances: [{id: 12, state: stopped}]",
    "site: a\ninstances: [{name: w, ssh_keys: operations}]",
    "site: a\ninstances: [{name: w, ssh_keys: [operations, 12]}]",
    "site: a\ninstances: [{name: w, key: x}]\ndisks: [{name: d, instances: [{ref: instances.x}]}]",
    "site: a\nip_addresses: [{comment: c}]\ninstances: [{name: w, ip_address_id: {ref: ip_addresses.c}}]",
    "site: a\ninstances: [{name: w, template: \"{{ 'x' }}\", init_disk_size: '{{ 10 }}'}]",
    "site: a\ndefaults: {storage_objects: {container: c}}\nstorage_objects: [{name: o, content: {a: [1]}}]",
    "site: a\nstorage_containers: [{container: c, metadata: {a: 1, b: x}, quota_count: 12}]",
    "site: a\nstorage_folders: [{container: c, path: ., headers: [{match: '*', cache_control: x}]}]",
    "site: a\nwarehouses: [{partner_id: 1, template_id: 2, data_store_number: 3}]",
    "site: a\nclient_users: [{user_name: u, settings: {language_id: 3}, privileges: []}]",
    "site: a\nclients: [{id: 1, company: {company_name: x}, addresses: [{street: x}]}]",
    "site: a\nclient_pricelists: [{pricelist: p, client_ids: [1, '2']}]",
    "site: a\nregistry: {path: x.json}",
    "site: a\ndisks: \"{{ [{'name': 'd'}] }}\"",
    "site: a\ninstances: [{name: w, adopt: yes, lifecycle: {prevent_destroy: 'yes', ignore_changes: [type]}}]",
    "site: a\ninstances: [{name: w, adopt: '{{ true }}', lifecycle: {ignore_changes: 'type,template'}}]",
    "site: a\ndefaults: {instances: {lifecycle: {create_before_destroy: no}}}\ninstances: [{name: d, lifecycle: null}]",
    "site: a\nmoved: [\"{{ {'from': 'disks.c', 'to': 'disks.d'} }}\"]\ndisks: [name: d]",
    "site: a\nmoved: [{from: disks.a, to: disks.b}]\ndisks: [name: b]",
    "site: a\nremoved: [{what: disks.a, destroy: false}]\nmoved:\noutputs:\npolicies:",
    "site: a\ndisks: [{name: d}]\noutputs: {size: disks.d.size, none: null, id: \"{{ 'disks.d.id' }}\"}",
    "site: a\npolicies: [.]",
]
WRONG = [
    "instances: []",
    "site: A b",
    "site: [a]",
    "site: a\ninstancs: []",
    "site: a\nregistry: {container: x, path: y}",
    "site: a\nregistry: {contaner: x}",
    "site: a\nregistry: x",
    "site: a\ndefaults: []",
    "site: a\ndefaults: {disks: {siz: 3}}",
    "site: a\ndefaults: {diskss: {}}",
    "site: a\ninstances: {name: w}",
    "site: a\ninstances: [w]",
    "site: a\ninstances: [{}]",
    "site: a\ninstances: [{type: t}]",
    "site: a\ninstances: [{name: w, tipe: t}]",
    "site: a\ninstances: [{name: w, state: presnt}]",
    "site: a\ninstances: [{name: w, init_disk_size: huge}]",
    "site: a\ninstances: [{name: w, init_disk_size: [10]}]",
    "site: a\ninstances: [{name: w, type: t, type_id: 3}]",
    "site: a\ninstances: [{name: w, recreate: perhaps}]",
    "site: a\ninstances: [{name: w, wait: true}]",
    "site: a\ninstances: [{name: w, access_data: true}]",
    "site: a\ninstances: [{name: w, ssh_keys: {a: b}}]",
    "site: a\ninstances: [{name: [w]}]",
    "site: a\ninstances: [{name: true}]",
    "site: a\ninstances: [{name: w, ip_address_id: {ref: ip_adresses.c}}]",
    "site: a\ninstances: [{name: w, ip_address_id: {reference: ip_addresses.c}}]",
    "site: a\nstorage_folders: [{container: c, mode: pull, path: .}]",
    "site: a\nstorage_folders: [{container: c, path: ., headers: [{mach: '*'}]}]",
    "site: a\nstorage_objects: [{container: c, name: o, content: x, src: y}]",
    "site: a\nstorage_containers: [{name: c, metadata: x}]",
    "site: a\nclient_users: [{user_name: u, settings: {langage_id: 3}}]",
    "site: a\nclient_users: [{user_name: u, user_password: {a: b}}]",
    "site: a\ndisks: [{name: d, username: x}]",
    "site: a\ninstances: [{name: w, adopt: perhaps}]",
    "site: a\nclients: [{id: 1, adopt: true}]",
    "site: a\ndefaults: {disks: {adopt: true}}",
    "site: a\ninstances: [{name: w, lifecycle: {prevent_destory: true}}]",
    "site: a\ninstances: [{name: w, lifecycle: {prevent_destroy: [true]}}]",
    "site: a\ninstances: [{name: w, lifecycle: {ignore_changes: [tipe]}}]",
    "site: a\nstorage_containers: [{name: w, lifecycle: {create_before_destroy: true}}]",
    "site: a\ndisks: [{name: b}]\nmoved: [{from: disks.a}]",
    "site: a\ndisks: [{name: b}]\nmoved: [{from: disk.a, to: disks.b}]",
    "site: a\nmoved: {from: disks.a, to: disks.b}",
    "site: a\nremoved: [{what: disks.a}]",
    "site: a\nremoved: [{what: clients.a, destroy: true}]",
    "site: a\nremoved: [disks.a]",
    "site: a\ndisks: [{name: d}]\noutputs: {the-size: disks.d.size}",
    "site: a\ndisks: [{name: d}]\noutputs: {size: disks.d}",
    "site: a\noutputs: [disks.d.size]",
    "site: a\npolicies: .",
    "site: a\npolicies: [{}]",
]


def _is_read(file: Path) -> bool:
    loader = DataLoader()
    try:
        read_site(loader, Templar(loader=loader), str(file))
    except InvalidInput:
        return False
    return True


def test_the_schema_and_the_checks_agree(tmp_path: Path) -> None:
    file = tmp_path / "site.yml"
    judged = []
    for text in (*RIGHT, *WRONG):
        file.write_text(text, encoding="utf-8")
        judged.append((text, SITE.is_valid(tree_yaml.load(text)), _is_read(file)))
    assert [one for one in judged if one != (one[0], one[0] in RIGHT, one[0] in RIGHT)] == []


def test_an_environment_may_say_less() -> None:
    for text in ("instances: [{name: w, remove: true}]", "disks: [{key: d, size: 12}]", "{}"):
        assert ENVIRONMENT.is_valid(tree_yaml.load(text))
        assert not SITE.is_valid(tree_yaml.load(text))
