#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_info
short_description: Read clusters
version_added: 1.0.0
description:
  - Reads the clusters, which are the subregions of the service.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
options:
  client_id:
    description:
      - ID of the client to read the clusters for.
    type: int
  only_client_clusters:
    description:
      - Whether to return only the clusters of the client. Nothing is sent for this if omitted.
    type: bool
seealso:
  - module: fcd.cloud.subregion_info
  - module: fcd.cloud.client_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read the clusters that a client may use
  fcd.cloud.cluster_info:
    client_id: 100
    only_client_clusters: true
  register: own

- name: Show the names of the clusters
  ansible.builtin.debug:
    msg: "{{ own.clusters | map(attribute='name') }}"
"""

RETURN = r"""
clusters:
  description:
    - The clusters; an empty list if there are none.
    - In addition to the keys listed here, a cluster has all members that the service sends, in snake_case.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the cluster.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
    is_active:
      description: Whether it is in use.
      type: bool
      returned: if the WSDL has a member for it
  sample:
    - {id: 1, name: Subregion A, is_active: true, cluster_id: 1, display_name: Subregion A}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.catalogue_readers import CLUSTER_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
