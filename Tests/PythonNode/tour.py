"""One tour as this node holds it: keys, logs, roster, messages; and its own writing. Nothing here knows of links.

Everything is in memory: a node that ends has forgotten its keys, so it can never write one place of its log twice.
"""
from __future__ import annotations

import base64
import os
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from nacl import bindings

import events
import records
from events import ANNOUNCEMENT, CHAT, CONTROL, FILE, PROFILE, Event, LogSize, Signer
from records import PART
from roster import Roster, commits, genesis_fault, join_message, roster_of
from seats import seat_mark
from wire import ZERO, Fault, H, K, Refused, decoded, pb, prefix

TEXT_MAX = 16_384
CLOCK_LEAD_MILLISECONDS = 300_000
UNEXPLAINED_MAX = 4_096
INDEX_MAX = 4_096
ROW_HEADS_MAX, HEADS_MAX, ROW_BYTES_MAX = 48, 1_000, 4_096


def now_milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Keys:
    """What a device makes for one tour. Protocol/01-identity.md."""

    def __init__(self) -> None:
        self.identity = Signer()
        self.id = H("member", self.identity.public)
        self.link_secret = os.urandom(32)
        self.link = bindings.crypto_scalarmult_base(self.link_secret)
        # Epoch keys of later versions are sealed to this one; this version asks only that it is there.
        self.wrapping = bindings.crypto_scalarmult_base(os.urandom(32))


@dataclass(frozen=True)
class Code:
    """An invite code. Protocol/07-joining.md."""

    seed: bytes
    tour: bytes  # the first 16 bytes of the tour's id

    @staticmethod
    def read(text: str) -> Code:
        letters = "".join(text.split()).replace("-", "").upper().translate(str.maketrans("018", "OIB"))
        if set(letters) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"):
            raise Fault("code-letters")
        if len(letters) != 56:
            raise Fault("code-length")
        data = base64.b32decode(letters)
        if H("code", data[:33])[:2] != data[33:]:
            raise Fault("code-mistyped")
        if data[0] != 1:
            raise Fault("code-version")
        return Code(data[1:17], data[17:33])

    @property
    def invite(self) -> Signer:
        return Signer(K(self.seed, "invite"))

    @property
    def join_secret(self) -> bytes:
        return K(self.seed, "join-secret")


@dataclass(frozen=True)
class Message:
    """What is shown, in the tour's order."""

    event: Event
    text: str
    announcement: bool


@dataclass
class Claims:
    """What one member says that it holds: merged by maximum, and the newest row as it came."""

    counter: int = 0
    heads: dict[int, int] = field(default_factory=dict)
    newest: Any = None


# `rest` of a row whose member sleeps; any other value: it is awake. `understands`: this node shows texts alone.
ASLEEP, TEXTS = 1, 1


def read_row(row: Any) -> Any:
    said = decoded(pb.FrontierRow, row.row) if len(row.row) <= ROW_BYTES_MAX else None
    if said is None or not said.member or not lists_fit(said) or said.digest and not said.through:
        raise Refused("record-malformed")
    return said


def lists_fit(said: Any) -> bool:
    """Whether each head of a `Have` or row has its author and its tag."""
    return len(said.authors) == len(said.sequences) == len(said.tags) <= HEADS_MAX


def head_tag(event: bytes, salt: int) -> int:
    """By which those who hold a place know whether a head is the same event."""
    return int.from_bytes(H("head", salt.to_bytes(8, "big") + event)[:8], "big")


def heads_digest(heads: Iterable[tuple[int, int, bytes]]) -> int:
    """A whole frontier in eight bytes: of each author prefix, head and the event there."""
    whole = b"".join(author.to_bytes(8, "big") + count.to_bytes(8, "big") + event
                     for author, count, event in sorted(heads))
    return int.from_bytes(H("heads", whole)[:8], "big")


def row_signed(row: Any, tour: bytes, member: bytes, identity: bytes) -> bool:
    return events.verifies(identity, H("frontier", tour, member, row.row), row.signature)


