#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_state
short_description: List, show, release, move or sign what a site owns
version_added: 1.0.0
description:
  - Reads the registry of a site, and changes what is recorded there. Nothing is changed at the service.
  - Prefer C(moved) and C(removed) in the site file, which a plan shows before they are applied. Use this module for
    what they cannot express, and to inspect the registry.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._connection.soap
  - fcd.cloud._connection.storage
  - fcd.cloud._connection.site
  - fcd.cloud._attributes
  - fcd.cloud._attributes.controller
  - fcd.cloud._site
options:
  src:
    description:
      - The site file, which has the name of the site and the location of its registry. Secrets in it are not read.
      - Relative paths start at the current folder.
    type: path
    required: true
  overlays:
    description:
      - Files of the same structure to lay over it, in this order, as for M(fcd.cloud.site).
    type: list
    elements: path
    default: []
  environment:
    description:
      - The name of the environment, as for M(fcd.cloud.site). Each environment has a registry of its own.
    type: str
  command:
    description:
      - V(list) returns everything that the site owns, and what it found and keeps as declared.
      - V(show) returns what the registry and the service report about O(what).
      - V(release), V(move) and V(sign) take the same lock as runs of the site.
      - V(release) makes the site give up O(what), which itself stays unchanged. The task fails if the site does
        not own it, so a second release fails, too.
      - V(move) records O(what) as O(to) from now on. Nothing is done if this was already recorded.
      - V(sign) signs the registry with O(site_key). Use it to sign for the first time, to change the key, and after
        moving the registry. First check what it returns in check mode, since everything that is signed is trusted from
        then on.
    type: str
    choices: [list, show, release, move, sign]
    default: list
  what:
    description:
      - The entry, as C(kind.key), such as V(instances.web). If no key matches, the name is used.
    type: str
  to:
    description:
      - Its new key, as C(kind.key), of the same kind. If an entry with this key is declared, the object becomes that
        entry.
      - Nothing is renamed at the service. An entry with a different name is rejected unless the object already has that
        name there; C(moved) in the site file renames it.
    type: str
  previous_key:
    description:
      - The key that the registry is currently signed with, for O(command=sign) with a different O(site_key). The public
        key is enough.
      - Anything that is not signed with it is then rejected.
    type: str
  discard:
    description:
      - Whether O(command=sign) drops entries that cannot be trusted, instead of failing. The objects stay unchanged at
        the service. With C(adopt), they become the site's own again.
    type: bool
    default: false
attributes:
  action:
    details: >-
      The module runs on the controller, in the process of the task. The connection to the host and C(become) have no
      effect; C(environment) is rejected, since it would not take effect.
seealso:
  - module: fcd.cloud.site
  - ref: ansible_collections.fcd.cloud.docsite.site_file
    description: Guide to site files.
"""

EXAMPLES = r"""
- name: List what the site owns
  fcd.cloud.site_state:
    src: site.yml
  register: owned

- name: Show what the service reports about an entry
  fcd.cloud.site_state:
    src: site.yml
    command: show
    what: instances.web

- name: Release a disk from the site
  fcd.cloud.site_state:
    src: site.yml
    command: release
    what: disks.archive

- name: Change the key of an instance
  fcd.cloud.site_state:
    src: site.yml
    command: move
    what: instances.web
    to: instances.front

- name: Show the entries of an unsigned registry
  fcd.cloud.site_state:
    src: site.yml
    command: sign
    site_key: "{{ vaulted_site_key }}"
  check_mode: true
  register: unsigned

- name: Change the signing key
  fcd.cloud.site_state:
    src: site.yml
    command: sign
    site_key: "{{ vaulted_site_key }}"
    previous_key: "{{ vaulted_previous_site_key }}"
"""

RETURN = r"""
site:
  description: The name of the site.
  returned: always, unless an option or the site file is invalid
  type: str
  sample: web-shop
environment:
  description: The value of O(environment).
  returned: always, unless an option or the site file is invalid
  type: str
  sample: production
registry:
  description: The location of the registry.
  returned: always, unless an option or the site file is invalid
  type: str
  sample: web-shop-state/.fcd-sites/web-shop/whole.json
