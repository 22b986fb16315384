"""Who belongs to a tour: a pure function of the set of control events. Protocol/05-events.md, "Authority"."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from events import Event, verifies
from seats import seat_host
from wire import H, K

MEMBERS_MAX, MEMBERS_EVER_MAX = 1_000, 1_300
SPONSORED_MAX = 400


@dataclass
class Member:
    id: bytes
    identity: bytes
    link: bytes
    left: bool = False
    host: bytes = b""  # of a seat: who let it in as a guest


@dataclass
class Roster:
    """`creator` leads; `taken` are the admissions that stand, by invite key."""

    creator: bytes
    members: dict[bytes, Member] = field(default_factory=dict)
    invites: dict[bytes, Any] = field(default_factory=dict)
    revoked: dict[bytes, set[bytes]] = field(default_factory=dict)
    taken: dict[bytes, list[tuple[Event, bytes]]] = field(default_factory=dict)
    sponsors: dict[bytes, bytes] = field(default_factory=dict)  # of those whom somebody without a rank let in
    gone: set[bytes] = field(default_factory=set)  # who left takes no place
    closed: bool = False

    @property
    def is_full(self) -> bool:
        return len(self.members) >= MEMBERS_EVER_MAX or len(self.members.keys() - self.gone) >= MEMBERS_MAX

    def by_link_key(self, key: bytes) -> list[Member]:
        """Whoever has seen a link key can name it: the bind says who of these is there."""
        return [member for member in self.members.values() if member.link == key]

    def by_prefix(self, number: int) -> Member | None:
        """The one member whose id begins so; of two that do, none."""
        found = [m for m in self.members.values() if int.from_bytes(m.id[:8], "big") == number]
        return found[0] if len(found) == 1 else None

    def knows(self, event: Event) -> bool:
        """Whether the event's author is, or was, a member and signed it."""
        author = self.members.get(event.author)
        return author is not None and event.signed_by(author.identity)

    def has_in(self, request: Any) -> bool:
        """Whether who asks is a member already, with these keys."""
        member = self.members.get(H("member", request.identity_key))
        return member is not None and member.link == request.link_key and not member.left

    def is_new(self, request: Any) -> bool:
        """Whether no member's id begins with the same 8 bytes."""
        begin = H("member", request.identity_key)[:8]
        return not any(member[:8] == begin for member in self.members)

    def why_refused(self, request: Any, now_milliseconds: int) -> str:
        """Why who asks does not get in by this invite, as a `JoinRefusal` code, or nothing."""
        invite, key = self.invites[request.invite_key], request.invite_key
        reasons = {
            "closed": self.closed, "revoked": key in self.revoked,
            "used-up": 0 < invite.uses <= len(self.taken.get(key, [])),
            "expired": 0 < invite.expires_at <= now_milliseconds,
            "full": self.is_full,
            "invalid": not self.is_new(request) or bool(invite.host)}  # by a licence nobody comes over a link
        return next((code for code, holds in reasons.items() if holds), "")


def genesis_fault(event: Event) -> bool:
    """Whether an event is no sound genesis of a tour; the commitment is checked where the key is known."""
    said = event.control
    if said is None or said.WhichOneof("kind") != "genesis" or any(event.tour) or event.sequence != 1:
        return True
    return any(event.previous) or not event.signed_by(said.genesis.identity_key)


def commits(genesis: Any, epoch_key: bytes) -> bool:
    return K(epoch_key, "commit", b"", b"", genesis.identity_key) == genesis.commitment


def join_message(request: Any, tour: bytes) -> bytes:
    """What both signatures of a join request cover. Protocol/07-joining.md."""
    return H("join", tour, request.identity_key, request.link_key, request.wrapping_key, request.invite_key,
             request.handshake_hash)


def request_sound(request: Any, tour: bytes) -> bool:
    message = join_message(request, tour)
    return (verifies(request.identity_key, message, request.identity_signature)
            and verifies(request.invite_key, message, request.invite_signature))


def roster_of(genesis: Event, tour: bytes, control: Iterable[Event]) -> Roster:
    """The rules of the chapter, in its order."""
    roster = Roster(genesis.author)
    _admit(roster, genesis.control.genesis)
    ordered = sorted((e for e in control if e.control is not None), key=lambda e: (*e.place, e.id))
    by_creator = [e.control for e in ordered if roster.knows(e)]
    for said in by_creator:
        kind = said.WhichOneof("kind")
        if kind == "invite":
            roster.invites.setdefault(said.invite.invite_key, said.invite)
        elif kind == "revoke":
            roster.revoked.setdefault(said.revoke.invite_key, set()).update(
                accepted[:16] for accepted in said.revoke.accepted[:MEMBERS_MAX])
        elif kind == "close":
            roster.closed = True
    roster.gone = {e.author for e in ordered if e.control.WhichOneof("kind") == "leave"}
    _take_admissions(roster, genesis, tour, ordered)
    for event in ordered:
        if event.control.WhichOneof("kind") == "leave" and roster.knows(event):
            roster.members[event.author].left = True
    return roster


def _admit(roster: Roster, keys: Any, host: bytes = b"") -> bytes:
    member = H("member", keys.identity_key)
    roster.members[member] = Member(member, keys.identity_key, keys.link_key, host=host)
    return member


def _take_admissions(roster: Roster, genesis: Event, tour: bytes, ordered: list[Event]) -> None:
    void: set[bytes] = set()
    while True:
        roster.members, roster.taken, roster.sponsors = {}, {}, {}
        _admit(roster, genesis.control.genesis)
        # Those who lead have the first word; in Python sorting keeps the order of the others.
        still_open = [e for e in sorted(ordered, key=lambda e: e.author != roster.creator) if e.control.WhichOneof("kind") == "admit" and e.id not in void
                      and _invited(roster, e, tour)]
        while taken := [e for e in still_open if _take(roster, e)]:
            still_open = [e for e in still_open if e not in taken]
        over = [key for key, invite in sorted(roster.invites.items())
                if 0 < invite.uses < len(roster.taken.get(key, []))]
        if not over:
            return
        key = over[0]
        drawn = sorted(roster.taken[key], key=lambda pair: (H("roster", key, pair[0].author), pair[0].id))
        void |= {event.id for event, _ in drawn[roster.invites[key].uses:]}


def _invited(roster: Roster, event: Event, tour: bytes) -> bool:
    request = event.control.admit.request
    accepted = roster.revoked.get(request.invite_key)
    return (request.invite_key in roster.invites and (accepted is None or event.id[:16] in accepted)
            and fits(event, roster.invites[request.invite_key], tour) and request_sound(request, tour))


def fits(event: Event, invite: Any, tour: bytes) -> bool:
    """Under a licence counts a seat's request that its host admits, under a code any other. Protocol/15-seats.md."""
    host = seat_host(event.control.admit.request, tour)
    return host == invite.host == event.author if invite.host else not host


def _take(roster: Roster, event: Event) -> bool:
    request = event.control.admit.request
    member = H("member", request.identity_key)
    full = len(roster.members) >= MEMBERS_EVER_MAX if member in roster.gone else roster.is_full
    if not roster.is_new(request) or not roster.knows(event) or full:
        return False
    if event.author != roster.creator:
        sponsor = roster.sponsors.get(event.author, event.author)
        if sum(by == sponsor and each not in roster.gone for each, by in roster.sponsors.items()) >= SPONSORED_MAX:
            return False
        roster.sponsors[member] = sponsor
    roster.taken.setdefault(request.invite_key, []).append(
        (event, _admit(roster, request, seat_host(request, event.tour))))
    return True
