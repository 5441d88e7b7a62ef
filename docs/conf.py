# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphinx, for the documentation site that tests/tools/docsite.py builds. Nothing is loaded from elsewhere."""

from __future__ import annotations

import typing as t

from docutils import nodes

project = "fcd.cloud"
author = "FCD collection contributors"
project_copyright = "2026, FCD collection contributors"

extensions = ["sphinx_antsibull_ext", "myst_parser"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
exclude_patterns = ["collection/docsite/*.md"]
default_role = "any"
highlight_language = "YAML+Jinja"
pygments_style = "default"
pygments_dark_style = "monokai"
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]

html_theme = "furo"
html_title = "fcd.cloud"
html_show_sphinx = False
html_copy_source = False
html_use_index = False
html_static_path = ["static"]
html_css_files = ["site.css"]
antsibull_ext_color_scheme = "default-autodark"


def _inside_a_table(app: t.Any, environment: t.Any, node: t.Any, content: t.Any) -> t.Any:
    """Lead a reference to an option or a returned value to its line: Sphinx does not see the ids in tables of HTML."""
    page, _mark, anchor = node.get("reftarget", "").rpartition("__")
    document = page.replace("ansible_collections.fcd.cloud.", "collection/", 1)
    if not anchor.startswith(("parameter-", "return-")) or document not in environment.found_docs:
        return None
    address = app.builder.get_relative_uri(node["refdoc"], document)
    return nodes.reference("", "", content, internal=True, refuri=f"{address}#{anchor}")


def setup(app: t.Any) -> dict[str, bool]:
    """Let Sphinx ask where it finds no target."""
    app.connect("missing-reference", _inside_a_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
