# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Call the control address of the sandbox, in the task worker: a tenth of the time of ansible.builtin.uri.

The options are ``path`` below /sandbox/, ``method`` (GET) and ``body`` (plain data); the answer is ``json``.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import typing as t
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from ansible import constants
from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

SECONDS = 30
KEPT_TOKENS = "~/.local/state/fcd-cloud/tokens"
"""What a reset makes worthless; a lookup could not know."""
PROMISES = "fcd_cloud_promises"
"""What a run in check mode would have made until then; a reset undoes that too."""


class ActionModule(ActionBase):
    """The action sandbox_control."""

    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Send the request and return the answer."""
        result: dict[str, t.Any] = super().run(tmp, task_vars)
        _validation, args = self.validate_argument_spec(
            argument_spec={
                "path": {"type": "str", "required": True},
                "method": {"type": "str", "default": "GET"},
                "body": {"type": "raw"},
            }
        )
        address, token = (
            str(self._templar.template((task_vars or {})[f"sandbox_control_{what}"])) for what in ("url", "token")
        )
        body = None if args["body"] is None else json.dumps(args["body"]).encode()
        headers = {"X-Sandbox-Token": token, "Content-Type": "application/json"}
        request = Request(f"{address}/sandbox/{args['path']}", body, headers, method=args["method"])
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=SECONDS) as answer:
                result.update(changed=args["method"] != "GET", json=json.load(answer))
        except HTTPError as exc:
            raise AnsibleActionFail(f"The sandbox refused: {exc.code} {exc.read().decode()}") from exc
        if args["path"] == "reset":
            shutil.rmtree(os.path.expanduser(KEPT_TOKENS), ignore_errors=True)
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(constants.DEFAULT_LOCAL_TMP, PROMISES))
        return result
