"""Goal: what the server acknowledged is there after any crash, once and whole. Method: `server_kills.py` pushes into a
real server and kills it with SIGKILL at random moments; after each start the whole of what it holds is read.
`nginx_kills.py` does so with several servers behind nginx."""
from __future__ import annotations

import json
import os
import statistics
import subprocess
from pathlib import Path
from typing import Any

from cases import Context, Unavailable, case, expect, long
from lab import Host
from nginx import PROGRAM as NGINX
from postgres import BINARIES
from programs import interpreter
from server import binary

PROGRAM = Path(__file__).with_name("server_kills.py")
BEHIND_NGINX = PROGRAM.with_name("nginx_kills.py")


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


@long
@case
def served_behind_nginx(context: Context) -> None:
    """Two processes, then four, on one PostgreSQL behind nginx, as the documentation has it: each may be killed, nothing
    acknowledged is lost or there twice, and listeners on the others hear of a push."""
    if BINARIES is None or NGINX is None:
        raise Unavailable("there is no PostgreSQL, or no nginx")
    times = context.times(50)
    with context.lab([(0,)], avahi=False) as lab:
        host = lab.hosts[0]
        sources = host.more_addresses(17)
        # One kill of a process and one of PostgreSQL at least.
        rounds = [behind_nginx(context, host, sources, 2, max(times - times // 2, 2)),
                  behind_nginx(context, host, sources, 4, max(times // 2, 1))]
    found = {key: sum(played[key] for played in rounds) for key in rounds[0] if key != "live"}
    live = [seconds * 1_000 for played in rounds for seconds in played["live"]]
    context.repetitions = found["servers"] + found["postgresql"]
    expect(found["acknowledged"] > 0, f"it was pushed to: {found}")
    context.note(f"{found['servers']} kills of servers and {found['postgresql']} of PostgreSQL, {found['acknowledged']} "
                 f"acknowledged, {found['repeated']} of them sent again; pushes that broke: {found['broken by servers']} by "
                 f"servers, {found['broken by postgresql']} by PostgreSQL; {found['refused']} were too many")
    context.note(f"another process's listener hears after {statistics.median(live):.0f} ms, at most {max(live):.0f}, "
                 f"{sum(value > 1_000 for value in live)} of {len(live)} later than 1 s")


def behind_nginx(context: Context, host: Host, sources: list[str], processes: int, times: int) -> dict[str, Any]:
    home = host.home / f"{processes}-processes"
    words = [interpreter(), "-B", str(BEHIND_NGINX), str(home), str(context.random.random()), str(processes), str(times)]
    environment = {**host.environment(), "TOURSERVER": binary()}
    done = subprocess.run(host.argv([*words, host.address(), *sources]), capture_output=True, text=True, env=environment,
                          check=False)
    expect(done.returncode == 0, f"{processes} processes: {done.stderr.strip()[-500:]}")
    return dict(json.loads(done.stdout))
