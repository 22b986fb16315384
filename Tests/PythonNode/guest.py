"""Guests: what the page on a phone without a program does, written from Protocol/15-seats.md alone.

    python Tests/PythonNode/guest.py      plays any number of guests at once

Each line on standard input is a call, `{"call": 1, "guest": "Anna", "do": "say", "with": {"text": "Hello"}}`; `do`
names a method of `Guest`, or is `new` (with `link`, `name`, `source`: our address, `storage`: what another phone kept).
Calls run at the same time, those of one guest too. A line `{"event": "done", "call": 1, …}` answers each, with `ok`, or
`code` and `why`.

What a phone must keep is `Guest.storage` alone: whoever copies it has the phone.
"""
from __future__ import annotations

import base64
import copy
import http.client
import json
import os
import selectors
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nacl import bindings

import events
import seats
from wire import Fault

TIMEOUT_SECONDS, NEWS_TIMEOUT_SECONDS, BEHIND_SECONDS, REDIAL_SECONDS = 20.0, 25.0, 2.0, 0.5
LOST_SECONDS, LOST_HOSTS_MAX = 24 * 60 * 60, 8  # of hosts that are not named any more
GOT_SECONDS = 0.5  # the least between two `got`
PICTURE_PIECE = 256 * 1024
TAIL_EVENTS_MAX, TAIL_BYTES_MAX = 256, 512 * 1024
TCP_ESTABLISHED = 1
PATIENT = ("slow-down", "busy")  # to be asked again
SECURE = "https://"
# Who answers is known by the key in the code.
ANYBODY = ssl.create_default_context()
ANYBODY.check_hostname, ANYBODY.verify_mode = False, ssl.CERT_NONE
Row = dict[str, Any]


class Lost(Exception):
    """Nobody answers there, or not as the host in the QR code."""


class Refusal(Exception):
    """What a host says inside the channel."""

    def __init__(self, code: str, message: str, fields: Row) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.fields = code, fields


def after(refusal: Refusal) -> float:
    """How many seconds a host says to wait."""
    return float(refusal.fields.get("after") or refusal.fields.get("seconds") or 1)


def read_link(link: str) -> tuple[str, bytes, bytes]:
    """`HOST:PORT` or `https://NAME:PORT`, channel key and pass."""
    parts = urlsplit(link)
    data = base64.urlsafe_b64decode(parts.fragment + "=" * (-len(parts.fragment) % 4))
    key, code_pass, _ = seats.read_code(data)
    return (SECURE if parts.scheme == "https" else "") + parts.netloc, key, code_pass


