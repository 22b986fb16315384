"""Goal: places come as they were measured or given, on every node, and none is made up.
Method: real nodes on hosts of their own, each beside a real gpsd that a made-up receiver feeds."""
from __future__ import annotations

from cases import Context, case, expect
from gps import BareGpsd, Receiver
from nodes import Node

TOWER = (48.8584, 2.2945)


def refusal(node: Node) -> str:
    return str(node.ask("send", "--location", "gps").code)


@case
def locations(context: Context) -> None:
    """A place that is given and one that a receiver measures arrive whole; no receiver and no fix are said."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, (guide, member, third)):
        follower = third.follow()
        expect(refusal(guide) == "gpsd-unreachable", f"no gpsd here: {refusal(guide)}")
        with BareGpsd(lab.hosts[0]):
            expect(refusal(guide) == "gpsd-no-receiver", f"gpsd without a receiver: {refusal(guide)}")
        with Receiver(lab.hosts[0], None):
            expect(refusal(guide) == "gps-no-fix", f"a receiver without a fix: {refusal(guide)}")
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
