"""Hello, the Noise handshake in both roles, and the encrypted channel after it. Protocol/03-handshake.md."""
from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Any

from cryptography.exceptions import InvalidTag
from noise.connection import Keypair, NoiseConnection

from wire import LANES, VERSION, Fault, Joiner, K, frame, link_message, pb, read_frame, slices

PROTOCOL = b"Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b"
INITIATOR, RESPONDER = 0, 1
MESSAGE_BYTES = (48, 96, 64)
HELLO_BYTES = 33
HANDSHAKE_SECONDS = 5.0
SALTS_MAX, SALT_SECONDS = 4_096, 300.0
LINGER_SECONDS = 1.0
SLICES_WAITING_MAX = 64

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def make_hello(psk: bytes, version: int = VERSION) -> bytes:
    salt = os.urandom(16)
    return bytes([version]) + salt + K(psk, "hello", salt)[:16]


class Greeter:
    """Reads hellos: which of the secrets one was made with. Remembers salts against replay."""

    def __init__(self) -> None:
        self._salts: dict[bytes, float] = {}

    def read(self, hello: bytes, secrets: list[bytes]) -> bytes:
        """The secret, or a fault; nothing is computed but hashes."""
        if len(hello) != HELLO_BYTES:
            raise Fault("malformed-frame")
        if hello[0] != VERSION:
            raise Fault("unknown-version")
        salt, tag = hello[1:17], hello[17:]
        psk = next((secret for secret in secrets if K(secret, "hello", salt)[:16] == tag), None)
        if psk is None:
            raise Fault("stranger")
        now = time.monotonic()
        self._salts = {old: then for old, then in self._salts.items() if now - then < SALT_SECONDS}
        if salt in self._salts:
            raise Fault("replayed-hello")
        if len(self._salts) >= SALTS_MAX:
            del self._salts[next(iter(self._salts))]  # the oldest
        self._salts[salt] = now
        return psk


class Handshake:
    """One side of one handshake: messages as bytes, no connection."""

    def __init__(self, role: int, psk: bytes, hello: bytes, link_secret: bytes) -> None:
        self.role, self.hello = role, hello
        self._noise = NoiseConnection.from_name(PROTOCOL)
        self._noise.set_as_initiator() if role == INITIATOR else self._noise.set_as_responder()
        self._noise.set_psks(psk)
        self._noise.set_prologue(b"tour-chat/1" + hello)
        self._noise.set_keypair_from_private_bytes(Keypair.STATIC, link_secret)
        self._noise.start_handshake()
        # The library forgets its state when the handshake is done; the peer's key is read from it afterwards.
        self.state = self._noise.noise_protocol.handshake_state
        self._messages = 0

    def write(self) -> bytes:
        self._messages += 1
        return bytes(self._noise.write_message())

    def read(self, message: bytes) -> None:
        if len(message) != MESSAGE_BYTES[self._messages]:
            raise Fault("handshake-failed")
        self._messages += 1
        try:
            payload = self._noise.read_message(message)
        except (InvalidTag, ValueError) as error:  # ValueError: a low-order point gave zeros
            raise Fault("handshake-failed") from error
        if payload:
            raise Fault("handshake-failed")

    @property
    def peer_key(self) -> bytes:
        """The peer's link key: the initiator knows it after message 2, the responder after message 3."""
        return bytes(self.state.rs.public_bytes)

    @property
    def hash(self) -> bytes:
        """The handshake hash, 64 bytes: this channel's name in every signature."""
        return bytes(self._noise.get_handshake_hash())

    def encrypt(self, plaintext: bytes) -> bytes:
        return self._noise.encrypt(plaintext)

    def decrypt(self, data: bytes) -> bytes:
        try:
            return bytes(self._noise.decrypt(data))
        except Exception as error:  # the library wraps InvalidTag in an exception of its own
            raise Fault("decryption-failed") from error