class Wire:
    """One channel to one host."""

    def __init__(self, place: str, key: bytes, source: str = "") -> None:
        self.place, self.key = place, key
        self._source = (source, 0) if source else None
        self._number, self._lock = 0, threading.Lock()
        secret = os.urandom(32)
        status, answer = self.post("/seat/hello", seats.VERSION + bindings.crypto_scalarmult_base(secret))
        if status != 200:
            raise Lost(f"{place}: hello: {status}")
        try:
            self.session, self.channel = seats.begin(answer, key, secret)
        except Fault as fault:
            raise Lost(f"{place}: {fault}") from fault

    def post(self, path: str, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        connection = self._connect(TIMEOUT_SECONDS)
        try:
            answer = self._send(connection, path, body, headers)
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Lost(f"{self.place}: {error!r}") from error
        finally:
            connection.close()

    def _connect(self, seconds: float) -> http.client.HTTPConnection:
        parts = urlsplit("//" + self.place.removeprefix(SECURE))
        if self.place.startswith(SECURE):
            return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=seconds,
                                               source_address=self._source, context=ANYBODY)
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=seconds,
                                          source_address=self._source)

    @staticmethod
    def _send(connection: http.client.HTTPConnection, path: str, body: bytes, headers: dict[str, str] | None
              ) -> http.client.HTTPResponse:
        connection.request("POST", path, body, {"Content-Type": "application/octet-stream"} | (headers or {}))
        return connection.getresponse()

    def next_number(self) -> int:
        with self._lock:
            self._number += 1
            return self._number

    def sealed(self, said: Row, data: bytes = b"", number: int | None = None) -> tuple[int, bytes]:
        """A request's number, and its body."""
        number = self.next_number() if number is None else number
        box = self.channel.seal(seats.REQUEST, number, seats.pack(said, data))
        return number, self.session + number.to_bytes(8, "big") + box

    def ask(self, said: Row, data: bytes = b"") -> seats.ReadBack:
        """What the host answers: its `ok`, and the bytes beside it."""
        number, body = self.sealed(said, data)
        status, box = self.post("/seat/ask", body)
        if status != 200:
            raise Lost(f"{self.place}: {said.get('op')}: {status}")
        try:
            return self._read(seats.unpack(self.channel.open(seats.ANSWER, number, box)))
        except Fault as fault:
            raise Lost(f"{self.place}: {fault}") from fault

    @staticmethod
    def _read(answer: seats.ReadBack) -> seats.ReadBack:
        said, data = answer
        if error := said.get("error"):
            raise Refusal(error["code"], error.get("message", ""), error)
        return said["ok"], data

    def news(self, opened: Callable[[http.client.HTTPConnection], None]) -> Iterator[Row]:
        """Frames as they come, until the host ends them or the connection is closed."""
        number, body = self.sealed({"op": "news"})
        connection = self._connect(NEWS_TIMEOUT_SECONDS)
        opened(connection)
        try:
            answer = self._send(connection, "/seat/news", body, None)
            if answer.status != 200:
                raise Lost(f"{self.place}: news: {answer.status}")
            index = 0
            while len(length := answer.read(4)) == 4:
                box = answer.read(int.from_bytes(length, "big"))
                said, _ = seats.unpack(self.channel.open(seats.FRAME, number, box, index))
                if error := said.get("error"):
                    raise Refusal(error["code"], error.get("message", ""), error)
                yield said
                index += 1
        except (OSError, ValueError, AttributeError, http.client.HTTPException, Fault) as error:
            raise Lost(f"{self.place}: news: {error!r}") from error
        finally:
            connection.close()


class Acknowledging:
    """Says to one host what came from it: at most twice a second, and the newest number in the end."""

    def __init__(self, wire: Wire, is_awake: Callable[[], bool]) -> None:
        self._wire, self._is_awake = wire, is_awake
        self._newest, self._said, self._is_due, self._changed = 0, 0, False, threading.Condition()

    def came(self, number: int, seconds: float = GOT_SECONDS) -> None:
        with self._changed:
            self._newest = max(self._newest, number)
            if self._is_due:
                return
            self._is_due = True
        timer = threading.Timer(seconds, self._say)
        timer.daemon = True
        timer.start()

    def settle(self, seconds: float) -> None:
        """Until all that came was said to be here."""
        with self._changed:
            self._changed.wait_for(lambda: self._said >= self._newest or not self._is_awake(), seconds)

    def _say(self) -> None:
        with self._changed:
            self._is_due, number = False, self._newest
        if not self._is_awake():
            return
        try:
            self._wire.ask({"op": "got", "news": number})
            with self._changed:
                self._said = max(self._said, number)
                self._changed.notify_all()
        except Refusal as refusal:
            if refusal.code in PATIENT:
                self.came(number, after(refusal))
        except Lost:
            pass  # so are the news: the next channel says it


