"""Goal: a message counts as read when it was displayed, and not before; who is lost is heard, and hears so.
Method: pages at nodes, with more unread than a window holds, in the background and in front; alarms and their answers."""
from __future__ import annotations

from case_guests import arrives, guests, new_phone
from cases import Context, case, expect
from history import write_history
from nodes import Node, Row, wait_until
from playwright.sync_api import Locator
from screen import PHONE, Screen
from stage import stage

UNREAD = 500


def states(node: Node, id: str) -> list[str]:
    return [str(row["state"]) for row in node.must("receipts", id).first["members"]]


def unread(node: Node) -> int:
    return int(node.must("tour", "list").first["unread"])


@case
def read_is_displayed(context: Context) -> None:
    """Of 500 unread the page begins at the first; its author sees no message read that was not on the screen."""
    with stage(context, "Displayed", members=2) as at:
        north, writer = at.screen(0), at.nodes[1]
        ids = write_history([writer], UNREAD)
        wait_until(lambda: unread(at.nodes[0]) == UNREAD, 60, "all are there and unread")
        north.enter("people")
        expect(unread(at.nodes[0]) == UNREAD, "another view reads messages")
        north.go("chat")
        north.message(ids[0]).wait_for()
        north.until(lambda: unread(at.nodes[0]) < UNREAD, "what is on the screen is read")
        shown = UNREAD - unread(at.nodes[0])
        expect(shown < 60, f"{shown} messages count as read that fit no screen")
        wait_until(lambda: states(writer, ids[0]) == ["read"], 30, "the author sees the first one read")
        for id in (ids[80], ids[250], ids[-1]):
            expect(states(writer, id) == ["delivered"], "a message that was never on the screen is said to be read")
        # She goes to the end, past hundreds that nobody saw.
        north.to_newest().click()
        north.message(ids[-1]).wait_for()
        north.until(lambda: unread(at.nodes[0]) < UNREAD - shown, "the newest are seen")
        left = unread(at.nodes[0])
        expect(left > UNREAD - 2 * 60, f"{UNREAD - left} messages count as read")
        north.wait("(left) => [...document.querySelectorAll('.newest')].some((el) => el.textContent.includes(left))", str(left))
        expect(states(writer, ids[250]) == ["delivered"] and states(writer, ids[-1]) == ["delivered"],
               "something behind the first unseen message is said to be read")
        north.page.reload()
        north.message(ids[shown]).wait_for()


@case
def not_read_behind_ones_back(context: Context) -> None:
    """A page that is not looked at, or that is in the background, reads nothing; two pages read together."""
    with stage(context, "Background", members=2) as at:
        north = at.screen(0)
        north.enter()
        other = north.another()
        other.enter("people")
        north.page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
        first = at.nodes[1].send("Who looks?")
        north.message(first).wait_for()
        wait_until(lambda: states(at.nodes[1], first) == ["delivered"], 20, "it is delivered")
        north.wait("() => new Promise((done) => setTimeout(() => done(true), 2000))")
        expect(unread(at.nodes[0]) == 1, "a window without the focus has read it")
        other.wait("document.title.startsWith('(')")
        north.page.evaluate("document.hasFocus = () => true; dispatchEvent(new Event('focus'))")
        wait_until(lambda: states(at.nodes[1], first) == ["read"], 20, "it is read once somebody looks")
        other.wait("!document.title.startsWith('(1)')")


@case
def asleep_for_an_hour(context: Context) -> None:
    """A page that sleeps for an hour reads nothing meanwhile; awake it has all of it, and reads what it shows."""
    with stage(context, "Asleep", members=2) as at:
        page, writer = at.screen(0), at.nodes[1]
        page.page.clock.install()
        page.enter()
        page.page.evaluate("""() => {
            Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
            Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }""")
        ids = [writer.send(f"meanwhile {number}") for number in range(5)]
        wait_until(lambda: unread(at.nodes[0]) == 5, 30, "all came")
        page.page.clock.fast_forward("01:00:00")
        page.message(ids[-1]).wait_for()
        page.page.clock.run_for(5_000)
        wait_until(lambda: states(writer, ids[-1]) != ["missing"], 30, "the author hears that they came")
        expect([states(writer, id) for id in ids] == [["delivered"]] * 5, "a page that sleeps is said to have read")
        expect(unread(at.nodes[0]) == 5, "a page that sleeps has read")
        page.page.evaluate("""() => {
            delete document.visibilityState;
            delete document.hidden;
            document.dispatchEvent(new Event('visibilitychange'));
        }""")

        def is_read() -> bool:
            page.page.clock.run_for(1_000)  # its clock stands still otherwise
            return unread(at.nodes[0]) == 0

        wait_until(is_read, 30, "awake it reads")
        wait_until(lambda: states(writer, ids[-1]) == ["read"], 30, "the author hears of it")


