#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site
short_description: Plan and apply a whole site in one task
version_added: 0.1.0
description:
  - Creates, changes and removes what a site file declares, in one task - keys, networks, addresses, containers,
    clients, instances, disks, objects, folders, warehouses, users and price lists.
  - Each entry is found, compared, created once and changed as the module of its kind does it. What several of them need
    to know is read once. Entries that do not refer to one another are worked on side by side.
  - In check mode it plans - RV(plan) says what would change, and nothing but reads is sent.
  - Nothing is changed when an entry is declared wrong. An entry that fails otherwise keeps back only those that refer
    to it; the task fails in the end and tells them all, and the next run does what is missing.
  - What the site has created is noted in its registry, a file or an object in a container. What is declared and
    existed before is kept as declared, and never removed.
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
  - fcd.cloud._waiting.force
  - fcd.cloud._site
options:
  src:
    description:
      - The site file. It is read on the controller; vaulted values and templates in it are resolved there, with the
        variables of the task. What was decrypted or looked up is never part of an argument or a result, unless the
        file says C(!reveal).
      - Relative paths begin at the current folder.
    type: path
    required: true
  overlays:
    description:
      - Files of the same shape that are laid over it, in this order. Mappings are merged, entries by their keys; an
        entry with C(remove=true) is taken out.
    type: list
    elements: path
    default: []
  environment:
    description:
      - Name of the environment, such as V(production). What is created belongs to the site in this environment; its
        registry and its locks are not those of another one, nor of the site without any.
      - Which files are laid over the site file is what O(overlays) says.
    type: str
  state:
    description:
      - With V(present) all entries become as declared.
      - With V(absent) all that the site owns is removed, declared or not, users of a thing before the thing itself.
        What is declared and was not created by this site is left alone, which a warning tells.
      - Disks and addresses that are removed so, or by O(prune), are detached first. Clients and the container of the
        registry are never removed so.
    type: str
    choices: [present, absent]
    default: present
  stage:
    description:
      - Which entries this run is about. V(foundations) are keys, networks, addresses, containers and clients, V(rest)
        is all else. What the entries of a stage refer to is only looked at.
    type: str
    choices: [all, foundations, rest]
    default: all
  part:
    description:
      - Which share of the entries this run is about, such as V(2/4) for the second of four. All parts together are the
        whole, and each entry is always in the same part.
    type: str
  kinds:
    description:
      - Only entries of these kinds.
    type: list
    elements: str
    choices:
      - ssh_keys
      - private_networks
      - ip_addresses
      - storage_containers
      - clients
      - instances
      - disks
      - storage_objects
      - storage_folders
      - warehouses
      - client_users
      - client_pricelists
      - client_fixed_amounts
  targets:
    description:
      - Only these entries, each as V(kinds.key) or V(kinds.name), such as V(instances.web), and all that they refer to,
        directly or not. The rest is not looked at, and nothing is told of what is no longer declared.
      - With O(state=absent) only the named things are removed, declared or not, and not what they refer to. It cannot
        be combined with O(prune).
    type: list
    elements: str
  plan:
    description:
      - File with the plan of an earlier run, as JSON. Unless site, stage, part, kinds, targets, environment, limits,
        policies and declaration are the same, and the service is as it was then, the task fails before anything is
        changed, and tells what differs.
      - That goes for secret values and for files that are sent as well, which the plan binds by digests without showing
        them. The digests are made with O(site_key), or with a key that this controller keeps in O(state_dir); whoever
        plans and applies on different hosts gives O(site_key) to both.
      - A plan that was edited is refused.
    type: path
  prune:
    description:
      - Removes what the site owns and no longer declares, and does nothing else.
    type: bool
    default: false
  max_delete:
    description:
      - How many things O(prune), or O(state=absent), may remove, as number (V(10)) or as share (V(30%)) of all that
        the site owns. A replacement counts as a removal.
      - With more the task fails before anything is done. A removal of more fails in check mode too.
    type: str
    default: "10"
  max_replace:
    description:
      - How many things may be replaced, which removes them and makes them again, as number or as share of all that
        the site owns.
      - Without it no instance and no disk is replaced, and other things only count for O(max_delete).
      - With more the task fails before anything is done; check mode shows them and warns.
    type: str
  show_plan:
    description:
      - Whether the plan is shown while the task runs, before anything is done - a line for each entry that changes,
        what changes below it, and the counts in the end. With C(-v) nothing is left out.
      - Outside check mode a line tells when an entry begins, and one when it ends and how long it took.
      - Nothing is shown with C(no_log), or with a callback whose output is JSON.
    type: bool
    default: true
  adopt:
    description:
      - Whether declared objects that existed before become the site's own, as if it had created them.
    type: bool
    default: false
  policies:
    description:
      - Files, or folders with files, of checks that the plan has to pass before anything is changed, besides those
        that the site file names. In check mode the task fails too, when it has told the plan.
      - A file has a list C(policies). A check has a C(name), C(that) with one or several expressions, as in
        C(ansible.builtin.assert), and a C(message). They see C(plan), which is RV(plan), and all variables of the task.
        With C(each=true) they are tried for each of the changes, which is C(change). With C(when) a check is for some
        plans only.
    type: list
    elements: path
    default: []
  costs:
    description:
      - Adds to the plan what its changes cost a month, by the price list that a client of the SOAP service has. What
        cannot be read or priced is told in the plan, and is no error.
    type: dict
    suboptions:
      client_id:
        description: The client whose current price list counts.
        type: int
        required: true
      per:
        description: How long the prices of the list are for, which the service does not tell.
        type: str
        required: true
        choices: [hour, day, month]
      member:
        description: Name of the member that has the price in a row of the list, where several could be meant.
        type: str
      items:
        description:
          - What the rows of the price list are for. Several items for one thing add up.
          - Without an item, an instance costs what the row with the name of its type says.
        type: list
        elements: dict
        suboptions:
          service:
            description: Name of the service in the price list.
            type: str
            required: true
          kind:
            description: Kind of the entries that it is for, such as V(instances).
            type: str
            required: true
          when:
            description: Options with the values that an entry has to have, such as C(type).
            type: dict
          times:
            description: How many of it an entry takes. Either a number, or the name of an option that is one (V(size)).
            type: str
  hosts:
    description:
      - Whether to return the instances of the run as RV(hosts).
    type: bool
    default: false
  concurrency:
    description:
      - How many requests may be on their way at the same time, 1 to 100.
    type: int
    default: 20
  wait_timeout:
    description:
      - Seconds to wait for what the service does, for each entry, or for all instances together.
    type: float
    default: 2700.0
  create_grace:
    description:
      - Seconds for which something new may stay invisible, as in the modules of each kind.
    type: float
    default: 30.0
