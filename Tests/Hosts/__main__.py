"""Tests over several hosts, through the real binary: `TOURCHAT=… python3 Tests/Hosts [--only NAME,…]`.

Each test gets a lab of its own (network namespaces), prints one line, and keeps its hosts' logs when it fails.
Ends with 0 (all passed), 1 (something failed) or 77 (no rights for a lab here: nothing was tested). A test that lacks
something else is skipped and named; with --no-skips it has failed.
"""
from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts" / "support"))

import runner  # noqa: E402
import test_asking  # noqa: E402,F401
import test_atrest  # noqa: E402,F401
import test_captive  # noqa: E402,F401
import test_chat  # noqa: E402,F401
import test_contract  # noqa: E402,F401
import test_day  # noqa: E402,F401
import test_desktop  # noqa: E402,F401
import test_disk  # noqa: E402,F401
import test_door  # noqa: E402,F401
import test_files  # noqa: E402,F401
import test_first  # noqa: E402,F401
import test_floods  # noqa: E402,F401
import test_gate  # noqa: E402,F401
import test_group  # noqa: E402,F401
import test_honest_crowd  # noqa: E402,F401
import test_hotspot  # noqa: E402,F401
import test_independent  # noqa: E402,F401
import test_input  # noqa: E402,F401
import test_instructions  # noqa: E402,F401
import test_joining  # noqa: E402,F401
import test_lost  # noqa: E402,F401
import test_notebook  # noqa: E402,F401
import test_page  # noqa: E402,F401
import test_pan  # noqa: E402,F401
import test_paths  # noqa: E402,F401
import test_places  # noqa: E402,F401
import test_presence  # noqa: E402,F401
import test_readme  # noqa: E402,F401
import test_roles  # noqa: E402,F401
import test_roll  # noqa: E402,F401
import test_seats  # noqa: E402,F401
import test_secure  # noqa: E402,F401
import test_segments  # noqa: E402,F401
import test_server  # noqa: E402,F401
import test_server_backups  # noqa: E402,F401
import test_server_kills  # noqa: E402,F401
import test_server_metrics  # noqa: E402,F401
import test_server_postgres  # noqa: E402,F401
import test_shared  # noqa: E402,F401
import test_siege  # noqa: E402,F401
import test_standing  # noqa: E402,F401
import test_threats  # noqa: E402,F401
import test_trouble  # noqa: E402,F401
import test_trust  # noqa: E402,F401
import test_upgrade  # noqa: E402,F401

if __name__ == "__main__":
    sys.exit(runner.main("Tests/Hosts", __doc__ or "", Path(".build/test-logs/hosts")))
