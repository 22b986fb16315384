"""Keeps what a version writes, for the tests of later ones: `fixtures.py VERSION --binaries DIR --output DIR`.

Real nodes of that version on hosts of Tests/Hosts make a tour with a message of every kind, files, a notebook and a
server; what they leave is packed into the output (Tests/Releases/VERSION):

  guide.tar.gz    the data directory of the guide's node
  ben.tar.gz      that of a member's, sealed under a passphrase (PASSPHRASE)
  guide.backup    a backup of the guide's, under the same passphrase
  server.tar.gz   the data directory of the server, with an account, the tour and the notebook
  expected.json   what that version's commands said of all this

Keys, ids and times are new each time; all else is the same. Needs what Tests/Hosts needs.
"""
from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import shutil
import struct
import sys
import tarfile
import zlib
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "Tests" / "Hosts"))

from lab import Host, Lab, LabError, enter_private_space, why_impossible  # noqa: E402
from nodes import Node, NodeError, Row, all_know_all, make_tour, wait_until  # noqa: E402
from server import EMAIL, PASSWORD, PORT, Server  # noqa: E402

PASSPHRASE = "lantern by the harbour"
# More than one part of a file, and less than anybody would miss in a clone.
FILE = bytes((7 * k * k + k // 256) % 256 for k in range(70_000))
UNAVAILABLE = 77


def picture() -> bytes:
    """A PNG of 64 by 48 pixels, a slope of colours."""
    rows = b"".join(b"\0" + bytes(v for x in range(64) for v in (4 * x, 5 * y, 128)) for y in range(48))

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
            + part(b"IDAT", zlib.compress(rows, 9)) + part(b"IEND", b""))


def ident(node: Node, *words: str) -> str:
    return str(node.must(*words).first["id"])


def write_messages(guide: Node, ben: Node, cem: Node, files: Path) -> None:
    """A message of every kind, each by somebody who may write it."""
    nodes = [guide, ben, cem]

    def arrive(message: str) -> str:
        for node in nodes:
            wait_until(lambda: message in {row["id"] for row in node.messages()}, 60, f"{node.name} has {message[:8]}")
        return message

    first = arrive(guide.send("Welcome! We meet at the fountain at ten."))
    arrive(ident(ben, "send", "On my way – ağ, 你好, 😀", "--reply", first))
    arrive(ident(guide, "send", "--location", "41.0082,28.9784,Hagia Sophia"))
    gone = arrive(cem.send("This is withdrawn"))
    cem.must("delete", gone)
    arrive(ident(guide, "announce", "The boat leaves at 10:30, pier 4."))
    urgent = arrive(ident(guide, "announce", "Everybody to the pier", "--urgent"))
    wait_until(lambda: ben.must("understood").first["understood"] == [urgent], 30, "it is understood")
    file = arrive(ident(guide, "send", "--file", str(files / "tickets.bin"), "--caption", "Tickets"))
    image = arrive(ident(cem, "send", "--image", str(files / "view.png"), "--caption", "The view"))
    # Ben's node knows of files that are not there.
    for node in (guide, cem):
        for message in (file, image):
            node.must("files", "--fetch", message)
        wait_until(lambda: all(row["complete"] for row in node.must("files").lines), 60, f"{node.name} has the files")
    guide.must("meet", "41.0086,28.9802,Fountain", "At the north side", "--at", "+600")
    wait_until(lambda: cem.must("meet").first["meeting"], 30, "Cem knows where to meet")
    cem.must("meet", "--late", "--minutes", "10")
    guide.must("roll", "buddies", ben.name, cem.name)
    guide.must("roll", "call", "At the boat")
    wait_until(lambda: ben.must("roll", "status").first["roll"], 30, "Ben knows of the roll call")
    ben.must("roll", "here", cem.name)
    ben.must("roll", "here")
    cem.must("lost", "By the blue door", "--no-wait")
    wait_until(lambda: guide.must("alarms").first["alarms"], 30, "the guide knows who is lost")
    guide.must("alarms", cem.name, "--coming")
    guide.must("found", cem.name)
    wait_until(lambda: [row["state"] for row in guide.must("roll", "status").first["roll"]["members"]] == ["here"] * 3, 30,
               "the roll is answered")
    guide.must("roll", "end")
    guide.must("role", ben.name, "guide")
    cem.must("name", "Cem Ş.")
    guide.must("tour", "rename", "Harbour Walk 2026")


def fill_notebook(guide: Node, files: Path) -> None:
    guide.must("notes", "add", "Museum", "Tickets are at the side door.\nÄ ö ü")
    guide.must("notes", "add", "Removed", "This one goes")
    guide.must("notes", "remove", "Removed", "--yes")
    guide.must("places", "add", "Tower", "--at", "41.0256,28.9741", "--category", "Sights", "--tag", "high", "--favorite",
               "--note", "By the water", "--image", str(files / "view.png"))
    guide.must("itinerary", "create", "Tuesday", "--description", "By boat")
    for title, at in (("Pier 4", "41.0170,28.9740"), ("Tower", "41.0256,28.9741"), ("Lunch", "41.0230,28.9750")):
        guide.must("itinerary", "add", "Tuesday", title, "--at", at)
    for kind, title in (("itinerary", "Tuesday"), ("places", "Tower"), ("notes", "Museum")):
        guide.must(kind, "publish", title)


def use_server(guide: Node, host: Host) -> None:
    secret = guide.home / "password"
    secret.write_text(PASSWORD)
    guide.must("login", "--server", f"http://{host.address()}:{PORT}", "--email", EMAIL, "--password-file", str(secret))

    def is_synced() -> bool:
        status = guide.status() if guide.ask("sync").status == 0 else {}
        return status.get("unsynced") == 0 and status.get("notebookPending") == 0

    wait_until(is_synced, 90, "everything is at the server", pause=1)


def told(node: Node) -> dict[str, Any]:
    """What the commands of this version say."""
    return {
        "tours": node.must("tour", "list").lines, "members": node.must("members").lines, "messages": node.messages(),
        "files": node.must("files").lines, "alarms": node.must("alarms").first["alarms"],
        "rolls": node.must("roll", "list").first["rolls"], "buddies": node.must("roll", "buddies").first["groups"],
        "shared": node.must("shared", "list").lines, "notes": node.must("notes", "list").lines,
        "places": node.must("places", "list").lines, "itineraries": node.must("itinerary", "list").lines,
    }


def told_by_server(server: Server, tour: str) -> dict[str, Any]:
    token = server.log_in()

    def read(path: str) -> Any:
        status, answer = server.ask("GET", path, token=token)
        if status != 200:
            raise NodeError(f"{path}: {status} {answer[:300]}")
        return json.loads(answer)

    return {"email": EMAIL, "password": PASSWORD, "groups": server.groups(), "events": sorted(server.events(tour)),
            "notes": read("/notes"), "collections": read("/collections")}


def pack(directory: Path, target: Path) -> None:
    """A tar of the files, with nothing of this machine and of the moment in it."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(directory.rglob("*")):
            if not (path.is_file() or path.is_dir()) or path.name in ("lock", "page.json") or path.name.endswith("-shm"):
                continue
            entry = tar.gettarinfo(str(path), str(path.relative_to(directory)))
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
            with path.open("rb") if path.is_file() else io.BytesIO() as source:
                tar.addfile(entry, source if path.is_file() else None)
    target.write_bytes(gzip.compress(raw.getvalue(), 9, mtime=0))


def seal(node: Node) -> None:
    """Puts a stopped node's data under the passphrase."""
    secret = node.home / "passphrase"
    secret.write_text(PASSPHRASE)
    node.must("passphrase", "set", "--new-passphrase-file", str(secret))


def make(version: str, output: Path) -> None:
    with Lab([(0,)] * 4) as lab:
        guide, ben, cem = (host.node(name) for host, name in zip(lab.hosts, ("Guide", "Ben", "Cem")))
        files = lab.home / "files"
        files.mkdir()
        (files / "tickets.bin").write_bytes(FILE)
        (files / "view.png").write_bytes(picture())
        server = Server(lab.hosts[3]).start()
        try:
            server.make_guide()
            for node in (guide, ben, cem):
                node.start("--files", "ask")
            make_tour([guide, ben, cem], "Harbour Walk")
            all_know_all([guide, ben, cem])
            write_messages(guide, ben, cem, files)
            fill_notebook(guide, files)
            use_server(guide, lab.hosts[3])
            settle(guide, ben)
            secret = guide.home / "secret"
            secret.write_text(PASSPHRASE)
            backup = output / "guide.backup"
            guide.must("backup", str(backup), "--backup-passphrase-file", str(secret))
            expected: Row = {"version": version, "passphrase": PASSPHRASE, "guide": told(guide), "ben": told(ben),
                             "server": told_by_server(server, str(guide.status()["tourID"]))}
            for node in (guide, ben, cem):
                if node.stop():
                    raise NodeError(f"{node.name} did not end well: {node.log_tail()}")
            seal(ben)
        finally:
            server.stop()
        pack(guide.data, output / "guide.tar.gz")
        pack(ben.data, output / "ben.tar.gz")
        pack(server.home / "data", output / "server.tar.gz")
        (output / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, separators=(",", ":")) + "\n")


