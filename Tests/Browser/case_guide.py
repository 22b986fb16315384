"""Goal: who guides can let people in and out in the page, and who is out is told so.
Method: the guide's page and the member's side by side."""
from __future__ import annotations

import re
import subprocess

from cases import Context, case, expect
from networks import Networks, card
from nodes import wait_until
from playwright.sync_api import Locator
from screen import DESKTOP, PHONE, Screen
from stage import stage


def sure(screen: Screen, key: str) -> None:
    """Answers the question that a dangerous button asks."""
    screen.button(key, screen.page.get_by_role("dialog").last).click()


def roster_row(screen: Screen, name: str) -> Locator:
    return screen.page.get_by_role("row").filter(has=screen.page.get_by_role("rowheader", name=name))


@case
def remove_member(context: Context) -> None:
    """The guide removes a member: its page says so and can write no more; with the new code it is in again."""
    with stage(context, "Remove", members=2) as at:
        guide, member = at.screen(0), at.screen(1)
        guide.enter("guide")
        member.enter("chat")
        member.write("Am I still here?")
        row = roster_row(guide, "east")
        guide.button("doTo", row, action=guide.t("remove")).click()
        guide.role("button", "cancel", guide.page.get_by_role("dialog")).click()
        expect(row.is_visible(), "it is gone though the guide cancelled")
        guide.button("doTo", row, action=guide.t("remove")).click()
        sure(guide, "remove")
        told = guide.page.get_by_role("dialog").filter(has_text=guide.t("newCode"))
        told.wait_for()
        code = "".join(told.locator(".code").inner_text().split())
        guide.button("close", told).click()
        row.wait_for(state="detached")
        member.page.get_by_text(member.t("state_removed")).first.wait_for()
        expect(member.says("Am I still here?").is_visible(), "what was written is gone")
        member.until(lambda: member.composer.count() == 0, "a removed member is not offered to write")
        expect(at.nodes[1].ask("send", "Still here", "--tour", "Remove").status != 0, "a removed member can write")
        guide.go("chat")
        guide.write("Only for those who are in")
        member.page.evaluate("() => { location.hash = '#/join'; }")
        member.role("heading", "byCode").click()
        member.field("code").fill(code)
        member.button("joinNow").click()
        member.composer.wait_for()
        member.write("Back again")
        guide.says("Back again").wait_for()


@case
def roll_call(context: Context) -> None:
    """The guide calls the roll: members say that they are here by one tap, the guide ticks off whom it sees, and ends it."""
    with stage(context, "Roll") as at:
        guide, member = at.screen(0), at.screen(1)
        guide.enter("guide")
        member.enter("people")
        guide.field("rollPlace").fill("At the bus")
        guide.button("rollStart").click()
        guide.page.get_by_text(guide.t("rollCount", here=1, n=3), exact=True).wait_for()
        banner = member.page.get_by_role("region", name=member.t("roll"))
        banner.get_by_text("At the bus").wait_for()
        glance = guide.page.get_by_role("region", name=guide.t("glance"))
        glance.get_by_role("link", name=guide.t("notAnswered", n=2)).wait_for()
        for view in ("board", "files", "status"):
            member.go(view)
            expect(banner.is_visible(), f"it is not asked in {view}")
        member.button("imHere").click()
        banner.wait_for(state="detached")
        guide.page.get_by_text(guide.t("rollCount", here=2, n=3), exact=True).wait_for()
        faces = guide.page.locator(".faces > li")
        expect("west" in faces.first.inner_text(), "the missing one does not stand first")
        faces.first.get_by_role("button").click()
        guide.page.get_by_text(guide.t("rollCount", here=3, n=3), exact=True).wait_for()
        west = faces.filter(has_text="west").get_by_role("button")
        west.filter(has_text=guide.t("seenBy", name="").strip()).wait_for()
        expect(west.get_attribute("aria-pressed") == "true", "who was ticked is not pressed")
        west.click()
        guide.page.get_by_text(guide.t("rollCount", here=2, n=3), exact=True).wait_for()
        guide.page.reload()
        guide.page.get_by_text(guide.t("rollCount", here=2, n=3), exact=True).wait_for()
        guide.button("rollEnd").click()
        guide.button("rollStart").wait_for()
        expect("west" in faces.first.inner_text() and faces.first.get_by_role("button").is_disabled(), "the result is gone")
        rolls = at.nodes[1].must("roll", "list").first["rolls"]
        expect([row["here"] for row in rolls] == [2], f"the member's node lists {rolls}")


