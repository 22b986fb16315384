"""Asks, answers askers, and attacks both. Protocol/14-asking.md.

    python Tests/PythonNode/asks.py ask NAME --mdns ADDRESS [--digits D]        asks the first tour that is near
    python Tests/PythonNode/asks.py answer TOUR --mdns ADDRESS [--digits D]     founds a tour, and answers its askers
    python Tests/PythonNode/asks.py relay --mdns ADDRESS --far ADDRESS [--after|--pass-on]
            stands between: askers find it at the one address, and it asks the member near the other. --after: it
            reveals the asker's nonce, which it did not commit to; --pass-on: everything goes through as it is
    python Tests/PythonNode/asks.py flood COUNT --mdns ADDRESS [--from ADDRESS …] [--stop PLACE] [--digits D]
            [--pause SECONDS] [--tag TAG --peer HOST:PORT]
            so many links, one after the other, each left at that place: commit, words, share, proof
    python Tests/PythonNode/asks.py look --mdns ADDRESS                         who answers askers

Prints one JSON object a line for whatever happens. Standard input: `agree` (the asker's words), `admit N`, `refuse N`
(the member's), any other line is sent as a message by who is a member; the end of it ends the program.
"""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from typing import Any

import asking
import channel
import cpace
import discovery
from asking import ASKER, Asked, Exchange, Speaker, SpokenCode, commitment_of, label_of, psk_of
from channel import Channel, Greeter, answer
from discovery import Discovery
from node import BROKEN, Node
from talk import host_and_port, lines, report
from tour import Code, Tour
from wire import pb

