"""What Scripts/release reads and writes of versions and of the changelog.

Usage: release_notes.py newer VERSION OTHER         ends with 0 where VERSION is newer; 1: it is not, or is no version
       release_notes.py newest                      the newest of the versions on standard input, a line each
       release_notes.py check FILE VERSION          whether Unreleased can become VERSION's section
       release_notes.py release FILE VERSION DATE   prints the changelog with VERSION's section
       release_notes.py section FILE VERSION        prints what stands in it, for the tag
"""
from __future__ import annotations

import functools
import re
import sys
from pathlib import Path

NUMBER = r"(?:0|[1-9]\d*)"
VERSION = re.compile(rf"({NUMBER})\.({NUMBER})\.({NUMBER})(?:-((?:{NUMBER}|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
                     rf"(?:\.(?:{NUMBER}|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?")
HEADING = re.compile(r"^## \[([^\]]+)\].*$", re.MULTILINE)
UNRELEASED = "Unreleased"


def compare(one: str, other: str) -> int:
    """Semver's order."""
    first, second = parts(one), parts(other)
    return (first > second) - (first < second)


def parts(version: str) -> tuple[tuple[int, ...], bool, list[tuple[bool, int, str]]]:
    found = VERSION.fullmatch(version)
    if not found:
        raise ValueError(version)
    names = found[4].split(".") if found[4] else []
    # A version with a name behind it comes before the one without; numbers come before names.
    return (tuple(int(n) for n in found.groups()[:3]), not names,
            [(not name.isdigit(), int(name) if name.isdigit() else 0, name) for name in names])


def sections(text: str) -> dict[str, tuple[int, int, int]]:
    """Each section's name: where its heading begins, where its body begins, and where it ends."""
    found = list(HEADING.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return {match[1]: (match.start(), match.end(), end) for match, end in zip(found, ends)}


def body(text: str, name: str) -> str:
    places = sections(text)
    return text[places[name][1]:places[name][2]].strip("\n") if name in places else ""


def changes(text: str) -> list[str]:
    return [line for line in body(text, UNRELEASED).splitlines() if line.startswith("- ")]


def check(text: str, version: str) -> str | None:
    """What is wrong, or None."""
    if UNRELEASED not in sections(text):
        return f"it has no section '## [{UNRELEASED}]'"
    if version in sections(text):
        return f"it has a section [{version}] already"
    if not changes(text):
        return f"nothing stands under [{UNRELEASED}]: write what people will notice"
    return None


def release(text: str, version: str, date: str) -> str:
    start, _, end = sections(text)[UNRELEASED]
    # What stands before the first part is about the time before the release.
    said = body(text, UNRELEASED)
    said = said[said.index("### "):] if "### " in said else said
    rest = text[end:]
    return f"{text[:start]}## [{UNRELEASED}]\n\n## [{version}] - {date}\n{said.strip()}\n" + (f"\n{rest}" if rest else "")


def main(words: list[str]) -> int:
    match words:
        case ["newer", version, other]:
            try:
                return 0 if compare(version, other) > 0 else 1
            except ValueError:
                return 1
        case ["newest"]:
            known = [line for line in sys.stdin.read().split() if VERSION.fullmatch(line)]
            print(max(known, key=functools.cmp_to_key(compare), default=""))
        case ["check", file, version]:
            if wrong := check(Path(file).read_text(), version):
                print(f"{file}: {wrong}", file=sys.stderr)
                return 1
        case ["release", file, version, date]:
            print(release(Path(file).read_text(), version, date), end="")
        case ["section", file, version]:
            text = Path(file).read_text()
            # A line of the tag's message that begins with # would be no comment, but read as one by many.
            print(f"Tour Chat {version}\n\n" + re.sub(r"^### (.*)$", r"\1:", body(text, version), flags=re.MULTILINE))
        case _:
            print((__doc__ or "").strip(), file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
