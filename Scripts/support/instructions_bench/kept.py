"""The instructions of a delivery that each release took, as a table of Documentation/evidence.md."""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).resolve().parents[3] / "Documentation" / "evidence.md"
HEAD = "| release | commit | writes | receives |"
_ROW = re.compile(r"^\| (\S+) \| (\S+) \| ([\d,]+) \| ([\d,]+) \|$")


@dataclass(frozen=True)
class Kept:
    """One row: instructions a message, of the node that writes and of the one that receives."""

    release: str
    commit: str
    instructions: dict[str, int]

    @property
    def line(self) -> str:
        return (f"| {self.release} | {self.commit} | {self.instructions['writes']:,} "
                f"| {self.instructions['receives']:,} |")


def _place(lines: list[str]) -> tuple[int, int]:
    """The first row's place, and that behind the last row."""
    if HEAD not in lines:
        raise ValueError(f"{TABLE} has no table '{HEAD}'")
    first = end = lines.index(HEAD) + 2
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return first, end


def rows(text: str) -> list[Kept]:
    """From the oldest to the newest."""
    lines = text.splitlines()
    first, end = _place(lines)
    found = [_ROW.fullmatch(line) for line in lines[first:end]]
    return [Kept(row[1], row[2], {"writes": _number(row[3]), "receives": _number(row[4])}) for row in found if row]


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def with_row(text: str, row: Kept) -> str:
    """The document with this row as its newest, in place of an older one of the same release."""
    lines = text.splitlines()
    first, end = _place(lines)
    others = [line for line in lines[first:end] if not line.startswith(f"| {row.release} |")]
    return "\n".join([*lines[:first], *others, row.line, *lines[end:]]) + "\n"
