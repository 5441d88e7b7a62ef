# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site declares: read from its documents, checked entry by entry and together, and told in a result."""

from __future__ import annotations

import hashlib
import json
import os
import re
import typing as t

from ansible.errors import AnsibleError
from ansible.parsing.vault import is_encrypted_file
from ansible.template import Templar

from ....module_utils._connection.options import own_options
from ....module_utils._connection.task import Params, Result
from ....module_utils._core.errors import FcdError, InvalidInput
from ....module_utils._core.home import expand_home
from ....module_utils._core.private_files import open_regular
from ....module_utils._core.text import SITE_NAME, did_you_mean, quoted, shortened
from ....module_utils._object_storage.features import UNLIMITED
from ....module_utils._object_storage.properties import check_container
from ....module_utils._object_storage.source_file import file_content
from ....module_utils._object_storage.tree_merge import check_root
from ..model import (
    FOLDERS,
    FOUNDATIONS,
    KINDS,
    OBJECTS,
    REST,
    Declaration,
    Entry,
    EntryKind,
    NumberReference,
    Place,
    Spec,
    with_numbers,
)
from ..read.site_reader import OMITTED, SiteReader, read_site_file
from ..read.site_yaml import Mistake, Mistakes, SourceLine, Table
from ..registry.registry_places import SHARED, owner_name
from .drafts import HIDDEN_MISFIT, Draft, ReferenceLinks, Register, cycles, drafts_of, is_path, restore_references
from .overlays import REGISTRY_KEYS, kind_options, layer_of, merge_layers, value_kind
from .statements import adopts, lifecycle_of, statements_of

if t.TYPE_CHECKING:
    from ansible.parsing.dataloader import DataLoader


GIVEN = "(given)"
_NUMBER_OR_ADDRESS = re.compile(r"\s*([0-9.]*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)\s*")


def read_site(
    loader: DataLoader,
    templar: t.Any,
    src: str,
    overlays: t.Sequence[str] = (),
    environment: str | None = None,
    *,
    secrets: bool = True,
    lookups: bool = True,
    strict_names: bool = False,
) -> Declaration:
    """Return what the site file at ``src`` declares with the overlays laid over it.

    ``templar`` is that of the task, which knows its variables. Without ``secrets``, secret values are not looked at:
    nothing is decrypted and no template in them resolved. Without ``lookups`` neither is a value that may be shown and
    comes from a lookup, so that nothing runs. With ``strict_names`` whatever an option calls by
    its name has to be declared. Files that are to become objects and are encrypted
    with Ansible Vault are decrypted to files that ``loader`` removes. Raises InvalidInput with all that is wrong.
    """
    documents = [read_site_file(loader, path) for path in (src, *overlays)]
    variables = templar.available_variables  # lookups find files beside the site file and its environments first
    folders = [*(document.source.folder for document in documents), *variables.get("ansible_search_path", ())]
    templar = Templar(loader=loader, variables={**variables, "ansible_search_path": [*dict.fromkeys(folders)]})
    reader = SiteReader(loader, templar, secrets=secrets, lookups=lookups)
    declaration = declaration_of(documents, reader, environment, strict_names=strict_names)
    entries = tuple(_with_plain_file(loader, entry, decrypt=secrets) for entry in declaration.entries)
    return declaration._replace(entries=entries)


def _with_plain_file(loader: DataLoader, entry: Entry, *, decrypt: bool) -> Entry:
    """Return the entry with the path of a decrypted file in place of one encrypted with Ansible Vault.

    Its content is secret then, as one in the option of that name is.
    """
    path = entry.params.get("src") if entry.kind == "storage_objects" and not entry.absent else None
    if not path or not os.path.isfile(path):
        return entry
    try:
        with open_regular(path) as file:
            if not is_encrypted_file(file):
                return entry
    except OSError:
        return entry
    entry = entry._replace(secrets=entry.secrets | {"content"})
    if not decrypt:
        return entry
    try:
        return entry._replace(params={**entry.params, "src": str(loader.get_real_file(path))})
    except AnsibleError:
        msg = f"{entry.source}: src: {path} cannot be decrypted with the vault secrets at hand."
        raise InvalidInput(msg, next_step="Give --vault-password-file or --vault-id.") from None


