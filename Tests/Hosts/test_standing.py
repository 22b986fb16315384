"""Goal: whoever is out, copied or cut off is told so, soon and in words, and gets nothing that is not for it.
Method: real nodes on hosts of their own; one is removed while away, one copied and started twice; a `run` in a
terminal."""
from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

from cases import Context, case, expect
from lab import Host
from nodes import Node, end, make_tour, wait_until
from test_roles import await_removed, contents


COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A `run` as a person starts it, and all that it wrote on its terminal."""

    def __init__(self, host: Host, node: Node) -> None:
        self._place, self._node = host, node
        self.text = ""

    def __enter__(self) -> Terminal:
        self._screen, inner = pty.openpty()
        argv = self._place.argv([self._node.binary, "--data-dir", str(self._node.data), "run", "--name",
                                 self._node.name, "--web", "off"])
        environment = {**self._place.environment(), "TERM": "xterm-256color", "TOUR_CHAT_LOG": "error"}
        self._process = subprocess.Popen(argv, stdin=inner, stdout=inner, stderr=inner, env=environment)
        os.close(inner)
        return self

    def _read(self) -> None:
        while select.select([self._screen], [], [], 0)[0]:
            try:
                self.text += COLOURS.sub("", os.read(self._screen, 4_096).decode(errors="replace"))
            except OSError:  # it has ended
                return

    def shows(self, words: str, seconds: float = 30) -> None:
        def is_there() -> bool:
            self._read()
            return words in self.text
        try:
            wait_until(is_there, seconds, f"the terminal shows '{words}'", pause=0.1)
        except Exception as error:
            raise AssertionError(f"{error}; it shows: {self.text[-600:]}") from error

    def __exit__(self, *_: object) -> None:
        end(self._process, 10)
        os.close(self._screen)


@case
def run_in_a_terminal(context: Context) -> None:
    """`run` says when it is online, whom it meets, who comes and goes, and when nobody is linked any more."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member")
        code = make_tour([guide])
        with Terminal(lab.hosts[1], member) as terminal:
            terminal.shows("member is online")
            terminal.shows("Ctrl-C ends the node.")
            member.must("join", code, seconds=60)
            terminal.shows("Joined “Walk”.")
            terminal.shows("Linked with guide in “Walk”.")
            third = lab.hosts[2].node("third").start()
            third.must("join", code, "--name", "third", seconds=60)
            terminal.shows("third has joined.")
            third.must("tour", "leave", "--yes")
            terminal.shows("third has left.", 60)
            third.stop()
            guide.stop()
            terminal.shows("No link in “Walk” any more: looking for the others.", 60)
            guide.start()
            wait_until(lambda: terminal_count(terminal, "Linked with guide") == 2, 60, "the link is told again")
            guide.must("remove", "member", "--yes")
            terminal.shows("You were removed from “Walk” by guide. Ask a guide for a new code.", 60)


def terminal_count(terminal: Terminal, words: str) -> int:
    terminal.shows(words)
    return terminal.text.count(words)


@case
def join_of_somebody_removed(context: Context) -> None:
    """Removed while away: a `join` by the old code says within seconds that it is over, and what to do; a new code
    lets it in."""
    context.repetitions = context.times(1)
    with context.tour(3) as (_, nodes):
        guide, second, third = nodes
        for node in nodes:
            wait_until(lambda: {row["name"] for row in node.members()} == {n.name for n in nodes}, 30, "all names")
        old = next(str(row["code"]) for row in guide.must("tour", "invite", "--list").lines if row["state"] == "open")
        third.stop()
        new = str(guide.must("remove", third.name, "--yes").first["joinCode"])
        await_removed(second, third.name)
        third.start()
        asked = time.monotonic()
        refused = third.ask("join", old, "--timeout", "60")
        took = time.monotonic() - asked
        expect(refused.code in ("revoked", "removed"), f"the old code: {refused.text[:300]}")
        expect("code" in refused.text, f"it does not say what to do: {refused.text[:300]}")
        expect(took < 8, f"it took {took:.1f} s")
        written = third.ask("send", "am I in?")
        expect(written.code == "removed" and "new code" in written.text, f"writing: {written.text[:300]}")
        expect(third.status()["state"] == "removed", "its status does not say so")
        third.must("join", new, seconds=60)
        guide.follow().wait_ids([third.send("back again")], 60)
        context.note(f"told after {took:.1f} s")


@case
def back_without_history(context: Context) -> None:
    """Without full history a removed member that comes back by a new code reads nothing of the time between."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        guide, member, other = (host.node(n).start() for host, n in zip(lab.hosts, ("guide", "member", "other")))
        code = str(guide.must("tour", "create", "Walk", "--history", "none").first["joinCode"])
        for node in (member, other):
            node.must("join", code, "--name", node.name, seconds=60)
        first = guide.send("with you")
        for node in (member, other):
            node.follow().wait_ids([first], 30)
        wait_until(lambda: {row["name"] for row in guide.members()} >= {"member", "other"}, 30, "all names")
        new = str(guide.must("remove", "member", "--yes").first["joinCode"])
        wait_until(lambda: member.ask("send", "still here").code == "removed", 60, "the removed member is told")
        await_removed(other, "member")
        between = [guide.send("without you"), other.send("nor this")]
        other.follow().wait_ids(between, 60)
        # Whom a plain member lets in comes into the epoch there is; a guide begins a new one.
        other.stop()
        member.must("join", new, seconds=60)
        last = guide.send("with you again")
        wait_until(lambda: "with you again" in contents(member), 60, "who came back reads what is said since")
        # It relays all the same: it has the messages, and cannot open them.
        wait_until(lambda: set(between) <= {str(r["id"]) for r in member.messages()}, 60, "it has those of the time between")
        told = contents(member)
        expect("without you" not in told and "nor this" not in told, f"it reads what was not for it: {told}")
        expect("with you" in told, "it lost what it had read before")
        expect(last in {str(row["id"]) for row in member.messages()}, "it does not list what is said since")


@case
def twin_on_the_air(context: Context) -> None:
    """A copied data directory is started beside the one it was copied from: both notice, and say it."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        guide, member = (host.node(n).start() for host, n in zip(lab.hosts, ("guide", "member")))
        make_tour([guide, member])
        guide.follow().wait_ids([member.send("before the copy")])
        member.stop()
        twin = lab.hosts[2].node("member")
        copy(member.data, twin.data)
        member.start()
        with Terminal(lab.hosts[2], twin) as terminal:
            terminal.shows("is online")
            words = "Another device with your key in “Walk” is online"
            for node in (member, twin):
                wait_until(lambda: words in node.ask("doctor").text, 120, f"{node.home.name} notices it", pause=1)
            terminal.shows(words)
        # One of them is off for good: the other writes on.
        wait_until(lambda: member.ask("send", "alone again").status == 0, 60, "the first one writes")


def copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target)
    os.chmod(target, 0o700)
