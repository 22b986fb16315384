"""Goal: another user of the machine who holds the page's port stops neither node, links, commands nor the page itself.
Method: on a host whose programs may have 1,024 descriptors, a process of another user holds 1,100 connections to the
page's port, silent ones and such that drip, and renews them; two nodes talk, a third joins, commands and page are
answered."""
from __future__ import annotations

import os
import resource
import time
from pathlib import Path

from cases import Context, Unavailable, case, expect
from lab import Host
from nodes import Node, all_know_all, make_tour, wait_until
from page import Page
from test_floods import Cost, flooding, watched

HELD, DESCRIPTORS, FEW = 1_100, 1_024, 8
STRANGERS_MAX = 64


class Bounded:
    """A host whose programs may have so many descriptors."""

    def __init__(self, host: Host, descriptors: int) -> None:
        self._host, self._bound = host, f"--nofile={descriptors}:{descriptors}"

    def argv(self, argv: list[str]) -> list[str]:
        return self._host.argv(["prlimit", self._bound, *argv])

    def environment(self) -> dict[str, str]:
        return self._host.environment()


def descriptors(node: Node) -> int | None:
    """None where the kernel does not say: a node keeps others from looking in."""
    assert node.process
    try:
        return len(os.listdir(Path("/proc", str(node.process.pid), "fd")))
    except PermissionError:
        return None


class Clock:
    """The longest of each kind of work."""

    def __init__(self) -> None:
        self.longest: dict[str, float] = {}

    def lap(self, what: str, begun: float) -> None:
        self.longest[what] = max(self.longest.get(what, 0), time.monotonic() - begun)


def work(clock: Clock, guide: Node, member: Node, page: Page) -> list[str]:
    """A command, a message each way, and one from the page: all within the time that a test waits."""
    begun = time.monotonic()
    expect(guide.status()["links"] >= 1, "the link is gone")
    clock.lap("command", begun)
    begun = time.monotonic()
    sent = [guide.send("beside a flood")]
    member.follow().wait_ids(sent, 30)
    clock.lap("message out", begun)
    begun = time.monotonic()
    sent.append(member.send("into a flood"))
    guide.follow().wait_ids(sent[-1:], 30)
    clock.lap("message in", begun)
    begun = time.monotonic()
    sent.append(page.send("from the page"))
    clock.lap("page", begun)
    member.follow().wait_ids(sent[-1:], 30)
    return sent


@case
def page_port_held(context: Context) -> None:
    """1,100 connections of another user to the page's port, silent or dripping, renewed: nothing of the node stops."""
    rounds = context.times(20)
    with context.lab([(0,)] * 3) as lab:
        host = lab.hosts[0]
        guide = Node(Bounded(host, DESCRIPTORS), host.home / "guide", "guide", ("--web", "0"))
        host.nodes.append(guide)
        guide.start()
        member = lab.hosts[1].node("member").start()
        code = make_tour([guide, member])
        all_know_all([guide, member])
        page = Page(host, guide)
        stream = page.events(limit=500).read()
        stream.wait(lambda s: s.last("tours"), 10, "the first events")
        before = descriptors(guide)
        for kind in ("idle", "drip"):
            clock, sent = Clock(), list[str]()
            with flooding(host, "hold", str(page.port), str(HELD), kind) as flood:
                cpu, begun_all = guide.cpu_seconds(), time.monotonic()
                for _ in range(rounds):
                    sent += work(clock, guide, member, page)
                held = descriptors(guide)
                begun = time.monotonic()
                joiner = lab.hosts[2].node(f"joiner-{kind}").start()
                joiner.must("join", code, "--name", joiner.name, "--timeout", "30")
                wait_until(lambda: joiner.links() >= 1, 30, "who joined links")
                clock.lap("join", begun)
                stream.wait(lambda s: sent[-1] in s.messages(), 30, "the page's stream goes on")
                expect(not stream.ended, "the page's stream was ended by strangers")
                share = (guide.cpu_seconds() - cpu) / (time.monotonic() - begun_all)
                joiner.stop()
            figures = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in clock.longest.items())
            user = flood.of("under way")[0]["user"]
            context.note(f"{HELD:,} {kind}, user {user}: at most {figures}; {share:.0%} of a core")
            context.repetitions += flood.of("end")[0]["made"]
            if before is not None and held is not None:
                context.note(f"descriptors {before}, then {held}")
                expect(held <= before + 2 * STRANGERS_MAX, f"{held} descriptors, {before} before")
        status, _ = page.ask("GET", "/v1/tours")
        expect(status == 200, f"afterwards the page is answered with {status}")
        stream.close()


@case
def no_descriptor_left(context: Context) -> None:
    """A node that gets no descriptor for those who come does not run in circles, and goes on once it gets some."""
    seconds = context.times(60)
    with context.lab([(0,)]) as lab:
        node = lab.hosts[0].node("guide", "--web", "0").start()
        page, here = Page(lab.hosts[0], node), descriptors(node)
        assert node.process
        if here is None:
            raise Unavailable("nobody here may change the bounds of a node")
        before = resource.prlimit(node.process.pid, resource.RLIMIT_NOFILE)
        with flooding(lab.hosts[0], "hold", str(page.port), str(HELD), "idle"):
            # Fewer than the node reckoned with: what it holds stays open, and nothing more is to be had.
            resource.prlimit(node.process.pid, resource.RLIMIT_NOFILE, (here + FEW, before[1]))
            wait_until(lambda: (descriptors(node) or 0) <= here + FEW, 30, "what was open beyond the bound goes")
            cost = Cost(node)
            watched(cost, seconds)
            cost.check(context, "no descriptor left")
            resource.prlimit(node.process.pid, resource.RLIMIT_NOFILE, before)
            begun = time.monotonic()
            node.status()
            context.note(f"a command is answered after {time.monotonic() - begun:.1f} s")
            status, _ = page.ask("GET", "/v1/tours")
            expect(status == 200, f"once there are descriptors the page is answered with {status}")
