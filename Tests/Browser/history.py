"""Long histories: written quickly at a node, gone through in its page as a reader would."""
from __future__ import annotations

from nodes import Node
from screen import Screen

BATCH = 2_000


def write_history(node: Node, count: int, first: int = 0) -> str:
    """Writes `count` numbered messages; returns the last one's id."""
    ids = write_all(node, [f"Message {number} of a long walk" for number in range(first, first + count)])
    return ids[-1]


def write_all(node: Node, texts: list[str]) -> list[str]:
    """Writes all of these, one line each, and returns their ids."""
    stream = node.stream()
    for number, text in enumerate(texts, 1):
        stream.write(text)
        if number % BATCH == 0:  # no more than a pipe holds is under way
            stream.wait_answers(number, 120)
    stream.wait_answers(len(texts), 120)
    ids = stream.acknowledged()
    stream.close()
    if len(ids) != len(texts):
        raise AssertionError(f"{len(ids)} of {len(texts)} messages were taken")
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
