"""Scripts/bluez-pan on a host of the lab, and the BlueZ it talks to there: python-dbusmock's."""
from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from lab import Host, run
from nodes import NodeError, end

PYTHON = "/usr/bin/python3"  # Debian's own: its D-Bus packages are for that one
SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "bluez-pan"
MOCK = Path(__file__).with_name("bluez_mock.py")


class Program:
    """A process on a host, and the lines it has printed, each of which is waited for once."""

    def __init__(self, host: Host, name: str, *argv: str, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self._log = (host.home / f"{name}.log").open("ab", buffering=0)
        self.lines: list[str] = []
        self._next = 0
        self._ended = False
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            host.argv(list(argv)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**host.environment(), "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1",
                            **(environment or {})})
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._log.write(line.encode())
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait_line(self, pattern: str, seconds: float = 20) -> str:
        """The next line that has the pattern, after the one waited for last."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while True:
                while self._next < len(self.lines):
                    line = self.lines[self._next]
                    self._next += 1
                    if re.search(pattern, line):
                        return line
                left = deadline - time.monotonic()
                if left <= 0 or self._ended:
                    why = "ended without" if self._ended else f"not within {seconds:.0f} s:"
                    raise NodeError(f"{self.name}: {why} a line '{pattern}'; its last: {self.lines[-5:]}")
                self._changed.wait(left)

    def interrupt(self) -> int:
        """Ctrl-C; returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(15)

    def close(self) -> None:
        end(self.process, 5)


class Bluetooth:
    """A host's BlueZ, and bluez-pan there. To be used in `with`, which ends what it started."""

    def __init__(self, host: Host, devices: dict[str, str] | None = None,
                 adapters: tuple[str, ...] = ("hci0",)) -> None:
        self.host = host
        self._parameters = json.dumps({"devices": devices or {}, "adapters": adapters})
        self._programs: list[Program] = []
        if host.bus_daemon is None:
            host.start_bus()

    def __enter__(self) -> Bluetooth:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        for program in reversed(self._programs):
            program.close()

    def _program(self, name: str, *argv: str, **more: Any) -> Program:
        program = Program(self.host, name, *argv, **more)
        self._programs.append(program)
        return program

    def start(self) -> None:
        """BlueZ; also again after `stop`."""
        self.bluez = self._program("bluez", PYTHON, "-m", "dbusmock", "--system", "--template", str(MOCK),
                                   "--parameters", self._parameters)
        self.bluez.wait_line("^ready$")

    def stop(self) -> None:
        self.bluez.close()

    def steer(self, method: str, *arguments: str) -> str:
        """Calls the mock's own methods; arguments are strings, or typed as dbus-send writes them."""
        return run("dbus-send", f"--bus={self.host.bus}", "--print-reply", "--dest=org.bluez", "/",
                   f"org.bluez.Mock.{method}", *(a if re.match(r"(int32|boolean):", a) else f"string:{a}"
                                                 for a in arguments))

    def pan(self, *words: str, prefix: tuple[str, ...] = (), **environment: str) -> Program:
        """Starts bluez-pan."""
        return self._program("bluez-pan", *prefix, str(SCRIPT), *words, environment=environment)

    def status(self) -> dict[str, list[dict[str, Any]]]:
        done = subprocess.run(self.host.argv([str(SCRIPT), "status", "--json"]), capture_output=True, text=True,
                              env=self.host.environment())
        if done.returncode:
            raise NodeError(f"bluez-pan status: {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def links(self) -> dict[str, dict[str, Any]]:
        listed = json.loads(run("ip", "-n", self.host.namespace, "-json", "-details", "address", "show"))
        return {row["ifname"]: row for row in listed}


def why_no_mock() -> str | None:
    """Why BlueZ cannot be played here, or None."""
    tried = subprocess.run([PYTHON, "-c", "import gi, dbus, dbusmock"], capture_output=True, text=True,
                           env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    return "apt-get install python3-gi python3-dbusmock" if tried.returncode else None
