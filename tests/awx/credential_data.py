# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The credential types, as files to paste and as data for playbooks.

The files in ``extensions/awx/credential_types`` are the source. ``python tests/awx/credential_data.py`` writes the
data, in which every template is tagged so that Ansible leaves it to AWX.
"""

from __future__ import annotations

import typing as t
from pathlib import Path

import yaml

COLLECTION = Path(__file__).resolve().parents[2]
AWX = COLLECTION / "extensions" / "awx"
SOURCES = AWX / "credential_types"
DATA = COLLECTION / "roles" / "awx_setup" / "files" / "credential_types.yml"
HEAD = "---\n# Written by tests/awx/credential_data.py from the files in extensions/awx/credential_types.\n"


class Untemplated(str):
    """A text that Ansible must not read as a template."""

    __slots__ = ()


class Dumper(yaml.SafeDumper):
    """Tags untemplated texts, and indents lists as yamllint wants it."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists below their key."""
        super().increase_indent(flow, False)


def _untemplated(dumper: yaml.SafeDumper, text: Untemplated) -> yaml.ScalarNode:
    return dumper.represent_scalar("!unsafe", str(text), style="|" if "\n" in text else '"')


Dumper.add_representer(Untemplated, _untemplated)


def types() -> dict[str, dict[str, t.Any]]:
    """Return the credential types by the names of their files."""
    return {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted(SOURCES.glob("*.yml"))}


def data() -> str:
    """Return the text of the data file."""
    content = {"controller_credential_types": [_tagged(kind) for kind in types().values()]}
    return HEAD + yaml.dump(content, Dumper=Dumper, sort_keys=False, width=160)


def _tagged(value: t.Any) -> t.Any:
    if isinstance(value, dict):
        return {key: _tagged(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_tagged(member) for member in value]
    return Untemplated(value) if isinstance(value, str) and "{" in value else value


if __name__ == "__main__":
    DATA.write_text(data(), encoding="utf-8")
