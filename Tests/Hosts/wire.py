"""What goes over a host's cable: recorded, taken apart, and said again. Started as a program it records or replays."""
from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # not where this is a program, which finds no other files
    from lab import Host, Lab

ALL_PROTOCOLS, OUTGOING = 3, 4
IPV4, IPV6 = 0x0800, 0x86DD
TCP, UDP = 6, 17
MULTICAST_PORT, MDNS_PORT = 29795, 5353
REPLAYS_PER_SECOND = 200


@dataclass
class Packet:
    """One TCP segment or UDP datagram that carries something."""

    protocol: int
    port: int
    payload: bytes


def packet(frame: bytes) -> Packet | None:
    kind, rest = struct.unpack_from(">12xH", frame)[0], frame[14:]
    if kind == IPV4:
        rest = rest[:struct.unpack_from(">H", rest, 2)[0]]
        protocol, inner = rest[9], rest[(rest[0] & 15) * 4:]
    elif kind == IPV6:
        protocol, inner = rest[6], rest[40:40 + struct.unpack_from(">H", rest, 4)[0]]
    else:
        return None
    if protocol not in (TCP, UDP):
        return None
    port = struct.unpack_from(">H", inner, 2)[0]
    payload = inner[8:] if protocol == UDP else inner[(inner[12] >> 4) * 4:]
    return Packet(protocol, port, payload) if payload else None


def without_checksum(frame: bytes) -> bytes:
    """The same UDP datagram over IPv4 with no checksum: the sender leaves it to a card, and there is none here."""
    at = 14 + (frame[14] & 15) * 4 + 6
    return frame[:at] + b"\0\0" + frame[at + 2:]


def frames(path: Path) -> list[bytes]:
    """The frames of a record, which may end in the midst of one."""
    data, at, found = path.read_bytes(), 0, []
    while at + 4 <= len(data):
        length = struct.unpack_from(">I", data, at)[0]
        at += 4 + length
        if at <= len(data):
            found.append(data[at - length:at])
    return found


def sent(path: Path) -> list[Packet]:
    return [found for found in map(packet, frames(path)) if found]


@contextmanager
def recorded(lab: Lab, host: Host, path: Path) -> Iterator[Path]:
    """What this host sends while the context lasts."""
    argv = ["ip", "netns", "exec", lab.switch, sys.executable, "-B", __file__, "record",
            f"p{host.segments[0]}h{host.index}", str(path)]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    process.stdout.readline()
    try:
        yield path
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def replay(host: Host, path: Path) -> None:
    """Says the multicast datagrams of a record again, on the host's own network, as whoever sent them."""
    subprocess.run(host.argv([sys.executable, "-B", __file__, "replay", "eth0", str(path)]), check=True, timeout=120)


def _cable(device: str) -> socket.socket:
    cable = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
    cable.bind((device, 0))
    return cable


def _record(device: str, path: str) -> None:
    """All that comes in by a port of the switch, written at once."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    cable = _cable(device)
    with open(path, "wb", buffering=0) as out:
        print("recording", flush=True)
        while True:
            frame, origin = cable.recvfrom(65535)
            if origin[2] != OUTGOING:
                out.write(struct.pack(">I", len(frame)) + frame)


def _replay(device: str, path: str) -> None:
    cable = _cable(device)
    for frame in frames(Path(path)):
        found = packet(frame)
        if found and found.protocol == UDP and found.port == MULTICAST_PORT:
            cable.send(without_checksum(frame))
            time.sleep(1 / REPLAYS_PER_SECOND)  # a pace at which no receiver drops any


if __name__ == "__main__":
    {"record": _record, "replay": _replay}[sys.argv[1]](*sys.argv[2:])
