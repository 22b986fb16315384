"""Goal: what guides tell everybody is seen by everybody, and guides see by whom, while it happens.
Method: the boards of two nodes side by side; a third node that has no page open, and is not always there."""
from __future__ import annotations

from datetime import datetime, timedelta

from cases import Context, case, expect
from playwright.sync_api import Locator
from screen import Screen
from stage import stage


def news(screen: Screen, text: str) -> Locator:
    """An announcement's card."""
    return screen.page.get_by_role("listitem").filter(has_text=text)


def open_disclosure(screen: Screen, key: str) -> Locator:
    """Opens what stands behind a summary; gives the whole of it."""
    part = screen.page.locator("details").filter(has=screen.page.locator("summary", has_text=screen.pattern(key))).last
    part.locator("summary").first.click()
    return part


@case
def announcement(context: Context) -> None:
    """Announced in the page, it is on the other's board at once; who has and read it counts up live, the missing by name."""
    with stage(context, "Announce") as at:
        guide, member = at.screen(0), at.screen(1)
        away = at.nodes[2]
        away.stop()
        for screen in (guide, member):
            screen.enter("board")
        expect(not member.page.get_by_text(member.t("writeNews")).first.is_visible(), "a member is offered to announce")
        part = open_disclosure(guide, "writeNews")
        guide.field("announcement", part).fill("The bus leaves at five")
        guide.field("urgent", part).check()
        guide.button("announceIt", part).click()
        there = news(member, "The bus leaves at five")
        there.wait_for()
        expect(there.get_by_text(member.t("urgent"), exact=True).is_visible(), "it is not said to be urgent")
        here = news(guide, "The bus leaves at five")
        here.get_by_text(guide.t("haveIt", delivered=1, read=0, n=2)).wait_for()
        here.locator("summary").click()
        here.get_by_text(guide.pattern("missing", names="west")).wait_for()
        member.go("chat")
        here.get_by_text(guide.t("haveIt", delivered=1, read=1, n=2)).wait_for()
        away.start()
        here.get_by_text(guide.t("haveIt", delivered=2, read=1, n=2)).wait_for()
        away.must("messages", "--mark-read")
        here.get_by_text(guide.t("haveIt", delivered=2, read=2, n=2)).wait_for()


@case
def meeting_point(context: Context) -> None:
    """A guide sets the meeting point; the other sees it with its countdown and answers, and the guide sees the answer."""
    with stage(context, "Meeting", members=2) as at:
        guide, member = at.screen(0), at.screen(1)
        for screen in (guide, member):
            screen.enter("board")
        part = open_disclosure(guide, "setMeeting")
        guide.field("meetLabel", part).fill("Below the clock")
        part.locator("summary").filter(has_text=guide.t("more")).click()
        guide.field("coordinates", part).fill("41.00824, 28.97836")
        guide.field("meetTime", part).fill("in 30 min")
        guide.button("setMeeting", part).click()
        member.sees("Below the clock").wait_for()
        clock = member.page.get_by_role("timer")
        clock.wait_for()
        member.until(lambda: clock.inner_text().endswith(" min"), "it says how many minutes are left")
        first = clock.inner_text()
        member.page.clock.set_fixed_time(datetime.now() + timedelta(minutes=2))
        member.until(lambda: clock.inner_text() != first, "the countdown goes on")
        card = member.page.get_by_role("main")
        member.button("lost", card).click()
        # It is a call for help as well, and so it is asked about.
        member.button("callGuides").click()
        lost = guide.page.get_by_role("paragraph").filter(has_text=guide.t("areLost"))
        # Exactly the name: the banner over the page, "east is lost!", is a paragraph with both words as well.
        lost.get_by_text("east", exact=True).wait_for()
        member.until(lambda: member.button("lost", card).get_attribute("aria-pressed") == "true", "the own answer is marked")
