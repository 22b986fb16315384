"""The slices of long runs: how each one is run, and how its output is read."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
SCHEMATHESIS = TOP / ".build/server-schema/bin/python"
Read = tuple[dict[str, float], dict[str, float], list[str]]


@dataclass
class Slice:
    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)


class Seeds:
    """Swarms of the simulator, some seeds at a time: `--nodes N` and options of tour-sim."""

    EACH = 4 * (os.cpu_count() or 1)

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def slice(self, number: int) -> Slice:
        first = number * self.EACH + 1
        last = first + self.EACH - 1
        simulator = str(TOP / ".build/release/tour-sim")
        return Slice(f"seeds {first} to {last}", [simulator, "--seeds", f"{first}..{last}", "--json", *self.words])

    def read(self, text: str, status: int, piece: Slice) -> Read:
        rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        seeds = [row for row in rows if "seed" in row]
        problems = [f"seed {row['seed']}: {row.get('problem')} (--with {row['options']})" for row in seeds if row.get("problem")]
        if len(seeds) < self.EACH:
            problems.append(f"{piece.name}: only {len(seeds)} played, status {status}")
        return {"seeds": len(seeds), "events": sum(row["events"] for row in seeds)}, {}, problems


class Fuzzers:
    """All fuzzers, or the named ones, half a minute each."""

    SECONDS = 30

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def slice(self, number: int) -> Slice:
        own = ["--seconds", str(self.SECONDS), "--seed", str(number + 1)]
        return Slice(f"round {number + 1}", [str(TOP / "Scripts/fuzz"), *self.words, *own])

    def read(self, text: str, status: int, piece: Slice) -> Read:
        runs = [int(count) for count in re.findall(r"^\S+ +(\d+) runs", text, re.MULTILINE)]
        problems = re.findall(r"^\S+ +FAILED|^.*PROPERTY BROKEN.*|^.*SUMMARY.*", text, re.MULTILINE)
        if not problems and (status or not runs):
            problems = [f"{piece.name}: status {status}: {text[-120:].strip()}"]
        return {"runs": sum(runs), "rounds": 1}, {}, problems


class Soak:
    """Every test over several hosts with all its repetitions, one in a slice; before them the orders of control events
    and the server's contract."""

    def __init__(self, words: list[str]) -> None:
        only = words[words.index("--only") + 1].split(",") if "--only" in words else []
        hosts = [sys.executable, str(TOP / "Tests/Hosts")]
        listed = subprocess.run([*hosts, "--list"], capture_output=True, text=True, check=True).stdout
        others = ["orders", *(["contract"] if SCHEMATHESIS.exists() else [])]
        names = only or [*others, *(line.split()[0] for line in listed.splitlines())]
        self.names, self.hosts = names, hosts

    def slice(self, number: int) -> Slice:
        name, turn = self.names[number % len(self.names)], number // len(self.names)
        if name == "orders":
            bundle = str(TOP / ".build/release/tour-chatPackageTests.xctest")
            return Slice(name, [bundle, "--testing-library", "swift-testing", "--filter", "RosterPurityTests"], {"TOUR_SOAK": "1"})
        if name == "contract":
            return Slice(name, [str(SCHEMATHESIS), str(TOP / "Scripts/support/server_schema"), "200"])
        return Slice(name, [*self.hosts, "--repeat", "1", "--no-skips", "--only", name, "--seed", str(20_240_601 + turn), "--logs",
                            str(TOP / ".build/soak-logs")])

    def read(self, text: str, status: int, piece: Slice) -> Read:
        return {"tests": 1}, {}, [f"{piece.name}: {text.strip()[-300:]}"] if status else []


class Bench:
    """One workload of the bench in a slice, in turn; the medians of all are shown."""

    def __init__(self, words: list[str]) -> None:
        at = words.index("--only") + 1 if "--only" in words else 0
        self.works = words[at].split(",") if at else list("abcde")
        self.words = words[:at - 1] + words[at + 1:] if at else words

    def slice(self, number: int) -> Slice:
        work = self.works[number % len(self.works)]
        command = [sys.executable, str(TOP / "Scripts/support/bench"), "--json", "--only", work, *self.words]
        return Slice(f"workload {work}", command)

    def read(self, text: str, status: int, piece: Slice) -> Read:
        told = next((json.loads(line) for line in text.splitlines() if line.startswith("{")), {})
        figures = {f"{group}/{key}": float(value) for group, row in told.get("figures", {}).items() for key, value in row.items()}
        problems = [str(failure) for failure in told.get("failures", [])]
        if not problems and (status or not figures):
            problems = [f"{piece.name}: status {status}: {text.strip()[-200:]}"]
        return {"runs": 1}, figures, problems


KINDS = {"simulate": Seeds, "fuzz": Fuzzers, "soak": Soak, "bench": Bench}
