# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Markdown, read by a real reader of the kind that code hosts use: tables, links made of bare addresses, HTML."""

from __future__ import annotations

import re
import typing as t

from lxml import etree, html
from markdown_it import MarkdownIt

from ansible_collections.fcd.cloud.plugins.module_utils._core.text import visible
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report import templates as comment
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.junit import junit_report
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import ReportedPlan, reported_plan
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.templates import html_page
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.terminal import plan_lines

from . import sample_plans

OURS = {
    *("h3", "h4", "p", "strong", "sub", "code", "pre", "details", "summary", "blockquote", "ul", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
CODE = {"code", "pre"}
Read = t.Callable[[sample_plans.Plan], ReportedPlan]


def rendered(plan: ReportedPlan) -> html.HtmlElement:
    text = comment.markdown_report(plan)
    return html.fragment_fromstring(MarkdownIt("gfm-like", {"html": True}).render(text), create_parent="div")


def prose(root: html.HtmlElement) -> t.Iterator[str]:
    """Yield the text in which code hosts look for mentions, numbers of issues, addresses: all but code."""
    for element in root.iter():
        if isinstance(element.tag, str) and not _is_code(element):
            yield element.text or ""
        if not (_is_code(element.getparent()) if element.getparent() is not None else False):
            yield element.tail or ""


def _is_code(element: html.HtmlElement) -> bool:
    return any(one.tag in CODE for one in [element, *element.iterancestors()])


def test_only_our_own_elements_come_out(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        elements = [element for element in rendered(plan).iter() if isinstance(element.tag, str)]
        assert {element.tag for element in elements[1:]} <= OURS
        allowed = {("open", ""), ("class", "language-diff"), ("class", "language-text"), ("style", "text-align:right")}
        assert {pair for element in elements for pair in element.attrib.items()} <= allowed


def test_nothing_of_strangers_is_prose() -> None:
    """No mention, link or emphasis can come of what is in code."""
    for data in [sample_plans.hostile(), sample_plans.hostile_besides()]:
        told = " ".join(prose(rendered(reported_plan(data, "plan"))))
        for mark in ("@", "#", "://", "javascript", "alert", "www", "bold", "**", "`", "[", "<"):
            assert mark not in told


def test_every_name_can_be_read() -> None:
    root = rendered(reported_plan(sample_plans.hostile(), "plan"))
    names = [summary.findall("code")[1].text for summary in root.iter("summary") if len(summary.findall("code")) == 3]
    assert [name for name in names if name and "characters)" not in name] == [
        visible(name) for name in sample_plans.HOSTILE[:-1]
    ]


def test_a_code_span_is_one() -> None:
    """The blanks at its ends apart, which Markdown may take away."""
    for text in sample_plans.HOSTILE:
        (paragraph,) = html.fragments_fromstring(MarkdownIt("gfm-like").render(comment.code_span(text)))
        (code,) = paragraph
        assert (paragraph.text, code.tag, code.tail) == (None, "code", None)
        assert (code.text or "").strip().startswith(visible(text[:100]).strip()[:90])


def test_the_comment_by_which_it_is_found_again(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        first, *_rest = comment.markdown_report(plan).splitlines()
        note = etree.fromstring(f"<a>{first}</a>")[0]
        assert note.text
        assert note.text.startswith(f" fcd.cloud.site_report {plan.mode} {plan.site}")


def test_the_same_comment_for_other_changes_and_another_for_other_parts(read: Read) -> None:
    plans = [sample_plans.usual(), sample_plans.many(2, environment="production"), sample_plans.usual(part="1/2")]
    first, same, part = (comment.marker(read(plan)) for plan in plans)
    assert first == same == "<!-- fcd.cloud.site_report plan web-shop production all -->"
    assert part != first


def test_it_is_bounded_and_says_so() -> None:
    for number in [200, 300, 5000]:
        plan = reported_plan(sample_plans.many(number), "plan")
        text = comment.markdown_report(plan)
        assert comment.size(text) <= comment.MAX_COMMENT_BYTES
        shown = text.count("<details>")
        assert text.count("</details>") == shown
        assert (f"and **{number - shown:,} more**" in text) is (shown < number)


def test_characters_are_counted_as_code_hosts_do() -> None:
    changes = [sample_plans.change("disks", "🚀" * 100 + str(number), "delete") for number in range(2000)]
    text = comment.markdown_report(reported_plan(sample_plans.plan(changes), "plan"))
    assert len(text.encode("utf-16-le")) // 2 <= comment.MAX_COMMENT_BYTES
    assert " more**" in text


def test_what_people_read_first(read: Read) -> None:
    text = comment.markdown_report(read(sample_plans.usual(mode="drift")))
    assert text.splitlines()[1:4] == [
        "### Drift of `web-shop (production)`",
        "",
        "**Drift in 6 entries.** 2 missing, 2 different, 1 unwanted, 1 no longer declared, 294 unchanged.",
    ]
    assert "| Instances | 1 | 1 | · | · | 117 |" in text
    assert "```diff\n- type: v1.standard-1.09\n+ type: v1.standard-2.2\n" in text


def test_a_replacement_says_what_forces_it(read: Read) -> None:
    text = comment.markdown_report(read(sample_plans.replacing()))
    assert "**2 changes planned.** 1 update, 1 replace, 294 unchanged." in text
    assert "<code>\N{MINUS SIGN}/+</code> replace <code>web</code>" in text
    assert "- template: Debian 8\n+ template: Debian 9  (forces replacement)\n" in text


def test_what_changes_its_identity(read: Read) -> None:
    text = comment.markdown_report(read(sample_plans.identities(targets=["instances.web", "disks.data"])))
    lines = text.splitlines()
    assert lines[3] == (
        "> **⚠ Only these entries and what they need:** `instances.web`, `disks.data`. "
        "The rest of the site was not looked at."
    )
    assert (
        "**7 changes planned, 1 no longer declared and 2 errors.** 1 create, 2 update, 1 replace, 1 adopt, 1 move, "
        "1 release, 1 no longer declared, 1 error, 294 unchanged."
    ) in lines
    assert "1 of 2 policies passed." in lines
    assert "The plan also pins 1 secret value and 2 files: apply is refused if one of them changes." in lines
    assert (" · moved from <code>instances.old</code> · edited in the file since the last apply</summary>") in text
    assert "❌ Policies <code>no container is public</code> <code>policies/storage.yml:8</code>" in text


def test_headlines(read: Read) -> None:
    for plan, told in [
        (sample_plans.clean(mode="drift"), "**No drift.** 294 unchanged."),
        (sample_plans.clean(), "**Nothing to do.** 294 unchanged."),
        (sample_plans.clean(mode="apply"), "**Nothing had to change.** 294 unchanged."),
        (sample_plans.empty(mode="prune"), "**Nothing to prune.** no entries."),
        (sample_plans.many(1), "**1 change planned.** 1 create, 120 unchanged."),
        (
            sample_plans.many(4),
            (
                "**3 changes planned and 1 no longer declared.** 1 create, 1 update, 1 delete, 1 no longer declared, "
                "120 unchanged."
            ),
        ),
        (sample_plans.many(3, mode="apply"), "**3 changes made.** 1 created, 1 updated, 1 deleted, 120 unchanged."),
        (sample_plans.failed(), "**3 changes planned and 3 errors.** 2 create, 1 update, 2 error, 294 unchanged."),
        (sample_plans.plan(errors=[sample_plans.failure("x", "y")]), "**1 error.** 1 error."),
        (sample_plans.removed(3, mode="prune"), "**3 entries to remove.** 3 delete, 2 already gone."),
        (sample_plans.removed(1, mode="pruned"), "**1 entry removed.** 1 deleted, 2 already gone."),
        (sample_plans.removed(0, state="absent"), "**Nothing to remove.** 2 already gone or not owned."),
        (
            sample_plans.removed(1, mode="apply", state="absent"),
            "**1 entry removed.** 1 deleted, 2 already gone or not owned.",
        ),
    ]:
        assert told in comment.markdown_report(read(plan)).splitlines()


def test_what_it_is_about(read: Read) -> None:
    """Prune is about what is declared no longer: it says nothing of how much is declared."""
    for plan, title, extent in [
        (sample_plans.empty(), "Plan", "Nothing is declared"),
        (sample_plans.removed(0), "Plan", "2 entries declared"),
        (sample_plans.empty(mode="prune"), "Prune", "The site owns nothing removable that is no longer declared"),
        (sample_plans.removed(1, mode="prune"), "Prune", "3 entries no longer declared"),
        (sample_plans.removed(1, mode="pruned"), "Prune", "3 entries no longer declared"),
        (sample_plans.removed(1, state="absent"), "Deprovision plan", "3 entries of the site"),
        (sample_plans.removed(1, mode="apply", state="absent"), "Deprovision", "3 entries of the site"),
        (sample_plans.empty(mode="apply", state="absent"), "Deprovision", "The site has nothing that could be removed"),
    ]:
        checked_plan = read(plan)
        text = comment.markdown_report(checked_plan)
        assert text.splitlines()[1] == f"### {title} of `web-shop`"
        assert f" · {extent}</sub>" in text
        page = html.document_fromstring(html_page(checked_plan, None))
        assert page.xpath("string(//div[@class='says']/p)") == f"{extent}."
        assert (page.findtext(".//title") or "").startswith(f"{title} of web-shop: ")


def test_what_comes_before_the_old_one_goes_has_a_sign_of_its_own() -> None:
    change = sample_plans.change("instances", "web", "replace", creates_first=True)
    plan = reported_plan(sample_plans.plan([change]), "plan")
    assert "<code>+/\N{MINUS SIGN}</code> replace" in comment.markdown_report(plan)
    assert ">+/\N{MINUS SIGN}</span>" in html_page(plan, None)


def test_what_no_change_shows_is_told_in_every_format() -> None:
    edit = {"kind": "instances", "name": "web*[x](y)", "option": "ssh_keys", "source": "site.yml:1"}
    told = {"not_sent": [{**edit, "msg": "edited; counts only when the object is created"}], "unknown_edits": 1}
    given = sample_plans.plan(unchanged={"instances": 2}, not_owned=2, registry_is_new=True, **told)
    plan = reported_plan(given, "plan")
    page = html.fromstring(html_page(plan, None)).text_content()
    for text in (rendered(plan).text_content(), page, junit_report(plan), "\n".join(map(str, plan_lines(given)))):
        assert "instances web*[x](y) ssh_keys: edited; counts only when the object is created" in text
        assert "In 1 entry, options that cannot be compared with the service may have been edited" in text
        assert re.search(
            "The registry is new, so 2 declared objects are not the site.{1,6}s own: prune keeps them", text
        )
    assert "1 as declared; 1 with edits that are not sent." in plan_lines(given)[-1].text
