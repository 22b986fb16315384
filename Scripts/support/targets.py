"""The targets of Package.swift, as SwiftPM itself reads them."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


class Package:
    """Every target with what it names as its dependencies: targets of this package, and products of others."""

    def __init__(self) -> None:
        done = subprocess.run(["swift", "package", "--package-path", str(TOP), "dump-package"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        self.needs: dict[str, set[str]] = {}
        self.products: dict[str, set[str]] = {}
        self.folders: dict[str, Path] = {}
        self.tests: set[str] = set()
        for target in json.loads(done.stdout)["targets"]:
            name, is_test = target["name"], target["type"] == "test"
            self.needs[name] = {row["byName"][0] for row in target["dependencies"] if "byName" in row}
            self.products[name] = {row["product"][0] for row in target["dependencies"] if "product" in row}
            self.folders[name] = TOP / target.get("path", f"{'Tests' if is_test else 'Sources'}/{name}")
            if is_test:
                self.tests.add(name)
