"""Goal: what lies on a disk tells a thief nothing, and no copy of it ever writes a sequence again.
Method: data directories of real nodes, sealed, backed up, restored, copied, locked and wiped; searched for canaries."""
from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

from cases import Context, case, expect, expect_same_messages
from lab import Host, LabError, listens
from nodes import Node, Row, end, make_tour, wait_until
from programs import interpreter, python_node

from test_input import expect_refused

PASSPHRASE = "lantern pelican umbrella"


def secret_file(node: Node, name: str, text: str) -> str:
    path = node.home / name
    path.write_text(text + "\n")
    return str(path)


def own_log(node: Node) -> str:
    return str(node.status().get("ownLog"))


def await_ready_log(node: Node) -> None:
    wait_until(lambda: own_log(node) == "ready", 90, f"{node.name} may write again", pause=0.5)


def places(rows: list[Row]) -> list[tuple[str, int]]:
    return [(row["authorID"], row["seq"]) for row in rows]


def found_in(path: Path, canaries: dict[str, bytes]) -> list[str]:
    """Which of the canaries stand in a file, or in any file below a directory."""
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    found = []
    for file in files:
        content = file.read_bytes()
        found += [f"{what} in {file.name}" for what, canary in canaries.items() if canary in content]
    return found


class Session:
    """A user's session on a host, also a `Place` for nodes: a bus of its own, and GNOME Keyring, which is open."""

    def __init__(self, host: Host) -> None:
        self.host, self.home = host, host.home / "session"
        self.home.mkdir(mode=0o700)
        self.bus = f"unix:path={self.home}/bus"
        self._daemons: list[subprocess.Popen[bytes]] = []

    def argv(self, argv: list[str]) -> list[str]:
        return self.host.argv(argv)

    def environment(self) -> dict[str, str]:
        own = {"DBUS_SESSION_BUS_ADDRESS": self.bus, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home)}
        return {**self.host.environment(), **own}

    def _daemon(self, *argv: str) -> subprocess.Popen[bytes]:
        with (self.home / "daemons.log").open("ab") as log:
            daemon = subprocess.Popen(self.argv([*argv]), stdin=subprocess.PIPE, stdout=log, stderr=log,
                                      env=self.environment())
        self._daemons.append(daemon)
        return daemon

    def __enter__(self) -> Session:
        if not shutil.which("gnome-keyring-daemon"):
            raise LabError("gnome-keyring-daemon is not installed: Scripts/install test")
        self._daemon("dbus-daemon", "--session", f"--address={self.bus}", "--nofork", "--nopidfile")
        wait_until(lambda: listens(self.home / "bus"), 10, "the bus of the session")
        keyring = self._daemon("gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground")
        assert keyring.stdin
        keyring.stdin.write(b"password of the session")
        keyring.stdin.close()
        wait_until(self._is_there, 20, "GNOME Keyring on the bus of the session")
        return self

    def _send(self, destination: str, path: str, call: str, *arguments: str) -> str:
        return subprocess.run(["dbus-send", f"--bus={self.bus}", "--print-reply", f"--dest={destination}", path, call,
                               *arguments], capture_output=True, text=True).stdout

    def _is_there(self) -> bool:
        return "boolean true" in self._send("org.freedesktop.DBus", "/org/freedesktop/DBus",
                                            "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets")

    def keys(self) -> int:
        """How many keys of nodes the keyring has."""
        found = self._send("org.freedesktop.secrets", "/org/freedesktop/secrets",
                           "org.freedesktop.Secret.Service.SearchItems",
                           "dict:string:string:xdg:schema,tour-chat.StorageKey")
        return found.count("object path")

    def __exit__(self, *_: object) -> None:
        for daemon in reversed(self._daemons):
            end(daemon, 5)


