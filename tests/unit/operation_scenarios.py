# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that together send every operation of the SOAP contract, each from every module that has to do with it.

They are run with the modules' own operations against the sandbox's service in this process, and what arrives there is
kept. Every input of every operation is sent by one of them at least.
"""

from __future__ import annotations

import importlib
import itertools
import pathlib
import typing as t

import pytest
from lxml import etree

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import PASSWORD, Bench

SHORT = "x"
ODD = "  a<&>\"'ą \t€]]>\r\n "
"""Passwords that some rule of somebody's own would refuse or straighten."""
PRICE = "0.1000000000000000055511151231257827"
"""An amount that no floating point number is."""

ADDRESS = {"address_type_dict_id": 13, "street": "Mole"}
FERRIES = {"company_name": "Example Ferries", "vat_id": "1"}
SEARCH = {"search_text": "e", "limit": 2}


class Sent(t.NamedTuple):
    """One request: the module, the operation, and the element in the body."""

    module: str
    operation: str
    element: t.Any


class Teller:
    """Runs tasks against one service and keeps what they send."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.state = bench.state
        self.sent: list[Sent] = []
        self.results: list[tuple[str, t.Any]] = []

    def __call__(self, module: str, /, **params: t.Any) -> dict[str, t.Any]:
        """Run a task."""
        operation = importlib.import_module(f"ansible_collections.fcd.cloud.plugins.modules.{module}").OPERATION
        try:
            result: dict[str, t.Any] = self.bench.run(operation, **params)
        finally:
            bodies = [etree.fromstring(body.encode())[1][0] for body in self.bench.bodies]
            self.sent += [Sent(module, name, body) for name, body in zip(self.bench.sent, bodies)]
        self.results.append((module, result))
        return result


def searches(tell: Teller) -> None:
    """Each search has pages of one row here."""
    tell.bench.service.settings["maximum_page_size"] = 1
    for number in (1, 2):
        tell("warehouse", name="e", partner_id=12, template_id=2001, data_store_number=f"ds-{number}", queue_length=4)
    tell("warehouse_info", **SEARCH, partner_id=12)
    tell("client_user_info", subject="all", **SEARCH, include=["privileges"])
    tell("client_info", subject="all", **SEARCH)
    tell("news_info", search_text="e", language_dict_id=2)
    tell("news_info", filters={"sorting_direction": "ascending"}, limit=1)
    tell("pricelist_info", subject="all", search_text="a", only_active=True)
    tell("pricelist_info", subject="clients", search_text="e")
    tell("client", id=100, state="present", status="suspended", status_comment="bills")
    tell("client", id=100, state="present", status="active")
    tell("client_info", subject="history", search_text="", client_id=100)


def pricing(tell: Teller) -> None:
    """Price lists, fixed amounts and what a client pays."""
    tell("invoice_info", invoice_id=1301)
    tell("document_download", invoice_id=1301, dest=f"{tell.bench.folder.parent}/")
    tell("client_pricelist", client_ids=[100, 101], pricelist="partner")
    for number in range(200, 206):
        tell.state.clients[number] = {**tell.state.clients[100], "ClientId": number}
    tell("client_pricelist", client_ids=list(range(200, 206)), pricelist_id=2)
    for subject in ("simple", "of_client", "of_client_simple", "current"):
        tell("pricelist_info", subject=subject, client_id=100)
    tell("pricelist_delete", client_id=101, ids=[3])
    tell.bench.service.settings["faults"] = [{"operation": "^GetClientFixedAmount$", "error_code": 7, "times": 1}]
    tell("client_fixed_amount", client_id=100, amount=PRICE, date_from="2026-01-01", state="present")
    tell("client_fixed_amount_info", client_id=100)
    tell("client_fixed_amount", client_id=100, amount=f"{PRICE}1", state="present")
    tell("client_fixed_amount_info", client_id=100, subject="history")
    tell("client_fixed_amount", client_id=100, state="absent")
    tell("contract_call", operation="update_cp_history", inputs={"cp_history_id": 1, "description": "seen"})


def passwords(tell: Teller) -> None:
    """Log-ins and passwords, in all ways."""
    own, sid = tell.bench.task().settings["username"], tell.state.users[2]["AdSid"]
    second = {"user_name": "second.user"}
    for password in (ODD, SHORT):
        tell("client_user_password", action="set", user_id=2, new_password=password, **second, verify_first=True)
        tell("client_user_password", action="change", user_id=2, old_password=password, new_password=SHORT)
        tell("client_user_password", action="change", sid=sid, old_password=SHORT, new_password=ODD)
        tell("client_user_password", action="change", user_id=2, old_password=ODD, new_password=ODD)
        tell("client_user_password", action="change", **second, old_password=ODD, new_password=ODD)
        tell("client_user_password", action="change", sid=sid, old_password=ODD, new_password=password)
        tell("client_user_session", action="logon", **second, user_password=password, user_agent="test")
        tell("client_user_session", action="clean_last_logon", **second, user_password=password)
        tell(
            "client_user_password", action="request_reset", email="second.user@example.com", link_to_change_password="l"
        )
        (token,) = tell.state.reset_tokens
        tell("client_user_session", action="validate_token", token=token)
        tell("client_user_password", action="reset", token=token, new_password=password)
        tell("client_user", user_name="second.user", user_password=password, update_password="always")
    tell("client_user_session", action="logon", user_name=own, user_password=PASSWORD)
    tell("client_user_session", action="impersonate", current_user_sid=sid, user_email="second.user@example.com")


def users(tell: Teller) -> None:
    """A user's life."""
    for number, password in enumerate((ODD, SHORT)):
        made = tell(
            "client_user",
            user_name=f"reader.{number}",
            user_password=password,
            first_name="Billing",
            last_name="Reader",
            email=f"reader.{number}@example.com",
            pesel=f"4405140135{number}",
            privileges=["ReadReports"],
            privilege_type_id=9071,
            client_id=100,
        )["client_user"]
    settings = {"language_id": 1, "time_zone_id": 2, "availability_zone": 9101, "date_format_id": 178}
    marks = ("24_hour_clock", "marketing_information_subscriber", "technical_announcement_subscriber")
    tell("client_user", user_name="reader.1", settings={**settings, **{f"is_{mark}": True for mark in marks}})
    tell("client_user", id=made["id"], pesel="44051401366", phone_number="+48225550199", email="r@example.com")
    tell("client_user", sid=made["sid"], state="blocked")
    tell("client_user", id=made["id"], state="unblocked")
    taken = {"user_name": "reader.1", "email": "r@example.com", "phone_number": "+48225550199", "pesel": "1"}
    tell("client_user_info", subject="taken", **taken)
    tell("client_user_info", subject="taken", pesel="1", user_id=2)
    tell("client_user_info", user_id=2, privileges=["ReadReports"], privilege_type_id=9071)
    tell("client_user_info", subject="one", user_id=2)
    tell("client_user_info", sid=made["sid"])
    tell("privilege_info", type_dict_id=9071)
    tell("client_user", user_name="reader.1", state="absent")


