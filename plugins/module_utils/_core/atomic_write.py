# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the user that are written as a whole: replaced in one step, and only when they differ."""

from __future__ import annotations

import os
import re
import stat
import tempfile

from .errors import InvalidInput

PRIVATE = 0o600
MOST_PLAIN = 0o777
MEANT_OCTAL = ("400", "440", "444", "500")  # YAML reads 440 as decimal, which would be 0670


def write_if_changed(path: str, content: bytes, mode: int | None, *, option: str, write: bool) -> bool:
    """Have ``content`` in the file at ``path`` and return whether that changes anything.

    A new or replaced file gets ``mode``, without one 0600; a file that has the content already keeps its own, unless a
    mode is given. Without ``write``, nothing is done. Raises InvalidInput, naming ``option``, when it is not possible.
    """
    if not path:
        raise InvalidInput(f"{option} is empty.", next_step="Name the file to write.", option=option)
    real = os.path.realpath(path)
    try:
        _check_place(real, path, option)
        current, current_mode = _present(real)
        if current != content:
            _require_folder(real, path, option)
            if write:
                _replace(real, content, PRIVATE if mode is None else mode)
            return True
        if mode is None or mode == current_mode:
            return False
        if write:
            os.chmod(real, mode)
    except OSError as exc:
        raise _unusable(option, path, exc.strerror or type(exc).__name__) from None
    return True


def _require_folder(real: str, path: str, option: str) -> None:
    folder = os.path.dirname(real)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unusable(option, path, f"its folder {folder} cannot be written to")


def mode_of(value: object, option: str) -> int:
    """Return the permissions that a text in octal, or the number that YAML makes of one, stands for."""
    text = str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= MOST_PLAIN and text not in MEANT_OCTAL:
            return value
        raise _no_mode(f"{option}: the number {text} is not surely meant as permissions", text, option)
    try:
        number = int(text, 8)
    except ValueError:
        number = -1
    if 0 <= number <= 0o7777:
        return number
    raise _no_mode(f"{option}: {text!r} is no number in octal", "", option)


def _no_mode(what: str, digits: str, option: str) -> InvalidInput:
    """Return the error, with what was meant when these digits are permissions in octal."""
    meant = digits.zfill(4) if re.fullmatch("[0-7]{3,4}", digits) else "0640"
    return InvalidInput(f"{what}.", next_step=f"Give it in quotes, as '{meant}'.", option=option)


def _check_place(real: str, path: str, option: str) -> None:
    folder = os.path.dirname(real)
    if os.path.isdir(real):
        raise _unusable(option, path, "it is a folder; name a file in it")
    if os.path.exists(real) and not os.path.isfile(real):  # a pipe would never end, and a device would be replaced
        raise _unusable(option, path, "it is no ordinary file")
    if not os.path.isdir(folder):
        raise _unusable(option, path, f"there is no folder {folder}")


def _present(real: str) -> tuple[bytes | None, int]:
    """Return content and permissions of the file; None when there is none."""
    try:
        with open(real, "rb") as handle:
            return handle.read(), stat.S_IMODE(os.fstat(handle.fileno()).st_mode)
    except FileNotFoundError:
        return None, 0


def _replace(real: str, content: bytes, mode: int) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".new-")  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, real)
    except BaseException:
        os.unlink(temporary)
        raise


def _unusable(option: str, path: str, why: str) -> InvalidInput:
    return InvalidInput(f"{option}: {path} cannot be written: {why}.", option=option)
