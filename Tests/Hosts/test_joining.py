"""Goal: whoever comes in twice loses nothing, and whoever leaves is known to have left.
Method: real nodes on hosts of their own, which join and leave while the others are away."""
from __future__ import annotations

import queue
import threading

from cases import Context, case, expect
from nodes import Answer, Node, make_tour, wait_until


def contents(node: Node) -> set[str]:
    return {str(row["content"]) for row in node.messages()}


def departed(node: Node) -> int:
    return sum(bool(row["left"]) for row in node.members())


@case
def joined_twice(context: Context) -> None:
    """Two joins with one code for one person: one gets in, once; leaving and coming back keeps the history."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2) as lab:
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member").start()
        code = make_tour([guide])
        single = str(guide.must("tour", "invite", "--uses", "1").first["joinCode"])
        guide.send("before")
        guide.stop()
        answers: queue.Queue[Answer] = queue.Queue()

        def join() -> None:
            answers.put(member.ask("join", single, "--timeout", "60"))

        for _ in range(2):
            threading.Thread(target=join, daemon=True).start()
        # The one that came first is told so while nobody is there to let either in.
        first = answers.get(timeout=30)
        expect(first.code == "replaced", f"the earlier join ended with {first.code or first.text[:200]}")
        guide.start()
        second = answers.get(timeout=60)
        expect(second.status == 0, f"the later join failed: {second.text[:200]}")
        expect(second.first["name"] == "Walk", f"the tour is called {second.first['name']} right after the join")
        expect(len(guide.members()) == 2, f"{len(guide.members())} members after one person came in")
        member.follow().wait_text("before", 30)
        again = member.ask("join", code)
        expect(again.code == "already-member", f"a join of a member: {again.text[:200]}")
        expect(contents(member) == {"before"}, "the refused join changed what is stored")
        member.stop()
        member.start()
        expect(contents(member) == {"before"}, "the history is gone after a restart")

        member.must("tour", "leave", "--yes")
        member.must("join", code, seconds=60)
        expect(contents(member) == {"before"}, "the history is gone after coming back")
        guide.follow().wait_ids([member.send("back again")], 30)
        wait_until(lambda: departed(guide) == 1, 30, "the guide knows that the first membership is over")
        member.stop()
        member.start()
        expect(contents(member) == {"before", "back again"}, "the history is gone after coming back and a restart")


@case
def newcomers_read_nothing_from_before(context: Context) -> None:
    """Without full history whom the guide lets in reads nothing older, and lets another in while the guide is away."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        guide, member, late = (host.node(f"node{n}").start() for n, host in enumerate(lab.hosts))
        code = str(guide.must("tour", "create", "Walk", "--history", "none").first["joinCode"])
        guide.send("before")
        joined = member.must("join", code, seconds=60)
        expect(joined.first["name"] == "Walk", f"the tour is called {joined.first['name']} right after the join")
        guide.send("after")
        wait_until(lambda: "after" in contents(member), 30, "the newcomer reads what is said since")
        # What was said before is stored and relayed all the same.
        wait_until(lambda: len(member.messages()) == 2, 30, "the newcomer has both messages")
        expect("before" not in contents(member), "the newcomer reads what was said before")
        guide.stop()
        late.must("join", code, seconds=60)
        wait_until(lambda: "after" in contents(late), 30, "who came later reads what its epoch holds")
        expect("before" not in contents(late), "who came later reads what was said before")


@case
def left_without_a_link(context: Context) -> None:
    """A member says goodbye and leaves where nobody is; both are heard once somebody is, and then it links no more."""
    context.repetitions = context.times(1)
    with context.tour(2) as (_, (guide, member)):
        guide.stop()
        goodbye = member.send("goodbye")
        member.stop()
        member.must("tour", "leave", "--yes")  # no node runs: a node without a network does it
        guide.start()
        expect(departed(guide) == 0, "the guide knows of what nobody told")
        member.start()
        guide.follow().wait_ids([goodbye], 30)
        wait_until(lambda: departed(guide) == 1, 30, "the guide knows that the member has left")
        wait_until(lambda: member.links() == 0 and guide.links() == 0, 30, "the link is closed")
        after = guide.send("after you")
        expect(after not in {row["id"] for row in member.messages()}, "who has left still gets messages")
