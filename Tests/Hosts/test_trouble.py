"""Goal: nodes that die, and an Avahi that comes and goes or is not there, lose nothing.
Method: processes are ended for real, at moments a seeded random source picks."""
from __future__ import annotations

import threading
import time

from cases import Context, case, expect, expect_same_messages
from nodes import Node, NodeError, Stream, make_tour, wait_until


class Speaker:
    """Sends numbered messages through one `send -` until told to end, or until its node has died."""

    def __init__(self, node: Node, label: str) -> None:
        self.stream: Stream = node.stream()
        self._label = label
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._speak, daemon=True)
        self._thread.start()

    def _speak(self) -> None:
        try:
            while not self._enough.wait(0.02):
                self.stream.write(f"{self._label} {self.stream.written}")
        except OSError:
            pass  # its node was killed, and it ended

    def end(self) -> list[str]:
        """Ends it and returns the ids that were answered: the acknowledged messages."""
        self._enough.set()
        self._thread.join()
        self.stream.close()
        return self.stream.acknowledged()


@case
def killed_at_any_moment(context: Context) -> None:
    """kill -9 of any node at a random moment, 50 times: nothing acknowledged is lost, nothing is there twice."""
    context.repetitions = context.times(50)
    acknowledged: set[str] = set()
    with context.tour(3) as (_, nodes):
        for k in range(context.repetitions):
            speakers = [Speaker(node, f"round {k} {node.name}") for node in nodes]
            victim = context.random.choice(nodes)
            time.sleep(context.random.uniform(0.05, 1.5))  # the random moment, not a wait for anything
            victim.kill()
            for speaker in speakers:
                answered = speaker.end()
                expect(not acknowledged & set(answered), "an id was acknowledged twice")
                acknowledged |= set(answered)
            victim.start(seconds=60)
        for node in nodes:
            expect(node.alive, f"{node.name} has ended by itself: {node.log_tail()}")
        followers = [node.follow() for node in nodes]
        for follower in followers:
            follower.wait_ids(acknowledged, 120)
        # What was stored and not yet acknowledged when its node died may be there too, but then everywhere.
        wait_until(lambda: len({tuple(r["id"] for r in n.messages()) for n in nodes}) == 1, 60,
                   "all nodes list the same messages", pause=0.5)
        total = len(expect_same_messages(nodes, acknowledged))
        expect(acknowledged, "nothing was acknowledged at all")
    context.note(f"{len(acknowledged)} acknowledged, {total} listed")


def burst_and_kill(context: Context, victim: Node, round_number: int) -> list[str]:
    """Five messages at once, and kill -9 as soon as some of them, or none yet, are acknowledged; returns their ids."""
    stream = victim.stream()
    for k in range(5):
        stream.write(f"round {round_number} {k}")
    stream.wait_answers(context.random.choice((0, 1, 1, 1, 3, 5)), 30)
    time.sleep(context.random.choice((0, 0.001, 0.003, 0.01)))  # the random moment, not a wait for anything
    victim.kill()
    stream.close()
    return stream.acknowledged()


@case
def killed_between_commit_and_send(context: Context) -> None:
    """kill -9 of a node that has just stored what it says, 1,000 times: all that it acknowledged arrives, in its place.

    What left and was not stored would be written again under the same number, and end the log as one that forks. In
    each tenth round the cable is out: then nothing has left that is stored."""
    context.repetitions = context.times(1_000)
    acknowledged: set[str] = set()
    kept = 0
    with context.lab([(0,)] * 2) as lab:
        guide, victim = (host.node(name).start() for host, name in zip(lab.hosts, ("guide", "victim")))
        make_tour([guide, victim])
        for k in range(context.repetitions):
            wait_until(lambda: victim.links() >= 1, 60, f"a link in round {k}")
            if k % 10 == 9:
                lab.cable(lab.hosts[1], is_in=False)
            answered = burst_and_kill(context, victim, k)
            if k % 10 == 9:
                known = {str(row["id"]) for row in guide.messages()}
                kept += len(set(answered) - known)
                expect(not set(answered) & known, "what was said with the cable out has left")
                lab.cable(lab.hosts[1], is_in=True)
            expect(not acknowledged & set(answered), "an id was acknowledged twice")
            acknowledged |= set(answered)
            victim.start(seconds=60)
        last = victim.send("the last")
        guide.follow().wait_ids([*acknowledged, last], 120)
        rows = guide.messages()
        places = [(row["authorID"], row["seq"]) for row in rows]
        expect(len(set(places)) == len(places), "a sequence is there twice")
        expect(not any(row.get("removed") for row in guide.members()), "the guide holds a log for one that forks")
        expect(victim.status()["ownLog"] == "ready", "the victim may not write on")
        expect_same_messages([guide, victim], acknowledged | {last})
        expect(kept or context.repetitions < 10, "nothing was stored while the cable was out: nothing is tested")
    context.note(f"{len(acknowledged)} acknowledged, {kept} of them with the cable out, {len(rows)} listed")


