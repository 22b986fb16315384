"""A server on PostgreSQL beside what else could do its work: pgbench for the rows, one process on SQLite for the
requests."""
from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from lean import Lean
from people import Tour
from postgres import BINARIES, VARIABLE
from server import Server

SHARE_OF_PGBENCH = 0.5
ROWS, WRITERS = 1_000, 8


def pgbench_rows(events: list[bytes], home: Path, address: str) -> float:
    """Rows a second of pgbench: a thousand of these events with each statement, into a table like the server's."""
    values = ", ".join(f"(:run, 1, {number}, '\\x{os.urandom(32).hex()}', '\\x{event.hex()}', 1)"
                       for number, event in enumerate(events[:ROWS]))
    script = home / "rows.sql"
    script.write_text(f"\\set run random(1, 1000000000000)\nINSERT INTO plain VALUES {values};\n")
    subprocess.run(["psql", "--quiet", "--no-psqlrc", address, "--command",
                    "SET client_min_messages = error; DROP TABLE IF EXISTS plain; CREATE TABLE plain (tour BIGINT, log BIGINT, sequence BIGINT, id BYTEA, "
                    "event BYTEA, taken_at BIGINT, PRIMARY KEY (tour, log, sequence))"], check=True)
    runs = max(len(events) // ROWS, 1)
    assert BINARIES
    done = subprocess.run([str(BINARIES / "pgbench"), "--no-vacuum", "--client=1", f"--transactions={runs}",
                           f"--file={script}", address], check=True, stdout=subprocess.PIPE, text=True)
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    if not found:
        raise SystemExit(f"pgbench said {done.stdout}")
    return float(found[1]) * ROWS


def work(server: Server, each: int) -> float:
    """Requests a second of writers in tours of their own: each pushes a message and asks who it is, in turn."""
    guides = []
    token = server.log_in()
    for number in range(WRITERS):
        server.address = f"10.4.{number}.1"
        tour = Tour()
        body = {"genesis": tour.genesis.text, "controls": [event.text for event in tour.controls],
                **server.proof("group", tour, tour.guide)}
        server.post("/groups", json.dumps(body).encode(), token)
        member = tour.join()
        guide = server.member_token(tour, tour.guide)
        server.post("/messages/sync", json.dumps(
            {"messages": [event.entry(tour.id) for event in [tour.genesis, *tour.controls]]}).encode(), guide)
        bodies = [json.dumps({"messages": [member.write(246).entry(tour.id)]}).encode() for _ in range(each)]
        me = server.post("/auth/anonymous", b"{}")["access_token"]
        guides.append((tour, server.member_token(tour, member), me, bodies))

    def write(index: int) -> None:
        tour, token, me, bodies = guides[index]
        client = Lean(server, 5_000 + index)
        for body in bodies:
            client.call("POST", "/messages/sync", token, body)
            client.call("GET", "/auth/me", me)

    threads = [threading.Thread(target=write, args=(index,)) for index in range(WRITERS)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 2 * each * WRITERS / (time.perf_counter() - begun)


def beside_sqlite(server: Server, each: int) -> dict[str, float]:
    """The server measured, and one process on SQLite, in turn."""
    address = os.environ.pop(VARIABLE)
    try:
        with tempfile.TemporaryDirectory(prefix="tour-server-bench-") as name, Server(Path(name)) as other:
            other.make_known(Tour())
            rates = [(work(server, each), work(other, each)) for _ in range(2)]
    finally:
        os.environ[VARIABLE] = address
    postgres, sqlite = (statistics.median(column) for column in zip(*rates))
    return {"requests_per_s_postgres": postgres, "requests_per_s_sqlite_1": sqlite, "postgres_to_sqlite_1": postgres / sqlite}
