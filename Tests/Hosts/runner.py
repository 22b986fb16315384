"""Runs the tests that are registered, in turn or several at once, each with its time: what Tests/Hosts and Tests/Browser share."""
from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import FrameType

import lab
from cases import LONG, TESTS, Context, Unavailable
from workers import Row, side_by_side

SKIPPED = 77


class TooLong(Exception):
    """A test did not end in its time."""


class Report:
    """What all rounds so far gave, for each test."""

    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = 0
        self.rows: dict[str, list[tuple[float, int, bool]]] = {}

    def add(self, name: str, seconds: float, repetitions: int, passed: bool) -> None:
        self.rows.setdefault(name, []).append((seconds, repetitions, passed))
        self.passed += passed
        self.failed += not passed

    def table(self) -> str:
        lines = [f"{'test':24} {'runs':>5} {'repetitions':>12} {'failures':>9} {'mean s':>8} {'max s':>8}"]
        for name, runs in self.rows.items():
            seconds = [s for s, _, _ in runs]
            lines.append(f"{name:24} {len(runs):5} {sum(r for _, r, _ in runs):12,} {sum(not p for _, _, p in runs):9} "
                         f"{sum(seconds) / len(runs):8.1f} {max(seconds):8.1f}")
        return "\n".join(lines)


def arguments(program: str, about: str, logs: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=program, description=about.splitlines()[0])
    parser.add_argument("--repeat", type=Fraction, default=Fraction(1, 20), help="share of the full repetitions (1/20)")
    parser.add_argument("--only", default="", metavar="NAME,…", help="just these tests")
    parser.add_argument("--jobs", type=int, default=1, help="so many tests at once (1); most of them wait most of the time")
    parser.add_argument("--minutes", type=float, default=0, help="begin new rounds until so many minutes are over")
    parser.add_argument("--limit", type=float, default=0, help="seconds after which no further test begins (it fails)")
    parser.add_argument("--seed", type=int, default=20_240_601, help="for the random moments; each round adds one")
    parser.add_argument("--logs", type=Path, default=logs, help="where failed tests' logs go")
    parser.add_argument("--no-skips", action="store_true", help="a test that cannot run here counts as failed")
    parser.add_argument("--list", action="store_true", help="prints the tests' names and what they do")
    return parser.parse_args()


def run_one(name: str, context: Context, seconds_max: float) -> str:
    """Runs a test; returns what failed, or nothing."""
    signal.setitimer(signal.ITIMER_REAL, seconds_max)
    try:
        TESTS[name](context)
        return ""
    except (KeyboardInterrupt, SystemExit, Unavailable):
        raise
    except BaseException as error:
        context.logs.mkdir(parents=True, exist_ok=True)
        (context.logs / "failure.txt").write_text(traceback.format_exc())
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def play(name: str, options: argparse.Namespace, number: int, deadline: float) -> Row:
    """Runs one test of a round, and says how it went."""
    logs = options.logs / (f"{name}-{number}" if options.minutes else name)
    context = Context(options.repeat, random.Random(f"{options.seed + number} {name}"), logs)
    begun, skipped, used = time.monotonic(), False, cpu_seconds()
    if deadline and begun > deadline:
        problem = "not begun: the time for all tests was over"
    else:
        try:
            problem = run_one(name, context, 300 + 1500 * float(options.repeat))
        except Unavailable as missing:
            problem = f"cannot run here: {missing}"
            skipped = not options.no_skips
    return {"name": name, "seconds": time.monotonic() - begun, "problem": problem, "skipped": skipped,
            "repetitions": context.repetitions, "notes": context.notes, "logs": str(logs),
            "processor": cpu_seconds() - used}


def cpu_seconds() -> float:
    """Of this process and of all its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def show(row: Row, report: Report) -> None:
    name, problem = row["name"], row["problem"]
    if row.get("skipped"):
        report.skipped += 1
        print(f"SKIP {name:24} not tested here: {problem}", flush=True)
        return
    report.add(name, row["seconds"], row.get("repetitions", 0), not problem)
    notes = row.get("notes", [])
    extra = f"  ({'; '.join(notes)})" if notes and not problem else ""
    spent = f" {row['processor']:6.1f} s of processor" if "processor" in row else ""
    print(f"{'FAIL' if problem else 'ok  '} {name:24} {row['seconds']:7.1f} s{spent}{extra}", flush=True)
    if problem:
        print("\n".join(f"     {line}" for line in [problem, *notes, f"logs: {row.get('logs', '')}"]), flush=True)


def run_round(names: list[str], options: argparse.Namespace, number: int, deadline: float, report: Report,
              close: Callable[[], None]) -> None:
    if options.jobs == 1:
        for name in names:
            show(play(name, options, number, deadline), report)
        return
    ordered = sorted(names, key=lambda name: name not in LONG)
    for row in side_by_side(ordered, options.jobs, lambda name: play(name, options, number, deadline), close):
        show(row, report)


def stop(number: int, _frame: FrameType | None) -> None:
    raise TooLong("it did not end in its time") if number == signal.SIGALRM else SystemExit(128 + number)


def main(program: str, about: str, logs: Path, missing: Callable[[], str | None] = lambda: None,
         close: Callable[[], None] = lambda: None) -> int:
    """Runs the tests that are registered. `missing` says what else than a lab all of them lack here; `close` is called
    when they are over."""
    options = arguments(program, about, logs)
    options.jobs = max(options.jobs, 1)
    if options.list:
        for name, test in TESTS.items():
            print(f"{name:24} {(test.__doc__ or '').splitlines()[0]}")
        return 0
    names = [n for n in options.only.split(",") if n] or list(TESTS)
    if unknown := [n for n in names if n not in TESTS]:
        print(f"no such test: {', '.join(unknown)}; --list shows them", file=sys.stderr)
        return 2
    if not os.access(os.environ.get("TOURCHAT", ""), os.X_OK):
        print("TOURCHAT has to name the tour-chat binary", file=sys.stderr)
        return 2
    if reason := lab.why_impossible() or missing():
        print(f"\n*** SKIPPED: none of the {len(names)} tests of {program} ran: {reason}\n", flush=True)
        return SKIPPED
    os.environ["TOURCHAT"] = os.path.realpath(os.environ["TOURCHAT"])
    options.logs = options.logs.resolve()
    lab.enter_private_space()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, stop)
    try:
        return run_all(names, options, close)
    finally:
        close()


def run_all(names: list[str], options: argparse.Namespace, close: Callable[[], None]) -> int:
    begun, report, number = time.monotonic(), Report(), 0
    print(f"{len(names)} tests, repetitions x {options.repeat}, seed {options.seed}", flush=True)
    while number == 0 or time.monotonic() - begun < 60 * options.minutes:
        run_round(names, options, number, begun + options.limit if options.limit else 0, report, close)
        number += 1
    if options.minutes:
        print(f"\n{number} rounds in {(time.monotonic() - begun) / 60:.1f} minutes\n{report.table()}")
    skipped = f", {report.skipped} SKIPPED" if report.skipped else ""
    print(f"{report.passed} passed, {report.failed} failed{skipped}", flush=True)
    return 1 if report.failed else 0

