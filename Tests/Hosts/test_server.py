"""Goal: two halves of a tour that never meet end with the same messages by way of a server, whatever breaks; and those
without a way to it learn what it has. Method: real nodes and a real server; the two ways to it are no way to each other."""
from __future__ import annotations

import base64
import hashlib
import hmac
import json
import struct
import tarfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cases import Context, case, expect, expect_same_messages, long
from lab import Host, Lab, run
from nodes import Answer, Node, make_tour, wait_until
from test_files import digest, has_it, random_file, save, send_file
from server import EMAIL, PASSWORD, PORT, Server

MORNING = 4  # the segment on which all meet before the buses leave
LAYOUT = [(0, 2, MORNING), (0, 2, MORNING), (1, 3, MORNING), (1, MORNING), (2, 3)]


@dataclass
class Trip:
    """Guide and first in one bus, second and last in the other. First and second have a way to the server."""

    lab: Lab
    guide: Node
    first: Node
    second: Node
    last: Node
    server: Server

    @property
    def nodes(self) -> list[Node]:
        return [self.guide, self.first, self.second, self.last]


def link(host: Host, segment: int, state: str) -> None:
    card = f"eth{host.segments.index(segment)}"
    run("ip", "-n", host.namespace, "link", "set", card, state)


def base(segment: int, host: Host) -> str:
    """The server as it is reached by this segment."""
    return f"http://{host.address(segment)}:{PORT}"


def log_in(node: Node, address: str) -> None:
    """As the guide."""
    answer = log_in_answer(node, address)
    expect(answer.status == 0, f"{node.name}: login: {answer.text[-400:]}")


def log_in_answer(node: Node, address: str, email: str = EMAIL) -> Answer:
    password = node.home / "password"
    password.write_text(PASSWORD)
    return node.ask("login", "--server", address, "--email", email, "--password-file", str(password))


@contextmanager
def two_buses(context: Context) -> Iterator[Trip]:
    with context.lab(LAYOUT) as lab:
        names = ("guide", "first", "second", "last")
        guide, first, second, last = nodes = [host.node(name) for host, name in zip(lab.hosts, names)]
        server = Server(lab.hosts[4]).start()
        try:
            server.make_guide()
            for node in nodes:
                node.start()
            make_tour(nodes)
            log_in(guide, base(2, lab.hosts[4]))
            wait_until(lambda: guide.ask("sync").status == 0, 30, "the guide's sync")
            # The buses leave; from here on the guide has no way to the server.
            for host in lab.hosts[:4]:
                link(host, MORNING, "down")
            link(lab.hosts[0], 2, "down")
            for node, side in ((first, 2), (second, 3)):
                node.stop()
                node.start("--mailbox", base(side, lab.hosts[4]))
            yield Trip(lab, guide, first, second, last, server)
        finally:
            server.stop()


def wait_same(trip: Trip, wanted: set[str], seconds: float = 90) -> None:
    for node in trip.nodes:
        wait_until(lambda: wanted <= {row["id"] for row in node.messages()}, seconds, f"{node.name} has all")
    expect_same_messages(trip.nodes, wanted, len(wanted))


@long
@case
def two_buses_one_server(context: Context) -> None:
    """Two groups without a way to each other, each with one member who has one to a server: all get all, and know it."""
    context.repetitions = 1
    with two_buses(context) as trip:
        wanted = {node.send(f"{k} from {node.name}") for k in range(10) for node in trip.nodes}
        wait_same(trip, wanted)
        for node in trip.nodes:
            wait_until(lambda: all(row["syncedAt"] for row in node.messages()), 120, f"{node.name} knows what is synced")
            wait_until(lambda: node.status()["unsynced"] == 0, 60, f"{node.name} counts nothing as unsynced")
        by = {row["metadata"].get("syncedBy") for row in trip.guide.messages()}
        expect(by <= {None, "first"}, f"the guide was told by {by}")
        expect(not any(row["metadata"].get("syncedBy") for row in trip.first.messages()), "the server told first itself")
        expect({row["status"] for row in trip.guide.messages()} <= {"sent", "delivered", "read"}, "statuses")
        context.note(f"memory of a node with a server {trip.first.rss_kib() / 1024:.1f} MB")


