# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""JUnit: what CI servers read of it, by a schema of what they share."""

from __future__ import annotations

import typing as t

from lxml import etree

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.junit import junit_report
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import ReportedPlan

from . import sample_plans

SCHEMA = """
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="testsuites">
    <xs:complexType>
      <xs:sequence><xs:element name="testsuite" type="suite" minOccurs="1" maxOccurs="unbounded"/></xs:sequence>
      <xs:attribute name="name" type="line"/>
      <xs:attributeGroup ref="sums"/>
    </xs:complexType>
    <xs:unique name="suites"><xs:selector xpath="testsuite"/><xs:field xpath="@name"/></xs:unique>
  </xs:element>
  <xs:complexType name="suite">
    <xs:sequence><xs:element name="testcase" type="case" minOccurs="1" maxOccurs="unbounded"/></xs:sequence>
    <xs:attribute name="name" type="line" use="required"/>
    <xs:attributeGroup ref="sums"/>
    <xs:attribute name="skipped" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="timestamp" use="required">
      <xs:simpleType>
        <xs:restriction base="xs:dateTime"><xs:pattern value="[^Z+]*"/></xs:restriction>
      </xs:simpleType>
    </xs:attribute>
  </xs:complexType>
  <xs:complexType name="case">
    <xs:choice minOccurs="0">
      <xs:element name="skipped" type="outcome"/>
      <xs:element name="failure" type="outcome"/>
      <xs:element name="error" type="outcome"/>
      <xs:element name="system-out" type="xs:string"/>
    </xs:choice>
    <xs:attribute name="name" type="line" use="required"/>
    <xs:attribute name="classname" type="line" use="required"/>
    <xs:attribute name="time" type="xs:decimal" use="required"/>
    <xs:attribute name="file" type="line"/>
    <xs:attribute name="line" type="xs:positiveInteger"/>
  </xs:complexType>
  <xs:complexType name="outcome">
    <xs:simpleContent>
      <xs:extension base="xs:string">
        <xs:attribute name="message" type="line" use="required"/>
        <xs:attribute name="type" type="line"/>
      </xs:extension>
    </xs:simpleContent>
  </xs:complexType>
  <xs:attributeGroup name="sums">
    <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="time" type="xs:decimal"/>
  </xs:attributeGroup>
  <xs:simpleType name="line">
    <xs:restriction base="xs:string"><xs:pattern value="[^\\r\\n\\t]+"/></xs:restriction>
  </xs:simpleType>
</xs:schema>
"""
RULES = etree.XMLSchema(etree.fromstring(SCHEMA))
OUTCOMES = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}

Read = t.Callable[[sample_plans.Plan], ReportedPlan]


def document(plan: ReportedPlan) -> etree._Element:
    return etree.fromstring(junit_report(plan).encode())


def test_it_is_valid_and_its_sums_are_right(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        root = document(plan)
        RULES.assertValid(root)
        for element in [root, *root.findall("testsuite")]:
            for name, tag in OUTCOMES.items():
                if element is not root or name != "skipped":
                    assert element.get(name) == str(len(element.findall(f".//{tag}")))


def test_drift_fails_and_the_rest_passes(read: Read) -> None:
    root = document(read(sample_plans.usual(mode="drift")))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("11", "6", "0")
    (web,) = root.findall(".//testcase[@name='web-2']")
    assert dict(web.attrib) == {
        "name": "web-2",
        "classname": "web-shop.instances",
        "time": "0",
        "file": "environments/production.yml",
        "line": "8",
    }
    failure = web.find("failure")
    assert failure is not None
    assert failure.text is not None
    assert dict(failure.attrib) == {"message": "web-2 differs from the declaration", "type": "different"}
    assert "- type: v1.standard-1.09\n+ type: v1.standard-2.2" in failure.text


def test_the_name_of_a_test_stays(read: Read) -> None:
    """A CI server shows how a test went before by its name."""
    names = [
        {case.get("name") for case in document(read(data)).iter("testcase")}
        for data in (sample_plans.usual(mode="drift"), sample_plans.clean(mode="drift"))
    ]
    assert names[1] == {"entries that are as declared"}
    assert names[1] < names[0]


def test_what_is_planned_is_skipped_and_what_was_done_passes(read: Read) -> None:
    planned, done = (document(read(sample_plans.usual(mode=mode))) for mode in ("plan", "apply"))
    assert len(planned.findall(".//skipped")) == 6
    assert [done.findall(f".//{tag}") for tag in ("skipped", "failure", "error")] == [[], [], []]


def test_errors_are_errors(read: Read) -> None:
    root = document(read(sample_plans.failed()))
    told = {
        case.get("name"): case.findtext("error") for case in root.iter("testcase") if case.find("error") is not None
    }
    assert told == {
        "db-1": "The template 'Debian 80' is not there.\nDid you mean 'Debian 8'?\nsite.yml:40",
        "db-2": "GET /instances: 503 Service Unavailable (request 7f3a)\nTry again later.\nsite.yml:40",
        "the whole site": "The registry cannot be read: it is no JSON.",
    }


def test_policies_are_tests(read: Read) -> None:
    cases = document(read(sample_plans.identities())).findall("testsuite[@name='web-shop.policies']/testcase")
    assert {case.get("name"): [child.get("message") for child in case] for case in cases} == {
        "no container is public": ["assets can be read by everybody. Take .r:* out of read_acl."],
        "names begin with the site": [],
    }


def test_what_is_said_of_the_whole_and_of_each(read: Read) -> None:
    root = document(read(sample_plans.identities(mode="drift", targets=["instances.web"])))
    first, notes = root.findall("testsuite[@name='web-shop.site']/testcase")
    assert first[0].get("message", "").startswith("Only these entries and what they need: instances.web. ")
    assert "1 of 2 policies passed." in (notes.findtext("system-out") or "")
    (web,) = root.findall(".//testcase[@name='web']")
    assert "moved from instances.old\nedited in the file since the last apply\n" in (web.findtext("failure") or "")


def test_there_is_always_a_test(read: Read) -> None:
    (case,) = document(read(sample_plans.empty())).iter("testcase")
    assert case.get("name") == "nothing is declared"