@case
def phones_without_the_app(context: Context) -> None:
    """The switch for guests shows their code with its address; a member who is allowed to finds it among the people."""
    with stage(context, "Phones") as at:
        guide, member = at.screen(0), at.screen(1)
        guide.enter("guide")
        switch = guide.role("checkbox", "phonesOn")
        switch.check()
        guide.page.get_by_role("img", name=guide.t("guestCode")).wait_for()
        link = at.nodes[0].must("seats", "status").first["link"]
        host = link.removeprefix("http://").split("/")[0]
        expect(host in guide.page.locator(".words").first.inner_text().replace("\n", ""), f"{host} is not shown")
        member.enter("people")
        expect(member.role("checkbox", "phonesOn").count() == 0, "a member who is not allowed to finds the switch")
        guide.role("combobox", "allowWho").select_option(label=at.nodes[1].name)
        guide.button("allow").click()
        member.role("checkbox", "phonesOn").wait_for(timeout=60_000)
        switch.uncheck()
        guide.page.get_by_role("img", name=guide.t("guestCode")).wait_for(state="detached")


@case
def sign_for_guests(context: Context) -> None:
    """The sign on the screen has the network first where this computer serves one, then code, address, digits and the
    time until which it lets in; printed it has the chosen languages."""
    with stage(context, "Sign", members=1) as at, Networks(at.lab.hosts[0], card(network="Hotel")):
        for size in (PHONE, DESKTOP):
            guide = at.screen(0, size=size)
            guide.enter("guide")
            guide.role("checkbox", "phonesOn").check()
            guide.page.get_by_role("img", name=guide.t("guestCode")).wait_for()
            seats = at.nodes[0].must("seats", "status").first
            expect(seats["secondsLeft"] > 29 * 86_400, f"a code ends before the tour: {seats['secondsLeft']} s")
            words = [text.replace("\n", "") for text in guide.page.locator(".words").all_inner_texts()]
            host = seats["link"].removeprefix("http://").split("/")[0]
            digits = f"{seats['digits'][:4]} {seats['digits'][4:]}"
            expect(words[:2] == [host, digits], f"{words} is shown, not {host} and {digits}")
            guide.page.get_by_text(re.compile("until .+ at the latest")).first.wait_for()
            expect(not guide.overflow(), f"at {size}: {guide.overflow()}")
        guide.role("combobox", "validFor").last.select_option(str(4 * 3600))
        guide.button("newGuestCode").click()
        guide.until(lambda: at.nodes[0].must("seats", "status").first["secondsLeft"] <= 4 * 3600, "it ends in four hours")
        guide.button("wifiOn").click()
        sign = guide.page.get_by_role("heading", name=guide.t("signNetwork"))
        sign.wait_for(timeout=30_000)
        codes = guide.page.locator("section").filter(has=sign).last.get_by_role("img").all()
        names = [code.get_attribute("aria-label") or "" for code in codes]
        expect(names == [guide.t("wifiCode"), guide.t("guestCode")], f"the codes are {names}")
        guide.button("printSign").click()
        dialog = guide.page.get_by_role("dialog").last
        dialog.get_by_role("checkbox", name="日本語").check()
        with guide.page.expect_download() as saved:
            guide.button("printSign", dialog).click()
        text = subprocess.run(["pdftotext", str(saved.value.path()), "-"], capture_output=True, text=True, check=True)
        digits = at.nodes[0].must("seats", "status").first["digits"]
        for piece in (f"{digits[:4]} {digits[4:]}", "スキャン", "at the latest"):
            expect(piece in text.stdout, f"the sign lacks '{piece}': {text.stdout[:600]}")


