# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was written from the description of the infrastructure interface and from the code is up to date."""

from __future__ import annotations

import infrastructure_operations
import pytest


@pytest.mark.parametrize("file", infrastructure_operations.TARGETS, ids=lambda file: file.name)
def test_what_was_written_is_up_to_date(file: infrastructure_operations.Path) -> None:
    text = infrastructure_operations.TARGETS[file]()
    assert file.read_text(encoding="utf-8") == text, "run: python tests/tools/infrastructure_operations.py"


def test_modules_are_found_by_what_they_call() -> None:
    used = infrastructure_operations.modules_of_operations()
    assert used["create_ip_address"] == ["ip_address"]
    assert used["list_private_networks"] == ["private_network_info"]
    assert used["instance_reboot"] == ["instance_power"]
    assert used["list_dictionaries"] == ["dictionary_info"]