@case
def late_is_unread(context: Context) -> None:
    """What was written before and comes later is unread, though what follows was read; its author is told the truth."""
    with stage(context, "Late", members=3) as at:
        north, east, west = at.nodes
        east.stop()
        late = str(east.must("send", "Written out of reach").first["id"])
        newer = west.send("Said meanwhile")
        page = at.screen(0)
        page.enter()
        page.message(newer).wait_for()
        wait_until(lambda: unread(north) == 0, 20, "the newer one is read")
        page.go("people")
        east.start()
        wait_until(lambda: unread(north) == 1, 40, "the late one is unread")

        def at_north() -> Row:
            return next(row for row in east.must("receipts", late).first["members"] if row["name"] == "north")

        wait_until(lambda: at_north()["state"] != "missing", 40, "its author hears that north has it")
        expect(at_north()["state"] == "delivered", f"north is said to have read it: {at_north()}")
        page.go("chat")
        wait_until(lambda: at_north()["state"] == "read", 40, "it is read once it was displayed")


@case
def board_reads(context: Context) -> None:
    """What stood on the Board for a moment is read in Chat as well."""
    with stage(context, "Board reads", members=2) as at:
        east = at.screen(1)
        east.enter("people")
        # Not before: a page that opens may show it in Chat on its way to People.
        id = str(at.nodes[0].must("announce", "The bus leaves at five", "--no-wait").first["id"])
        wait_until(lambda: unread(at.nodes[1]) == 1, 20, "it is there")
        east.go("board")
        wait_until(lambda: states(at.nodes[0], id) == ["read"], 20, "it is read")
        wait_until(lambda: unread(at.nodes[1]) == 0, 20, "and counted as that")


def alarm(node: Node) -> Row:
    rows = node.must("alarms").first["alarms"]
    return rows[0] if rows else {}


@case
def lost(context: Context) -> None:
    """Two taps call the guide, whose banner stays in every view; the answer comes back, and found ends it for both."""
    with stage(context, "Lost", members=3) as at:
        guide, member, third = at.screen(0), at.screen(1), at.screen(2)
        for screen in (guide, member, third):
            screen.enter()
        member.page.locator("button.sos").click()
        sheet = member.page.get_by_role("dialog", name=member.t("lost"))
        sheet.get_by_role("textbox").fill("By the blue door")
        member.button("callGuides", sheet).click()
        shown = guide.page.locator(".banner").filter(has_text="By the blue door")
        shown.wait_for()
        shown.get_by_text(guide.t("isLost", name="east")).wait_for()
        for view in ("people", "board", "files", "notebook", "chat"):
            guide.go(view)
            expect(shown.is_visible(), f"the banner is gone in {view}")
        third.says("By the blue door").wait_for()
        expect(third.page.locator(".banner").count() == 0, "who cannot answer is asked")
        own = member.page.locator(".banner")
        own.get_by_text(member.t("guidesHave", have=1, n=1)).wait_for()
        own.get_by_text(member.t("noneAnswered")).wait_for()
        guide.button("answer_on-my-way", shown).click()
        own.get_by_text(member.t("said_on-my-way", name="north")).wait_for()
        expect(alarm(at.nodes[1])["answers"][0]["answer"] == "on-my-way", f"it is {alarm(at.nodes[1])}")
        guide.page.locator(".banner.known").wait_for()
        member.button("answer_found", own).click()
        for screen in (guide, member):
            screen.page.locator(".banner").wait_for(state="detached")
        # Called fifty times it is one alarm.
        for _ in range(50):
            at.nodes[2].must("lost", "--no-wait")
        guide.page.locator(".banner").first.wait_for()
        expect(guide.page.locator(".banner").count() == 1, "a call again is another alarm")
        expect(len([row for row in at.nodes[0].messages() if row["type"] == "alarm"]) == 2, "it was written again and again")
        at.nodes[0].must("found", "west")
        guide.page.locator(".banner").wait_for(state="detached")
        for node in (at.nodes[1], at.nodes[2]):
            answer = node.ask("alarms", "west" if node is at.nodes[1] else "east", "--coming")
            expect(answer.code == "not-allowed", f"a member answered: {answer}")


