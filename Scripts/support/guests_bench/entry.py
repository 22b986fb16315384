"""A guest's first minute in Chromium, phone size: taps and seconds until the first message is sent, and what the page's
first load costs."""
from __future__ import annotations

import statistics

from measures import SLOWER, first_paint_ms, polled, until_shown_ms
from playwright.sync_api import Browser
from phone import Phone, open_door
from screen import PHONE
from stage import Stage

WORDS = "I am here"
UNUSED = "/words/tr.js"  # of the same origin, and nothing that an English page loads
# How often a finger tapped, and when the message stood among those of the tour, in milliseconds since the page's
# address was opened.
WATCHED = """
    window.__taps = 0;
    addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) window.__taps += 1; }, true);
    const seen = new MutationObserver(() => {
        if (!document.querySelector('li[data-id]')) return;
        window.__sent = performance.now();
        seen.disconnect();
    });
    seen.observe(document, { subtree: true, childList: true });
"""


def enters(stage: Stage, browser: Browser, link: str, rate: int) -> tuple[float, float]:
    """Taps and seconds of one guest; what people take to read and to type is not in them."""
    phone = Phone(browser, stage.nodes[0], link)
    stage.screens.append(phone)
    phone.page.add_init_script(WATCHED)
    phone.cdp().send("Emulation.setCPUThrottlingRate", {"rate": rate})
    phone.scan()
    name = phone.field("yourName")
    name.tap()
    phone.page.keyboard.type("Anna")
    phone.button("comeIn").tap()
    phone.is_let(phone.composer)
    phone.composer.tap()
    phone.page.keyboard.type(WORDS)
    phone.button("send").tap()
    sent = polled(phone.page, "window.__sent")
    taps = float(phone.page.evaluate("window.__taps"))
    phone.close()
    stage.screens.remove(phone)
    return taps, sent / 1e3


def loaded_bytes(browser: Browser, link: str) -> tuple[int, int]:
    """What comes over the network until a phone that has nothing yet shows the form, heads included; the answers."""
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    session = context.new_cdp_session(page)
    sizes: list[int] = []
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto(link)
    page.locator("form input").wait_for()
    context.close()
    return sum(sizes), len(sizes)


def entry(stage: Stage, quick: bool) -> dict[str, float]:
    """From the scanned code to the first message, and the first load; also on a processor slowed down six times."""
    times = 2 if quick else 5
    browser, guide = stage.browser(1), stage.nodes[0]
    figures: dict[str, float] = {}
    link = open_door(guide)
    enters(stage, browser, link, 1)  # lets the browser start what it starts with its first page
    for name, rate in (("", 1), (f"_slowed_{SLOWER}", SLOWER)):
        # Each address brings so many newcomers, and as many again where guests are let in anew.
        guide.must("seats", "off")
        link = open_door(guide)
        taken = [enters(stage, browser, link, rate) for _ in range(times)]
        figures[f"taps{name}"] = max(taps for taps, _ in taken)
        figures[f"first_message{name}_s"] = statistics.median(seconds for _, seconds in taken)
    size, answers = loaded_bytes(browser, link)
    figures |= {"first_load_kb": size / 1e3, "first_load_answers": answers}
    figures[f"first_paint_slowed_{SLOWER}_ms"] = first_paint_ms(browser, link, times, UNUSED)
    figures[f"form_slowed_{SLOWER}_ms"] = until_shown_ms(browser, link, "form input", times, UNUSED)
    return figures

