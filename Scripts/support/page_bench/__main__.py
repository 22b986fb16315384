"""Measures the page in a browser, beside the least that a page can cost. Called by `Scripts/bench page`, which explains
the options."""
from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
from contextlib import contextmanager
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Tests" / "Browser"), str(ROOT / "Tests" / "Hosts"), str(ROOT / "Scripts" / "support")]

import browsers  # noqa: E402
import lab  # noqa: E402
from cases import Context  # noqa: E402
from history import scroll_to_first, write_history  # noqa: E402
from loopback import elsewhere  # noqa: E402
from measures import PRESSED, SHOWN, first_paint_ms, memory, shown_ms, until_shown_ms  # noqa: E402
from playwright.sync_api import Page  # noqa: E402
from relay import relay  # noqa: E402
from screen import Screen  # noqa: E402
from stage import Stage  # noqa: E402

Figures = dict[str, float]
# Goals: the most that each figure may be.
GOALS = {"first_paint_ms": 300.0, "shown_p95_ms": 150.0}
GROWTH_GOAL = 1.5  # the page's memory after the long history, against that after 500 messages
BEFORE = 500


@contextmanager
def two_nodes() -> Iterator[Stage]:
    with tempfile.TemporaryDirectory() as logs:
        stage = Stage(Context(Fraction(1), random.Random(1), Path(logs)), 2)
        try:
            stage.tour("Bench")
            yield stage
            stage.clear()
        finally:
            stage.close()


def share(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def paint(stage: Stage, quick: bool) -> tuple[Figures, Figures]:
    """First paint, and the first message on the screen, on a processor slowed down six times."""
    times = 3 if quick else 21
    for number in range(60):
        stage.nodes[0].send(f"Message {number} before the page is opened")
    screen, browser = stage.screen(0), stage.browser(0)
    address = screen.address
    first_paint_ms(browser, address, 1)  # lets the browser start what it starts with its first page
    ours = {"first_paint_ms": first_paint_ms(browser, address, times),
            "first_messages_ms": until_shown_ms(browser, address, "[data-id]", times)}
    with elsewhere(stage.lab.hosts[0]) as port:
        plain = f"http://127.0.0.1:{port}/"
        theirs = {"first_paint_ms": first_paint_ms(browser, plain, times),
                  "first_messages_ms": until_shown_ms(browser, plain, "p", times)}
    return ours, theirs


def latency(stage: Stage, quick: bool) -> tuple[Figures, Figures]:
    """From the key press in one page until the line is on the screen in the other, 200 lines."""
    count = 20 if quick else 200
    writer, reader = stage.screen(0), stage.screen(1)
    for screen in (writer, reader):
        screen.page.add_init_script(PRESSED + SHOWN)
        screen.enter("chat")
    ours = shown_ms(writer.page, reader.page, writer.write, count)
    with relay(stage.lab.hosts[0]) as address:
        pages = [stage.browser(k).new_page() for k in (0, 1)]
        for page in pages:
            page.add_init_script(PRESSED + SHOWN)
            page.goto(address)
        theirs = shown_ms(pages[0], pages[1], lambda text: write_plain(pages[0], text), count)
        for page in pages:
            page.close()
    trip = float(writer.page.evaluate(f"""async () => {{
        const begun = performance.now();
        for (let n = 0; n < {count}; n++) {{
            await (await fetch('/v1/page', {{ headers: {{ Authorization: 'Bearer {writer.token}' }} }})).text();
        }}
        return (performance.now() - begun) / {count};
    }}"""))
    return ({"shown_p50_ms": share(ours, 0.5), "shown_p95_ms": share(ours, 0.95), "shown_max_ms": ours[-1],
             "own_node_round_trip_ms": trip},
            {"shown_p50_ms": share(theirs, 0.5), "shown_p95_ms": share(theirs, 0.95), "shown_max_ms": theirs[-1]})


def write_plain(page: Page, text: str) -> None:
    field = page.get_by_role("textbox")
    field.fill(text)
    field.press("Enter")


def held(stage: Stage, quick: bool) -> tuple[Figures, Figures]:
    """The page's memory after 500 messages, after 100,000 that came while it was open, and scrolled up to the first."""
    count = 5_000 if quick else 100_000
    screen = stage.screen(1)
    screen.enter("chat")
    figures: Figures = {}

    def note(name: str) -> None:
        figures[f"{name}_mb"], figures[f"{name}_nodes"] = memory(screen.page)

    last = write_history(stage.nodes[:1], BEFORE)[-1]
    screen.message(last).wait_for(timeout=120_000)
    note("held_500")
    last = write_history(stage.nodes, count, first=BEFORE)[-1]
    screen.message(last).wait_for(timeout=1_200_000)
    note(f"held_{count}")
    scroll_to_first(screen, count + BEFORE)
    note(f"held_{count}_at_first")
    return figures, {}


WORKS = {"paint": paint, "latency": latency, "memory": held}


def goal(key: str, value: float, all_ours: Figures) -> str:
    if key in GOALS:
        return f"<= {GOALS[key]:g}: {'met' if value <= GOALS[key] else 'MISSED'}"
    before = all_ours.get("held_500_" + key.rpartition("_")[2])
    if key.startswith("held_") and not key.startswith("held_500_") and before:
        met = value / before <= GROWTH_GOAL
        return f"<= {GROWTH_GOAL:g} x own 500 (is {value / before:.2f}): {'met' if met else 'MISSED'}"
    return ""


def table(ours: Figures, theirs: Figures) -> str:
    lines = [f"{'figure':28} {'the page':>12} {'bare page':>12} {'ratio':>8}  goal"]
    for key, value in ours.items():
        other = theirs.get(key)
        cells = [f"{'-' if v is None else f'{v:,.2f}':>{width}}"
                 for v, width in ((value, 12), (other, 12), (value / other if other else None, 8))]
        lines.append(f"{key:28} {' '.join(cells)}  {goal(key, value, ours)}".rstrip())
    return "\n".join(lines)


def stop(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench page")
    parser.add_argument("--only", default=",".join(WORKS), help="just these works")
    parser.add_argument("--quick", action="store_true", help="small amounts: tries the bench")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    options = parser.parse_args()
    works = [work for work in options.only.split(",") if work]
    if unknown := [work for work in works if work not in WORKS]:
        parser.error(f"no such work: {', '.join(unknown)}")
    if reason := lab.why_impossible() or browsers.why_impossible():
        print(f"the page cannot be measured here: {reason}", file=sys.stderr)
        return 1
    lab.enter_private_space()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    machine = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start{'; QUICK, not for figures' * options.quick}"
    ours: Figures = {}
    theirs: Figures = {}
    for work in works:
        print(f"{work}: {(WORKS[work].__doc__ or '').splitlines()[0]}", file=sys.stderr, flush=True)
        with two_nodes() as stage:
            mine, other = WORKS[work](stage, options.quick)
        ours |= mine
        theirs |= other
    browsers.close()
    if options.json:
        print(json.dumps({"machine": machine, "quick": options.quick, "figures": ours, "baseline": theirs}))
    else:
        print(f"\n{machine}\n{table(ours, theirs)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
