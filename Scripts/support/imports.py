"""Checks that files import what their target names in Package.swift, and nothing else: `imports.py`.

The compiler takes the import of any module that is built already, and SwiftPM's own check of imports
(`--explicit-target-dependency-import-check`) that of what a dependency depends on in its turn.
"""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from targets import TOP, Package

# Modules that come with the toolchain.
TOOLCHAIN = {"CDispatch", "CoreFoundation", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc",
             "PackagePlugin", "Synchronization", "Testing"}
IMPORT = re.compile(r"(?:@\w+(?:\([^)]*\))? )*(?:\w+ )?import (?:(?:struct|class|enum|protocol|func|var|let|typealias|actor) )?(\w+)")
# What stands above or between imports.
HEAD = re.compile(r"\s*(?://.*|#(?:if|else|endif).*)?$")


def imports(text: str) -> Iterator[tuple[int, str]]:
    """The modules that the head of a file imports, each with its line: `swift format` has them all stand there."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := IMPORT.match(line):
            yield number, found[1]
        elif not HEAD.match(line):
            return


def main() -> int:
    package = Package()
    wrong: dict[tuple[str, str], list[str]] = {}
    files = 0
    for target, folder in package.folders.items():
        allowed = package.needs[target] | package.products[target] | TOOLCHAIN
        for file in sorted(folder.rglob("*.swift")):
            files += 1
            for number, module in imports(file.read_text()):
                if module not in allowed:
                    wrong.setdefault((target, module), []).append(f"{file.relative_to(TOP)}:{number}")
    for (target, module), places in wrong.items():
        more = f", and {len(places) - 1} more" if len(places) > 1 else ""
        print(f"{places[0]}{more}: {target} imports {module}, which Package.swift does not name for it")
    if not wrong:
        print(f"{files} files of {len(package.folders)} targets import what Package.swift names")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
