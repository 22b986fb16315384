"""A member that wants to end a tour for everybody: by what it writes, and by devices that it makes up.
Protocol/threat-model.md, "From inside".

    python Tests/PythonNode/siege.py CODE HOST:PORT KIND [COUNT] [--from ADDRESS …]

joins (honestly: whoever has the code can), keeps one link, and floods by it:

    people     COUNT devices come in by the code, trying again where they are told to wait: an honest crowd
    joins      COUNT devices come in by the code, and each writes two events for one place of its log
    crowd      COUNT devices that it makes up, each let in after what the ones before wrote: `admitted`, and at the next
               line of standard input one text of each; nothing is heard of them again
    acts       COUNT removals that a member may not make, long as they can be short
    backwards  COUNT admissions by a device that is in no roster, beside 398 that hang on one another, dated backwards
    ranks      COUNT changes of one member's rank, each replacing the one before: of somebody who was made an admin

Prints one JSON object a line: `in`, `joined` for each hundred devices, and `done` when all was taken from it, with how
the devices were answered. Ends when standard input ends.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import channel
import join
from channel import Channel
from events import CONTROL, Event, Signer, pack, signed
from link import bind_of
from tour import Code, Keys, Tour, now_milliseconds
from wire import ZERO, Fault, K, pb

PART_BYTES, AT_ONCE, CHAIN = 48 * 1024, 8, 398
BROKEN = (Fault, OSError, TimeoutError, asyncio.IncompleteReadError)


def report(event: str, **said: Any) -> None:
    print(json.dumps({"event": event, **said}), flush=True)


class Log:
    """What one device writes, dated as it likes."""

    def __init__(self, tour: bytes, keys: Keys) -> None:
        self.keys, self._tour = keys, tour
        self._sequence, self._previous, self._clock = 0, ZERO, time.time_ns() // 1_000_000 << 16

    def write(self, at: int = 0, **kind: Any) -> Event:
        """`at`: another clock than the next one."""
        self._sequence, self._clock = self._sequence + 1, self._clock + 1
        body = pb.ControlBody(**kind).SerializeToString()
        event = signed(Event(CONTROL, self._tour, self.keys.id, self._sequence, self._previous, at or self._clock, ZERO,
                             body), self.keys.identity)
        self._previous = event.id
        return event

    def fork(self) -> list[Event]:
        """Two events for one place."""
        self._sequence, self._previous = 0, ZERO
        first = self.write(leave=pb.Leave())
        self._sequence, self._previous = 0, ZERO
        return [first, self.write(leave=pb.Leave())]


class Insider:
    """A member with a link: it answers what keeps the link up, and says what it is told to."""

    def __init__(self, code: Code, tour: Tour, opened: Channel) -> None:
        self.code, self.tour, self._channel = code, tour, opened
        self.log = Log(tour.id, tour.keys)
        self._answered = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            message = await self._channel.receive()
            if message.HasField("ping"):
                self._channel.send(0, pong=pb.Pong())
            if message.HasField("pong"):
                self._answered.set()

    async def say(self, events: Iterator[Event]) -> int:
        """Sends them as `Control`; returns how many, when the peer has read them all."""
        count, part = 0, list[bytes]()
        for event in events:
            if part and sum(map(len, part)) + len(event.exact) > PART_BYTES:
                await self._flush(part)
                part = []
            part.append(event.exact)
            count += 1
        await self._flush(part)
        self._answered.clear()
        self._channel.send(0, ping=pb.Ping())
        await self._answered.wait()
        return count

    async def push(self, event: Event) -> None:
        """The only event of its author's log, as one that has just been written."""
        self._channel.send(1, run=pack([event], 0, pushed=True))
        await self._channel.has_room()

    async def _flush(self, part: list[bytes]) -> None:
        if self._task.done():
            self._task.result()
        self._channel.send(0, control=pb.Control(events=part))
        await self._channel.has_room()

    def request(self, keys: Keys, invite: Signer | None = None) -> Any:
        """As of a join link: whoever has the code can sign one for any device."""
        return join.make_request(keys, self.tour.id, self.code, bytes(64), invite=invite)


class AnyEpoch(Tour):
    """A tour whose newest epoch is not the first: where newcomers are given no history."""

    def learn_epoch(self, epoch: bytes, key: bytes) -> None:
        self.epochs.setdefault(epoch, key)

    @property
    def link_secret(self) -> bytes:
        """Of the epoch that was told first, which is a head."""
        return K(next(iter(self.epochs.values())), "link")


async def enter(code: Code, host: str, port: int, source: str | None) -> Insider:
    keys = Keys()
    entered = await channel.dial(host, port, code.join_secret, keys.link_secret, lambda _: True, source)
    tour = await join.join(entered, code, keys, AnyEpoch)
    opened = await channel.dial(host, port, tour.link_secret, keys.link_secret, lambda _: True, source)
    opened.send(0, bind=bind_of(tour, opened))
    if (await opened.receive()).WhichOneof("kind") != "bind":
        raise Fault("unexpected-message")
    return Insider(code, tour, opened)


