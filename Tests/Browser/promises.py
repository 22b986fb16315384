"""The table of promises that both pages keep (Documentation/promises.md), held against the tests that there are."""
from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "Documentation" / "promises.md"
PAGES = ("members' page", "guests' page")


def faults(tests: Collection[str]) -> list[str]:
    """What is wrong with the table: a promise without a test of a page, and without a word why; a test that is not
    there; no row at all."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in TABLE.read_text().splitlines() if line.startswith("|")][2:]
    found = [] if rows else [f"{TABLE.name} has no promise"]
    for row in rows:
        if len(row) != 4:
            found.append(f"'{row[0]}' has {len(row)} cells, not four")
            continue
        for page, cell in zip(PAGES, row[2:]):
            names = re.findall(r"`([^`]+)`", cell)
            if not names and not re.fullmatch(r"– \(.+\)", cell):
                found.append(f"'{row[0]}' has no test of the {page}, and no word why")
            found += [f"'{row[0]}': there is no test '{name}'" for name in names if name not in tests]
    return found