@case
def who_stays_together(context: Context) -> None:
    """Buddies are chosen in the page, and answer for each other; who stays behind is told of as the guide wants."""
    with stage(context, "Buddies") as at:
        guide, member = at.screen(0), at.screen(1)
        guide.enter("guide")
        guide.button("buddies").click()
        for name in ("east", "west"):
            guide.page.get_by_role("checkbox", name=name).check()
        guide.button("stayTogether").click()
        guide.page.get_by_role("listitem").filter(has=guide.button("part")).wait_for()
        wait_until(lambda: len(at.nodes[1].must("roll", "buddies").first["groups"]) == 1, 30, "the member's node knows it")
        guide.button("rollStart").click()
        member.enter("board")
        member.button("isHere", name="west").click()
        guide.page.get_by_text(guide.t("rollCount", here=2, n=3), exact=True).wait_for()
        guide.role("combobox", "stragglers").select_option("10")
        wait_until(lambda: at.nodes[0].must("roll", "stragglers").first["minutes"] == 10, 10, "it is set")
        guide.button("part").click()
        wait_until(lambda: at.nodes[1].must("roll", "buddies").first["groups"] == [], 30, "they are parted")


@case
def invitation(context: Context) -> None:
    """The guide makes a code for one use in the page: it joins one, is listed as used, and a revoked one joins nobody."""
    with stage(context, "Invite", members=1) as at:
        guide = at.screen(0)
        guide.enter("guide")
        guide.field("uses").fill("1")
        guide.button("makeCode").click()
        drawn = guide.page.get_by_role("img", name=guide.t("qrOf"))
        drawn.wait_for()
        code = "".join(guide.page.locator(".code").inner_text().split())
        at.nodes[1].must("join", code, "--name", "east", seconds=60)
        guide.page.get_by_role("rowheader", name="east").wait_for()
        expect(at.nodes[2].ask("join", code, "--name", "west", seconds=90).code == "used-up", "the code joins a second one")
        guide.field("uses").fill("5")
        guide.button("makeCode").click()
        wait_until(lambda: "".join(guide.page.locator(".code").inner_text().split()) != code, 20, "another code is shown")
        other = "".join(guide.page.locator(".code").inner_text().split())
        row = guide.page.get_by_role("listitem").filter(has=guide.page.get_by_text(guide.t("invite_open"))).filter(
            has_text="/ 5")
        guide.button("doTo", row, action=guide.t("revoke")).click()
        sure(guide, "revoke")
        guide.page.get_by_text(guide.t("invite_revoked")).first.wait_for()
        refused = at.nodes[2].ask("join", other, "--name", "west", seconds=90)
        expect(refused.code == "revoked", f"a revoked code is refused with '{refused.code}': {refused.text[:200]}")
        # One that got about: who came by it goes with it.
        guide.field("uses").fill("7")
        guide.button("makeCode").click()
        wait_until(lambda: "".join(guide.page.locator(".code").inner_text().split()) != other, 20, "a third code is shown")
        at.nodes[2].must("join", "".join(guide.page.locator(".code").inner_text().split()), "--name", "west", seconds=90)
        guide.page.get_by_role("rowheader", name="west").wait_for()
        row = guide.page.get_by_role("listitem").filter(has_text="/ 7")
        guide.button("doTo", row, action=guide.t("revoke")).click()
        guide.role("combobox", "cameBy").select_option(label=guide.t("cameAll"))
        sure(guide, "revoke")
        guide.page.get_by_role("rowheader", name="west").wait_for(state="detached")
        expect(all(row["name"] != "west" for row in at.nodes[0].members()), "west is a member all the same")


@case
def network_of_ones_own(context: Context) -> None:
    """The guide turns a network of its own on and off, and saves a card for newcomers with it."""
    with stage(context, "Network", members=2) as at, Networks(at.lab.hosts[0], card(network="Hotel")):
        guide, status = at.screen(0), lambda: at.nodes[0].must("hotspot", "status").first
        guide.enter("guide")
        guide.page.get_by_text("Hotel").wait_for()
        guide.button("wifiOn").click()
        guide.page.get_by_role("img", name=guide.t("wifiCode")).wait_for()
        served = status()
        expect(served["state"] == "on", f"it is {served}")
        for shown in (served["name"], served["password"]):
            expect(guide.page.get_by_text(shown, exact=True).is_visible(), f"'{shown}' is not shown")
        with guide.page.expect_download() as saved:
            guide.button("printCard").click()
        expect(saved.value.path().read_bytes().startswith(b"%PDF-"), "the card is no PDF")
        guide.button("wifiOff").click()
        guide.button("wifiOn").wait_for()
        expect(status()["state"] == "off", "it is still on")
