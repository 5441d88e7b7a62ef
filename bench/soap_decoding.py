# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to decode a page of 10,000 warehouses (about 6 MB), beside zeep in the same run.

    python bench/soap_decoding.py [--rounds 7] [--rows 10000]

Both begin with the bytes of the whole answer and end with the rows; they take turns, and the least processor time of
each counts. The goal is that zeep takes three times as long. Ends with 1 when the two do not read the same.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree
import figures

GOAL = 3.0
OPERATION = "GetWarehouses"
MEMBERS = ("CreationDate", "DataStoreNumber", "PartnerId", "QueueLength", "TemplateId", "WarehouseId", "WarehouseName")
WSDL = ROOT / "tests" / "sandbox" / "soap" / "wsdl" / "CommonFcd.wsdl"
PACKAGE = "ansible_collections.fcd.cloud.plugins.module_utils._soap"

ROW = """
          <b:WarehouseItem>
            <b:CreationDate>2026-05-06T07:08:09.123</b:CreationDate>
            <b:DataStoreNumber{store}</b:DataStoreNumber>
            <b:PartnerId>{partner}</b:PartnerId>
            <b:QueueLength>{queue}</b:QueueLength>
            <b:TemplateId>304</b:TemplateId>
            <b:WarehouseId>{number}</b:WarehouseId>
            <b:WarehouseName>Warehouse {number} of partner {partner} for &quot;żółte&quot; machines &amp; others, \
kept ready day and night in both halls of the building</b:WarehouseName>
          </b:WarehouseItem>"""
PAGE = """<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:f="http://schemas.example.com/fcd"
    xmlns:c="http://schemas.datacontract.org/2004/07/Example.Common.Search"
    xmlns:b="http://schemas.datacontract.org/2004/07/Example.Common.Models"
    xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
  <s:Body>
    <f:GetWarehousesResponse>
      <f:GetWarehousesResult>
        <c:_results>{rows}
        </c:_results>
        <c:_totalCount>{count}</c:_totalCount>
      </f:GetWarehousesResult>
    </f:GetWarehousesResponse>
  </s:Body>
</s:Envelope>"""

Rows = t.List[t.Dict[str, t.Any]]
Decode = t.Callable[[bytes], Rows]


def page(rows: int) -> bytes:
    """The answer to a search, laid out for people; every third row has a null in it."""
    store = (' i:nil="true">', ">DS-0017", ">DS-0018")
    written = (
        ROW.format(number=number, partner=number % 97, queue=number % 13, store=store[number % 3])
        for number in range(1, rows + 1)
    )
    return PAGE.format(rows="".join(written), count=rows).encode()


def ours() -> Decode:
    """The collection's way from the bytes to the rows."""
    contract, codec, client, wsdl = (
        importlib.import_module(f"{PACKAGE}.{name}") for name in ("contract", "codec", "client", "wsdl")
    )
    about = contract.Contract(wsdl.read_wsdl(wsdl.WsdlDocuments(str(WSDL), lambda _address: b""), 0.0))
    key = about.operation(OPERATION).output[1]

    def decode(body: bytes) -> Rows:
        answer = client.AnswerEnvelope(body)
        members = codec.Decoder(about, answer.tree).message(answer.content, key)
        return t.cast("Rows", members["get_warehouses_result"]["results"])

    return decode


def zeeps() -> Decode:
    """zeep's way."""
    zeep = importlib.import_module("zeep")
    parse_xml = importlib.import_module("zeep.loader").parse_xml
    client = zeep.Client(str(WSDL))
    operation = client.service._binding.get(OPERATION)

    def decode(body: bytes) -> Rows:
        result = operation.process_reply(parse_xml(body, client.transport, settings=client.settings))
        return t.cast("Rows", result["_results"]["WarehouseItem"])

    return decode


def same(own: Rows, peers: Rows) -> bool:
    """Whether both read the same; a time is text with us and an object with zeep."""
    snake = importlib.import_module(f"{PACKAGE.partition('._soap')[0]}._core.text").snake

    def told(row: t.Any, name: str) -> t.Any:
        return row[name].isoformat(timespec="milliseconds") if name == "CreationDate" else row[name]

    return len(own) == len(peers) and all(
        one[snake(name)] == told(other, name) for one, other in zip(own, peers) for name in MEMBERS
    )


def milliseconds(decode: Decode, body: bytes) -> float:
    """Processor time of one decoding."""
    start = time.process_time()
    decode(body)
    return (time.process_time() - start) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description="What it costs to decode a page of warehouses, beside zeep.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rows", type=int, default=10_000)
    arguments = parser.parse_args()
    sys.path.insert(0, str(collection_tree.linked()))
    body = page(arguments.rows)
    print(f"{arguments.rows} rows, {len(body) / 1e6:.1f} MB, least of {arguments.rounds} rounds")
    decoders = {"ours": ours(), "zeep": zeeps()}
    if not same(decoders["ours"](body), decoders["zeep"](body)):
        print("The two do not read the same.")
        return 1
    times: dict[str, list[float]] = {name: [] for name in decoders}
    for _round in range(arguments.rounds):
        for name, decode in decoders.items():
            times[name].append(milliseconds(decode, body))
    for name, values in times.items():
        print(f"{name} {min(values):7.1f} ms")
        figures.note(f"a page of {arguments.rows} warehouses decoded", name, busy=min(values) / 1000)
    ratio = min(times["zeep"]) / min(times["ours"])
    print(f"zeep / ours {ratio:.2f}   goal >= {GOAL:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
