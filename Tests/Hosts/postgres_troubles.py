"""What happens to PostgreSQL under a real tour-server: it fails over, is full, lets nobody in, is slow, and its
notifications get lost; and processes whose clocks differ share it. Run by the cases of test_server_postgres.py; prints
one JSON object.

Usage: postgres_troubles.py TROUBLE HOME: in a network of its own, on whose loopback PostgreSQL listens."""
from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

# First: it says where the others are.
from postgres_scene import HEARD_WITHIN, PATIENCE, PORTS, Client, Found, Listener, Process, Reply, Scene, Writer, expect
from nodes import wait_until
from people import Device, Tour
from postgres import Cluster
from postgres_clocks import clocks

MEMBERS = 12  # of a tour that has to wait: more than a process has connections
OTHERS = 10  # pushes to another tour meanwhile


def fail_over(stack: ExitStack, home: Path) -> Found:
    """The primary ends, and its standby becomes the primary."""
    primary = stack.enter_context(Cluster(PORTS[0]))
    standby = Cluster(PORTS[1], synchronous_standby_names="''")
    stack.push(standby)
    standby.make_copy(primary).start()
    # From here on each commit waits for the standby.
    primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    primary.reload()
    wait_until(lambda: primary.query("SELECT sync_state FROM pg_stat_replication") == "sync", PATIENCE, "the standby follows")
    hosts = ",".join(f"127.0.0.1:{port}" for port in PORTS)
    scene = Scene(stack, home, f"postgres://tour@{hosts}/postgres?target_session_attrs=read-write")
    process, other = scene.start(), scene.start()
    tour, devices = scene.make_tour(5)
    listener = Listener(other, tour, devices[0])
    writers = [Writer(at, tour, device) for at, device in zip((process, other, process), devices[1:4])]
    for writer in writers:
        writer.await_answers(10)
    primary.kill()
    for each in scene.processes:
        # A standby is no database to work with: its requests are refused, not answered from old rows.
        each.expect_unavailable("read-only")
    standby.promote()
    promoted = time.monotonic()
    for each in scene.processes:
        each.await_ready()
    for writer in writers:
        writer.await_answers(10)
    client = Client(process)
    token, event = client.member_token(tour, devices[4]), devices[4].write(100)
    pushed = time.monotonic()
    client.must_push(token, tour, [event])
    heard = listener.hears(event, HEARD_WITHIN)
    for writer in writers:
        writer.end()
    first = min(moment for writer in writers for moment in writer.times if moment > promoted)
    held = {name for ids in client.held(tour, tour.guide).values() for name in ids}
    acknowledged = {name for writer in writers for name in writer.acknowledged}
    lost = acknowledged - held
    expect(not lost, f"{len(lost)} of {len(acknowledged)} acknowledged events are lost")
    scene.end()
    return {"acknowledged": len(acknowledged), "refused": sum(writer.refusals for writer in writers),
            "written again": first - promoted, "heard": heard - pushed, "listener's breaks": listener.breaks}


def full(stack: ExitStack, home: Path) -> Found:
    """The disk of the database, which has none of PostgreSQL's log, is full."""
    cluster = stack.enter_context(Cluster(PORTS[0]))
    small = cluster.home / "small"
    small.mkdir()
    options = f"size=32m,mode=700,uid={cluster.home.stat().st_uid}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", small], check=True)
    stack.callback(subprocess.run, ["umount", "--lazy", small], check=True)
    cluster.query(f"CREATE TABLESPACE small LOCATION '{small}'")
    cluster.query("CREATE DATABASE tours TABLESPACE small")
    scene = Scene(stack, home, f"postgres://tour@127.0.0.1:{PORTS[0]}/tours")
    process = scene.start()
    tour, (one, two) = scene.make_tour(2)
    listener, client = Listener(process, tour, one), Client(process)
    token, acknowledged = client.member_token(tour, one), list[str]()
    filling = small / "filling"
    # Its own row has a place now, which the next look writes again.
    process.await_ready()
    fill(filling)
    for _ in range(100):
        batch = [one.write(20_000) for _ in range(5)]
        reply = client.push(token, tour, batch)
        if reply[0] != 200:
            break
        acknowledged += [event.id.hex() for event in batch]
    client.expect_refusal(reply)
    expect("its disk is full" in process.said(), "its log does not say what is wrong")
    # What the server found before, it says for a second. Later looks, one a second, may find room for what is small.
    wait_until(lambda: process.readiness() == 503, 10, "it says that it is not ready")
    looked = time.monotonic()
    while time.monotonic() < looked + 5:
        expect(process.readiness() == 503, "it says that it is ready, and takes nothing")
        time.sleep(0.1)
    held = client.held(tour, tour.guide)
    # A machine may have room for no batch at all.
    expect(held.get(one.id.hex(), []) == acknowledged, "what was acknowledged cannot be read")
    filling.unlink()
    process.await_ready()
    client.must_push(token, tour, batch)
    listener.hears(batch[-1], HEARD_WITHIN)
    acknowledged += [event.id.hex() for event in batch]
    expect(client.held(tour, tour.guide)[one.id.hex()] == acknowledged, "the log is not as it was acknowledged")
    scene.end()
    return {"acknowledged": len(acknowledged)}


