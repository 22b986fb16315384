"""Holds the vectors of the protocol against those of released versions.

Usage: frozen_vectors.py list                 prints a line for each case: file, name, SHA-256 of what it says
       frozen_vectors.py check [--top DIR]    whether today's vectors have every case of each release's list
                                              (Tests/Releases/VERSION/vectors.txt), with the same bytes

Protocol/changes.md, "What version 1 will freeze".
"""
from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]


def cases(top: Path) -> Iterator[tuple[str, str, str]]:
    """Each case of each file by its name; those of the Noise files have none, and go by their place."""
    for path in sorted((top / "Protocol" / "Vectors").glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for place, case in enumerate(content.get("cases") or content["vectors"]):
            said = json.dumps(case, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            yield path.name, name_of(case, place), hashlib.sha256(said.encode()).hexdigest()


def name_of(case: dict[str, Any], place: int) -> str:
    return str(case.get("name") or case.get("protocol_name") or place)


def check(top: Path) -> list[str]:
    today: dict[tuple[str, str], set[str]] = {}
    for file, name, digest in cases(top):
        today.setdefault((file, name), set()).add(digest)
    wrong = []
    for listed in sorted((top / "Tests" / "Releases").glob("*/vectors.txt")):
        for line in listed.read_text(encoding="utf-8").splitlines():
            file, name, digest = line.split("\t")
            found = today.get((file, name))
            if found is None:
                wrong.append(f"{file}: \"{name}\" of {listed.parent.name} is not there any more")
            elif digest not in found:
                wrong.append(f"{file}: \"{name}\" is not what it was in {listed.parent.name}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("list", "check"))
    parser.add_argument("--top", type=Path, default=TOP)
    given = parser.parse_args()
    if given.what == "list":
        for case in cases(given.top):
            print(*case, sep="\t")
        return 0
    wrong = check(given.top)
    for line in wrong:
        print(f"Protocol/Vectors/{line}. What a release froze stays as it is; add a case instead", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
