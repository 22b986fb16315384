"""Where the cases play: hosts with real nodes, and browsers on the same hosts."""
from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import browsers
from cases import Context, Layout
from lab import Lab
from nodes import Node, all_know_all, wait_until
from playwright.sync_api import Browser
from screen import Screen

NAMES = ["north", "east", "west", "south"]


class Stage:
    """Hosts on one segment (or a lab of another shape, and names for its nodes), each with a running node whose page is
    open to browsers on that host."""

    def __init__(self, context: Context, count: int, lab: Lab | None = None, names: list[str] = NAMES) -> None:
        self.lab: Lab = lab or context.lab([(0,)] * count)
        self.lab.__enter__()
        self.screens: list[Screen] = []
        self._browsers: dict[int, Browser] = {}
        try:
            self.nodes: list[Node] = [host.node(name) for host, name in zip(self.lab.hosts[:count], names)]
            for node in self.nodes:
                node.has_page = True
                node.launch()
            for node in self.nodes:
                node.await_ready()
        except BaseException:
            self.lab.__exit__(*sys.exc_info())
            raise

    def browser(self, index: int) -> Browser:
        if index not in self._browsers:
            self._browsers[index] = browsers.launch(self.lab.hosts[index])
        return self._browsers[index]

    def adopt(self, browser: Browser) -> Browser:
        """A browser of a case's own, which ends with the stage."""
        self._browsers[-1 - len(self._browsers)] = browser
        return browser

    def screen(self, index: int, node: Node | None = None, browser: Browser | None = None, **options: Any) -> Screen:
        """A new page at a node's door, not opened yet."""
        screen = Screen(browser or self.browser(index), node or self.nodes[index], **options)
        self.screens.append(screen)
        return screen

    def tour(self, name: str, members: int | None = None) -> str:
        """A new tour of the first nodes, which all of them take for theirs from then on; returns its code."""
        nodes = self.nodes[:members]
        code = str(nodes[0].must("tour", "create", name).first["joinCode"])
        for node in nodes[1:]:
            node.must("join", code, "--name", node.name, seconds=120)
        if len(nodes) > 1:
            all_know_all(nodes)
        return code

    def stranger(self, name: str, index: int, is_named: bool = True) -> Node:
        """One more node on a host, with its page, that is in no tour yet; `is_named`: its person has said a name."""
        shutil.rmtree(self.lab.hosts[index].home / name, ignore_errors=True)  # what another case left
        node = self.lab.hosts[index].node(name)
        node.has_page, node.is_named = True, is_named
        node.start()
        return node

    def expect_clean(self) -> None:
        for screen in self.screens:
            screen.expect_clean()

    def clear(self) -> None:
        """Closes all pages, and ends the nodes that a case added."""
        while self.screens:
            self.screens.pop().close()
        for host in self.lab.hosts:
            for node in [n for n in host.nodes if n not in self.nodes]:
                node.stop()
                host.nodes.remove(node)

    def keep(self, directory: Path) -> list[str]:
        """Leaves all screens in the directory; returns what each showed."""
        return [screen.keep(directory, f"screen-{number}-{screen.node.name}") for number, screen in enumerate(self.screens)]

    def close(self, failed: bool = False) -> None:
        for browser in self._browsers.values():
            try:
                browser.close()
            except Exception as error:  # a browser that died is closed
                print(f"     a browser had ended: {str(error)[:120]}", flush=True)
        self.lab.__exit__(AssertionError if failed else None)


_shared: Stage | None = None


def close_shared() -> None:
    global _shared
    if _shared:
        stage, _shared = _shared, None
        stage.close()


@contextmanager
def stage(context: Context, tour: str = "", members: int | None = None, own: bool = False,
          count: int = 3, layout: Layout | None = None, names: list[str] = NAMES) -> Iterator[Stage]:
    """The stage that cases share, with a tour of that name made for this case (of the first `members` nodes, or all);
    `own`: one of its own, for a case that leaves its nodes otherwise than it found them; so with a `layout`, for hosts
    of which the first `count` have a node. At the end every page has to be clean. After a failure nobody goes on with
    it, and its logs and screens are kept."""
    global _shared
    own = own or layout is not None
    lab = context.lab(layout) if layout else None
    mine = Stage(context, count, lab, names) if own or not _shared else _shared
    if not own:
        _shared = mine
    mine.lab.logs = context.logs
    try:
        if tour:
            mine.tour(tour, members)
        yield mine
        mine.expect_clean()
        mine.clear()
    except BaseException:
        context.notes += mine.keep(context.logs / "screens")
        if not own:
            _shared = None
        mine.close(failed=True)
        raise
    if own:
        mine.close()


def wait_status(node: Node, text: str, status: str, seconds: float = 30) -> None:
    """Until the node's own list shows the message so."""
    wait_until(lambda: any(row["content"] == text and row["status"] == status for row in node.messages()), seconds,
               f"{node.name} shows '{text[:40]}' as {status}", pause=0.2)
