#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site
short_description: Plan and apply a whole site in one task
version_added: 1.0.0
description:
  - Creates, changes and removes everything that a site file declares, in one task - SSH keys, networks, addresses,
    containers, clients, instances, disks, schedules, objects, folders, warehouses, users and price lists.
  - Each entry is found, compared and changed, and created only once, as by the module for its kind. Data that several
    entries need is read once. Entries that do not refer to one another are processed in parallel.
  - In check mode, it makes a plan - RV(plan) lists what would change, and only read requests are sent.
  - If the declaration of any entry is invalid, nothing is changed. If an entry fails in any other way, only the entries
    that refer to it are held back. The task then fails at the end and reports all failures, and the next run completes
    what is missing.
  - The registry of the site, a file or an object in a container, records what the site has created. A declared object
    that existed before is kept as declared and never removed.
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
        variables of the task. Decrypted and looked-up values are never part of an argument or a result, unless the file
        marks them with C(!reveal).
      - Relative paths start at the current folder.
    type: path
    required: true
  overlays:
    description:
      - Files of the same structure to lay over the site file, in this order. Mappings are merged, entries by their
        keys; an entry with C(remove=true) is taken out.
    type: list
    elements: path
    default: []
  environment:
    description:
      - The name of the environment, such as V(production). Objects that are created belong to the site in this
        environment. Its registry and locks are separate from those of other environments and of the site without an
        environment.
      - It does not select files; set O(overlays) for that.
    type: str
  state:
    description:
      - With V(present), all entries are brought to their declared state.
      - With V(absent), everything that the site owns is removed, declared or not, and dependent objects are removed
        first. Declared objects that this site did not create are left alone, with a warning.
      - Disks and addresses removed this way, or by O(prune), are detached first. Clients and the container of the
        registry are never removed this way.
    type: str
    choices: [present, absent]
    default: present
  stage:
    description:
      - The entries that this run covers. V(foundations) are keys, networks, addresses, containers and clients; V(rest)
        is everything else. What the entries of a stage refer to is only read.
    type: str
    choices: [all, foundations, rest]
    default: all
  part:
    description:
      - With O(stage=rest), the share of its entries that this run covers, such as V(2/4) for the second of four. All
        parts together cover the stage, and each entry is always in the same part.
      - The registry of the site has to be in a container, unless O(lock=file) says that all parts run on one host.
    type: str
  kinds:
    description:
      - Limit the run to entries of these kinds.
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
      - instance_groups
      - load_balancers
      - health_checks
      - health_check_notifications
      - instance_schedules
      - group_schedules
      - instance_autoscalers
      - group_autoscalers
      - storage_objects
      - storage_folders
      - warehouses
      - client_users
      - client_pricelists
      - client_fixed_amounts
  targets:
    description:
      - Limit the run to these entries, each as V(kind.key) or V(kind.name), such as V(instances.web), and to
        everything they refer to, directly or indirectly. Everything else is ignored, and entries that are no longer
        declared are not reported.
      - With O(state=absent), only the named entries are removed, declared or not, and not what they refer to. Cannot be
        combined with O(prune).
    type: list
    elements: str
  plan:
    description:
      - File with the plan of an earlier run, as JSON. The task fails before anything is changed, and reports what
        differs, unless site, stage, part, kinds, targets, environment, limits, policies and declaration are the same
        and the state of the service has not changed since.
      - This also covers secret values and files to send, which the plan binds by digest without showing them. The
        digests are made with O(site_key), or with a key that this controller keeps in O(state_dir). To plan and apply
        on different hosts, give the same O(site_key) to both, or only its public key to the one that plans.
      - An edited plan is rejected.
    type: path
  prune:
    description:
      - Whether to only remove what the site owns and no longer declares.
    type: bool
    default: false
  max_delete:
    description:
      - Maximum number of objects that O(prune) or O(state=absent) may remove, as a number (V(10)) or as a share
        (V(30%)) of everything the site owns. A replacement counts as a removal.
      - If there are more, the task shows the plan and fails before anything is done. For removals, it also fails in
        check mode.
      - With O(plan) and the default, the limit of the plan applies, except to O(prune) and O(state=absent).
    type: str
    default: "10"
  max_replace:
    description:
      - Maximum number of objects that may be replaced, which means removed and created again, as a number or as a share
        of everything the site owns.
      - If omitted, no instance and no disk is replaced, and other replacements count only towards O(max_delete).
      - If there are more, the task shows the plan and fails before anything is done; check mode only warns.
      - If omitted with O(plan), the limit of the plan applies.
    type: str
  show_plan:
    description:
      - Whether to show the plan while the task runs, before anything is done - a line for each entry that changes, the
        changes below it, and the counts at the end. With C(-v), nothing is left out.
      - After an apply without errors, also the outputs of the site, with their values.
      - If the task takes longer than five seconds outside check mode, a line also reports the beginning of each entry,
        and another one its end and duration, unless O(progress) hides them.
      - Nothing is shown with C(no_log), or with a callback that outputs JSON.
    type: bool
    default: true
  drift:
    description:
      - Whether this run, in check mode, looks for drift. The plan is shown and returned as a drift report, which
        O(plan) does not accept.
    type: bool
    default: false
  adopt:
    description:
      - Whether declared objects that already exist become the site's own, as if it had created them.
    type: bool
    default: false
  policies:
    description:
      - Files, or folders of files, with checks that the plan must pass before anything is changed, in addition to those
        named in the site file. In check mode, the task shows the plan and then fails too.
      - A file has a list C(policies). Each check has a C(name), C(that) with one or more expressions, as in
        C(ansible.builtin.assert), and a C(message). Expressions can use the returned RV(plan) and all variables of the
        task. A member that the plan does not have is an error, even before C(default). With C(each=true), a check is
        evaluated for each change, available as C(change). With C(when), a check applies only to some plans.
    type: list
    elements: path
    default: []
  hosts:
    description:
      - Whether to return the instances of the run in RV(hosts).
    type: bool
    default: false
  host_groups:
    description:
      - Groups to which a later task adds RV(hosts). No host gets the name of one of them.
    type: list
    elements: str
    default: []
  concurrency:
    description:
      - Maximum number of concurrent requests, 1 to 100.
    type: int
    default: 20
  wait_timeout:
    description:
      - Maximum time in seconds to wait for the service, for each entry or for all instances together.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
  create_grace:
    description:
      - Time in seconds during which a new object may not be visible yet, as in the modules for each kind.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
