"""Counts the instructions of a delivery. Called by Scripts/bench, which explains it."""
from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
from pathlib import Path
from shutil import which

SUPPORT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SUPPORT), str(SUPPORT / "bench"), str(SUPPORT.parents[1] / "Tests" / "Hosts")]

import callgrind  # noqa: E402
import kept  # noqa: E402
import lab  # noqa: E402
import report  # noqa: E402
from delivery import Plan, Work, measure  # noqa: E402

SKIPPED = 77


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/bench instructions", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=100, metavar="N", help="messages that are counted (100)")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="in new processes each time: medians (1)")
    parser.add_argument("--by-links", action="store_true", help="no datagram comes through")
    parser.add_argument("--unfollowed", action="store_true", help="nobody looks on: no JSON is written at the member")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="also writes where the instructions went")
    parser.add_argument("--order", type=Path, metavar="FILE",
                        help="also writes the functions that a running node calls, by use, for the linker")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--row", nargs=2, metavar=("RELEASE", "FILE"),
                        help="prints this document with a row of that release (Scripts/release)")
    options = parser.parse_args()
    if options.row:
        options.row[1] = str(Path(options.row[1]).resolve())
    if options.messages < 1 or options.runs < 1:
        parser.error("--messages and --runs are 1 or more")
    return options


def commit() -> str:
    """That of the program, as it says itself."""
    said = subprocess.run([os.environ["TOURCHAT"], "--version"], capture_output=True, text=True).stdout
    return said.rpartition("(")[2].strip(") \n") if "(" in said else "unknown"


def stop(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    options = arguments()
    missing = [program for program in callgrind.PROGRAMS if not which(program)]
    reason = f"no {missing[0]}: 'Scripts/install test' installs it" if missing else lab.why_impossible()
    if reason:
        print(f"instructions cannot be counted here: {reason}", file=sys.stderr)
        return SKIPPED
    os.environ["TOURCHAT"] = os.path.realpath(os.environ["TOURCHAT"])
    for name in ("profile", "order"):
        if file := getattr(options, name):
            setattr(options, name, file.resolve())
    lab.enter_private_space()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    plan = Plan(messages=options.messages, is_followed=not options.unfollowed, is_by_links=options.by_links)
    runs: list[dict[str, Work]] = []
    for run in range(options.runs):
        runs.append(measure(plan))
        told = ", ".join(f"{name} {work.instructions:,.0f}" for name, work in runs[-1].items())
        print(f"run {run + 1} of {options.runs}: {told}", file=sys.stderr, flush=True)
    if options.profile:
        options.profile.write_text(report.profile(runs[-1]))
    if options.order:
        options.order.write_text(report.order(runs[-1]))
    found = {name: [one[name] for one in runs] for name in runs[0]}
    medians = {name: statistics.median(work.instructions for work in works) for name, works in found.items()}
    if options.row:
        release, document = options.row
        row = kept.Kept(release, commit(), {name: round(count) for name, count in medians.items()})
        print(kept.with_row(Path(document).read_text(), row), end="")
        return 0
    if options.json:
        print(json.dumps({"messages": plan.messages, "bytes": plan.bytes, "followed": plan.is_followed,
                          "byLinks": plan.is_by_links, "instructions": {
                              name: {"median": medians[name],
                                     "runs": [work.instructions for work in works],
                                     "idlePerSecond": statistics.median(work.idle_rate for work in works)}
                              for name, works in found.items()}}))
        return 0
    print(f"{'a node that':12} {'instructions':>14} {'least':>12} {'most':>12}   idle, a second")
    for name, works in found.items():
        counts = [work.instructions for work in works]
        print(f"{name:12} {medians[name]:14,.0f} {min(counts):12,.0f} {max(counts):12,.0f} "
              f"{statistics.median(work.idle_rate for work in works):16,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
