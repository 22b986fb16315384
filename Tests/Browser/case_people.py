"""Goal: the map shows those alone who say where they are, and whoever counts people counts the same.
Method: a real gpsd beside one node, a browser that knows where it is, and the words of two views and of the node."""
from __future__ import annotations

from cases import Context, case, expect
from gps import Receiver
from nodes import wait_until
from playwright.sync_api import Locator
from screen import Screen
from stage import stage

TOWER = (48.8584, 2.2945)
NEARBY = {"latitude": 48.8600, "longitude": 2.2945}


def listed(screen: Screen, key: str, count: int) -> Locator:
    """Those who stand beside the map for one reason."""
    heading = screen.page.get_by_role("heading", name=screen.t(key, count=count), exact=True)
    return heading.locator("xpath=..").get_by_role("listitem")


@case
def map_of_people(context: Context) -> None:
    """Whoever shares no position, or one at a distance that is not known, stands beside the map, and nobody is invented."""
    with stage(context, "Map") as at:
        screen = at.screen(0, geolocation=NEARBY, permissions=["geolocation"])
        screen.enter("people")
        drawn = screen.page.get_by_role("img", name=screen.t("radarName"))
        listed(screen, "unplaced", 2).first.wait_for()
        expect(sorted(listed(screen, "unplaced", 2).all_inner_texts()) == ["east", "west"], "not everybody stands beside it")
        expect(drawn.count() == 0, "a map of nobody is drawn")
        with Receiver(at.lab.hosts[1], TOWER):
            at.nodes[1].must("share", "--for", "2h")
            listed(screen, "unmeasured", 1).get_by_text("east").wait_for(timeout=60_000)
            expect(listed(screen, "unplaced", 1).all_inner_texts() == ["west"], "who shares nothing is not listed")
            expect(drawn.count() == 0, "somebody is drawn at a distance that is not known")
            screen.button("locate").click()
            drawn.wait_for()
            expect(drawn.locator("title").all_text_contents() == ["east"], "others than who shares are on the map")
            expect(listed(screen, "unplaced", 1).all_inner_texts() == ["west"], "who shares nothing does not stand beside it")
            expect(listed(screen, "unmeasured", 1).count() == 0, "who is on the map stands beside it too")
            at.nodes[1].must("share", "stop")
        drawn.wait_for(state="detached", timeout=60_000)
        listed(screen, "unplaced", 2).first.wait_for()


@case
def counts_of_people(context: Context) -> None:
    """Two views of the page and the node say the same number of people in reach; who is removed is told that instead."""
    with stage(context, "Count") as at:
        guide, member = at.screen(0), at.screen(1)
        at.nodes[2].stop()
        for screen in (guide, member):
            screen.enter("people")
            words = screen.t("inReach", near=2, n=3)
            said = screen.page.locator(".at-people").get_by_text(words, exact=True)
            said.wait_for(timeout=60_000)
            screen.go("status")
            screen.page.locator(".at-status").get_by_text(words, exact=True).wait_for()
            people = screen.node.status()["people"]
            expect(people == {"total": 3, "reachable": 2}, f"the page says {words}, the node {people}")
        at.nodes[0].must("remove", at.nodes[1].name, "--yes", "--tour", "Count")
        wait_until(lambda: at.nodes[1].must("status", "--tour", "Count").first["state"] == "removed", 60, "it is told")
        for view in ("people", "status"):
            member.go(view)
            part = member.page.locator(f".at-{view}")
            part.get_by_text(member.t("state_removed")).first.wait_for()
            reach = member.t("inReach", near="", n="").split(":")[0]
            member.until(lambda part=part: reach not in part.inner_text(), f"{view} of who is removed counts nobody")
        at.nodes[2].start()