attributes:
  action:
    details: It runs on the controller in the process of the task. The connection of the host and C(become) make no
      difference; C(environment) is refused, for it would not reach it.
notes:
  - Objects of which the container's listing tells all that is declared (content and content type) are not asked for one
    by one. A listing may lag behind the objects by some seconds.
  - A task that was interrupted, in whatever way, is just run again.
  - Objects are owned by the site, or by the site in an O(environment). Environments can share a container for their
    registries, as sites can; what one of them has created, no other may declare. A file is the registry of one of them.
seealso:
  - module: fcd.cloud.site_info
  - module: fcd.cloud.instance_fleet
"""

EXAMPLES = r"""
- name: Show what would change
  fcd.cloud.site:
    src: site.yml
  check_mode: true
  register: planned

- name: Keep the plan
  ansible.builtin.copy:
    content: "{{ planned.plan | to_json }}"
    dest: site.plan.json
    mode: "0600"

- name: Apply it, if nothing has changed since
  fcd.cloud.site:
    src: site.yml
    plan: site.plan.json

- name: Remove what the site has created and no longer declares, three objects at most
  fcd.cloud.site:
    src: site.yml
    prune: true
    max_delete: "3"

- name: Remove all that the site has created
  fcd.cloud.site:
    src: site.yml
    state: absent
    max_delete: 100%

- name: Apply the site as it is in production, where it is another owner
  fcd.cloud.site:
    src: site.yml
    overlays:
      - environments/production.yml
    environment: production
