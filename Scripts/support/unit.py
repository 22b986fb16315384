"""Runs the tests of every target in a process of its own, several at once: `unit.py BUNDLE --logs DIR [TARGET…]`.

The server's tests run twice: on SQLite, and on a PostgreSQL of their own.

BUNDLE is the output of `swift build --build-tests`. If one process ran all tests, a test that waits would keep a thread
from those that work, and nobody could tell the cost of a target. Prints a line for each target; exits with 1 when
anything failed, or when a target has no test.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from postgres import VARIABLE, Cluster

TOP = Path(__file__).resolve().parents[2]
SERVER, ON_POSTGRES = "TourServerTests", "TourServerTests-PostgreSQL"
# On SQLite alone run suites that see nothing of the database.
BESIDE_DATABASE = (r"\.(CertificateTests|"
                   "ConnectionBoundTests|ContractTests|FormTests|HTTPTests|HeavyRequestTests|JSONScannerTests|"
                   "LanguageTests|MissingLibraryTests|MultipartReaderTests|OutsideIssuerTests|PageTests|SenderTests|SlowClientTests)/")
# The targets that take longest begin first.
LONG = [ON_POSTGRES, SERVER, "TidyTests", "TourBlobTests", "TourGossipTests", "TourImageTests"]
SUMMARY = re.compile(r"Test run with (\d+) tests? in \d+ suites? (passed|failed) after ([\d.]+) seconds")
PLAIN = re.compile(r"\x1b\[[0-9;]*m")
TOLD = re.compile(r"✘|recorded an issue|error:|Fatal|Crash")
STARTED = re.compile(r"^◇ Test (?!run|case)(.+) started\.")
ENDED = re.compile(r"^\S Test (.+?)(?: with \d+ test cases?)? (?:passed|failed) after ")
LINES_MAX = 40
# Seconds after which a target is ended: several times what the longest takes. A test that waits for ever is named.
LIMIT = 1500


@dataclass
class Result:
    target: str
    tests: int
    failed: bool
    seconds: float
    processor: float
    told: list[str]

    def line(self) -> str:
        return (f"{'FAIL' if self.failed else 'ok  '} {self.target:24} {self.seconds:7.1f} s {self.processor:6.1f} s of processor "
                f"{self.tests:5} tests")


def run(bundle: Path, target: str, logs: Path, address: str) -> Result:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if target == ON_POSTGRES:
        environment[VARIABLE] = address
    words = ["--filter", rf"^{SERVER if target == ON_POSTGRES else target}\."]
    if target == ON_POSTGRES:
        words += ["--skip", BESIDE_DATABASE]
    begun, log = time.monotonic(), logs / f"{target}.log"
    with log.open("wb") as out:
        process = subprocess.Popen([bundle, "--testing-library", "swift-testing", *words], cwd=TOP,
                                   env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        watch = threading.Timer(LIMIT, process.kill)
        watch.start()
        _, status, used = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    lines = PLAIN.sub("", log.read_text(errors="replace")).splitlines()
    summary = next((found for line in reversed(lines) if (found := SUMMARY.search(line))), None)
    tests = int(summary[1]) if summary else 0
    failed = process.returncode != 0 or tests == 0
    told = [line for line in lines if TOLD.search(line)][:LINES_MAX] if failed else []
    if failed and not summary:
        begun_tests, ended = ([found[1] for line in lines if (found := kind.match(line))] for kind in (STARTED, ENDED))
        waiting = [name for name in dict.fromkeys(begun_tests) if begun_tests.count(name) > ended.count(name)]
        told += [f"ended with {process.returncode}, without a summary" + (
            f", after the {LIMIT} s that a target has" if process.returncode == -signal.SIGKILL else ""),
            *(f"not over: {name}" for name in waiting[:LINES_MAX]), *lines[-10:]]
    return Result(target, tests, failed, time.monotonic() - begun, used.ru_utime + used.ru_stime, told)


def main() -> int:
    parser = argparse.ArgumentParser(prog="unit.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bundle", type=Path)
    parser.add_argument("targets", nargs="*", help="just these (all)")
    parser.add_argument("--logs", type=Path, required=True, help="a log for each target goes there")
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 1, help="processes at once (one more than processors)")
    options = parser.parse_intermixed_args()
    options.logs.mkdir(parents=True, exist_ok=True)
    names = options.targets or [folder.name for folder in sorted((TOP / "Tests").glob("*Tests"))]
    if SERVER in names:
        names.append(ON_POSTGRES)
    names.sort(key=lambda name: LONG.index(name) if name in LONG else len(LONG))
    tests = failed = 0
    with Cluster() if SERVER in names else nullcontext() as cluster, ThreadPoolExecutor(options.jobs) as pool:
        address = cluster.address if cluster else ""
        for done in as_completed([pool.submit(run, options.bundle, name, options.logs, address) for name in names]):
            result = done.result()
            print("\n".join([result.line(), *(f"     {line}" for line in result.told)]), flush=True)
            tests += result.tests
            failed += result.failed
        if cluster:
            shutil.copy(cluster.home / "log", options.logs / "postgresql.log")
    print(f"{tests} tests in {len(names)} targets, {failed} targets failed: the logs are in {options.logs}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
