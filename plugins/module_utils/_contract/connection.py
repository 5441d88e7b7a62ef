# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The client of the contract; its compiled WSDL is kept for the process, so that no item of a loop reads it again."""

from __future__ import annotations

import os
import typing as t

from .._connection.options import SOAP
from .._connection.task import Task, exchange
from .._core.errors import FcdError
from .._http.client import Exchange
from .._http.messages import check_address
from .._soap.client import Patience, SoapClient
from .._soap.contract import Contract, contract_file, load_contract, save_contract
from .._soap.messages import Service
from .api import CommonFcd
from .check_mode_contract import CheckModeContract

_contracts: dict[tuple[int, str], Contract] = {}


def common_fcd(task: Task, sender: Exchange | None = None) -> CommonFcd:
    """Return the client. Raises MissingSettings, InvalidInput; without a compiled contract, what reading it raises.

    ``sender`` sends its requests in place of an exchange of its own.
    """
    if task.clients is not None:
        return task.clients.of("common_fcd", common_fcd)
    settings = task.settings
    settings.require((SOAP,))
    endpoint: str = settings["soap_url"]
    user = settings.login("soap_url")
    login = Service(endpoint, "", user, settings["password"])
    sender = sender or exchange(task)
    wsdl = settings["soap_wsdl"] or f"{endpoint.partition('?')[0]}?wsdl"
    contract = _read_contract(task, sender, wsdl, login)

    tried: list[t.Collection[str]] = []

    def read_again(lacking: t.Collection[str]) -> Contract | None:
        from .._soap.wsdl import is_remote

        if tried or not is_remote(wsdl) or set(lacking).issubset(contract.lacks):
            return None
        tried.append(lacking)
        try:
            return _read_contract(task, sender, wsdl, login, {*contract.lacks, *lacking})
        except FcdError as problem:
            task.warn(f"An answer does not fit the WSDL, which could not be read again: {problem.message}")
            return None

    service = Service(endpoint, settings["soap_to"] or contract.endpoint or endpoint, user, settings["password"])
    patience = Patience(task.deadline, settings["timeout"], settings["retries"], task.warn)
    client = SoapClient(sender, contract, service, patience, task.redactor, read_again)
    api = CommonFcd(client, settings["soap_member_map"])
    if task.planned_objects is None:
        return api
    return api.calling(CheckModeContract(task, task.planned_objects, api).call)


def _read_contract(task: Task, sender: Exchange, wsdl: str, login: Service, lacks: t.Collection[str] = ()) -> Contract:
    """Return the contract; if the kept one ``lacks`` something that an answer has, the WSDL is read again."""
    path = contract_file(task.state_dir, wsdl)
    key = (os.getpid(), path)
    found = _contracts.get(key) or load_contract(path, task.settings["soap_contract_ttl"], task.clock)
    found = None if lacks else found
    if found is None:
        # only without a compiled contract: zeep and lxml are imported here
        from .._soap.wsdl import WsdlDocuments, download_wsdl, is_remote, read_wsdl

        if is_remote(wsdl):
            check_address(wsdl, "soap_wsdl", allow_plain_http=task.settings["allow_plain_http"])
        documents = WsdlDocuments(wsdl, lambda address: download_wsdl(sender, login, address))
        data = {**read_wsdl(documents, task.clock.now()), "lacks": sorted(lacks)}
        save_contract(path, data, task.warn)
        found = Contract(data)
        if found.endpoint is None and not task.settings["soap_to"]:
            task.warn(
                f"The WSDL {found.source} has a port without an address, so soap_url is used. If the service expects "
                "another address in the messages, set soap_to."
            )
    _contracts[key] = found
    return found