attributes:
  action:
    details: >-
      The module runs on the controller, in the process of the task. The connection to the host and C(become) have no
      effect; C(environment) is rejected, since it would not take effect.
notes:
  - If a container's listing shows everything that is declared for an object (content and content type), the object is
    not requested individually. A listing may lag behind the objects by some seconds.
  - To recover from an interrupted task, run it again.
  - Objects are owned by the site, or by the site in an O(environment). Environments, like sites, can share a container
    for their registries; an object created by one of them cannot be declared by another. A registry file belongs to
    only one of them.
seealso:
  - module: fcd.cloud.site_validate
  - module: fcd.cloud.site_report
  - module: fcd.cloud.site_state
  - module: fcd.cloud.site_export
  - module: fcd.cloud.instance_fleet
  - ref: ansible_collections.fcd.cloud.docsite.site_file
    description: Guide to site files.
"""

EXAMPLES = r"""
- name: Show what would change
  fcd.cloud.site:
    src: site.yml
  check_mode: true
  register: planned

- name: Save the plan
  ansible.builtin.copy:
    content: "{{ planned.plan | to_json }}"
    dest: site.plan.json
    mode: "0600"
  check_mode: false # the next task reads the file, also in check mode

- name: Apply the plan if nothing has changed since
  fcd.cloud.site:
    src: site.yml
    plan: site.plan.json

- name: Remove what the site owns and no longer declares, at most three objects
  fcd.cloud.site:
    src: site.yml
    prune: true
    max_delete: "3"

- name: Remove everything that the site owns
  fcd.cloud.site:
    src: site.yml
    state: absent
    max_delete: 100%

- name: Apply the site in the production environment
  fcd.cloud.site:
    src: site.yml
    overlays:
      - environments/production.yml
    environment: production
"""

RETURN = r"""
site:
  description: The name of the site.
  returned: always, unless an option or the site file is invalid
  type: str
  sample: web-shop
targets:
  description: The value of O(targets), sorted; null if the run covered the whole site.
  returned: always, unless an option or the site file is invalid
  type: list
  elements: str
