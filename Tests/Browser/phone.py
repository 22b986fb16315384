"""A guest's phone: a browser on a host of its own, at the page that a device gives to those without the program."""
from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cases import expect
from nodes import Node, wait_until
from playwright.sync_api import Browser, Locator, Request
from screen import PHONE, Screen

# The name by which a phone may find a host in its network, and what browsers say where it does not.
NAMED = re.compile(r"http://[0-9a-f]{16}\.local:\d+")
# With those of what comes later.
WORDS = """async (language) => ({
    ...(await import(`/words/${language}.js`)).default, ...(await import(`/later/words/${language}.js`)).default })"""
TEXTS = "() => [...document.querySelectorAll('li[data-id] .text')].map((one) => one.textContent)"
# Goes through the messages from the first one that is here, each time a part of the screen further.
SCROLL = """async () => {
    if (self.isScrolling || !document.title.startsWith('(')) return;
    self.isScrolling = true;
    const box = document.querySelector('.scroll');
    const isAtEnd = () => box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    const wait = () => new Promise((done) => setTimeout(done, 650));
    box.scrollTop = 0;
    for (await wait(); !isAtEnd(); await wait()) box.scrollTop += box.clientHeight * 0.8;
    self.isScrolling = false;
}"""
# What stands on the page before one is in, where that is no form and it looks for nothing any more.
REFUSAL = """() => {
    const card = document.querySelector('main.start .card');
    if (!card || card.querySelector('[role=status]')) return '';
    const trouble = card.querySelector('.trouble:not([hidden])');
    return trouble ? trouble.textContent : card.querySelector('form') ? '' : card.innerText;
}"""


def open_door(node: Node, *flags: str) -> str:
    """Lets guests in at a node; returns the address behind its QR code."""
    node.must("seats", "on", *flags)
    return str(wait_until(lambda: node.must("seats").first["link"], 20, f"{node.name} has a code for guests"))


