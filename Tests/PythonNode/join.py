"""Both sides of a join link after its handshake. Protocol/07-joining.md."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import events
from channel import Channel
from events import CONTROL, Event, Signer
from link import bind_of, bind_proves, send_control
from roster import genesis_fault, join_message, request_sound
from tour import Code, Keys, Tour, now_milliseconds
from wire import Fault, H, pb

JOIN_LINK_SECONDS = 30.0


class JoinRefused(Exception):
    """The member that was asked lets nobody in by this code; the text is the `JoinRefusal` code."""


# The joiner.

async def join(channel: Channel, code: Code, keys: Keys, kind: type[Tour] = Tour) -> Tour:
    """The whole exchange; the channel is closed after it."""
    try:
        async with asyncio.timeout(JOIN_LINK_SECONDS):
            genesis = _genesis_of(await _receive(channel), channel, code)
            channel.send(0, join_request=make_request(keys, H("genesis", genesis.exact), code, channel.hash))
            tour = await _collect(channel, kind(keys, genesis))
            channel.send(0, bye=pb.Bye(code="closing"))
            return tour
    finally:
        await channel.close()


async def _receive(channel: Channel) -> Any:
    """The next message that belongs to the exchange."""
    while (message := await channel.receive()).WhichOneof("kind") in ("ping", "pong"):
        if message.HasField("ping"):
            channel.send(0, pong=pb.Pong())
    if message.HasField("bye"):
        raise Fault("closed-by-peer")
    return message


def _genesis_of(message: Any, channel: Channel, code: Code) -> Event:
    if message.WhichOneof("kind") != "bind" or not message.bind.genesis:
        raise Fault("bad-bind")
    if H("genesis", message.bind.genesis)[:16] != code.tour:
        raise Fault("false-tour")
    genesis = events.parse(message.bind.genesis)
    if genesis_fault(genesis):
        raise Fault("false-tour")
    if not bind_proves(message.bind, channel, H("genesis", genesis.exact)):
        raise Fault("bad-bind")
    return genesis


def make_request(keys: Keys, tour: bytes, code: Code, handshake_hash: bytes, link_key: bytes = b"",
                 invite: Signer | None = None) -> Any:
    """`invite`: another one than the code's."""
    invite = invite or code.invite
    request = pb.JoinRequest(identity_key=keys.identity.public, link_key=link_key or keys.link,
                             wrapping_key=keys.wrapping, invite_key=invite.public, handshake_hash=handshake_hash)
    message = join_message(request, tour)
    request.identity_signature = keys.identity.sign(message)
    request.invite_signature = invite.sign(message)
    return request


async def _collect(channel: Channel, tour: Tour) -> Tour:
    while True:
        message = await _receive(channel)
        kind = message.WhichOneof("kind")
        if kind == "control":
            tour.take_control([events.parse(data) for data in message.control.events])
        elif kind == "join_refusal":
            raise JoinRefused(message.join_refusal.code)
        elif kind == "welcome":
            for secret in message.welcome.epochs:
                tour.learn_epoch(secret.epoch, secret.key)
            if not tour.epochs or tour.keys.id not in tour.roster.members:
                raise Fault("welcome-does-not-fit")
            return tour
        else:
            raise Fault("unexpected-message")


# The member that lets somebody in.

async def let_in(channel: Channel, tour: Tour, invite_key: bytes, wrote: Callable[[Event], None]) -> str:
    """Returns "welcome" or the code of the refusal; `wrote` gets the `admit` event if one was needed."""
    try:
        async with asyncio.timeout(JOIN_LINK_SECONDS):
            channel.send(0, bind=bind_of(tour, channel, tour.genesis.exact))
            message = await _receive(channel)
            if message.WhichOneof("kind") != "join_request":
                raise Fault("unexpected-message")
            said = _answer(channel, tour, message.join_request, invite_key, wrote)
            if said == "welcome":
                await _closed_by_joiner(channel)
            return said
    finally:
        await channel.close()


async def _closed_by_joiner(channel: Channel) -> None:
    """When it has read all of it."""
    try:
        while not (await channel.receive()).HasField("bye"):
            pass
    except (asyncio.IncompleteReadError, OSError):
        pass


def _answer(channel: Channel, tour: Tour, request: Any, invite_key: bytes, wrote: Callable[[Event], None]) -> str:
    fits = (request.handshake_hash == channel.hash and request.link_key == channel.peer_key
            and request.invite_key == invite_key)
    if not fits or not request_sound(request, tour.id):
        raise Fault("bad-join-request")
    if not tour.roster.has_in(request):
        if refusal := tour.roster.why_refused(request, now_milliseconds()):
            channel.send(0, join_refusal=pb.JoinRefusal(code=refusal))
            return refusal
        body = pb.ControlBody(admit=pb.Admit(request=request)).SerializeToString()
        wrote(tour.write(CONTROL, body=body))
    send_control(channel, tour.control_in_order)
    secrets = [pb.EpochSecret(epoch=epoch, key=key) for epoch, key in tour.epochs.items()]
    channel.send(0, welcome=pb.Welcome(epochs=secrets))
    return "welcome"
