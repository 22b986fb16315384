"""Goal: what is written in one page is read in the other, and each page says what is true of it.
Method: two pages at two nodes; a third node that comes and goes."""
from __future__ import annotations

from cases import Context, case, expect
from history import write_history
from nodes import wait_until
from playwright.sync_api import Route
from screen import Screen
from stage import stage


@case
def chat(context: Context) -> None:
    """Both write, both read; a message's status goes from nobody to everybody read it, live."""
    with stage(context, "Chat") as at:
        north, east = at.screen(0), at.screen(1)
        west = at.nodes[2]
        north.enter()
        east.enter()
        north.write("From north to east")
        east.says("From north to east").wait_for()
        east.write("And back")
        north.says("And back").wait_for()
        west.must("messages", "--mark-read")
        north.status_of("From north to east", "read").wait_for()
        west.stop()
        at.nodes[1].stop()
        for pattern in ("ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY", "status of 5", "network error"):
            east.may(pattern)
        north.write("Is anybody there?")
        north.status_of("Is anybody there?", "pending").wait_for()
        at.nodes[1].start()
        north.status_of("Is anybody there?", "sent").wait_for()
        east.says("Is anybody there?").wait_for()
        east.go("people")
        west.start()
        north.status_of("Is anybody there?", "delivered").or_(north.status_of("Is anybody there?", "read")).wait_for()
        east.go("chat")
        west.must("messages", "--mark-read")
        north.status_of("Is anybody there?", "read").wait_for()


@case
def receipts(context: Context) -> None:
    """A tap on the status says by name who is missing, who has it and who read it, and changes while it is open."""
    with stage(context, "Receipts") as at:
        north, west = at.screen(0), at.nodes[2]
        west.stop()
        north.enter()
        north.write("Who has this?")
        north.says("Who has this?").get_by_role("button", name=north.pattern("is_sent")).click()
        sheet = north.page.get_by_role("dialog", name=north.t("receipts"))
        sheet.get_by_text(north.t("haveIt", delivered=1, n=2, read=0)).wait_for()
        expect(listed(north, "has_missing", 1) == ["west"], "west is not the one who is missing")
        expect(listed(north, "has_delivered", 1) == ["east"], "east is not the one who has it")
        at.nodes[1].must("messages", "--mark-read")
        sheet.get_by_text(north.t("haveIt", delivered=1, n=2, read=1)).wait_for()
        west.start()
        sheet.get_by_text(north.t("haveIt", delivered=2, n=2, read=1)).wait_for()
        north.page.keyboard.press("Escape")
        sheet.wait_for(state="detached")


def listed(screen: Screen, key: str, count: int) -> list[str]:
    """The names below a heading of the receipts."""
    heading = screen.role("heading", key, n=count)
    return heading.locator("xpath=following-sibling::*[1]").get_by_role("listitem").locator("bdi").all_inner_texts()


@case
def reply_and_withdraw(context: Context) -> None:
    """A reply quotes what it answers, and leads back to it; what is withdrawn is gone in both pages."""
    with stage(context, "Reply", members=2) as at:
        north, east = at.screen(0), at.screen(1)
        north.enter()
        east.enter()
        north.write("Where do we eat?")
        east.act_on("Where do we eat?", "reply")
        east.write("At the harbour")
        answer = north.says("At the harbour")
        answer.get_by_role("button", name="Where do we eat?").click()
        north.page.locator("article:focus").get_by_text("Where do we eat?", exact=True).wait_for()
        north.act_on("Where do we eat?", "withdraw")
        north.button("withdraw", north.page.get_by_role("dialog").last).click()
        for screen in (north, east):
            screen.page.get_by_role("article").filter(has_text=screen.t("withdrawn")).first.wait_for()
            screen.until(lambda screen=screen: screen.says("Where do we eat?").count() == 0, "its text is gone")


@case
def early(context: Context) -> None:
    """Who asks for the chat while the page is still starting is shown it."""
    with stage(context, "Early", members=2) as at:
        north = at.screen(0)
        held: list[Route] = []
        north.page.route("**/chat/chat.js", lambda route: held.append(route))
        north.page.goto(north.address, wait_until="commit")
        north.wait("document.title.includes('Early')")
        north.until(lambda: held, "the page asks for its chat")
        north.page.evaluate("""() => new Promise((resolve) => {
            addEventListener('hashchange', () => setTimeout(resolve));
            location.hash = '#/chat';
        })""")
        for route in held:
            route.continue_()
        at.nodes[1].send("Here at once")
        north.says("Here at once").wait_for()
        north.write("Seen")


