"""Goal: a tour that has ended, and what nobody knows any more, is shown as that, on members' and on guests' pages.
Method: a guide who ends a tour in which something is open; nodes and phones that lose each other; guides who do the same
thing at the same time."""
from __future__ import annotations

import re
from pathlib import Path

from cases import Context, case, expect
from case_guests import guests, new_phone
from case_trouble import GONE
from nodes import Node, wait_until
from photos import plain_png
from playwright.sync_api import Locator
from screen import PHONE, Screen
from stage import stage


def banners(screen: Screen) -> list[str]:
    """What stands above the page's view and waits for an answer, or counts down."""
    return list(screen.page.evaluate("""() => [...document.querySelectorAll('.banner, .glance time, .next time')]
        .filter((el) => el.checkVisibility()).map((el) => el.textContent)"""))


def end(guide: Screen) -> Locator:
    """The question that ending the tour asks."""
    guide.go("guide")
    guide.button("closeTour").click()
    return guide.page.get_by_role("dialog").last


def open_all(guide: Node, lost: Node) -> None:
    """Everything that a tour can leave open."""
    lost.must("lost", "By the blue door", "--no-wait")
    guide.must("announce", "--urgent", "The bus leaves now")
    guide.must("roll", "call", "At the bus", "--no-wait")
    guide.must("meet", "Museum gate, in 40 min")


@case
def tour_ends(context: Context) -> None:
    """Ending a tour says what is open in it; afterwards nothing of that stands on any page, also not after a reload, and
    what is done nevertheless is answered with what is so."""
    with guests(context, "Tour ends") as (at, phone):
        north, east = at.nodes[0], at.nodes[1]
        guide, other, small = at.screen(0), at.screen(1), at.screen(1, size=PHONE)
        open_all(north, east)
        for screen in (guide, other, small):
            screen.enter("today")
            screen.page.get_by_role("region", name=screen.t("lost"), exact=True).wait_for()
        for key in ("urgent", "roll", "lost"):
            phone.banner(key).wait_for()
        # Three banners and the meeting point that is next.
        phone.until(lambda: len(banners(phone)) == 4, "the phone shows all that is open")
        question = end(guide)
        question.get_by_text(guide.pattern("openLost", names=east.name)).wait_for()
        question.get_by_text(guide.pattern("openUrgent", n=2, text="The bus leaves now")).wait_for()
        unanswered = question.get_by_text(guide.pattern("openRoll")).inner_text()
        expect("Anna" in unanswered and north.name not in unanswered, f"it says '{unanswered}'")
        guide.page.screenshot(path=str(context.logs / "end-the-tour.png"))
        guide.button("closeTour", question).click()
        for screen in (guide, other, small):
            screen.until(lambda screen=screen: banners(screen) == [], f"{screen.node.name}'s page shows nothing open")
            screen.page.reload()
            ended = re.compile(re.escape(screen.t("state_closed")))
            screen.page.get_by_role("region", name=screen.t("glance")).get_by_text(ended).wait_for()
            expect(banners(screen) == [], f"after a reload there stands {banners(screen)}")
        small.page.screenshot(path=str(context.logs / "member-ended.png"))
        phone.banner("tourEnded").wait_for()
        expect(len(banners(phone)) == 1, f"the phone shows {banners(phone)}")
        expect(north.must("meet").first["meeting"] is None, "the meeting point still stands")
        expect(not any(row["open"] for row in north.must("alarms").first["alarms"]), "somebody is still lost")
        for words in (["found", east.name], ["roll", "end"], ["roll", "here"], ["announce", "Too late"]):
            answer = north.ask(*words)
            expect(answer.status != 0 and "has ended" in answer.error["message"], f"{words}: {answer.text}")


@case
def guest_farewell(context: Context) -> None:
    """A guest is told that the tour has ended, and until when; reads and saves chat and pictures until then, also in a
    page that is opened anew; and nobody is told to scan a code that lets nobody in."""
    with guests(context, "Guest farewell") as (at, phone):
        north = at.nodes[0]
        phone.write("What a day")
        phone.has_sent("What a day")
        photo = plain_png(at.lab.hosts[2].home / "farewell.png", 480, 640, (40, 90, 180))
        phone.picture(photo, "All of us")
        phone.has_sent("All of us")
        north.must("tour", "close", "--yes")
        farewell = phone.banner("tourEnded")
        farewell.get_by_text(phone.pattern("farewell", name=north.name)).wait_for()
        for gone in (phone.composer, phone.button("lost"), phone.page.locator(".reach")):
            expect(not gone.is_visible(), f"{gone} is still there")
        phone.page.screenshot(path=str(context.logs / "farewell.png"))
        phone.page.reload()
        farewell.wait_for()
        phone.says("What a day").wait_for()
        phone.page.get_by_role("button", name=phone.t("openPicture", name="All of us")).click()
        phone.sheet.locator("img").wait_for()
        phone.page.keyboard.press("Escape")
        phone.button("saveAll", farewell).click()
        with phone.page.expect_download() as download:
            phone.button("saveAll", phone.sheet).click()
        phone.sheet.get_by_text(phone.t("savedFile")).wait_for()
        phone.page.screenshot(path=str(context.logs / "saved.png"))
        target = Path(context.logs / "saved.html")
        download.value.save_as(target)
        text = target.read_text()
        expect(download.value.suggested_filename == "Guest farewell.html", download.value.suggested_filename)
        expect("What a day" in text and "All of us" in text and "data:image/jpeg;base64," in text, f"it says {text[:400]}")
        expect("<script" not in text and "http" not in text.replace("http-equiv", ""), "the file has more than it shows")
        phone.page.keyboard.press("Escape")
        late = new_phone(at, phone.link)
        late.scan()
        late.page.get_by_text(late.t("endedEntry")).wait_for()
        expect(late.page.get_by_text(late.t("overHow")).count() == 0, "a stranger is told to scan a code")
        phone.menu("forgetTour")
        phone.button("forgetTour", phone.sheet).click()
        phone.page.get_by_text(phone.t("scanTitle"), exact=True).wait_for()
        kept = phone.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('tour-chat.seat.'))")
        expect(kept == [], f"the phone keeps {kept}")


