"""Finds the literals in Phrase(…) in Swift code."""

import re
from dataclasses import dataclass, field

START = re.compile(r"\bPhrase\(\s*")
LABEL = re.compile(r"\s*,?\s*(one|other):\s*")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "0": "\0", "'": "'", "r": "\r"}


@dataclass
class Found:
    id: str
    plural: str | None = None
    places: list = field(default_factory=list)


class Bad(Exception):
    pass


def collect(sources):
    """All phrases of the code by their id, in the order of files and lines."""
    found = {}
    for path in sorted(sources.rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        for match in START.finditer(text):
            line_start = text.rfind("\n", 0, match.start()) + 1
            if text[line_start:match.start()].lstrip().startswith("//"):
                continue
            place = f"{path.relative_to(sources.parent)}:{text.count(chr(10), 0, match.start()) + 1}"
            try:
                phrase = read(text, match.end())
            except Bad as error:
                raise SystemExit(f"{place}: {error}")
            if phrase is None:
                continue
            known = found.setdefault(phrase.id, phrase)
            if known.plural != phrase.plural:
                raise SystemExit(f"{place}: the same words as {known.places[0]}, but with another plural")
            known.places.append(place)
    return found


def read(text, at):
    """The phrase whose parentheses open before `at`; nil if no literal follows."""
    if text[at] == '"':
        key, end = literal(text, at)
        after = text[end:].lstrip()
        if not after.startswith(")"):
            raise Bad("a phrase is one literal")
        return Found(key)
    if text.startswith(("verbatim:", "_"), at):
        return None
    one = find_label(text, at, "one")
    if one is None:
        return None
    key, end = literal(text, one)
    match = LABEL.match(text, end)
    if not match or match[1] != "other" or text[match.end()] != '"':
        raise Bad("after one: stands other: with a literal")
    plural, _ = literal(text, match.end())
    return Found(key, plural)


def find_label(text, at, label):
    """The index at which the value of a label begins, inside the parentheses that are open at `at`."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char == '"':
            _, at = literal(text, at)
            continue
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return None
            depth -= 1
        elif depth == 0 and char == ",":
            match = LABEL.match(text, at)
            if match and match[1] == label and text[match.end()] == '"':
                return match.end()
        at += 1
    return None


def literal(text, at):
    """The key of a Swift literal that begins at `at`, and the index of its end."""
    is_long = text.startswith('"""', at)
    mark = '"""' if is_long else '"'
    at += len(mark)
    out = []
    number = 0
    while True:
        if text.startswith(mark, at):
            break
        char = text[at]
        if char == "\\":
            follows = text[at + 1]
            if follows == "(":
                number += 1
                out.append(("place", f"{{{number}}}"))
                at = closing(text, at + 2)
                continue
            if follows == "u":
                end = text.index("}", at)
                out.append(("escape", chr(int(text[at + 3:end], 16))))
                at = end + 1
                continue
            if is_long and follows == "\n":
                out.append(("join", ""))
                at += 2
                continue
            out.append(("escape", ESCAPES[follows]))
            at += 2
            continue
        if char == "\n" and not is_long:
            raise Bad("a literal that does not end")
        out.append(("text", char))
        at += 1
    end = at + len(mark)
    return (long_text(out) if is_long else "".join(part for _, part in out)), end


def long_text(parts):
    """The text without its first and last line break and without the indentation of the closing quotes."""
    lines = [[]]
    joined = [False]
    for kind, part in parts:
        if kind == "text" and part == "\n" or kind == "join":
            joined.append(kind == "join")
            lines.append([])
        else:
            lines[-1].append(part)
    indent = len("".join(lines[-1]))
    text = ""
    for index, line in enumerate(lines[1:-1], start=1):
        content = "".join(line)[indent:]
        text += ("" if index == 1 or joined[index] else "\n") + content
    return text


def closing(text, at):
    """The index behind the parenthesis that closes an interpolation."""
    depth = 1
    while depth:
        char = text[at]
        if char == '"':
            _, at = literal(text, at)
            continue
        depth += {"(": 1, ")": -1}.get(char, 0)
        at += 1
    return at
