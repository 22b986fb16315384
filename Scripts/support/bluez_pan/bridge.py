"""The bridge that joined nodes are attached to, created and removed with `ip`."""
from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .problem import Failure, Problem

ENVIRONMENT = {**os.environ, "PATH": os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin", "LC_ALL": "C"}


def ip(*words: str) -> str:
    try:
        done = subprocess.run(["ip", *words], capture_output=True, text=True, env=ENVIRONMENT)
    except FileNotFoundError:
        raise Problem(Failure.OTHER, "`ip` is missing: apt-get install iproute2") from None
    if done.returncode:
        said = done.stderr.strip()
        if "not permitted" in said:
            raise Problem(Failure.NOT_AUTHORISED, f"ip {' '.join(words)}: not authorised: run this as root (sudo)")
        raise Problem(Failure.OTHER, f"ip {' '.join(words)}: {said}")
    return done.stdout


def links() -> list[dict[str, Any]]:
    return json.loads(ip("-json", "-details", "link", "show") or "[]")


@contextmanager
def bridge(name: str, address: str | None) -> Iterator[bool]:
    """Keeps the bridge up while the block runs; yields True if this call created it. Undoes its own changes and no
    others."""
    found = [link for link in links() if link["ifname"] == name]
    if found and found[0].get("linkinfo", {}).get("info_kind") != "bridge":
        raise Problem(Failure.OTHER, f"there is an interface {name} that is no bridge: choose another by --bridge")
    undo: list[tuple[str, ...]] = []
    try:
        if not found:
            # All ports belong to this program: there are no loops to look for, and multicast goes to every port.
            ip("link", "add", name, "type", "bridge", "stp_state", "0", "forward_delay", "0", "mcast_snooping", "0")
            undo.append(("link", "del", name))
        if not found or "UP" not in found[0]["flags"]:
            ip("link", "set", name, "up")
            if found:
                undo.append(("link", "set", name, "down"))
        if address and not has_address(name, address):
            ip("address", "add", address, "dev", name)
            undo.append(("address", "del", address, "dev", name))
        yield not found
    finally:
        for words in reversed(undo):
            try:
                ip(*words)
            except Problem:
                pass  # somebody else has removed the bridge already


def has_address(name: str, address: str) -> bool:
    listed = json.loads(ip("-json", "address", "show", "dev", name))
    return any(f"{a.get('local')}/{a.get('prefixlen')}" == address for row in listed for a in row.get("addr_info", []))


def lacks_link_local(name: str) -> bool:
    setting = Path("/proc/sys/net/ipv6/conf", name, "disable_ipv6")
    return not setting.exists() or setting.read_text().strip() != "0"
