"""Goal: what the server acknowledged is there after any crash, once and whole. Method: `server_kills.py` pushes into a
real server and kills it with SIGKILL at random moments; after each start the whole of what it holds is read."""
from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from cases import Context, Unavailable, case, expect
from postgres import BINARIES
from programs import interpreter
from server import binary

PROGRAM = Path(__file__).with_name("server_kills.py")


@case
def killed_while_pushed_to(context: Context) -> None:
    """A server is killed while it takes pushes: nothing acknowledged is lost, nothing is there twice or by half."""
    kill_and_check(context)


@case
def killed_while_postgresql_is_pushed_to(context: Context) -> None:
    """The same on PostgreSQL, which is killed in turn with the server."""
    if BINARIES is None:
        raise Unavailable("there is no PostgreSQL")
    kill_and_check(context, "postgresql")


def kill_and_check(context: Context, *engine: str) -> None:
    context.repetitions = context.times(50) + len(engine)
    environment = {**os.environ, "TOURSERVER": binary()}
    words = [interpreter(), "-B", str(PROGRAM), str(context.repetitions), str(context.random.random()), *engine]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    expect(done.returncode == 0, f"{done.stderr.strip()[-500:]}")
    found = json.loads(done.stdout)
    expect(found["acknowledged"] > 0 and found["broken"] >= context.repetitions - len(engine), f"it was pushed to: {found}")
    context.note(f"{found['kills']} kills, {found['acknowledged']} acknowledged, {found['repeated']} sent again")
