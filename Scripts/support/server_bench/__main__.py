"""Measures the load that tour-server bears, beside the sqlite3 shell. Called by `Scripts/bench server`, which explains
the options."""
from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "Tests" / "PythonNode"), str(HERE), str(HERE.parent)]

from engines import SHARE_OF_PGBENCH, beside_sqlite, pgbench_rows  # noqa: E402
from fairness import BOUNDS, GOALS, listeners, plain_reads, tour_lists, writers  # noqa: E402
from heavy import heavy  # noqa: E402
from notebooks import notebooks  # noqa: E402
from people import Device, Tour  # noqa: E402
from postgres import VARIABLE, Cluster  # noqa: E402
from server import Server  # noqa: E402

GOAL_RATE, GOAL_RATIO = 20_000, 0.5
EMPTY_RATIO = 1.2  # no more, with room for what else the machine does
BODY_BYTES = 246  # a text of 200 bytes, sealed


def pushes(server: Server, tour: Tour, writer: Device, batch: int, calls: int) -> tuple[float, list[bytes]]:
    """Messages a second, with each batch answered before the next one is sent, and the events. The client costs little:
    it prepares bodies before, and reads answers into memory to parse them afterwards."""
    events = [writer.write(BODY_BYTES) for _ in range(batch * calls)]
    bodies = [json.dumps({"messages": [event.entry(tour.id) for event in part]}).encode()
              for part in (events[i:i + batch] for i in range(0, len(events), batch))]
    token = server.member_token(tour, writer)
    begun = time.perf_counter()
    raw = [server.call("POST", "/messages/sync", body, token) for body in bodies]
    seconds = time.perf_counter() - begun
    answers = [json.loads(answer) for answer in raw]
    stored = sum(len(answer["syncedMessages"]) for answer in answers)
    if stored != len(events) or any(answer["rejectedMessages"] for answer in answers):
        raise SystemExit(f"{stored} of {len(events)} were stored: {answers[-1]['rejectedMessages'][:2]}")
    return len(events) / seconds, [event.exact for event in events]


def pulls(server: Server, tour: Tour, reader: Device) -> tuple[float, float]:
    """Events a second of a whole history, and small pulls a second."""
    token = server.member_token(tour, reader)
    after: dict[str, int] = {}
    count, begun, more = 0, time.perf_counter(), True
    while more:
        wanted = ",".join(f"{author}:{sequence}" for author, sequence in after.items())
        runs, more = server.events(tour, token, wanted)
        for author, first, size in runs:
            after[author] = first + size - 1
            count += size
        if not runs:
            break
    rate = count / (time.perf_counter() - begun)
    author, head = max(after.items(), key=lambda item: item[1])
    begun = time.perf_counter()
    for _ in range(100):
        server.events(tour, token, f"{author}:{head - 10}")
    return rate, 100 / (time.perf_counter() - begun)


def plain_inserts(events: list[bytes], directory: Path) -> float:
    """Rows a second of the sqlite3 shell: a thousand rows in each transaction, with a write-ahead log, each transaction
    flushed to the disk."""
    script = ["PRAGMA journal_mode=WAL;", "PRAGMA synchronous=FULL;", "CREATE TABLE t (n INTEGER PRIMARY KEY, event BLOB);"]
    for start in range(0, len(events), 1_000):
        script.append("BEGIN;")
        script += [f"INSERT INTO t (event) VALUES (x'{event.hex()}');" for event in events[start:start + 1_000]]
        script.append("COMMIT;")
    text = "\n".join(script).encode()
    shell = ["sqlite3", str(directory / "plain.sqlite")]
    begun = time.perf_counter()
    subprocess.run([*shell, "SELECT 1;"], check=True, stdout=subprocess.DEVNULL)
    start_time = time.perf_counter() - begun
    begun = time.perf_counter()
    subprocess.run(shell, input=text, check=True, stdout=subprocess.DEVNULL)
    return len(events) / (time.perf_counter() - begun - start_time)


PARTS = ("mailbox", "notebooks", "reads", "listeners", "writers", "lists", "heavy", "memory", "engines")


