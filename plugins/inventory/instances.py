# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inventory of the instances of an account."""

from __future__ import annotations

DOCUMENTATION = r"""
name: instances
short_description: Inventory of the compute instances of an account
version_added: 1.0.0
description:
  - Adds every instance of the account as a host, with its properties as variables.
  - The list is read in large pages, and the names of the subregions once; instances are not requested individually.
  - The inventory file must be named C(fcd.yml), or end in C(.fcd.yml) or C(.fcd.yaml).
  - Connection options can be set in this file, in the environment or in the profile file; with C(FCD_) variables alone,
    the file needs only its first line. String values in the file can be templates or vaulted.
  - Data from the service is never treated as a template, whatever an instance is named.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - constructed
  - inventory_cache
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.rest
notes:
  - Expressions that are only the name of a variable, such as C(fcd_status.label) or C(fcd_subregion['label']), take
    almost no time in O(compose), O(groups), O(keyed_groups) and O(hostnames). Any other expression is evaluated as a
    template for each host.
  - The keys of O(keyed_groups) are the variables of the hosts, such as C(fcd_status.label). For C(fcd_template.label),
    which is otherwise V(null), set O(template_names=true). A key that has no value for any host makes no group, and the
    plugin warns.
  - C(fcd_cpu_number) and C(fcd_ram_mb) are V(null) if the service does not return them. A condition such as
    C(fcd_ram_mb is not none and fcd_ram_mb >= 8192) is then false; C(fcd_ram_mb is none) finds these instances.
  - Numbers and booleans can also be keys of O(keyed_groups). They are written as in a template, C(34) or C(True).
  - The cache is separate for each address, account, set of O(filters), O(template_names) and O(details). Everything
    else is computed again and can be changed without a new request to the service.
  - Ansible continues without hosts if an inventory fails. Set E(ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED) to V(true) to
    make it stop.
options:
  plugin:
    description: Token that marks the file as an inventory of this plugin.
    type: str
    required: true
    choices:
      - fcd.cloud.instances
  filters:
    description:
      - Filters that the service itself applies; an instance must match all of them.
    type: dict
    default: {}
    suboptions:
      query:
        description: Free text, as in the search field of the panel.
        type: str
      is_turned_on:
        description: Whether the instance is powered on.
        type: bool
      subregion:
        description: >-
          The name of the subregion. For an unknown name, the error suggests similar ones. Takes one more request.
        type: str
      subregion_id:
        description: ID of the subregion.
        type: int
      type:
        description: >-
          Label of the instance type. For an unknown label, the error suggests similar ones. Takes one more request.
        type: str
      type_id:
        description: ID of the instance type.
        type: int
      template_type_id:
        description: ID of the template type.
        type: int
  template_names:
    description:
      - Whether to look up the names of templates for C(fcd_template.label). With the instances, the service reports
        only their IDs, so this takes one more request, or one for each of up to three templates.
      - If V(false), or if a template was withdrawn, the label is V(null).
    type: bool
    default: false
  details:
    description:
      - What else to read about the instances, for further variables. Without it, no request is sent for any of this.
      - V(groups) sets C(fcd_groups), the names of the groups of the service that an instance is in. It takes one
        request, and one for each group.
      - V(load_balancers) sets C(fcd_load_balancers), the names of those of these groups that have a load balancer. It
        takes one request, and one for each load balancer whose group is not read for V(groups).
      - V(schedules) sets C(fcd_schedules), a list of what the service does at certain times, as
        M(fcd.cloud.instance_schedule_info) returns it, in short. It takes one request.
      - V(health_checks) sets C(fcd_health_check.label) and C(fcd_health_check_status), the name and status of the
        health check. It takes one request.
    type: list
    elements: str
    default: []
    choices: [groups, load_balancers, schedules, health_checks]
  include:
    description:
      - Keep only instances that match at least one of the entries.
      - An entry is a free mapping of keys such as C(name), C(status) or C(subregion.label), as in the instances that
        M(fcd.cloud.instance) returns, to the values that all of them must have.
      - Strings and numbers are compared as shell patterns, such as C(web-*). A list matches any of its values.
      - A value with an ID and a label matches by either.
    type: list
    elements: dict
    default: []
  exclude:
    description:
      - Drop instances that match at least one of the entries, which have the same form as in O(include).
    type: list
    elements: dict
    default: []
  hostnames:
    description:
      - Names for the hosts; the first that is not empty is used. The ID of the instance is the last resort.
      - Each is a key as in O(include), or an expression with the variables of the host, such as C(fcd_name | lower).
      - It can also be a mapping with such a C(name), and with a C(prefix), a C(suffix) or both, which are keys or
        expressions, too. A C(separator), V(_) by default, joins them. An empty prefix or suffix is left out.
      - Hosts of two accounts need different names, such as C(fcd_name ~ '.staging'). Otherwise, Ansible takes them for
        one host, and the plugin warns.
      - Names of instances are not unique. All hosts that share a name get their ID appended, as in C(web_1042), with a
        warning; so does a host with the name of the local host, in any spelling, or of a group, including the groups
        that this file makes and hosts of an earlier file of this plugin. Groups that a later source of another plugin
        or a play makes are not known yet.
      - Underscores replace the characters that have a meaning where names of hosts are used, in patterns, paths and
        commands. These are blanks, control characters, brackets, a leading dash, and C(,;:*?!&~@/\'"`$<>|). IPv6
        addresses keep their colons.
    type: list
    elements: raw
    default:
      - name
  address:
    description:
      - The address to use as C(ansible_host), if the instance has it.
      - An instance without this address gets C(no-address.invalid.), which nothing can connect to, so that no name of
        an instance decides where Ansible connects. The exception is a host whose name is itself an address that the
        service reports, as with V(dns_address) in O(hostnames). Ansible connects to that.
      - O(compose) may override it, with a value that is not empty. It and the groups find C(ansible_host) undefined if
        there is no address.
      - V(none) sets nothing. Ansible then connects to the name of the host, so use it only where everyone who may name
        an instance may choose the machine.
    type: str
    default: public_or_private
    choices:
      - public
      - private
      - public_or_private
      - private_or_public
      - dns
      - none
  hostvars_prefix:
    description:
      - Prefix of the variable names.
      - Without a prefix, some of the names, such as C(name), have a special meaning in Ansible.
    type: str
    default: fcd_
  cache_stale_seconds:
    description:
      - Time in seconds after O(cache_timeout) during which the cached list is used, with a warning, if the service
        cannot be reached or fails. V(0) disables this.
      - Rejected credentials are always an error, and so is a failure if the cache was to be refreshed.
    type: int
    default: 86400
seealso:
  - module: fcd.cloud.instance
  - plugin: fcd.cloud.instances
    plugin_type: lookup
  - plugin: ansible.builtin.constructed
    plugin_type: inventory
  - ref: ansible_collections.fcd.cloud.docsite.several_accounts
    description: Guide to several accounts.
"""

