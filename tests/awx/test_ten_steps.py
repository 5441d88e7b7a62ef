# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What AWX is good for after the ten steps: the jobs that were set up, on the sandbox, one after the other."""

from __future__ import annotations

import contextlib
import json
import typing as t
from pathlib import Path

import pytest
from chaos import canaries

from awx.established import ELSEWHERE, REPORTS, Established, steps
from awx.jobs import IDENT, Ended
from awx.leaks import require_no_secret

SHOP = "web-shop-assets"
GROWN = """
  - container: web-shop-assets
    name: humans.txt
    content: |
      We are many.
"""


def test_there_are_ten_steps() -> None:
    """At most, in order; those that are not taken here are among them."""
    numbers = list(steps())
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) <= 10
    assert set(ELSEWHERE) < set(numbers)


@pytest.mark.parametrize("name", sorted(set(canaries.CREDENTIALS) & set(canaries.WORDS)))
def test_a_secret_in_the_environment_would_be_found(name: str, tmp_path: Path) -> None:
    """It is why the credential is a file: ansible-runner writes the variables of a job down."""
    command = tmp_path / "artifacts" / IDENT / "command"
    command.parent.mkdir(parents=True)
    job = Ended("successful", {}, [], {}, tmp_path)
    for value, found in ((canaries.CREDENTIALS["username"], False), (canaries.CREDENTIALS[name], True)):
        command.write_text(json.dumps({"env": {"FCD_X": value}}), encoding="utf-8")
        with pytest.raises(AssertionError) if found else contextlib.nullcontext():
            require_no_secret(job)


def test_from_the_tenth_step_on(established: Established) -> None:
    """The first plan is green and sends nothing but reads; what follows it changes what it said, once."""
    sandbox, jobs = established.sandbox, established.jobs
    writes = sandbox.counts()["writes"]
    planned = _green(jobs.launch("FCD plan"))
    assert sandbox.counts()["writes"] == writes
    assert _counts(planned)["create"] == 3
    _bound_change(established)
    assert _hosts(established) == {"web"}
    _green(jobs.launch("FCD drift"))
    assert len(_nights(established)) == 1
    _drift_and_prune(established)
    assert _objects(established) == {"robots.txt"}
    _green(jobs.launch("FCD export"))
    assert "export/site.exported.yml" in _objects(established, REPORTS)
    _deprovision(established)
    assert _hosts(established) == set()


def _bound_change(established: Established) -> None:
    """The workflow applies its plan; that plan is refused when it is used again."""
    change = established.jobs.run_workflow("FCD change")
    assert _counts(_green(change["plan"])) == _counts(_green(change["apply"]))
    assert change["apply"].total("changed") == 2
    late = established.jobs.launch("FCD apply", change["plan"].handed_on)
    assert late.status == "failed"
    assert "no longer matches" in late.said


def _drift_and_prune(established: Established) -> None:
    """What is declared no longer is drift, is shown by the dry run, and gone after the approval."""
    jobs = established.jobs
    file = (established.checkout / "site.yml").read_text("utf-8")
    head, instances, tail = file.partition("\ninstances:")
    established.push("site.yml", head + GROWN + instances + tail)
    drift = jobs.launch("FCD drift")
    assert drift.status == "failed"
    assert "Drift: 1 entries" in drift.said
    assert len(_nights(established)) == 2
    require_no_secret(drift)
    _green(jobs.launch("FCD apply"))
    assert _objects(established) == {"robots.txt", "humans.txt"}
    established.push("site.yml", file)
    pruned = jobs.run_workflow("FCD prune after approval")
    assert pruned["dry run"].handed_on["approved_plan"]["mode"] == "prune"
    assert _counts(_green(pruned["dry run"])) == _counts(_green(pruned["prune"]))


def _deprovision(established: Established) -> None:
    """The site goes when its name was given, and as the dry run said; another name is refused before the approval."""
    jobs = established.jobs
    [refused] = jobs.run_workflow("FCD deprovision after approval", {"provision_confirm": "web-shops"}).values()
    assert refused.status == "failed"
    assert "Nothing was removed" in refused.said
    assert _hosts(established) == {"web"}
    gone = jobs.run_workflow("FCD deprovision after approval", {"provision_confirm": "web-shop"})
    assert gone["dry run"].handed_on["approved_plan"]["state"] == "absent"
    assert gone["dry run"].total("changed") == 0
    assert _counts(_green(gone["dry run"])) == _counts(_green(gone["deprovision"]))


def _green(job: Ended) -> Ended:
    """Return the job, which succeeded and told no secret."""
    assert job.status == "successful", job.said
    require_no_secret(job)
    return job


def _counts(job: Ended) -> dict[str, int]:
    """Return what the action said of its plan."""
    [plan] = [result["plan"] for result in job.results if isinstance(result.get("plan"), dict)]
    return t.cast("dict[str, int]", plan["counts"])


def _hosts(established: Established) -> set[str]:
    """Return the hosts of the inventory of instances that the site has made."""
    [inventory] = [
        item for item in established.controller.objects.kinds["inventories"].values() if item["name"] == "FCD instances"
    ]
    hosts = established.jobs.update(inventory["id"])["_meta"]["hostvars"]
    return {name for name in hosts if name == "web"}


def _objects(established: Established, container: str = SHOP) -> set[str]:
    """Return the objects in a container, as a rule that of the site."""
    return set(established.sandbox.state()["storage"]["containers"][container]["objects"])


def _nights(established: Established) -> set[str]:
    """Return the reports on drift that are kept beside the page."""
    kept = _objects(established, REPORTS)
    assert "drift/drift.html" in kept
    return {name for name in kept if name.startswith("drift/history/")}
