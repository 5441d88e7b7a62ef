# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever may name a thing runs nothing on the controller: no text of the service is evaluated, however it is used.

Each text would make a file. One play gets them in all the ways in which texts of the service come into a play, and uses
each where Ansible evaluates what it trusts. A text of the play itself shows that it does so there.
"""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

from chaos.workplace import Workplace

from examples.readme_reader import Reader

NAMES = ("{{ lookup('pipe', 'touch made') }}", "lookup('pipe', 'touch made')")
"""Those that an instance may have for a name."""

TEXTS = (*NAMES, "#jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ lookup('pipe', 'touch made') ]]")
TRUSTED = "lookup('pipe', 'touch trusted-' ~ place)"
INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}

Task = t.Dict[str, t.Any]

PLACES: dict[str, Task] = {
    "that": {"ansible.builtin.assert": {"that": ["{{ item }}"]}},
    "var": {"ansible.builtin.debug": {"var": "{{ item }}"}},
    **{word: {"ansible.builtin.debug": None, word: "{{ item }}"} for word in ("when", "failed_when", "changed_when")},
    "until": {"ansible.builtin.debug": None, "until": "{{ item }}", "retries": 1, "delay": 0},
}
"""Where Ansible takes a text for an expression; one that is a template is evaluated wherever it is read."""

OF_INSTANCES = {
    "results": "instances.instances | map(attribute='name')",
    "a lookup": "query('fcd.cloud.instances') | map(attribute='name')",
    "an inventory": "groups.read | map('extract', hostvars, 'fcd_name')",
    "composed variables": "groups.read | map('extract', hostvars) | map(attribute='same')",
    "composed texts": "groups.read | map('extract', hostvars) | map(attribute='joined')",
    "composed lists": "groups.read | map('extract', hostvars) | map(attribute='listed') | flatten",
    "the cache of an inventory": "groups.kept | map('extract', hostvars, 'fcd_name')",
    "outputs": "applied.outputs.values()",
    "hosts": "applied.hosts | map(attribute='vars.fcd_name')",
}
OF_CONTAINERS = {
    "names": "containers.containers | map(attribute='name')",
    "contents": "query('fcd.cloud.storage_object', 'texts/0', 'texts/1', 'texts/2')",
    "facts": "ansible_facts.seen",
    "a plan": "planned.plan.changes | map(attribute='name')",
    "policies": "planned.plan.policies | map(attribute='message')",
    "a registry": "owned.entries | map(attribute='name')",
    "an export": "exported.storage_containers | map(attribute='name')",
}
SOURCES = {**OF_INSTANCES, **OF_CONTAINERS}
TASKS: list[Task] = [
    {"fcd.cloud.instance_info": None, "register": "instances"},
    {"fcd.cloud.storage_container_info": None, "register": "containers"},
    {"ansible.builtin.set_fact": {"seen": "{{ containers.containers | map(attribute='name') }}", "cacheable": True}},
    {
        "fcd.cloud.site": {"src": "site.yml", "adopt": True, "policies": ["policies.yml"]},
        "check_mode": True,
        "ignore_errors": True,
        "register": "planned",
    },
    {"fcd.cloud.site": {"src": "site.yml", "adopt": True, "hosts": True}, "register": "applied"},
    {"fcd.cloud.site_state": {"src": "site.yml"}, "register": "owned"},
    {"fcd.cloud.site_export": {"kinds": ["storage_containers"]}, "register": "export"},
    {"ansible.builtin.copy": {"content": "{{ export.text }}", "dest": "{{ playbook_dir }}/exported.yml"}},
    {"ansible.builtin.include_vars": {"file": "{{ playbook_dir }}/exported.yml", "name": "exported"}},
    {"ansible.builtin.copy": {"content": "{{ texts | to_json }}", "dest": "{{ playbook_dir }}/texts.json"}},
    *(
        {
            **task,
            "name": place,
            "vars": {"place": place},
            "loop": "{{ trusted + texts.values() | flatten | select('match', 'lookup') }}",
            "ignore_errors": True,
        }
        for place, task in PLACES.items()
    ),
]


def test_no_text_of_the_service_is_evaluated(place: Workplace, reader: Reader) -> None:
    folder = reader.folder
    _name_things(place, folder)
    reader.type("ansible-inventory -i kept.fcd.yml --list")
    texts = {name: "{{ " + expression + " | select('search', 'touch made') }}" for name, expression in SOURCES.items()}
    play = {"hosts": "localhost", "gather_facts": False, "vars": {"texts": texts, "trusted": [TRUSTED]}, "tasks": TASKS}
    (folder / "play.yml").write_text(json.dumps([play]), encoding="utf-8")
    reader.type("ansible-playbook -i read.fcd.yml -i kept.fcd.yml play.yml")
    found = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    assert {name: sorted(found[name]) for name in OF_INSTANCES} == dict.fromkeys(OF_INSTANCES, sorted(NAMES))
    assert {name: sorted(found[name]) for name in OF_CONTAINERS} == dict.fromkeys(OF_CONTAINERS, sorted(TEXTS))
    assert {file.name for file in folder.glob("trusted-*")} == {f"trusted-{one}" for one in PLACES}
    assert list(folder.rglob("made")) == []


def _name_things(place: Workplace, folder: Path) -> None:
    """Make the instances and containers, and write what declares and lists them."""
    made = [place.run("instance", {"name": name, **INSTANCE}).succeeded()["instance"]["id"] for name in NAMES]
    place.run("storage_container", {"name": "texts"}).succeeded()
    for number, text in enumerate(TEXTS):
        place.run("storage_container", {"name": text}).succeeded()
        place.run("storage_object", {"container": "texts", "name": str(number), "content": text}).succeeded()
    site = {
        "registry": {"path": "registry.json"},
        "instances": [{"id": one} for one in made],
        "outputs": {f"name_{one}": f"instances.#{one}.name" for one in made},
    }
    names = "".join(f"\n- name: !unsafe {json.dumps(text)}" for text in TEXTS)
    lines = (f"{name}: {json.dumps(value)}\n" for name, value in site.items())
    (folder / "site.yml").write_text(f"site: hostile\n{''.join(lines)}storage_containers:{names}\n", encoding="utf-8")
    policy = {"name": "told", "that": "change.name is undefined", "message": "{{ change.name }}", "each": True}
    (folder / "policies.yml").write_text(json.dumps({"policies": [policy]}), encoding="utf-8")
    compose = {"same": "fcd_name", "joined": "fcd_name ~ ''", "listed": "[fcd_name]"}
    cache = {"cache": True, "cache_plugin": "jsonfile", "cache_connection": str(folder / "cache")}
    for name, more in {"read": {}, "kept": cache}.items():
        own = {"plugin": "fcd.cloud.instances", "hostnames": [f"fcd_name ~ '.{name}'"], "groups": {name: "true"}}
        (folder / f"{name}.fcd.yml").write_text(json.dumps({**own, "compose": compose, **more}), encoding="utf-8")