def fill(file: Path) -> None:
    """Takes all of the room that is left."""
    with contextlib.suppress(OSError), file.open("wb", buffering=0) as out:
        while out.write(bytes(4_096)):
            pass


def slow(stack: ExitStack, home: Path) -> Found:
    """Somebody keeps a row locked, and a trigger sleeps, both longer than a statement may take: that is said to whom it
    concerns, and the others go on."""
    cluster = stack.enter_context(Cluster(PORTS[0]))
    scene = Scene(stack, home, cluster.address)
    process = scene.start()
    (locked, lockeds), (asleep, asleeps), (free, frees) = (scene.make_tour(count) for count in (MEMBERS, MEMBERS, 2))
    cluster.query("CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END'")
    cluster.query("CREATE TRIGGER sleep BEFORE INSERT ON events FOR EACH ROW WHEN "
                  f"(NEW.tour = {number(cluster, asleep)}) EXECUTE FUNCTION sleep()")
    lock = Session(stack, cluster.address)
    lock.ask(f"BEGIN; SELECT number FROM tours WHERE number = {number(cluster, locked)} FOR UPDATE;")
    # More at once than the process has connections.
    waiting = [Pusher(process, tour, device) for tour, devices in ((locked, lockeds), (asleep, asleeps)) for device in devices]
    for pusher in waiting:
        pusher.start()
    hanging = ("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tour-server' AND "
               "(wait_event_type = 'Lock' OR wait_event = 'PgSleep')")
    wait_until(lambda: int(cluster.query(hanging)) >= 4, PATIENCE, "pushes to both tours wait")
    listener, client = Listener(process, free, frees[0]), Client(process)
    token = client.member_token(free, frees[1])
    for _ in range(OTHERS):
        event = frees[1].write(100)
        client.must_push(token, free, [event])
        listener.hears(event, HEARD_WITHIN)
    for tour in (locked, asleep):
        expect(any(pusher.tour is tour and pusher.is_alive() for pusher in waiting), "others are served after those that wait")
    for pusher in waiting:
        pusher.join(2 * PATIENCE)
        expect(pusher.reply, "a push that waits is not answered")
        client.expect_refusal(pusher.reply)
    lock.ask("ROLLBACK;")
    cluster.query("DROP TRIGGER sleep ON events")
    for tour, devices in ((locked, lockeds), (asleep, asleeps)):
        for pusher in waiting:
            if pusher.tour is tour:
                client.must_push(pusher.token, tour, pusher.events)
        held = client.held(tour, tour.guide)
        for pusher in waiting:
            if pusher.tour is tour:
                expect(held[pusher.device.id.hex()] == [event.id.hex() for event in pusher.events], "a push came twice, or never")
    seconds = [pusher.seconds for pusher in waiting]
    scene.end()
    return {"refused after": [min(seconds), max(seconds)], "others": OTHERS}


class Pusher(threading.Thread):
    """One push, and what came of it."""

    def __init__(self, process: Process, tour: Tour, device: Device) -> None:
        super().__init__(daemon=True)
        self.client, self.tour, self.device = Client(process), tour, device
        self.token = self.client.member_token(tour, device)
        self.events = [device.write(100)]
        self.reply: Reply | None = None
        self.seconds = 0.0

    def run(self) -> None:
        begun = time.monotonic()
        self.reply = self.client.push(self.token, self.tour, self.events)
        self.seconds = time.monotonic() - begun


