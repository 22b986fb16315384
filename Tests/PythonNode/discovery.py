"""mDNS: who here may be in our tour, and telling others that we are. Protocol/02-discovery.md."""
from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from ipaddress import IPv4Address
from typing import Any

from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from wire import K, u64

SERVICE = "_tour-chat._tcp.local."
SLOT_SECONDS, SLOTS_APART, TAG_BYTES = 900, 96, 8
ASK_TAGS_MAX = 4
RESOLVE_MILLISECONDS = 3_000
MEMBER, INVITE, ASK = "mdns-member", "mdns-invite", "mdns-ask"
ASK_SLOTS_APART = 1  # of the responder of an ask link


def slot_now() -> int:
    return int(time.time()) // SLOT_SECONDS


def tag(secret: bytes, label: str, slot: int) -> bytes:
    return K(secret, label, u64(slot))[:TAG_BYTES]


def matches(tags: bytes, secret: bytes, label: str, slot: int) -> bool:
    """Whether a record's tags name this secret, by a clock that is at most a day apart."""
    listed = {tags[at:at + TAG_BYTES] for at in range(0, len(tags), TAG_BYTES)}
    apart = ASK_SLOTS_APART if label == ASK else SLOTS_APART
    return any(tag(secret, label, s) in listed for s in range(max(0, slot - apart), slot + apart + 1))


def tags_of(record: bytes) -> list[bytes]:
    """The ask tags of a record's `a`. Protocol/14-asking.md."""
    if len(record) % TAG_BYTES:
        return []
    return [record[at:at + TAG_BYTES] for at in range(0, len(record), TAG_BYTES)][:ASK_TAGS_MAX]


def ask_tags(secret: bytes, slot: int) -> list[bytes]:
    """Those that a responder accepts."""
    return [tag(secret, ASK, s) for s in range(max(0, slot - ASK_SLOTS_APART), slot + ASK_SLOTS_APART + 1)]


class Discovery:
    """One service of our own at most, and the services of others, IPv4."""

    def __init__(self, addresses: list[str]) -> None:
        self._zeroconf = AsyncZeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)
        self._addresses = addresses
        self._own: AsyncServiceInfo | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def find(self, secret: bytes, label: str, found: Callable[[str, int], None]) -> None:
        """Calls `found` with each address whose record has our tag; a search before this one ends."""
        def changed(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            if state_change != ServiceStateChange.Removed:
                self._spawn(self._resolve(name, secret, label, found))

        if self._browser:
            self._spawn(self._browser.async_cancel())
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[changed])

    def find_asked(self, found: Callable[[list[bytes], str, int], None]) -> None:
        """Calls `found` with the ask tags of each record that has some, and the address. Protocol/14-asking.md."""
        def changed(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            if state_change != ServiceStateChange.Removed:
                self._spawn(self._resolve_asked(name, found))

        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[changed])

    async def _resolve_asked(self, name: str, found: Callable[[list[bytes], str, int], None]) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        if self._own and name == self._own.name or not await info.async_request(
                self._zeroconf.zeroconf, RESOLVE_MILLISECONDS):
            return
        tags = tags_of(info.properties.get(b"a") or b"")
        if tags and info.properties.get(b"v") == b"1":
            for address in info.parsed_addresses(IPVersion.V4Only):
                found(tags, address, info.port or 0)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _resolve(self, name: str, secret: bytes, label: str, found: Callable[[str, int], None]) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        if self._own and name == self._own.name or not await info.async_request(
                self._zeroconf.zeroconf, RESOLVE_MILLISECONDS):
            return
        tags = info.properties.get(b"t") or b""
        if info.properties.get(b"v") != b"1" or len(tags) % TAG_BYTES or not matches(tags, secret, label, slot_now()):
            return
        for address in info.parsed_addresses(IPVersion.V4Only):
            found(address, info.port or 0)

    async def publish(self, port: int, link_secret: bytes, join_secret: bytes, asked: bytes = b"") -> None:
        """Instance and host name are random; the record is not renewed: this node does not live for 15 minutes.
        `asked` are the ask tags."""
        name, slot = os.urandom(8).hex(), slot_now()
        tags = tag(link_secret, MEMBER, slot) + tag(join_secret, INVITE, slot)
        self._own = AsyncServiceInfo(
            SERVICE, f"{name}.{SERVICE}", port=port, server=f"{os.urandom(8).hex()}.local.",
            addresses=[IPv4Address(address).packed for address in self._addresses],
            properties={b"v": b"1", b"t": tags} | ({b"a": asked} if asked else {}))
        await self._zeroconf.async_register_service(self._own)

    async def close(self) -> None:
        if self._browser:
            await self._browser.async_cancel()
        await self._zeroconf.async_close()
