# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A throw-away certificate authority and the server's side of TLS."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

import trustme


def make(directory: Path) -> tuple[Path, ssl.SSLContext]:
    """Write ``ca.pem`` and a server certificate for localhost and 127.0.0.1.

    Returns:
        Path of the authority's certificate, and the context for the listeners.
    """
    authority = trustme.CA()
    ca_path = directory / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_path))
    server_path = directory / "server.pem"
    server_path.touch(mode=0o600)
    os.chmod(server_path, 0o600)
    authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(server_path))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(str(server_path))
    context.num_tickets = 0
    return ca_path, context
