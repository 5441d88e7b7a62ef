# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans to report on: usual ones, empty ones, large ones, and one whose names want to harm the reader."""

from __future__ import annotations

import typing as t

Plan = t.Dict[str, t.Any]
ACTIONS = ("create", "update", "replace", "delete", "adopt", "move", "release", "orphan", "unchanged", "error")
IN_TURN = ("create", "update", "delete", "orphan")
KINDS = ("ssh_keys", "private_networks", "storage_containers", "clients", "instances", "disks", "storage_objects")

LATER = "(known after apply)"
HOSTILE = (
    "<script>alert(1)</script>",
    "</title><script>document.title = 'taken'</script>",
    '"><img src=x onerror=alert(2)>',
    "' onmouseover='alert(3)",
    "]]> <![CDATA[ -->",
    "--><b id=injected>bold</b><!--",
    "two\nlines\r\nand a return\rhere",
    "right\u202eto left\u202c zero\u200bwidth \ufeff",
    "شبكة خلفية",
    "| a | b |\\| `code` ``more`` ~~~",
    "```\n# heading\n```",
    "@everyone #12 !34 user@example.com",
    "[link](javascript:alert(4)) ![image](https://example.com/x.png)",
    "https://example.com/ www.example.com",
    "javascript:alert(5)",
    "**bold** _low_ <details> &amp; &lt;b&gt; {0} {{ x }} [brackets]",
    "control \x00\x07\x1b[31m\x7f\x85 and \ud800 and \uffff",
    "</details></summary></table></style>",
    "  blanks around  ",
    "very long " * 1000,
)
"""Names that nobody should be hurt by; all of them can be in JSON."""


def change(kind: str, name: str, action: str, **more: t.Any) -> Plan:
    """Return a change."""
    given = {"before": {}, "after": {}, "source": "site.yml:12", "owner": None, "id": None, **more}
    return {"kind": kind, "name": name, "key": name, "action": action, **given}


def failure(name: str, message: str, **more: t.Any) -> Plan:
    """Return an error of an instance."""
    return {"kind": "instances", "name": name, "source": "site.yml:40", "msg": message, "next_step": "", **more}


def plan(
    changes: t.Sequence[Plan] = (),
    errors: t.Sequence[Plan] = (),
    unchanged: t.Mapping[str, int] | None = None,
    **more: t.Any,
) -> Plan:
    """Return a plan with these changes, and the counts that follow from them."""
    by_kind: dict[str, dict[str, int]] = {}
    for kind, number in (unchanged or {}).items():
        by_kind.setdefault(kind, dict.fromkeys(ACTIONS, 0))["unchanged"] = number
    for entry in changes:
        by_kind.setdefault(entry["kind"], dict.fromkeys(ACTIONS, 0))[entry["action"]] += 1
    for entry in errors:
        if entry["kind"]:
            by_kind.setdefault(entry["kind"], dict.fromkeys(ACTIONS, 0))["error"] += 1
    counts = {action: sum(kind[action] for kind in by_kind.values()) for action in ACTIONS}
    return {
        "format": 1,
        "collection": "1.0.0",
        "site": "web-shop",
        "environment": None,
        "stage": "all",
        "part": None,
        "made_at": "2026-11-21T12:00:00Z",
        "mode": "plan",
        "declaration_digest": "sha256:" + "4f" * 32,
        "changes_digest": "sha256:" + "a7" * 32,
        "entries": sum(counts.values()) - counts["orphan"],
        "counts": counts,
        "by_kind": by_kind,
        "changes": list(changes),
        "errors": list(errors),
        **more,
    }