class Session:
    """A session of psql."""

    def __init__(self, stack: ExitStack, address: str) -> None:
        self.process = subprocess.Popen(["psql", "--no-psqlrc", "-qAt", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        stack.callback(self.end)

    def ask(self, statements: str) -> str:
        """Up to the answer to all of them."""
        assert self.process.stdin and self.process.stdout
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{statements}\n\\echo over\n")
            self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == "over\n":
                break
            lines.append(line)
        return "".join(lines)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def number(cluster: Cluster, tour: Tour) -> str:
    return cluster.query(f"SELECT number FROM tours WHERE id = '\\x{tour.id.hex()}'")


def refuse(stack: ExitStack, home: Path) -> Found:
    """PostgreSQL lets nobody in: its connections are used up, the password is another one, its rules have changed."""
    cluster = stack.enter_context(Cluster(PORTS[0], max_connections="12", superuser_reserved_connections="3"))
    cluster.query("CREATE ROLE server LOGIN PASSWORD 'one'")
    cluster.query("CREATE DATABASE tours OWNER server")
    rules = cluster.data / "pg_hba.conf"
    old = rules.read_text()
    new = f"host tours server 127.0.0.1/32 scram-sha-256\n{old}"
    secret = home / "password"
    with open(secret, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write("one\n")
    address = f"postgres://server@127.0.0.1:{PORTS[0]}/tours"
    scene = Scene(stack, home, address, "--database-password-file", str(secret))
    process = scene.start()
    tour, (one, two) = scene.make_tour(2)
    listener = Listener(process, tour, one)
    rewrite(cluster, rules, new)
    cluster.query("CREATE ROLE other LOGIN")
    fillers: list[Session] = []
    problems: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "raise its max_connections": (
            lambda: fillers.extend(use_up(cluster)), lambda: [filler.end() for filler in fillers]),
        "correct the user or the password": (
            lambda: cluster.query("ALTER ROLE server PASSWORD 'two'"), lambda: secret.write_text("two\n")),
        "by a line of pg_hba.conf": (
            lambda: rewrite(cluster, rules, f"host all server all reject\n{old}"), lambda: rewrite(cluster, rules, new)),
    }
    for said, (begin, end) in problems.items():
        def trouble() -> None:
            # Stopped, it takes no connection again before the trouble has begun. One that it was about to make is seen
            # only later, and PostgreSQL reads new rules some time after it was told to: once may be too few.
            process.process.send_signal(signal.SIGSTOP)
            cluster.query("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'server'")
            begin()
            process.process.send_signal(signal.SIGCONT)

        process.expect_unavailable(said, trouble)
        expect(said in (refused := scene.refused_start()), f"another process does not say '{said}': {refused[-500:]}")
        end()
        process.await_ready()
        client, event = Client(process), two.write(100)
        client.must_push(client.member_token(tour, two), tour, [event])
        listener.hears(event, HEARD_WITHIN)
    scene.end()
    return {"listener's breaks": listener.breaks}


def use_up(cluster: Cluster) -> list[Session]:
    """All connections but those for administrators."""
    sessions = []
    with ExitStack() as stack:
        while True:
            session = Session(stack, f"host=127.0.0.1 port={cluster.port} user=other dbname=postgres")
            if session.ask("SELECT 1;") != "1\n":
                break
            sessions.append(session)
        stack.pop_all()
    return sessions


def rewrite(cluster: Cluster, rules: Path, text: str) -> None:
    rules.write_text(text)
    cluster.reload()


def lost_notifications(stack: ExitStack, home: Path) -> Found:
    """The connections over which processes tell each other of news are cut, before a notification could come."""
    cluster = stack.enter_context(Cluster(PORTS[0]))
    scene = Scene(stack, home, cluster.address)
    there, here = scene.start(), scene.start()
    tour, (one, two) = scene.make_tour(2)
    listener, client = Listener(here, tour, one), Client(there)
    token, seconds = client.member_token(tour, two), []
    for stopped in (True, False) * 3:
        event = two.write(100)
        if stopped:
            # It learns of the cut only after the notification went to nobody.
            here.process.send_signal(signal.SIGSTOP)
        cut = cluster.query(f"SELECT count(pg_terminate_backend(pid, 60000)) {LISTENING}")
        expect(cut != "0", "nobody listens")
        begun = time.monotonic()
        client.must_push(token, tour, [event])
        here.process.send_signal(signal.SIGCONT)
        seconds.append(listener.hears(event, HEARD_WITHIN) - begun)
        wait_until(lambda: cluster.query(f"SELECT count(*) {LISTENING}") == "2", PATIENCE, "both listen again")
    expect(listener.breaks == 0, "its stream ended")
    scene.end()
    return {"heard": seconds}


# Each process that serves has a share of a lock, over the connection that listens.
LISTENING = "FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'"


TROUBLES: dict[str, Callable[[ExitStack, Path], Found]] = {
    "fail-over": fail_over, "full": full, "slow": slow, "refuse": refuse, "lost-notifications": lost_notifications,
    "clocks": clocks}


def main() -> int:
    trouble, home = sys.argv[1], Path(sys.argv[2])
    home.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        print(json.dumps(TROUBLES[trouble](stack, home)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