@case
def killed_while_syncing(context: Context) -> None:
    """Server and node are killed again and again while they sync: nothing is lost, and nothing comes twice."""
    with two_buses(context) as trip:
        wanted: set[str] = set()
        for turn in range(context.times(40)):
            context.repetitions += 1
            stop = threading.Event()
            ids: list[str] = []

            def write() -> None:
                while not stop.is_set():
                    ids.append(trip.last.send(f"{turn}/{len(ids)} on the road"))

            writer = threading.Thread(target=write, daemon=True)
            writer.start()
            asking = threading.Thread(target=lambda: trip.second.ask("sync"), daemon=True)
            asking.start()
            time.sleep(context.random.uniform(0, 0.4))
            if turn % 2:
                trip.server.kill()
                trip.server.start()
            else:
                trip.second.kill()
                trip.second.start("--mailbox", base(3, trip.lab.hosts[4]))
            stop.set()
            writer.join()
            asking.join()
            wanted.update(ids)
        wait_until(lambda: trip.second.ask("sync").status == 0, 60, "second syncs")
        wait_until(lambda: trip.first.ask("sync").status == 0, 60, "first syncs")
        wait_same(trip, wanted)


@case
def server_comes_and_goes(context: Context) -> None:
    """Without a way to the server the node says so; when there is one again it syncs by itself, in seconds."""
    context.repetitions = context.times(10)
    slowest = 0.0
    with two_buses(context) as trip:
        host = trip.lab.hosts[1]
        for turn in range(context.repetitions):
            link(host, 2, "down")
            message = trip.first.send(f"{turn} written without a way")
            expect(trip.first.ask("sync").code == "mailbox-network", "a sync without a way fails by the network")
            state = trip.first.status()["mailbox"]
            expect(state["problem"]["code"] == "mailbox-network", f"the node says {state}")
            link(host, 2, "up")
            # Nobody asks: the kernel says that there is a way. By time alone it would be minutes.
            came = time.monotonic()
            wait_until(lambda: next(r for r in trip.first.messages() if r["id"] == message)["syncedAt"], 20, "synced")
            slowest = max(slowest, time.monotonic() - came)
        context.note(f"synced at most {slowest:.1f} s after the way came")


def same_at_the_server(trip: Trip, wanted: set[str]) -> None:
    """The server has all of them, and nothing twice."""
    tours = trip.server.groups()
    expect(len(tours) == 1, f"the guide's account lists {len(tours)} tours")
    held = trip.server.events(str(tours[0]["id"]))
    expect(len(set(held)) == len(held), "the server gives an event twice")
    expect(wanted <= set(held), f"the server lacks {len(wanted - set(held))} of {len(wanted)} messages")


@case
def uplink_that_flaps(context: Context) -> None:
    """Both ways to the server go and come all the time while two groups chat and nodes are killed: in the end server
    and nodes hold the same."""
    context.repetitions = context.times(100)
    with two_buses(context) as trip:
        wanted: set[str] = set()
        stop = threading.Event()

        def write(node: Node) -> None:
            count = 0
            while not stop.is_set():
                wanted.add(node.send(f"{count} from {node.name}"))
                count += 1
                stop.wait(0.05)

        writers = [threading.Thread(target=write, args=(node,), daemon=True) for node in (trip.guide, trip.last)]
        for writer in writers:
            writer.start()
        for turn in range(context.repetitions):
            side = context.random.choice((2, 3))
            host, node = trip.lab.hosts[side - 1], (trip.first, trip.second)[side - 2]
            link(host, side, "down")
            time.sleep(context.random.uniform(0, 0.6))
            if turn % 4 == 3:
                node.kill()
                node.start("--mailbox", base(side, trip.lab.hosts[4]))
            link(host, side, "up")
            time.sleep(context.random.uniform(0, 1.2))
        stop.set()
        for writer in writers:
            writer.join()
        for node in (trip.second, trip.first, trip.second):
            wait_until(lambda: node.ask("sync").status == 0, 60, f"{node.name} syncs")
        wait_same(trip, wanted)
        same_at_the_server(trip, wanted)
        context.note(f"{len(wanted)} messages")


FULL_TOUR, AT_ONCE = 46, 6


