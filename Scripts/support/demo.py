"""The demonstration: a guide and two members, three real processes on this machine, from nothing to a chat.

They find each other through this machine's avahi-daemon, join by code, and write; then the script shows what each one
sees. It exits with 0 only if every message arrived everywhere and its author was told so.
"""
from __future__ import annotations

import os
import signal
import shutil
import sys
import tempfile
import time
from pathlib import Path

from nodes import Follower, Here, Node, NodeError, Row, wait_until

COLOURS = ("36", "33", "35")
SCRIPT = (
    ("Guide", "send", "Welcome! We meet at the fountain at ten."),
    ("Green", "send", "On my way."),
    ("Violet", "send", "I am there already. Shall I keep seats?"),
    ("Guide", "announce", "The boat leaves at 10:30, pier 4."),
    ("Violet", "send", "Pier 4, understood."),
    ("Green", "send", "Two minutes!"),
)


def paint(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if sys.stdout.isatty() and "NO_COLOR" not in os.environ else text


class Demo:
    def __init__(self, home: Path) -> None:
        self.begun = time.monotonic()
        self.nodes = [Node(Here(), home / name.lower(), name) for name in ("Guide", "Green", "Violet")]
        self.colour = dict(zip((node.name for node in self.nodes), COLOURS))
        self.followers: dict[str, Follower] = {}
        self.sent: list[tuple[str, str]] = []  # author's name, message id

    def tell(self, who: str, text: str) -> None:
        name = paint(f"{who:8}", self.colour.get(who, "1"))
        print(f"{time.monotonic() - self.begun:6.1f} s  {name} {text}", flush=True)

    def node(self, name: str) -> Node:
        return next(node for node in self.nodes if node.name == name)

    def start(self) -> None:
        for node in self.nodes:
            node.launch()
        for node in self.nodes:
            node.await_ready()
            assert node.process
            self.tell(node.name, f"runs (process {node.process.pid}, port {node.port})")

    def join(self) -> None:
        guide = self.nodes[0]
        code = str(guide.must("tour", "create", "Harbour Walk").first["joinCode"])
        self.tell(guide.name, f"creates the tour 'Harbour Walk'; its code: {code}")
        for node in self.nodes[1:]:
            node.must("join", code, "--name", node.name, seconds=120)
            self.tell(node.name, "joins by the code, over the network it found by mDNS")
        for node in self.nodes:
            wait_until(lambda: len(node.members()) == len(self.nodes), 60, f"{node.name} knows everybody")
            wait_until(lambda: node.links() >= 1, 60, f"{node.name} has a link")
            self.followers[node.name] = node.follow()

    def talk(self) -> bool:
        """Plays the script, each line once everybody has the one before; false when a line did not arrive."""
        arrived = True
        for name, command, text in SCRIPT:
            message = str(self.node(name).must(command, text).first["id"])
            self.sent.append((name, message))
            self.tell(name, f"{'announces' if command == 'announce' else 'writes'}: {text}")
            for follower in self.followers.values():
                try:
                    follower.wait_ids([message], 20)
                except NodeError as problem:
                    arrived = False
                    self.tell(follower.node.name, f"did not get it: {problem}")
        return arrived

    def show_screens(self) -> None:
        for node in self.nodes:
            print(f"\n{paint(f'What {node.name} sees', '1')}")
            for row in node.messages():
                print("   " + self.line(row))

    def line(self, row: Row) -> str:
        name = str(row["authorName"])
        hour = str(row["sentAt"])[11:19]
        mark = paint("!", "1;31") if row["type"] == "announcement" else " "
        return f"{hour} {mark} {paint(f'{name:8}', self.colour.get(name, '0'))} {row['content']}"

    def show_members(self) -> None:
        print(f"\n{paint('Members, as the guide sees them', '1')}")
        for row in self.nodes[0].members():
            reach = "reachable" if row["reachable"] else "not reachable"
            name = str(row["name"])
            print(f"   {paint(f'{name:8}', self.colour.get(name, '0'))} {row['role']:8} {reach}")

    def show_statuses(self) -> bool:
        """Waits until every author knows that all have the message, and shows the statuses."""
        delivered = True
        for name, message in self.sent:
            try:
                self.followers[name].wait_status([message], {"delivered", "read"}, 30)
            except NodeError:
                delivered = False
        print(f"\n{paint('Statuses, as each author sees them', '1')}")
        for name, message in self.sent:
            row = next(r for r in self.node(name).messages() if r["id"] == message)
            colour = "32" if row["status"] in ("delivered", "read") else "31"
            print(f"   {paint(str(row['status']).ljust(10), colour)} {name:8} {row['content']}")
        return delivered

    def same_everywhere(self) -> bool:
        lists = [[row["id"] for row in node.messages()] for node in self.nodes]
        return all(ids == lists[0] for ids in lists) and {m for _, m in self.sent} <= set(lists[0])

    def run(self) -> bool:
        self.start()
        self.join()
        arrived = self.talk()
        self.show_screens()
        self.show_members()
        delivered = self.show_statuses()
        same = self.same_everywhere()
        good = arrived and delivered and same
        print()
        if good:
            print(paint(f"All {len(self.sent)} messages arrived everywhere, in the same order.", "1;32"))
        else:
            print(paint(f"FAILED: arrived {arrived}, authors told {delivered}, same everywhere {same}", "1;31"))
        return good

    def close(self) -> None:
        for node in self.nodes:
            node.stop()


def stop(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, stop)
    home = Path(tempfile.mkdtemp(prefix="tour-chat-demo-"))
    demo = Demo(home)
    try:
        return 0 if demo.run() else 1
    except NodeError as problem:
        print(paint(f"FAILED: {problem}", "1;31"), flush=True)
        for node in demo.nodes:
            print(f"--- log of {node.name}\n{node.log_tail(2000)}")
        return 1
    finally:
        demo.close()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