class Hold:
    """Connections that only cost their host places."""

    def __init__(self, host: tuple[str, int], sources: list[str], said: bytes, count: int, reads: bool) -> None:
        self._host, self._sources, self._said, self._reads, self.made = host, sources, said, reads, 0
        self._selector, self._ended = selectors.DefaultSelector(), threading.Event()
        for _ in range(count):
            self._open()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _open(self) -> None:
        source = self._sources[self.made % len(self._sources)]
        self.made += 1
        try:
            held = socket.create_connection(self._host, TIMEOUT_SECONDS, (source, 0) if source else None)
            held.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            held.setblocking(False)
            held.send(self._said)
            self._selector.register(held, selectors.EVENT_READ)
        except OSError:
            pass  # the next one

    def _run(self) -> None:
        while not self._ended.wait(0.05):
            for key, _ in self._selector.select(0):
                held = key.fileobj
                assert isinstance(held, socket.socket)
                try:
                    if self._reads:
                        if held.recv(65_536):
                            continue
                    # One look: what is sent to it stays unread, and an end shows.
                    elif held.recv(1, socket.MSG_PEEK) and not self._is_over(held):
                        continue
                except BlockingIOError:
                    continue
                except OSError:
                    pass
                self._selector.unregister(held)
                held.close()
                self._open()

    @staticmethod
    def _is_over(held: socket.socket) -> bool:
        """Whether the host has closed its end, of which bytes that wait say nothing."""
        state = held.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
        return state != TCP_ESTABLISHED

    def end(self) -> int:
        self._ended.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        return self.made