class Channel:
    """A finished handshake on its connection: messages go out by lane, and come in whole."""

    def __init__(self, handshake: Handshake, streams: Streams, psk: bytes) -> None:
        self.role, self.hash, self.peer_key, self.psk = handshake.role, handshake.hash, handshake.peer_key, psk
        self._handshake = handshake
        self._reader, self._writer = streams
        self._writer.transport.set_write_buffer_limits(high=48 * 1024)
        self._lanes: list[deque[bytes]] = [deque() for _ in range(LANES)]
        self._joiner = Joiner()
        self._more = asyncio.Event()
        self._sent = asyncio.Event()
        self._sender = asyncio.create_task(self._send_all())
        self._sender.add_done_callback(lambda _: self._sent.set())
        self.received_at = self.sent_at = time.monotonic()

    def send(self, lane: int, **kind: Any) -> None:
        """Queues one `LinkMessage`: `send(0, ping=pb.Ping())`."""
        self._lanes[lane].extend(slices(pb.LinkMessage(**kind).SerializeToString(), lane))
        self.sent_at = time.monotonic()
        self._more.set()

    async def has_room(self) -> None:
        """Until no more waits than goes out at once."""
        while sum(map(len, self._lanes)) > SLICES_WAITING_MAX and not self._sender.done():
            self._sent.clear()
            await self._sent.wait()

    async def _send_all(self) -> None:
        while True:
            lane = next((lane for lane in self._lanes if lane), None)
            if lane is None:
                self._more.clear()
                await self._more.wait()
                continue
            self._writer.write(frame(self._handshake.encrypt(lane.popleft())))
            self._sent.set()
            await self._writer.drain()

    async def receive(self) -> Any:
        """The next message; Fault, or an error of the connection when it ended."""
        while True:
            plaintext = self._handshake.decrypt(await read_frame(self._reader))
            self.received_at = time.monotonic()
            message = self._joiner.take(plaintext)
            if message is None:
                continue
            if (said := link_message(message)) is None:
                raise Fault("message-malformed")
            return said

    def abort(self) -> None:
        self._writer.close()

    async def close(self) -> None:
        """Sends what is queued, and ends the connection."""
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                while any(self._lanes) and not self._sender.done():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            pass
        self._sender.cancel()
        self._writer.close()


async def dial(host: str, port: int, psk: bytes, link_secret: bytes, wanted: Callable[[bytes], bool],
               source: str | None = None) -> Channel:
    """The initiator: hello and message 1 together; `wanted` judges the responder's link key before ours is sent."""
    async with asyncio.timeout(HANDSHAKE_SECONDS):
        reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0) if source else None)
        try:
            handshake = Handshake(INITIATOR, psk, make_hello(psk), link_secret)
            writer.write(frame(handshake.hello) + frame(handshake.write()))
            handshake.read(await read_frame(reader))
            if not wanted(handshake.peer_key):
                raise Fault("not-wanted")
            writer.write(frame(handshake.write()))
            return Channel(handshake, (reader, writer), psk)
        except BaseException:
            writer.close()
            raise


async def answer(streams: Streams, greeter: Greeter, secrets: list[bytes], link_secret: bytes,
                 anonymous: Collection[bytes] = ()) -> Channel:
    """The responder: not a byte before the hello fits one of the secrets and message 1 decrypts. Of those that are
    `anonymous` each link gets a key of its own."""
    reader, writer = streams
    try:
        async with asyncio.timeout(HANDSHAKE_SECONDS):
            hello = await read_frame(reader)
            psk = greeter.read(hello, secrets)
            handshake = Handshake(RESPONDER, psk, hello, os.urandom(32) if psk in anonymous else link_secret)
            handshake.read(await read_frame(reader))
            writer.write(frame(handshake.write()))
            handshake.read(await read_frame(reader))
            return Channel(handshake, streams, psk)
    except BaseException:
        writer.close()
        raise
