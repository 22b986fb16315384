"""The chat, or another command, in a terminal of a size."""
from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios

from lab import Host
from nodes import Node, end, wait_until

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Chat:
    """A command in a terminal: what it wrote, and keys for it."""

    def __init__(self, host: Host, node: Node, columns: int = 80, rows: int = 24, words: tuple[str, ...] = ("chat",)
                 ) -> None:
        self._place, self._node, self._size, self.text, self._words = host, node, (columns, rows), "", words

    def __enter__(self) -> Chat:
        self._screen, inner = pty.openpty()
        self.resize(*self._size)
        environment = {**self.environment(), "TERM": "xterm-256color"}
        # As in a real one, the terminal tells the chat of a new size.
        self._process = subprocess.Popen(self.argv(), stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True,
                                         preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(inner)
        return self

    def argv(self) -> list[str]:
        return self._place.argv([self._node.binary, "--data-dir", str(self._node.data), *self._words])

    def environment(self) -> dict[str, str]:
        return self._place.environment()

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def shows(self, words: str, seconds: float = 60) -> None:
        self.matches(re.compile(re.escape(words)), seconds, f"'{words}'")

    def matches(self, pattern: re.Pattern[str], seconds: float, what: str) -> re.Match[str]:
        """Waits until the pattern is in what the screen has shown."""
        def is_there() -> re.Match[str] | None:
            while select.select([self._screen], [], [], 0)[0]:
                try:
                    self.text += ESCAPES.sub("", os.read(self._screen, 65_536).decode(errors="replace"))
                except OSError:  # it has ended
                    break
            return pattern.search(self.text)
        try:
            found: re.Match[str] = wait_until(is_there, seconds, f"the chat shows {what}", pause=0.1)
            return found
        except Exception as error:
            raise AssertionError(f"{error}; it shows: {self.text[-800:]}") from error

    def types(self, line: str) -> None:
        self.presses(line + "\r")

    def presses(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def __exit__(self, *_: object) -> None:
        end(self._process, 10)
        os.close(self._screen)
