"""A flood. `flood.py hellos|stall|hold|records|datagrams …` sends until told to end; the functions say which words.

It says a JSON object a line: `under way` once what it does is in full flow, and counts at its end.
"""
from __future__ import annotations

import errno
import json
import os
import random
import resource
import select
import socket
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

HELLO_BYTES, MESSAGE_BYTES = 33, 48
MDNS = ("224.0.0.251", 5353)
NOBODY, OWN_ADDRESSES = 65_534, 250
HOLD_SECONDS = 6  # longer than a node bears somebody silent
SERVICES_A_PACKET, PACKETS_PER_SECOND, RECORD_SECONDS = 5, 100, 120
TOGETHER = 20  # datagrams or connections between two looks at the clock

Address = tuple[str, int]


def say(**row: object) -> None:
    print(json.dumps(row), flush=True)


def told_to_end() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


def flight(source: random.Random) -> bytes:
    """A hello and a message 1 in the right form, with a secret that nobody has."""
    return b"".join(struct.pack(">H", len(part)) + part
                    for part in (b"\x01" + source.randbytes(HELLO_BYTES - 1), source.randbytes(MESSAGE_BYTES)))


def dial(address: Address, own: str) -> socket.socket:
    made = socket.socket()
    made.setblocking(False)
    made.bind((own, 0))
    if made.connect_ex(address) not in (0, errno.EINPROGRESS):
        made.close()
        raise OSError("no connection was begun")
    return made


def pace(rate: int, step: Callable[[], None]) -> None:
    """Calls the step so often a second, in small lots, until the end."""
    begun, done = time.monotonic(), 0
    while not told_to_end():
        due = int((time.monotonic() - begun) * rate)
        if due - done < TOGETHER:
            time.sleep(TOGETHER / rate)
            continue
        for _ in range(min(due - done, 10 * TOGETHER)):
            step()
        done += min(due - done, 10 * TOGETHER)


def hellos(host: str, port: str, rate: str, seed: str, own: list[str]) -> None:
    """So many connections a second, each with a first flight that no secret fits; counts what was answered."""
    source, poll = random.Random(int(seed)), select.epoll()
    open_ones: dict[int, socket.socket] = {}
    counts = {"hellos": 0, "closed": 0, "answered": 0, "failed": 0}

    def step() -> None:
        try:
            made = dial((host, int(port)), source.choice(own))
            open_ones[made.fileno()] = made
            poll.register(made, select.EPOLLOUT)
        except OSError:
            counts["failed"] += 1
        for number, _ in poll.poll(0):
            turn(number)

    def turn(number: int) -> None:
        made = open_ones[number]
        try:
            if made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                raise OSError("refused")
            if number not in spoken:
                made.sendall(flight(source))
                spoken.add(number)
                counts["hellos"] += 1
                poll.modify(number, select.EPOLLIN)
                return
            counts["answered" if made.recv(64) else "closed"] += 1
        except OSError:
            counts["closed" if number in spoken else "failed"] += 1
        poll.unregister(number)
        spoken.discard(number)
        open_ones.pop(number).close()

    spoken = set[int]()
    say(event="under way")
    pace(int(rate), step)
    say(event="end", **counts)


def stall(host: str, port: str, count: str, seed: str, own: list[str]) -> None:
    """So many sockets in all that say nothing or half a hello, each made anew when it is closed, `count` a second."""
    source, poll = random.Random(int(seed)), select.epoll()
    held: dict[int, socket.socket] = {}
    made_in_all = 0

    def step() -> None:
        nonlocal made_in_all
        if len(held) < int(count):
            try:
                made = dial((host, int(port)), own[made_in_all % len(own)])
            except OSError:
                return
            held[made.fileno()] = made
            poll.register(made, select.EPOLLIN | select.EPOLLOUT)
            made_in_all += 1
            if made_in_all == int(count):
                say(event="under way")
        for number, what in poll.poll(0):
            turn(number, what)

    def turn(number: int, what: int) -> None:
        try:
            if what & ~select.EPOLLOUT:
                raise OSError("closed")
            held[number].send(flight(source)[:source.choice((0, 1, 20, 60))])
            poll.modify(number, select.EPOLLIN)
        except OSError:
            poll.unregister(number)
            held.pop(number).close()

    pace(int(count), step)
    say(event="end", made=made_in_all)


