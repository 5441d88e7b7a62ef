# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation of the connection options, written once, for the doc fragments and the guide on authentication.

``python tests/tools/connection_docs.py`` writes plugins/doc_fragments/_connection.py and _connection_plugin.py, and the
last section of the guide, from the table of options and the texts below; a unit test fails when they are not what this
would write. Every module has these options among its own, so its fragment has only the first sentence of each.
"""

from __future__ import annotations

import re
import sys
import textwrap
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
        "Name of the profile to use.",
        "Its values in the profile file apply where neither option nor variable is set.",
    ],
    "config_file": [
        "Path of the profile file.",
        "It is a YAML mapping of profile names to connection options.",
        "If it contains secrets, it must not be readable by other users.",
        "In any case, only this user and root may own and change it.",
        "The same applies to the files that C(ca_path) and C(soap_wsdl) name in it.",
        "Relative paths in it start at its own folder.",
    ],
    "state_dir": [
        "Private folder for tokens, locks and records.",
        "It contains cached tokens, locks, records of creates, and compiled contracts. The path must be absolute.",
    ],
    "lock_container": [
        "Container in which controllers lock their creates.",
        "It is a container of the object storage, for controllers that do not share O(state_dir).",
        "Without it, the lock on a create covers only tasks with the same O(state_dir), those of one user on one host.",
        "With it, a task also takes a lease in this container before it creates an object.",
        "The lease shows what another controller has sent, and the task looks for that object first.",
        "All controllers must use the same container, the same address of the service and the same login.",
        "The container is created if it does not exist.",
        "C(storage_base), C(storage_user) and C(storage_key) come from the environment or the profile file.",
    ],
    "timeout": ["Maximum seconds for a call and its retries.", UNITS],
    "task_timeout": [
        "Maximum seconds for the whole task.",
        "The task then fails regardless of what it is doing.",
        UNITS,
        "By default, a task may take as long as it needs.",
    ],
    "retries": [
        "How often to retry a call.",
        "A call is retried after a failure that allows it.",
        "Reads are retried after lost connections and overload, writes only if the service certainly did nothing.",
    ],
    "retry_budget": [
        "Budget for the retries of a run, in points.",
        "All tasks of a playbook run share this retry budget, for each service and account.",
        "A retry takes 5 points, or 10 after a timeout, and each good response returns 1.",
        "After half an hour, all points are back.",
        "When the budget is spent, each request is sent only once, so that many tasks do not flood a failing service.",
        "With V(0), only O(retries) limits retries.",
    ],
    "progress": [
        "Whether to show progress.",
        "A module that runs longer than five seconds shows what it is doing, with a line every few seconds.",
        "V(auto) shows lines, but not in a job of AWX or automation controller, which would keep each as an event.",
        "V(always) shows them there too, V(never) shows none.",
        "Only modules on the controller show lines, lookups and the inventory do not.",
        "Nothing is shown with C(no_log), or with a callback that outputs JSON.",
    ],
    "validate_certs": [
        "Whether to validate certificates.",
        "These are the TLS certificates of the services.",
        "With V(false), the first task of each playbook run shows a warning.",
    ],
    "ca_path": [
        "File with the authorities to trust.",
        "These are certificates of certificate authorities, used instead of the usual ones.",
    ],
    "allow_plain_http": [
        "Whether to allow C(http://) addresses.",
        "Otherwise, they are refused on remote hosts, because credentials would be sent in clear text.",
        "The first task of each playbook run with such an address shows a warning.",
    ],
    "base_url": ["URL of the infrastructure interface.", "For example C(https://api.example.com/beta)."],
    "api_version": [
        "Version line of the infrastructure interface.",
        "V(2020) is the older one, which supports less when an instance is created. V(2023) is the newer one.",
        "V(auto) asks the service, once per task and only if an operation depends on it.",
    ],
    "auth_url": ["URL of the identity server.", "Leave out the path of the token endpoint."],
    "api_client_id": ["ID of the API client.", "It is in the account management of the panel."],
    "api_client_secret": ["Secret of the API client."],
    "username": ["Login of the panel user."],
    "password": ["Password of the panel user."],
    "scope": [
        "Scope of the token.",
        "Separate several with spaces.",
        "V(service.api) allows reading and writing, V(service.api.readonly) only reading.",
        "V(offline_access) adds a refresh token.",
    ],
    "access_token": [
        "An existing access token.",
        "If given, no log-in takes place, and the other credentials are not needed.",
    ],
    "token_cache": [
        "Whether to cache tokens.",
        "They are kept between tasks, in files of mode 0600 below O(state_dir).",
        "Only tasks with the same credentials use a cached token.",
    ],
    "soap_url": ["URL of the SOAP service.", "Messages are posted to it."],
    "soap_wsdl": ["URL or path of the WSDL.", "The default is O(soap_url) followed by C(?wsdl)."],
    "soap_to": ["Value of the WS-Addressing header C(To).", "It replaces the address that the WSDL publishes."],
    "soap_user_prefix": [
        "Prefix for the user name on the SOAP interface.",
        "It is put before O(username), unless that already contains a backslash.",
    ],
    "soap_member_map": [
        "Names of members of the SOAP types. A free mapping.",
        "It is needed if the names in the WSDL cannot be derived from the contract.",
        "The keys have the form C(Type.attribute), the values are names of members.",
    ],
    "soap_contract_ttl": [
        "Seconds until a compiled WSDL is read again.",
        UNITS,
    ],
    "storage_base": ["Base URL of the object storage.", "For example C(https://storage.example.com)."],
    "storage_user": ["User of the object storage, as C(account:user)."],
    "storage_key": ["Key of the object storage user.", "It is a password."],
    "storage_key_encoding": [
        "How user and key are encoded.",
        "It applies to O(storage_user) and O(storage_key) in the token request.",
        "V(percent) is for servers that decode them, which matters for keys with a percent sign.",
    ],
    "storage_token_lifetime": [
        "Requested lifetime of a token in seconds.",
        UNITS,
        "It applies when the service issues a token, and the service may allow less.",
        "A token that is still valid, cached by the collection or kept by the service, is used as it is.",
        "If omitted, the service decides, usually for about a day.",
    ],
    "site_key": [
        "Private key that signs the registry of a site.",
        "It also opens the plans of the site. It is an Ed25519 key, as Base64 or in PEM.",
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
    texts = [*TEXTS[name], *_sources(option, name)] if plugin else TEXTS[name][:1]
    entry: dict[str, t.Any] = {"description": texts, "type": kind}
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
    if group == "common" and not plugin:
        fragment["notes"] = [NOTE]
    if requirements:
        fragment["requirements"] = requirements
    return yaml.dump(fragment, Dumper=Indented, sort_keys=False, allow_unicode=True, width=116)


NOTE = (
    "R(The guide on authentication, ansible_collections.fcd.cloud.docsite.connection_options) has details and defaults "
    "of the connection options, such as O(profile) and O(timeout). If one is omitted, the environment variable C(FCD_) "
    "with its name in capitals is used, or else the profile file."
)
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


GUIDE = ROOT / "docs" / "docsite" / "rst" / "authentication.rst"
BEGIN = ".. Written by tests/tools/connection_docs.py from here to the end: change the texts there.\n"
SECTION = """
.. _ansible_collections.fcd.cloud.docsite.connection_options:

