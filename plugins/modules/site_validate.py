#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_validate
short_description: Check a site file without logging in anywhere
version_added: 1.0.0
description:
  - Reads a site file and the environments laid over it, and checks everything that can be checked without the service,
    which is the structure of the file, the options of each entry with their types and rules, names, references
    between entries, and whether the folders and files to publish exist.
  - All errors are reported together, each with its file and line and the expected form.
  - Nothing is sent, and no credentials are needed.
  - C(playbooks/site.schema.json) in the collection is a JSON schema with the same rules, for completion in an editor.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._attributes.reading
  - fcd.cloud._attributes.controller
options:
  src:
    description:
      - The site file. Relative paths start at the folder in which C(ansible-playbook) was started.
      - It may be encrypted with Ansible Vault, either as a whole or in single values (C(!vault)).
      - Values may be templates. They can use the variables of the task and lookups, which also find files next to the
        site file. Results of lookups and of Ansible Vault are secret unless the file marks them with C(!reveal).
      - Relative paths in it start at its own folder.
    type: path
    required: true
    aliases: [path]
  overlays:
    description:
      - Files of the same structure to lay over the site file, one after the other.
      - Mappings are merged. Entries with the same key or name are merged, and the later file takes precedence. An
        option that is null in the later file is removed, and an entry with C(remove=true) is no longer declared. Other
        lists are replaced.
    type: list
    elements: path
    default: []
  environment:
    description:
      - The name of the site with these overlays, such as V(production). It is part of the digest.
    type: str
  read_secrets:
    description:
      - Whether to read secret values, such as passwords and anything that is encrypted or comes from a lookup.
      - With V(false), templates in them are not resolved and nothing is decrypted, so that a job can check the file
        without having the secrets. Only lookups that merely return their own input run, such as
        C(ansible.builtin.sequence), even if the file says C(!reveal). Values that are not read are checked as
        far as possible without them.
      - A file that is encrypted as a whole still requires its vault secret.
    type: bool
    default: true
  strict_names:
    description:
      - Whether everything that an option refers to by name must be declared too, such as the private networks of an
        instance.
      - With V(false), such a name may refer to something that already exists at the service, so a misspelt name is
        found only when a plan is made. IDs and addresses are never rejected.
    type: bool
    default: false
notes:
  - Options for reaching a service are accepted, since C(module_defaults) may set them for all modules, but have no
    effect here.
seealso:
  - module: fcd.cloud.site
  - ref: ansible_collections.fcd.cloud.docsite.site_file
    description: Guide to site files.
"""

EXAMPLES = r"""
- name: Check a site file
  fcd.cloud.site_validate:
    src: site.yml
  register: checked

- name: Show the number of declared entries
  ansible.builtin.debug:
    msg: "{{ checked.site }} declares {{ checked.count }} entries: {{ checked.counts }}"

- name: Check the production environment without access to its passwords
  fcd.cloud.site_validate:
    src: site.yml
    overlays: [environments/production.yml]
    environment: production
    read_secrets: false
"""

RETURN = r"""
site:
  description: The name of the site.
  type: str
  returned: success
environment:
  description: The environment; null if none was given.
  type: str
  returned: success
registry:
  description: Where the site records what it owns, as declared; empty if not declared. A free mapping.
  type: dict
  returned: success
declaration_digest:
  description:
    - Digest of everything that is declared. The same declaration has the same digest wherever it is read.
    - Values of secret options are not included, only whether they are given.
  type: str
  returned: success
  sample: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
count:
  description: The number of declared entries.
  type: int
  returned: success
counts:
  description: The same for each kind that is declared. A free mapping of kinds to numbers.
  type: dict
  returned: success
  sample: {instances: 3, storage_objects: 2}
services:
  description: The interfaces of the service that are needed to apply it, among V(rest), V(soap) and V(storage).
  type: list
  elements: str
  returned: success
entries:
  description: All declared entries, in the order of creation.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: Its kind.
      type: str
      returned: always
    key:
      description: The label that references use.
      type: str
      returned: always
    name:
      description: Its name, unique in its kind.
      type: str
      returned: always
    source:
      description: File and line where it is declared.
      type: str
      returned: always
      sample: site.yml:12
    stage:
      description: >-
        Whether it belongs to the V(foundations), which are created before everything else, or to the V(rest).
      type: str
      returned: always
    state:
      description: The declared state; null for kinds that have no state.
      type: str
      returned: always
    refs:
      description: What it refers to, each as kind and name separated by a dot.
      type: list
      elements: str
      returned: always
errors:
  description: All errors found; empty if everything is valid.
  type: list
  elements: dict
  returned: always, unless an option of the task is invalid
  contains:
    source:
      description: File and line.
      type: str
      returned: always
    kind:
      description: Kind of the entry; null if the error does not concern an entry, as for the next two keys.
      type: str
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    entry:
      description: The name of the entry in messages; empty if the error does not concern an entry.
      type: str
      returned: always
      sample: instances[3] (web)
    msg:
      description: What is wrong, and the expected form.
      type: str
      returned: always
"""

from ..module_utils._ansible.execution import controller_operation, run_module

OPERATION = controller_operation(
    "site_validate",
    {
        "src": {"type": "path", "required": True, "aliases": ["path"]},
        "overlays": {"type": "list", "elements": "path", "default": []},
        "environment": {"type": "str"},
        "read_secrets": {"type": "bool", "default": True, "no_log": False},
        "strict_names": {"type": "bool", "default": False},
    },
)


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
