"""Goal: a roll call counts people: everybody's word reaches every guide, and nobody else's is believed.
Method: guides and members on hosts of their own, some of them cut off; a node in Python that forges."""
from __future__ import annotations

import base64
import json

from cases import Context, case, expect
from chat import Chat
from nodes import Node, Row, make_tour, wait_until
from programs import Program, interpreter, python_node
from test_independent import tour_with_history


def roll(node: Node) -> Row:
    """The newest roll call; none: an empty row."""
    return dict(node.must("roll", "status").first["roll"] or {})


def states(node: Node) -> dict[str, str]:
    return {str(row["name"]): str(row["state"]) for row in roll(node).get("members", [])}


def all_see(nodes: list[Node], wanted: dict[str, str]) -> None:
    for node in nodes:
        wait_until(lambda: states(node) == wanted, 60, f"{node.name} sees {wanted}, not {states(node)}")


@case
def roll_of_people(context: Context) -> None:
    """Called, answered, seen by a guide's eyes, by a buddy; who is lost stays missing; ended, late, kept over a restart."""
    context.repetitions = context.times(1)
    with context.tour(5) as (_, nodes):
        guide, second, ben, cem, dora = nodes
        names = [node.name for node in nodes]
        guide.must("role", second.name, "guide")
        wait_until(lambda: second.must("tour", "list").first["role"] == "guide", 30, "the second guide leads")
        expect(ben.ask("roll", "call").code == "not-allowed", "a member calls the roll")
        expect(ben.ask("roll", "here").code == "no-roll", "somebody is here without a call")
        guide.must("roll", "buddies", cem.name, dora.name)
        guide.must("roll", "call", "At the bus", "--for", "5m")
        for node in nodes[1:]:
            wait_until(lambda: roll(node).get("asked"), 30, f"{node.name} is asked")
        expect(not roll(guide)["asked"] and roll(guide)["text"] == "At the bus", "the caller is asked itself")
        ben.must("roll", "here")
        cem.must("roll", "here", dora.name)
        expect(ben.ask("roll", "here", cem.name).code == "not-allowed", "somebody speaks for others")
        all_see([guide, second], dict(zip(names, ("here", "missing", "here", "missing", "here"))))
        second.must("roll", "here", cem.name)
        second.must("roll", "here")
        cem.must("lost")
        all_see(nodes, dict(zip(names, ("here", "here", "here", "lost", "here"))))
        rows = {row["name"]: row for row in roll(guide)["members"]}
        expect(rows[dora.name]["by"] == cem.name and not rows[dora.name]["seen"], f"by a buddy: {rows[dora.name]}")
        expect(rows[cem.name]["by"] == second.name and rows[cem.name]["seen"], f"seen by a guide: {rows[cem.name]}")
        cem.must("found")
        guide.must("roll", "missing", ben.name)
        all_see(nodes, dict(zip(names, ("here", "here", "missing", "here", "here"))))
        ended = second.must("roll", "end").first
        expect((ended["here"], ended["all"], ended["endedBy"]) == (4, 5, second.name), f"ended: {ended}")
        for node in nodes:
            wait_until(lambda: not roll(node)["open"], 30, f"{node.name} knows that it is over")
        expect(guide.ask("roll", "end").code == "no-roll", "it ends twice")
        ben.must("roll", "here")
        all_see(nodes, dict(zip(names, ("here", "here", "late", "here", "here"))))
        before = guide.must("roll", "list").first
        guide.stop()
        guide.start()
        wait_until(lambda: guide.must("roll", "list").first["rolls"][0]["members"] != [], 30, "the list is there")
        without = lambda row: [(m["name"], m["state"], m["by"], m["at"]) for m in row["rolls"][0]["members"]]  # noqa: E731
        expect(without(guide.must("roll", "list").first) == without(before), "a restart changes a roll call")
        exported = [json.loads(line) for line in guide.must("export", "--format", "jsonl").text.splitlines()]
        [kept] = [row["metadata"]["roll"] for row in exported if row["type"] == "roll-call"]
        expect([m["name"] for m in kept["members"] if m["state"] != "here"] == [ben.name], f"the export says {kept}")
        told = [row for row in guide.messages() if row["type"] == "roll-call"]
        expect(len(told) == 1 and told[0]["content"] == "At the bus", f"as messages: {told}")


