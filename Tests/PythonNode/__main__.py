"""A tour-chat node in Python, written from Protocol/ alone: joins a tour by its code, reads, writes, shows.

    python Tests/PythonNode CODE --name Py [--peer HOST:PORT …] [--mdns ADDRESS …] [--dial] [--listen PORT]

--peer and --mdns (our addresses, for mDNS by IPv4) are where a member is found that lets us in. --dial makes links,
as the initiator; --listen takes them, as the responder. Prints one JSON object a line for whatever happens; each line
on standard input is sent as a message, `/list` lists the messages in the tour's order, `/members` the members, guests
with their hosts, `/publish TITLE` shares a note of that title, whether we may or not, `/content CLASS JSON` writes any
content, `/hide MEMBER N` keeps from others, as a hostile member may, that this member wrote more than N events,
`/seat LICENCE HOST` admits a guest, the host's, under the licence of that key, whether we may or not, `/forge MEMBER
TEXT` pushes a message in that member's name, the end of input ends it.

To be read in this order, each with its chapter: wire, channel (hello, Noise, frames), events, roster, tour, join, link,
pull, node, discovery, and seats, and asking with cpace, which no member needs. `asks`, `attacks`, `guest` and `vectors`
are other programs, which share these files. Left out: datagrams, the overlay, what goes ahead of a log, a fresh
handshake after 2 h, keeping anything on disk.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import sys

from google.protobuf.json_format import ParseDict

import discovery
from discovery import Discovery
from node import Node
from talk import host_and_port, lines, report
from tour import Code
from wire import pb


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="PythonNode", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("code")
    parser.add_argument("--name", default="Python")
    parser.add_argument("--peer", action="append", default=[], type=host_and_port, metavar="HOST:PORT")
    parser.add_argument("--mdns", action="append", default=[], metavar="ADDRESS")
    parser.add_argument("--dial", action="store_true")
    parser.add_argument("--listen", type=int, metavar="PORT")
    return parser.parse_args()


async def find(options: argparse.Namespace, found: Discovery | None, code: Code) -> asyncio.Queue[tuple[str, int]]:
    """The addresses to ask, those given first."""
    addresses: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
    for address in options.peer:
        addresses.put_nowait(address)
    if found:
        found.find(code.join_secret, discovery.INVITE, lambda host, port: addresses.put_nowait((host, port)))
    return addresses


async def main() -> None:
    options = arguments()
    async with asyncio.TaskGroup() as group:
        await run(options, Node(report, group))


async def run(options: argparse.Namespace, node: Node) -> None:
    code = Code.read(options.code)
    finder = Discovery(options.mdns) if options.mdns else None
    tour = await node.join(code, await find(options, finder, code))
    node.begin(options.name)
    if options.listen is not None:
        port = await node.listen(options.listen)
        if finder:
            await finder.publish(port, tour.link_secret, code.join_secret)
        report("listening", port=port)
    if options.dial:
        for host, port in options.peer:
            node.dial_always(host, port)
        if finder:
            finder.find(tour.link_secret, discovery.MEMBER, node.dial_always)
    reader = await lines(sys.stdin)
    while line := (await reader.readline()).decode():
        text = line.rstrip("\n")
        if text == "/list":
            report("list", messages=[{"id": m.event.id.hex(), "text": m.text} for m in tour.messages()])
        elif text.startswith("/publish "):
            for event in tour.write_note(text.removeprefix("/publish ")):
                node.wrote(event)
            report("published")
        elif text == "/members":
            report("members", members=[
                {"id": member.id.hex(), "left": member.left, "by": tour.host_of(member.id).hex()}
                for member in tour.roster.members.values()], licences=[
                {"key": key.hex(), "host": invite.host.hex()}
                for key, invite in tour.roster.invites.items() if invite.host])
        elif text.startswith("/seat "):
            _, licence, host = text.split(" ")
            event, seat = tour.write_seat(bytes.fromhex(licence), bytes.fromhex(host))
            node.wrote(event)
            report("seat", id=event.id.hex(), member=seat.hex())
        elif text.startswith("/forge "):
            _, member, words = text.split(" ", 2)
            event = tour.forged(bytes.fromhex(member), words)
            for link in node.links:
                link.push([event], 0)
            report("forged", id=event.id.hex())
        elif text.startswith("/hide "):
            _, member, last = text.split(" ")
            tour.hidden[bytes.fromhex(member)] = int(last)
            report("hidden", held=tour.head(bytes.fromhex(member)))
        elif text.startswith("/content "):
            _, kind, content = text.split(" ", 2)
            event = tour.write(int(kind), content=ParseDict(json.loads(content), pb.Content()))
            node.wrote(event)
            report("content", id=event.id.hex())
        else:
            event = tour.write_text(text)
            node.wrote(event)
            report("sent", id=event.id.hex())
    await node.close()
    if finder:
        await finder.close()


if __name__ == "__main__":
    asyncio.run(main())
