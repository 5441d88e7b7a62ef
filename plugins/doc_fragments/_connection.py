# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connection options of modules, one fragment for each interface. Private to the collection.

Written by tests/tools/connection_docs.py: change the texts there.
"""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._connection.rest) and its like."""

    COMMON = r"""
options:
  profile:
    description:
      - Name of the profile to use.
    type: str
  config_file:
    description:
      - Path of the profile file.
    type: path
  state_dir:
    description:
      - Private folder for tokens, locks and records.
    type: path
  timeout:
    description:
      - Maximum seconds for a call and its retries.
    type: str
  task_timeout:
    description:
      - Maximum seconds for the whole task.
    type: str
  retries:
    description:
      - How often to retry a call.
    type: int
  retry_budget:
    description:
      - Budget for the retries of a run, in points.
    type: int
  progress:
    description:
      - Whether to show progress.
    type: str
    choices:
      - auto
      - always
      - never
  validate_certs:
    description:
      - Whether to validate certificates.
    type: bool
  ca_path:
    description:
      - File with the authorities to trust.
    type: path
  allow_plain_http:
    description:
      - Whether to allow C(http://) addresses.
    type: bool
notes:
  - R(The guide on authentication, ansible_collections.fcd.cloud.docsite.connection_options) has details and defaults
    of the connection options, such as O(profile) and O(timeout). If one is omitted, the environment variable C(FCD_)
    with its name in capitals is used, or else the profile file.
"""

    IDENTITY = r"""
options:
  auth_url:
    description:
      - URL of the identity server.
    type: str
  api_client_id:
    description:
      - ID of the API client.
    type: str
  api_client_secret:
    description:
      - Secret of the API client.
    type: str
  username:
    description:
      - Login of the panel user.
    type: str
  password:
    description:
      - Password of the panel user.
    type: str
  scope:
    description:
      - Scope of the token.
    type: str
  token_cache:
    description:
      - Whether to cache tokens.
    type: bool
requirements:
  - requests
"""

    REST = r"""
options:
  lock_container:
    description:
      - Container in which controllers lock their creates.
    type: str
  base_url:
    description:
      - URL of the infrastructure interface.
    type: str
  api_version:
    description:
      - Version line of the infrastructure interface.
    type: str
    choices:
      - auto
      - '2020'
      - '2023'
  auth_url:
    description:
      - URL of the identity server.
    type: str
  api_client_id:
    description:
      - ID of the API client.
    type: str
  api_client_secret:
    description:
      - Secret of the API client.
    type: str
  username:
    description:
      - Login of the panel user.
    type: str
  password:
    description:
      - Password of the panel user.
    type: str
  scope:
    description:
      - Scope of the token.
    type: str
  access_token:
    description:
      - An existing access token.
    type: str
  token_cache:
    description:
      - Whether to cache tokens.
    type: bool
requirements:
  - requests
"""

    SOAP = r"""
options:
  lock_container:
    description:
      - Container in which controllers lock their creates.
    type: str
  username:
    description:
      - Login of the panel user.
    type: str
  password:
    description:
      - Password of the panel user.
    type: str
  soap_url:
    description:
      - URL of the SOAP service.
    type: str
  soap_wsdl:
    description:
      - URL or path of the WSDL.
    type: str
  soap_to:
    description:
      - Value of the WS-Addressing header C(To).
    type: str
  soap_user_prefix:
    description:
      - Prefix for the user name on the SOAP interface.
    type: str
  soap_member_map:
    description:
      - Names of members of the SOAP types. A free mapping.
    type: dict
  soap_contract_ttl:
    description:
      - Seconds until a compiled WSDL is read again.
    type: str
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
    type: bool
  storage_base:
    description:
      - Base URL of the object storage.
    type: str
  storage_user:
    description:
      - User of the object storage, as C(account:user).
    type: str
  storage_key:
    description:
      - Key of the object storage user.
    type: str
  storage_key_encoding:
    description:
      - How user and key are encoded.
    type: str
    choices:
      - none
      - percent
  storage_token_lifetime:
    description:
      - Requested lifetime of a token in seconds.
    type: str
requirements:
  - requests (only where a proxy is set)
"""

    SITE = r"""
options:
  site_key:
    description:
      - Private key that signs the registry of a site.
    type: str
"""
