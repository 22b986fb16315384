"""Goal: what a guide shares of its notebook is on every member's device, whole, and nobody else can share anything.
Method: real nodes on hosts of their own, two links apart; and the node of Tests/PythonNode, which asks nobody whether
it may."""
from __future__ import annotations

import json
import uuid

from cases import Context, case, expect
from nodes import Follower, Node, Row, all_know_all, make_tour, wait_until
from programs import interpreter, python_node
from test_roles import await_role

STOPS = 2_000


def write_itinerary(node: Node, title: str) -> tuple[str, list[Row]]:
    """Takes an itinerary of STOPS stops into the node's notebook; returns its id and its stops."""
    def item(**said: object) -> Row:
        return {"id": str(uuid.uuid4()), "sync_version": 1, "created_at": "2026-06-01T08:00:00Z",
                "updated_at": "2026-06-01T08:00:00Z", **said}

    stops = [item(title=f"Stop {number}", note=f"Meet at gate {number}", place=f"geo:{number / 100},12.5")
             for number in range(1, STOPS + 1)]
    samples = [{"id": stop["id"], "added_at": "2026-06-01T08:00:00Z"} for stop in stops]
    itinerary = item(title=title, description="By tram", samples=samples)
    path = node.home / "notebook.json"
    path.write_text(json.dumps({"format": "tour-chat-notebook", "version": 1, "samples": stops,
                                "collections": [itinerary]}))
    taken = node.must("notebook", "import", str(path)).first
    expect(taken["added"] == STOPS + 1, f"the import took {taken}")
    return str(itinerary["id"]), stops


def shared(node: Node, *more: str) -> Row:
    return node.must("shared", "show", *more).first


@case
def shared_itinerary(context: Context) -> None:
    """An itinerary of 2,000 stops is two links away, whole and offline; a new version says what is new in it; a stop is
    the meeting point; who does not lead shares nothing; taken back it is gone."""
    context.repetitions = context.times(1)
    with context.lab([(0,), (0, 1), (1,)]) as lab:
        nodes = [host.node(name) for host, name in zip(lab.hosts, ("guide", "middle", "far"))]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.await_ready()
        make_tour(nodes)
        all_know_all(nodes)
        guide, middle, far = nodes
        follower = far.follow()
        record, stops = write_itinerary(guide, "Day 2")
        middle.must("notes", "add", "Mine", "I am not the guide")
        refused = middle.ask("notes", "publish", "Mine")
        expect(refused.code == "not-allowed", f"a member shared a note: {refused.text[:200]}")
        first = guide.must("itinerary", "publish", "Day 2").first
        expect((first["record"], first["version"]) == (record, 1), f"it was shared as {first}")
        follower.wait_ids([first["id"]], 60)
        row = follower.rows[first["id"]]
        said = (row["type"], row["content"], row["authorName"])
        expect(said == ("itinerary", "Day 2", "guide"), f"it is told as {row}")
        told = row["metadata"]
        expect(told["stops"] == STOPS and told["version"] == 1 and "changes" not in told, f"it is told with {told}")
        check_offline(far, record, stops)
        follower = far.follow()
        change(guide, record, stops, follower)
        meet(guide, middle, far, stops)
        copied = far.must("shared", "copy", "Day 2").first
        there = far.must("itinerary", "show", str(copied["id"])).first
        expect(len(there["samples"]) == STOPS and copied["id"] != record, "the copy is not whole, or not a copy")
        expect(middle.ask("itinerary", "unpublish", record).code == "not-allowed", "a member took it back")
        gone = str(guide.must("itinerary", "unpublish", record).first["id"])
        follower.wait_ids([gone], 30)
        expect(follower.rows[gone]["metadata"]["takenBack"], f"it is told as {follower.rows[gone]}")
        expect(far.must("shared", "list").lines == [], "it is still listed")
        expect(far.ask("shared", "show", record).code == "not-shared", "it is still shown")


