"""What happens to PostgreSQL under a real tour-server: it fails over, is full, lets nobody in, is slow, and its
notifications get lost; and processes whose clocks differ share it. Run by the cases of test_server_postgres.py; prints
one JSON object.

Usage: postgres_troubles.py TROUBLE HOME: in a network of its own, on whose loopback PostgreSQL listens."""
from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from postgres_scene import PATIENCE, Client, Listener, Scene, Writer, expect  # first: it says where the others are
from nodes import wait_until
from people import Device, Tour
from postgres import Cluster

PORTS = (5432, 5433)
HEARD_WITHIN = 20  # seconds, below the 30 after which a process looks without being told
Found = dict[str, Any]


def fail_over(stack: ExitStack, home: Path) -> Found:
    """The primary ends, and its standby becomes the primary."""
    primary = stack.enter_context(Cluster(PORTS[0]))
    standby = Cluster(PORTS[1], synchronous_standby_names="''")
    stack.push(standby)
    standby.make_copy(primary).start()
    # From here on each commit waits for the standby.
    primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    primary.reload()
    wait_until(lambda: primary.query("SELECT sync_state FROM pg_stat_replication") == "sync", PATIENCE, "the standby follows")
    hosts = ",".join(f"127.0.0.1:{port}" for port in PORTS)
    scene = Scene(stack, home, f"postgres://tour@{hosts}/postgres?target_session_attrs=read-write")
    process, other = scene.start(), scene.start()
    tour, devices = scene.make_tour(5)
    listener = Listener(other, tour, devices[0])
    writers = [Writer(at, tour, device) for at, device in zip((process, other, process), devices[1:4])]
    for writer in writers:
        writer.await_answers(10)
    killed = time.monotonic()
    primary.kill()
    for each in scene.processes:
        # A standby is no database to work with: its requests are refused, not answered from old rows.
        each.expect_unavailable("read-only")
    standby.promote()
    promoted = time.monotonic()
    for each in scene.processes:
        each.await_ready()
    for writer in writers:
        writer.await_answers(10)
    client = Client(process)
    token, event = client.member_token(tour, devices[4]), devices[4].write(100)
    pushed = time.monotonic()
    client.must_push(token, tour, [event])
    heard = listener.hears(event, HEARD_WITHIN)
    for writer in writers:
        writer.end()
    first = min(moment for writer in writers for moment in writer.times if moment > killed)
    held = {name for ids in client.held(tour, tour.guide).values() for name in ids}
    acknowledged = {name for writer in writers for name in writer.acknowledged}
    lost = acknowledged - held
    expect(not lost, f"{len(lost)} of {len(acknowledged)} acknowledged events are lost")
    scene.end()
    return {"acknowledged": len(acknowledged), "refused": sum(writer.refusals for writer in writers),
            "written again": first - promoted, "heard": heard - pushed, "listener's breaks": listener.breaks}


def full(stack: ExitStack, home: Path) -> Found:
    """The disk of the database, which has none of PostgreSQL's log, is full."""
    cluster = stack.enter_context(Cluster(PORTS[0]))
    small = cluster.home / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size=32m,mode=700,uid={cluster.home.stat().st_uid}", "tmpfs", small], check=True)
    stack.callback(subprocess.run, ["umount", "--lazy", small], check=True)
    cluster.query(f"CREATE TABLESPACE small LOCATION '{small}'")
    cluster.query("CREATE DATABASE tours TABLESPACE small")
    scene = Scene(stack, home, f"postgres://tour@127.0.0.1:{PORTS[0]}/tours")
    process = scene.start()
    tour, (one, two) = scene.make_tour(2)
    listener, client = Listener(process, tour, one), Client(process)
    token, acknowledged = client.member_token(tour, one), list[str]()
    filling = small / "filling"
    # Its own row has a place now, which the next look writes again.
    process.await_ready()
    fill(filling)
    for _ in range(100):
        batch = [one.write(20_000) for _ in range(5)]
        reply = client.push(token, tour, batch)
        if reply[0] != 200:
            break
        acknowledged += [event.id.hex() for event in batch]
    client.expect_refusal(reply)
    expect("its disk is full" in process.said(), "its log does not say what is wrong")
    # Probes ask again and again, and what is small may find room in a page.
    for _ in range(20):
        expect(process.readiness() == 503, "it says that it is ready, and takes nothing")
    held = client.held(tour, tour.guide)
    expect(held[one.id.hex()] == acknowledged, "what was acknowledged cannot be read")
    filling.unlink()
    process.await_ready()
    client.must_push(token, tour, batch)
    listener.hears(batch[-1], HEARD_WITHIN)
    acknowledged += [event.id.hex() for event in batch]
    expect(client.held(tour, tour.guide)[one.id.hex()] == acknowledged, "the log is not as it was acknowledged")
    scene.end()
    return {"acknowledged": len(acknowledged)}


def fill(file: Path) -> None:
    """Takes all of the room that is left."""
    with contextlib.suppress(OSError), file.open("wb", buffering=0) as out:
        while out.write(bytes(4_096)):
            pass


TROUBLES: dict[str, Callable[[ExitStack, Path], Found]] = {"fail-over": fail_over, "full": full}


def main() -> int:
    trouble, home = sys.argv[1], Path(sys.argv[2])
    home.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        print(json.dumps(TROUBLES[trouble](stack, home)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
