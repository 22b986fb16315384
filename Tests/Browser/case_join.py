"""Goal: somebody new is in the tour with nothing but the page and a code, however the code comes.
Method: a node that is in no tour yet, and its page; the code typed, photographed, and before a camera."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browsers
from cases import Context, case, expect
from nodes import Node, wait_until
from photos import drawn_code, film_of, photo_of, plain_png
from screen import Screen
from stage import Stage, stage


@contextmanager
def newcomer(context: Context, tour: str, camera: bool = False) -> Iterator[tuple[Stage, Screen, Path]]:
    """A tour of two nodes, and the page of a third, new one, that asks for a code; and a photo of that code."""
    with stage(context, tour, members=2) as at:
        node = at.stranger("newcomer", 2)
        folder = node.home / "photos"
        folder.mkdir(exist_ok=True)
        photo = folder / "photo.jpg"
        drawn_code(at.nodes[0], folder / "code.png")
        photo_of(folder / "code.png", photo)
        if not camera:
            screen = at.screen(2, node=node)
            screen.enter()
            by_code(screen)
            yield at, screen, photo
            return
        film = film_of(photo, folder / "film.y4m")
        browser = browsers.launch(at.lab.hosts[2], camera=film)
        try:
            screen = at.screen(2, node=node, browser=browser, permissions=["camera"])
            screen.enter()
            by_code(screen)
            yield at, screen, photo
            screen.expect_clean()
        finally:
            browser.close()


def by_code(screen: Screen) -> None:
    """Unfolds the way by a code."""
    screen.role("heading", "byCode").click()


def code_field(screen: Screen) -> str:
    field = screen.field("code")
    screen.until(field.input_value, "the code is filled in")
    return field.input_value()


def join_and_see(screen: Screen, node: Node, guide: Node, tour: str) -> None:
    """Joins by the code in the field, and finds the tour in the page and the member at the guide."""
    screen.button("joinNow").click()
    screen.page.get_by_role("button", name=tour).wait_for()
    screen.nav("chat").wait_for()
    wait_until(lambda: any(m["name"] == "newcomer" for m in guide.members()), 20, "the guide lists the newcomer")
    expect(node.must("tour", "list").first["name"] == tour, "the node is in another tour")


@case
def join_by_code(context: Context) -> None:
    """A code with a slip is refused in words before anything is asked; pasted right it joins, and both pages chat."""
    with newcomer(context, "By code") as (at, screen, _):
        code = str(at.nodes[0].must("tour", "invite").first["joinCode"])
        field = screen.field("code")
        field.fill(code[:20])
        screen.page.get_by_text(screen.pattern("codeLength")).wait_for()
        field.fill(code.replace(code[3], "!", 1))
        screen.page.get_by_text(screen.pattern("oddLetter")).wait_for()
        swapped = code[:-1] + ("A" if code[-1] != "A" else "B")
        field.fill(swapped)
        screen.may("status of 4")
        screen.button("joinNow").click()
        told = screen.page.get_by_role("status").filter(has_text="mistyped").or_(
            screen.page.get_by_role("status").filter(has_text="code"))
        told.first.wait_for()
        expect(not screen.node.must("tour", "list").lines, "a mistyped code joined")
        field.fill(f"  {code.lower()}  ")
        join_and_see(screen, screen.node, at.nodes[0], "By code")
        screen.go("chat")
        screen.write("Here I am")
        wait_until(lambda: any(m["content"] == "Here I am" for m in at.nodes[0].messages()), 20, "the guide has it")
        at.nodes[0].send("Welcome")
        screen.says("Welcome").wait_for()


@case
def join_by_photo(context: Context) -> None:
    """A photo of the code, turned and a little blurred, gives the code; one with no code says so."""
    with newcomer(context, "By photo") as (at, screen, photo):
        with screen.page.expect_file_chooser() as chooser:
            screen.page.get_by_text(screen.t("scanPhoto"), exact=True).click()
        empty = photo.with_name("empty.png")
        chooser.value.set_files(plain_png(empty, 300, 200, (90, 120, 60)))
        screen.page.get_by_text(screen.t("noCode"), exact=True).first.wait_for()
        with screen.page.expect_file_chooser() as chooser:
            screen.page.get_by_text(screen.t("scanPhoto"), exact=True).click()
        chooser.value.set_files(photo)
        expect(code_field(screen).startswith("tour-chat://join/"), f"the photo gives {code_field(screen)[:60]!r}")
        join_and_see(screen, screen.node, at.nodes[0], "By photo")


@case
def join_by_camera(context: Context) -> None:
    """The code before the camera is read frame by frame; the camera is let go as soon as it is."""
    with newcomer(context, "By camera", camera=True) as (at, screen, _):
        screen.page.evaluate("""() => {
            const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
            navigator.mediaDevices.getUserMedia = async (wanted) => (window.__stream = await ask(wanted));
        }""")
        screen.button("scan").click()
        expect(code_field(screen).startswith("tour-chat://join/"), f"the camera gives {code_field(screen)[:60]!r}")
        screen.until(lambda: screen.page.evaluate("window.__stream.getTracks().every((t) => t.readyState === 'ended')"),
                     "the camera is off")
        expect(screen.page.get_by_role("dialog").count() == 0, "the camera's dialog is open still")
        join_and_see(screen, screen.node, at.nodes[0], "By camera")
