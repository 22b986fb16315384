"""Goal: whatever happens to PostgreSQL, a server on it answers what its contract says, loses nothing acknowledged, and
goes on by itself afterwards. Method: `postgres_troubles.py` has real servers on a real PostgreSQL, to which it happens;
kills under load are in test_server_kills.py."""
from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from cases import Context, Unavailable, case, expect
from postgres import BINARIES
from programs import interpreter
from server import binary
from test_presence import clock_library

PROGRAM = Path(__file__).with_name("postgres_troubles.py")


@case
def postgresql_fails_over(context: Context) -> None:
    """The primary is killed under load and its synchronous standby promoted: nothing acknowledged is lost, listeners hear."""
    found = play(context, "fail-over")
    context.note(f"{found['acknowledged']} acknowledged, {found['refused']} refused meanwhile; the first push is stored "
                 f"{found['written again']:.1f} s after the promotion, heard after {found['heard'] * 1_000:.0f} ms")


@case
def postgresql_is_full(context: Context) -> None:
    """The disk of the database is full: pushes are refused, reads answered, and the server is not ready until there is room."""
    context.note(f"{play(context, 'full')['acknowledged']} acknowledged")


@case
def postgresql_lets_nobody_in(context: Context) -> None:
    """All connections are taken, the password is another one, a rule shuts the server out: each is said, and overcome."""
    play(context, "refuse")


@case
def postgresql_is_slow(context: Context) -> None:
    """A lock and a trigger hold up two tours for longer than the server waits: these are refused, another tour goes on."""
    found = play(context, "slow")
    context.note(f"refused after {min(found['refused after']):.0f} to {max(found['refused after']):.0f} s")


@case
def notifications_get_lost(context: Context) -> None:
    """Connections over which processes hear of each other are cut between write and wake: their listeners hear all the same."""
    context.note(f"heard after at most {max(play(context, 'lost-notifications')['heard']) * 1_000:.0f} ms")


@case
def clocks_of_processes_differ(context: Context) -> None:
    """Of two processes one is five seconds ahead: proofs, sessions, cursors and uploads are good at both, nobody misses
    anything."""
    play(context, "clocks")


def play(context: Context, trouble: str) -> dict[str, Any]:
    if BINARIES is None:
        raise Unavailable("there is no PostgreSQL")
    context.repetitions = 1
    with context.lab([(0,)], avahi=False) as lab:
        host = lab.hosts[0]
        environment = {**host.environment(), "TOURSERVER": binary()}
        if trouble == "clocks":
            environment["CLOCK_LIBRARY"] = str(clock_library(lab))
        words = [interpreter(), "-B", str(PROGRAM), trouble, str(host.home / "servers")]
        done = subprocess.run(host.argv(words), capture_output=True, text=True, env=environment, check=False)
        expect(done.returncode == 0, f"{done.stderr.strip()[-500:]}")
        return dict(json.loads(done.stdout))
