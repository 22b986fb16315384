"""Holds the prose of the repository: `prose.py [FILE…]` checks all of it, or these files; `prose.py --wrap FILE…` breaks lines;
`prose.py --pictures` checks the pictures alone.

Checked of every Markdown file: its width (Protocol 100 columns, others and code 120; tables are as wide as they are), its links and
their anchors, the paths that it names, that its pictures exist and say in words what they show, beginnings of sentences that
name nobody, and words that the glossary replaces. Of the pictures: their sizes, and that each is shown somewhere. Of Protocol
also: every section says how binding it is, no rule points into Sources, every file and field of the vectors is explained, and
the sections that the schema names exist. Of README: its length. Of Documentation/architecture.md: the files and declarations
that it names exist, and its arrows are the dependencies in Package.swift. Of
Documentation/glossary.md: it has every word that this script replaces.
"""
from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from targets import Package

TOP = Path(__file__).resolve().parents[2]
PROTOCOL = TOP / "Protocol"
VECTORS = PROTOCOL / "Vectors"
README_LINES_MAX = 120
PICTURES = TOP / "Documentation" / "pictures"
ARCHITECTURE = TOP / "Documentation" / "architecture.md"
GLOSSARY = TOP / "Documentation" / "glossary.md"
# In bytes: a clone has every version of them.
PICTURE_MAX, PICTURES_MAX = 150_000, 1_200_000
CODE_WIDTH = 120
MARKS = ("wire", "behaviour", "local", "note")
FENCE = re.compile(r"^\s*```")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Pictures, by their words and files: those of Markdown, and those of HTML, one for each scheme of colours.
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
TAG = re.compile(r"<(img|source)\b([^>]*)>")
ITEM = re.compile(r"^(\s*)([-*]|\d+\.) ")
# Folders whose files prose names in backticks.
NAMED = re.compile(r"`((?:Scripts|Tests|Sources|Protocol|Documentation|\.ci)/[\w./+-]+)`")
# Sentences that say neither who acts nor what a thing is, by their first word.
HEADLESS = re.compile(
    r"(?:^|(?<=[.!?] )|(?<=[.!?]\) )|(?<=[.!?]\* )|(?<=\*\* ))(?:So )?(?:Who|Whoever|Whom|Whomever|Whose|What|Whatever|who|whoever)\b")
QUESTION = re.compile(r"[^.!]*\?")
CODE = re.compile(r"`([^`]+)`")
# A file by its name alone, or by the end of its path; a declaration, or a member of one; an arrow of a Mermaid graph.
FILE = re.compile(r"[\w.+/-]+\.(?:swift|py|md|c|h|js|css|html|json|yaml|proto|po|dot|txt)")
DECLARED = re.compile(r"(\w+)(?:\.(\w+))?")
ARROW = re.compile(r"^\s*(\w+) --> ([\w &]+)$")
# One pattern for each, since one that begins with letters is searched for much quicker than one that begins with a choice.
DECLARATIONS = [re.compile(word + r" (\w+)") for word in (
    "struct", "class", "enum", "actor", "protocol", "typealias", "extension", "func", "var", "let")]
CASES = re.compile(r"case ([\w, (:)]+)")
# What the glossary has another word for, in its columns "not".
REPLACED = {
    r"data bases?": "database",
    r"reckon(?:s|ed|ing)?": "compute, work out",
    r"(?:give|gives|given|gave|hand|hands|handed) (?:it |them )?on\b(?! links| each)": "pass on",
    r"g[eo]ts? about": "leak",
    r"(?:is|are|was) on the air": "is online; is being sent",
    r"member list": "roster",
    r"vector clock": "frontier",
    r"telegrams?": "datagram",
    r"back ?door": "say what it is",
}
ANY_REPLACED = re.compile(r"\b(?:" + "|".join(REPLACED) + ")", re.IGNORECASE)


