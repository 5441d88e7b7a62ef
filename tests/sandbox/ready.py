# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a caller must know once everything listens: the ready document."""

from __future__ import annotations

from typing import Any

from sandbox.seed import Credentials

SOAP_PATH = "/CommonFcd.svc"
REST_PATH = "/beta"
SITE_KEY = "MC4CAQAwBQYDK2VwBCIEIA000000000000000000AnOddSiteKeyOfTheSandbox"
"""A private key of Ed25519, as the collection takes it."""


def document(ports: dict[str, int], credentials: Credentials, ca_path: str, pid: int, work: str) -> dict[str, Any]:
    """The ready document; ``ports`` by listener name."""
    origin = {name: f"https://localhost:{port}" for name, port in ports.items()}
    soap_url = origin["soap"] + SOAP_PATH
    urls = {
        "control_url": f"http://localhost:{ports['control']}",
        "base_url": origin["infrastructure"] + REST_PATH,
        "auth_url": origin["infrastructure"],
        "soap_url": soap_url,
        "soap_wsdl": f"{soap_url}?wsdl",
        "storage_base": origin["storage"],
        "foreign_url": foreign_url(ports),
    }
    known = {**credentials.public(), "site_key": SITE_KEY}
    environment = {
        "FCD_BASE_URL": urls["base_url"],
        "FCD_AUTH_URL": urls["auth_url"],
        "FCD_API_CLIENT_ID": known["api_client_id"],
        "FCD_API_CLIENT_SECRET": known["api_client_secret"],
        "FCD_USERNAME": known["username"],
        "FCD_PASSWORD": known["password"],
        "FCD_SOAP_URL": urls["soap_url"],
        "FCD_SOAP_WSDL": urls["soap_wsdl"],
        "FCD_STORAGE_BASE": urls["storage_base"],
        "FCD_STORAGE_USER": known["storage_user"],
        "FCD_STORAGE_KEY": known["storage_key"],
        "FCD_CA_PATH": ca_path,
        "FCD_SITE_KEY": known["site_key"],
    }
    return {"pid": pid, **urls, "ca_path": ca_path, "work": work, "credentials": known, "environment": environment}


def foreign_url(ports: dict[str, int]) -> str:
    """The other host: the name differs too, so that clients see another host and not just another port."""
    return f"https://127.0.0.1:{ports['foreign']}"
