"""Runs something for N minutes, in slices that each record a result.

`long_runs NAME --minutes N [--continue] [--own ARGUMENT…]`, called by Scripts/simulate, fuzz, soak and bench, which
explain the options. Ctrl-C or SIGTERM ends the running slice, which then does not count; the results of earlier slices
are kept.
"""
from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from record import Record, Refused  # noqa: E402
from slices import KINDS, Slice  # noqa: E402


def arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(prog="Scripts/…", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", choices=sorted(KINDS))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--continue", dest="continues", action="store_true")
    return parser.parse_known_args()


def play(piece: Slice) -> tuple[float, float, int, str]:
    """Runs a slice; returns its seconds, its processor seconds, its status, and its output."""
    begun = time.monotonic()
    process = subprocess.Popen(piece.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, env={**os.environ, **piece.environment}, start_new_session=True)
    try:
        assert process.stdout
        text = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        raise
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, process.returncode, text


def main() -> int:
    options, rest = arguments()
    try:
        record = Record(options.name, rest, options.continues)
    except Refused as refused:
        print(f"error: {refused}", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    deadline = time.monotonic() + 60 * options.minutes
    kind = KINDS[options.name](rest)
    try:
        while time.monotonic() < deadline:
            piece = kind.slice(record.slices)
            seconds, processor, status, text = play(piece)
            sums, figures, problems = kind.read(text, status, piece)
            record.add(seconds, processor, sums, figures, problems)
            print(f"{piece.name:32} {seconds:7.1f} s  {'; '.join(problems)[:160] or 'passed'}", flush=True)
    except (KeyboardInterrupt, SystemExit):
        ending = "--continue goes on from here" if record.slices else "nothing is done yet to go on from"
        print(f"stopped; {ending}", file=sys.stderr)
    if record.slices:
        record.write_row()
    print(f"{record.amount()}: {record.result()}")
    return 1 if record.state["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
