# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that no operation changes: dictionaries, time zones, software, templates, price lists' services, records.

Ids and labels of the dictionaries below 900 are those of docs/service/infrastructure.md, "Dictionaries", where they are
known; all else is assumed.
"""

from __future__ import annotations

import base64
from typing import Any

Row = dict[str, Any]

ENGLISH = 2

DICTIONARIES: dict[int, dict[int, str]] = {
    1: {1: "Language 1", 2: "English"},
    11: {33: "Hourly charge"},
    12: {1047: "v1.standard-1.05", 1263: "v1.highmemory-1.4", 34: "v1.standard-2.2", 35: "v1.standard-4.4"},
    15: {43: "HTTP", 44: "HTTPS", 45: "SMTP", 155: "port", 287: "SQL database"},
    16: {46: "source IP", 47: "none", 280: "cookie"},
    17: {48: "Tier 1", 49: "Tier 2", 50: "Tier 3", 895: "Tier 4", 896: "Tier 5"},
    27: {86: "Powered On", 87: "Powered Off", 126: "Deleted", 1748: "Initializing"},
    36: {115: "IPv4", 116: "IPv6", 565: "both"},
    40: {134: "New", 135: "Running", 136: "Succeed", 137: "Error"},
    41: {138: "deploying instance", 206: "removing instance", 867: "renaming"},
    42: {139: "Instance", 140: "template", 276: "disk", 284: "private network"},
    52: {173: "application set", 174: "Instance", 324: "database", 1243: "custom"},
    70: {256: "system 256", 257: "Linux - other", 258: "system 258", 894: "Other"},
    121: {875: "running", 876: "success", 877: "failed", 1114: "pending"},
    123: {1106: "static", 1107: "automatic", 1108: "external", 1109: "reserved"},
    159: {1398: "SSH keys", 1399: "user and password"},
    901: {106: "active", 107: "blocked", 108: "deleted", 114: "new"},
    902: {12: "correspondence", 13: "main", 1015: "invoice", 1023: "credit card"},
    903: {177: "YYYY-MM-DD", 178: "MM/DD/YYYY", 179: "DD/MM/YYYY"},
    904: {9041: "PLN", 9042: "EUR", 9043: "USD"},
    905: {9051: "Poland", 9052: "Norway", 9053: "Portugal"},
    906: {9061: "logistics", 9062: "research"},
    907: {9071: "panel", 9072: "interfaces"},
    908: {9081: "individual", 9082: "company"},
    909: {9091: "main", 9092: "contact"},
    910: {9101: "zone 1", 9102: "zone 2"},
}
INACTIVE_ITEMS = {126, 1023}
INDIVIDUAL, COMPANY = 9081, 9082
MAIN_ADDRESS, CORRESPONDENCE_ADDRESS, INVOICE_ADDRESS = 13, 12, 1015
MAIN_PHONE = 9091

PRIVILEGES: dict[int, Row] = {
    number: {"PrivilegeId": number, "Name": name, "Description": f"{name} in the panel", "TypeDictId": kind}
    for number, name, kind in (
        (1, "ManageInstances", 9071),
        (2, "ManageNetworks", 9071),
        (3, "ManageUsers", 9071),
        (4, "ManageBilling", 9071),
        (5, "ReadReports", 9071),
        (6, "UseInterfaces", 9072),
        (7, "UseStorage", 9072),
        (8, "ManageWarehouses", 9072),
    )
}

TIME_ZONES: dict[int, Row] = {
    number: {"TimeZoneId": number, "DisplayName": f"(UTC{sign}) {name}", "StandardName": name, "UtcOffset": offset}
    for number, sign, name, offset in (
        (1, "+00:00", "Coordinated Universal Time", "PT0S"),
        (2, "+01:00", "Central European Time", "PT1H"),
        (3, "-05:00", "Eastern Time", "-PT5H"),
    )
}

SOFTWARE: list[Row] = [
    {
        "SoftwareId": number,
        "IsOperatingSystem": system,
        "SoftwareNames": [{"LanguageDictId": language, "Name": name} for language in (1, ENGLISH)],
    }
    for number, name, system in (
        (301, "Example Linux 12", True),
        (302, "Example database", False),
        (303, "Cache", False),
    )
]

SERVICES: list[Row] = [
    {"ServiceId": 401, "Code": "CPU", "Name": "Processor time", "Unit": "MHz"},
    {"ServiceId": 402, "Code": "RAM", "Name": "Memory", "Unit": "MB"},
    {"ServiceId": 403, "Code": "HDD", "Name": "Disk space", "Unit": "GB"},
]

REVENUES: dict[int, Row] = {
    501: {"RevenueId": 501, "Code": "0501", "Name": "Northfield tax office"},
    502: {"RevenueId": 502, "Code": "0502", "Name": "Southfield tax office"},
}

NEWS: dict[int, Row] = {
    601: {
        "NewsId": 601,
        "CreationDate": "2025-11-03T08:00:00Z",
        "Title": "Maintenance window",
        "Content": "Sunday night.",
    },
    602: {
        "NewsId": 602,
        "CreationDate": "2026-01-12T08:00:00Z",
        "Title": "New disk class",
        "Content": "Tier 5 is here.",
    },
}

CODES: dict[int, Row] = {
    701: {
        "CodeId": 701,
        "Code": "WELCOME",
        "Discount": "12.50",
        "MaxUses": 10,
        "Uses": 3,
        "DateFrom": "2026-01-01T00:00:00Z",
    }
}

CLUSTERS: list[Row] = [
    {"ClusterId": 1, "DisplayName": "Subregion A", "IsActive": True},
    {"ClusterId": 2, "DisplayName": "Subregion B", "IsActive": True},
    {"ClusterId": 3, "DisplayName": "Subregion C", "IsActive": False},
]
CLIENT_CLUSTERS = {1}

TEMPLATES: dict[int, Row] = {
    765: {"TemplateId": 765, "TemplateName": "Debian 9", "TypeDictId": 174, "category": 2},
    2002: {"TemplateId": 2002, "TemplateName": "Debian 9 with database", "TypeDictId": 324, "category": 3},
    2003: {"TemplateId": 2003, "TemplateName": "Web shop", "TypeDictId": 173, "category": 3},
}
MACHINE_TEMPLATES = {3001: 765, 3002: 2002}
"""Which template a virtual machine was made of."""

CATEGORIES: dict[int, Row] = {
    1: {"name": "All templates", "parent": None},
    2: {"name": "Systems", "parent": 1},
    3: {"name": "Applications", "parent": 1},
}

ICONS: dict[int, Row] = {
    801: {
        "IconId": 801,
        "FileName": "linux.png",
        "ContentType": "image/png",
        "Content": base64.b64encode(b"\x89PNG\r\n\x1a\n").decode(),
    }
}

EXPORTS: dict[int, Row] = {
    1101: {
        "VirtualMachineExportId": 1101,
        "ClientId": 100,
        "CreationDate": "2026-02-01T10:00:00Z",
        "DownloadUrl": "https://storage.example.com/exports/1101",
        "SizeBytes": 12_884_901_888,
        "StatusDictId": 876,
    }
}

IMPORTS: dict[int, Row] = {
    1201: {"ImportId": 1201, "ClientId": 100, "FileName": "machine.ova", "StatusDictId": 875},
}
IMPORT_DISKS: dict[int, list[Row]] = {
    1201: [
        {"VirtualMachineImportHddId": 1, "HddName": "system", "CapacityGB": 40, "IsPrimary": True},
        {"VirtualMachineImportHddId": 2, "HddName": "data", "CapacityGB": 200, "IsPrimary": False},
    ]
}

INVOICES: dict[int, Row] = {
    1301: {
        "InvoiceId": 1301,
        "ClientId": 100,
        "InvoiceNumber": "FV/2026/02/17",
        "IssueDate": "2026-02-28T00:00:00Z",
        "DueDate": "2026-03-14T00:00:00Z",
        "NetValue": "1000.00",
        "GrossValue": "1230.00",
        "IsPaid": True,
        "Document": base64.b64encode(b"%PDF-1.4 example").decode(),
        "InvoiceItems": [
            {
                "InvoiceItemId": 1,
                "Name": "Processor time",
                "Quantity": "12.5",
                "NetValue": "1000.00",
                "GrossValue": "1230.00",
                "VatRate": "23",
            }
        ],
        "currency": 9041,
    }
}

BLOCKED_DOMAINS = {"blocked.example.com"}


def dictionary_item(number: int) -> Row | None:
    """A dictionary item as the ``DictionaryItem`` type, with its name in two languages."""
    for dictionary, items in DICTIONARIES.items():
        if number in items:
            return {
                "DictionaryId": dictionary,
                "DictionaryItemId": number,
                "DictionaryItemNames": names(items[number]),
                "IsActive": number not in INACTIVE_ITEMS,
            }
    return None


def names(label: str) -> list[Row]:
    """A label as the names that an item has: one for each language."""
    return [
        {"ItemName": f"{label} (language 1)", "LanguageDictId": 1},
        {"ItemName": label, "LanguageDictId": ENGLISH},
    ]