@case
def urgent_stays(context: Context) -> None:
    """What is urgent stands above every view until it is understood; the guide sees who has, and how many have a message."""
    with stage(context, "Urgent") as at:
        guide, member = at.screen(0), at.screen(1)
        guide.enter()
        member.enter("people")
        id = str(at.nodes[0].must("announce", "Everybody out", "--urgent").first["id"])
        banner = member.page.get_by_role("region", name=member.t("urgent"))
        banner.get_by_text("Everybody out").wait_for()
        for view in ("chat", "board", "files", "notebook", "status"):
            member.go(view)
            expect(banner.is_visible(), f"it is gone in {view}")
        member.page.reload()
        banner.get_by_text("Everybody out").wait_for()
        ring = guide.message(id).locator(".reach")
        guide.until(lambda: ring.inner_text() == "2/2", "both have it")
        guide.message(id).locator(".status").click()
        dialog = guide.page.get_by_role("dialog")
        member.button("understood").click()
        banner.wait_for(state="detached")
        dialog.get_by_role("listitem").filter(has_text="east").get_by_text(guide.t("understood")).wait_for()
        expect(guide.page.get_by_role("region", name=guide.t("urgent")).count() == 0, "the guide is to understand itself")
        guide.page.keyboard.press("Escape")
        # Somebody who is not there is not counted as having it.
        at.nodes[2].stop()
        member.go("chat")
        later = at.nodes[1].send("Wait for me")
        guide.message(later).wait_for()
        member.until(lambda: member.message(later).locator(".reach").inner_text() == "1/2", "one of two has it")
        at.nodes[2].start()
        member.until(lambda: member.message(later).locator(".reach").inner_text() == "2/2", "the ring fills")


RED = "rgb(169, 32, 25)"  # --bad of both pages, by day
KEYBOARD = 300  # pixels of a phone's screen that a keyboard takes
CHAT_MIN = 170  # and those that the chat then has at least, with something urgent above it
# The height of what an element shows, and whether the whole of another one is on the screen.
HEIGHT = "(el) => el.getBoundingClientRect().height"
IS_SEEN = """(el) => {
    const { top, bottom, height } = el.getBoundingClientRect();
    const hit = document.elementFromPoint(innerWidth / 2, (top + bottom) / 2);
    return height > 0 && top >= 0 && bottom <= innerHeight && Boolean(hit);
}"""


def urgent_banner(page: Screen) -> Locator:
    return page.page.get_by_role("region", name=page.t("urgent"), exact=True)


@case
def urgent_is_one(context: Context) -> None:
    """Of several urgent ones the newest stands there, with the number of the others, in one colour on both pages; who
    comes in later is not greeted by them."""
    with guests(context, "Urgent one", own=True) as (at, phone):
        guide, member = at.nodes[0], at.screen(1)
        member.enter("people")
        for text in ("To the gate", "To the bus", "To the ferry"):
            guide.must("announce", text, "--urgent", "--no-wait")
        row = arrives(at.nodes[1], "To the ferry")
        expect(row["metadata"]["expiresAt"] is not None, "it has no end")
        for page in (phone, member):
            banner = urgent_banner(page)
            banner.get_by_text("To the ferry").wait_for()
            banner.get_by_text(page.pattern("moreUrgent", n=2)).wait_for()
            expect(banner.count() == 1, f"{banner.count()} banners are there")
            colour = banner.evaluate("(el) => getComputedStyle(el).backgroundColor")
            expect(colour == RED, f"what is urgent is {colour}")
            for text in ("To the bus", "To the gate"):
                page.button("understood", banner).click()
                banner.get_by_text(text).wait_for()
        late = new_phone(at, phone.link)
        late.come_in("Ben")
        late.write("I am new")
        late.has_sent("I am new")
        late.page.locator("button.next").wait_for()
        expect(urgent_banner(late).count() == 0, "somebody new is greeted by what was before")
        guide.must("announce", "To the boat", "--urgent", "--no-wait")
        urgent_banner(late).get_by_text("To the boat").wait_for()


