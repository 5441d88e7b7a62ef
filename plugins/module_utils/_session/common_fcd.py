# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CommonFcd client of a task: settings to address, login and contract.

The compiled contract is kept for the process too, so that the items of a loop read no file a second time.
"""

from __future__ import annotations

import os
import typing as t

from .._api.common_fcd import CommonFcd
from .._transport.client import Exchange
from .._transport.soap.client import Patience, Service, SoapClient
from .._transport.soap.contract import Contract, contract_file, load_contract, save_contract
from .http_client import exchange
from .options import SOAP
from .task import Task

_contracts: dict[tuple[int, str], Contract] = {}


def common_fcd(
    task: Task, calling: t.Callable[[SoapClient], SoapClient] | None = None, sender: Exchange | None = None
) -> CommonFcd:
    """Return the client. Raises MissingSettings, InvalidInput; without a compiled contract, what reading it raises.

    ``calling`` gets the client of the protocol and returns the one that is to be used. ``sender`` sends its requests in
    place of an exchange of its own.
    """
    if task.clients is not None:
        return task.clients.common_fcd()
    settings = task.settings
    settings.require((SOAP,))
    endpoint: str = settings["soap_url"]
    login = Service(endpoint, "", _user(settings), settings["password"])
    sender = sender or exchange(task)
    contract = _contract(task, sender, settings["soap_wsdl"] or f"{endpoint.partition('?')[0]}?wsdl", login)
    service = Service(endpoint, settings["soap_to"] or contract.endpoint or endpoint, login.user, login.password)
    patience = Patience(task.deadline, settings["timeout"], settings["retries"], task.warn)
    client = SoapClient(sender, contract, service, patience, task.redactor)
    return CommonFcd(client if calling is None else calling(client), settings["soap_member_map"])


def _user(settings: t.Mapping[str, t.Any]) -> str:
    """Return the user name of HTTP Basic: prefix and login (wire-facts 9.1), unless the login already has a domain."""
    username: str = settings["username"]
    return username if "\\" in username else (settings["soap_user_prefix"] or "") + username


def _contract(task: Task, sender: Exchange, wsdl: str, login: Service) -> Contract:
    path = contract_file(task.state_dir, wsdl)
    key = (os.getpid(), path)
    found = _contracts.get(key) or load_contract(path, task.settings["soap_contract_ttl"], task.clock)
    if found is None:
        # only without a compiled contract: zeep and lxml are imported here
        from .._transport.addresses import check_address
        from .._transport.soap.wsdl_documents import WsdlDocuments, downloader, is_remote
        from .._transport.soap.wsdl_reader import read_wsdl

        if is_remote(wsdl):
            check_address(wsdl, "soap_wsdl", allow_plain_http=task.settings["allow_plain_http"])
        data = read_wsdl(WsdlDocuments(wsdl, downloader(sender, login)), task.clock.now())
        save_contract(path, data, task.warn)
        found = Contract(data)
        if found.endpoint is None and not task.settings["soap_to"]:
            task.warn(
                f"The WSDL {found.source} has a port without an address; the service is addressed as soap_url. If it "
                "knows itself by another address, set soap_to to that."
            )
    _contracts[key] = found
    return found
