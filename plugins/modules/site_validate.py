#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_validate
short_description: Check a site file without logging in anywhere
version_added: 0.1.0
description:
  - Reads a site file and the environments laid over it, and checks all that can be checked without the service. These
    are the shape of the file, the options of each entry with their types and rules, names, references between entries.
  - All mistakes are told together, each with its file and line and with what would be right.
  - Nothing is sent, and no credentials are needed.
  - A JSON schema with the same rules, for completion in an editor, is C(playbooks/site.schema.json) of the collection.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._attributes.reading
  - fcd.cloud._attributes.controller
options:
  src:
    description:
      - The site file. Relative paths begin at the folder in which C(ansible-playbook) was started.
      - It may be encrypted with Ansible Vault, as a whole or single values (C(!vault)).
      - Values may be templates. They see the variables of the task, and lookups work, with files beside the site file
        too. What lookups and Ansible Vault give is secret unless the file says C(!reveal).
      - Relative paths in it begin at its own folder.
    type: path
    required: true
    aliases: [path]
  overlays:
    description:
      - Files of the same shape that are laid over the site file, one after the other.
      - Mappings merge. Entries of the same key or name merge, and what the later file says counts. An option that is
        null there is taken away, and an entry with C(remove=true) is not declared any more. Other lists are replaced.
    type: list
    elements: path
    default: []
  environment:
    description:
      - What the whole is called with these overlays, such as V(production). It is part of the digest.
    type: str
  read_secrets:
    description:
      - Whether secret values are looked at, such as passwords and whatever is encrypted or comes from a lookup.
      - With V(false) templates in them are not resolved and nothing is decrypted, so that a job can check the file
        without having the secrets. No lookup runs but those that only give what they are given, such as
        C(ansible.builtin.sequence), also where the file says C(!reveal). A value that is not looked at is
        checked as far as that needs no value.
      - A file that is encrypted as a whole needs its vault secret nevertheless.
    type: bool
    default: true
  strict_names:
    description:
      - Whether everything that an option refers to by name has to be declared too, such as the private networks of an
        instance.
      - With V(false) such a name may be that of something that is at the service already, so a misspelt one is found
        only when a plan is made. Numbers and addresses are never refused.
    type: bool
    default: false
notes:
  - Options to reach a service are taken, since C(module_defaults) may set them for all modules, and mean nothing here.
seealso:
  - module: fcd.cloud.site
"""

EXAMPLES = r"""
- name: Check what is declared
  fcd.cloud.site_validate:
    src: site.yml
  register: checked

- name: Show how much it is
  ansible.builtin.debug:
    msg: "{{ checked.site }} declares {{ checked.count }} things: {{ checked.counts }}"

- name: Check it as it is in production, without the passwords at hand
  fcd.cloud.site_validate:
    src: site.yml
    overlays: [environments/production.yml]
    environment: production
    read_secrets: false
"""

RETURN = r"""
site:
  description: Name of the site.
  type: str
  returned: success
environment:
  description: The environment; null when none was given.
  type: str
  returned: success
registry:
  description: Where the site notes what it owns, as declared; empty when nothing is said.
  type: dict
  returned: success
declaration_digest:
  description:
    - Digest over all that is declared, the same for the same declaration wherever it is read.
    - Values of secret options are not in it, only whether they are given.
  type: str
  returned: success
  sample: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
count:
  description: How many things are declared.
  type: int
  returned: success
counts:
  description: The same for each kind that is declared.
  type: dict
  returned: success
  sample: {instances: 3, storage_objects: 2}
services:
  description: The interfaces of the service that are needed to apply it, among V(rest), V(soap) and V(storage).
  type: list
  elements: str
  returned: success
entries:
  description: All that is declared, in the order of creation.
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
      description: Whether it is one of the V(foundations), which are created before all others, or of the V(rest).
      type: str
      returned: always
    state:
      description: The declared state; null for kinds that have none.
      type: str
      returned: always
    refs:
      description: What it refers to, each as kind and name with a dot between them.
      type: list
      elements: str
      returned: always
errors:
  description: All that is wrong; empty when everything is right.
  type: list
  elements: dict
  returned: always, unless an option of the task is wrong
  contains:
    source:
      description: File and line.
      type: str
      returned: always
    kind:
      description: Kind of the entry; null for what concerns no entry, as with the two that follow.
      type: str
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    entry:
      description: What messages call it; empty for what concerns no entry.
      type: str
      returned: always
      sample: instances[3] (web)
    msg:
      description: What is wrong, and what would be right.
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
