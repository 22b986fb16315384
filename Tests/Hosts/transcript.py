"""Terminal sessions as a Markdown file shows them: its blocks of commands, and whether a command wrote what is shown.

Shown ids, codes, dates and times stand for any; an id or a code that is shown twice stands for the same one both times.
"""
from __future__ import annotations

import queue
import re
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from lab import Host
from nodes import end

CODE = r"(?:[A-Z2-7]{4}-){6,}[A-Z2-7]{4}"
ID = r"(?<![0-9a-f])[0-9a-f]{8}(?![0-9a-f])"
# What else is another in each run. A clock stands at the beginning of a line: in a text it is the text.
VARYING = {
    "moment": r"\d{4}-\d\d-\d\d \d\d:\d\d",
    "day": r"[A-Z][a-z]+day \d{1,2} [A-Z][a-z]+ \d{4}",
    "clock": r"^\d\d:\d\d",
}
PARTS = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in {"code": CODE, "id": ID, **VARYING}.items()))


@dataclass
class Line:
    number: int
    text: str


@dataclass
class Step:
    """A command, and the lines that the file shows below it."""

    command: Line
    shown: list[Line] = field(default_factory=list)


def blocks(text: str) -> dict[str, list[Step]]:
    """The commands of every block, by the heading that it stands under. In a block with prompts (`$ `) all other lines
    are what a command wrote; in one without them every line is a command."""
    found: dict[str, list[Step]] = {}
    heading, block = "", None
    for number, text_line in enumerate(text.splitlines(), 1):
        if text_line.startswith("```"):
            if block:
                found.setdefault(heading, []).extend(steps(block))
            block = [] if block is None else None
        elif block is not None:
            block.append(Line(number, text_line))
        elif text_line.startswith("#"):
            heading = text_line.lstrip("# ")
    return found


def steps(block: list[Line]) -> list[Step]:
    has_prompts = any(line.text.startswith("$ ") for line in block)
    made: list[Step] = []
    for line in block:
        if not has_prompts or line.text.startswith("$ "):
            made.append(Step(Line(line.number, line.text.removeprefix("$ "))))
        elif not made:
            raise AssertionError(f"line {line.number} is shown before any command: {line.text}")
        else:
            made[-1].shown.append(line)
    return [step for step in made if step.command.text.strip()]


class Meanings:
    """What the shown ids and codes stand for in this run."""

    def __init__(self) -> None:
        self._real: dict[str, str] = {}

    def learn(self, shown: str, real: str) -> None:
        self._real[shown] = real

    def command(self, line: Line) -> str:
        """A command with the real ids and codes."""
        def real(match: re.Match[str]) -> str:
            if match.lastgroup not in ("id", "code"):
                return match[0]
            if match[0] not in self._real:
                raise AssertionError(f"line {line.number} uses {match[0]}, which nothing has shown before")
            return self._real[match[0]]
        return PARTS.sub(real, line.text)

    def pattern(self, shown: str) -> re.Pattern[str]:
        """Matches a real line that is as the shown one."""
        made, at, seen = "", 0, set()
        for match in PARTS.finditer(shown):
            made += re.escape(shown[at:match.start()])
            at, kind = match.end(), match.lastgroup or ""
            if kind in VARYING:
                made += VARYING[kind].removeprefix("^")
            elif match[0] in self._real:
                made += re.escape(self._real[match[0]])
            elif match[0] in seen:
                made += f"(?P=n{match[0].replace('-', '')})"
            else:
                seen.add(match[0])
                made += f"(?P<n{match[0].replace('-', '')}>{ID if kind == 'id' else CODE})"
        return re.compile(made + re.escape(shown[at:].rstrip()))

    def heed(self, shown: str, match: re.Match[str]) -> None:
        """Keeps what ids and codes in a line that matched stand for."""
        for part in PARTS.finditer(shown):
            if part.lastgroup in ("id", "code") and part[0] not in self._real:
                self._real[part[0]] = match[f"n{part[0].replace('-', '')}"]

    def difference(self, step: Step, written: str) -> str:
        """The first line that is shown and was not written, or the other way round; nothing where both are alike."""
        lines = [line.rstrip() for line in written.splitlines() if line.strip()]
        for line, seen in zip(step.shown, lines):
            match = self.pattern(line.text).fullmatch(seen)
            if not match:
                return f"line {line.number}: expected {line.text!r}, seen {seen!r}"
            self.heed(line.text, match)
        if len(lines) > len(step.shown):
            last = step.shown[-1].number if step.shown else step.command.number
            return f"line {last}: expected nothing more, seen {lines[len(step.shown)]!r}"
        if len(lines) < len(step.shown):
            lacking = step.shown[len(lines)]
            return f"line {lacking.number}: expected {lacking.text!r}, seen nothing"
        return ""


class Shell:
    """A bash on a host, which gets a line at a time."""

    MARK = "--- that was it:"

    def __init__(self, host: Host, directory: Path, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            host.argv(["bash", "--noprofile", "--norc"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, cwd=directory, env=environment)
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def run(self, line: str, seconds: float = 90) -> tuple[int, str]:
        """The status of a line, and what it wrote. It has no input, and nothing in it ends the shell."""
        assert self._process.stdin
        self._process.stdin.write(f"{{ {line}\n}} </dev/null\nprintf '\\n%s%d\\n' '{self.MARK}' $?\n")
        self._process.stdin.flush()
        written, deadline = "", time.monotonic() + seconds
        while True:
            try:
                said = self._lines.get(timeout=max(deadline - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"'{line}' did not end within {seconds:.0f} s; it wrote: {written}") from None
            if said is None:
                raise AssertionError(f"the shell ended at '{line}'; it wrote: {written}")
            if said.startswith(self.MARK):
                return int(said.removeprefix(self.MARK)), written
            written += said

    def close(self) -> None:
        end(self._process, 5)
