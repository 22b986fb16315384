"""Guests for tests: phones without a program, played by Tests/PythonNode/guest.py on a host of the lab."""
from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import local
from cases import expect
from lab import Host, run
from nodes import Node, NodeError, Row, end, wait_until
from programs import PROGRAM, Program, interpreter

GUEST = str(PROGRAM / "guest.py")
CALL_SECONDS = 150.0


class Refused(Exception):
    """A host, or a phone, did not do what it was asked; `code` says why."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code


class Phones:
    """All phones on one host, each with an address of its own if it is told to. `program` plays them."""

    def __init__(self, host: Host, log: str = "phones", program: str = GUEST) -> None:
        self._program = Program(host, log, program, python=interpreter())
        self._program.wait("ready", 60)
        self._lock, self._calls = threading.Lock(), 0

    def guest(self, link: str, name: str, source: str = "", storage: Row | None = None, patience: float = 60,
              called: str = "") -> Phone:
        """A phone that scanned a code. `called` tells two phones of one name apart."""
        phone = Phone(self, called or name, name, link)
        phone.do("new", link=link, name=name, source=source, storage=storage, patience=patience)
        return phone

    def begin(self, guest: str, method: str, fields: Row) -> int:
        with self._lock:
            self._calls += 1
            self._program.write(json.dumps({"call": self._calls, "guest": guest, "do": method, "with": fields}))
            return self._calls

    def result(self, call: int, seconds: float = CALL_SECONDS) -> Any:
        row = self._program.first(lambda row: row.get("call") == call, seconds)
        if row is None:
            raise NodeError(f"the phones did not answer call {call} within {seconds:.0f} s, or have ended")
        if "code" not in row:
            return row["ok"]
        if row["code"] == "broken":
            raise AssertionError(row["why"])
        raise Refused(row["code"], row["why"])

    @property
    def pid(self) -> int:
        """Of the program, or what starts it on its host."""
        return self._program.process.pid

    def close(self) -> None:
        end(self._program.process)


class Phone:
    """One phone. What it does is in Tests/PythonNode/guest.py, by the same names."""

    def __init__(self, phones: Phones, key: str, name: str, link: str) -> None:
        self._phones, self._key, self.name, self.link = phones, key, name, link
        self.member = ""

    def begin(self, method: str, **fields: Any) -> int:
        return self._phones.begin(self._key, method, fields)

    def result(self, call: int, seconds: float = CALL_SECONDS) -> Any:
        return self._phones.result(call, seconds)

    def do(self, method: str, within: float = CALL_SECONDS, **fields: Any) -> Any:
        return self.result(self.begin(method, **fields), within)

    def refusal(self, method: str, **fields: Any) -> str:
        """The code with which it is refused."""
        try:
            said = self.do(method, **fields)
        except Refused as refused:
            return refused.code
        raise AssertionError(f"{self.name}: {method} was not refused: {str(said)[:200]}")

    def enter(self) -> Phone:
        self.member = str(self.do("enter"))
        return self

    def resume(self) -> Phone:
        self.do("resume")
        self.member = str(self.storage["member"])
        return self

    def say(self, text: str) -> str:
        return str(self.do("say", text=text))

    def messages(self) -> list[Row]:
        return list(self.do("all_messages"))

    def shown(self) -> set[str]:
        """The texts that the news brought, with nothing asked for."""
        return {str(row["content"]) for row in self.do("news_messages")}

    def walk(self, where: str) -> None:
        self.do("walk", where=where)

    def drop(self) -> None:
        self.do("drop")

    @property
    def storage(self) -> Row:
        return dict(self.do("kept"))

    @property
    def state(self) -> Row:
        return dict(self.do("state"))

    def wait(self, check: Callable[[Row], object], seconds: float, what: str) -> Row:
        """Until `check` holds for `state`."""
        wait_until(lambda: check(self.state), seconds, f"{self.name}: {what}", pause=0.2)
        return self.state

    def wait_text(self, *texts: str, seconds: float = 30) -> None:
        wait_until(lambda: set(texts) <= self.shown(), seconds, f"{self.name} is shown {texts}", pause=0.2)


@contextmanager
def phones_on(host: Host, log: str = "phones") -> Iterator[Phones]:
    phones = Phones(host, log)
    try:
        yield phones
    finally:
        phones.close()


def addresses(host: Host, count: int, first: int = 50) -> list[str]:
    """Gives the host so many addresses on its first segment, one for each phone; no node of the lab has them."""
    own = [f"10.77.{host.segments[0]}.{first + k}" for k in range(count)]
    run("ip", "-n", host.namespace, "-batch", "-", stdin="".join(f"addr add {a}/24 dev eth0\n" for a in own))
    return own


class Seats:
    """The seats that a node gives, as its owner sees and changes them."""

    def __init__(self, node: Node) -> None:
        self.node = node

    @property
    def _path(self) -> str:
        return f"/v1/tours/{self.node.must('tour', 'list').first['tourID']}/seats"

    def on(self, most: int | None = None) -> str:
        """Gives seats; the link in the code."""
        if most is not None:
            local.must(self.node, "PUT", self._path, {"on": True, "max": most})
        row = self.node.must("seats", "on").first
        expect(row["on"], f"{self.node.name} gives no seats: {row}")
        # The door may open a moment later.
        return str(wait_until(lambda: self.view()["link"], 20, f"{self.node.name} shows a code", pause=0.3))

    def off(self) -> None:
        expect(not self.node.must("seats", "off").first["on"], f"{self.node.name} gives seats after it ended that")

    def renew(self, uses: int | None = None, seconds: int | None = None) -> str:
        if uses is None and seconds is None:
            return str(self.node.must("seats", "renew").first["link"])
        terms = {name: value for name, value in (("uses", uses), ("seconds", seconds)) if value is not None}
        return str(local.must(self.node, "POST", f"{self._path}/pass", terms)["link"])

    def view(self) -> Row:
        return self.node.must("seats").first

    def names(self) -> set[str]:
        """The guests who are with this node."""
        return {str(guest["name"]) for guest in self.view()["guests"]}

    def allow(self, member: str) -> None:
        self.node.must("seats", "allow", member, "--yes")

    def deny(self, member: str) -> None:
        self.node.must("seats", "deny", member, "--yes")


def guest_rows(node: Node) -> dict[str, Row]:
    """The guests in a node's list of members, by name."""
    return {str(row["name"]): row for row in node.members() if row.get("guest")}


def guests_in(node: Node) -> dict[str, str]:
    """The guests who are in, each with its host's name."""
    return {name: str((row["by"] or {}).get("name")) for name, row in guest_rows(node).items()
            if not (row["removed"] or row["left"] or row["forked"])}


def await_guests(node: Node, hosts: dict[str, str], seconds: float = 60) -> None:
    """Until the node lists these guests, each by its host, and no others that are in."""
    try:
        wait_until(lambda: guests_in(node) == hosts, seconds, f"{node.name} lists {hosts}", pause=0.3)
    except NodeError as error:
        raise NodeError(f"{error}; it lists {guests_in(node)}") from error
