"""Both sides of an ask link after its handshake, by words and by digits. Protocol/14-asking.md."""
from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cpace
from channel import Channel
from tour import Code
from wire import Fault, H, pb

PROTOCOL = Path(__file__).resolve().parents[2] / "Protocol"
WORDS, COMPARED_WORDS = ((PROTOCOL / name).read_text().split() for name in ("words.txt", "compared-words.txt"))
NAME_MAX = 128
LINK_SECONDS, EXCHANGE_SECONDS = 300.0, 30.0
SPOKEN_FAILURES_MAX = 5
REFUSALS = {"refused", "busy", "expired", "closed", "no-code", "wrong-code", "spent"}


def label_of(tag: bytes) -> str:
    return f"{WORDS[tag[0]]} {WORDS[tag[1]]}"


def psk_of(tag: bytes) -> bytes:
    return H("ask-link", tag)


def commitment_of(handshake: bytes, nonce: bytes) -> bytes:
    return H("ask-commit", handshake, nonce)


def words_of(handshake: bytes, asker: bytes, member: bytes) -> list[str]:
    bits = int.from_bytes(H("ask-words", handshake, asker, member)[:5], "big")
    return [COMPARED_WORDS[bits >> shift & 0x3ff] for shift in (30, 20, 10, 0)]


def code_of(invite_code: bytes) -> Code:
    return Code.read(base64.b32encode(invite_code).decode())


def check(message: Any) -> None:
    """What the schema does not say of the messages of an ask link. That lengths are right was seen already."""
    kind = message.WhichOneof("kind")
    if kind == "ask_reveal" and not 1 <= len(message.ask_reveal.name.encode()) <= NAME_MAX:
        raise Fault("message-malformed")
    if kind == "ask_answer":
        said = message.ask_answer
        if bool(said.invite_code) == bool(said.refusal) or said.refusal and said.tour_name:
            raise Fault("message-malformed")
        if len(said.tour_name.encode()) > NAME_MAX:
            raise Fault("message-malformed")


ASKER, MEMBER = "asker", "member"
# Phase, who speaks, what: the phase after it.
TURNS = {("", ASKER, "ask_commit"): "committed", ("committed", MEMBER, "ask_nonce"): "answered",
         ("answered", ASKER, "ask_reveal"): "words",
         ("", ASKER, "code_share"): "asked", ("asked", MEMBER, "code_share"): "shared",
         ("shared", ASKER, "code_proof"): "proven", ("proven", MEMBER, "code_proof"): "proven by both"}
MAY_ADMIT = {"words", "proven by both"}


@dataclass
class Exchange:
    """What was said on one ask link so far; both sides keep one, and put into it what they say and what they hear."""

    handshake: bytes
    phase: str = ""
    commitment: bytes = b""
    asker_nonce: bytes = b""
    member_nonce: bytes = b""
    name: str = ""
    tour_name: str = ""
    refusal: str = ""
    code: Code | None = None
    words: list[str] = field(default_factory=list)

    def add(self, side: str, message: Any) -> None:
        """Faults are those of the receiver."""
        kind = message.WhichOneof("kind")
        if kind in ("ping", "pong", "bye", None):
            return
        check(message)
        if kind == "ask_answer":
            return self._answered(side, message.ask_answer)
        if (after := TURNS.get((self.phase, side, kind))) is None:
            raise Fault("unexpected-message")
        self.phase = after
        if kind == "ask_commit":
            self.commitment = message.ask_commit.commitment
        elif kind == "ask_nonce":
            self.member_nonce = message.ask_nonce.nonce
        elif kind == "ask_reveal":
            self._revealed(message.ask_reveal)

    def _revealed(self, said: Any) -> None:
        if commitment_of(self.handshake, said.nonce) != self.commitment:
            raise Fault("bad-commitment")
        self.asker_nonce, self.name = said.nonce, said.name
        self.words = words_of(self.handshake, said.nonce, self.member_nonce)

    def _answered(self, side: str, said: Any) -> None:
        if side != MEMBER or self.phase == "over" or said.invite_code and self.phase not in MAY_ADMIT:
            raise Fault("unexpected-message")
        self.phase = "over"
        if said.refusal:
            self.refusal = said.refusal if said.refusal in REFUSALS else "refused"
        else:
            self.code, self.tour_name = code_of(said.invite_code), said.tour_name


class Speaker:
    """One side on its channel."""

    def __init__(self, channel: Channel, side: str) -> None:
        self.channel, self.side = channel, side
        self.exchange = Exchange(channel.hash)

    def say(self, **kind: Any) -> None:
        self.exchange.add(self.side, pb.LinkMessage(**kind))
        self.channel.send(0, **kind)

    async def hear(self) -> Any:
        """The next message of the exchange; the end of the connection is an error of it."""
        while True:
            message = await self.channel.receive()
            self.exchange.add(MEMBER if self.side == ASKER else ASKER, message)
            kind = message.WhichOneof("kind")
            if kind == "ping":
                self.channel.send(0, pong=pb.Pong())
            elif kind == "bye":
                raise Fault("closed-by-peer")
            elif kind not in ("pong", None):
                return message


