"""The node: makes and takes links of one tour, and tells each what the others brought. Protocol/06-replication.md."""
from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import discovery
import join
from asking import Asked, psk_of
from channel import INITIATOR, Channel, Greeter, Streams, answer, dial
from events import Event
from link import Link
from tour import Code, Keys, Message, Tour
from wire import Fault, pb

GATHER_SECONDS = 0.2
ROW_SECONDS, ROW_MEMBER_SECONDS, ROW_MAX_SECONDS = 1.0, 0.2, 9.5
REDIAL_SECONDS, REDIAL_SECONDS_MAX, DECLINED_SECONDS = 0.5, 30.0, 30.0
SIMULTANEOUS_SECONDS = 10.0
BROKEN = (Fault, OSError, TimeoutError, asyncio.IncompleteReadError)

Report = Callable[..., None]


class Node:
    def __init__(self, report: Report, group: asyncio.TaskGroup) -> None:
        """`report("link", role=…)` is told what happens; an error that is no link's ends all of `group`."""
        self.keys = Keys()
        self.tour: Tour | None = None
        self.links: list[Link] = []
        self.asked: Asked | None = None  # answers askers
        self._report = report
        self._greeter = Greeter()
        self._asked: set[bytes] = set()
        self._dialled: set[tuple[str, int]] = set()
        self._group = group
        self._tasks: set[asyncio.Task[Any]] = set()
        self._told: dict[Link, dict[bytes, int]] = {}
        self._row_due = asyncio.Event()
        self._have_due = asyncio.Event()

    def spawn(self, work: Any) -> None:
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Joining, dialling, listening.

    async def join(self, code: Code, addresses: asyncio.Queue[tuple[str, int]]) -> Tour:
        """Asks one address after the other, with the same keys."""
        while True:
            host, port = await addresses.get()
            try:
                channel = await dial(host, port, code.join_secret, self.keys.link_secret, lambda _: True)
                self.tour = await join.join(channel, code, self.keys)
            except BROKEN as broken:
                self._report("no-join", address=f"{host}:{port}", why=repr(broken))
                continue
            admit = next(e for e in self.tour.control.values() if e.control.HasField("admit")
                         and e.control.admit.request.identity_key == self.keys.identity.public)
            self._report("joined", tour=self.tour.id.hex(), member=self.keys.id.hex(), handshake=channel.hash.hex(),
                         admitted=admit.control.admit.request.handshake_hash.hex())
            return self.tour

    def begin(self, name: str) -> None:
        """What a member does besides its links."""
        assert self.tour
        self.wrote(self.tour.write_name(name))
        self.spawn(self._say_heads())
        self.spawn(self._say_rows())

    def dial_always(self, host: str, port: int) -> None:
        """Keeps a link to whoever is at this address, as the initiator."""
        if (host, port) not in self._dialled:
            self._dialled.add((host, port))
            self.spawn(self._keep_dialling(host, port))

    async def _keep_dialling(self, host: str, port: int) -> None:
        assert self.tour
        pause = REDIAL_SECONDS
        while True:
            try:
                tour = self.tour
                channel = await dial(host, port, tour.link_secret, self.keys.link_secret, self._wanted)
                pause = REDIAL_SECONDS
                code = await self._run(channel)
                if code in ("removed", "left"):
                    return
                if code == "full":
                    await asyncio.sleep(DECLINED_SECONDS)
            except BROKEN as broken:
                self._report("no-link", address=f"{host}:{port}", why=repr(broken))
            await asyncio.sleep(pause * random.random())
            pause = min(2 * pause, REDIAL_SECONDS_MAX)

    def _wanted(self, link_key: bytes) -> bool:
        assert self.tour
        members = self.tour.roster.by_link_key(link_key)
        if link_key == self.keys.link:
            return False
        linked = {link.peer for link in self.links}
        return not members or any(not member.left and member.id not in linked for member in members)

    async def listen(self, port: int) -> int:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.spawn(self._accept((reader, writer)))
        server = await asyncio.start_server(accept, "0.0.0.0", port)
        return int(server.sockets[0].getsockname()[1])

    async def _accept(self, streams: Streams) -> None:
        assert self.tour
        tour, joiners = self.tour, self.tour.join_secrets()
        tags = discovery.ask_tags(tour.link_secret, discovery.slot_now()) if self.asked else []
        askers = [psk_of(tag) for tag in tags]
        try:
            channel = await answer(
                streams, self._greeter, [tour.link_secret, *joiners, *askers], self.keys.link_secret, askers)
            if self.asked and channel.psk in askers:
                await self.asked.answer(channel)
            elif channel.psk in joiners:
                said = await join.let_in(channel, tour, joiners[channel.psk], self.wrote)
                self._report("let-in", answer=said, handshake=channel.hash.hex())
            else:
                await self._run(channel)
        except BROKEN as broken:
            self._report("no-link", why=repr(broken))

    async def _run(self, channel: Channel) -> str:
        """Returns the peer's `Bye` code, or nothing."""
        assert self.tour
        link = Link(self.tour, channel, self, self._asked)
        self.links.append(link)
        code = ""
        try:
            code = await link.run()
            return code
        finally:
            self.links.remove(link)
            self._told.pop(link, None)
            self._report("unlink", peer=link.peer.hex() if link.peer else "", bye=code, refused=link.refused)

    async def close(self) -> None:
        for link in self.links:
            link.channel.send(0, bye=pb.Bye(code="closing"))
        for link in list(self.links):
            await link.channel.close()
        for task in self._tasks:
            task.cancel()

    # What links bring.

    def opened(self, link: Link) -> None:
        """Both binds are there. Of two links to one member one stays."""
        assert self.tour and link.peer
        self._report("link", peer=link.peer.hex(), role="initiator" if link.channel.role == INITIATOR else "responder",
                     handshake=link.channel.hash.hex())
        for other in self.links:
            if other is not link and other.peer == link.peer:
                self._end(other if self._newer_stays(other, link) else link, "duplicate")
        self._row_due.set()

    def _newer_stays(self, older: Link, newer: Link) -> bool:
        same = older.channel.role == newer.channel.role
        lower_is_us = self.keys.id < (newer.peer or b"")
        return (same or time.monotonic() - older.made_at > SIMULTANEOUS_SECONDS
                or (newer.channel.role == INITIATOR) == lower_is_us)

    def _end(self, link: Link, code: str) -> None:
        link.channel.send(0, bye=pb.Bye(code=code))
        self.spawn(link.channel.close())

    def learnt(self, news: list[Event], source: Link, pushed_hops: int | None) -> None:
        if pushed_hops is not None:
            for link in self.links:
                if link is not source:
                    link.push(news, pushed_hops + 1)
        self._changed(news)
        self.asked_for(source)

    def learnt_control(self, news: list[Event], source: Link) -> None:
        for link in self.links:
            if link is not source and link.begun:
                link.send_control(news)
        self._changed([])

    def learnt_row(self, row: Any, source: Link) -> None:
        assert self.tour
        passed = pb.Row(row=row.row, signature=row.signature, hops=row.hops + 1)
        for link in self.links:
            if link is not source and link.begun and link.eager and passed.hops < 16 and not self.tour.hidden:
                link.send_rows([passed])

    def asked_for(self, link: Link) -> None:
        """A pull ended, or something came: others first, so that who did not answer is not asked at once again."""
        for other in [*(each for each in self.links if each is not link), link]:
            other.pull()

    def wrote(self, event: Event) -> None:
        for link in self.links:
            link.push([event], 0)
        self._changed([event])

    def _changed(self, news: list[Event]) -> None:
        assert self.tour
        for event in news:
            if (message := self.tour.message(event)) is not None:
                self._show(message)
        for link in self.links:
            link.begin()
            link.pull()
            if link.member and link.member.left:
                self._end(link, "left")
        self._have_due.set()
        self._row_due.set()

    def _show(self, message: Message) -> None:
        assert self.tour
        event = message.event
        self._report("message", id=event.id.hex(), author=event.author.hex(), text=message.text,
                     announcement=message.announcement, by=self.tour.host_of(event.author).hex())

    # Frontiers and claims.

    async def _say_heads(self) -> None:
        while True:
            await self._have_due.wait()
            await asyncio.sleep(GATHER_SECONDS * (1 + random.random()))
            self._have_due.clear()
            assert self.tour
            for link in [link for link in self.links if link.begun]:
                told = self._told.setdefault(link, {})
                news = {author: head for author, head in self.tour.frontier.items()
                        if head > told.get(author, 0) and link.wanted.lacks(author)}
                if news:
                    link.say_heads(news)
                    told.update(news)

    async def _say_rows(self) -> None:
        """A row when something changed, not too often, and as a sign of life."""
        while True:
            assert self.tour
            pause = min(ROW_SECONDS + ROW_MEMBER_SECONDS * len(self.tour.roster.members), ROW_MAX_SECONDS)
            await asyncio.sleep(pause * (1 + random.random() / 10))
            try:
                async with asyncio.timeout(ROW_MAX_SECONDS - pause + 0.01):
                    await self._row_due.wait()
            except TimeoutError:
                pass
            self._row_due.clear()
            messages = self.tour.messages()
            row = self.tour.make_row(messages[-1].event.clock if messages else 0)
            begun = [link for link in self.links if link.begun]
            for link in [link for link in begun if link.eager] or begun:  # a tree with a hole is still told
                link.send_rows([row])
