"""Goal: when somebody was there last, and since when somebody has a message, outlives a restart and a wrong clock; who
is counted is the same everywhere; who is out is told that.
Method: real nodes on hosts of their own; one is stopped, killed, and started by a clock that is a year off."""
from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

from cases import Context, Unavailable, case, expect, long
from lab import Host, Lab
from nodes import Node, Row, wait_until
from test_group import await_states, receipts_of
from test_lost import Chat
from test_roles import await_removed

YEAR = 365 * 86_400


def row_of(node: Node, name: str) -> Row:
    return next(row for row in node.members() if row["name"] == name)


def moments(node: Node, message: str) -> dict[str, tuple[object, object]]:
    """Since when each member has it, and has read it."""
    return {row["name"]: (row["delivered"], row["read"]) for row in receipts_of(node, message)["members"]}


def await_company(node: Node, name: str) -> None:
    """Until the node hears a member, and so has what that one passed on."""
    wait_until(lambda: row_of(node, name)["reachable"] and node.links() >= 1, 60, f"{node.name} hears {name}")


def kept(node: Node) -> int:
    """Of how many members the store has a sign of life."""
    with closing(sqlite3.connect(f"file:{node.data}/tour.sqlite?mode=ro", uri=True)) as store:
        return int(store.execute("SELECT count(*) FROM sign").fetchone()[0])


def counts_one_away(node: Node) -> None:
    """A third member is away: `status`, `members` and JSON say the same number of people, oneself among them;
    `membersReachable` counts others."""
    wait_until(lambda: node.status()["people"] == {"total": 3, "reachable": 2}, 60, f"{node.name}: 2 of 3")
    status = node.status()
    expect((status["members"], status["membersReachable"]) == (3, 1), f"{node.name} counts otherwise: {status}")
    near = [row for row in node.members() if row["reachable"]]
    expect(len(near) == 2, f"{node.name} lists {near}")
    for words in (("status",), ("members",)):
        text = plain(node, *words)
        expect("2 of 3, you included" in text, f"`{words[0]}` says: {text[:800]}")


def out_of_reach(node: Node) -> list[str]:
    return [str(row["name"]) for row in node.must("roll", "stragglers").first["stragglers"]]


@long
@case
def gone_for_a_minute(context: Context) -> None:
    """A member who has gone is counted nowhere, and reported once as out of reach for as long as the guide set; when it
    was there last, and the receipts, stay as they were over a kill and a restart."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, nodes):
        guide, stays, gone = nodes
        for node in nodes:
            wait_until(lambda: node.status()["people"] == {"total": 3, "reachable": 3}, 60, f"{node.name}: 3 of 3")
        expect(guide.ask("roll", "stragglers", "0").code == "bad-time", "no time at all is taken")
        guide.must("roll", "stragglers", "1")
        message = str(guide.must("announce", "at the gate at five").first["id"])
        for node in (stays, gone):
            node.follow().wait_ids([message], 30)
            node.must("messages", "--mark-read")
        await_states(guide, message, {stays.name: "read", gone.name: "read"})
        with Chat(lab.hosts[0], guide) as chat, Chat(lab.hosts[1], stays) as other:
            chat.shows("/help")
            gone.stop()
            for node in (guide, stays):
                counts_one_away(node)
            other.shows("2 of 3 near")
            # A minute at most, and once for all of them.
            wait_until(lambda: kept(guide) == 2, 90, "signs of life are kept while the node runs", pause=0.5)
            chat.shows(f"{gone.name} has been out of reach for 1 minute.", 180)
            expect(out_of_reach(guide) == [gone.name], f"out of reach: {out_of_reach(guide)}")
            expect(f"{stays.name} has been out of reach" not in chat.text, "somebody else was reported")
        seen, receipts = row_of(guide, gone.name)["lastSeen"], moments(guide, message)
        expect(seen is not None, "it was never seen")
        for end in (guide.kill, guide.stop):
            end()
            guide.start()
            row = row_of(guide, gone.name)
            expect((row["lastSeen"], row["reachable"]) == (seen, False), f"seen last {seen}, after a restart: {row}")
            await_company(guide, stays.name)
            row = row_of(guide, gone.name)
            expect((row["lastSeen"], row["reachable"]) == (seen, False), f"seen last {seen}, told by others: {row}")
            expect(moments(guide, message) == receipts, f"{moments(guide, message)}, before {receipts}")
        expect(row_of(guide, stays.name)["lastSeen"] > seen, "the member who stays was not seen since")
        expect(guide.must("roll", "stragglers").first["minutes"] == 1, "the watch ended with the node")
        guide.must("roll", "stragglers", "off")


def clock_library(lab: Lab) -> Path:
    """What sets the clock of programs that are started with it: see `set_clock`."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        raise Unavailable("no C compiler")
    library = lab.home / "clockshift.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library),
                    str(Path(__file__).with_name("clockshift.c"))], check=True)
    return library


