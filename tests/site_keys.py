# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of sites that are made of words, so that they are always the same."""

from __future__ import annotations

import base64

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_private_key

BEGIN = "MC4CAQAwBQYDK2VwBCIEIA"  # of every private key of Ed25519
LENGTH = 42  # of what follows


def private_key(words: str) -> str:
    """Return the private key that ends with these letters and digits."""
    return f"{BEGIN}{words:0>{LENGTH}}"


def public_key(private: str) -> str:
    """Return the public key of a private one."""
    public = load_der_private_key(base64.b64decode(private), None).public_key()
    return base64.b64encode(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()
