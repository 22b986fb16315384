"""Checks a running tour-server against the contract that it serves, with requests that schemathesis generates. Called
by `Scripts/soak`; `st` of the same environment does the work."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "PythonNode"), str(HERE.parent / "server_bench")]

from people import Tour  # noqa: E402
from server import Server  # noqa: E402


def main() -> int:
    examples = sys.argv[1] if len(sys.argv) > 1 else "100"
    with tempfile.TemporaryDirectory(prefix="tour-server-schema-") as name, Server(Path(name)) as server:
        guests = [server.post("/auth/anonymous", b"{}")["access_token"] for _ in range(50)]
        tour = Tour()
        member = tour.join()
        server.make_known(tour, role="admin")
        tokens = [server.log_in()] * 4 + [server.member_token(tour, device) for device in (tour.guide, member)]
        state = {"tokens": tokens, "guests": guests, "tour": tour.id.hex()}
        url = f"http://127.0.0.1:{server.port}"
        command = [str(Path(sys.executable).with_name("st")), "--config-file", str(HERE / "schemathesis.toml"), "run",
                   f"{url}/openapi.yaml", "--url", url, "--max-examples", examples, "--seed", "1", "--checks", "all",
                   "--request-timeout", "30", "--exclude-path", "/groups/{id}/live", "--continue-on-failure"]
        environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "SERVER_SCHEMA_STATE": json.dumps(state),
                       "PYTHONPATH": str(HERE)}
        return subprocess.run(command, env=environment, cwd=name, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