USUAL_CHANGES = (
    change(
        "private_networks",
        "backend",
        "create",
        after={"name": "backend", "subregion": "EU-001", "description": "Between the shop and its database"},
        source="site.yml:14",
    ),
    change(
        "instances",
        "web-1",
        "create",
        after={
            "name": "web-1",
            "template": "Debian 8",
            "subregion": "EU-001",
            "type": "v1.standard-2.2",
            "private_networks": ["(known after apply)"],
            "init_disk_size": 10,
            "monitoring": True,
        },
        source="site.yml:31",
    ),
    change(
        "instances",
        "web-2",
        "update",
        before={"type": "v1.standard-1.09", "description": "Front end", "tags": ["web"], "network": {"mtu": 1400}},
        after={
            "type": "v1.standard-2.2",
            "description": "Front end of the shop",
            "tags": ["web", "shop"],
            "network": {"mtu": 1500},
            "backup": None,
        },
        source="environments/production.yml:8",
        owner="created",
    ),
    change(
        "storage_containers",
        "assets",
        "update",
        before={"read_acl": "", "cors": "https://shop.example.com", "metadata": {"Owner": "shop"}},
        after={"read_acl": ".r:*", "cors": "https://shop.example.com\nhttps://www.example.com", "metadata": {}},
        source="site.yml:55",
        owner="adopted",
    ),
    change(
        "ssh_keys",
        "former colleague",
        "delete",
        before={"name": "former colleague", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample"},
        source="site.yml:9",
    ),
    change("disks", "old-data", "orphan", before={"name": "old-data", "size": 40}, source=None, owner="created"),
)
UNCHANGED = {"ssh_keys": 4, "private_networks": 2, "storage_containers": 11, "instances": 117, "clients": 160}


def usual(**more: t.Any) -> Plan:
    """Return a plan with a few changes of each sort in an environment."""
    return plan(USUAL_CHANGES, unchanged=UNCHANGED, environment="production", **more)


def replacing(**more: t.Any) -> Plan:
    """Return a plan that replaces an instance, with what hangs on it."""
    web = change(
        "instances",
        "web",
        "replace",
        before={"id": 250001, "template": "Debian 8", "type": "v1.standard-2.2"},
        after={"id": "(known after apply)", "template": "Debian 9", "type": "v1.standard-2.2"},
        forced_by=["template"],
        owner="created",
    )
    data = change(
        "disks", "data", "update", before={"instances": [250001]}, after={"instances": ["(known after apply)"]}
    )
    return plan((web, data), unchanged=UNCHANGED, **more)


def identities(**more: t.Any) -> Plan:
    """Return a plan of what changes its identity, with prices, policies, and whose doing each change is."""
    web = change(
        "instances",
        "web",
        "replace",
        before={"id": 250001, "name": "old", "template": "Debian 8", "type": "v1.standard-2.2", "description": None},
        after={"id": LATER, "name": "web", "template": "Debian 9", "type": "v1.standard-2.2", "description": None},
        forced_by=["template"],
        moved_from="old",
        edited=True,
        drifted=False,
        owner="created",
        source="site.yml:31",
    )
    data = change(
        "disks",
        "data",
        "update",
        before={"size": 40, "instances": [250001], "description": None},
        after={"size": 80, "instances": [LATER], "description": None},
        adopts=True,
        edited=True,
        drifted=True,
        source="site.yml:48",
    )
    worker = change(
        "instances",
        "worker",
        "create",
        after={"name": "worker", "template": "Debian 9", "id": LATER, "ip_addresses": LATER, "tags": None},
        edited=True,
        source="site.yml:40",
    )
    assets = change(
        "storage_containers",
        "assets",
        "update",
        before={"read_acl": ".r:*"},
        after={"read_acl": ""},
        edited=False,
        drifted=True,
        source="site.yml:55",
        owner="created",
    )
    return plan(
        (
            change("ssh_keys", "operations", "adopt", before={"id": 31101}, after={"id": 31101}, source="site.yml:9"),
            change("private_networks", "backend", "move", moved_from="dev-db", source="site.yml:14", owner="created"),
            assets,
            web,
            worker,
            change("instances", "legacy", "release", source="site.yml:62", owner="created"),
            data,
            change(
                "disks", "old-data", "orphan", before={"name": "old-data", "size": 40}, source=None, owner="created"
            ),
        ),
        (
            failure(
                "db",
                "The template forces a replacement, and lifecycle.prevent_destroy in its entry forbids that.",
                next_step="Take prevent_destroy out of the entry first, or leave template as it is.",
            ),
        ),
        UNCHANGED,
        bound={"key": "1f", "salt": "2e", "seal": "3d", "values": {"a.b.c": "4c"}, "files": dict.fromkeys("ab", "5b")},
        policies=[
            {"name": "names begin with the site", "file": "policies/names.yml:3", "message": "", "passed": True},
            {
                "name": "no container is public",
                "file": "policies/storage.yml:8",
                "message": "assets can be read by everybody. Take .r:* out of read_acl.",
                "passed": False,
            },
        ],
        **more,
    )


def clean(**more: t.Any) -> Plan:
    """Return a plan in which there is nothing to do."""
    return plan(unchanged=UNCHANGED, **more)


def empty(**more: t.Any) -> Plan:
    """Return the plan of a site that declares nothing."""
    return plan(**more)


def removed(number: int, **more: t.Any) -> Plan:
    """Return the plan of a site of which so many entries are removed."""
    changes = [change("disks", f"disk-{place}", "delete", before={"size": 10}) for place in range(number)]
    return plan(changes, unchanged={"disks": 2}, **more)


def failed(**more: t.Any) -> Plan:
    """Return a plan with errors beside changes."""
    errors = (
        failure("db-1", "The template 'Debian 80' is not there.", next_step="Did you mean 'Debian 8'?"),
        failure("db-2", "GET /instances: 503 Service Unavailable (request 7f3a)", next_step="Try again later."),
        {"kind": "", "name": "", "source": None, "msg": "The registry cannot be read: it is no JSON.", "next_step": ""},
    )
    return plan(USUAL_CHANGES[:3], errors, UNCHANGED, **more)


def many(number: int, **more: t.Any) -> Plan:
    """Return a plan with so many changes of all kinds."""
    changes = [_one_of_many(place) for place in range(number)]
    return plan(changes, unchanged={"instances": 120}, **more)


def _one_of_many(place: int) -> Plan:
    kind, action = KINDS[place % len(KINDS)], IN_TURN[place % 4]
    before = {"size": place, "description": f"Number {place}", "tags": ["one", "two"]}
    after = {"size": place + 10, "description": f"Number {place} of many", "tags": ["one", "two", "three"]}
    return change(
        kind,
        f"{kind.rstrip('s')}-{place:04}",
        action,
        before={} if action == "create" else before,
        after=after if action in ("create", "update") else {},
        source=None if action == "orphan" else f"site.yml:{place + 1}",
    )


def hostile(**more: t.Any) -> Plan:
    """Return a plan in which every text that strangers choose wants to harm."""
    changes = [_hostile(place, text) for place, text in enumerate(HOSTILE)]
    errors = [failure(text, text, next_step=text, source=f"{text}:3") for text in HOSTILE]
    return plan(changes, errors, {"clients": 3}, environment=HOSTILE[0] + "@everyone", part=None, **more)


def hostile_besides(**more: t.Any) -> Plan:
    """Return a plan that wants to harm by what stands beside its changes."""
    changes = [change("disks", f"d{place}", "move", moved_from=text, edited=True) for place, text in enumerate(HOSTILE)]
    policies = [
        {"name": f"{place} {text}", "file": f"{text}:3", "message": text, "passed": bool(place % 2)}
        for place, text in enumerate(HOSTILE)
    ]
    told: Plan = {"targets": list(HOSTILE), "policies": policies}
    return plan(changes, **told, **more)


def _hostile(place: int, text: str) -> Plan:
    options = {text: text, "plain": text, "listed": [text, {text: text}]}
    action = IN_TURN[place % 4]
    return change(
        "instances",
        text,
        action,
        before={} if action == "create" else {**options, "plain": f"{text} before"},
        after=options if action in ("create", "update") else {},
        source=f"{text}:7",
        owner=text,
    )
