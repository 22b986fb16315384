"""Files: how they are cut, sealed and named, and what events say of them. Protocol/11-blobs.md."""
from __future__ import annotations

from typing import Any

from nacl import bindings
from nacl.exceptions import CryptoError

from wire import Fault, H, Refused

FILE_MAX = 2**30
CHUNK = 65_536
TAG = 16
PAGE = 1_024


def chunk_count(size: int) -> int:
    return -(-size // CHUNK)


def page_count(size: int) -> int:
    return -(-chunk_count(size) // PAGE)


def _nonce(index: int, last: bool) -> bytes:
    return bytes(7) + index.to_bytes(4, "big") + bytes([last])


def seal(key: bytes, index: int, last: bool, chunk: bytes) -> bytes:
    return bindings.crypto_aead_chacha20poly1305_ietf_encrypt(chunk, None, _nonce(index, last), key)


def unseal(key: bytes, index: int, last: bool, sealed: bytes) -> bytes:
    try:
        return bindings.crypto_aead_chacha20poly1305_ietf_decrypt(sealed, None, _nonce(index, last), key)
    except (CryptoError, ValueError) as error:
        raise Refused("decryption-failed") from error


def sealed_chunks(key: bytes, plaintext: bytes) -> list[bytes]:
    parts = [plaintext[at:at + CHUNK] for at in range(0, len(plaintext), CHUNK)]
    return [seal(key, index, index == len(parts) - 1, part) for index, part in enumerate(parts)]


def page_hashes(chunk_hashes: list[bytes]) -> list[bytes]:
    return [H("blob-page", b"".join(chunk_hashes[at:at + PAGE])) for at in range(0, len(chunk_hashes), PAGE)]


def blob_id(size: int, pages: list[bytes]) -> bytes:
    return H("blob", size.to_bytes(8, "big") + b"".join(pages))


def read_set(data: bytes, limit: int) -> list[int]:
    """The chunks in a set of those of a file that has so many."""
    chunks = [at for at in range(8 * len(data)) if data[at // 8] & 0x80 >> at % 8]
    if data.endswith(b"\0") or (chunks and chunks[-1] >= limit):
        raise Fault("message-malformed")
    return chunks


def file_sound(said: Any) -> bool:
    """Whether what an event says of a file is within its rules; lengths of ids are looked at where all are."""
    texts = 1 <= len(said.name.encode()) <= 255 and len(said.caption.encode()) <= 4_096
    media = len(said.media) <= 127 and all("!" <= letter <= "~" for letter in said.media)
    sides = max(said.width, said.height) <= 65_535
    shape = said.size <= FILE_MAX and len(said.pages) == 32 * page_count(said.size)
    return texts and media and sides and shape and len(said.thumbnail) <= 8_192