@case
def farewell_keeps_what_waits(context: Context) -> None:
    """What a phone could not send before the tour ended stays on it, marked as not sent; and the page keeps what it shows
    when its device is gone."""
    with guests(context, "Farewell waits", own=True) as (at, phone):
        phone.may_lose_its_device()
        at.lab.cable(at.lab.hosts[2], False)
        phone.page.locator(".line time").wait_for(timeout=60_000)
        phone.write("Too late")
        phone.page.get_by_text(phone.t("waitingHere")).wait_for()
        at.nodes[0].must("tour", "close", "--yes")
        at.lab.cable(at.lab.hosts[2], True)
        phone.banner("tourEnded").wait_for(timeout=60_000)
        phone.page.get_by_text(phone.t("notSentEnded")).wait_for()
        expect("Too late" not in [row["content"] for row in at.nodes[0].messages()], "it was written after the end")
        at.nodes[0].stop()
        phone.page.get_by_text(phone.pattern("endedAway", name=at.nodes[0].name)).wait_for(timeout=60_000)
        phone.page.get_by_text("Too late").wait_for()


@case
def reach_is_not_guessed(context: Context) -> None:
    """How many are in reach is said while the device that counts them answers, and not otherwise: on a member's page, a
    phone and in both lists of people."""
    with guests(context, "Not guessed", own=True) as (at, phone):
        north = at.nodes[0]
        screen = at.screen(0)
        for pattern in GONE:
            screen.may(pattern)
        screen.enter("people")
        glance = screen.page.get_by_role("region", name=screen.t("glance"))
        glance.get_by_role("link", name=screen.t("reach", near=3, n=3)).wait_for(timeout=60_000)
        count = phone.page.locator(".reach")
        phone.until(lambda: count.inner_text().strip() == "3/3", "the phone counts all")
        phone.may_lose_its_device()
        north.kill()
        glance.get_by_role("link", name=screen.t("reachUnknown")).wait_for()
        screen.page.locator(".at-people").get_by_text(screen.t("reachUnknown"), exact=True).first.wait_for()
        screen.page.get_by_role("heading", name=screen.t("group_unknown", count="2")).wait_for()
        screen.page.screenshot(path=str(context.logs / "member-unknown.png"))
        phone.until(lambda: count.inner_text().strip() == "?/3", "the phone counts nobody")
        count.click()
        phone.sheet.get_by_text(phone.t("reachUnknown"), exact=True).wait_for()
        expect(phone.sheet.get_by_text(re.compile(re.escape(phone.t("isReached")))).count() == 0, "it says who is in reach")
        phone.page.screenshot(path=str(context.logs / "phone-unknown.png"))
        north.start()
        phone.until(lambda: count.inner_text().strip().endswith("/3") and "?" not in count.inner_text(), "it counts again")


@case
def two_guides(context: Context) -> None:
    """Of two meeting points or roll calls of two guides one counts, and who set the other one is told so."""
    with stage(context, "Two guides", members=2, own=True) as at:
        north, east = at.nodes[0], at.nodes[1]
        north.must("role", east.name, "guide")
        wait_until(lambda: east.must("tour", "show").first["role"] == "guide", 30, "east is a guide")
        north.must("meet", "Museum gate, in 40 min")
        guide = at.screen(0)
        guide.enter("board")
        guide.page.get_by_text("Museum gate").first.wait_for()
        wait_until(lambda: (east.must("meet").first["meeting"] or {}).get("text") == "Museum gate", 30, "both have it")
        east.must("meet", "Fountain, in 20 min")
        told = re.compile("Fountain.*Museum gate", re.S)
        guide.page.locator(".toast").filter(has_text=told).first.wait_for()
        guide.sees(guide.pattern("insteadOfYours", text="Museum gate")).wait_for()
        guide.page.screenshot(path=str(context.logs / "instead-of-yours.png"))
        rival = north.must("meet").first["meeting"]["insteadOf"]
        expect(rival == {"name": north.name, "text": "Museum gate", "mine": True}, f"it says {rival}")
        expect(east.must("meet").first["meeting"]["insteadOf"]["mine"] is False, "both lost")
        # At the same time: neither hears of the other's.
        at.lab.cable(at.lab.hosts[1], False)
        north.must("roll", "call", "At the bus", "--no-wait")
        east.must("roll", "call", "At the boat", "--no-wait")
        late = at.screen(1)
        late.enter("guide")
        at.lab.cable(at.lab.hosts[1], True)
        late.page.locator(".toast").filter(has_text="At the boat").first.wait_for(timeout=90_000)
        late.page.get_by_text(re.compile("At the boat")).locator("visible=true").first.wait_for()
        refused = north.ask("roll", "call", "At the station", "--no-wait")
        expect(refused.code == "roll-stands" and "At the bus" in refused.error["message"], f"it says {refused}")
