"""Goal: a login page, a token that runs out, or a clock that is off costs no message, and a guide reads what it is.
Method: a real node and a real server, and a gate between them that plays these."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cases import Context, case, expect
from gate import GATE_PORT, Gate
from nodes import Node, Row
from server import PORT, Server
from test_server import log_in


@contextmanager
def gated(context: Context) -> Iterator[tuple[Node, Server, Gate, str]]:
    """A guide with a tour, a server, the gate, and the server's address through it."""
    with context.lab([(0,), (0,)], avahi=False) as lab:
        server = Server(lab.hosts[1]).start()
        gate = Gate(lab.hosts[1], PORT)
        try:
            server.make_guide()
            guide = lab.hosts[0].node("guide", "--no-mdns").start()
            guide.must("tour", "create", "Walk")
            yield guide, server, gate, f"http://{lab.hosts[1].address(0)}:{GATE_PORT}"
        finally:
            gate.close()
            server.stop()


def check(node: Node, name: str) -> Row:
    """What the doctor says of it; nothing: an empty row."""
    return next((row for row in node.ask("doctor").lines if row["name"] == name), {})


def synced(node: Node, message: str) -> bool:
    return bool(next(row for row in node.messages() if row["id"] == message)["syncedAt"])


@case
def guest_network(context: Context) -> None:
    """Behind a login page the node tells nobody anything, says what to do, and syncs when it is let through."""
    context.repetitions = context.times(40)
    with gated(context) as (guide, _, gate, address):
        expect("No server" in check(guide, "server")["message"], "the doctor says that no server is set")
        gate.set(page="login")
        password = guide.home / "password"
        password.write_text("correct horse battery")
        words = ("login", "--server", address, "--email", "guide@tours.example", "--password-file", str(password))
        expect(guide.ask(*words).code == "mailbox-login-page", "a login page is no server")
        asked = gate.asked()
        expect(asked and all(row["path"] == "/healthz" and not row["bytes"] and not row["token"] for row in asked),
               f"the login page was told something: {asked}")
        gate.set()
        log_in(guide, address)
        guide.must("sync")
        for turn in range(context.repetitions):
            page = context.random.choice(("login", "redirect"))
            gate.set(page=page)
            message = guide.send(f"{turn} behind a {page} page")
            expect(guide.ask("sync").code == "mailbox-login-page", f"{page}: the sync says what is there")
            row = check(guide, "server")
            expect(row["state"] == "warning" and "sign in" in row["advice"], f"{page}: the doctor says {row}")
            expect(guide.status()["mailbox"]["problem"]["code"] == "mailbox-login-page", "so does the status")
            expect(not synced(guide, message), "nothing is taken for synced")
            gate.set()
            guide.must("sync")
            expect(synced(guide, message), "let through, it syncs")
        row = check(guide, "server")
        expect(row["state"] == "ok" and "it has everything" in row["message"], f"the doctor says {row}")


@case
def token_ends_in_the_middle(context: Context) -> None:
    """A token that ends between two batches is renewed, and everything arrives once."""
    context.repetitions = context.times(20)
    with gated(context) as (guide, server, gate, address):
        log_in(guide, address)
        guide.must("sync")
        wanted: set[str] = set()
        for turn in range(context.repetitions):
            stream = guide.stream()
            for number in range(3_000):
                stream.write(f"{turn} {number}")
            stream.wait_answers(3_000, 60)
            wanted |= set(stream.acknowledged())
            stream.close()
            gate.asked()
            gate.set(refuses_push=context.random.choice((1, 2)))
            guide.must("sync")
            paths = [row["path"] for row in gate.asked()]
            expect(paths.count("/auth/member") == 1, f"one new token was asked for: {paths}")
            expect(guide.status()["unsynced"] == 0, "something is not there")
        held = server.events(str(server.groups()[0]["id"]))
        expect(wanted <= set(held) and len(set(held)) == len(held), "the server has everything once")


@case
def clock_that_is_off(context: Context) -> None:
    """A clock that differs from the server's is said in words, and keeps nothing from being synced."""
    context.repetitions = context.times(20)
    with gated(context) as (guide, _, gate, address):
        for _ in range(context.repetitions):
            hours = context.random.choice((-48, -3, 3, 48))
            gate.set(lead=hours * 3_600)
            # Another start, another look at the server's clock.
            guide.stop()
            guide.start("--mailbox", address)
            log_in(guide, address)
            message = guide.send(f"off by {hours} hours")
            guide.must("sync")
            expect(synced(guide, message), "it syncs all the same")
            lead = guide.status()["mailbox"]["clockLead"]
            expect(abs(lead - hours * 3_600) < 60, f"the status says {lead}")
            rows = [row for row in guide.ask("doctor").lines if row["name"] == "clock" and row["state"] == "warning"]
            expect(any("the server's" in row["message"] for row in rows), f"the doctor says {rows}")
