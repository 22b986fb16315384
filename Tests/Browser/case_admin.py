"""Goal: the operator of a server does in a browser what the commands do, on a page that is nobody else's.
Method: a real tour-server on a host, and a browser there that opens the link of `tour-server admin page`."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import browsers
from access import expect_names, expect_no_violation
from cases import Context, case, expect
from nodes import end
from playwright.sync_api import Browser, Locator
from screen import DESKTOP, PHONE, Screen
from server import EMAIL, Server

PORT = 9465
VIEWS = ["Overview", "Accounts", "Tours", "Organisations", "Invitations", "Bans", "Text messages", "Audit log"]


class OperatorScreen(Screen):
    """The operator's page; its words are English alone, as those of the commands."""

    def __init__(self, browser: Browser, size: tuple[int, int], **options: Any) -> None:
        super().__init__(browser, SimpleNamespace(name="server"), size=size, **options)  # type: ignore[arg-type]

    @property
    def port(self) -> int | None:
        return PORT

    def open(self, link: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(link)

    def view(self, name: str) -> None:
        self.page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        self.page.get_by_role("heading", name=name, exact=True).wait_for()

    def act(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def told(self, text: str) -> Locator:
        return self.page.get_by_role("status").get_by_text(text, exact=True)

    @property
    def closed(self) -> Locator:
        return self.page.get_by_role("heading", name="This page is closed")


@case
def operator_page(context: Context) -> None:
    """A link opens the page once: an account is disabled, named in the audit log and deleted; then the page is closed."""
    with context.lab([(0,)], avahi=False) as lab:
        server = Server(lab.hosts[0])
        server.launch("--listen", "0.0.0.0:8080", "--admin-listen", f"127.0.0.1:{PORT}")
        browser = None
        try:
            server.await_answer()
            server.make_account()
            browser = browsers.launch(lab.hosts[0])
            for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
                screen = OperatorScreen(browser, size, color_scheme=scheme)
                try:
                    look_around(screen, server)
                    screen.close()
                except BaseException:
                    screen.keep(context.logs / "screens", f"operator-{size[0]}")
                    raise
            screen = OperatorScreen(browser, DESKTOP)
            disable_and_delete(screen, server)
            screen.expect_clean()
        finally:
            if browser:
                browser.close()
            if server.process:
                end(server.process)


def look_around(screen: OperatorScreen, server: Server) -> None:
    """Every view, which has names for all controls and fits the screen; and a link that was used."""
    link = server.tool("admin", "page").strip()
    expect(link.startswith(f"http://127.0.0.1:{PORT}/#"), f"the link is {link}")
    screen.open(f"http://127.0.0.1:{PORT}/")
    screen.closed.wait_for()
    screen.open(link)
    screen.page.get_by_role("heading", name="Overview").wait_for()
    expect(link.partition("#")[2] not in screen.page.url, "the address keeps the token")
    screen.page.get_by_role("table").first.wait_for()
    expect(screen.page.evaluate("scrollY") == 0, "the page does not open at its top")
    for view in VIEWS:
        screen.view(view)
        where = f"{view}, {screen.page.viewport_size}"
        expect(not screen.overflow(), f"{where} is too wide: {screen.overflow()}")
        expect_no_violation(screen, where)
        expect_names(screen, where)
    screen.act("Close the page")
    screen.closed.wait_for()
    screen.may("status of 401")
    screen.open(link)
    screen.told("the link was used already, or is too old").wait_for()
    screen.closed.wait_for()
    screen.expect_clean()


def disable_and_delete(screen: OperatorScreen, server: Server) -> None:
    token = server.log_in()
    screen.open(server.tool("admin", "page").strip())
    screen.view("Accounts")
    screen.page.get_by_role("link", name="1", exact=True).click()
    screen.act("Disable")
    screen.told("Account 1 is disabled.").wait_for()
    expect("account-disabled" in server.ask("GET", "/auth/me", token=token)[1], "its token is still good")
    screen.view("Audit log")
    entry = screen.page.get_by_role("row").filter(has_text="account-disabled")
    entry.get_by_text("on the page").wait_for()
    screen.page.go_back()
    screen.act("Delete …")
    dialog = screen.page.get_by_role("dialog")
    sure = dialog.get_by_role("button", name="Delete", exact=True)
    expect(sure.is_disabled(), "it is deleted without a word")
    dialog.get_by_role("textbox").fill(EMAIL)
    sure.click()
    screen.told("Account 1 is deleted.").wait_for()
    screen.page.get_by_text("There is no such account.").wait_for()
    server.tool("admin", "page", "close")
    screen.may("status of 401")
    screen.page.get_by_role("navigation").get_by_role("link", name="Tours").click()
    screen.closed.wait_for()