plan:
  description:
    - What would change, or what was to be changed when the task began. Secrets in it are hidden.
    - Write it to a file as JSON to use it with O(plan).
  returned: always, unless an option or the site file is invalid
  type: dict
  contains:
    format:
      description: Version of the format.
      type: int
      returned: always
    collection:
      description: Version of the collection.
      type: str
      returned: always
    site:
      description: The name of the site.
      type: str
      returned: always
    environment:
      description: The value of O(environment).
      type: str
      returned: always
    stage:
      description: The value of O(stage).
      type: str
      returned: always
    part:
      description: The value of O(part).
      type: str
      returned: always
    kinds:
      description: The value of O(kinds).
      type: list
      elements: str
      returned: always
    state:
      description: The value of O(state).
      type: str
      returned: always
    mode:
      description: V(plan) in check mode, V(prune) with O(prune), and V(apply) otherwise.
      type: str
      returned: always
    targets:
      description: The value of O(targets), sorted.
      type: list
      elements: str
      returned: always
    registry:
      description: The container of the registry; null if the registry is a file.
      type: str
      returned: always
    adopt:
      description: The value of O(adopt).
      type: bool
      returned: always
    force_create:
      description: The value of O(force_create).
      type: bool
      returned: always
    max_delete:
      description: The value of O(max_delete).
      type: str
      returned: always
    max_replace:
      description: The value of O(max_replace).
      type: str
      returned: always
    made_at:
      description: When it was created, in UTC.
      type: str
      returned: always
    declaration_digest:
      description: Digest of the declaration, without the values of secrets.
      type: str
      returned: always
    changes_digest:
      description: Digest of everything that would change, before and after.
      type: str
      returned: always
    policies_digest:
      description: Digest of the files of all policies; null if there are none.
      type: str
      returned: always
    shown_digest:
      description: Digest of everything that the plan shows.
      type: str
      returned: in check mode, and with O(plan)
    bound:
      description:
        - What the plan binds without showing it, a free mapping; null for a run whose plan cannot be applied later.
        - C(values) has a digest of each secret value, C(files) of each file to send, by name. C(account) has a digest
          of each address and login that the run uses. C(seal) is a digest of the whole plan.
        - The digests are made with the C(salt) and the key named in C(key), so that nobody without the private key can
          guess values by trial and error. C(key) is null if no O(site_key) is given and there is nothing to bind.
      type: dict
      returned: always
    entries:
      description: Number of entries that the run covers, including orphans.
      type: int
      returned: always
    counts:
      description:
        - Number of entries by what would happen to them, a free mapping.
        - C(create), C(update), C(replace) and C(delete) are changes of objects. C(adopt) are objects that already exist
          and become the site's own, C(move) entries that only have another key or name, and C(release) those that stay
          but no longer belong to the site.
        - C(unchanged) entries stay as they are, C(orphan) are those that still exist but are no longer declared, and
          C(error) those that cannot be planned.
      type: dict
      returned: always
    by_kind:
      description: The same for each kind. A free mapping of kinds to counts as in RV(plan.counts).
      type: dict
      returned: always
    changes:
      description: What would change. Values that are not known yet are shown as C((known after apply)).
      type: list
      elements: dict
      returned: always
      contains:
        kind:
          description: Kind of the entry.
          type: str
          returned: always
        name:
          description: The name of the entry.
          type: str
          returned: always
        key:
          description: The label that references use.
          type: str
          returned: always
        action:
          description: What would be done.
          type: str
          returned: always
        id:
          description: ID of the object; null if it does not exist.
          type: raw
          returned: always
        before:
          description: The values that would change, as they are; a free mapping.
          type: dict
          returned: always
        after:
          description: The same values as they would be; a free mapping.
          type: dict
          returned: always
        source:
          description: File and line where it is declared.
          type: str
          returned: always
        owner:
          description: The site that owns the object.
          type: str
          returned: always
        forced_by:
          description: The options that force a replacement.
          type: list
          elements: str
          returned: always
        creates_first:
          description: Whether the new object is created before the old one is removed.
          type: bool
          returned: always
        adopts:
          description: Whether the object becomes the site's own.
          type: bool
          returned: always
        moved_from:
          description: The key or name under which the site owned it before; null if it is the same.
          type: str
          returned: always
        applied:
          description: Whether it was applied before; null if this is not known.
          type: bool
          returned: always
        edited:
          description: Whether its declaration was edited since the last apply; null if this is not known.
          type: bool
          returned: always
        drifted:
          description: Whether it was changed at the service since then; null if this is not known.
          type: bool
          returned: always
        refusal:
          description: With O(drift), why an apply cannot undo this difference; null if it can.
          type: str
          returned: always
    not_sent:
      description: Edits since the last apply that nothing in this run sends, or compares with the service.
      type: list
      elements: dict
      returned: always
      contains:
        kind:
          description: Kind of the entry.
          type: str
          returned: always
        name:
          description: The name of the entry.
          type: str
          returned: always
        option:
          description: The edited option.
          type: str
          returned: always
        msg:
          description: When the edit counts.
          type: str
          returned: always
        source:
          description: File and line where the entry is declared.
          type: str
          returned: always
    unknown_edits:
      description: Number of entries of which it is not known whether such an option was edited since the last apply.
      type: int
      returned: always
    not_owned:
      description: Number of declared objects that exist and are not the site's own, so that prune keeps them.
      type: int
      returned: always
    registry_is_new:
      description: Whether the registry has no entries yet.
      type: bool
      returned: always
    policies:
      description: Result of each check.
      type: list
      elements: dict
      returned: always
      contains:
        name:
          description: The name of the check.
          type: str
          returned: always
        file:
          description: File of the policy.
          type: str
          returned: always
        message:
          description: What the check says.
          type: str
          returned: always
        passed:
          description: Whether it passed.
          type: bool
          returned: always
    errors:
      description: Entries that cannot be planned.
      type: list
      elements: dict
      returned: always
      contains:
        kind:
          description: Kind of the entry.
          type: str
          returned: always
        name:
          description: The name of the entry.
          type: str
          returned: always
        source:
          description: File and line where it is declared.
          type: str
          returned: always
        msg:
          description: The error message.
          type: str
          returned: always
        next_step:
          description: What to do about it.
          type: str
          returned: always
        error:
          description: The error in machine-readable form.
          type: dict
          returned: always
          contains:
            kind:
              description: Kind of the error, such as V(InvalidInput).
              type: str
              returned: always
