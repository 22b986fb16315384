"""Goal: with its blobs in a bucket a server loses nothing acknowledged, and leaves nothing there for ever. Method:
`server_bucket.py` plays two processes on a real S3-compatible service, and kills each side."""
from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from bucket import PROGRAM as SERVICE
from cases import Context, Unavailable, case, expect
from postgres import BINARIES
from programs import interpreter
from server import binary

PROGRAM = Path(__file__).with_name("server_bucket.py")


@case
def blobs_in_a_bucket(context: Context) -> None:
    """Sent, resumed, read by ranges and deleted, over kills of servers and of the service; copied and restored."""
    if BINARIES is None or not os.access(SERVICE, os.X_OK):
        raise Unavailable("there is no PostgreSQL, or no S3 service")
    environment = {**os.environ, "TOURSERVER": binary()}
    words = [interpreter(), "-B", str(PROGRAM), str(context.random.random())]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    expect(done.returncode == 0, f"{done.stderr.strip()[-500:]}")
    context.note(f"{json.loads(done.stdout)['blobs']} blobs")
