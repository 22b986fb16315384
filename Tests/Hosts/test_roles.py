"""Goal: who leads is heard everywhere; whoever is removed, or copied, is out: links, messages, codes.
Method: real nodes on hosts of their own; one is promoted, one is removed while linked, one while away."""
from __future__ import annotations

import shutil
import time

from cases import Context, case, expect
from lab import Lab
from nodes import Node, Row, all_know_all, make_tour, wait_until

MANY_CODES = 300  # a removal ends 256


def member_row(node: Node, name: str) -> Row:
    return next((row for row in node.members() if row["name"] == name), {})


def await_role(node: Node, name: str, role: str) -> None:
    wait_until(lambda: member_row(node, name).get("role") == role, 30, f"{node.name} knows {name} as {role}")


def await_removed(node: Node, name: str) -> None:
    wait_until(lambda: member_row(node, name).get("removed"), 30, f"{node.name} knows that {name} is removed")


def roster_of(node: Node) -> str:
    return str(node.must("tour", "show").first["roster"])


def contents(node: Node) -> set[str]:
    return {str(row["content"]) for row in node.messages()}


def open_code(node: Node) -> str:
    invites = node.must("tour", "invite", "--list").lines
    return next(str(row["code"]) for row in invites if row["state"] == "open")


@case
def promoted_and_demoted(context: Context) -> None:
    """A member made guide announces to all; made a member again it cannot, and what it announced stays."""
    context.repetitions = context.times(1)
    with context.tour(3) as (_, nodes):
        guide, second, third = nodes
        for node in nodes:
            wait_until(lambda: {row["name"] for row in node.members()} == {n.name for n in nodes}, 30, "all names")
        early = second.ask("announce", "too early")
        expect(early.code == "not-allowed", f"an announcement by a member: {early.text[:200]}")
        expect(second.ask("role", third.name, "guide").code == "not-allowed", "a member gave a role")
        guide.must("role", second.name, "guide")
        await_role(second, second.name, "guide")
        second.must("announce", "follow me")
        for node in (guide, third):
            row = node.follow().wait_text("follow me")
            expect(row["type"] == "announcement", f"{node.name} shows it as {row['type']}")
        expect(second.ask("role", third.name, "guide").code == "not-allowed", "a guide gave a role")
        guide.must("role", second.name, "member")
        await_role(second, second.name, "member")
        expect(second.ask("announce", "once more").code == "not-allowed", "an announcement of one who was a guide")
        for node in nodes:
            expect("follow me" in contents(node), f"{node.name} lost what the guide of before announced")
        guide.must("tour", "successor", second.name, "--yes")
        await_role(third, second.name, "successor")
        expect(guide.ask("tour", "successor", third.name, "--yes").code == "has-successor", "a second successor")
        guide.stop()
        second.must("role", third.name, "guide")
        await_role(third, third.name, "guide")
        guide.start()
        await_role(guide, third.name, "guide")
        wait_until(lambda: len({roster_of(node) for node in nodes}) == 1, 30, "all have one roster")


@case
def removed_while_linked(context: Context) -> None:
    """The guide removes a member: it is told and dropped, what it said before stays, and it counts no more."""
    context.repetitions = context.times(1)
    with context.tour(3) as (_, nodes):
        guide, second, third = nodes
        for node in nodes:
            wait_until(lambda: {row["name"] for row in node.members()} == {n.name for n in nodes}, 30, "all names")
        before = third.send("before")
        guide.follow().wait_ids([before], 30)
        second.follow().wait_ids([before], 30)
        nobody = guide.ask("remove", "member", "--yes")
        expect(nobody.code == "unknown-member", f"a name that nobody has: {nobody.text[:200]}")
        third.must("name", second.name)
        wait_until(lambda: [row["name"] for row in guide.members()].count(second.name) == 2, 30, "two of one name")
        both = guide.ask("remove", second.name, "--yes")
        ids = [str(row["id"])[:12] for row in guide.members() if row["name"] == second.name]
        expect(both.code == "ambiguous" and all(i in both.text for i in ids), f"two of one name: {both.text[:300]}")
        third.must("name", third.name)
        wait_until(lambda: member_row(guide, third.name) and member_row(second, third.name), 30, "its name is back")
        expect(second.ask("remove", third.name, "--yes").code == "not-allowed", "a member removed another")
        answer = guide.must("remove", third.name, "--yes").first
        expect(answer["name"] == third.name and answer["joinCode"], f"the removal answered {answer}")
        for node in nodes:
            await_removed(node, third.name)
        wait_until(lambda: third.links() == 0, 30, "the removed member has no link")
        expect(third.ask("send", "after").code == "removed", "the removed member still writes")
        for node in (guide, second):
            expect("before" in contents(node), f"{node.name} lost what was said before the removal")
        word = guide.send("without you")
        guide.follow().wait_status([word], {"delivered", "read"}, 60)
        expect("without you" not in contents(third), "the removed member still gets messages")


@case
def removed_with_many_codes(context: Context) -> None:
    """More codes are open than one removal ends: none is open after it but the new one."""
    context.repetitions = context.times(1)
    with context.tour(2) as (_, nodes):
        guide, member = nodes
        for _ in range(MANY_CODES):
            guide.must("tour", "invite", "--uses", "1")
        new = str(guide.must("remove", member.name, "--yes").first["joinCode"])
        still = [row["code"] for row in guide.must("tour", "invite", "--list").lines if row["state"] != "revoked"]
        expect(still == [new], f"{len(still)} codes are open after the removal")


