# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CommonFcd interface: one method for each remote operation in use, named as the contract names it.

Source: contract/soap-common-fcd.md (operations and inputs), wire-facts 9. Records are dictionaries with keys in
snake_case, as the WSDL declares them; which members a type has is asked with ``members``. Errors: those of
SoapClient.call.
"""

from __future__ import annotations

import typing as t

from .._transport.soap.client import SoapClient

if t.TYPE_CHECKING:
    from .._transport.soap.contract import Contract
    from .any_operation import AnyOperation
    from .members import Members

Record = t.Dict[str, t.Any]


class CommonFcd:
    """The service's operations; ``member_map`` is the option soap_member_map."""

    def __init__(self, client: SoapClient, member_map: t.Mapping[str, str] | None = None) -> None:
        self._client = client
        self._member_map = member_map

    def call(self, operation: str, **values: t.Any) -> t.Any:
        """Call any operation. Inputs in any spelling; one that is not given is left out, None is sent as null."""
        return self._client.call(operation, values)

    def operation(self, name: str, reads: bool | None = None) -> AnyOperation:
        """Return an operation; ``reads`` says whether it only reads, where its name does not. Raises InvalidInput."""
        from .any_operation import AnyOperation

        return AnyOperation(self._client, name, reads)

    def members(self, type_name: str) -> Members:
        """Return the members of a type of the contract, or of the input of an operation. Raises InvalidInput."""
        from .members import Members

        return Members(self._client.contract, type_name, self._member_map)

    def search(self, operation: str, criteria: t.Mapping[str, t.Any], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search, whatever the number of pages; ``criteria`` are members of its input."""
        from .search_pages import all_rows

        return all_rows(self._client.contract, self._client.call, operation, criteria, limit)

    def search_members(self, operation: str) -> Members:
        """Return the members of the input of a paged search. Raises InvalidInput."""
        from .search_pages import search_type

        return self.members(search_type(self._client.contract, operation))

    @property
    def contract(self) -> Contract:
        """What the WSDL says, to look things up in."""
        return self._client.contract

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

    # -- catalogue

    def get_templates_simple(self, type_dict_id: int) -> list[Record]:
        """Return the templates of one type."""
        return self._records("GetTemplatesSimple", type_dict_id=type_dict_id)

    def get_simple_dictionary_items(self, dictionary_id: int) -> list[Record]:
        """Return the items of a dictionary."""
        return self._records("GetSimpleDictionaryItems", dictionary_id=dictionary_id)

    def _record(self, operation: str, **values: t.Any) -> Record | None:
        return t.cast("t.Optional[Record]", self.call(operation, **values))

    def _records(self, operation: str, **values: t.Any) -> list[Record]:
        return t.cast("t.List[Record]", self.call(operation, **values))

    def _truth(self, operation: str, **values: t.Any) -> bool:
        return self.call(operation, **values) is True
