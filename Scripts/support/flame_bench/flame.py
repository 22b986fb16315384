"""Call stacks with their counts, and the picture of them: a flame graph (B. Gregg, 2011)."""
from __future__ import annotations

import re
import subprocess
from collections import Counter
from html import escape
from shutil import which

from modules import module_of

Stack = tuple[tuple[str, str], ...]  # from the thread's start on: module and function
_SAMPLE = re.compile(r"^\s+[0-9a-f]+ (?P<symbol>.+?)(?:\+0x[0-9a-f]+)? \((?P<place>[^()]*)\)$")
_WIDTH, _ROW, _MARGIN = 1200, 17, 10
_LETTER = 6.4  # of a label, in pixels, at most
_LEAST = 0.0015  # what is narrower than this share of the picture is left out
_ROWS_MAX = 60


def demangled(symbols: set[str]) -> dict[str, str]:
    """Swift's names as a person reads them, where there is a toolchain."""
    program, names = which("swift-demangle"), sorted(symbols)
    if not program:
        return {name: name for name in names}
    done = subprocess.run([program, "--simplified"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def stacks(printed: str) -> Counter[Stack]:
    """Of what `perf script --fields comm,ip,sym,dso` printed."""
    raw: list[list[tuple[str, str]]] = []
    for block in printed.split("\n\n"):
        frames = [found.group("place", "symbol") for line in block.splitlines() if (found := _SAMPLE.match(line))]
        if frames:
            raw.append([(place.rpartition("/")[2], symbol) for place, symbol in reversed(frames)])
    names = demangled({symbol for frames in raw for _, symbol in frames})
    found: Counter[Stack] = Counter()
    for frames in raw:
        found[tuple((module(place, symbol), shortened(names[symbol])) for place, symbol in frames)] += 1
    return found


def module(place: str, symbol: str) -> str:
    return "kernel" if place == "[kernel.kallsyms]" else module_of((place, symbol))


def shortened(name: str) -> str:
    """Without what makes a name long: parameters, generic arguments, and how the compiler made it."""
    name = re.sub(r"^(?:specialized|generic specialization.*? of|merged|partial apply for|implicit closure.*? in"
                  r"|closure #\d+ in|function signature specialization.*? of|protocol witness for) ", "", name)
    while (plain := re.sub(r"<[^<>]*>|\([^()]*\)", "", name)) != name:
        name = plain
    return name.split(" in conformance ")[0].strip() or "?"


class _Box:
    """A function under those that called it: how many samples it had, and what it called."""

    def __init__(self) -> None:
        self.count = 0
        self.called: dict[tuple[str, str], _Box] = {}


def picture(found: Counter[Stack], title: str) -> str:
    """An SVG of its own: nothing runs in it, and a pointer that rests on a box shows its name and share."""
    root = _Box()
    for stack, count in found.items():
        box = root
        box.count += count
        for frame in stack[:_ROWS_MAX]:
            box = box.called.setdefault(frame, _Box())
            box.count += count
    if not root.count:
        raise ValueError("no stack at all")
    boxes: list[tuple[int, float, float, tuple[str, str], int]] = []
    _place(root, 0, 0.0, root.count, boxes)
    rows = max((row for row, *_ in boxes), default=0) + 1
    height = rows * _ROW + 3 * _MARGIN + 20
    modules = sorted({frame[0] for _, _, _, frame, _ in boxes})
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">',
             "<!-- Made by Scripts/bench flame from what a running node did. Do not edit. -->",
             "<style>text{font:11px ui-monospace,monospace;fill:#17211f}rect{stroke:#fff;stroke-width:.5}"
             ".title{font:600 14px system-ui,sans-serif}</style>",
             f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
             f'<text class="title" x="{_MARGIN}" y="22">{escape(title)}</text>']
    scale = _WIDTH - 2 * _MARGIN
    for row, start, share, (group, name), count in boxes:
        left, width, top = _MARGIN + start * scale, share * scale, height - _MARGIN - (row + 1) * _ROW
        letters = int(width / _LETTER)
        label = f"{group}: {name}"
        shown = label if len(label) <= letters else name if len(name) <= letters else f"{name[:letters - 1]}…"
        hue = 360 * modules.index(group) / len(modules)
        lines.append(f'<g><title>{escape(label)}, {100 * count / root.count:.1f} %</title><rect x="{left:.1f}" y="{top}" '
                     f'width="{width:.1f}" height="{_ROW - 1}" fill="hsl({hue:.0f} 55% 78%)"/>'
                     + (f'<text x="{left + 3:.1f}" y="{top + 12}">{escape(shown)}</text>' if letters > 3 else "") + "</g>")
    return "\n".join([*lines, "</svg>", ""])


def _place(box: _Box, row: int, start: float, whole: int, boxes: list[tuple[int, float, float, tuple[str, str], int]]) -> None:
    for frame, inner in sorted(box.called.items()):
        share = inner.count / whole
        if share >= _LEAST:
            boxes.append((row, start, share, frame, inner.count))
            _place(inner, row + 1, start, whole, boxes)
        start += share


def shares(found: Counter[Stack]) -> list[tuple[str, float]]:
    """By module, the share of the samples in its own functions."""
    own: Counter[str] = Counter()
    for stack, count in found.items():
        own[stack[-1][0]] += count
    whole = sum(own.values())
    return [(name, count / whole) for name, count in own.most_common()]
