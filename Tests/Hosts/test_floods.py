"""Goal: strangers who flood a node cost it little, and keep nobody honest away.
Method: a third host floods a real node, from many addresses, with hellos, stalled sockets, false mDNS records and
datagrams; the node's processor time and memory are measured, and somebody honest links or joins meanwhile."""
from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import wire
from cases import Context, case, expect
from lab import Host, Lab, run
from nodes import Node, Row, all_know_all, end, make_tour, wait_until
from programs import Program
from test_input import RSS_GROWTH_MAX_KIB

FLOOD = Path(__file__).with_name("flood.py")
ADDRESSES = 200  # of the one who floods: no bound of one address holds it
CORE_SHARE_MAX = 0.10
LINK_SECONDS_MAX = 10.0
HELLOS_PER_SECOND, STALLED, FALSE_RECORDS, FIRST_RECORDS = 1_000, 1_000, 10_000, 20
CANDIDATES_MAX = 512
GROUP = "239.255.116.99"
DATAGRAMS, DATAGRAMS_PER_SECOND = 1_000_000, 10_000


def more_addresses(host: Host) -> list[str]:
    """Gives the host many addresses on its segment."""
    segment = host.segments[0]
    own = [f"10.77.{segment}.{50 + k}" for k in range(ADDRESSES)]
    run("ip", "-n", host.namespace, "-batch", "-", stdin="".join(f"addr add {a}/24 dev eth0\n" for a in own))
    return own


@contextmanager
def flooding(host: Host, *words: str, seconds: float = 60) -> Iterator[Program]:
    """A flood from this host, in full flow; it ends with the context."""
    program = Program(host, "flood", str(FLOOD), *words, python=sys.executable)
    try:
        program.wait("under way", seconds)
        yield program
        if not program.of("end"):
            program.write("end")
            program.wait("end", 60)
        program.wait_end(10)
    finally:
        end(program.process)


class Cost:
    """What a node takes from here on."""

    def __init__(self, node: Node) -> None:
        self._node, self._rss, self._most = node, node.rss_kib(), node.rss_kib()
        self._cpu, self._begun = node.cpu_seconds(), time.monotonic()

    def look(self) -> None:
        self._most = max(self._most, self._node.rss_kib())

    def check(self, context: Context, what: str) -> None:
        """Within the bounds of the threat model; call it while the flood goes on."""
        self.look()
        share = (self._node.cpu_seconds() - self._cpu) / (time.monotonic() - self._begun)
        grown = self._most - self._rss
        context.note(f"{what}: {share:.1%} of a core, {grown / 1024:+.1f} MiB")
        expect(self._node.alive, f"{what} ended the node: {self._node.log_tail()}")
        # At full counts only: a machine that builds something beside it makes the same work longer.
        if context.repeat >= 1:
            expect(share <= CORE_SHARE_MAX, f"{what} took {share:.1%} of a core")
        expect(grown <= RSS_GROWTH_MAX_KIB, f"{what} took {grown} KiB")


