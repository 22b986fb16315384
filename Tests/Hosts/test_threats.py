"""Goal: what a stranger records tells it nothing, and what a removed member keeps opens nothing that comes after.
Method: cables of real nodes are recorded; a removed member's data directory is started alone and hears it all."""
from __future__ import annotations

import json
import re
import signal
import socket
import struct
from pathlib import Path

import wire
from cases import Context, case, expect
from lab import Host, Lab, run
from nodes import Node, all_know_all, make_tour, wait_until
from programs import PROGRAM, Program, interpreter, running
from test_atrest import PASSPHRASE, allow_core_dumps, found_in, in_memory, secret_file
from test_roles import await_removed, contents

WINDOW, PART = 8, 5
# What every node asks for, whatever else it sends: recorded of others or not.
QUESTION = b"\0\x01" + b"\0" * 6 + b"\n_tour-chat\x04_tcp\x05local\0\0\x0c"
# How the address and the text of a service are asked for: the end of its name, SRV, and TXT of the same.
RESOLUTION = b"\x05local\0\0\x21\0\x01\xc0\x0c\0\x10\0\x01"
# The reverse of an address, label by label, as avahi-daemon announces it for its host.
REVERSE = re.compile(rb"(?:\x01[0-9a-f]){8,}|(?:[\x01-\x03][0-9]{1,3}){4}")


def windows(packets: list[wire.Packet], size: int = WINDOW) -> set[bytes]:
    """Every so many bytes that stand side by side somewhere."""
    return {p.payload[at:at + size] for p in packets for at in range(len(p.payload) - size + 1)}


def unexplained(values: set[bytes], constant: list[wire.Packet]) -> set[bytes]:
    """Without what everybody sends, and without what begins or ends like that: a digit beside a constant may agree."""
    parts = windows(constant, PART)
    return {value for value in values if value[:PART] not in parts and value[-PART:] not in parts}


def without_hints(packet: wire.Packet, known: list[bytes]) -> wire.Packet:
    """The same without what nobody can hide or what is not ours (see `shown_by`), and without tags, which change with
    the quarter of an hour and not with the start."""
    payload = bytearray(packet.payload)
    for value in known:
        for found in re.finditer(re.escape(value), bytes(payload)):
            payload[found.start():found.end()] = bytes(len(value))
    for found in REVERSE.finditer(bytes(payload)):
        payload[found.start():found.end()] = bytes(found.end() - found.start())
    for found in re.finditer(rb"[ta]=", bytes(payload)):
        length = payload[found.start() - 1] if found.start() else 0
        if length >= 2 and (length - 2) % 8 == 0:
            end = min(len(payload), found.start() + length)
            payload[found.end():end] = bytes(end - found.end())
    return wire.Packet(packet.protocol, packet.port, bytes(payload))


def shown_by(node: Node, host: Host) -> list[bytes]:
    """Addresses, the port that a node keeps, as a service record has it, and the name that avahi-daemon announces."""
    family = {"inet": socket.AF_INET, "inet6": socket.AF_INET6}
    answer = json.loads(run(*host.argv(["ip", "-j", "address", "show", "dev", "eth0"])))
    addresses = [socket.inet_pton(family[row["family"]], row["local"]) for row in answer[0]["addr_info"]]
    return [*addresses, struct.pack(">IH", 0, node.port), host.namespace.encode()]


def a_start(lab: Lab, host: Host, nodes: list[Node], text: str, path: Path) -> list[wire.Packet]:
    """The nodes start, say something, and end; what this host sent meanwhile. Nobody remembers before."""
    for each in lab.hosts:
        each.stop_avahi()
        each.start_avahi()
    with wire.recorded(lab, host, path):
        for node in nodes:
            node.start()
        all_know_all(nodes)
        for speaker, hearer in (nodes, reversed(nodes)):
            hearer.follow().wait_ids([speaker.send(text)], 60)
        wait_until(lambda: any(b"v=1" in p.payload for p in wire.sent(path) if kind(p) == "mDNS"), 30,
                   "the node is announced by mDNS")
        for node in nodes:
            node.stop()
    return wire.sent(path)


