"""A page at a node's door, found by roles and by the words that a person reads; and what must never happen in it."""
from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cases import expect
from nodes import Node, wait_until
from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Dialog, Locator, Request, WebError

LOCALES = {"en": "en-GB", "tr": "tr-TR", "de": "de-DE", "es": "es-ES", "fr": "fr-FR", "ar": "ar-EG", "ja": "ja-JP"}
DESKTOP, PHONE, NARROW = (1280, 800), (360, 740), (320, 640)
SECONDS = 20.0

WORDS = """async (language) => {
    const parts = await Promise.all(['', '-tour', '-notebook'].map((part) => import(`/words/${language}${part}.js`)));
    return Object.assign({}, ...parts.map((part) => part.default));
}"""

# Set before any script of the page runs: what the policy refused, and whether foreign script ever ran.
EARLY = """
    window.__refused = [];
    addEventListener('securitypolicyviolation', (event) => window.__refused.push(
        `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`));
"""

# Where the page is, and what a reader sees first of it.
SHOWN = """() => {
    const view = [...document.querySelectorAll('main > .view')].find((one) => one.checkVisibility()) ?? document.body;
    return `${location.hash} ${document.querySelector('h1')?.textContent}: ${view.innerText.replace(/\\s+/g, ' ').slice(0, 300)}`;
}"""


