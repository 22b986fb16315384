"""Goal: who upgrades loses nothing, whatever interrupts it; old and new programs of one tour understand each other; and an
older program refuses what it does not know. Method: real programs; a database put back to an older form; and, where
TOURCHAT_OLD names a program of the last release, a tour of both."""
from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cases import Context, Unavailable, case, expect, expect_same_messages
from nodes import Here, Node, all_know_all, make_tour, parse_rows, wait_until
from server import EMAIL, Server, binary
from test_disk import SOURCE, FailingDisk
from test_files import digest, has_it, random_file, save, send_file

OLD = os.environ.get("TOURCHAT_OLD", "")
MESSAGES = 300
LATER = "INSERT INTO {} VALUES ('99-later')"
# Back to the form in which nobody had written yet which messages were displayed, and who was there when.
OLDER = """
    DROP TABLE sign; DROP TABLE receipt; DROP INDEX event_unseen; ALTER TABLE event DROP COLUMN seen;
    DROP INDEX event_order; DROP INDEX event_announced; ALTER TABLE event DROP COLUMN place;
    CREATE INDEX event_order ON event (tour, clock) WHERE class NOT IN (0, 3);
    DELETE FROM grdb_migrations WHERE identifier IN ('10-seen', '11-presence', '12-place');
"""


def change(database: Path, statements: str) -> None:
    """Changes a database that nobody has open, and leaves it in one file."""
    connection = sqlite3.connect(database)
    connection.executescript(f"BEGIN; {statements}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE);")
    connection.close()


