# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CommonFcd interface: one method for each remote operation in use, named as the contract names it.

Source: contract/soap-common-fcd.md (operations and inputs), wire-facts 9. Records are dictionaries with keys in
snake_case, as the WSDL declares them; which members a type has is asked with ``members``. Errors: those of
SoapClient.call. The compiled contract is kept for the process, so that the items of a loop read no file a second time.
"""

from __future__ import annotations

import os
import typing as t

from .._connection.clients import exchange
from .._connection.options import SOAP
from .._connection.task import Task
from .._http.client import Exchange
from .._soap.client import Patience, Service, SoapClient
from .._soap.contract import Contract, contract_file, load_contract, save_contract

if t.TYPE_CHECKING:
    from .members import Members

Record = t.Dict[str, t.Any]
_contracts: dict[tuple[int, str], Contract] = {}


class CommonFcd:
    """The service's operations; ``member_map`` is the option soap_member_map."""

    def __init__(self, client: SoapClient, member_map: t.Mapping[str, str] | None = None) -> None:
        self.client = client
        self._member_map = member_map

    def call(self, operation: str, **values: t.Any) -> t.Any:
        """Call any operation. Inputs in any spelling; one that is not given is left out, None is sent as null."""
        return self.client.call(operation, values)

    def checking(self) -> CommonFcd:
        """Return one whose operations check their inputs as ``call`` would, and send nothing."""
        return _InputCheck(self.client, self._member_map)

    def members(self, type_name: str) -> Members:
        """Return the members of a type of the contract, or of the input of an operation. Raises InvalidInput."""
        from .members import Members

        return Members(self.client.contract, type_name, self._member_map)

    def search(self, operation: str, criteria: t.Mapping[str, t.Any], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search, whatever the number of pages; ``criteria`` are members of its input."""
        from .search_pages import all_rows

        return all_rows(self.client.contract, self.client.call, operation, criteria, limit)

    def search_members(self, operation: str) -> Members:
        """Return the members of the input of a paged search. Raises InvalidInput."""
        from .search_pages import search_type

        return self.members(search_type(self.client.contract, operation))

    @property
    def contract(self) -> Contract:
        """What the WSDL says, to look things up in."""
        return self.client.contract

    # -- users

    def logon_user(self, user: str, password: str, **values: t.Any) -> Record | None:
        """Return who logs on; None or empty when user name or password are wrong (wire-facts 9.3)."""
        return self._record("LogonUser", user=user, password=password, **values)

    def get_privileges(self, type_dict_id: int) -> list[Record]:
        """Return the privileges of one type."""
        return self._records("GetPrivileges", type_dict_id=type_dict_id)

    def get_user(self, user_id: int) -> Record | None:
        """Return one user; None when there is none."""
        return self._record("GetUser", user_id=user_id)

    def get_user_by_sid(self, sid: str) -> Record | None:
        """Return the user with a security identifier; None when there is none."""
        return self._record("GetUserBySid", sid=sid)

    def get_client_default_user_simple(self, client_id: int) -> Record | None:
        """Return the default user of a client."""
        return self._record("GetClientDefaultUserSimple", client_id=client_id)

    def get_users(self, **criteria: t.Any) -> list[Record]:
        """Return the users that fit the criteria."""
        return self.search("GetUsers", criteria)

    def get_user_privileges(self, user_id: int) -> list[Record]:
        """Return the privileges of a user."""
        return self._records("GetUserPrivileges", user_id=user_id)

    def is_user_name_already_taken(self, user_name: str) -> bool:
        """Whether a user has this log-in name."""
        return self._truth("IsUserNameAlreadyTaken", user_name=user_name)

    def is_email_already_taken(self, email: str) -> bool:
        """Whether a user has this e-mail address."""
        return self._truth("IsEmailAlreadyTaken", email=email)

    def is_pesel_already_taken(self, pesel: str) -> bool:
        """Whether a user has this national id."""
        return self._truth("IsPeselAlreadyTaken", pesel=pesel)

    def is_pesel_already_taken_by_other_user(self, pesel: str, user_id: int) -> bool:
        """Whether a user other than this one has the national id."""
        return self._truth("IsPeselAlreadyTakenByOtherUser", pesel=pesel, user_id=user_id)

    def is_phone_number_exists(self, phone_number: str) -> bool:
        """Whether a user has this phone number."""
        return self._truth("IsPhoneNumberExists", phone_number=phone_number)

    def create_user_with_privileges(
        self, ad_login: str, ad_password: str, user: t.Mapping[str, t.Any], privileges: t.Sequence[int]
    ) -> int:
        """Create a user and return its id."""
        number = self.call(
            "CreateUserWithPrivileges", ad_login=ad_login, ad_password=ad_password, user=user, privileges=privileges
        )
        return t.cast("int", number)

    def update_user_info_and_privileges(self, user_id: int, **values: t.Any) -> None:
        """Replace names, e-mail, phone, national id, default mark and privileges: all of them have to be given."""
        self.call("UpdateUserInfoAndPrivileges", user_id=user_id, **values)

    def update_user_settings(self, user_id: int, **values: t.Any) -> None:
        """Change settings of a user (language_id, time_zone_id, availability_zone and so on)."""
        self.call("UpdateUserSettings", user_id=user_id, **values)

    def set_user_password(self, user_id: int, new_password: str) -> None:
        """Set a user's password."""
        self.call("SetUserPassword", user_id=user_id, new_password=new_password)

    def block_user(self, user_id: int) -> None:
        """Block a user."""
        self.call("BlockUser", user_id=user_id)

    def unblock_user(self, user_id: int) -> None:
        """Unblock a user."""
        self.call("UnblockUser", user_id=user_id)

    def delete_users(self, user_ids: t.Sequence[int]) -> None:
        """Delete users."""
        self.call("DeleteUsers", user_ids=user_ids)

    def change_user_password(self, user_id: int, old_password: str, new_password: str) -> None:
        """Change the password of a user, known by its number."""
        self.call("ChangeUserPassword", user_id=user_id, old_password=old_password, new_password=new_password)

    def change_password(self, ad_sid: str, old_password: str, new_password: str) -> None:
        """Change the password of a user, known by its security identifier."""
        self.call("ChangePassword", ad_sid=ad_sid, old_password=old_password, new_password=new_password)

    def request_for_reset_password(self, email: str, **link: t.Any) -> None:
        """Ask for a letter with a token; ``link_to_change_password`` is for the letter."""
        self.call("RequestForResetPassword", email=email, **link)

    def reset_password(self, token: str, new_password: str) -> None:
        """Set the password of the user that the token was given to."""
        self.call("ResetPassword", token=token, new_password=new_password)

    def impersonate_user(self, current_user_sid: str, user_email: str) -> Record | None:
        """Return the user whose part is taken."""
        values = {"currentUserSID": current_user_sid, "user_email": user_email}
        return self._record("ImpersonateUser", **values)

    def validate_token(self, token: str) -> bool:
        """Whether a token is valid."""
        return self._truth("ValidateToken", token=token)

    def clean_last_logon_date(self, user: str, password: str) -> None:
        """Forget when the user logged on last."""
        self.call("CleanLastLogonDate", user=user, password=password)

    # -- clients

    def get_client(self, client_id: int) -> Record | None:
        """Return a client that is not deleted."""
        return self._record("GetClient", client_id=client_id)

    def get_client_including_deleted(self, client_id: int) -> Record | None:
        """Return a client, a deleted one too."""
        return self._record("GetClientIncludingDeleted", client_id=client_id)

    def get_client_pit_data(self, client_id: int) -> Record | None:
        """Return a client's data for the income tax."""
        return self._record("GetClientPitData", client_id=client_id)

    def update_client(self, operation: str, client_id: int, **values: t.Any) -> None:
        """Replace all that the inputs of one of the updates name (UpdateClient, ChangeCompanyClientType and so on)."""
        self.call(operation, client_id=client_id, **values)

    def create_or_update_client_pit_data(self, client_id: int, pit_data: Record) -> None:
        """Replace a client's data for the income tax."""
        self.call("CreateOrUpdateClientPitData", client_id=client_id, pit_data=pit_data)

    def update_client_status(self, client_id: int, status: str, **comment: t.Any) -> None:
        """Set the status, with a comment."""
        self.call("UpdateClientStatus", client_id=client_id, status=status, **comment)

    def delete_client(self, client_id: int, **comment: t.Any) -> Record | None:
        """Delete a client, with a comment, and return what the service says to it."""
        return self._record("DeleteClient", client_id=client_id, **comment)

    def accept_regulations(self, client_id: int) -> None:
        """Accept the regulations for a client."""
        self.call("AcceptRegulations", client_id=client_id)

    def send_client_phone_verification_code(self, phone_number: str, country_dict_id: int) -> Record | None:
        """Have a code sent to a phone, and return what the service says of the verification."""
        values = {"phone_number": phone_number, "country_dict_id": country_dict_id}
        return self._record("SendClientPhoneVerificationCode", **values)

    def save_client_phone_verification_result(self, client_id: int, phone_verification: Record) -> None:
        """Save for a client what came of the verification."""
        self.call("SaveClientPhoneVerificationResult", client_id=client_id, phone_verification=phone_verification)

    # -- pricing

    def get_client_fixed_amount(self, client_id: int) -> Record | None:
        """Return the fixed amount of a client."""
        return self._record("GetClientFixedAmount", client_id=client_id)

    def get_client_fixed_amount_history(self, client_id: int) -> list[Record]:
        """Return what became of a client's fixed amounts."""
        return self._records("GetClientFixedAmountHistory", client_id=client_id)

    def create_client_fixed_amount(self, client_fixed_amount: Record) -> None:
        """Create a fixed amount; the client is in it."""
        self.call("CreateClientFixedAmount", client_fixed_amount=client_fixed_amount)

    def update_client_fixed_amount(self, client_fixed_amount: Record) -> None:
        """Replace a fixed amount; its number is in it."""
        self.call("UpdateClientFixedAmount", client_fixed_amount=client_fixed_amount)

    def delete_client_fixed_amount(self, client_fixed_amount_id: int) -> None:
        """Delete a fixed amount."""
        self.call("DeleteClientFixedAmount", client_fixed_amount_id=client_fixed_amount_id)

    def get_pricelists(self, **criteria: t.Any) -> list[Record]:
        """Return the price lists that fit the criteria."""
        return self.search("GetPricelists", criteria)

    def get_pricelists_clients(self, **criteria: t.Any) -> list[Record]:
        """Return clients with their price lists."""
        return self.search("GetPricelistsClients", criteria)

    def get_client_current_pricelist(self, owner_client_id: int) -> Record | None:
        """Return the price list that a client has now."""
        return self._record("GetClientCurrentPricelist", owner_client_id=owner_client_id)

    def get_client_pricelists_simple(self, owner_client_id: int) -> list[Record]:
        """Return the price lists of a client as PricelistSimple."""
        return self._records("GetClientPricelistsSimple", owner_client_id=owner_client_id)

    def change_pricelist(self, clients_ids: t.Sequence[int], new_pricelist_id: int) -> None:
        """Give clients a price list."""
        self.call("ChangePricelist", clients_ids=clients_ids, new_pricelist_id=new_pricelist_id)

    def delete_pricelists(self, pricelists_ids: t.Sequence[int], client_id: int) -> None:
        """Delete price lists of a client."""
        self.call("DeletePricelists", pricelists_ids=pricelists_ids, client_id=client_id)

    # -- warehouses

    def create_warehouse(self, **values: t.Any) -> None:
        """Create a warehouse (warehouse_name, queue_capacity, data_store_number, template_id, partner_id)."""
        self.call("CreateWarehouse", **values)

    def warehouse_exists(self, partner_id: int, template_id: int, data_store_number: str) -> bool:
        """Whether there is a warehouse with this key."""
        return self._truth(
            "WarehouseExists", partner_id=partner_id, template_id=template_id, data_store_number=data_store_number
        )

    def get_warehouses(self, **criteria: t.Any) -> list[Record]:
        """Return the warehouses that fit the criteria."""
        return self.search("GetWarehouses", criteria)

    def get_warehouse(self, warehouse_id: int) -> Record | None:
        """Return one warehouse; None when there is none."""
        return self._record("GetWarehouse", warehouse_id=warehouse_id)

    def update_warehouse(self, warehouse_id: int, warehouse_name: str, queue_length: int) -> None:
        """Change name and queue length."""
        self.call(
            "UpdateWarehouse", warehouse_id=warehouse_id, warehouse_name=warehouse_name, queue_length=queue_length
        )

    def delete_warehouse(self, warehouse_id: int) -> None:
        """Delete a warehouse."""
        self.call("DeleteWarehouse", warehouse_id=warehouse_id)

    def _record(self, operation: str, **values: t.Any) -> Record | None:
        return t.cast("t.Optional[Record]", self.call(operation, **values))

    def _records(self, operation: str, **values: t.Any) -> list[Record]:
        return t.cast("t.List[Record]", self.call(operation, **values))

    def _truth(self, operation: str, **values: t.Any) -> bool:
        return self.call(operation, **values) is True


class _InputCheck(CommonFcd):
    """Checks the inputs of operations; whatever is called returns nothing."""

    def call(self, operation: str, **values: t.Any) -> None:
        """Raise InvalidInput when the operation cannot be called with these inputs."""
        from .typed_values import TypedValues

        TypedValues(self.contract).check(operation, **values)


def common_fcd(
    task: Task, calling: t.Callable[[SoapClient], SoapClient] | None = None, sender: Exchange | None = None
) -> CommonFcd:
    """Return the client. Raises MissingSettings, InvalidInput; without a compiled contract, what reading it raises.

    ``calling`` gets the client of the protocol and returns the one that is to be used. ``sender`` sends its requests in
    place of an exchange of its own.
    """
    if task.clients is not None:
        return task.clients.of("common_fcd", common_fcd)
    settings = task.settings
    settings.require((SOAP,))
    endpoint: str = settings["soap_url"]
    login = Service(endpoint, "", _user(settings), settings["password"])
    sender = sender or exchange(task)
    contract = _read_contract(task, sender, settings["soap_wsdl"] or f"{endpoint.partition('?')[0]}?wsdl", login)
    service = Service(endpoint, settings["soap_to"] or contract.endpoint or endpoint, login.user, login.password)
    patience = Patience(task.deadline, settings["timeout"], settings["retries"], task.warn)
    client = SoapClient(sender, contract, service, patience, task.redactor)
    return CommonFcd(client if calling is None else calling(client), settings["soap_member_map"])


def _user(settings: t.Mapping[str, t.Any]) -> str:
    """Return the user name of HTTP Basic: prefix and login (wire-facts 9.1), unless the login already has a domain."""
    username: str = settings["username"]
    return username if "\\" in username else (settings["soap_user_prefix"] or "") + username


def _read_contract(task: Task, sender: Exchange, wsdl: str, login: Service) -> Contract:
    path = contract_file(task.state_dir, wsdl)
    key = (os.getpid(), path)
    found = _contracts.get(key) or load_contract(path, task.settings["soap_contract_ttl"], task.clock)
    if found is None:
        # only without a compiled contract: zeep and lxml are imported here
        from .._http.messages import check_address
        from .._soap.wsdl_documents import WsdlDocuments, downloader, is_remote
        from .._soap.wsdl_reader import read_wsdl

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