@case
def one_account_for_a_tour(context: Context) -> None:
    """46 members and one account, the guide's: after it has made the tour known, all sync through any member's node,
    also with nobody else there; and the account lists the tour with all its members."""
    count = max(5, context.times(FULL_TOUR))
    context.repetitions = count
    with context.lab([(0, 1), (0, 1), (0, 1), (1,)], avahi=False) as lab:
        server = Server(lab.hosts[3]).start()
        address = base(1, lab.hosts[3])
        nodes = [lab.hosts[k % 3].node("guide" if k == 0 else f"member{k}", "--no-mdns", "--mailbox", address)
                 for k in range(count)]
        guide = nodes[0].start()
        try:
            server.make_guide()
            code = str(guide.must("tour", "create", "Walk").first["joinCode"])
            log_in(guide, address)
            wait_until(lambda: guide.ask("sync").status == 0, 30, "the tour is known there")
            wanted = {guide.send("Welcome")}
            running: list[Node] = []
            for node in nodes[1:]:
                node.start()
                node.must("join", code, "--name", node.name, seconds=120)
                wanted |= {node.send(f"{k} from {node.name}") for k in range(2)}
                running.append(node)
                if len(running) == AT_ONCE:
                    running.pop(context.random.randrange(AT_ONCE)).stop()
            for node in [*running, guide]:
                node.stop()
            # Each by itself brings what it has; what it lacks comes from the server alone.
            for node in context.random.sample(nodes, count):
                node.start()
                wait_until(lambda: node.ask("sync").status == 0, 30, f"{node.name} syncs")
                node.stop()
            for node in context.random.sample(nodes, min(count, AT_ONCE)):
                node.start()
                wait_until(lambda: node.ask("sync").status == 0, 30, f"{node.name} syncs")
                expect_same_messages([node], wanted, len(wanted))
                # It may have published a new key since.
                wait_until(lambda: node.status()["unsynced"] == 0, 30, f"{node.name} has nothing unsynced")
                node.stop()
            tours = server.groups()
            expect([len(tour["members"]) for tour in tours] == [count], f"the account lists {tours}")
        finally:
            server.stop()


def memory_at_rest(context: Context, node: Node) -> float:
    """In MB. At full counts it is what is left 12 s later: a node gives back within 10 s what a sync or a flood took."""
    if context.repeat >= 1:
        time.sleep(12)  # measured after this time, not waited for
    return node.rss_kib() / 1024


