"""Goal: bad input is refused with a reason, and harms nothing.
Method: through the command line, through hostile disks, and by a hostile client on a node's port."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from cases import Context, case, expect
from nodes import Answer, Node, all_know_all, make_tour, wait_until

HERE = Path(__file__).parent
RSS_GROWTH_MAX_KIB = 32 * 1024
SILENT, PENDING_MAX = 200, 16  # the second is `handshakesPerAddressMax`


def expect_refused(answer: Answer, what: str, code: str = "") -> None:
    """Not status 0, no id answered, and an error with a code and words; `code` has to be part of the code."""
    expect(answer.status != 0, f"{what}: was not refused: {answer.text[:200]}")
    expect(not any("id" in row for row in answer.lines), f"{what}: refused, yet it answered an id")
    told = answer.code and answer.error.get("message")
    expect(told, f"{what}: no JSON error on standard error: {answer.text[:300]!r}")
    expect(code in answer.code, f"{what}: the code is '{answer.code}', not '{code}'")


@case
def wrong_commands(context: Context) -> None:
    """Mistyped and unknown codes, rights a member lacks, bad texts, a data directory in use."""
    context.repetitions = context.times(1)
    with context.tour(2) as (lab, (guide, member)):
        follower = guide.follow()
        codes(lab.hosts[1].node("stranger"), guide)
        expect_refused(member.ask("announce", "I am not the guide"), "an announcement by a member")
        expect_refused(member.ask("send", ""), "an empty text")
        longest = member.send("x" * 16384)
        expect_refused(member.ask("send", "x" * 16385), "a text of 16 KiB and one byte")
        expect_refused(member.ask("send", "ü" * 8193), "a text of 16 KiB and two bytes in 8,193 letters")
        expect_refused(member.ask("delete", "00000000"), "an id that is none")
        twin = Node(member.place, member.home, "twin")
        again = twin.ask("run", "--name", "twin", "--web", "off", seconds=30)
        expect_refused(again, "a second node on the same data directory")
        bad_lines(member)
        after = member.send("still here")
        follower.wait_ids([longest, after], 30)
        announced = [row for row in follower.rows.values() if row["type"] == "announcement"]
        expect(not announced, "a member's announcement arrived")


def codes(stranger: Node, guide: Node) -> None:
    stranger.start()
    code = str(guide.must("tour", "invite").first["joinCode"])
    at = len(code) // 2 if code[len(code) // 2] != "-" else len(code) // 2 + 1
    mistyped = code[:at] + ("B" if code[at] != "B" else "C") + code[at + 1:]
    answer = stranger.ask("join", mistyped)
    expect_refused(answer, "a mistyped code")
    words = (answer.code + str(answer.error["message"])).lower()
    expect("mistyped" in words or "checksum" in words, f"a mistyped code is called '{answer.error}'")
    expect_refused(stranger.ask("join", code[:-6]), "half a code")
    expect_refused(stranger.ask("join", "!?"), "a code of other signs")
    elsewhere = Node(guide.place, guide.home.parent / "elsewhere", "elsewhere")
    expect_refused(elsewhere.ask("tour", "create", "Nobody Here"), "a tour of somebody without a name", "name-needed")
    expect_refused(elsewhere.ask("join", code), "somebody without a name", "name-needed")
    unknown = str(elsewhere.must("tour", "create", "Nobody Here", "--as", "Nemo").first["joinCode"])
    answer = stranger.ask("join", unknown, "--timeout", "6", seconds=60)
    expect_refused(answer, "the code of a tour that nobody here knows")
    expect("mistyped" not in answer.code, "a code that is right is called mistyped")
    expect_refused(stranger.ask("send", "hello"), "a text without a tour")
    stranger.must("join", code, "--name", stranger.name, seconds=120)
    stranger.stop()


def bad_lines(node: Node) -> None:
    """`send -` answers a bad line with an error, in its place, and goes on."""
    lines = [b"good one", b"\xff\xfe broken \xc3", b"x" * 16385, b"good two"]
    answer = node.ask("send", "-", stdin=b"\n".join(lines) + b"\n")
    kinds = ["error" if "error" in row else "id" if "id" in row else "?" for row in answer.lines]
    expect(kinds == ["id", "error", "error", "id"], f"`send -` answered {kinds}: {answer.text[:300]}")
    contents = [row["content"] for row in node.messages()]
    expect("good one" in contents and "good two" in contents, "the good lines beside bad ones are not listed")
    expect(not any("broken" in content for content in contents), "a line of invalid UTF-8 was taken")


@case
def hostile_disks(context: Context) -> None:
    """A read-only data directory and a full disk: refused before it is acknowledged, and nothing is lost."""
    context.repetitions = context.times(1)
    with context.lab([(0,)]) as lab:
        host = lab.hosts[0]
        node = host.node("readonly").start()
        make_tour([node])
        kept = node.send("kept")
        node.stop()
        lab.read_only(node.data)
        expect_refused(node.ask("send", "nowhere to go"), "a text on a read-only data directory")
        started = node.ask("run", "--name", "x", "--web", "off", seconds=30)
        expect_refused(started, "a node on a read-only data directory")
        lab.writable_again(node.data)
        node.start()
        expect([row["id"] for row in node.messages()] == [kept], "something else than before after read-only")
        node.stop()

        full = host.node("full")
        disk = full.home / "disk"
        lab.small_disk(disk, 30)
        full.data, ballast = disk / "data", disk / "ballast"
        ballast.write_bytes(bytes(24 << 20))
        full.start()
        make_tour([full])
        acknowledged, refused = fill(full)
        expect(refused, "6 MiB of room took 15 MB of messages")
        expect(full.alive, f"the node ended on a full disk: {full.log_tail()}")
        expect_refused(full.ask("send", "y" * 15_000), "a text on a full disk")
        ballast.unlink()
        full.stop()
        full.start()
        listed = [row["id"] for row in full.messages()]
        expect(set(acknowledged) <= set(listed), "an acknowledged message is gone after the disk was full")
        expect(len(set(listed)) == len(listed), "a message is listed twice after the disk was full")
        full.send("and there is room again")
        context.note(f"{len(acknowledged)} taken, {refused} refused by the full disk")


@case
def nothing_leaves_unstored(context: Context) -> None:
    """What the disk refuses, nobody hears: the number of such a message is given again, and two under one number would
    end the log as one that forks."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2) as lab:
        writer, reader = lab.hosts[0].node("writer"), lab.hosts[1].node("reader")
        disk = writer.home / "disk"
        lab.small_disk(disk, 30)
        writer.data, ballast = disk / "data", disk / "ballast"
        ballast.write_bytes(bytes(24 << 20))
        writer.start()
        make_tour([writer, reader.start()])
        wait_until(lambda: writer.links() >= 1, 60, "a link")
        acknowledged, refused = fill(writer)
        expect(refused, "6 MiB of room took 15 MB of messages")
        ballast.unlink()
        last = writer.send("there is room again")
        reader.follow().wait_ids([*acknowledged, last], 60)
        heard = {str(row["id"]) for row in reader.messages()}
        expect(heard == {*acknowledged, last}, f"{len(heard - {*acknowledged, last})} messages left that were refused")
        expect(writer.status()["ownLog"] == "ready", "the writer's log forks")
        context.note(f"{len(acknowledged)} taken, {refused} refused, {len(heard)} heard")


