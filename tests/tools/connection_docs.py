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

UNITS = "Units are accepted, as in V(90s), V(10m) or V(2h)."
TEXTS: dict[str, list[str]] = {
    "profile": [
        "The name of the profile in the profile file whose values apply where neither option nor variable is set."
    ],
    "config_file": [
        "Profile file, a YAML mapping of profile names to connection options.",
        "If it contains secrets, it must not be readable by other users.",
        "In any case, only this user and root may own and change it.",
        "The same applies to the files that C(ca_path) and C(soap_wsdl) name in it.",
        "Relative paths in it start at its own folder.",
    ],
    "state_dir": [
        "Private folder for cached tokens, locks, records of creates, and compiled contracts, as an absolute path."
    ],
    "lock_container": [
        "Object storage container in which controllers that do not share O(state_dir) lock their creates.",
        "Without it, the lock on a create covers only tasks with the same O(state_dir), those of one user on one host.",
        "With it, a task also takes a lease in this container before it creates an object.",
        "The lease shows what another controller has sent, and the task looks for that object first.",
        "All controllers must use the same container, the same address of the service and the same login.",
        "The container is created if it does not exist.",
        "C(storage_base), C(storage_user) and C(storage_key) come from the environment or the profile file.",
    ],
    "timeout": ["Maximum time in seconds for a call, including its retries.", UNITS],
    "task_timeout": [
        "Maximum time in seconds for the whole task, which then fails regardless of what it is doing.",
        UNITS,
        "By default, a task may take as long as it needs.",
    ],
    "retries": [
        "How often to retry a call after a failure that allows it.",
        "Reads are retried after lost connections and overload, writes only if the service certainly did nothing.",
    ],
    "retry_budget": [
        "Retry budget that all tasks of a playbook run share, in points, for each service and account.",
        "A retry takes 5 points, or 10 after a timeout, and each good response returns 1.",
        "After half an hour, all points are back.",
        "When the budget is spent, each request is sent only once, so that many tasks do not flood a failing service.",
        "With V(0), only O(retries) limits retries.",
    ],
    "progress": [
        "Whether a module that runs longer than five seconds shows what it is doing, with a line every few seconds.",
        "V(auto) shows lines, but not in a job of AWX or automation controller, which would keep each as an event.",
        "V(always) shows them there too, V(never) shows none.",
        "Only modules on the controller show lines, lookups and the inventory do not.",
        "Nothing is shown with C(no_log), or with a callback that outputs JSON.",
    ],
    "validate_certs": [
        "Whether to validate the TLS certificate of the service.",
        "With V(false), the first task of each playbook run shows a warning.",
    ],
    "ca_path": ["File with the certificates of the certificate authorities to trust, instead of the usual ones."],
    "allow_plain_http": [
        "Whether to allow C(http://) addresses on remote hosts; credentials are then sent in clear text.",
        "The first task of each playbook run with such an address shows a warning.",
    ],
    "base_url": ["URL of the infrastructure REST interface, for example C(https://api.example.com/beta)."],
    "api_version": [
        "Version line of the infrastructure interface that the service runs.",
        "V(2020) is the older one, which supports less when an instance is created. V(2023) is the newer one.",
        "V(auto) asks the service, once per task and only if an operation depends on it.",
    ],
    "auth_url": ["URL of the identity server, without the path of the token endpoint."],
    "api_client_id": ["ID of the API client, from the account management in the panel."],
    "api_client_secret": ["Secret of the API client."],
    "username": ["Login of the panel user."],
    "password": ["Password of the panel user."],
    "scope": [
        "Scope of the token; separate several with spaces.",
        "V(service.api) allows reading and writing, V(service.api.readonly) only reading.",
        "V(offline_access) adds a refresh token.",
    ],
    "access_token": [
        "An existing access token. If given, no log-in takes place, and the other credentials are not needed."
    ],
    "token_cache": [
        "Whether to cache tokens between tasks, in files of mode 0600 below O(state_dir).",
        "Only tasks with the same credentials use a cached token.",
    ],
    "soap_url": ["URL of the SOAP service, to which messages are posted."],
    "soap_wsdl": ["URL or path of the WSDL. The default is O(soap_url) followed by C(?wsdl)."],
    "soap_to": ["Value of the WS-Addressing header C(To), instead of the address that the WSDL publishes."],
    "soap_user_prefix": ["Prefix for O(username) on the SOAP interface, unless it already contains a backslash."],
    "soap_member_map": [
        "Names of members of the SOAP types, if the names in the WSDL cannot be derived from the contract.",
        "A free mapping with keys of the form C(Type.attribute) and names of members as values.",
    ],
    "soap_contract_ttl": [
        "Time in seconds for which a compiled WSDL is used before it is read again.",
        UNITS,
    ],
    "storage_base": ["Base URL of the object storage, for example C(https://storage.example.com)."],
    "storage_user": ["User of the object storage in the form C(account:user)."],
    "storage_key": ["Key (password) of the object storage user."],
    "storage_key_encoding": [
        "How O(storage_user) and O(storage_key) are encoded in the token request.",
        "V(percent) is for servers that decode them, which matters for keys with a percent sign.",
    ],
    "storage_token_lifetime": [
        "Requested lifetime of an object storage token in seconds.",
        UNITS,
        "It applies when the service issues a token, and the service may allow less.",
        "A token that is still valid, cached by the collection or kept by the service, is used as it is.",
        "If omitted, the service decides, usually for about a day.",
    ],
    "site_key": [
        "Private Ed25519 key that signs the registry of a site and opens its plans, as Base64 or in PEM.",
        "Create one with C(openssl genpkey -algorithm ed25519 -outform DER | base64).",
        "Tasks in check mode, such as a plan, only need its public key.",
        "It is required if the registry is in a container, and must be the same wherever the site is managed.",
        "A registry file is not signed unless a key is given.",
        "The secret values of a plan are then bound with a key of this controller, kept in O(state_dir).",
    ],
}


def _sources(option: Option, name: str) -> list[str]:
    then = "" if name in ("profile", "config_file") else " or else the profile file"
    lines = [f"If omitted, the environment variable E({environment_name(name)}){then} is used."]
    if option.default is not None:
        lines.append(f"The default is V({_literal(option.default)}).")
    elif option.needed:
        lines.append("It must be set in one of these places.")
    return lines


def _literal(value: t.Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).replace("\\", "\\\\")


def _entry(name: str, option: Option, *, plugin: bool) -> dict[str, t.Any]:
    kind = "str" if option.type == "seconds" else option.type
    entry: dict[str, t.Any] = {"description": [*TEXTS[name], *_sources(option, name)], "type": kind}
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
