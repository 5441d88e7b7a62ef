# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts of an inventory: names, addresses and variables."""

from __future__ import annotations

import typing as t

import ansible.template
import pytest
from ansible.errors import AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_records import instance_record
from ansible_collections.fcd.cloud.plugins.plugin_utils._instance_hosts import InstanceHosts

DEFAULTS = {
    "strict": False,
    "use_extra_vars": False,
    "include": [],
    "exclude": [],
    "details": [],
    "template_names": False,
    "hostnames": ["name"],
    "address": "public_or_private",
    "hostvars_prefix": "fcd_",
}
ON = {"Id": 86, "Label": "Powered On"}


class Plugin(BaseInventoryPlugin, Constructable):
    """An inventory plugin with these options."""

    def __init__(self, **options: t.Any) -> None:
        super().__init__()
        self.own = {**DEFAULTS, **options}
        self.warnings: list[str] = []
        self.parse(InventoryData(), DataLoader(), "unit")

    def get_option(self, option: str, hostvars: t.Any = None) -> t.Any:
        return self.own.get(option)

    def add(self, *instances: dict[str, t.Any]) -> dict[str, dict[str, t.Any]]:
        """Add hosts for what the service listed; returns the variables of all."""
        hosts = InstanceHosts(self, self.own, self.warnings.append)
        hosts.add([instance_record({"Id": number, **one}) for number, one in enumerate(instances, 1)])
        return {name: host.vars for name, host in self.inventory.hosts.items()}


def expression(text: str) -> str:
    return ansible.template.trust_as_template(text)


def test_a_host_has_what_the_service_shows() -> None:
    (own,) = Plugin().add({"Name": "web", "Status": ON, "IpAddress": "198.51.100.1", "RamMb": 2048}).values()
    assert own["fcd_name"] == "web"
    assert own["fcd_status"] == {"id": 86, "label": "Powered On"}
    assert (own["fcd_ram_mb"], own["fcd_template"], own["ansible_host"]) == (2048, None, "198.51.100.1")


@pytest.mark.parametrize(
    ("key", "option"),
    [("fcd_template.label", "template_names: true"), ("fcd_groups", "details: [groups]"), ("fcd_template_type", None)],
)
def test_a_key_that_is_not_read_is_told_with_its_option(key: str, option: str | None) -> None:
    plugin = Plugin(keyed_groups=[{"key": key}])
    plugin.add({"Name": "web"})
    (told,) = plugin.warnings
    assert told.partition(" so it makes no group.")[2] == (f" To read it, set {option}." if option else "")


def test_every_text_can_be_written_and_every_number_read() -> None:
    (own,) = Plugin().add({"Name": "w\ud800b", "DnsAddress": "caf\udce9", "RamMb": float("inf")}).values()
    assert (own["fcd_name"], own["fcd_dns_address"], own["fcd_ram_mb"]) == ("w\\ud800b", "caf\\xe9", "inf")


def test_no_name_is_an_address() -> None:
    """Whoever names an instance could choose the machine that is connected to."""
    for name in ["web", "10.0.0.9", "db.example.com"]:
        assert Plugin().add({"Name": name})[name]["ansible_host"] == "no-address.invalid."
    seen = Plugin(groups={"reached": expression("ansible_host is defined")})
    seen.add({"Name": "web"}, {"Name": "db", "IpAddress": "198.51.100.1"})
    assert hosts_by_pattern(seen, "reached") == ["db"]


def test_a_name_that_the_service_gives_as_an_address_is_one() -> None:
    instance = {"Name": "web", "DnsAddress": "i-1.example.com"}
    assert "ansible_host" not in Plugin(hostnames=["dns_address"]).add(instance)["i-1.example.com"]
    shared = Plugin(hostnames=["dns_address"]).add(instance, instance)
    assert {own["ansible_host"] for own in shared.values()} == {"no-address.invalid."}


def test_the_user_says_what_the_address_is() -> None:
    assert "ansible_host" not in Plugin(address="none").add({"Name": "web", "IpAddress": "198.51.100.1"})["web"]
    compose = {"ansible_host": expression("fcd_dns_address")}
    made = Plugin(compose=compose).add({"Name": "web", "DnsAddress": "i-1.example.com"}, {"Name": "db"})
    assert made["web"]["ansible_host"] == "i-1.example.com"
    assert made["db"]["ansible_host"] == "no-address.invalid."
    plugin = Plugin()
    plugin.inventory.add_host("web")
    plugin.inventory.set_variable("web", "ansible_host", "192.0.2.1")
    assert plugin.add({"Name": "web"})["web"]["ansible_host"] == "192.0.2.1"


