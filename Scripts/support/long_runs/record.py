"""The results of a long run, saved as they come, and the table of all runs ever made."""
from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[3]
KEPT = TOP / ".build-runs"
TABLE = TOP / "Documentation" / "evidence.md"
NOTES_MAX = 20


class Refused(Exception):
    """A run that cannot be continued; the text gives the reason."""


def commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(TOP), *words], capture_output=True, text=True).stdout.strip()
    # The table of runs does not affect a run.
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!Documentation/evidence.md")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


class Record:
    """One long run: from its beginning, over any number of continuations."""

    def __init__(self, name: str, settings: list[str], continues: bool) -> None:
        self.path = KEPT / f"{name}.json"
        self.state: dict[str, Any] = {
            "name": name, "settings": settings, "commit": commit(), "slices": 0, "seconds": 0.0, "processor": 0.0,
            "begun": time.strftime("%Y-%m-%d %H:%M", time.gmtime()), "sums": {}, "figures": {}, "failed": 0, "notes": []}
        if continues:
            self._go_on()

    def _go_on(self) -> None:
        if not self.path.exists():
            raise Refused(f"there is no run to continue: {self.path} is missing")
        kept = json.loads(self.path.read_text())
        for key, what in (("settings", "other options"), ("commit", "another commit")):
            if kept[key] != self.state[key]:
                raise Refused(f"the kept run is of {what} ({kept[key]}, not {self.state[key]}): begin anew without --continue")
        self.state = kept

    @property
    def slices(self) -> int:
        return int(self.state["slices"])

    def add(self, seconds: float, processor: float, sums: dict[str, float], figures: dict[str, float], problems: list[str]) -> None:
        """Adds a slice; its result is on disk when this returns."""
        state = self.state
        state["slices"] += 1
        state["seconds"] += seconds
        state["processor"] += processor
        for name, value in sums.items():
            state["sums"][name] = state["sums"].get(name, 0) + value
        for name, value in figures.items():
            state["figures"].setdefault(name, []).append(value)
        state["failed"] += len(problems)
        state["notes"] = (state["notes"] + problems)[:NOTES_MAX]
        KEPT.mkdir(exist_ok=True)
        fresh = self.path.with_suffix(".new")
        with fresh.open("w") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)

    def amount(self) -> str:
        sums = [f"{value:,.0f} {name}" for name, value in self.state["sums"].items()]
        return ", ".join([*sums, f"{self.state['seconds'] / 60:.0f} min"])

    def result(self) -> str:
        figures = [f"{name} {statistics.median(values):,.2f}" for name, values in self.state["figures"].items()]
        failed = self.state["failed"]
        told = f"**{failed} failed**: " + "; ".join(note[:80] for note in self.state["notes"][:3]) if failed else "none failed"
        return "; ".join([told, *figures]).replace("|", "/").replace("\n", " ")

    def write_row(self) -> None:
        state = self.state
        first = f"| {state['begun']} | {' '.join([state['name'], *state['settings']])} |"
        row = (f"{first} {state['commit']} | {self.amount()} | {state['processor'] / 3600:.2f} h | {self.result()} |")
        # The table of runs is the document's last.
        lines = [line for line in TABLE.read_text().splitlines() if not line.startswith(first)] + [row]
        TABLE.write_text("\n".join(lines) + "\n")
