# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation of the connection options, written once and rendered into the doc fragments.

``python tests/tools/connection_docs.py`` writes plugins/doc_fragments/_connection.py and _connection_plugin.py from the
table of options and the texts below; a unit test fails when they are not what this would write.
"""

from __future__ import annotations

import sys
import typing as t
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]

if __name__ == "__main__":
    import collection_tree

    sys.path.insert(0, str(collection_tree.linked()))

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import (
    OPTIONS,
    Option,
    environment_name,
)

TEXTS: dict[str, list[str]] = {
    "profile": [
        "Name of the profile whose values in the profile file are used where neither option nor variable is set."
    ],
    "config_file": [
        "Profile file, a YAML mapping from profile names to connection options.",
        "It must not be readable by other users when it holds secrets.",
        "Whatever it holds, only this user and root may own and change it.",
        "The same goes for the files that C(ca_path) and C(soap_wsdl) name in it.",
        "Relative paths in it begin at its own folder.",
    ],
    "state_dir": ["Folder, used by nobody else, for kept tokens, locks, notes about creates, and compiled contracts."],
    "lock_container": [
        "Container of the object storage in which controllers that do not share O(state_dir) lock their creates.",
        "Without it, a create is locked for tasks with the same O(state_dir): those of one user on one machine.",
        "With it, a task takes a lease in this container too before it creates an object.",
        "It finds there what another controller has sent, and looks for that first.",
        "All controllers need the same container, the same address of the service and the same login.",
        "The container is made when it is missing.",
        "C(storage_base), C(storage_user) and C(storage_key) come from the environment or the profile file.",
    ],
    "timeout": ["Seconds that one call may take all in all, its retries included."],
    "task_timeout": [
        "Seconds after which the whole task ends with an error, whatever it is doing.",
        "By default a task may take as long as it needs.",
    ],
    "retries": [
        "How often a call is repeated after a failure that allows it.",
        "Reads are repeated after lost connections and overload, writes only when the service certainly did nothing.",
    ],
    "retry_budget": [
        "How many points all tasks of a run of a playbook together have for retries, for each service and account.",
        "A retry takes 5, or 10 after a time-out, and each good answer gives 1 back; after half an hour all are back.",
        "When they are spent each request is sent once, so that many tasks do not flood a service that is down.",
        "V(0) leaves only O(retries) as a limit.",
    ],
    "validate_certs": [
        "Whether the certificate of the service is checked.",
        "With V(false), the first task of each run of a playbook warns.",
    ],
    "ca_path": ["File with the certificates of the authorities to trust, in place of the usual ones."],
    "allow_plain_http": [
        "Allow C(http://) addresses on other hosts than the local one; credentials then travel in clear.",
        "The first task of each run of a playbook with such an address warns.",
    ],
    "base_url": ["Address of the infrastructure REST interface, for example C(https://api.example.com/beta)."],
    "api_version": [
        "Line of the infrastructure interface that the service runs.",
        "V(2020) is the older one, which knows less in the create of an instance. V(2023) is the later one.",
        "V(auto) asks the service, once in a task and only where an operation depends on it.",
    ],
    "auth_url": ["Address of the identity server, without the path of the token endpoint."],
    "api_client_id": ["Id of the API client, from the account management of the panel."],
    "api_client_secret": ["Secret of the API client."],
    "username": ["Login of the panel user."],
    "password": ["Password of the panel user."],
    "scope": [
        "Scope of the token, several separated by blanks.",
        "V(service.api) reads and changes, V(service.api.readonly) only reads, V(offline_access) adds a refresh token.",
    ],
    "access_token": ["A token issued before; then nobody logs in and the other credentials are not needed."],
    "token_cache": [
        "Whether tokens are kept between tasks, in files of mode 0600 below O(state_dir).",
        "A kept token is used by tasks with the same credentials only.",
    ],
    "soap_url": ["Address of the SOAP service, to which messages are posted."],
    "soap_wsdl": ["Address or path of the WSDL, in place of O(soap_url) with C(?wsdl) behind it."],
    "soap_to": ["Value of the WS-Addressing header C(To), in place of the address that the WSDL publishes."],
    "soap_user_prefix": ["What is put before O(username) for the SOAP interface, unless it holds a backslash already."],
    "soap_member_map": [
        "Names of members of the SOAP types where the names in the WSDL cannot be told from the contract.",
        "Keys have the form C(Type.attribute), values are the names of members.",
    ],
    "soap_contract_ttl": ["Seconds for which a compiled WSDL is used before it is read again."],
    "storage_base": ["Host address of the object storage, for example C(https://storage.example.com)."],
    "storage_user": ["User of the object storage in the form C(account:user)."],
    "storage_key": ["Key (password) of the storage user."],
    "storage_key_encoding": [
        "How O(storage_user) and O(storage_key) are written in the request for a token.",
        "V(percent) suits servers that decode them, which matters for keys with a percent sign.",
    ],
    "storage_token_lifetime": [
        "How long a token of the object storage is to live, in seconds.",
        "It counts when the service makes a token, and the service may allow less.",
        "A token that still lives, kept by the collection or by the service, is used as it is.",
        "Without it the service decides, mostly for about a day.",
    ],
    "site_key": [
        "Key of 16 or more characters with which the registry of a site is signed, and what is secret in a plan bound.",
        "Where the registry is in a container it is needed, and has to be the same wherever the site is worked on.",
        "Where it is a file it is not signed without one.",
        "What is secret in a plan is then bound with a key of this controller, kept in O(state_dir).",
    ],
}


def _sources(option: Option, name: str) -> list[str]:
    then = "" if name in ("profile", "config_file") else ", then the profile file"
    lines = [f"Without it, the environment variable E({environment_name(name)}){then} is asked."]
    if option.default is not None:
        lines.append(f"Without any of them it is V({_literal(option.default)}).")
    elif option.needed:
        lines.append("It has to be set in one of them.")
    return lines


def _literal(value: t.Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).replace("\\", "\\\\")


def _entry(name: str, option: Option, *, plugin: bool) -> dict[str, t.Any]:
    entry: dict[str, t.Any] = {"description": [*TEXTS[name], *_sources(option, name)], "type": option.type}
    if option.choices:
        entry["choices"] = list(option.choices)
    if plugin:
        entry["env"] = [{"name": environment_name(name)}]
        entry["vars"] = [{"name": "fcd_" + name}]
    return entry


class Indented(yaml.SafeDumper):
    """Writes lists indented, as yamllint wants them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent a list below its key."""
        super().increase_indent(flow, indentless=False)


def rendered(group: str, *, plugin: bool = False) -> str:
    """Return the YAML of a doc fragment for one group of connection options (see _connection/options.py)."""
    options = {name: _entry(name, option, plugin=plugin) for name, option in OPTIONS.items() if group in option.groups}
    requirements = _REQUIREMENTS.get(group)
    fragment: dict[str, t.Any] = {"options": options}
    if requirements:
        fragment["requirements"] = requirements
    return yaml.dump(fragment, Dumper=Indented, sort_keys=False, allow_unicode=True, width=116)


_REQUIREMENTS = {
    "identity": ["requests"],
    "rest": ["requests"],
    "soap": ["requests", "lxml", "zeep (to read the WSDL)"],
    "storage": ["requests (only where a proxy is set)"],
}

HEAD = """# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
\"\"\"{title} Private to the collection.

Written by tests/tools/connection_docs.py: change the texts there.
\"\"\"

from __future__ import annotations


class ModuleDocFragment:
    \"\"\"C(fcd.cloud.{name}.rest) and its like.\"\"\"
"""
GROUPS = ("common", "identity", "rest", "soap", "storage", "site")
FRAGMENTS = {
    "_connection": ("Connection options of modules, one fragment for each interface.", False),
    "_connection_plugin": ("Connection options of lookups and inventories, with their variables.", True),
}


def source(name: str) -> str:
    """Return the text of one doc fragment file."""
    title, plugin = FRAGMENTS[name]
    parts = [HEAD.format(title=title, name=name)]
    parts += [f'\n    {group.upper()} = r"""\n{rendered(group, plugin=plugin)}"""\n' for group in GROUPS]
    return "".join(parts)


def path(name: str) -> Path:
    """Return where one doc fragment file lies."""
    return ROOT / "plugins" / "doc_fragments" / f"{name}.py"


if __name__ == "__main__":
    for fragment in FRAGMENTS:
        path(fragment).write_text(source(fragment), encoding="utf-8")
