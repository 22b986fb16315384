"""Attacks on somebody who joins, by members and by who merely has the code. Protocol/07-joining.md, "Exchange"."""
from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import join
from attack_dialler import listen_until
from attack_target import Answered, Target, dial, kinds_until_closed
from channel import Channel, Greeter, answer
from events import CONTROL, Event, signed
from link import bind_of, send_control
from tour import Keys
from wire import ZERO, H, K, pb


def found_tour(keys: Keys) -> Event:
    """The genesis of a tour of one's own, sound in itself."""
    said = pb.Genesis(identity_key=keys.identity.public, link_key=keys.link, wrapping_key=keys.wrapping,
                      commitment=K(os.urandom(32), "commit", b"", b"", keys.identity.public), salt=os.urandom(16))
    body = pb.ControlBody(genesis=said).SerializeToString()
    clock = time.time_ns() // 1_000_000 << 16
    return signed(Event(CONTROL, ZERO, keys.id, 1, ZERO, clock, ZERO, body), keys.identity)


class FalseHost:
    """Answers each joiner that dials with the next false beginning or end, and honestly once all were said."""

    def __init__(self, target: Target, relayed: Any) -> None:
        """`relayed` is an honest member's bind on another join link."""
        self.target, self.relayed, self.problem = target, relayed, ""
        self.done = asyncio.Event()
        self._greeter = Greeter()
        self._said = self._ended = 0
        self._all_ended = asyncio.Event()
        # What is said first: the joiner closes and has said nothing.
        self._beginnings: dict[str, Callable[[Channel], Any]] = {
            "another tour": self._another_tour,
            "another tour's genesis under this tour's name": lambda channel: {
                "bind": bind_of(target.tour, channel, found_tour(Keys()).exact)},
            "an honest bind of another link": lambda channel: {"bind": relayed},
            "a bind without genesis": lambda channel: {"bind": bind_of(target.tour, channel)},
            "a genesis with a byte changed": lambda channel: {"bind": self._with_changed_genesis(channel)},
            "a bind in the creator's name": lambda channel: {"bind": pb.Bind(
                identity_key=target.tour.genesis.control.genesis.identity_key, datagram_share=ZERO,
                signature=bind_of(target.tour, channel).signature, genesis=target.tour.genesis.exact)},
            "a welcome before the bind": lambda channel: {"welcome": self._welcome(target.tour.epoch_key)},
        }
        # What answers the request: nobody is in by it, and the next is asked.
        self._ends: dict[str, Callable[[Channel], None]] = {
            "a welcome without events": lambda channel: channel.send(0, welcome=self._welcome(target.tour.epoch_key)),
            "a welcome without an admission": self._welcome_without_admission,
            "a welcome with another key": self._welcome_with_another_key,
            "a want": lambda channel: channel.send(1, want=pb.Want(id=1)),
        }

    @property
    def count(self) -> int:
        return len(self._beginnings) + len(self._ends)

    def _welcome(self, key: bytes) -> Any:
        return pb.Welcome(epochs=[pb.EpochSecret(epoch=self.target.tour.genesis.id, key=key)])

    def _welcome_without_admission(self, channel: Channel) -> None:
        send_control(channel, self.target.tour.control_in_order)
        channel.send(0, welcome=self._welcome(self.target.tour.epoch_key))

    def _welcome_with_another_key(self, channel: Channel) -> None:
        send_control(channel, self.target.tour.control_in_order)
        channel.send(0, welcome=self._welcome(os.urandom(32)))

    def _another_tour(self, channel: Channel) -> Any:
        """Everything is as it should be, but it is not the tour of the code."""
        founder = Keys()
        genesis = found_tour(founder)
        founder.link = self.target.keys.link  # that of this handshake
        own: Any = SimpleNamespace(id=H("genesis", genesis.exact), keys=founder)
        return {"bind": bind_of(own, channel, genesis.exact)}

    def _with_changed_genesis(self, channel: Channel) -> Any:
        changed = bytearray(self.target.tour.genesis.exact)
        changed[-1] ^= 1
        return bind_of(self.target.tour, channel, bytes(changed))

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = self.target
        secret, invite = target.code.join_secret, target.code.invite.public
        channel = await answer((reader, writer), self._greeter, [secret], target.keys.link_secret)
        at, self._said = self._said, self._said + 1
        try:
            if at < len(self._beginnings):
                what, begin = list(self._beginnings.items())[at]
                channel.send(0, **begin(channel))
                said = await kinds_until_closed(channel, what)
                if set(said) - {"bye"}:
                    raise Answered(f"{what}: the joiner said {said}")
            elif at < self.count:
                what, end = list(self._ends.items())[at - len(self._beginnings)]
                await self._request_and(channel, what, end)
            else:
                await self._all_ended.wait()  # a joiner that is in asks nobody any more
                await join.let_in(channel, target.tour, invite, lambda _: None)
                self.done.set()
        except Answered as answered:
            self.problem = str(answered)
            self.done.set()
        self._ended += at < self.count
        if self._ended == self.count:
            self._all_ended.set()

    async def _request_and(self, channel: Channel, what: str, end: Callable[[Channel], None]) -> None:
        channel.send(0, bind=bind_of(self.target.tour, channel, self.target.tour.genesis.exact))
        if (await channel.receive()).WhichOneof("kind") != "join_request":
            raise Answered(f"{what}: no request came")
        end(channel)
        said = await kinds_until_closed(channel, what)
        if set(said) - {"bye"}:
            raise Answered(f"{what}: the joiner said {said}")


async def false_hosts(target: Target) -> int:
    channel = await dial(target.host, target.port, target.code.join_secret, os.urandom(32), lambda _: True)
    relayed = (await channel.receive()).bind
    await channel.close()
    host = FalseHost(target, relayed)
    await listen_until(host.accept, host.done)
    if host.problem:
        raise Answered(host.problem)
    return host.count