@case
def unread(context: Context) -> None:
    """What came while another view was shown is counted in the title and the navigation, and no more once it was seen."""
    with stage(context, "Unread", members=2) as at:
        north = at.screen(0)
        north.enter("people")
        others = sum(row["unread"] for row in at.nodes[0].must("tour", "list").lines)
        for number in range(3):
            at.nodes[1].send(f"Unseen {number}")
        north.wait("(n) => document.title.startsWith(`(${n})`)", others + 3)
        north.nav("chat").filter(has_text="3").wait_for()
        row = at.nodes[0].must("tour", "list").first
        expect(row["unread"] == 3, f"the node counts {row['unread']} unread messages, not 3")
        north.go("chat")
        north.page.get_by_text(north.t("new"), exact=True).wait_for()
        north.wait("(n) => document.title.startsWith(n ? `(${n})` : 'Unread')", others)
        wait_until(lambda: at.nodes[0].must("tour", "list").first["unread"] == 0, 20, "the node counts them as read")


@case
def first_new(context: Context) -> None:
    """Who comes back to more than the window holds begins at the first that is new; else at the end, in tall windows too."""
    with stage(context, "First new", members=2) as at:
        write_history([at.nodes[1]], 60)
        north = at.screen(0)
        north.enter()
        first = north.says("Message 0 of a long walk")
        first.wait_for()
        north.until(lambda: 0 < (first.bounding_box() or {"y": 0})["y"] < 500, "the first that is new is in sight")
        north.to_newest().filter(has_text=north.pattern("unread")).click()
        last = north.says("Message 59 of a long walk")
        north.until(lambda: 0 < (last.bounding_box() or {"y": 0})["y"] < 2560, "the newest is in sight")
        at.nodes[0].must("messages", "--mark-read")
        north.until(lambda: at.nodes[0].must("tour", "list").first["unread"] == 0, "all count as read")
        tall = at.screen(0, size=(1440, 2560))
        tall.enter()
        tall.says("Message 0 of a long walk").wait_for(state="attached")
        last = tall.says("Message 59 of a long walk")
        tall.until(lambda: 0 < (last.bounding_box() or {"y": 0})["y"] < 2560, "the newest is in sight")


@case
def second_tab(context: Context) -> None:
    """A second tab, opened without the token, shows the same, each message once; both write."""
    with stage(context, "Two tabs", members=2) as at:
        first = at.screen(0)
        first.enter()
        second = first.another()
        second.page.goto(f"{first.origin}/")
        second.nav("chat").wait_for()
        first.write("From the first tab")
        second.says("From the first tab").wait_for()
        second.write("From the second tab")
        first.says("From the second tab").wait_for()
        at.nodes[1].send("From elsewhere")
        for screen in (first, second):
            screen.says("From elsewhere").wait_for()
            found = screen.page.get_by_role("article").count()
            expect(found == 3, f"a tab shows {found} messages, not 3")
        contents = [m["content"] for m in at.nodes[1].messages()]
        expect(sorted(contents) == sorted(set(contents)), f"a message was sent twice: {contents}")


@case
def reading_place(context: Context) -> None:
    """Who reads further up keeps the place when something comes, and gets to the newest by a button."""
    with stage(context, "Place", members=2) as at:
        last = write_history([at.nodes[1]], 150)[-1]
        wait_until(lambda: last in {row["id"] for row in at.nodes[0].messages()}, 60, "all are there")
        at.nodes[0].must("messages", "--mark-read")
        north = at.screen(0)
        north.enter()
        north.says("Message 149 of a long walk").wait_for()
        place = north.says("Message 110 of a long walk")
        place.scroll_into_view_if_needed()
        north.to_newest().wait_for()
        before = place.bounding_box()
        at.nodes[1].send("Something new below")
        north.until(lambda: at.nodes[0].must("tour", "list").first["unread"] >= 1, "it is counted as unread")
        north.to_newest().filter(has_text=north.pattern("unread")).wait_for()
        after = place.bounding_box()
        expect(before and after and abs(before["y"] - after["y"]) < 2, f"the place moved from {before} to {after}")
        north.to_newest().click()
        seen = north.says("Something new below")
        seen.wait_for()
        north.until(lambda: (seen.bounding_box() or {"y": 1e9})["y"] < 800, "the newest is on the screen")
