# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the bill of materials of a built collection, or of the wheel of the sandbox, as CycloneDX.

``python bill_of_materials.py FILE EPOCH``, with the Python of the environment that release.py builds. The bill is JSON,
checked against its schema. It lists what the product asks for: ansible-core, Python packages and other collections.
Nothing of theirs is in the file, so a version is the range that is asked for.
"""

from __future__ import annotations

import email
import hashlib
import json
import re
import sys
import typing as t
import uuid
import zipfile
from datetime import datetime, timezone
from pathlib import Path

import reproducible
import yaml
from cyclonedx.contrib.this.builders import this_component
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.contact import OrganizationalContact
from cyclonedx.model.license import LicenseExpression
from cyclonedx.model.tool import ToolRepository
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

SCHEMA = SchemaVersion.V1_6
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*([^#;]*)")
PYTHON_PACKAGES = "meta/ee-requirements.txt"
LINKS = {
    "repository": ExternalReferenceType.VCS,
    "documentation": ExternalReferenceType.DOCUMENTATION,
    "homepage": ExternalReferenceType.WEBSITE,
    "issues": ExternalReferenceType.ISSUE_TRACKER,
}


def bill(archive: Path, epoch: int) -> Bom:
    """Return the bill of an archive or a wheel; the same file has the same bill."""
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    product, needed = _wheel(archive, digest) if archive.suffix == ".whl" else _collection(archive, digest)
    metadata = BomMetaData(
        component=product,
        timestamp=datetime.fromtimestamp(epoch, timezone.utc),
        tools=ToolRepository(components=[this_component()]),
    )
    made = Bom(metadata=metadata, components=needed, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"sha256:{digest}"))
    made.register_dependency(product, needed)
    return made


def _wheel(archive: Path, digest: str) -> t.Tuple[Component, t.List[Component]]:
    """Return a Python package, and what it needs on the platforms where it is needed."""
    with zipfile.ZipFile(archive) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        info = email.message_from_bytes(packed.read(name))
    product = Component(
        name=info["Name"],
        version=info["Version"],
        description=info["Summary"],
        type=ComponentType.APPLICATION,
        bom_ref=info["Name"],
        purl=PackageURL("pypi", None, info["Name"], info["Version"]),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        licenses=[LicenseExpression(info["License-Expression"])],
        authors=[OrganizationalContact(name=info["Author"])],
    )
    return product, list(_packages(info.get_all("Requires-Dist", [])))


def _collection(archive: Path, digest: str) -> t.Tuple[Component, t.List[Component]]:
    files = reproducible.contents(archive)
    info = json.loads(files[reproducible.MANIFEST])["collection_info"]
    return _product(info, digest), list(_needed(info, files))


def _product(info: t.Dict[str, t.Any], digest: str) -> Component:
    links = [ExternalReference(type=kind, url=XsUri(info[name])) for name, kind in LINKS.items() if info.get(name)]
    return Component(
        name=info["name"],
        group=info["namespace"],
        version=info["version"],
        description=info["description"],
        type=ComponentType.LIBRARY,
        bom_ref=f"{info['namespace']}.{info['name']}",
        purl=PackageURL("generic", info["namespace"], info["name"], info["version"]),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        licenses=[LicenseExpression(" AND ".join(info["license"]))],
        authors=[OrganizationalContact(name=name) for name in info["authors"]],
        external_references=links,
    )


def _needed(info: t.Dict[str, t.Any], files: t.Dict[str, bytes]) -> t.Iterator[Component]:
    yield _asked_for("pypi", "", "ansible-core", yaml.safe_load(files["meta/runtime.yml"])["requires_ansible"])
    yield from _packages(files[PYTHON_PACKAGES].decode().splitlines())
    for name, versions in info["dependencies"].items():
        namespace, _dot, short = name.partition(".")
        yield _asked_for("generic", namespace, short, versions)


def _packages(lines: t.Iterable[str]) -> t.Iterator[Component]:
    for line in lines:
        found = REQUIREMENT.match(line)
        if found:
            yield _asked_for("pypi", "", found[1].lower(), found[2].strip())


def _asked_for(kind: str, namespace: str, name: str, versions: str) -> Component:
    return Component(
        name=name,
        group=namespace or None,
        type=ComponentType.LIBRARY,
        bom_ref=".".join(filter(None, (namespace, name))),
        scope=ComponentScope.REQUIRED,
        purl=PackageURL(kind, namespace or None, name),
        properties=[Property(name="fcd:versions", value=versions or "*")],
    )


def main() -> int:
    """Print the bill; 1 when it breaks its schema."""
    made = bill(Path(sys.argv[1]), int(sys.argv[2]))
    text = make_outputter(made, OutputFormat.JSON, SCHEMA).output_as_string(indent=2)
    problem = JsonStrictValidator(SCHEMA).validate_str(text)
    if problem:
        sys.stderr.write(f"The bill of materials breaks its schema: {problem}\n")
        return 1
    sys.stdout.write(f"{text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
