"""Draws where the processor's time of a node goes that receives messages. Called by Scripts/bench, which explains it."""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from shutil import which

SUPPORT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SUPPORT), str(SUPPORT / "bench"), str(SUPPORT / "instructions_bench"),
                str(SUPPORT.parents[1] / "Tests" / "Hosts")]

import flame  # noqa: E402
import lab  # noqa: E402
from members import body  # noqa: E402
from nodes import all_know_all, make_tour  # noqa: E402

SKIPPED = 77
RATE = 100  # messages a second: a delivery takes a tenth of what is between two
WARM_UP = 2.0  # seconds


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Scripts/bench flame", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20, metavar="N", help="how long it is watched (20)")
    parser.add_argument("--members", type=int, default=8, metavar="N", help="members, the guide included (8)")
    parser.add_argument("--to", type=Path, default=Path("flame.svg"), metavar="FILE", help="the picture (flame.svg)")
    options = parser.parse_args()
    if options.seconds <= 0 or not 2 <= options.members <= 50:
        parser.error("--seconds is more than 0, --members 2 to 50")
    options.to = options.to.resolve()
    return options


def watch(seconds: float, members: int) -> str:
    """What `perf script` prints of the member that was watched."""
    with lab.Lab([(0,)] * members) as place:
        nodes = [host.node(f"m{number}") for number, host in enumerate(place.hosts)]
        for node in nodes:
            node.start()
        make_tour(nodes, "Bench")
        all_know_all(nodes, 90)
        member, data = nodes[1], place.home / "perf.data"
        follower, stream = member.follow(), nodes[0].stream()
        assert member.process
        recording: subprocess.Popen[bytes] | None = None
        begun = time.monotonic()
        number = 0
        while (now := time.monotonic() - begun) < WARM_UP + seconds:
            if recording is None and now >= WARM_UP:
                recording = subprocess.Popen(
                    ["perf", "record", "--quiet", "--event", "cpu-clock", "--freq", "1999", "--call-graph", "fp",
                     "--pid", str(member.process.pid), "--output", str(data), "--", "sleep", str(seconds)],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            last = body(number, time.time_ns(), 200)
            stream.write(last)
            number += 1
            time.sleep(max(0.0, begun + number / RATE - time.monotonic()))
        follower.wait_text(last, 30)
        if recording is None or recording.wait(60):
            raise SystemExit("perf could not watch the node: its rights end at kernel.perf_event_paranoid")
        done = subprocess.run(["perf", "script", "--input", str(data), "--fields", "comm,ip,sym,dso"],
                              capture_output=True, text=True, errors="replace", check=True)
        stream.close()
        return done.stdout


def main() -> int:
    options = arguments()
    reason = "no perf: Debian's package linux-perf has it" if not which("perf") else lab.why_impossible()
    if reason:
        print(f"no flame graph can be drawn here: {reason}", file=sys.stderr)
        return SKIPPED
    os.environ["TOURCHAT"] = os.path.realpath(os.environ["TOURCHAT"])
    lab.enter_private_space()
    found = flame.stacks(watch(options.seconds, options.members))
    samples = sum(found.values())
    options.to.write_text(flame.picture(
        found, f"A node that receives {RATE} messages of 200 bytes a second, {options.members} members: "
        f"{samples:,} samples in {options.seconds:g} s"))
    for name, share in flame.shares(found)[:15]:
        print(f"{name:24} {100 * share:5.1f} %")
    print(f"the picture is in {options.to}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
