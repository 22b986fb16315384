"""Goal: no member, and nobody who has a code, can end a tour: it is governed soon, by nodes that hardly feel it.
Method: Tests/PythonNode's siege.py joins a real tour and floods it with what others must hold; a guide's node and a
member's are measured meanwhile, by a program that asks the guide's socket again and again. Then the guide takes out
the one who did it, somebody else comes in by the new code, and both nodes start again with what they have."""
from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from cases import Context, case, expect, long
from lab import Lab
from nodes import Node, all_know_all, wait_until
from programs import PROGRAM, Program, running
from test_floods import more_addresses
from test_input import RSS_GROWTH_MAX_KIB

SIEGE = str(PROGRAM / "siege.py")
GOVERNED_SECONDS, RESTART_SECONDS = 60.0, 3.0
STALL_SECONDS = 0.1
FORKED, ACTS, NEEDLESS, CHANGES, SILENT = 1_000, 60_000, 26_000, 8_000, 300
# Statuses are worked out many times in that time, and signs of life come.
SILENCE_SECONDS = 10.0


class Asker:
    """Asks a node's socket again and again: how long the longest answer took is how long its loop stood still."""

    def __init__(self, node: Node) -> None:
        self._path, self.longest, self._ended = str(node.data / "node.sock"), 0.0, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(0.02):
            begun = time.monotonic()
            try:
                with socket.socket(socket.AF_UNIX) as asked:
                    asked.settimeout(60)
                    asked.connect(self._path)
                    asked.sendall(b"GET /v1/status HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n")
                    while asked.recv(65_536):
                        pass
            except OSError:
                continue  # it ends, or is not there yet
            self.longest = max(self.longest, time.monotonic() - begun)

    def end(self) -> float:
        self._ended.set()
        self._thread.join(60)
        return self.longest


