# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A play whose certificates are not checked says so once, however many tasks, loops, modules and lookups it has."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos.workplace import Workplace

from examples.readme_reader import Reader

PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - {fcd.cloud.storage_container: {name: "c{{ item }}"}, loop: [1, 2, 3]}
    - {fcd.cloud.storage_container: {name: c4}, environment: {OWN_PROCESS: "1"}}
    - {fcd.cloud.storage_container: {name: c5}, check_mode: true}
    - debug: {msg: "{{ lookup('fcd.cloud.dictionary_item', 'Subregions', 'EU-001') }}"}
"""


@pytest.mark.full
def test_one_warning(place: Workplace, tmp_path: Path, collections: Path) -> None:
    reader = Reader(place, tmp_path / "reader", collections)
    (reader.folder / "play.yml").write_text(PLAY, encoding="utf-8")
    for _run in range(2):
        done = reader.run("ansible-playbook play.yml", FCD_VALIDATE_CERTS="false")
        said = " ".join((done.stdout + done.stderr).split())
        assert said.count("validate_certs is false") == 1, said
    done = reader.run("ansible-playbook play.yml")
    assert "validate_certs is false" not in done.stdout + done.stderr
