#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_report
short_description: Write reports of what a site plans, has drifted or was changed
version_added: 0.1.0
description:
  - Writes a plan, as M(fcd.cloud.site) returns it or keeps it in a plan file, in formats for people, programs and
    pipelines.
  - All formats tell what becomes of each entry, whether it was edited in the file or changed at the service since the
    last apply, what it costs a month, and which policies failed. A plan of a few entries only says so first.
  - It asks no service.
  - It does not fail when the plan has changes or errors; that is up to the playbook.
  - What is named in the plan never becomes markup, a link, a mention or a script in a report. What cannot be seen, such
    as control characters, characters of no width and changes of direction, stands there as an escape like C(\u202e).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._attributes
  - fcd.cloud._attributes.controller
options:
  plan:
    description:
      - The plan, as RV(fcd.cloud.site#module:plan). Give this or O(src).
    type: dict
  src:
    description:
      - Plan file. Give this or O(plan).
      - A relative path begins at the current folder of the command.
    type: path
  mode:
    description:
      - What the plan was created for, when it does not say so itself. A plan from check mode says V(plan), and becomes
        a drift report with V(drift). V(prune) is for what would be pruned; V(pruned) for what was.
      - A plan created with O(fcd.cloud.site#module:state=absent) is reported as the removal of its site.
      - Of a plan that was applied, entries with an error are told as errors only.
    type: str
    choices: [plan, apply, drift, prune, pruned]
  drift_of:
    description:
      - What a drift report counts. V(service) counts only what was changed at the service since the last apply.
      - The rest is shown as not counted, in JUnit as a skipped test and in SARIF as a note.
      - It does nothing in other modes.
    type: str
    choices: [all, service]
    default: all
  dest:
    description:
      - Folder to write the reports to. It is created where it is missing.
      - The folder, and those above it that are missing too, can be entered by those who may read the reports, see
        O(report_mode). A folder that is there keeps its permissions.
      - It has to belong to this user or to root. A link to it, or at the place of a report, is followed when it does
        so too, for example to the folder of a web server, and refused otherwise.
      - Files are replaced in one step, and only when their content or permissions differ.
      - A relative path begins at the current folder of the command.
    type: path
    required: true
  report_mode:
    description:
      - Permissions of the reports in octal, quoted. Nobody else can read them by default, since they name all that the
        site has. V('0640') lets a group read them, for example that of a web server; V('0644') all users.
    type: raw
    default: '0600'
  formats:
    description:
      - Formats to write, all of them by default.
      - V(json) (C(.json)) is the plan itself, with its names sorted.
      - V(markdown) (C(.md)) is for a comment on a merge request. It is not longer than 60,000 characters, and tells how
        much it leaves out. Its first line is an HTML comment that stays the same from run to run, by which a pipeline
        finds its earlier comment.
      - V(html) (C(.html)) is one page for people, in light and dark, to search, filter and print. It loads nothing, and
        can be read without scripts. Of very large plans it leaves out differences and says so.
      - V(junit) (C(.junit.xml)) shows each entry that changes as a test - failed when it is drift, skipped when it is
        planned, passed when it was applied. Errors are errors, and one passed test is for what is as declared. Each
        policy is a test.
      - V(sarif) (C(.sarif)) is SARIF 2.1.0, with which code hosts mark the lines of the site file. It has 5,000 results
        at most, errors before changes.
    type: list
    elements: str
    choices: [json, markdown, html, junit, sarif]
    default: [json, markdown, html, junit, sarif]
  name:
    description:
      - Base of the file names - letters, digits, dots, hyphens and underscores.
    type: str
    default: plan
  history:
    description:
      - Folder of earlier drift reports. A plan of the mode C(drift) is kept there as C(drift-<time>-<digest>.json); the
        folder is created where it is missing. The page shows a chart of them.
      - Reports of several sites, environments, stages and parts may share a folder; each sees its own only.
      - Files that are no such reports are left alone and counted, in the page and in RV(history.skipped).
      - A relative path begins at the current folder of the command.
    type: path
  keep:
    description:
      - How many drift reports of this site, environment, stage and part are kept; the oldest are removed.
    type: int
    default: 90
attributes:
  check_mode:
    details: No file is written or removed.
  diff_mode:
    support: none
    details: The reports are differences themselves.
  idempotent:
    details: The same plan and the same earlier reports give the same files.
notes:
  - Options to reach a service are taken, since C(module_defaults) may set them for all modules, and mean nothing here.
seealso:
  - module: fcd.cloud.site
  - module: fcd.cloud.site_validate
"""

EXAMPLES = r"""
- name: Show what would change
  fcd.cloud.site:
    src: site.yml
  check_mode: true
  register: planned

- name: Report it in all formats
  fcd.cloud.site_report:
    plan: "{{ planned.plan }}"
    dest: reports

- name: Report it as drift, and keep the report for the chart of the next ones
  fcd.cloud.site_report:
    plan: "{{ planned.plan }}"
    mode: drift
    dest: reports
    name: drift
    history: reports/history
  register: reported

- name: Show where the page is
  ansible.builtin.debug:
    msg: "{{ reported.files.html }}"

- name: Create a comment for a merge request from a plan file
  fcd.cloud.site_report:
    src: reports/plan.json
    dest: reports
    name: comment
    formats: [markdown]
"""

RETURN = r"""
files:
  description: Path of the report in each format.
  returned: success
  type: dict
  sample: {html: /builds/shop/reports/drift.html, json: /builds/shop/reports/drift.json}
history:
  description: The earlier reports; none without O(history).
  returned: success
  type: dict
  contains:
    file:
      description: Where this report is kept; none when it is no drift report.
      type: str
      returned: always
    reports:
      description: How many reports the chart shows, this one included.
      type: int
      returned: always
    skipped:
      description: How many files of the folder are no drift reports.
      type: int
      returned: always
  sample: {file: /builds/shop/reports/history/drift-20261121T020000Z-5e0c1f0a.json, reports: 31, skipped: 0}
"""

from ..module_utils._ansible.execution import controller_operation, run_module

OPERATION = controller_operation(
    "site_report",
    {
        "plan": {"type": "dict"},
        "src": {"type": "path"},
        "mode": {"type": "str", "choices": ["plan", "apply", "drift", "prune", "pruned"]},
        "drift_of": {"type": "str", "choices": ["all", "service"], "default": "all"},
        "dest": {"type": "path", "required": True},
        "report_mode": {"type": "raw", "default": "0600"},
        "formats": {
            "type": "list",
            "elements": "str",
            "choices": ["json", "markdown", "html", "junit", "sarif"],
            "default": ["json", "markdown", "html", "junit", "sarif"],
        },
        "name": {"type": "str", "default": "plan"},
        "history": {"type": "path"},
        "keep": {"type": "int", "default": 90},
    },
    {"required_one_of": [("plan", "src")], "mutually_exclusive": [("plan", "src")]},
)


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
