"""Goal: the notebook is worked with in the page: itineraries put in order by hand and by keys, notes kept and printed.
Method: one page at the notebook's own node; what it did is read back from the node."""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from cases import Context, Unavailable, case, expect
from nodes import Node, wait_until
from photos import plain_png
from playwright.sync_api import Locator
from screen import PHONE, Screen
from stage import stage

STOPS = ["Tower", "River", "Museum", "Station"]


def order_at(node: Node, title: str) -> list[str]:
    return [str(stop["title"]) for stop in node.must("itinerary", "show", title).first["stops"]]


def order_in(screen: Screen) -> list[str]:
    return [text.strip() for text in screen.page.locator("ol li").get_by_role("heading").all_inner_texts()]


def grip_of(screen: Screen, stop: str) -> Locator:
    """What a stop is moved by; its name says where the stop is."""
    return screen.page.get_by_role("button", name=screen.pattern("nMove", title=stop))


def tab(screen: Screen, part: str) -> None:
    """Goes to a part of the notebook."""
    screen.role("link", f"tab_{part}", screen.role("navigation", "notebook")).click()


def expect_order(screen: Screen, title: str, wanted: list[str]) -> None:
    screen.until(lambda: order_in(screen) == wanted, f"the stops are {wanted}")
    wait_until(lambda: order_at(screen.node, title) == wanted, 20, f"the node has {wanted}")


@case
def itinerary_order(context: Context) -> None:
    """Stops are put into order by dragging, by arrow keys and by buttons; the node has it, a screen reader hears it."""
    with stage(context, "Order", members=1) as at:
        node, title = at.nodes[0], f"Day {context.random.randrange(10 ** 6)}"
        node.must("itinerary", "create", title)
        for stop in STOPS:
            node.must("itinerary", "add", title, stop)
        screen = at.screen(0)
        screen.enter("notebook")
        screen.page.get_by_role("link", name=title).click()
        screen.until(lambda: order_in(screen) == STOPS, "all stops are there")
        drag(screen, "Tower", "Museum")
        expect_order(screen, title, ["River", "Museum", "Tower", "Station"])
        screen.page.get_by_role("status").filter(
            has_text=screen.pattern("nMoved", title="Tower", n=3, all=4)).first.wait_for(state="attached")
        grip = grip_of(screen, "Tower")
        grip.focus()
        screen.page.keyboard.press("ArrowUp")
        expect_order(screen, title, ["River", "Tower", "Museum", "Station"])
        expect(grip.evaluate("(e) => e === document.activeElement"), "the grip lost the focus when its stop moved")
        screen.page.keyboard.press("ArrowUp")
        screen.page.keyboard.press("ArrowUp")  # it is the first already
        expect_order(screen, title, ["Tower", "River", "Museum", "Station"])
        screen.button("nDown", title="Tower").click()
        expect_order(screen, title, ["River", "Tower", "Museum", "Station"])


def drag(screen: Screen, what: str, onto: str) -> None:
    """Takes a stop by its grip, moves it past another one's middle, and lets go."""
    grip = grip_of(screen, what)
    grip.scroll_into_view_if_needed()
    start = grip.bounding_box()
    target = screen.page.locator("ol li").filter(has=screen.page.get_by_role("heading", name=onto)).bounding_box()
    assert start and target
    mouse = screen.page.mouse
    mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(start["x"] + start["width"] / 2, target["y"] + target["height"] * 0.8, steps=12)
    mouse.up()


@case
def itinerary_days(context: Context) -> None:
    """A stop wants neither coordinates nor a date: the day goes on, and stands once above the times; the PDF is in the
    order of the times."""
    if not shutil.which("pdftotext"):
        raise Unavailable("pdftotext is not installed (poppler-utils)")
    with stage(context, "Days", members=1) as at:
        node, title = at.nodes[0], f"Walk {context.random.randrange(10 ** 6)}"
        node.must("itinerary", "create", title)
        screen = at.screen(0, size=PHONE)
        screen.enter("notebook")
        screen.page.get_by_role("link", name=title).click()
        for stop, day, clock in (("Bazaar", "2031-05-01", "14:30"), ("Tower", None, "09:15"), ("Tea", None, ""),
                                 ("Harbour", "2031-05-02", "10:00")):
            screen.button("nAddStop").click()
            dialog = screen.page.get_by_role("dialog").last
            screen.field("nTitle", dialog).fill(stop)
            if day:
                screen.field("nDay", dialog).fill(day)
            screen.field("nClock", dialog).fill(clock)
            screen.button("save", dialog).click()
            dialog.wait_for(state="detached")
        screen.until(lambda: order_in(screen) == ["Bazaar", "Tower", "Tea", "Harbour"], "all stops are there")
        rows = screen.page.locator("ol.stops li").all_inner_texts()
        days = [sum(f"{number} May 2031" in row for row in rows) for number in (1, 2)]
        expect(days == [1, 1] and "14:30" in rows[0] and "9:15" in rows[1], f"the stops are {rows}")
        expect(not screen.overflow(), screen.overflow())
        with screen.page.expect_download() as download:
            screen.button("nPDF").click()
        printed = subprocess.run(["pdftotext", "-layout", str(Path(download.value.path())), "-"], capture_output=True,
                                 text=True, check=True).stdout
        found = [printed.find(word) for word in ("2031-05-01", "Tower", "Bazaar", "2031-05-02", "Harbour")]
        expect(-1 not in found and found == sorted(found), f"the PDF says {printed[:400]!r}")


