# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations in this process, with the options checked as the action plugin of the module does it."""

from __future__ import annotations

import importlib
import typing as t

MODULE_UTILS = "ansible_collections.fcd.cloud.plugins.module_utils"
Options = t.Mapping[str, t.Any]


def part(name: str) -> t.Any:
    """Return a module of module_utils by its dotted name."""
    return importlib.import_module(f"{MODULE_UTILS}.{name}")


def outcome(operation: t.Any, options: Options, *, check_mode: bool = False) -> dict[str, t.Any]:
    """Return the result of an operation, also when it failed; warnings are in ``warnings``."""
    from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

    spec = part("_ansible.execution").argument_spec(operation)
    checked = ArgumentSpecValidator(spec, **operation.rules).validate(dict(options))
    assert not checked.error_messages, checked.error_messages
    warnings: list[str] = []
    done = part("_ansible.execution").execute(
        operation,
        checked.validated_parameters,
        check_mode=check_mode,
        diff_mode=True,
        warn=warnings.append,
        tell=lambda _text: None,
        runner="worker",
    )
    return {**done.result, "warnings": warnings}


def done(operation: t.Any, options: Options, *, check_mode: bool = False) -> dict[str, t.Any]:
    """Return the result of an operation that is to succeed."""
    result = outcome(operation, options, check_mode=check_mode)
    assert not result.get("failed"), (options, result)
    return result
