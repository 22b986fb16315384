"""Goal: the specification is enough to write a node from, and a node withstands one that was written to harm it.
Method: the node of Tests/PythonNode, which shares nothing with ours, joins real nodes, in both roles of the handshake;
and attacks them."""
from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from cases import Context, case, expect, long
from lab import Host, Lab
from nodes import Node, Row, all_know_all, make_tour, parse_rows, wait_until
from programs import PROGRAM, Program, interpreter, python_node, running
from test_group import await_states
from test_input import RSS_GROWTH_MAX_KIB

TEXT_MAX = 16_384
MESSAGE_2_VARIANTS, FALSE_HOSTS = 193, 11
REJECTED_BY_THE_ATTACKED = {
    "unknown-version": 4, "replayed-hello": 2, "handshake-failed": 230, "bad-bind": 7, "bad-join-request": 13,
    "unexpected-message": 5, "stranger": 30}
FALSE_PORT, FALSE_ADDRESSES = 29_999, 100


@contextmanager
def tour_with_history(context: Context, hosts: int, count: int) -> Iterator[tuple[Lab, Node, Node, str]]:
    """A guide and a member with a history; on the other hosts no mDNS daemon but the Python node's own."""
    with context.lab([(0,)] * hosts) as lab:
        lab.hosts[2].stop_avahi()
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member").start()
        code = make_tour([guide, member])
        all_know_all([guide, member])
        follower = guide.follow()
        ids: list[str] = []
        for node in (guide, member):
            stream = node.stream()
            for k in range(count // 2):
                stream.write(f"{node.name} {k} – größe 🙂 " + "long " * (k % 40 * 40))
            stream.wait_answers(count // 2, 60)
            stream.close()
            ids += stream.acknowledged()
        ids.append(str(guide.must("announce", "the bus leaves at four").first["id"]))
        ids.append(guide.send("g" * TEXT_MAX))  # more than one slice
        follower.wait_ids(ids, 60)
        yield lab, guide, member, code


def expect_equal_lists(program: Program, nodes: list[Node], count: int, seconds: float = 60) -> None:
    """All list the same ids and the same bytes in the same order."""
    for node in nodes:
        wait_until(lambda: len(node.messages()) >= count, seconds, f"{node.name} lists {count} messages", pause=0.3)

    def listed() -> list[Row]:
        asked = len(program.of("list")) + 1
        program.write("/list")
        return list(program.wait("list", 15, asked)["messages"])

    wait_until(lambda: len(listed()) >= count, seconds, f"the Python node lists {count} messages", pause=0.3)
    ours = [(row["id"], row["text"].encode()) for row in listed()]
    expect(len(ours) == count, f"the Python node lists {len(ours)} messages instead of {count}")
    for node in nodes:
        theirs = [(row["id"], str(row["content"]).encode()) for row in node.messages()]
        expect(theirs == ours, f"{node.name} and the Python node list different messages, or in another order")


def talk(program: Program, guide: Node, member: Node, history: int) -> None:
    """It has the history, is heard by both, hears both, and what it says of itself is believed."""
    expect_equal_lists(program, [guide, member], history)
    for text in [f"from Python {k} – ünïcode ✓" for k in range(4)] + ["p" * TEXT_MAX]:
        program.write(text)
    expect_equal_lists(program, [guide, member], history + 5)
    last = [guide.send("do you hear the guide?"), member.send("and the member?")]
    expect_equal_lists(program, [guide, member], history + 7)
    guide.follow().wait_status([last[0]], {"delivered", "read"}, 30)
    await_states(guide, last[0], {program.name: "read", member.name: "delivered"})
    expect(not [row for row in program.of("unlink") if row["refused"]], "the Python node refused what it was sent")


@case
def python_node_vectors(context: Context) -> None:
    """Protocol/Vectors against the node in Python: what they say can be read out of the specification."""
    done = subprocess.run([interpreter(), "-B", str(PROGRAM / "vectors.py")], capture_output=True, text=True)
    rows = parse_rows(done.stdout)
    context.repetitions = sum(row["cases"] for row in rows)
    wrong = [difference for row in rows for difference in row["differences"]]
    expect(done.returncode == 0 and not wrong, f"{wrong[:3] or done.stderr[-600:]}")
    expect(context.repetitions >= 280, f"only {context.repetitions} vectors were read")


@case
def python_node_dials(context: Context) -> None:
    """A node in Python, from the specification alone, joins by code and mDNS, and makes its links itself."""
    interpreter()
    history = max(300, context.times(2000))
    context.repetitions = history
    with tour_with_history(context, 3, history) as (lab, guide, member, code):
        with python_node(lab.hosts[2], "python", code, "--dial") as program:
            program.wait("link", 30, 2)
            roles = {row["role"] for row in program.of("link")}
            expect(roles == {"initiator"}, f"links of a node that only dials have the roles {roles}")
            talk(program, guide, member, history + 2)
            program.end_input()
            program.wait_end(15)


@case
def python_node_listens(context: Context) -> None:
    """The same node only listens: real nodes find and dial it, and it alone lets a new member in and serves it."""
    interpreter()
    history = max(300, context.times(2000))
    context.repetitions = history
    with tour_with_history(context, 4, history) as (lab, guide, member, code):
        with python_node(lab.hosts[2], "python", code, "--listen", "0") as program:
            program.wait("link", 60, 2)
            roles = {row["role"] for row in program.of("link")}
            expect(roles == {"responder"}, f"links of a node that only listens have the roles {roles}")
            talk(program, guide, member, history + 2)
            guide.stop()
            member.stop()
            late = lab.hosts[3].node("late").start()
            late.must("join", code, "--name", "late", seconds=120)
            expect({row["answer"] for row in program.of("let-in")} == {"welcome"}, "somebody else let the joiner in")
            late.send("hello from the late one")
            expect_equal_lists(program, [late], history + 10)
            guide.start()
            expect_equal_lists(program, [late, guide], history + 10)
            expect(len(guide.members()) == 4, f"the guide lists {len(guide.members())} members instead of 4")


def attacks_done(program: Program, seconds: float) -> dict[str, int]:
    """What was tried of each kind; the program fails where the node answered."""
    program.wait_end(seconds)
    return {row["attack"]: row["tried"] for row in program.rows if "attack" in row}


def expect_rejected(node: Node, wanted: dict[str, int]) -> None:
    """The node counted at least so many faults, by their codes in the specification."""
    counted = node.status()["rejected"]
    few = {code: counted.get(code, 0) for code, least in wanted.items() if counted.get(code, 0) < least}
    expect(not few, f"{node.name} counted only {few}, not {wanted}")


@long
@case
def hostile_handshakes(context: Context) -> None:
    """Each byte of each handshake message changed, cut, replayed, relayed, in another's name: closed without a word."""
    interpreter()
    with context.lab([(0,)] * 3) as lab:
        attacker = lab.hosts[2]
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member").start()
        code = make_tour([guide, member])
        all_know_all([guide, member])
        place, before = f"{lab.hosts[0].address()}:{guide.port}", guide.rss_kib()
        # Three at most: a node has a rate for all addresses too.
        sources = [attacker.address(), *attacker.more_addresses(2)]
        words = [word for source in sources for word in ("--from", source)]
        with running(attacker, "attacks", str(PROGRAM / "attacks.py"), code, place, *words) as program:
            tried = attacks_done(program, 180)
        expect(guide.alive, f"an attack ended the node: {guide.log_tail()}")
        expect_rejected(guide, REJECTED_BY_THE_ATTACKED)
        expect("too-many-handshakes" not in guide.status()["rejected"], "attacks were refused for their number")
        expect(guide.links() >= 1, "the attacks cost the guide its link")
        member.follow().wait_ids([guide.send("after the attacks")], 30)
        grown = guide.rss_kib() - before
        expect(grown <= RSS_GROWTH_MAX_KIB, f"memory grew by {grown} KiB")

        victim = attacker.node("victim", "--no-mdns", "--no-multicast")
        tried |= attack_joiner(attacker, code, place, victim)
        tried |= attack_dialler(attacker, code, place, guide, victim)
        context.repetitions = sum(tried.values())
        guide.start()
        guide.follow().wait_ids([victim.send("and here I am")], 60)
        context.note(f"{context.repetitions} attacks of {len(tried)} kinds, {grown // 1024} MiB")


def attack_dialler(attacker: Host, code: str, place: str, guide: Node, victim: Node) -> dict[str, int]:
    """False answers to a node that dials: it sends message 3, which names it, to none but the honest one."""
    peers = [word for k in range(1, FALSE_ADDRESSES + 1) for word in ("--peer", f"127.0.1.{k}:{FALSE_PORT}")]
    with running(attacker, "answers", str(PROGRAM / "attacks.py"), code, place, "--answer", "members") as program:
        wait_until(lambda: any("listening" in row for row in program.rows), 30, "the false responder listens")
        guide.stop()
        victim.start(*peers)
        tried = attacks_done(program, 120)
    expect(tried == {"message_2_changed": MESSAGE_2_VARIANTS}, f"tried were {tried}")
    expect(victim.alive, f"an answer ended the node: {victim.log_tail()}")
    # One variant is an empty frame, which is no handshake message.
    expect_rejected(victim, {"handshake-failed": MESSAGE_2_VARIANTS - 1})
    victim.stop()
    victim.start("--peer", place)
    return tried


def attack_joiner(attacker: Host, code: str, place: str, victim: Node) -> dict[str, int]:
    """False hosts to somebody who joins: it shows its request to none of another tour, and is in by the honest one."""
    link = "tour-chat://join/" + code.replace("-", "") + "?a=" + "&a=".join(
        f"127.0.1.{k}:{FALSE_PORT}" for k in range(1, FALSE_HOSTS + 2))
    with running(attacker, "hosts", str(PROGRAM / "attacks.py"), code, place, "--answer", "joiners") as program:
        wait_until(lambda: any("listening" in row for row in program.rows), 30, "the false host listens")
        victim.start()
        victim.must("join", link, "--name", victim.name, seconds=120)
        tried = attacks_done(program, 30)
    expect(tried == {"false_hosts": FALSE_HOSTS}, f"tried were {tried}")
    expect_rejected(victim, {"false-tour": 3, "bad-bind": 3, "unexpected-message": 2})
    victim.stop()
    return tried
