# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An account with objects of all kinds, among them names and texts that are easily taken for something else."""

from __future__ import annotations

import functools
import gzip
import importlib
import typing as t
from pathlib import Path

from chaos.workplace import until

from sites.operations import done, part

TEMPLATE, HOSTILE = (
    "{{ 6*7 }}",
    ["yes", "null", "1e3", "~", "  two blanks first", "żółw 🐢", "- dash: #no", 'it\'s "x"\\'],
)
PLACE = {"subregion": "EU-001", "type": "v1.standard-2.2", "template": "CentOS 7", "wait_timeout": 30}
TEXTS = {
    "plain.txt": "one line",
    "empty": "",
    "lines.txt": "first\n  second\n\nfourth\n",
    "odd ends.txt": "\n\n begins and ends with blanks \n\n",
    "tabs.txt": "a\tb\r\nc\x00\x07\x1b\x7f\x85\u2028\ufeff\ud7ff",
    "template.j2": "{{ 6*7 }}{% if x %}\n{# note #}\n",
    "one line.j2": "{{ lookup('pipe', 'id') }}",
    "head.j2": "#jinja2: trim_blocks: False\ntext\n",
    "yaml.yml": "---\nkey: !unsafe yes\n...\n",
    "vault": "$ANSIBLE_VAULT;1.1;AES256\n33\n",
    "{{ 6*7 }}": "a name",
    " a b/żółw\n.txt": "a name",
    "yes": "yes",
    "number": "0123",
}
"""Objects that an export tells with their content."""
SECRET_KEY = "temporary-address-key"


def _operation(module: str) -> t.Any:
    """Return the operation of a module, as its face has it."""
    return importlib.import_module(f"ansible_collections.fcd.cloud.plugins.modules.{module}").OPERATION


def seed(folder: Path) -> None:
    """Make it all; ``folder`` is for files."""
    _networks_and_keys()
    _instances()
    _health_checks()
    _storage(folder)
    _odd_storage()
    _soap()


def _health_checks() -> None:
    check = _operation("health_check")
    for name in (TEMPLATE, "yes"):
        done(check, {"name": name, "kind": "http", "address": "www.example.com", "notification_types": ["sms", "1541"]})
    done(check, {"name": "phones", "kind": "sip", "address": "sip.example.com", "sip_password": SECRET_KEY})
    notification = _operation("health_check_notification")
    for word in ("email", "sms", "1541"):
        done(notification, {"address": "ops@example.com", "type": word})


def _rest() -> t.Any:
    """Return a client for what no module would make: two objects of one name."""
    settings = part("_connection.task").Settings.resolve({}, ("rest",))
    return part("_infrastructure.api").infrastructure(part("_connection.task").Task(settings))


