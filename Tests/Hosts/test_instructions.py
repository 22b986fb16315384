"""Goal: a delivery costs about as many of the processor's instructions as in the last release. Method: two nodes under
valgrind, on hosts of their own, and the count that Documentation/evidence.md keeps, which hardly depends on what else
the machine does."""
from __future__ import annotations

import os
import sys
from pathlib import Path
from shutil import which

SUPPORT = Path(__file__).resolve().parents[2] / "Scripts" / "support"
sys.path[1:1] = [str(SUPPORT / "bench"), str(SUPPORT / "instructions_bench")]

import kept  # noqa: E402
from callgrind import PROGRAMS  # noqa: E402
from cases import Context, Unavailable, case, expect  # noqa: E402
from delivery import Plan, measure  # noqa: E402

BOUND = 1.5


@case
def instructions(context: Context) -> None:
    """Writing and receiving a message take at most half as many instructions again as in the last release."""
    if missing := [program for program in PROGRAMS if not which(program)]:
        raise Unavailable(f"no {missing[0]}")
    if "debug" in Path(os.environ["TOURCHAT"]).parts:
        raise Unavailable("this is a debug build: only those of release builds compare")
    last = kept.rows(kept.TABLE.read_text())[-1]
    for name, work in measure(Plan(messages=30, idle_seconds=4)).items():
        ratio = work.instructions / last.instructions[name]
        context.note(f"{name} {work.instructions:,.0f}, {ratio:.2f} of {last.release}'s")
        expect(ratio <= BOUND, f"a node {name} a message with {work.instructions:,.0f} instructions, "
               f"{ratio:.2f} times those of {last.release}: see Scripts/bench instructions --profile FILE")
