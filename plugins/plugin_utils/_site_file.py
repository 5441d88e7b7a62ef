# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site file and its environments from disk: decrypted, templates resolved, checked."""

from __future__ import annotations

import os
import typing as t

from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import is_encrypted_file
from ansible.template import Templar

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._resources.site.declaration import declared
from ansible_collections.fcd.cloud.plugins.module_utils._resources.site.entries import Declaration, Entry
from ansible_collections.fcd.cloud.plugins.module_utils._resources.site.sources import Table
from ansible_collections.fcd.cloud.plugins.plugin_utils._site_options import SiteReader
from ansible_collections.fcd.cloud.plugins.plugin_utils._site_yaml import read_yaml

LARGEST = 32 << 20  # bytes


def read_site(
    loader: DataLoader,
    templar: t.Any,
    src: str,
    overlays: t.Sequence[str] = (),
    environment: str | None = None,
    *,
    secrets: bool = True,
) -> Declaration:
    """Return what the site file at ``src`` declares with the overlays laid over it.

    ``templar`` is that of the task, which knows its variables. Without ``secrets``, values of secret options are not
    looked at: nothing is decrypted and no template in them resolved. Files that are to become objects and are encrypted
    with Ansible Vault are decrypted to files that ``loader`` removes. Raises InvalidInput with all that is wrong.
    """
    documents = [_document(loader, path) for path in (src, *overlays)]
    templar = _beside(loader, templar.available_variables, [document.source.folder for document in documents])
    declaration = declared(documents, SiteReader(loader, templar, secrets=secrets), environment)
    return _with_plain_files(loader, declaration) if secrets else declaration


def _beside(loader: DataLoader, variables: t.Mapping[str, t.Any], folders: list[str]) -> Templar:
    """Return a templar whose lookups find files beside the site file and its environments first."""
    path = [*dict.fromkeys(folders), *variables.get("ansible_search_path", ())]
    return Templar(loader=loader, variables={**variables, "ansible_search_path": path})


def _with_plain_files(loader: DataLoader, declaration: Declaration) -> Declaration:
    """Return the declaration with paths of decrypted files in place of encrypted ones."""
    entries = (_with_plain_file(loader, entry) for entry in declaration.entries)
    return declaration._replace(entries=tuple(entries))


def _with_plain_file(loader: DataLoader, entry: Entry) -> Entry:
    path = entry.params.get("src") if entry.kind == "storage_objects" and not entry.absent else None
    if not path or not os.path.isfile(path) or not _is_encrypted(path):
        return entry
    return entry._replace(params={**entry.params, "src": _decrypted(loader, path, entry.source)})


def _is_encrypted(path: str) -> bool:
    """Whether the file can be read and is encrypted with Ansible Vault."""
    try:
        with open(path, "rb") as file:
            return bool(is_encrypted_file(file))
    except OSError:
        return False


def _decrypted(loader: DataLoader, path: str, source: str) -> str:
    try:
        return str(loader.get_real_file(path))
    except AnsibleError:
        msg = f"{source}: src: {path} cannot be decrypted with the vault secrets at hand."
        raise InvalidInput(msg, next_step="Give --vault-password-file or -id.") from None


def _document(loader: DataLoader, path: str) -> Table:
    whole = os.path.abspath(path)
    label = _label(whole)
    return read_yaml(_content(loader, whole, label), label, os.path.dirname(whole))


def _label(path: str) -> str:
    """Return what messages call the file: its path from the current folder, if it is below."""
    near = os.path.relpath(path)
    return path if near.startswith(os.pardir) else near


def _content(loader: DataLoader, path: str, label: str) -> str:
    if not os.path.exists(path):
        raise InvalidInput(f"There is no file {label}.", next_step="Check the path.")
    if not os.path.isfile(path):
        raise InvalidInput(f"{label} is no regular file.", next_step="Give the site file itself.")
    if os.path.getsize(path) > LARGEST:
        raise InvalidInput(f"{label} has more than {LARGEST >> 20} MiB, which cannot be meant.")
    try:
        content, _shown = loader._get_file_contents(path)  # noqa: SLF001 - the public ways parse it too
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{label} is not UTF-8 (byte {error.start}).") from None
    except AnsibleError as error:
        raise InvalidInput(f"{label} cannot be read: {_first_line(error)}") from None
    except OSError as error:
        raise InvalidInput(f"{label} cannot be read: {error.strerror}.") from None


def _first_line(error: AnsibleError) -> str:
    return str(error.message).splitlines()[0] if str(error.message) else type(error).__name__