def users_that_tell_little(tell: Teller) -> None:
    """Where no member says it, the client is asked for its default user, and the service for the own number."""
    for hidden in (("User", "IsDefault"), ("User", "AdLogin"), ("UserResultItem", "AdLogin")):
        tell.bench.hide_member(*hidden)
    tell("client_user", id=2, first_name="Other", is_default=False)
    tell("client_user", id=2, state="blocked")


def rows_without_logins(tell: Teller) -> None:
    """Users are read one by one then."""
    tell.bench.hide_member("UserResultItem", "AdLogin")
    tell("client_user_password", action="set", user_name="second.user", new_password=ODD)
    with pytest.raises(InvalidInput):
        tell("client_user_password", action="set", user_name="nobody", new_password=ODD)


def clients(tell: Teller) -> None:
    """All updates of clients."""

    def client(number: int, **params: t.Any) -> None:
        types = {"main": 13, "correspondence": 12, "billing": 1015}
        tell("client", id=number, address_types=types, **{"state": "present", **params})

    for number, project in itertools.product((100, 101), (None, "harbour")):
        tell.state.clients[number]["ProjectName"] = project
        client(number, commission=f"{PRICE}{len(project or '')}", additional_email_for_invoices="a@example.com")
        client(number, external_account_number=f"4{len(project or '')}", vat_id="5")
    client(100, default_user={"user_id": 2}, branch={"dictionary_item_id": 9061}, project_name="quay")
    client(100, main_address={"street": "Pier"}, billing_address=ADDRESS | {"address_type_dict_id": 1015})
    client(100, pit_data={"tax_office": "Northfield"}, referrer={"commission": "1.50", "user": {"user_id": 3}})
    client(102, type="company", company=FERRIES, phones=[{"phone_id": 0, "phone_number": "+48225550200"}])
    client(102, type="individual", default_user={"user_id": 4}, branch=9061, project_type="test")
    tell("client_info", client_id=100, include=["all"])
    tell("client_regulations", client_id=100)
    sent = tell("client_phone_verification", action="send", phone_number="+48225559999", country_dict_id=9051)
    told = sent["phone_verification"]
    code = tell.state.phone_codes[told["verification_id"]]["VerificationCode"]
    tell("client_phone_verification", action="save", client_id=100, phone_verification=told, code=code)
    tell.bench.connection["soap_member_map"] = {"Client.accepted": "ExternalAccountNumber"}
    tell("client_regulations", client_id=102)
    client(100, state="absent", delete_comment="ended")
    tell("client_info", client_id=100, include_deleted=True, include=["default_user"])
    tell.bench.hide_member("Client", "IsDeleted")
    client(100, state="absent")
    tell("client_info", partner_id=1, domain="blocked.example.com")
    tell("client_info", recommending_id=1)
    tell("client_info", subject="customer_service_users")
    tell("client_info", subject="all", status="active", vat_id="5260001246")