def contents(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


@contextmanager
def older_node(home: Path) -> Iterator[tuple[Node, Path]]:
    """A node with a tour and messages, its database in an older form, and a copy of that."""
    node = Node(Here(), home / "node", "guide")
    node.must("tour", "create", "Rome", "--as", "Ada")
    answer = node.ask("send", "-", stdin="".join(f"number {k}\n" for k in range(MESSAGES)).encode())
    expect(len(answer.lines) == MESSAGES, f"{len(answer.lines)} of {MESSAGES} are sent")
    older = home / "older.sqlite"
    change(node.data / "tour.sqlite", OLDER)
    shutil.copyfile(node.data / "tour.sqlite", older)
    yield node, older


def put_back(node: Node, older: Path) -> None:
    """The older database again, in the same directory: a copied directory would be another node's."""
    for end in ("-wal", "-shm"):
        (node.data / f"tour.sqlite{end}").unlink(missing_ok=True)
    shutil.copyfile(older, node.data / "tour.sqlite")


def expect_upgraded(node: Node, what: str) -> None:
    node.place = Here()
    said = [row["content"] for row in node.messages()]
    expect(said == [f"number {k}" for k in range(MESSAGES)], f"{what}: {len(said)} messages are there")
    sent = node.send("and on")
    expect(node.messages()[-1]["id"] == sent, f"{what}: it does not write on")


@case
def interrupted_upgrade(context: Context) -> None:
    """The n-th disk operation of an upgrade fails, once or for good, for every n; and it is killed at any time: the next
    start ends it, and nothing is lost."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        raise Unavailable("no C compiler is installed")
    with tempfile.TemporaryDirectory(prefix="tour-upgrade-") as name:
        home = Path(name).resolve()
        library, counter = home / "diskfault.so", home / "counter"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"], check=True)
        with older_node(home) as (node, older):
            def upgrade(at: int, lasting: bool) -> int:
                put_back(node, older)
                counter.write_bytes(bytes(8))
                node.place = FailingDisk(library, node.data, counter, at, lasting)
                answer = node.ask("tour", "list", seconds=30)
                expect(answer.status >= 0, f"operation {at}: ended by signal {-answer.status}: {answer.text[-300:]}")
                count = int.from_bytes(counter.read_bytes(), "little")
                expect_upgraded(node, f"operation {at} failed{' and all after it' if lasting else ''}")
                return count

            count = upgrade(0, False)
            expect(count > 20, f"an upgrade has {count} operations: the disk is not watched")
            chosen = sorted(context.random.sample(range(1, count + 1), context.times(count)))
            for at in chosen:
                upgrade(at, False)
                upgrade(at, True)
            kills = context.times(100)
            for _ in range(kills):
                put_back(node, older)
                process = subprocess.Popen(node.argv("tour", "list"), stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL, env=node.place.environment())
                time.sleep(context.random.uniform(0, 0.15))
                process.send_signal(signal.SIGKILL)
                process.wait()
                expect_upgraded(node, "killed")
        context.repetitions = 2 * len(chosen) + kills
        context.note(f"{2 * len(chosen)} of 2 x {count} operations failed, {kills} kills")


@case
def later_data(context: Context) -> None:
    """An older program refuses a later version's data in a sentence that says what to do, and leaves them as they are:
    those of a node, a backup, and a server's."""
    context.repetitions = 1
    with context.lab([(0,)], avahi=False) as lab:
        [host] = lab.hosts
        node, secret = host.node("guide"), host.home / "secret"
        secret.write_text("lantern by the harbour")
        node.must("tour", "create", "Rome", "--as", "Ada")
        said = node.send("before")
        database = node.data / "tour.sqlite"
        change(database, LATER.format("grdb_migrations"))
        before = contents(database)
        for words in (("run", "--web", "off"), ("messages",), ("send", "lost?")):
            answer = node.ask(*words)
            expect(answer.status != 0 and answer.code == "store-newer", f"{words[0]}: {answer.text[-300:]}")
            expect("update tour-chat" in str(answer.error.get("message")), f"it says: {answer.error}")
        expect(contents(database) == before, "the later database was changed")
        change(database, "DELETE FROM grdb_migrations WHERE identifier = '99-later'")
        expect([row["id"] for row in node.messages()] == [said], "it does not open with its own version again")
        # A backup that a later version made: one of this version whose database says so.
        node.start("--no-mdns")
        connection = sqlite3.connect(database)
        connection.execute(LATER.format("grdb_migrations"))
        connection.commit()
        connection.close()
        backup = host.home / "later.backup"
        node.must("backup", str(backup), "--backup-passphrase-file", str(secret))
        other = host.node("other")
        for _ in range(2):
            answer = other.ask("restore", str(backup), "--backup-passphrase-file", str(secret))
            expect(answer.code == "store-newer", f"restored twice, it says: {answer.text[-300:]}")
        server = Server(host).start()
        server.make_guide()
        server.stop()
        change(server.home / "data" / "server.sqlite", LATER.format("migrations"))
        for words in (("serve", "--listen", "127.0.0.1:0"), ("migrate",), ("user", "role", EMAIL, "admin")):
            done = subprocess.run(host.argv([binary(), *words, "--data-dir", str(server.home / "data")]), timeout=30,
                                  capture_output=True, text=True)
            expect(done.returncode == 1 and "newer-database" in done.stderr and "install that version" in done.stderr,
                   f"tour-server {words[0]}: {done.returncode}, {done.stdout[-200:]} {done.stderr[-300:]}")


def older_and_newer(context: Context) -> None:
    """A node of the last release and two of this one: they join each other's tours, chat, pass on and exchange files; the
    old one's data are upgraded, and it goes on."""
    context.repetitions = 1
    with context.lab([(0,), (0, 1), (1,)]) as lab:
        first, between, last = nodes = [host.node(name) for host, name in zip(lab.hosts, ("first", "between", "last"))]
        # The messages of first and last pass through the old one.
        between.binary = OLD
        for node in nodes:
            node.start()
        code = make_tour([between, first])
        last.must("join", code, "--name", last.name, seconds=120)
        all_know_all(nodes)
        wanted = {node.send(f"{k} from {node.name}") for k in range(20) for node in nodes}
        wanted.add(str(between.must("announce", "All to the boat", "--urgent").first["id"]))
        between.must("role", "first", "guide")
        source = random_file(lab.home / "file.bin", 1_500_000)
        files = [send_file(node, source, "--caption", f"by {node.name}") for node in nodes]
        wanted.update(files)
        for node in nodes:
            wait_until(lambda: wanted <= {row["id"] for row in node.messages()}, 90, f"{node.name} has all messages")
            for file in files:
                node.must("files", "--fetch", file)
                wait_until(lambda: has_it(node, file), 90, f"{node.name} has the file")
                expect(digest(save(node, file)) == digest(source), f"{node.name} saved something else")
            own = [row for row in node.messages() if row["mine"]]
            wait_until(lambda: {row["status"] for row in node.messages() if row["id"] in {o["id"] for o in own}}
                       <= {"delivered", "read"}, 90, f"{node.name} knows that its messages arrived")
        wait_until(lambda: first.must("tour", "list").first["role"] == "guide", 30, "the new rank arrived")
        # A tour of a new program's, and the old one joins it.
        code = str(first.must("tour", "create", "Oslo").first["joinCode"])
        between.must("join", code, "--name", between.name, seconds=120)
        told = first.send("Welcome to Oslo")
        wait_until(lambda: told in {row["id"] for row in between.messages()}, 60, "the old one has it")
        between.must("tour", "use", "Walk")
        first.must("tour", "use", "Walk")
        before = [row["content"] for row in between.messages() if row["id"] in wanted]
        # The old one is upgraded.
        expect(between.stop() == 0, f"the old one did not end well: {between.log_tail()}")
        between.binary = os.environ["TOURCHAT"]
        between.start()
        wanted.update(node.send(f"after the upgrade, from {node.name}") for node in nodes)
        for node in nodes:
            wait_until(lambda: wanted <= {row["id"] for row in node.messages()}, 90, f"{node.name} has all afterwards")
        expect([row["content"] for row in between.messages()][:len(before)] == before, "the upgrade changed messages")
        expect_same_messages(nodes, set(), None)
        # And back: refused where the form of the data has changed, and fine where it has not.
        between.stop()
        between.binary = OLD
        between.launch()
        line = between._lines.get(timeout=30)
        rows = parse_rows(line or "")
        if rows and rows[0].get("event") == "ready":
            context.note("the older program opens this version's data: their form is the same")
        else:
            expect("store-newer" in between.log_tail(2000) + (line or ""), f"it ended with: {line} {between.log_tail()}")
            context.note("the older program refuses this version's data")


if OLD:
    # Only where there is such a program: a clone has none, and to build one takes minutes (Scripts/test --old).
    case(older_and_newer)
