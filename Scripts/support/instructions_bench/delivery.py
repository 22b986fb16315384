"""Instructions a delivery: two nodes on hosts of their own, both under callgrind, one message after the other."""
from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from callgrind import Counter, Profile, argv, readable_copy
from lab import Lab, run
from members import body
from nodes import Follower, Node, Stream, all_know_all, make_tour, wait_until

READY_SECONDS = 120


@dataclass(frozen=True)
class Plan:
    """What is said, and who looks on."""

    messages: int = 100
    bytes: int = 200
    # Until both nodes know how soon the other answers, and what runs once has run.
    warm_up: int = 20
    # Seconds from one message to the next: under valgrind a delivery takes a third of that, so that none waits for
    # another, and what goes by the clock (rows of what a member has, above all) comes as often on a slow machine.
    interval: float = 0.25
    idle_seconds: float = 10
    # `messages --follow` at the member; its node then writes a line of JSON for each message, which is counted.
    is_followed: bool = True
    # No datagram comes through.
    is_by_links: bool = False


@dataclass(frozen=True)
class Work:
    """What one node did between the marks."""

    profile: Profile
    messages: int
    seconds: float
    idle_rate: float = 0  # instructions a second while nobody writes
    quiet: Profile = field(default_factory=Profile)  # what it did then

    @property
    def instructions(self) -> float:
        """For one message, less what the node would have done without it."""
        return (self.profile.total - self.idle_rate * self.seconds) / self.messages


class Counted:
    """A node under callgrind."""

    def __init__(self, node: Node) -> None:
        self.node, self._out = node, node.home / "callgrind.out"

    def launch(self) -> None:
        self.node.tool = argv(self._out)
        self.node.launch()

    def await_ready(self) -> None:
        self.node.await_ready(READY_SECONDS)
        assert self.node.process
        self.counter = Counter(self.node.process.pid, self._out)
        self.counter.switch_on()


def measure(plan: Plan) -> dict[str, Work]:
    """The work of the node that writes, and of the one that receives."""
    with Lab([(0,), (0,)]) as place:
        guide, member = (host.node(name) for host, name in zip(place.hosts, ("guide", "member")))
        # They meet at full speed.
        for node in (guide, member):
            node.start()
        make_tour([guide, member], "Bench")
        all_know_all([guide, member], 90)
        program = readable_copy(guide.binary, place.home / "tour-chat")
        for node in (guide, member):
            node.stop()
            node.binary = program
        if plan.is_by_links:
            leave_links_alone(place)
        both = {"writes": Counted(guide), "receives": Counted(member)}
        for one in both.values():
            one.launch()
        for one in both.values():
            one.await_ready()
        wait_until(lambda: guide.links() >= 1, READY_SECONDS, "the guide has a link")
        return count(plan, both)


def leave_links_alone(place: Lab) -> None:
    rules = "table inet links {\nchain in {\ntype filter hook input priority 0\nudp dport != 5353 drop\n}\n}\n"
    for host in place.hosts:
        run("ip", "netns", "exec", host.namespace, "nft", "--file", "-", stdin=rules)


def count(plan: Plan, both: dict[str, Counted]) -> dict[str, Work]:
    stream, member = both["writes"].node.stream(), both["receives"].node
    follower: Follower | None = member.follow()
    texts = [body(number, time.time_ns(), plan.bytes) for number in range(plan.warm_up + plan.messages)]
    say(plan, stream, follower, texts[:plan.warm_up])
    if follower and not plan.is_followed:
        follower.close()
        follower = None
        time.sleep(1)
    for one in both.values():
        one.counter.zero()
    begun = time.monotonic()
    say(plan, stream, follower, texts[plan.warm_up:])
    if not plan.is_followed:
        time.sleep(1)
    seconds = time.monotonic() - begun
    found = {name: Work(one.counter.read(), plan.messages, seconds) for name, one in both.items()}
    if not plan.is_followed:
        wait_until(lambda: any(row["content"] == texts[-1] for row in member.messages()), 30, "the last one is there")
    time.sleep(3)  # until rows about the last messages are over
    for one in both.values():
        one.counter.zero()
    begun = time.monotonic()
    time.sleep(plan.idle_seconds)
    idle = time.monotonic() - begun
    for name, one in both.items():
        quiet = one.counter.read()
        found[name] = replace(found[name], idle_rate=quiet.total / idle, quiet=quiet)
    stream.close()
    return found


def say(plan: Plan, stream: Stream, follower: Follower | None, texts: list[str]) -> None:
    """Each has arrived, and is shown, before the next is written."""
    for text in texts:
        begun = time.monotonic()
        stream.write(text)
        if follower:
            follower.wait_text(text, 30)
        time.sleep(max(0.0, begun + plan.interval - time.monotonic()))
