# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of other collections, and the options and values of modules that they mean."""

from __future__ import annotations

import typing as t

NO_FIREWALL = (
    "There are no security groups here: set up the firewall of the instance itself, for example in init_script."
)
NO_TAGS = "Instances have no tags here: choose them by name, or group them in the inventory."
DISK_ADVICE = "Additional disks are made by fcd.cloud.disk, whose option 'instances' attaches them."
DOWNLOAD_ADVICE = "To download an object, use fcd.cloud.storage_object_download."
SYNC_ADVICE = "The folder is 'path', the container is 'container', and 'mode' says which of them is the source."
PUBLIC_ADVICE = "For a container that anybody can read, set 'read_acl' to '.r:*,.rlistings'."
NO_RANGES = "A private network has no address range here."
RENAME_ADVICE = "To rename it, give its 'id', and the new name as 'name'."
ADDRESS_ADVICE = "'ip_addresses' attaches addresses; 'without_public_ip' creates an instance without a public one."
VERSION_ADVICE = "To restore a version, set 'copy_from' to this object with its version_id."
TERM_ADVICE = "Give container/object as a term, before the options."
RESTORE_ADVICE = "To restore a snapshot, use fcd.cloud.snapshot_restore."
DETACH_DISK_ADVICE = "To detach a disk, set 'instances' to []."
DETACH_ADDRESS_ADVICE = "To detach an address, set 'detached' to true."
ATTACH_DISK_ADVICE = "To attach a disk, name the instance in 'instances'."
ATTACH_ADDRESS_ADVICE = "To attach an address, name the instance in 'instance'."
POWER_STATE_ADVICE = "To turn an instance on or off, use fcd.cloud.instance with state: started or stopped."
TICKET_ADVICE = "To find the tickets of one object, read all and choose from 'tickets' by object_name or object_id."
RESTART_ADVICE = "To restart an instance, use fcd.cloud.instance_power with action: reboot."
CLIENT_ADVICE = "No client can be created: give the 'id' of an existing one, which fcd.cloud.client_info lists."
FLEET_ADVICE = "For several instances that are alike, use fcd.cloud.instance with instances_count."
KEEP_ADVICE = "To remove older ones, list them with fcd.cloud.snapshot_info; the guide to recipes shows how."
ORDER_ADVICE = "Tasks run in their order, and entries of a site file in that of their references to each other."
LOOP_ADVICE = "Use the loop of the task; in a site file, write a template for the list of entries."

EXPIRY_WORDS = "expires expiry expiration ttl"

Synonyms = t.Mapping[str, t.Tuple[str, ...]]
"""What each word stands for: options, of which the first one that the module has is meant, or a sentence."""