@case
def captures_of_two_starts(context: Context) -> None:
    """What two starts of one node send has no eight bytes in common that strangers' nodes do not send as well."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 4) as lab:
        hosts = lab.hosts
        watched = [hosts[0].node("Zephyrine"), hosts[1].node("Balthasar")]
        others = [hosts[2].node("other"), hosts[3].node("another")]
        for pair, name in ((watched, "Quixotic Fountain"), (others, "Elsewhere")):
            for node in pair:
                node.start()
            code = make_tour(pair, name)
            all_know_all(pair)
            for node in pair:
                node.stop()
            if pair is watched:
                compact = code.replace("-", "").encode()
        ids = [bytes.fromhex(str(row["id"])) for row in watched[0].members()]
        constants = [p for host in hosts[2:] for p in a_start(
            lab, host, others, "in another tour", lab.home / f"others-{host.index}")]
        first = a_start(lab, hosts[0], watched, "behind the aqueduct", lab.home / "first")
        second = a_start(lab, hosts[0], watched, "behind the aqueduct", lab.home / "second")
        secrets = {"a name": b"Zephyrine", "the other's name": b"Balthasar", "the tour's name": b"Quixotic",
                   "the text": b"behind the aqueduct", "the code": compact,
                   **{f"the id {i.hex()[:8]}": i[:WINDOW] for i in ids}}
        everything = b"\0".join(p.payload for p in first + second)
        found = [what for what, secret in secrets.items() if secret in everything]
        expect(not found, f"in clear: {', '.join(found)}")
        for what, packets in (("TCP", first), ("multicast", first), ("mDNS", first)):
            expect(any(kind(p) == what for p in packets), f"no {what} was recorded: nothing is tested")
        known = [value for node, host in zip([*watched, *others], hosts) for value in shown_by(node, host)]
        stripped = [[without_hints(p, known) for p in packets] for packets in (first, second, constants)]
        constant = [*stripped[2], *(wire.Packet(wire.UDP, 5353, asked) for asked in (QUESTION, RESOLUTION))]
        shared = unexplained(windows(stripped[0]) & windows(stripped[1]), constant)
        expect(not shared, f"{len(shared)} shared values: {sorted(shared)[:8]}")
        context.note(f"{len(first)} and {len(second)} packets, {len(windows(stripped[0]))} values")


def kind(packet: wire.Packet) -> str:
    if packet.protocol == wire.TCP:
        return "TCP"
    return {wire.MULTICAST_PORT: "multicast", wire.MDNS_PORT: "mDNS"}.get(packet.port, "other")


def heard_by_datagram(node: Node) -> bool:
    return any(row.get("multicast") == "working" for row in node.status()["segments"])


@case
def removed_with_its_disk(context: Context) -> None:
    """A member removed while away keeps its disk and records all: it opens what came before, and nothing after."""
    context.repetitions = context.times(1)
    with context.tour(4) as (lab, nodes):
        guide, second, third, removed = nodes
        for node in nodes:
            wait_until(lambda: {row["name"] for row in node.members()} == {n.name for n in nodes}, 30, "all names")
        removed.stop()
        for node in (guide, second):
            wait_until(lambda: heard_by_datagram(node), 60, f"{node.name} is heard by datagram")
        before, after, guides, last = (lab.home / name for name in ("before", "after", "guides", "last"))
        # Who speaks wrote nothing else meanwhile that the record would lack: its log goes on where the disk's ends.
        with wire.recorded(lab, lab.hosts[1], before):
            early = second.send("before the removal")
            guide.follow().wait_ids([early], 30)
            third.follow().wait_ids([early], 30)
        with wire.recorded(lab, lab.hosts[0], last):
            second.follow().wait_ids([guide.send("heard last")], 30)
        guide.must("remove", removed.name, "--yes")
        for node in (guide, second, third):
            await_removed(node, removed.name)
        texts = [f"after the removal {k}" for k in range(5)]
        with wire.recorded(lab, lab.hosts[1], after), wire.recorded(lab, lab.hosts[0], guides):
            late = [speaker.send(f"{speaker.name} {text}") for text in texts for speaker in (second, guide)]
            guide.follow().wait_ids(late, 60)
            second.follow().wait_ids(late, 60)
            third.follow().wait_ids(late, 60)
        for path, what in ((before, "before"), (last, "right before"), (after, "after"), (guides, "after")):
            said = [p for p in wire.sent(path) if kind(p) == "multicast"]
            expect(said, f"no datagram was recorded {what} the removal: nothing is tested")
        for node in (guide, second, third):
            node.stop()
        # Alone on the network with the record; its own state is that of a member.
        removed.start()
        follower = removed.follow()
        # When the last that it may read is there, all that it may not has been heard.
        guides_host, seconds_host = lab.hosts[:2]
        for host, path in ((seconds_host, before), (seconds_host, after), (guides_host, guides), (guides_host, last)):
            wire.replay(host, path)
        follower.wait_text("before the removal", 30)
        follower.wait_text("heard last", 30)
        shown = [content for content in contents(removed) if "after the removal" in content]
        expect(not shown, f"it reads {shown}")
        removed.stop()
        kept = [content for content in contents(removed) if "after the removal" in content]
        expect(not kept, f"its disk holds what came after, readable: {kept}")
        expect("before the removal" in contents(removed), "what it may read is not on its disk")


def said_between(lab: Lab, speakers: list[Node], texts: list[str], path: Path) -> None:
    """Each speaks, ends, comes back and speaks again; a record of all that the first two hosts send."""
    first, second = speakers
    with wire.recorded(lab, lab.hosts[0], path), wire.recorded(lab, lab.hosts[1], path.with_suffix(".second")):
        for text in texts:
            for speaker, hearer in ((first, second), (second, first)):
                hearer.follow().wait_ids([speaker.send(text)], 60)
            second.stop()
            second.start()
            all_know_all_links(speakers)


def all_know_all_links(nodes: list[Node]) -> None:
    for node in nodes:
        wait_until(lambda: node.links() >= 1, 60, f"{node.name} has a link")
        wait_until(lambda: heard_by_datagram(node), 60, f"{node.name} is heard by datagram")


def read_by(program: Program, path: Path, count: int) -> dict[str, int]:
    """What somebody makes of a record with the keys that it has."""
    packets = wire.sent(path) + wire.sent(path.with_suffix(".second"))
    rows = [{"protocol": "tcp" if p.protocol == wire.TCP else "udp", "payload": p.payload.hex()} for p in packets]
    listed = path.with_suffix(".json")
    listed.write_text("\n".join(map(json.dumps, rows)))
    program.write(str(listed))
    return dict(program.wait("read", 60, count))


@case
def removed_with_its_keys(context: Context) -> None:
    """Another program keeps a removed member's keys and a record of all that two others send: before, it reads all."""
    context.repetitions = rounds = context.times(20)
    interpreter()
    with context.lab([(0,)] * 3) as lab:
        guide, second = lab.hosts[0].node("guide").start(), lab.hosts[1].node("second").start()
        code, place = make_tour([guide, second]), f"{lab.hosts[0].address()}:{guide.port}"
        all_know_all_links([guide, second])
        with running(lab.hosts[2], "reader", str(PROGRAM / "reader.py"), code, place) as reader:
            known = str(reader.wait("joined", 60)["id"])
            for node in (guide, second):
                wait_until(lambda: len(node.members()) == 3, 30, f"{node.name} knows the third")
            said_between(lab, [guide, second], ["before the removal"], lab.home / "before")
            before = read_by(reader, lab.home / "before", 1)
            expect(before["opened"] == before["datagrams"] > 0, f"with good keys it reads {before}")
            expect(before["matched"] == before["hellos"] > 0, f"with good keys it reads {before}")
            guide.must("remove", known[:16], "--yes")
            for node in (guide, second):
                wait_until(lambda: any(row.get("removed") for row in node.members()), 30, "it is known as removed")
            said_between(lab, [guide, second], [f"after {k}" for k in range(rounds)], lab.home / "after")
            after = read_by(reader, lab.home / "after", 2)
        expect(after["datagrams"] > 0 and after["hellos"] > 0, f"nothing was recorded: {after}")
        expect(after["opened"] == after["matched"] == 0, f"with a removed member's keys it reads {after}")
    context.note(f"before it opened {before['opened']} datagrams and knew {before['matched']} hellos; after, of "
                 f"{after['datagrams']} and {after['hellos']} none")