@case
def two_guides_call_apart(context: Context) -> None:
    """Two guides out of each other's reach call; when they meet it is one roll call with everybody's answers."""
    context.repetitions = context.times(1)
    with context.tour(4) as (lab, nodes):
        guide, second, ben, cem = nodes
        guide.must("role", second.name, "guide")
        wait_until(lambda: second.must("tour", "list").first["role"] == "guide", 30, "the second guide leads")
        lab.cable(lab.hosts[1], is_in=False)
        first = str(guide.must("roll", "call").first["id"])
        other = str(second.must("roll", "call", "At the lift").first["id"])
        expect(first != other, "they had one before they met")
        wait_until(lambda: roll(ben).get("asked"), 30, "a member is asked")
        ben.must("roll", "here")
        lab.cable(lab.hosts[1], is_in=True)
        wanted = {guide.name: "here", second.name: "here", ben.name: "here", cem.name: "missing"}
        all_see(nodes, wanted)
        for node in nodes:
            row = roll(node)
            expect((row["id"], row["name"], row["alsoBy"], row["text"]) == (first, guide.name, [second.name], "At the lift"),
                   f"{node.name} has {row}")
        # One more call while it stands is the same one.
        expect(second.must("roll", "call").first["id"] == first, "a second roll call beside one that stands")
        second.must("roll", "end")
        for node in nodes:
            wait_until(lambda: not roll(node)["open"], 30, f"{node.name} knows that it is over")


