"""Goal: what is next, how many are in reach and who is lost stand above every view; the day shows its stops around now.
Method: a guide's node by its commands, a member's page beside it; the page's clock is set where the day matters."""
from __future__ import annotations

import re
from datetime import datetime, timedelta

from access import expect_no_violation
from cases import Context, case, expect
from furnish import VIEWS
from moments import expect_minutes, expect_moments
from playwright.sync_api import Locator
from screen import DESKTOP, LOCALES, PHONE, Screen
from stage import stage


def strip(screen: Screen) -> Locator:
    return screen.role("region", "glance")


def top_of_view(screen: Screen) -> float:
    return float(screen.page.evaluate("document.querySelector('main').getBoundingClientRect().top"))


@case
def glance(context: Context) -> None:
    """The strip stands above every view: it counts down to a meeting point in words, counts who is in reach, and leads."""
    with stage(context, "Glance") as at:
        guide, screen = at.nodes[0], at.screen(1)
        for node in reversed(at.nodes):
            node.stop()
        for node in at.nodes[:2]:
            node.start()
        screen.enter("chat")
        part = strip(screen)
        part.get_by_text(screen.t("nothingNext")).wait_for()
        # West's last sign of life may have come to one of them alone: for the other it is news, and counts for 30 s.
        part.get_by_role("link", name=screen.t("reach", near=2, n=3)).wait_for(timeout=60_000)
        at.nodes[2].start()
        part.get_by_role("link", name=screen.t("reach", near=3, n=3)).wait_for()
        before = top_of_view(screen)
        guide.must("meet", "Reception, in 15 min")
        part.get_by_text("Reception", exact=True).wait_for()
        clock = part.locator("time")
        screen.until(lambda: re.search(r"\d:\d\d, in 1[45] min$", clock.inner_text()), "the strip says when, and how long")
        first = clock.inner_text()
        screen.page.clock.set_fixed_time(datetime.now() + timedelta(minutes=2))
        screen.until(lambda: clock.inner_text() not in ("", first), "the countdown goes on")
        expect(top_of_view(screen) == before, "the view moved when the meeting point came")
        for size in (PHONE, DESKTOP):
            screen.page.set_viewport_size({"width": size[0], "height": size[1]})
            for view in VIEWS:
                if view == "guide":
                    continue  # a member has none
                screen.go(view)
                expect(part.is_visible() and clock.is_visible(), f"there is no countdown above {view}")
            expect(not screen.overflow(), f"something sticks out: {screen.overflow()}")
            height = part.bounding_box()["height"]
            expect(height < 60, f"the strip takes {height} pixels at {size}")
        part.get_by_role("link", name=screen.t("reach", near=3, n=3)).click()
        screen.wait("(title) => document.querySelector('h1').textContent === title", screen.t("people"))
        part.get_by_text("Reception", exact=True).click()
        screen.wait("(title) => document.querySelector('h1').textContent === title", screen.t("board"))
        screen.page.get_by_role("timer").wait_for()
        guide.must("meet", "--clear")
        part.get_by_text(screen.t("nothingNext")).wait_for()
        expect(top_of_view(screen) == before, "the view moved when there was no meeting point any more")


@case
def moments(context: Context) -> None:
    """A page says when something is and how many minutes are left, in every language; "Today" is "Yesterday" once
    midnight has passed, in a page that stays open."""
    with stage(context, "Moments", members=2) as at:
        guide, screen = at.nodes[0], at.screen(1, size=PHONE)
        screen.enter("chat")
        guide.send("before midnight")
        screen.says("before midnight").wait_for()
        days = screen.page.locator(".feed .day")
        screen.until(lambda: days.all_text_contents() == ["Today"], "the day of the message stands above it")
        guide.must("meet", "Below the clock of the old town hall, in 90 min")
        clock = strip(screen).locator("time")
        screen.until(lambda: re.search(r"\d:\d\d, in 1 h (29|30) min$", clock.inner_text()), "no hours are rounded")
        expect(not screen.overflow(), f"something sticks out: {screen.overflow()}")
        screen.page.clock.set_fixed_time(datetime.now() + timedelta(days=1))
        screen.until(lambda: days.all_text_contents() == ["Yesterday"], "another day has begun")
        expect_moments(screen)
        for language in LOCALES:
            other = at.screen(1, size=PHONE, language=language)
            # The longest that stands in the strip: a day by its name.
            other.page.clock.set_fixed_time(datetime.now() - timedelta(days=3))
            other.enter("today")
            other.until(lambda other=other: strip(other).locator("time").inner_text(), "the strip says when")
            expect_minutes(other)
            expect(not other.overflow(), f"something sticks out in {language}: {other.overflow()}")


@case
def glance_lost(context: Context) -> None:
    """Who is lost stands in the guide's strip; one tap leads to the banner, and it goes when all are found."""
    with stage(context, "Glance lost", members=2) as at:
        screen = at.screen(0)
        screen.enter("people")
        at.nodes[0].must("roll", "call", "--no-wait")
        strip(screen).get_by_role("link", name=screen.t("notAnswered", n=1)).click()
        screen.wait("(title) => document.querySelector('h1').textContent === title", screen.t("guide"))
        at.nodes[1].must("lost", "By the fountain", "--no-wait")
        button = strip(screen).get_by_role("button", name=screen.t("lostCount", n=1))
        button.click()
        screen.wait("() => Boolean(document.activeElement?.closest('.banner'))")
        screen.button("answer_found").click()
        button.wait_for(state="detached")