def _networks_and_keys() -> None:
    rest = _rest()
    for number, name in enumerate(("deploy", TEMPLATE, *HOSTILE, "twin", "twin")):
        rest.create_ssh_key(name, f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{number:04d} somebody@example.com")
    before, names = len(rest.list_networks()), ("12", "front #1", TEMPLATE, "null", "twin", "twin")
    for name in names:
        rest.create_network(name)
    until(lambda: len(rest.list_networks()) == before + len(names), "the list that lags behind")


def _instances() -> None:
    instance, disk, address = (
        _operation("instance"),
        _operation("disk"),
        _operation("ip_address"),
    )
    one = done(instance, {"name": "web 1", **PLACE, "private_networks": ["backend", "front #1", TEMPLATE, "null"]})
    done(
        instance,
        {"name": TEMPLATE, **PLACE, "without_public_ip": True, "private_networks": ["backend"], "state": "stopped"},
    )
    for _each in range(2):
        made = done(instance, {"name": f"twin {_each}", **PLACE, "type": "v1.highmemory-4.8"})["instance"]["id"]
        _rest().change_name(made, "twin")
        until(functools.partial(_has_name, made, "twin"), "the second name")
    for name in ("yes", "data", TEMPLATE):
        done(disk, {"name": name, "size": 20, "disk_class": "Tier 1", "subregion": "EU-001"})
    done(disk, {"name": "data", "instances": ["web 1"]})
    done(disk, {"name": "shared", "size": 30, "disk_class": "Tier 1", "instances": ["web 1"]})
    for comment in ("web entry", "{% if %}", "null"):
        done(address, {"comment": comment, "subregion": "EU-001", "static": True})
    done(address, {"comment": "web entry", "instance": "web 1", "reverse_dns": "web.example.com"})
    own = done(part("_infrastructure.ip_address").INFO, {"instance": str(one["instance"]["id"])})["ip_addresses"]
    assert len(own) > 1
    _groups(str(own[0]["address"]))


def _has_name(number: int, name: str) -> bool:
    return bool(_rest().get_instance(number)["Name"] == name)


def _groups(address: str) -> None:
    """Make groups, one of them with an instance that has other addresses than this one, and load balancers."""
    group, balancer = _operation("instance_group"), _operation("load_balancer")
    done(group, {"name": "yes", "instances": ["web 1"], "ip_addresses": [address], "affinity": "Maximize separation"})
    done(group, {"name": TEMPLATE})
    twins = [_rest().create_group("twin", 1403)["Id"] for _each in range(2)]
    done(balancer, {"group": "yes", "port": 8080, "ssl": False})
    done(balancer, {"group": TEMPLATE, "proxy_protocol": "v2"})
    done(balancer, {"group": str(twins[0])})
    _schedules()


def _schedules() -> None:
    """Make schedules and autoscalers of an instance, and of a group."""
    stop = {"instance": "web 1", "action": "stop", "every": "1 week", "at": "friday 22:00", "timezone": "Europe/Warsaw"}
    of_instance, of_group = _operation("instance_schedule"), _operation("group_schedule")
    for name in ("yes", TEMPLATE):
        done(of_instance, {"name": name, **stop})
        done(of_group, {"name": name, "group": "yes", **stop})
    done(_operation("instance_autoscaler"), {"instance": "web 1", "mode": "notify"})
    limits = {"expansion": "add_existing", "min_instances": 1, "max_instances": 2}
    done(_operation("group_autoscaler"), {"group": TEMPLATE, "instances": ["web 1", TEMPLATE], **limits})


def _storage(folder: Path) -> None:
    container, thing = _operation("storage_container"), _operation("storage_object")
    done(container, {"name": "assets_old"})
    done(
        container,
        {
            "name": "assets",
            "metadata": {"ref": "ip_addresses.x", "note": TEMPLATE, "yes": "no"},
            "read_acl": ".r:*,.rlistings",
            "quota_count": "5000",
            "quota_bytes": "10G",
            "web_index": "index.html",
            "web_listings": True,
            "cors_allow_origin": ["https://www.example.com"],
            "versioning": "stack",
            "versions_location": "assets_old",
            "temp_url_key": SECRET_KEY,
        },
    )
    for name in ("yes", TEMPLATE, " żółw #"):
        done(container, {"name": name, "metadata": {"owner": "somebody"}})
    for name, text in TEXTS.items():
        done(thing, {"container": "assets", "name": name, "content": text, "metadata": {"x": TEMPLATE}})
    done(
        thing,
        {"container": "assets", "name": "yes", "content": "no", "cache_control": "no-cache", "content_type": "text/x"},
    )
    done(thing, {"container": "yes", "name": "soon gone", "content": "x", "expires_in": 5000})
    done(container, {"name": "state-of-x"})
    done(thing, {"container": "state-of-x", "name": ".fcd-sites/x/whole.json", "content": "{}"})
    done(thing, {"container": "yes", "name": "known secret", "content": f"key: {_storage_key()}\n"})
    larger = {
        "zipped": gzip.compress(b"x" * 99),
        "large": b"y" * 9000,
        "large/below": b"z" * 9000,
        "vaulted": b"$ANSIBLE_VAULT;1.1;AES256\n" + b"6162" * 2000,
        "$HOME": b"\xff",
    }
    for name, data in larger.items():
        file = folder / "made"
        file.write_bytes(data)
        done(
            thing,
            {
                "container": "yes",
                "name": name,
                "src": str(file),
                "content_encoding": "gzip" if name == "zipped" else None,
            },
        )
    file.write_bytes(b"s" * (2 << 20))
    done(
        thing,
        {"container": "yes", "name": "cut", "src": str(file), "segment_threshold": 1 << 20, "segment_size": 1 << 20},
    )


def _odd_storage() -> None:
    """Make what no module makes: a large object that is listed as an empty one, and values that no option takes."""
    settings = part("_connection.task").Settings.resolve({}, ("storage",))
    storage = part("_object_storage.connection").object_storage(part("_connection.task").Task(settings))
    create_object = part("_object_storage.object_writes").create_object
    create_object(storage, ("yes", "dynamic"), {"X-Object-Manifest": "yes/large"}, b"", 0)
    create_object(storage, ("yes", "no value"), {"X-Object-Meta-Empty": "", "X-Object-Meta-Full": "x"}, b"a", 1)
    odd = {"X-Container-Meta-Access-Control-Allow-Origin": "nowhere", "X-Container-Meta-Some_thing": "x"}
    part("_object_storage.container_writes").update_container_metadata(storage, "yes", odd)


def _storage_key() -> str:
    settings = part("_connection.task").Settings.resolve({}, ("storage",))
    return str(settings["storage_key"])


def _soap() -> None:
    warehouse, user = _operation("warehouse"), _operation("client_user")
    for name in ("main", TEMPLATE, "yes"):
        key = {"partner_id": 12, "template_id": 304, "data_store_number": f"0{name}"}
        done(warehouse, {"name": name, "queue_length": 4, **key})
    made = {"user_password": "Quite-long-1-and-odd", "client_id": 101, "pesel": "44051401359", "privileges": ["1"]}
    people = {"null": TEMPLATE, "żółw": "yes", TEMPLATE: "1e3"}
    for number, (login, name) in enumerate(people.items()):
        mail = {"email": f"user{number}@example.com", "phone_number": f"+4822555001{number}"}
        done(user, {"user_name": login, "first_name": name, "last_name": " x ", **mail, **made, "pesel": None})
    done(user, {"user_name": "null", "state": "blocked"})
