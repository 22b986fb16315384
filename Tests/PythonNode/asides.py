"""Words between one person and those who lead. Protocol/05-events.md, "Asides"."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nacl import bindings
from nacl.exceptions import CryptoError

from wire import K, decoded, pb, prefix

READERS_MAX, TEXT_BYTES_MAX, WRAP_BYTES, LENGTH_BYTES = 64, 4_096, 80, 2


def sound(said: Any) -> bool:
    """Of an aside's lists; nothing is opened."""
    count = len(said.readers)
    ascending = all(one < other for one, other in zip(said.readers, said.readers[1:]))
    return (1 <= count <= READERS_MAX and ascending and len(said.generations) == count
            and len(said.wraps) == count * WRAP_BYTES)


def opened(said: Any, tour: bytes, author: bytes, reader: bytes, secret: bytes,
           is_sound: Callable[[Any], bool]) -> Any:
    """The AsideBody that is sealed for this wrapping key, by this author; None for any other."""
    at = list(said.readers).index(prefix(reader)) if prefix(reader) in said.readers else None
    if at is None:
        return None
    wrap = said.wraps[at * WRAP_BYTES:(at + 1) * WRAP_BYTES]
    try:
        key = bindings.crypto_box_seal_open(wrap, bindings.crypto_scalarmult_base(secret), secret)
        word = bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(
            said.sealed[24:], b"", said.sealed[:24], K(key, "aside", tour + author))
    except (CryptoError, ValueError, TypeError):
        return None
    size = int.from_bytes(word[:LENGTH_BYTES], "big")
    if len(word) < LENGTH_BYTES + size:
        return None
    body = decoded(pb.AsideBody, word[LENGTH_BYTES:LENGTH_BYTES + size])
    return body if body is not None and len(body.person) == 32 and may_be_said(body.content, is_sound) else None


def may_be_said(plaintext: bytes, is_sound: Callable[[Any], bool]) -> bool:
    """Whether a content is one that an aside may have."""
    content = decoded(pb.Content, plaintext)
    if content is None or content.WhichOneof("kind") not in ("text", "alarm", "alarm_answer"):
        return False
    return is_sound(content) and len(content.text.text.encode()) <= TEXT_BYTES_MAX
