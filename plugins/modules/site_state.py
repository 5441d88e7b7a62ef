#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site/state."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_state
short_description: List, show, release, move or sign what a site owns
version_added: 0.1.0
description:
  - Reads the registry of a site, and changes what is noted there. Nothing is changed at the service.
  - Prefer C(moved) and C(removed) in the site file, which a plan shows before they are applied. This module is for what
    they cannot say, and for a look at what there is.
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
      - The site file, which says what the site is called and where its registry is. Secrets in it are not looked at.
      - Relative paths begin at the current folder.
    type: path
    required: true
  overlays:
    description:
      - Files of the same shape that are laid over it, in this order, as for M(fcd.cloud.site).
    type: list
    elements: path
    default: []
  environment:
    description:
      - Name of the environment, as for M(fcd.cloud.site). Each has a registry of its own.
    type: str
  command:
    description:
      - V(list) tells all that the site owns, and what it found and keeps as declared.
      - V(show) tells what the registry and the service say of O(what).
      - V(release), V(move) and V(sign) take the lock that runs of the site take.
      - V(release) has the site forget O(what), which stays as it is. What is not owned is released already.
      - V(move) notes that O(what) is O(to) from now on. What was moved before is left as it is.
      - V(sign) signs the registry with O(site_key). That is how to begin, and how to change the key. Look at what it
        returns in check mode before, for all that is signed is believed from then on.
    type: str
    choices: [list, show, release, move, sign]
    default: list
  what:
    description:
      - The thing that is meant, as C(kinds.key), such as V(instances.web). Where no key is the same, its name counts.
    type: str
  to:
    description:
      - Its new key, as C(kinds.key), of the same kind. Where an entry of this key is declared, the thing becomes that
        entry.
      - Nothing is renamed at the service. An entry with another name is refused unless the thing bears that name there
        already; C(moved) in the site file renames it.
    type: str
  previous_key:
    description:
      - Key that the registry is signed with so far, for O(command=sign) with another O(site_key).
      - What is not signed with it is refused then.
    type: str
  discard:
    description:
      - Whether O(command=sign) has the site forget what is not believed, instead of refusing it. The things stay as
        they are at the service. With C(adopt) they become the site's own again.
    type: bool
    default: false
attributes:
  action:
    details: It runs on the controller in the process of the task. The connection of the host and C(become) make no
      difference; C(environment) is refused, for it would not reach it.
seealso:
  - module: fcd.cloud.site
"""

EXAMPLES = r"""
- name: List what the site owns
  fcd.cloud.site_state:
    src: site.yml
  register: owned

- name: Show what the service says of one thing
  fcd.cloud.site_state:
    src: site.yml
    command: show
    what: instances.web

- name: Leave a disk to somebody else
  fcd.cloud.site_state:
    src: site.yml
    command: release
    what: disks.archive

- name: Give an instance another key
  fcd.cloud.site_state:
    src: site.yml
    command: move
    what: instances.web
    to: instances.front

- name: See what is in a registry that was not signed so far
  fcd.cloud.site_state:
    src: site.yml
    command: sign
    site_key: "{{ vaulted_site_key }}"
  check_mode: true
  register: unsigned

- name: Change the key
  fcd.cloud.site_state:
    src: site.yml
    command: sign
    site_key: "{{ vaulted_site_key }}"
    previous_key: "{{ vaulted_previous_site_key }}"
"""

RETURN = r"""
site:
  description: Name of the site.
  returned: always, unless an option or the site file is wrong
  type: str
  sample: web-shop
environment:
  description: As in O(environment).
  returned: always, unless an option or the site file is wrong
  type: str
  sample: production
registry:
  description: Where the registry is.
  returned: always, unless an option or the site file is wrong
  type: str
  sample: web-shop-state/.fcd-sites/web-shop/whole.json
entries:
  description: All that the registry has.
  returned: with O(command=list) and O(command=sign)
  type: list
  elements: dict
  contains: &entry
    kind:
      description: Kind of the entry.
      type: str
      returned: always
      sample: instances
    key:
      description: Its key; the name where an older run has noted it.
      type: str
      returned: always
      sample: web
    name:
      description: What it is called.
      type: str
      returned: always
      sample: web
    id:
      description: Its number or other identifier, where it has one.
      type: raw
      returned: always
      sample: 250001
    origin:
      description:
        - V(created) and V(adopted) belong to the site. V(found) existed before, is kept as declared and never removed.
      type: str
      returned: always
      sample: created
    phase:
      description: V(creating) while nobody knows what came of its creation or replacement, else V(there).
      type: str
      returned: always
      sample: there
    protected:
      description: Whether C(lifecycle.prevent_destroy) was in its entry when it was applied last.
      type: bool
      returned: always
      sample: false
    made_at:
      description: When the service says that it was made, null where it does not say so.
      type: str
      returned: always
      sample: "2026-03-01T10:00:00Z"
    declared:
      description: Whether the site file declares it.
      type: bool
      returned: always
      sample: true
    doubt:
      description: Why it is not believed to be of this site, null for what is. Nothing is done while there is any.
      type: str
      returned: always
      sample: signed wrongly
doubts:
  description:
    - The documents of the registry that are not believed, such as what is not signed, signed wrongly, or older than
      what this controller has seen.
  returned: with O(command=list) and O(command=sign)
  type: list
  elements: dict
  contains:
    registry:
      description: Where the document is.
      type: str
      returned: always
      sample: web-shop-state/.fcd-sites/web-shop/whole.json
    doubt:
      description: What is wrong with it.
      type: str
      returned: always
      sample: not signed
entry:
  description: The thing that was meant, as it is in the registry now; null for what is not owned any more.
  returned: with the commands V(show), V(release) and V(move)
  type: dict
  contains: *entry
service:
  description:
    - What the service says of it, as its own module tells it. Secrets are hidden.
    - Null for what is not there, and for kinds that cannot be read so, such as published folders and clients.
  returned: with O(command=show)
  type: dict
  sample: {"id": 41101, "name": "backend"}
error:
  description: What is wrong, for programs.
  returned: on failure
  type: dict
"""

from ..module_utils._ansible.execution import controller_operation, run_module

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
        "lock_timeout": {"type": "float", "default": 0.0},
        "lock_lease": {"type": "float", "default": 900.0},
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
