"""NetworkManager on a host of the lab, as python-dbusmock plays it."""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from lab import Host, run
from pan import PYTHON, Program

MOCK = Path(__file__).with_name("networkmanager_mock.py")
AP, ALL = 0x40, 0xFF  # what a card can do: serve a network; that, AES and WPA2
FREQUENCIES, FIVE = 0x100, 0x400


def card(interface: str = "wlan0", **more: Any) -> dict[str, Any]:
    return {"interface": interface, **more}


class Networks:
    """A host's NetworkManager, as the mock plays it. To be used in `with`."""

    def __init__(self, host: Host, *cards: dict[str, Any], **parameters: Any) -> None:
        self.host = host
        self._parameters = json.dumps({"cards": cards, **parameters})
        self._program: Program | None = None

    def __enter__(self) -> Networks:
        self.start()
        return self

    def start(self) -> None:
        """Also again after it ended, when it knows nothing any more."""
        self._program = Program(self.host, "networkmanager", PYTHON, "-m", "dbusmock", "--system", "--template",
                                str(MOCK), "--parameters", self._parameters)
        self._program.wait_line("^ready$")

    def __exit__(self, *_: object) -> None:
        if self._program:
            self._program.close()

    def stop(self) -> None:
        assert self._program
        self._program.close()

    def has(self, call: str) -> None:
        """Waits for a call, after the one waited for last."""
        assert self._program
        self._program.wait_line(call)

    def steer(self, method: str, *arguments: str) -> str:
        """Arguments are strings, or typed as dbus-send writes them."""
        return run("dbus-send", f"--bus={self.host.bus}", "--print-reply=literal",
                   "--dest=org.freedesktop.NetworkManager", "/org/freedesktop",
                   f"org.freedesktop.NetworkManager.Mock.{method}",
                   *(a if re.match(r"(int32|boolean):", a) else f"string:{a}" for a in arguments))

    def profiles(self) -> list[dict[str, dict[str, Any]]]:
        return json.loads(self.steer("Profiles"))