def settle(guide: Node, ben: Node) -> None:
    """Until the two say the same of the tour."""
    def same() -> bool:
        return ([row["id"] for row in guide.messages()] == [row["id"] for row in ben.messages()]
                and {row["name"] for row in ben.members()} == {"Guide", "Ben", "Cem Ş."}
                and ben.must("tour", "list").first["name"] == "Harbour Walk 2026"
                and len(ben.must("shared", "list").lines) == 3)
    wait_until(same, 60, "guide and Ben agree")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--binaries", type=Path, required=True, help="the folder of tour-chat and tour-server")
    parser.add_argument("--output", type=Path, required=True, help="the folder to make")
    options = parser.parse_args()
    if why := why_impossible():
        print(f"error: {why}; Tests/Hosts needs it too", file=sys.stderr)
        return UNAVAILABLE
    for variable, name in (("TOURCHAT", "tour-chat"), ("TOURSERVER", "tour-server")):
        os.environ[variable] = str((options.binaries / name).resolve())
        if not os.access(os.environ[variable], os.X_OK):
            print(f"error: there is no {name} in {options.binaries}", file=sys.stderr)
            return 2
    enter_private_space()
    new = options.output.with_name(options.output.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        make(options.version, new)
    except (NodeError, LabError, AssertionError) as problem:
        shutil.rmtree(new, ignore_errors=True)
        print(f"error: {problem}", file=sys.stderr)
        return 1
    for path in new.iterdir():
        path.chmod(0o644)
    new.rename(options.output)
    for path in sorted(options.output.iterdir()):
        print(f"{path.name}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