def watched(cost: Cost, seconds: float) -> None:
    """Lets the flood go on; the time over which a share of a core is measured, not a wait for anything."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.25)
        cost.look()


def seconds_to_link(member: Node, guide: Node) -> float:
    """The member starts and has a link soon, and is heard."""
    member.start()
    begun = time.monotonic()
    wait_until(lambda: member.links() >= 1, LINK_SECONDS_MAX, "an honest member links in a flood")
    taken = time.monotonic() - begun
    guide.follow().wait_ids([member.send("beside a flood")], 30)
    member.stop()
    return taken


def seconds_to_join(joiner: Node, code: str) -> float:
    """Somebody who has nothing but the code is in soon."""
    joiner.start()
    begun = time.monotonic()
    joiner.must("join", code, "--name", joiner.name, "--timeout", f"{LINK_SECONDS_MAX:.0f}")
    wait_until(lambda: joiner.links() >= 1, LINK_SECONDS_MAX, "who joined links in a flood")
    taken = time.monotonic() - begun
    joiner.stop()
    return taken


@contextmanager
def tour_of_two(context: Context) -> Iterator[tuple[Lab, Node, Node, str]]:
    """A guide who runs, a member who does not, and the code; and two hosts more."""
    with context.lab([(0,)] * 4) as lab:
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member").start()
        code = make_tour([guide, member])
        all_know_all([guide, member])
        member.stop()
        wait_until(lambda: guide.links() == 0, 30, "the guide is alone")
        yield lab, guide, member, code


@case
def hello_flood(context: Context) -> None:
    """1,000 hellos a second with secrets that nobody has: not a byte back, a tenth of a core, and members link."""
    seconds = context.times(200)
    with tour_of_two(context) as (lab, guide, member, code):
        address, own = lab.hosts[0].address(), more_addresses(lab.hosts[2])
        before = guide.status()["rejected"].get("stranger", 0)
        with flooding(lab.hosts[2], "hellos", address, str(guide.port), str(HELLOS_PER_SECOND),
                      str(context.random.randrange(1 << 30)), *own) as flood:
            cost = Cost(guide)
            watched(cost, seconds)
            cost.check(context, f"{HELLOS_PER_SECOND:,} hellos a second")
            context.note(f"linked in {seconds_to_link(member, guide):.1f} s, "
                         f"joined in {seconds_to_join(lab.hosts[3].node('joiner'), code):.1f} s")
        counts = flood.of("end")[0]
        expect(counts["answered"] == 0, f"{counts['answered']} strangers were answered")
        context.repetitions = counts["hellos"]
        met = guide.status()["rejected"].get("stranger", 0) - before
        expect(met >= counts["hellos"] // 2, f"only {met} of {counts['hellos']} hellos reached the node")


@case
def stalled_flood(context: Context) -> None:
    """1,000 sockets of 200 addresses that say nothing or half a hello, made anew when closed: members link, others join."""
    rounds = context.times(20)
    with tour_of_two(context) as (lab, guide, member, code):
        address, own = lab.hosts[0].address(), more_addresses(lab.hosts[2])
        with flooding(lab.hosts[2], "stall", address, str(guide.port), str(STALLED),
                      str(context.random.randrange(1 << 30)), *own) as flood:
            cost = Cost(guide)
            watched(cost, 10)
            cost.check(context, f"{STALLED:,} stalled sockets")
            linked = [seconds_to_link(member, guide) for _ in range(rounds)]
            joined = [seconds_to_join(lab.hosts[3].node(f"joiner{k}"), code) for k in range(rounds)]
            context.note(f"linked within {max(linked):.1f} s, joined within {max(joined):.1f} s")
        context.repetitions = flood.of("end")[0]["made"]


@case
def record_flood(context: Context) -> None:
    """10,000 false services by mDNS, again and again: bounded, and somebody who has only the code joins."""
    rounds, count = context.times(20), context.times(FALSE_RECORDS)
    context.repetitions = count
    with context.lab([(0,)] * 3) as lab:
        guide = lab.hosts[0].node("guide").start()
        code = make_tour([guide])
        lab.hosts[2].stop_avahi()
        own = more_addresses(lab.hosts[2])
        seed = str(context.random.randrange(1 << 30))

        def kept() -> list[Row]:
            return [row for row in guide.must("peers").lines if row.get("address") in own]

        # The first of them alone: in the flood avahi-daemon may be too busy to resolve any on a machine that is busy too.
        with flooding(lab.hosts[2], "records", str(min(count, FIRST_RECORDS)), seed, *own):
            wait_until(kept, 180, "some of the false services are seen")
        with flooding(lab.hosts[2], "records", str(count), seed, *own):
            cost = Cost(guide)
            watched(cost, 10)
            cost.check(context, f"{count:,} false services")
            seen = kept()
            expect(0 < len(seen) <= CANDIDATES_MAX, f"{len(seen)} false services are kept")
            slowest = max(seconds_to_join(lab.hosts[1].node(f"joiner{k}"), code) for k in range(rounds))
            context.note(f"{len(seen)} kept; joined within {slowest:.1f} s")


def recorded_datagrams(lab: Lab, guide: Node, member: Node) -> tuple[list[Row], list[Row]]:
    """What the member sent by datagram while the two spoke: to all, and to the guide alone by a path."""
    path = lab.home / "spoken"
    with wire.recorded(lab, lab.hosts[1], path):
        follower = guide.follow()
        follower.wait_ids([member.send(f"heard by all {k}") for k in range(40)], 60)

        def spoken() -> list[wire.Packet]:
            return [p for p in wire.sent(path) if p.protocol == wire.UDP]

        wait_until(lambda: any(p.port == wire.MULTICAST_PORT for p in spoken()), 60, "datagrams to all", pause=0.5)
        wait_until(lambda: any(p.payload[:1] == b"\2" for p in spoken()), 60, "datagrams of a path", pause=0.5)
    to_all = [{"host": GROUP, "port": p.port, "payload": p.payload.hex()} for p in spoken()
              if p.port == wire.MULTICAST_PORT and p.payload[:1] == b"\1"]
    to_one = [{"host": lab.hosts[0].address(), "port": p.port, "payload": p.payload.hex()} for p in spoken()
              if p.payload[:1] == b"\2" and p.port not in (wire.MULTICAST_PORT, wire.MDNS_PORT)]
    return to_all, to_one


@case
def datagram_flood(context: Context) -> None:
    """A million datagrams: garbage, replayed, and right but for the key: cheap, and what members say is heard."""
    count = context.times(DATAGRAMS)
    context.repetitions = count
    with tour_of_two(context) as (lab, guide, member, _):
        member.start()
        wait_until(lambda: member.links() >= 1, 30, "the two have a link")
        to_all, to_one = recorded_datagrams(lab, guide, member)
        expect(to_all and to_one, "nothing was recorded: nothing is tested")
        heard = lab.home / "heard"
        listed = len(guide.messages())
        for kind, rows in (("garbage", to_all), ("replayed", to_all + to_one), ("changed", to_all + to_one)):
            heard.write_text("\n".join(map(json.dumps, rows)))
            with flooding(lab.hosts[2], "datagrams", kind, str(count // 3), str(DATAGRAMS_PER_SECOND),
                          str(context.random.randrange(1 << 30)), str(heard)) as flood:
                cost = Cost(guide)
                said = [member.send(f"beside {kind}")]
                guide.follow().wait_ids(said, 30)
                while not flood.of("end"):
                    watched(cost, 0.25)
                cost.check(context, f"{count // 3:,} {kind}")
            listed += 1
            expect(len(guide.messages()) == listed, f"{kind}: {len(guide.messages())} messages, not {listed}")
        guide.follow().wait_ids([member.send("after all")], 30)
