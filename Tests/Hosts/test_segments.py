"""Goal: a slow segment gets everything, what is urgent first, and holds up nobody on the fast one.
Method: real nodes, a bridge node between a fast segment and one of 1 Mbit/s; times are told, never judged."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable

from cases import Context, case, expect, expect_same_messages
from nodes import Follower, Node, make_tour, wait_until
from test_group import send_all

BACKLOG = 500
NOTICE = "the bus leaves at four"
FILLER = "so that the slow segment needs seconds for what the fast one has at once; " * 12  # about 900 bytes a message


class Clock:
    """Waits on a thread of its own for something at a follower, and notes when it was there."""

    def __init__(self, follower: Follower, wait: Callable[[], object]) -> None:
        self.seconds = 0.0
        self.seen = 0  # messages the follower had by then
        self._follower, self._wait, self._begun = follower, wait, time.monotonic()
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._wait()
        except BaseException as problem:
            self._problem = problem
        self.seconds, self.seen = time.monotonic() - self._begun, len(self._follower.rows)

    @property
    def runs(self) -> bool:
        return self._thread.is_alive()

    def join(self) -> None:
        self._thread.join()
        if self._problem:
            raise self._problem


def joined_over_two_segments(nodes: list[Node]) -> None:
    a, b, c = (node.start() for node in nodes)
    code = make_tour([a, b])
    c.must("join", code, "--name", c.name, seconds=120)
    for node in nodes:
        wait_until(lambda: len(node.members()) == 3, 60, f"{node.name} lists 3 members")
    wait_until(lambda: c.links() >= 1, 60, "C has a link")


@case
def slow_segment(context: Context) -> None:
    """A, B on a fast segment, B, C on one of 1 Mbit/s: A's announcement overtakes its 500 messages; A and B go on."""
    context.repetitions = context.times(1)
    with context.lab([(0,), (0, 1), (1,)], rates={1: "1mbit"}) as lab:
        a, b, c = nodes = [host.node(name) for host, name in zip(lab.hosts, ("guide", "between", "far"))]
        joined_over_two_segments(nodes)
        at_a, at_b, at_c = (node.follow() for node in nodes)
        backlog = send_all(a, [f"{k} {FILLER}" for k in range(BACKLOG)])
        all_at_c = Clock(at_c, lambda: at_c.wait_ids(backlog, 120))
        notice_at_b, notice_at_c = (Clock(f, lambda f=f: f.wait_text(NOTICE, 120)) for f in (at_b, at_c))
        notice = str(a.must("announce", "--urgent", NOTICE).first["id"])
        turns, back = [], []
        while all_at_c.runs or not back:
            begun = time.monotonic()
            back.append(b.send(f"back {len(back)}"))
            at_a.wait_ids([back[-1]], 60)
            turns.append(time.monotonic() - begun)
        for clock in (notice_at_b, notice_at_c, all_at_c):
            clock.join()
        context.note(f"announcement at B after {notice_at_b.seconds:.2f} s, at C after {notice_at_c.seconds:.2f} s as "
                     f"message {notice_at_c.seen}; all at C after {all_at_c.seconds:.2f} s; meanwhile {len(back)} from "
                     f"B to A, each within {max(turns):.2f} s")
        wanted = {*backlog, notice, *back}
        for follower in (at_a, at_b, at_c):
            follower.wait_ids(wanted, 120)
        listed = expect_same_messages(nodes, wanted, len(wanted))
        own = set(backlog)
        shown = at_c.order
        before = [i for i in shown[:shown.index(notice)] if i in own]
        expect(len(before) < len(backlog), "C showed the urgent announcement behind all messages before it")
        expect([i for i in listed if i in own] == backlog, "the backlog is not listed in the order it was sent in")
