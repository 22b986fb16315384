"""One member link after its handshake: bind, control events, then replication. Protocol/03, 04 and 06.

Left out, as the specification allows: what goes ahead of a log is pulled like any other gap, of others' rows the
newest is kept, and a lazy link is not waited for.
"""
from __future__ import annotations

import asyncio
import os
import secrets
import time
from typing import Any, Protocol

import events
from channel import INITIATOR, RESPONDER, Channel
from events import ANNOUNCEMENT, CONTROL, Event, verifies
from pull import RANGES_MAX, Pull
from roster import Member
from tour import Tour, lists_fit
from wire import Fault, H, Refused, pb, prefix

PING_SECONDS, PONG_SECONDS, DEAD_SECONDS, RESTRICTED_SECONDS = 10.0, 5.0, 25.0, 5.0
SERVED_MAX, HEADS_MAX, HOPS_MAX = 256 * 1024, 1_000, 16
CONTROL_BYTES = 64 * 1024
RESTRICTED = {"control_index", "control", "ping", "pong", "bye"}


class Neighbours(Protocol):
    """What a link tells the node it belongs to."""

    def opened(self, link: Link) -> None: ...

    def learnt(self, news: list[Event], source: Link, pushed_hops: int | None) -> None: ...

    def learnt_control(self, news: list[Event], source: Link) -> None: ...

    def learnt_row(self, row: Any, source: Link) -> None: ...

    def asked_for(self, link: Link) -> None: ...


def bind_of(tour: Tour, channel: Channel, genesis: bytes = b"") -> Any:
    said = H("bind", channel.hash, bytes([channel.role]), tour.id, tour.keys.link)
    return pb.Bind(identity_key=tour.keys.identity.public, signature=tour.keys.identity.sign(said),
                   datagram_share=os.urandom(32), genesis=genesis)


def bind_proves(bind: Any, channel: Channel, tour: bytes) -> bool:
    """Whether the other side signed this very handshake. That is so only if both computed the same hash."""
    role = RESPONDER if channel.role == INITIATOR else INITIATOR
    said = H("bind", channel.hash, bytes([role]), tour, channel.peer_key)
    return verifies(bind.identity_key, said, bind.signature)


