"""What a test over several hosts gets, and the list of them."""
from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from lab import Lab
from nodes import Node, all_know_all, make_tour

Layout = list[tuple[int, ...]]


@dataclass
class Context:
    """One run of one test: how often it repeats, its random source, where its logs go when it fails."""

    repeat: Fraction
    random: random.Random
    logs: Path
    repetitions: int = 0
    notes: list[str] = field(default_factory=list)

    def times(self, full: int) -> int:
        """The repetitions to run where a soak runs `full`."""
        return max(1, math.ceil(full * self.repeat))

    def lab(self, layout: Layout, avahi: bool = True, rates: dict[int, str] | None = None) -> Lab:
        return Lab(layout, avahi, self.logs, rates)

    @contextmanager
    def tour(self, count: int) -> Iterator[tuple[Lab, list[Node]]]:
        """Hosts on one segment, each with a running node; the first made a tour, the others joined by mDNS."""
        with self.lab([(0,)] * count) as lab:
            nodes = [host.node("guide" if k == 0 else f"member{k}") for k, host in enumerate(lab.hosts)]
            for node in nodes:
                node.launch()
            for node in nodes:
                node.await_ready()
            make_tour(nodes)
            all_know_all(nodes)
            yield lab, nodes

    def note(self, text: str) -> None:
        self.notes.append(text)


class Unavailable(Exception):
    """A test cannot run here; the text says what is missing."""


Test = Callable[[Context], None]
TESTS: dict[str, Test] = {}
# Tests that take much longer than others: where several run at once these begin first, so that none is left alone at the end.
LONG: set[str] = set()


def case(test: Test) -> Test:
    """Registers a test under its function's name."""
    TESTS[test.__name__.replace("_", "-")] = test
    return test


def expect(condition: object, what: str) -> None:
    """An assertion that stays on under `python -O` and says what was expected."""
    if not condition:
        raise AssertionError(what)


def expect_same_messages(nodes: list[Node], wanted: set[str], count: int | None = None) -> list[str]:
    """All nodes list the same messages in the same order, each once, all of `wanted` among them."""
    lists = [[row["id"] for row in node.messages()] for node in nodes]
    for node, ids in zip(nodes, lists):
        rows = node.messages()
        contents = [row["content"] for row in rows]
        lost = wanted - set(ids)
        expect(not lost, f"{node.name} lost {len(lost)} of {len(wanted)} acknowledged messages: {sorted(lost)[:2]}")
        expect(len(set(ids)) == len(ids), f"{node.name} lists an id twice")
        expect(len(set(contents)) == len(contents), f"{node.name} lists a message twice under two ids")
        expect(ids == lists[0], f"{node.name} lists another order or other messages than {nodes[0].name}")
    expect(count is None or len(lists[0]) == count, f"{len(lists[0])} messages instead of {count}")
    return lists[0]


def long(test: Test) -> Test:
    """Marks a registered test as one of the longest."""
    LONG.add(test.__name__.replace("_", "-"))
    return test
