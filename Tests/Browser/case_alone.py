"""Goal: a person who is ashamed reaches the guides alone, from either page; while only guides write, nothing else can be
sent, and what can still go is said; who wants to hear only what is urgent hears only that.
Method: a guest's phone at a guide's device and the page of a member without a rank, both at phone size."""
from __future__ import annotations

from case_guests import LISTEN, arrives, guests
from cases import Context, case, expect
from nodes import Node, Row, wait_until
from screen import PHONE
from stage import stage


def alone(row: Row) -> str:
    """The person with whom the guides speak in this message."""
    return str(row["metadata"].get("alone", {}).get("name", ""))


def open_alarms(node: Node) -> list[tuple[str, bool]]:
    return [(row["name"], row["guidesOnly"]) for row in node.must("alarms").first["alarms"] if row["open"]]


def texts(node: Node) -> set[str]:
    return {str(row["content"]) for row in node.messages()}


@case
def guest_alone(context: Context) -> None:
    """A guest says something to the guides alone, is answered so, and answers; a call for help goes to them alone."""
    with guests(context, "Guest alone") as (at, phone):
        guide, other = at.nodes[:2]
        phone.button("toGuides").click()
        phone.page.get_by_text(phone.t("aloneWhat")).wait_for()
        expect(phone.button("sendPicture").count() == 0, "a picture can be sent to the guides alone")
        phone.write("I am afraid of the boat")
        phone.has_sent("I am afraid of the boat")
        said = arrives(guide, "I am afraid of the boat")
        expect(alone(said) == "Anna", f"it came as {said}")
        expect(phone.button("toGuides").get_attribute("aria-pressed") == "false", "the next message is for them as well")
        phone.says("I am afraid of the boat").get_by_text(phone.t("toGuides")).wait_for()
        guide.must("send", "--alone", "Anna", "We take the bus", "--reply", said["id"])
        answer = phone.says("We take the bus")
        answer.get_by_text(phone.t("aloneYou")).wait_for()
        answer.get_by_role("button", name=phone.t("actions")).click()
        phone.button("reply", phone.sheet).click()
        phone.page.get_by_text(phone.t("aloneWhat")).wait_for()
        phone.write("Thank you")
        expect(alone(arrives(guide, "Thank you")) == "Anna", "the answer is for everybody")
        phone.button("toGuides").click()
        phone.composer.fill("I am still afraid")
        phone.again()
        phone.page.get_by_text(phone.t("aloneWhat")).wait_for()
        phone.composer.press("Enter")
        expect(alone(arrives(guide, "I am still afraid")) == "Anna", "the draft went to everybody")
        phone.write("Good morning all")
        arrives(other, "Good morning all")
        expect(not {"I am afraid of the boat", "We take the bus", "Thank you"} & texts(other), "another member reads it")
        phone.button("lost").click()
        phone.field("guidesOnly", phone.sheet).check()
        phone.button("callGuides", phone.sheet).click()
        phone.banner("lost").get_by_text(phone.t("guidesOnly")).wait_for()
        wait_until(lambda: open_alarms(guide) == [("Anna", True)], 30, "the guide is called")
        phone.write("Here I am")
        arrives(other, "Here I am")
        expect(open_alarms(other) == [], "a member sees the call")
        phone.button("answer_found", phone.banner("lost")).click()
        wait_until(lambda: open_alarms(guide) == [], 30, "it is over")


@case
def guest_quiet(context: Context) -> None:
    """While only guides write a guest's page says so at once, sends to them alone, and goes on as before afterwards; with
    sound for urgent things only a roll call is silent."""
    with guests(context, "Guest quiet") as (at, phone):
        guide, other = at.nodes[:2]
        guide.must("quiet", "on")
        phone.page.get_by_text(phone.t("quietNow")).wait_for()
        expect(phone.button("toGuides").is_disabled(), "a guest can choose everybody")
        phone.write("May I ask something?")
        expect(alone(arrives(guide, "May I ask something?")) == "Anna", "it went to everybody")
        told = guide.send("In ten minutes")
        phone.says("In ten minutes").wait_for()
        wait_until(lambda: told in {row["id"] for row in other.messages()}, 30, "the member has the guide's message")
        expect("May I ask something?" not in texts(other), "a member reads it")
        guide.must("quiet", "off")
        phone.page.get_by_text(phone.t("quietNow")).wait_for(state="hidden")
        phone.write("For everybody")
        arrives(other, "For everybody")
        phone.menu("mute")
        phone.page.evaluate(LISTEN)
        guide.must("roll", "call", "At the bus", "--for", "5m")
        phone.banner("roll").wait_for()
        expect(phone.page.evaluate("self.heard") == [], "a roll call is heard")
        guide.must("announce", "Everybody out", "--urgent")
        phone.until(lambda: "tone" in phone.page.evaluate("self.heard"), "what is urgent is heard")


@case
def member_alone(context: Context) -> None:
    """A member's page at phone size: a word to the guides alone, their answer by the guide's page, and a quiet."""
    with stage(context, "Member alone", members=3) as at:
        guide, member, third = at.nodes
        page, lead = at.screen(1, size=PHONE), at.screen(0, size=PHONE)
        page.enter()
        lead.enter()
        page.button("toGuides").click()
        page.sees(page.t("aloneWhat")).wait_for()
        page.write("I feel sick")
        expect(alone(arrives(guide, "I feel sick")) == member.name, "it came as another")
        page.says("I feel sick").get_by_text(page.t("toGuides")).wait_for()
        lead.says("I feel sick").get_by_text(lead.t("toGuides")).wait_for()
        lead.act_on("I feel sick", "reply")
        lead.sees(lead.pattern("aloneToWhat", name=member.name)).wait_for()
        lead.write("I come to you")
        page.says("I come to you").get_by_text(page.t("aloneYou")).wait_for()
        lead.go("guide")
        lead.button("quietOn").click()
        lead.sees(lead.pattern("quietBy", name=guide.name)).first.wait_for()
        page.sees(page.t("quietNow")).wait_for()
        for key in ("attach", "announce"):
            expect(page.button(key).count() == 0, f"a member has '{page.t(key)}' in a quiet")
        page.write("When do we eat?")
        expect(alone(arrives(guide, "When do we eat?")) == member.name, "it went to everybody")
        told = guide.send("Soon")
        wait_until(lambda: told in {row["id"] for row in third.messages()}, 30, "the third has the guide's message")
        expect(not {"I feel sick", "I come to you", "When do we eat?"} & texts(third), "another member reads it")
        lead.button("quietOff").click()
        page.sees(page.t("quietNow")).wait_for(state="hidden")
        # A draft for the guides alone is for them after a reload, too.
        page.button("toGuides").click()
        page.composer.fill("I feel sick again")
        page.page.reload()
        page.sees(page.t("aloneWhat")).wait_for()
        expect(page.composer.input_value() == "I feel sick again", "the draft is gone")
        page.composer.press("Enter")
        expect(alone(arrives(guide, "I feel sick again")) == member.name, "the draft went to everybody")
        page.write("Everybody again")
        arrives(third, "Everybody again")
        expect(not page.overflow(), f"it is wider than the screen: {page.overflow()}")