# The asker.

async def ask_by_words(channel: Channel, name: str, show: Callable[[list[str]], None]) -> Exchange:
    """Until the answer: a code, or a refusal. The channel is closed after it."""
    speaker, nonce = Speaker(channel, ASKER), os.urandom(32)
    try:
        async with asyncio.timeout(LINK_SECONDS):
            speaker.say(ask_commit=pb.AskCommit(commitment=commitment_of(channel.hash, nonce)))
            if (await speaker.hear()).HasField("ask_nonce"):
                speaker.say(ask_reveal=pb.AskReveal(nonce=nonce, name=name))
                show(speaker.exchange.words)
                await speaker.hear()
            return speaker.exchange
    finally:
        await channel.close()


async def ask_by_digits(channel: Channel, digits: str) -> Exchange:
    speaker, side = Speaker(channel, ASKER), cpace.Side(cpace.ASKER, digits, channel.hash)
    try:
        async with asyncio.timeout(EXCHANGE_SECONDS):
            speaker.say(code_share=pb.CodeShare(share=side.share))
            if (message := await speaker.hear()).HasField("code_share"):
                side.take_share(message.code_share.share)
                speaker.say(code_proof=pb.CodeProof(proof=side.proof))
                if (message := await speaker.hear()).HasField("code_proof"):
                    side.take_proof(message.code_proof.proof)
                    await speaker.hear()
            return speaker.exchange
    finally:
        await channel.close()


# The member.

@dataclass
class SpokenCode:
    """Eight digits, and what they are still good for."""

    digits: str
    uses: int
    invite_code: bytes
    failures: int = 0
    trials: int = 0  # under way

    @property
    def refusal(self) -> str:
        if self.uses <= 0 or self.failures >= SPOKEN_FAILURES_MAX:
            return "spent"
        return "busy" if self.failures + self.trials >= SPOKEN_FAILURES_MAX else ""


class Asked:
    """The member's side: whom it shows, and the code that it speaks. Rates are left out."""

    def __init__(self, tour_name: str, invite: Callable[[], bytes], report: Callable[..., None]) -> None:
        """`invite` writes an invite for one use and gives its code, 35 bytes."""
        self.tour_name = tour_name
        self.spoken: SpokenCode | None = None
        self._invite, self._report = invite, report
        self._waiting: dict[int, asyncio.Future[bool]] = {}
        self._count = 0

    async def answer(self, channel: Channel) -> None:
        speaker = Speaker(channel, MEMBER)
        try:
            async with asyncio.timeout(LINK_SECONDS):
                async with asyncio.timeout(EXCHANGE_SECONDS) as until_reveal:
                    first = await speaker.hear()
                    if first.HasField("code_share"):
                        return await self._by_digits(speaker, first.code_share.share)
                    speaker.say(ask_nonce=pb.AskNonce(nonce=os.urandom(32)))
                    await speaker.hear()
                    until_reveal.reschedule(None)
                    await self._by_words(speaker)
        finally:
            await channel.close()

    async def _by_words(self, speaker: Speaker) -> None:
        self._count += 1
        number, said = self._count, speaker.exchange
        self._waiting[number] = asyncio.get_running_loop().create_future()
        self._report("asker", id=number, name=said.name, words=said.words)
        hearing = asyncio.create_task(speaker.hear())
        try:
            await asyncio.wait({self._waiting[number], hearing}, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():  # it said more than it may, or went away
                hearing.result()
            elif self._waiting[number].result():
                self._admit(speaker, self._invite())
            else:
                speaker.say(ask_answer=pb.AskAnswer(refusal="refused"))
        finally:
            hearing.cancel()
            del self._waiting[number]
            self._report("asked", id=number)

    def decide(self, number: int, admit: bool) -> None:
        self._waiting[number].set_result(admit)

    def _admit(self, speaker: Speaker, code: bytes) -> None:
        speaker.say(ask_answer=pb.AskAnswer(invite_code=code, tour_name=self.tour_name))

    async def _by_digits(self, speaker: Speaker, theirs: bytes) -> None:
        spoken = self.spoken
        if spoken is None or spoken.refusal:
            return speaker.say(ask_answer=pb.AskAnswer(refusal=spoken.refusal if spoken else "no-code"))
        spoken.trials += 1
        fits = False
        try:
            side = cpace.Side(cpace.MEMBER, spoken.digits, speaker.channel.hash)
            side.take_share(theirs)
            speaker.say(code_share=pb.CodeShare(share=side.share))
            side.take_proof((await speaker.hear()).code_proof.proof)
            fits = True
        except Fault as fault:
            if str(fault) != "wrong-code":
                raise
            return speaker.say(ask_answer=pb.AskAnswer(refusal="wrong-code"))
        finally:
            spoken.trials -= 1
            spoken.uses -= fits
            spoken.failures += not fits
            self._report("trial", fits=fits, failures=spoken.failures, uses=spoken.uses)
        speaker.say(code_proof=pb.CodeProof(proof=side.proof))
        self._admit(speaker, spoken.invite_code)
