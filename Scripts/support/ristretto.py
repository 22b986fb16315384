"""ristretto255 by libsodium, for vectors: PyNaCl's wheel leaves this part of it out."""
from __future__ import annotations

import ctypes
import ctypes.util

ELEMENT_BYTES, SCALAR_BYTES, HASH_BYTES = 32, 32, 64

_library = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
if _library.sodium_init() < 0:
    raise RuntimeError("libsodium does not start")


def from_hash(data: bytes) -> bytes:
    """The element that 64 bytes are mapped to (RFC 9496, 4.3.4)."""
    assert len(data) == HASH_BYTES
    element = ctypes.create_string_buffer(ELEMENT_BYTES)
    _library.crypto_core_ristretto255_from_hash(element, data)
    return element.raw


def scalar(data: bytes) -> bytes:
    """64 bytes as a scalar below the group's order."""
    assert len(data) == HASH_BYTES
    reduced = ctypes.create_string_buffer(SCALAR_BYTES)
    _library.crypto_core_ristretto255_scalar_reduce(reduced, data)
    return reduced.raw


def multiply(factor: bytes, element: bytes) -> bytes | None:
    """The product; None for what is no encoding of an element, and where the product is the identity."""
    assert len(factor) == SCALAR_BYTES and len(element) == ELEMENT_BYTES
    if element[31] & 0x80:  # libsodium 1.0.18 passes over this bit; RFC 9496 refuses it
        return None
    product = ctypes.create_string_buffer(ELEMENT_BYTES)
    return None if _library.crypto_scalarmult_ristretto255(product, factor, element) else product.raw
