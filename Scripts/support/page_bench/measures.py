"""Measurements in the browser, for any page: when it first shows something, how long a line takes from the key press in
one page until it is on the screen in another, how much memory a page uses."""
from __future__ import annotations

import statistics
from collections.abc import Callable
from urllib.parse import urljoin

from nodes import wait_until
from playwright.sync_api import Browser, Page

SLOWER = 6  # a Raspberry Pi against the machines that measure

PRESSED = """
    window.__pressed = 0;
    addEventListener('keydown', (event) => {
        if (event.key === 'Enter') window.__pressed = performance.timeOrigin + event.timeStamp;
    }, true);
"""

# The browser has produced the frame that shows the line once a task runs after its animation frame.
SHOWN = """
    window.__shown = {};
    const mark = /line \\d{4} of the bench/;
    const see = (node) => {
        const found = mark.exec(node.textContent ?? '');
        if (found && !(found[0] in window.__shown)) {
            window.__shown[found[0]] = 0;
            requestAnimationFrame(() => setTimeout(() => {
                window.__shown[found[0]] = performance.timeOrigin + performance.now();
            }));
        }
    };
    new MutationObserver((changes) => {
        for (const { target, addedNodes, type } of changes) {
            if (type === 'characterData') see(target);
            addedNodes.forEach(see);
        }
    }).observe(document, { subtree: true, childList: true, characterData: true });
"""


def polled(page: Page, script: str, argument: object = None) -> float:
    """A value that the page itself records, as soon as it is there."""
    return float(wait_until(lambda: page.evaluate(script, argument), 30, script, pause=0.02))


def first_paint_ms(browser: Browser, address: str, times: int, before: str = "/nothing-here") -> float:
    """The median of the first contentful paint on a processor slowed down. Nothing is cached, but the browser's process
    for this origin is running already, since its start is not the page's cost: `before` is opened first."""
    return statistics.median(_first_paint(browser, address, before) for _ in range(times))


def _first_paint(browser: Browser, address: str, before: str) -> float:
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(urljoin(address, before))
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(address)
        return float(page.evaluate("""() => new Promise((resolve) => {
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) {
                    if (entry.name === 'first-contentful-paint') resolve(entry.startTime);
                }
            }).observe({ type: 'paint', buffered: true });
        })"""))
    finally:
        context.close()


def until_shown_ms(browser: Browser, address: str, selector: str, times: int, before: str = "/nothing-here") -> float:
    """The median time from the navigation's start until an element is there, nothing cached, on a slow processor."""
    taken = []
    for _ in range(times):
        context = browser.new_context()
        page = context.new_page()
        page.goto(urljoin(address, before))
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(f"""
            const seen = new MutationObserver(() => {{
                if (!document.querySelector({selector!r})) return;
                window.__there = performance.now();
                seen.disconnect();
            }});
            seen.observe(document, {{ subtree: true, childList: true }});
        """)
        page.goto(address)
        taken.append(polled(page, "window.__there"))
        context.close()
    return statistics.median(taken)


def shown_ms(writer: Page, reader: Page, write: Callable[[str], None], count: int) -> list[float]:
    """For each of `count` lines, the time from the key press in one page until the other shows it. Both pages have
    `PRESSED` and `SHOWN` from their start."""
    waits = []
    for number in range(count):
        text = f"line {number:04} of the bench"
        write(text)
        shown = polled(reader, "(text) => window.__shown[text]", text)
        waits.append(shown - float(writer.evaluate("window.__pressed")))
    return sorted(waits)


def memory(page: Page) -> tuple[float, int]:
    """The megabytes that the page's script uses after a collection, and the number of nodes in its document."""
    session = page.context.new_cdp_session(page)
    for _ in range(3):  # the second collection frees what finalizers released
        session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    figures = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    nodes = int(session.send("Memory.getDOMCounters")["nodes"])
    session.detach()
    return figures["JSHeapUsedSize"] / 1e6, nodes