def become_nobody() -> None:
    """Another user of the machine; in a user namespace there is none."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError:
        pass


def hold(port: str, count: str, kind: str, _own: list[str]) -> None:
    """So many connections to a port of this host, each made anew as soon as it is closed: `idle` ones, or ones that
    `drip` a byte a second of a request's head."""
    become_nobody()
    poll, held, made_in_all, connected = select.epoll(), dict[int, socket.socket](), 0, 0
    ended = select.EPOLLIN | select.EPOLLRDHUP
    begun = dripped = time.monotonic()
    is_told = False
    while not told_to_end():
        # In lots: what finds the queue of the listening socket full is not held by the node.
        for _ in range(min(int(count) - len(held), TOGETHER)):
            try:
                made = dial(("127.0.0.1", int(port)), f"127.0.0.{1 + made_in_all % OWN_ADDRESSES}")
            except OSError:
                break  # No port is free: once more after a look at what was closed.
            held[made.fileno()] = made
            poll.register(made, ended | select.EPOLLOUT)
            made_in_all += 1
        if not is_told and connected >= int(count) and time.monotonic() - begun >= HOLD_SECONDS:
            is_told = True
            say(event="under way", user=os.geteuid())
        for number, what in poll.poll(0.01):
            if what == select.EPOLLOUT:
                poll.modify(number, ended)
                connected += 1
                continue
            poll.unregister(number)
            held.pop(number).close()
        if kind == "drip" and time.monotonic() - dripped >= 1:
            dripped = time.monotonic()
            for made in held.values():
                try:
                    made.send(b"G")
                except OSError:
                    pass  # The poll tells.
    say(event="end", made=made_in_all)


def name(*labels: bytes) -> bytes:
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def record(owner: bytes, kind: int, data: bytes, unique: int) -> bytes:
    return owner + struct.pack(">HHIH", kind, unique | 1, RECORD_SECONDS, len(data)) + data


def false_service(number: int, address: bytes, source: random.Random) -> list[bytes]:
    """PTR, SRV, TXT and A of a service that nobody runs: a right form, tags by chance, an address that is not there."""
    service = (b"_tour-chat", b"_tcp", b"local")
    instance, host = name(b"%016x" % number, *service), name(source.randbytes(8).hex().encode(), b"local")
    text = b"\x03v=1" + b"\x12t=" + source.randbytes(16)
    place = struct.pack(">HHH", 0, 0, 29_999) + host
    return [record(name(*service), 12, instance, 0), record(instance, 33, place, 1 << 15),
            record(instance, 16, text, 1 << 15), record(host, 1, address, 1 << 15)]


def records(count: str, seed: str, own: list[str]) -> None:
    """So many false services, announced again and again, 500 a second: more keep avahi-daemon itself busy for good."""
    source = random.Random(int(seed))
    base = source.randrange(1 << 40)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        out.bind((own[0], MDNS[1]))
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        packets = []
        for first in range(0, int(count), SERVICES_A_PACKET):
            rows = [row for k in range(first, min(first + SERVICES_A_PACKET, int(count)))
                    for row in false_service(base + k, socket.inet_aton(own[k % len(own)]), source)]
            packets.append(struct.pack(">HHHHHH", 0, 0x8400, 0, len(rows), 0, 0) + b"".join(rows))
        sent = 0

        def step() -> None:
            nonlocal sent
            out.sendto(packets[sent % len(packets)], MDNS)
            sent += 1
            if sent == len(packets):
                say(event="under way")

        pace(PACKETS_PER_SECOND, step)
        say(event="end", packets=sent, services=int(count))


def datagrams(kind: str, count: str, rate: str, seed: str, path: str) -> None:
    """So many datagrams at this rate, then the end: `garbage`, or the payloads in a file (each behind its address, a
    JSON object a line) again and again, as they are (`replayed`) or with all but their first 17 bytes changed."""
    source = random.Random(int(seed))
    rows = [json.loads(line) for line in Path(path).read_text().splitlines()]
    heard = [((row["host"], row["port"]), bytes.fromhex(row["payload"])) for row in rows]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        begun, done = time.monotonic(), 0
        say(event="under way")
        while done < int(count):
            due = min(int((time.monotonic() - begun) * int(rate)), int(count))
            if due == done:
                time.sleep(TOGETHER / int(rate))
            for k in range(done, due):
                place, payload = heard[k % len(heard)]
                if kind == "garbage":
                    payload = b"\x01" + source.randbytes(source.randrange(1, 1_199))
                elif kind == "changed":
                    payload = payload[:17] + source.randbytes(len(payload) - 17)
                out.sendto(payload, place)
            done = due
        say(event="end", datagrams=done, seconds=round(time.monotonic() - begun, 1))


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    floods: dict[str, Callable[..., None]] = {"hellos": hellos, "stall": stall, "hold": hold, "records": records}
    if what == "datagrams":
        datagrams(*words)
    else:
        counted = floods[what].__code__.co_argcount - 1
        floods[what](*words[:counted], words[counted:])
