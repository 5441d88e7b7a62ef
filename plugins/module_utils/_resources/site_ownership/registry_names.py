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

_SITE = r"[a-z0-9][a-z0-9-]{0,62}"
_ENVIRONMENT = r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}"
_OWNER = re.compile(rf"{_SITE}(?:\.{_ENVIRONMENT})?")
_PART = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")
_DOCUMENT = re.compile(r"whole|part-[1-9][0-9]{0,3}-of-[1-9][0-9]{0,3}")
_OBJECT = re.compile(rf"{re.escape(FOLDER)}({_OWNER.pattern})/({_DOCUMENT.pattern})\.json")


def owner_name(site: str, environment: str | None = None) -> str:
    """Return who owns what a site makes in an environment: ``web-shop``, or ``web-shop.production``.

    The name of a site has no dot, so that no two of them are called alike. Raises InvalidInput.
    """
    if not environment:
        return checked_owner(site)
    taken_by_parts = is_document(environment.rpartition(".")[2])
    if not re.fullmatch(_ENVIRONMENT, environment) or taken_by_parts:
        raise InvalidInput(
            f"environment: {environment!r} cannot be the name of an environment.",
            next_step="Use up to 63 letters, digits, '-', '_' and dots, with a letter or a digit in front"
            + (f"; {environment.rpartition('.')[2]} has a meaning of its own." if taken_by_parts else "."),
            option="environment",
        )
    return checked_owner(f"{site}.{environment}")


def checked_owner(site: str) -> str:
    """Return the name of a site, or of one in an environment; it becomes a part of names. Raises InvalidInput."""
    if _OWNER.fullmatch(site):
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
