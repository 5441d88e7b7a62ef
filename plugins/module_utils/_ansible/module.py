# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The face of an ordinary module: the only file that knows AnsibleModule."""

from __future__ import annotations

import typing as t

from ansible.module_utils.basic import AnsibleModule

from .._connection.task import Operation, Result
from .execution import argument_spec, execute, with_unknown_options


class Module(AnsibleModule):
    """Tells misspelt options by the nearest name."""

    def fail_json(self, msg: str, **result: t.Any) -> t.NoReturn:
        """End with an error."""
        super().fail_json(with_unknown_options(msg, self.argument_spec, self.params), **result)


def run_module(operation: Operation, finish: t.Callable[[AnsibleModule, Result], None] | None = None) -> None:
    """Be the module that does ``operation``; ``finish`` then does what only a module can, and adds to the result."""
    rules = t.cast("dict[str, t.Any]", operation.rules)
    module = Module(argument_spec=argument_spec(operation), supports_check_mode=True, **rules)
    done = execute(
        operation,
        module.params,
        check_mode=module.check_mode,
        diff_mode=module._diff,  # noqa: SLF001 - there is no public way to ask
        warn=module.warn,
        tell=module.debug,
        way="module",
    )
    module.no_log_values.update(done.secrets)
    if done.result.pop("failed", False):
        module.fail_json(**done.result)
    if finish is not None:
        finish(module, done.result)
    module.exit_json(**done.result)
