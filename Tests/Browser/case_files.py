"""Goal: pictures and files go from page to page whole; what breaks off leaves nothing.
Method: two pages at two nodes; uploads slowed down by the browser itself."""
from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path

from cases import Context, case, expect
from nodes import Node, wait_until
from photos import plain_png
from screen import Screen
from stage import stage

COLOUR = (200, 90, 30)


def attach(screen: Screen, *paths: Path) -> None:
    with screen.page.expect_file_chooser() as chooser:
        screen.button("attach").click()
    chooser.value.set_files([str(path) for path in paths])


def colour_of(screen: Screen, selector: str) -> list[int]:
    """The colour in the middle of a picture."""
    return list(screen.page.evaluate("""async (selector) => {
        const image = document.querySelector(selector);
        await image.decode();
        const canvas = document.createElement('canvas');
        Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return [...context.getImageData(image.naturalWidth >> 1, image.naturalHeight >> 1, 1, 1).data.slice(0, 3),
            image.naturalWidth, image.naturalHeight];
    }""", selector))


def same_colour(found: list[int]) -> bool:
    return all(abs(a - b) < 12 for a, b in zip(found, COLOUR))


@case
def picture(context: Context) -> None:
    """A picture chosen in one page shows small in the other, and opens whole; pasted and dropped ones are sent as well."""
    with stage(context, "Picture", members=2) as at:
        north, east = at.screen(0), at.screen(1)
        north.enter()
        east.enter()
        path = plain_png(at.lab.home / "harbour.png", 1200, 900, COLOUR)
        attach(north, path)
        north.write("The harbour")
        small = east.page.get_by_role("article").filter(has_text="The harbour").locator("img")
        small.wait_for()
        found = colour_of(east, "article img")
        expect(same_colour(found), f"the small picture has the colour {found[:3]}")
        east.button("openPicture", name="The harbour").click()
        east.page.get_by_role("dialog").locator("img").wait_for()
        whole = colour_of(east, "dialog img")
        expect(same_colour(whole) and whole[3:] == [1200, 900], f"the whole picture is {whole}")
        east.page.keyboard.press("Escape")
        give(north, path, "paste", "pasted.png")
        north.page.get_by_text("pasted.png").wait_for()
        north.page.keyboard.press("Enter")
        give(east, path, "drop", "dropped.png")
        east.page.get_by_text("dropped.png").wait_for()
        east.page.keyboard.press("Enter")
        for screen in (north, east):
            screen.until(lambda screen=screen: screen.page.locator("article img").count() == 3, "all three pictures show")


def give(screen: Screen, path: Path, how: str, name: str) -> None:
    """Pastes or drops a picture, as a person does from another program."""
    screen.page.evaluate("""async ([how, name, bytes]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name, { type: 'image/png' }));
        const target = document.querySelector('section textarea');
        target.focus();
        target.dispatchEvent(how === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }""", [how, name, base64.b64encode(path.read_bytes()).decode()])


@case
def download(context: Context) -> None:
    """A file sent in one page is downloaded in the other as it was, under its name, and listed in the Files view."""
    with stage(context, "Download", members=2) as at:
        north, east = at.screen(0), at.screen(1)
        north.enter()
        east.enter()
        path = at.lab.home / "route plan.gpx"
        path.write_bytes(os.urandom(700_000))
        attach(north, path)
        north.button("send").click()
        item = east.page.get_by_role("article").get_by_role("button").filter(has_text="route plan.gpx")
        item.wait_for()
        with east.page.expect_download() as download:
            item.click()
        expect(download.value.suggested_filename == path.name, f"it is named {download.value.suggested_filename!r}")
        expect(digest(Path(download.value.path())) == digest(path), "what was downloaded is something else")
        east.go("files")
        east.sees("route plan.gpx").wait_for()


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def stored(node: Node) -> set[str]:
    """The files of the data directory, but for the database's own."""
    return {str(path.relative_to(node.data)) for path in node.data.rglob("*")
            if path.is_file() and ".sqlite" not in path.name}


@case
def reload_during_upload(context: Context) -> None:
    """A reload or a cancel in the middle of an upload leaves nothing behind and sends nothing; the next one goes through."""
    with stage(context, "Upload", members=2) as at:
        north, node = at.screen(0), at.nodes[0]
        north.enter()
        before = stored(node)
        path = at.lab.home / "film.bin"
        path.write_bytes(os.urandom(3_000_000))
        throttle(north, 400_000)
        for leave in ("reload", "cancel"):
            attach(north, path)
            north.button("send").click()
            bar = north.page.get_by_role("progressbar")
            bar.first.wait_for()
            north.wait("document.querySelector('progress').value > 0.1")
            if leave == "reload":
                north.page.reload()
                north.nav("chat").wait_for()
                throttle(north, 400_000)
            else:
                north.button("cancel").last.click()
            bar.wait_for(state="detached")
            wait_until(lambda: stored(node) == before, 20, "nothing is left of the upload")
            expect(not node.must("files").lines, f"after {leave} a file was sent")
        throttle(north, 0)
        attach(north, path)
        north.button("send").click()
        wait_until(lambda: [f for f in at.nodes[1].must("files").lines if f.get("complete")], 60, "the next one arrives")


def throttle(screen: Screen, bytes_per_second: int) -> None:
    """Slows the page's uploads down; 0: no more."""
    session = screen.cdp()
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second or -1})
