"""Pictures of the tour's page, taken in a real Chromium on the hosts of the guide's and of a member's node."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browsers
from case_everybody import settled
from lab import run
from nodes import wait_until
from playwright.sync_api import Locator
from screen import Screen
from tour import BEN, DORA, GUEL, GUIDE, HERE, LAST, MORE, NAMES, NEAR, POSITIONS, Tour

LAPTOP, PHONE, SCALE = (1120, 830), (390, 780), 2
SCHEMES = ("light", "dark")
# The members that have read everything.
READERS = (GUIDE, BEN, DORA, GUEL)


class Camera:
    """Takes pictures at twice the size, and writes them small into a folder."""

    def __init__(self, directory: Path, scratch: Path) -> None:
        self.directory, self._scratch = directory, scratch

    def take(self, screen: Screen, name: str, part: Locator | None = None) -> None:
        """The screen, or a part of it, once nothing in it loads or moves any more."""
        self.settle(screen)
        raw = self._scratch / f"{name}.png"
        (part or screen.page).screenshot(path=raw, animations="disabled", caret="hide")
        run("vips", "pngsave", str(raw), str(self.directory / f"{name}.png"), "--strip", "--compression", "9",
            "--palette", "--bitdepth", "8", "--Q", "90", "--dither", "0.4", "--effort", "9")

    def both(self, screen: Screen, name: str) -> None:
        for scheme in SCHEMES:
            screen.page.emulate_media(color_scheme=scheme)
            self.take(screen, f"{name}-{scheme}")
        screen.page.emulate_media(color_scheme="light")

    def settle(self, screen: Screen) -> None:
        settled(screen)
        screen.wait("() => document.fonts.status === 'loaded' "
                    "&& [...document.images].every((image) => image.complete && image.naturalWidth)")
        overflow = screen.overflow()
        if overflow:
            raise AssertionError(f"something sticks out: {overflow}")


@contextmanager
def screen_of(tour: Tour, index: int, size: tuple[int, int]) -> Iterator[Screen]:
    """A page of a node in the tour's time zone; its browser ends with it, so that only one runs at a time."""
    browser = browsers.launch(tour.stage.lab.hosts[index])
    try:
        screen = tour.stage.screen(index, browser=browser, size=size, device_scale_factor=SCALE, timezone_id=tour.zone,
                                   geolocation={"latitude": HERE[0], "longitude": HERE[1]}, permissions=["geolocation"])
        screen.enter("chat")
        screen.sees(LAST).wait_for()
        yield screen
        screen.expect_clean()
        tour.stage.screens.remove(screen)
    finally:
        browser.close()


def take_all(tour: Tour, camera: Camera, announced: str) -> None:
    for index in READERS:
        tour.stage.nodes[index].must("messages", "--mark-read")
    wait_until(lambda: tour.guide.must("receipts", announced).first["counts"]["read"] == len(READERS) - 1, 60,
               "the guide knows who has read it")
    with screen_of(tour, GUEL, PHONE) as member:
        reached(member, announced)
        camera.both(member, "phone")
    with screen_of(tour, GUIDE, LAPTOP) as guide:
        reached(guide, announced)
        camera.both(guide, "chat")
        receipts(guide, camera, announced)
        resize(guide, 700)
        guide.go("today")
        guide.sees("Boat from the harbour").wait_for()
        camera.take(guide, "today")
        resize(guide, 760)
        guide.go("people")
        guide.button("locate").click()
        guide.until(lambda: guide.page.locator(".radar title").count() == len(POSITIONS), "all who share are drawn")
        camera.take(guide, "people")
        resize(guide, 680)
        for view in ("board", "files"):
            guide.go(view)
            camera.take(guide, view)


def resize(screen: Screen, height: int) -> None:
    """Shrinks views that show little, so that they are not half empty."""
    screen.page.set_viewport_size({"width": LAPTOP[0], "height": height})


def reached(screen: Screen, id: str) -> None:
    """The ring beside the announcement, which shows how many members have it."""
    screen.message(id).get_by_text(f"{NEAR - 1}/{len(NAMES) + len(MORE) - 1}", exact=True).wait_for()


def receipts(screen: Screen, camera: Camera, id: str) -> None:
    """The list of the members that have the announcement."""
    screen.message(id).get_by_role("button", name=screen.t("actions")).click()
    screen.button("receipts", screen.page.get_by_role("dialog").last).click()
    dialog = screen.page.get_by_role("dialog").last
    dialog.get_by_role("heading", level=3).first.wait_for()
    camera.take(screen, "receipts")
    screen.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
