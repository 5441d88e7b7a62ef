# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which values of a site file are secret, what is told of them when they are wrong, and what is read without them."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret, VaultSecretsContext
from ansible.template import Templar, trust_as_template

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.declare.declaration import read_site
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Declaration
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.plan.plan_document import secret_texts, with_hidden_fields

from .conftest import SECRET, VARIABLES, told

Read = t.Callable[..., Declaration]
FILE = "lookup('file', 'secret.txt')"
SHOWN_ANYWAY = "it comes from a lookup or is encrypted, and would be shown"


def vaulted(text: str) -> str:
    """Return an encrypted value, in one line of YAML."""
    cipher = VaultLib([("default", VaultSecret(SECRET.encode()))]).encrypt(text).decode()
    escaped = cipher.replace("\n", "\\n")
    return f'!vault "{escaped}"'


def trusted(value: t.Any) -> t.Any:
    """Return variables as a play has them."""
    if isinstance(value, (dict, list)):
        return {k: trusted(v) for k, v in value.items()} if isinstance(value, dict) else [*map(trusted, value)]
    return trust_as_template(value) if isinstance(value, str) else value


@pytest.fixture
def reading(tmp_path: Path, loader: DataLoader, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Read a site with variables of a file, which may have vaulted values in it."""
    if VaultSecretsContext.current(optional=True) is None:  # ansible-playbook sets it up
        VaultSecretsContext.initialize(VaultSecretsContext([("default", VaultSecret(SECRET.encode()))]))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.txt").write_text("CNRYlooked-up\n", encoding="utf-8")
    variables = f"""\
plain: shown
vaulted: {vaulted("CNRYvaulted")}
indirect: "{{{{ vaulted }}}}"
looks: "{{{{ {FILE} }}}}"
settings: {{open: {{deep: [shown, "{{{{ plain }}}}"]}}, closed: {{deep: [{vaulted("CNRYdeep")}]}}}}
names: [{{name: one, secret: {vaulted("CNRYone")}}}]
circle: "{{{{ round }}}}"
round: "{{{{ circle }}}}"
users:
  - user_name: a.b
    user_password: {vaulted("CNRYpass")}
    last_name: "{{{{ looks }}}}"
    first_name: "{{{{ plain }}}}"
alias: "{{{{ users }}}}"
one_way: "{{{{ other_way if never else vaulted }}}}"
other_way: "{{{{ '' if never else one_way }}}}"
never: false
keyed: "{{{{ {{looks | trim ~ ' x': 1}} }}}}"
"""
    (tmp_path / "variables.yml").write_text(variables, encoding="utf-8")

    def read(text: str, *, secrets: bool = True, lookups: bool = True, **more: t.Any) -> Declaration:
        (tmp_path / "site.yml").write_text(text, encoding="utf-8")
        known = {**VARIABLES, **trusted(loader.load_from_file(str(tmp_path / "variables.yml")))}
        known["vars"] = known
        known["hostvars"] = {}
        templar = Templar(loader=loader, variables=known)
        return read_site(loader, templar, "site.yml", secrets=secrets, lookups=lookups, **more)

    return read


def of_metadata(template: str) -> str:
    """Return a site with one template in an option that is not secret itself."""
    quoted = template.replace('"', '\\"')
    return f'site: a\nstorage_containers:\n- name: c\n  metadata: {{owner: "{quoted}"}}\n'


def test_what_draws_on_a_vault_or_a_lookup_is_secret(reading: Read) -> None:
    for template in [
        "{{ vaulted }}",
        "{{ indirect }}",
        "{{ looks | upper }}",
        f"x{{{{ {FILE} }}}}y",
        "{{ query('file', 'secret.txt') | first }}",
        "{{ q('file', 'secret.txt')[0] | b64encode }}",
        "{% set l = lookup %}{{ l('file', 'secret.txt') }}",
        "{{ lookup('fi' ~ 'le', 'secret.txt') }}",
        "{{ settings.closed.deep[0] }}",
        "{{ settings['closed'].values() | string }}",
        "{{ settings | dict2items | string }}",
        "{{ settings.get('closed') | string }}",
        "{{ names | map(attribute='secret') | join }}",
        "{% for one in names %}{{ one.secret }}{% endfor %}",
        "{{ 'yes' if vaulted == 'x' else 'no' }}",
        "{{ nothing | default(vaulted) }}",
        "{{ vars['vaulted'] }}",
        "{{ lookup('vars', 'vaulted') }}",
        "#jinja2: variable_start_string:'[[', variable_end_string:']]'\n[[ vaulted ]]",
    ]:
        site = reading(of_metadata(template.replace("\n", "\\n")))
        assert site.entries[0].secrets == {"metadata"}


def test_what_stands_in_files_in_clear_is_not(reading: Read) -> None:
    for template in [
        "{{ plain }}",
        "{{ settings.open.deep[1] }}",
        "{{ names[0].name }}",
        "{{ query('sequence', 'end=3') | join(plain) }}",
        "{{ lookup('items', [plain]) | string }}",
        "{{ [1, 2] | map('string') | join }}",
        "no template",
    ]:
        site = reading(of_metadata(template))
        assert site.entries[0].secrets == set()
        assert reading(of_metadata(template), secrets=False, lookups=False).digest == site.digest, (
            "and validate looks at it"
        )


@pytest.mark.parametrize("names", [("one_way", "other_way"), ("other_way", "one_way")])
def test_a_circle_of_variables_draws_whichever_is_seen_first(reading: Read, names: tuple[str, str]) -> None:
    containers = "".join(f"- {{name: {at}, metadata: {{a: '{{{{ {one} }}}}'}}}}\n" for at, one in zip("cd", names))
    text = f"site: a\nstorage_containers:\n{containers}"
    assert [one.secrets for one in reading(text).entries] == [{"metadata"}] * 2


def test_a_file_says_what_may_be_shown_and_what_not(reading: Read) -> None:
    text = "site: a\nstorage_containers:\n- {name: c, metadata: {a: !reveal '{{ vaulted }}'}}\n"
    text += "- {name: !reveal '{{ looks | lower }}', metadata: {a: !secret '{{ plain }}', b: !secret hidden}}\n"
    text += "client_users:\n- {user_name: u, user_password: !reveal '{{ vaulted }}', last_name: !reveal d}\n"
    shown, hidden, user = reading(text).entries
    assert shown.params["metadata"] == {"a": "CNRYvaulted"}
    assert (shown.secrets, hidden.secrets, user.secrets) == (set(), {"metadata"}, {"user_password"})
    assert hidden.name == "cnrylooked-up"


def test_what_stands_beside_a_secret_is_none(reading: Read) -> None:
    """A common word would hide itself in every sentence. What is in an option that is secret itself stays secret."""
    text = """\
site: shop
storage_containers:
- name: a
  metadata: {note: "{{ nothing | default('none') }}", number: 2026, owner: team, made: "{{ vaulted }}"}
client_users:
- {user_name: u, user_password: "{{ nothing | default('word') }}"}
"""
    assert {*secret_texts(reading(text))} == {"CNRYvaulted", "word"}


def test_secret_texts_are_those_that_the_file_does_not_show(reading: Read) -> None:
    text = "site: a\nstorage_containers:\n- name: web-words\n"
    text += "  metadata: {a: '{{ vaulted }}', b: !secret words, c: !secret '7'}\n"
    text += "  temp_url_key: words\n  versioning: !secret enabled\n"
    site = reading(text)
    assert {*secret_texts(site)} == {"CNRYvaulted", "7", "words"}, (
        "an option that is secret itself has no ordinary words"
    )
    assert {*secret_texts(reading(text.replace("  temp_url_key: words\n", "")))} == {"CNRYvaulted", "7"}


def test_fields_are_hidden_on_both_sides(reading: Read) -> None:
    (entry,) = reading(of_metadata("{{ vaulted }}")).entries
    old, new = {"metadata": {"a": "1"}, "name": "c"}, {"metadata": {"a": "2"}, "name": "c"}
    hidden, changed = {"metadata": "(hidden)", "name": "c"}, {"metadata": "(hidden, changed)", "name": "c"}
    assert with_hidden_fields(entry.kind, entry.secrets, old, new) == (hidden, changed)
    assert with_hidden_fields(entry.kind, entry.secrets, old, old) == (hidden, hidden)
    assert with_hidden_fields(entry.kind, entry.secrets, {}, new) == ({}, hidden)
    assert with_hidden_fields(entry.kind, entry.secrets, {"metadata": None}, new) == ({"metadata": None}, hidden)


def test_what_follows_a_secret_is_hidden_with_it() -> None:
    """The processors of an instance tell its type."""
    for kind, option, telling in [
        ("instances", "type", {"cpu_number": 2, "ram_mb": 2048}),
        ("instances", "init_disk_size", {"total_disks_capacity": 20}),
        ("ip_addresses", "instance_id", {"mac_address": "02:00:00:00:00:01", "instance": {"id": 7}}),
        ("storage_objects", "content", {"etag": "0", "size": 5}),
    ]:
        hidden = dict.fromkeys(telling, "(hidden)")
        assert with_hidden_fields(kind, {option}, telling, telling) == (hidden, hidden)
        assert with_hidden_fields(kind, {"name"}, telling, telling) == (telling, telling)


def test_what_is_shown_anyway_cannot_be_secret(reading: Read) -> None:
    for text, line, label in [
        ("site: '{{ looks }}'", 1, "site"),
        ("site: a\nregistry: {path: '{{ vaulted }}'}", 2, "registry"),
        ("site: a\ndisks:\n- name: 'x{{ looks }}'", 3, "name"),
        ("site: a\ndisks:\n- name: !secret x", 3, "name"),
        ("site: a\ndisks:\n- name: x\n  key: '{{ looks }}'", 4, "key"),
        (f"site: a\ndisks:\n- id: {vaulted('12')}", 3, "id"),
        ("site: a\ndisks: '{{ [looks] }}'", 2, "disks"),
        ("site: a\ndisks:\n- '{{ [looks][0] }}'", 3, "disks[0]"),
        ("site: a\ndisks: [name: d]\noutputs: {x: '{{ looks }}'}", 3, "outputs.x"),
        ("site: a\ndisks: []\nmoved: [{from: '{{ looks }}', to: disks.d}]", 3, "moved[0]: from"),
        ("site: a\npolicies: ['{{ looks }}']", 2, "policies[0]"),
    ]:
        for how in ({}, {"secrets": False, "lookups": False}):
            lines = told(reading, text, **how)
            assert any(one.startswith(f"site.yml:{line}: ") and f"{label}: {SHOWN_ANYWAY}" in one for one in lines), (
                lines
            )
            assert any("!reveal" in one for one in lines)


def test_entries_of_a_variable_have_their_own_secrets(reading: Read) -> None:
    for text in ("client_users: '{{ users }}'", "client_users: '{{ alias }}'", "client_users: ['{{ users[0] }}']"):
        (user,) = reading(f"site: a\n{text}").entries
        assert user.name == "a.b"
        assert user.secrets == {"user_password", "last_name"}
        assert (user.params["user_password"], user.params["last_name"]) == ("CNRYpass", "CNRYlooked-up")
        (unread,) = reading(f"site: a\n{text}", secrets=False, lookups=False).entries
        assert (unread.name, unread.params["first_name"]) == ("a.b", "shown")


WRONG = {
    "choice": f"site: a\nstorage_containers:\n- {{name: c, versioning: {vaulted('CNRYchoice')}}}",
    "short choice": f"site: a\nstorage_containers:\n- {{name: c, versioning: {vaulted('Qz')}}}",
    "number": f"site: a\ndisks:\n- {{name: c, size: {vaulted('CNRYsize')}}}",
    "short bounds": f"site: a\ninstances:\n- {{name: c, init_disk_size: {vaulted('4')}}}",
    "reference": f"site: a\ndisks:\n- {{name: c, size: {{ref: {vaulted('disks.CNRYref')}}}}}",
    "name": f"site: a\ndisks:\n- {{name: c, instances: [{vaulted('CNRYinstance')}]}}",
    "metadata": f"site: a\nstorage_containers:\n- {{name: c, metadata: {{'a b': {vaulted('CNRYmeta')}}}}}",
    "keys": "site: a\nstorage_containers:\n- {name: c, metadata: '{{ keyed }}'}",
    "twice": f"site: a\nclient_users:\n- user_name: u\n  user_password: [a, {{b: {vaulted('CNRYtwice')}}}]\n"
    "  state: CNRYtwice",
}


def test_mistakes_do_not_show_secrets(reading: Read) -> None:
    for name, text in WRONG.items():
        with pytest.raises(InvalidInput) as caught:
            reading(text, strict_names=True)
        shown = f"{caught.value} {caught.value.details}"
        assert ": c" in shown or "(c)" in shown or "(u)" in shown
        for secret in ("CNRY", "Qz", " 4 "):
            assert secret not in shown
        assert name == "twice" or reading(text, secrets=False, lookups=False).entries, "nothing to be said without it"


def test_without_lookups_nothing_runs_and_what_is_known_is_checked(reading: Read, tmp_path: Path) -> None:
    touch = "lookup('pipe', 'touch {}')".format
    text = f"""\
site: !reveal "{{{{ {touch("site")} }}}}"
registry: {{path: !reveal "{{{{ {touch("registry")} }}}}"}}
private_networks: !reveal "{{{{ [{touch("section")}] }}}}"
disks:
- name: !reveal "x{{{{ {touch("name")} }}}}"
  size: "{{{{ {touch("size")} | int }}}}"
  instances: ["{{{{ {touch("item")} }}}}"]
instances:
- name: web
  type: !reveal "{{{{ {touch("type")} }}}}"
  private_networks: [{{ref: private_networks.unknown}}]
  init_disk_size: !reveal "{{{{ {touch("bounds")} }}}}"
  init_script: "{{{{ {touch("script")} }}}}"
  lifecycle: !reveal "{{{{ {touch("lifecycle")} }}}}"
outputs: {{a: !reveal "{{{{ {touch("output")} }}}}"}}
policies: [!reveal "{{{{ {touch("policy")} }}}}"]
moved: [{{from: !reveal "{{{{ {touch("from")} }}}}", to: disks.x}}]
"""
    before = {one.name for one in tmp_path.iterdir()} | {"site.yml"}
    web, disk = reading(text, secrets=False, lookups=False).entries
    assert (disk.kind, web.name) == ("disks", "web")
    assert {one.name for one in tmp_path.iterdir()} == before
    lines = told(reading, f"{text}ssh_keys: [name: [a]]\nclients: [{{}}]", secrets=False, lookups=False)
    assert len(lines) == 2, lines


def test_templates_reach_no_programs_without_lookups(reading: Read, tmp_path: Path) -> None:
    escape = "cycler.__init__.__globals__.os.system('touch escaped')"
    for template in (escape, f"[{escape}] | first", "lipsum | attr('__globals__')"):
        with pytest.raises(InvalidInput):
            reading(of_metadata(f"{{{{ {template} }}}}"), secrets=False, lookups=False)
    assert not (tmp_path / "escaped").exists()