def test_another_prefix() -> None:
    assert Plugin(hostvars_prefix="").add({"Name": "web"})["web"]["id"] == 1


def test_a_wrong_prefix() -> None:
    for prefix in ["1", "a-", "a b"]:
        with pytest.raises(InvalidInput, match="hostvars_prefix"):
            Plugin(hostvars_prefix=prefix).add()


def test_names() -> None:
    for hostnames, name in [
        (["name"], "web"),
        (["dns_address", "name"], "i-1.example.com"),
        (["ip_address", "private_ip_address", "name"], "10.0.0.1"),
        (["id"], "1"),
        (["ip_address"], "1"),
        (["fcd_name"], "web"),
        (["fcd_status.label"], "Powered_On"),
        (["fcd_template.label", "fcd_name"], "web"),
        (["fcd_name | upper"], "WEB"),
        (["fcd_name ~ '.' ~ fcd_id"], "web.1"),
        (["nobody | upper", "name"], "web"),
        ([], "1"),
    ]:
        instance = {"Name": "web", "DnsAddress": "i-1.example.com", "PrivateIpAddress": "10.0.0.1", "Status": ON}
        assert list(Plugin(hostnames=[expression(text) for text in hostnames]).add(instance)) == [name]


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"name": "name", "prefix": "fcd_status.label"}, "Powered_On_web"),
        ({"name": "name", "prefix": "id", "suffix": "'example'", "separator": "."}, "1.web.example"),
        ({"name": "name", "prefix": "private_ip_address", "suffix": None}, "web"),
        ({"name": "private_ip_address", "prefix": "id"}, "web.lan"),
    ],
)
def test_names_with_something_around_them(entry: dict[str, t.Any], name: str) -> None:
    """An empty prefix is left out, and an entry without a name of its own gives none."""
    trusted = {key: value if key == "separator" or value is None else expression(value) for key, value in entry.items()}
    plugin = Plugin(hostnames=[trusted, expression("fcd_name ~ '.lan'")])
    assert list(plugin.add({"Name": "web", "Status": ON})) == [name]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"name": "name", "prefx": "id"}, r"hostnames: there is no 'prefx'\. Did you mean 'prefix'"),
        ({"prefix": "id"}, r"hostnames: each entry is a text, or a mapping with a name, not \{'prefix'"),
        ({"name": "name", "suffix": "{{ x }}"}, r"hostnames: '\{\{ x }}' is an expression already"),
        ("nam", r"hostnames: an instance has no 'nam'\. Did you mean 'name'"),
        ({"name": "name", "prefix": "fcd_statos.label"}, r"has no 'fcd_statos'\. Did you mean 'fcd_status'"),
    ],
)
def test_what_is_no_name(entry: t.Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        Plugin(hostnames=[entry]).add()


def test_a_name_without_a_value_where_that_is_wrong() -> None:
    with pytest.raises(AnsibleParserError, match=r"hostnames: nobody \| upper has no value for 'instance 1'"):
        Plugin(hostnames=[expression("nobody | upper")], strict=True).add({"Name": "web"})


def test_equal_names_get_numbers() -> None:
    plugin = Plugin()
    assert sorted(plugin.add({"Name": "web"}, {"Name": "db"}, {"Name": "web"})) == ["db", "web_1", "web_3"]
    (warning,) = plugin.warnings
    assert "2 instances" in warning
    assert "'web' is 'web_1', 'web' is 'web_3'" in warning


def test_nobody_can_take_the_place_of_another_thing() -> None:
    """Variables of a host called all would be set for all hosts."""
    local = ["localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "ip6-loopback"]
    local += ["127.0.0.1", "127.1", "0", "0x7f.1", "2130706433", "::1", "::", "0:0::1", "::ffff:127.0.0.1"]
    for name in [*local, "all", "ungrouped", "mine"]:
        plugin = Plugin(compose={"x": expression("fcd_id")})
        plugin.inventory.add_group("mine")
        assert plugin.add({"Name": name})[f"{name}_1"]["x"] == 1
        assert plugin.inventory.groups["all"].vars == {}
        assert len(plugin.warnings) == 1


def hosts_by_pattern(plugin: Plugin, pattern: str) -> list[str]:
    inventory = InventoryManager(DataLoader())
    inventory._inventory = plugin.inventory
    inventory.reconcile_inventory()
    return [host.name for host in inventory.get_hosts(pattern)]


@pytest.mark.parametrize(
    "options",
    [
        {"groups": {"production": expression("fcd_name is match('prod')")}},
        {"keyed_groups": [{"key": expression("fcd_status.label")}], "leading_separator": False},
        {"keyed_groups": [{"key": expression("fcd_id"), "parent_group": "production"}]},
    ],
)
def test_no_host_has_the_name_of_a_group_that_comes_later(options: dict[str, t.Any]) -> None:
    """A play for such a group would run on that host alone."""
    plugin = Plugin(compose={"x": expression("fcd_id")}, **options)
    instances = [{"Name": name, "Status": {"Id": 1, "Label": "production"}} for name in ("production", "prod")]
    assert plugin.add(*instances)["production_1"]["x"] == 1
    assert sorted(hosts_by_pattern(plugin, "production")) == ["prod", "production_1"]
    assert plugin.inventory.hosts["production_1"].get_vars()["inventory_hostname"] == "production_1"
    (warning,) = plugin.warnings
    assert "'production' is 'production_1'" in warning


def test_nor_has_one_of_another_file() -> None:
    plugin = Plugin(groups={"first": expression("true")})
    plugin.add({"Name": "web"}, {"Name": "staging"})
    plugin.own["groups"] = {"staging": expression("true")}
    assert "staging_2" in plugin.add({"Name": "db"})
    assert hosts_by_pattern(plugin, "staging") == ["db"]
    assert sorted(hosts_by_pattern(plugin, "first")) == ["staging_2", "web"]


def test_a_host_of_another_source_keeps_its_variables() -> None:
    plugin = Plugin()
    plugin.inventory.add_host("web")
    plugin.inventory.set_variable("web", "mine", 1)
    plugin.inventory.set_variable("web", "fcd_id", 7)
    own = plugin.add({"Name": "web"})["web"]
    assert (own["mine"], own["fcd_id"]) == (1, 1)


def test_chosen_ones() -> None:
    plugin = Plugin(include=[{"name": "w*"}, {"status": 86}], exclude=[{"name": "*2"}])
    found = plugin.add({"Name": "web1"}, {"Name": "web2"}, {"Name": "db", "Status": ON}, {"Name": "other"})
    assert list(found) == ["web1", "db"]


def test_a_name_stays_a_text() -> None:
    """Also where every text of an inventory is a template."""
    plugin = Plugin(compose={"low": expression("fcd_name | lower"), "same": expression("fcd_name")})
    ((name, own),) = plugin.add({"Name": "{{ 7*7 }}", "Status": {"Id": 1, "Label": "{{ 6*6 }}"}}).items()
    assert name == "___7_7___"
    plugin.templar.available_variables = own
    shown = plugin.templar.template(expression("{{ fcd_name }}|{{ low }}|{{ same }}|{{ fcd_status.label }}"))
    assert shown == "{{ 7*7 }}|{{ 7*7 }}|{{ 7*7 }}|{{ 6*6 }}"


def test_a_text_may_not_say_what_a_template_begins_with() -> None:
    """Its first line may, in a text of the user: such a text needs no brace."""
    text = "#jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ 7*7 ]]"
    plugin = Plugin(compose={"low": expression("fcd_name ~ 'x'")})
    ((name, own),) = plugin.add({"Name": text}).items()
    plugin.templar.available_variables = {**own, "inventory_hostname": name}
    names = ("inventory_hostname", "fcd_name", "low")
    shown = [plugin.templar.template(expression(f"{{{{ {one} }}}}")) for one in names]
    assert shown == [name, text, f"{text}x"]
    assert name.startswith("#jinja2_variable_start_string____")


def test_a_name_does_no_harm_elsewhere() -> None:
    """It becomes an argument of ssh, a part of paths, and a pattern of hosts."""
    for name, host in [
        ("-oProxyCommand=touch x", "_oProxyCommand=touch_x"),
        ("--help", "_-help"),
        ("web[0]", "web_0_"),
        ("root@web", "root_web"),
        ("web:22", "web_22"),
        ("2001:db8::1", "2001:db8::1"),
        ("fe80::1%$(touch x)", "fe80__1%__touch_x_"),
        ("../../x", ".._.._x"),
        ("..", "__"),
        ("two\nlines\x00\x1b[31m\x85\u2028\u202e", "two_lines___31m___"),
        ("no\u200bwidth\u2060\u200f\ufeff", "no_width___"),
        ("a.b-c_d", "a.b-c_d"),
        ("ünïcode🚀", "ünïcode🚀"),
        ("x" * 255, "x" * 255),
        (" \t ", "1"),
    ]:
        ((made, own),) = Plugin().add({"Name": name}).items()
        assert (made, own["fcd_name"]) == (host, name)


MARKS = [chr(code) for code in range(0x20, 0x3000) if code < 0x100 or not code % 64]
"""All of ASCII and Latin, and some of each other alphabet, with what cannot be seen."""


def test_each_host_is_the_pattern_of_itself_alone() -> None:
    """Whatever is in its name, wherever: as Ansible reads it behind --limit, in hosts, and in a list of hosts."""
    names = [name for mark in MARKS for name in (mark, f"{mark}eb", f"w{mark}b", f"we{mark}")]
    inventory = InventoryManager(DataLoader())
    plugin = Plugin()
    plugin.add(*({"Name": name} for name in names))
    inventory._inventory = plugin.inventory
    inventory.reconcile_inventory()
    hosts = [host.name for host in plugin.inventory.hosts.values()]
    assert len(hosts) == len(names)
    for name in hosts:
        inventory.subset(name)
        for pattern in ("all", name, [name]):
            assert [host.name for host in inventory.get_hosts(pattern)] == [name]
        inventory.subset(None)
        assert [host.name for host in inventory.get_hosts(name)] == [name]


def test_names_that_become_equal_get_numbers() -> None:
    assert list(Plugin().add({"Name": "a*"}, {"Name": "a?"}, {"Name": "a_"})) == ["a__1", "a__2", "a__3"]


@pytest.mark.parametrize("address", ["-oProxyCommand=x", "root@elsewhere", "$(touch x)"])
def test_an_address_is_a_plain_word_for_ssh(address: str) -> None:
    own = Plugin(address="dns").add({"Name": "web", "DnsAddress": address})["web"]
    assert own["ansible_host"] == "no-address.invalid."


@pytest.mark.parametrize("option", ["groups", "compose"])
def test_a_word_that_yaml_reads_as_false_is_no_name(option: str) -> None:
    with pytest.raises(InvalidInput, match=f"{option}: False is not a name. Put the name in quotes"):
        Plugin(**{option: {False: expression("true")}}).add()


def test_a_template_is_no_hostname() -> None:
    with pytest.raises(InvalidInput, match=r"hostnames: '\{\{ fcd_name }}' is an expression already"):
        Plugin(hostnames=["{{ fcd_name }}"]).add()


@pytest.mark.parametrize(
    "text", ["Web", "lookup('pipe', 'touch x')", "{{ 7*7 }}", "{% x %}", "#jinja2:trim_blocks:true"]
)
def test_no_text_of_the_service_is_trusted(text: str) -> None:
    """Ansible evaluates a trusted text in a condition, and an expression needs no brace there."""
    compose = {"low": expression("fcd_name ~ ''"), "list": expression("[fcd_name]"), "same": expression("fcd_name")}
    (own,) = Plugin(compose=compose).add({"Name": text, "Status": {"Id": 1, "Label": text}}).values()
    found = [own["fcd_name"], own["fcd_status"]["label"], own["low"], own["list"][0], own["same"]]
    assert found == [text] * 5
    assert not any(map(ansible.template.is_trusted_as_template, found))


def test_hosts_that_two_accounts_share_are_named() -> None:
    """Ansible knows a host by its name alone; what a user says of one in another file is welcome."""
    plugin = Plugin()
    plugin.inventory.add_host("db")
    plugin.inventory.set_variable("db", "ansible_user", "admin")
    plugin.add({"Name": "web"}, {"Name": "db"}, {"Name": "only"})
    assert plugin.warnings == []
    plugin.add({"Name": "web"}, {"Name": "db"})
    (warning,) = plugin.warnings
    assert warning == (
        "2 hosts are in another inventory of this plugin as well, and have the variables of both: web, db. "
        "Give each a name of its own with hostnames, such as fcd_name ~ '.staging'."
    )