class Watch:
    """What an attack costs two nodes."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self._before = [node.rss_kib() for node in nodes]
        self._most = list(self._before)
        self._asker = Asker(nodes[0])

    def look(self) -> None:
        self._most = [max(most, node.rss_kib()) for most, node in zip(self._most, self._nodes)]

    def wait(self, attack: Program, seconds: float) -> None:
        """Until all was taken from the attacker."""
        def done() -> bool:
            self.look()
            return bool(attack.of("done"))
        wait_until(done, seconds, f"{attack.name} is through", pause=0.25)

    def end(self, context: Context, what: str) -> None:
        self.look()
        stall = self._asker.end()
        grown = max(most - before for most, before in zip(self._most, self._before))
        context.note(f"{what}: longest answer {stall * 1000:.0f} ms, {grown / 1024:+.1f} MiB")
        for node in self._nodes:
            expect(node.alive, f"{what} ended {node.name}: {node.log_tail()}")
        expect(grown <= RSS_GROWTH_MAX_KIB, f"{what} took {grown} KiB")
        # At full counts only: a machine that builds something beside it answers late whatever it does.
        if context.repeat >= 1:
            expect(stall <= STALL_SECONDS, f"{what} kept the loop for {stall:.3f} s")


@contextmanager
def besieged(context: Context, *flags: str) -> Iterator[tuple[Lab, Node, Node, str]]:
    """A guide and a member that run, a code without limits, and two hosts more."""
    with context.lab([(0,)] * 4) as lab:
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member").start()
        guide.must("tour", "create", "Siege", *flags)
        code = str(guide.must("tour", "invite", "--unlimited", "--new").first["joinCode"])
        member.must("join", code, "--name", "member", "--timeout", "40")
        all_know_all([guide, member])
        yield lab, guide, member, code


def governed(context: Context, lab: Lab, guide: Node, member: Node, attacker: str) -> None:
    """The attacker goes, somebody comes, and all three are heard; both nodes start again."""
    begun = time.monotonic()
    code = str(guide.must("remove", attacker, "--yes", seconds=GOVERNED_SECONDS).first["joinCode"])
    newcomer = lab.hosts[3].node("newcomer").start()
    newcomer.must("join", code, "--name", "newcomer", "--timeout", f"{GOVERNED_SECONDS:.0f}")
    nodes = [guide, member, newcomer]
    followers = [node.follow() for node in nodes]
    ids = [node.send(f"{node.name} is heard") for node in nodes]
    for follower in followers:
        follower.wait_ids(ids, GOVERNED_SECONDS)
    taken = time.monotonic() - begun
    context.note(f"governed within {taken:.1f} s")
    expect(taken <= GOVERNED_SECONDS, f"it took {taken:.1f} s")
    expect(all(row["id"] != attacker for row in guide.members() if not row["removed"]), "the attacker is still in")
    starts = []
    for node in (guide, member):
        node.stop()
        begun = time.monotonic()
        node.start(seconds=60)
        starts.append(time.monotonic() - begun)
    context.note(f"started again in {max(starts):.1f} s")
    if context.repeat >= 1:
        expect(max(starts) <= RESTART_SECONDS, f"a start took {max(starts):.1f} s")
    again = guide.send("after the start")
    for node in (member, newcomer):
        node.follow().wait_ids([again], 60)


def flooded(context: Context, kind: str, count: int, rank: str = "") -> None:
    """One member floods by its link with what it writes."""
    context.repetitions = count
    with besieged(context) as (lab, guide, member, code):
        place = f"{lab.hosts[0].address()}:{guide.port}"
        with running(lab.hosts[2], kind, SIEGE, code, place, kind, str(count)) as attack:
            attacker = str(attack.wait("in", 60)["member"])
            if rank:
                wait_until(lambda: any(row["id"] == attacker for row in guide.members()), 30, "the attacker is in")
                guide.must("role", attacker, rank)
                attack.write("go")
            watch = Watch([guide, member])
            watch.wait(attack, 240)
            sent = guide.send("beside a flood")
            member.follow().wait_ids([sent], 60)
            watch.end(context, kind)
            governed(context, lab, guide, member, attacker)


@case
def siege_of_acts(context: Context) -> None:
    """Removals that a member may not make, as many as its share takes, are held by nobody."""
    flooded(context, "acts", context.times(ACTS))


@case
def siege_of_admissions(context: Context) -> None:
    """Admissions that hang on one another backwards, beside thousands that never count, cost no loop its time."""
    flooded(context, "backwards", context.times(NEEDLESS))


@case
def siege_of_ranks(context: Context) -> None:
    """An admin who changes a rank again and again costs nobody its memory."""
    flooded(context, "ranks", context.times(CHANGES), "admin")


@case
def siege_of_silence(context: Context) -> None:
    """Hundreds of devices that write once and are not heard again keep no loop busy, then or later."""
    context.repetitions = SILENT
    with besieged(context) as (lab, guide, member, code):
        place = f"{lab.hosts[0].address()}:{guide.port}"
        with running(lab.hosts[2], "crowd", SIEGE, code, place, "crowd", str(context.repetitions)) as attack:
            attacker = str(attack.wait("in", 60)["member"])
            watch, follower = Watch([guide, member]), member.follow()
            attack.wait("admitted", 120)
            wait_until(lambda: all(len(node.members()) > SILENT for node in (guide, member)), 60, "the crowd is in")
            attack.write("go")
            watch.wait(attack, 60)

            def heard() -> int:
                return sum(str(row.get("content")).endswith("of a crowd") for row in follower.rows.values())

            wait_until(lambda: heard() == SILENT, 60, "the crowd is heard")
            until = time.monotonic() + SILENCE_SECONDS
            while time.monotonic() < until:
                follower.wait_ids([guide.send("beside silence")], 60)
                watch.look()
            watch.end(context, f"{context.repetitions} silent members")
            governed(context, lab, guide, member, attacker)


@case
def siege_of_devices(context: Context) -> None:
    """Devices without number by one code, each of whose logs forks, neither fill a tour nor silence it; and all of them
    go at once."""
    siege_of_joins(context, "full")


@long
@case
def siege_of_devices_without_history(context: Context) -> None:
    """The same where each newcomer begins an epoch."""
    siege_of_joins(context, "none")


def siege_of_joins(context: Context, history: str) -> None:
    context.repetitions = context.times(FORKED)
    with besieged(context, "--history", history) as (lab, guide, member, _):
        leaked = guide.must("tour", "invite", "--unlimited", "--new").first
        place = f"{lab.hosts[0].address()}:{guide.port}"
        words = [word for address in more_addresses(lab.hosts[2]) for word in ("--from", address)]
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        words = [str(leaked["joinCode"]), place, "joins", str(context.repetitions), *words]
        with running(lab.hosts[2], "joins", SIEGE, *words) as attack:
            attack.wait("in", 60)
            watch = Watch([guide, member])
            watch.wait(attack, 400)
            answers = attack.of("done")[-1]["answers"]
            context.note(f"answered: {answers}")
            begun = time.monotonic()
            ended = guide.must("tour", "invite", "--revoke", str(leaked["id"]), "--since", since, "--yes",
                               seconds=GOVERNED_SECONDS).first
            inside = [row for row in guide.members() if not row["removed"] and not row["left"]]
            context.note(f"{ended['out']} out at once in {time.monotonic() - begun:.1f} s")
            expect(len(inside) == 2, f"{len(inside)} are in: {[row['name'] for row in inside][:5]}")
            sent = guide.send("after the devices")
            member.follow().wait_ids([sent], 60)
            watch.end(context, "joins")
        newcomer = lab.hosts[3].node("newcomer").start()
        again = str(guide.must("tour", "invite", "--new").first["joinCode"])
        newcomer.must("join", again, "--name", "newcomer", "--timeout", f"{GOVERNED_SECONDS:.0f}")
        heard = newcomer.send("in, after all")
        guide.follow().wait_ids([heard], 60)
        taken = time.monotonic() - begun
        context.note(f"governed within {taken:.1f} s")
        expect(taken <= GOVERNED_SECONDS, f"it took {taken:.1f} s")
