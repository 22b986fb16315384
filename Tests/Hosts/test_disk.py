"""Goal: whichever write or sync of a day fails, what was acknowledged is there afterwards, and the node works on.
Method: the real binary with a library before libc that fails the n-th of them, for every n; once, and from then on."""
from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from cases import Context, Unavailable, case, expect, long
from nodes import Answer, Here, Node, NodeError

SOURCE = Path(__file__).with_name("diskfault.c")
FLAGS = ["--no-mdns", "--no-multicast"]


class FailingDisk(Here):
    """This machine, with a disk whose n-th operation on a data directory fails."""

    def __init__(self, library: Path, data: Path, counter: Path, at: int, lasting: bool) -> None:
        self.added = {"LD_PRELOAD": str(library), "DISK_FAULT_BELOW": str(data), "DISK_FAULT_COUNTER": str(counter),
                      "DISK_FAULT_AT": str(at)}
        if lasting:
            self.added["DISK_FAULT_LASTING"] = "1"

    def environment(self) -> dict[str, str]:
        return {**super().environment(), **self.added}


@dataclass
class Day:
    """A day of one node, on a disk that may fail: what it acknowledged."""

    node: Node
    texts: dict[str, str] = field(default_factory=dict)
    tour: str = ""

    def ask(self, *words: str, stdin: bytes | None = None) -> Answer:
        answer = self.node.ask(*words, stdin=stdin, seconds=30)
        expect(answer.status >= 0, f"`{words[0]}` ended by signal {-answer.status}: {answer.text[-300:]}")
        return answer

    def send(self, *texts: str) -> None:
        answer = self.ask("send", "-", stdin="".join(f"{text}\n" for text in texts).encode())
        rows = [row for row in answer.lines if "id" in row or "error" in row]
        self.texts.update({str(row["id"]): text for row, text in zip(rows, texts) if "id" in row})

    def live(self) -> None:
        created = self.ask("tour", "create", "Rome", "--as", "Ada")
        self.tour = str(created.lines[0]["tourID"]) if created.status == 0 else ""
        self.send("one, with no node running")
        try:
            self.node.start(*FLAGS, seconds=10)
        except NodeError:
            status = self.node.process.wait(10) if self.node.process else 0
            expect(status > 0, f"the node ended with status {status} at its start: {self.node.log_tail()}")
        else:
            self.ask("name", "Bea")
            self.send("two", "three", "four")
            self.ask("announce", "five", "--urgent")
            self.ask("tour", "invite", "--uses", "2")
            self.send("six")
            status = self.node.stop()
            expect(status >= 0, f"the node ended by signal {-status}: {self.node.log_tail()}")
        self.send("seven, with no node running")

    def check(self) -> None:
        """On a sound disk again: all that was acknowledged is there once, no number is used twice, it goes on."""
        self.node.place = Here()
        if self.tour:
            tours = [str(row["tourID"]) for row in self.node.must("tour", "list").lines]
            expect(self.tour in tours, "the tour that was made is gone")
        else:
            self.node.must("tour", "create", "Rome, again", "--as", "Ada")
        last = self.node.send("eight, afterwards")
        self.node.start(*FLAGS, seconds=20)
        rows = self.node.messages()
        ids = [str(row["id"]) for row in rows]
        expect(len(set(ids)) == len(ids), "a message is listed twice")
        numbers = [int(row["seq"]) for row in rows]
        expect(len(set(numbers)) == len(numbers), f"a number was used twice: {numbers}")
        if self.tour:
            said = {str(row["id"]): row["content"] for row in rows}
            lost = {text for id, text in self.texts.items() if said.get(id) != text}
            expect(not lost, f"acknowledged and gone: {lost}")
        expect(last in ids, "what was said afterwards is not listed")
        expect(self.node.status()["ownLog"] == "ready", "the log is not ready afterwards")
        expect(self.node.stop() == 0, f"the node did not end cleanly: {self.node.log_tail()}")


@long
@case
def nth_write_fails(context: Context) -> None:
    """The n-th write, sync, cut or renaming of a scripted day fails, for every n, once or for good: no crash, nothing
    acknowledged is lost, no number of the log is used again."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        raise Unavailable("no C compiler is installed")
    with tempfile.TemporaryDirectory(prefix="tour-disk-") as name:
        home = Path(name).resolve()
        library = home / "diskfault.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"], check=True)

        def day(at: int, lasting: bool) -> int:
            counter = home / "counter"
            counter.write_bytes(bytes(8))
            node = Node(Here(), home / "node", "guide")
            node.place = FailingDisk(library, node.data, counter, at, lasting)
            one = Day(node)
            try:
                one.live()
                count = int.from_bytes(counter.read_bytes(), "little")
                one.check()
            except (AssertionError, NodeError) as error:
                raise AssertionError(f"operation {at} fails{' and all after it' if lasting else ''}: {error}") from error
            finally:
                if node.alive:
                    node.kill()
            shutil.rmtree(node.home)
            return count

        count = day(0, False)
        expect(count > 50, f"a day has {count} operations: the disk is not watched")
        chosen = sorted(context.random.sample(range(1, count + 1), context.times(count)))
        context.repetitions = 2 * len(chosen)
        for at in chosen:
            day(at, False)
            day(at, True)
        context.note(f"{2 * len(chosen)} of the 2 x {count} operations of a day failed")
