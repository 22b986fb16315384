"""Measures the parts of a build: `build_times.py FILE COMMAND…` runs the command and writes, for every module compiled
meanwhile, when its compilation began and ended and its processor time; `build_times.py --show FILE [COUNT]` prints the
most expensive.

The compilers are observed in /proc, four times a second: a process that lives for less may be missed.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

PAUSE = 0.25
TICKS = os.sysconf("SC_CLK_TCK")
# Compilers and linkers; the C and C++ files of a package share one row.
COMPILERS = {"swift-frontend", "clang", "clang-21", "ld.lld", "ld.gold", "lld"}


def look(seen: dict[str, dict[str, Any]], begun: float) -> None:
    now = round(time.monotonic() - begun, 1)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_text(errors="replace").split("\0")
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # the process has ended meanwhile
        if (program := Path(words[0]).name) in COMPILERS:
            row = seen.setdefault(f"{entry.name} {fields[19]}", {"name": name_of(program, words), "from": now})
            row["to"], row["processor"] = now, (int(fields[11]) + int(fields[12])) / TICKS


def name_of(program: str, words: list[str]) -> str:
    if "-module-name" in words:
        return words[words.index("-module-name") + 1]
    if program == "clang" and "-o" in words:
        # …/release/CNIOBoringSSL.build/crypto/bio/bio.cc.o
        folders = [part for part in Path(words[words.index("-o") + 1]).parts if part.endswith(".build")]
        return folders[-1].removesuffix(".build") if len(folders) > 1 else "linking"
    return "linking" if program != "swift-frontend" else "other"


def run(file: str, command: list[str]) -> int:
    seen: dict[str, dict[str, Any]] = {}
    begun = time.monotonic()
    over = threading.Event()

    def watch() -> None:
        while not over.wait(PAUSE):
            look(seen, begun)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        status = subprocess.run(command).returncode
    finally:
        over.set()
        watcher.join()
    Path(file).write_text(json.dumps({"seconds": time.monotonic() - begun, "rows": list(seen.values())}))
    return status


def show(file: str, count: int) -> None:
    told = json.loads(Path(file).read_text())
    modules: dict[str, dict[str, float]] = {}
    for row in told["rows"]:
        module = modules.setdefault(row["name"], {"processor": 0.0, "from": row["from"], "to": 0.0})
        module["processor"] += row["processor"]
        module["to"] = max(module["to"], row["to"])
    total = sum(module["processor"] for module in modules.values())
    print(f"{'module':28} {'processor s':>11} {'from':>6} {'to':>6}   ({total:.0f} s of processor in {told['seconds']:.0f} s)")
    for name, module in sorted(modules.items(), key=lambda pair: -pair[1]["processor"])[:count]:
        print(f"{name:28} {module['processor']:11.1f} {module['from']:6.0f} {module['to']:6.0f}")


if __name__ == "__main__":
    if sys.argv[1] == "--show":
        show(sys.argv[2], int((sys.argv[3:] or ["12"])[0]))
    else:
        sys.exit(run(sys.argv[1], sys.argv[2:]))
