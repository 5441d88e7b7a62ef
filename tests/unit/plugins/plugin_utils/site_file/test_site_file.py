# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Site files as they are read in a task: decrypted, resolved, checked; what is wrong is told with its line."""

from __future__ import annotations

import re
import sys
import typing as t
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest
import yaml
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret
from ansible.template import Templar

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import (
    declaration_of,
    read_site,
    validation_result,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import (
    KINDS,
    Declaration,
    NumberReference,
    of_part,
    of_stage,
    unknown_numbers,
    with_numbers,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.read.site_reader import SiteReader
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.read.site_yaml import read_yaml

from .conftest import SECRET, VARIABLES, told

WHOLE = """\
site: web-shop
registry: {container: state}
defaults:
  instances: {template: Debian 8, subregion: EU-001, type: v1}
  storage_objects: {container: assets}
private_networks:
  - {key: inside, name: backend}
ip_addresses:
  - {comment: front, subregion: EU-001}
  - comment: other
    instance: {ref: instances.web-1}
instances:
  - name: web
    instances_count: 2
    private_networks: [inside]
  - name: "db-{{ who }}"
    ip_addresses: [front]
disks:
  - {name: data, instances: [web-1], size: "{{ size }}"}
storage_containers:
  - name: assets
storage_objects:
  - name: x.txt
    src: files/x.txt
clients:
  - {key: acme, id: 12}
client_users:
  - {user_name: joe, client_id: {ref: clients.acme}, user_password: pw, last_name: "{{ nested }}"}
client_fixed_amounts:
  - {client_id: {ref: clients.acme}, amount: 10}
"""


def test_a_whole_site(read: t.Callable[..., Declaration], tmp_path: Path) -> None:
    site = read(WHOLE)
    found = site.by_place()
    assert [entry.place for entry in site.entries] == [
        ("private_networks", "backend"),
        ("ip_addresses", "front"),
        ("ip_addresses", "other"),
        ("storage_containers", "assets"),
        ("clients", "12"),
        ("instances", "web-1"),
        ("instances", "web-2"),
        ("instances", "db-me"),
        ("disks", "data"),
        ("storage_objects", "assets/x.txt"),
        ("client_users", "joe"),
        ("client_fixed_amounts", "12"),
    ]
    assert (site.site, site.environment, site.registry) == ("web-shop", None, {"container": "state"})
    assert site.services() == ("rest", "soap", "storage")
    web = found["instances", "web-1"]
    assert (web.key, web.source, web.stage) == ("web-1", "site.yml:13", "rest")
    assert (web.given["private_networks"], web.given["template"]) == (["backend"], "Debian 8")
    assert (web.params["state"], web.params["wait"], web.params["id"]) == ("present", True, None)
    assert web.refs == (("private_networks", "backend"),)
    assert found["ip_addresses", "other"].given["instance"] == "web-1"
    assert found["disks", "data"].given["size"] == 20
    assert found["storage_objects", "assets/x.txt"].params["src"] == str(tmp_path / "files" / "x.txt")
    assert found["client_users", "joe"].params["client_id"] == 12
    assert found["client_users", "joe"].params["last_name"] == "me-too"
    assert found["client_fixed_amounts", "12"].refs == (("clients", "12"),)
    assert found["client_fixed_amounts", "12"].params["amount"] == "10"


def test_a_number_that_only_the_service_knows(read: t.Callable[..., Declaration]) -> None:
    params = read(WHOLE).by_place()["instances", "db-me"].params
    number = NumberReference("ip_addresses", "front", as_text=True)
    assert params["ip_addresses"] == [number]
    assert unknown_numbers(params, lambda _kind, _name: None) == [number]
    assert unknown_numbers(params, lambda _kind, _name: 7) == []
    assert with_numbers(params, lambda kind, name: 7 if (kind, name) == number[:2] else None)["ip_addresses"] == ["7"]


def test_times_and_sizes_are_numbers(read: t.Callable[..., Declaration]) -> None:
    """Those of the defaults too, which Ansible makes texts of."""
    for written, read_as in [
        ("{}", (300.0, None)),
        ("{stop_timeout: 10m, init_disk_size: 100GiB}", (600.0, 100)),
        ("{stop_timeout: 1.5, init_disk_size: '20'}", (1.5, 20)),
        ("{stop_timeout: '{{ size }}m', init_disk_size: '{{ size }}G'}", (1200.0, 20)),
    ]:
        params = read(f"site: a\ninstances:\n- {{name: w, <<: {written}}}").entries[0].params
        values = (params["stop_timeout"], params["init_disk_size"])
        assert values == read_as
        assert all(map(isinstance, values, map(type, read_as)))


def test_dependents_of_later_stages_move_to_the_later_stage(read: t.Callable[..., Declaration]) -> None:
    site = read(WHOLE)
    first, rest = of_stage(site, "foundations"), of_stage(site, "rest")
    assert ("ip_addresses", "front") in first.by_place()
    assert ("ip_addresses", "other") in rest.by_place()
    assert [*first.by_place(), *rest.by_place()] != []
    assert {*first.by_place()} | {*rest.by_place()} == {*site.by_place()}
    assert of_stage(site, "all") == site


def test_parts_are_the_whole_and_wait_for_no_other(read: t.Callable[..., Declaration]) -> None:
    for of in [1, 2, 3, 7]:
        instances = "".join(f"  - name: i{number}\n" for number in range(40))
        disks = "".join(f"  - {{name: d{number}, instances: [i{number}]}}\n" for number in range(40))
        site = of_stage(read(f"site: a\ninstances:\n{instances}disks:\n{disks}"), "rest")
        parts = [of_part(site, number, of) for number in range(1, of + 1)]
        assert sorted(entry.place for part in parts for entry in part.entries) == sorted(site.by_place())
        assert of == 1 or all(len(part.entries) < len(site.entries) for part in parts)
        for part in parts:
            assert all(ref in part.by_place() for entry in part.entries for ref in entry.refs)
            assert part.digest == site.digest


def test_environments(read: t.Callable[..., Declaration]) -> None:
    over = """\
site: web-shop-production
registry: {path: owned.json}
defaults: {instances: {type_id: 5}}
instances:
  - {name: web, instances_count: 3}
  - {name: "db-{{ who }}", ip_addresses: null}
  - name: another
private_networks:
  - {key: inside, remove: true}
  - {key: inside2, name: backend-2}
storage_containers:
  - {container: assets, metadata: {a: 1}}
"""
    again = "instances:\n  - {name: another, remove: yes}\nstorage_containers:\n  - {name: assets, metadata: {b: 2}}\n"
    plain = WHOLE.replace("    private_networks: [inside]\n", "")
    site = read(plain, over, again, environment="production")
    found = site.by_place()
    assert (site.site, site.environment) == ("web-shop-production", "production")
    assert site.registry["path"].endswith("/owned.json")
    assert "container" not in site.registry
    assert [name for kind, name in found if kind == "instances"] == ["web-1", "web-2", "web-3", "db-me"]
    assert found["instances", "web-1"].params["type_id"] == 5
    assert found["instances", "web-1"].params["type"] is None
    assert found["instances", "db-me"].params["ip_addresses"] is None
    assert [name for kind, name in found if kind == "private_networks"] == ["backend-2"]
    assert found["storage_containers", "assets"].params["metadata"] == {"a": 1, "b": 2}


def test_the_digest_is_of_the_wish_and_has_no_secret(
    read: t.Callable[..., Declaration], tmp_path: Path, loader: DataLoader
) -> None:
    digest = read(WHOLE).digest
    assert read("# a note\n" + WHOLE.replace("pw", "another password")).digest == digest
    assert read(WHOLE.replace("Debian 8", "Debian 9")).digest != digest
    assert read(WHOLE.replace(", user_password: pw", "")).digest != digest
    assert read(WHOLE, environment="production").digest != digest
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "site.yml").write_text(WHOLE, encoding="utf-8")
    templar = Templar(loader=loader, variables={**VARIABLES, "size": "20"})
    assert read_site(loader, templar, str(elsewhere / "site.yml")).digest == digest


def test_vaulted_values_and_files(read: t.Callable[..., Declaration], tmp_path: Path, loader: DataLoader) -> None:
    vault = VaultLib([("default", VaultSecret(SECRET.encode()))])
    secret = vault.encrypt("p{{w").decode()
    inside = "\n".join(f"      {line}" for line in secret.splitlines())
    text = f"site: a\nclient_users:\n  - user_name: x\n    user_password: !vault |\n{inside}\n"
    text += "    last_name: !unsafe '{{ x'\n"
    params = read(text).entries[0].params
    assert (params["user_password"], params["last_name"]) == ("p{{w", "{{ x")
    whole = tmp_path / "whole.yml"
    whole.write_bytes(vault.encrypt(text))
    assert read_site(loader, Templar(loader=loader), str(whole)).entries[0].params["user_password"] == "p{{w"
    without = DataLoader()
    with pytest.raises(
        InvalidInput, match=r"site\.yml:4: client_users\[0\] \(x\): user_password: it cannot be decrypted"
    ):
        read_site(without, Templar(loader=without), "site.yml")
    assert read_site(without, Templar(loader=without), "site.yml", secrets=False).entries[0].name == "x"
    with pytest.raises(InvalidInput, match=r"whole\.yml cannot be read"):
        read_site(without, Templar(loader=without), str(whole))


def test_templates(read: t.Callable[..., Declaration]) -> None:
    text = """\
site: "{{ who }}"
instances: "{{ [{'name': 'one'}] }}"
disks:
  - {name: d, size: "{{ nothing | default(omit) }}", instances: "{{ names }}"}
"""
    found = read(text).by_place()
    assert found["instances", "one"].source == "site.yml:2"
    assert found["disks", "d"].params["size"] is None
    assert found["disks", "d"].params["instances"] == ["a", "b"]


def test_a_template_that_a_later_file_replaces_is_not_resolved(read: t.Callable[..., Declaration]) -> None:
    base = 'site: a\nclient_users: [{user_name: x, user_password: "{{ nowhere }}"}]\n'
    assert "'nowhere' is undefined" in told(read, base)[0]
    over = "client_users: [{user_name: x, user_password: here}]\n"
    assert read(base, over).entries[0].params["user_password"] == "here"


FOLDER_AND_OBJECT = """\
site: a
storage_folders: [{container: c, prefix: p, path: x, delete: true}]
storage_objects: [{container: c, name: p/i, content: x}]
"""
WRONG: dict[str, tuple[str, str]] = {
    "kind": (
        "site: a\ninstancs: []",
        "site.yml:2: there is no 'instancs' in a site file. Did you mean 'instances'",
    ),
    "singular": ("site: a\ninstance: []", "Did you mean 'instances'"),
    "no site": ("instances: []", "site.yml:1: site is missing"),
    "site": ("site: Web Shop", "site.yml:1: site: 'Web Shop' is not a valid name"),
    "registry": ("site: a\nregistry: {container: x, path: y}", "site.yml:2: registry: either {container: name} or"),
    "registry member": ("site: a\nregistry: {contaner: x}", "Did you mean 'container'?"),
    "not a list": ("site: a\ndisks: {name: x}", "site.yml:2: disks: write a list of entries, not a mapping."),
    "not a mapping": ("site: a\ndisks:\n- x", "site.yml:3: disks[0]: an entry is a mapping of options, not a text."),
    "option": (
        "site: a\ninstances:\n- name: w\n  privat_networks: []",
        "site.yml:4: instances[0] (w): there is no option 'privat_networks'. Did you mean 'private_networks'?",
    ),
    "twice": ("site: a\ninstances:\n- {name: w, instance_name: w}", "two names for one option"),
    "wait": ("site: a\ndisks:\n- {name: w, wait: true}", "wait: it is an option of a task"),
    "force": ("site: a\nwarehouses:\n- {id: 1, force_create: true}", "force_create: it is an option of a task"),
    "connection": ("site: a\ndisks:\n- {name: w, base_url: x}", "base_url: the connection to the service"),
    "fixed": ("site: a\nstorage_folders:\n- {container: w, mode: pull}", "mode: it is always 'push'"),
    "nameless": (
        "site: a\ndisks:\n- {size: 3}",
        "disks[0]: it does not say which object it describes: give name or id.",
    ),
    "choice": (
        "site: a\ndisks:\n- name: d\n  state: presnt",
        "site.yml:4: disks[0] (d): state: there is no value 'presnt'. Did you mean 'present'? Value of state must",
    ),
    "number": ("site: a\ndisks:\n- name: d\n  size: huge", "site.yml:4: disks[0] (d): size: 'huge' is not a size."),
    "truth": ("site: a\ndisks:\n- name: yes", "name: write a text, not true or false. Put it in quotes."),
    "number of truth": ("site: a\ndisks:\n- {name: d, size: true}", "size: write a number, not true or false."),
    "text of a list": ("site: a\ndisks:\n- {name: [a]}", "name: write a text, not a list."),
    "list of a mapping": ("site: a\ndisks:\n- {name: a, instances: {b: c}}", "instances: write a list, not a mapping"),
    "exclusive": ("site: a\ninstances:\n- {name: w, type: a, type_id: 3}", "mutually exclusive"),
    "bounds": (
        "site: a\ninstances:\n- {name: w, init_disk_size: 1}",
        "init_disk_size: 1 is not between 5 and 300",
    ),
    "count": (
        "site: a\ninstances:\n- {name: w, instances_count: 1000}",
        "instances_count: 1000 is not between 1 and 50",
    ),
    "suboption": (
        "site: a\nclient_users:\n- {user_name: w, settings: {langage_id: 1}}",
        "Did you mean 'settings.language_id'?",
    ),
    "required": (
        "site: a\nstorage_folders:\n- {container: w}",
        "storage_folders[0] (w): mode is push but all of the following",
    ),
    "name twice": (
        "site: a\ndisks:\n- name: d\n- name: d",
        "site.yml:4: disks[1] (d): d is already declared at site.yml:3",
    ),
    "key twice": ("site: a\ndisks:\n- name: d\n- {key: d, name: e}", "the key 'd' is already that of d at site.yml:3"),
    "count meets name": (
        "site: a\ninstances:\n- {name: w, instances_count: 2}\n- name: w-2",
        "w-2 is already declared at site.yml:3",
    ),
    "ref kind": (
        "site: a\ndisks:\n- {name: d, size: {ref: instancs.a}}",
        "ref: there is no kind 'instancs'. Did you mean",
    ),
    "ref key": (
        "site: a\nip_addresses: [comment: web]\ninstances:\n- name: w\n  ip_address_id: {ref: ip_addresses.wob}",
        "site.yml:5: instances[0] (w): ip_address_id: ref: there is no 'wob' in ip_addresses. Did you mean 'web'?",
    ),
    "ref form": ("site: a\ndisks:\n- {name: d, size: {ref: a}}", "ref: write it as kind.key"),
    "ref without number": (
        "site: a\nstorage_containers: [name: c]\ndisks:\n- {name: d, size: {ref: storage_containers.c}}",
        "storage_containers have no ID",
    ),
    "circle": (
        "site: a\nip_addresses:\n- {comment: c, instance: w}\ninstances:\n- {name: w, ip_addresses: [c]}",
        "in a circle, so none can be created first: instances.w -> ip_addresses.c -> instances.w.",
    ),
    "gone": (
        "site: a\ninstances:\n- {name: w, state: absent}\ndisks:\n- {name: d, instances: [w]}",
        "site.yml:5: disks (d): it refers to instances.w, which has state absent.",
    ),
    "remove": ("site: a\ndisks:\n- {name: d, remove: true}", "remove: it is for an environment"),
    "undefined": (
        "site: a\ninstances:\n- name: w\n  template: '{{ nowhere.at }}'",
        "site.yml:4: instances[0] (w): template: 'nowhere' is undefined.",
    ),
    "filter": ("site: a\ndisks:\n- {name: d, size: '{{ 1 | nofilter }}'}", "size: the template cannot be resolved"),
    "empty password": (
        "site: a\nclient_users:\n- {user_name: w, user_password: ''}",
        "user_password is empty. If it comes",
    ),
    "private key": ("site: a\nssh_keys:\n- {name: w, public_key: -----BEGIN PRIVATE KEY}", "this is a private key"),
    "price lists": (
        "site: a\nclient_pricelists:\n- {pricelist: A, client_ids: [1, 2]}\n- {pricelist: B, client_ids: [2]}",
        "client 2 has the price list A by site.yml:3.",
    ),
    "folder": (
        FOLDER_AND_OBJECT,
        "has delete: true and would remove this object",
    ),
    "default kind": ("site: a\ndefaults: {diskss: {}}", "there is no kind 'diskss'. Did you mean 'disks'?"),
    "word of others": (
        "site: a\ninstances:\n- {name: w, flavor: x}",
        "instances[0] (w): there is no option 'flavor'. Use 'type'.",
    ),
    "default option": ("site: a\ndefaults: {disks: {siz: 3}}", "defaults.disks: there is no option 'siz'"),
    "default key": (
        "site: a\ndefaults: {disks: {key: 3}}",
        "defaults.disks: key: it belongs to a single entry",
    ),
    "endless number": ("site: a\ndisks:\n- {name: d, size: .inf}", "size: write a number, not .inf."),
    "endless text": ("site: a\ndisks:\n- {name: d, size: inf}", "size: 'inf' is not a size."),
    "no name": ("site: a\ndisks:\n- {name: .nan}", "name: write a text, not .nan. Put it in quotes."),
    "strange digit": ("site: a\ninstances:\n- {name: w, instances_count: ²}", "instances_count' is of type"),
    "empty key": ("site: a\ndisks:\n- {name: d, key: ''}", "key: write a text, not an empty one."),
    "list in list": (
        "site: a\ndisks:\n- {name: d, instances: [[w]]}",
        "instances: [0]: write a text, not a list.",
    ),
    "more than a ref": (
        "site: a\ninstances:\n- name: w\ndisks:\n- {name: d, instances: [{ref: instances.w, size: 3}]}",
        "instances: [0]: write a text, not a mapping.",
    ),
    "ref of another kind": (
        "site: a\nprivate_networks: [name: n]\ninstances:\n- {name: w, ip_addresses: [{ref: private_networks.n}]}",
        "ip_addresses: ref: this refers to private_networks; an entry of ip_addresses is expected.",
    ),
    "own name": (
        "site: a\nclients:\n- {key: k, id: {ref: clients.k}}",
        "so it cannot come from clients. Write the value.",
    ),
    "null byte": (
        'site: a\nstorage_objects:\n- {container: c, name: o, src: "~\\0"}',
        "src: a path cannot contain a null byte.",
    ),
    "registry of zero bytes": ('site: a\nregistry: {path: "~\\0"}', "either {container: name} or {path: file} is"),
    "registry name": (
        "site: a\nregistry: {container: x/y}",
        "site.yml:2: registry: container: 'x/y' cannot be the name",
    ),
    "container name": ("site: a\nstorage_containers:\n- name: x/y", "name: 'x/y' cannot be the name of a container"),
    "container item": (
        "site: a\nstorage_containers:\n- {name: x, metadata: {a_b: c}}",
        "cannot be the name of an item",
    ),
    "container quota": (
        "site: a\nstorage_containers:\n- {name: x, quota_bytes: 10 gigs}",
        "'10 gigs' is not a number of",
    ),
    "container age": ("site: a\nstorage_containers:\n- {name: x, cors_max_age: 1 hour}", "cors_max_age: '1 hour'"),
    "container readers": ("site: a\nstorage_containers:\n- {name: x, read_acl: public}", "a word of other services"),
    "container versions": (
        "site: a\nstorage_containers:\n- {name: x, versioning: stack}",
        "versions_location: versioning",
    ),
    "folder limit": ("site: a\nstorage_folders:\n- {path: x, container: y, max_delete: few}", "max_delete: 'few' is"),
    "port": ("site: a\nload_balancers:\n- {group: g, target_port: 80800}", "target_port: 80800 is not a port"),
    "comment": (f"site: a\nip_addresses:\n- comment: {'x' * 400}", "comment: it has 400 characters"),
    "notification": ("site: a\nhealth_check_notifications:\n- {address: a, type: smoke}", "type: "),
    "size": ("site: a\ndisks:\n- {name: d, size: 1}", "size: 1 GB is too small"),
    "affinity": ("site: a\ninstance_groups:\n- {name: g, affinity: ' '}", "affinity: the text is empty"),
    "phones": ("site: a\nclients:\n- {id: 1, purge_phones: true}", "purge_phones needs phones."),
    "truth for a choice": (
        "site: a\nstorage_containers:\n- {name: x, versioning: on}",
        "versioning: write enabled, disabled, stack or history, not true or false. Put it in quotes.",
    ),
    "blank": ("site: a\ninstances:\n- name: ' w '", "name: ' w ' begins or ends with a blank. Write 'w'."),
    "object name": ("site: a\nstorage_objects:\n- {container: x, name: ../y}", "a part that is only a dot or two dots"),
    "folder prefix": ("site: a\nstorage_folders:\n- {path: x, container: y, prefix: /z}", "begins with a slash"),
    "long name": (f"site: a\ndisks:\n- name: {'x' * 400}", f"disks[0] ({'x' * 77}...): name: it has 400 characters"),
    "lines in a name": ('site: a\ndisks:\n- name: "x\\ny/\\e[31m"', "site.yml:3: disks[0] (x\\ny/\\x1b[31m): name:"),
    "key in file": ("site: a\nsite: b", "site.yml:2: 'site' is already in line 1."),
    "quotes": (
        "site: a\ndisks:\n- name: {{ x }}",
        "site.yml:3: a key cannot be a list or mapping. A template needs quotes",
    ),
    "two documents": ("site: a\n---\nsite: b", "site.yml:2: a second document begins here"),
    "not yaml": (
        "site: a\nkinds:\n  - b\n  c",
        "this is not YAML: could not find expected ':' in column 1, while scanning a simple key from line 4.",
    ),
    "tag": ("site: a\nx: !!python/object:os.system {}", "is not allowed here"),
    "own anchor": ("a: &a [*a]", "there is no anchor &a before this, or this is inside it"),
    "list": ("- a", "site.yml:1: a mapping with site and kinds such as instances is expected."),
    "empty": ("", "site.yml: the file is empty."),
    "only a note": ("# nothing", "site.yml: the file is empty."),
    "deep": (f"site: {'[' * 100_000}", "lists and mappings are nested more than 60 deep"),
    "many": (
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{two}: &{two} [{','.join([f'*{one}'] * 10)}]\n" for one, two in zip("abcdefgh", "bcdefghi")),
        "there are more than 500000 values",
    ),
}


def test_mistakes_are_named_with_their_line(read: t.Callable[..., Declaration]) -> None:
    for text, line in WRONG.values():
        lines = told(read, text)
        assert [one for one in lines if line in one], lines


def test_an_environment_that_cannot_be_one(read: t.Callable[..., Declaration]) -> None:
    for environment in ["my own", "../x", "whole"]:
        with pytest.raises(InvalidInput, match=r"site.yml: environment: .* cannot be the name of an environment"):
            read("site: a", environment=environment)


def test_an_environment_may_change_nothing(read: t.Callable[..., Declaration]) -> None:
    assert read("site: a\ndisks: [name: d]", "{}").by_place()
    assert told(read, "site: a", "# nothing")[0].endswith("an environment that changes nothing is {}.")


def test_lookups_find_files_beside_the_site_file(tmp_path: Path, loader: DataLoader) -> None:
    (tmp_path / "far" / "texts").mkdir(parents=True)
    (tmp_path / "far" / "texts" / "hello").write_text("hello")
    text = "site: a\nstorage_objects:\n- {container: c, name: o, content: \"{{ lookup('file', 'texts/hello') }}\"}"
    (tmp_path / "far" / "site.yml").write_text(text)
    (entry,) = read_site(loader, Templar(loader=loader, variables=VARIABLES), str(tmp_path / "far/site.yml")).entries
    assert entry.params["content"] == "hello"


def test_a_number_of_instances_that_ansible_takes_is_that_many(read: t.Callable[..., Declaration]) -> None:
    for count in ["3.0", '" 3 "', "3e0", "'+3'"]:
        entries = read(f"site: a\ninstances:\n- {{name: w, instances_count: {count}}}").entries
        assert [entry.name for entry in entries] == ["w-1", "w-2", "w-3"]


def test_one_instance_that_is_counted_is_the_first_of_several(read: t.Callable[..., Declaration]) -> None:
    (entry,) = read("site: a\ninstances:\n- {name: w, instances_count: 1}").entries
    assert (entry.name, entry.key) == ("w-1", "w-1")
    assert "instances_count" not in entry.params or entry.params["instances_count"] is None


def test_a_name_without_quotes_is_what_stands_there(read: t.Callable[..., Declaration]) -> None:
    for written in ["012", "0x1F", "1.10", "1e3", "1_000", "12:30:45", "2026-01-01", "+5"]:
        network, disk = read(f"site: a\nprivate_networks: [name: {written}]\ndisks: [{{name: d, size: 0x1F}}]").entries
        assert (network.name, network.params["name"]) == (written, written)
        assert repr(disk.params["size"]) == "31"  # a plain number


WRITTEN = ["1.10", "0123", "12:30:45", "0x1F", "1_000", "+5", "1.0e+3"]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_number_is_what_stands_there_wherever_texts_are_expected(
    read: t.Callable[..., Declaration], written: str
) -> None:
    text = """site: a
storage_containers: [{{name: c, metadata: {{a: {0}}}, cors_expose_headers: [{0}]}}]
storage_objects: [{{container: c, name: o, content: {0}, metadata: {{a: {0}}}, content_type: {0}}}]
storage_folders: [{{container: c, path: ., headers: [{{cache_control: {0}, metadata: {{a: {0}}}}}]}}]
clients: [{{id: 1, company: {{a: [{{b: {0}}}]}}}}]
"""
    params = {entry.kind: entry.params for entry in read(text.format(written)).entries}
    (rule,) = params["storage_folders"]["headers"]
    assert {
        params["storage_containers"]["metadata"]["a"],
        *params["storage_containers"]["cors_expose_headers"],
        *(params["storage_objects"][name] for name in ("content", "content_type")),
        *(params["storage_objects"]["metadata"]["a"], rule["cache_control"], rule["metadata"]["a"]),
        params["clients"]["company"]["a"][0]["b"],
    } == {written}


@pytest.mark.parametrize("written", ["012", "-0777", "12:30:45", "1:30.5"])
@pytest.mark.parametrize(
    "entry",
    [
        "disks: [{{name: d, size: {}}}]",
        "ip_addresses: [{{id: {}}}]",
        "client_users: [{{user_name: u, settings: {{language_id: {}}}}}]",
        "storage_objects: [{{container: c, name: o, content: {{a: [{}]}}}}]",
    ],
    ids=["size", "id", "setting", "data"],
)
def test_a_number_that_yaml_misreads_is_refused(read: t.Callable[..., Declaration], entry: str, written: str) -> None:
    (line,) = told(read, f"site: a\n{entry.format(written)}\n")
    assert line.startswith("site.yml:2: ")
    assert f": {written} without quotes is the number " in line


def test_data_have_plain_numbers_and_no_references(read: t.Callable[..., Declaration]) -> None:
    (entry,) = read("site: a\nstorage_objects: [{container: c, name: o, content: {a: 1.10, b: 0x1F}}]").entries
    assert entry.params["content"] == {"a": 1.1, "b": 31}
    assert {type(one) for one in entry.params["content"].values()} == {float, int}
    (line,) = told(read, "site: a\nstorage_objects: [{container: c, name: o, content: {ref: nix}}]")
    assert "content: ref: this option takes no reference." in line


def test_all_is_told_together_in_the_order_of_the_file(read: t.Callable[..., Declaration]) -> None:
    text = "site: a\ndisks:\n- {name: d, siz: 3}\n- {name: e, state: x}\ninstances:\n- {name: w, tipe: 3}\nx: 1\n"
    lines = told(read, text)
    assert [line.partition(": ")[0] for line in lines] == ["site.yml:3", "site.yml:4", "site.yml:6", "site.yml:7"]


OVERLAYS = [
    (
        "disks: [{name: nod, remove: true}]",
        "over1.yml:1: disks[0] (nod): remove: there is no such entry. Did you mean 'node'?",
    ),
    ("disks: [{name: node, remove: perhaps}]", "over1.yml:1: disks[0] (node): remove: true or false is expected."),
    ("disks: [{name: node, size: 10}, {name: node, size: 12}]", "this entry is in the environment twice"),
    ("disks: [{name: node, size: x}]", "over1.yml:1: disks[0] (node): size: 'x' is not a size."),
]


def test_what_is_wrong_in_an_environment(read: t.Callable[..., Declaration]) -> None:
    for over, line in OVERLAYS:
        lines = told(read, "site: a\ndisks:\n- {name: node}\n", over)
        assert [one for one in lines if line in one], lines


SECRETS = [
    "user_password: \"{{ {}['Sup3rSecret'] }}\"",
    "user_password: \"{{ 'Sup3rSecret' | nofilter }}\"",
    "user_password: \"{{ 'Sup3rSecret' | from_json }}\"",
    "user_password: [Sup3rSecret]",
    "user_password: Sup3rSecret\n  first_name: [Sup3rSecret]",
    "user_password: Sup3rSecret\n  state: Sup3rSecret",
    "user_password: Sup3rSecret\n  update_password: xSup3rSecretx",
    "pesel: Sup3rSecret\n  settings: {is_blocked: Sup3rSecret, language_id: Sup3rSecret}",
]


def test_no_secret_is_told(read: t.Callable[..., Declaration]) -> None:
    for options in SECRETS:
        with pytest.raises(InvalidInput) as caught:
            read(f"site: a\nclient_users:\n- user_name: w\n  {options}\n")
        assert "Sup3rSecret" not in f"{caught.value} {caught.value.details}"


REASONS = [
    ("{{ nowhere }}", "'nowhere' is undefined."),
    ("{{ indirectly }}", "the template cannot be resolved: a variable that it depends on is undefined."),
    (
        "{{ lookup('file', 'no.txt') | trim }}",
        "the template cannot be resolved: the lookup file finds no file 'no.txt'.",
    ),
    ("{{ lookup('file', who ~ '.txt') }}", "a lookup finds no file of that name. The name is not shown"),
    ("{{ {}[who] }}", "something in it has no such attribute."),
    ("{{ lookup('env', 'A' }}", "it has a syntax error, or names a filter or test that does not exist."),
    ("{{ who | from_json }}", "the template cannot be resolved"),  # why, differs between cores
]


def test_a_secret_that_cannot_be_resolved(read: t.Callable[..., Declaration]) -> None:
    """The reason is that of its own text, without any value: the variable `who` is `me`."""
    for template, reason in REASONS:
        (line,) = told(read, f'site: a\nclient_users:\n- user_name: w\n  user_password: "{template}"\n')
        assert line.startswith("site.yml:4: client_users[0] (w): user_password: ")
        assert reason in line
        assert not re.search(r"\bme\b|unknown", line)


def test_objects_of_encrypted_files(read: t.Callable[..., Declaration], tmp_path: Path, loader: DataLoader) -> None:
    (tmp_path / "open.txt").write_text("open")
    (tmp_path / "closed.txt").write_bytes(VaultLib([("default", VaultSecret(SECRET.encode()))]).encrypt("closed"))
    rows = "".join(f"- {{container: c, name: {name}, src: {name}.txt}}\n" for name in ("open", "closed", "nowhere"))
    text = f"site: a\nstorage_objects:\n{rows}"
    found = {entry.params["name"]: entry for entry in read(text).entries}
    assert Path(found["closed"].params["src"]).read_text() == "closed"
    assert found["closed"].given["src"] == str(tmp_path / "closed.txt")
    assert found["open"].params["src"] == str(tmp_path / "open.txt")
    loader.cleanup_all_tmp_files()
    assert not Path(found["closed"].params["src"]).exists()
    loader.set_vault_secrets([])
    with pytest.raises(InvalidInput, match=r"site\.yml:4: src: .* cannot be decrypted"):
        read(text)


@hypothesis.given(st.text(st.sampled_from("ab:-[]{}&*!<>|'\"#,? \n"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(read_yaml(text, "site.yml", "/"), dict)
    except InvalidInput as error:
        assert str(error).startswith("site.yml")


TEXTS = ["web", "12", "{{ who }}", "{{", "{{ names }}", "", "1,2", "instances.web", "private_networks.web"]
SCALARS = st.none() | st.booleans() | st.integers(-2, 60) | st.floats() | st.sampled_from(TEXTS)
OPTIONS = ["name", "key", "remove", "id", "type", "ip_addresses", "private_networks", "instances", "instances_count"]
OPTIONS += [
    "state",
    "src",
    "container",
    "prefix",
    "path",
    "user_name",
    "client_id",
    "client_ids",
    "pricelist",
    "comment",
    "adopt",
    "lifecycle",
    "prevent_destroy",
    "ignore_changes",
    "create_before_destroy",
]
REFERENCES = st.fixed_dictionaries({"ref": SCALARS})
ANYTHING = st.recursive(
    SCALARS | REFERENCES,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(OPTIONS), inside, max_size=3),
    max_leaves=4,
)
ENTRIES = st.lists(st.dictionaries(st.sampled_from(OPTIONS), ANYTHING, max_size=4) | ANYTHING, max_size=3)
LABELS = st.sampled_from(["instances.web", "instances.web-1", "disks.web", "clients.12", "instances.12.id", "x."])
LINES = st.lists(
    st.dictionaries(st.sampled_from(["from", "to", "what", "destroy"]), LABELS | st.booleans() | ANYTHING) | ANYTHING,
    max_size=4,
)
SITES = st.fixed_dictionaries(
    {"site": st.just("a") | SCALARS},
    optional={
        "registry": ANYTHING,
        "defaults": ANYTHING,
        "outputs": st.dictionaries(st.sampled_from(["a", "b c"]), LABELS | ANYTHING) | ANYTHING,
        **dict.fromkeys(("moved", "removed", "policies"), LINES),
        **dict.fromkeys(KINDS, ENTRIES),
    },
)


@hypothesis.settings(max_examples=hypothesis.settings().max_examples * 3 // 5)
@hypothesis.given(SITES, SITES)
def test_any_site_is_declared_or_refused(base: dict[str, t.Any], over: dict[str, t.Any]) -> None:
    loader = DataLoader()
    documents = [read_yaml(yaml.safe_dump(one), "site.yml", "/") for one in (base, over)]
    try:
        declaration = declaration_of(documents, SiteReader(loader, Templar(loader=loader, variables=dict(VARIABLES))))
    except InvalidInput as error:
        assert error.details["errors"]
    else:
        assert declaration.site


def test_anchors_and_merged_mappings(read: t.Callable[..., Declaration]) -> None:
    text = "site: a\ninstances:\n- &one {name: w, type: t}\n- {<<: *one, name: x}\n- {<<: [*one], type: u, name: y}\n"
    assert [entry.params["type"] for entry in read(text).entries] == ["t", "t", "u"]


@pytest.mark.parametrize("name", ["nowhere.yml", "."])
def test_no_file(loader: DataLoader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"There is no file nowhere\.yml|is not a regular file"):
        read_site(loader, Templar(loader=loader), name)


def test_reading_a_large_site_does_not_repeat_itself(read: t.Callable[..., Declaration]) -> None:
    """The work for each entry is the same however many there are: calls are counted, no time is measured."""
    calls = []
    for number in (50, 100):
        rows = "".join(f"- {{name: w{one}, private_networks: [n], type: t}}\n" for one in range(number))
        counted = 0

        def count(_frame: t.Any, event: str, _arg: t.Any) -> None:
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            read(f"site: a\nprivate_networks: [name: n]\ninstances:\n{rows}")
        finally:
            sys.setprofile(None)
        calls.append(counted)
    assert calls[1] < calls[0] * 2.2


LOCAL = """
site: a
storage_containers: [{name: c}]
storage_folders:
  - {container: c, path: nowhere}
  - {container: c, path: "{{ lookup('ansible.builtin.env', 'FOLDER_OF_NOBODY') }}", prefix: x}
storage_objects:
  - {container: c, name: o, src: gone.txt}
  - {container: c, name: p, src: gone.txt, state: absent}
"""


def test_validation_finds_what_is_to_be_published_and_is_not_there(
    read: t.Callable[..., Declaration], tmp_path: Path
) -> None:
    declared = read(LOCAL, secrets=False)
    with pytest.raises(InvalidInput) as caught:
        validation_result(declared)
    assert [(one["source"], one["msg"]) for one in caught.value.details["errors"]] == [
        ("site.yml:5", f"path: {tmp_path}/nowhere cannot be read: No such file or directory."),
        ("site.yml:8", f"src: {tmp_path}/gone.txt cannot be read: No such file or directory."),
    ]
    (tmp_path / "nowhere").mkdir()
    (tmp_path / "gone.txt").touch()
    assert validation_result(declared)["count"] == 5