@case
def removed_while_away(context: Context) -> None:
    """A member removed while away: what it then says reaches nobody, its code opens no door, the new one does."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, nodes):
        guide, second, third = nodes
        for node in nodes:
            wait_until(lambda: {row["name"] for row in node.members()} == {n.name for n in nodes}, 30, "all names")
        old = open_code(guide)
        third.stop()
        new = str(guide.must("remove", third.name, "--yes").first["joinCode"])
        expect(new != old and open_code(guide) == new, "the new code is not the only open one")
        await_removed(second, third.name)
        lost = third.send("nobody hears this")  # no node runs: it is queued
        third.start()
        wait_until(lambda: third.ask("send", "still here").code == "removed", 60, "the removed member is told")
        expect(third.links() == 0, "the removed member has a link")
        for node in (guide, second):
            expect(lost not in {row["id"] for row in node.messages()}, f"{node.name} has what the removed member said")
        third.stop()

        stranger = lab.hosts[2].node("stranger").start()
        for other in (second, guide):
            other.stop()
            refused = stranger.ask("join", old, "--timeout", "60")
            expect(refused.code == "revoked", f"without {other.name}, the old code: {refused.text[:200]}")
            other.start()
        stranger.must("join", new, seconds=120)
        hello = stranger.send("hello again")
        for node in (guide, second):
            node.follow().wait_ids([hello], 60)
        wait_until(lambda: roster_of(guide) == roster_of(second) == roster_of(stranger), 30, "all have one roster")


def copied_before_one(lab: Lab, nodes: list[Node]) -> Node:
    """The third of these nodes says "one", and ends; returns a copy of it from before, which does not run."""
    guide, second, third = nodes
    before = third.send("before the copy")
    for node in (guide, second):
        node.follow().wait_ids([before], 30)
    third.stop()
    place = lab.hosts[2]
    twin = Node(place, place.home / "twin", third.name)
    place.nodes.append(twin)
    shutil.copytree(third.data, twin.data)
    third.start()
    one = third.send("one")
    for node in (guide, second):
        node.follow().wait_ids([one], 30)
    third.stop()
    # The user says what is not so; no node runs, and what comes next takes the place that "one" has elsewhere.
    twin.must("tour", "recover", "--nothing-since", "--yes")
    return twin


@case
def log_that_forks(context: Context) -> None:
    """Two copies of one member write once, apart: all hold its log to what came before, and its key is used up.

    Neither says more: that they meet is enough.
    """
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, nodes):
        guide, second, third = nodes
        for node in nodes:
            wait_until(lambda: {row["name"] for row in node.members()} == {n.name for n in nodes}, 30, "all names")
        twin = copied_before_one(lab, nodes)
        twin.send("two")
        twin.start()
        expect_forked(guide, second, third.name)
        wait_until(lambda: twin.ask("send", "four").code == "key-forked", 30, "the copy is told")
        wait_until(lambda: roster_of(guide) == roster_of(second), 30, "all have one roster")


@case
def two_words_for_one_place(context: Context) -> None:
    """Two halves of a tour are apart, and each hears another word at one place of a member's log: once somebody who is
    in both halves comes, all eight know it, and nobody shows either word."""
    context.repetitions = context.times(1)
    with context.lab([(0, 1)] + [(0,)] * 4 + [(1,)] * 3) as lab:
        nodes = [host.node("guide" if k == 0 else f"member{k}") for k, host in enumerate(lab.hosts)]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.await_ready()
        make_tour(nodes)
        all_know_all(nodes)
        guide, author, here, there = nodes[0], nodes[4], nodes[1:4], nodes[5:]
        before = author.send("before the copy")
        for node in nodes:
            node.follow().wait_ids([before], 60)
        author.stop()
        twin = Node(lab.hosts[5], lab.hosts[5].home / "twin", author.name)
        lab.hosts[5].nodes.append(twin)
        shutil.copytree(author.data, twin.data)
        guide.stop()
        twin.must("tour", "recover", "--nothing-since", "--yes")
        for copy, word, hearers in ((author, "nine", here), (twin, "ten", there)):
            copy.start()
            said = copy.send(word)
            for node in hearers:
                node.follow().wait_ids([said], 60)
        guide.start()
        began = time.monotonic()
        for node in (guide, *here, *there):
            wait_until(lambda: member_row(node, author.name).get("removed"), 60, f"{node.name} knows of it")
        context.note(f"all seven others knew after {time.monotonic() - began:.1f} s")
        for node in (guide, *here, *there):
            expect(not {"nine", "ten"} & contents(node), f"{node.name} shows a log that forks")
            expect("before the copy" in contents(node), f"{node.name} lost what was said before the copy")
        for copy in (author, twin):
            wait_until(lambda: copy.ask("send", "more").code == "key-forked", 60, "both copies are told")
        wait_until(lambda: len({roster_of(node) for node in (guide, *here, *there)}) == 1, 30, "all have one roster")


def expect_forked(guide: Node, second: Node, name: str) -> None:
    """Both end this member's log before "one" and what the copy said."""
    for node in (guide, second):
        await_removed(node, name)
        expect("before the copy" in contents(node), f"{node.name} lost what was said before the copy")
        expect(not {"one", "two"} & contents(node), f"{node.name} shows a log that forks")


@case
def log_that_forks_at_its_end(context: Context) -> None:
    """One copy of a member speaks, the other leaves at the same place of the log, which is told without the log."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, nodes):
        guide, second, third = nodes
        twin = copied_before_one(lab, nodes)
        twin.must("tour", "leave", "--yes")
        twin.start()
        expect_forked(guide, second, third.name)
        wait_until(lambda: roster_of(guide) == roster_of(second), 30, "all have one roster")
