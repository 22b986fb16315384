"""Goal: places come as they were measured or given, on every node, and none is made up.
Method: real nodes on hosts of their own, each beside a real gpsd that a made-up receiver feeds."""
from __future__ import annotations

from cases import Context, case, expect
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
            wait_until(lambda: position_of(far, "guide")["latitude"] > first["latitude"] + 0.0001, 60, "it follows")
            expect(guide.must("share").first["sharing"], "the sharer does not know that it shares")
            guide.must("share", "stop")
            wait_until(lambda: not position_of(far, "guide"), 30, "it is stopped")
            guide.must("share", "--for", "20s")
            wait_until(lambda: position_of(far, "guide"), 19, "it is shared again")
            wait_until(lambda: not position_of(far, "guide"), 40, "it ends by itself")
            expect(not guide.must("share").first["sharing"], "the sharer goes on after the end")
        expect(len(far.messages()) == before, "a position became a message")