class Phone(Screen):
    """A phone with nothing on it but its browser."""

    def __init__(self, browser: Browser, node: Node, link: str, language: str = "en", size: tuple[int, int] = PHONE,
                 **options: Any) -> None:
        """`node`: the device whose code is scanned; `link`: what is in it."""
        super().__init__(browser, node, language, size, has_touch=True, is_mobile=True, **options)
        self.link = link
        self.origins = {f"{urlsplit(link).scheme}://{urlsplit(link).netloc}"}
        self.may(rf"Failed to load resource: net::ERR_NAME_NOT_RESOLVED \({NAMED.pattern}")

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url)
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if parts.scheme not in ("blob", "data") and origin not in self.origins and not NAMED.fullmatch(origin):
            self.problems.append(f"a request went elsewhere: {request.method} {request.url}")

    @property
    def address(self) -> str:
        return self.link

    def learn_words(self) -> None:
        self._words = self.page.evaluate(WORDS, self.language)

    def scan(self) -> None:
        """Opens what the camera found."""
        self.page.goto(self.link)
        self.learn_words()

    def come_in(self, name: str) -> None:
        """Scans, says a name, and is in."""
        self.scan()
        self.is_let(self.field("yourName"))
        self.field("yourName").fill(name)
        self.button("comeIn").click()
        self.is_let(self.composer)

    def is_let(self, awaited: Locator) -> None:
        """Waits for what shows that the phone may come in. A page that refuses it has failed, in its own words."""
        def shown() -> bool:
            refusal = self.page.evaluate(REFUSAL)
            expect(not refusal, f"the page does not let the phone in: {refusal}")
            return awaited.is_visible()
        self.until(shown, "the phone is let in")

    def again(self) -> None:
        """Opens the page anew, by what its address says."""
        self.page.goto("about:blank")
        self.page.goto(self.kept)
        self.composer.wait_for()

    @property
    def kept(self) -> str:
        """The address of the page once it has taken the code out of it: by http the tour's page key is left."""
        if self.link.startswith("https:"):
            return self.origin + "/"
        code = base64.urlsafe_b64decode(self.link.partition("#")[2] + "==")
        key = base64.urlsafe_b64encode(code[-16:]).decode().rstrip("=")
        return f"{self.origin}/#k1.{key}"

    @property
    def composer(self) -> Locator:
        return self.page.get_by_role("textbox", name=self.t("write"))

    def says(self, text: str) -> Locator:
        """The message with exactly this text, wherever it stands by now."""
        return self.page.get_by_role("listitem").filter(has=self.page.get_by_text(text, exact=True)).last

    @property
    def texts(self) -> list[str]:
        """What the messages of the tour say that stand on the page, in their order."""
        return list(self.page.evaluate(TEXTS))

    def has_sent(self, text: str) -> None:
        """Until the message stands among those of the tour, and nothing says that it waits."""
        shown = self.page.locator(f"li[data-id]:has-text({json.dumps(text)})")
        self.until(lambda: shown.count() == 1, f"'{text}' is sent")

    def looks_through(self) -> bool:
        """Begins to scroll through all that is here, as a reader would, unless it does so already or nothing is unread;
        returns whether nothing is."""
        self.page.evaluate(f"() => {{ void ({SCROLL})(); }}")
        return not self.page.title().startswith("(")

    def sees_all(self) -> None:
        """Scrolls through all that is here until nothing is unread."""
        self.until(self.looks_through, "it has shown all", 120)

    def in_sight(self, id: str) -> bool:
        """Whether the message stands on the screen, at least in part."""
        return bool(self.page.evaluate("""(id) => {
            const row = document.querySelector(`li[data-id="${id}"]`), box = document.querySelector('.scroll');
            if (!row || !box) return false;
            const [a, b] = [row, box].map((el) => el.getBoundingClientRect());
            return a.top < b.bottom && a.bottom > b.top;
        }""", id))

    def banner(self, key: str) -> Locator:
        return self.page.get_by_role("region", name=self.t(key), exact=True)

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog").last

    def menu(self, key: str) -> None:
        def is_there() -> bool:
            self.button("more").click()
            if self.button(key, self.sheet).count():
                return True
            self.page.keyboard.press("Escape")
            return False
        # What the page loads later is in the menu once it has come.
        self.until(is_there, f"'{key}' is in the menu")
        self.button(key, self.sheet).click()

    @property
    def record(self) -> dict[str, Any]:
        """What the phone keeps of its place in the tour."""
        kept = self.page.evaluate("async () => (await import('/store.js')).seats()[0] || null")
        expect(kept, "the phone keeps nothing of the tour")
        return dict(kept)

    def picture(self, path: Path, caption: str = "") -> None:
        """Chooses a picture, and sends it."""
        self.page.set_input_files("input[type=file]", path)
        self.field("caption", self.sheet).fill(caption)
        self.button("send", self.sheet).click()

    def hide(self, is_hidden: bool = True) -> None:
        """Another page is in front, or this one again: without a screen a browser shows all of them."""
        self.page.evaluate("""(isHidden) => {
            Object.defineProperty(document, 'hidden', { get: () => isHidden, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }""", is_hidden)

    def watch_notices(self) -> None:
        """From here on `notices` knows what the page has its worker show."""
        self.page.evaluate("""() => {
            const kind = ServiceWorkerRegistration.prototype, show = kind.showNotification;
            self.shownNotices = [];
            kind.showNotification = function (title, options) {
                self.shownNotices.push([title, options.body]);
                return show.call(this, title, options);
            };
        }""")

    def notices(self) -> list[tuple[str, str]]:
        """The notifications that the page had shown: title and text. A browser without a screen keeps few of them up."""
        # Names keep the order of their letters to themselves.
        return [(re.sub("[\u2068\u2069]", "", title), body) for title, body in self.page.evaluate("self.shownNotices")]

    def notices_up(self) -> list[str]:
        """The texts of those that the browser says are up."""
        return list(self.page.evaluate("""async () => (await (await navigator.serviceWorker.ready).getNotifications())
            .map(({ body }) => body)"""))

    def may_lose_its_device(self) -> None:
        """Names what the console says of a device that is gone, or that ends the connections of a guest who is removed."""
        self.may(re.escape("Failed to load resource"))
