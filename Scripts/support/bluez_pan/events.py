"""Waits in the main loop: until a check holds, a time is over, or somebody ends the program."""
from __future__ import annotations

import signal
from collections.abc import Callable

from gi.repository import GLib


class Stopped(Exception):
    """The user sent Ctrl-C, SIGTERM or SIGHUP."""


class Events:
    def __init__(self) -> None:
        self._context = GLib.MainContext.default()
        self._stopped = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, self._stop)

    def _stop(self) -> bool:
        self._stopped = True
        return GLib.SOURCE_CONTINUE

    def wait(self, check: Callable[[], object], seconds: float | None = None) -> bool:
        """True once `check` holds, False if the time is over first; `check` is called after each event."""
        over: list[bool] = []
        timer = GLib.timeout_source_new(int(1000 * seconds)) if seconds is not None else None
        if timer:
            timer.set_callback(lambda *_: over.append(True))
            timer.attach(self._context)
        try:
            while not self._stopped:
                if check():
                    return True
                if over:
                    return False
                self._context.iteration(True)
            raise Stopped
        finally:
            if timer:
                timer.destroy()

    def pause(self, seconds: float) -> None:
        self.wait(lambda: False, seconds)
