# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What decoding raises when an answer is not what the contract says; the client turns it into an error for the user."""

from __future__ import annotations


class Malformed(Exception):
    """The text is one clear clause without a secret and without a piece of the answer longer than a word."""
