# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What documents and locks of sites are called: in a container, all of it is below ``.fcd-sites/``."""

from __future__ import annotations

import re

from ..._core.errors import InvalidInput

FOLDER = ".fcd-sites/"
WHOLE = "whole"
INDEX = "parts"
MOST_PARTS = 1000

_SITE = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_PART = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")
_DOCUMENT = re.compile(r"whole|part-[1-9][0-9]{0,3}-of-[1-9][0-9]{0,3}")
_OBJECT = re.compile(rf"{re.escape(FOLDER)}({_SITE.pattern})/({_DOCUMENT.pattern})\.json")


def checked_site(site: str) -> str:
    """Return the name of a site; it becomes a part of names. Raises InvalidInput."""
    if _SITE.fullmatch(site):
        return site
    raise InvalidInput(
        f"site: {site!r} cannot be the name of a site.",
        next_step="Use up to 63 small letters, digits and '-', with a letter or a digit in front.",
        option="site",
    )


def document_name(part: str | None) -> str:
    """Return ``whole``, or ``part-k-of-n`` for the part ``k/n``; no part is the whole. Raises InvalidInput."""
    if not part:
        return WHOLE
    found = _PART.fullmatch(part)
    number, of = (int(group) for group in found.groups()) if found else (0, 0)
    if not 1 <= number <= of <= MOST_PARTS:
        raise InvalidInput(
            f"part: {part!r} is no part of a site.",
            next_step=f"Write it as 2/4, the second of four; {MOST_PARTS} are the most.",
            option="part",
        )
    return f"part-{number}-of-{of}"


def is_document(name: str) -> bool:
    """Whether a document may be called so."""
    return _DOCUMENT.fullmatch(name) is not None


def parts_of(document: str) -> str:
    """Return the number of parts that the document ``part-k-of-n`` is one of, as text; nothing for the whole."""
    return document.partition("-of-")[2]


def object_name(site: str, document: str) -> str:
    """Return what the object of a document is called."""
    return f"{FOLDER}{site}/{document}.json"


def lock_name(site: str, document: str) -> str:
    """Return what the object of a lease is called."""
    return f"{FOLDER}{site}/locks/{document}"


def site_and_document(name: str) -> tuple[str, str] | None:
    """Return site and document of an object, None when it is none of a registry."""
    found = _OBJECT.fullmatch(name)
    return (found.group(1), found.group(2)) if found else None
