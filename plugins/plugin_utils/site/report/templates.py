# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Jinja2 environment of the reports: everything that comes from a plan is escaped, in Markdown too."""

from __future__ import annotations

import os
import typing as t

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ....module_utils._core.text import name_in_line

Filters = t.Mapping[str, t.Callable[..., t.Any]]


def environment(filters: Filters) -> Environment:
    """Return an environment that reads the templates beside this file, with these filters, ``name`` and ``number``."""
    made = Environment(
        loader=FileSystemLoader(os.path.dirname(__file__)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters, name=name_in_line, number="{:,}".format)
    return made