EXAMPLES = r"""
# The minimum: prod.fcd.yml, with FCD_BASE_URL, FCD_AUTH_URL and so on in the environment or in the profile file
plugin: fcd.cloud.instances
---
# Running instances of one subregion, by private address, in groups
plugin: fcd.cloud.instances
filters:
  is_turned_on: true
  subregion: EU-001
exclude:
  - name: tmp-*
  - is_locked: true
address: private_or_public
keyed_groups:
  - key: fcd_status.label
    prefix: status
  - key: fcd_subregion.label
    prefix: subregion
    parent_group: subregions
  - key: fcd_type.label
    prefix: type
groups:
  large: fcd_ram_mb is not none and fcd_ram_mb >= 8192
compose:
  ansible_user: "'admin'"
---
# The groups of the service as groups of Ansible, and one for each load balancer; subregion in front of the names
plugin: fcd.cloud.instances
details: [groups, load_balancers]
keyed_groups:
  - key: fcd_groups
    prefix: group
  - key: fcd_load_balancers
    prefix: balanced
hostnames:
  - name: name
    prefix: fcd_subregion.label
    separator: "-"
---
# Another account, from a profile of its own; the list is kept for ten minutes
plugin: fcd.cloud.instances
profile: staging
hostnames:
  - dns_address
  - name
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: ~/.cache/fcd-inventory
cache_timeout: 600
"""