def fill(node: Node) -> tuple[list[str], int]:
    """Sends 15 MB; returns the ids of what was taken, and how many were refused."""
    text = b"".join(b"%06d %s\n" % (k, b"z" * 15_000) for k in range(1000))
    answer = node.ask("send", "-", stdin=text, seconds=180)
    taken = [str(row["id"]) for row in answer.lines if "id" in row]
    return taken, sum("error" in row for row in answer.lines)


@case
def hostile_client(context: Context) -> None:
    """Garbage, half and oversized frames, silent sockets, 10,000 connections: alive, bounded, counted."""
    connections = max(2000, context.times(10_000))
    context.repetitions = connections
    with context.lab([(0,)] * 3) as lab:
        guide, member = lab.hosts[0].node("guide").start(), lab.hosts[1].node("member").start()
        make_tour([guide, member])
        all_know_all([guide, member])
        member.follow().wait_ids([guide.send("before")], 30)
        member.stop()
        before, counted = guide.rss_kib(), rejected(guide)
        most = before

        def attack(kind: str, count: int) -> subprocess.Popen[str]:
            argv = [sys.executable, str(HERE / "hostile.py"), lab.hosts[0].address(), str(guide.port), kind, str(count),
                    str(context.random.randrange(1 << 30))]
            return subprocess.Popen(lab.hosts[2].argv(argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        for kind, count in (("garbage", 200), ("truncated", 200), ("oversized", 100), ("burst", connections)):
            attacker = attack(kind, count)
            attacker.communicate("\n", timeout=240)
            expect(attacker.returncode == 0, f"the hostile client '{kind}' itself failed")
            expect(guide.alive, f"'{kind}' ended the node: {guide.log_tail()}")
            most = max(most, guide.rss_kib())
        wait_until(lambda: rejected(guide) > counted, 15, "`status` counts something as rejected")

        refused = guide.status()["rejected"].get("connection-refused", 0)
        silent = attack("silent", SILENT)
        assert silent.stdout
        expect(json.loads(silent.stdout.readline())["connected"] > 0, "no silent connection was made")
        wait_until(lambda: guide.status()["rejected"].get("connection-refused", 0) - refused >= SILENT - PENDING_MAX,
                   15, f"all but {PENDING_MAX} silent connections of one address are refused")
        member.start()
        wait_until(lambda: member.links() >= 1, 60, "an honest member links beside 200 silent connections")
        member.follow().wait_ids([guide.send("beside the silent")], 60)
        most = max(most, guide.rss_kib())
        silent.communicate("\n", timeout=60)
        expect(guide.alive, f"silent connections ended the node: {guide.log_tail()}")
        expect(most - before <= RSS_GROWTH_MAX_KIB, f"memory grew from {before} to {most} KiB")
        guide.follow().wait_ids([member.send("after")], 30)
        context.note(f"{before // 1024} -> {most // 1024} MiB, {rejected(guide) - counted} rejected")


def rejected(node: Node) -> int:
    """All counters of `status` whose name begins with `rejected`, added up."""
    def total(value: object) -> int:
        if isinstance(value, dict):
            return sum(map(total, value.values()))
        return value if isinstance(value, int) else 0
    return sum(total(value) for key, value in node.status().items() if key.startswith("rejected"))
