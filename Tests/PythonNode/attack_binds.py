"""Attacks by who holds a secret: false binds, false join requests. Protocol/03-handshake.md, 07-joining.md."""
from __future__ import annotations

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import join
from attack_target import CLOSE_SECONDS, Answered, Target, dial, kinds_until_closed
from channel import INITIATOR, RESPONDER, Channel
from events import CONTROL, Signer
from link import RESTRICTED_SECONDS, bind_of, bind_proves
from tour import Keys, Tour
from wire import ZERO, H, pb

# What comes first on a finished channel. The node's own Bind is due then, and nothing else.

async def expect_only_bind(channel: Channel, what: str) -> None:
    kinds = await kinds_until_closed(channel, what)
    if kinds not in ([], ["bind"]):
        raise Answered(f"{what}: it said {kinds}")


async def member_channel(target: Target, link_secret: bytes | None = None) -> Channel:
    secret = link_secret or target.keys.link_secret
    return await dial(target.host, target.port, target.tour.link_secret, secret, lambda _: True)


async def false_binds(target: Target) -> int:
    """Binds of another session, role, tour or member; and anything before the bind."""
    tour, keys = target.tour, target.keys
    other = await member_channel(target)
    of_other = bind_of(tour, other)
    theirs = (await other.receive()).bind
    if not bind_proves(theirs, other, tour.id):
        raise Answered("the handshake hashes differ")
    await other.close()

    def signed(channel: Channel, role: int = INITIATOR, tour_id: bytes = tour.id, link: bytes = keys.link) -> Any:
        said = H("bind", channel.hash, bytes([role]), tour_id, link)
        return pb.Bind(identity_key=keys.identity.public, signature=keys.identity.sign(said), datagram_share=ZERO)

    def in_anothers_name(channel: Channel) -> Any:
        return pb.Bind(identity_key=theirs.identity_key, signature=signed(channel).signature, datagram_share=ZERO)

    binds: dict[str, Callable[[Channel], Any]] = {
        "a bind of another session": lambda _: of_other,
        "its own bind of another session": lambda _: theirs,
        "a bind of the responder": lambda channel: signed(channel, role=RESPONDER),
        "a bind for another tour": lambda channel: signed(channel, tour_id=os.urandom(32)),
        "a bind of another link key": lambda channel: signed(channel, link=target.node_key),
        "a bind in another's name": in_anothers_name,
        "a bind of an identity that is no member": lambda channel: bind_of(_with(tour, Keys(), keys), channel),
    }
    for what, make in binds.items():
        channel = await member_channel(target)
        channel.send(0, bind=make(channel))
        await expect_only_bind(channel, what)
        await target.expect_honest()
    for kind, message in early_messages().items():
        channel = await member_channel(target)
        channel.send(0, **{kind: message})
        await expect_only_bind(channel, f"{kind} before the bind")
        await target.expect_honest()
    return len(binds) + len(early_messages())


def _with(tour: Tour, keys: Keys, link: Keys) -> Any:
    """As much of a tour as a bind is made of, with another identity on the same link key."""
    return SimpleNamespace(id=tour.id, keys=SimpleNamespace(identity=keys.identity, link=link.link))


def early_messages() -> dict[str, Any]:
    return {"have": pb.Have(), "control_index": pb.ControlIndex(), "ping": pb.Ping(), "want": pb.Want(id=1),
            "join_request": pb.JoinRequest(), "rows": pb.Rows()}


async def identity_on_another_key(target: Target) -> int:
    """A member's identity on a link key that is not its own: a restricted link, until that closes."""
    stolen = Keys()
    channel = await member_channel(target, stolen.link_secret)
    channel.send(0, bind=bind_of(_with(target.tour, target.keys, stolen), channel))
    channel.send(0, control_index=pb.ControlIndex(ids=target.tour.control_index()))
    channel.send(2, have=pb.Have())
    channel.send(1, want=pb.Want(id=1, ranges=[pb.Range(author=target.tour.roster.creator, first=1, last=100)]))
    kinds = await kinds_until_closed(channel, "a member's identity", RESTRICTED_SECONDS + CLOSE_SECONDS)
    if set(kinds) - {"bind", "control_index", "control", "bye"}:
        raise Answered(f"a member's identity on another link key: it said {kinds}")
    await target.expect_honest()
    return 1


async def after_leaving(target: Target) -> int:
    """Who has left still holds the link secret: after the binds it hears why it is out, and nothing else."""
    leave = pb.ControlBody(leave=pb.Leave()).SerializeToString()
    left = target.tour.write(CONTROL, body=leave)
    channel = await member_channel(target)
    channel.send(0, bind=bind_of(target.tour, channel))
    channel.send(0, control=pb.Control(events=[left.exact]))
    await kinds_until_closed(channel, "a leave")
    channel = await member_channel(target)
    channel.send(0, bind=bind_of(target.tour, channel))
    kinds = await kinds_until_closed(channel, "a member that has left")
    if set(kinds) - {"bind", "control"} != {"bye"}:
        raise Answered(f"a member that has left: it said {kinds}")
    await target.expect_honest()
    return 1


# Join links.

async def join_channel(target: Target, link_secret: bytes) -> Channel:
    return await dial(target.host, target.port, target.code.join_secret, link_secret, lambda _: True)


async def false_requests(target: Target) -> int:
    """Requests signed for another handshake (relayed), or that claim another's link key, or lack a signature."""
    tour, code, victim = target.tour.id, target.code, Keys()
    elsewhere = await join_channel(target, victim.link_secret)
    relayed = join.make_request(victim, tour, code, elsewhere.hash)
    await elsewhere.close()
    stranger: Any = SimpleNamespace(invite=Signer())

    def flipped(field: str) -> Callable[[Channel, Keys], Any]:
        def make(channel: Channel, keys: Keys) -> Any:
            request = join.make_request(keys, tour, code, channel.hash)
            value = bytearray(getattr(request, field))
            value[7] ^= 1
            setattr(request, field, bytes(value))
            return request
        return make

    requests: dict[str, Callable[[Channel, Keys], Any]] = {
        "a request relayed from another link": lambda channel, keys: relayed,
        "another's identity, signed for this link by nobody": lambda channel, keys: pb.JoinRequest(
            **{**_fields(relayed), "handshake_hash": channel.hash, "link_key": keys.link}),
        "the node's own link key": lambda channel, keys: join.make_request(
            keys, tour, code, channel.hash, link_key=target.node_key),
        "a member's link key": lambda channel, keys: join.make_request(
            keys, tour, code, channel.hash, link_key=target.keys.link),
        "another tour": lambda channel, keys: join.make_request(keys, os.urandom(32), code, channel.hash),
        "an invite that nobody made": lambda channel, keys: join.make_request(keys, tour, stranger, channel.hash),
        **{f"{field} flipped": flipped(field) for field in (
            "identity_key", "link_key", "wrapping_key", "invite_key", "handshake_hash", "identity_signature",
            "invite_signature")},
    }
    for what, make in requests.items():
        keys = Keys()
        channel = await join_channel(target, keys.link_secret)
        channel.send(0, join_request=make(channel, keys))
        await expect_only_bind(channel, what)
        await target.expect_honest()
    return len(requests)


def _fields(request: Any) -> dict[str, bytes]:
    return {field.name: value for field, value in request.ListFields()}