class Guest:
    """A phone. Its methods may be called from several threads."""

    def __init__(self, link: str, name: str, *, source: str = "", storage: Row | None = None,
                 patience: float = 60) -> None:
        """`storage`: what a phone kept, of which this is a copy; `patience`: how many seconds a host is waited for."""
        place, key, self._pass = read_link(link)
        self.name, self.patience, self._source = name, patience, source
        self.storage: Row = copy.deepcopy(storage) if storage else {
            "member": "", "name": name, "secret": os.urandom(32).hex(), "head": {"seq": 0, "id": ""}, "tail": [],
            "hosts": [{"name": "", "key": key.hex(), "addresses": [place]}]}
        self.at: Row = {"name": "", "key": key.hex(), "addresses": [place]}
        self.view: Row = {}
        self.held, self.confirmed, self.moves = 0, list[str](), list[str]()
        self._shown: dict[str, Row] = {}
        self._wire: Wire | None = None
        self._news: http.client.HTTPConnection | None = None
        self._got: Acknowledging | None = None
        self._changed = threading.Condition(threading.RLock())
        self._writing, self._dialling = threading.RLock(), threading.RLock()
        self._asleep = False
        self._session = bytes(16)
        self._generation = 0
        self._before: Row | None = None  # the head before what was confirmed last
        self._forgotten = set[str]()

    # Coming in.

    def enter(self, listen: bool = True) -> str:
        """The member id."""
        self._wire = self._dial(self.at)
        self._wire.ask({"op": "hello", "language": "en"})
        said = self._enter(self._wire)
        with self._changed:
            self._take(said)
            self.storage["tail"] = list(said.get("tail", []))
        if listen:
            self._listen()
        return str(self.storage["member"])

    def resume(self, listen: bool = True) -> None:
        """With the host that was the last one, or with another one that is known."""
        self._asleep = False
        self._reconnect(None)
        if listen and not self._generation:
            self._listen()

    def walk(self, where: str) -> None:
        """Goes on at another host: a link, or the name of a host that is known."""
        if "#" in where:
            place, key, self._pass = read_link(where)
            target = {"name": "", "key": key.hex(), "addresses": [place]}
        else:
            target = next(host for host in self.storage["hosts"] if host["name"] == where)
        with self._dialling:
            self._hang_up()
            self._asleep = False
            self.at = target
            self._resume_within(self.patience, [target])
        self._listen()

    def refresh(self) -> None:
        """A new channel to the same host."""
        self._reconnect(self._wire)

    def drop(self) -> None:
        """The phone sleeps: it says nothing to anybody."""
        self._asleep = True
        self._hang_up()

    def kept(self) -> Row:
        """A copy of what the phone keeps."""
        with self._changed:
            return copy.deepcopy(self.storage)

    # Writing: nothing is stored by a host that is not kept here.

    def say(self, text: str, reply_to: str | None = None) -> str:
        """The message's id, once a host has said that it is stored."""
        return self.write("text", text=text, **({"replyTo": reply_to} if reply_to else {}))

    def write(self, kind: str, **fields: Any) -> str:
        return self._write({"op": "write", "kind": kind, **fields})

    def _write(self, said: Row) -> str:
        with self._writing:
            while True:
                wire, (made, _) = self._ask_wire(said)
                with self._changed:
                    # Since then another thread may have gone on elsewhere, with a record at that place.
                    is_here = wire is self._wire
                    if is_here and made["seq"] <= self.storage["head"]["seq"] + 1:
                        name = self._keep(made)
                        break
                if is_here:
                    self._reconnect(wire)  # another phone of this seat wrote meanwhile
            return self._confirm(name)

    def prepare(self, kind: str, **fields: Any) -> Row:
        """Without keeping or confirming it."""
        return dict(self._asked("write", kind=kind, **fields))

    def leave(self) -> str:
        try:
            return self._write({"op": "leave"})
        except Refusal as refusal:
            # The seat ended before the answer came.
            if refusal.code not in ("over", "removed"):
                raise
            return ""

    def send_picture(self, path: str, caption: str = "") -> str:
        data, upload, have = Path(path).read_bytes(), os.urandom(8).hex(), 0
        while have < len(data):
            piece = data[have:have + PICTURE_PIECE]
            _, (said, _) = self._ask_wire({"op": "upload", "upload": upload, "offset": have, "size": len(data),
                                           "name": "picture.jpg"}, piece)
            have = int(said["have"])
        return self.write("picture", upload=upload, caption=caption)

    def picture(self, message: str, small: bool = False) -> str:
        """In hexadecimal digits."""
        data, size = b"", 1
        while len(data) < size:
            _, (said, piece) = self._ask_wire({"op": "picture", "id": message, "small": small, "offset": len(data)})
            size = int(said["size"])
            if not piece:
                break
            data += piece
        return data.hex()

    # Where it is.

    def share(self, seconds: int, latitude: float, longitude: float, accuracy: int = 0, age: int = 0) -> None:
        """Lets everybody see where the phone is, for so many seconds from now on."""
        self._asked("position", seconds=seconds, latitude=latitude, longitude=longitude, accuracy=accuracy, age=age)

    def hide(self) -> None:
        """Nobody is to see it any more."""
        self._asked("position", seconds=0)

    def _keep(self, made: Row) -> str:
        """Before it is confirmed: from here on the phone's log ends with it. The event's id."""
        event = events.parse(base64.b64decode(made["prepared"]))
        with self._changed:
            head, name = self.storage["head"], event.id.hex()
            wrong = event.author.hex() != self.storage["member"] or (event.sequence, name) != (made["seq"], made["id"])
            follows = event.sequence == head["seq"] + 1 and event.previous.hex() == (head["id"] or bytes(32).hex())
            if wrong or not follows:
                raise AssertionError(f"{self.name}: what is prepared does not continue the log: {made}, {head}")
            self._before = dict(head)
            self.storage["tail"].append(made["prepared"])
            self.storage["head"] = {"seq": event.sequence, "id": name}
            while len(self.storage["tail"]) > TAIL_EVENTS_MAX or self._tail_bytes() > TAIL_BYTES_MAX:
                self.storage["tail"].pop(0)
            return name

    def _tail_bytes(self) -> int:
        return sum(len(base64.b64decode(each)) for each in self.storage["tail"])

    def _confirm(self, name: str) -> str:
        while True:
            wire = self._wire
            try:
                self._here().ask({"op": "confirm", "id": name})
                break
            except Refusal as refusal:
                if refusal.code in PATIENT:
                    time.sleep(after(refusal))
                    continue
                if refusal.code == "moved":
                    self._forget(name)
                raise
            except Lost:
                # Handed over as the tail, or held there already: the log that goes on has it.
                self._reconnect(wire)
                if name in self._forgotten:
                    raise Refusal("moved", "another event has its place", {}) from None
                break
        with self._changed:
            self.confirmed.append(name)
        return name

    def _forget(self, name: str) -> bool:
        """The host said that it will never be. Whether that can be: not of what was answered once."""
        with self._changed:
            if self.storage["head"]["id"] != name or name in self.confirmed or self._before is None:
                return False
            self.storage["tail"].pop()
            self.storage["head"], self._before = self._before, None
            self._forgotten.add(name)
            return True

    # Reading.

    def messages(self) -> list[Row]:
        """What the phone shows, in the tour's order as the host gives it."""
        return list(self._asked("messages", around="end", count=100)["messages"])

    def all_messages(self) -> list[Row]:
        rows = self.messages()
        while rows:
            older = self._asked("messages", before=rows[0]["id"], count=100)["messages"]
            known = {row["id"] for row in rows}
            if not (older := [row for row in older if row["id"] not in known]):
                break
            rows = older + rows
        return rows

    def message(self, name: str) -> Row:
        return dict(self._asked("message", id=name))

    def news_messages(self) -> list[Row]:
        """What the news brought, and nothing that was asked for."""
        with self._changed:
            return list(self._shown.values())

    def read(self, through: str) -> None:
        """What this phone has not acknowledged nobody has read on it: it does that first."""
        if self._got:
            self._got.settle(TIMEOUT_SECONDS)
        self._asked("read", through=through)

    def state(self) -> Row:
        with self._changed:
            return {"view": self.view, "held": self.held, "confirmed": list(self.confirmed), "moves": list(self.moves),
                    "at": self.at, "hosts": self.storage["hosts"], "head": self.storage["head"],
                    "tail": len(self.storage["tail"]), "here": self._wire is not None}

    def wait(self, check: Callable[[Guest], object], seconds: float, what: str = "news") -> Any:
        deadline = time.monotonic() + seconds
        with self._changed:
            while not (found := check(self)):
                if (left := deadline - time.monotonic()) <= 0:
                    raise TimeoutError(f"{self.name}: not within {seconds:.0f} s: {what}")
                self._changed.wait(min(left, 0.5))
            return found

    def chatter(self, texts: list[str], pause: float = 0) -> dict[str, str]:
        """Says one after the other, whatever happens; of each the id, or nothing where it was not confirmed."""
        said: dict[str, str] = {}
        for text in texts:
            try:
                said[text] = self.say(text)
            except (Lost, Refusal):
                said[text] = ""
            time.sleep(pause)
        return said

    def _enter(self, wire: Wire) -> Row:
        """Waits where the host lets in one after the other."""
        deadline = time.monotonic() + self.patience
        while True:
            try:
                return wire.ask({"op": "enter", "pass": self._pass.hex(), "name": self.name,
                                 "secret": self.storage["secret"]})[0]
            except Refusal as refusal:
                if refusal.code not in PATIENT or time.monotonic() + after(refusal) > deadline:
                    raise
                time.sleep(after(refusal))

    # For hostile guests.

    def hold(self, count: int, how: str, sources: list[str] | None = None) -> int:
        """Holds so many connections, and makes a new one for each that ends, until `let_go`: with the beginning of a
        request (`drip`), with answers that it does not read (`unread`), or after one answer (`idle`). Returns when all
        were made."""
        place = urlsplit("//" + self.at["addresses"][0])
        if self._wire:  # what it holds may have cost it its own channel
            self._session = self._wire.session
        head = f"POST /seat/ask HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 1000\r\n\r\n".encode()
        asked = f"GET / HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode()
        said = {"drip": head + self._session, "unread": asked * 60, "idle": asked}[how]
        host = place.hostname or "", place.port or 0
        self._held = Hold(host, sources or [self._source], said, count, reads=how == "idle")
        return count

    def held_made(self) -> int:
        """How many connections were made so far."""
        return self._held.made

    def let_go(self) -> int:
        """Ends what it holds."""
        return self._held.end()

    def resume_once(self, storage: Row) -> None:
        """By what another phone kept, in a channel of its own; nothing is kept of the answer."""
        kept = {name: storage[name] for name in ("member", "secret", "head", "tail")}
        self._dial(self.at).ask({"op": "resume", **kept})

    def ask_once(self, op: str, data: str = "", **fields: Any) -> Row:
        """Any request, once: no other channel, no other host."""
        said, came = self._here().ask({"op": op, **fields}, bytes.fromhex(data))
        return {"said": said, "bytes": len(came)}

    def repeat(self, op: str = "messages", times: int = 2, **fields: Any) -> list[int]:
        """One request with one number several times: the statuses."""
        wire = self._here()
        _, body = wire.sealed({"op": op, **fields})
        return [wire.post("/seat/ask", body)[0] for _ in range(times)]

    def post(self, path: str, size: int = 0, body: str = "", host: str = "", origin: str = "") -> Row:
        """Bytes outside of any box."""
        headers = {name: value for name, value in (("Host", host), ("Origin", origin)) if value}
        status, answer = self._here().post(path, bytes.fromhex(body) or bytes(size), headers)
        return {"status": status, "bytes": len(answer)}

    def ask_from(self, origin: str = "", host: str = "") -> int:
        """A sound request that says that it comes from another page, or goes to another name."""
        wire = self._here()
        _, body = wire.sealed({"op": "messages", "around": "end", "count": 1})
        headers = {name: value for name, value in (("Host", host), ("Origin", origin)) if value}
        return wire.post("/seat/ask", body, headers)[0]

    def fetch(self, path: str, host: str = "") -> Row:
        """What a browser gets, or a phone that looks for the internet, of the host in the link."""
        parts = urlsplit("//" + self.at["addresses"][0])
        source = (self._source, 0) if self._source else None
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS,
                                                source_address=source)
        try:
            connection.request("GET", path, headers={"Host": host} if host else {})
            answer = connection.getresponse()
            return {"status": answer.status, "location": answer.getheader("Location", ""),
                    "body": answer.read(4_096).decode(errors="replace")}
        finally:
            connection.close()

    def box(self, size: int, json_size: int = 0) -> Row:
        """A sealed request of so many bytes beside its JSON."""
        wire = self._here()
        said = {"op": "upload", "upload": "00" * 8, "offset": 0, "size": max(size, 1), "name": "x" * json_size}
        _, body = wire.sealed(said, bytes(size))
        status, _ = wire.post("/seat/ask", body)
        return {"status": status}

    def flood(self, count: int, text: str = "flood") -> dict[str, int]:
        """Writes as fast as the host lets it; how often it was answered with what."""
        codes: dict[str, int] = {}
        for number in range(count):
            try:
                with self._writing:
                    made, _ = self._here().ask({"op": "write", "kind": "text", "text": f"{text} {number}"})
                    self._confirm(self._keep(made))
                code = "ok"
            except Refusal as refusal:
                code = refusal.code
            except Lost:
                code = "lost"
            codes[code] = codes.get(code, 0) + 1
        return codes

    def ends(self, seconds: list[int]) -> dict[str, int]:
        """Shares its position until another moment each time, as fast as the host lets it."""
        codes: dict[str, int] = {}
        for end in seconds:
            try:
                self._here().ask({"op": "position", "seconds": end, "latitude": 1, "longitude": 1})
                code = "ok"
            except Refusal as refusal:
                code = refusal.code
            codes[code] = codes.get(code, 0) + 1
        return codes

    def hellos(self, count: int) -> dict[str, int]:
        """New channels without end."""
        codes: dict[str, int] = {}
        for _ in range(count):
            try:
                Wire(self.at["addresses"][0], bytes.fromhex(self.at["key"]), self._source)
                code = "ok"
            except Lost:
                code = "lost"
            codes[code] = codes.get(code, 0) + 1
        return codes

    # Hosts.

    def _here(self) -> Wire:
        if self._wire is None:
            raise Lost(f"{self.name} is nowhere")
        return self._wire

    def _asked(self, op: str, **fields: Any) -> Any:
        return self._ask_wire({"op": op, **fields})[1][0]

    def _ask_wire(self, said: Row, data: bytes = b"") -> tuple[Wire | None, seats.ReadBack]:
        """Who answered, and what."""
        deadline = time.monotonic() + self.patience
        while True:
            wire = self._wire
            try:
                if wire is None:
                    raise Lost(f"{self.name} is nowhere")
                return wire, wire.ask(said, data)
            except Lost:
                self._reconnect(wire)
            except Refusal as refusal:
                if refusal.code in ("moved", "no-seat") and time.monotonic() < deadline:
                    self._reconnect(wire)
                elif refusal.code in PATIENT and time.monotonic() < deadline:
                    time.sleep(after(refusal))
                else:
                    raise

    def _dial(self, host: Row) -> Wire:
        lost = Lost(f"{host['name']} has no address")
        for address in host["addresses"]:
            try:
                return Wire(address, bytes.fromhex(host["key"]), self._source)
            except (Lost, OSError) as error:
                lost = Lost(str(error))
        raise lost

    def _reconnect(self, broken: Wire | None) -> None:
        """Makes a new channel, unless another thread did. The last host first, then the others."""
        with self._dialling:
            if self._asleep:
                raise Lost(f"{self.name} sleeps")
            if self._wire is not None and self._wire is not broken:
                return
            self._hang_up()
            others = [host for host in self.storage["hosts"] if host["key"] != self.at["key"]]
            self._resume_within(self.patience, [self.at, *others])
        if self._generation:
            self._listen()

    def _resume_within(self, seconds: float, hosts: list[Row]) -> None:
        deadline, last = time.monotonic() + seconds, Lost("no host is known")
        while time.monotonic() < deadline:
            for host in hosts:
                try:
                    return self._resume_at(host)
                except (Lost, OSError) as error:
                    last = Lost(str(error))
                except Refusal as refusal:
                    if refusal.code not in (*PATIENT, "behind", "seats-off", "full", "unknown-seat"):
                        raise
                    last = Lost(str(refusal))
            time.sleep(REDIAL_SECONDS)
        raise last

    def _resume_at(self, host: Row) -> None:
        wire = self._dial(host)
        deadline = time.monotonic() + self.patience / 2
        while True:
            kept = self.kept()
            try:
                said, _ = wire.ask({"op": "resume", "member": kept["member"], "secret": kept["secret"],
                                    "head": kept["head"], "tail": kept["tail"]})
            except Refusal as refusal:
                # Something else stands at the place of what was confirmed and never answered.
                if refusal.code == "moved" and self._forget(kept["head"]["id"]):
                    continue
                raise
            if said["state"] == "ready":
                break
            if time.monotonic() > deadline:
                raise Lost(f"{host['name']} is behind")
            time.sleep(BEHIND_SECONDS)
        with self._changed:
            self._take(said)
        if made := said.get("prepared"):
            wire.ask({"op": "confirm", "id": self._keep(made if isinstance(made, dict) else said | {"prepared": made})})
        with self._changed:
            self._wire, self.at = wire, host
            self._know(said)
            self.moves.append(host["addresses"][0])
            self._changed.notify_all()

    def _take(self, said: Row) -> None:
        """What `enter` and `resume` answer."""
        if self.storage["member"] and self.storage["member"] != said["member"]:
            raise AssertionError(f"{self.name} became another member")
        if said["head"]["seq"] > self.storage["head"]["seq"] and self.storage["member"]:
            self.storage["tail"] = []  # another phone of this seat wrote behind it
        if said["head"]["seq"] >= self.storage["head"]["seq"]:
            self.storage["head"] = said["head"]
        else:
            raise AssertionError(f"{self.name}: ready at {said['head']}, behind {self.storage['head']}")
        self.storage["member"], self.storage["name"] = said["member"], said.get("name", self.name)
        self._know(said)
        self._changed.notify_all()

    def _know(self, said: Row) -> None:
        """A host names the others. Those of which it says nothing, so itself, stay known for a while."""
        if "hosts" not in said:
            return
        now = time.time()
        hosts = [self.at | {"lost": now}, *(host for host in said["hosts"] if host["key"] != self.at["key"])]
        named, former = {host["key"] for host in hosts}, said.get("formerHosts", [])
        kept = [{"lost": now} | host for host in self.storage["hosts"]
                if host["key"] not in named and host.get("member") not in former]
        self.storage["hosts"] = hosts + [host for host in kept if now - host["lost"] < LOST_SECONDS][:LOST_HOSTS_MAX]

    def _hang_up(self) -> None:
        with self._changed:
            self._wire = None
            news, self._news = self._news, None
        if news and news.sock:
            with suppress(OSError):
                news.sock.shutdown(2)

    # News.

    def _listen(self) -> None:
        with self._changed:
            self._generation += 1
            wire, generation = self._wire, self._generation
        if wire:
            threading.Thread(target=self._hear, args=(wire, generation), daemon=True).start()

    def _hear(self, wire: Wire, generation: int) -> None:
        def opened(connection: http.client.HTTPConnection) -> None:
            self._news = connection

        def is_awake() -> bool:
            return self._wire is wire and self._generation == generation and not self._asleep
        self._got = got = Acknowledging(wire, is_awake)
        while is_awake():
            try:
                is_first = True
                for frame in wire.news(opened):
                    if self._generation != generation:
                        return
                    if is_first:  # the news begin behind what there is already
                        self._load(wire)
                        is_first = False
                    self._show(frame)
                    got.came(frame["news"])
                    if "moved" in frame or "over" in frame:
                        return
            except Refusal as refusal:
                if refusal.code not in PATIENT:
                    return
                time.sleep(after(refusal))  # then the news begin anew, and what was missed is loaded
            except Lost:
                if self._asleep or self._wire is not wire:
                    return
                with suppress(Lost, Refusal):
                    self._reconnect(wire)
                return

    def _load(self, wire: Wire) -> None:
        """All that this phone does not show yet: what it acknowledges it has."""
        place: Row = {"around": "end"}
        while True:
            rows = wire.ask({"op": "messages", "count": 100, **place})[0]["messages"]
            with self._changed:
                news = [row for row in rows if row["id"] not in self._shown]
                self._shown |= {row["id"]: row for row in rows}
                self._changed.notify_all()
            if not news:
                return
            place = {"before": rows[0]["id"]}

    def _show(self, frame: Row) -> None:
        with self._changed:
            self.view = frame.get("view") or self.view
            for row in frame.get("messages", []):
                self._shown[row["id"]] = row
            if (held := frame.get("held")) is not None:
                self.held = max(self.held, int(held))
                self.storage["tail"] = [each for each in self.storage["tail"]
                                        if events.parse(base64.b64decode(each)).sequence > self.held]
            self._know(frame.get("view") or {})
            for word in ("moved", "over"):
                if word in frame:
                    self.moves.append(word)
            self._changed.notify_all()


