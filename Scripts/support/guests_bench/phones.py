"""The phones of the guests' bench: those of Tests/PythonNode/guest.py, which note when something is said and shown.

Times are those of the machine's monotonic clock, which all processes share.
"""
from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Tests" / "PythonNode"))

import guest  # noqa: E402


class Timed(guest.Guest):
    def __init__(self, *words: Any, **fields: Any) -> None:
        super().__init__(*words, **fields)
        self._said: dict[str, list[float]] = {}
        self._came: dict[str, float] = {}
        self._prepared = 0.0

    def speak(self, first: float, every: float, texts: list[str]) -> None:
        """Says the texts at fixed moments, however long each takes."""
        for number, text in enumerate(texts):
            time.sleep(max(0.0, first + number * every - time.monotonic()))
            begun = time.monotonic()
            name = self.say(text)
            self._said[name] = [begun, self._prepared, time.monotonic()]

    def times(self) -> dict[str, Any]:
        """Of each message that was said: when that began, was prepared, and was confirmed. Of each that came: when it
        was shown."""
        with self._changed:
            return {"said": dict(self._said), "came": dict(self._came)}

    def _confirm(self, name: str) -> str:
        self._prepared = time.monotonic()
        return super()._confirm(name)

    def _show(self, frame: guest.Row) -> None:
        super()._show(frame)
        now = time.monotonic()
        for row in frame.get("messages", []):
            self._came.setdefault(row["id"], now)


if __name__ == "__main__":
    guest.Guest = Timed  # type: ignore[misc]
    guest.main()