async def come_in(insider: Insider, host: str, port: int, source: str | None, forks: list[Event]) -> str:
    """One device more; returns how it was answered."""
    keys, code = Keys(), insider.code
    try:
        opened = await channel.dial(host, port, code.join_secret, keys.link_secret, lambda _: True, source)
    except BROKEN:
        return "no handshake"
    try:
        async with asyncio.timeout(30):
            await opened.receive()
            opened.send(0, join_request=join.make_request(keys, insider.tour.id, code, opened.hash))
            while (message := await opened.receive()).WhichOneof("kind") in ("control", "ping"):
                pass
            kind = message.WhichOneof("kind")
            if kind == "welcome":
                forks += Log(insider.tour.id, keys).fork()
            return str(message.join_refusal.code if kind == "join_refusal" else kind)
    except BROKEN:
        return "closed"
    finally:
        opened.abort()


async def joins(insider: Insider, host: str, port: int, count: int, sources: list[str]) -> None:
    answers, begun = Counter[str](), time.monotonic()
    left = iter(range(count))

    async def one_after_the_other() -> None:
        for number in left:
            forks: list[Event] = []
            answer = await come_in(insider, host, port, sources[number % len(sources)] if sources else None, forks)
            answers[answer] += 1
            if forks:
                await insider.say(iter(forks))
            if sum(answers.values()) % 100 == 0:
                report("joined", answers=answers, seconds=round(time.monotonic() - begun, 1))

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))
    report("done", answers=answers, seconds=round(time.monotonic() - begun, 1))


async def people(insider: Insider, host: str, port: int, count: int, sources: list[str]) -> None:
    answers, begun = Counter[str](), time.monotonic()
    left = iter(range(count))

    async def one_after_the_other() -> None:
        for number in left:
            source = sources[number % len(sources)] if sources else None
            while (answer := await come_in(insider, host, port, source, [])) != "welcome":
                answers[answer] += 1
                await asyncio.sleep(2)  # as a person's device does: it is told to come again
            answers[answer] += 1

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))
    report("done", answers=answers, seconds=round(time.monotonic() - begun, 1))


async def crowd(insider: Insider, count: int) -> None:
    begun, texts = time.monotonic(), list[Event]()
    for number in range(count):
        device = AnyEpoch(Keys(), insider.tour.genesis)
        device.epochs = insider.tour.epochs
        request = insider.request(device.keys)
        await insider.say(iter([insider.log.write(now_milliseconds() << 16, admit=pb.Admit(request=request))]))
        texts.append(device.write_text(f"number {number} of a crowd"))
    report("admitted", devices=count)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)  # nobody takes texts of strangers
    for text in texts:
        await insider.push(text)
    report("done", devices=count, seconds=round(time.monotonic() - begun, 1))


def acts(insider: Insider, count: int) -> Iterator[Event]:
    for _ in range(count):
        yield insider.log.write(remove=pb.Remove(member=insider.tour.genesis.author, last=ZERO))


def backwards(insider: Insider, count: int) -> Iterator[Event]:
    """Each round of rule 5 finds one member more, and looks at all that never count."""
    nobody = Log(insider.tour.id, Keys())
    yield insider.log.write(admit=pb.Admit(request=insider.request(nobody.keys, Signer())))
    again = insider.request(Keys())
    for _ in range(count):
        yield nobody.write(admit=pb.Admit(request=again))
    writer, clock = insider.log, time.time_ns() // 1_000_000 << 16
    for number in range(CHAIN):
        keys = Keys()
        yield writer.write(clock - number, admit=pb.Admit(request=insider.request(keys)))
        writer = Log(insider.tour.id, keys)
    # Each event more makes everybody work the roster out anew.
    for _ in range(20):
        yield insider.log.write(wrapping_key=pb.WrappingKey(wrapping_key=Keys().wrapping))


def ranks(insider: Insider, count: int) -> Iterator[Event]:
    other, last = Keys(), list[bytes]()
    yield insider.log.write(admit=pb.Admit(request=insider.request(other)))
    for number in range(count):
        role = insider.log.write(role=pb.Role(member=other.id, rank=1 + number % 2, sequence=0, replaces=last))
        last = [role.id]
        yield role


KINDS: dict[str, Callable[[Insider, int], Iterator[Event]]] = {"acts": acts, "backwards": backwards, "ranks": ranks}


async def main() -> None:
    parser = argparse.ArgumentParser(prog="siege", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("code")
    parser.add_argument("target", metavar="HOST:PORT")
    parser.add_argument("kind", choices=["people", "joins", "crowd", *KINDS])
    parser.add_argument("count", type=int, nargs="?", default=1_000)
    parser.add_argument("--from", dest="sources", action="append", default=[], metavar="ADDRESS")
    options = parser.parse_args()
    host, _, port = options.target.rpartition(":")
    sources = options.sources
    insider = await enter(Code.read(options.code), host, int(port), sources[0] if sources else None)
    report("in", member=insider.tour.keys.id.hex())
    loop = asyncio.get_running_loop()
    if options.kind == "ranks":
        await loop.run_in_executor(None, sys.stdin.readline)  # somebody makes it an admin first
    if options.kind == "people":
        await people(insider, host, int(port), options.count, sources)
    elif options.kind == "crowd":
        await crowd(insider, options.count)
    elif options.kind == "joins":
        await joins(insider, host, int(port), options.count, sources)
    else:
        begun = time.monotonic()
        said = await insider.say(KINDS[options.kind](insider, options.count))
        report("done", events=said, seconds=round(time.monotonic() - begun, 1))
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
