# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the service between calls, and the clock and counters that its operations share."""

from __future__ import annotations

import hashlib
import time
from datetime import datetime, timezone
from typing import Any

Row = dict[str, Any]
"""One object; keys as the members of its type in the schema, references to other objects as their numbers."""
Inputs = dict[str, Any]
"""The decoded inputs of an operation, all of them present."""

DEFAULTS: dict[str, Any] = {
    "published_address": "https://node1.internal.example/CommonFcd.svc",
    "import_address": "",
    "bare_imports": False,
    "login_prefix": "API\\",
    "require_addressing": True,
    "to": "",
    "refuse_duplicates": False,
    "refuse_duplicate_users": True,
    "visibility_delay": 0.0,
    "users_visibility_delay": 0.0,
    "default_page_size": 20,
    "maximum_page_size": 1000,
    "first_page": 1,
    "missing_reads": "nil",
    "logon_refused": "nil",
    "settings_replace": True,
    "rich_answers": False,
    "accept_only": False,
    "faults": [],
}
"""Settings and their defaults.

published_address: written into the WSDL; an internal name, as the provider published one.
import_address: where the documents import each other from; empty = the address the document was asked at.
bare_imports: the schema documents import without addresses (seen in 2013).
login_prefix: what stands before the login in the Basic user name.
require_addressing: a request without a matching Action header is refused.
to: when set, the only value of the To header that is accepted.
refuse_duplicates: CreateWarehouse refuses a key that exists (default: it does not).
refuse_duplicate_users: CreateUserWithPrivileges refuses a login, e-mail or national id that exists.
visibility_delay, users_visibility_delay: seconds that new warehouses and users are hidden from searches and checks.
default_page_size: for a PageSize of 0; maximum_page_size: what a greater one is cut to; first_page: 1 or 0.
missing_reads: "nil" or "fault", the answer to a read of an object that does not exist.
logon_refused: "nil" or "empty", what LogonUser answers to a wrong password: no result, or one without a user.
settings_replace: UpdateUserSettings empties what is left out (false: keeps it).
accept_only: what changes something is answered as if it was done, and nothing is changed.
rich_answers: answers hold derived types (xsi:type) and nest user -> client -> user.
faults: [{"operation": regular expression, "error_code": int, "message": str, "element": "ErrorDescription" |
    "AuthorizationErrorDescription" | "", "skip": 0, "times": 1 (0 = always), "after": false}]: faults to answer with;
    ``after`` does the work first.
"""


class State:
    """The objects by family and number; the families' modules hold the rules.

    ``caller`` is the row of the user whose password came with the request that is being answered.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.caller: Row = {}
        self.warehouses: dict[int, Row] = {}
        self.users: dict[int, Row] = {}
        self.passwords: dict[int, str] = {}
        self.reset_tokens: dict[str, int] = {}
        self.clients: dict[int, Row] = {}
        self.client_history: list[Row] = []
        self.pit_data: dict[int, Row] = {}
        self.phone_codes: dict[str, Row] = {}
        self.pricelists: dict[int, Row] = {}
        self.client_pricelists: dict[int, int] = {}
        self.fixed_amounts: dict[int, Row] = {}
        self.fixed_amount_history: list[Row] = []
        self.cp_history: dict[int, str] = {}
        self.accepted_regulations: list[int] = []
        self._last: dict[str, int] = {}
        self._born: dict[tuple[str, int], float] = {}

    def number(self, family: str) -> int:
        """The next number of a family; the object counts as new from now on."""
        value = self._last.get(family, 1000) + 1
        self._last[family] = value
        self._born[family, value] = time.time()
        return value

    def visible(self, family: str, number: int, delay: str) -> bool:
        """Whether an object is old enough to be found, by the setting ``delay`` (seconds)."""
        return time.time() - self._born.get((family, number), 0.0) >= float(self.settings[delay])


def now() -> str:
    """The time as the messages write it."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def digest(password: str) -> str:
    """The stored form of a password: its SHA-256 in hexadecimal."""
    return hashlib.sha256(password.encode()).hexdigest()
