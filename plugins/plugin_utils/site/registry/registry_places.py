# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the documents of registries are: below ``.fcd-sites/`` in a container, or in a folder of this host.

A place belongs to one site.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import typing as t
from urllib.parse import unquote

from ....module_utils._connection.task import Task
from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.files import reason_for_distrust, write_if_changed
from ....module_utils._core.home import expand_home
from ....module_utils._core.private_files import foreign_link, private_folder, read_regular
from ....module_utils._core.text import join_names, quoted
from ....module_utils._object_storage.small_objects import REGISTRY_PREFIX, SmallObjects
from ..site_key import user_key
from .registry_document import REGISTRY_MARK, damaged_registry

WHOLE_SITE = "whole"
INDEX = "parts"
MAX_PARTS = 1000

_SITE = r"[a-z0-9][a-z0-9-]{0,62}"
_ENVIRONMENT = r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}"
_OWNER = re.compile(rf"{_SITE}(?:\.{_ENVIRONMENT})?")
_PART = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")
_DOCUMENT = re.compile(r"whole|part-[1-9][0-9]{0,3}-of-[1-9][0-9]{0,3}")
_OBJECT = re.compile(rf"{re.escape(REGISTRY_PREFIX)}({_OWNER.pattern})/({_DOCUMENT.pattern})\.json")


def owner_name(site: str, environment: str | None = None) -> str:
    """Return who owns what a site makes in an environment: ``web-shop``, or ``web-shop.production``.

    The name of a site has no dot, so that no two of them are called alike. Raises InvalidInput.
    """
    if not environment:
        return checked_owner(site)
    taken_by_parts = _DOCUMENT.fullmatch(environment.rpartition(".")[2])
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


def part_of(text: str | None) -> tuple[int, int] | None:
    """Return number and count of the part ``k/n``; None for no part, which is the whole. Raises InvalidInput."""
    if not text:
        return None
    found = _PART.fullmatch(text)
    number, of = (int(group) for group in found.groups()) if found else (0, 0)
    if not 1 <= number <= of <= MAX_PARTS:
        raise InvalidInput(
            f"part: {text!r} is not a part of a site.",
            next_step=f"Write it as 2/4, the second of four; {MAX_PARTS} are the most.",
            option="part",
        )
    return number, of


def document_name(part: str | None) -> str:
    """Return ``whole``, or ``part-k-of-n`` for the part ``k/n``. Raises InvalidInput."""
    numbers = part_of(part)
    return WHOLE_SITE if numbers is None else "part-{}-of-{}".format(*numbers)


def parts_of(document: str) -> str:
    """Return the number of parts that the document ``part-k-of-n`` is one of, as text; nothing for the whole."""
    return document.partition("-of-")[2]


def object_name(site: str, document: str) -> str:
    """Return what the object of a document is called."""
    return f"{REGISTRY_PREFIX}{site}/{document}.json"


def site_and_document(name: str) -> tuple[str, str] | None:
    """Return site and document of an object, None when it is none of a registry."""
    found = _OBJECT.fullmatch(name)
    return (found.group(1), found.group(2)) if found else None


class StoredContent(t.NamedTuple):
    """What a document has, with a tag that changes with it, and since when the service has had it, if it says so."""

    content: bytes
    tag: str
    stored_at: float | None = None


Registry = t.Mapping[str, t.Any]
"""Where a site file has its registry: ``{"container": name}``, also with ``SHARED``, ``{"path": file}``, or nothing."""

SHARED = "others_may_write"
MODE = 0o600
_PARTED = re.compile(r"(.+)\.(part-[1-9][0-9]*-of-[1-9][0-9]*)")


def registry_place(task: Task, site: str, registry: Registry | None) -> RegistryPlace:
    """Return the place that a site file names. Raises InvalidInput."""
    where = registry_path(task, site, registry)
    if registry and "container" in registry:
        own = str(task.settings["storage_user"] or "").partition(":")[0]
        return ContainerPlace(SmallObjects(task, where), site, None if registry.get(SHARED) else own)
    folder = os.path.dirname(where)
    if registry and not os.path.isdir(folder):  # a plan says so, too, and not only the apply that would write it
        raise InvalidInput(
            f"registry: {where} cannot be used: there is no folder {folder}.",
            next_step="Create the folder, or correct the path.",
            option="registry",
        )
    return FolderPlace(where, site, own_folder=not registry, signed=user_key(task) is not None)