import re
import typing as t

from ansible.errors import AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import REST, connection_options
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.private_files import open_regular
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor, did_you_mean, plain_data, visible
from ansible_collections.fcd.cloud.plugins.plugin_utils._instance_hosts import InstanceHosts
from ansible_collections.fcd.cloud.plugins.plugin_utils._instance_source import InstanceSource
from ansible_collections.fcd.cloud.plugins.plugin_utils._screen import display, show_detail

FILE_ENDINGS = (".fcd.yml", ".fcd.yaml", "/fcd.yml", "/fcd.yaml")
PLUGIN_LINE = re.compile(rb"""^plugin[ \t]*:[ \t]*["']?fcd\.cloud\.instances\b""", re.MULTILINE)
BYTES_SEARCHED = 65536
"""So many bytes of a file with another name are searched for what asks for this plugin."""
TEMPLATED_OPTIONS = ("filters", *connection_options((REST,)))
"""Options that may be templates in the file; those of the fragment C(constructed) are expressions by themselves."""


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    """Instances as hosts."""

    NAME = "fcd.cloud.instances"

    def verify_file(self, path: str) -> bool:
        """Return whether the file is for this plugin, by its name."""
        if not super().verify_file(path):
            return False
        if f"/{path}".endswith(FILE_ENDINGS):
            return True
        if path.endswith((".yml", ".yaml")) and _asks_for_this(path):
            self._warn(f"The name of {path} does not fit. Call it fcd.yml, or let it end in .fcd.yml or .fcd.yaml.")
        return False

    def parse(self, inventory: InventoryData, loader: DataLoader, path: str, cache: bool = True) -> None:
        """Add the hosts; without ``cache`` the user wants no old ones."""
        super().parse(inventory, loader, path, cache)
        config = self._read_config_data(path)
        redactor = Redactor()
        try:
            options = self._read_options(config)
            settings = Settings.resolve(options, (REST,))
            task = Task(settings, warn=display.warning, tell=show_detail, runner="inventory")
            redactor = task.redactor
            hosts = InstanceHosts(self, options, self._warn)
            hosts.add(InstanceSource(self, self.NAME, task, options).records(renew=not cache))
        except FcdError as error:
            raise AnsibleParserError(visible(redactor.text(f"{self.NAME}: {error}"))) from None

    def _read_options(self, config: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
        """Return the options as plain data, without their templates. Raises InvalidInput for an unknown one."""
        options: dict[str, t.Any] = self.get_options()
        for name in config:
            if name not in options:
                raise InvalidInput(f"There is no option {name!r}.", next_step=did_you_mean(str(name), options))
        self.templar.available_variables = self._vars or {}
        written = {name: self.templar.template(config[name]) for name in TEMPLATED_OPTIONS if name in config}
        plain = {name: plain_data(options[name]) for name in ("include", "exclude")}
        return {**options, **plain, **plain_data(written)}

    def _warn(self, text: str) -> None:
        display.warning(visible(f"{self.NAME}: {text}"))


def _asks_for_this(path: str) -> bool:
    """Return whether the file names this plugin, though its own name does not fit."""
    try:
        with open_regular(path) as file:
            return PLUGIN_LINE.search(file.read(BYTES_SEARCHED)) is not None
    except OSError:
        return False
