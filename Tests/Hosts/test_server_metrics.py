"""Goal: a Prometheus with the files of the documentation watches a real server: it takes what the server shows, and its
alerts see what goes wrong. Method: a real Prometheus and a real server on a host, of which a folder is taken away."""
from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from cases import Context, Unavailable, case, expect
from lab import Host
from nodes import end, wait_until
from server import Server

FILES = Path(__file__).resolve().parents[2] / "Documentation" / "operations"
RULES, SETTINGS, TESTS = "prometheus-rules.yml", "prometheus.yml", "prometheus-rules-test.yml"
LISTENER, PORT = "127.0.0.1:9464", 9090

_GET = """
import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())
"""


@case
def watched(context: Context) -> None:
    """promtool takes rules and metrics; Prometheus scrapes, and sees that a folder is gone."""
    if not shutil.which("prometheus") or not shutil.which("promtool"):
        raise Unavailable("there is no Prometheus")
    promtool(["check", "config", SETTINGS])
    promtool(["test", "rules", TESTS])
    with context.lab([(0,)], avahi=False) as lab:
        host = lab.hosts[0]
        server = Server(host)
        server.launch("--listen", "0.0.0.0:8080", "--operator-listen", LISTENER)
        try:
            wait_until(lambda: get(host, f"http://{LISTENER}/readyz") is not None, 30, "the server is ready")
            promtool(["check", "metrics"], get(host, f"http://{LISTENER}/metrics"))
            watch(host, server)
        finally:
            if server.process:
                end(server.process)


def watch(host: Host, server: Server) -> None:
    home = host.home / "prometheus"
    home.mkdir()
    # As often as the tests have patience for.
    (home / SETTINGS).write_text((FILES / SETTINGS).read_text().replace("15s", "1s"))
    shutil.copy(FILES / RULES, home)
    words = ["prometheus", f"--config.file={home / SETTINGS}", f"--storage.tsdb.path={home / 'data'}",
             f"--web.listen-address=127.0.0.1:{PORT}"]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(host.argv(words), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        wait_until(lambda: value(host, 'up{job="tour-server"}') == 1, 60, "Prometheus has scraped the server")
        expect(value(host, "tour_server_accounts") == 0, "there is no account")
        expect(value(host, "min(tour_server_ready)") == 1, "the server is ready")
        blobs = server.home / "data" / "blobs"
        blobs.rename(blobs.with_name("aside"))
        wait_until(lambda: value(host, 'tour_server_ready{check="blobs"}') == 0, 30, "the folder is missed")
        wait_until(lambda: "TourServerNotReady" in alerts(host), 30, "the alert waits")
        blobs.with_name("aside").rename(blobs)
        wait_until(lambda: "TourServerNotReady" not in alerts(host), 30, "all is well again")
    finally:
        end(process)


def get(host: Host, url: str) -> str | None:
    """What is there; nothing where nobody answers, or not with 200."""
    done = subprocess.run(host.argv(["python3", "-c", _GET, url]), capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def value(host: Host, expression: str) -> float | None:
    quoted = expression.replace("{", "%7B").replace("}", "%7D").replace('"', "%22").replace("=", "%3D")
    text = get(host, f"http://127.0.0.1:{PORT}/api/v1/query?query={quoted}")
    rows = json.loads(text)["data"]["result"] if text else []
    return float(rows[0]["value"][1]) if rows else None


def alerts(host: Host) -> set[str]:
    """Those that are raised, or wait to be."""
    text = get(host, f"http://127.0.0.1:{PORT}/api/v1/alerts")
    return {row["labels"]["alertname"] for row in json.loads(text)["data"]["alerts"]} if text else set()


def promtool(words: list[str], text: str | None = None) -> None:
    done = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True, cwd=FILES, check=False)
    expect(done.returncode == 0, f"promtool {' '.join(words)}: {(done.stdout + done.stderr).strip()[-500:]}")
