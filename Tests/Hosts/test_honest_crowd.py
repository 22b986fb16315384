"""Goal: what keeps attackers small leaves an honest crowd alone.
Method: two hundred devices come in by one code within ten minutes, each from an address of its own, and try again where
they are told to wait; then the guide takes 46 of them out, one after the other, and somebody hears what is said behind
each."""
from __future__ import annotations

import time

from cases import Context, case, expect
from nodes import wait_until
from programs import running
from test_floods import more_addresses
from test_siege import SIEGE, besieged

PEOPLE, REMOVED = 200, 46
MINUTES = 10


@case
def two_hundred_in_ten_minutes(context: Context) -> None:
    """A crowd comes in by one code in ten minutes, and a quarter of it is taken out on the same day."""
    context.repetitions = context.times(PEOPLE)
    with besieged(context) as (lab, guide, member, code):
        place = f"{lab.hosts[0].address()}:{guide.port}"
        words = [word for address in more_addresses(lab.hosts[2]) for word in ("--from", address)]
        begun = time.monotonic()
        with running(lab.hosts[2], "people", SIEGE, code, place, "people", str(context.repetitions), *words) as crowd:
            crowd.wait("done", MINUTES * 60 + 60)
            taken = time.monotonic() - begun
        context.note(f"{context.repetitions} came in within {taken:.0f} s")
        expect(taken <= MINUTES * 60, f"it took {taken:.0f} s")

        def crowd_in() -> list[str]:
            return [row["id"] for row in guide.members()
                    if not row["removed"] and not row["left"] and row["name"] not in ("guide", "member")]
        # And the one that came first, to ask how.
        everybody = context.repetitions + 1
        wait_until(lambda: len(crowd_in()) == everybody, 60, f"{everybody} are in")
        removed = crowd_in()[:context.times(REMOVED)]
        longest, follower = 0.0, member.follow()
        for number, one in enumerate(removed):
            begun = time.monotonic()
            guide.must("remove", one, "--yes", seconds=60)
            follower.wait_ids([guide.send(f"without number {number}")], 60)
            longest = max(longest, time.monotonic() - begun)
        context.note(f"{len(removed)} were taken out, the slowest until the next message in {longest:.1f} s")
        expect(len(crowd_in()) == everybody - len(removed), "somebody is in who was taken out")
