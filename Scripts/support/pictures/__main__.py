"""Makes the pictures of the Markdown from the running program: `TOURCHAT=… python Scripts/support/pictures DIR`."""
from __future__ import annotations

import random
import shutil
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
sys.path[1:1] = [str(TOP / "Tests" / "Browser"), str(TOP / "Tests" / "Hosts"), str(TOP / "Scripts" / "support")]

import browsers  # noqa: E402
import lab  # noqa: E402
import drawing  # noqa: E402
import shots  # noqa: E402
from cases import Context  # noqa: E402
from tour import tour  # noqa: E402


def make_all(directory: Path) -> None:
    scratch = Path(tempfile.mkdtemp(prefix="tour-chat-pictures-"))
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with tour(Context(Fraction(1), random.Random(1), scratch / "logs")) as made:
            drawing.draw(made, directory)
            made.more_people()
            made.talk()
            made.part()
            with made.positions():
                shots.take_all(made, shots.Camera(directory, scratch), made.last_words())
    finally:
        browsers.close()
        shutil.rmtree(scratch, ignore_errors=True)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if reason := lab.why_impossible() or browsers.why_impossible():
        print(f"there can be no pictures: {reason}", file=sys.stderr)
        return 1
    directory = Path(sys.argv[1]).resolve()
    lab.enter_private_space()
    make_all(directory)
    print(f"{len(list(directory.iterdir()))} pictures are in {directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