def mailbox(server: Server, tour: Tour, devices: list[Device], quick: bool, home: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    events: list[bytes] = []
    for writer, (batch, calls) in zip(devices[1:], [(1, 100), (100, 50), (1_000, 10 if quick else 50)]):
        figures[f"messages_per_s_batch_{batch}"], events = pushes(server, tour, writer, batch, calls)
    rate = figures["messages_per_s_batch_1000"]
    figures["plain_rows_per_s"] = plain_inserts(events, home)
    figures["ratio_to_plain"] = rate / figures["plain_rows_per_s"]
    if address := os.environ.get(VARIABLE):
        figures["pgbench_rows_per_s"] = pgbench_rows(events, home, address)
        figures["ratio_to_pgbench"] = rate / figures["pgbench_rows_per_s"]
    figures["pulled_events_per_s"], figures["small_pulls_per_s"] = pulls(server, tour, devices[4])
    return figures


def memory(server: Server, tour: Tour, devices: list[Device], count: int) -> dict[str, float]:
    before = server.memory_mb()
    listening = server.listen(tour, devices, count)
    return {"listeners": float(listening), "memory_mb": before, "memory_mb_with_listeners": server.memory_mb()}


def measure(options: argparse.Namespace) -> dict[str, float]:
    quick, parts = options.quick, options.only
    figures: dict[str, float] = {}

    def take(part: str, make: Callable[[], dict[str, float]]) -> None:
        if part not in parts:
            return
        # The server closes a connection that was idle for so long; the client opens another.
        server.connection.close()
        figures.update(make())

    with tempfile.TemporaryDirectory(prefix="tour-server-bench-") as name, \
            Server(Path(name), options.processes) as server:
        tour = Tour()
        devices = [tour.guide] + [tour.join() for _ in range(19)]
        server.make_known(tour)
        take("mailbox", lambda: mailbox(server, tour, devices, quick, Path(name)))
        take("notebooks", lambda: notebooks(server, quick))
        take("reads", lambda: plain_reads(server, 4 if quick else 12))
        take("listeners", lambda: listeners(server, tour, devices, 20 if quick else 100, 100 if quick else 500))
        take("writers", lambda: writers(server, tour, devices, 50 if quick else 280))
        take("lists", lambda: tour_lists(server, 20, 40 if quick else 200))
        take("heavy", lambda: heavy(server, 20 if quick else 300, 1_000 if quick else 5_000, 100 if quick else 280))
        if os.environ.get(VARIABLE):
            take("engines", lambda: beside_sqlite(server, 50 if quick else 280))
        take("memory", lambda: memory(server, tour, devices, 100 if quick else 1_000))
    return figures


def table(figures: dict[str, float]) -> str:
    goals = {"messages_per_s_batch_1000": (GOAL_RATE, "messages a second"), "ratio_to_plain": (GOAL_RATIO, "of the shell"),
             "ratio_to_pgbench": (SHARE_OF_PGBENCH, "of pgbench"),
             **{key: (least, "times as much") for key, least in GOALS.items()}}
    bounds = {"empty_delta_ratio": (EMPTY_RATIO, "times as much"),
              **{key: (most, "times as much") for key, most in BOUNDS.items()}}
    lines = []
    for key, value in figures.items():
        line = f"{key:32} {value:>12,.2f}"
        if key in goals:
            wanted, unit = goals[key]
            line += f"  >= {wanted:g} {unit}: {'met' if value >= wanted else 'MISSED'}"
        if key in bounds:
            most, unit = bounds[key]
            line += f"  <= {most:g} {unit}: {'met' if value <= most else 'MISSED'}"
        lines.append(line)
    return "\n".join(lines)


def parts(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in PARTS]:
        raise argparse.ArgumentTypeError(f"no part {unknown[0]!r}: they are {', '.join(PARTS)}")
    return names


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench server")
    parser.add_argument("--quick", action="store_true", help="small amounts: tries the bench")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--only", type=parts, default=list(PARTS), metavar="PART,...", help=", ".join(PARTS))
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite",
                        help="postgres: one of its own, in memory")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="of the server, with --database postgres")
    options = parser.parse_args()
    if options.processes != 1 and options.database != "postgres":
        parser.error("several processes need --database postgres")
    machine = f"{os.cpu_count()} cores, Linux {platform.release()}; load {os.getloadavg()[0]:.1f} at the start"
    # The bench decides itself which database is measured.
    os.environ.pop(VARIABLE, None)
    with Cluster() if options.database == "postgres" else nullcontext() as cluster:
        if cluster:
            os.environ[VARIABLE] = cluster.address
        figures = measure(options)
    setting = f"{options.database}, {options.processes} process{'es' if options.processes > 1 else ''}"
    if options.json:
        print(json.dumps({"machine": machine, "setting": setting, "quick": options.quick, "figures": figures}))
    else:
        print(f"\n{machine}; {setting}{'; QUICK, not for figures' if options.quick else ''}\n{table(figures)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
