# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a site, an Ed25519 key: the private key signs the registry, the public key checks it.

Runs that change nothing need only the public key. A plan is sealed with the public key and opened with the private one:
they agree on a secret (X25519), of which the plan contains the public half. Nobody else who reads the plan can try out
the secret values in it, or seal another one. Where the registry is no shared place, a plan may be sealed with a key of
this controller.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import secrets
import typing as t

from ...module_utils._connection.task import Task
from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.private_files import private_folder, read_json, remove, unusable, write_json

if t.TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

OWN_KEY = "controller-key.json"
LENGTH = 32  # bytes of a key, and of a secret
PRIME = 2**255 - 19
SLOWNESS = {"n": 2**14, "r": 8, "p": 1, "dklen": 16}  # of scrypt: a twentieth of a second and 16 MiB for each text
PEM_LABEL = re.compile(r"-----[A-Z ]+-----")
HOW_TO_MAKE = "Create one with: openssl genpkey -algorithm ed25519 -outform DER | base64"
MAKE_A_KEY = f"{HOW_TO_MAKE}. Give it as site_key (FCD_SITE_KEY) to every run of the site"


class SiteKey:
    """A key; ``name`` is the same for the private and the public one. ``given``: it is an option of the user."""

    def __init__(self, public: Ed25519PublicKey, private: Ed25519PrivateKey | None, *, given: bool) -> None:
        self._private = private
        self._public = public
        self._raw = _raw(public)
        self.given = given
        self.name = hashlib.sha256(self._raw).hexdigest()[:8]

    @classmethod
    def of_seed(cls, seed: bytes, *, given: bool) -> SiteKey:
        """Return the private key with this seed."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        private = Ed25519PrivateKey.from_private_bytes(seed)
        return cls(private.public_key(), private, given=given)

    def check_private(self, what: str) -> None:
        """Raise InvalidInput for a public key; ``what`` says what needs the private one."""
        if self._private is None:
            raise InvalidInput(
                f"site_key: it is the public key of the site, and {what} needs the private key. Nothing was changed.",
                next_step="Give the private key as site_key (FCD_SITE_KEY). The public key is for runs that change "
                "nothing, such as plan and drift.",
                option="site_key",
            )

    def sign(self, *parts: t.Any) -> str:
        """Return the signature of plain data. Raises InvalidInput for a public key."""
        self.check_private("signing the registry")
        return t.cast("Ed25519PrivateKey", self._private).sign(_canonical(parts)).hex()

    def has_signed(self, signature: str, *parts: t.Any) -> bool:
        """Return whether this is a signature of that data."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._public.verify(bytes.fromhex(signature), _canonical(parts))
        except (InvalidSignature, ValueError):
            return False
        return True

    def new_secret(self) -> tuple[str, bytes]:
        """Return a new public half as hexadecimal digits, and the secret that it leads to."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

        y = int.from_bytes(self._raw, "little") % (1 << 255)
        u = (1 + y) * pow(1 - y, -1, PRIME) % PRIME  # RFC 7748, section 4.1: the same key for X25519
        private = X25519PrivateKey.generate()
        shared = private.exchange(X25519PublicKey.from_public_bytes(u.to_bytes(LENGTH, "little")))
        half = _raw(private.public_key())
        return half.hex(), self._derived(half, shared)

    def secret_of(self, half: str) -> bytes:
        """Return the secret that a public half leads to, any other one for what is no half.

        Raises InvalidInput for a public key.
        """
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

        self.check_private("checking a plan")
        raw, plain = serialization.Encoding.Raw, serialization.NoEncryption()
        seed = t.cast("Ed25519PrivateKey", self._private).private_bytes(raw, serialization.PrivateFormat.Raw, plain)
        private = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:LENGTH])  # RFC 8032, section 5.1.5
        try:
            given = bytes.fromhex(half)
            return self._derived(given, private.exchange(X25519PublicKey.from_public_bytes(given)))
        except ValueError:
            return secrets.token_bytes(LENGTH)

    def slow_digest(self, salt: str, text: str) -> str:
        """Return a digest that only whoever has the public key can try texts for, and not many in a second."""
        keyed = self._raw + salt.encode()
        return hashlib.scrypt(text.encode("utf-8", "surrogatepass"), salt=keyed, **SLOWNESS).hex()

    def _derived(self, half: bytes, shared: bytes) -> bytes:
        return hashlib.sha256(b"plan of a site" + half + self._raw + shared).digest()


def _raw(public: Ed25519PublicKey | X25519PublicKey) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def _canonical(parts: t.Sequence[t.Any]) -> bytes:
    return json.dumps(parts, sort_keys=True, separators=(",", ":"), default=str).encode("utf-8", "surrogatepass")


def user_key(task: Task) -> SiteKey | None:
    """Return the key that the user gave, None for none. Raises InvalidInput for what is no key."""
    if "site_key" not in task.settings or not task.settings["site_key"]:
        return None
    return checked_key("site_key", task.settings["site_key"])


def check_can_sign(task: Task) -> None:
    """Raise InvalidInput for a run that may write a registry, and was given the public key."""
    key = None if task.check_mode else user_key(task)
    if key is not None:
        key.check_private("a run that may write the registry")


def checked_key(option: str, value: str) -> SiteKey:
    """Return the key of an option: in PEM, or only its Base64. Raises InvalidInput for what is no Ed25519 key."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_der_private_key, load_der_public_key

    with contextlib.suppress(ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: it has a password
        content = base64.b64decode("".join(PEM_LABEL.sub("", value).split()), validate=True)
        with contextlib.suppress(ValueError):
            private = load_der_private_key(content, None)
            if isinstance(private, Ed25519PrivateKey):
                return SiteKey(private.public_key(), private, given=True)
        public = load_der_public_key(content)
        if isinstance(public, Ed25519PublicKey):
            return SiteKey(public, None, given=True)
    raise InvalidInput(f"{option}: this is not an unencrypted Ed25519 key.", next_step=f"{HOW_TO_MAKE}.", option=option)


def controller_key(task: Task) -> SiteKey:
    """Return the key of this controller, made when it is first needed; nobody else may read its file.

    Of several processes that make it at once all get the same. Raises InvalidInput when it cannot be kept.
    """
    folder = private_folder(task.state_dir)
    path = os.path.join(folder, OWN_KEY)
    if not os.path.lexists(path):
        made = os.path.join(folder, f".{OWN_KEY}-{secrets.token_hex(8)}")
        write_json(made, {"key": secrets.token_hex(LENGTH)})
        try:
            with contextlib.suppress(FileExistsError):  # somebody else was quicker
                os.link(made, path)
        except OSError as error:
            raise unusable(folder, error.strerror) from None
        finally:
            remove(made)
    found = read_json(path)
    with contextlib.suppress(KeyError, TypeError, ValueError):
        return SiteKey.of_seed(bytes.fromhex(found["key"]), given=False)
    raise InvalidInput(
        f"{path} is not a key, or other users can read it.",
        next_step="Remove it and make new plans, which creates a new key, or give site_key.",
    )