"""

RETURN = r"""
site:
  description: Name of the site.
  returned: always, unless an option or the site file is wrong
  type: str
  sample: web-shop
targets:
  description: As in O(targets), sorted; null when the run was about the whole site.
  returned: always, unless an option or the site file is wrong
  type: list
  elements: str
plan:
  description:
    - What would change, or what was to be changed when the task began. Secrets are hidden in it.
    - Written to a file as JSON, it is what O(plan) takes.
  returned: always, unless an option or the site file is wrong
  type: dict
  contains:
    format:
      description: Number of the format.
      type: int
      returned: always
    collection:
      description: Version of the collection.
      type: str
      returned: always
    site:
      description: Name of the site.
      type: str
      returned: always
    environment:
      description: As in O(environment).
      type: str
      returned: always
    stage:
      description: As in O(stage).
      type: str
      returned: always
    part:
      description: As in O(part).
      type: str
      returned: always
    kinds:
      description: As in O(kinds).
      type: list
      elements: str
      returned: always
    state:
      description: As in O(state).
      type: str
      returned: always
    mode:
      description: V(plan) in check mode, V(prune) with O(prune), else V(apply).
      type: str
      returned: always
    targets:
      description: As in O(targets), sorted.
      type: list
      elements: str
      returned: always
    adopt:
      description: As in O(adopt).
      type: bool
      returned: always
    max_delete:
      description: As in O(max_delete).
      type: str
      returned: always
    max_replace:
      description: As in O(max_replace).
      type: str
      returned: always
    made_at:
      description: When it was created, in UTC.
      type: str
      returned: always
    declaration_digest:
      description: Digest over what is declared, without the values of secrets.
      type: str
      returned: always
    world_digest:
      description: Digest over all that would change, before and after.
      type: str
      returned: always
    policies_digest:
      description: Digest over the files of all policies, null without any.
      type: str
      returned: always
    shown_digest:
      description: Digest over all that the plan shows.
      type: str
      returned: in check mode, and with O(plan)
    bound:
      description:
        - What the plan binds without showing it, null in a run that nobody can be bound to. C(values) has a digest of
          each secret value, C(files) of each file that would be sent, by their names. C(account) has one of each
          address and login of the services that the run uses. C(seal) is a digest over all of the plan.
        - The digests are made with the C(salt) and the key that is called C(key), so that nobody can try values out.
          C(key) is null where no O(site_key) is given and there is nothing to bind.
      type: dict
      returned: always
    entries:
      description: Number of entries that the run is about, orphans included.
      type: int
      returned: always
    counts:
      description:
        - How many entries would be created (C(create)), changed (C(update)), replaced (C(replace)) or removed
          (C(delete)), exist and become the site's own (C(adopt)), have another key or name and nothing else to change
          (C(move)), stay and are no longer the site's own (C(release)), are C(unchanged), are no longer declared and
          still there (C(orphan)), or cannot be planned (C(error)).
      type: dict
      returned: always
    by_kind:
      description: The same for each kind.
      type: dict
      returned: always
    changes:
      description:
        - What would change, with C(kind), C(name), C(key), C(action), C(id), C(before), C(after), C(source),
          C(owner) and C(forced_by), the options that force a replacement. With C(creates_first) it is created before
          the old one goes.
        - C(adopts) says that it becomes the site's own, C(moved_from) by what key or name the site owned it before.
          C(edited) says whether its declaration was edited since the last apply, C(drifted) whether it was changed at
          the service; they are null where nobody knows.
        - What is known only later reads C((known after apply)).
      type: list
      elements: dict
      returned: always
    policies:
      description: What came of each check, with C(name), C(file), C(message) and C(passed).
      type: list
      elements: dict
      returned: always
    cost:
      description:
        - What the changes that could be priced cost a month, C(before) and C(after), in C(currency). C(unpriced) lists
          C(kind), C(name) and C(why) of the others. C(unavailable) says why no price could be read.
        - A change that could be priced has C(cost) with C(before), C(after) and C(currency).
      type: dict
      returned: with O(costs)
    errors:
      description:
        - Entries that cannot be planned, with C(kind), C(name), C(source), C(msg), C(next_step) and C(error), as
          RV(failed_entries) has it.
      type: list
      elements: dict
      returned: always
