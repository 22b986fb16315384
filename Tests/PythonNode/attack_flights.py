"""Attacks on hello and the Noise messages 1 and 3, as initiator. Protocol/03-handshake.md, "Failures"."""
from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from attack_target import Target, expect_closed, expect_silence, variants
from channel import INITIATOR, MESSAGE_BYTES, Handshake, make_hello
from wire import ZERO, K, frame, read_frame

PRIME = 2**255 - 19
LOW_ORDER = [point.to_bytes(32, "little") for point in (
    0, 1, PRIME - 1, PRIME, PRIME + 1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823)]


def first_flight(target: Target, hello: bytes | None = None) -> tuple[bytes, bytes]:
    psk = target.tour.link_secret
    handshake = Handshake(INITIATOR, psk, hello or make_hello(psk), target.keys.link_secret)
    return handshake.hello, handshake.write()


async def hello_changed(target: Target) -> int:
    hello, first = first_flight(target)
    changed = list(variants(hello))
    for what, data in changed:
        await expect_silence(target, frame(data) + frame(first), what)
    return len(changed)


async def message_1_changed(target: Target) -> int:
    count = 2 * MESSAGE_BYTES[0] + 1
    for index in range(count):
        hello, first = first_flight(target)  # a salt counts once
        what, data = list(variants(first))[index]
        await expect_silence(target, frame(hello) + frame(data), f"message 1, {what}")
    return count


async def stream_cut(target: Target) -> int:
    """The connection ends after each byte of the first flight but its last."""
    count = sum(map(len, map(frame, first_flight(target))))
    for sent in range(count):
        hello, first = first_flight(target)  # a salt counts once
        await expect_silence(target, (frame(hello) + frame(first))[:sent], f"cut after {sent} bytes", eof=True)
    return count


async def lengths_changed(target: Target) -> int:
    """Each bit of both frames' lengths; longer ones are cut by the end of the connection."""
    for at in range(2):
        for bit in range(16):
            hello, first = first_flight(target)
            frames = [frame(hello), frame(first)]
            length = int.from_bytes(frames[at][:2], "big") ^ 1 << bit
            frames[at] = length.to_bytes(2, "big") + frames[at][2:]
            await expect_silence(target, b"".join(frames), f"length of frame {at} as {length}", eof=True)
    return 32


async def replayed(target: Target) -> int:
    """An honest first flight once more; and its hello before another message 1."""
    hello, first = first_flight(target)
    reader, writer = await target.connect()
    writer.write(frame(hello) + frame(first))
    await read_frame(reader)
    writer.close()
    await expect_silence(target, frame(hello) + frame(first), "a first flight twice")
    _, other = first_flight(target, hello)
    await expect_silence(target, frame(hello) + frame(other), "a hello twice, with another message 1")
    return 2


async def other_versions(target: Target) -> int:
    for version in (0, 2, 255):
        hello, first = first_flight(target, make_hello(target.tour.link_secret, version))
        await expect_silence(target, frame(hello) + frame(first), f"version {version}")
    return 3


async def strangers(target: Target) -> int:
    """Tags by keys that are near: nothing but the exact secret opens."""
    epoch_key = target.tour.epoch_key
    secrets = [os.urandom(32), ZERO, epoch_key, K(epoch_key, "multicast"), target.code.seed + target.code.seed,
               target.tour.id, K(target.code.seed, "invite")]
    for index, secret in enumerate(secrets):
        handshake = Handshake(INITIATOR, secret, make_hello(secret), target.keys.link_secret)
        await expect_silence(target, frame(handshake.hello) + frame(handshake.write()), f"secret {index}")
    return len(secrets)


async def low_order_points(target: Target) -> int:
    """Ephemeral keys with which every agreement gives zeros, well sealed; and such a static key in message 3."""
    psk = target.tour.link_secret
    for point in LOW_ORDER:
        handshake = Handshake(INITIATOR, psk, make_hello(psk), target.keys.link_secret)
        handshake.state.e = SimpleNamespace(public_bytes=point)
        data = frame(handshake.hello) + frame(handshake.write())
        await expect_silence(target, data, f"ephemeral key {point.hex()}")

        async with second_message(target) as (handshake, reader, writer):
            handshake.state.s = SimpleNamespace(public_bytes=point, private=None)
            handshake.state.noise_protocol.dh_fn = SimpleNamespace(dh=lambda *_: ZERO)
            writer.write(frame(handshake.write()))
            await expect_closed(reader, f"static key {point.hex()}")
        await target.expect_honest()
    return 2 * len(LOW_ORDER)


# Message 3.

@asynccontextmanager
async def second_message(target: Target) -> AsyncIterator[tuple[Handshake, Any, Any]]:
    """An honest handshake up to message 2."""
    psk = target.tour.link_secret
    handshake = Handshake(INITIATOR, psk, make_hello(psk), target.keys.link_secret)
    reader, writer = await target.connect()
    try:
        writer.write(frame(handshake.hello) + frame(handshake.write()))
        handshake.read(await read_frame(reader))
        yield handshake, reader, writer
    finally:
        writer.close()


async def message_3_changed(target: Target) -> int:
    count = 2 * MESSAGE_BYTES[2] + 1
    for index in range(count):
        async with second_message(target) as (handshake, reader, writer):
            what, data = list(variants(handshake.write()))[index]
            writer.write(frame(data))
            await expect_closed(reader, f"message 3, {what}")
        await target.expect_honest()
    return count
