"""Tests of the page in a real Chromium, over real nodes: `TOURCHAT=… python Tests/Browser [--only NAME,…]`.

With `--repeat 1` the long history has 100,000 messages (5,000 otherwise). `--screenshots DIR` tests nothing and leaves
pictures of every view there. Ends as Tests/Hosts does; a failed case leaves its screens and its hosts' logs.
"""
from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / "Tests" / "Hosts"), str(ROOT / "Scripts" / "support")]

import browsers  # noqa: E402
import case_admin  # noqa: E402,F401
import case_alone  # noqa: E402,F401
import case_board  # noqa: E402,F401
import case_chat  # noqa: E402,F401
import case_door  # noqa: E402,F401
import case_endings  # noqa: E402,F401
import case_everybody  # noqa: E402,F401
import case_files  # noqa: E402,F401
import case_first  # noqa: E402,F401
import case_guide  # noqa: E402,F401
import case_guest_reading  # noqa: E402,F401
import case_guests  # noqa: E402,F401
import case_hostile  # noqa: E402,F401
import case_join  # noqa: E402,F401
import case_joint  # noqa: E402,F401
import case_notebook  # noqa: E402,F401
import case_open  # noqa: E402,F401
import case_people  # noqa: E402,F401
import case_place  # noqa: E402,F401
import case_secure  # noqa: E402,F401
import case_today  # noqa: E402,F401
import case_trouble  # noqa: E402,F401
import case_urgent  # noqa: E402,F401
import case_words  # noqa: E402,F401
import cases  # noqa: E402
import lab  # noqa: E402
import promises  # noqa: E402
import runner  # noqa: E402
import screens  # noqa: E402
import stage  # noqa: E402


def close() -> None:
    stage.close_shared()
    browsers.close()


def main() -> int:
    if faults := promises.faults(cases.TESTS):
        print("\n".join(faults), file=sys.stderr)
        return 1
    if "--screenshots" not in sys.argv:
        return runner.main("Tests/Browser", __doc__ or "", Path(".build/test-logs/browser"),
                           missing=browsers.why_impossible, close=close)
    if reason := lab.why_impossible() or browsers.why_impossible():
        print(f"there can be no pictures: {reason}", file=sys.stderr)
        return 1
    directory = sys.argv[-1]
    if len(sys.argv) != 3 or directory == "--screenshots":
        print("usage: --screenshots DIR", file=sys.stderr)
        return 2
    lab.enter_private_space()
    try:
        screens.take_all(Path(directory).resolve())
    finally:
        browsers.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
