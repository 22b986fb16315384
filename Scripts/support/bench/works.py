"""The workloads, each the same for both groups, each in a lab of its own."""
from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lab import Lab, as_a_wire
from members import Group, Meter, rss_mb

Figures = dict[str, float]
MakeGroup = Callable[[Lab], Group]


@dataclass(frozen=True)
class Size:
    """The size of each workload: the figures are for `FULL`; `QUICK` is for trying the bench."""

    members: int = 8
    paced: int = 200
    missed: tuple[int, ...] = (10_000, 100_000)
    starts: int = 5
    idle_seconds: int = 20
    file_bytes: int = 5_000_000


@contextmanager
def running(make: MakeGroup, members: int) -> Iterator[tuple[Lab, Group]]:
    with Lab([(0,)] * members) as lab:
        group = make(lab)
        try:
            group.start()
            yield lab, group
        finally:
            group.close()


def share(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def paced(make: MakeGroup, size: Size) -> Figures:
    """200 messages of 200 bytes, 20 a second, from the guide to all."""
    with running(make, size.members) as (lab, group):
        time.sleep(1)  # lets joining finish, which is not part of the figures
        meter = Meter(group, lab)
        receivers = group.members[1:]
        group.members[0].send(size.paced, 200, 20)
        for member in receivers:
            member.inbox.wait(size.paced, 60, group.name)
        cpu, sent = meter.read()
        waits = sorted((there - due) / 1e6 for m in receivers for due, there in m.inbox.rows.values())
        return {"p50_ms": share(waits, 0.5), "p99_ms": share(waits, 0.99), "max_ms": waits[-1],
                "wire_bytes_per_delivery": sent / len(waits), "cpu_s": cpu}


def catch_up(make: MakeGroup, size: Size) -> Figures:
    """A member returns after missing messages: from its start until it has stored (and shown) all."""
    figures: Figures = {}
    for count in size.missed:
        with running(make, 6) as (lab, group):
            _, *stayed, away = group.members
            away.stop()
            group.send(count, 200)
            for member in stayed:
                member.inbox.wait(count, 600, group.name)
            time.sleep(1)  # lets the others finish their work
            meter = Meter(group, lab)
            away.start()
            away.inbox.wait(count, 600, group.name)
            last = max(there for _, there in away.inbox.rows.values())
            figures[f"catch_up_{count}_s"] = (last - away.started_ns) / 1e9
            figures[f"catch_up_{count}_wire_bytes"] = meter.read()[1] / count
    return figures


def first_link(make: MakeGroup, size: Size) -> Figures:
    """From a member's start to its first link, while the others run."""
    with running(make, 3) as (_, group):
        member, seconds = group.members[-1], []
        for _ in range(size.starts):
            member.stop()
            time.sleep(1)  # lets the others notice that it has left
            member.start()
            seconds.append((member.wait_online() - member.started_ns) / 1e9)
        return {"first_link_median_s": statistics.median(seconds), "first_link_max_s": max(seconds)}


def idle(make: MakeGroup, size: Size) -> Figures:
    """Nobody writes: memory and CPU of each member, and the bytes on the wire."""
    with running(make, size.members) as (lab, group):
        time.sleep(5)  # lets joining finish
        meter, begun = Meter(group, lab), time.monotonic()
        time.sleep(size.idle_seconds)
        seconds = time.monotonic() - begun
        cpu, sent = meter.read()
        memory = [rss_mb(member.pids()) for member in group.members]
        return {"rss_mean_mb": statistics.mean(memory), "rss_max_mb": max(memory),
                "cpu_percent_per_member": 100 * cpu / seconds / size.members, "wire_bytes_per_s": sent / seconds}


# The guide's messages before a file, at most how many while it is sent, and how many a second.
ALONE, BESIDE, RATE = 100, 200, 20


def file(make: MakeGroup, size: Size) -> Figures:
    """The guide sends a file of 5 MB to all over a link of 20 Mbit/s; and how long messages take meanwhile."""
    with running(make, size.members) as (lab, group):
        guide, receivers = group.members[0], group.members[1:]
        as_a_wire(lab.hosts[0].namespace, "eth0", "20mbit")
        source = lab.home / "photo.bin"
        source.write_bytes(os.urandom(size.file_bytes))
        time.sleep(1)
        telling = threading.Thread(target=guide.send, args=(ALONE + BESIDE, 200, RATE), daemon=True)
        telling.start()
        time.sleep(ALONE / RATE)
        meter, begun = Meter(group, lab), time.time_ns()
        guide.send_file(source)
        ends = [(member.file.wait(180, group.name) - begun) / 1e9 for member in receivers]
        sent = meter.read()[1]
        telling.join()
        for member in receivers:
            member.inbox.wait(ALONE + BESIDE, 60, group.name)
        rows = [row for member in receivers for row in member.inbox.rows.values()]
        alone = sorted((there - due) / 1e6 for due, there in rows if due < begun)
        beside = sorted((there - due) / 1e6 for due, there in rows if begun <= due < begun + max(ends) * 1e9)
        copy = size.file_bytes * 8 / 20e6
        return {"file_first_copies": min(ends) / copy, "file_all_copies": max(ends) / copy,
                "file_bytes_copies": sent / size.file_bytes,
                "message_p99_alone_ms": share(alone, 0.99), "message_p99_beside_file_ms": share(beside, 0.99),
                "message_max_beside_file_ms": beside[-1], "message_p99_ratio": share(beside, 0.99) / share(alone, 0.99)}


WORKS: dict[str, Callable[[MakeGroup, Size], Figures]] = {
    "a": paced, "b": catch_up, "c": first_link, "d": idle, "e": file}
