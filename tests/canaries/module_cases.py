# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks for every module of the tree, from its own examples, with a canary in every option that is secret.

Three scenes: the examples as they are, the service refusing them in words that repeat what it was sent, and mistakes
that put secrets where none belong. ``ansible.builtin.uri`` makes the same mistakes beside them: what it shows is shown
of any module.
"""

from __future__ import annotations

import functools
import importlib
import typing as t
from pathlib import Path

from chaos.task_process import PLUGINS
from examples.documentation import Documented, Setting, documented
from examples.needs import NEEDS, VARIABLES, Needs
from site_keys import private_key

from canaries.words import PESEL, canary, hard, kinds_in, script

Item = t.Dict[str, t.Any]
MODULES = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "plugins" / "modules").glob("[!_]*.py"))
TRIED = [name for name in MODULES if name != "orchestration"]  # which needs a program: the plays of a site have it
PREFIX = "fcd.cloud."
ONLY_READ = (
    *("contract_call", "document_download", "infrastructure_call", "instance_screenshot", "site_export"),
    "storage_object_download",
)  # in their first examples
SEND_NOTHING = {"contract_info", "site_report", "site_state", "site_validate"}
LOG_IN, DESCRIPTION = "/core/connect|/auth/", r"/CommonFcd\.svc\?"  # what every task requests first
CREDENTIALS = {
    "api_client_secret": f"a+b/{canary('apiclientsecret')}=='\"<9>",
    "password": hard("password"),
    "storage_key": '"k&y\\ {}<+>/'.format(canary("storagekey")),
    "storage_other_key": hard("storageotherkey"),
    "issued_mark": canary("issued{}"),
}  # of the sandbox; the names of the others are no secrets
CONNECTION = {name: CREDENTIALS[name] for name in ("api_client_secret", "password", "storage_key")}
CONNECTION["site_key"] = private_key(canary("sitekey"))
OWN: dict[str, Item] = {  # secret options that no example shows, which go well with all of them
    "instance": {"init_script": script("initscript")},
    "instance_fleet": {"instance_defaults": {"init_script": script("fleetscript")}},
    "instance_to_template": {"support_password": hard("supportpassword")},
    "storage_container": {"temp_url_key": hard("tempurlkey"), "temp_url_key_2": hard("tempurlkeytwo")},
}
MISTAKES = ("misplaced", "badtype", "misspelt")
FACTS = {"vault_reset_token"}  # variables that tasks set before the examples
FREE = {
    "vault_applicant_pesel": PESEL,
    "code_from_the_phone": "271828",
    "vaulted_site_key": CONNECTION["site_key"],
    "vaulted_previous_site_key": private_key(canary("previouskey")),
}
"""Variables of the examples whose value is looked at; all others that are secret get a canary."""


def spec(module: str) -> Item:
    """Return the argument specification of a module."""
    from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import argument_spec

    return t.cast("Item", argument_spec(importlib.import_module(f"{PLUGINS}.modules.{module}").OPERATION))


def variables(info: t.Mapping[str, t.Any], folder: Path) -> Item:
    """Write the files of all examples into the folder; return all variables."""
    given: Item = {f"canary_{name}": value for name, value in CONNECTION.items()}
    given.update({f"own_{module}": options for module, options in OWN.items()})
    setting = Setting(info, folder)
    for plugin in _plugins():
        own = setting.supply(NEEDS.get(plugin.name, Needs())).keys() - FACTS
        given.update({name: FREE.get(name) or hard(_kind(name)) for name in own})
    given.update({f"mistake_{who}{kind}": canary(who + kind) for who in ("", "builtin") for kind in MISTAKES})
    given.update({name: info["credentials"][value] for name, value in VARIABLES.items()})
    return {**given, **control_variables(info), "vault_national_id": PESEL}


def kinds() -> set[str]:
    """Return the kinds of canaries that the scenes have, those that the sandbox issues among them."""
    names = {name for plugin in _plugins() for name in NEEDS.get(plugin.name, Needs()).variables}
    named = {*map(_kind, names - FREE.keys() - FACTS)}
    found = kinds_in(str([CREDENTIALS, CONNECTION, OWN]).encode()) - {"issued"}
    issued = {f"issued{what}token" for what in ("access", "refresh", "storage", "reset")}
    return found | named | issued | {*MISTAKES, "issuedconsolepassword", "issuedinstancepassword", "pesel"}


def _kind(variable: str) -> str:
    return variable.removeprefix("vault_").replace("_", "")


def good(
    info: Item, folder: Path, most: int | None = None, modules: t.Collection[str] = TRIED, *, refusing: bool = False
) -> list[Item]:
    """Return the examples of every module, or so many of each at most, each on a service that is as it was."""
    tasks: list[Item] = [control("reset", {})]
    for plugin, before, own in _cases(info, folder):
        if plugin.name in modules:
            faults = [control("faults", {"fault": "repeat", "times": 0, **_fault(plugin)})] if refusing else []
            tried = [_tried(plugin, task) for task in _until(plugin, own, most)]
            only_reads = all(_ours(task).endswith("_info") for task in [*before, *faults, *own])
            tasks += [*before, *faults, *tried, *([] if only_reads else [control("reset", {})])]
    return tasks


few = functools.partial(good, most=3)
first = functools.partial(good, most=1)  # for runs in which each task costs a process
refused = functools.partial(good, most=3, refusing=True)  # what is written, of readers what is read


def mistaken(info: Item, folder: Path) -> list[Item]:
    """Return for every module tasks whose secrets are misplaced, of a wrong type, and under a misspelt name."""
    tasks: list[Item] = [control("reset", {})]
    for plugin, _before, own in _cases(info, folder):
        [*_others, task] = _until(plugin, own, 1)
        given = _with_secrets(plugin.name, task)
        secret = [(name, option) for name, option in spec(plugin.name).items() if option.get("no_log")]
        for kind, more in _mistakes(secret).items():
            tasks.append(_tried(plugin, {**task, "name": kind}, {**given, **more}))
    for kind, more in _mistakes([("url_password", {"type": "str"})], "builtin").items():
        given = {"timeout" if name == "retries" else name: value for name, value in more.items()}
        tasks.append(_uri(kind, {"url": info["control_url"], "url_username": "somebody", **given}))
    return tasks


def beside(info: Item, folder: Path) -> list[Item]:
    """Return a few tasks of ours, and a builtin module with a secret option that is right."""
    tasks = good(info, folder, 1, ("client_user", "instance", "storage_container", "token"))
    secret = {"url_username": "me", "url_password": canary("builtin")}
    return [*tasks, _uri("right", {"url": info["control_url"] + "/sandbox/info", **secret})]


def _uri(name: str, args: Item) -> Item:
    return {"name": f"uri: {name}", "ansible.builtin.uri": args, "ignore_errors": True}


def _mistakes(secret: t.Sequence[tuple[str, Item]], who: str = "") -> dict[str, Item]:
    misplaced, wrong, misspelt = (f"{{{{ mistake_{who}{kind} }}}}" for kind in MISTAKES)
    texts = {name: misplaced for name, option in secret if option.get("type", "str") == "str"}
    types = {name: wrong if option.get("type") == "dict" else [wrong, {"b": wrong}] for name, option in secret}
    return {
        "misplaced": {**texts, "retries": misplaced} if texts else {},
        "wrong type": {**types, "retries": "soon"},
        "misspelt": {"passwort": misspelt},
    }


@functools.lru_cache(maxsize=None)
def _plugins() -> list[Documented]:
    """Return the documented modules; whoever changes a task of theirs takes a copy."""
    return [one for one in documented() if one.kind == "modules" and one.name in TRIED]


def _cases(info: t.Mapping[str, t.Any], folder: Path) -> t.Iterator[tuple[Documented, list[Item], list[Item]]]:
    """Yield each module with the tasks that it needs before, and its own."""
    for plugin in _plugins():
        needs = NEEDS.get(plugin.name, Needs())
        setting = Setting(info, folder)
        setting.supply(needs)
        before, own = setting.adapted([*needs.before]), setting.adapted(plugin.examples)
        before, own = ([_apart(plugin, task, folder) for task in tasks] for tasks in (before, own))
        own_args = [{_ours(one): _with_secrets("", one)} if _ours(one) else {"no_log": True} for one in before]
        goes_on = {"check_mode": False, "ignore_errors": True}
        named = [{**one, **a, **goes_on, "name": f"before: {one['name']}"} for one, a in zip(before, own_args)]
        files = [task for task in own if "ansible.builtin.copy" in task and "no_log" not in task]
        yield plugin, named, [task for task in own if _ours(task) or task in files]


def _apart(plugin: Documented, task: Item, folder: Path) -> Item:
    """Return the task with a state folder of its module: journals and registries would outlive the reset service."""
    key = _ours(task)
    own = {"state_dir": str(folder / "home" / "state" / plugin.name)}
    return {**task, key: {**own, **(task[key] or {})}} if key else task


def _ours(task: Item) -> str:
    return next((key for key in task if key.startswith(PREFIX)), "")


def _with_secrets(module: str, task: Item) -> Item:
    """Return the arguments of a task, and in them the secrets of its services and of its own."""
    key = _ours(task)
    options = spec(key.removeprefix(PREFIX))
    given = {name: f"{{{{ canary_{name} }}}}" for name in CONNECTION if name in options}
    args: Item = {**given, **(task[key] or {})}
    for name, value in (OWN.get(module, {}) if key == PREFIX + module else {}).items():
        ours = f"{{{{ own_{module}.{name} }}}}"
        inner = {part: f"{{{{ own_{module}.{name}.{part} }}}}" for part in value} if isinstance(value, dict) else {}
        args[name] = {**inner, **args.get(name, {})} if inner else args.get(name, ours)
    return args


def _until(plugin: Documented, own: list[Item], most: int | None) -> list[Item]:
    """Return the tasks up to the one with which the module itself has run so often."""
    at = [number for number, task in enumerate(own) if plugin.task_key in task]
    return own[: at[min(most, len(at)) - 1] + 1] if most else own


def _tried(plugin: Documented, task: Item, args: Item | None = None) -> Item:
    """Return a task under a name that begins with the module's, and without the no_log that would hide it."""
    kept = {**task, "name": f"{plugin.name}: {task['name']}", "ignore_errors": True}
    key = _ours(task)
    if not key:  # a file of the example's own
        return kept
    del kept[key]
    kept.pop("no_log", None)
    given = args or _with_secrets(plugin.name, task)
    return {**kept, key: {**given, "renew": True} if key.removeprefix(PREFIX) in ("token", "storage_token") else given}


def control_variables(info: t.Mapping[str, t.Any]) -> Item:
    """Return the variables of the tasks that talk to the sandbox."""
    return {f"sandbox_control_{what}": info.get(f"control_{what}", "") for what in ("url", "token")}


def control(path: str, body: Item) -> Item:
    """Return a task that tells the sandbox something."""
    call = {"path": path, "method": "POST", "body": body}
    return {"name": f"before: {path}", "sandbox_control": call, "check_mode": False, "no_log": True}


def _fault(plugin: Documented) -> Item:
    """Return which requests the service refuses: log-ins, else what is read, else what is written."""
    if plugin.name in ("token", "storage_token"):
        return {"path": f"^({LOG_IN})"}
    reads = plugin.name.endswith("_info") or plugin.name in ONLY_READ
    return {"path": f"^(?!{LOG_IN}|{DESCRIPTION})", **({} if reads else {"write": True})}