entries:
  description: All entries of the registry.
  returned: if O(command=list) or O(command=sign)
  type: list
  elements: dict
  contains:
    kind:
      description: Kind of the entry.
      type: str
      returned: always
      sample: instances
    key:
      description: Its key; the name if an older run recorded it.
      type: str
      returned: always
      sample: web
    name:
      description: The name of the object.
      type: str
      returned: always
      sample: web
    id:
      description: Its ID or other identifier, if it has one.
      type: raw
      returned: always
      sample: 250001
    origin:
      description:
        - V(created) and V(adopted) entries belong to the site. V(found) entries existed before, are kept as declared
          and are never removed.
      type: str
      returned: always
      sample: created
    phase:
      description: V(creating) while the outcome of its creation or replacement is unknown, and V(there) otherwise.
      type: str
      returned: always
      sample: there
    protected:
      description: Whether C(lifecycle.prevent_destroy) was set in its entry when it was last applied.
      type: bool
      returned: always
      sample: false
    made_at:
      description: Creation time as reported by the service; null if it does not report one.
      type: str
      returned: always
      sample: "2026-03-01T10:00:00Z"
    declared:
      description: Whether the site file declares it.
      type: bool
      returned: always
      sample: true
    doubt:
      description: >-
        Why the entry cannot be trusted to belong to this site; null if it can. While there is any such entry, nothing
        is done.
      type: str
      returned: always
      sample: signed wrongly
table:
  description:
    - The same entries as lines of a table, the first with the headings. Line breaks and other control characters in
      names are escaped.
  returned: if O(command=list) or O(command=sign)
  type: list
  elements: str
  sample:
    - KIND                 KEY                      NAME                     ID           ORIGIN
    - instances            web                      web                      250001       created
doubts:
  description:
    - The documents of the registry that cannot be trusted, because they are not signed, have a wrong signature, or are
      older than those that this controller has seen.
  returned: if O(command=list) or O(command=sign)
  type: list
  elements: dict
  contains:
    registry:
      description: The location of the document.
      type: str
      returned: always
      sample: web-shop-state/.fcd-sites/web-shop/whole.json
    doubt:
      description: What is wrong with it.
      type: str
      returned: always
      sample: not signed
entry:
  description: The entry as it is in the registry now; null if the object is no longer owned. Keys as in RV(entries).
  returned: for the commands V(show), V(release) and V(move)
  type: dict
service:
  description:
    - The object at the service, as returned by its own module. Secrets are hidden.
    - Null if it does not exist, and for kinds that cannot be read this way, such as published folders and clients.
    - A free mapping.
  returned: if O(command=show)
  type: dict
  sample: {"id": 41101, "name": "backend"}
error:
  description: The error in machine-readable form.
  returned: failure
  type: dict
  contains:
    kind:
      description: Kind of the error, such as V(InvalidInput).
      type: str
      returned: always
"""

from ..module_utils._ansible.execution import TIME_OPTION, controller_operation, run_module

OPERATION = controller_operation(
    "site_state",
    {
        "src": {"type": "path", "required": True},
        "overlays": {"type": "list", "elements": "path", "default": []},
        "environment": {"type": "str"},
        "command": {"type": "str", "choices": ["list", "show", "release", "move", "sign"], "default": "list"},
        "what": {"type": "str"},
        "to": {"type": "str"},
        "previous_key": {"type": "str", "no_log": True},
        "discard": {"type": "bool", "default": False},
        "lock": {"type": "str", "choices": ["file", "lease", "none"]},
        "lock_timeout": {"type": TIME_OPTION, "default": 0},
        "lock_lease": {"type": TIME_OPTION, "default": 900},
        "break_lock": {"type": "bool", "default": False},
    },
    {
        "required_if": [
            ("command", "show", ("what",)),
            ("command", "release", ("what",)),
            ("command", "move", ("what", "to")),
        ]
    },
    reaches_services=True,
)


def main() -> None:
    """Say where it runs."""
    run_module(OPERATION)


if __name__ == "__main__":
    main()
