"""Events, sealed bodies and runs. Protocol/05-events.md."""
from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from nacl import bindings
from nacl.exceptions import BadSignatureError, CryptoError

import asides
import records
import seats
from blobs import file_sound
from wire import VERSION, ZERO, Fault, H, K, Refused, decoded, pb, u64

CONTROL, ANNOUNCEMENT, CHAT, PROFILE, FILE = 0, 1, 2, 3, 4
HEADER_BYTES, SIGNATURE_BYTES = 178, 64
SEALED_MAX, CONTROL_MAX, SEALED_SECRET_MAX = 20_480, 65_536, 256
RUN_EVENTS_MAX, RUN_BYTES_TARGET = 256, 15 * 1024
SHARE_BYTES = 16 * 1024 * 1024


@lru_cache(maxsize=8_192)
def verifies(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        bindings.crypto_sign_open(signature + message, key)
        return True
    except (BadSignatureError, CryptoError, ValueError):
        return False


class Signer:
    """An Ed25519 key pair."""

    def __init__(self, seed: bytes | None = None) -> None:
        self.public, self._secret = bindings.crypto_sign_seed_keypair(seed or os.urandom(32))

    def sign(self, message: bytes) -> bytes:
        return bytes(bindings.crypto_sign(message, self._secret)[:SIGNATURE_BYTES])


def seal(key: bytes, data: bytes, plaintext: bytes) -> bytes:
    nonce = os.urandom(24)
    return nonce + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, data, nonce, key)


def unseal(key: bytes, data: bytes, sealed: bytes) -> bytes:
    try:
        return bytes(bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed[24:], data, sealed[:24], key))
    except (CryptoError, ValueError) as error:
        raise Refused("bad-seal") from error


@dataclass(frozen=True)
class Event:
    """One entry of a member's log."""

    kind: int  # the class
    tour: bytes
    author: bytes
    sequence: int
    previous: bytes
    clock: int
    epoch: bytes
    body: bytes
    signature: bytes = b""

    @property
    def sealed_data(self) -> bytes:
        """The header without the body's hash: the associated data of the seal."""
        return (bytes([VERSION, self.kind]) + self.tour + self.author + u64(self.sequence) + self.previous
                + u64(self.clock) + self.epoch)

    @cached_property
    def header(self) -> bytes:
        return self.sealed_data + H("body", self.body)

    @cached_property
    def id(self) -> bytes:
        return H("event-id", self.header, self.signature)

    @property
    def exact(self) -> bytes:
        return self.header + self.signature + self.body

    @property
    def place(self) -> tuple[int, bytes, int]:
        """Ascending: the tour's order."""
        return self.clock, self.author, self.sequence

    def signed_by(self, key: bytes) -> bool:
        return H("member", key) == self.author and verifies(key, H("event", self.header), self.signature)

    @cached_property
    def control(self) -> Any:
        """What a control event says, or None: a kind of a later version, or a malformed one, has no effect."""
        body = decoded(pb.ControlBody, self.body)
        if body is None or body.WhichOneof("kind") is None or self.epoch != ZERO:
            return None
        return None if len(body.invite.sealed_secret) > SEALED_SECRET_MAX else body


def parse(data: bytes) -> Event:
    """An event from its exact bytes; the body's hash is checked, the signature is not."""
    if len(data) < HEADER_BYTES + SIGNATURE_BYTES:
        raise Refused("event-truncated")
    if data[0] != VERSION:
        raise Refused("event-version")
    number = int.from_bytes
    event = Event(data[1], data[2:34], data[34:66], number(data[66:74], "big"), data[74:106],
                  number(data[106:114], "big"), data[114:146], data[242:], data[178:242])
    if event.sequence == 0 or len(event.body) > (SEALED_MAX if event.kind else CONTROL_MAX):
        raise Refused("event-malformed")
    if event.exact != data:
        raise Refused("bad-signature")
    return event


class LogSize:
    """What a log takes of its author's share: control events by themselves."""

    def __init__(self, sealed: int = 0, control: int = 0) -> None:
        self._taken = {True: control, False: sealed}

    def takes(self, kind: int) -> bool:
        return self._taken[kind == CONTROL] < SHARE_BYTES

    def add(self, kind: int, count: int) -> None:
        self._taken[kind == CONTROL] += count


# Sealed content.

def seal_content(unsealed: Event, epoch_key: bytes, content: Any) -> Event:
    """The event with its body; not signed yet."""
    key = K(epoch_key, "seal", unsealed.author)
    body = seal(key, unsealed.sealed_data, content.SerializeToString())
    return Event(**{**_fields(unsealed), "body": body})


def open_content(event: Event, epoch_key: bytes) -> Any:
    plaintext = unseal(K(epoch_key, "seal", event.author), event.sealed_data, event.body)
    if (content := decoded(pb.Content, plaintext)) is None:
        raise Refused("bad-content")
    if not content_sound(content):
        raise Refused("bad-content")
    return content