@case
def keyring_of_the_session(context: Context) -> None:
    """With an open keyring a first start puts its key there; it opens in that session only, and `wipe` takes it out."""
    context.repetitions = context.times(1)
    with context.lab([(0,)]) as lab, Session(lab.hosts[0]) as session:
        host = lab.hosts[0]
        node = Node(session, session.home / "node", "keyholder").start()
        host.nodes.append(node)
        expect(node.status()["storageKey"] == "keyring", f"the key is in a {node.status()['storageKey']}")
        expect(len((node.data / "storage.key").read_bytes()) == 23, "the key's file holds more than where the key is")
        expect(session.keys() == 1, f"{session.keys()} keys in the keyring")
        node.must("tour", "create", "Walk")
        text = node.send("kept in a keyring")
        node.must("lock")
        expect_refused(node.ask("messages"), "reading from a locked node", "locked")
        node.must("unlock")
        node.stop()
        expect([row["id"] for row in node.messages()] == [text], "it does not open again in its session")
        outside = Node(host, node.home, "outside")
        expect_refused(outside.ask("messages"), "reading outside the session", "keyring-unavailable")
        secret = secret_file(node, "secret", PASSPHRASE)
        node.must("passphrase", "set", "--new-passphrase-file", secret)
        expect(session.keys() == 0, "the key is still in the keyring")
        listed = outside.must("messages", "--passphrase-file", secret).lines
        expect([row["id"] for row in listed] == [text], "it does not open by the passphrase")
        node.must("passphrase", "keyring", "--passphrase-file", secret)
        expect(session.keys() == 1, "the key is not in the keyring again")
        # A wipe that was cut short behind its first step: the file says that the key is destroyed, the keyring has it.
        node.stop()
        mark = bytearray((node.data / "storage.key").read_bytes())
        mark[6] = 3
        (node.data / "storage.key").write_bytes(mark)
        node.start()
        expect(not node.must("tour", "list").lines, "what was being wiped is there again")
        expect(session.keys() == 1, f"{session.keys()} keys in the keyring, and one node")
        node.must("wipe", "--yes")
        expect(session.keys() == 0, "the keyring still has the key after a wipe")
        expect(not node.data.exists(), "something is left")


