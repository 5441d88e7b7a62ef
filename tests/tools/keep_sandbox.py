# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keep the sandbox running, with the lines that point another shell at it and at this checkout."""

from __future__ import annotations

import shlex
import signal
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import collection_tree
from sandbox.process import SandboxProcess

WITHOUT_INVENTORY = {"ANSIBLE_LOCALHOST_WARNING": "false", "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false"}
"""Only the local host is needed here. An inventory that is given and cannot be read is told all the same."""


def main() -> int:
    """Run until interrupted; nothing is left behind."""
    with tempfile.TemporaryDirectory(prefix="fcd-sandbox-state-") as state, SandboxProcess(*sys.argv[1:]) as sandbox:
        variables = {
            **sandbox.environment,
            "FCD_STATE_DIR": state,
            "ANSIBLE_HOME": f"{state}/ansible",
            "ANSIBLE_REMOTE_TEMP": f"{state}/ansible/tmp",
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "SITE_BILLING_READER_PASSWORD": "An-Odd-Demo-Word-1",
            **WITHOUT_INVENTORY,
        }
        lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
        sys.stdout.write(f"""The service listens on 127.0.0.1; everything in it is made up.
Paste this into another shell:

export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"
{chr(10).join(lines)}

Then try:

ansible localhost -m fcd.cloud.dictionary_info
cp {shlex.quote(str(ROOT / "playbooks" / "site.example.yml"))} site.yml; mkdir -p public
ansible-playbook fcd.cloud.plan
ansible-playbook fcd.cloud.apply -e provision_plan_file=site.plan.json

Requests, faults and more (tests/sandbox/README.md):

curl -H 'X-Sandbox-Token: {sandbox.info["control_token"]}' {sandbox.info["control_url"]}/sandbox/info

Stop the service with Ctrl+C.
""")
        sys.stdout.flush()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda _number, _frame: sys.exit(0))
        try:
            signal.pause()
        except KeyboardInterrupt:
            sys.stdout.write("\nStopped.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