def warehouses(tell: Teller) -> None:
    """A warehouse's life."""
    key = {"partner_id": 12, "template_id": 2001, "data_store_number": "ds-1"}
    made = tell("warehouse", name="north", queue_length=4, **key, state="present")["warehouse"]
    tell("warehouse", queue_length=5, **key, state="present")
    tell("warehouse_info", warehouse_id=made["id"])
    tell("warehouse_info", subject="exists", **key)
    tell("warehouse", id=made["id"], state="absent")


def catalogue(tell: Teller) -> None:
    """What is only read."""
    tell("catalogue_info", dictionary="virtual_machine_class")
    tell("catalogue_info", dictionary_item_id=1047)
    tell("catalogue_info", ids=[12, 17])
    tell("catalogue_info", dictionary_id=12, name_prefix="v1", is_logged=True)
    for subject in ("simple_items", "simple_items_with_not_active", "items_with_names"):
        tell("catalogue_info", subject=subject, dictionary_id=12)
    for subject in ("applications", "applications_and_operating_systems", "services", "time_zones"):
        tell("catalogue_info", subject=subject)
    tell("catalogue_info", subject="revenues", name_prefix="north")
    tell("catalogue_info", revenue_id=501)
    tell("catalogue_info", code_id=701)
    tell("template_info")
    tell("template_info", category_id=3)
    tell("template_info", subject="simple_categories", parent_template_category_id=1)
    tell("template_info", type_dict_id=174)
    further = {"category_system_id": None, "type": None}
    tell("template_info", subject="templates_of_category", category_id=3, client_id=100, inputs=further)
    tell("template_info", icon_id=801)
    tell("document_download", icon_id=801, dest=f"{tell.bench.folder.parent}/")
    tell("template_info", template_id=2001, client_id=100)
    tell("template_info", virtual_machine_id=3001, client_id=100)
    tell("news_info", news_id=601)
    tell("cluster_info", client_id=100, only_client_clusters=True)
    tell("virtual_machine_transfer_info", export_id=1101)
    tell("virtual_machine_transfer_info", subject="import", import_id=1201, client_id=100)
    tell("virtual_machine_transfer_info", subject="import_disks", import_id=1201, client_id=100)


STORIES = (
    *(searches, pricing, passwords, users, users_that_tell_little, rows_without_logins, clients, warehouses),
    catalogue,
)


def told(folder: pathlib.Path) -> tuple[list[Sent], list[tuple[str, t.Any]]]:
    """Run all tasks and return what they sent, and the result of each with its module."""
    sent: list[Sent] = []
    results: list[tuple[str, t.Any]] = []
    for story in STORIES:
        with pytest.MonkeyPatch.context() as patch:
            teller = Teller(Bench(folder / story.__name__, patch))
            story(teller)
        sent += teller.sent
        results += teller.results
    return sent, results