def allow_core_dumps() -> None:
    """Lets what is started from here leave one, so that a node that leaves none does so by itself."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError):  # only root may raise the limit
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))


@case
def sealed_under_a_passphrase(context: Context) -> None:
    """A passphrase set beside a running node: no text, name, code or key in its directory, its log or a core dump."""
    context.repetitions = context.times(1)
    allow_core_dumps()
    with context.lab([(0,)]) as lab:
        node = lab.hosts[0].node("Zephyrine").start()
        code = str(node.must("tour", "create", "Walk to the Quixotic Fountain").first["joinCode"])
        key = (node.data / "storage.key").read_bytes()[-32:]
        canaries = {
            "the code": code.encode(), "the compact code": code.replace("-", "").encode(), "the name": b"Zephyrine",
            "the tour's name": b"Quixotic", "the text": b"meet me behind the aqueduct",
            "the passphrase": PASSPHRASE.encode(), "the storage key": key}
        expect(found_in(node.data, {"key": key}), "the key did not lie in a plain file at first: nothing is tested")
        node.send("meet me behind the aqueduct")
        wrong, right = secret_file(node, "wrong", "lantern lamp"), secret_file(node, "right", PASSPHRASE)
        expect(node.must("passphrase", "set", "--new-passphrase-file", right).first["storageKey"] == "passphrase",
               "the key is not called sealed")
        node.send("behind the aqueduct, said again")
        expect_refused(node.ask("passphrase", "change", "--passphrase-file", wrong, "--new-passphrase-file", wrong),
                       "a change without the present passphrase", "passphrase-wrong")
        limits = Path(f"/proc/{node.process.pid}/limits").read_text() if node.process else ""
        core = next((line.split() for line in limits.splitlines() if line.startswith("Max core file size")), [])
        expect(core[4:6] == ["0", "0"], f"core dumps are allowed: {core}")
        assert node.process
        node.process.send_signal(signal.SIGSYS)  # ends it with a core dump, where that is allowed
        node.process.wait(30)
        cores = [p for place in (Path.cwd(), node.home, node.data) for p in place.glob("core*") if p.is_file()]
        expect(not cores, f"a core dump was left: {cores}")
        for place in (node.data, node.home / "node.log"):
            found = found_in(place, canaries)
            expect(not found, f"canaries: {', '.join(found)}")
        expect_refused(node.ask("messages"), "reading without the passphrase", "passphrase-needed")
        expect_refused(node.ask("messages", "--passphrase-file", wrong), "a wrong passphrase", "passphrase-wrong")
        listed = node.must("messages", "--passphrase-file", right).lines
        expect(len(listed) == 2, f"{len(listed)} messages with the right passphrase")
        node.start("--passphrase-file", right)
        expect("Protected by a passphrase" in node.ask("doctor").text, "`doctor` does not say that the key is sealed")
        node.must("passphrase", "remove", "--passphrase-file", right)
        node.stop()
        expect(len(node.messages()) == 2, "after the removal it does not open without")


def key_files(node: Node) -> list[str]:
    return sorted(path.name for path in node.data.glob("storage.key*"))


@case
def new_key_killed_at_any_moment(context: Context) -> None:
    """kill -9 while all is sealed under a new key, 200 times: one key opens all of it, and the old one nothing new."""
    context.repetitions = context.times(200)
    with context.lab([(0,)]) as lab:
        node = lab.hosts[0].node("node").start()
        node.must("tour", "create", "Walk")
        node.must("places", "add", "Tower", "--at", "48.8584,2.2945")
        picture = node.home / "view.bin"
        picture.write_bytes(os.urandom(12 << 20))  # so that the sealing takes its time
        node.must("places", "edit", "Tower", "--file", str(picture))
        sent = [node.send("before")]
        first = (node.data / "storage.key").read_bytes()
        secret = secret_file(node, "secret", PASSPHRASE)
        known, ended, taken_back = ["--passphrase-file", secret], 0, 0

        def renewal() -> list[str]:
            ways = ["change", "remove"] if node.status()["storageKey"] == "passphrase" else ["set"]
            return node.argv("passphrase", context.random.choice(ways), "--new-key", *known,
                             "--new-passphrase-file", secret)

        for k in range(context.repetitions):
            before = (node.data / "storage.key").read_bytes()
            asked = subprocess.Popen(renewal(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                     env=node.place.environment())
            wait_until(lambda: len(key_files(node)) > 1 or asked.poll() is not None, 60, "it begins", pause=0.002)
            time.sleep(context.random.choice((0, 0.003, 0.03, 0.1, 0.3, 0.6)))  # the moment, not a wait for anything
            node.kill()
            asked.wait(60)
            node.start(*known, seconds=60)
            expect(key_files(node) == ["storage.key"], f"round {k}: keys are left: {key_files(node)}")
            if (node.data / "storage.key").read_bytes() == before:
                taken_back += 1
            else:
                ended += 1
            sent.append(node.send(f"round {k}"))
        context.note(f"{ended} ended, {taken_back} taken back")
        if node.status()["storageKey"] == "passphrase":
            node.must("passphrase", "remove", "--new-key", *known)
        last = node.must("passphrase", "set", "--new-key", "--new-passphrase-file", secret).lines[-1]
        expect(last["event"] == "done" and last["storageKey"] == "passphrase", f"it ended with {last}")
        sent.append(node.send("after"))
        expect([row["id"] for row in node.messages()] == sent, "messages are lost, or there twice")
        saved = node.must("places", "save", "Tower", str(node.home)).first
        expect(Path(saved["path"]).read_bytes() == picture.read_bytes(), "the file is another one")
        node.stop()
        expect(not found_in(node.data, {"the first key": first[-32:]}), "the first key is on the disk still")
        (node.data / "storage.key").write_bytes(first)
        expect_refused(node.ask("messages"), "reading with the first key", "store-damaged-key-mismatch")


@case
def restored_while_others_live(context: Context) -> None:
    """A backup is restored on another host while the tour goes on: nothing is lost, no sequence comes twice."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 4) as lab:
        guide, other, member = (host.node(n).start() for host, n in zip(lab.hosts, ("guide", "other", "member")))
        make_tour([guide, other, member])
        at_guide = guide.follow()
        secret = secret_file(member, "secret", PASSPHRASE)
        backup = member.home / "trip.backup"
        before = [member.send(f"before {k}") for k in range(5)]
        reports = member.must("backup", str(backup), "--backup-passphrase-file", secret).lines
        expect(reports[-1]["event"] == "done", f"the backup ended with {reports[-1]}")
        expect(not found_in(backup, {"text": b"before 3", "SQLite": b"SQLite format 3"}), "the backup is in clear")
        after = [member.send(f"after {k}") for k in range(5)]
        at_guide.wait_ids(before + after)
        member.stop()
        phoenix = lab.hosts[3].node("phoenix")
        expect_refused(phoenix.ask("restore", str(backup), "--backup-passphrase-file",
                                   secret_file(phoenix, "wrong", "pelican")), "a wrong passphrase", "passphrase-wrong")
        phoenix.must("restore", str(backup), "--backup-passphrase-file", secret)
        expect_refused(phoenix.ask("restore", str(backup), "--backup-passphrase-file", secret),
                       "a second restore into the same directory", "store-not-empty")
        expect_refused(phoenix.ask("send", "too early"), "writing before anybody was met", "recovering")
        phoenix.start()
        expect(phoenix.ready["nodeID"] != member.ready["nodeID"], "the restored node took over the other one's id")
        said = [guide.send("meanwhile, the guide"), other.send("meanwhile, another")]
        await_ready_log(phoenix)
        said.append(phoenix.send("risen"))
        at_guide.wait_ids(said)
        phoenix.follow().wait_ids(before + after + said)
        other.follow().wait_ids(said)
        expect_same_messages([guide, other, phoenix], set(before + after + said), 13)
        rows = guide.messages()
        expect(len(set(places(rows))) == len(rows), "a sequence was used twice")
        expect(len({row["authorID"] for row in rows}) == 3, "the restored node is somebody else")


