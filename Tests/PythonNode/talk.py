"""How a program is driven: a JSON object a line for whatever happens, and lines on standard input."""
from __future__ import annotations

import asyncio
import json
from typing import Any


def report(event: str, **what: Any) -> None:
    print(json.dumps({"event": event, **what}), flush=True)


def host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host, int(port)


async def lines(stream: Any) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stream)
    return reader
