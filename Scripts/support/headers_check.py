"""Compiles what faces C against the headers of a newer Debian: `headers_check.py [SUITE]` (trixie).

A newer header deprecates a function, or gives a constant another type, and the sources no longer compile there. This
compiles each C target, and of each Swift module the files that import one, against the modules of the last release
build; nothing is linked. The headers come from this machine's own Debian archive: the development packages
that Scripts/install names, fetched once and kept in .build. Exits with 1 where something does not compile, and with 77
where the headers cannot be had.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SKIPPED = 77
# The C library's own headers, and parts of packages that Scripts/install names.
BASE = ["libc6-dev", "linux-libc-dev", "libcrypt-dev", "libavahi-common-dev"]
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# The options of a module's own command that concern its types, with the number of values that follow each.
OPTIONS = {"-I": 1, "-Xcc": 1, "-target": 1, "-swift-version": 1, "-enable-upcoming-feature": 1, "-package-name": 1,
           "-module-name": 1, "-parse-as-library": 0, "-warnings-as-errors": 0, "-DSWIFT_PACKAGE": 0}
IMPORT = re.compile(r"^(?:\w+ )?import (\w+)$", re.MULTILINE)


def skip(why: str) -> None:
    print(f"{why}: skipped")
    sys.exit(SKIPPED)


def told(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, **options)


def mirror() -> str:
    """The Debian archive that this machine's apt uses."""
    if "ID=debian" not in Path("/etc/os-release").read_text().splitlines():
        skip("this machine's apt has no Debian archive")
    asked = ["apt-get", "--print-uris", "download", "base-files"]
    if (found := told(*asked)).returncode:
        told("apt-get", "update")
        found = told(*asked)
    address = re.match(r"'(.+)/pool/", found.stdout)
    return address[1] if address else skip("apt knows no archive here")


def headers(suite: str) -> Path:
    """The folder with the headers; fetches them when there are none, or when the packages have changed."""
    install = (TOP / "Scripts/install").read_text()
    packages = sorted({*BASE, *re.findall(r"\b[a-z0-9+.-]+-dev\b", re.search(r"local run=\(.*?\)", install, re.DOTALL)[0])})
    home = TOP / ".build/headers" / f"{suite}-{hashlib.sha256(' '.join(packages).encode()).hexdigest()[:12]}"
    if home.exists():
        return home
    archive, new = mirror(), home.with_suffix(".new")
    for older in home.parent.glob(f"{suite}-*"):
        shutil.rmtree(older)
    for folder in ("etc/apt/apt.conf.d", "etc/apt/preferences.d", "var/lib/dpkg", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial"):
        (new / "apt" / folder).mkdir(parents=True)
    (new / "apt/var/lib/dpkg/status").touch()
    (new / "apt/etc/apt/sources.list").write_text(f"deb [signed-by={KEYRING}] {archive} {suite} main\n")
    apt = ["apt-get", "-o", f"Dir={new}/apt", "-o", f"Dir::State::status={new}/apt/var/lib/dpkg/status", "-o", "APT::Sandbox::User=root"]
    for words in (["update"], ["download", *packages]):
        if (done := told(*apt, *words, cwd=new)).returncode:
            shutil.rmtree(new)
            skip(f"no headers of {suite} could be fetched ({done.stderr.strip().splitlines()[-1]})")
    for package in new.glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", package, new], check=True)
        package.unlink()
    shutil.rmtree(new / "apt")
    new.rename(home)
    return home


def commands(root: Path) -> Iterator[tuple[str, list[str]]]:
    """What to compile, each with its name: the C targets, then the Swift modules."""
    includes = [f"-I{folder}" for folder in sorted((TOP / "Sources").glob("C*/include"))]
    clang = ["clang", "-fsyntax-only", "-Wall", "-Werror", f"--sysroot={root}", *includes]
    ours = set()
    for target in sorted((TOP / "Sources").glob("C*")):
        ours.add(target.name)
        yield target.name, [*clang, *map(str, sorted(target.glob("*.c")) or ["-xc-header", *sorted(target.glob("*.h"))])]
    manifest = (TOP / ".build/release.yaml").read_text() if (TOP / ".build/release.yaml").exists() else ""
    for module in sorted((TOP / "Sources").iterdir()):
        files = sorted(module.rglob("*.swift"))
        facing = {file for file in files if ours & set(IMPORT.findall(file.read_text()))}
        if not facing:
            continue
        own = re.search(rf'^    args: (\["[^"]*swiftc","-module-name","{module.name.replace("-", "_")}",.*\])$', manifest, re.MULTILINE)
        if not own:
            sys.exit(f"error: no release build knows {module.name}: 'swift build -c release --build-tests' comes first")
        swift = ["swiftc", "-frontend", "-typecheck", *kept(json.loads(own[1])), "-module-cache-path", str(root.parent / "modules"),
                 "-sdk", str(root)]
        yield module.name, swift + [word for file in files for word in (["-primary-file"] if file in facing else []) + [str(file)]]


def kept(words: list[str]) -> Iterator[str]:
    index = 0
    while index < len(words):
        values = OPTIONS.get(words[index])
        if values is not None:
            yield from words[index:index + values + 1]
        index += 1 + (values or 0)


def compiled(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Where files of a module do not compile by themselves, the whole module decides: which module a type of the system
    is taken for depends on what is read before."""
    done = told(*words)
    if done.returncode and "-primary-file" in words:
        done = told(*(word for word in words if word not in ("-frontend", "-primary-file")), "-whole-module-optimization")
    return done


def main() -> int:
    root = headers(sys.argv[1] if len(sys.argv) > 1 else "trixie")
    everything = dict(commands(root))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(zip(everything, pool.map(compiled, everything.values())))
    failed = [(name, done) for name, done in results if done.returncode]
    for name, done in failed:
        print(f"FAIL {name}", *[line for line in done.stderr.splitlines() if ": error: " in line] or [done.stderr], sep="\n     ")
    print(f"{len(results)} modules against the headers of {root.name.split('-')[0]}, {len(failed)} do not compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
