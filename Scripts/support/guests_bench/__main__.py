"""Measures guests: their first minute, what they wait for, and what a seat costs. Called by `Scripts/bench guests`,
which explains the options."""
from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Tests" / "Browser"), str(ROOT / "Tests" / "Hosts"), str(ROOT / "Scripts" / "support"),
                str(ROOT / "Scripts" / "support" / "page_bench")]

import browsers  # noqa: E402
import crowd  # noqa: E402
import lab  # noqa: E402
from cases import Context  # noqa: E402
from entry import entry  # noqa: E402
from stage import Stage  # noqa: E402

Figures = dict[str, float]
GOALS = {"crossing_p99_ms": 100.0}  # the most that a figure may be
SECONDS, QUICK_SECONDS = 30.0, 6.0


def first_minute(quick: bool) -> Figures:
    """From the scanned code to the first message, and the first load, in Chromium; also slowed down six times"""
    with tempfile.TemporaryDirectory() as logs:
        stage = Stage(Context(Fraction(1), random.Random(1), Path(logs)), 1, lab.Lab([(0,)] * 2))
        try:
            stage.tour("Bench")
            figures = entry(stage, quick)
            stage.clear()
        finally:
            stage.close()
    return figures


def latency(quick: bool) -> Figures:
    """30 guests at two devices, 20 messages a second: from what one says until the others show it"""
    return crowd.latency(QUICK_SECONDS if quick else SECONDS)


def memory(quick: bool) -> Figures:
    """A device's memory at rest, before and with 30 guests"""
    return crowd.memory()


WORKS: dict[str, Callable[[bool], Figures]] = {"entry": first_minute, "latency": latency, "memory": memory}


def stop(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench guests")
    parser.add_argument("--only", default=",".join(WORKS), help=f"just these works ({','.join(WORKS)})")
    parser.add_argument("--quick", action="store_true", help="small amounts: tries the bench")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    options = parser.parse_args()
    works = [work for work in options.only.split(",") if work]
    if unknown := [work for work in works if work not in WORKS]:
        parser.error(f"no such work: {', '.join(unknown)}")
    if reason := lab.why_impossible() or browsers.why_impossible():
        print(f"guests cannot be measured here: {reason}", file=sys.stderr)
        return 1
    lab.enter_private_space()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    machine = f"{os.cpu_count()} cores, Linux {platform.release()}; load {os.getloadavg()[0]:.1f} at the start"
    figures: Figures = {}
    for work in works:
        print(f"{work}: {WORKS[work].__doc__}", file=sys.stderr, flush=True)
        figures |= WORKS[work](options.quick)
    browsers.close()
    if options.json:
        print(json.dumps({"machine": machine, "quick": options.quick, "figures": figures}))
        return 0
    print(f"\n{machine}{'; QUICK, not for figures' * options.quick}")
    for name, value in figures.items():
        goal = f"  <= {GOALS[name]:g}: {'met' if value <= GOALS[name] else 'MISSED'}" if name in GOALS else ""
        print(f"{name:28} {value:12,.2f}{goal}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
