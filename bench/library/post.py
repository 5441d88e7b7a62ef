#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The peer of a SOAP task: a module that posts given bytes with requests and does nothing else."""

from __future__ import annotations

import requests
from ansible.module_utils.basic import AnsibleModule


def main() -> None:
    """Post the file."""
    names = ("url", "user", "password", "ca", "file")
    module = AnsibleModule(argument_spec={name: {"type": "str", "no_log": name == "password"} for name in names})
    given = module.params
    with open(given["file"], "rb") as handle:
        answer = requests.post(
            given["url"],
            data=handle.read(),
            headers={"Content-Type": "application/soap+xml; charset=utf-8"},
            auth=(given["user"], given["password"]),
            verify=given["ca"],
            timeout=30,
        )
    if answer.status_code != 200:
        module.fail_json(msg=f"HTTP {answer.status_code}")
    module.exit_json(changed=False, size=len(answer.content))


if __name__ == "__main__":
    main()