def declaration_of(
    documents: t.Sequence[Table], reader: SiteReader, environment: str | None = None, *, strict_names: bool = False
) -> Declaration:
    """Return what the first document declares with the others laid over it.

    With ``strict_names`` whatever an option calls by its name has to be declared. Raises InvalidInput; ``errors`` in
    its details has all that is wrong.
    """
    whole = merge_layers([layer_of(document, reader) for document in documents], reader)
    site = _site(whole.top, reader)
    source = documents[0].source
    try:  # an environment that cannot be a part of who owns what is wrong, whatever the site is called
        owner_name("site", environment)
    except InvalidInput as error:
        reader.mistakes.note(source._replace(line=None), str(error))
    registry = _registry(whole.top, reader)
    drafts = drafts_of(whole, reader)
    register = Register(draft for draft in drafts if draft.name)
    checked = [_entry(draft, register, reader) for draft in drafts]
    entries = _in_stages([entry for entry in checked if entry is not None])
    _check_cycles(entries, reader)
    _check_absent(entries, reader)
    _check_pricelists(entries, reader)
    _check_folders(entries, reader)
    if strict_names:
        _check_names(drafts, register, reader)
    statements = statements_of(whole, register, reader)
    # what was not looked at is not known to be missing
    sure = [one for one in reader.mistakes if not (reader.guesses and register.is_about_missing(one.msg))]
    Mistakes(one._replace(msg=reader.redactor.text(one.msg)) for one in sure).raise_any()
    declaration = Declaration(site, environment, registry, tuple(entries), "", *statements)
    return declaration._replace(digest=digest_of(declaration, source.folder))


def _site(top: Table, reader: SiteReader) -> str:
    source = top.source_of("site")
    if top.get("site") is None:
        reader.mistakes.note(top.source, "site is missing. Give the site a name, such as web-shop.")
        return ""
    try:
        name = reader.resolve(top["site"])
    except InvalidInput as error:
        reader.mistakes.note(source, f"site: {error}")
        return ""
    if name is OMITTED and reader.is_skipped(top["site"]):
        return str(top["site"])
    if not isinstance(name, (str, int)) or not SITE_NAME.fullmatch(str(name)):
        shown = quoted(name) if isinstance(name, str) else value_kind(name)
        hint = "use at most 63 lower-case letters, digits and hyphens, and begin with a letter or digit"
        reader.mistakes.note(source, f"site: {shown} is not a valid name: {hint}.")
    return str(name)


def _registry(top: Table, reader: SiteReader) -> dict[str, t.Any]:
    """Return where the registry is, nothing where that is not said, or wrong."""
    source = top.source_of("registry")
    try:
        given = reader.resolve(top.get("registry"))
        if given is None or given is OMITTED:
            return {}
        _check_registry(given)
        if "container" in given:
            check_container(given["container"], UNLIMITED, "container")
    except InvalidInput as error:
        reader.mistakes.note(source, f"registry: {error}")
        return {}
    if "path" in given:
        return {"path": os.path.join(source.folder, expand_home(given["path"]))}
    return {"container": given["container"], **({SHARED: True} if given.get(SHARED) else {})}


def _check_registry(given: object) -> None:
    """Raise InvalidInput for what names no place of a registry."""
    where = dict(given) if isinstance(given, dict) else {}
    unknown = [key for key in where if key not in REGISTRY_KEYS]
    if unknown:
        raise InvalidInput(f"there is no {unknown[0]!r} in it. {did_you_mean(unknown[0], REGISTRY_KEYS)}")
    shared = where.pop(SHARED, False)
    if len(where) != 1 or not all(map(is_path, where.values())):
        raise InvalidInput("either {container: name} or {path: file} is expected.")
    if not isinstance(shared, bool) or (shared and "path" in where):
        raise InvalidInput(f"{SHARED} must be true or false, and applies to a container only.")


def _entry(draft: Draft, register: Register, reader: SiteReader) -> Entry | None:
    """Return the entry, if it is right."""
    links = ReferenceLinks(draft.of, register)
    given = _linked(draft, links, reader)
    lifecycle, adopt = lifecycle_of(draft, reader), adopts(draft, reader)
    if given is None or not draft.right or not draft.name:
        return None
    params = _checked(draft, with_numbers({**given, **draft.of.fixed}, lambda _kind, _name: 1), reader)
    if params is None:
        return None
    params = restore_references(given, params)
    given = {name: params[name] for name in given}  # of the right types, whatever a template gave
    source, refs, hidden = str(draft.table.source), tuple(links.refs), (draft.secrets, draft.plain)
    return Entry(
        draft.kind, draft.key, draft.name, given, params, source, refs, draft.of.stage, lifecycle, adopt, *hidden
    )


def _linked(draft: Draft, links: ReferenceLinks, reader: SiteReader) -> dict[str, object] | None:
    """Return the options with references resolved, None when one is wrong."""
    given: dict[str, t.Any] = {}
    spec = kind_options(draft.of).spec
    wrong = []
    for name, value in draft.options.items():
        try:
            given[name] = value if name in draft.skipped else links.option(name, spec[name], value)
        except InvalidInput as error:
            if not (reader.guesses and links.register.is_about_missing(str(error))):
                wrong.append(draft.mistake(f"{name}: {HIDDEN_MISFIT if name in draft.secrets else error}", name))
    reader.mistakes.extend(wrong)
    return None if wrong else given


