"""Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b with fixed ephemeral keys, for vectors alone: Noise revision 34, section 5.

Never for a link: anybody who knows the ephemeral keys can read it.
"""
from __future__ import annotations

import hashlib
import hmac

from nacl import bindings

NAME = b"Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b"
HASH_BYTES, KEY_BYTES = 64, 32


def blake2b(data: bytes) -> bytes:
    return hashlib.blake2b(data).digest()


def hkdf(chaining: bytes, material: bytes, outputs: int) -> list[bytes]:
    """Section 4.3: HMAC with the hash of the suite, whose blocks have 128 bytes."""
    secret = hmac.new(chaining, material, hashlib.blake2b).digest()
    made = [b""]
    for number in range(1, outputs + 1):
        made.append(hmac.new(secret, made[-1] + bytes([number]), hashlib.blake2b).digest())
    return made[1:]


class Cipher:
    def __init__(self, key: bytes) -> None:
        self.key, self.counter = key[:KEY_BYTES], 0

    def encrypt(self, data: bytes, plaintext: bytes) -> bytes:
        nonce = bytes(4) + self.counter.to_bytes(8, "little")
        self.counter += 1
        return bytes(bindings.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, data, nonce, self.key))


class Symmetric:
    def __init__(self, prologue: bytes) -> None:
        self.hash = self.chaining = NAME.ljust(HASH_BYTES, b"\0")
        self.cipher: Cipher | None = None
        self.mix_hash(prologue)

    def mix_hash(self, data: bytes) -> None:
        self.hash = blake2b(self.hash + data)

    def mix_key(self, material: bytes) -> None:
        self.chaining, key = hkdf(self.chaining, material, 2)
        self.cipher = Cipher(key)

    def mix_key_and_hash(self, material: bytes) -> None:
        self.chaining, mixed, key = hkdf(self.chaining, material, 3)
        self.mix_hash(mixed)
        self.cipher = Cipher(key)

    def encrypt_and_hash(self, plaintext: bytes) -> bytes:
        sealed = self.cipher.encrypt(self.hash, plaintext) if self.cipher else plaintext
        self.mix_hash(sealed)
        return sealed


class Pair:
    def __init__(self, secret: bytes) -> None:
        self.secret, self.public = secret, bytes(bindings.crypto_scalarmult_base(secret))

    def shared(self, public: bytes) -> bytes:
        return bytes(bindings.crypto_scalarmult(self.secret, public))


def handshake(prologue: bytes, psk: bytes, initiator: tuple[Pair, Pair],
              responder: tuple[Pair, Pair]) -> tuple[list[bytes], bytes, Cipher, Cipher]:
    """Each side's static and ephemeral pair -> the three messages, the handshake hash, and each side's sending key.

    Both sides compute the same, so one state stands for both.
    """
    (static, ephemeral), (answering, fresh) = initiator, responder
    state = Symmetric(prologue)

    def point(pair: Pair) -> bytes:
        state.mix_hash(pair.public)
        state.mix_key(pair.public)
        return pair.public

    state.mix_key_and_hash(psk)
    first = point(ephemeral) + state.encrypt_and_hash(b"")
    second = point(fresh)
    state.mix_key(fresh.shared(ephemeral.public))
    second += state.encrypt_and_hash(answering.public)
    state.mix_key(answering.shared(ephemeral.public))
    second += state.encrypt_and_hash(b"")
    third = state.encrypt_and_hash(static.public)
    state.mix_key(static.shared(fresh.public))
    third += state.encrypt_and_hash(b"")
    sending = [Cipher(key) for key in hkdf(state.chaining, b"", 2)]
    return [first, second, third], state.hash, sending[0], sending[1]
