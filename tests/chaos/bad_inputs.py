# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What users get wrong, and what they are told."""

from __future__ import annotations

import os
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

from chaos.canaries import WORDS
from chaos.kinds import CONTAINER, KINDS, Wish

NOTHING, READS = "nothing", "reads"
INSTANCE = KINDS["instance"].args("emu")
DEPOT = KINDS["warehouse"].args("emu")
USER = KINDS["client_user"].args("emu")
THING = KINDS["storage_object"].args("emu")
SECRET = WORDS["other_password"]

FILES: dict[str, str] = {
    "list.yml": "- default\n- other\n",
    "values.yml": "default: odd\n",
    "unknown.yml": "default:\n  usrname: somebody\n",
    "number.yml": "default:\n  timeout: soon\n",
    "loose.yml": "base_url: https://api.example.com/beta\nusername: somebody\n",
    "octal.yml": "default:\n  username: 0123\n",
    "broken.yml": f'default:\n  password: "{SECRET}\n  username: [\n',
    "other.yml": "production: {}\n",
    "vault.yml": "$ANSIBLE_VAULT;1.1;AES256\n3131\n",
    "plain.yml": "default:\n  base_url: http://api.example.com/beta\n",
    "words.pem": "no certificate\n",
    "broken.pem": "-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n",
    "page.wsdl": "<!DOCTYPE html>\n<html><body>Welcome</body></html>\n",
    "data.wsdl": '{"swagger": "2.0"}\n',
    "empty.wsdl": "",
    "words.wsdl": "please ask the help desk\n",
    "cut.wsdl": '<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"><wsdl:types>\n',
    "feed.wsdl": "<feed/>\n",
    "nothing.wsdl": '<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"/>\n',
    "bogus.wsdl": '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/">'
    '<w:message name="a"><w:part element="q:b"/></w:message></w:definitions>\n',
    "entity.wsdl": '<!DOCTYPE d [<!ENTITY a SYSTEM "/etc/passwd">]>\n'
    '<d:definitions xmlns:d="http://schemas.xmlsoap.org/wsdl/">&a;</d:definitions>\n',
    "import.wsdl": '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/">'
    '<w:import namespace="urn:a" location="../../etc/passwd"/></w:definitions>\n',
}
ALL_REST = (
    r"base_url \(FCD_BASE_URL\), auth_url \(FCD_AUTH_URL\), api_client_id \(FCD_API_CLIENT_ID\), "
    r"api_client_secret \(FCD_API_CLIENT_SECRET\), username \(FCD_USERNAME\), password \(FCD_PASSWORD\)"
)
ALL_SOAP = r"username \(FCD_USERNAME\), password \(FCD_PASSWORD\), soap_url \(FCD_SOAP_URL\)"
ALL_STORAGE = r"storage_base \(FCD_STORAGE_BASE\), storage_user \(FCD_STORAGE_USER\), storage_key \(FCD_STORAGE_KEY\)"


@dataclass(frozen=True)
class Mistake:
    """A task with a mistake in it, and a regular expression for the line that it has to end with.

    ``{files}`` in a value stands for the folder of FILES. In ``environment``, None removes a variable, and ``alone``
    removes all of them first. ``sent`` is what may reach the service: nothing, or reads.
    """

    title: str
    module: str
    args: Wish
    says: str
    sent: str = NOTHING
    environment: dict[str, str | None] = field(default_factory=dict)
    alone: bool = False

    def __str__(self) -> str:
        """Return what pytest shows."""
        return f"{self.module}: {self.title}"

    def options(self, files: Path) -> Wish:
        """Return the options with the folder in them."""
        return {name: _placed(value, files) for name, value in self.args.items()}

    def variables(self, known: t.Mapping[str, str], files: Path) -> dict[str, str]:
        """Return the environment with the mistakes in it."""
        kept = ("FCD_STATE_DIR", "HOME")
        start = {name: value for name, value in known.items() if not self.alone or name in kept}
        changes = {name: None if value is None else _placed(value, files) for name, value in self.environment.items()}
        return {name: value for name, value in {**start, **changes}.items() if value is not None}