@case
def roll_while_people_come_and_go(context: Context) -> None:
    """Who joins during a roll call is asked, who leaves is not counted, and who joins after its end was not called."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 5) as lab:
        guide, ben, cem, dora, emil = nodes = [
            host.node(name).start() for host, name in zip(lab.hosts, ("guide", "ben", "cem", "dora", "emil"))]
        code = make_tour(nodes[:3])
        guide.must("roll", "call")
        wait_until(lambda: roll(ben).get("asked"), 30, "a member is asked")
        ben.must("roll", "here")
        dora.must("join", code, "--name", "dora")
        wait_until(lambda: roll(dora).get("asked"), 30, "who came is asked")
        dora.must("roll", "here")
        cem.must("tour", "leave", "--yes")
        wanted = {"guide": "here", "ben": "here", "dora": "here"}
        all_see([guide, ben, dora], wanted)
        guide.must("roll", "end")
        wait_until(lambda: not roll(ben)["open"], 30, "it is over")
        emil.must("join", code, "--name", "emil")
        all_see([guide, ben, dora, emil], wanted)
        expect(not roll(emil)["asked"], "who came afterwards is asked")


@case
def urgent_is_understood(context: Context) -> None:
    """What is urgent waits until it is understood; its author sees by name who has, before and after a restart."""
    context.repetitions = context.times(1)
    with context.tour(3) as (_, (guide, ben, cem)):
        told = str(guide.must("announce", "Everybody out", "--urgent").first["id"])
        wait_until(lambda: ben.must("understood").first["understood"] == [told], 30, "it waits, and is understood")
        expect(ben.must("understood").first["understood"] == [], "it waits still")

        def understood() -> list[str]:
            rows = guide.must("receipts", told).first["members"]
            return [str(row["name"]) for row in rows if row["understood"]]

        wait_until(lambda: understood() == [ben.name], 30, "the guide sees who has understood")
        guide.stop()
        guide.start()
        expect(understood() == [ben.name], "a restart forgets who has understood")
        expect(guide.must("receipts", told).first["counts"]["understood"] == 1, "the count is another")
        plain = str(guide.must("announce", "Lunch").first["id"])
        wait_until(lambda: any(row["id"] == plain for row in cem.messages()), 30, "the announcement is there")
        expect(cem.ask("understood", plain).code == "not-urgent", "what is not urgent is understood")
        expect(guide.must("receipts", plain).first["counts"]["understood"] is None, "it counts what nobody asked for")


@case
def asked_in_the_chat(context: Context) -> None:
    """In the terminal chat one key answers a roll call; what is urgent stands above until it is understood."""
    context.repetitions = context.times(1)
    with context.tour(2) as (lab, (guide, ben)):
        with Chat(lab.hosts[0], guide) as lead, Chat(lab.hosts[1], ben) as chat:
            lead.shows("/help")
            chat.shows("/help")
            lead.types("/roll At the bus")
            chat.shows("Are you here?")
            lead.shows("1 of 2 are here.")
            chat.types("")
            lead.shows("2 of 2 are here.")
            expect(states(guide) == {guide.name: "here", ben.name: "here"}, f"the guide's node has {states(guide)}")
            lead.types("/endroll")
            wait_until(lambda: not roll(ben)["open"], 30, "it is over")
            lead.types("/urgent Everybody out")
            chat.shows("/understood says that you have read it.")
            chat.types("/understood")
            last = str(guide.messages()[-1]["id"])
            wait_until(lambda: guide.must("receipts", last).first["counts"]["understood"] == 1, 30, "the guide sees it")


def said(program: Program, kind: int, **content: object) -> str:
    before = len(program.of("content"))
    program.write(f"/content {kind} {json.dumps(content)}")
    return str(program.wait("content", 10, before + 1)["id"])


@case
def forged_calls(context: Context) -> None:
    """A member's own node in Python calls rolls, ends them, speaks for others, answers alarms: nobody believes it."""
    interpreter()
    context.repetitions = 8
    with tour_with_history(context, 3, 300) as (lab, guide, member, code):
        with python_node(lab.hosts[2], "python", code, "--dial") as program:
            program.wait("link", 30, 2)
            names = {"guide", "member", "python"}
            for node in (guide, member):
                wait_until(lambda: {row["name"] for row in node.members()} == names, 30, f"{node.name} knows it by name")
            ids = {row["name"]: str(row["id"]) for row in guide.members()}
            prefix = str(int(ids["member"][:16], 16))
            as_bytes = lambda id: base64.b64encode(bytes.fromhex(id)).decode()  # noqa: E731
            alarm = str(member.must("lost", "--no-wait").first["id"])
            call = str(guide.must("roll", "call").first["id"])
            wait_until(lambda: roll(member).get("id") == call, 30, "the member is asked")
            said(program, 1, rollCall={"seconds": 60, "text": "forged"})
            said(program, 1, rollEnd={"call": as_bytes(call), "missing": [prefix]})
            said(program, 1, buddies={"groups": [{"members": [prefix, str(int(ids["python"][:16], 16))]}]})
            said(program, 3, rollAnswer={"call": as_bytes(call), "state": 1, "members": [prefix]})
            for answer in (1, 4):
                said(program, 1, alarmAnswer={"alarm": as_bytes(alarm), "answer": answer})
            said(program, 1, announcement={"text": "forged", "urgent": True})
            said(program, 3, rollAnswer={"call": as_bytes(call), "state": 1})
            wanted = {"guide": "here", "member": "lost", "python": "here"}
            all_see([guide, member], wanted)
            last = said(program, 2, text={"text": "the end"})
            for node in (guide, member):
                wait_until(lambda: any(row["id"] == last for row in node.messages()), 30, f"{node.name} has all of it")
                expect(states(node) == wanted and roll(node)["open"], f"{node.name} believes it: {roll(node)}")
                expect(len(node.must("roll", "list").first["rolls"]) == 1, f"{node.name} has a forged roll call")
                expect(node.must("roll", "buddies").first["groups"] == [], f"{node.name} has forged buddies")
                [stands] = node.must("alarms").first["alarms"]
                expect(stands["open"] and stands["answers"] == [], f"{node.name} believes an answer: {stands}")
                expect(not [row for row in node.messages() if row["content"] == "forged"], f"{node.name} shows a forgery")
            expect(member.must("understood").first["understood"] == [], "a forged announcement is urgent")
