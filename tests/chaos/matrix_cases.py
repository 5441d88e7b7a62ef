# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""All cases of the matrix: the changing modules, of some more than one change, and whole sites."""

from __future__ import annotations

from chaos import (
    matrix_cases_contract,
    matrix_cases_orchestration,
    matrix_cases_rest,
    matrix_cases_site,
    matrix_cases_storage,
)

CASES = (
    *matrix_cases_rest.CASES,
    *matrix_cases_contract.CASES,
    *matrix_cases_storage.CASES,
    *matrix_cases_site.CASES,
    *matrix_cases_orchestration.CASES,
)
NOT_TRIED = {
    "client_user_session": "its acts log in, or clear a mark; nothing is made",
    "token": "a log-in; nothing is made",
    "storage_token": "a log-in; nothing is made",
    "site_state": "it writes the registry of a site alone, with the same locks as a site",
}
"""Modules that write and are no case, and why."""