def _checked(draft: Draft, options: Params, reader: SiteReader) -> Params | None:
    """Return the options complete and converted, None when something is wrong with them."""
    params, problems = reader.validate(draft.of, dict(options))
    if problems and not draft.without_guesses(problems):  # a stand-in did not fit: the rest cannot be checked
        return {**draft.of.defaults(), **options, **params}
    problems = draft.without_guesses(problems or check_entry(draft.of, params))
    for problem in problems:
        option = next((word for word in re.findall(r"[a-z_]+", problem) if word in options), None)  # for its line
        reader.mistakes.append(draft.mistake(draft.concealed(problem, option, reader.redactor), option))
    return None if problems else params


def _in_stages(entries: list[Entry]) -> list[Entry]:
    """Return the entries with their stages: what refers to something of the rest is of the rest."""
    stages: dict[Place, str] = {entry.place: entry.stage for entry in entries}
    moved = True
    while moved:
        moved = False
        for entry in entries:
            if stages[entry.place] == FOUNDATIONS and any(stages.get(ref) == REST for ref in entry.refs):
                stages[entry.place] = REST
                moved = True
    return [entry._replace(stage=stages[entry.place]) for entry in entries]


def _check_cycles(entries: list[Entry], reader: SiteReader) -> None:
    by_place = {entry.place: entry for entry in entries}
    for circle in cycles({entry.place: entry.refs for entry in entries}):
        way = " -> ".join(f"{kind}.{name}" for kind, name in [*circle, circle[0]])
        msg = f"these entries refer to one another in a circle, so none can be created first: {way}."
        reader.mistakes.append(about(by_place[circle[0]], msg))


def _check_absent(entries: list[Entry], reader: SiteReader) -> None:
    """Note entries that need what is declared to be gone."""
    gone = {entry.place for entry in entries if entry.absent}
    for entry in entries if gone else ():
        for ref in () if entry.absent else entry.refs:
            if ref in gone:
                msg = f"it refers to {ref[0]}.{ref[1]}, which has state absent. Leave one of them out."
                reader.mistakes.append(about(entry, msg))


def _check_pricelists(entries: t.Sequence[Entry], reader: SiteReader) -> None:
    owners: dict[t.Any, Entry] = {}
    for entry in entries:
        for client in entry.params["client_ids"] if entry.kind == "client_pricelists" else ():
            other = owners.setdefault(client, entry)
            if other is not entry and not isinstance(client, NumberReference):
                msg = f"client {client} has the price list {other.name} by {other.source}."
                reader.mistakes.append(about(entry, msg))


def _check_names(drafts: t.Iterable[Draft], register: Register, reader: SiteReader) -> None:
    """Note names in options that no entry has."""
    for draft in drafts:
        for option, target in draft.of.references.items() if draft.options.get("state") != "absent" else ():
            for name in _names(draft.options.get(option)):
                if register.by_name(target.kind, name) is None:
                    msg = HIDDEN_MISFIT if option in draft.secrets else register.missing_entry(target.kind, name)
                    reader.mistakes.append(draft.mistake(f"{option}: {msg}", option))


def _names(value: object) -> t.Iterator[str]:
    for label in value if isinstance(value, list) else [value]:
        if isinstance(label, str) and not _NUMBER_OR_ADDRESS.fullmatch(label):
            yield label.strip()


def _check_folders(entries: t.Sequence[Entry], reader: SiteReader) -> None:
    """Note objects in a folder that removes what is not in it on disk."""
    folders = [entry for entry in entries if entry.kind == "storage_folders" and entry.params["delete"]]
    objects = [entry for entry in entries if entry.kind == "storage_objects" and not entry.absent]
    for entry in objects:
        for folder in folders:
            if _is_inside(entry, folder):
                msg = f"the folder {folder.name} at {folder.source} has delete: true and would remove this object."
                reader.mistakes.append(about(entry, f"{msg} Choose another place, or remove delete."))


def _is_inside(entry: Entry, folder: Entry) -> bool:
    prefix = folder.params["prefix"].rstrip("/")
    inside = not prefix or entry.params["name"].startswith(f"{prefix}/")
    return inside and bool(entry.params["container"] == folder.params["container"])


def about(entry: Entry, msg: str) -> Mistake:
    """Return what is wrong with an entry that is complete."""
    return Mistake(SourceLine(entry.source, ""), f"{entry.kind} ({shortened(entry.name)})", msg, entry.kind, entry.name)


def check_entry(kind: EntryKind, params: Params) -> list[str]:
    """Return what is wrong with the checked options of one entry."""
    try:
        operation = kind.operation()
        params = own_options(operation.options, params)
        if operation.check is not None:  # the service knows more
            operation.check(params)
    except FcdError as error:
        return [str(error)]
    return []


