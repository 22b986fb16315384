"""How a page says when something is: the same on a member's page and on a guest's."""
from __future__ import annotations

import re
from datetime import datetime

from cases import expect
from screen import Screen

# What the clock shows, when something is, and what is said of it in Britain.
SAID = (
    ("2026-11-30T20:44:06", "2026-11-30T21:07", "21:07, in 22 min"),
    ("2026-11-30T20:50", "2026-11-30T22:30", "22:30, in 1 h 40 min"),
    ("2026-11-30T21:06:30", "2026-11-30T21:07", "21:07, now"),
    ("2026-11-30T21:12", "2026-11-30T21:07", "21:07, 5 min ago"),
    ("2026-11-30T23:50", "2026-12-01T00:10", "Tomorrow 00:10, in 20 min"),
    ("2026-12-01T00:05", "2026-12-01T00:10", "00:10, in 5 min"),
    ("2026-11-30T20:44", "2026-12-01T09:00", "Tomorrow 09:00"),
    ("2026-11-30T20:44", "2026-12-03T09:00", "Thursday 3 December 09:00"),
    ("2026-11-30T08:00", "2026-11-30T21:00", "21:00"),
)
# 22 minutes and 5 seconds from now, and 22 as the reader writes it.
LEFT = """async () => {
    const [{ remaining }, { number }] = await Promise.all([import('/moments.js'), import('/words.js')]);
    return [remaining(Date.now() + 1_325_000), number(22)];
}"""


def expect_moments(screen: Screen) -> None:
    """Leaves the page's clock where the last of them has it."""
    for clock, at, said in SAID:
        screen.page.clock.set_fixed_time(datetime.fromisoformat(clock))
        shown = screen.page.evaluate(
            "async (at) => (await import('/moments.js')).moment(Number(new Date(at)))", at)
        expect(plain(shown) == plain(said), f"at {clock}, {at} is shown as '{shown}'")


def plain(text: str) -> str:
    """Browsers differ in commas within dates, and in noughts before hours."""
    return re.sub(r"\b0(?=\d:)", "", text.replace(",", ""))


def expect_minutes(screen: Screen) -> None:
    """Minutes are said as minutes, and never look like a time of day."""
    shown, number = screen.page.evaluate(LEFT)
    expect(number in shown and ":" not in shown, f"22 minutes in {screen.language} are '{shown}'")
