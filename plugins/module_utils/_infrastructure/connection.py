# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure client of a task."""

from __future__ import annotations

from .._connection.clients import exchange
from .._connection.credentials import AccountCredentials, GivenToken, IdentityAccount
from .._connection.options import REST
from .._connection.task import Task
from .._http.client import Exchange
from .api.infrastructure import Infrastructure


def infrastructure(task: Task, sender: Exchange | None = None) -> Infrastructure:
    """Return the client; it logs in when the first request is sent, unless a token was given or is kept.

    ``sender`` sends its requests in place of an exchange of its own.
    """
    if task.clients is not None:
        return task.clients.of("infrastructure", infrastructure)
    settings = task.settings
    settings.require((REST,))
    given = settings["access_token"]
    credentials = GivenToken(given) if given else AccountCredentials(IdentityAccount(task))
    return Infrastructure(sender or exchange(task), settings["base_url"], credentials, settings["api_version"])
