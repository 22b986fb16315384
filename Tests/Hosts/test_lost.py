"""Goal: who is lost is heard by every guide, over several hops, before everything else, and hears the answer.
Method: a lost member, a node between two networks, and two guides behind that, one of them in a terminal chat; datagrams
are lost, and a file is on its way."""
from __future__ import annotations

import os
import time
from pathlib import Path

from cases import Context, case, expect
from chat import Chat
from nodes import Node, Row, make_tour, wait_until
from test_paths import A_TENTH_LOST, drop


def alarms(node: Node) -> list[Row]:
    return list(node.must("alarms").first["alarms"])


def alarm_of(node: Node, name: str) -> Row:
    """What the node knows of that member's alarm; nothing: an empty row."""
    return next((row for row in alarms(node) if row["name"] == name), {})


def answers(row: Row) -> dict[str, str]:
    return {one["name"]: one["answer"] for one in row.get("answers", [])}


@case
def lost_two_hops_away(context: Context) -> None:
    """Lost at one end, a file on its way and a tenth of the datagrams lost: both guides have it, and the answer comes back."""
    context.repetitions = context.times(1)
    with context.lab([(0,), (0, 1), (1,), (1,)]) as lab:
        nodes = [host.node(name) for host, name in zip(lab.hosts, ("lost", "between", "guide", "second"))]
        lost, between, guide, second = nodes
        for node in (between, guide, second):
            node.start()
        code = make_tour([guide, between, second])
        wait_until(lambda: "second" in {row["name"] for row in guide.members()}, 60, "the guide knows the name")
        guide.must("role", "second", "guide")
        lost.start()
        lost.must("join", code, "--name", lost.name, seconds=120)
        for node in nodes:
            wait_until(lambda: len(node.members()) == 4, 60, f"{node.name} lists 4 members")
        for host in lab.hosts:
            drop(host, [A_TENTH_LOST])
        photo = Path(lab.hosts[2].home, "walk.bin")
        photo.write_bytes(os.urandom(16_000_000))
        file = str(guide.must("send", "--file", str(photo)).first["id"])
        follower = guide.follow()
        with Chat(lab.hosts[3], second) as chat:
            chat.shows("/help")
            begun = time.monotonic()
            own = lost.must("lost", "By the blue door").first
            follower.wait_ids([str(own["id"])], 60)
            context.note(f"the guide has it after {1000 * (time.monotonic() - begun):.0f} ms, a file under way")
            expect(follower.rows[str(own["id"])]["type"] == "alarm", "it is told as something else")
            chat.shows("lost is lost")
            chat.shows("/coming")
            told = guide.status()["lost"]
            expect(told == [{"name": "lost", "by": None, "unanswered": True}], f"status says {told}")
            wait_until(lambda: alarm_of(lost, "lost")["guidesReached"] == 2, 60, "the lost one hears that both guides have it")
            expect(answers(alarm_of(lost, "lost")) == {}, "an answer that nobody gave")
            chat.types("/coming")
            wait_until(lambda: answers(alarm_of(lost, "lost")) == {"second": "on-my-way"}, 60, "the answer comes back")
            chat.shows("second is on the way.")
        guide.must("alarms", "lost", "--wait")
        wait_until(lambda: answers(alarm_of(lost, "lost")) == {"second": "on-my-way", "guide": "wait"}, 60, "both answers are there")
        expect(between.ask("alarms", "lost", "--seen").code == "not-allowed", "a member without a rank answered")
        guide.must("found", "lost")
        for node in nodes:
            wait_until(lambda: not alarm_of(node, "lost")["open"], 60, f"{node.name} knows that it is over")
        wait_until(lambda: [row["complete"] for row in lost.must("files").lines if row["id"] == file] == [True], 90,
                   "the file goes on")


@case
def lost_while_cut_off(context: Context) -> None:
    """Called out of reach it says truthfully that nobody has it; it is heard when there is a way; a removed one is not asked for."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, (guide, lost, other)):
        lab.cable(lab.hosts[1], is_in=False)
        own = lost.must("lost", "In the cave").first
        expect((own["guides"], own["guidesReached"], own["answers"]) == (1, 0, []), f"out of reach it says {own}")
        for _ in range(20):
            expect(lost.must("lost").first["id"] == own["id"], "said again it is another alarm")
        expect(alarms(guide) == [], "heard without a way")
        lab.cable(lab.hosts[1], is_in=True)
        wait_until(lambda: alarm_of(guide, lost.name).get("open"), 90, "it is heard")
        expect(alarm_of(guide, lost.name)["text"] == "In the cave", "its words are others")
        # It finds back by itself; then it is lost again, and ends its membership that way.
        lost.must("found")
        wait_until(lambda: not alarm_of(guide, lost.name)["open"], 60, "it is over")
        lost.must("lost", "Again")
        wait_until(lambda: alarm_of(other, lost.name).get("open"), 60, "it stands again")
        guide.must("remove", lost.name, "--yes")
        wait_until(lambda: not alarm_of(other, lost.name)["open"], 60, "nobody looks for who was removed")
        guide.stop()
        guide.start()
        expect(not alarm_of(guide, lost.name)["open"] and alarm_of(guide, lost.name)["text"] == "Again", "a restart forgets")
