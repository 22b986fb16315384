"""Goal: what the server answers is what its contract says. Method: Schemathesis makes requests, good and bad, from the
contract that a real server serves, and holds every answer against it: Scripts/support/server_schema."""
from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from cases import Context, Unavailable, case, expect, long
from postgres import BINARIES
from server import binary

TOP = Path(__file__).resolve().parents[2]
PROGRAM = TOP / "Scripts" / "support" / "server_schema"
MADE = TOP / ".build" / "server-schema" / "bin" / "python"


@long
@case
def contract(context: Context) -> None:
    """Requests that are made from the contract, on SQLite: every answer is one that the contract has."""
    hold_against_contract(context)


@long
@case
def contract_on_postgresql(context: Context) -> None:
    """The same on PostgreSQL."""
    if BINARIES is None:
        raise Unavailable("there is no PostgreSQL")
    hold_against_contract(context, "postgresql")


def hold_against_contract(context: Context, *engine: str) -> None:
    python = os.environ.get("SERVER_SCHEMA_PYTHON") or str(MADE)
    if not os.access(python, os.X_OK):
        raise Unavailable(f"no Python environment at {python} (Scripts/test makes it)")
    context.repetitions = context.times(60)
    done = subprocess.run([python, "-B", str(PROGRAM), str(context.repetitions), "1", *engine], capture_output=True, text=True,
                          env={**os.environ, "TOURSERVER": binary(), "NO_COLOR": "1"}, check=False)
    context.logs.mkdir(parents=True, exist_ok=True)
    (context.logs / "schemathesis.txt").write_text(done.stdout + done.stderr)
    expect(done.returncode == 0, f"Schemathesis found something: {context.logs}/schemathesis.txt")
    found = json.loads(done.stdout.splitlines()[-1])
    answers = {int(status): count for status, count in found["answers"].items()}
    every = sum(answers.values())
    good, many = sum(count for status, count in answers.items() if status < 400), answers.get(429, 0)
    # Where limits of rates or a token that ended are in the way, nothing is tested.
    expect(good > every / 10, f"only {good} of {every} requests succeeded")
    expect(many < every / 20, f"{many} of {every} requests were too many")
    unreached = [name for name in found["never"] if "rganisation" in name or name in ("shareTour", "takeTourOut", "handOverTour")]
    # Of a few examples of an operation all may be wrong ones, or of somebody who may not.
    expect(len(unreached) <= (0 if context.repetitions >= 20 else 2), f"of organisations these never succeeded: {unreached}")
    context.note(f"{every} requests to {found['operations']} operations: {good * 100 // every} % succeeded, {many} were too many")
