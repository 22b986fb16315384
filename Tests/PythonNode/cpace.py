"""CPace on ristretto255 with SHA-512, initiator and responder: draft-irtf-cfrg-cpace. Protocol/14-asking.md."""
from __future__ import annotations

import hashlib
import hmac
import secrets

import ristretto
from wire import Fault

DSI, CI = b"CPaceRistretto255", b"tour-chat/1/ask-code"
ASKER, MEMBER = b"asker", b"member"
BLOCK_BYTES = 128
IDENTITY = bytes(32)


def lv_cat(*parts: bytes) -> bytes:
    assert all(len(part) < 128 for part in parts)  # longer ones take a length of several bytes
    return b"".join(bytes([len(part)]) + part for part in parts)


def generator(prs: bytes, ci: bytes, sid: bytes) -> bytes:
    padding = bytes(max(0, BLOCK_BYTES - 1 - len(lv_cat(prs)) - len(lv_cat(DSI))))
    return ristretto.encode(ristretto.from_hash(hashlib.sha512(lv_cat(DSI, prs, padding, ci, sid)).digest()))


def product(scalar: int, share: bytes) -> bytes:
    """K; a share that is no element, or a product that is the identity, is a fault."""
    point = ristretto.decode(share)
    made = IDENTITY if point is None else ristretto.encode(ristretto.multiply(scalar, point))
    if made == IDENTITY:
        raise Fault("bad-share")
    return made


def shared_key(sid: bytes, made: bytes, asker: tuple[bytes, bytes], member: tuple[bytes, bytes]) -> bytes:
    """ISK; a side is its share and its associated data."""
    return hashlib.sha512(lv_cat(DSI + b"_ISK", sid, made) + lv_cat(*asker) + lv_cat(*member)).digest()


class Side:
    """One side of an exchange by digits."""

    def __init__(self, role: bytes, digits: str, sid: bytes, scalar: int | None = None) -> None:
        self.role, self.sid = role, sid
        self.generator = generator(digits.encode(), CI, sid)
        self.scalar = secrets.randbelow(ristretto.ORDER - 1) + 1 if scalar is None else scalar
        self.share = product(self.scalar, self.generator)
        self.product = self.key = self.mac_key = self.proof = self.expected = b""

    def take_share(self, theirs: bytes) -> None:
        self.product = product(self.scalar, theirs)
        asker, member = (self.share, theirs) if self.role == ASKER else (theirs, self.share)
        self.key = shared_key(self.sid, self.product, (asker, ASKER), (member, MEMBER))
        self.mac_key = hashlib.sha512(b"CPaceMac" + self.sid + self.key).digest()
        proofs = {side: hmac.digest(self.mac_key, lv_cat(share, side), "sha512")
                  for side, share in ((ASKER, asker), (MEMBER, member))}
        self.proof = proofs.pop(self.role)
        self.expected = proofs.popitem()[1]

    def take_proof(self, theirs: bytes) -> None:
        if not hmac.compare_digest(self.expected, theirs):
            raise Fault("wrong-code")
