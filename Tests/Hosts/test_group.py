"""Goal: a group's messages reach everybody, in one order, whoever is away, over more than one segment.
Method: real nodes on hosts of their own; what each prints is compared."""
from __future__ import annotations

import threading
import time
from datetime import datetime

from cases import Context, case, expect, expect_same_messages
from nodes import Node, Row, make_tour, wait_until


def send_all(node: Node, texts: list[str], seconds: float = 120) -> list[str]:
    """Sends through one `send -`; returns the ids it answered, all of them."""
    stream = node.stream()
    for text in texts:
        stream.write(text)
    stream.wait_answers(len(texts), seconds)
    expect(stream.close() == 0, f"{node.name}: `send -` ended with a failure")
    ids = stream.acknowledged()
    expect(len(ids) == len(texts), f"{node.name}: {len(ids)} of {len(texts)} sends accepted")
    return ids


@case
def everybody_at_once(context: Context) -> None:
    """Five hosts; everybody sends 200 messages at once; all end with the same 1,000 in the same order."""
    context.repetitions = context.times(1)
    with context.tour(5) as (_, nodes):
        followers = [node.follow() for node in nodes]
        sent: dict[str, list[str]] = {}

        def speak(node: Node) -> None:
            sent[node.name] = send_all(node, [f"{node.name} says {k}" for k in range(200)])

        threads = [threading.Thread(target=speak, args=(node,)) for node in nodes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(len(sent) == len(nodes), f"only {sorted(sent)} could send")
        ids = {i for some in sent.values() for i in some}
        expect(len(ids) == 1000, f"{len(ids)} different ids for 1,000 messages")
        for follower in followers:
            follower.wait_ids(ids, 120)
        expect_same_messages(nodes, ids, 1000)
        for node, follower in zip(nodes, followers):
            follower.wait_status(sent[node.name], {"delivered", "read"}, 60)
            rows = [row for row in node.messages() if row["id"] in set(sent[node.name])]
            seqs = [row["seq"] for row in rows]
            expect(seqs == sorted(seqs), f"{node.name}'s own messages are not listed in its own order")


@case
def away_then_back(context: Context) -> None:
    """A member away during 1,000 messages gets them on return: from the guide, then from another member alone."""
    context.repetitions = context.times(1)
    with context.tour(3) as (_, (guide, stays, away)):
        follower = stays.follow()
        away.stop()
        first = send_all(guide, [f"first {k}" for k in range(1000)])
        follower.wait_ids(first, 120)
        away.start()
        away.follow().wait_ids(first, 120)
        expect_same_messages([guide, stays, away], set(first), 1000)
        away.stop()
        second = send_all(guide, [f"second {k}" for k in range(1000)])
        follower.wait_ids(second, 120)
        guide.stop()
        away.start()
        away.follow().wait_ids(first + second, 120)
        expect_same_messages([stays, away], set(first + second), 2000)


@case
def two_segments(context: Context) -> None:
    """A and C in two segments, B in both, no IP forwarding: all reaches all, and C is more than one hop away."""
    context.repetitions = context.times(1)
    with context.lab([(0,), (0, 1), (1,)]) as lab:
        a, b, c = (host.node(name) for host, name in zip(lab.hosts, ("guide", "between", "far")))
        for node in (a, b, c):
            node.start()
        code = make_tour([a, b])
        c.must("join", code, "--name", c.name, seconds=120)
        for node in (a, b, c):
            wait_until(lambda: len(node.members()) == 3, 60, f"{node.name} lists 3 members")
        wait_until(lambda: c.links() >= 1, 60, "C has a link")
        at_a, at_c = a.follow(), c.follow()
        for k in range(context.times(20)):
            there, back = a.send(f"there {k}"), c.send(f"back {k}")
            at_c.wait_ids([there], 30)
            at_a.wait_ids([back], 30)
        notice = str(a.must("announce", "the bus leaves at four").first["id"])
        row = at_c.wait_text("the bus leaves at four")
        expect(row["id"] == notice and row["type"] == "announcement", f"C got the announcement as {row['type']}")
        expect(int(row["hops"] or 0) > 0, f"the message from A shows hops {row['hops']} at C")
        expect(int(at_a.rows[back]["hops"] or 0) > 0, f"the message from C shows hops {at_a.rows[back]['hops']} at A")
        wait_until(lambda: hops_of(c, a.name) > 0, 45, "`members` at C shows A reachable over more than one hop")
        own = [i for i in at_a.rows if at_a.rows[i]["authorName"] == a.name]
        at_a.wait_status(own, {"delivered", "read"}, 60)


def hops_of(node: Node, name: str) -> int:
    return next((int(row["hops"] or 0) for row in node.members() if row["name"] == name and row["reachable"]), 0)


@case
def nobody_running(context: Context) -> None:
    """A command without a running node queues; the message goes out when nodes run."""
    context.repetitions = context.times(1)
    with context.tour(2) as (_, (guide, member)):
        guide.stop()
        member.stop()
        answer = member.must("send", "written while asleep").first
        expect(answer["status"] == "pending", f"queued, but its status is {answer['status']}")
        listed = [row["content"] for row in member.messages()]
        expect(listed == ["written while asleep"], f"the queued message is not listed: {listed}")
        early = guide.must("announce", "queued by the guide").first
        guide.start()
        member.start()
        guide.follow().wait_ids([answer["id"]], 60)
        follower = member.follow()
        follower.wait_ids([early["id"]], 60)
        follower.wait_status([answer["id"]], {"delivered", "read"}, 60)
        expect_same_messages([guide, member], {answer["id"], early["id"]}, 2)


def receipts_of(node: Node, message: str) -> Row:
    return node.must("receipts", message).first


def states(node: Node, message: str) -> dict[str, str]:
    return {row["name"]: row["state"] for row in receipts_of(node, message)["members"]}


def await_states(node: Node, message: str, wanted: dict[str, str]) -> Row:
    wait_until(lambda: states(node, message) == wanted, 60, f"receipts as {wanted}", pause=0.3)
    return receipts_of(node, message)


@case
def receipts(context: Context) -> None:
    """One has read an announcement, one has it, one is away: `receipts` says so by name, and what changes later."""
    context.repetitions = context.times(1)
    with context.tour(4) as (_, nodes):
        guide, reads, has, away = nodes
        for node in (guide, has):
            wait_until(lambda: {row["name"] for row in node.members()} == {n.name for n in nodes}, 30, "all names")
        away.stop()
        follower = guide.follow()
        began = time.time()
        message = str(guide.must("announce", "at the gate at five").first["id"])
        for node in (reads, has):
            node.follow().wait_ids([message], 30)
        reads.must("messages", "--mark-read")
        answer = await_states(guide, message, {reads.name: "read", has.name: "delivered", away.name: "missing"})
        expect(answer["missing"] == [away.name], f"missing are {answer['missing']}")
        expect(answer["counts"] == {"members": 3, "delivered": 2, "read": 1, "understood": None}, f"the counts are {answer['counts']}")
        expect(answer["members"][0]["name"] == away.name, "the missing do not come first")
        for row in answer["members"]:
            for key, known in (("delivered", row["state"] != "missing"), ("read", row["state"] == "read")):
                expect((row[key] is not None) == known, f"{row['name']}: {key} is {row[key]}")
                if known:
                    moment = datetime.fromisoformat(row[key]["atMost"].replace("Z", "+00:00")).timestamp()
                    expect(began <= moment <= time.time(), f"{row['name']}: {key} since {row[key]}")
        # Others know as much as the author.
        await_states(has, message, {reads.name: "read", has.name: "delivered", away.name: "missing"})
        guide.must("receipts", message, "--resend")
        away.start()
        await_states(guide, message, {reads.name: "read", has.name: "delivered", away.name: "delivered"})
        follower.wait_status([message], {"delivered"}, 60)
        for node in (has, away):
            node.must("messages", "--mark-read")
        follower.wait_status([message], {"read"}, 60)
        expect(receipts_of(guide, message)["missing"] == [], "somebody is missing who has read it")
        # A restart keeps who has read what, and since when.
        before = receipts_of(guide, message)["members"]
        guide.stop()
        guide.start()
        after = await_states(guide, message, {node.name: "read" for node in (reads, has, away)})["members"]
        for old, new in zip(before, after):
            same = all(old[key] == new[key] for key in ("name", "delivered", "read"))
            expect(same, f"a restart made {new} of {old}")
        row = next(row for row in guide.messages() if row["id"] == message)
        expect(row["status"] == "read", f"after a restart the status is {row['status']}")