def digest_of(declaration: Declaration, folder: str) -> str:
    """Return ``sha256:...`` over all that is declared. Paths count from ``folder``, that of the site file."""
    listed = []
    for entry in declaration.entries:
        options = canonical_options(entry, folder)
        refs = sorted(map(list, entry.refs))
        listed.append([entry.kind, entry.key, entry.name, options, refs, entry.lifecycle, entry.adopt])
    registry = declaration.registry
    whole = {
        "format": 2,
        "site": declaration.site,
        "environment": declaration.environment,
        "registry": {
            name: os.path.relpath(value, folder) if name == "path" else value for name, value in registry.items()
        },
        "entries": listed,
        **{
            name: [one._replace(source="") for one in getattr(declaration, name)]
            for name in ("moved", "removed", "outputs")
        },
        "policies": [os.path.relpath(path, folder) for path in declaration.policies],
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), default=str)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def canonical_options(entry: Entry, folder: str) -> dict[str, object]:
    """Return what an entry declares as it counts in digests that anybody can make: of a secret, that it is given."""
    spec = kind_options(entry.of).spec
    return {
        name: GIVEN if name in entry.secrets else canonical_option(spec.get(name, {}), value, folder)
        for name, value in entry.given.items()
    }


def canonical_option(spec: Spec, value: object, folder: str) -> object:
    """Return a value as it counts in a digest, without that of an option that is secret."""
    if spec.get("no_log"):
        return GIVEN
    if isinstance(value, NumberReference):
        return f"{value.kind}.{value.name}"
    inside = spec.get("options") or {}
    if isinstance(value, dict):
        return {str(name): canonical_option(inside.get(name, {}), entry, folder) for name, entry in value.items()}
    if isinstance(value, list):
        return [canonical_option({"options": inside}, entry, folder) for entry in value]
    return os.path.relpath(value, folder) if spec.get("type") == "path" and isinstance(value, str) else value


def secret_option_names(entry: Entry) -> set[str]:
    """Return the given options with secret values, or with something secret in them."""
    spec = kind_options(entry.of).spec
    return {name for name in entry.given if name in entry.secrets or _is_secret(spec.get(name, {}))}


def whole_option(entry: Entry, name: str) -> object:
    """Return the value of an option as it counts in a digest with a key, secrets included."""
    folder = os.path.dirname(os.path.abspath(entry.source.rpartition(":")[0]))
    return canonical_option(_shape(kind_options(entry.of).spec.get(name, {})), entry.given[name], folder)


def _is_secret(spec: Spec) -> bool:
    return bool(spec.get("no_log")) or any(map(_is_secret, (spec.get("options") or {}).values()))


def _shape(spec: Spec) -> Spec:
    """Return the types of an option and of those in it, without which of them are secret."""
    inside = {name: _shape(one) for name, one in (spec.get("options") or {}).items()}
    return {"type": spec.get("type"), "options": inside}


LOCAL_FILES: t.Mapping[str, tuple[str, t.Callable[[str], object]]] = {
    FOLDERS: ("path", check_root),
    OBJECTS: ("src", file_content),
}
"""Options that name a folder or a file to publish, and what raises InvalidInput for one that is not there."""


def _check_local_files(declaration: Declaration) -> None:
    """Raise InvalidInput for folders and files to publish that are not there, unless their paths are secret."""
    mistakes = Mistakes()
    for entry in declaration.entries:
        option, check = LOCAL_FILES.get(entry.kind, ("", check_root))
        path = entry.params.get(option)
        if path is None or entry.absent or option in entry.secrets:
            continue
        try:
            check(path)
        except InvalidInput as error:
            label = f"{entry.kind} ({entry.name})"
            mistakes.append(Mistake(SourceLine(entry.source, ""), label, str(error), entry.kind, entry.name))
    mistakes.raise_any()


def validation_result(declaration: Declaration) -> Result:
    """Return what is declared, without any option of it. Raises InvalidInput for files that are not there."""
    _check_local_files(declaration)
    counts = {name: sum(entry.kind == name for entry in declaration.entries) for name in KINDS}
    return {
        "changed": False,
        "site": declaration.site,
        "environment": declaration.environment,
        "registry": dict(declaration.registry),
        "declaration_digest": declaration.digest,
        "count": len(declaration.entries),
        "counts": {name: number for name, number in counts.items() if number},
        "services": list(declaration.services()),
        "entries": [
            {
                "kind": entry.kind,
                "key": entry.key,
                "name": entry.name,
                "source": entry.source,
                "stage": entry.stage,
                "state": entry.params.get("state"),
                "refs": [f"{kind}.{name}" for kind, name in entry.refs],
            }
            for entry in declaration.entries
        ],
        "errors": [],
    }
