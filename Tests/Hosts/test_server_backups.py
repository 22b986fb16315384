"""Goal: a backup that is made while a server takes pushes has all that was acknowledged before it began, with every blob
that it names. Method: `server_backups.py` pushes into a real server, kills it after the backup, and reads the restored."""
from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from cases import Context, Unavailable, case, expect
from postgres import BINARIES
from programs import interpreter
from server import binary

PROGRAM = Path(__file__).with_name("server_backups.py")


@case
def backed_up_while_pushed_to(context: Context) -> None:
    """A backup is made under load, the server is killed, and a server of the backup has all; damage is refused."""
    back_up_and_check(context)


@case
def postgresql_backed_up_while_pushed_to(context: Context) -> None:
    """The same on PostgreSQL."""
    if BINARIES is None:
        raise Unavailable("there is no PostgreSQL")
    back_up_and_check(context, "postgresql")


def back_up_and_check(context: Context, *engine: str) -> None:
    context.repetitions = context.times(5)
    environment = {**os.environ, "TOURSERVER": binary()}
    words = [interpreter(), "-B", str(PROGRAM), str(context.repetitions), str(context.random.random()), *engine]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    expect(done.returncode == 0, f"{done.stderr.strip()[-500:]}")
    found = json.loads(done.stdout)
    expect(found["acknowledged"] > 0 and found["named"] >= found["blobs"] > 0, f"it was pushed to: {found}")
    context.note(f"{found['acknowledged']} acknowledged, {found['named']} blobs, {found['damaged']} files damaged in turn")
