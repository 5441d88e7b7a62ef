# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Composed variables and groups: those that ansible-core's own helper makes, and without its templates."""

from __future__ import annotations

import typing as t

import ansible.template
import pytest
from ansible.errors import AnsibleError, AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils._constructed import ConstructedInventory

Options = t.Dict[str, t.Any]

ON, OFF = {"id": 86, "label": "Powered On"}, {"id": 87, "label": "Powered Off"}
HOSTS: dict[str, Options] = {
    "web-1": {"fcd_status": ON, "fcd_place": "EU-001", "fcd_tools": None, "fcd_tags": ["a", "b c"], "fcd_ram": 512},
    "web-2": {"fcd_status": OFF, "fcd_place": "EU-002", "fcd_tools": ON, "fcd_tags": [], "fcd_ram": 8192},
    "db 3": {"fcd_status": ON, "fcd_place": "", "fcd_tools": OFF, "fcd_tags": ["", "a"], "fcd_ram": 512},
    "odd": {
        "fcd_status": {"id": 86, "label": "{{ 7*7 }}"},
        "fcd_place": "a.b:c!",
        "fcd_tools": None,
        "fcd_tags": ["x"],
    },
}
NAMES = {"fcd_status", "fcd_place", "fcd_tools", "fcd_tags", "fcd_ram", "fcd_locked"}
KEYED: list[tuple[str, list[Options]]] = [
    ("a label", [{"key": "fcd_status.label", "prefix": "status"}]),
    ("in brackets", [{"key": "fcd_status['label']"}, {"key": 'fcd_status["label"]', "prefix": "other"}]),
    ("a mapping", [{"key": "fcd_status"}]),
    ("a mapping with a separator", [{"key": "fcd_status", "separator": "-", "prefix": "x"}]),
    ("a mapping without one", [{"key": "fcd_status", "separator": ""}]),
    ("a list", [{"key": "fcd_tags", "prefix": "tag", "separator": "-"}]),
    ("a list with a default", [{"key": "fcd_tags", "prefix": "tag", "default_value": "none"}]),
    ("an empty text", [{"key": "fcd_place", "prefix": "place"}]),
    ("an empty text with a default", [{"key": "fcd_place", "prefix": "place", "default_value": "nowhere"}]),
    ("nothing below nothing", [{"key": "fcd_tools.label", "prefix": "tools"}]),
    ("nothing", [{"key": "fcd_tools", "prefix": "tools"}]),
    ("no such variable", [{"key": "nobody", "prefix": "x"}]),
    ("no such key", [{"key": "fcd_status.nobody", "prefix": "x"}]),
    ("a parent", [{"key": "fcd_place", "prefix": "place", "parent_group": "all the places"}]),
    ("a parent that is a template", [{"key": "fcd_place", "parent_group": "{{ fcd_status.label | lower }}"}]),
    ("a parent without a value", [{"key": "fcd_place", "parent_group": "{{ fcd_tools.label }}"}]),
    ("an expression", [{"key": "fcd_status.label | lower", "prefix": "low"}]),
    ("an expression that makes a list", [{"key": "[fcd_place, fcd_status.label]", "prefix": "l"}]),
    ("the groups so far", [{"key": "fcd_place"}, {"key": "group_names | join('+')", "prefix": "of"}]),
    ("a composed variable", [{"key": "tier", "prefix": "tier"}]),
    ("the name", [{"key": "inventory_hostname", "prefix": "host"}]),
    ("a text's own method", [{"key": "fcd_place.upper()", "prefix": "up"}]),
]
COMPOSE = {"tier": "fcd_place[:2]", "same": "fcd_status", "gone": "fcd_tools.label", "fails": "nobody | int(nothing)"}
GROUPS = {
    "on it": "fcd_status.id == 86",
    "small": "fcd_ram < 1000",
    "locked": "fcd_locked",
    "tagged": "'a' in fcd_tags",
}