Connection options
------------------

Every module, lookup and inventory takes those that its interfaces need.

"""
MARKUP = re.compile(r"\b[CEOV]\(([^()]*)\)")


def guide() -> str:
    """Return the guide on authentication with all options, by name, in its last section."""
    written = GUIDE.read_text(encoding="utf-8").partition(BEGIN)[0]
    entries = [_definition(name, OPTIONS[name]) for name in sorted(OPTIONS)]
    return f"{written}{BEGIN}{SECTION}{''.join(entries).rstrip()}\n"


def _definition(name: str, option: Option) -> str:
    texts = [*TEXTS[name], *_sources(option, name)]
    if option.choices:
        texts.append(f"Choices: {', '.join(f'V({choice})' for choice in option.choices)}.")
    text = MARKUP.sub(r"``\1``", " ".join(texts)).replace("\\\\", "\\")  # only markup has to escape a backslash
    lines = textwrap.wrap(text, 126, break_long_words=False, break_on_hyphens=False)
    return f"``{name}``\n" + "".join(f"  {line}\n" for line in lines) + "\n"


if __name__ == "__main__":
    GUIDE.write_text(guide(), encoding="utf-8")
    for fragment in FRAGMENTS:
        path(fragment).write_text(source(fragment), encoding="utf-8")