@case
def words_in_the_page(context: Context) -> None:
    """A guide sets a meeting point in words or by a saved place; what is no time is refused in words, and stays typed."""
    with stage(context, "Words", members=2) as at:
        guide, member = at.screen(0), at.screen(1)
        at.nodes[0].must("places", "add", "Kiosk", "--at", "48.8584,2.2945")
        guide.enter("board")
        member.enter("board")
        part = guide.page.locator("details").filter(has=guide.page.locator("summary", has_text=guide.pattern("setMeeting"))).last
        part.locator("summary").first.click()
        guide.field("meetLabel", part).fill("Reception")
        guide.field("meetTime", part).fill("later")
        guide.may("400|409|422")
        guide.button("setMeeting", part).click()
        guide.page.get_by_role("alert").filter(has_text="in 15 min").wait_for()
        expect(guide.field("meetLabel", part).input_value() == "Reception", "what was typed is gone")
        guide.button("inMin", part, n=15).click()
        guide.button("setMeeting", part).click()
        member.sees("Reception").wait_for()
        member.page.get_by_role("timer").wait_for()
        part.locator("summary").first.click()
        guide.role("combobox", "meetPick", part).select_option(label="Kiosk")
        expect(guide.field("meetLabel", part).input_value() == "Kiosk", "the place's name is not taken")
        guide.button("setMeeting", part).click()
        member.sees("48.85840, 2.29450").wait_for()


@case
def today(context: Context) -> None:
    """The day: stops in their order with a line for now between, which moves; the meeting point; and what to do where
    nothing is planned."""
    # A stage that cases share has a notebook with other cases' stops.
    with stage(context, "Day", members=2, own=True, count=2) as at:
        guide, screen, own = at.nodes[0], at.screen(1), at.screen(0)
        # Of the day on which a clock shows 14:00 next: people meet at that time.
        noon = datetime.now().replace(hour=12, minute=0, second=0, microsecond=0)
        if datetime.now() >= noon + timedelta(hours=2):
            noon += timedelta(days=1)
        for one in (screen, own):
            one.page.clock.set_fixed_time(noon)
            one.enter("today")
            one.sees(one.t("noToday")).wait_for()
        own.sees(own.t("noTodayGuide")).wait_for()
        own.button("toItineraries").click()
        own.wait("(title) => document.querySelector('h1').textContent === title", own.t("notebook"))
        own.go("today")
        own.button("setMeeting", own.page.locator("main")).click()
        own.wait("() => document.activeElement?.closest('details[open]') !== null")
        own.go("today")
        screen.sees(screen.t("noTodayMember")).wait_for()
        guide.must("itinerary", "create", "Old town")
        for stop, hour, day in (("Museum", "10:00", 0), ("Lunch", "12:30", 0), ("Harbour", "15:00", 0), ("Castle", "09:00", 1)):
            date = (noon + timedelta(days=day)).strftime("%Y-%m-%d")
            guide.must("itinerary", "add", "Old town", stop, "--at", "41.01,28.97", "--time", f"{date} {hour}")
        # A program beside the page has written them: the page looks again when it is come back to.
        own.go("people")
        own.go("today")
        own.sees("Harbour").wait_for()
        own.context.grant_permissions(["geolocation"])
        own.context.set_geolocation({"latitude": 41.01, "longitude": 28.95})
        own.button("locate").click()
        own.page.locator("main .timeline > li").filter(has_text="Harbour").get_by_text(re.compile(r"1[.,]7 km")).wait_for()
        guide.must("itinerary", "publish", "Old town")
        rows = screen.page.locator("main .timeline > li")

        def order(wanted: list[str]) -> None:
            def found() -> bool:
                texts = rows.all_inner_texts()
                return len(texts) == len(wanted) and all(word in text for word, text in zip(wanted, texts))
            screen.until(found, f"the day is {wanted}")

        now = screen.t("now")
        order(["Museum", now, "Lunch", "Harbour"])
        strip(screen).get_by_text("Lunch", exact=True).wait_for()
        expect(strip(screen).locator("time").inner_text() == "12:30, in 30 min", "the strip counts wrongly")
        screen.page.clock.set_fixed_time(noon + timedelta(hours=2))
        screen.go("people")
        screen.go("today")
        order(["Museum", "Lunch", now, "Harbour"])
        strip(screen).get_by_text("Harbour", exact=True).wait_for()
        screen.page.clock.set_fixed_time(noon + timedelta(days=1, hours=-10))
        screen.go("people")
        screen.go("today")
        order([now, "Castle"])
        screen.page.clock.set_fixed_time(noon)
        guide.must("meet", "By the gate", "--at", "14:00")
        screen.go("people")
        screen.go("today")
        screen.until(lambda: any("By the gate" in text for text in rows.all_inner_texts()), "the meeting point is in the day")
        for view, size in ((v, s) for v in ("today",) for s in (PHONE, DESKTOP)):
            for scheme in ("light", "dark"):
                screen.page.set_viewport_size({"width": size[0], "height": size[1]})
                screen.page.emulate_media(color_scheme=scheme)
                screen.go(view)
                expect_no_violation(screen, f"{view} {scheme}")
                expect(not screen.overflow(), f"something sticks out: {screen.overflow()}")
        rows.get_by_role("link", name="Harbour").click()
        screen.wait("(title) => document.querySelector('h1').textContent === title", screen.t("notebook"))
        screen.sees("Old town").wait_for()
