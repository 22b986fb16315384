"""Compares tour-chat with a plain baseline. Called by Scripts/bench, which explains the options."""
from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SUPPORT), str(SUPPORT.parents[1] / "Tests" / "Hosts")]

import comparison  # noqa: E402
import lab  # noqa: E402
from members import Group  # noqa: E402
from mqtt import Mosquitto  # noqa: E402
from tour import TourChat  # noqa: E402
from works import WORKS, Figures, MakeGroup, Size, share  # noqa: E402

QUICK = Size(paced=40, missed=(1_000, 5_000), starts=2, idle_seconds=3, file_bytes=1_000_000)
# Goals: a multiple of the baseline's figure, or a figure of its own, that may not be exceeded.
RATIO_GOALS = {"p99_ms": 5.0, "catch_up_10000_s": 2.5}
VALUE_GOALS = {"first_link_median_s": 2.0, "rss_max_mb": 40.0, "cpu_percent_per_member": 0.5,
               "message_p99_ratio": 2.0}
GROWTH_GOAL = 10.0  # the time for 100,000 messages against tour-chat's own for 10,000


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/bench")
    parser.add_argument("--only", default="a,b,c,d,e", metavar="a,b,c,d,e", help="just these workloads")
    parser.add_argument("--members", type=int, default=8, help="members of a, d and e, the guide included (8)")
    parser.add_argument("--quick", action="store_true", help="small amounts: tries the bench")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--no-multicast", action="store_true", help="tour-chat by its links alone")
    parser.add_argument("--no-baseline", action="store_true", help="tour-chat alone")
    parser.add_argument("--repeat", type=int, metavar="N",
                        help="each workload so many times, both in turn: medians are shown (1; with --old 3)")
    parser.add_argument("--old", metavar="PROGRAM", help="compare with this tour-chat instead of the baseline")
    parser.add_argument("--old-name", metavar="NAME", help="what the table calls it (its version)")
    options = parser.parse_args()
    options.repeat = (3 if options.old else 1) if options.repeat is None else options.repeat
    options.works = [w for w in options.only.split(",") if w]
    if unknown := [w for w in options.works if w not in WORKS]:
        parser.error(f"no such workload: {', '.join(unknown)}")
    if options.members < 2:
        parser.error("a group has two members or more")
    if options.repeat < 1:
        parser.error("--repeat is 1 or more")
    return options


def measure(options: argparse.Namespace) -> tuple[dict[str, list[Figures]], list[str]]:
    """The figures of each run for each group, and what failed."""
    ours = partial(TourChat, flags=("--no-multicast",) if options.no_multicast else ())
    makers: dict[str, MakeGroup] = {"tour-chat": ours}
    if options.old:
        makers = {"old": partial(ours, program=options.old), "new": ours}
    elif not options.no_baseline:
        makers["mosquitto"] = Mosquitto
    base = QUICK if options.quick else Size()
    size = replace(base, members=options.members)
    runs: dict[str, list[Figures]] = {name: [{} for _ in range(options.repeat)] for name in makers}
    failures = []
    for work in options.works:
        for run in range(options.repeat):
            for name, make in makers.items():
                which = f", {run + 1} of {options.repeat}" if options.repeat > 1 else ""
                print(f"{work}: {(WORKS[work].__doc__ or '').splitlines()[0]} ({name}{which})", file=sys.stderr,
                      flush=True)
                try:
                    runs[name][run] |= WORKS[work](make, size)
                except Exception as error:
                    failures.append(f"{work}, {name}: {type(error).__name__}: {error}")
                    print(f"   FAILED: {failures[-1]}", file=sys.stderr, flush=True)
    return runs, failures


def medians(runs: list[Figures]) -> Figures:
    keys = {key: None for run in runs for key in run}
    return {key: statistics.median(run[key] for run in runs if key in run) for key in keys}


def disk_waits() -> list[float]:
    """How long the disk alone needs to make 4 kB durable, in milliseconds: tour-chat waits for that before it sends,
    and the baseline does not."""
    waits, block, blocks = [], 4096, 200
    with tempfile.TemporaryFile() as file:
        file.write(bytes(block * blocks))
        file.flush()
        os.fsync(file.fileno())
        for number in range(blocks):
            begun = time.perf_counter()
            os.pwrite(file.fileno(), os.urandom(block), number * block)
            os.fdatasync(file.fileno())
            waits.append((time.perf_counter() - begun) * 1e3)
            time.sleep(0.02)
    return sorted(waits)


