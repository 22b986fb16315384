"""The node that is attacked, and what has to become of an attack."""
from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass

import join
from channel import Channel, Streams, dial
from tour import Code, Keys, Tour

CLOSE_SECONDS = 3.0  # less than the handshake's 5 s: what is at fault is closed at once, not when its time is over


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
        return await asyncio.open_connection(self.host, self.port)

    async def expect_honest(self) -> None:
        """An honest joiner's handshake gets message 2, of the same node."""
        def known(key: bytes) -> bool:
            if key != self.node_key:
                raise Answered("another node answers")
            return True
        channel = await dial(self.host, self.port, self.code.join_secret, os.urandom(32), known)
        await channel.close()


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


async def kinds_until_closed(channel: Channel, what: str, seconds: float = CLOSE_SECONDS) -> list[str]:
    kinds: list[str] = []
    try:
        async with asyncio.timeout(seconds):
            while True:
                kinds.append(str((await channel.receive()).WhichOneof("kind")))
    except (asyncio.IncompleteReadError, OSError):
        return kinds
    except TimeoutError:
        raise Answered(f"{what}: it did not close") from None
    finally:
        await channel.close()


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
    channel = await dial(host, port, code.join_secret, keys.link_secret, lambda _: True)
    return Target(host, port, code, keys, await join.join(channel, code, keys), channel.peer_key)