class Plugin(BaseInventoryPlugin, Constructable):
    """An inventory plugin with these options."""

    def __init__(self, **options: t.Any) -> None:
        super().__init__()
        self.own = {"strict": False, "use_extra_vars": False, "leading_separator": True, **trusted(options)}
        self.warnings: list[str] = []
        self.parse(InventoryData(), DataLoader(), "unit")
        for name, variables in HOSTS.items():
            self.inventory.add_host(name)
            self.inventory.hosts[name].vars.update(variables)

    def get_option(self, option: str, hostvars: Options | None = None) -> t.Any:
        return self.own.get(option)

    def by_core(self) -> Plugin:
        """Do what an ordinary plugin does."""
        strict = self.get_option("strict")
        for name in HOSTS:
            known = self.inventory.get_host(name).get_vars()
            self._set_composite_vars(self.get_option("compose"), known, name, strict)
            self._add_host_to_composed_groups(self.get_option("groups"), {}, name, strict)
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), {}, name, strict)
        return self

    def by_us(self) -> Plugin:
        """Do what this collection's plugin does."""
        ConstructedInventory(self, NAMES, self.warnings.append).build([self.inventory.hosts[name] for name in HOSTS])
        return self

    def groups(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return hosts and children of every group."""
        found = self.inventory.groups.values()
        return {one.name: (sorted(one.host_names), sorted(kid.name for kid in one.child_groups)) for one in found}

    def variables(self) -> dict[str, Options]:
        """Return what the hosts have."""
        return {name: dict(host.vars) for name, host in self.inventory.hosts.items()}


def trusted(value: t.Any) -> t.Any:
    """Return the texts as those of a file of the user."""
    if isinstance(value, dict):
        return {name: trusted(one) for name, one in value.items()}
    if isinstance(value, list):
        return [trusted(one) for one in value]
    return ansible.template.trust_as_template(value) if isinstance(value, str) else value


@pytest.fixture
def templates(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The expressions that were made a template of."""
    seen: list[str] = []
    real = Constructable._compose

    def note(self: t.Any, template: str, variables: t.Any) -> t.Any:
        seen.append(str(template))
        return real(self, template, variables)

    monkeypatch.setattr(Constructable, "_compose", note)
    return seen


def test_groups_are_those_of_core() -> None:
    for keyed in [entries for _name, entries in KEYED]:
        for leading in [True, False]:
            options = {"keyed_groups": keyed, "compose": {"tier": COMPOSE["tier"]}, "leading_separator": leading}
            assert Plugin(**options).by_us().groups() == Plugin(**options).by_core().groups()


@pytest.mark.parametrize("more", [{}, {"default_value": "none"}, {"trailing_separator": False}])
def test_nothing_in_a_mapping(more: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HOSTS["web-1"], "fcd_tags", {"empty": "", "nothing": None, "full": 1})
    options = {"keyed_groups": [{"key": "fcd_tags", "prefix": "x", **more}]}
    assert Plugin(**options).by_us().groups() == Plugin(**options).by_core().groups()


def test_conditions_and_variables_are_those_of_core() -> None:
    ours = Plugin(compose=COMPOSE, groups=GROUPS).by_us()
    core = Plugin(compose=COMPOSE, groups=GROUPS).by_core()
    assert ours.groups() == core.groups()
    assert ours.groups()["on_it"][0] == ["db 3", "odd", "web-1"]
    assert {name: one.get("tier") for name, one in ours.variables().items()} == {
        name: one.get("tier") for name, one in core.variables().items()
    }


def test_variables_keep_their_kind() -> None:
    found = Plugin(compose={"ram": "fcd_ram", "tools": "fcd_tools", "copy": "fcd_status"}).by_us().variables()
    assert [found["web-1"][name] for name in ("ram", "tools", "copy")] == [512, None, ON]


def test_a_key_is_no_template(templates: list[str]) -> None:
    keys = ["fcd_status.label", "fcd_place", "fcd_tools.label", "fcd_status['label']", "fcd_tags", "tier"]
    Plugin(keyed_groups=[{"key": key} for key in keys], compose={"tier": "fcd_place"}, groups={"g": "fcd_yes"}).by_us()
    assert templates == []


def test_anything_else_is_one(templates: list[str]) -> None:
    for key in ["fcd_status.label | lower", "fcd_status.items() | list", "fcd_place.upper", "fcd_a + 1"]:
        templates.clear()
        Plugin(keyed_groups=[{"key": key}]).by_us()
        assert set(templates) == {key}


def test_a_composed_variable_hides_that_of_the_service() -> None:
    found = Plugin(compose={"fcd_place": "'x' ~ fcd_ram"}, keyed_groups=[{"key": "fcd_place", "prefix": "p"}]).by_us()
    assert {"p_x512", "p_x8192"} <= set(found.groups())


def test_numbers_and_booleans_are_keys_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HOSTS["web-1"], "fcd_locked", True)
    monkeypatch.setitem(HOSTS["web-2"], "fcd_locked", False)
    monkeypatch.setitem(HOSTS["odd"], "fcd_locked", 0)
    entries = [{"key": "fcd_ram", "prefix": "ram"}, {"key": "fcd_locked", "prefix": "locked"}]
    found = Plugin(keyed_groups=entries).by_us().groups()
    assert found["ram_512"][0] == ["db 3", "web-1"]
    assert [found[f"locked_{one}"][0] for one in ("True", "False", "0")] == [["web-1"], ["web-2"], ["odd"]]


def test_a_text_with_a_template_in_it_stays_one() -> None:
    found = Plugin(keyed_groups=[{"key": "fcd_status.label", "prefix": "s"}], compose={"c": "fcd_status.label"}).by_us()
    assert found.groups()["s____7_7___"][0] == ["odd"]
    assert found.variables()["odd"]["c"] == "{{ 7*7 }}"


