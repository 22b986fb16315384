"""Reads what was recorded with the keys that a member had. Protocol/03-handshake.md, "Hello"; 08-datagrams.md, "Seal".

    python Tests/PythonNode/reader.py CODE HOST:PORT

Joins honestly, says its id and the tour's keys, and keeps them. Then each line on standard input names a file with what
others sent, an object a line: {"protocol": "tcp" or "udp", "payload": hex}. It answers how many datagrams to all there were and how
many a key of its opened, and how many hellos, and how many of these a secret of its made.
"""
from __future__ import annotations

import asyncio
import json
import struct
import sys
from pathlib import Path

import events
from attack_target import Target, enter
from channel import Greeter
from tour import Code
from wire import K, Fault

SEALED = b"\1"
HELLO = struct.pack(">HB", 33, 1)


def opens(target: Target, datagram: bytes) -> bool:
    """By the key of each epoch that is held, or of the code."""
    keys = [K(key, "multicast") for key in target.tour.epochs.values()]
    keys.append(K(target.code.join_secret, "multicast-invite"))
    return any(unsealed(key, datagram) for key in keys)


def unsealed(key: bytes, datagram: bytes) -> bool:
    try:
        return bool(events.unseal(key, SEALED, datagram[1:]))
    except Fault:
        return False


def is_matched(target: Target, hello: bytes) -> bool:
    secrets = [K(key, "link") for key in target.tour.epochs.values()] + [target.code.join_secret]
    try:
        return Greeter().read(hello, secrets) in secrets
    except Fault:
        return False


def read(target: Target, path: Path) -> dict[str, int]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    said = [(row["protocol"], bytes.fromhex(row["payload"])) for row in rows]
    datagrams = [payload for protocol, payload in said if protocol == "udp" and payload[:1] == SEALED]
    hellos = [payload[2:35] for protocol, payload in said if protocol == "tcp" and payload[:3] == HELLO]
    return {"datagrams": len(datagrams), "opened": sum(opens(target, datagram) for datagram in datagrams),
            "hellos": len(hellos), "matched": sum(is_matched(target, hello) for hello in hellos)}


async def main() -> None:
    host, _, port = sys.argv[2].rpartition(":")
    target = await enter(Code.read(sys.argv[1]), host, int(port))
    own = {"id": target.keys.id.hex(), "epoch": target.tour.epoch_key.hex(), "link": target.tour.link_secret.hex()}
    print(json.dumps({"event": "joined", **own}), flush=True)
    for line in sys.stdin:
        print(json.dumps({"event": "read", **read(target, Path(line.strip()))}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
