# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the documentation site: the guides, a page for every plugin and role, and the README files of the checkout.

``python docsite.py [--open]``. It needs no network, and any warning is an error. Standard library only.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import typing as t
from pathlib import Path, PurePosixPath

import collection_tree
import contents
import enter
import virtual_environment
import workspace

REQUIREMENTS = workspace.CHECKOUT / "tests" / "tools" / "requirements-docs.txt"
DOCS = workspace.CHECKOUT / "docs"
PAGES = ("CONTRIBUTING.md", "docs/**/*.md", "roles/*/README.md", "extensions/**/README.md", "tests/sandbox/README.md")
"""Markdown of the checkout that is shown as it is; a page has the path of its file, below ``project``."""

REFERENCE = (
    "--use-current",
    "--squash-hierarchy",
    "--use-html-blobs",
    "--fail-on-error",
    "--no-add-antsibull-docs-version",
)
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s#]+)(#[^)\s]*)?\)")
CONTENTS = re.compile(r"^\.\. contents::\n(?: +.*\n)*", re.MULTILINE)
GUIDES = re.compile(r"^Guides\n-+\n\n\.\. toctree::\n(?: +.*\n|\n)*", re.MULTILINE)
MENU = re.compile(r"^\.\. toctree::\n    :maxdepth: 1\n    :hidden:\n\n(?: +.*\n)+", re.MULTILINE)
OF_ANSIBLE = re.compile(r"\.\./\.\./ansible/builtin/(\w+)\.html")
EXPLAINED = "../ansible.html#ansible-collections-ansible-builtin-"
OPENERS = ("xdg-open", "open")


def python() -> Path:
    """Return the Python of the environment. Raises SystemExit when it cannot be built."""
    with workspace.locked("docs-tools"):
        return virtual_environment.build(workspace.folder() / "docs", enter.controller(), [REQUIREMENTS])


def build() -> Path:
    """Build the site anew; return the folder of its pages. Raises SystemExit when anything is wrong."""
    programs = python().parent
    place = workspace.folder() / "docsite"
    with workspace.locked("docsite"):
        shutil.rmtree(place, ignore_errors=True)
        source = place / "source"
        reference = source / "collection"
        reference.mkdir(parents=True, mode=0o700)  # antsibull-docs wants it to be writable by nobody else
        for page in DOCS.glob("*.rst"):
            shutil.copy(page, source)
        shutil.copytree(DOCS / "static", source / "static")
        copy_pages(source / "project")
        write_groups(source / "project" / "modules")
        _run(programs, "antsibull-docs", "collection", *REFERENCE, "--dest-dir", str(reference), "fcd.cloud")
        options = ["--builder", "html", "--fail-on-warning", "--keep-going", "--quiet", "--jobs", "2"]
        folders = ["--conf-dir", str(DOCS), "--doctree-dir", str(place / "doctrees"), str(source), str(place / "html")]
        for page in reference.glob("*.rst"):
            page.write_text(adapted(page.read_text(encoding="utf-8")), encoding="utf-8")
        _run(programs, "sphinx-build", *options, *folders)
    return place / "html"


def pages(checkout: Path = workspace.CHECKOUT) -> list[str]:
    """Return the paths of the Markdown files that become pages, relative to the checkout."""
    found = {file for pattern in PAGES for file in checkout.glob(pattern)}
    return sorted(str(file.relative_to(checkout)) for file in found - {contents.TABLES})


def copy_pages(target: Path) -> None:
    """Copy the Markdown files; what they link to and is no page itself becomes plain text."""
    shown = set(pages())
    for name in shown:
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = (workspace.CHECKOUT / name).read_text(encoding="utf-8")
        copy.write_text(with_links_to(shown, name, text), encoding="utf-8")


def write_groups(target: Path) -> None:
    """Write a page for each group of modules and plugins, with all of them below it in the menu."""
    target.mkdir(parents=True)
    name = str(contents.TABLES.relative_to(workspace.CHECKOUT))
    for heading, text in contents.groups().items():
        linked = contents.with_links(with_links_to(pages(), name, text), lambda one: f"../../{_page(one)}.rst")
        linked = LINK.sub(_from_its_folder, linked)
        listed = sorted(entry for entry in contents.entries(text) if entry.kind != "playbook")
        menu = "\n".join(f"{_short(entry)} </{_page(entry)}>" for entry in listed)
        page = f"# {heading}\n{linked}\n```{{toctree}}\n:hidden:\n\n{menu}\n```\n"
        (target / f"{heading.lower().replace(' ', '_')}.md").write_text(page, encoding="utf-8")


def _from_its_folder(link: re.Match[str]) -> str:
    """Return a link of the tables as it is in the folder beside theirs."""
    return link[0] if "://" in link[2] or link[2].startswith("../") else f"[{link[1]}](../docs/{link[2]})"


def _page(entry: contents.Entry) -> str:
    """Return the page of a module, plugin or role, from the top of the site."""
    return f"collection/{entry.name}_{entry.kind}"


def _short(entry: contents.Entry) -> str:
    """Return a name for the menu; what is no module says so, since a module may have the same name."""
    return entry.name if entry.kind == "module" else f"{entry.name} ({entry.kind})"


def with_links_to(shown: t.Collection[str], name: str, text: str) -> str:
    """Return the text of a page; links to what is no page, no picture and not on the net are their words alone."""

    def kept(link: re.Match[str]) -> str:
        words, path = link[1], link[2]
        there = os.path.normpath(PurePosixPath(name).parent / path)
        if there.startswith("docs/static/"):
            return f"[{words}]({there.removeprefix('docs')})"
        return link[0] if "://" in path or there in shown else words

    return LINK.sub(kept, text)


def adapted(page: str) -> str:
    """Return a generated page as it fits in here: the theme shows contents, the menu the guides and the groups.

    Tables of HTML link as if there were a folder for each collection; what is Ansible's own
    is explained on one page.
    """
    page = MENU.sub("", GUIDES.sub("", CONTENTS.sub("", page))).replace("../../fcd/cloud/", "")
    page = page.replace("\nFcd.Cloud\n", "\nfcd.cloud\n")
    return OF_ANSIBLE.sub(lambda found: f"{EXPLAINED}{found[1].replace('_', '-')}", page)


def _run(programs: Path, program: str, *arguments: str) -> None:
    """Run a program of the environment; what it says is shown when it fails."""
    home = workspace.folder() / "home" / "docs"
    home.mkdir(parents=True, exist_ok=True)
    environment = {
        "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)]),
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
        "ANSIBLE_LOCALHOST_WARNING": "0",
    }
    command = [str(programs / program), *arguments]
    done = subprocess.run(command, cwd=DOCS, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(
            f"{program} ended with {done.returncode}.\n{done.stdout[-4000:]}{done.stderr[-8000:]}".rstrip()
        )


def show(page: Path) -> None:
    """Print where the page is, and open it where there is a screen."""
    print(page.as_uri())
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    for opener in map(shutil.which, OPENERS) if screen else ():
        if opener:
            subprocess.run([opener, str(page)], stdin=subprocess.DEVNULL, check=False)
            return


def main() -> None:
    """Build; open the site with ``--open``."""
    unknown = [argument for argument in sys.argv[1:] if argument != "--open"]
    if unknown:
        raise SystemExit(f"Usage: docsite.py [--open]; {' '.join(unknown)} is unknown.")
    index = build() / "index.html"
    if "--open" in sys.argv:
        show(index)
    else:
        print(index)


if __name__ == "__main__":
    main()
