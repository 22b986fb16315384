"""Attacks on a node that dials: message 2, as responder."""
from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from attack_target import Answered, Target, expect_closed, variants
from channel import MESSAGE_BYTES, RESPONDER, Channel, Handshake, Streams
from link import bind_of, bind_proves
from tour import Tour
from wire import frame, read_frame

LISTENING_PORT = 29_999

Accept = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class FalseResponder:
    """Answers each dial with the next variant of message 2, and honestly once all were sent."""

    def __init__(self, tour: Tour) -> None:
        self.tour, self.sent, self.problem = tour, 0, ""
        self.count = 2 * MESSAGE_BYTES[1] + 1
        self.done = asyncio.Event()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello = await read_frame(reader)
        handshake = Handshake(RESPONDER, self.tour.link_secret, hello, self.tour.keys.link_secret)
        handshake.read(await read_frame(reader))
        second = handshake.write()
        if self.sent == self.count:
            return await self._end_honestly(handshake, (reader, writer), second)
        what, data = list(variants(second))[self.sent]
        self.sent += 1
        writer.write(frame(data))
        try:
            await expect_closed(reader, f"message 2, {what}")
        except Answered as answered:
            self.problem = str(answered)
            self.done.set()
        writer.close()

    async def _end_honestly(self, handshake: Handshake, streams: Streams, second: bytes) -> None:
        streams[1].write(frame(second))
        handshake.read(await read_frame(streams[0]))
        channel = Channel(handshake, streams, self.tour.link_secret)
        channel.send(0, bind=bind_of(self.tour, channel))
        bind = (await channel.receive()).bind
        if not bind_proves(bind, channel, self.tour.id):
            self.problem = "the honest handshake's hashes differ"
        await channel.close()
        self.done.set()


async def listen_until(accept: Accept, done: asyncio.Event) -> None:
    """Takes connections on every address of this host until that is done."""
    server = await asyncio.start_server(accept, "0.0.0.0", LISTENING_PORT)
    print(json.dumps({"listening": LISTENING_PORT}), flush=True)
    async with server:
        await done.wait()


async def message_2_changed(target: Target) -> int:
    responder = FalseResponder(target.tour)
    await listen_until(responder.accept, responder.done)
    if responder.problem:
        raise Answered(responder.problem)
    return responder.sent
