# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbooks state, release and move as somebody types them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from chaos.workplace import Workplace
from site_keys import private_key

from examples.readme_reader import Reader

SITE = """
site: web-shop
registry: {path: registry.json}
private_networks:
  - {name: front, lifecycle: {prevent_destroy: true}}
  - {name: back}
"""


@pytest.mark.full
def test_what_a_site_owns_is_listed_shown_moved_and_released(
    place: Workplace, tmp_path: Path, collections: Path
) -> None:
    reader = Reader(place, tmp_path / "reader", collections)
    (reader.folder / "site.yml").write_text(SITE, encoding="utf-8")
    reader.type("ansible-playbook fcd.cloud.apply")
    writes = place.sandbox.counts()["writes"]
    said = reader.type("ansible-playbook fcd.cloud.state")
    assert re.search(r"KIND +KEY +NAME +ID +ORIGIN", said)
    assert re.search(r"private_networks +front +front +\d+ +created +protected", said)
    said = reader.type("ansible-playbook fcd.cloud.state -e provision_what=private_networks.back")
    assert re.search(r'"service": \{.*"name": "back"', said, re.DOTALL)
    move = (
        "ansible-playbook fcd.cloud.move -e provision_what=private_networks.back -e provision_to=private_networks.inner"
    )
    assert "private_networks.back would be recorded as private_networks.inner from now on" in reader.type(
        f"{move} --check"
    )
    assert "private_networks.back is recorded as private_networks.inner from now on" in reader.type(move)
    assert "private_networks.back is recorded as private_networks.inner already" in reader.type(move)
    release = "ansible-playbook fcd.cloud.release -e provision_what=private_networks.inner"
    assert "is released; the object stays as it is" in reader.type(release)
    again = reader.run(release)
    assert (again.returncode, "the site does not own private_networks 'inner'" in again.stdout) == (2, True)
    assert "back" not in reader.type("ansible-playbook fcd.cloud.state")
    new = {"FCD_SITE_KEY": private_key("OtherKey")}
    listing = "ansible-playbook fcd.cloud.state"
    assert "registry.json is signed with the key" in reader.run(listing, **new).stdout
    changing = {**new, "FCD_PREVIOUS_SITE_KEY": place.sandbox.environment["FCD_SITE_KEY"]}
    tried = reader.run(f"{listing} -e provision_sign=true --check", **changing).stdout
    assert "would now be signed with site_key" in tried
    assert "signed with the key '" in tried
    done = reader.run(f"{listing} -e provision_sign=true", **changing)
    assert (done.returncode, "is now signed with site_key" in done.stdout) == (0, True)
    assert "signed with the key '" not in done.stdout
    assert "signed with the key" not in reader.run(listing, **new).stdout
    assert "is already signed with site_key" in reader.run(f"{listing} -e provision_sign=true", **new).stdout
    missing = reader.run("ansible-playbook fcd.cloud.release")
    assert missing.returncode == 2
    assert "provision_what is missing" in missing.stdout
    assert place.sandbox.counts()["writes"] == writes
    assert {"front", "back"} <= {network["Name"] for network in place.sandbox.state()["rest"]["networks"]}