def content_sound(content: Any) -> bool:
    kind = content.WhichOneof("kind")
    said = getattr(content, kind) if kind else None
    if kind == "location":
        return said.HasField("fix") and place_in_range(said.fix) and len(said.reply_to) in (0, 32)
    if kind in ("file", "image"):
        return file_sound(said)
    if kind == "announcement":
        return said.expires_at < 2**48
    if kind == "meeting" and (said.HasField("fix") or said.text):
        photo, latest = said.photo, max(said.at, said.expires_at)
        if said.HasField("photo") and (photo.reply_to or not file_sound(photo)):
            return False
        size = sum(len(text.encode()) for text in (said.label, said.text, photo.caption)) + len(photo.thumbnail)
        placed = not said.HasField("fix") or place_in_range(said.fix)
        return placed and said.text != "" and size <= 16_384 and latest < 2**48
    if kind == "meeting_answer":
        minutes = 1_440 if said.answer == 2 else 0
        return len(said.meeting) == 32 and 1 <= said.answer <= 3 and said.minutes <= minutes
    if kind == "alarm":
        placed = not said.HasField("fix") or place_in_range(said.fix)
        return placed and len(said.text.encode()) <= 1_024 and len(said.near) <= 16 and said.battery <= 101
    if kind == "alarm_answer":
        return len(said.alarm) == 32 and 1 <= said.answer <= 4
    if kind == "roll_call":
        return len(said.text.encode()) <= 256 and 30 <= said.seconds <= 86_400
    if kind == "roll_answer":
        return len(said.call) == 32 and 1 <= said.state <= 2 and len(said.members) <= 64
    if kind == "roll_end":
        return len(said.call) == 32 and len(said.missing) <= 1_000
    if kind == "buddies":
        named = [member for group in said.groups for member in group.members]
        sizes = all(2 <= len(group.members) <= 8 for group in said.groups)
        return len(said.groups) <= 400 and sizes and len(set(named)) == len(named)
    if kind == "understood":
        return len(said.event) == 32
    if kind == "shared":
        return records.part_sound(said)
    if kind == "aside":
        return asides.sound(said)
    if kind in ("seat", "seat_host"):
        return seats.content_sound(said)
    return True


def place_in_range(fix: Any) -> bool:
    return (abs(fix.latitude) <= 900_000_000 and abs(fix.longitude) <= 1_800_000_000 and fix.accuracy <= 20_100_000
            and fix.fixed_at < 2**48)


def signed(event: Event, identity: Signer) -> Event:
    return Event(**{**_fields(event), "signature": identity.sign(H("event", event.header))})


def _fields(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in Event.__dataclass_fields__}


# Runs: consecutive events of one log, without what the receiver can restore.

def pack(events: list[Event], hops: int, pushed: bool) -> Any:
    run = pb.Run(author=events[0].author, first=events[0].sequence, previous=events[0].previous, hops=hops,
                 pushed=pushed)
    inherited = ZERO
    for event in events:
        said = b"" if event.kind == CONTROL or event.epoch == inherited else event.epoch
        inherited = inherited if event.kind == CONTROL else event.epoch
        run.events.add(event_class=event.kind, clock=event.clock, epoch=said, signature=event.signature,
                       body=event.body)
    return run


def split(events: list[Event]) -> list[list[Event]]:
    """Pieces that make runs of about the size wanted."""
    pieces: list[list[Event]] = []
    size = 0
    for event in events:
        cost = len(event.body) + 120
        if not pieces or size + cost > RUN_BYTES_TARGET or len(pieces[-1]) == RUN_EVENTS_MAX:
            pieces.append([])
            size = 0
        pieces[-1].append(event)
        size += cost
    return pieces


def rebuild(run: Any, tour: bytes, creator: bytes) -> list[Event]:
    """The events of a run as their author signed them; nothing is verified yet."""
    if not run.events or len(run.events) > RUN_EVENTS_MAX or not 1 <= run.first < 2**64 - RUN_EVENTS_MAX:
        raise Fault("message-malformed")
    events: list[Event] = []
    previous, epoch = run.previous, ZERO
    for index, each in enumerate(run.events):
        if each.event_class > 255:
            raise Fault("message-malformed")
        control = each.event_class == CONTROL
        epoch = epoch if control else each.epoch or epoch
        genesis = control and run.first + index == 1 and run.author == creator
        events.append(Event(each.event_class, ZERO if genesis else tour, run.author, run.first + index, previous,
                            each.clock, ZERO if control else epoch, each.body, each.signature))
        previous = events[-1].id
    return events


def run_proven(events: list[Event], identity: bytes) -> bool:
    """The last signature proves a run through the ids; control events and announcements also prove themselves."""
    alone = [event for event in events[:-1] if event.kind in (CONTROL, ANNOUNCEMENT)]
    return (all(event.signed_by(identity) for event in [events[-1], *alone])
            and all(len(event.body) <= (SEALED_MAX if event.kind else CONTROL_MAX) for event in events))
