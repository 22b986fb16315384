"""Which module an instruction belongs to, and who pays for what libraries do."""
from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from shutil import which

from callgrind import Function, Profile

# A Swift symbol: perhaps a prefix of the compiler's own, then the length and the name of its module.
_SWIFT = re.compile(r"^_?\$[sS](?P<rest>.*)$")
_LENGTH = re.compile(r"^(?:[a-zA-Z_]{0,3}?)(\d+)(\D.*)$")
_C_PREFIXES = {
    "swift_": "Swift runtime", "_swift_": "Swift runtime", "_ZN5swift": "Swift runtime", "_ZNK5swift": "Swift runtime",
    "_ZL": "Swift runtime", "_dispatch": "dispatch", "dispatch_": "dispatch", "c_nio": "NIO (C)", "CNIO": "NIO (C)",
    "sqlite3": "sqlite3", "crypto_": "libsodium", "malloc": "libc", "free": "libc", "mem": "libc", "str": "libc",
    "_ZN": "C++", "__swift": "Swift runtime", "block_": "dispatch", "_Block": "dispatch"}
_LIBRARIES = {"libc.so": "libc", "libsodium": "libsodium", "libsqlite3": "sqlite3", "libm.so": "libc",
              "libpthread": "libc", "ld-linux": "libc", "libavahi": "avahi", "libdbus": "dbus",
              "vgpreload": "valgrind's own"}
# What they cost is due to who calls them.
LIBRARIES = {"Swift runtime", "Swift library", "Swift thunks", "libc", "libsodium", "sqlite3", "C++", "dispatch",
             "other C", "Foundation", "FoundationEssentials", "GRDB", "SwiftProtobuf", "NIOCore", "NIOPosix",
             "NIO (C)", "Crypto", "Synchronization", "_Concurrency", "Logging"}


def module_of(function: Function) -> str:
    """The module that a function is of; for a library of the system, the library."""
    place, symbol = function
    for part, name in _LIBRARIES.items():
        if place.startswith(part):
            return name
    if found := _SWIFT.match(symbol):
        return _swift_module(found["rest"])
    for part, name in _C_PREFIXES.items():
        if symbol.startswith(part):
            return name
    return "other C"


def _swift_module(rest: str) -> str:
    if rest.startswith(("I", "x", "q")):
        return "Swift thunks"
    if rest.startswith("So"):
        return "other C"
    if rest.startswith("Sc"):
        return "_Concurrency"
    if rest.startswith(("S", "s")):
        return "Swift library"
    if found := _LENGTH.match(rest):
        length, name = int(found[1]), found[2]
        if len(name) >= length:
            return name[:length]
    return "Swift thunks"


def by_module(own: dict[Function, int]) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for function, cost in own.items():
        sums[module_of(function)] += cost
    return dict(sums)


def charged(profile: Profile, rounds: int = 40) -> dict[str, float]:
    """Instructions by module, where those of libraries count to the module that called them, in proportion to what its
    calls cost, through any number of libraries."""
    callers: dict[Function, dict[Function, int]] = defaultdict(dict)
    for (caller, called), cost in profile.calls.items():
        if caller != called and module_of(called) in LIBRARIES:
            callers[called][caller] = cost
    shares: dict[Function, dict[str, float]] = {function: {} for function in profile.own}

    def of(function: Function) -> dict[str, float]:
        name = module_of(function)
        return shares.get(function, {}) if name in LIBRARIES else {name: 1.0}

    for _ in range(rounds):
        fresh = {}
        for function, found in callers.items():
            total = sum(found.values()) or 1
            mixed: dict[str, float] = defaultdict(float)
            for caller, cost in found.items():
                for name, share in of(caller).items():
                    mixed[name] += share * cost / total
            fresh[function] = dict(mixed)
        shares.update(fresh)
    sums: dict[str, float] = defaultdict(float)
    for function, cost in profile.own.items():
        told = of(function)
        for name, share in told.items():
            sums[name] += share * cost
        sums["nobody's (run loops, libraries' own)"] += cost * max(0.0, 1 - sum(told.values()))
    return dict(sums)


def readable(symbols: list[str]) -> list[str]:
    """The symbols as people read them, where Swift's tool is there."""
    tool = which("swift-demangle")
    if not tool:
        return symbols
    done = subprocess.run([tool, "--compact", "--simplified"], input="\n".join(symbols), capture_output=True, text=True)
    lines = done.stdout.splitlines()
    return lines if len(lines) == len(symbols) else symbols