def check_offline(far: Node, record: str, stops: list[Row]) -> None:
    """Without a network, and without a running node."""
    far.stop()
    there = shared(far, record)
    titles = [entry["title"] for entry in there["entries"]]
    expect(titles == [stop["title"] for stop in stops], f"{len(titles)} stops are there, or in another order")
    last = there["entries"][-1]
    expect((last["id"], last["note"]) == (stops[-1]["id"], stops[-1]["note"]), f"the last stop is {last}")
    expect((last["latitude"], last["longitude"]) == (20, 12.5) and there["text"] == "By tram", f"it is at {last}")
    far.start()


def change(guide: Node, record: str, stops: list[Row], follower: Follower) -> None:
    """A stop goes, one comes, one moves: that, and nothing else, is told."""
    guide.must("itinerary", "drop", record, stops[6]["id"])
    guide.must("itinerary", "move", record, stops[-1]["id"], "1")
    guide.must("itinerary", "add", record, "Lunch", "--at", "41.9,12.5", "--position", "3")
    second = guide.must("itinerary", "publish", record).first
    expect(second["version"] == 2, f"the second version is {second}")
    follower.wait_ids([second["id"]], 60)
    wanted = {"stopsAdded": 1, "stopsRemoved": 1, "stopsMoved": 1, "stopsChanged": 0, "linesAdded": 0,
              "linesRemoved": 0, "fields": []}
    told = follower.rows[second["id"]]["metadata"]["changes"]
    expect(told == wanted, f"the changes are told as {told}")
    changes = shared(follower.node, record, "--changes")["changes"]
    said = [(each["change"], each["title"], each["from"], each["to"]) for each in changes["stops"]]
    expect(said == [("removed", "Stop 7", 7, None), ("moved", f"Stop {STOPS}", STOPS, 1), ("added", "Lunch", None, 3)],
           f"the stops changed as {said}")
    expect(guide.ask("itinerary", "publish", record).code == "unchanged", "the same was shared once more")


def meet(guide: Node, middle: Node, far: Node, stops: list[Row]) -> None:
    stop = stops[0]
    expect(middle.ask("itinerary", "meet", stop["id"]).code == "not-allowed", "a member set a meeting point")
    set_ = str(guide.must("itinerary", "meet", stop["id"], "--in", "20m").first["id"])

    def meeting() -> Row:
        return far.must("meet").first["meeting"] or {}

    wait_until(lambda: meeting().get("id") == set_, 30, "the stop is the meeting point")
    seen = meeting()
    expect((seen["label"], seen["text"], seen["latitude"]) == ("Stop 1", stop["note"], 0.01), f"it is {seen}")
    expect(1_000 < seen["secondsLeft"] <= 1_200, f"it is in {seen['secondsLeft']} s")


@case
def forged_record(context: Context) -> None:
    """A member whose node asks nobody shares a note: nobody shows it, before and after that member becomes a guide;
    what it shares as a guide is believed."""
    interpreter()
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        lab.hosts[2].stop_avahi()
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member").start()
        code = make_tour([guide, member])
        all_know_all([guide, member])
        followers = [node.follow() for node in (guide, member)]
        with python_node(lab.hosts[2], "python", code, "--dial") as program:
            program.wait("link", 30, 2)
            program.write("/publish Forged")
            program.wait("published", 30)
            program.write("I shared something")
            for follower in followers:
                # It stands behind the forged one in the same log.
                follower.wait_text("I shared something")
                expect("Forged" not in {row["content"] for row in follower.rows.values()}, "a forged record is shown")
            for node in (guide, member):
                expect(node.must("shared", "list").lines == [], f"{node.name} lists a forged record")
                expect(node.ask("shared", "show", "Forged").code == "unknown-record", f"{node.name} shows it")
            await_role(guide, "python", "member")
            guide.must("role", "python", "guide")
            await_role(member, "python", "guide")
            program.write("/publish Allowed")
            for follower in followers:
                row = follower.wait_text("Allowed")
                expect(row["type"] == "note", f"what a guide shares is shown as {row}")
            for node in (guide, member):
                titles = [row["title"] for row in node.must("shared", "list").lines]
                expect(titles == ["Allowed"], f"{node.name} lists {titles}")
                contents = {row["content"] for row in node.messages()}
                expect("Forged" not in contents, f"{node.name} shows what was forged before")
            program.end_input()
            program.wait_end(15)