def set_clock(host: Host, library: Path, seconds: int) -> None:
    host.variables.update(LD_PRELOAD=str(library), CLOCK_SHIFT=str(seconds))


@case
def restart_by_a_wrong_clock(context: Context) -> None:
    """A clock that is a year back at a start hides times that have not come, and loses none; a year ahead they stand,
    and what comes by that clock is set right."""
    context.repetitions = context.times(1)
    with context.tour(3) as (lab, nodes):
        guide, stays, gone = nodes
        library = clock_library(lab)
        message = str(guide.must("announce", "at the gate at five").first["id"])
        for node in (stays, gone):
            node.follow().wait_ids([message], 30)
        await_states(guide, message, {stays.name: "delivered", gone.name: "delivered"})
        gone.stop()
        wait_until(lambda: not row_of(guide, gone.name)["reachable"], 60, "who has gone is away")
        seen, receipts = row_of(guide, gone.name)["lastSeen"], moments(guide, message)
        guide.stop()
        for shift in (-YEAR, YEAR, 0):
            set_clock(lab.hosts[0], library, shift)
            guide.start()
            await_company(guide, stays.name)
            row, shown = row_of(guide, gone.name), moments(guide, message)
            expect(not row["reachable"], f"{shift} s off, and {gone.name} is in reach")
            expect(row["lastSeen"] == (None if shift < 0 else seen), f"{shift} s off: {row['lastSeen']}, not {seen}")
            unknown = {name: ({"atMost": None}, None) for name in receipts}
            expect(shown == (unknown if shift < 0 else receipts), f"{shift} s off: {shown}, not {receipts}")
            if shift > 0:
                ahead = guide.send("by a clock that is ahead")
                await_states(guide, ahead, {stays.name: "delivered", gone.name: "missing"})
            elif shift == 0:
                # Unknown, until the next row of the one who has it sets it right.
                told = next(row for row in receipts_of(guide, ahead)["members"] if row["name"] == stays.name)
                expect(told["read"] is None and (told["delivered"]["atMost"] or "") <= datetime.now(timezone.utc).isoformat(),
                       f"a time that has not come is shown: {told}")
                last = guide.send("by the right clock")
                await_states(guide, last, {stays.name: "delivered", gone.name: "missing"})
                expect(moments(guide, ahead) == moments(guide, last), "what came before has a later time")
                expect(moments(guide, message) == receipts, "the first time has moved")
            guide.stop()


@case
def counted_no_more(context: Context) -> None:
    """A member who was removed, and everybody in a tour that ended, is told that and counts nobody."""
    context.repetitions = context.times(1)
    with context.tour(2) as (lab, (guide, second)):
        with Chat(lab.hosts[1], second) as chat:
            chat.shows("2 of 2 near")
            guide.must("remove", second.name, "--yes")
            await_removed(guide, second.name)
            wait_until(lambda: second.status()["state"] == "removed", 60, "the removed member is told")
            chat.shows("· you were removed")
        status = second.status()
        expect(status["people"] is None and status["membersReachable"] == 0, f"who is out counts: {status}")
        expect(not [row for row in second.members() if row["reachable"] and not row["me"]], "who is out reaches somebody")
        text = plain(second, "status")
        line = next(line for line in text.splitlines() if line.startswith("In reach"))
        expect("you were removed" in line and " of " not in line, f"status says: {line}")
        expect(guide.status()["people"]["total"] == 1, "who is out is counted")
        guide.must("tour", "close", "--yes")
        wait_until(lambda: guide.status()["people"] is None, 30, "a tour that ended counts nobody")
        line = next(line for line in plain(guide, "status").splitlines() if line.startswith("In reach"))
        expect("closed" in line, f"status of a closed tour says: {line}")


def plain(node: Node, *words: str) -> str:
    """What a command says to people."""
    argv = [word for word in node.argv(*words) if word != "--json"]
    done = subprocess.run(argv, capture_output=True, text=True, env={**node.place.environment(), "LC_ALL": "C.UTF-8"},
                          timeout=60)
    expect(done.returncode == 0, f"{node.name}: {' '.join(words)}: {done.stderr}")
    return done.stdout
