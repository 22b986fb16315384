"""Goal: all that people do in a tour they can do in the terminal chat.
Method: the real chat in a pseudo-terminal, keys pressed as a person would, and another node that sees what comes of it."""
from __future__ import annotations

from cases import Context, case, expect
from chat import Chat
from nodes import Node, Row, wait_until

LINE_START = "\x15"  # Ctrl-U empties the line.


def said(node: Node, content: str) -> Row:
    """The message with this content, once it is there."""
    def found() -> list[Row]:
        return [row for row in node.messages() if row["content"] == content]
    wait_until(lambda: found() != [], 60, f"'{content}' is there")
    return found()[0]


@case
def chat_commands(context: Context) -> None:
    """Answers, finds, meets, says where it is and who is there; Tab completes, and what is typed survives what comes."""
    context.repetitions = context.times(1)
    with context.tour(2) as (lab, (guide, member)), Chat(lab.hosts[0], guide) as chat:
        chat.shows("/help")
        asked = member.send("When does the bus leave?")
        chat.shows("#1  member1: When does the bus leave?")
        chat.types("/rep\tmem\tAt five")
        expect(said(member, "At five")["replyTo"] == asked, "it answers another message")
        chat.shows("(to member1: “When does the bus leave?”) At five")
        chat.types("/reply 2 Sharp")
        said(member, "Sharp")
        chat.shows("(to guide ★: “At five”) Sharp")
        chat.types("/reply 77 Nobody")
        chat.shows("There is no message #77 to answer.")

        chat.presses(LINE_START + "half a line")
        member.send("something comes")
        chat.shows("something comes")
        chat.types(", and its end")
        said(member, "half a line, and its end")

        chat.types("/search BUS leave")
        chat.shows("Found for “BUS leave”")
        chat.shows(f"{asked[:8]} member1: When does the bus leave?")
        chat.types("/search nothing like it")
        chat.shows("Nothing found.")

        chat.types("/meet 48.8584,2.2945,Tower By the north pillar --at 14:30")
        chat.shows("Told all (")
        said(member, "By the north pillar")
        chat.types("/meet --nonsense")
        chat.shows("Not sent: Unknown option '--nonsense'")
        chat.types(LINE_START + "/meet --help")
        chat.shows("--expires <dur>")
        chat.types("/here 48.85,2.29 By the fountain")
        expect(said(member, "By the fountain")["type"] == "location", "it is no place")
        chat.types("/wh\t")
        chat.shows("LAST SEEN")


@case
def chat_members_beside(context: Context) -> None:
    """A wide window shows the members at its right, a narrow one does not, and a resize changes that at once."""
    context.repetitions = context.times(1)
    with context.tour(2) as (lab, (guide, _)), Chat(lab.hosts[0], guide, columns=120) as chat:
        chat.shows("│ ● guide ★")
        chat.shows("│ ● member1")
        chat.text = ""
        chat.resize(80, 24)
        chat.types("narrow")
        chat.shows("guide ★: narrow")
        expect("●" not in chat.text, "a narrow window shows the members")
        chat.resize(130, 30)
        chat.shows("│ ● member1")


@case
def asked_for_a_name(context: Context) -> None:
    """Whoever has no name is asked for one at a terminal before the others see it: creating a tour, and joining one."""
    context.repetitions = 2
    question = "Your name, as the others will see it"
    with context.lab([(0,), (0,)]) as lab:
        guide, member = lab.hosts[0].node("Gül"), lab.hosts[1].node("Ben")
        with Chat(lab.hosts[0], guide, words=("tour", "create", "Rome")) as terminal:
            terminal.shows(question)
            terminal.types("Bidi \u202e")  # is no name
            terminal.types("Gül")
            terminal.shows("Join code:")
        guide.start()
        code = str(guide.must("tour", "invite", "--list").first["code"])
        with Chat(lab.hosts[1], member, words=("join", code)) as terminal:
            terminal.shows(question)
            terminal.types("Ben")
            wait_until(lambda: {row["name"] for row in guide.members()} == {"Gül", "Ben"}, 60, "both are called so")