@case
def no_canaries(context: Context) -> None:
    """Texts, names, a code, keys: not on the wire, on a sealed disk, in logs; no keys in a locked node's memory.

    The memory is read as a core dump would hold it; the node itself leaves none."""
    context.repetitions = context.times(1)
    interpreter()
    allow_core_dumps()
    with context.lab([(0,)] * 3) as lab:
        guide, member = lab.hosts[0].node("Balthasar").start(), lab.hosts[1].node("Zephyrine").start()
        code = make_tour([guide, member], "Quixotic Fountain")
        keys = {"the storage key": (member.data / "storage.key").read_bytes()[-32:],
                "the passphrase": PASSPHRASE.encode()}
        right = secret_file(member, "right", PASSPHRASE)
        member.must("passphrase", "set", "--new-passphrase-file", right)
        member.stop()
        place = f"{lab.hosts[0].address()}:{guide.port}"
        with wire.recorded(lab, lab.hosts[0], lab.home / "one"), wire.recorded(lab, lab.hosts[1], lab.home / "other"):
            member.start("--passphrase-file", right)
            with running(lab.hosts[2], "reader", str(PROGRAM / "reader.py"), code, place) as reader:
                known = reader.wait("joined", 60)
            for speaker, hearer in ((guide, member), (member, guide)):
                hearer.follow().wait_ids([speaker.send("meet me behind the aqueduct")], 60)
        keys |= {f"the tour's {what} key": bytes.fromhex(str(known[what])) for what in ("epoch", "link")}
        words = {"a name": b"Zephyrine", "another name": b"Balthasar", "the tour's name": b"Quixotic",
                 "the text": b"behind the aqueduct", "the code": code.encode(),
                 "the compact code": code.replace("-", "").encode()}
        everything = b"\0".join(wire.frames(lab.home / "one") + wire.frames(lab.home / "other"))
        expect(len(everything) > 10_000, "nothing was recorded: nothing is tested")
        found = [what for what, secret in (keys | words).items() if secret in everything]
        expect(not found, f"on the wire: {', '.join(found)}")
        for what in set(keys) - {"the passphrase"}:
            expect(in_memory(member, keys[what]), f"{what} is not in the memory of a node that runs: nothing is tested")
        member.must("lock")
        for what, secret in keys.items():
            wait_until(lambda: not in_memory(member, secret), 10, f"{what} is gone from memory", pause=0.5)
        assert member.process
        member.process.send_signal(signal.SIGABRT)
        member.process.wait(30)
        cores = [p for place in (Path.cwd(), member.home, member.data) for p in place.glob("core*") if p.is_file()]
        expect(not cores, f"a core dump was left: {cores}")
        for place_of in (member.data, member.home / "node.log", guide.home / "node.log"):
            found = found_in(place_of, keys | words)
            expect(not found, f"canaries: {', '.join(found)}")
        context.note(f"{len(everything) // 1024} KiB of the wire, {len(keys) + len(words)} canaries")