def _placed(value: t.Any, files: Path) -> t.Any:
    return value.replace("{files}", str(files)) if isinstance(value, str) else value


def write_files(folder: Path) -> Path:
    """Write FILES, readable by everybody, and a folder where a file belongs."""
    (folder / "folder").mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
        os.chmod(folder / name, 0o644)
    return folder


def _soap(title: str, wsdl: str, says: str, sent: str = NOTHING) -> Mistake:
    return Mistake(title, "warehouse", {**DEPOT, "soap_wsdl": wsdl}, says, sent)


def _profile(title: str, name: str, says: str) -> Mistake:
    args = {"dictionary": "17", "config_file": f"{{files}}/{name}"}
    return Mistake(title, "dictionary_info", args, rf"\S+/{name}.*{says}", NOTHING, {}, alone=True)


def _instance(title: str, says: str, sent: str = NOTHING, **args: t.Any) -> Mistake:
    return Mistake(title, "instance", {**INSTANCE, **args}, says, sent)


def _container(title: str, says: str, sent: str = NOTHING, **args: t.Any) -> Mistake:
    return Mistake(title, "storage_container", {"name": CONTAINER, **args}, says, sent)


def _thing(title: str, says: str, sent: str = NOTHING, **args: t.Any) -> Mistake:
    wish = {name: value for name, value in {**THING, **args}.items() if value is not None}
    return Mistake(title, "storage_object", wish, says, sent)


def _user(title: str, says: str, sent: str = NOTHING, **args: t.Any) -> Mistake:
    wish = {name: value for name, value in {**USER, **args}.items() if value is not None}
    return Mistake(title, "client_user", wish, says, sent)


def _connection(title: str, says: str, module: str = "dictionary_info", **args: t.Any) -> Mistake:
    own = {"dictionary_info": {"dictionary": "17"}, "warehouse": DEPOT, "storage_container": {"name": CONTAINER}}
    return Mistake(title, module, {**own[module], **args}, says)


def _variable(title: str, says: str, **environment: str | None) -> Mistake:
    return Mistake(title, "dictionary_info", {"dictionary": "17"}, says, NOTHING, environment)


