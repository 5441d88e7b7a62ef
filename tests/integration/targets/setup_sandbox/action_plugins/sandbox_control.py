# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Call the control address of the sandbox, in the task worker: a tenth of the time of ansible.builtin.uri.

The options are ``path`` below /sandbox/, ``method`` (GET) and ``body`` (plain data); the answer is ``json``. A reset
fails where a message broke the description of the service.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import typing as t
from http.client import HTTPConnection

from ansible import constants
from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

SECONDS = 30
KEPT_TOKENS = "~/.local/state/fcd-cloud/tokens"
"""What a reset makes worthless; a lookup could not know."""
CHECK_MODE_NOTE = "fcd_cloud_check_mode"
"""What a run in check mode would have made until then; a reset undoes that too."""


class ActionModule(ActionBase):
    """The action sandbox_control."""

    _requires_connection = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Send the request and return the answer."""
        result: dict[str, t.Any] = super().run(tmp, task_vars)
        self._variables = task_vars or {}
        _validation, args = self.validate_argument_spec(
            argument_spec={
                "path": {"type": "str", "required": True},
                "method": {"type": "str", "default": "GET"},
                "body": {"type": "raw"},
            }
        )
        reset = args["path"] == "reset"
        result.update(changed=args["method"] != "GET", json=self._reset() if reset else self._call(**args))
        return result

    def _reset(self) -> None:
        """Go back to the seed, after a look whether the description of the service was broken."""
        if violations := self._call("violations"):
            raise AnsibleActionFail(f"{len(violations)} messages broke the description: {violations[:3]}")
        self._call("reset", "POST")
        shutil.rmtree(os.path.expanduser(KEPT_TOKENS), ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(constants.DEFAULT_LOCAL_TMP, CHECK_MODE_NOTE))

    def _call(self, path: str, method: str = "GET", body: t.Any = None) -> t.Any:
        content = None if body is None else json.dumps(body).encode()
        headers = {"X-Sandbox-Token": self._variable("token"), "Content-Type": "application/json"}
        place = self._variable("url").removeprefix("http://")
        # urllib.request would load all certificates of this host first, which takes longer than all else.
        with contextlib.closing(HTTPConnection(place, timeout=SECONDS)) as connection:
            connection.request(method, f"/sandbox/{path}", content, headers)
            answer = connection.getresponse()
            text = answer.read()
        if answer.status >= 400:
            raise AnsibleActionFail(f"The sandbox refused: {answer.status} {text.decode()}")
        return json.loads(text)

    def _variable(self, name: str) -> str:
        return str(self._templar.template(self._variables[f"sandbox_control_{name}"]))
