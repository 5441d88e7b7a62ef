# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site file says besides options: lifecycle, adoption, what has moved or is released, outputs, policies."""

from __future__ import annotations

import typing as t
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest
import yaml
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import declaration_of
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import KINDS, Declaration, Lifecycle
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.read.site_reader import SiteReader
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.read.site_yaml import read_yaml

from .conftest import told

Read = t.Callable[..., Declaration]

TWO = "site: a\ninstances:\n- {name: web}\n- {key: db, name: db-2}\n"
SAYS = """\
moved:
- {from: instances.old, to: instances.web}
- from: "instances.db-{{ 1 }}"
  to: instances.db
removed:
- {what: instances.legacy, destroy: false}
- {what: disks.scratch.1, destroy: "{{ true }}"}
outputs:
  address: instances.web.ip_addresses.0.label
  db: "{{ 'instances' }}.db.name"
policies: [policies, sizes.yml]
"""


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    """A folder of policies and a file of them."""
    (tmp_path / "policies").mkdir()
    (tmp_path / "sizes.yml").touch()
    return tmp_path


def test_all_statements_together(read: Read, policies: Path) -> None:
    site = read(TWO + SAYS)
    web, db = ("instances", "web"), ("instances", "db-2")
    assert [*map(tuple, site.moved)] == [
        ("instances", "old", web, "site.yml:6"),
        ("instances", "db-1", db, "site.yml:7"),
    ]
    assert [*map(tuple, site.removed)] == [
        ("instances", "legacy", False, "site.yml:10"),
        ("disks", "scratch.1", True, "site.yml:11"),
    ]
    assert [*map(tuple, site.outputs)] == [
        ("address", web, ("ip_addresses", "0", "label"), "site.yml:13"),
        ("db", db, ("name",), "site.yml:14"),
    ]
    assert site.policies == (str(policies / "policies"), str(policies / "sizes.yml"))


def test_lifecycle_and_adoption(read: Read) -> None:
    site = read("""\
site: a
defaults:
  instances: {lifecycle: {prevent_destroy: true, ignore_changes: [type]}}
  disks: {lifecycle: "{{ {'prevent_destroy': true} }}"}
instances:
- {name: web, instances_count: 2, adopt: "{{ 'yes' }}"}
- name: db
  lifecycle: {prevent_destroy: no, create_before_destroy: yes, ignore_changes: "is_freemium, private_networks"}
disks:
- {name: d}
- {name: e, lifecycle: null}
""")
    found = site.by_place()
    both = Lifecycle(prevent_destroy=True, ignore_changes=("type",))
    assert [(entry.lifecycle, entry.adopt) for entry in site.entries if entry.name in ("web-1", "web-2")] == [
        (both, True),
        (both, True),
    ]
    other = found["instances", "db"]
    ignored = ("isfreemium", "private_networks")
    assert other.lifecycle == Lifecycle(ignore_changes=ignored, create_before_destroy=True)
    assert not other.adopt
    assert found["disks", "d"].lifecycle == Lifecycle(prevent_destroy=True)
    assert found["disks", "e"].lifecycle == Lifecycle()
    assert not {"adopt", "lifecycle"} & {*other.given, *other.params}


def test_environments_add_to_it(read: Read, policies: Path) -> None:
    (policies / "more").mkdir()
    base = TWO.replace("{name: web}", "{name: web, lifecycle: {prevent_destroy: true}}") + SAYS
    over = """\
instances:
- {name: web, adopt: true, lifecycle: {ignore_changes: [type]}}
moved: "{{ [{'from': 'disks.old', 'to': 'disks.data'}] }}"
disks: [name: data]
removed: [{what: disks.gone, destroy: true}]
outputs: {db: null, address: instances.db.id, size: disks.data.size}
policies: [more]
"""
    site = read(base, over)
    web = site.by_place()["instances", "web"]
    assert (web.lifecycle, web.adopt) == (Lifecycle(prevent_destroy=True, ignore_changes=("type",)), True)
    assert [(move.old, move.source) for move in site.moved] == [
        ("old", "site.yml:6"),
        ("db-1", "site.yml:7"),
        ("old", "over1.yml:3"),
    ]
    assert [one.label for one in site.removed] == ["legacy", "scratch.1", "gone"]
    assert [(one.name, one.place[1]) for one in site.outputs] == [("address", "db-2"), ("size", "data")]
    assert [Path(path).name for path in site.policies] == ["policies", "sizes.yml", "more"]
    assert read(base, "{moved: null, outputs: null}").outputs == read(base).outputs


