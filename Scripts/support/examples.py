"""Builds and runs Documentation/examples, as somebody would who writes an app: `examples.py [--built FOLDER]`.

The examples are a package of their own, which depends on this one by its path. They are built in debug, with no more
than `TourKit` and what it imports: SwiftPM fetches one package for that, and compiles none of the programs'. Then
`two-nodes` plays its story, and `observer` joins the tour of a node on this machine, hears what is written, and after a
restart what it missed. TOURCHAT names tour-chat; --built takes programs that were built elsewhere.
"""
from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from nodes import Here, Node, end, wait_until

TOP = Path(__file__).resolve().parents[2]
PACKAGE, SCRATCH = TOP / "Documentation" / "examples", TOP / ".build" / "examples"
# The packages that the examples need beside this one. With more, an app that takes the library would fetch it too.
FETCHED = {"swift-protobuf"}
# SwiftPM compiles these and no other modules of ours or of others.
ALONE = {"TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourRuntime", "TourKit",
         "SwiftProtobuf"}


def build() -> Path:
    """The folder with both programs."""
    place = ["--package-path", str(PACKAGE), "--scratch-path", str(SCRATCH)]
    subprocess.run(["swift", "build", *place], check=True)
    folder = Path(subprocess.run(["swift", "build", *place, "--show-bin-path"], check=True, capture_output=True, text=True)
                  .stdout.strip())
    state = json.loads((SCRATCH / "workspace-state.json").read_text())["object"]["dependencies"]
    fetched = {row["packageRef"]["identity"] for row in state if row["state"]["name"] != "fileSystem"}
    assert fetched == FETCHED, f"fetched: {sorted(fetched)}, not {sorted(FETCHED)}"
    built = {file.stem for file in (folder / "Modules").glob("*.swiftmodule")} - {"two_nodes", "observer"}
    assert built == ALONE, f"compiled: {sorted(built)}, not {sorted(ALONE)}"
    return folder


class Observer:
    """The example as a process, and the lines that it writes."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen([str(folder / "observer"), *words], stdout=subprocess.PIPE, text=True)
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def hears(self, *wanted: str) -> None:
        """Waits for these lines, in this order; others may stand between them."""
        heard = []
        try:
            for line in wanted:
                while not heard or heard[-1] != line:
                    heard.append(self.lines.get(timeout=60))
        except queue.Empty:
            raise AssertionError(f"the observer never said '{line}', but {heard}") from None


def observe(folder: Path, home: Path) -> None:
    guide = Node(Here(), home / "guide", "Guide")
    guide.launch()
    observers: list[Observer] = []
    try:
        guide.await_ready()
        code = str(guide.must("tour", "create", "Harbour Walk").first["joinCode"])
        address, kept = f"127.0.0.1:{guide.port}", str(home / "kept")
        observers.append(Observer(folder, kept, code, address))
        observers[-1].hears("joined", "linked")
        first = str(guide.must("announce", "The boat leaves at 10:30").first["id"])
        observers[-1].hears("Guide: The boat leaves at 10:30")
        # It says so in a claim of its own, which the guide sees as a receipt.
        wait_until(lambda: [row["state"] for row in receipts(guide, first)] == ["read"], 60, "the receipt of the observer")
        wait_until(lambda: "rolls" in limits(guide), 60, "the guide sees that the observer shows no roll calls")
        end(observers[-1].process)
        guide.must("send", "Who is at the pier?")
        observers.append(Observer(folder, kept, address))
        observers[-1].hears("Guide: Who is at the pier?")
        names = {row["name"] for row in guide.members()}
        assert names == {"Guide", "Observer"}, names
        print("observer: joined by a code, heard, was heard of, and caught up after a restart")
    finally:
        for observer in observers:
            end(observer.process)
        guide.stop()


def limits(node: Node) -> list[str]:
    """What the observer says that it cannot show."""
    return next((list(row.get("cannotShow", [])) for row in node.members() if row["name"] == "Observer"), [])


def receipts(node: Node, message: str) -> list[dict[str, str]]:
    return list(node.must("receipts", message).first["members"])


def main(words: list[str]) -> int:
    folder = Path(words[1]) if words[:1] == ["--built"] and len(words) == 2 else build()
    done = subprocess.run([str(folder / "two-nodes")], capture_output=True, text=True)
    sys.stdout.write(done.stdout)
    if done.returncode:
        sys.stderr.write(done.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="tour-examples-") as home:
        observe(folder, Path(home))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
