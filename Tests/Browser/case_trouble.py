"""Goal: whatever happens to the node or the history, the page goes on, misses nothing, and never grows without bound.
Method: nodes killed under their pages; histories far longer than a page may hold."""
from __future__ import annotations

from cases import Context, case, expect
from history import scroll_to_first, write_all, write_history
from nodes import wait_until
from playwright.sync_api import Locator
from screen import Screen
from stage import stage

HELD_MAX = 400  # messages in the document at once

# What the browser itself tells about a node that is gone.
GONE = ("ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY", "ERR_SOCKET", "status of 5")


def line(screen: Screen) -> Locator:
    """The line that says that the node does not answer."""
    return screen.page.get_by_text(screen.t("offline"), exact=True).first


@case
def node_killed(context: Context) -> None:
    """The node is killed under its page and comes back: the page says so, keeps what is written, reconnects, misses nothing."""
    with stage(context, "Killed") as at:
        north, node, other = at.screen(0), at.nodes[0], at.nodes[1]
        for pattern in GONE:
            north.may(pattern)
        north.enter()
        write_history([other], 30)
        north.says("Message 29 of a long walk").wait_for()
        address = north.address
        node.kill()
        line(north).wait_for()
        north.write("Written while the node was gone")
        failed = north.page.get_by_text(north.t("notSent")).first
        failed.wait_for()
        missed = [f"Missed {number}" for number in range(250)]
        write_all([other], missed)
        node.start()
        expect(node.ready["web"] == address, f"the page's address is another one: {node.ready['web']}")
        line(north).wait_for(state="hidden")
        north.says("Missed 249").wait_for()
        north.button("again").click()
        north.says("Written while the node was gone").wait_for()
        failed.wait_for(state="detached")
        expect(north.says("Written while the node was gone").count() == 1, "it was sent twice")
        wanted = [row["content"] for row in other.messages()]
        expect(set(missed) <= set(wanted), "the other node lacks messages of its own")
        gone_through = contents_upwards(north)
        lost = [text for text in wanted if text not in gone_through and text != "Written while the node was gone"]
        expect(not lost, f"the page shows {len(gone_through)} messages and lacks {len(lost)}: {lost[:3]}")


def contents_upwards(screen: Screen) -> set[str]:
    """The texts of all messages that one meets while scrolling up to the first."""
    return set(screen.page.evaluate("""async () => {
        const feed = document.querySelector('[role=feed]'), scroller = feed.parentElement, found = new Set();
        const note = () => feed.querySelectorAll('article .text').forEach((text) => found.add(text.textContent));
        const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
        for (let round = 0, still = 0; round < 200 && still < 40; round++) {
            note();
            const top = feed.querySelector('article')?.dataset.id;
            scroller.scrollTop = 0;
            await pause();
            still = top === feed.querySelector('article')?.dataset.id ? still + 1 : 0;
        }
        return [...found];
    }"""))


@case
def long_history(context: Context) -> None:
    """Thousands of messages (100,000 in a soak): the page holds few of them wherever one scrolls, searches and jumps."""
    count = context.times(100_000)
    context.repetitions = count
    with stage(context, "Long", members=2) as at:
        north = at.screen(0)
        ids = write_history([at.nodes[1], at.nodes[0]], count)
        wait_until(lambda: at.nodes[0].must("messages", "--limit", "1").lines[0]["id"] == ids[-1], 120, "north has all of them")
        north.enter()
        # The page may begin at the first that is new.
        north.until(lambda: is_on_screen(north.message(ids[-1])) or press(north.to_newest()), "the newest message is on the screen")
        most = scroll_to_first(north, count)
        expect(most <= HELD_MAX + 100, f"the page held {most} messages")  # and a page of them on its way out
        north.message(ids[0]).wait_for()
        nodes = north.page.evaluate("document.querySelectorAll('*').length")
        expect(nodes < 40 * HELD_MAX, f"the document has {nodes} elements")
        middle = count // 2
        north.button("search").click()
        sheet = north.page.get_by_role("dialog", name=north.t("search"))
        sheet.get_by_role("searchbox").fill(f"Message {middle} of a long walk")
        sheet.get_by_role("button").filter(has_text=f"Message {middle} of").first.click()
        found = north.message(ids[middle])
        found.wait_for()
        north.until(lambda: is_on_screen(found), "the found message is on the screen")
        north.to_newest().click()
        north.until(lambda: is_on_screen(north.message(ids[-1])), "the newest message is on the screen")
        held = north.page.get_by_role("article").count()
        expect(held <= HELD_MAX, f"the page holds {held} messages")
        last = at.nodes[1].send("One more")
        north.until(lambda: is_on_screen(north.message(last)), "what comes now is on the screen")


def press(button: Locator) -> None:
    """Presses a button if it is there, and does not wait for it."""
    button.evaluate_all("(all) => all.forEach((button) => button.click())")


def is_on_screen(element: Locator) -> bool:
    """Asked in one go: the page may let the element go meanwhile."""
    return bool(element.evaluate_all("""(all) => all.some((el) => {
        const { top, bottom } = el.getBoundingClientRect();
        return top < innerHeight && bottom > 0;
    })"""))


@case
def live_flood(context: Context) -> None:
    """While thousands of messages come, an open page stays bounded, at the end, and answers."""
    count = context.times(20_000)
    context.repetitions = count
    with stage(context, "Flood", members=2) as at:
        north = at.screen(0)
        north.enter()
        last = write_history([at.nodes[1]], count)[-1]
        north.message(last).wait_for(timeout=120_000)
        held = north.page.get_by_role("article").count()
        expect(held <= HELD_MAX, f"the page holds {held} messages")
        north.until(lambda: is_on_screen(north.message(last)), "the last one is on the screen")
        north.write("Still here")
        north.says("Still here").wait_for()
