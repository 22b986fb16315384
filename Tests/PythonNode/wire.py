"""Bytes: hashes, frames, padding, slices, and the schema. Protocol/01-identity.md, 04-framing.md."""
from __future__ import annotations

import asyncio
import hashlib
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Container, Iterator
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
FIELD_BYTES: dict[str, Container[int]] = {
    "identity_key": (32,), "link_key": (32,), "wrapping_key": (32,), "invite_key": (32,), "commitment": (32,),
    "salt": (16,), "signature": (64,), "identity_signature": (64,), "invite_signature": (64,),
    "handshake_hash": (64,), "datagram_share": (32,), "author": (32,), "previous": (32,), "epoch": (0, 32),
    "key": (32,), "reply_to": (0, 32), "event": (32,), "nonce": (32,), "share": (32,), "proof": (64,),
    "invite_code": (0, 35), "host": (0, 32), "SeatHost.key": (0, 32), "EpochAsk.epochs": (32,),
    "EpochSecret.epoch": (32,), "blob": (32,), "BlobState.have": range(2_049),
    "BlobPage.hashes": range(32, 32 * 1_024 + 1, 32), "BlobChunk.bytes": range(17, 65_553)}
# The largest value of fields of numbers.
BLOB_CHUNK_MAX, BLOB_PAGE_MAX = 16_383, 15
FIELD_MAX = {
    "datagram_port": 0xffff, "BlobGot.chunks": BLOB_CHUNK_MAX, "BlobAsk.pages": BLOB_PAGE_MAX,
    "BlobAsk.chunks": BLOB_CHUNK_MAX, "BlobAsk.got": BLOB_CHUNK_MAX, "BlobPage.page": BLOB_PAGE_MAX,
    "BlobChunk.chunk": BLOB_CHUNK_MAX, "BlobChunk.got": BLOB_CHUNK_MAX, "BlobDrop.chunks": BLOB_CHUNK_MAX}
# The most elements of lists in the messages of a link.
LIST_MAX = {
    "welcome.epochs": 1_000, "epoch_keys.epochs": 1_000, "epoch_ask.epochs": 64, "rows.rows": 512,
    "positions.rows": 64, "control_index.ids": 4_096, "control.events": 512, "run.events": 256, "want.ranges": 64,
    "blob_got.chunks": 1_024, "blob_ask.pages": 16, "blob_ask.chunks": 16, "blob_ask.got": 1_024,
    "blob_chunk.got": 1_024, "blob_drop.chunks": 16}


def well_formed(message: Any) -> bool:
    """Whether all fields of a protobuf message, and of those in it, have their lengths and are in their ranges."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        name = f"{message.DESCRIPTOR.name}.{field.name}"
        values = value if field.label == field.LABEL_REPEATED else [value]
        most = FIELD_MAX.get(name) or FIELD_MAX.get(field.name)
        if most and any(one > most for one in values):
            return False
        if field.type == field.TYPE_BYTES:
            lengths = FIELD_BYTES.get(name)
            if lengths is None and field.label != field.LABEL_REPEATED:
                lengths = FIELD_BYTES.get(field.name)
            if lengths is not None and any(len(one) not in lengths for one in values):
                return False
        elif field.type == field.TYPE_MESSAGE:
            parts = values if field.label == field.LABEL_REPEATED or message.HasField(field.name) else []
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


def link_message(data: bytes) -> Any:
    """A message of a link. Its lists are counted before it is decoded: protobuf forgets all but the last kind."""
    message = decoded(pb.LinkMessage, data)
    return message if message is not None and lists_in_bounds(data) else None


def lists_in_bounds(data: bytes) -> bool:
    """Whether no list has more elements than it may, over all places where it stands in a message that decodes."""
    counts: dict[str, int] = {}
    for number, content in protobuf_fields(data):
        kind = pb.LinkMessage.DESCRIPTOR.fields_by_number.get(number)
        if kind is None or not isinstance(content, bytes):
            continue
        for inner, value in protobuf_fields(content):
            listed = kind.message_type.fields_by_number.get(inner)
            name = f"{kind.name}.{listed.name}" if listed is not None else ""
            if name in LIST_MAX:
                of_numbers = listed.type not in (listed.TYPE_BYTES, listed.TYPE_MESSAGE) and isinstance(value, bytes)
                counts[name] = counts.get(name, 0) + (sum(byte < 0x80 for byte in value) if of_numbers else 1)
    return all(count <= LIST_MAX[name] for name, count in counts.items())


def protobuf_fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message that protobuf has read: numbers of all lengths as numbers, all else as bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 0x7f) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 0x80:
                return value

    while at < len(data):
        tag = varint()
        if (wire_type := tag & 7) == 0:
            yield tag >> 3, varint()
        elif wire_type in (1, 2, 5):
            size = {1: 8, 5: 4}.get(wire_type) or varint()
            content = data[at:at + size]
            at += size
            yield tag >> 3, content if wire_type == 2 else int.from_bytes(content, "little")


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
