# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of other collections, with the options and values of this one that they stand for.

Only read when an argument is refused.
"""

from __future__ import annotations

import typing as t

from .._connection.options import OPTIONS
from .._core.text import nearest

NO_FIREWALL = (
    "There are no security groups here: set up the firewall of the instance itself, for example in init_script."
)
NO_TAGS = "Instances have no tags here: choose them by name, or group them in the inventory."
DISKS = "Additional disks are made by fcd.cloud.disk, whose option 'instances' attaches them."
DOWNLOAD = "To download an object, use fcd.cloud.storage_object_download."
SIDES = "The folder is 'path', the container is 'container', and 'mode' says which of them is the source."
PUBLIC = "For a container that anybody can read, set 'read_acl' to '.r:*,.rlistings'."
NO_RANGES = "A private network has no address range here."
SWITCH = "To turn an instance on or off, use fcd.cloud.instance with state: started or stopped."
POWER = "To restart an instance, use fcd.cloud.instance_power with action: reboot."

Words = t.Mapping[str, t.Tuple[str, ...]]
"""Each word with what it stands for: options, of which the first is meant that the module has, or a sentence."""


def _rows(text: str, *meant: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(text.split(), meant)


INSTANCE: Words = {
    **_rows("image image_id image_name ami os operating_system source_image", "template"),
    **_rows("flavor flavour server_type instance_type machine_type vm_size size plan sku", "type"),
    **_rows("location region zone availability_zone datacenter data_center", "subregion"),
    **_rows("key_name key key_pair keypair ssh_key public_key", "ssh_keys"),
    **_rows("user_data userdata cloud_init startup_script", "init_script"),
    **_rows("public_ip public_ips floating_ip floating_ips elastic_ip auto_ip assign_public_ip", "ip_addresses"),
    **_rows("nics network networks nic_network subnet vpc vpc_subnet_id vpc_uuid", "private_networks"),
    **_rows("volume_size boot_volume_size disk_size root_disk_size", "init_disk_size"),
    **_rows("volume_type boot_volume_type storage_class", "disk_class"),
    **_rows("delete_on_termination terminate_volumes delete_volumes", "delete_disks"),
    **_rows("count exact_count replicas", "instances_count"),
    **_rows("hostname server server_name vm_name instance", "name"),
    **_rows("server_id instance_ids uuid", "id"),
    **_rows("power_state status", "state"),
    **_rows("volumes volume block_devices boot_volume disks", DISKS),
    **_rows("security_group security_groups firewall firewalls", NO_FIREWALL),
    **_rows("tags labels metadata", NO_TAGS),
}
PART: Words = {  # a disk, an address, a network, a snapshot, a key
    **_rows("size_gb volume_size disk_size capacity", "size"),
    **_rows("volume_type disk_type storage_class type", "disk_class"),
    **_rows("location region zone availability_zone datacenter data_center", "subregion"),
    **_rows("server server_id server_name vm droplet_id attach_to", "instances", "instance"),
    **_rows("instance instance_id", "instances"),
    **_rows("floating_ip public_ip elastic_ip ip ip_addr", "address"),
    **_rows("dns_ptr ptr rdns", "reverse_dns"),
    **_rows("key key_material public_key_content ssh_pub_key", "public_key"),
    **_rows("volume volume_name key_name network network_name display_name name", "name", "comment"),
    "description": ("comment",),
    **_rows("filters filter search", "query"),
    **_rows("cidr cidr_block ip_range address_range", NO_RANGES),
    **_rows("tags labels", "There are no tags here."),
}
STORAGE: Words = {
    **_rows("bucket bucket_name", "container", "name"),
    **_rows("object key object_name blob", "name"),
    **_rows("file filename path source", "src"),
    **_rows("body data", "content"),
    **_rows("key_prefix dest_prefix remote_path", "prefix"),
    **_rows("dest destination", DOWNLOAD),
    **_rows("expiry expiration ttl", "expires_in"),
    **_rows("acl acls permission permissions policy", "read_acl"),
    **_rows("storage_class", "storage_policy"),
    **_rows("part_size chunk_size multipart_chunksize", "segment_size"),
    **_rows("multipart_threshold", "segment_threshold"),
    **_rows("tags labels headers", "metadata"),
    **_rows("rm_missing remove purge", "delete"),
    **_rows("direction file_change_strategy", "mode"),
    **_rows("public public_read public_access", PUBLIC),
}
SYNC: Words = {
    **_rows("src source dest destination bucket_from bucket_to", SIDES),
    **_rows("file_root local_path folder_path", "path"),
}
DOWNLOADED: Words = _rows("path file filename output target", "dest")
CLIENT: Words = _rows("name client client_name", "search_text", "id")
USER: Words = _rows("name user", "user_name")
CONNECTION: Words = {
    **_rows("cloud auth clouds_yaml", "profile"),
    **_rows("access_key aws_access_key access_key_id", "storage_user", "api_client_id"),
    **_rows("secret_key aws_secret_key secret_access_key", "storage_key", "api_client_secret"),
    **_rows("api_token oauth_token auth_token token", "access_token"),
    **_rows("endpoint endpoint_url api_url api_endpoint", "storage_base", "base_url", "soap_url"),
    **_rows("user login", "username"),
    **_rows("verify verify_ssl ssl_verify", "validate_certs"),
    **_rows("ca_cert cacert ca_file ca_bundle aws_ca_bundle", "ca_path"),
    **_rows("api_timeout", "timeout"),
}
BY_KIND: tuple[tuple[str, Words], ...] = (
    ("template", INSTANCE),
    ("source_container", SYNC),
    ("container", STORAGE),
    ("read_acl", STORAGE),
    ("invoice_id", DOWNLOADED),
    ("vat_id", CLIENT),
    ("user_name", USER),
    ("name", PART),
    ("address", PART),
    ("profile", CONNECTION),
)
"""The words of each kind of module, after an option that the modules of this kind have."""

VALUES: dict[str, Words] = {
    "state": {
        **_rows("restarted rebooted reboot restart reset hard_rebooted", POWER),
        **_rows("terminated deleted destroyed removed", "absent"),
        **_rows("active on up power_on powered_on poweredon start", "started"),
        **_rows("off down halted shutdown power_off powered_off poweredoff stop suspended paused", "stopped"),
        **_rows("created exists available", "present"),
    },
    "action": {
        **_rows("restart restarted rebooted soft", "reboot"),
        **_rows("hard hard_reboot power_cycle", "reset"),
        **_rows("on start started power_on off stop stopped power_off halt shutdown", SWITCH),
    },
}


def answer_to_option(word: str, known: t.Collection[str]) -> str:
    """Return a sentence that says what a word means to a module with these options; empty for a word nobody uses."""
    rows = [words[word] for mark, words in BY_KIND if mark in known and word in words]
    return next(filter(None, (_use(meant, known) for meant in rows)), "")


def answer_to_value(option: str, value: t.Any, choices: t.Collection[str]) -> str:
    """Return a sentence that says which choice is meant; empty for one of them, and for a word nobody uses."""
    if value in choices or not isinstance(value, str) or (option == "state" and "absent" not in choices):
        return ""
    words, word = VALUES.get(option, {}), value.lower()
    for near in () if word in words else nearest(word, [*choices, *words], 1):
        if near in choices:
            return f"Did you mean {near!r}?"
        word = near
    return _use(words.get(word, ()), choices)


def without_distant(word: str, options: t.Iterable[str]) -> list[str]:
    """Return the options that may be suggested: an address or a credential only where it is nearly spelt so."""
    return [option for option in options if option not in OPTIONS or _is_misspelt(word.lower(), option)]


def _is_misspelt(word: str, option: str) -> bool:
    """Whether two letters at most are wrong, missing or too many, or all are there in another order."""
    row = list(range(len(option) + 1))  # the edits from what of the word was read to each beginning of the option
    for letter in word:
        above, row = row, [row[0] + 1]
        for at, other in enumerate(option):
            row.append(min(row[at] + 1, above[at + 1] + 1, above[at] + (letter != other)))
    return row[-1] <= min(2, len(word) // 3) or sorted(word) == sorted(option)


def _use(meant: t.Iterable[str], known: t.Collection[str]) -> str:
    found = next((one for one in meant if one in known or " " in one), "")
    return f"Use {found!r}." if found and " " not in found else found
