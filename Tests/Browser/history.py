"""Long histories: written quickly at a node, gone through in its page as a reader would."""
from __future__ import annotations

from nodes import Node
from screen import Screen

BATCH = 2_000
EACH = 50_000  # more of such messages than these take up an author's share of a tour


def write_history(nodes: list[Node], count: int, first: int = 0) -> list[str]:
    """Writes `count` numbered messages, each node its part after the other; returns their ids."""
    return write_all(nodes, [f"Message {number} of a long walk" for number in range(first, first + count)])


def write_all(nodes: list[Node], texts: list[str]) -> list[str]:
    """Writes all of these, one line each; returns their ids."""
    ids: list[str] = []
    for turn in range(0, len(texts), EACH):
        ids += _write(nodes[turn // EACH % len(nodes)], texts[turn:turn + EACH])
    return ids


def _write(node: Node, texts: list[str]) -> list[str]:
    stream = node.stream()
    for number, text in enumerate(texts, 1):
        stream.write(text)
        if number % BATCH == 0:  # no more than a pipe holds is under way
            stream.wait_answers(number, 120)
    stream.wait_answers(len(texts), 120)
    ids = stream.acknowledged()
    stream.close()
    if len(ids) != len(texts):
        refused = next(row for row in stream.answers if "id" not in row)
        raise AssertionError(f"{len(ids)} of {len(texts)} messages were taken; refused was {refused}")
    return ids


def scroll_to_first(screen: Screen, total: int) -> int:
    """Scrolls up and up until the tour's first message is there; returns the most messages that the page held."""
    first = str(screen.node.must("messages", "--limit", str(total)).lines[0]["id"])
    return int(screen.page.evaluate("""async ([first, rounds]) => {
        const feed = document.querySelector('[role=feed]'), scroller = feed.parentElement;
        let most = 0;
        for (let round = 0; round < rounds; round++) {
            most = Math.max(most, feed.querySelectorAll('article').length);
            if (feed.querySelector(`article[data-id="${first}"]`)) return most;
            const top = feed.querySelector('article').dataset.id;
            scroller.scrollTop = 0;
            for (let wait = 0; wait < 600 && feed.querySelector('article').dataset.id === top; wait++) {
                await new Promise((resolve) => setTimeout(resolve, 10));
            }
        }
        throw new Error(`the first message is not reached in ${rounds} rounds`);
    }""", [first, total // 20 + 50]))