class Link:
    def __init__(self, tour: Tour, channel: Channel, node: Neighbours, asked: set[bytes]) -> None:
        self.tour, self.channel, self.node = tour, channel, node
        self.peer: bytes | None = None  # the member id that the bind proved
        self.eager = True
        self.greeted = False  # the peer's first Have came: it takes more than control events
        self.begun = False  # ours went out
        self.made_at = time.monotonic()
        self.wanted = Pull(tour, channel, asked)
        self._answered_index = False
        self.refused: list[str] = []
        self._heard_at = 0.0  # when something came that wants a sign of life
        self._pinged_at: float | None = None

    @property
    def member(self) -> Member | None:
        """The peer, once our roster has it with this link key."""
        known = self.tour.roster.by_link_key(self.channel.peer_key)
        return next((member for member in known if member.id == self.peer), None)

    async def run(self) -> str:
        """Until the link ends; returns the peer's `Bye` code, or nothing."""
        pulse = asyncio.create_task(self._keep_alive())
        try:
            self.channel.send(0, bind=bind_of(self.tour, self.channel))
            await self._check_bind()
            self.channel.send(0, control_index=pb.ControlIndex(ids=self.tour.control_index()))
            self.node.opened(self)
            while True:
                message = await self.channel.receive()
                kind = message.WhichOneof("kind")
                if kind == "bye":
                    return str(message.bye.code)
                try:
                    self._take(kind, message)
                except Refused as refused:
                    self.refused.append(str(refused))
        finally:
            pulse.cancel()
            self.wanted.end()
            await self.channel.close()

    async def _check_bind(self) -> None:
        async with asyncio.timeout(PONG_SECONDS):
            message = await self.channel.receive()
        if message.WhichOneof("kind") != "bind":
            raise Fault("unexpected-message")
        bind = message.bind
        known = self.tour.roster.by_link_key(self.channel.peer_key)
        if bind.genesis or not bind_proves(bind, self.channel, self.tour.id):
            raise Fault("bad-bind")
        active = [member.identity for member in known if not member.left]
        allowed = active or [member.identity for member in known]
        if known and bind.identity_key not in allowed:
            raise Fault("bad-bind")
        if known and not active:
            self._tell_left(next(member for member in known if member.identity == bind.identity_key))
            raise Fault("former-member")
        self.peer = H("member", bind.identity_key)

    def _tell_left(self, member: Member) -> None:
        """Who is out hears why, and nothing else."""
        self.send_control([e for e in self.tour.control_in_order
                           if e.author == member.id and e.control is not None and e.control.HasField("leave")])
        self.channel.send(0, bye=pb.Bye(code="left"))

    def _take(self, kind: str | None, message: Any) -> None:
        if kind in ("bind", "join_request", "welcome", "join_refusal"):
            raise Fault("unexpected-message")
        if self.member is None and kind not in RESTRICTED:
            return  # dropped, not answered
        if kind not in ("ping", "pong"):
            self._heard_at = time.monotonic()
        handler = {
            "ping": lambda _: self.channel.send(0, pong=pb.Pong()), "control_index": self._answer_index,
            "control": self._take_control, "have": self._take_have, "run": self._take_run, "want": self._serve,
            "served": self._take_served, "rows": self._take_rows, "prune": lambda _: self._set_eager(False),
        }.get(kind or "")
        if handler:
            handler(getattr(message, kind or ""))
        self.begin()

    def _set_eager(self, eager: bool) -> None:
        self.eager = eager

    # Control first.

    def _answer_index(self, index: Any) -> None:
        theirs = set(index.ids)
        own = self.tour.keys.id
        lacking = [e for e in self.tour.control_in_order if e.id[:16] not in theirs
                   and not (e.author == own and e.control is not None and e.control.HasField("leave"))]
        self.send_control(lacking)
        self._answered_index = True

    def send_control(self, lacking: list[Event]) -> None:
        send_control(self.channel, lacking)

    def _take_control(self, control: Any) -> None:
        sound: list[Event] = []
        for data in control.events:
            try:
                sound.append(events.parse(data))
            except Refused as refused:
                self.refused.append(str(refused))
        if news := self.tour.take_control(sound):
            self.node.learnt_control(news, self)

    def begin(self) -> None:
        """Our first Have: when our roster has the peer, and theirs must have us."""
        if self.begun or not self._answered_index or self.member is None:
            return
        self.begun = True
        self.say_heads(self.tour.frontier)
        rows = [c.newest for m, c in self.tour.claims.items() if c.newest is not None and m != self.peer and not self.tour.hidden]
        if rows:
            self.send_rows(rows)

    # Frontiers and pushes.

    def say_heads(self, heads: dict[bytes, int]) -> None:
        """A `Have`; the first of a link is sent even when it is empty."""
        listed = [(author, head) for author, head in heads.items() if head]
        for at in range(0, max(1, len(listed)), HEADS_MAX):
            part, salt = dict(listed[at:at + HEADS_MAX]), secrets.randbits(64)
            self.channel.send(2, have=pb.Have(authors=[prefix(author) for author in part], sequences=part.values(),
                                              tags=self.tour.tags(part, salt), salt=salt))

    def push(self, news: list[Event], hops: int) -> None:
        """Events as they became known: an announcement always has a run of its own."""
        if not (self.begun and self.greeted and self.eager) or hops >= HOPS_MAX:
            return
        for event in news:
            if event.sequence <= self.wanted.heads.get(prefix(event.author), 0):
                continue
            lane = 0 if event.kind in (CONTROL, ANNOUNCEMENT) else 1
            self.channel.send(lane, run=events.pack([event], hops, pushed=True))

    def _take_have(self, have: Any) -> None:
        if not lists_fit(have):
            raise Fault("message-malformed")
        for author, head, tag in zip(have.authors, have.sequences, have.tags):
            self.wanted.note(author, head)
            member = self.tour.roster.by_prefix(author)
            if member is not None and self.tour.is_other(member.id, head, tag, have.salt):
                self.wanted.ask_for_branch(member.id, head)
        self.greeted = True
        self.pull()

    def _take_run(self, run: Any) -> None:
        news = self.tour.take_run(run)
        first, last = run.first, run.first + len(run.events) - 1
        gap = first > self.tour.head(run.author) + 1
        if not gap:
            self.wanted.note(prefix(run.author), last)
        if not run.pushed:
            self.wanted.progress()
        one_announcement = len(run.events) == 1 and run.events[0].event_class == ANNOUNCEMENT
        if run.pushed and not news and not gap and not one_announcement:
            self._set_eager(False)
            self.channel.send(0, prune=pb.Prune())
        if gap and run.pushed and not one_announcement:  # that one may be ahead of what the peer has
            self.wanted.note(prefix(run.author), first - 1)
            self.pull()
        if news:
            self.node.learnt(news, self, run.hops if run.pushed else None)

    # Pulls.

    def pull(self) -> None:
        if self.member is not None and self.wanted.ask():
            self.eager = True

    def _take_served(self, served: Any) -> None:
        if self.wanted.answers(served.id):
            self.wanted.end()
            self.node.asked_for(self)

    def _serve(self, want: Any) -> None:
        if len(want.ranges) > RANGES_MAX or any(not 1 <= r.first <= r.last for r in want.ranges):
            raise Fault("message-malformed")
        self.eager = self.eager or want.graft
        sent, truncated = 0, False
        for wanted in want.ranges:
            for piece in events.split(self.tour.log_range(wanted.author, wanted.first, wanted.last)):
                if sent >= SERVED_MAX:
                    truncated = True
                    break
                run = events.pack(piece, 0, pushed=False)
                sent += run.ByteSize()
                self.channel.send(3, run=run)
        self.channel.send(3, served=pb.Served(id=want.id, truncated=truncated))

    # Claims.

    def send_rows(self, rows: list[Any]) -> None:
        self.channel.send(2, rows=pb.Rows(rows=rows))

    def _take_rows(self, rows: Any) -> None:
        for row in rows.rows:
            if self.tour.take_row(row):
                self.node.learnt_row(row, self)

    # Life.

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(1)
            now = time.monotonic()
            quiet = now - self.channel.received_at
            if quiet > DEAD_SECONDS or (self.member is None and now - self.made_at > RESTRICTED_SECONDS):
                self.channel.abort()  # ends `receive`
                return
            if self.wanted.is_over:
                self.wanted.end()
                self.node.asked_for(self)
            self.pull()
            if quiet > PING_SECONDS and (self._pinged_at is None or now - self._pinged_at > PING_SECONDS):
                self._pinged_at = now
                self.channel.send(0, ping=pb.Ping())
            elif self._heard_at > self.channel.sent_at and now - self._heard_at > PONG_SECONDS:
                self.channel.send(0, pong=pb.Pong())


def send_control(channel: Channel, lacking: list[Event]) -> None:
    """Exact bytes, in the tour's order, in as many messages as needed."""
    part: list[bytes] = []
    for event in lacking:
        if part and sum(map(len, part)) + len(event.exact) > CONTROL_BYTES:
            channel.send(0, control=pb.Control(events=part))
            part = []
        part.append(event.exact)
    if part:
        channel.send(0, control=pb.Control(events=part))
