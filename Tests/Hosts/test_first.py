"""Goal: a terminal alone brings two people into one tour: it asks for the name and how to begin, and shows whom to let in.
Method: the chat in pseudo-terminals over empty data directories; then the commands that scripts call."""
from __future__ import annotations

import re
import threading

from cases import Context, case, expect
from chat import Chat
from nodes import Answer, Node, Row, wait_until

WORDS = re.compile(r"must show the same:\s+([a-z]+ [a-z]+ [a-z]+ [a-z]+)\s")


def names_itself(chat: Chat, name: str, choice: int) -> None:
    chat.shows("Your name, as the others will see it")
    chat.types(name)
    chat.shows("How do you begin?")
    chat.shows("Your choice:")
    chat.types(str(choice))


@case
def begins_in_a_terminal(context: Context) -> None:
    """Two who have only the program create a tour and ask to join it; the chat shows the words and lets in by them."""
    context.repetitions = 1
    with context.lab([(0,), (0,)]) as lab:
        nodes = [host.node(name) for host, name in zip(lab.hosts, ("guide", "newcomer"))]
        with Chat(lab.hosts[0], nodes[0], columns=120) as guide, Chat(lab.hosts[1], nodes[1], columns=120) as anna:
            names_itself(guide, "Gül", 3)
            guide.shows("Name of the tour:")
            guide.types("Walk")
            guide.matches(re.compile("They find the tour as “[a-z]+ [a-z]+”"), 60, "the label")
            guide.shows("Enter opens the chat.")
            guide.types("")
            guide.shows("/help")
            names_itself(anna, "Anna", 1)
            words = anna.matches(WORDS, 60, "four words")[1]
            guide.shows(f"Anna asks to join: {words}")
            guide.types(f"/admit {words}")
            guide.shows("is let in")
            anna.shows("“Walk” lets you in.")
            anna.shows("Do the words agree? [y/N]")
            anna.types("y")
            anna.shows("/help")
            anna.types("Here I am")
            guide.shows("Anna: Here I am")


def asks(node: Node, name: str) -> tuple[threading.Thread, list[Answer]]:
    """Asks by words in the background; the answer is in the list when the thread has ended."""
    answers: list[Answer] = []
    thread = threading.Thread(
        target=lambda: answers.append(node.ask("join", "--nearby", "--name", name, "--yes", seconds=90)))
    thread.start()
    return thread, answers


def asker(guide: Node) -> Row:
    def shown() -> list[Row]:
        return list(guide.must("tour", "asks").first["asks"])
    return dict(wait_until(shown, 60, "somebody asks", pause=0.3)[0])


@case
def scripts_let_in(context: Context) -> None:
    """The commands list who asks, let in, refuse, read out digits, and turn asking off; each answer says what came of it."""
    context.repetitions = 1
    with context.lab([(0,), (0,), (0,)]) as lab:
        guide, ben, cem = (host.node(name).start() for host, name in zip(lab.hosts, ("Guide", "Ben", "Cem")))
        guide.must("tour", "create", "Walk")
        thread, answers = asks(ben, "Ben")
        asked = asker(guide)
        expect(asked["name"] == "Ben" and len(asked["words"]) == 4, f"who asks is {asked}")
        expect(guide.ask("tour", "admit", "nonsense").code == "unknown-asker", "a wrong word lets in")
        guide.must("tour", "refuse", *asked["words"])
        thread.join()
        expect(answers[0].code == "refused", f"the refusal reads {answers[0].code}: {answers[0].lines}")
        thread, answers = asks(ben, "Ben")
        asked = asker(guide)
        few = guide.ask("tour", "admit", *asked["words"][:2])
        expect(few.code == "words-missing", f"two of four words are enough: {few.code}")
        guide.must("tour", "admit", *asked["words"])
        thread.join()
        expect(answers[0].status == 0 and answers[0].lines[-1]["name"] == "Walk", f"Ben reads {answers[0].lines}")
        shown = [line["words"] for line in answers[0].lines if line.get("words")]
        expect(shown and all(words == asked["words"] for words in shown),
               f"Ben saw {shown}, the guide {asked['words']}")
        digits = guide.must("tour", "read-out", "--uses", "1").first["code"]["digits"]
        joined = cem.must("join", f"{digits[:4]}-{digits[4:]}", "--name", "Cem", seconds=90)
        expect(joined.lines[-1]["name"] == "Walk", f"the digits join {joined.lines}")
        expect(guide.must("tour", "asking", "off").first["on"] is False, "it answers still")
        wait_until(lambda: len(guide.members()) == 3, 30, "all three are members")
