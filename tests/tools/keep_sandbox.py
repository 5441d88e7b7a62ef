# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keep the sandbox running, with the lines that point another shell at it and at this checkout."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import collection_tree
from sandbox import command

WITHOUT_INVENTORY = {"ANSIBLE_LOCALHOST_WARNING": "false", "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false"}
"""Only the local host is needed here. An inventory that is given and cannot be read is told all the same."""


def main() -> int:
    """Print what this checkout needs, then run ``fcd-sandbox start`` until interrupted; nothing is left behind."""
    with tempfile.TemporaryDirectory(prefix="fcd-sandbox-home-") as home:
        variables = {
            "ANSIBLE_HOME": f"{home}/ansible",
            "ANSIBLE_REMOTE_TEMP": f"{home}/ansible/tmp",
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "SITE_BILLING_READER_PASSWORD": "An-Odd-Demo-Word-1",
            **WITHOUT_INVENTORY,
        }
        programs, tests = (shlex.quote(str(path)) for path in (Path(sys.executable).parent, ROOT / "tests"))
        alias = shlex.quote(f"PYTHONPATH={tests} python -m sandbox.command")
        lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
        sys.stdout.write(f"""The service listens on 127.0.0.1; everything in it is made up. Ctrl+C ends it.
Paste the last lines into another shell. Then try:

ansible localhost -m fcd.cloud.dictionary_info
cp {shlex.quote(str(ROOT / "playbooks" / "site.example.yml"))} site.yml; mkdir -p public
ansible-playbook fcd.cloud.plan
ansible-playbook fcd.cloud.apply -e provision_plan_file=site.plan.json
fcd-sandbox show state        # and requests, faults and more: tests/sandbox/README.md

export PATH={programs}:"$PATH"
alias fcd-sandbox={alias}
{chr(10).join(lines)}
""")
        return command.main(["start", "--foreground", "--info", f"{home}/sandbox.json", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