@case
def first_sync_of_many(context: Context) -> None:
    """A node brings 100,000 messages of four members to a server that has none of them: all arrive; it is measured how
    fast, and what the node's memory is afterwards."""
    count = context.times(100_000)
    context.repetitions = count
    with context.lab([(0,), (0,)], avahi=False) as lab:
        server = Server(lab.hosts[1]).start()
        # No log takes a hundred thousand: each member writes a part, and the guide has them all.
        nodes = [lab.hosts[0].node(name, "--no-mdns").start() for name in ("guide", "first", "second", "third")]
        guide = nodes[0]
        try:
            server.make_guide()
            make_tour(nodes)
            wanted: set[str] = set()
            for node in nodes:
                stream = node.stream()
                for number in range(count // len(nodes)):
                    stream.write(f"{number:06} {node.name} " + "x" * 180)
                stream.wait_answers(count // len(nodes), 60 + count / 200)
                wanted |= set(stream.acknowledged())
                stream.close()
            # The name of each member is an event too.
            all_of_it = len(wanted) + len(nodes)
            wait_until(lambda: guide.status()["unsynced"] >= all_of_it, 300, "the guide has all", pause=1)
            for node in nodes[1:]:
                node.stop()
            before = memory_at_rest(context, guide)
            began, spent, served = time.monotonic(), guide.cpu_seconds(), server.cpu_seconds()
            log_in(guide, base(0, lab.hosts[1]))
            reports = guide.must("sync", seconds=300).lines
            seconds = time.monotonic() - began
            spent, served = guide.cpu_seconds() - spent, server.cpu_seconds() - served
            expect(guide.status()["unsynced"] == 0, "something is not there")
            shares = [report["percent"] for report in reports]
            expect(shares == sorted(shares) and len(set(shares)) > 2, f"the progress went {shares}")
            held = server.events(str(server.groups()[0]["id"]))
            expect(wanted <= set(held) and len(set(held)) == len(held), "the server has not all of them once")
            after = memory_at_rest(context, guide)
            context.note(f"{len(wanted):,} messages in {seconds:.1f} s: {spent:.1f} s of the node's CPU, {served:.1f} s of "
                         f"the server's; memory {before:.1f} MB before, {after:.1f} MB afterwards")
        finally:
            server.stop()


@case
def server_reads_along(context: Context) -> None:
    """A guide lets the server in as a member that reads: all see it; it opens what was and is written, until it is out."""
    context.repetitions = 1
    with context.lab([(0, 2), (0, 2), (2,)]) as lab:
        guide, member = nodes = [host.node(name) for host, name in zip(lab.hosts, ("guide", "member"))]
        server = Server(lab.hosts[2]).start()
        try:
            server.make_guide()
            for node in nodes:
                node.start()
            make_tour(nodes)
            tour, token = guide.status()["tourID"], server.log_in()
            password = guide.home / "password"
            password.write_text(PASSWORD)
            guide.must("login", "--server", base(2, lab.hosts[2]), "--email", EMAIL, "--password-file", str(password))
            wait_until(lambda: guide.ask("sync").status == 0, 30, "the guide's sync")
            member.send("before")
            wait_until(lambda: len(guide.messages()) == 1, 30, "the guide has it")
            expect(server.messages(tour, token)[0] == 404, "nothing is opened before the archive is in")
            archive = guide.must("archive", "invite", "--yes").first["id"]
            expect(guide.ask("archive", "invite", "--yes").code == "has-archive", "there is one at a time")
            for node in nodes:
                wait_until(lambda: node.status()["archived"], 30, f"{node.name} sees that the server reads along")
                row = next(row for row in node.members() if row["id"] == archive)
                expect(row["archive"] and row["name"] == "Server archive", f"{node.name} shows {row}")
            member.send("while it is in")
            texts = {"before", "while it is in"}
            wait_until(lambda: texts == server.texts(tour, token), 60, "the server opens what was and is written")
            wait_until(lambda: all(row["status"] in ("delivered", "read") for row in member.messages()), 60,
                       "nobody waits for the archive's receipt")
            guide.must("archive", "remove", "--yes")
            member.send("after")
            wait_until(lambda: len(guide.messages()) == 3, 30, "the guide has that too")
            wait_until(lambda: guide.ask("sync").status == 0 and guide.status()["unsynced"] == 0, 60, "all is synced")
            expect(server.messages(tour, token)[0] == 404, "nothing is opened any more")
            for node in nodes:
                wait_until(lambda: not node.status()["archived"], 30, f"{node.name} sees that it is out")
        finally:
            server.stop()


@case
def planned_tour(context: Context) -> None:
    """A guide's app plans a tour at the server, and replaces the plan with the tour that the guide's laptop makes."""
    context.repetitions = 1
    with context.lab([(0, 2), (2,)]) as lab:
        guide, server = lab.hosts[0].node("guide"), Server(lab.hosts[1]).start()
        try:
            server.make_guide()
            token = server.log_in()
            plan = json.loads(server.ask("POST", "/groups", {"name": "Efes"}, token)[1])["id"]
            guide.start()
            guide.must("tour", "create", "Efes")
            log_in(guide, base(2, lab.hosts[1]))
            wait_until(lambda: guide.ask("sync").status == 0, 30, "the guide's sync")
            tour = guide.status()["tourID"]
            expect({row["id"] for row in server.groups()} == {plan, tour}, "nobody guesses that they are one")
            status, answer = server.ask("PATCH", f"/groups/{tour}", {"planned": plan}, token)
            expect(status == 200, f"the plan is replaced: {answer}")
            found = json.loads(server.ask("GET", f"/groups/{plan}", token=token)[1])
            expect((found["id"], found["name"]) == (tour, "Efes"), "the plan's id leads to the tour")
        finally:
            server.stop()


@case
def file_by_server(context: Context) -> None:
    """A file reaches the other bus by way of the server, sealed, after its author has gone; none of it twice."""
    context.repetitions = context.times(1)
    with two_buses(context) as trip:
        source = random_file(trip.lab.home / "map.bin", 1_500_000)
        id = send_file(trip.first, source)
        wait_until(lambda: has_it(trip.guide, id), 60, "the first bus has it")
        wait_until(lambda: trip.first.status()["files"]["atServer"] == 1, 60, "the server has it")
        trip.first.stop()
        for node in (trip.second, trip.last):
            wait_until(lambda node=node: has_it(node, id), 90, f"{node.name} in the other bus has it")
            expect(digest(save(node, id)) == digest(source), f"{node.name} has another file")


def app_code(secret: str) -> str:
    """What an authenticator app shows now (RFC 6238)."""
    key, step = base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.new(key, step, hashlib.sha1).digest()
    number = struct.unpack(">I", digest[digest[-1] & 15:][:4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


PHONE = "+905321234567"


@case
def account_of_a_guide(context: Context) -> None:
    """A guide adds a phone, has logins take a code of an app, ends the sessions elsewhere, and sets a forgotten password
    anew: all by the command line, at a real server."""
    context.repetitions = 1
    with context.lab([(0,), (0,)], avahi=False) as lab:
        server = Server(lab.hosts[1]).start()
        guide, second = nodes = [lab.hosts[0].node(name, "--no-mdns") for name in ("guide", "second")]
        try:
            server.make_guide()
            for node in nodes:
                node.start()
                log_in(node, base(0, lab.hosts[1]))
            known = ("--password-file", str(guide.home / "password"))
            account = guide.must("account").first
            expect((account["email"], account["emailProven"], account["phone"]) == (EMAIL, True, None), f"{account}")
            expect([row["current"] for row in account["sessions"]].count(True) == 1, f"{account['sessions']}")
            expect([row["device"] for row in account["sessions"]] == ["tour-chat, Linux"] * 2, f"{account['sessions']}")

            expect(guide.must("account", "phone", PHONE).first["codeSent"], "a code is sent")
            code = server.codes()[-1]
            expect(guide.ask("account", "phone", PHONE, "--code", code).code == "input-needed", "it wants the password")
            guide.must("account", "phone", PHONE, "--code", code, *known)
            expect(guide.must("account").first["phone"] == PHONE, "the account has the phone")

            begun = guide.must("account", "totp", "on", *known).first
            expect(str(begun["uri"]).startswith("otpauth://totp/"), f"{begun}")
            codes = guide.must("account", "totp", "on", "--code", app_code(str(begun["secret"]))).first["recoveryCodes"]
            login = ("login", "--email", EMAIL, "--password-file", str(second.home / "password"))
            expect(second.ask(*login).code == "mailbox-second-factor", "the password alone is not enough")
            wrong = second.ask(*login, "--second-factor", "000000")
            expect(wrong.code == "mailbox-http", f"a wrong code: {wrong.text}")
            second.must(*login, "--second-factor", codes[0])

            archive = second.home / "account.tar"
            owner = ("--password-file", str(second.home / "password"))
            refused = second.ask("account", "export", str(archive), *owner)
            expect(refused.code == "input-needed" and not archive.exists(), f"it wants the second factor: {refused.text}")
            exported = second.must("account", "export", str(archive), *owner, "--second-factor", codes[3]).first
            expect(exported["missing"] == [], f"the server has lost nothing: {exported}")
            with tarfile.open(archive) as tar:
                names = tar.getnames()
                content = tar.extractfile("manifest.json")
                manifest = json.loads(content.read() if content else b"{}")
            expect(names[0] == "README.txt" and names[-1] == "manifest.json", f"{names}")
            expect([row["name"] for row in manifest["documents"]] == names[:-1], f"{manifest}")
            expect(archive.stat().st_mode & 0o777 == 0o600, "it is readable for its owner alone")

            here = next(row for row in second.must("account").first["sessions"] if row["current"])
            second.must("account", "end", "--others")
            expect(guide.ask("account").code == "mailbox-unauthenticated", "the session elsewhere is over")
            expect(second.ask("account", "end", "none").code == "unknown-session", "there is no such session")
            second.must("account", "end", str(here["id"])[:8])
            expect(second.ask("account").code == "mailbox-unauthenticated", "and then its own")

            count = len(server.codes())
            expect(guide.must("login", "--email", EMAIL, "--forgot").first["codeSent"], "a code is sent")
            wait_until(lambda: len(server.codes()) > count, 30, "the code is mailed")
            fresh = guide.home / "fresh"
            fresh.write_text("battery staple")
            forgot = ("login", "--email", EMAIL, "--forgot", "--code", server.codes()[-1], "--new-password-file", str(fresh))
            guide.must(*forgot, "--second-factor", codes[1])
            account = guide.must("account").first
            expect(account["secondFactor"]["recoveryCodesLeft"] == len(codes) - 3, f"{account['secondFactor']}")
            known = ("--password-file", str(fresh))
            guide.must("account", "totp", "off", *known, "--second-factor", codes[2])
            expect(not guide.must("account").first["secondFactor"]["on"], "it is off")
        finally:
            server.stop()
