"""A tour and its devices, as the server sees them: logs of signed events whose bodies are random."""
from __future__ import annotations

import base64
import os
import time

from events import CHAT, CONTROL, Event, Signer
from roster import join_message
from wire import ZERO, H, K, pb


class Signed(Event):
    @property
    def text(self) -> str:
        return base64.b64encode(self.exact).decode()

    def entry(self, tour: bytes) -> dict[str, str]:
        """The event in the form in which nodes push it."""
        sent = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime((self.clock >> 16) // 1_000))
        return {"localId": self.id.hex(), "groupId": tour.hex(), "senderId": self.author.hex(), "sentAt": sent,
                "sealed": self.text}


class Device:
    def __init__(self) -> None:
        self.identity = Signer()
        self.id = H("member", self.identity.public)
        self.tour, self.sequence, self.last, self.clock = ZERO, 0, ZERO, 0

    def write(self, body_bytes: int) -> Signed:
        """An event with content, which the server never opens."""
        return self.append(CHAT, os.urandom(32), os.urandom(body_bytes))

    def append(self, kind: int, epoch: bytes, body: bytes) -> Signed:
        self.sequence += 1
        self.clock = max(time.time_ns() // 1_000_000 << 16, self.clock + 1)
        parts = (kind, self.tour, self.id, self.sequence, self.last, self.clock, epoch, body)
        signature = self.identity.sign(H("event", Signed(*parts).header))
        event = Signed(*parts, signature)
        self.last = event.id
        return event


class Tour:
    """A guide, its tour and an invite that admits everybody."""

    def __init__(self) -> None:
        self.guide = Device()
        epoch_key = os.urandom(32)
        body = pb.ControlBody(genesis=pb.Genesis(
            identity_key=self.guide.identity.public, link_key=os.urandom(32), wrapping_key=os.urandom(32),
            commitment=K(epoch_key, "commit", b"", b"", self.guide.identity.public), full_history=True,
            salt=os.urandom(16)))
        self.genesis = self.guide.append(CONTROL, ZERO, body.SerializeToString())
        self.id = self.guide.tour = H("genesis", self.genesis.exact)
        self.invite = Signer()
        self.controls: list[Signed] = []
        self.take(pb.ControlBody(invite=pb.Invite(
            invite_key=self.invite.public, uses=0, expires_at=0, sealed_secret=os.urandom(72), epoch=self.genesis.id)))

    def take(self, body: object) -> None:
        self.controls.append(self.guide.append(CONTROL, ZERO, body.SerializeToString()))

    def join(self) -> Device:
        device = Device()
        device.tour = self.id
        request = pb.JoinRequest(
            identity_key=device.identity.public, link_key=os.urandom(32), wrapping_key=os.urandom(32),
            invite_key=self.invite.public, handshake_hash=os.urandom(64))
        claim = join_message(request, self.id)
        request.identity_signature = device.identity.sign(claim)
        request.invite_signature = self.invite.sign(claim)
        self.take(pb.ControlBody(admit=pb.Admit(request=request)))
        return device
