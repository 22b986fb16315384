"""Bytes: hashes, frames, padding, slices, and the schema. Protocol/01-identity.md, 04-framing.md."""
from __future__ import annotations

import asyncio
import hashlib
import importlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

VERSION = 1
ZERO = bytes(32)
SLICE_MAX = 16_384
SLICE_CUT = SLICE_MAX - 3  # with its prefix a power of two, which needs no padding
LANES = 5
MESSAGE_MAX = 98_304
PADDED_MIN = 256


class Fault(Exception):
    """What ends a link; the text is a code of the specification's tables."""


class Refused(Fault):
    """What drops one record and harms nothing else."""


def load_schema() -> Any:
    """The messages of Protocol/Schema/mesh.proto, compiled by protoc into a directory that is gone afterwards."""
    schema = Path(__file__).resolve().parents[2] / "Protocol" / "Schema"
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(["protoc", f"--proto_path={schema}", f"--python_out={directory}", "mesh.proto"], check=True)
        sys.path.insert(0, directory)
        try:
            return importlib.import_module("mesh_pb2")
        finally:
            sys.path.remove(directory)


pb = load_schema()


# What fields of bytes hold; every other length is malformed. `epoch` may be empty in a run.
FIELD_BYTES = {
    "identity_key": (32,), "link_key": (32,), "wrapping_key": (32,), "invite_key": (32,), "commitment": (32,),
    "salt": (16,), "signature": (64,), "identity_signature": (64,), "invite_signature": (64,),
    "handshake_hash": (64,), "datagram_share": (32,), "author": (32,), "previous": (32,), "epoch": (0, 32),
    "key": (32,), "reply_to": (0, 32), "event": (32,), "nonce": (32,), "share": (32,), "proof": (64,),
    "invite_code": (0, 35), "host": (0, 32), "SeatHost.key": (0, 32)}
# The largest value of fields of numbers.
FIELD_MAX = {"datagram_port": 0xffff}


def well_formed(message: Any) -> bool:
    """Whether all fields of a protobuf message, and of those in it, have their lengths and are in their ranges."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.name in FIELD_MAX and value > FIELD_MAX[field.name]:
            return False
        if field.type == field.TYPE_BYTES and field.label != field.LABEL_REPEATED:
            lengths = FIELD_BYTES.get(f"{message.DESCRIPTOR.name}.{field.name}") or FIELD_BYTES.get(field.name)
            if lengths and len(value) not in lengths:
                return False
        elif field.type == field.TYPE_MESSAGE:
            parts = value if field.label == field.LABEL_REPEATED else [value] if message.HasField(field.name) else []
            if not all(map(well_formed, parts)):
                return False
    return True


def decoded(kind: Any, data: bytes) -> Any:
    """A message of a protobuf class, or None."""
    try:
        message = kind.FromString(data)
    except DecodeError:
        return None
    return message if well_formed(message) else None


# 01: hashing and ids.

def u64(value: int) -> bytes:
    return value.to_bytes(8, "big")


def _length_prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _blake2b(key: bytes, label: str, parts: tuple[bytes, ...]) -> bytes:
    state = hashlib.blake2b(_length_prefixed(f"tour-chat/1/{label}".encode()), digest_size=32, key=key)
    for part in parts:
        state.update(_length_prefixed(part))
    return state.digest()


def H(label: str, *parts: bytes) -> bytes:
    return _blake2b(b"", label, parts)


def K(key: bytes, label: str, *parts: bytes) -> bytes:
    return _blake2b(key, label, parts)


def prefix(member: bytes) -> int:
    """The number that stands for a member in frontiers: its id's first 8 bytes."""
    return int.from_bytes(member[:8], "big")


# 04: frames on the TCP stream.

def frame(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


async def read_frame(reader: asyncio.StreamReader) -> bytes:
    length = int.from_bytes(await reader.readexactly(2), "big")
    if length == 0:
        raise Fault("malformed-frame")
    return await reader.readexactly(length)


# 04: the plaintext of a frame, one slice of one message.

def padme(size: int) -> int:
    exponent = size.bit_length() - 1
    mask = (1 << (exponent - exponent.bit_length())) - 1
    return (size + mask) & ~mask


def slices(message: bytes, lane: int) -> list[bytes]:
    """The plaintexts that carry a message."""
    pieces = [message[at:at + SLICE_CUT] for at in range(0, len(message), SLICE_CUT)] or [b""]
    plaintexts = []
    for index, piece in enumerate(pieces):
        flags = lane << 1 | (index + 1 < len(pieces))
        plaintext = bytes([flags]) + len(piece).to_bytes(2, "big") + piece
        plaintexts.append(plaintext.ljust(padme(max(PADDED_MIN, len(plaintext))), b"\0"))
    return plaintexts


class Joiner:
    """Joins the slices that a peer sends to messages, each lane for itself."""

    def __init__(self) -> None:
        self._unfinished = [b""] * LANES

    def take(self, plaintext: bytes) -> bytes | None:
        """A whole message, if this slice was its last."""
        if len(plaintext) < PADDED_MIN:
            raise Fault("frame-malformed")
        flags, length = plaintext[0], int.from_bytes(plaintext[1:3], "big")
        payload, padding = plaintext[3:3 + length], plaintext[3 + length:]
        size = padme(max(PADDED_MIN, 3 + length))
        if length == 0 and flags & 1:
            raise Fault("frame-malformed")
        if flags >> 1 >= LANES or length > SLICE_MAX or len(plaintext) != size or any(padding):
            raise Fault("frame-malformed")
        lane = flags >> 1
        message = self._unfinished[lane] + payload
        if len(message) > MESSAGE_MAX:
            raise Fault("message-too-large")
        self._unfinished[lane] = message if flags & 1 else b""
        return None if flags & 1 else message