def registry_path(task: Task, site: str, registry: Registry | None) -> str:
    """Return the container, or the whole path of the file. Raises InvalidInput, also for a link of another user."""
    given = {name: value for name, value in (registry or {}).items() if name != SHARED}
    if not given:
        return os.path.join(task.state_dir, "sites", f"{site}.json")
    if set(given) == {"container"}:
        return str(given["container"])
    if set(given) == {"path"} and given["path"]:
        path = expand_home(str(given["path"]))
        link = foreign_link(path)
        if link is not None:
            raise _not_believed(path, f"the link {link} belongs to another user")
        return os.path.realpath(path)
    raise InvalidInput(
        "registry: give either container or path.",
        next_step="Write registry: {container: name}, registry: {path: file.json}, or leave it out.",
        option="registry",
    )


def _not_believed(path: str, why: str) -> InvalidInput:
    return InvalidInput(
        f"registry: {path} is not used: {why}. Nothing was done.",
        next_step="If nobody else has written the registry, have it belong to this user, with chmod go-w on the file "
        "and its folder. One that several users write has to be signed: give a site_key (FCD_SITE_KEY).",
        option="registry",
    )


def content_tag(content: bytes) -> str:
    """Return the MD5, which a storage knows of each object too."""
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


class ContainerPlace:
    """Objects. New ones may be late in listings, so the lock keeps an index of the parts of the site.

    Of the users of the account ``own`` it is no matter who may write to the container; None: of nobody.
    """

    def __init__(self, objects: SmallObjects, site: str, own: str | None = None) -> None:
        self._objects = objects
        self._site = site
        self._own = own

    @property
    def where(self) -> str:
        """The address of the container, which names the account as well."""
        return self._objects.address

    def text(self, document: str) -> str:
        """Return where a document is, for people."""
        return self._objects.text(object_name(self._site, document))

    def documents(self) -> set[str]:
        """Return those that are listed, and those in the index; there is always to be looked for the whole.

        Raises InvalidInput for a container that others may write to.
        """
        pairs = [site_and_document(name) for name in self._objects.names(f"{REGISTRY_PREFIX}{self._site}/")]
        self._check_writers()
        index = self._objects.read(object_name(self._site, INDEX))
        parts = [] if index is None else indexed(index.content, self.text(INDEX))
        return {pair[1] for pair in pairs if pair and pair[0] == self._site} | {*parts, WHOLE_SITE}

    def _check_writers(self) -> None:
        every = [one.strip() for one in self._objects.writers.split(",")]
        others = [one for one in every if one and one.partition(":")[0] != self._own]
        if others and self._own is not None:
            raise InvalidInput(
                f"registry: others can write to the container {self._objects.container!r} "
                f"({join_names(list(map(quoted, others)), 3)}), and could make the site forget what it owns. "
                "Nothing was done.",
                next_step="Remove them from the container's write_acl, or use a separate container for the registry. "
                f"If this is intended: registry: {{container: {self._objects.container}, {SHARED}: true}}.",
                option="registry",
            )

    def read(self, document: str) -> StoredContent | None:
        """Return a document of the site, with its MD5; None when there is none."""
        name = object_name(self._site, document)
        found = self._objects.read(name)
        return None if found is None else StoredContent(found.content, found.tag, self._stored_at(name, found.headers))

    def _stored_at(self, name: str, headers: t.Mapping[str, str]) -> float | None:
        """Return since when the service has had an object there; of what a link leads to, that says nothing: it is new.

        A container that keeps versions links to one of the object itself. A version that was restored got a new link.
        """
        if "content-location" in headers:
            version = f"{self._objects.path_of(name)}?version-id={headers.get('x-object-version-id')}"
            if unquote(headers["content-location"]) != version:
                return math.inf
            headers = self._objects.link(name)
        with contextlib.suppress(KeyError, ValueError):
            return float(headers["x-timestamp"])
        return None

    def tag(self, document: str) -> str | None:
        """Return the MD5 of a document, None when there is none."""
        return self._objects.tag(object_name(self._site, document))

    def write(self, document: str, content: bytes) -> str:
        """Store a document, and the container if it is missing; return its MD5."""
        return self._objects.write(object_name(self._site, document), content)[0]

    def remove(self, document: str) -> None:
        """Delete a document that may be gone already."""
        self._objects.remove(object_name(self._site, document))

    def forget_parts(self) -> None:
        """Note that there are no documents of parts any more: delete their index."""
        self._objects.remove(object_name(self._site, INDEX))

    def others(self) -> dict[str, str]:
        """Return the documents of other sites that are listed now: where they are, for people, and their MD5."""
        found = {}
        for name, tag in self._objects.names(REGISTRY_PREFIX).items():
            pair = site_and_document(name)
            if pair and pair[0] != self._site:
                found[self._objects.text(name)] = tag
        return found

    def read_other(self, text: str) -> bytes | None:
        """Return the content of a document of another site, None when it is gone meanwhile."""
        found = self._objects.read(text[len(self._objects.text("")) :])
        return None if found is None else found.content

    def site_of(self, text: str) -> str | None:
        """Return the site that a document of another site has to be of: its name says it."""
        pair = site_and_document(text[len(self._objects.text("")) :])
        return pair[0] if pair else None