INVITE_SECONDS, SPOKEN_INVITE_SECONDS, SPOKEN_USES = 600, 900, 10
Near = tuple[bytes, str, int]  # tag, host, port


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="asks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["ask", "answer", "relay", "flood", "look"])
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--mdns", required=True, metavar="ADDRESS")
    parser.add_argument("--far", metavar="ADDRESS")
    parser.add_argument("--digits", default="")
    parser.add_argument("--after", action="store_true")
    parser.add_argument("--pass-on", action="store_true")
    parser.add_argument("--from", dest="sources", action="append", default=[], metavar="ADDRESS")
    parser.add_argument("--pause", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--tag", type=bytes.fromhex)
    parser.add_argument("--peer", type=host_and_port, metavar="HOST:PORT")
    parser.add_argument("--stop", choices=["commit", "words", "share", "proof"], default="words")
    return parser.parse_args()


def looking(finder: Discovery) -> asyncio.Queue[Near]:
    """What is near, as it is found."""
    near: asyncio.Queue[Near] = asyncio.Queue()

    def found(tags: list[bytes], host: str, port: int) -> None:
        for tag in tags:
            report("near", tag=tag.hex(), label=label_of(tag), address=f"{host}:{port}")
            near.put_nowait((tag, host, port))
    finder.find_asked(found)
    return near


async def dial(near: Near, source: str | None = None) -> Channel:
    """An ask link: a link key of its own, and whoever answers is wanted."""
    tag, host, port = near
    return await channel.dial(host, port, psk_of(tag), os.urandom(32), lambda _: True, source)


# The asker.

async def ask(options: argparse.Namespace, group: asyncio.TaskGroup, reader: asyncio.StreamReader) -> None:
    finder = Discovery([options.mdns])
    near = await looking(finder).get()
    report("asks", label=label_of(near[0]))
    exchange = await _exchange(await dial(near), options)
    if exchange.code is None:
        return report("refused", refusal=exchange.refusal)
    report("admitted", tour=exchange.tour_name)
    if not options.digits and (await reader.readline()).decode().strip() != "agree":
        return report("given up")
    node = Node(report, group)
    addresses: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
    addresses.put_nowait(near[1:])
    tour = await node.join(exchange.code, addresses)
    node.begin(options.name)
    node.dial_always(*near[1:])
    await speak(node, tour, reader)
    await finder.close()


async def _exchange(made: Channel, options: argparse.Namespace) -> Exchange:
    if options.digits:
        return await asking.ask_by_digits(made, options.digits)
    return await asking.ask_by_words(made, options.name, lambda words: report("words", words=words))


async def speak(node: Node, tour: Tour, reader: asyncio.StreamReader) -> None:
    while line := (await reader.readline()).decode().strip():
        word, _, number = line.partition(" ")
        if node.asked and word in ("admit", "refuse"):
            node.asked.decide(int(number), word == "admit")
        else:
            event = tour.write_text(line)
            node.wrote(event)
            report("sent", id=event.id.hex())
    await node.close()


# The member.

async def answer_askers(options: argparse.Namespace, group: asyncio.TaskGroup, reader: asyncio.StreamReader) -> None:
    node, finder = Node(report, group), Discovery([options.mdns])
    tour = node.tour = Tour.found(node.keys, options.name)

    def invite(uses: int = 1, seconds: int = INVITE_SECONDS) -> bytes:
        event, code = tour.write_invite(uses, seconds)
        node.wrote(event)
        return code

    node.asked = Asked(options.name, invite, report)
    if options.digits:
        node.asked.spoken = SpokenCode(options.digits, SPOKEN_USES, invite(SPOKEN_USES, SPOKEN_INVITE_SECONDS))
    node.begin("Python guide")
    port = await node.listen(0)
    tag = discovery.tag(tour.link_secret, discovery.ASK, discovery.slot_now())
    await finder.publish(port, tour.link_secret, os.urandom(32), tag)
    report("listening", port=port, tag=tag.hex(), label=label_of(tag))
    await speak(node, tour, reader)
    await finder.close()


# Who is in between.

class Relay:
    def __init__(self, options: argparse.Namespace, near: Near) -> None:
        self._options, self._near, self._greeter = options, near, Greeter()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        psk = psk_of(self._near[0])
        try:
            asked = await answer((reader, writer), self._greeter, [psk], os.urandom(32))
            made = await dial(self._near)
        except BROKEN as broken:
            return report("no-link", why=repr(broken))
        try:
            await (self._pass_on if self._options.pass_on else self._by_words)(asked, made)
        except BROKEN as broken:
            report("ended", why=repr(broken))
        finally:
            await asked.close()
            await made.close()

    async def _by_words(self, asked: Channel, made: Channel) -> None:
        """A nonce of its own on each side. --after: once it knows all, it reveals one that it did not commit to."""
        ours, speaker, host = os.urandom(32), Speaker(made, ASKER), Speaker(asked, asking.MEMBER)
        await host.hear()
        speaker.say(ask_commit=pb.AskCommit(commitment=commitment_of(made.hash, ours)))
        await speaker.hear()
        # The member's own nonce goes on to the asker: the nonces are equal on both sides, as far as can be.
        host.say(ask_nonce=pb.AskNonce(nonce=speaker.exchange.member_nonce))
        await host.hear()
        said = host.exchange
        report("asker's words", words=said.words, name=said.name)
        if self._options.after:
            made.send(0, ask_reveal=pb.AskReveal(nonce=said.asker_nonce, name=said.name))
            return report("answer", kind=(await speaker.hear()).WhichOneof("kind"))
        speaker.say(ask_reveal=pb.AskReveal(nonce=ours, name=said.name))
        report("member's words", words=speaker.exchange.words)
        answered = (await speaker.hear()).ask_answer
        host.say(ask_answer=answered)
        report("passed on", refusal=answered.refusal)
        await asyncio.sleep(1)

    async def _pass_on(self, asked: Channel, made: Channel) -> None:
        """Everything as it comes, both ways, so that who knows the digits proves it to the other."""
        async def one_way(source: Channel, sink: Channel) -> None:
            while (kind := (said := await source.receive()).WhichOneof("kind")) is not None:
                report("passed on", kind=kind, refusal=said.ask_answer.refusal)
                sink.send(0, **{kind: getattr(said, kind)})
        await asyncio.gather(one_way(asked, made), one_way(made, asked))


async def relay(options: argparse.Namespace, group: asyncio.TaskGroup, reader: asyncio.StreamReader) -> None:
    far, finder = Discovery([options.far]), Discovery([options.mdns])
    between = Relay(options, near := await looking(far).get())
    server = await asyncio.start_server(between.accept, options.mdns, 0)
    port = int(server.sockets[0].getsockname()[1])
    await finder.publish(port, os.urandom(32), os.urandom(32), near[0])
    report("listening", port=port)
    await reader.read()
    server.close()
    await far.close()
    await finder.close()


# Who asks too much.

async def flood(options: argparse.Namespace, group: asyncio.TaskGroup, reader: asyncio.StreamReader) -> None:
    finder = Discovery([options.mdns])
    near = (options.tag, *options.peer) if options.peer else await looking(finder).get()
    sources, held = options.sources or [options.mdns], list[Channel]()
    for number in range(int(options.name)):
        try:
            made = await dial(near, sources[number % len(sources)])
            held.append(made)
            async with asyncio.timeout(5):
                report("tried", outcome=await _until(made, options, number))
        except BROKEN as broken:
            report("tried", outcome="closed", why=repr(broken))
        await asyncio.sleep(options.pause)
    report("done")
    await reader.read()
    for made in held:
        with contextlib.suppress(*BROKEN):
            await made.close()
    await finder.close()


async def _until(made: Channel, options: argparse.Namespace, number: int) -> str:
    """The refusal, or the kind of the last message that came."""
    speaker, nonce = Speaker(made, ASKER), os.urandom(32)
    if options.stop in ("share", "proof"):
        side = cpace.Side(cpace.ASKER, options.digits, made.hash)
        speaker.say(code_share=pb.CodeShare(share=side.share))
    else:
        speaker.say(ask_commit=pb.AskCommit(commitment=commitment_of(made.hash, nonce)))
    said = await speaker.hear()
    if options.stop == "words" and said.HasField("ask_nonce"):
        speaker.say(ask_reveal=pb.AskReveal(nonce=nonce, name=f"Nobody {number}"))
    elif options.stop == "proof" and said.HasField("code_share"):
        side.take_share(said.code_share.share)
        speaker.say(code_proof=pb.CodeProof(proof=side.proof))
        said = await speaker.hear()
    return speaker.exchange.refusal or str(said.WhichOneof("kind"))


async def look(options: argparse.Namespace, group: asyncio.TaskGroup, reader: asyncio.StreamReader) -> None:
    finder = Discovery([options.mdns])
    looking(finder)
    await reader.read()
    await finder.close()


async def main() -> None:
    options = arguments()
    programs: dict[str, Any] = {"ask": ask, "answer": answer_askers, "relay": relay, "flood": flood, "look": look}
    async with asyncio.TaskGroup() as group:
        await programs[options.what](options, group, await lines(sys.stdin))


if __name__ == "__main__":
    asyncio.run(main())