MOVES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "chain of declared ones": ("{from: disks.a, to: disks.b}, {from: disks.b, to: disks.c}", [("a", "b"), ("b", "c")]),
    "swap": ("{from: disks.c, to: disks.b}, {from: disks.b, to: disks.c}", [("c", "b"), ("b", "c")]),
    "history": ("{from: disks.v1, to: disks.v2}, {from: disks.v2, to: disks.c}", [("v1", "c"), ("v2", "c")]),
    "long history": (
        "{from: disks.3, to: disks.c}, {from: disks.1, to: disks.2}, {from: disks.2, to: disks.3}",
        [("3", "c"), ("1", "c"), ("2", "c")],
    ),
    "another name under the same key": ("{from: disks.data, to: disks.data}", [("data", "data-2")]),
    "more than one": ("{from: disks.n, to: disks.n-1}", [("n", "n-1")]),
}


def test_moves(read: Read) -> None:
    for lines, ends in MOVES.values():
        declared = "disks: [{name: b}, {name: c}, {key: data, name: data-2}, {name: n-1}]"
        site = read(f"site: a\n{declared}\nmoved: [{lines}]")
        assert [(move.old, move.new[1]) for move in site.moved] == ends


@hypothesis.given(st.permutations(range(5)), st.integers(0, 4), st.booleans())
def test_any_exchange_of_places_is_right(places: list[int], left: int, comes: bool) -> None:
    """Things change places in any way, one leaves for a new place, and perhaps another comes where that was to go."""
    pairs = [(f"d{old}", f"d{place}") for old, place in enumerate(places) if old not in (place, left)]
    pairs += [(f"d{left}", "far"), *([("stranger", f"d{places[left]}")] if comes else [])]
    onto = {place for _old, place in pairs}
    declared_names = [*(f"d{number}" for number in range(5)), "far"]
    disks = [{"name": name} for name in declared_names if name in onto or name not in dict(pairs)]
    moved = [{"from": f"disks.{old}", "to": f"disks.{place}"} for old, place in pairs]
    document = read_yaml(yaml.safe_dump({"site": "a", "disks": disks, "moved": moved}), "site.yml", "/")
    loader = DataLoader()
    site = declaration_of([document], SiteReader(loader, Templar(loader=loader, variables={})))
    assert [(move.old, move.new[1]) for move in site.moved] == pairs


def test_a_key_with_dots_is_found_in_a_path(read: Read) -> None:
    declared = "client_users: [{user_name: joe.doe}, {key: joe, user_name: joe.doe.email}]"
    site = read(f"site: a\n{declared}\noutputs: {{a: client_users.joe.doe.email, b: client_users.joe.id}}")
    assert [(one.place[1], one.path) for one in site.outputs] == [("joe.doe", ("email",)), ("joe.doe.email", ("id",))]


HEAD = "site: a\ninstances:\n- {name: web}\n- {name: gone, state: absent}\ndisks: [{name: d}, {name: e}]\n"
"""What comes after it begins in line 6."""