def _synonyms(text: str, *meant: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(text.split(), meant)


INSTANCE_SYNONYMS: Synonyms = {
    **_synonyms("image image_id image_name ami os operating_system source_image", "template"),
    **_synonyms("flavor flavour server_type instance_type machine_type vm_size size plan sku", "type"),
    **_synonyms("location region zone availability_zone datacenter data_center", "subregion"),
    **_synonyms("key_name key key_pair keypair ssh_key public_key", "ssh_keys"),
    **_synonyms("user_data userdata cloud_init startup_script", "init_script"),
    **_synonyms("public_ips floating_ip floating_ips elastic_ip", "ip_addresses"),
    **_synonyms("public_ip auto_ip assign_public_ip associate_public_ip associate_public_ip_address", ADDRESS_ADVICE),
    **_synonyms("nics network networks nic_network subnet vpc vpc_subnet_id vpc_uuid", "private_networks"),
    **_synonyms("volume_size boot_volume_size disk_size root_disk_size", "init_disk_size"),
    **_synonyms("volume_type boot_volume_type storage_class", "disk_class"),
    **_synonyms("delete_on_termination terminate_volumes delete_volumes purge_disks purge_volumes", "delete_disks"),
    **_synonyms("count exact_count replicas", "instances_count"),
    **_synonyms("hostname server server_name vm_name instance label", "name"),
    **_synonyms("server_id instance_ids uuid", "id"),
    **_synonyms("power_state status", "state", "is_turned_on"),
    **_synonyms("volumes volume block_devices boot_volume disks", DISK_ADVICE),
    **_synonyms("security_group security_groups firewall firewalls", NO_FIREWALL),
    **_synonyms("tags labels metadata", NO_TAGS),
}
RENAME_SYNONYMS: Synonyms = _synonyms("new_name rename rename_to", RENAME_ADVICE)
SNAPSHOT_SYNONYMS: Synonyms = {**RENAME_SYNONYMS, **_synonyms("keep retention keep_last max_snapshots", KEEP_ADVICE)}
FLEET_SYNONYMS: Synonyms = _synonyms("count exact_count instances_count replicas", FLEET_ADVICE)
IMPORT_SYNONYMS: Synonyms = {
    **{
        word: meant
        for word, meant in INSTANCE_SYNONYMS.items()
        if meant in (("type",), ("disk_class",), ("subregion",))
    },
    **_synonyms("instance server server_name vm_name hostname", "instance_name"),
    **_synonyms("nics network nic_network subnet private_networks ip_addresses", "networks"),
}
CLONE_SYNONYMS: Synonyms = {
    **_synonyms("source source_name source_instance", "name"),
    **_synonyms("new_name target target_name", "clone_name"),
}
EXISTING_INSTANCE_SYNONYMS: Synonyms = {  # actions on an existing instance, and reading one
    **_synonyms("instance server server_name vm vm_name label", "name"),
    "server_id": ("id",),
    **_synonyms("state power_state status", "is_turned_on"),
}
POWER_SYNONYMS: Synonyms = _synonyms("state power_state status", POWER_STATE_ADVICE)
TICKET_SYNONYMS: Synonyms = _synonyms(
    "instance instance_id instance_name object object_id object_name name server server_id server_name vm vm_name",
    TICKET_ADVICE,
)
PART_SYNONYMS: Synonyms = {  # a disk, an address, a network, a snapshot, a key
    **_synonyms("size_gb volume_size disk_size capacity", "size"),
    **_synonyms("volume_type disk_type storage_class type", "disk_class"),
    **_synonyms("location region zone availability_zone datacenter data_center", "subregion"),
    **_synonyms("server server_id server_name vm droplet_id attach_to", "instances", "instance"),
    **_synonyms("instance instance_id", "instances"),
    **_synonyms("floating_ip public_ip elastic_ip ip ip_addr", "address"),
    **_synonyms("dns_ptr ptr rdns", "reverse_dns"),
    **_synonyms("key key_material public_key_content ssh_pub_key", "public_key"),
    **_synonyms("volume volume_name key_name network network_name display_name name label", "name", "comment", "query"),
    "force": ("force_detach",),
    "description": ("comment",),
    **_synonyms("filters filter search", "query"),
    **_synonyms("cidr cidr_block ip_range address_range", NO_RANGES),
    **_synonyms("tags labels", "There are no tags here."),
}
GROUP_SYNONYMS: Synonyms = {
    **_synonyms("members servers targets server instance", "instances"),
    **_synonyms("policy placement_policy strategy type", "affinity"),
    **_synonyms("purge exact", "purge_instances"),
    "force": ("force_detach",),
}
BALANCER_SYNONYMS: Synonyms = {
    **_synonyms("name load_balancer loadbalancer lb id", "group"),
    **_synonyms("protocol service", "service_type"),
    **_synonyms("listen_port listener_port frontend_port", "port"),
    **_synonyms("destination_port backend_port protocol_port", "target_port"),
    **_synonyms("persistence sticky_sessions stickiness", "session_persistence"),
    **_synonyms("lb_algorithm load_balancing_algorithm type", "algorithm"),
    **_synonyms("proxyprotocol", "proxy_protocol"),
    **_synonyms("health_monitor healthcheck", "health_check"),
    **_synonyms("tls https", "ssl"),
    **_synonyms("vip_address public_ip", "ip_address"),
}
STORAGE_SYNONYMS: Synonyms = {
    **_synonyms("bucket bucket_name", "container", "name"),
    **_synonyms("object key object_name blob", "name"),
    **_synonyms("file filename path source", "src"),
    **_synonyms("body data", "content"),
    **_synonyms("key_prefix dest_prefix remote_path", "prefix"),
    **_synonyms("dest destination", DOWNLOAD_ADVICE),
    **_synonyms(EXPIRY_WORDS, "expires_in"),
    **_synonyms("acl acls permission permissions policy", "read_acl"),
    **_synonyms("storage_class", "storage_policy"),
    **_synonyms("part_size chunk_size multipart_chunksize", "segment_size"),
    **_synonyms("multipart_threshold", "segment_threshold"),
    **_synonyms("tags labels headers", "metadata"),
    **_synonyms("rm_missing remove purge", "delete"),
    **_synonyms("direction file_change_strategy", "mode"),
    **_synonyms("public public_read public_access", PUBLIC_ADVICE),
    **_synonyms("cors cors_rules cors_allowed_origins", "cors_allow_origin"),
}
VERSION_SYNONYMS: Synonyms = _synonyms("version version_id", VERSION_ADVICE)
TERM_SYNONYMS: Synonyms = {
    **_synonyms("container bucket object object_name name prefix", TERM_ADVICE),
    **_synonyms(EXPIRY_WORDS, "expires_in"),
}
SYNC_SYNONYMS: Synonyms = {
    **_synonyms("src source dest destination bucket_from bucket_to", SYNC_ADVICE),
    **_synonyms("file_root local_path folder_path", "path"),
}
HEADER_RULE_SYNONYMS: Synonyms = _synonyms("pattern glob name path include", "match")
DOWNLOAD_SYNONYMS: Synonyms = _synonyms("path file filename output target", "dest")
CLIENT_SYNONYMS: Synonyms = _synonyms("name client client_name", "search_text", CLIENT_ADVICE)
USER_SYNONYMS: Synonyms = {
    **_synonyms("name user", "user_name"),
    **_synonyms("role roles groups permissions", "privileges"),
}
DICTIONARY_SYNONYMS: Synonyms = _synonyms("name label", "dictionary")
CALL_SYNONYMS: Synonyms = _synonyms("parameters params arguments args input body", "inputs")
PROGRAM_SYNONYMS: Synonyms = _synonyms("project_path project chdir directory", "path")
CONNECTION_SYNONYMS: Synonyms = {
    **_synonyms("cloud auth clouds_yaml", "profile"),
    **_synonyms("access_key aws_access_key access_key_id", "storage_user", "api_client_id"),
    **_synonyms("secret_key aws_secret_key secret_access_key", "storage_key", "api_client_secret"),
    **_synonyms("api_token oauth_token auth_token token", "access_token"),
    **_synonyms("endpoint endpoint_url api_url api_endpoint", "storage_base", "base_url", "soap_url"),
    **_synonyms("user login", "username"),
    **_synonyms("verify verify_ssl ssl_verify", "validate_certs"),
    **_synonyms("ca_cert cacert ca_file ca_bundle aws_ca_bundle", "ca_path"),
    **_synonyms("api_timeout", "timeout"),
}
LANGUAGE_SYNONYMS: Synonyms = {"depends_on": (ORDER_ADVICE,), **_synonyms("for_each foreach", LOOP_ADVICE)}
SYNONYMS_BY_MODULE: tuple[tuple[str, Synonyms], ...] = (
    ("_terms storage_key", TERM_SYNONYMS),
    ("template id", RENAME_SYNONYMS),
    ("disk_name id", RENAME_SYNONYMS),
    ("affinity", GROUP_SYNONYMS),
    ("session_persistence", BALANCER_SYNONYMS),
    ("opn_name id", RENAME_SYNONYMS),
    ("snapshot_name description id", SNAPSHOT_SYNONYMS),
    ("template_id descriptions", RENAME_SYNONYMS),
    ("instance_defaults", FLEET_SYNONYMS),
    ("template", INSTANCE_SYNONYMS),
    ("clone_name", CLONE_SYNONYMS),
    ("instance_name networks", IMPORT_SYNONYMS),
    ("instance_name action", POWER_SYNONYMS),
    ("instance_name", EXISTING_INSTANCE_SYNONYMS),
    ("copy_from", VERSION_SYNONYMS),
    ("source_container", SYNC_SYNONYMS),
    ("match cache_control", HEADER_RULE_SYNONYMS),
    ("container", STORAGE_SYNONYMS),
    ("read_acl", STORAGE_SYNONYMS),
    ("invoice_id", DOWNLOAD_SYNONYMS),
    ("vat_id", CLIENT_SYNONYMS),
    ("user_name", USER_SYNONYMS),
    ("creation_date_from", TICKET_SYNONYMS),
    ("name", PART_SYNONYMS),
    ("address", PART_SYNONYMS),
    ("source query", PART_SYNONYMS),
    ("dictionary", DICTIONARY_SYNONYMS),
    ("inputs", CALL_SYNONYMS),
    ("plugin_path", PROGRAM_SYNONYMS),
    ("profile", CONNECTION_SYNONYMS),
    ("", LANGUAGE_SYNONYMS),
)
"""Synonyms by kind of module; the modules of a kind are recognized by the options named first."""

OWNERS = frozenset(("client", "instance", "storage"))
"""First words of modules that say what their objects belong to."""

LISTED_BY = {
    **dict.fromkeys(["client_id", "client_ids", "owner_client_id", "partner_id", "recommending_id"], "client_info"),
    **dict.fromkeys(["type_dict_id", "language_dict_id", "country_dict_id"], "catalogue_info"),
    **dict.fromkeys(["availability_zone", "date_format_id", "language_id", "time_zone_id"], "catalogue_info"),
    "pricelist_id": "pricelist_info",
    "user_id": "client_user_info",
    "warehouse_id": "warehouse_info",
}
"""The modules that list the numbers for an option which takes no label."""

RESTART_WORDS = "restarted rebooted reboot restart reset hard_rebooted"
STATE_SYNONYMS: Synonyms = {
    **_synonyms("terminated deleted destroyed removed", "absent"),
    **_synonyms("active enabled on up power_on powered_on poweredon start", "started", "unblocked"),
    **_synonyms("off down halted shutdown power_off powered_off poweredoff stop paused", "stopped"),
    **_synonyms("suspended disabled inactive", "blocked", "stopped"),
    **_synonyms("locked deactivated banned", "blocked"),
    **_synonyms("unlocked activated", "unblocked"),
    **_synonyms("created exists available", "present"),
}
ACTION_SYNONYMS: Synonyms = {
    **_synonyms("restart restarted rebooted soft", "reboot"),
    **_synonyms("hard hard_reboot power_cycle", "reset"),
    **_synonyms("on start started power_on off stop stopped power_off halt shutdown", POWER_STATE_ADVICE),
}
SYNONYMS_BY_VALUE: tuple[tuple[str, str, Synonyms], ...] = (
    ("state", "stopped", _synonyms(RESTART_WORDS, RESTART_ADVICE)),
    (
        "state",
        "shared_disk_type",
        {**_synonyms("detached unattached", DETACH_DISK_ADVICE), "attached": (ATTACH_DISK_ADVICE,)},
    ),
    (
        "state",
        "reverse_dns",
        {**_synonyms("detached unattached", DETACH_ADDRESS_ADVICE), "attached": (ATTACH_ADDRESS_ADVICE,)},
    ),
    ("state", "snapshot_name", _synonyms("restored reverted restore revert rollback rolled_back", RESTORE_ADVICE)),
    ("state", "copy_from", _synonyms("restored reverted restore revert rollback rolled_back", VERSION_ADVICE)),
    ("state", "absent", STATE_SYNONYMS),
    ("action", "reboot", ACTION_SYNONYMS),
)
"""Synonyms for values of an option, if the module has a certain other option, or the option a certain value."""
BOOLEANS = {"false": "off", "true": "on"}
