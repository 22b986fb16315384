"""Seats: members whose log another member's node writes, and the channel to their phones. Protocol/15-seats.md.

Nothing here knows of events or links: what stands in a request, what is sealed in a seat's log, and bytes by HTTP.
"""
from __future__ import annotations

import hmac
import json
import os
from typing import Any

from nacl import bindings
from nacl.exceptions import CryptoError

from wire import Fault, H, K, u64

KEYS_BYTES, ADDRESSES_MAX, ADDRESS_BYTES_MAX = 72, 8, 64
VERSION, SESSION_BYTES, TAG_BYTES, WINDOW = b"\x01", 16, 16, 1_024
LABEL = b"tour-chat/1/seat-channel"
PROOF, REQUEST, ANSWER, FRAME = range(4)
ReadBack = tuple[Any, bytes]


def seat_mark(tour: bytes, identity: bytes, host: bytes) -> bytes:
    """What stands in a seat's request where others have the handshake's hash."""
    return H("seat", tour, identity, host) + host


def seat_host(request: Any, tour: bytes) -> bytes:
    """Whose seat a request makes, or nothing."""
    host = request.handshake_hash[32:]
    return host if request.handshake_hash == seat_mark(tour, request.identity_key, host) else b""


def content_sound(said: Any) -> bool:
    """Of a seat record or a host record."""
    if said.DESCRIPTOR.name == "SeatRecord":
        return len(said.host) == 32 and len(said.keys) == KEYS_BYTES
    sizes = [len(address.encode()) for address in said.addresses]
    return len(said.key) in (0, 32) and len(sizes) <= ADDRESSES_MAX and all(
        1 <= size <= ADDRESS_BYTES_MAX for size in sizes)


# What guests' codes say.

def page_key(tour: bytes) -> bytes:
    return H("seat-page", tour)[:16]


def host_name(tour: bytes, host: bytes) -> str:
    return H("seat-page", tour, host)[:8].hex() + ".local"


def read_code(code: bytes) -> tuple[bytes, bytes, bytes]:
    """Channel key, pass and page key."""
    if len(code) != 65 or code[0] != 2:
        raise Fault("no-pass")
    return code[1:33], code[33:49], code[49:]


# A seat's key in its log.

def seal_keys(seed: bytes, secret: bytes, tour: bytes, member: bytes) -> bytes:
    nonce = os.urandom(24)
    return nonce + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(
        seed, tour + member, nonce, K(secret, "seat-keys"))


def open_keys(keys: bytes, secret: bytes, tour: bytes, member: bytes) -> bytes:
    """The seed. One that makes another member is none: its host would let the guest write as somebody else."""
    try:
        seed = bytes(bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(
            keys[24:], tour + member, keys[:24], K(secret, "seat-keys")))
    except (CryptoError, ValueError) as error:
        raise Fault("wrong-secret") from error
    if len(seed) != 32 or H("member", bindings.crypto_sign_seed_keypair(seed)[0]) != member:
        raise Fault("wrong-secret")
    return seed


# The channel.

def nonce(kind: int, number: int, index: int = 0) -> bytes:
    return bytes([kind]) + u64(number) + u64(index) + bytes(7)


def pack(said: Any, data: bytes = b"") -> bytes:
    body = json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()
    return len(body).to_bytes(4, "big") + body + data


def unpack(plaintext: bytes) -> ReadBack:
    end = 4 + int.from_bytes(plaintext[:4], "big")
    if len(plaintext) < max(end, 4):
        raise Fault("no-channel")
    return json.loads(plaintext[4:end]), plaintext[end:]


def _product(secret: bytes, point: bytes) -> bytes:
    try:
        shared = bytes(bindings.crypto_scalarmult(secret, point))
    except (CryptoError, RuntimeError, ValueError, TypeError) as error:
        raise Fault("no-channel") from error
    if not any(shared):
        raise Fault("no-channel")
    return shared


class Channel:
    """Both ends: `sending` and `receiving` say which one it is."""

    def __init__(self, said: bytes, with_key: bytes, with_share: bytes, is_host: bool) -> None:
        self.salt = LABEL + said
        self.prk = hmac.digest(self.salt, with_key + with_share, "sha512")
        keys = hmac.digest(self.prk, b"keys\x01", "sha512")
        self.to_host, self.to_guest = keys[:32], keys[32:]
        self.sending, self.receiving = (self.to_guest, self.to_host) if is_host else (self.to_host, self.to_guest)
        self._highest, self._used = 0, set[int]()

    def seal(self, kind: int, number: int, plaintext: bytes, index: int = 0) -> bytes:
        return bytes(bindings.crypto_secretbox(plaintext, nonce(kind, number, index), self.sending))

    def open(self, kind: int, number: int, box: bytes, index: int = 0) -> bytes:
        try:
            return bytes(bindings.crypto_secretbox_open(box, nonce(kind, number, index), self.receiving))
        except (CryptoError, ValueError) as error:
            raise Fault("no-channel") from error

    def open_request(self, number: int, box: bytes) -> bytes:
        """As a host does: each number once, and none of long ago; a box that does not open uses none."""
        if number == 0 or number in self._used or number + WINDOW <= self._highest:
            raise Fault("no-channel")
        plaintext = self.open(REQUEST, number, box)
        self._highest = max(self._highest, number)
        self._used = {used for used in self._used | {number} if used + WINDOW > self._highest}
        return plaintext


def accept(hello: bytes, secret: bytes, ephemeral: bytes, session: bytes) -> tuple[bytes, Channel]:
    """A host's end: what it answers to a hello."""
    if len(hello) != 33 or hello[:1] != VERSION:
        raise Fault("no-channel")
    point, own = hello[1:], bindings.crypto_scalarmult_base(ephemeral)
    channel = Channel(bindings.crypto_scalarmult_base(secret) + point + own, _product(secret, point),
                      _product(ephemeral, point), is_host=True)
    return own + session + channel.seal(PROOF, 0, b""), channel


def begin(answer: bytes, key: bytes, ephemeral: bytes) -> tuple[bytes, Channel]:
    """A guest's end: who answered has the private half of the key in the QR code."""
    if len(answer) != 32 + SESSION_BYTES + TAG_BYTES:
        raise Fault("no-channel")
    own, point = bindings.crypto_scalarmult_base(ephemeral), answer[:32]
    channel = Channel(key + own + point, _product(ephemeral, key), _product(ephemeral, point), is_host=False)
    if channel.open(PROOF, 0, answer[48:]):
        raise Fault("no-channel")
    return answer[32:48], channel
