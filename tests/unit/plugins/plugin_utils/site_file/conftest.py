# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Site files from their texts, and what is wrong with them."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultSecret
from ansible.template import Templar, trust_as_template

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import read_site
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Declaration

SECRET = "correct horse"
VARIABLES = {
    "who": "me",
    "size": 20,
    "nested": trust_as_template("{{ who }}-too"),
    "names": ["a", "b"],
    "indirectly": trust_as_template("{{ unknown }}"),
    "omit": "__omit_place_holder__1",
}


@pytest.fixture
def loader() -> DataLoader:
    """A loader with a vault secret."""
    made = DataLoader()
    made.set_vault_secrets([("default", VaultSecret(SECRET.encode()))])
    return made


@pytest.fixture
def read(tmp_path: Path, loader: DataLoader, monkeypatch: pytest.MonkeyPatch) -> t.Callable[..., Declaration]:
    """Read site files from their texts; the second and further ones are overlays."""
    monkeypatch.chdir(tmp_path)

    def reading(*texts: str, secrets: bool = True, environment: str | None = None, strict: bool = False) -> Declaration:
        names = ["site.yml", *(f"over{number}.yml" for number in range(1, len(texts)))]
        for name, text in zip(names, texts):
            (tmp_path / name).write_text(text, encoding="utf-8")
        templar = Templar(loader=loader, variables=dict(VARIABLES))
        return read_site(loader, templar, names[0], names[1:], environment, secrets=secrets, strict_names=strict)

    return reading


def told(read: t.Callable[..., Declaration], *texts: str, **more: t.Any) -> list[str]:
    """Return the lines of what is wrong."""
    with pytest.raises(InvalidInput) as caught:
        read(*texts, **more)
    errors = caught.value.details["errors"]
    lines = [f"{one['source']}: {one['entry']}{': ' if one['entry'] else ''}{one['msg']}" for one in errors]
    assert all(line in str(caught.value) for line in lines)
    return lines
