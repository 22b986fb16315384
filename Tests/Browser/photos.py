"""Pictures for the tests: a drawn code as a camera sees it, and plain pictures to send."""
from __future__ import annotations

import struct
import zlib
from pathlib import Path

from lab import run
from nodes import Node

SCREEN = (640, 480)


def drawn_code(node: Node, path: Path) -> str:
    """Draws an invitation of the node into a PNG; returns the code."""
    return str(node.must("tour", "invite", "--png", str(path)).first["joinCode"])


def photo_of(code: Path, path: Path) -> Path:
    """The drawn code as somebody's photo: turned a little, a bit out of focus, grey around it, as JPEG."""
    turned, wide, soft = (path.with_suffix(f".{k}.v") for k in range(3))
    run("vips", "similarity", str(code), str(turned), "--angle", "6", "--scale", str(fitting(code, 420)),
        "--background", "200")
    run("vips", "gravity", str(turned), str(wide), "centre", *map(str, SCREEN), "--extend", "background",
        "--background", "200")
    run("vips", "gaussblur", str(wide), str(soft), "0.8")
    run("vips", "colourspace", str(soft), f"{path}[Q=80]", "srgb")
    return path


def film_of(photo: Path, path: Path) -> Path:
    """The photo as a film of one frame that a fake camera shows again and again (Y4M)."""
    raw = path.with_suffix(".grey.v")
    bytes_of = path.with_suffix(".raw")
    run("vips", "colourspace", str(photo), str(raw), "b-w")
    run("vips", "rawsave", str(raw), str(bytes_of))
    width, height = SCREEN
    grey = bytes_of.read_bytes()
    if len(grey) != width * height:
        raise AssertionError(f"a frame has {len(grey)} bytes, not {width} x {height}")
    head = f"YUV4MPEG2 W{width} H{height} F30:1 Ip A1:1 C420jpeg\nFRAME\n"
    path.write_bytes(head.encode() + grey + bytes([128]) * (width * height // 2))
    return path


def fitting(picture: Path, side: int) -> float:
    return side / int(run("vipsheader", "-f", "width", str(picture)))


def plain_png(path: Path, width: int, height: int, colour: tuple[int, int, int]) -> Path:
    """A picture of one colour, that can be told again by it."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * width) * height
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path
