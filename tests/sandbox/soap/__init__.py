# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CommonFcd service: SOAP 1.2 with WS-Addressing and HTTP Basic, every message checked against its schema."""

from __future__ import annotations
