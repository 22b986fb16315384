"""A process under valgrind's callgrind: counting between two marks, and reading what was counted."""
from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = ("valgrind", "vgdb", "strip")
Function = tuple[str, str]  # the object file's name, and the symbol as the linker knows it
_NAMED = re.compile(r"\((\d+)\)(?: (.*))?")
_LEVEL = re.compile(r"'\d+$")  # callgrind's mark of a function that calls itself


class CallgrindError(Exception):
    """Valgrind did not do what it was asked for."""


def argv(out: Path) -> list[str]:
    """What a command is preceded with. Nothing is counted before `Counter.begin`."""
    return ["valgrind", "--tool=callgrind", "--quiet", "--instr-atstart=no", "--demangle=no",
            f"--callgrind-out-file={out}", f"--vgdb-prefix={out.parent}/vgdb"]


def readable_copy(program: str, copy: Path) -> str:
    """The program without what is for debuggers, which is of a newer form than valgrind reads: names stay."""
    done = subprocess.run(["strip", "--strip-debug", "-o", str(copy), program], capture_output=True, text=True)
    if done.returncode:
        raise CallgrindError(f"strip {program}: {done.stderr.strip()[-300:]}")
    return str(copy)


class Counter:
    """Tells the callgrind of one process where to begin and to end counting."""

    def __init__(self, pid: int, out: Path) -> None:
        self._pid, self._out, self._dumps = pid, out, 0

    def _say(self, *words: str) -> None:
        done = subprocess.run(["vgdb", f"--vgdb-prefix={self._out.parent}/vgdb", f"--pid={self._pid}", *words],
                              capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise CallgrindError(f"vgdb {' '.join(words)}: {done.stderr.strip()[-300:]}")

    def switch_on(self) -> None:
        """From now on the process is slow, and counted."""
        self._say("instrumentation", "on")

    def zero(self) -> None:
        """The first mark: what was counted so far is forgotten."""
        self._say("zero")

    def read(self) -> Profile:
        """The second mark: what the process has done since the first, in user space and in all its threads."""
        self._dumps += 1
        self._say("dump")
        return Profile.read(self._out.with_name(f"{self._out.name}.{self._dumps}"))


@dataclass
class Profile:
    """Instructions by function, and by call."""

    total: int = 0
    own: dict[Function, int] = field(default_factory=lambda: defaultdict(int))
    # By caller and called function: with all that the latter calls.
    calls: dict[tuple[Function, Function], int] = field(default_factory=lambda: defaultdict(int))

    @staticmethod
    def read(path: Path) -> Profile:
        profile, names = Profile(), _Names()
        where, called_where, function, called = "", "", ("", ""), ("", "")
        is_call = False
        with path.open(errors="replace") as lines:
            for line in lines:
                first = line[:1]
                if first in "0123456789+-*" and first:
                    cost = int(line.split()[1])
                    if is_call:
                        profile.calls[function, called] += cost
                        is_call = False
                    else:
                        profile.own[function] += cost
                    continue
                key, equals, value = line.rstrip("\n").partition("=")
                if not equals:
                    continue
                if key == "ob":
                    where = called_where = names.of("ob", value)
                elif key == "fn":
                    function, called_where = (where, names.of("fn", value)), where
                elif key == "cob":
                    called_where = names.of("ob", value)
                elif key == "cfn":
                    called, called_where = (called_where, names.of("fn", value)), where
                elif key == "calls":
                    is_call = True
        profile.total = sum(profile.own.values())
        return profile

    def inclusive(self) -> dict[Function, int]:
        """By function, with all that it calls; what functions cost that call themselves counts once."""
        found = defaultdict(int, self.own)
        for (caller, called), cost in self.calls.items():
            if caller != called:
                found[caller] += cost
        return dict(found)


class _Names:
    """Callgrind writes each name once, and its number afterwards."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    def of(self, kind: str, value: str) -> str:
        if not (found := _NAMED.fullmatch(value)):
            return value
        number, name = found.groups()
        if name is not None:
            self._known[kind, number] = Path(name).name if kind == "ob" else _LEVEL.sub("", name)
        return self._known.get((kind, number), "?")