def test_a_host_with_the_name_of_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Core would take the host for the group."""
    monkeypatch.setitem(HOSTS, "p_EU_001", {"fcd_place": "EU-001"})
    groups = Plugin(keyed_groups=[{"key": "fcd_place", "prefix": "p"}], groups={"all_eu": "fcd_place == 'EU-001'"})
    found = groups.by_us().groups()
    assert found["p_EU_001"] == (["p_EU_001", "web-1"], [])
    assert found["all_eu"] == (["p_EU_001", "web-1"], [])


def test_strict_stops() -> None:
    for options, words in [
        ({"compose": {"x": "nobody"}}, "compose: x has no value for 'web-1'"),
        ({"compose": {"x": "fcd_tools.label"}}, "compose: x has no value for 'web-1'"),
        ({"groups": {"g": "nobody"}}, "groups: g has no value for 'web-1'"),
        ({"keyed_groups": [{"key": "nobody"}]}, "keyed_groups: nobody has no value for 'web-1'"),
        ({"keyed_groups": [{"key": "fcd_place"}]}, "keyed_groups: 'fcd_place' is empty for host 'db 3'"),
        ({"keyed_groups": [{"key": "fcd_place", "parent_group": "{{ nobody }}"}]}, "parent_group has no value"),
    ]:
        with pytest.raises(AnsibleParserError) as refused:
            Plugin(strict=True, **options).by_us()
        assert words in str(refused.value)
        with pytest.raises(AnsibleError):
            Plugin(strict=True, **options).by_core()


def test_a_group_without_a_name_is_none() -> None:
    """Core gives the whole inventory up."""
    options = {"keyed_groups": [{"key": "fcd_tags"}], "leading_separator": False}
    assert sorted(Plugin(**options).by_us().groups()) == ["a", "all", "b_c", "ungrouped", "x"]
    with pytest.raises(AnsibleError):
        Plugin(**options).by_core()


def test_a_key_without_a_value_for_any_host_is_told() -> None:
    for key in ["fcd_status.name", "fcd_statuss", "none"]:
        found = Plugin(keyed_groups=[{"key": key}, {"key": "fcd_status.label"}]).by_us()
        assert found.warnings == [f"keyed_groups: {key!r} has no value for any host, so it makes no group."]
        assert Plugin(keyed_groups=[{"key": "none", "default_value": "other"}, {"key": "[]"}]).by_us().warnings == []


def test_strict_lets_empty_lists_pass() -> None:
    assert "_a" in Plugin(strict=True, keyed_groups=[{"key": "fcd_tags"}]).by_us().groups()


def test_wrong_entries() -> None:
    for entry, words in [
        ("fcd_status", "each entry is a mapping with a key, not 'fcd_status'"),
        ({"prefix": "x"}, "each entry is a mapping with a key"),
        ({"key": "a", "seperator": "-"}, "there is no 'seperator'. Did you mean 'separator' or"),
        ({"key": "a", "default_value": "x", "trailing_separator": False}, "default_value or trailing_separator"),
        ({"key": 3}, "key is a text, not 3"),
        ({"key": "{{ fcd_place }}"}, "keyed_groups: '{{ fcd_place }}' is an expression already. Leave out the braces"),
        ({"key": "a", "parent_group": 3}, "parent_group is a text, not 3"),
        ({"key": "a", "parent_group": ["x"]}, "parent_group is a text, not ['x']"),
        ({"key": "a", "prefix": {"x": 1}}, "prefix is a text"),
        ({"key": "a", "trailing_separator": "no"}, "trailing_separator is true or false, not 'no'"),
    ]:
        with pytest.raises(InvalidInput) as refused:
            Plugin(keyed_groups=[entry]).by_us()
        assert words in str(refused.value)


def test_a_template_is_no_expression() -> None:
    for option in ["compose", "groups"]:
        with pytest.raises(InvalidInput, match=f"{option}: ' {{{{ fcd_place }}}}' is an expression already"):
            Plugin(**{option: {"x": " {{ fcd_place }}"}}).by_us()


def test_what_is_null_is_not_given() -> None:
    entry = {"prefix": None, "separator": None, "parent_group": None, "default_value": None, "trailing_separator": None}
    plain = Plugin(keyed_groups=[{"key": "fcd_status"}]).by_us().groups()
    assert Plugin(keyed_groups=[{"key": "fcd_status", **entry}]).by_us().groups() == plain


@pytest.mark.parametrize("name", ["all", "names", "other"])
def test_a_name_that_makes_a_circle_of_groups(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Nobody can stop an inventory by naming an instance; only that group is not put below the parent."""
    monkeypatch.setitem(HOSTS, "web-1", {"fcd_place": name})
    entries = [
        {"key": "fcd_place", "parent_group": "names", "default_value": "none"},
        {"key": "'names'", "parent_group": "other"},
    ]
    options = {"keyed_groups": entries, "leading_separator": False}
    plugin = Plugin(**options).by_us()
    plugin.inventory.reconcile_inventory()
    assert "web-1" in plugin.groups()[name][0]
    assert "a_b_c_" in plugin.groups()["names"][1]
    with pytest.raises(AnsibleParserError, match=f"parent_group: '(names|other)' of '({name}|names)'"):
        Plugin(**options, strict=True).by_us()


def test_extra_variables_win_where_asked_for() -> None:
    plugin = Plugin(keyed_groups=[{"key": "fcd_place", "prefix": "p"}], use_extra_vars=True)
    plugin._vars = {"fcd_place": "mine"}
    assert plugin.by_us().groups()["p_mine"][0] == sorted(HOSTS)
