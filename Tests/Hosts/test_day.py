"""Goal: the day of a tour, from the first code to the record for the company, with what goes wrong on such a day.
Method: a guide, a second guide and members on hosts of their own, on two networks with one member in both; commands as
people type them."""
from __future__ import annotations

import json
import time

from cases import Context, case, expect
from chat import Chat
from nodes import Node, Row, make_tour, wait_until
from test_lost import alarm_of, answers
from test_presence import set_clock, clock_library
from test_roll import all_see, roll

YEAR = 365 * 86_400


def all_have(nodes: list[Node], id: str) -> None:
    for node in nodes:
        wait_until(lambda: any(row["id"] == id for row in node.messages()), 60, f"{node.name} has {id[:8]}")


def programme(guide: Node) -> str:
    """Two stops of today, in the guide's notebook and given to all; returns the message's id."""
    guide.must("itinerary", "create", "Today in Rome")
    for title, hour in (("Colosseum", 10), ("Forum", 23)):
        guide.must("itinerary", "add", "Today in Rome", title, "--time", time.strftime(f"%Y-%m-%d {hour}:00"))
    return str(guide.must("itinerary", "publish", "Today in Rome").first["id"])


@case
def day_of_a_tour(context: Context) -> None:
    """Created, joined, counted at the bus, told the programme, one lost and found, a meeting point, counted, exported."""
    context.repetitions = context.times(1)
    with context.lab([(0,), (0,), (0, 1), (1,), (1,)]) as lab:
        names = ("guide", "second", "ben", "cem", "dora")
        guide, second, ben, cem, dora = nodes = [
            host.node(name).start() for host, name in zip(lab.hosts, names)]
        code = make_tour([guide, second, ben, cem, dora], "Rome")
        wait_until(lambda: guide.must("tour", "invite", "--list").first["used"] == 4, 60, f"four came by the code {code}")
        guide.must("role", "second", "guide")
        wait_until(lambda: second.must("tour", "list").first["role"] == "guide", 60, "the second guide leads")

        guide.must("roll", "call", "At the bus")
        for node in (second, ben, cem):
            wait_until(lambda: roll(node).get("asked"), 60, f"{node.name} is asked")
            node.must("roll", "here")
        everybody_but_dora = {name: "here" for name in names} | {"dora": "missing"}
        all_see([guide, second, dora], everybody_but_dora)
        second.must("roll", "here", "dora")
        all_see([guide, dora], {name: "here" for name in names})
        first = guide.must("roll", "end").first
        expect((first["here"], first["all"]) == (5, 5), f"at the bus: {first}")

        all_have(nodes, programme(guide))
        told = str(guide.must("announce", "Keep to the left", "--urgent").first["id"])
        for node in nodes[1:]:
            wait_until(lambda: node.must("understood").first["understood"] == [told], 60, f"{node.name} has understood")
        wait_until(lambda: guide.must("receipts", told).first["counts"]["understood"] == 4, 60, "the guide sees all four")

        with Chat(lab.hosts[1], second) as chat:
            chat.shows("/help")
            cem.must("lost", "By the arch", "--no-wait")
            chat.shows("cem is lost")
            chat.types("/coming")
            wait_until(lambda: answers(alarm_of(cem, "cem")) == {"second": "on-my-way"}, 60, "the answer comes back")
        second.must("found", "cem")
        for node in nodes:
            wait_until(lambda: not alarm_of(node, "cem")["open"], 60, f"{node.name} knows that it is over")

        guide.must("meet", "Fountain, in 15 min")
        for node in nodes[1:]:
            wait_until(lambda: (node.must("meet").first["meeting"] or {}).get("secondsLeft", 0) > 0, 60,
                       f"{node.name} is told where and when")
        ben.must("meet", "--on-my-way")

        # The battery of one is empty; nobody takes its device for it.
        dora.stop()
        guide.must("roll", "call", "At the fountain")
        for node in (second, ben, cem):
            wait_until(lambda: roll(node).get("asked"), 60, f"{node.name} is asked again")
            node.must("roll", "here")
        all_see([guide, second], everybody_but_dora)
        second.must("roll", "end")
        dora.start()
        all_see([dora], everybody_but_dora)
        all_the_same(nodes)
        record(guide)


def all_the_same(nodes: list[Node]) -> None:
    """What was counted, on every node."""
    def counted(node: Node) -> list[tuple[int, list[str]]]:
        return [(row["here"], [m["name"] for m in row["members"] if m["state"] != "here"])
                for row in node.must("roll", "list").first["rolls"]]
    for node in nodes:
        wait_until(lambda: counted(node) == [(4, ["dora"]), (5, [])], 60, f"{node.name} keeps both roll calls")


def record(guide: Node) -> None:
    """The log for the company: what was said, and who was there."""
    lines: list[Row] = [json.loads(line) for line in guide.must("export", "--format", "jsonl").text.splitlines()]
    kinds = [row["type"] for row in lines]
    for kind in ("roll-call", "itinerary", "announcement", "alarm", "meeting"):
        expect(kind in kinds, f"the export has no {kind}: {kinds}")
    kept = [row["metadata"]["roll"] for row in lines if row["type"] == "roll-call"]
    expect([row["here"] for row in kept] == [5, 4], f"the export says {kept}")
    page = guide.ask("export", "--format", "html").text
    expect("4 of 5 are here." in page and "Missing: dora" in page, "the page to print does not say who was missing")


@case
def clocks_off_by_a_year(context: Context) -> None:
    """A member's clock is a year back, another's a year ahead: both are heard when lost, and asked by a roll call."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, (guide, back, ahead)):
        library = clock_library(lab)
        for host, node, shift in ((lab.hosts[1], back, -YEAR), (lab.hosts[2], ahead, YEAR)):
            node.stop()
            set_clock(host, library, shift)
            node.start()
        for node in (back, ahead):
            wait_until(lambda: node.links() > 0, 60, f"{node.name} is linked")
            node.must("lost", "Where are you?", "--no-wait")
            wait_until(lambda: alarm_of(guide, node.name).get("open"), 60, f"{node.name} is heard")
            guide.must("found", node.name)
            wait_until(lambda: not alarm_of(node, node.name)["open"], 60, f"{node.name} knows that it is found")
        guide.must("roll", "call")
        for node in (back, ahead):
            wait_until(lambda: roll(node).get("asked"), 60, f"{node.name} is asked")
            node.must("roll", "here")
        all_see([guide, back, ahead], {node.name: "here" for node in (guide, back, ahead)})
        guide.must("roll", "end")
        for node in (guide, back, ahead):
            wait_until(lambda: not roll(node).get("open"), 60, f"{node.name} knows that it is over")
