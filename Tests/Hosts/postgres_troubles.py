"""What happens to PostgreSQL under a real tour-server: it fails over, is full, lets nobody in, is slow, and its
notifications get lost; and processes whose clocks differ share it. Run by the cases of test_server_postgres.py; prints
one JSON object.

Usage: postgres_troubles.py TROUBLE HOME: in a network of its own, on whose loopback PostgreSQL listens."""
from __future__ import annotations

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


TROUBLES: dict[str, Callable[[ExitStack, Path], Found]] = {"fail-over": fail_over}


def main() -> int:
    trouble, home = sys.argv[1], Path(sys.argv[2])
    home.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        print(json.dumps(TROUBLES[trouble](stack, home)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
