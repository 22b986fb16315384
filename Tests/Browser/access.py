"""What a screen reader gets, and axe-core's judgement."""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

from cases import expect
from screen import Screen

# Roles that somebody acts on: each needs a name. A picture too, and a dialog.
NAMED = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider", "spinbutton", "switch",
         "tab", "menuitem", "option", "listbox", "image", "img", "dialog", "alertdialog", "navigation", "progressbar",
         "DisclosureTriangle", "Date", "DateTime", "InputTime", "ColorWell"}


@cache
def axe() -> str:
    return resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()


def expect_no_violation(screen: Screen, what: str) -> None:
    """Axe, all its rules but those it calls experimental; the page's policy stays on."""
    screen.page.evaluate(f"() => {{ if (!window.axe) {{ {axe()} }} }}")
    found = screen.page.evaluate("""async () => {
        // What is still fading in has not its own colors yet.
        await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
        const result = await axe.run(document, { resultTypes: ['violations'] });
        return result.violations.map(({ id, help, nodes }) => [id, help, nodes.map((n) =>
            `${n.html.slice(0, 160)} (${[...n.any, ...n.all, ...n.none].map((c) => c.message).join('; ').slice(0, 200)})`)]);
    }""")
    lines = [f"{rule}: {help}: {' | '.join(nodes[:3])}" for rule, help, nodes in found]
    expect(not lines, f"{what}: {len(lines)} rules are broken: " + "\n       ".join(lines))


def tree(screen: Screen) -> Iterator[dict[str, Any]]:
    """The nodes of the accessibility tree that a screen reader meets."""
    session = screen.cdp()
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        if not node.get("ignored"):
            yield node
    session.detach()


def text_of(node: dict[str, Any], key: str) -> str:
    return str(node.get(key, {}).get("value", "")).strip()


def nameless(screen: Screen) -> list[str]:
    """What somebody acts on and that has no name."""
    return [f"{text_of(node, 'role')} {node.get('backendDOMNodeId')}" for node in tree(screen)
            if text_of(node, "role") in NAMED and not text_of(node, "name")]


def expect_names(screen: Screen, what: str) -> None:
    found = nameless(screen)
    if found:
        session = screen.cdp()
        node = int(found[0].split()[1])
        html = session.send("DOM.getOuterHTML", {"backendNodeId": node})["outerHTML"]
        expect(False, f"{what}: {len(found)} controls have no name, such as {found[0]}: {html[:200]}")
