# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument specification of an operation: its own options and those of the services it uses."""

from __future__ import annotations

import typing as t

from ansible.module_utils.common.parameters import env_fallback

from .._connection.operation import Operation
from .._connection.options import OPTIONS, Option, connection_options, environment_name
from .._core.names import nearest

ArgumentSpec = t.Dict[str, t.Dict[str, t.Any]]


def argument_spec(operation: Operation) -> ArgumentSpec:
    """Return what AnsibleModule and the twin validate the task's arguments with."""
    connection = {name: _connection(name, option) for name, option in connection_options(operation.services).items()}
    return {**connection, **operation.options}


def with_unknown_options(message: str, spec: t.Mapping[str, t.Mapping[str, t.Any]], args: t.Iterable[str]) -> str:
    """Return the message, and before it the arguments that no option takes, with the nearest options.

    Ansible tells the first thing that is wrong, which may be that the option is missing whose name was misspelt, and
    then all options that there are.
    """
    told = " ".join(dict.fromkeys(_unknown(spec, args, "")))
    return f"{told} {message[:1].upper()}{message[1:]}" if told else message


def _unknown(spec: t.Mapping[str, t.Mapping[str, t.Any]], args: t.Iterable[str], above: str) -> t.Iterator[str]:
    """Yield a sentence for each argument that no option takes; ``above`` is the option whose suboptions these are."""
    known = {alias for name, option in spec.items() for alias in (name, *option.get("aliases", ()))}
    for name in args:
        if name not in known and not str(name).startswith("_ansible_"):
            far = {option for option in OPTIONS if option.startswith(f"{name}_")}  # state is not meant for state_dir
            near = nearest(str(name), sorted(known - far), 1)
            yield f"There is no option {f'{above}{name}'!r}{f': did you mean {near[0]!r}?' if near else '.'}"
        elif isinstance(args, t.Mapping) and spec.get(name, {}).get("options"):
            entries = args[name] if isinstance(args[name], list) else [args[name]]
            for entry in entries:
                if isinstance(entry, dict):
                    yield from _unknown(spec[name]["options"], entry, f"{above}{name}.")


def _connection(name: str, option: Option) -> dict[str, t.Any]:
    """Defaults are not stated here: a value in the profile file comes before them.

    Nor are variables that can hold a wrong value: Settings looks into them, and names the variable in its error.
    """
    spec: dict[str, t.Any] = {"type": option.type}
    if option.type in ("str", "path") and not option.choices:
        spec["fallback"] = (env_fallback, [environment_name(name)])
    if option.secret:
        spec["no_log"] = True
    elif name in ("token_cache", "api_client_id", "storage_token_lifetime"):
        spec["no_log"] = False  # named like a secret, but none
    if option.choices:
        spec["choices"] = list(option.choices)
    return spec