class Tour:
    def __init__(self, keys: Keys, genesis: Event) -> None:
        if genesis_fault(genesis):
            raise Fault("bad-genesis")
        self.keys, self.genesis = keys, genesis
        self.id = H("genesis", genesis.exact)
        self.epochs: dict[bytes, bytes] = {}
        self.logs: dict[bytes, list[Event]] = {}
        self.hidden: dict[bytes, int] = {}  # of a hostile member: where logs end for the others
        self._sizes: dict[bytes, LogSize] = {}
        self._ends: dict[bytes, int] = {}  # where logs end whose authors wrote on beyond their share
        self.control: dict[bytes, Event] = {}
        self.claims: dict[bytes, Claims] = {}
        self._unexplained: dict[bytes, Event] = {}
        self._clock = self._row_counter = 0
        self.roster = Roster(genesis.author)
        self.take_control([genesis])

    @staticmethod
    def found(keys: Keys, name: str) -> Tour:
        """A tour of one's own."""
        epoch_key = os.urandom(32)
        said = pb.Genesis(identity_key=keys.identity.public, link_key=keys.link, wrapping_key=keys.wrapping,
                          commitment=K(epoch_key, "commit", b"", b"", keys.identity.public), full_history=True,
                          salt=os.urandom(16))
        body = pb.ControlBody(genesis=said).SerializeToString()
        genesis = events.signed(Event(CONTROL, ZERO, keys.id, 1, ZERO, now_milliseconds() << 16, ZERO, body),
                                keys.identity)
        tour = Tour(keys, genesis)
        tour.logs[keys.id] = [genesis]
        tour._clock = genesis.clock
        tour.learn_epoch(genesis.id, epoch_key)
        tour.write(PROFILE, content=pb.Content(tour_info=pb.TourInfo(name=name)))
        return tour

    # The roster.

    def take_control(self, came: Iterable[Event]) -> list[Event]:
        """Keeps control events; returns those that count now and did not before. Others wait for their author."""
        for event in came:
            ours = event.tour == self.id or event.id == self.genesis.id
            if event.kind == CONTROL and ours and event.id not in self.control \
                    and len(self._unexplained) < UNEXPLAINED_MAX:
                self._unexplained[event.id] = event
        news: list[Event] = []
        while explained := [e for e in self._unexplained.values() if self.roster.knows(e) or e == self.genesis]:
            news += explained
            self.control |= {event.id: event for event in explained}
            self._unexplained = {i: e for i, e in self._unexplained.items() if i not in self.control}
            self.roster = roster_of(self.genesis, self.id, self.control.values())
        return news

    @property
    def control_in_order(self) -> list[Event]:
        return sorted(self.control.values(), key=lambda event: event.place)

    def control_index(self) -> list[bytes]:
        return [event.id[:16] for event in self.control_in_order[-INDEX_MAX:]]

    def learn_epoch(self, epoch: bytes, key: bytes) -> None:
        if epoch != self.genesis.id or not commits(self.genesis.control.genesis, key):
            raise Fault("unknown-epoch")
        self.epochs[epoch] = key

    @property
    def epoch_key(self) -> bytes:
        return self.epochs[self.genesis.id]

    @property
    def link_secret(self) -> bytes:
        """Opens a member link."""
        return K(self.epoch_key, "link")

    def join_secrets(self) -> dict[bytes, bytes]:
        """Join secret -> invite key: whom a joiner with that code was invited by. Over ones too: the link says why."""
        found = {}
        for key, invite in self.roster.invites.items():
            if (epoch_key := self.epochs.get(invite.epoch)) and len(invite.sealed_secret) == 72 and not invite.host:
                found[events.unseal(K(epoch_key, "invite-seal", key), key, invite.sealed_secret)] = key
        return found

    # The logs.

    def head(self, author: bytes) -> int:
        return len(self.logs.get(author, []))

    @property
    def frontier(self) -> dict[bytes, int]:
        return {author: min(len(log), self.hidden.get(author, len(log))) for author, log in self.logs.items()}

    def tags(self, heads: dict[bytes, int], salt: int) -> list[int]:
        return [head_tag(self.logs[author][head - 1].id, salt) for author, head in heads.items()]

    def is_other(self, author: bytes, head: int, tag: int, salt: int) -> bool:
        """Whether a tag names another event than ours at this place."""
        log = self.logs.get(author, [])
        return 1 <= head <= len(log) and head_tag(log[head - 1].id, salt) != tag

    def take_run(self, run: Any) -> list[Event]:
        """Verifies a run and keeps what is new of it; none if it leaves a gap."""
        came = events.rebuild(run, self.id, self.genesis.author)
        author = self.roster.members.get(run.author)
        if author is None or not events.run_proven(came, author.identity):
            raise Refused("bad-run")
        log = self.logs.setdefault(run.author, [])
        if run.first > len(log) + 1:
            return []
        held = log[run.first - 1:run.first - 1 + len(came)]
        if any(old.id != new.id for old, new in zip(held, came)):
            raise Refused("forked-log")
        news = came[len(held):]
        if news and news[0].previous != (log[-1].id if log else ZERO):
            raise Refused("forked-log")
        self._keep_within_share(run.author, news)
        for event in news:
            self._witness(event.clock)
        self.take_control(event for event in news if event.kind == CONTROL)
        return news

    def wanted(self, author: bytes, head: int) -> int:
        """How far a log is worth asking for, of which somebody has so much."""
        return min(head, self._ends.get(author, head))

    def log_range(self, author: bytes, first: int, last: int) -> list[Event]:
        return self.logs.get(author, [])[first - 1:last]

    def _keep_within_share(self, author: bytes, news: list[Event]) -> None:
        """Adds what follows in a log. What goes on beyond the share is asked for anew, up to the end."""
        log, size = self.logs[author], self._sizes.setdefault(author, LogSize())
        for index, event in enumerate(news):
            if not size.takes(event.kind):
                self._ends[author] = len(log) + index
                self._sizes[author] = self._size(log)
                raise Refused("beyond-share")
            size.add(event.kind, len(event.exact))
        log.extend(news)

    @staticmethod
    def _size(log: list[Event]) -> LogSize:
        size = LogSize()
        for event in log:
            size.add(event.kind, len(event.exact))
        return size

    # Our own log.

    def _witness(self, clock: int) -> None:
        if clock >> 16 <= now_milliseconds() + CLOCK_LEAD_MILLISECONDS:
            self._clock = max(self._clock, clock)

    def write(self, kind: int, body: bytes = b"", content: Any = None) -> Event:
        """Appends an event: a control body as it is, or content to be sealed."""
        own = self.logs.setdefault(self.keys.id, [])
        self._clock = min(max(now_milliseconds() << 16, self._clock + 1), 2**64 - 1)
        epoch = ZERO if kind == CONTROL else self.genesis.id
        event = Event(kind, self.id, self.keys.id, len(own) + 1, own[-1].id if own else ZERO, self._clock, epoch, body)
        if content is not None:
            event = events.seal_content(event, self.epoch_key, content)
        event = events.signed(event, self.keys.identity)
        size = self._sizes.setdefault(self.keys.id, LogSize())
        if not size.takes(kind):
            raise Refused("share-full")
        size.add(kind, len(event.exact))
        own.append(event)
        if kind == CONTROL:
            self.take_control([event])
        return event

    def write_invite(self, uses: int, seconds: int) -> tuple[Event, bytes]:
        """The event, and its code: 35 bytes. Protocol/07-joining.md."""
        seed = os.urandom(16)
        code = Code(seed, self.id[:16])
        key, nonce = code.invite.public, os.urandom(24)
        sealed = nonce + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(
            code.join_secret, key, nonce, K(self.epoch_key, "invite-seal", key))
        event = self.write(CONTROL, body=pb.ControlBody(invite=pb.Invite(
            invite_key=key, uses=uses, expires_at=now_milliseconds() + 1_000 * seconds, sealed_secret=sealed,
            epoch=self.genesis.id)).SerializeToString())
        begin = b"\x01" + seed + self.id[:16]
        return event, begin + H("code", begin)[:2]

    def write_seat(self, licence: bytes, host: bytes) -> tuple[Event, bytes]:
        """Admits a guest of a host, with keys that are forgotten; the event, and the guest's id. Whether it counts is
        for the roster to say: every member can open the seed of a licence."""
        invite, seat = self.roster.invites[licence], Signer()
        key = K(self.epochs[invite.epoch], "invite-seal", licence)
        pair = Signer(events.unseal(key, licence, invite.sealed_secret))
        request = pb.JoinRequest(
            identity_key=seat.public, link_key=os.urandom(32), wrapping_key=os.urandom(32), invite_key=licence,
            handshake_hash=seat_mark(self.id, seat.public, host))
        message = join_message(request, self.id)
        request.identity_signature, request.invite_signature = seat.sign(message), pair.sign(message)
        body = pb.ControlBody(admit=pb.Admit(request=request)).SerializeToString()
        return self.write(CONTROL, body=body), H("member", seat.public)

    def write_text(self, text: str) -> Event:
        return self.write(CHAT, content=pb.Content(text=pb.Text(text=text)))

    def forged(self, author: bytes, text: str) -> Event:
        """The next event of another member's log, but for the signature, which is ours; kept nowhere."""
        log = self.logs[author]
        event = Event(CHAT, self.id, author, len(log) + 1, log[-1].id, self._clock + 1, self.genesis.id, b"")
        sealed = events.seal_content(event, self.epoch_key, pb.Content(text=pb.Text(text=text)))
        return events.signed(sealed, self.keys.identity)

    def write_note(self, title: str) -> list[Event]:
        """A note of two parts, shared in its first version."""
        data = pb.SharedNote(text=title * (PART // len(title) + 1)).SerializeToString()
        parts = records.cut(secrets.token_bytes(16), records.NOTE, title, data)
        return [self.write(FILE if part.kind else PROFILE, content=pb.Content(shared=part)) for part in parts]

    def write_name(self, name: str) -> Event:
        return self.write(PROFILE, content=pb.Content(profile=pb.Profile(name=name)))

    # What is shown.

    def message(self, event: Event) -> Message | None:
        """A text or an announcement; None for everything else, void and unreadable events among it."""
        key = self.epochs.get(event.epoch)
        if event.kind not in (CHAT, ANNOUNCEMENT) or key is None:
            return None
        try:
            content = events.open_content(event, key)
        except Fault:
            return None
        announcement = event.kind == ANNOUNCEMENT
        if content.WhichOneof("kind") != ("announcement" if announcement else "text"):
            return None
        said = content.announcement if announcement else content.text
        may = not announcement or event.author == self.roster.creator
        return Message(event, said.text, announcement) if may and 1 <= len(said.text.encode()) <= TEXT_MAX else None

    def messages(self) -> list[Message]:
        shown = [m for log in self.logs.values() for event in log if (m := self.message(event))]
        return sorted(shown, key=lambda message: message.event.place)

    def host_of(self, member: bytes) -> bytes:
        """Who writes for a guest's seat now; nothing for a member with a device of its own. Protocol/15-seats.md."""
        known = self.roster.members.get(member)
        if known is None or not known.host:
            return b""
        for event in reversed(self.logs.get(member, [])):
            if event.kind == PROFILE and (key := self.epochs.get(event.epoch)) is not None:
                try:
                    said = events.open_content(event, key)
                except Fault:
                    continue
                if said.WhichOneof("kind") == "seat" and said.seat.host in self.roster.members:
                    return bytes(said.seat.host)
        return known.host

    # Claims. Protocol/06-replication.md.

    def make_row(self, read_clock: int) -> Any:
        """Our signed frontier; of more than 48 authors those that wrote last."""
        self._row_counter = max(time.time_ns() // 1_000, self._row_counter + 1)
        frontier = self.frontier
        lately = sorted((self.logs[author][head - 1].clock, author) for author, head in frontier.items() if head)
        listed = [author for _, author in lately[-ROW_HEADS_MAX:]]
        row = pb.FrontierRow(member=prefix(self.keys.id), counter=self._row_counter, read_clock=read_clock,
                             authors=[prefix(author) for author in listed],
                             sequences=[frontier[author] for author in listed],
                             tags=self.tags({author: frontier[author] for author in listed}, self._row_counter),
                             understands=TEXTS).SerializeToString()
        return pb.Row(row=row, signature=self.keys.identity.sign(H("frontier", self.id, self.keys.id, row)))

    def _opened(self, said: Any) -> list[tuple[int, int]]:
        """All heads that a row means by its hash, if we had the same at that clock; none otherwise."""
        if not said.through:
            return []
        counts = {author: sum(event.clock <= said.through for event in log) for author, log in self.logs.items()}
        heads = [(prefix(author), count, self.logs[author][count - 1].id) for author, count in counts.items() if count]
        return [(author, count) for author, count, _ in heads] if heads_digest(heads) == said.digest else []

    def take_row(self, row: Any) -> bool:
        """Whether a row is its member's, and says something new."""
        said = read_row(row)
        member = self.roster.by_prefix(said.member)
        if member is None:
            return False
        if not row_signed(row, self.id, member.id, member.identity):
            raise Refused("bad-signature")
        if member.id == self.keys.id:
            self._row_counter = max(self._row_counter, said.counter)
            return False
        claims = self.claims.setdefault(member.id, Claims())
        heads = [*self._opened(said), *zip(said.authors, said.sequences)]
        higher = {a: s for a, s in heads if s > claims.heads.get(a, 0)}
        if said.counter <= claims.counter and not higher:
            return False
        claims.heads.update(higher)
        if said.counter > claims.counter:
            claims.counter, claims.newest = said.counter, row
        return True
