# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Base of actions that run in the task worker and nowhere else, for they need what only the controller has.

They read files of the controller, decrypt them, and resolve templates with the variables of the task. So the connection
of the host is never opened, and another user (``become``) or another interpreter makes no difference.
"""

from __future__ import annotations

import abc
import os
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import Execution
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS as CONNECTION
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import own_options
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Result, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError
from ansible_collections.fcd.cloud.plugins.plugin_utils._twin import TwinAction, Unfit

Args = t.Dict[str, t.Any]


class ControllerAction(TwinAction):
    """A subclass names its ``operation``, whose ``run`` only says where it belongs, and does the work in ``work``."""

    _supports_async = False
    reads_directly = True
    promises = False
    reaches_services: t.ClassVar[bool] = True
    """Whether credentials are needed; without, neither the profile file nor the environment is read."""

    @abc.abstractmethod
    def work(self, task: Task | None, params: Args) -> Result:
        """Do the work with validated options; ``task`` is None where no service is reached. Raises FcdError."""

    def same_as_module(self, variables: Args) -> bool:
        """Say that it always runs here."""
        del variables
        return True

    def prepare(self, args: Args, variables: Args, *, in_worker: bool) -> Args:
        """Put the work into the operation. Raises Unfit."""
        del variables, in_worker
        self.check_environment()
        self.operation = self.operation._replace(run=t.cast("t.Any", self.work))
        return args

    def finish(self) -> None:
        """Remove what was decrypted to disk for this task."""
        self._loader.cleanup_all_tmp_files()

    def check_environment(self) -> None:
        """Raise Unfit where ``environment`` would be set for nothing: there is no other process that could get it."""
        if self.reaches_services and self._task_environment():
            raise Unfit(
                f"environment: {self.operation.name} runs inside ansible-playbook, which the environment of a task "
                "does not reach. Set the variables for ansible-playbook itself, or give the options."
            )

    def execution(self, params: Args, warn: t.Callable[[str], None]) -> Execution:
        """Run the operation, without any settings where no service is reached."""
        if self.reaches_services:
            return super().execution(params, warn)
        try:
            return Execution(self.work(None, own_options(self.operation.options, params)), set())
        except FcdError as error:
            failure = {"failed": True, "changed": False, **error.as_result()}
            failure["errors"] = failure["error"].pop("errors", [])
            return Execution(failure, set(), error.has_lines)

    def _absolute_paths(self, spec: t.Mapping[str, Args], params: Args) -> Args:
        """Make relative paths start at the current folder, as those on the command line of ansible-playbook do.

        Paths to reach a service start where they do for all modules.
        """
        whole = super()._absolute_paths(spec, params)
        for name, option in spec.items():
            value = params.get(name)
            if name in CONNECTION or not value:
                continue
            if option.get("type") == "path":
                whole[name] = os.path.abspath(value)
            elif option.get("elements") == "path":
                whole[name] = [os.path.abspath(one) for one in value]
        return whole