@case
def avahi_restarted(context: Context) -> None:
    """avahi-daemon stops and starts mid-chat: links go on, and who starts afterwards is found."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        guide, member, late = (host.node(n) for host, n in zip(lab.hosts, ("guide", "member", "late")))
        guide.start()
        member.start()
        code = make_tour([guide, member])
        at_guide, at_member = guide.follow(), member.follow()
        at_member.wait_ids([guide.send("before")])
        for host in lab.hosts[:2]:
            host.stop_avahi()
        at_member.wait_ids([guide.send("without, there")])
        at_guide.wait_ids([member.send("without, back")])
        for host in lab.hosts[:2]:
            host.start_avahi()
        at_member.wait_ids([guide.send("again")])
        late.start()
        late.must("join", code, "--name", late.name, seconds=120)
        wait_until(lambda: late.links() >= 1, 60, "the late member has a link")
        late.follow().wait_text("without, back", 60)
        text = late.send("found after the restart")
        at_guide.wait_ids([text], 60)
        at_member.wait_ids([text], 60)
        expect_same_messages([guide, member, late], {text}, 5)


@case
def without_avahi(context: Context) -> None:
    """No Avahi and no D-Bus: addresses given by hand link two hosts, and `status` and `doctor` say why."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2, avahi=False) as lab:
        guide = lab.hosts[0].node("guide", "--no-multicast").start()
        member = lab.hosts[1].node("member", "--no-multicast", "--peer", f"{lab.hosts[0].address()}:{guide.port}").start()
        make_tour([guide, member])
        wait_until(lambda: member.links() >= 1, 60, "the two have a link")
        member.follow().wait_ids([guide.send("by address")], 60)
        guide.follow().wait_ids([member.send("and back")], 60)
        for node in (guide, member):
            status = node.must("status").text
            expect("unavailable" in status, f"{node.name}: `status` does not say it is unavailable: {status}")
            doctor = node.ask("doctor").text.lower()
            expect("avahi" in doctor or "discovery" in doctor, f"{node.name}: `doctor` says nothing of Avahi: {doctor}")
            expect("failed" in doctor or "warning" in doctor, f"{node.name}: `doctor` finds nothing wrong: {doctor}")


@case
def without_avahis_library(context: Context) -> None:
    """One host lacks the client library of Avahi: its node starts, is found by datagrams, and says what is missing."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2) as lab:
        bare = lab.hosts[0]
        # The loader takes the first file by this name, and finds no library in it.
        (bare.home / "libraries").mkdir()
        (bare.home / "libraries" / "libavahi-client.so.3").touch()
        bare.variables["LD_LIBRARY_PATH"] = str(bare.home / "libraries")
        guide, member = bare.node("guide").start(), lab.hosts[1].node("member").start()
        make_tour([guide, member])
        wait_until(lambda: member.links() >= 1, 60, "the two have a link")
        member.follow().wait_ids([guide.send("without the library")], 60)
        for words in ("status", "doctor"):
            said = guide.must(words).text if words == "status" else guide.ask(words).text
            expect("libavahi-client.so.3" in said and "libavahi-client3" in said,
                   f"`{words}` does not say what is missing and what to install: {said}")
            other = member.ask(words).text
            expect("libavahi-client" not in other, f"`{words}` of the host with the library misses it: {other}")


@case
def found_by_beacon(context: Context) -> None:
    """No Avahi, no D-Bus and no address: a code alone lets three hosts in, who then find each other, by datagrams."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 4, avahi=False) as lab:
        nodes = [host.node("guide" if k == 0 else f"member{k}").start() for k, host in enumerate(lab.hosts)]
        make_tour(nodes)
        for node in nodes:
            wait_until(lambda: node.links() == 3, 60, f"{node.name} has a link to each other")
        follower = nodes[1].follow()
        follower.wait_ids([nodes[3].send("found without a name")], 60)


@case
def clean_end(context: Context) -> None:
    """SIGTERM ends a node with status 0, and it starts again with all it had and the same identity."""
    context.repetitions = context.times(20)
    with context.tour(2) as (_, (guide, member)):
        known = member.ready["nodeID"]
        sent = []
        for k in range(context.repetitions):
            sent.append(member.send(f"before end {k}"))
            status = member.stop()
            expect(status == 0, f"SIGTERM ended the node with status {status}")
            member.start()
            expect(member.ready["nodeID"] == known, "the node came back as another")
            listed = [row["id"] for row in member.messages()]
            expect(set(sent) <= set(listed), "a message is gone after a clean end")
        guide.follow().wait_ids(sent, 60)
        try:
            wait_until(lambda: member.links() >= 1, 30, "a link again")
        except NodeError as error:
            raise AssertionError(str(error)) from error