def file_goals(members: int, no_multicast: bool) -> Figures:
    """The bytes that a file may cost, in copies: by multicast to all, or by links to each."""
    if no_multicast:
        return {"file_all_copies": 2.2, "file_bytes_copies": 1.06 * (members - 1)}
    return {"file_all_copies": 1.3, "file_bytes_copies": 1.1}


def goal(key: str, ours: float, ratio: float | None, all_ours: Figures, values: Figures) -> str:
    """The goal of a figure and whether the figure meets it; empty for a figure without one."""
    def verdict(text: str, met: bool) -> str:
        return f"{text}: {'met' if met else 'MISSED'}"
    if key in RATIO_GOALS and ratio is not None:
        return verdict(f"<= {RATIO_GOALS[key]:g} x", ratio <= RATIO_GOALS[key])
    if key in values:
        return verdict(f"<= {values[key]:g}", ours <= values[key])
    small = all_ours.get("catch_up_10000_s")
    if key == "catch_up_100000_s" and small:
        return verdict(f"<= {GROWTH_GOAL:g} x own 10,000 (is {ours / small:.1f})", ours / small <= GROWTH_GOAL)
    return ""


def table(figures: dict[str, Figures], values: Figures) -> str:
    ours, theirs = figures["tour-chat"], figures.get("mosquitto", {})
    lines = [f"{'figure':32} {'tour-chat':>12} {'mosquitto':>12} {'ratio':>8}  goal"]
    for key in ours | theirs:
        mine, other = ours.get(key), theirs.get(key)
        ratio = mine / other if mine is not None and other else None
        cells = [f"{'-' if value is None else f'{value:,.2f}':>{width}}"
                 for value, width in ((mine, 12), (other, 12), (ratio, 8))]
        wanted = goal(key, mine, ratio, ours, values) if mine is not None else ""
        lines.append(f"{key:32} {' '.join(cells)}  {wanted}".rstrip())
    return "\n".join(lines)


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def version(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip() or program


def tell_comparison(options: argparse.Namespace, machine: str, runs: dict[str, list[Figures]],
                    failures: list[str]) -> None:
    names = {"old": options.old_name or version(options.old), "new": version(os.environ["TOURCHAT"])}
    found = comparison.differences(runs["old"], runs["new"])
    if options.json:
        print(json.dumps({"machine": machine, "members": options.members, "multicast": not options.no_multicast,
                          "quick": options.quick, "repeat": options.repeat, **names,
                          "figures": comparison.record(found), "failures": failures}))
        return
    quick = "; QUICK, not for figures" if options.quick else ""
    print(f"\n{machine}; {options.members} members{quick}; {options.repeat} runs of each, in turn: median (min–max)")
    print(comparison.table(found, names["old"], names["new"]))


def stop(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    options = arguments()
    if reason := lab.why_impossible():
        print(f"no lab can be made here: {reason}", file=sys.stderr)
        return 1
    lab.enter_private_space()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    machine = (f"{os.cpu_count()} cores of {processor()}, Linux {platform.release()}; "
               f"load {os.getloadavg()[0]:.1f} at the start")
    waits = disk_waits()
    disk = {"p50_ms": share(waits, 0.5), "p99_ms": share(waits, 0.99), "max_ms": waits[-1]}
    machine += f"; its disk takes {disk['p50_ms']:.2f} ms to keep 4 kB (p99 {disk['p99_ms']:.1f})"
    runs, failures = measure(options)
    if options.old:
        tell_comparison(options, machine, runs, failures)
        return 1 if failures else 0
    figures = {name: medians(of_group) for name, of_group in runs.items()}
    if options.json:
        print(json.dumps({"machine": machine, "disk": disk, "members": options.members,
                          "multicast": not options.no_multicast, "quick": options.quick, "figures": figures,
                          "runs": runs, "failures": failures}))
    else:
        quick = "; QUICK, not for figures" if options.quick else ""
        if options.repeat > 1:
            quick += f"; medians of {options.repeat} runs"
        values = VALUE_GOALS | file_goals(options.members, options.no_multicast)
        print(f"\n{machine}; {options.members} members{quick}\n{table(figures, values)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
