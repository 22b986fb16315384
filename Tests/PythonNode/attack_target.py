"""The node that is attacked, and what has to become of an attack."""
from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import channel
import join
from channel import Channel, Streams
from tour import Code, Keys, Tour

# A node works out 32 handshakes of one address at once and 20 a second: one that it refuses for that shows nothing.
TURN_SECONDS = 1 / 19
CLOSE_SECONDS = 3.0  # less than the handshake's 5 s: what is at fault is closed at once, not when its time is over


class Turns:
    """Handshakes begin one after the other, from one address of ours after the other, no faster than is taken."""

    def __init__(self) -> None:
        self.sources: list[str] = []
        self._next, self._count = 0.0, 0

    async def take(self) -> str | None:
        """The address to begin from; None: whichever."""
        now = asyncio.get_running_loop().time()
        await asyncio.sleep(max(self._next - now, 0))
        self._next = max(self._next, now) + TURN_SECONDS / max(len(self.sources), 1)
        self._count += 1
        return self.sources[self._count % len(self.sources)] if self.sources else None


TURNS = Turns()


async def dial(host: str, port: int, psk: bytes, link_secret: bytes, wanted: Callable[[bytes], bool]) -> Channel:
    return await channel.dial(host, port, psk, link_secret, wanted, await TURNS.take())


class Answered(Exception):
    """The node said something, or did not close, where it has to close without a word."""


@dataclass
class Target:
    """The node under attack, and what an insider knows of its tour."""

    host: str
    port: int
    code: Code
    keys: Keys
    tour: Tour
    node_key: bytes  # its link key

    async def connect(self) -> Streams:
        source = await TURNS.take()
        return await asyncio.open_connection(self.host, self.port, local_addr=(source, 0) if source else None)

    async def expect_honest(self) -> None:
        """An honest joiner's handshake gets message 2, of the same node."""
        def known(key: bytes) -> bool:
            if key != self.node_key:
                raise Answered("another node answers")
            return True
        honest = await dial(self.host, self.port, self.code.join_secret, os.urandom(32), known)
        await honest.close()


async def expect_closed(reader: asyncio.StreamReader, what: str) -> None:
    """Not a byte more, and the end at once."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            said = await reader.read()
    except ConnectionResetError:
        said = b""
    except TimeoutError:
        raise Answered(f"{what}: it did not close") from None
    if said:
        raise Answered(f"{what}: it said {len(said)} bytes")


async def kinds_until_closed(entered: Channel, what: str, seconds: float = CLOSE_SECONDS) -> list[str]:
    kinds: list[str] = []
    try:
        async with asyncio.timeout(seconds):
            while True:
                kinds.append(str((await entered.receive()).WhichOneof("kind")))
    except (asyncio.IncompleteReadError, OSError):
        return kinds
    except TimeoutError:
        raise Answered(f"{what}: it did not close") from None
    finally:
        await entered.close()


def flipped(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Each byte changed, one bit of it, another one each time."""
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        yield f"byte {at} flipped", bytes(changed)


def truncated(data: bytes) -> Iterator[tuple[str, bytes]]:
    for count in range(len(data)):
        yield f"{count} bytes of {len(data)}", data[:count]


def variants(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield from flipped(data)
    yield from truncated(data)
    yield "a byte too long", data + b"\0"


async def expect_silence(target: Target, data: bytes, what: str, eof: bool = False) -> None:
    reader, writer = await target.connect()
    try:
        writer.write(data)
        if eof:
            writer.write_eof()
        await expect_closed(reader, what)
    finally:
        writer.close()
    await target.expect_honest()


async def enter(code: Code, host: str, port: int) -> Target:
    """Joins as anybody would."""
    keys = Keys()
    entered = await dial(host, port, code.join_secret, keys.link_secret, lambda _: True)
    return Target(host, port, code, keys, await join.join(entered, code, keys), entered.peer_key)
