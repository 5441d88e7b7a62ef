#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_report
short_description: Write or remove reports of what a site plans, how it has drifted, or what was changed
version_added: 1.0.0
description:
  - Writes a plan, as returned by M(fcd.cloud.site) or stored in a plan file, in formats for people, programs and
    pipelines.
  - All formats show what happens to each entry, whether it was edited in the file or changed at the service since the
    last apply, and which policies failed. If the plan covers only some entries, they begin by saying
    so.
  - It does not contact any service.
  - It does not fail if the plan contains changes or errors; the playbook decides about that.
  - Names in the plan never become markup, links, mentions or scripts in a report. Invisible characters, such as control
    characters, zero-width characters and changes of text direction, are shown as escapes like C(\u202e).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._attributes
  - fcd.cloud._attributes.controller
options:
  state:
    description:
      - With V(present), the reports are written, of O(plan), O(src) or O(parts).
      - With V(absent), the reports of O(name) are removed, in O(formats), and no other file. A run that begins with
        this leaves no report of an earlier run in place of its own if it ends early.
    type: str
    choices: [present, absent]
    default: present
  plan:
    description:
      - The plan, a mapping as in RV(fcd.cloud.site#module:plan). Mutually exclusive with O(src) and O(parts).
    type: dict
  src:
    description:
      - Plan file. Mutually exclusive with O(plan) and O(parts).
      - A relative path starts at the current folder of the command.
    type: path
  parts:
    description:
      - Plan files or JSON reports of all parts of a site, which become one report. Mutually exclusive with O(plan) and
        O(src).
      - They must be of the same version of the site file, and one of each part. The report of the foundations can be
        among them.
      - The JSON report of all parts is not a plan that can be applied.
    type: list
    elements: path
  mode:
    description:
      - What the plan was created for, if the plan does not say so itself. A plan from check mode has V(plan), and
        becomes a drift report with V(drift). V(prune) is for what would be pruned; V(pruned) for what was.
      - A plan created with O(fcd.cloud.site#module:state=absent) is reported as the removal of its site.
      - For a plan that was applied, failed entries are reported only as errors.
    type: str
    choices: [plan, apply, drift, prune, pruned]
  drift_of:
    description:
      - What a drift report counts. V(service) counts only what was changed at the service since the last apply.
      - The rest is shown as not counted, in JUnit as a skipped test.
      - It does nothing in other modes.
    type: str
    choices: [all, service]
    default: all
  dest:
    description:
      - Folder to write the reports to. It is created if it does not exist.
      - The folder, and any parent folders that are created, can be entered by everyone who may read the reports; see
        O(report_mode). An existing folder keeps its permissions.
      - It must belong to this user or to root. A symbolic link to it, or in place of a report, is followed if it also
        belongs to one of them, for example to the folder of a web server, and rejected otherwise.
      - Files are replaced atomically, and only if their content or permissions differ.
      - A relative path starts at the current folder of the command.
    type: path
    required: true
  report_mode:
    description:
      - Permissions of the reports in octal, quoted. By default, nobody else can read them, since they list everything
        the site has. V('0640') lets a group read them, for example that of a web server; V('0644') all users.
    type: raw
    default: '0600'
  formats:
    description:
      - Formats to write. By default, all of them.
      - V(json) (C(.json)) is the plan itself, with its keys sorted.
      - V(markdown) (C(.md)) is for a comment on a merge request. It is limited to 60,000 characters, and says how much
        it leaves out. Its first line is an HTML comment that stays the same from run to run, by which a pipeline finds
        its earlier comment.
      - V(html) (C(.html)) is a page with a light and a dark theme that people can search, filter and print. It loads
        nothing, and is readable without scripts. For very large plans, it leaves out diffs and says so.
      - V(junit) (C(.junit.xml)) shows each entry that changes as a test - failed for drift, skipped if planned, passed
        if applied. Errors are errors, and a single passed test stands for all unchanged entries. Each policy is a test.
    type: list
    elements: str
    choices: [json, markdown, html, junit]
    default: [json, markdown, html, junit]
  name:
    description:
      - Base of the file names - letters, digits, dots, hyphens and underscores.
    type: str
    default: plan
  history:
    description:
      - Folder of earlier drift reports. A plan of the mode C(drift) is kept there as C(drift-<time>-<digest>.json); the
        folder is created if it does not exist. The HTML page shows a chart of them.
      - Reports of several sites, environments, stages and parts can share a folder; each uses only its own.
      - Other files are left alone and counted, on the page and in RV(history.skipped).
      - A relative path starts at the current folder of the command.
    type: path
  keep:
    description:
      - How many drift reports of this site, environment, stage and part to keep; the oldest are removed.
    type: int
    default: 90
attributes:
  check_mode:
    details: No file is written or removed.
  diff_mode:
    support: none
    details: The reports are differences themselves.
  idempotent:
    details: The same plan and the same earlier reports produce the same files.
notes:
  - Options for reaching a service are accepted, since C(module_defaults) may set them for all modules, but have no
    effect here.
seealso:
  - module: fcd.cloud.site
  - module: fcd.cloud.site_validate
  - ref: ansible_collections.fcd.cloud.docsite.site_file
    description: Guide to site files.
"""

EXAMPLES = r"""
- name: Remove the reports of an earlier run
  fcd.cloud.site_report:
    state: absent
    dest: reports

- name: Show what would change
  fcd.cloud.site:
    src: site.yml
  check_mode: true
  register: planned

- name: Write reports in all formats
  fcd.cloud.site_report:
    plan: "{{ planned.plan }}"
    dest: reports
  check_mode: false # the last task reads a file of them, also in check mode

- name: Write a drift report and keep it for the chart of later reports
  fcd.cloud.site_report:
    plan: "{{ planned.plan }}"
    mode: drift
    dest: reports
    name: drift
    history: reports/history
  register: reported

- name: Show the path of the HTML page
  ansible.builtin.debug:
    msg: "{{ reported.files.html }}"

- name: Create a comment for a merge request from a plan file
  fcd.cloud.site_report:
    src: reports/plan.json
    dest: reports
    name: comment
    formats: [markdown]

- name: Plan one half of the rest of the site
  fcd.cloud.site:
    src: site.yml
    stage: rest
    part: 1/2
  check_mode: true
  register: first

- name: Plan the other half
  fcd.cloud.site:
    src: site.yml
    stage: rest
    part: 2/2
  check_mode: true
  register: second

- name: Write a report of the first half
  fcd.cloud.site_report:
    plan: "{{ first.plan }}"
    dest: reports
    name: plan-1-of-2
  check_mode: false

- name: Write a report of the other half
  fcd.cloud.site_report:
    plan: "{{ second.plan }}"
    dest: reports
    name: plan-2-of-2
  check_mode: false

- name: Write one report of both
  fcd.cloud.site_report:
    parts:
      - reports/plan-1-of-2.json
      - reports/plan-2-of-2.json
    dest: reports
    name: plan-of-all-parts
"""

RETURN = r"""
files:
  description: Path of the report in each format. A free mapping of formats to paths, empty if they were removed.
  returned: success
  type: dict
  sample: {html: /builds/shop/reports/drift.html, json: /builds/shop/reports/drift.json}
history:
  description: The earlier reports; null without O(history).
  returned: success
  type: dict
  contains:
    file:
      description: Where this report is kept; null if it is not a drift report.
      type: str
      returned: always
    reports:
      description: How many reports the chart shows, including this one.
      type: int
      returned: always
    skipped:
      description: How many files in the folder are not drift reports.
      type: int
      returned: always
  sample: {file: /builds/shop/reports/history/drift-20261121T020000Z-5e0c1f0a.json, reports: 31, skipped: 0}
"""

from ..module_utils._ansible.execution import controller_operation, run_module

OPERATION = controller_operation(
    "site_report",
    {
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "plan": {"type": "dict"},
        "src": {"type": "path"},
        "parts": {"type": "list", "elements": "path"},
        "mode": {"type": "str", "choices": ["plan", "apply", "drift", "prune", "pruned"]},
        "drift_of": {"type": "str", "choices": ["all", "service"], "default": "all"},
        "dest": {"type": "path", "required": True},
        "report_mode": {"type": "raw", "default": "0600"},
        "formats": {
            "type": "list",
            "elements": "str",
            "choices": ["json", "markdown", "html", "junit"],
            "default": ["json", "markdown", "html", "junit"],
        },
        "name": {"type": "str", "default": "plan"},
        "history": {"type": "path"},
        "keep": {"type": "int", "default": 90},
    },
    {
        "required_if": [("state", "present", ("plan", "src", "parts"), True)],
        "mutually_exclusive": [("plan", "src", "parts")],
    },
)


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