counts:
  description:
    - As RV(plan.counts). Outside check mode also how many entries were C(changed), C(failed) or were C(not_begun).
  returned: always, unless an option or the site file is wrong
  type: dict
  sample:
    create: 1
    update: 2
    replace: 0
    delete: 0
    orphan: 0
    unchanged: 297
    error: 0
    changed: 3
    failed: 0
    not_begun: 0
outputs:
  description:
    - The values that C(outputs) of the site file names. What only an apply can tell reads C((known after apply)), and
      what is of an entry that failed is null. Outputs of entries that the run is not about are left out.
    - With an output that leads nowhere the task fails, before anything is changed where that can be known. Otherwise
      all is done, and what is told of it is whole.
  returned: when the site file has outputs
  type: dict
  sample:
    web_address: 203.0.113.7
hosts:
  description:
    - The instances that the run is about and that are there when it ends, with C(name), C(id), and as C(vars) what the
      inventory plugin P(fcd.cloud.instances#inventory) has by default, C(ansible_host) included.
  returned: with O(hosts=true)
  type: list
  elements: dict
failed_entries:
  description:
    - Entries that failed or were not begun (C(action)), with C(kind), C(name), C(source), C(msg) and C(next_step).
    - Their C(error) is for programs. It has the C(kind) of the error, such as V(CannotDetermine), and the details that
      a single module has, such as the C(ids) of an V(Ambiguous).
  returned: always, unless an option or the site file is wrong
  type: list
  elements: dict
  sample: []
error:
  description:
    - What is wrong, for programs. With entries that are declared wrong, C(failed_entries) has all of them.
  returned: when nothing was begun
  type: dict
"""

from ..module_utils._ansible.execution import controller_operation, run_module

OPERATION = controller_operation(
    "site",
    {
        "src": {"type": "path", "required": True},
        "overlays": {"type": "list", "elements": "path", "default": []},
        "environment": {"type": "str"},
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "stage": {"type": "str", "choices": ["all", "foundations", "rest"], "default": "all"},
        "part": {"type": "str"},
        "kinds": {
            "type": "list",
            "elements": "str",
            "choices": [
                "ssh_keys",
                "private_networks",
                "ip_addresses",
                "storage_containers",
                "clients",
                "instances",
                "disks",
                "storage_objects",
                "storage_folders",
                "warehouses",
                "client_users",
                "client_pricelists",
                "client_fixed_amounts",
            ],
        },
        "targets": {"type": "list", "elements": "str"},
        "plan": {"type": "path"},
        "prune": {"type": "bool", "default": False},
        "max_delete": {"type": "str", "default": "10"},
        "max_replace": {"type": "str"},
        "show_plan": {"type": "bool", "default": True},
        "adopt": {"type": "bool", "default": False},
        "policies": {"type": "list", "elements": "path", "default": []},
        "costs": {
            "type": "dict",
            "options": {
                "client_id": {"type": "int", "required": True},
                "per": {"type": "str", "required": True, "choices": ["hour", "day", "month"]},
                "member": {"type": "str"},
                "items": {
                    "type": "list",
                    "elements": "dict",
                    "options": {
                        "service": {"type": "str", "required": True},
                        "kind": {"type": "str", "required": True},
                        "when": {"type": "dict"},
                        "times": {"type": "str"},
                    },
                },
            },
        },
        "hosts": {"type": "bool", "default": False},
        "lock": {"type": "str", "choices": ["file", "lease", "none"]},
        "lock_timeout": {"type": "float", "default": 0.0},
        "lock_lease": {"type": "float", "default": 900.0},
        "break_lock": {"type": "bool", "default": False},
        "concurrency": {"type": "int", "default": 20},
        "wait_timeout": {"type": "float", "default": 2700.0},
        "create_grace": {"type": "float", "default": 30.0},
        "force_create": {"type": "bool", "default": False},
    },
    reaches_services=True,
)


def main() -> None:
    """Say where it runs."""
    run_module(OPERATION)


if __name__ == "__main__":
    main()
