"""Lists the checks for changed files, or for named targets: `touched.py --changed REVISION` or `touched.py TARGET…`.

Prints one per line: `tests A,B` (programs among them are built), `lint FILE`, `script FILE`, `words`, `prose`,
`hosts CASE,…`, `browser CASE,…`, `fuzz TARGET,…`; other lines are for the reader. The package's own description tells
which tests import what.
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from targets import TOP, Package

# The first plays every vector against the pure modules; the second reads all tests and files of the repository.
VECTORS, TIDY = "VectorTests", "TidyTests"
# Cases that use every view of the page, and those that check that its files are complete.
PAGE_CASES = ["chat", "sizes", "words", "guest-enters", "guest-words"]
# Cases that run when the harness itself has changed, which every test over several hosts uses.
HARNESS_CASES = ["clean-end", "receipts"]
PROGRAMS = {"tour-chat", "tour-server", "tour-sim"}
CASE = re.compile(r"^@case\n(?:@\w+\n)*def (\w+)\(", re.MULTILINE)


class Tested(Package):
    """The targets of Package.swift, and the tests that concern each one."""

    def importers(self, name: str) -> set[str]:
        return {other for other, needs in self.needs.items() if name in needs}

    def tests_of(self, name: str) -> set[str]:
        """The module's own tests and the vectors; for a module without tests, those of its nearest importers."""
        if name in self.tests:
            return {name}
        importers = self.importers(name)
        vectors = {VECTORS} & importers
        own = f"{name}Tests"
        if own in self.tests:
            return {own} | vectors
        if near := importers & self.tests - vectors:
            return near | vectors
        if not importers:
            return {name}  # a program, which is built
        found = set().union(*(self.tests_of(importer) for importer in importers if importer not in self.tests))
        return found | vectors


class Wanted:
    """The checks required so far."""

    def __init__(self, package: Tested) -> None:
        self.package = package
        self.tests: set[str] = set()
        self.lines: list[str] = []
        self.hosts: set[str] = set()
        self.browser: set[str] = set()
        self.fuzz: set[str] = set()
        self.words = False
        self.prose = False

    def target(self, name: str) -> None:
        if name not in self.package.needs:
            known = ", ".join(sorted(self.package.needs))
            sys.exit(f"error: no target '{name}'; there are: {known}")
        self.tests |= self.package.tests_of(name) | {TIDY}
        if name == "CPage":
            self.browser.update(PAGE_CASES)
        if name == "CAdminPage":
            self.browser.add("operator-page")

    def file(self, path: str) -> None:
        parts = Path(path).parts
        there = (TOP / path).exists()
        # The prose may name a file that was removed or added.
        self.prose = True
        if path.endswith(".swift") and there and not path.endswith(".pb.swift"):
            self.lines.append(f"lint {path}")
        match parts:
            case ["Sources", target, *_] if target in self.package.needs:
                self.target(target)
                self.words |= path.endswith(".swift") or target == "CWords"
            case ["Tests", "Hosts", name] if name.endswith(".py"):
                self.hosts |= harness_cases(TOP / "Tests" / "Hosts", name, "test_*.py")
            case ["Tests", "Browser", name] if name.endswith(".py"):
                self.browser |= harness_cases(TOP / "Tests" / "Browser", name, "case_*.py")
            case ["Tests", "PythonNode", *_]:
                self.hosts |= cases(TOP / "Tests/Hosts/test_independent.py")
            case ["Tests", "Fuzz", "Corpus", target, *_]:
                self.fuzz.add(target)
            case ["Tests", "Fuzz", "Node", *_]:
                self.tests.add("FuzzInputTests")
            case ["Tests", "Fuzz", *_]:
                self.fuzz.add("frames")
            case ["Tests", "Releases", *_]:
                self.tests |= {"TourWebTests", "TourServerTests"}
            case ["Tests", target, *_] if target in self.package.needs:
                self.tests.add(target)
            case ["README.md"]:
                self.hosts |= cases(TOP / "Tests/Hosts/test_readme.py")
            case ["Documentation", "examples", name, *_] if there:
                self.lines.append(f"the example {name} runs by Scripts/test --only examples")
            case ["Documentation", "operations", *_]:
                self.tests.add("TourServerTests")
                self.hosts |= cases(TOP / "Tests/Hosts/test_server_metrics.py")
            case ["Protocol", "Schema", "openapi.yaml"]:
                self.target("CContract")
            case ["Protocol", *_]:
                self.tests.add(VECTORS)
            case ["Package.swift"]:
                self.tests |= PROGRAMS
            case ["Scripts", "support", "postgres.py"]:
                self.tests.add("TourServerTests")
                self.hosts |= cases(TOP / "Tests/Hosts/test_server_kills.py")
                self.hosts |= cases(TOP / "Tests/Hosts/test_server_backups.py")
            case ["Scripts", "support", "nodes.py"]:
                self.hosts.update(HARNESS_CASES)
            case ["Scripts", *_] if there and is_shell(TOP / path):
                self.lines.append(f"script {path}")
        self.tests.add(TIDY)

    def show(self) -> None:
        for line in self.lines:
            print(line)
        if self.words:
            print("words")
        if self.prose:
            print("prose")
        for name in ("tests", "hosts", "browser", "fuzz"):
            if found := getattr(self, name):
                print(name, ",".join(sorted(found)))


def cases(file: Path) -> set[str]:
    return {name.replace("_", "-") for name in CASE.findall(file.read_text())} if file.exists() else set()


def harness_cases(folder: Path, name: str, pattern: str) -> set[str]:
    """The cases for a changed file: its own; for a part that a few files import, theirs; for the harness itself, a few.
    """
    if Path(name).match(pattern):
        return cases(folder / name)
    stem = Path(name).stem
    users = [file for file in folder.glob(pattern) if re.search(rf"^(from|import) {stem}\b", file.read_text(), re.MULTILINE)]
    if 0 < len(users) <= 3:
        return set().union(*map(cases, users))
    return set(HARNESS_CASES if pattern.startswith("test") else PAGE_CASES)


def is_shell(path: Path) -> bool:
    return path.is_file() and (path.suffix == ".sh" or path.read_bytes()[:64].startswith(b"#!/usr/bin/env bash"))


def changed_files(revision: str) -> list[str]:
    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", "-C", str(TOP), *words], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"error: {done.stderr.strip()}")
        return done.stdout.splitlines()
    return sorted({*git("diff", "--name-only", "--no-renames", revision), *git("ls-files", "--others", "--exclude-standard")})


def main() -> None:
    wanted = Wanted(Tested())
    if sys.argv[1:2] == ["--changed"]:
        for path in changed_files(sys.argv[2]):
            wanted.file(path)
    else:
        for name in sys.argv[1:]:
            wanted.target(name)
    wanted.show()


main()