@case
def urgent_is_corrected(context: Context) -> None:
    """What the guide says anew takes the place of what it said before; the guide sees first who has not understood."""
    with guests(context, "Urgent corrected", own=True) as (at, phone):
        guide, member = at.screen(0), at.screen(1)
        guide.enter()
        member.enter("people")

        def announce(text: str) -> None:
            guide.button("announce").click()
            guide.page.get_by_role("textbox", name=guide.t("write")).fill(text)
            guide.page.get_by_role("checkbox", name=guide.t("urgent"), exact=True).check()
            guide.button("send").click()

        announce("The bus leaves at 17:10")
        for page in (phone, member):
            urgent_banner(page).get_by_text("at 17:10").wait_for()
        guide.until(lambda: guide.page.evaluate("async () => (await import('/state.js')).state.urgent.length") == 1,
                    "the guide's page knows of it")
        announce("No: at 17:30")
        for page in (phone, member):
            banner = urgent_banner(page)
            banner.get_by_text("No: at 17:30").wait_for()
            expect(banner.get_by_text(page.pattern("moreUrgent")).count() == 0, "the first one stands as well")
        row = arrives(at.nodes[1], "No: at 17:30")
        expect(not any(one["content"] == "The bus leaves at 17:10" for one in at.nodes[1].messages()), "it was not withdrawn")
        member.button("understood", urgent_banner(member)).click()
        guide.message(str(row["id"])).locator(".status").click()
        dialog = guide.page.get_by_role("dialog")
        first = dialog.get_by_role("heading", level=3).first
        guide.until(lambda: first.inner_text() == guide.t("notUnderstood", n=1), "who has not understood comes first")
        expect("Anna" in dialog.get_by_role("list").first.inner_text(), "somebody else has not understood")
        guide.page.keyboard.press("Escape")
        guide.go("board")
        card = guide.page.locator("li.card").filter(has_text="No: at 17:30")
        card.locator("summary").click()
        card.get_by_text(guide.pattern("notUnderstoodBy")).filter(has_text="Anna").wait_for()


@case
def urgent_beside_a_keyboard(context: Context) -> None:
    """With a keyboard on a phone's screen something urgent can be answered, and the chat be read and written, on both
    pages."""
    with guests(context, "Keyboard", own=True) as (at, phone):
        guide, member = at.nodes[0], at.screen(1, size=PHONE)
        write_history([guide], 30)
        member.enter("chat")
        for text in ("To the gate, all of you, at once, since it closes before the others come", "To the ferry"):
            guide.must("announce", text, "--urgent", "--no-wait")
        guide.must("meet", "Fountain, in 20 min")
        for page in (phone, member):
            page.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            urgent_banner(page).get_by_text("To the ferry").wait_for()
            box = page.page.get_by_role("textbox", name=page.t("write"))
            box.click()
            page.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1] - KEYBOARD})
            scroll = page.page.locator(".scroll")
            page.until(lambda: scroll.evaluate(HEIGHT) >= CHAT_MIN, f"the chat has {CHAT_MIN} pixels")
            expect(box.evaluate(IS_SEEN), "where one writes is behind the keyboard")
            expect(page.button("understood", urgent_banner(page)).evaluate(IS_SEEN), "it cannot be answered")
            box.fill("I write")
            page.button("send").click()
            page.page.get_by_text("I write", exact=True).last.wait_for()
            page.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            page.until(lambda: not page.page.evaluate("document.documentElement.classList.contains('typing')"), "it is gone")