def indexed(content: bytes, text: str) -> list[str]:
    """Return the documents that an index of parts names. Raises InvalidInput when it is none."""
    try:
        names = json.loads(content)["parts"]
        if all(map(_DOCUMENT.fullmatch, names)):
            return list(names)
    except (ValueError, RecursionError, KeyError, TypeError):
        pass
    raise damaged_registry(text, "it is not a list of the parts of a site")


class FolderPlace:
    """Files with mode 0600, replaced in one step. ``own_folder``: it is ours, and all that is in it are registries.

    Beside a file that a user names there may be anything: only what bears the mark of a registry is taken for one. What
    is not ``signed`` is believed only where no other user can have written it.
    """

    def __init__(self, path: str, site: str, *, own_folder: bool = False, signed: bool = False) -> None:
        self._path = path
        self._site = site
        self._stem, self._ending = os.path.splitext(path)
        self._is_ours = own_folder
        self._signed = signed

    @property
    def where(self) -> str:
        """The path of the document of the whole site."""
        return self._path

    def text(self, document: str) -> str:
        """Return the path."""
        return self._path if document == WHOLE_SITE else f"{self._stem}.{document}{self._ending}"

    def documents(self) -> set[str]:
        """Return those in the folder."""
        stem = os.path.basename(self._stem)
        found = {WHOLE_SITE} if os.path.lexists(self._path) else set()
        for name in self._files():
            match = _PARTED.fullmatch(os.path.splitext(name)[0])
            if match and match.group(1) == stem:
                found.add(match.group(2))
        return found

    def read(self, document: str) -> StoredContent | None:
        """Return the content. Raises InvalidInput for one that others may have written and nobody has signed."""
        path = self.text(document)
        try:
            self._check_writers(os.path.dirname(path))
            content = read_regular(path, judge=lambda file: self._check_writers(path, file))
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise damaged_registry(path, str(exc.strerror)) from None
        return StoredContent(content, content_tag(content))

    def _check_writers(self, path: str, descriptor: int | None = None) -> None:
        """Raise InvalidInput when others may have written a file, or may write to its folder."""
        why = None if self._signed else reason_for_distrust(path, descriptor)
        if why is not None:
            raise _not_believed(path, why)

    def tag(self, document: str) -> str | None:
        """Return the MD5 of the content."""
        found = self.read(document)
        return found and found.tag

    def write(self, document: str, content: bytes) -> str:
        """Replace the file."""
        path = self.text(document)
        if self._is_ours:
            private_folder(os.path.dirname(path))
        write_if_changed(path, content, MODE, option="registry", write=True)
        return content_tag(content)

    def remove(self, document: str) -> None:
        """Remove the file."""
        path = self.text(document)
        try:
            os.remove(path)
        except FileNotFoundError:
            pass
        except OSError as exc:
            raise InvalidInput(f"registry: {path} cannot be removed: {exc.strerror}.", option="registry") from None

    def forget_parts(self) -> None:
        """Do nothing: a folder shows what there is."""

    def others(self) -> dict[str, str]:
        """Return the files beside that are registries; those of this site are sorted out by what they say."""
        folder = os.path.dirname(self._path)
        mine = {self.text(document) for document in self.documents()}
        paths = [path for path in (os.path.join(folder, name) for name in self._files()) if path not in mine]
        return {path: _stamp(path) for path in paths if self._is_ours or _has_mark(path)}

    def read_other(self, text: str) -> bytes | None:
        """Return the content."""
        try:
            return read_regular(text)
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise damaged_registry(text, str(exc.strerror)) from None

    def site_of(self, text: str) -> str | None:
        """Return nothing: files may be called as their users like."""
        del text
        return None

    def _files(self) -> list[str]:
        folder = os.path.dirname(self._path)
        try:
            return sorted(name for name in os.listdir(folder) if os.path.splitext(name)[1] == self._ending)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as exc:
            raise damaged_registry(folder, str(exc.strerror)) from None


def _stamp(path: str) -> str:
    """Return a text that changes with the file."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"


def _has_mark(path: str) -> bool:
    try:
        return REGISTRY_MARK.search(read_regular(path)) is not None
    except OSError:
        return False


RegistryPlace = t.Union[ContainerPlace, FolderPlace]
"""Where the documents of one site are, with those of other sites beside them."""