TYPES = (
    _instance("a word where a number belongs", r"init_disk_size: .large. is not a size", init_disk_size="large"),
    _instance("a word where yes or no belongs", r"\bwait\b.*convert.*bool", wait="perhaps"),
    _instance("a fraction of an instance", r"instances_count.*convert.*int", instances_count="2.5"),
    _instance("a state that is none", r"state.*must be one of.*present.*absent", state="presnt"),
    _user("a setting that is none", r"is_24_hour_clock.*convert.*bool", settings={"is_24_hour_clock": "sometimes"}),
    _container(
        "a list where a dictionary belongs",
        r"metadata\b.*(convert.*dict|write a dictionary, not a list)",
        metadata=["owner"],
    ),
    _connection("a word where seconds belong", r"timeout must be a number of seconds", timeout="soon"),
    _connection("more time than there is", r"^timeout must be at most 1000000000 seconds", timeout=1e10),
    _connection("a token with its line break", r"^access_token: .* a line break", access_token="no-token\n"),
    _connection("no time at all", r"^timeout\b.* must be more than 0 seconds", timeout=0),
    _connection("retries below nought", r"^retries\b.* must be ", retries=-1),
    _variable("a variable of a wrong type", r"^FCD_TIMEOUT must be .* seconds, .* not .soon.", FCD_TIMEOUT="soon"),
    _variable(
        "a variable that is no yes or no", r"^FCD_VALIDATE_CERTS must be true or false", FCD_VALIDATE_CERTS="perhaps"
    ),
)
VALUES = (
    _instance("a slash in a name", r"^name: 'a/b' contains one of the characters", name="a/b"),
    _instance("41 characters", r"^name: 'e{41}' has 41 characters; 1 to 40 are allowed\.", name="e" * 41),
    _instance("41 with the number", r"^name: 'e{39}-1' has 41 characters", name="e" * 39, instances_count=2),
    _instance("no name", r"^name: '' has 0 characters", name=""),
    _instance("no instances", r"^instances_count: 0 is not between 1 and 50\. To remove", instances_count=0),
    _instance("too many instances", r"^instances_count: 51 is not between 1 and 50\.", instances_count=51),
    _instance(
        "a time that is no number", r"^wait_timeout: a duration must be 0 seconds or more, not nan", wait_timeout="nan"
    ),
    _instance("a time below nought", r"^create_grace: a duration must be 0 seconds or more, not -1", create_grace=-1),
    _instance("a small disk", r"^init_disk_size: 4 is not between 5 and 300 GB\.", init_disk_size=4),
    _instance("one address for two", r"^ip_address_id: one address cannot be used", instances_count=2, ip_address_id=9),
    _instance("number and label", r"mutually exclusive: template_id\|template", template_id=767),
    Mistake("a misspelt option", "instance", {"nam": "emu"}, r"There is no option 'nam'\. Did you mean 'name'\?"),
    Mistake("neither name nor number", "instance", {"state": "absent"}, r"one of the following is required: name, id"),
    _container("a slash in a name", r"^name: 'a/b' cannot be the name of a container\.", name="a/b"),
    _container("an underscore", r"^metadata: .*'made_by'.*underscore", metadata={"made_by": "us"}),
    _container("a blank", r"^metadata: .*'made by'", metadata={"made by": "us"}),
    _container("a newline", r"^metadata: .*", metadata={"made-by": "us\nX-Evil: 1"}),
    _container("a newline in a list", r"^read_acl: .*", read_acl=".r:*\nX-Evil: 1"),
    _thing("an underscore", r"^metadata: .*'made_by'.*underscore", metadata={"made_by": "us"}),
    _thing("a dot as a part", r"^name: 'a/\.\./b' has a part that is only a dot", name="a/../b"),
    _thing("two sources", r"mutually exclusive: content\|src\|copy_from", copy_from="crates/other"),
    _thing("no moment", r"^expires_at: 'tomorrow' is not a point in time\.", expires_at="tomorrow"),
    _thing("no time", r"^expires_in: 0; it must be at least 1\.", expires_in=0),
    _thing("itself", r"^copy_from: an object cannot be copied to itself", content=None, copy_from="crates/emu"),
    _thing("half a source", r"^copy_from: ", content=None, copy_from="crates"),
    Mistake(
        "a file that is not there",
        "storage_object",
        {"container": CONTAINER, "name": "emu", "src": "{files}/nowhere"},
        r"(?i)^src: \S+/nowhere cannot be read: .*no such file",
    ),
    _thing("a folder", r"folder.* is a folder", content=None, src="{files}/folder", remote_src=True),
    Mistake("half a key", "warehouse", {"name": "emu", "partner_id": 1}, r"missing: template_id, data_store_number"),
    _user("no password to set", r"always requires user_password", user_password=None, update_password="always"),
    Mistake("no user", "client_user", {"first_name": "Odd"}, r"one of the following is required: id, sid, user_name"),
)
LABELS = (
    _instance(
        "a template that is none",
        r"^template: .*'CentOS 77'.*Did you mean 'CentOS 7'",
        READS,
        template="CentOS 77",
    ),
    _instance("a superscript", r"^template: there is no '\u00b2' among", READS, template="\u00b2"),
    _instance("a subregion that is none", r"^subregion: .*'EU-009'.*Did you mean", READS, subregion="EU-009"),
    _instance("a type that is none", r"^type: .*Did you mean 'v1.standard-2.2'", READS, type="v1.standard-2.22"),
    _instance("a class that is none", r"^disk_class: .*'Tier 9'.*Did you mean 'Tier", READS, disk_class="Tier 9"),
    _instance("a key that is none", r"^ssh_keys: .*Did you mean 'operations'", READS, ssh_keys=["operation"]),
    _instance("two templates of a name", r"^template: 'Golden image' matches several", READS, template="Golden image"),
    Mistake(
        "an instance without kind",
        "instance",
        {"name": "emu"},
        r"are missing to create it: template \(or template_id\) and subregion \(or subregion_id\)\. Give all of them",
        READS,
    ),
    Mistake(
        "a dictionary that is none",
        "dictionary_info",
        {"dictionary": "Disk clases"},
        r"^dictionary: .*"
        r"'Disk clases'.*Did you mean 'Disk classes'",
        READS,
    ),
    Mistake("a number that is none", "dictionary_info", {"dictionary": "99999"}, r"no dictionary 99999", READS),
    _user(
        "a privilege that is none",
        r"^privileges: .*Did you mean 'ManageUsers'",
        READS,
        privileges=["ManageUser"],
        privilege_type_id=9071,
    ),
    _user(
        "names of no type",
        r"^privileges: names require privilege_type_id: 'ManageUsers'",
        READS,
        privileges=["ManageUsers"],
    ),
    _user(
        "a user without names",
        r"^There is no user '\S+'; to create one, these options are required as well: first_name, last_name\.",
        READS,
        first_name=None,
        last_name=None,
    ),
    _user(
        "a type without privileges",
        r"^privileges: the service lists no privileges of type 1, .*'ManageUsers'.* Check privilege_type_id \(1\)\.",
        READS,
        privileges=["ManageUsers"],
        privilege_type_id=1,
    ),
    _user(
        "a login that is taken",
        r"(?i)panel\.owner@example\.com.*taken|taken.*panel\.owner@example\.com",
        READS,
        email="panel.owner@example.com",
    ),
    _thing("no source", r"Give one of content, src and copy_from", READS, content=None),
    Mistake("half a warehouse", "warehouse", {**DEPOT, "queue_length": None}, r"also requires queue_length", READS),
)
CREDENTIALS = (
    Mistake("nothing at all", "instance", INSTANCE, ALL_REST, alone=True),
    Mistake("nothing at all", "dictionary_info", {}, ALL_REST, alone=True),
    Mistake("nothing at all", "token", {}, ALL_REST.partition(", ")[2], alone=True),
    Mistake("nothing at all", "warehouse", DEPOT, ALL_SOAP, alone=True),
    Mistake("nothing at all", "client_user", USER, ALL_SOAP, alone=True),
    Mistake("nothing at all", "storage_container", {"name": CONTAINER}, ALL_STORAGE, alone=True),
    Mistake("nothing at all", "storage_object", THING, ALL_STORAGE, alone=True),
    _variable(
        "some",
        r"(?i)missing: auth_url \(FCD_AUTH_URL\), password \(FCD_PASSWORD\)\.",
        FCD_AUTH_URL=None,
        FCD_PASSWORD=None,
    ),
    _variable("an empty one", r"(?i)missing: password \(FCD_PASSWORD\)\.", FCD_PASSWORD=""),
)
ADDRESSES = (
    _connection("plain http", r"^base_url: .*api\.example\.com unencrypted", base_url="http://api.example.com/beta"),
    _connection("plain http", r"^auth_url: .*id\.example\.com unencrypted", auth_url="http://id.example.com"),
    _connection(
        "plain http", r"^soap_url: .* unencrypted", "warehouse", soap_url="http://api.example.com/CommonFcd.svc"
    ),
    _connection("plain http", r"^soap_wsdl: .* unencrypted", "warehouse", soap_wsdl="http://api.example.com/?wsdl"),
    _connection(
        "plain http", r"^storage_base: .* unencrypted", "storage_container", storage_base="http://o.example.com"
    ),
    _connection("no scheme", r"^base_url: the address must start with https://", base_url="api.example.com/beta"),
    _connection(
        "a password", r"^base_url: the address must not contain", base_url=f"https://a:{SECRET}@api.example.com"
    ),
    _connection("no port", r"^base_url: the address is not valid", base_url="https://api.example.com:many/"),
    _connection("a blank", r"^base_url: the address contains a space", base_url="https://api.example.com/be ta"),
    _connection("a query", r"^base_url: the address must end with its path", base_url="https://api.example.com/?a=b"),
)
AUTHORITIES = (
    _connection("not there", r"^ca_path: \S+nowhere\.pem cannot be read", ca_path="{files}/nowhere.pem"),
    _connection("a folder", r"^ca_path: \S+folder cannot be read \(Is a directory\)", ca_path="{files}/folder"),
    _connection("words", r"^ca_path: \S+words\.pem holds no certificates in PEM form", ca_path="{files}/words.pem"),
    _connection("broken", r"^ca_path: \S+broken\.pem holds no certificates", ca_path="{files}/broken.pem"),
    _connection("words", r"^ca_path: .*no certificates", "warehouse", ca_path="{files}/words.pem"),
    _connection("words", r"^ca_path: .*no certificates", "storage_container", ca_path="{files}/words.pem"),
)
DESCRIPTIONS = (
    _soap("a page", "{files}/page.wsdl", r"^There is no WSDL at \S+page\.wsdl: found an HTML page\."),
    _soap("JSON", "{files}/data.wsdl", r"^There is no WSDL at \S+data\.wsdl: found JSON\."),
    _soap("empty", "{files}/empty.wsdl", r"^There is no WSDL at \S+empty\.wsdl: found nothing\."),
    _soap("words", "{files}/words.wsdl", r"^There is no WSDL at \S+words\.wsdl: found plain text\."),
    _soap("cut off", "{files}/cut.wsdl", r"^There is no WSDL at \S+cut\.wsdl: found XML that is broken or cut off"),
    _soap("other XML", "{files}/feed.wsdl", r"^There is no WSDL at \S+feed\.wsdl: found an XML document <feed>"),
    _soap("nothing in it", "{files}/nothing.wsdl", r"^The WSDL \S+nothing\.wsdl "),
    _soap("nonsense in it", "{files}/bogus.wsdl", r"^The WSDL \S+bogus\.wsdl "),
    _soap("an entity", "{files}/entity.wsdl", r"^There is no WSDL at \S+entity\.wsdl: .*DTD"),
    _soap(
        "another folder", "{files}/import.wsdl", r"^The WSDL \S+import\.wsdl imports '\S+', which is not in its folder"
    ),
    _soap("not there", "{files}/nowhere.wsdl", r"^The WSDL \S+nowhere\.wsdl cannot be read: No such file"),
    _soap("a folder", "{files}/folder", r"^The WSDL \S+folder cannot be read: Is a directory"),
)
PROFILES = (
    _profile("a list", "list.yml", r"must be a mapping"),
    _profile("no mapping in it", "values.yml", r"must be a mapping"),
    _profile("an unknown option", "unknown.yml", r"option 'usrname'.*Did you mean 'username'"),
    Mistake(
        "a wrong type",
        "dictionary_info",
        {"config_file": "{files}/number.yml"},
        r"/number\.yml, profile 'default': timeout\b.* must be a number",
        alone=True,
    ),
    Mistake(
        "a number for a name",
        "dictionary_info",
        {"config_file": "{files}/octal.yml"},
        r"/octal\.yml, profile 'default': username\b.* must be a string.*quotes",
        alone=True,
    ),
    _profile("options in no profile", "loose.yml", r"base_url, username must be inside a profile.*'default:'"),
    _profile("no YAML", "broken.yml", r"not (valid )?YAML.*line \d, column \d+"),
    _profile("a vault", "vault.yml", r"encrypted with ansible-vault"),
    _profile("not there", "nowhere.yml", r"(does not exist|cannot be read)"),
    _profile("a folder", "folder", r"cannot be read\b.*Is a directory"),
    Mistake(
        "no such profile",
        "dictionary_info",
        {"config_file": "{files}/other.yml", "profile": "producton"},
        r"no profile 'producton'.*Did you mean 'production'",
        alone=True,
    ),
    Mistake(
        "plain http in it",
        "dictionary_info",
        {"config_file": "{files}/plain.yml"},
        r"^base_url: .* unencrypted",
        alone=True,
    ),
)
MISTAKES = (
    *TYPES,
    *VALUES,
    *LABELS,
    *CREDENTIALS,
    *ADDRESSES,
    *AUTHORITIES,
    *DESCRIPTIONS,
    *PROFILES,
)
