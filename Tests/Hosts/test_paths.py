"""Goal: where a network holds multicast back, messages go to each neighbour one by one, and the nodes say so.
Method: real nodes behind packet filters that drop multicast, some of the datagrams, in the end all of them."""
from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable

import wire
from cases import Context, Unavailable, case, expect, expect_same_messages, long
from lab import Host, run
from nodes import Node, all_know_all, make_tour, wait_until
from test_group import send_all

NO_MULTICAST = f"udp dport {wire.MULTICAST_PORT} drop"
A_TENTH_LOST = f"udp dport != {wire.MDNS_PORT} numgen random mod 100 < 10 drop"
NO_UDP = f"udp dport != {wire.MDNS_PORT} drop"


def drop(host: Host, rules: Iterable[str]) -> None:
    """What this host does not hear from now on."""
    lines = ["table inet held", "delete table inet held", "table inet held {", "chain in {",
             "type filter hook input priority 0;", *rules, "}", "}"]
    run(*host.argv(["nft", "-f", "-"]), stdin="\n".join(lines) + "\n")


def everybody_says(nodes: list[Node], word: str, count: int) -> set[str]:
    """Everybody sends so many messages, all at the same time."""
    sent: dict[str, list[str]] = {}

    def speak(node: Node) -> None:
        sent[node.name] = send_all(node, [f"{word} {k} of {node.name}" for k in range(count)])

    threads = [threading.Thread(target=speak, args=(node,)) for node in nodes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ids = {i for some in sent.values() for i in some}
    expect(len(ids) == count * len(nodes), f"{len(ids)} ids for {count * len(nodes)} messages")
    return ids


def paths(node: Node, state: str) -> int:
    return int(node.status()["paths"][state])


def checked(node: Node, name: str) -> str:
    """What `doctor` finds of something: ok, warning or failed."""
    return next((str(row["state"]) for row in node.ask("doctor").lines if row.get("name") == name), "not there")


@long
@case
def one_by_one(context: Context) -> None:
    """No multicast and a tenth of all datagrams lost: five nodes tell each other one by one; without UDP by TCP alone."""
    if not shutil.which("nft"):
        raise Unavailable("nft is not installed")
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 5) as lab:
        for host in lab.hosts:
            drop(host, [NO_MULTICAST, A_TENTH_LOST])
        nodes = [host.node("guide" if k == 0 else f"member{k}").start() for k, host in enumerate(lab.hosts)]
        make_tour(nodes)
        all_know_all(nodes)
        followers = [node.follow() for node in nodes]
        ids = everybody_says(nodes, "at first", 20)
        for node in nodes:
            wait_until(lambda: node.status()["multicast"] == "blocked", 60, f"{node.name} sees that multicast is held back")
            # A path is tried when there is something to say on its link: that is so for one link of each node, not more.
            wait_until(lambda: paths(node, "working") >= 1, 60, f"{node.name} has datagrams to a neighbour")
            expect(checked(node, "datagrams") == "ok", f"doctor at {node.name} does not say that datagrams go")
        ids |= everybody_says(nodes, "one by one", 40)
        for follower in followers:
            follower.wait_ids(ids, 120)
        expect_same_messages(nodes, ids, len(ids))
        links = [row for node in nodes for row in node.must("peers").lines if row.get("datagrams") == "working"]
        times = [float(row["rttMilliseconds"]) for row in links if row["rttMilliseconds"] is not None]
        losses = [float(row["lossPercent"]) for row in links]
        expect(times and min(times) > 0, "no link shows a round trip")
        context.note(f"datagrams on {len(links)} ends of links, in {max(times):.1f} ms at most, {max(losses):.0f} % lost")
        for host in lab.hosts:
            drop(host, [NO_MULTICAST, NO_UDP])
        ids |= everybody_says(nodes, "by connection", 40)
        for follower in followers:
            follower.wait_ids(ids, 120)
        expect_same_messages(nodes, ids, len(ids))
        for node in nodes:
            wait_until(lambda: paths(node, "blocked") > 0, 60, f"{node.name} sees that no datagram comes through")
            expect(checked(node, "datagrams") == "warning", f"doctor at {node.name} does not warn")