counts:
  description: The same counts as RV(plan.counts).
  returned: always, unless an option or the site file is invalid
  type: dict
  contains:
    create:
      description: Entries that were created, or would be. The other keys are those of RV(plan.counts).
      type: int
      returned: always
    changed:
      description: Entries that were changed and did not fail.
      type: int
      returned: outside check mode
    failed:
      description: Entries that failed.
      type: int
      returned: outside check mode
    not_begun:
      description: Entries that were not begun.
      type: int
      returned: outside check mode
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
    - The values that C(outputs) in the site file names. Values that only an apply can determine are shown as C((known
      after apply)), and values of a failed entry are null. Outputs of entries that the run does not cover are left out.
    - If an output refers to something that does not exist, the task fails, before anything is changed if this can be
      known then. Otherwise, everything is done and reported completely.
    - A free mapping.
  returned: if the site file has outputs
  type: dict
  sample:
    web_address: 203.0.113.7
hosts:
  description: The instances that the run covers and that exist when it ends.
  returned: with O(hosts=true)
  type: list
  elements: dict
  contains:
    name:
      description: >-
        The name of the instance. If another host or a group of the inventory, another instance of the run or the local
        host has it, the ID is appended, as in C(web_1042), with a warning.
      type: str
      returned: always
    id:
      description: ID of the instance.
      type: int
      returned: always
    vars:
      description: >-
        The default variables of the inventory plugin P(fcd.cloud.instances#inventory), including C(ansible_host),
        which is C(no-address.invalid.) for an instance without an address; a free mapping.
      type: dict
      returned: always
failed_entries:
  description: Entries that failed or were not begun.
  returned: always, unless an option or the site file is invalid
  type: list
  elements: dict
  contains:
    action:
      description: What was to be done.
      type: str
      returned: always
    kind:
      description: Kind of the entry.
      type: str
      returned: always
    name:
      description: The name of the entry.
      type: str
      returned: always
    source:
      description: File and line where it is declared.
      type: str
      returned: always
    msg:
      description: The error message.
      type: str
      returned: always
    next_step:
      description: What to do about it.
      type: str
      returned: always
    error:
      description: >-
        The error in machine-readable form, with the details that a single module returns, such as the C(ids) of an
        V(Ambiguous).
      type: dict
      returned: always
      contains:
        kind:
          description: Kind of the error, such as V(InvalidInput).
          type: str
          returned: always
  sample: []
error:
  description:
    - The error in machine-readable form. If entries cannot be planned, C(failed_entries) has all of them.
  returned: if nothing was begun
  type: dict
  contains:
    kind:
      description: Kind of the error, such as V(InvalidInput).
      type: str
      returned: always
"""

from ..module_utils._ansible.execution import TIME_OPTION, controller_operation, run_module

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
                "instance_groups",
                "load_balancers",
                "health_checks",
                "health_check_notifications",
                "instance_schedules",
                "group_schedules",
                "instance_autoscalers",
                "group_autoscalers",
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
        "drift": {"type": "bool", "default": False},
        "adopt": {"type": "bool", "default": False},
        "policies": {"type": "list", "elements": "path", "default": []},
        "hosts": {"type": "bool", "default": False},
        "host_groups": {"type": "list", "elements": "str", "default": []},
        "lock": {"type": "str", "choices": ["file", "lease", "none"]},
        "lock_timeout": {"type": TIME_OPTION, "default": 0},
        "lock_lease": {"type": TIME_OPTION, "default": 900},
        "break_lock": {"type": "bool", "default": False},
        "concurrency": {"type": "int", "default": 20},
        "wait_timeout": {"type": TIME_OPTION, "default": 2700},
        "create_grace": {"type": TIME_OPTION, "default": 30},
        "force_create": {"type": "bool", "default": False},
    },
    reaches_services=True,
)


def main() -> None:
    """Say where it runs."""
    run_module(OPERATION)


if __name__ == "__main__":
    main()