WRONG: dict[str, tuple[str, str]] = {
    "adopt": ("clients: [{id: 1, adopt: true}]", "site.yml:6: clients[0] (1): adopt: a site never owns clients."),
    "adopt a folder": (
        "storage_folders: [{container: c, path: ., adopt: yes}]",
        "adopt: a site never owns storage_folders.",
    ),
    "adopt what": (
        "ssh_keys: [{name: k, adopt: [1]}]",
        "site.yml:6: ssh_keys[0] (k): adopt: write true or false, not a list.",
    ),
    "adopt by default": (
        "defaults: {disks: {adopt: true}}",
        "defaults.disks: adopt: it belongs to a single entry",
    ),
    "adopt template": ("ssh_keys: [{name: k, adopt: '{{ nowhere }}'}]", "adopt: 'nowhere' is undefined."),
    "lifecycle": (
        "ssh_keys: [{name: k, lifecycle: true}]",
        "lifecycle: write a mapping of prevent_destroy, ignore_changes, create_before_destroy, not true",
    ),
    "lifecycle template": ("ssh_keys: [{name: k, lifecycle: '{{ nowhere }}'}]", "lifecycle: 'nowhere' is undefined."),
    "lifecycle word": (
        "ssh_keys: [{name: k, lifecycl: {}}]",
        "there is no option 'lifecycl'. Did you mean 'lifecycle'?",
    ),
    "lifecycle member": (
        "ssh_keys:\n- name: k\n  lifecycle:\n    prevent_destory: true",
        "site.yml:9: ssh_keys[0] (k): lifecycle: prevent_destory: there is no such member. Did you mean 'prevent_",
    ),
    "lifecycle by default": (
        "ssh_keys: [{name: k}]\ndefaults: {ssh_keys: {lifecycle: {prevent_destroy: maybe}}}",
        "site.yml:7: ssh_keys[0] (k): lifecycle: prevent_destroy: write true or false, not a text.",
    ),
    "prevented and absent": (
        "ssh_keys: [{name: k, state: absent, lifecycle: {prevent_destroy: true}}]",
        "lifecycle: prevent_destroy: state: absent would remove the object that this protects.",
    ),
    "ignored": (
        "ssh_keys: [{name: k, lifecycle: {ignore_changes: [public_kee]}}]",
        "ignore_changes: ssh_keys have no option 'public_kee'. Did you mean 'public_key'?",
    ),
    "ignored name": ("ssh_keys: [{name: k, lifecycle: {ignore_changes: [name]}}]", "name identifies the entry"),
    "ignored alias": (
        "private_networks: [{name: k, lifecycle: {ignore_changes: [opn_name]}}]",
        "opn_name identifies the entry",
    ),
    "ignored number": (
        "ssh_keys: [{name: k, lifecycle: {ignore_changes: [3]}}]",
        "write an option, not a number.",
    ),
    "ignored mapping": (
        "ssh_keys: [{name: k, lifecycle: {ignore_changes: {a: b}}}]",
        "ignore_changes: write a list of options, not a mapping.",
    ),
    "created first": (
        "storage_containers: [{name: k, lifecycle: {create_before_destroy: true}}]",
        "create_before_destroy: only instances can be replaced this way, not storage_containers.",
    ),
    "top": ("move: []", "site.yml:6: there is no 'move' in a site file. Did you mean 'moved'"),
    "no list": ("moved: {}", "site.yml:6: moved: write a list of entries, not a mapping."),
    "no mapping": ("moved: [x]", "site.yml:6: moved[0]: write a mapping of from, to, not a text."),
    "member": (
        "moved:\n- from: disks.x\n  too: disks.d",
        "site.yml:8: moved[0]: too: there is no such member. Did you mean 'to'?",
    ),
    "no to": ("moved: [{from: disks.x}]", "site.yml:6: moved[0]: to: it is missing. Give a kind and a key"),
    "no key": ("moved: [{from: disks, to: disks.d}]", "moved[0]: from: write it as kind.key"),
    "kind": ("moved: [{from: disk.x, to: disks.d}]", "moved[0]: from: there is no kind 'disk'. Did you mean 'disks'?"),
    "another kind": ("moved: [{from: instances.x, to: disks.d}]", "to: one of instances cannot become one of disks."),
    "nobody's": ("moved: [{from: clients.x, to: clients.y}]", "from: a site never owns clients."),
    "move template": ("moved:\n- '{{ nowhere }}'", "site.yml:7: moved[0]: 'nowhere' is undefined."),
    "member template": ("moved: [{from: '{{ nowhere }}', to: disks.d}]", "moved[0]: from: 'nowhere' is undefined."),
    "not declared": (
        "moved:\n- from: instances.x\n  to: instances.wob",
        "site.yml:8: moved[0]: to: there is no 'wob' in instances. Did you mean 'web'?",
    ),
    "history to nowhere": (
        "moved:\n- {from: disks.1, to: disks.2}\n- {from: disks.2, to: disks.3}",
        "site.yml:8: moved[1]: to: there is no '3' in disks.",
    ),
    "still declared": (
        "moved: [{from: disks.e, to: disks.d}]",
        "site.yml:6: moved[0]: from: disks.e is still declared, at site.yml:5. Remove that entry.",
    ),
    "nowhere to go": ("moved: [{from: disks.d, to: disks.d}]", "moved[0]: from: this is already its current name."),
    "one thing twice": (
        "moved:\n- {from: disks.x, to: disks.d}\n- {from: disks.x, to: disks.e}",
        "site.yml:8: moved[1]: from: disks.x already moves at site.yml:7.",
    ),
    "two things onto one": (
        "moved:\n- {from: disks.x, to: disks.d}\n- {from: disks.y, to: disks.d}",
        "site.yml:8: moved[1]: to: disks.x already moves here at site.yml:7.",
    ),
    "removed and declared": (
        "removed: [{what: disks.d, destroy: true}]",
        "site.yml:6: removed[0]: what: disks.d is still declared, at site.yml:5.",
    ),
    "removed how": (
        "removed: [{what: disks.x}]",
        "removed[0]: destroy: it is missing. With true, the object is removed.",
    ),
    "removed perhaps": (
        "removed: [{what: disks.x, destroy: no way}]",
        "destroy: write true or false, not a text.",
    ),
    "removed what": ("removed: [{destroy: true}]", "removed[0]: what: it is missing. Give a kind and a key"),
    "removed folder": (
        "removed: [{what: storage_folders.x, destroy: true}]",
        "what: a site never owns storage_folders.",
    ),
    "removed twice": (
        "removed:\n- {what: disks.x, destroy: true}\n- {what: disks.x, destroy: false}",
        "site.yml:8: removed[1]: what: disks.x is already listed at site.yml:7.",
    ),
    "removed and moved": (
        "moved:\n- {from: disks.x, to: disks.d}\nremoved: [{what: disks.x, destroy: true}]",
        "site.yml:8: removed[0]: what: disks.x moves to another place at site.yml:7.",
    ),
    "outputs": ("outputs: [a]", "site.yml:6: outputs: write a mapping of names, not a list."),
    "output name": (
        "outputs: {a-b: instances.web.id}",
        "site.yml:6: outputs.a-b: the name must be one for a variable: letters",
    ),
    "output keyword": (
        "outputs: {class: instances.web.id}",
        "outputs.class: the name must be one for a variable: letters",
    ),
    "output kind": ("outputs: {a: instance.web.id}", "there is no kind 'instance'. Did you mean 'instances'"),
    "output entry": ("outputs:\n  a: disks.f.id", "site.yml:7: outputs.a: there is no 'f' in disks. Known: d, e."),
    "output of nothing": ("outputs: {a: disks.f}", "outputs.a: there is no 'f' in disks."),
    "output path": ("outputs: {a: instances.web}", "outputs.a: the path names no value of the entry"),
    "output hole": ("outputs: {a: instances.web..id}", "outputs.a: the path names no value of the entry"),
    "output what": (
        "outputs: {a: [instances.web.id]}",
        "outputs.a: write a path such as instances.web.ip_address",
    ),
    "output of no field": (
        "outputs: {a: instances.web.statu}",
        "site.yml:6: outputs.a: instances.web has no field 'statu'. Did you mean 'status'",
    ),
    "output of no member": (
        "outputs: {a: instances.web.status.name}",
        "instances.web.status has no field 'name'. Known: id, label.",
    ),
    "output of no position": (
        "outputs: {a: instances.web.ip_addresses.address}",
        "instances.web.ip_addresses is a list. Continue with a position such as 0, not 'address'.",
    ),
    "output below a value": (
        "outputs: {a: instances.web.name.first}",
        "instances.web.name is a single value and has no 'first'.",
    ),
    "output of what goes": ("outputs: {a: instances.gone.id}", "instances.gone has state absent"),
    "output template": ("outputs: {a: '{{ nowhere }}'}", "outputs.a: 'nowhere' is undefined."),
    "policies": ("policies: rules", "site.yml:6: policies: write a list of entries, not a text."),
    "policy": ("policies:\n- rules", "site.yml:7: policies[0]: there is no file or folder rules."),
    "policy path": ("policies: [{}]", "site.yml:6: policies[0]: the path of a file or folder is expected."),
    "policy letters": ('policies: ["~\\0b"]', "site.yml:6: policies[0]: the path of a file or folder is expected."),
}


