# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wanted of a user, checked by the types of the WSDL before the first of several requests is sent."""

from __future__ import annotations

import typing as t

from ..._core.names import fold
from ..common_fcd import CommonFcd
from ..typed_values import TypedValues
from .record import INFO, SETTING_NAMES

TAKEN_BY: dict[str, dict[str, str]] = {
    "CreateUserWithPrivileges": {"user_name": "ad_login"},
    "UpdateUserInfoAndPrivileges": {**{name: name for name in (*INFO, "privileges")}, "email": "email_address"},
    "SetUserPassword": {"user_password": "new_password"},
}
"""By operation, the input that takes an attribute."""


def check_values(api: CommonFcd, values: t.Mapping[str, t.Any]) -> None:
    """Raise InvalidInput, naming the option, for a value that the service cannot take."""
    typed = TypedValues(api.contract)
    for operation, names in TAKEN_BY.items():
        _check(typed, operation, {names[name]: (name, values[name]) for name in names if name in values})
    settings = values.get("settings") or {}
    told = {name: (f"settings.{name}", settings[name]) for name in SETTING_NAMES if name in settings}
    _check(typed, "UpdateUserSettings", told)


def _check(typed: TypedValues, operation: str, told: t.Mapping[str, tuple[str, t.Any]]) -> None:
    """``told`` has the path and the value for each input."""
    if not told or not typed.offers(operation):
        return
    inputs = {fold(field.name): field for field in typed.inputs(operation)}
    for name, (path, value) in told.items():
        field = inputs.get(fold(name))
        if field is not None:
            typed.checked(field, value, path)
