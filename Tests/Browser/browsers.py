"""Chromium inside a host's network namespace, driven from outside it: its pages see that host's own 127.0.0.1."""
from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from lab import Host, run
from playwright.sync_api import Browser, Playwright, sync_playwright

_driver: Playwright | None = None


def chromium() -> str | None:
    """The browser that is installed here."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def why_impossible() -> str | None:
    return None if chromium() else "chromium is not installed"


def driver() -> Playwright:
    """One for the whole run, started when it is needed first."""
    global _driver
    if _driver is None:
        _driver = sync_playwright().start()
    return _driver


def close() -> None:
    global _driver
    if _driver is not None:
        _driver.stop()
        _driver = None


def launch(host: Host, *flags: str, camera: Path | None = None, authority: Path | None = None,
           names: Path | None = None) -> Browser:
    """Starts a browser on the host. The driver speaks to it through inherited pipes, which cross namespaces, so that no
    port of it is open to the pages that it shows. With `camera` it has one, which shows the frames of that file; with
    `authority` it trusts the one in that file as it trusts those of the system; with `names` it finds those in that
    file, in the form of /etc/hosts, and what is changed there."""
    if camera:
        flags = (*flags, "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={camera}")
    start = host.home / "chromium"
    program = [chromium() or "chromium"]
    if names:
        # Each command on a host has mounts of its own.
        bound = f'mount --bind {shlex.quote(str(names))} /etc/hosts && exec "$0" "$@"'
        program = ["sh", "-c", bound, *program]
    start.write_text(f'#!/bin/sh\nexec {shlex.join(host.argv(program))} "$@"\n')
    start.chmod(0o700)
    home = host.home / "chromium-home"
    home.mkdir(exist_ok=True)
    if authority:
        store = home / ".pki" / "nssdb"
        store.mkdir(parents=True)
        run("certutil", "-d", f"sql:{store}", "-N", "--empty-password")
        run("certutil", "-d", f"sql:{store}", "-A", "-n", "authority", "-t", "C,,", "-i", str(authority))
    environment: dict[str, str | float | bool] = {
        **host.environment(), "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home)}
    return driver().chromium.launch(executable_path=str(start), args=list(flags), env=environment)