class Screen:
    """One page, in a browser context of its own (nothing is kept from another)."""

    def __init__(self, browser: Browser, node: Node, language: str = "en", size: tuple[int, int] = DESKTOP,
                 **options: Any) -> None:
        self.node, self.language = node, language
        self.problems: list[str] = []  # what must not be; see `expect_clean`
        self.requests: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        self._words: dict[str, Any] = {}
        self.context = browser.new_context(
            locale=LOCALES[language], viewport={"width": size[0], "height": size[1]}, **options)
        self.context.set_default_timeout(SECONDS * 1000)
        self.context.add_init_script(EARLY)
        self.context.on("console", self._note_console)
        self.context.on("weberror", self._note_error)
        self.context.on("request", self._note_request)
        self.context.on("dialog", self._answer)
        self.page = self.context.new_page()

    # What happens in it.
    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            where = message.location
            self.problems.append(f"console {message.type}: {message.text} ({where.get('url')}:{where.get('lineNumber')})")

    def _note_error(self, error: WebError) -> None:
        self.problems.append(f"uncaught: {error.error.message} {error.error.stack}")

    def _answer(self, dialog: Dialog) -> None:
        """The browser's own question before a page with unsaved work is left; the page asks nothing else that way."""
        if dialog.type != "beforeunload":
            self.problems.append(f"a dialog of a script: {dialog.type}: {dialog.message}")
        dialog.accept()

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url)
        parts = urlsplit(request.url)
        if parts.scheme in ("blob", "data"):
            return
        if parts.hostname != "127.0.0.1" or parts.port != self.port:
            self.problems.append(f"a request left the node: {request.method} {request.url}")

    def may(self, pattern: str) -> None:
        """Names a problem that is meant to be here: a node that is gone, say, shows as a failed request."""
        self._expected.append(re.compile(pattern))

    def expect_clean(self) -> None:
        """Nothing on the console, nothing refused by the policy, no foreign script, no request to anybody else."""
        if not self.page.is_closed():
            refused = self.page.evaluate("window.__refused ?? []")
            self.problems += [f"refused by the policy: {text}" for text in refused]
            expect(not self.page.evaluate("'__pwned' in window"), f"{self.node.name}: foreign script ran in the page")
        wrong = [p for p in self.problems if not any(pattern.search(p) for pattern in self._expected)]
        expect(not wrong, f"{self.node.name}'s page: {len(wrong)} problems, such as {wrong[0][:400] if wrong else ''}")

    @property
    def address(self) -> str:
        """The page's address with its token, as the node said it."""
        web = self.node.ready.get("web")
        expect(web, f"{self.node.name} has no page: {self.node.ready}")
        return str(web)

    @property
    def origin(self) -> str:
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def port(self) -> int | None:
        return urlsplit(self.address).port

    @property
    def token(self) -> str:
        return self.address.rpartition("token=")[2]

    # Going about.
    def enter(self, view: str = "chat") -> None:
        """Opens the page by its address, and goes to a view."""
        self.page.goto(self.address)
        self.learn_words()
        if self.node.must("tour", "list").lines:
            self.nav("chat").wait_for()
            self.go(view)

    def go(self, view: str) -> None:
        """Goes to a view by its address, and waits until it is shown."""
        self.page.evaluate("(view) => { location.hash = `#/${view}`; }", view)
        self.wait("(title) => document.querySelector('h1')?.textContent === title", self.t(view))

    def another(self) -> Screen:
        """A second tab of the same browser and person."""
        tab = copy(self)
        tab.page = self.context.new_page()
        return tab

    def nav(self, view: str) -> Locator:
        """The way to a view in the navigation; behind its word it may say how much there is unread."""
        starts = re.compile(rf"^{re.escape(self.t(view))}(\s|$)")
        return self.role("navigation", "views").get_by_role("link", name=starts).first

    # Chatting.
    @property
    def composer(self) -> Locator:
        return self.page.get_by_role("region", name=self.t("chat"), exact=True).get_by_role("textbox")

    def write(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")

    def says(self, text: str) -> Locator:
        """The message with exactly this text."""
        exactly = re.compile(rf"^\s*{re.escape(text)}\s*$")
        return self.page.get_by_role("article").filter(has=self.page.get_by_role("paragraph").filter(has_text=exactly))

    def message(self, id: str) -> Locator:
        return self.page.locator(f'article[data-id="{id}"]')

    def sees(self, text: str | re.Pattern[str], within: Locator | None = None) -> Locator:
        """This text, where it can be seen: not what another view keeps hidden."""
        return (within or self.page).get_by_text(text, exact=True).filter(visible=True).first

    def status_of(self, text: str, status: str) -> Locator:
        """The button below an own message that says how far it has come."""
        return self.says(text).get_by_role("button", name=self.t(f"is_{status}"), exact=True)

    def to_newest(self) -> Locator:
        """The button to the newest message; it says how many are unread, if any are."""
        region = self.role("region", "chat")
        return self.button("newest", region).or_(region.get_by_role("button", name=self.pattern("unread"))).first

    def act_on(self, text: str, key: str) -> None:
        """Does one of the things that can be done with a message."""
        self.says(text).get_by_role("button", name=self.t("actions")).click()
        self.button(key, self.page.get_by_role("dialog").last).click()

    # Words.
    def learn_words(self) -> None:
        self._words = self.page.evaluate(WORDS, self.language)

    def words(self) -> dict[str, Any]:
        if not self._words:
            self.learn_words()
        return self._words

    def t(self, key: str, **values: object) -> str:
        """A word of the page as its reader sees it. Plural forms: English ones."""
        expect(key in self.words(), f"the page has no word '{key}'")
        word = self.words()[key]
        if isinstance(word, dict):
            word = word.get("one" if values.get("n") == 1 else "other", "")
        return re.sub(r"\{(\w+)\}", lambda m: str(values.get(m[1], m[0])), str(word))

    def pattern(self, key: str, **values: object) -> re.Pattern[str]:
        """A word whose other values may be any."""
        expect(key in self.words(), f"the page has no word '{key}'")
        word = self.words()[key]
        forms = list(word.values()) if isinstance(word, dict) else [str(word)]

        def part(text: str) -> str:
            hole = re.fullmatch(r"\{(\w+)\}", text)
            if hole and hole[1] in values:
                return f"\u2068*{re.escape(str(values[hole[1]]))}\u2069*"  # what is foreign may be kept apart
            return ".*" if hole else re.escape(text)
        patterns = ["".join(part(text) for text in re.split(r"(\{\w+\})", form)) for form in forms]
        return re.compile(f"^\\s*(?:{'|'.join(patterns)})\\s*$", re.S)

    # Finding.
    def role(self, role: Any, key: str, within: Locator | None = None, **values: object) -> Locator:
        """The control of this role with this word for its name."""
        name = self.pattern(key, **values) if values else self.t(key)
        return (within or self.page).get_by_role(role, name=name, exact=True)

    def button(self, key: str, within: Locator | None = None, **values: object) -> Locator:
        return self.role("button", key, within, **values)

    def field(self, key: str, within: Locator | None = None, **values: object) -> Locator:
        return (within or self.page).get_by_label(self.t(key, **values), exact=True)

    def until(self, check: Callable[[], object], what: str, seconds: float = SECONDS) -> Any:
        """The first true result of `check`, while the page goes on."""
        def step() -> object:
            self.page.evaluate("0")  # lets what the page has told so far come in
            return check()
        return wait_until(step, seconds, f"{self.node.name}'s page: {what}")

    def wait(self, script: str, argument: object = None, seconds: float = SECONDS) -> Any:
        """The first true result of a function in the page. (Playwright's own wait needs `eval`, which the page's policy
        forbids.)"""
        return wait_until(lambda: self.page.evaluate(script, argument), seconds, f"{self.node.name}'s page: {script}")

    # Tools.
    def cdp(self) -> CDPSession:
        return self.context.new_cdp_session(self.page)

    def fetch(self, path: str, method: str = "GET", body: object = None) -> tuple[int, str]:
        """A request of the page's own origin with its token, as the page would send it."""
        status, text = self.page.evaluate(
            """async ([path, method, body, token]) => {
                const answer = await fetch(path, { method, body, headers: { Authorization: `Bearer ${token}` } });
                return [answer.status, await answer.text()];
            }""", [path, method, None if body is None else json.dumps(body), self.token])
        return status, text

    def overflow(self) -> str:
        """What sticks out sideways beyond the window, or nothing."""
        return str(self.page.evaluate("""() => {
            const root = document.scrollingElement, wide = root.clientWidth;
            if (root.scrollWidth <= wide + 1) return '';
            const out = [...document.body.querySelectorAll('*')].filter((element) => {
                const box = element.getBoundingClientRect();
                return box.width > 0 && (box.right > wide + 1 || box.left < -1);
            });
            return `${root.scrollWidth} > ${wide}: ` + out.slice(-3).map((e) => e.outerHTML.slice(0, 120)).join(' | ');
        }"""))

    def keep(self, directory: Path, name: str) -> str:
        """Leaves what is on the screen for a person to look at; returns where the page was and the beginning of its view."""
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"{name}.problems.txt").write_text("\n".join(self.problems))
        try:
            shown = str(self.page.evaluate(SHOWN))
        except Exception as error:  # it is gone
            shown = f"nothing: {error}"
        try:
            self.page.screenshot(path=directory / f"{name}.png", timeout=5_000)
            (directory / f"{name}.aria.txt").write_text(self.page.locator("body").aria_snapshot(timeout=5_000))
        except Exception as error:  # it is gone, or hangs: the rest is worth keeping all the same
            (directory / f"{name}.txt").write_text(f"no picture: {error}")
        wrong = "".join(f"; {problem[:160]}" for problem in self.problems[:2])
        return f"{self.node.name}'s page showed {shown}{wrong}"

    def close(self) -> None:
        self.context.close()
