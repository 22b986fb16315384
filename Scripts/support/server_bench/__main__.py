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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "Tests" / "PythonNode"), str(HERE), str(HERE.parent)]

from fairness import BOUNDS, GOALS, fairness  # noqa: E402
from notebooks import notebooks  # noqa: E402
from people import Device, Tour  # noqa: E402
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


def measure(options: argparse.Namespace) -> dict[str, float]:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="tour-server-bench-") as name, Server(Path(name)) as server:
        tour = Tour()
        devices = [tour.guide] + [tour.join() for _ in range(19)]
        server.make_known(tour)
        sizes = [(1, 100), (100, 50), (1_000, 10 if options.quick else 50)]
        events: list[bytes] = []
        for writer, (batch, calls) in zip(devices[1:], sizes):
            figures[f"messages_per_s_batch_{batch}"], events = pushes(server, tour, writer, batch, calls)
        figures["plain_rows_per_s"] = plain_inserts(events, Path(name))
        figures["ratio_to_plain"] = figures["messages_per_s_batch_1000"] / figures["plain_rows_per_s"]
        figures["pulled_events_per_s"], figures["small_pulls_per_s"] = pulls(server, tour, devices[4])
        figures.update(notebooks(server, options.quick))
        figures.update(fairness(server, tour, devices, options.quick))
        before = server.memory_mb()
        figures["listeners"] = float(server.listen(tour, devices, 100 if options.quick else 1_000))
        figures["memory_mb"], figures["memory_mb_with_listeners"] = before, server.memory_mb()
    return figures


def table(figures: dict[str, float]) -> str:
    goals = {"messages_per_s_batch_1000": (GOAL_RATE, "messages a second"), "ratio_to_plain": (GOAL_RATIO, "of the shell"),
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench server")
    parser.add_argument("--quick", action="store_true", help="small amounts: tries the bench")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    options = parser.parse_args()
    machine = f"{os.cpu_count()} cores, Linux {platform.release()}; load {os.getloadavg()[0]:.1f} at the start"
    figures = measure(options)
    if options.json:
        print(json.dumps({"machine": machine, "quick": options.quick, "figures": figures}))
    else:
        print(f"\n{machine}{'; QUICK, not for figures' if options.quick else ''}\n{table(figures)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
