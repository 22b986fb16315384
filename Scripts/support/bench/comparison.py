"""Two programs' figures, beside each other."""
from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Any

from works import Figures


@dataclass(frozen=True)
class Side:
    """One figure of one program, over all runs."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def least(self) -> float:
        return min(self.values)

    @property
    def most(self) -> float:
        return max(self.values)

    def row(self) -> dict[str, Any]:
        return {"median": self.median, "min": self.least, "max": self.most, "runs": list(self.values)}


@dataclass(frozen=True)
class Difference:
    """One figure of both programs."""

    key: str
    old: Side
    new: Side

    @property
    def ratio(self) -> float | None:
        """New by old."""
        return self.new.median / self.old.median if self.old.median else None

    @property
    def has_spread(self) -> bool:
        return len(self.old.values) > 1 and len(self.new.values) > 1

    @property
    def is_within_spread(self) -> bool:
        """Whether some run of one program lies among those of the other: then the difference may be chance."""
        return self.old.least <= self.new.most and self.new.least <= self.old.most

    @property
    def verdict(self) -> str:
        if not self.has_spread:
            return "one run: says nothing"
        if self.is_within_spread:
            return "within the spread"
        return "higher" if self.new.median > self.old.median else "lower"


def differences(old: list[Figures], new: list[Figures]) -> list[Difference]:
    """Of the figures that both programs have, in the order of measuring."""
    def side(runs: list[Figures], key: str) -> Side:
        return Side(tuple(run[key] for run in runs if key in run))
    keys = {key: None for run in [*old, *new] for key in run}
    both = (Difference(key, side(old, key), side(new, key)) for key in keys)
    return [one for one in both if one.old.values and one.new.values]


def table(found: list[Difference], old: str, new: str) -> str:
    def cell(side: Side) -> str:
        return f"{side.median:,.2f} ({side.least:,.2f}–{side.most:,.2f})"
    rows = [("figure", f"old: {old}", f"new: {new}", "new/old", "difference")]
    for one in found:
        ratio = "-" if one.ratio is None else f"{one.ratio:.3f}"
        rows.append((one.key, cell(one.old), cell(one.new), ratio, one.verdict))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(row[k].rjust(widths[k]) for k in (1, 2, 3)), row[4]]
        lines.append("  ".join(cells))
    beyond = [one.key for one in found if one.has_spread and not one.is_within_spread]
    if any(one.has_spread for one in found):
        runs = min(len(one.old.values) for one in found)
        chance = math.comb(2 * runs, runs) / 2
        lines.append(f"\nbeyond the spread: {', '.join(beyond) or 'nothing'}; with {runs} runs of each, equal programs "
                     f"are beyond it in one of {chance:,.0f} figures")
    else:
        lines.append("\nOne run of each tells nothing about chance: --repeat 5, say")
    return "\n".join(lines)


def record(found: list[Difference]) -> dict[str, Any]:
    return {one.key: {"old": one.old.row(), "new": one.new.row(), "ratio": one.ratio,
                      "withinSpread": one.is_within_spread if one.has_spread else None} for one in found}
