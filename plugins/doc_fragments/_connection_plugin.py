# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connection options of lookups and inventories, with their variables. Private to the collection.

Written by tests/tools/connection_docs.py: change the texts there.
"""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._connection_plugin.rest) and its like."""

    COMMON = r"""
options:
  profile:
    description:
      - Name of the profile whose values in the profile file are used where neither option nor variable is set.
      - Without it, the environment variable E(FCD_PROFILE) is asked.
      - Without any of them it is V(default).
    type: str
    env:
      - name: FCD_PROFILE
    vars:
      - name: fcd_profile
  config_file:
    description:
      - Profile file, a YAML mapping from profile names to connection options.
      - It must not be readable by other users when it holds secrets.
      - Whatever it holds, only this user and root may own and change it.
      - The same goes for the files that C(ca_path) and C(soap_wsdl) name in it.
      - Relative paths in it begin at its own folder.
      - Without it, the environment variable E(FCD_CONFIG_FILE) is asked.
      - Without any of them it is V(~/.config/fcd/cloud.yml).
    type: path
    env:
      - name: FCD_CONFIG_FILE
    vars:
      - name: fcd_config_file
  state_dir:
    description:
      - Folder, used by nobody else, for kept tokens, locks, notes about creates, and compiled contracts.
      - Without it, the environment variable E(FCD_STATE_DIR), then the profile file is asked.
      - Without any of them it is V(~/.local/state/fcd-cloud).
    type: path
    env:
      - name: FCD_STATE_DIR
    vars:
      - name: fcd_state_dir
  timeout:
    description:
      - Seconds that one call may take all in all, its retries included.
      - Without it, the environment variable E(FCD_TIMEOUT), then the profile file is asked.
      - Without any of them it is V(60.0).
    type: float
    env:
      - name: FCD_TIMEOUT
    vars:
      - name: fcd_timeout
  task_timeout:
    description:
      - Seconds after which the whole task ends with an error, whatever it is doing.
      - By default a task may take as long as it needs.
      - Without it, the environment variable E(FCD_TASK_TIMEOUT), then the profile file is asked.
    type: float
    env:
      - name: FCD_TASK_TIMEOUT
    vars:
      - name: fcd_task_timeout
  retries:
    description:
      - How often a call is repeated after a failure that allows it.
      - Reads are repeated after lost connections and overload, writes only when the service certainly did nothing.
      - Without it, the environment variable E(FCD_RETRIES), then the profile file is asked.
      - Without any of them it is V(3).
    type: int
    env:
      - name: FCD_RETRIES
    vars:
      - name: fcd_retries
  retry_budget:
    description:
      - How many points all tasks of a run of a playbook together have for retries, for each service and account.
      - A retry takes 5, or 10 after a time-out, and each good answer gives 1 back; after half an hour all are back.
      - When they are spent each request is sent once, so that many tasks do not flood a service that is down.
      - V(0) leaves only O(retries) as a limit.
      - Without it, the environment variable E(FCD_RETRY_BUDGET), then the profile file is asked.
      - Without any of them it is V(500).
    type: int
    env:
      - name: FCD_RETRY_BUDGET
    vars:
      - name: fcd_retry_budget
  validate_certs:
    description:
      - Whether the certificate of the service is checked.
      - With V(false), the first task of each run of a playbook warns.
      - Without it, the environment variable E(FCD_VALIDATE_CERTS), then the profile file is asked.
      - Without any of them it is V(true).
    type: bool
    env:
      - name: FCD_VALIDATE_CERTS
    vars:
      - name: fcd_validate_certs
  ca_path:
    description:
      - File with the certificates of the authorities to trust, in place of the usual ones.
      - Without it, the environment variable E(FCD_CA_PATH), then the profile file is asked.
    type: path
    env:
      - name: FCD_CA_PATH
    vars:
      - name: fcd_ca_path
  allow_plain_http:
    description:
      - Allow C(http://) addresses on other hosts than the local one; credentials then travel in clear.
      - The first task of each run of a playbook with such an address warns.
      - Without it, the environment variable E(FCD_ALLOW_PLAIN_HTTP), then the profile file is asked.
      - Without any of them it is V(false).
    type: bool
    env:
      - name: FCD_ALLOW_PLAIN_HTTP
    vars:
      - name: fcd_allow_plain_http
"""

    IDENTITY = r"""
options:
  auth_url:
    description:
      - Address of the identity server, without the path of the token endpoint.
      - Without it, the environment variable E(FCD_AUTH_URL), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_AUTH_URL
    vars:
      - name: fcd_auth_url
  api_client_id:
    description:
      - Id of the API client, from the account management of the panel.
      - Without it, the environment variable E(FCD_API_CLIENT_ID), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_API_CLIENT_ID
    vars:
      - name: fcd_api_client_id
  api_client_secret:
    description:
      - Secret of the API client.
      - Without it, the environment variable E(FCD_API_CLIENT_SECRET), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_API_CLIENT_SECRET
    vars:
      - name: fcd_api_client_secret
  username:
    description:
      - Login of the panel user.
      - Without it, the environment variable E(FCD_USERNAME), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_USERNAME
    vars:
      - name: fcd_username
  password:
    description:
      - Password of the panel user.
      - Without it, the environment variable E(FCD_PASSWORD), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_PASSWORD
    vars:
      - name: fcd_password
  scope:
    description:
      - Scope of the token, several separated by blanks.
      - V(service.api) reads and changes, V(service.api.readonly) only reads, V(offline_access) adds a refresh token.
      - Without it, the environment variable E(FCD_SCOPE), then the profile file is asked.
      - Without any of them it is V(service.api).
    type: str
    env:
      - name: FCD_SCOPE
    vars:
      - name: fcd_scope
  token_cache:
    description:
      - Whether tokens are kept between tasks, in files of mode 0600 below O(state_dir).
      - A kept token is used by tasks with the same credentials only.
      - Without it, the environment variable E(FCD_TOKEN_CACHE), then the profile file is asked.
      - Without any of them it is V(true).
    type: bool
    env:
      - name: FCD_TOKEN_CACHE
    vars:
      - name: fcd_token_cache
requirements:
  - requests
"""

    REST = r"""
options:
  lock_container:
    description:
      - Container of the object storage in which controllers that do not share O(state_dir) lock their creates.
      - 'Without it, a create is locked for tasks with the same O(state_dir): those of one user on one machine.'
      - With it, a task takes a lease in this container too before it creates an object.
      - It finds there what another controller has sent, and looks for that first.
      - All controllers need the same container, the same address of the service and the same login.
      - The container is made when it is missing.
      - C(storage_base), C(storage_user) and C(storage_key) come from the environment or the profile file.
      - Without it, the environment variable E(FCD_LOCK_CONTAINER), then the profile file is asked.
    type: str
    env:
      - name: FCD_LOCK_CONTAINER
    vars:
      - name: fcd_lock_container
  base_url:
    description:
      - Address of the infrastructure REST interface, for example C(https://api.example.com/beta).
      - Without it, the environment variable E(FCD_BASE_URL), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_BASE_URL
    vars:
      - name: fcd_base_url
  api_version:
    description:
      - Line of the infrastructure interface that the service runs.
      - V(2020) is the older one, which knows less in the create of an instance. V(2023) is the later one.
      - V(auto) asks the service, once in a task and only where an operation depends on it.
      - Without it, the environment variable E(FCD_API_VERSION), then the profile file is asked.
      - Without any of them it is V(auto).
    type: str
    choices:
      - auto
      - '2020'
      - '2023'
    env:
      - name: FCD_API_VERSION
    vars:
      - name: fcd_api_version
  auth_url:
    description:
      - Address of the identity server, without the path of the token endpoint.
      - Without it, the environment variable E(FCD_AUTH_URL), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_AUTH_URL
    vars:
      - name: fcd_auth_url
  api_client_id:
    description:
      - Id of the API client, from the account management of the panel.
      - Without it, the environment variable E(FCD_API_CLIENT_ID), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_API_CLIENT_ID
    vars:
      - name: fcd_api_client_id
  api_client_secret:
    description:
      - Secret of the API client.
      - Without it, the environment variable E(FCD_API_CLIENT_SECRET), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_API_CLIENT_SECRET
    vars:
      - name: fcd_api_client_secret
  username:
    description:
      - Login of the panel user.
      - Without it, the environment variable E(FCD_USERNAME), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_USERNAME
    vars:
      - name: fcd_username
  password:
    description:
      - Password of the panel user.
      - Without it, the environment variable E(FCD_PASSWORD), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_PASSWORD
    vars:
      - name: fcd_password
  scope:
    description:
      - Scope of the token, several separated by blanks.
      - V(service.api) reads and changes, V(service.api.readonly) only reads, V(offline_access) adds a refresh token.
      - Without it, the environment variable E(FCD_SCOPE), then the profile file is asked.
      - Without any of them it is V(service.api).
    type: str
    env:
      - name: FCD_SCOPE
    vars:
      - name: fcd_scope
  access_token:
    description:
      - A token issued before; then nobody logs in and the other credentials are not needed.
      - Without it, the environment variable E(FCD_ACCESS_TOKEN), then the profile file is asked.
    type: str
    env:
      - name: FCD_ACCESS_TOKEN
    vars:
      - name: fcd_access_token
  token_cache:
    description:
      - Whether tokens are kept between tasks, in files of mode 0600 below O(state_dir).
      - A kept token is used by tasks with the same credentials only.
      - Without it, the environment variable E(FCD_TOKEN_CACHE), then the profile file is asked.
      - Without any of them it is V(true).
    type: bool
    env:
      - name: FCD_TOKEN_CACHE
    vars:
      - name: fcd_token_cache
requirements:
  - requests
"""

    SOAP = r"""
options:
  lock_container:
    description:
      - Container of the object storage in which controllers that do not share O(state_dir) lock their creates.
      - 'Without it, a create is locked for tasks with the same O(state_dir): those of one user on one machine.'
      - With it, a task takes a lease in this container too before it creates an object.
      - It finds there what another controller has sent, and looks for that first.
      - All controllers need the same container, the same address of the service and the same login.
      - The container is made when it is missing.
      - C(storage_base), C(storage_user) and C(storage_key) come from the environment or the profile file.
      - Without it, the environment variable E(FCD_LOCK_CONTAINER), then the profile file is asked.
    type: str
    env:
      - name: FCD_LOCK_CONTAINER
    vars:
      - name: fcd_lock_container
  username:
    description:
      - Login of the panel user.
      - Without it, the environment variable E(FCD_USERNAME), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_USERNAME
    vars:
      - name: fcd_username
  password:
    description:
      - Password of the panel user.
      - Without it, the environment variable E(FCD_PASSWORD), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_PASSWORD
    vars:
      - name: fcd_password
  soap_url:
    description:
      - Address of the SOAP service, to which messages are posted.
      - Without it, the environment variable E(FCD_SOAP_URL), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_SOAP_URL
    vars:
      - name: fcd_soap_url
  soap_wsdl:
    description:
      - Address or path of the WSDL, in place of O(soap_url) with C(?wsdl) behind it.
      - Without it, the environment variable E(FCD_SOAP_WSDL), then the profile file is asked.
    type: str
    env:
      - name: FCD_SOAP_WSDL
    vars:
      - name: fcd_soap_wsdl
  soap_to:
    description:
      - Value of the WS-Addressing header C(To), in place of the address that the WSDL publishes.
      - Without it, the environment variable E(FCD_SOAP_TO), then the profile file is asked.
    type: str
    env:
      - name: FCD_SOAP_TO
    vars:
      - name: fcd_soap_to
  soap_user_prefix:
    description:
      - What is put before O(username) for the SOAP interface, unless it holds a backslash already.
      - Without it, the environment variable E(FCD_SOAP_USER_PREFIX), then the profile file is asked.
      - Without any of them it is V(API\\).
    type: str
    env:
      - name: FCD_SOAP_USER_PREFIX
    vars:
      - name: fcd_soap_user_prefix
  soap_member_map:
    description:
      - Names of members of the SOAP types where the names in the WSDL cannot be told from the contract.
      - Keys have the form C(Type.attribute), values are the names of members.
      - Without it, the environment variable E(FCD_SOAP_MEMBER_MAP), then the profile file is asked.
    type: dict
    env:
      - name: FCD_SOAP_MEMBER_MAP
    vars:
      - name: fcd_soap_member_map
  soap_contract_ttl:
    description:
      - Seconds for which a compiled WSDL is used before it is read again.
      - Without it, the environment variable E(FCD_SOAP_CONTRACT_TTL), then the profile file is asked.
      - Without any of them it is V(86400.0).
    type: float
    env:
      - name: FCD_SOAP_CONTRACT_TTL
    vars:
      - name: fcd_soap_contract_ttl
requirements:
  - requests
  - lxml
  - zeep (to read the WSDL)
"""

    STORAGE = r"""
options:
  token_cache:
    description:
      - Whether tokens are kept between tasks, in files of mode 0600 below O(state_dir).
      - A kept token is used by tasks with the same credentials only.
      - Without it, the environment variable E(FCD_TOKEN_CACHE), then the profile file is asked.
      - Without any of them it is V(true).
    type: bool
    env:
      - name: FCD_TOKEN_CACHE
    vars:
      - name: fcd_token_cache
  storage_base:
    description:
      - Host address of the object storage, for example C(https://storage.example.com).
      - Without it, the environment variable E(FCD_STORAGE_BASE), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_STORAGE_BASE
    vars:
      - name: fcd_storage_base
  storage_user:
    description:
      - User of the object storage in the form C(account:user).
      - Without it, the environment variable E(FCD_STORAGE_USER), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_STORAGE_USER
    vars:
      - name: fcd_storage_user
  storage_key:
    description:
      - Key (password) of the storage user.
      - Without it, the environment variable E(FCD_STORAGE_KEY), then the profile file is asked.
      - It has to be set in one of them.
    type: str
    env:
      - name: FCD_STORAGE_KEY
    vars:
      - name: fcd_storage_key
  storage_key_encoding:
    description:
      - How O(storage_user) and O(storage_key) are written in the request for a token.
      - V(percent) suits servers that decode them, which matters for keys with a percent sign.
      - Without it, the environment variable E(FCD_STORAGE_KEY_ENCODING), then the profile file is asked.
      - Without any of them it is V(none).
    type: str
    choices:
      - none
      - percent
    env:
      - name: FCD_STORAGE_KEY_ENCODING
    vars:
      - name: fcd_storage_key_encoding
  storage_token_lifetime:
    description:
      - How long a token of the object storage is to live, in seconds.
      - It counts when the service makes a token, and the service may allow less.
      - A token that still lives, kept by the collection or by the service, is used as it is.
      - Without it the service decides, mostly for about a day.
      - Without it, the environment variable E(FCD_STORAGE_TOKEN_LIFETIME), then the profile file is asked.
    type: int
    env:
      - name: FCD_STORAGE_TOKEN_LIFETIME
    vars:
      - name: fcd_storage_token_lifetime
requirements:
  - requests (only where a proxy is set)
"""

    SITE = r"""
options:
  site_key:
    description:
      - Key of 16 or more characters with which the registry of a site is signed, and what is secret in a plan bound.
      - Where the registry is in a container it is needed, and has to be the same wherever the site is worked on.
      - Where it is a file it is not signed without one.
      - What is secret in a plan is then bound with a key of this controller, kept in O(state_dir).
      - Without it, the environment variable E(FCD_SITE_KEY), then the profile file is asked.
    type: str
    env:
      - name: FCD_SITE_KEY
    vars:
      - name: fcd_site_key
"""
