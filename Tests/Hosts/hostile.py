"""A hostile client. `hostile.py HOST PORT KIND COUNT SEED` makes COUNT connections and prints what became of them."""
from __future__ import annotations

import json
import random
import socket
import struct
import sys

Made = list[socket.socket]


def connect(address: tuple[str, int]) -> socket.socket | None:
    try:
        made = socket.create_connection(address, timeout=5)
    except OSError:
        return None
    made.settimeout(2)
    return made


def payload(kind: str, source: random.Random) -> bytes:
    """What one connection sends. A frame is a length of two bytes and so many bytes; a hello has 33."""
    hello = struct.pack(">HB", 33, 1) + source.randbytes(32)
    if kind == "garbage":
        return source.randbytes(source.randint(1, 4096))
    if kind == "truncated":
        whole = hello + struct.pack(">H", 48) + source.randbytes(48)
        return whole[:source.randint(1, len(whole) - 1)]
    if kind == "oversized":
        frames = [struct.pack(">H", 65535) + source.randbytes(65535), struct.pack(">H", 0) * 1000,
                  hello + (struct.pack(">H", 65535) + source.randbytes(65535)) * 16]
        return source.choice(frames)
    return b"" if kind == "silent" or source.random() < 0.5 else hello


def attack(address: tuple[str, int], kind: str, count: int, source: random.Random) -> None:
    """Connections in bursts of 100; `silent` ones stay open until a line arrives on standard input."""
    connected = failed = cut = 0
    held: Made = []
    for k in range(count):
        made = connect(address)
        if made is None:
            failed += 1
            continue
        connected += 1
        held.append(made)
        try:
            made.sendall(payload(kind, source))
        except OSError:
            cut += 1
        if kind != "silent" and (len(held) == 100 or k == count - 1):
            close(held, reset=source.random() < 0.5)
    print(json.dumps({"connected": connected, "failed": failed, "cut": cut}), flush=True)
    if kind == "silent":
        sys.stdin.readline()
    close(held, reset=False)


def close(held: Made, reset: bool) -> None:
    for made in held:
        if reset:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        made.close()
    held.clear()


if __name__ == "__main__":
    host, port, what, times, seed = sys.argv[1:]
    attack((host, int(port)), what, int(times), random.Random(int(seed)))
