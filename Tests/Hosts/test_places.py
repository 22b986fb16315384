"""Goal: places come as they were measured or given, on every node, and none is made up.
Method: real nodes on hosts of their own, each beside a real gpsd that a made-up receiver feeds."""
from __future__ import annotations

from cases import Context, case, expect, long
from gps import BareGpsd, Receiver
from nodes import Node, Row, all_know_all, make_tour, wait_until

TOWER = (48.8584, 2.2945)


def expect_refused(node: Node, code: str) -> None:
    told = node.ask("send", "--location", "gps").code
    expect(told == code, f"a place without one is refused with '{told}', not '{code}'")


def position_of(node: Node, name: str, *more: str) -> Row:
    """Where `node` has the member of that name; empty: nowhere."""
    rows = node.must("members", *more).lines
    return next((row["position"] or {} for row in rows if row["name"] == name), {})


@long
@case
def locations(context: Context) -> None:
    """A place that is given and one that a receiver measures arrive whole; no receiver and no fix are said."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, (guide, member, third)):
        follower = third.follow()
        expect_refused(guide, "gpsd-unreachable")
        with BareGpsd(lab.hosts[0]):
            expect_refused(guide, "gpsd-no-receiver")
        with Receiver(lab.hosts[0], None):
            expect_refused(guide, "gps-no-fix")
        for bad in ("48.8584N,2.2945", "91,0", "0,181", "48,8584,2,2945", "nan,0", ""):
            expect(guide.ask("send", "--location", bad).status != 0, f"'{bad}' was taken for a place")
        given = str(guide.must("send", "--location", "-33.8568,151.2153,Opera House").first["id"])
        with Receiver(lab.hosts[1], TOWER):
            measured = str(member.must("send", "--location", "gps,Here").first["id"])
        follower.wait_ids([given, measured], 30)
        row = follower.rows[given]
        place = row["metadata"]
        expect(row["type"] == "location" and row["content"] == "Opera House", f"the place given is shown as {row}")
        expect((place["latitude"], place["longitude"]) == (-33.8568, 151.2153), f"it is at {place}")
        expect("fixedAt" not in place and "accuracyMetres" not in place, f"nobody measured it: {place}")
        place = follower.rows[measured]["metadata"]
        expect(abs(place["latitude"] - TOWER[0]) < 1e-5 and abs(place["longitude"] - TOWER[1]) < 1e-5,
               f"the place measured is at {place}")
        expect(place["label"] == "Here" and place["accuracyMetres"] > 0 and place["fixedAt"], f"it lacks {place}")


@long
@case
def sharing(context: Context) -> None:
    """A shared position comes over two hops, follows its member, and ends by itself and when it is stopped."""
    context.repetitions = context.times(1)
    with context.lab([(0,), (0, 1), (1,)]) as lab:
        nodes = [host.node(name) for host, name in zip(lab.hosts, ("guide", "middle", "far"))]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.await_ready()
        make_tour(nodes)
        all_know_all(nodes)
        guide, far = nodes[0], nodes[2]
        expect(guide.ask("share", "--for", "2h").code == "gpsd-unreachable", "shares without a receiver")
        before = len(far.messages())
        with Receiver(lab.hosts[0], TOWER, speed=5):
            guide.must("share", "--for", "2h")
            here = ("--here", f"{TOWER[0]},{TOWER[1]}")
            first = wait_until(lambda: position_of(far, "guide", *here), 40, "the position is two hops away")
            expect(first["live"] and first["ageSeconds"] < 60, f"it is not live: {first}")
            expect(first["distanceMetres"] < 1_000 and first["bearingDegrees"] in (0, 359, 1, None),
                   f"it moves to the north from here: {first}")
            expect(position_of(far, "guide")["distanceMetres"] is None, "a distance from nowhere")
            with Receiver(lab.hosts[2], TOWER):
                wait_until(lambda: position_of(far, "guide")["distanceMetres"] is not None, 60,
                           "a node that does not share asks its own receiver how far the others are")
            wait_until(lambda: position_of(far, "guide")["latitude"] > first["latitude"] + 0.0001, 60, "it follows")
            expect(guide.must("share").first["sharing"], "the sharer does not know that it shares")
            guide.must("share", "stop")
            wait_until(lambda: not position_of(far, "guide"), 30, "it is stopped")
            guide.must("share", "--for", "20s")
            wait_until(lambda: position_of(far, "guide"), 19, "it is shared again")
            wait_until(lambda: not position_of(far, "guide"), 40, "it ends by itself")
            expect(not guide.must("share").first["sharing"], "the sharer goes on after the end")
        expect(len(far.messages()) == before, "a position became a message")


@case
def meeting_point(context: Context) -> None:
    """The last meeting point counts on every node; who comes, is late or lost shows by name; it is cleared."""
    context.repetitions = context.times(1)
    with context.tour(4) as (_, (guide, first, second, third)):
        def meeting(node: Node) -> Row:
            return node.must("meet").first["meeting"] or {}

        expect(meeting(guide) == {}, "a meeting point before there is one")
        expect(first.ask("meet", "1,2", "Mine").code == "not-allowed", "a member set a meeting point")
        expect(first.ask("meet", "--lost").code == "no-meeting", "an answer to nothing")
        follower = third.follow()
        guide.must("meet", "48.85,2.29", "Too early")
        words = ("48.8584,2.2945,Tower", "North pillar", "--at", "14:30", "--expires", "2h")
        set_ = str(guide.must("meet", *words).first["id"])
        follower.wait_ids([set_], 30)
        row = follower.rows[set_]
        expect(row["type"] == "meeting" and row["metadata"]["label"] == "Tower", f"it is told as {row}")
        for node in (first, second):
            wait_until(lambda: meeting(node).get("id") == set_, 30, f"{node.name} has the last one")
        first.must("meet", "--on-my-way")
        first.must("meet", "--late", "--minutes", "10")
        second.must("meet", "--lost")
        wait_until(lambda: [row["answer"] for row in meeting(guide)["answers"]] == ["lost", "late"], 30, "both answers")
        seen = meeting(guide)
        expect([row["name"] for row in seen["answers"]] == [second.name, first.name], f"by whom: {seen['answers']}")
        expect(seen["answers"][1]["minutes"] == 10 and seen["unanswered"] == [third.name], f"the answers are {seen}")
        expect(0 < seen["secondsLeft"] <= 86_400 and not seen["expired"], f"the countdown is wrong: {seen}")
        guide.must("meet", "--clear")
        wait_until(lambda: meeting(third) == {}, 30, "it is cleared")
        brief = str(guide.must("meet", "1,2", "Now", "--expires", "1s").first["id"])
        wait_until(lambda: meeting(first).get("id") == brief and meeting(first)["expired"], 30, "it has expired")
        expect(first.ask("meet", "--on-my-way").code == "no-meeting", "an answer to what has expired")


@case
def meeting_in_words(context: Context) -> None:
    """Words and a time are a meeting point, which counts down at others; a stop, a saved place and a member are places."""
    context.repetitions = context.times(1)
    with context.tour(3) as (_, (guide, first, second)):
        def seen(node: Node, text: str) -> Row:
            """The meeting point with this text, once the node has it."""
            return wait_until(lambda: one if (one := node.must("meet").first["meeting"] or {}).get("text") == text else None,
                              30, f"{node.name} has '{text}'")

        guide.must("meet", "Reception, in 15 min")
        row = seen(first, "Reception")
        expect(row["latitude"] is None and row["longitude"] is None and row["label"] is None, f"words have a place: {row}")
        expect(0 < row["secondsLeft"] <= 900, f"the time is wrong: {row}")
        wait_until(lambda: seen(first, "Reception")["secondsLeft"] < row["secondsLeft"], 20, "it counts down")
        told = [m for m in second.messages() if m["type"] == "meeting"] or [{}]
        expect("cleared" not in told[-1].get("metadata", {}), f"words alone read as none: {told}")
        first.must("meet", "--on-my-way")
        wait_until(lambda: [a["answer"] for a in seen(guide, "Reception")["answers"]] == ["on-my-way"], 30, "the answer")

        guide.must("meet", "Lobby", "Bring your bags", "--at", "+20")
        row = seen(second, "Bring your bags")
        expect(row["label"] == "Lobby" and 900 < row["secondsLeft"] <= 1_200, f"label or time are wrong: {row}")
        guide.must("meet", "Bar", "in 25 min")
        row = seen(second, "Bar")
        expect(row["label"] is None and 1_200 < row["secondsLeft"] <= 1_500, f"the last word is no time: {row}")
        guide.must("meet", "Hotel Adler, back door")
        expect(seen(second, "Hotel Adler, back door")["meetAt"] is None, "a name was taken for a time")

        guide.must("places", "add", "Kiosk", "--at", "48.8584,2.2945")
        guide.must("meet", "--place", "Kiosk", "--at", "in 15 min")
        row = seen(second, "Kiosk")
        expect((row["latitude"], row["longitude"]) == (48.8584, 2.2945), f"the saved place is elsewhere: {row}")
        guide.must("itinerary", "create", "Day")
        guide.must("itinerary", "add", "Day", "Louvre")
        guide.must("meet", "--stop", "Louvre", "At the pyramid", "--at", "+5")
        row = seen(second, "At the pyramid")
        expect(row["label"] == "Louvre" and row["latitude"] is None and row["secondsLeft"] <= 300, f"the stop reads {row}")
        guide.must("meet", "--stop", "Louvre", "+10")
        row = seen(second, "Louvre")
        expect(row["label"] is None and 300 < row["secondsLeft"] <= 600, f"the stop with a time reads {row}")
        expect(guide.ask("meet", "--member", first.name).code == "no-place", "a member who shares nothing has a place")

        for bad in (("Reception", "--at", "later"), ("Reception", "--at", "15"), ("48.8584", "x"), ("1,2",), (" ",), ("14:00",), ("1,2", "+5"),
                    ("Reception", "--clear"), ("--at", "+5"), ("--stop", "a", "--place", "b"),
                    ("Lobby", "x", "--place", "Kiosk")):
            expect(guide.ask("meet", *bad).code == "usage", f"meet {bad} is taken")
        guide.must("meet", "--clear")
        wait_until(lambda: second.must("meet").first["meeting"] is None, 30, "it is cleared")