# The program.

_printing = threading.Lock()


def report(event: str, **what: Any) -> None:
    with _printing:
        print(json.dumps({"event": event, **what}), flush=True)


class Phones:
    """All guests of one process, by name."""

    def __init__(self) -> None:
        self._guests: dict[str, Guest] = {}

    def serve(self, line: str) -> None:
        said = json.loads(line)
        call = {"call": said["call"]}
        try:
            report("done", **call, ok=self._do(said["guest"], said["do"], said.get("with", {})))
        except Refusal as refusal:
            report("done", **call, code=refusal.code, why=str(refusal))
        except (Lost, OSError, Fault) as lost:
            report("done", **call, code="lost", why=str(lost))
        except Exception as error:  # a mistake here or there: the test is to see it
            report("done", **call, code="broken", why=repr(error))

    def _do(self, name: str, method: str, fields: Row) -> Any:
        if method == "new":
            self._guests[name] = Guest(**fields)
            return None
        return getattr(self._guests[name], method)(**fields)


def main() -> None:
    phones = Phones()
    report("ready")
    for line in sys.stdin:
        if line.startswith('{"'):
            said = json.loads(line)
            if said["do"] == "new":
                phones.serve(line)
            else:
                threading.Thread(target=phones.serve, args=(line,), daemon=True).start()


if __name__ == "__main__":
    main()
