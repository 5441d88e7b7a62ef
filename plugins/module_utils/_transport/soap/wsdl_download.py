# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetches a document of the WSDL over the net."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput, Unauthorized
from ..addresses import origin
from ..client import Exchange, Request
from .client import ACCEPTED, NO_ENTRY, Service
from .content_guess import CHECK_LOGIN, refused_login
from .wsdl_documents import MOST_BYTES, NEXT_STEP

OPERATION = "Read the WSDL"
SAVED = "soap_wsdl may also name a file with the saved WSDL."


def downloader(exchange: Exchange, service: Service) -> t.Callable[[str], bytes]:
    """Return a function that fetches an address; the login goes along to the origin of the service only."""

    def fetch(address: str) -> bytes:
        own = origin(address) == origin(service.endpoint)
        response = exchange.send(
            Request(
                operation=OPERATION,
                method="GET",
                url=address,
                kind="read",
                headers={},
                basic=(service.user, service.password) if own else None,
                accept_statuses=ACCEPTED,
                limit=MOST_BYTES,
            )
        )
        if response.status in NO_ENTRY:
            refusal = f"asks for a login (HTTP {response.status}); none was sent: it is not the origin of soap_url."
            if own:
                refusal = refused_login(response.status, response.headers, response.body, service.user)
            raise Unauthorized(
                f"{OPERATION}: {address}: {refusal}",
                next_step=f"{CHECK_LOGIN if own else 'Set soap_wsdl to an address that asks for none.'} {SAVED}",
                operation=OPERATION,
                status=response.status,
                request_id=response.request_id,
            )
        if response.status != 200:
            raise InvalidInput(
                f"There is no WSDL at {address}: HTTP {response.status}.",
                next_step=f"Check soap_url ({service.endpoint}). {NEXT_STEP}" if own else NEXT_STEP,
                operation=OPERATION,
                status=response.status,
                request_id=response.request_id,
            )
        return response.body

    return fetch