def test_mistakes_are_named_with_their_line(read: Read) -> None:
    for name, (text, line) in WRONG.items():
        lines = told(read, HEAD + text)
        assert len(lines) == (2 if name == "nobody's" else 1), lines
        assert line in lines[0]


def test_a_circle_of_what_is_not_declared(read: Read) -> None:
    assert told(read, f"{HEAD}moved:\n- {{from: disks.1, to: disks.2}}\n- {{from: disks.2, to: disks.1}}") == [
        "site.yml:7: moved[0]: to: there is no '2' in disks. Known: d, e.",
        "site.yml:8: moved[1]: to: there is no '1' in disks. Known: d, e.",
    ]


def test_all_of_it_is_told_together(read: Read) -> None:
    text = "moved: [{from: disks.e, to: disks.x}]\nremoved: [3]\noutputs: {a: 3}\npolicies: [3]\nssh_keys: [{adopt: 3}]"
    lines = [line.partition(": ")[0] for line in told(read, HEAD + text)]
    assert [*dict.fromkeys(lines)] == [f"site.yml:{number}" for number in range(6, 11)]


def test_an_environment_says_its_own_lines(read: Read) -> None:
    over = "moved:\n- {from: disks.x, to: disks.d}\nremoved: [{what: disks.e, destroy: true}]\n"
    assert told(read, f"{HEAD}moved: [{{from: disks.y, to: disks.d}}]", over) == [
        "over1.yml:2: moved[0]: to: disks.y already moves here at site.yml:6.",
        "over1.yml:3: removed[0]: what: disks.e is still declared, at site.yml:5.",
    ]