@case
def neighbour_hides_the_end(context: Context) -> None:
    """A hostile member alone with a restored node hides the last of its log: it waits, says so, and no log forks."""
    interpreter()
    context.repetitions = context.times(1)
    with context.lab([(0,), (0,), (0, 1), (0, 1), (1,)]) as lab:
        guide, member, bridge = (host.node(n).start() for host, n in zip(lab.hosts, ("guide", "member", "bridge")))
        code = make_tour([guide, member, bridge])
        lab.hosts[3].stop_avahi()
        with python_node(lab.hosts[3], "liar", code, "--dial", "--listen", "0") as liar:
            port = liar.wait("listening", 30)["port"]
            secret, backup = secret_file(member, "secret", PASSPHRASE), member.home / "trip.backup"
            before = [member.send(f"before {k}") for k in range(3)]
            member.must("backup", str(backup), "--backup-passphrase-file", secret)
            known = {row["id"]: row for row in member.messages()}[before[-1]]
            after = [member.send(f"after {k}") for k in range(5)]
            for node in (guide, bridge):
                node.follow().wait_ids(before + after)
            liar.wait("message", 60, len(before + after))
            liar.write(f"/hide {known['authorID']} {known['seq']}")
            expect(liar.wait("hidden", 10)["held"] > known["seq"], "the liar has nothing to hide")
            member.stop()
            bridge.stop()
            phoenix = lab.hosts[4].node("phoenix")
            phoenix.must("restore", str(backup), "--backup-passphrase-file", secret)
            phoenix.start("--peer", f"{lab.hosts[3].address(1)}:{port}")
            wait_until(lambda: phoenix.status()["recovery"] == {"heard": 1, "needed": 2}, 60, "one has answered")
            expect(own_log(phoenix) == "recovering", "it believed a single neighbour")
            expect_refused(phoenix.ask("send", "too early"), "writing on one neighbour's word", "recovering")
            told = phoenix.ask("doctor").text
            expect("1 of 2 have" in told and "Bring 2 members near" in told, f"`doctor` says: {told}")
            bridge.start()
            await_ready_log(phoenix)
            risen = phoenix.send("risen")
            guide.follow().wait_ids(before + after + [risen])
            phoenix.follow().wait_ids(before + after + [risen])
            rows = guide.messages()
            expect(len(set(places(rows))) == len(rows), "a sequence was used twice")
            expect(own_log(phoenix) == "ready", "its key was lost")