@case
def tour_kept_as_a_file(context: Context) -> None:
    """The page saves the tour as one file with its messages and pictures, which runs nothing of what others wrote."""
    with stage(context, "Kept", members=2) as at:
        evil = '<img src=x onerror="window.__pwned=1">'
        at.nodes[1].send(evil)
        picture = plain_png(at.lab.home / "kept.png", 800, 600, (20, 90, 160))
        at.nodes[0].must("send", "--image", str(picture), "--caption", "The harbour")
        screen = at.screen(0, size=PHONE)
        screen.enter("status")
        wait_until(lambda: any(row["content"] == evil for row in at.nodes[0].must("messages").lines), 30, "it is here")
        with screen.page.expect_download() as download:
            screen.button("keepTour").click()
        path = Path(download.value.path())
        text = path.read_text()
        expect("&lt;img src=x" in text and evil not in text, "what others wrote is no text")
        reader = screen.context.new_page()
        reader.goto("about:blank")
        reader.set_content(text)
        shown = reader.locator("p img").or_(reader.locator("img"))
        expect(shown.count() == 1, f"{shown.count()} pictures are in it")
        wait_until(lambda: shown.evaluate("(el) => el.complete && el.naturalWidth") >= 800, 10, "the whole picture shows")
        expect(not reader.evaluate("'__pwned' in window"), "the file ran what somebody wrote")
        expect(not screen.overflow(), screen.overflow())
        reader.close()


@case
def note(context: Context) -> None:
    """A note written in the page is kept by itself, outlives a reload, and prints as a PDF that says the same."""
    if not shutil.which("pdftotext"):
        raise Unavailable("pdftotext is not installed (poppler-utils)")
    with stage(context, "Note", members=1) as at:
        node, screen = at.nodes[0], at.screen(0)
        title, text = f"Ferry {context.random.randrange(10 ** 6)}", "Leaves at nine from the third pier. \u00e9\u00df\u0421"
        screen.enter("notebook")
        tab(screen, "note")
        adder = screen.page.get_by_role("textbox", name=screen.t("nNewNote"))
        adder.fill(title)
        adder.press("Enter")
        field = screen.page.get_by_role("textbox", name=screen.t("kind_note"), exact=True)
        field.fill(text)
        wait_until(lambda: any((row["title"], row["content"]) == (title, text) for row in node.must("notes", "list").lines),
                   20, "the node keeps what was written")
        screen.page.get_by_role("status").filter(has_text=screen.t("saved")).first.wait_for()
        screen.page.reload()
        screen.until(lambda: field.count() and field.input_value() == text, "the text is there after a reload")
        with screen.page.expect_download() as download:
            screen.button("nPDF").click()
        path = Path(download.value.path())
        printed = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, text=True, check=True).stdout
        expect(title in printed and "third pier" in printed, f"the PDF says {printed[:200]!r}")


@case
def place(context: Context) -> None:
    """A place saved in the page is in the list and on the plot, and is found again by a word of it."""
    with stage(context, "Place", members=1) as at:
        node, screen = at.nodes[0], at.screen(0)
        title = f"Kiosk {context.random.randrange(10 ** 6)}"
        for number in range(12):
            node.must("places", "add", f"Place {number}", "--at", f"48.8{number},2.3")
        screen.enter("notebook")
        tab(screen, "place")
        screen.button("nAddPlace").click()
        sheet = screen.page.get_by_role("dialog")
        sheet.get_by_label(screen.t("nTitle"), exact=True).fill(title)
        sheet.get_by_label(screen.t("nAddress"), exact=True).fill("48.8584, 2.2945")
        screen.button("save", sheet).click()
        sheet.wait_for(state="detached")
        wait_until(lambda: any(row["title"] == title for row in node.must("places", "list").lines), 20, "the node has it")
        screen.go("notebook")
        tab(screen, "place")
        screen.page.get_by_role("link", name=title).first.wait_for()
        search = screen.page.get_by_role("searchbox", name=screen.t("search"))
        search.fill(title.split()[1])
        screen.until(lambda: screen.page.locator("main").get_by_role("listitem").count() == 1, "one place is found")
        svg = screen.page.locator("main svg").filter(has_text=title)
        expect(svg.count() == 1, "the place is not on the plot")
