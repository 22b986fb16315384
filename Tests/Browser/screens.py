"""Pictures of every view for a person to look at: `python Tests/Browser --screenshots DIR`."""
from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

from cases import Context
from case_everybody import settled
from furnish import VIEWS, furnish
from phone import Phone, open_door
from screen import DESKTOP, NARROW, PHONE, Screen
from stage import Stage

SIZES = {"phone": PHONE, "desktop": DESKTOP}
PHONES = {"phone": PHONE, "small": NARROW}


def take_all(directory: Path) -> None:
    """Every view and some dialogs, light and dark, on a phone and a desktop, in English, Arabic and Japanese."""
    directory.mkdir(parents=True, exist_ok=True)
    stage = Stage(Context(Fraction(1, 20), random.Random(1), directory / "logs"), 3)
    try:
        stage.tour("Coast walk")
        furnish(stage)
        stranger = stage.stranger("newcomer", 2)
        for language in ("en", "ar", "ja"):
            screen = stage.screen(0, language=language)
            screen.enter()
            for scheme in ("light", "dark"):
                for name, size in SIZES.items():
                    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
                    screen.page.emulate_media(color_scheme=scheme)
                    for view in [*VIEWS, "invite"]:
                        screen.go(view)
                        take(screen, directory / f"{language}-{view}-{scheme}-{name}.png")
                    dialogs(screen, directory, f"{language}-{{}}-{scheme}-{name}.png")
                    notebook(screen, directory, f"{language}-{{}}-{scheme}-{name}.png")
            screen.close()
            stage.screens.remove(screen)
            join = stage.screen(2, node=stranger, language=language)
            join.enter()
            for scheme in ("light", "dark"):
                for name, size in SIZES.items():
                    join.page.set_viewport_size({"width": size[0], "height": size[1]})
                    join.page.emulate_media(color_scheme=scheme)
                    take(join, directory / f"{language}-join-{scheme}-{name}.png")
            join.close()
            stage.screens.remove(join)
        guests(stage, directory)
        stage.clear()
    finally:
        stage.close()
    print(f"{len(list(directory.glob('*.png')))} pictures are in {directory}")


def take(screen: Screen, path: Path) -> None:
    settled(screen)
    screen.page.screenshot(path=path)


def guests(stage: Stage, directory: Path) -> None:
    """The page of a phone without the app: before one is in, the chat, and what the menu opens."""
    link = open_door(stage.nodes[0])
    for language in ("en", "ar", "ja"):
        phone = Phone(stage.browser(2), stage.nodes[0], link, language=language)
        stage.screens.append(phone)
        phone.scan()
        phone.is_let(phone.field("yourName"))
        looks(phone, directory, f"{language}-guest-entry")
        phone.field("yourName").fill("Zoe")
        phone.button("comeIn").click()
        phone.is_let(phone.composer)
        phone.write(f"Is there time for a coffee? ({language})")
        phone.has_sent(f"({language})")
        # Whoever comes in is not greeted by what was urgent before.
        stage.nodes[0].must("announce", "The ferry leaves at five", "--urgent", "--no-wait")
        stage.nodes[0].must("send", "--file", str(stage.lab.home / "sent" / "tickets.txt"))
        stage.nodes[0].must("itinerary", "add", "Tuesday", f"Tea ({language})", "--at", "48.8606,2.3376")
        stage.nodes[0].must("itinerary", "publish", "Tuesday")
        phone.banner("urgent").wait_for()
        looks(phone, directory, f"{language}-guest-chat")
        phone.button("understood", phone.banner("urgent")).click()
        phone.banner("urgent").wait_for(state="detached")
        looks(phone, directory, f"{language}-guest-calm")
        for key in ("kind_meeting", "programme", "people", "search", "keptFiles", "about"):
            phone.menu(key)
            looks(phone, directory, f"{language}-guest-{key.removeprefix('kind_')}")
            phone.page.keyboard.press("Escape")
        phone.page.locator("button.file").first.click()
        looks(phone, directory, f"{language}-guest-file")
        phone.page.keyboard.press("Escape")
        phone.page.get_by_role("button", name=f"{phone.t('open')}: Tuesday").last.click()
        phone.sheet.locator(".stops").wait_for()
        looks(phone, directory, f"{language}-guest-itinerary")
        phone.page.keyboard.press("Escape")
        phone.close()
        stage.screens.remove(phone)


def looks(phone: Phone, directory: Path, start: str) -> None:
    """What is on the screen now, light and dark, on two sizes of phones."""
    for scheme in ("light", "dark"):
        for name, size in PHONES.items():
            phone.page.set_viewport_size({"width": size[0], "height": size[1]})
            phone.page.emulate_media(color_scheme=scheme)
            take(phone, directory / f"{start}-{scheme}-{name}.png")


def dialogs(screen: Screen, directory: Path, pattern: str) -> None:
    """The receipts of a message, what can be done with one, and the tours."""
    screen.go("chat")
    last = screen.page.get_by_role("article").filter(has_text="An answer of the guide").first
    for name in ("receipts", "actions", "tours"):
        if name == "receipts":
            last.get_by_role("button", name=screen.t("actions")).click()
            screen.button("receipts", screen.page.get_by_role("dialog").last).click()
            screen.page.get_by_role("dialog").get_by_role("heading", level=3).first.wait_for()
        elif name == "actions":
            last.get_by_role("button", name=screen.t("actions")).click()
        else:
            screen.page.get_by_role("button", name="Coast walk").first.click()
        screen.page.get_by_role("dialog").last.wait_for()
        take(screen, directory / pattern.format(f"dialog-{name}"))
        screen.page.keyboard.press("Escape")
        screen.page.get_by_role("dialog").wait_for(state="detached")


def notebook(screen: Screen, directory: Path, pattern: str) -> None:
    """An itinerary, the places on their plot, a note, and what is shared."""
    rows = {"itinerary": screen.node.must("itinerary", "list").lines, "note": screen.node.must("notes", "list").lines}
    for tab, page in (("itinerary", f"itinerary/{rows['itinerary'][0]['id']}"), ("places", "place"),
                      ("note", f"note/{rows['note'][0]['id']}"), ("shared", "shared")):
        screen.page.evaluate("(page) => { location.hash = `#/notebook/${page}`; }", page)
        take(screen, directory / pattern.format(f"notebook-{tab}"))