@case
def given_up_keys(context: Context) -> None:
    """A backup restored with new keys reads what was there, writes nothing, and comes back in with a code."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2) as lab:
        guide, member = (host.node(n).start() for host, n in zip(lab.hosts, ("guide", "member")))
        code = make_tour([guide, member])
        old = member.send("with the old key")
        secret, backup = secret_file(member, "secret", PASSPHRASE), member.home / "trip.backup"
        member.must("backup", str(backup), "--backup-passphrase-file", secret)
        member.stop()
        again = lab.hosts[1].node("again")
        again.must("restore", str(backup), "--new-keys", "--backup-passphrase-file", secret)
        again.start()
        expect([row["id"] for row in again.messages()] == [old], "what was in the backup is not there")
        expect_refused(again.ask("send", "nobody"), "writing with a key that was given up", "key-retired")
        again.must("join", code, "--name", "again", seconds=120)
        text = again.send("with a new key")
        guide.follow().wait_ids([old, text])
        expect(len(guide.members()) == 3, "it did not come in as a new member")


@case
def copied_data_directory(context: Context) -> None:
    """A data directory copied to a second host: it waits and takes up the log; two that both write are noticed."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        guide, member = (host.node(n).start() for host, n in zip(lab.hosts, ("guide", "member")))
        code = make_tour([guide, member])
        at_guide = guide.follow()
        sent = [member.send(f"first {k}") for k in range(3)]
        at_guide.wait_ids(sent)
        member.stop()
        twin = lab.hosts[2].node("twin")
        shutil.copytree(member.data, twin.data)
        os.chmod(twin.data, 0o700)
        expect_refused(twin.ask("send", "at once"), "writing from a copy", "recovering")
        twin.start()
        await_ready_log(twin)
        sent.append(twin.send("from the copy"))
        at_guide.wait_ids(sent)
        twin.stop()
        # The first one comes back: it is where it was, so it may write, but others hold more of its log than it does.
        member.start()
        member.follow().wait_ids(sent)
        sent.append(member.send("from the first again"))
        at_guide.wait_ids(sent)
        expect_same_messages([guide, member], set(sent), 5)
        member.stop()
        # Both write for the same place, out of each other's sight; the copy more, so that the first one is behind.
        member.send("a branch")
        twin.start()
        twin.follow().wait_ids(sent)
        other = [twin.send(f"the other branch {k}") for k in range(6)]
        at_guide.wait_ids(other)
        twin.stop()
        member.start()
        wait_until(lambda: own_log(member) == "forked", 90, "the fork is noticed", pause=0.5)
        expect_refused(member.ask("send", "never"), "writing with a key that wrote two logs", "key-forked")
        expect("own log" in member.ask("doctor").text, "`doctor` does not speak of it")
        expect(member.alive, f"the node ended: {member.log_tail()}")
        member.must("join", code, "--name", "member", seconds=120)
        text = member.send("with another key")
        at_guide.wait_ids([text])
        rows = guide.messages()
        expect(len(set(places(rows))) == len(rows), "a sequence is there twice")


def in_memory(node: Node, secret: bytes) -> bool:
    """Whether the bytes stand anywhere in the memory of the node's process, which only root may look into."""
    assert node.process
    process = Path(f"/proc/{node.process.pid}")
    with (process / "mem").open("rb", buffering=0) as memory:
        for line in (process / "maps").read_text().splitlines():
            area, rights = line.split()[:2]
            if not rights.startswith("rw"):
                continue
            first, last = (int(edge, 16) for edge in area.split("-"))
            try:
                memory.seek(first)
                if secret in memory.read(last - first):
                    return True
            except OSError:
                continue  # a guard page, or gone meanwhile
    return False


@case
def locked_and_wiped(context: Context) -> None:
    """`lock` closes a running node, and its key is in no memory until the passphrase comes; `wipe` leaves nothing."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2) as lab:
        guide, member = (host.node(n).start() for host, n in zip(lab.hosts, ("guide", "member")))
        make_tour([guide, member])
        expect_refused(member.ask("lock"), "locking what lies in the open", "no-passphrase")
        right, wrong = secret_file(member, "right", PASSPHRASE), secret_file(member, "wrong", "pelican")
        key = (member.data / "storage.key").read_bytes()[-32:]
        member.must("passphrase", "set", "--new-passphrase-file", right)
        member.stop()
        member.start("--passphrase-file", right)
        expect(in_memory(member, key), "the key is not found in the memory of a node that runs: nothing is tested")
        known = member.send("before")
        guide.follow().wait_ids([known])
        member.must("lock")
        wait_until(lambda: not in_memory(member, key), 10, "the key is gone from memory", pause=0.5)
        for words in (("messages",), ("send", "no"), ("status",), ("backup", str(member.home / "no"))):
            expect_refused(member.ask(*words, "--passphrase-file", right), f"{words[0]} of a locked node", "locked")
        wait_until(lambda: guide.links() == 0, 60, "the guide sees that it has gone")
        meanwhile = guide.send("meanwhile")
        expect_refused(member.ask("unlock", "--passphrase-file", wrong), "a wrong passphrase", "passphrase-wrong")
        expect_refused(member.ask("messages"), "a node that is still locked", "locked")
        member.must("unlock", "--passphrase-file", right)
        follower = member.follow()
        follower.wait_ids([known, meanwhile])
        guide.follow().wait_ids([member.send("after")])
        expect_refused(member.ask("wipe"), "wiping without a word", "")
        member.must("wipe", "--yes")
        assert member.process
        expect(member.process.wait(30) == 0, "the wiped node did not end in good order")
        expect(not member.data.exists(), f"left: {[p.name for p in member.data.glob('*')]}")
        expect(len(guide.messages()) == 3, "the guide lost something")
        # Without a node, and without the passphrase.
        guide.stop()
        guide.must("wipe", "--yes")
        expect(not guide.data.exists(), "something is left")
