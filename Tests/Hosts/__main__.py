"""Tests over several hosts, through the real binary: `TOURCHAT=… python3 Tests/Hosts [--only NAME,…]`.

Each test gets a lab of its own (network namespaces), prints one line, and keeps its hosts' logs when it fails.
Ends with 0 (all passed), 1 (something failed) or 77 (no rights for a lab here: nothing was tested). A test that lacks
something else is skipped and named; with --no-skips it has failed.
"""
from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts" / "support"))

import runner  # noqa: E402

# Each file registers its cases.
for path in sorted(Path(__file__).parent.glob("test_*.py")):
    import_module(path.stem)

if __name__ == "__main__":
    sys.exit(runner.main("Tests/Hosts", __doc__ or "", Path(".build/test-logs/hosts")))
