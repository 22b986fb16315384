#!/usr/bin/env python3
"""Prints the lines of Swift that people wrote, by module: `lines.py [REVISION]`, or `lines.py --compare REVISION`.

The first counts the checkout, or a revision of it; the second shows each module that differs from that revision, and by
how much. Generated files (*.pb.swift, *.generated.swift) are counted apart; a module is a folder of Sources or Tests.
"""
from __future__ import annotations

import argparse
import subprocess
from collections import Counter
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
GENERATED = (".pb.swift", ".generated.swift")


def git(*words: str, given: bytes | None = None) -> bytes:
    return subprocess.run(["git", "-C", str(TOP), *words], input=given, capture_output=True, check=True).stdout


def module(path: str) -> str:
    if path.endswith(GENERATED):
        return f"generated/{path.split('/')[0]}"
    return "/".join(path.split("/")[:2]) if path.count("/") > 1 else path.split("/")[0]


def counted(revision: str | None) -> Counter[str]:
    """Lines by module; empty ones and comments too."""
    lines: Counter[str] = Counter()
    if revision is None:
        names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "Sources", "Tests").decode().split("\0")
        for name in {name for name in names if name.endswith(".swift") and (TOP / name).exists()}:
            lines[module(name)] += (TOP / name).read_bytes().count(b"\n")
        return lines
    rows = [row.split("\t", 1) for row in git("ls-tree", "-r", "-z", revision, "Sources", "Tests").decode().split("\0") if row]
    files = [(fields.split()[2], name) for fields, name in rows if name.endswith(".swift")]
    stream = git("cat-file", "--batch", given="".join(f"{blob}\n" for blob, _ in files).encode())
    at = 0
    for _, name in files:
        end = stream.index(b"\n", at)
        size = int(stream[at:end].split()[2])
        lines[module(name)] += stream.count(b"\n", end + 1, end + 1 + size)
        at = end + 1 + size + 1
    return lines


def total(lines: Counter[str], folder: str) -> int:
    return sum(count for name, count in lines.items() if name.split("/")[0] == folder)


def main() -> None:
    parser = argparse.ArgumentParser(prog="lines.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("revision", nargs="?", help="of git (the checkout as it is)")
    parser.add_argument("--compare", metavar="REVISION", help="the differences from this one")
    options = parser.parse_args()
    now = counted(options.revision)
    before = counted(options.compare) if options.compare else now
    for name in sorted(now | before):
        if not options.compare:
            print(f"{now[name]:8,}  {name}")
        elif now[name] != before[name]:
            print(f"{before[name]:8,} {now[name]:8,} {now[name] - before[name]:+8,}  {name}")
    for folder in ("Sources", "Tests", "generated"):
        old, new = total(before, folder), total(now, folder)
        print(f"{old:8,} {new:8,} {new - old:+8,}  {folder} in all" if options.compare else f"{new:8,}  {folder} in all")


if __name__ == "__main__":
    main()
