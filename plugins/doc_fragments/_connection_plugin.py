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
      - Name of the profile to use.
      - Its values in the profile file apply where neither option nor variable is set.
      - If omitted, the environment variable E(FCD_PROFILE) is used.
      - The default is V(default).
    type: str
    env:
      - name: FCD_PROFILE
    vars:
      - name: fcd_profile
  config_file:
    description:
      - Path of the profile file.
      - It is a YAML mapping of profile names to connection options.
      - If it contains secrets, it must not be readable by other users.
      - In any case, only this user and root may own and change it.
      - The same applies to the files that C(ca_path) and C(soap_wsdl) name in it.
      - Relative paths in it start at its own folder.
      - If omitted, the environment variable E(FCD_CONFIG_FILE) is used.
      - The default is V(~/.config/fcd/cloud.yml).
    type: path
    env:
      - name: FCD_CONFIG_FILE
    vars:
      - name: fcd_config_file
  state_dir:
    description:
      - Private folder for tokens, locks and records.
      - It contains cached tokens, locks, records of creates, and compiled contracts. The path must be absolute.
      - If omitted, the environment variable E(FCD_STATE_DIR) or else the profile file is used.
      - The default is V(~/.local/state/fcd-cloud).
    type: path
    env:
      - name: FCD_STATE_DIR
    vars:
      - name: fcd_state_dir
  timeout:
    description:
      - Maximum seconds for a call and its retries.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
      - If omitted, the environment variable E(FCD_TIMEOUT) or else the profile file is used.
      - The default is V(60.0).
    type: str
    env:
      - name: FCD_TIMEOUT
    vars:
      - name: fcd_timeout
  task_timeout:
    description:
      - Maximum seconds for the whole task.
      - The task then fails regardless of what it is doing.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
      - By default, a task may take as long as it needs.
      - If omitted, the environment variable E(FCD_TASK_TIMEOUT) or else the profile file is used.
    type: str
    env:
      - name: FCD_TASK_TIMEOUT
    vars:
      - name: fcd_task_timeout
  retries:
    description:
      - How often to retry a call.
      - A call is retried after a failure that allows it.
      - Reads are retried after lost connections and overload, writes only if the service certainly did nothing.
      - If omitted, the environment variable E(FCD_RETRIES) or else the profile file is used.
      - The default is V(3).
    type: int
    env:
      - name: FCD_RETRIES
    vars:
      - name: fcd_retries
  retry_budget:
    description:
      - Budget for the retries of a run, in points.
      - All tasks of a playbook run share this retry budget, for each service and account.
      - A retry takes 5 points, or 10 after a timeout, and each good response returns 1.
      - After half an hour, all points are back.
      - When the budget is spent, each request is sent only once, so that many tasks do not flood a failing service.
      - With V(0), only O(retries) limits retries.
      - If omitted, the environment variable E(FCD_RETRY_BUDGET) or else the profile file is used.
      - The default is V(500).
    type: int
    env:
      - name: FCD_RETRY_BUDGET
    vars:
      - name: fcd_retry_budget
  progress:
    description:
      - Whether to show progress.
      - A module that runs longer than five seconds shows what it is doing, with a line every few seconds.
      - V(auto) shows lines, but not in a job of AWX or automation controller, which would keep each as an event.
      - V(always) shows them there too, V(never) shows none.
      - Only modules on the controller show lines, lookups and the inventory do not.
      - Nothing is shown with C(no_log), or with a callback that outputs JSON.
      - If omitted, the environment variable E(FCD_PROGRESS) or else the profile file is used.
      - The default is V(auto).
    type: str
    choices:
      - auto
      - always
      - never
    env:
      - name: FCD_PROGRESS
    vars:
      - name: fcd_progress
  validate_certs:
    description:
      - Whether to validate certificates.
      - These are the TLS certificates of the services.
      - With V(false), the first task of each playbook run shows a warning.
      - If omitted, the environment variable E(FCD_VALIDATE_CERTS) or else the profile file is used.
      - The default is V(true).
    type: bool
    env:
      - name: FCD_VALIDATE_CERTS
    vars:
      - name: fcd_validate_certs
  ca_path:
    description:
      - File with the authorities to trust.
      - These are certificates of certificate authorities, used instead of the usual ones.
      - If omitted, the environment variable E(FCD_CA_PATH) or else the profile file is used.
    type: path
    env:
      - name: FCD_CA_PATH
    vars:
      - name: fcd_ca_path
  allow_plain_http:
    description:
      - Whether to allow C(http://) addresses.
      - Otherwise, they are refused on remote hosts, because credentials would be sent in clear text.
      - The first task of each playbook run with such an address shows a warning.
      - If omitted, the environment variable E(FCD_ALLOW_PLAIN_HTTP) or else the profile file is used.
      - The default is V(false).
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
      - URL of the identity server.
      - Leave out the path of the token endpoint.
      - If omitted, the environment variable E(FCD_AUTH_URL) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_AUTH_URL
    vars:
      - name: fcd_auth_url
  api_client_id:
    description:
      - ID of the API client.
      - It is in the account management of the panel.
      - If omitted, the environment variable E(FCD_API_CLIENT_ID) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_API_CLIENT_ID
    vars:
      - name: fcd_api_client_id
  api_client_secret:
    description:
      - Secret of the API client.
      - If omitted, the environment variable E(FCD_API_CLIENT_SECRET) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_API_CLIENT_SECRET
    vars:
      - name: fcd_api_client_secret
  username:
    description:
      - Login of the panel user.
      - If omitted, the environment variable E(FCD_USERNAME) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_USERNAME
    vars:
      - name: fcd_username
  password:
    description:
      - Password of the panel user.
      - If omitted, the environment variable E(FCD_PASSWORD) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_PASSWORD
    vars:
      - name: fcd_password
  scope:
    description:
      - Scope of the token.
      - Separate several with spaces.
      - V(service.api) allows reading and writing, V(service.api.readonly) only reading.
      - V(offline_access) adds a refresh token.
      - If omitted, the environment variable E(FCD_SCOPE) or else the profile file is used.
      - The default is V(service.api).
    type: str
    env:
      - name: FCD_SCOPE
    vars:
      - name: fcd_scope
  token_cache:
    description:
      - Whether to cache tokens.
      - They are kept between tasks, in files of mode 0600 below O(state_dir).
      - Only tasks with the same credentials use a cached token.
      - If omitted, the environment variable E(FCD_TOKEN_CACHE) or else the profile file is used.
      - The default is V(true).
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
      - Container in which controllers lock their creates.
      - It is a container of the object storage, for controllers that do not share O(state_dir).
      - Without it, the lock on a create covers only tasks with the same O(state_dir), those of one user on one host.
      - With it, a task also takes a lease in this container before it creates an object.
      - The lease shows what another controller has sent, and the task looks for that object first.
      - All controllers must use the same container, the same address of the service and the same login.
      - The container is created if it does not exist.
      - C(storage_base), C(storage_user) and C(storage_key) come from the environment or the profile file.
      - If omitted, the environment variable E(FCD_LOCK_CONTAINER) or else the profile file is used.
    type: str
    env:
      - name: FCD_LOCK_CONTAINER
    vars:
      - name: fcd_lock_container
  base_url:
    description:
      - URL of the infrastructure interface.
      - For example C(https://api.example.com/beta).
      - If omitted, the environment variable E(FCD_BASE_URL) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_BASE_URL
    vars:
      - name: fcd_base_url
  api_version:
    description:
      - Version line of the infrastructure interface.
      - V(2020) is the older one, which supports less when an instance is created. V(2023) is the newer one.
      - V(auto) asks the service, once per task and only if an operation depends on it.
      - If omitted, the environment variable E(FCD_API_VERSION) or else the profile file is used.
      - The default is V(auto).
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
      - URL of the identity server.
      - Leave out the path of the token endpoint.
      - If omitted, the environment variable E(FCD_AUTH_URL) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_AUTH_URL
    vars:
      - name: fcd_auth_url
  api_client_id:
    description:
      - ID of the API client.
      - It is in the account management of the panel.
      - If omitted, the environment variable E(FCD_API_CLIENT_ID) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_API_CLIENT_ID
    vars:
      - name: fcd_api_client_id
  api_client_secret:
    description:
      - Secret of the API client.
      - If omitted, the environment variable E(FCD_API_CLIENT_SECRET) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_API_CLIENT_SECRET
    vars:
      - name: fcd_api_client_secret
  username:
    description:
      - Login of the panel user.
      - If omitted, the environment variable E(FCD_USERNAME) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_USERNAME
    vars:
      - name: fcd_username
  password:
    description:
      - Password of the panel user.
      - If omitted, the environment variable E(FCD_PASSWORD) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_PASSWORD
    vars:
      - name: fcd_password
  scope:
    description:
      - Scope of the token.
      - Separate several with spaces.
      - V(service.api) allows reading and writing, V(service.api.readonly) only reading.
      - V(offline_access) adds a refresh token.
      - If omitted, the environment variable E(FCD_SCOPE) or else the profile file is used.
      - The default is V(service.api).
    type: str
    env:
      - name: FCD_SCOPE
    vars:
      - name: fcd_scope
  access_token:
    description:
      - An existing access token.
      - If given, no log-in takes place, and the other credentials are not needed.
      - If omitted, the environment variable E(FCD_ACCESS_TOKEN) or else the profile file is used.
    type: str
    env:
      - name: FCD_ACCESS_TOKEN
    vars:
      - name: fcd_access_token
  token_cache:
    description:
      - Whether to cache tokens.
      - They are kept between tasks, in files of mode 0600 below O(state_dir).
      - Only tasks with the same credentials use a cached token.
      - If omitted, the environment variable E(FCD_TOKEN_CACHE) or else the profile file is used.
      - The default is V(true).
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
      - Container in which controllers lock their creates.
      - It is a container of the object storage, for controllers that do not share O(state_dir).
      - Without it, the lock on a create covers only tasks with the same O(state_dir), those of one user on one host.
      - With it, a task also takes a lease in this container before it creates an object.
      - The lease shows what another controller has sent, and the task looks for that object first.
      - All controllers must use the same container, the same address of the service and the same login.
      - The container is created if it does not exist.
      - C(storage_base), C(storage_user) and C(storage_key) come from the environment or the profile file.
      - If omitted, the environment variable E(FCD_LOCK_CONTAINER) or else the profile file is used.
    type: str
    env:
      - name: FCD_LOCK_CONTAINER
    vars:
      - name: fcd_lock_container
  username:
    description:
      - Login of the panel user.
      - If omitted, the environment variable E(FCD_USERNAME) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_USERNAME
    vars:
      - name: fcd_username
  password:
    description:
      - Password of the panel user.
      - If omitted, the environment variable E(FCD_PASSWORD) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_PASSWORD
    vars:
      - name: fcd_password
  soap_url:
    description:
      - URL of the SOAP service.
      - Messages are posted to it.
      - If omitted, the environment variable E(FCD_SOAP_URL) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_SOAP_URL
    vars:
      - name: fcd_soap_url
  soap_wsdl:
    description:
      - URL or path of the WSDL.
      - The default is O(soap_url) followed by C(?wsdl).
      - If omitted, the environment variable E(FCD_SOAP_WSDL) or else the profile file is used.
    type: str
    env:
      - name: FCD_SOAP_WSDL
    vars:
      - name: fcd_soap_wsdl
  soap_to:
    description:
      - Value of the WS-Addressing header C(To).
      - It replaces the address that the WSDL publishes.
      - If omitted, the environment variable E(FCD_SOAP_TO) or else the profile file is used.
    type: str
    env:
      - name: FCD_SOAP_TO
    vars:
      - name: fcd_soap_to
  soap_user_prefix:
    description:
      - Prefix for the user name on the SOAP interface.
      - It is put before O(username), unless that already contains a backslash.
      - If omitted, the environment variable E(FCD_SOAP_USER_PREFIX) or else the profile file is used.
      - The default is V(API\\).
    type: str
    env:
      - name: FCD_SOAP_USER_PREFIX
    vars:
      - name: fcd_soap_user_prefix
  soap_member_map:
    description:
      - Names of members of the SOAP types. A free mapping.
      - It is needed if the names in the WSDL cannot be derived from the contract.
      - The keys have the form C(Type.attribute), the values are names of members.
      - If omitted, the environment variable E(FCD_SOAP_MEMBER_MAP) or else the profile file is used.
    type: dict
    env:
      - name: FCD_SOAP_MEMBER_MAP
    vars:
      - name: fcd_soap_member_map
  soap_contract_ttl:
    description:
      - Seconds until a compiled WSDL is read again.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
      - If omitted, the environment variable E(FCD_SOAP_CONTRACT_TTL) or else the profile file is used.
      - The default is V(86400.0).
    type: str
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
      - Whether to cache tokens.
      - They are kept between tasks, in files of mode 0600 below O(state_dir).
      - Only tasks with the same credentials use a cached token.
      - If omitted, the environment variable E(FCD_TOKEN_CACHE) or else the profile file is used.
      - The default is V(true).
    type: bool
    env:
      - name: FCD_TOKEN_CACHE
    vars:
      - name: fcd_token_cache
  storage_base:
    description:
      - Base URL of the object storage.
      - For example C(https://storage.example.com).
      - If omitted, the environment variable E(FCD_STORAGE_BASE) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_STORAGE_BASE
    vars:
      - name: fcd_storage_base
  storage_user:
    description:
      - User of the object storage, as C(account:user).
      - If omitted, the environment variable E(FCD_STORAGE_USER) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_STORAGE_USER
    vars:
      - name: fcd_storage_user
  storage_key:
    description:
      - Key of the object storage user.
      - It is a password.
      - If omitted, the environment variable E(FCD_STORAGE_KEY) or else the profile file is used.
      - It must be set in one of these places.
    type: str
    env:
      - name: FCD_STORAGE_KEY
    vars:
      - name: fcd_storage_key
  storage_key_encoding:
    description:
      - How user and key are encoded.
      - It applies to O(storage_user) and O(storage_key) in the token request.
      - V(percent) is for servers that decode them, which matters for keys with a percent sign.
      - If omitted, the environment variable E(FCD_STORAGE_KEY_ENCODING) or else the profile file is used.
      - The default is V(none).
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
      - Requested lifetime of a token in seconds.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
      - It applies when the service issues a token, and the service may allow less.
      - A token that is still valid, cached by the collection or kept by the service, is used as it is.
      - If omitted, the service decides, usually for about a day.
      - If omitted, the environment variable E(FCD_STORAGE_TOKEN_LIFETIME) or else the profile file is used.
    type: str
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
      - Private key that signs the registry of a site.
      - It also opens the plans of the site. It is an Ed25519 key, as Base64 or in PEM.
      - Create one with C(openssl genpkey -algorithm ed25519 -outform DER | base64).
      - Tasks in check mode, such as a plan, only need its public key.
      - It is required if the registry is in a container, and must be the same wherever the site is managed.
      - A registry file is not signed unless a key is given.
      - The secret values of a plan are then bound with a key of this controller, kept in O(state_dir).
      - If omitted, the environment variable E(FCD_SITE_KEY) or else the profile file is used.
    type: str
    env:
      - name: FCD_SITE_KEY
    vars:
      - name: fcd_site_key
"""