CHANGED = [
    ("{from: instances.old, to: instances.web}", "{from: instances.older, to: instances.web}"),
    ("to: instances.db", "to: instances.db-2"),  # the same entry by its name
    ("destroy: false", "destroy: true"),
    ("instances.legacy", "instances.legacies"),
    ("ip_addresses.0", "ip_addresses.1"),
    ("address: instances", "main: instances"),
    ("[policies, sizes.yml]", "[policies]"),
    ("{name: web}", "{name: web, adopt: true}"),
    ("{name: web}", "{name: web, lifecycle: {prevent_destroy: true}}"),
    ("{name: web}", "{name: web, lifecycle: {ignore_changes: [type]}}"),
    ("{name: web}", "{name: web, lifecycle: {}}"),
]


def test_the_digest_is_over_all_of_it(read: Read, policies: Path) -> None:
    for old, new in CHANGED:
        text = TWO + SAYS
        assert old in text
        same = new in ("to: instances.db-2", "{name: web, lifecycle: {}}")
        assert (read(text.replace(old, new)).digest == read(text).digest) is same
        (policies / "policies" / "one.yml").write_text("[]")
        assert read(f"# a line above\n{text}").digest == read(text).digest


def test_what_can_be_replaced_in_advance_is_known_of_each_kind() -> None:
    assert [kind.name for kind in KINDS.values() if kind.creates_first] == ["instances"]


NAMES = """\
site: a
private_networks: [name: dev-front]
ip_addresses: [comment: front]
instances:
- name: web
  private_networks: [dev-frnt, "12", dev-front]
  ip_addresses: [10.0.0.1, "2001:db8::1", frnt, 7]
- {name: gone, state: absent, private_networks: [nowhere]}
disks:
- {name: d, instances: [{ref: instances.web}, "wob"]}
storage_objects: [{container: assets, name: o, content: x}]
"""


def test_names_that_are_not_declared_can_be_refused(read: Read) -> None:
    assert len(read(NAMES).entries) == 6
    web, storage = "instances[0] (web)", "storage_objects[0] (assets/o)"
    assert told(read, NAMES, strict=True) == [
        f"site.yml:6: {web}: private_networks: there is no 'dev-frnt' in private_networks. Did you mean 'dev-front'?",
        f"site.yml:7: {web}: ip_addresses: there is no 'frnt' in ip_addresses. Did you mean 'front'?",
        "site.yml:10: disks[0] (d): instances: there is no 'wob' in instances. Did you mean 'web'?",
        f"site.yml:11: {storage}: container: there is no 'assets' in storage_containers. There are none.",
    ]
    right = NAMES.replace("dev-frnt", "dev-front").replace("frnt", "front").replace('"wob"', "web")
    assert len(read(f"{right}storage_containers: [name: assets]", strict=True).entries) == 7