def files() -> list[Path]:
    found = subprocess.run(
        ["git", "-C", str(TOP), "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        capture_output=True, text=True, check=True)
    return [TOP / line for line in found.stdout.splitlines() if (TOP / line).exists()]


def width(path: Path) -> int:
    return 100 if PROTOCOL in path.parents else 120


# Reading.

def lines_of(text: str) -> Iterator[tuple[int, str, str]]:
    """Each line with its number and what it is: prose, table, code, html, heading or blank."""
    is_code = is_html = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            is_code = not is_code
            yield number, line, "code"
        elif is_code:
            yield number, line, "code"
        elif not line.strip():
            is_html = False
            yield number, line, "blank"
        elif is_html or line.startswith("<"):
            is_html = True
            yield number, line, "html"
        elif line.lstrip().startswith("|"):
            yield number, line, "table"
        else:
            yield number, line, "heading" if line.startswith("#") else "prose"


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Prose in one line each, with the number of its first line."""
    start, parts = 0, []
    for number, line, kind in [*lines_of(text), (0, "", "blank")]:
        if parts and (kind != "prose" or ITEM.match(line) or is_mark(parts[-1])):
            yield start, " ".join(parts)
            parts = []
        if kind == "prose":
            start = start if parts else number
            parts.append(ITEM.sub("", line).strip() if not parts else line.strip())


def is_mark(line: str) -> bool:
    return line.strip() in {f"*{mark}*" for mark in MARKS}


def anchors(text: str) -> set[str]:
    """As the hosts of repositories make them."""
    found: set[str] = set()
    for _, line, kind in lines_of(text):
        if kind == "heading":
            words = re.sub(r"[`*]", "", line.lstrip("#").strip().lower())
            anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            number = 0
            while (name := anchor + (f"-{number}" if number else "")) in found:
                number += 1
            found.add(name)
    return found


@functools.cache
def anchors_of(path: Path) -> set[str]:
    return anchors(path.read_text(encoding="utf-8"))


# Checks: each yields a line number and what is wrong.

def widths(path: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, line, kind in lines_of(text):
        most = width(path) if kind == "prose" else CODE_WIDTH
        # One word, an address for example, cannot be broken.
        is_breakable = kind in ("code", "html") or kind == "prose" and " " in ITEM.sub("", line).strip()
        if is_breakable and len(line) > most:
            yield number, f"{len(line)} columns, at most {most}"


def links(path: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, line, kind in lines_of(text):
        if kind == "code":
            continue
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            if not there.exists():
                yield number, f"no file {target}"
            elif anchor and anchor not in anchors_of(there):
                yield number, f"no section {target}"
        for name in NAMED.findall(line):
            if not (TOP / name).exists() and not list(TOP.glob(name.rstrip("/") + "*")):
                yield number, f"no file {name}"


def without_code(text: str) -> str:
    return "\n".join("" if kind == "code" else line for _, line, kind in lines_of(text))


def attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else ""


def images(text: str) -> Iterator[tuple[int, str, str]]:
    """Every picture: the number of its line, its file, and the words for those who do not see it."""
    text = without_code(text)
    found = [(match.start(), match[2], match[1]) for match in IMAGE.finditer(text)]
    for match in TAG.finditer(text):
        file = attribute(match[2], "src" if match[1] == "img" else "srcset")
        # A source is the same picture as the `img` that it stands beside.
        found.append((match.start(), file, attribute(match[2], "alt") if match[1] == "img" else "-"))
    for at, file, words in found:
        yield text.count("\n", 0, at) + 1, file, words


def shown(path: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, file, words in images(text):
        if not words.strip():
            yield number, f"no words for the picture {file}"
        if not re.match(r"[a-z]+:", file) and not (path.parent / file).is_file():
            yield number, f"no picture {file or 'at all'}"


def sentences(_: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, paragraph in paragraphs(text):
        for match in HEADLESS.finditer(paragraph):
            if not QUESTION.match(paragraph, match.start()):
                yield number, f"names nobody: {paragraph[match.start():match.start() + 50]}…"


def words(_: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, line, kind in lines_of(text):
        if kind != "code" and ANY_REPLACED.search(line := CODE.sub("``", line)):
            for pattern, better in REPLACED.items():
                for match in re.finditer(rf"\b{pattern}", line, re.IGNORECASE):
                    yield number, f"'{match.group()}': {better}"


def marks(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Chapters that are marked as a whole say so before their first section."""
    if not re.match(r"\d\d-", path.name) or path.parent != PROTOCOL:
        return
    rows = list(lines_of(text))
    head = text.split("\n## ")[0]
    if any(f"*{mark}*" in head for mark in MARKS):
        return
    for (number, line, kind), (_, following, _) in zip(rows, rows[1:]):
        if kind == "heading" and line.startswith("## ") and not following.startswith(tuple(f"*{m}*" for m in MARKS)):
            yield number, f"'{line[3:]}' does not say how binding it is: *{'*, *'.join(MARKS)}*"


def sources(path: Path, text: str) -> Iterator[tuple[int, str]]:
    if path.parent == PROTOCOL:
        for number, line, _ in lines_of(text):
            if re.search(r"\bSources/|\w\.swift\b", line) and path.name != "threat-model.md":
                yield number, "a rule points into the code"


def length(path: Path, text: str) -> Iterator[tuple[int, str]]:
    if path == TOP / "README.md" and (count := len(text.splitlines())) > README_LINES_MAX:
        yield count, f"{count} lines, at most {README_LINES_MAX}"


def tracked() -> list[str]:
    found = subprocess.run(["git", "-C", str(TOP), "ls-files"], capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


def declared(swift: list[str]) -> dict[str, set[int]]:
    """Every name that these files declare or extend, and which of them do."""
    found: dict[str, set[int]] = {}
    for number, path in enumerate(swift):
        text = (TOP / path).read_text(encoding="utf-8")
        names = {name for pattern in DECLARATIONS for name in pattern.findall(text)}
        for cases in CASES.findall(text):
            names.update(re.findall(r"(?:^|, )(\w+)", cases))
        for name in names:
            found.setdefault(name, set()).add(number)
    return found


def named(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Names in backticks that look like a file or a Swift declaration: `Roster.swift`, `TourGroup`, `TourNode.feed`, `feed`.
    Of `A.b` some file declares b and declares or extends A. Python's and JavaScript's functions are named by their file."""
    if path != ARCHITECTURE:
        return
    there = tracked()
    ends = {file[at:] for file in there for at in [0, *(each.end() for each in re.finditer("/", file))]}
    folders = {part for file in there for part in file.split("/")[:-1]}
    known = declared([file for file in there if file.startswith(("Sources/", "Tests/")) and file.endswith(".swift")
                      and not file.endswith(".pb.swift") and (TOP / file).exists()])
    for number, line, kind in lines_of(text):
        for name in CODE.findall(line) if kind != "code" else []:
            if name in ends or name in folders or name.isupper() or "_" in name:
                continue
            match = DECLARED.fullmatch(name)
            if FILE.fullmatch(name) and not (match and match[1] in known):
                yield number, f"no file {name}"
            elif match:
                owner, member = known.get(match[1], set()), match[2]
                if not owner or member and not owner & known.get(member, set()):
                    yield number, f"nothing declares {name}"


def arrows(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """The graph has no arrow that Package.swift lacks, and a way for each dependency there."""
    if path != ARCHITECTURE:
        return
    package = Package()
    own = ("tour", "server")
    allowed = {module: {name for name in needs if name.lower().startswith(own)} for module, needs in package.needs.items()
               if package.folders[module].parent == TOP / "Sources" and module.lower().startswith(own)}
    drawn: dict[str, set[str]] = {}
    for number, line, kind in lines_of(text):
        if kind == "code" and (match := ARROW.match(line)):
            module, imports = match[1].replace("_", "-"), set(match[2].split(" & "))
            drawn.setdefault(module, set()).update(imports)
            for name in sorted(imports - allowed.get(module, set())):
                yield number, f"{module} does not import {name}"

    def reached(module: str) -> set[str]:
        return drawn.get(module, set()).union(*(reached(each) for each in drawn.get(module, set())))

    for module, imports in sorted(allowed.items()):
        for name in sorted(imports - reached(module)):
            yield 1, f"no arrow leads from {module} to {name}"


def replacements(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Every pattern of `REPLACED` has its words in the glossary's columns "not"."""
    if path != GLOSSARY:
        return
    cells = [cell for _, line, kind in lines_of(text) if kind == "table" for cell in line.split("|")]
    said = [word for cell in cells if cell.strip().startswith("`") for word in CODE.findall(cell)]
    for pattern, better in REPLACED.items():
        if not any(re.fullmatch(pattern, word, re.IGNORECASE) for word in said):
            yield 1, f"no row for {pattern}: {better}"


CHECKS = (widths, links, shown, sentences, words, marks, sources, length, named, arrows, replacements)


def vectors() -> Iterator[str]:
    """Every file and field of the vectors is named where they are explained."""
    explained = (VECTORS / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)\??`", explained)) | {"source", "spec", "cases", "vectors"}

    def fields(value: object) -> set[str]:
        if isinstance(value, dict):
            return {name for name in value if not name.isdigit()}.union(*(fields(each) for each in value.values()))
        return set().union(*(fields(each) for each in value)) if isinstance(value, list) else set()

    for path in sorted(VECTORS.glob("*.json")):
        if not re.search(rf"(?<![\w-]){re.escape(path.stem)}(?![\w-])", explained):
            yield f"Protocol/Vectors/README.md: nothing of {path.name}"
        for field in sorted(fields(json.loads(path.read_text(encoding="utf-8"))) - named):
            yield f"Protocol/Vectors/README.md: nothing of '{field}' in {path.name}"


def schema() -> Iterator[str]:
    """`../05-events.md, "Runs"` in the schema, and `Protocol/05-events.md`, "Runs" in scripts."""
    for path in [*(PROTOCOL / "Schema").iterdir(), *(PROTOCOL / "StateMachines").glob("*.dot")]:
        text = path.read_text(encoding="utf-8")
        for chapter, section in re.findall(r"(\d\d-[a-z-]+\.md)(?:, \"([^\"]+)\")?", text):
            there = PROTOCOL / chapter
            if not there.exists():
                yield f"{path.relative_to(TOP)}: no chapter {chapter}"
            elif section and not re.search(rf"^#+ {re.escape(section)}$", there.read_text(encoding="utf-8"), re.MULTILINE):
                yield f"{path.relative_to(TOP)}: no section \"{section}\" in {chapter}"


def pictures() -> Iterator[str]:
    """Every picture is shown somewhere, and small, and all of them are not much."""
    named = {(path.parent / file).resolve() for path in files() for _, file, _ in images(path.read_text(encoding="utf-8"))}
    there = sorted(PICTURES.iterdir()) if PICTURES.exists() else []
    for path in there:
        if path not in named:
            yield f"{path.relative_to(TOP)}: shown nowhere"
        if path.stat().st_size > PICTURE_MAX:
            yield f"{path.relative_to(TOP)}: {path.stat().st_size} bytes, at most {PICTURE_MAX}"
    if (total := sum(path.stat().st_size for path in there)) > PICTURES_MAX:
        yield f"{PICTURES.relative_to(TOP)}: {total} bytes, at most {PICTURES_MAX}"


def check_pictures() -> int:
    wrong = [f"{path.relative_to(TOP)}:{number}: {what}" for path in files()
             for number, what in shown(path, path.read_text(encoding="utf-8"))] + list(pictures())
    print("\n".join(wrong) or "every picture is there, and shown")
    return 1 if wrong else 0


def check(paths: list[Path]) -> int:
    wrong = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for each in CHECKS:
            wrong += [f"{path.relative_to(TOP)}:{number}: {what}" for number, what in each(path, text)]
    if any(PROTOCOL in path.parents for path in paths):
        wrong += [*vectors(), *schema()]
    if TOP / "README.md" in paths:
        wrong += pictures()
    print("\n".join(wrong) or f"{len(paths)} files of prose are sound")
    return 1 if wrong else 0


# Wrapping: one sentence a line, and lines broken at the width.

END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!\bNo\.)(?:(?<=[.!?])|(?<=[.!?]\)))\s+(?=[A-Z`*\[(\"“★])|(?<=[.!?]\))\s+(?=[A-Z`*\[(\"“])")
# A line that begins so would be an item, a heading or a quotation.
OPENING = re.compile(r" (?=(?:[-+*>|#]+|\d+[.)])(?: |$))")
KEPT = "\0"


def wrapped(paragraph: str, most: int, first: str, rest: str) -> list[str]:
    """`first` stands before the paragraph, `rest` before each further line."""
    text = re.sub(r"`[^`]*`", lambda code: code.group().replace(" ", KEPT), paragraph)
    text = OPENING.sub(KEPT, text)
    made: list[str] = []
    for sentence in END.split(text):
        line = ""
        for word in sentence.split():
            indent = first if not made and not line else rest
            if line and len(indent) + len(line) + 1 + len(word) > most:
                made.append((first if not made else rest) + line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        if line:
            made.append((first if not made else rest) + line)
    return [line.replace(KEPT, " ") for line in made]


def wrap(path: Path) -> None:
    text, most = path.read_text(encoding="utf-8"), width(path)
    made: list[str] = []
    held: list[str] = []
    first = rest = ""

    def flush() -> None:
        if held:
            made.extend(wrapped(" ".join(held), most, first, rest))
            held.clear()

    for _, line, kind in lines_of(text):
        if kind != "prose" or is_mark(line):
            flush()
            made.append(line)
            continue
        if item := ITEM.match(line):
            flush()
            first = item.group()
            rest = " " * len(first)
        elif not held:
            first = rest = re.match(r"\s*", line).group()
        held.append(ITEM.sub("", line).strip() if not held else line.strip())
    flush()
    path.write_text("\n".join(made) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--wrap"]:
        for name in arguments[1:]:
            wrap(Path(name).resolve())
        return 0
    if arguments == ["--pictures"]:
        return check_pictures()
    return check([Path(name).resolve() for name in arguments] or files())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
