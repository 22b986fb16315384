"""What events and rows come to: roll calls, alarms, quiet, and how far messages are. Protocol/05-events.md, "Roll calls" and
"Alarms"; 06-replication.md, "Status" and "Receipts". A reading of its own, of the sets of events in the vectors: the node
itself shows none of this."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from events import Event
from tour import head_tag, heads_digest
from wire import ZERO, prefix

Said = dict[str, Any]
Place = tuple[int, str]
DAY = 86_400_000
FOUND = 4


def milliseconds(clock: int) -> int:
    return clock >> 16


def clock_of(event: Said) -> int:
    return int(event["clock"], 16)


def place(event: Said) -> Place:
    """In the tour's order, those with one clock by their ids."""
    return clock_of(event), event["id"]


def is_recent(clock: int, clocks: Iterable[int]) -> bool:
    return any(abs(at - milliseconds(clock)) < DAY for at in clocks)


class Events:
    """A set of events: in whatever order they came, and however often."""

    def __init__(self, events: list[Said]) -> None:
        self.events = sorted({each["id"]: each for each in events}.values(), key=place)

    def of(self, *kinds: str) -> list[Said]:
        return [each for each in self.events if each["says"] in kinds]

    def is_withdrawn(self, event: Said) -> bool:
        return any(each["event"] == event["id"] and each["author"] == event["author"] for each in self.of("Withdrawal"))


# Roll calls.

@dataclass
class Roll:
    calls: list[Said]
    end: Said | None = None

    @property
    def began(self) -> int:
        return clock_of(self.calls[0])


def rolls_of(events: Events) -> list[Roll]:
    rolls: list[Roll] = []
    for event in events.of("RollCall", "RollEnd"):
        last = rolls[-1] if rolls else None
        if event["says"] == "RollEnd":
            if last is not None and last.end is None and any(call["id"] == event["call"] for call in last.calls):
                last.end = event
        elif events.is_withdrawn(event):
            continue
        elif last is not None and last.end is None and milliseconds(clock_of(event)) - milliseconds(last.began) < DAY:
            last.calls.append(event)
        else:
            rolls.append(Roll([event]))
    return rolls


def words_on(roll: Roll, events: Events) -> dict[str, list[tuple[Place, bool]]]:
    """Of each member what is said of it and counts, in order."""
    words: dict[str, list[tuple[Place, bool]]] = {}
    for call in roll.calls:
        words.setdefault(call["author"], []).append((place(call), True))
    named = {call["id"] for call in roll.calls}
    for answer in events.of("RollAnswer"):
        if answer["call"] not in named:
            continue
        author = answer["author"]
        for member in answer["members"] or [author]:
            if member == author or counts_of_others(answer, member, roll, events):
                words.setdefault(member, []).append((place(answer), answer["state"] == 1))
    return {member: sorted(said) for member, said in words.items()}


def counts_of_others(answer: Said, member: str, roll: Roll, events: Events) -> bool:
    if milliseconds(clock_of(answer)) - milliseconds(roll.began) >= DAY:
        return False
    before = [each for each in events.of("Buddies") if place(each) < place(answer)]
    return answer["leads"] or any({answer["author"], member} <= set(group) for group in (before[-1]["groups"] if before else []))


def shown_roll(roll: Roll, events: Events, case: Said) -> Said:
    stands = roll.end is None and is_recent(roll.began, case["clocks"])
    words = words_on(roll, events)
    missing = roll.end["missing"] if roll.end else []
    end = place(roll.end) if roll.end else None
    until = clock_of(roll.end) if roll.end else (milliseconds(roll.began) + DAY) << 16
    members = []
    for member in case["members"]:
        name = member["name"]
        said = words.get(name, [])
        before = [here for at, here in said if end is None or at < end]
        behind = [here for at, here in said if end is not None and at > end]
        if stands and not member["isMember"]:
            continue
        if not stands and (int(member["admitted"], 16) > until or not (member["isMember"] or before or name in missing)):
            continue
        is_here = before[-1:] == [True] or behind[-1:] == [True]
        state = "missing" if not is_here else "late" if name in missing else "here"
        if name in case["lost"] and (stands or name in missing):
            state = "lost"
        members.append({"name": name, "state": state})
    shown = {"calls": [call["id"] for call in roll.calls], "stands": stands, "members": members}
    return shown | ({"end": roll.end["id"]} if roll.end else {})


def shown_rolls(case: Said) -> list[Said]:
    events = Events(case["events"])
    return [shown_roll(roll, events, case) for roll in rolls_of(events)]


# Alarms.

# Quiet.

def is_quiet(at: Place, events: Events) -> bool:
    """Whether only those who lead could write at a place of the tour's order."""
    before = [each for each in events.of("Quiet") if place(each) <= at]
    return bool(before) and before[-1]["on"]


def withheld(case: Said) -> list[str]:
    """The ids of what nobody is shown."""
    events = Events(case["events"])
    return [each["id"] for each in events.of("Text")
            if each["class"] not in (0, 1, 3) and not each["leads"] and is_quiet(place(each), events)]


def shown_alarms(case: Said) -> list[Said]:
    events = Events(case["events"])
    latest = {alarm["author"]: alarm for alarm in events.of("Alarm")}
    members = {each["name"] for each in case["members"] if each["isMember"]}
    return [shown_alarm(alarm, events, author in members, case["clocks"]) for author, alarm in sorted(latest.items())]


def shown_alarm(alarm: Said, events: Events, is_member: bool, clocks: list[int]) -> Said:
    lost = alarm["author"]
    answers = [each for each in events.of("AlarmAnswer") if each["alarm"] == alarm["id"] and (
        each["answer"] == FOUND if each["author"] == lost else each["leads"])]
    answers.sort(key=lambda each: (clock_of(each), each["sequence"]))
    ended = events.is_withdrawn(alarm) or any(each["answer"] == FOUND for each in answers)
    latest = {each["author"]: each["answer"] for each in answers}
    return {"author": lost, "alarm": alarm["id"], "stands": not ended and is_member and is_recent(clock_of(alarm), clocks),
            "answers": [{"author": by, "answer": answer} for by, answer in sorted(latest.items())]}


# How far messages have come.

STATUSES = ["pending", "sent", "delivered", "read"]


@dataclass
class Claims:
    """What one member's rows say."""

    heads: list[tuple[int, int, int, int]] = field(default_factory=list)  # author, sequence, tag, salt
    covered: dict[str, int] = field(default_factory=dict)
    counter: int = 0
    read_clock: int = 0
    read: set[tuple[str, int]] = field(default_factory=set)


class Receipts:
    """A node that gets logs and rows; `logs` are all events by the name of their log."""

    def __init__(self, case: Said, logs: dict[str, list[Event]]) -> None:
        self.own, self.logs = case["own"], logs
        self.ids = {each["name"]: bytes.fromhex(each["id"]) for each in case["members"]}
        self.names = {prefix(member): name for name, member in self.ids.items()}
        self.admitted = {each["name"]: int(each["admitted"], 16) for each in case["members"]}
        self.known = {each["name"] for each in case["members"] if each["isMember"]}
        self.people = set(self.known)
        self.ends = {each["author"]: each["sequence"] for each in case.get("ends", [])}
        self.stored: dict[str, int] = {}
        self.remembered: dict[str, int] = {}  # the first place of which the event is known
        self.claims = {name: Claims() for name in self.ids}
        self.server = 0
        self.statuses: dict[tuple[str, int], str] = {}

    def take(self, step: Said) -> None:
        for what, value in step.items():
            getattr(self, f"_{what}")(value)
        self._settle()

    def _stored(self, log: Said) -> None:
        self.remembered.setdefault(log["author"], 1)
        self.stored[log["author"]] = log["sequence"]

    def _heads(self, heads: list[Said]) -> None:
        for head in heads:
            self.stored[head["author"]] = self.remembered[head["author"]] = head["sequence"]

    def _row(self, row: Said) -> None:
        claims, counter = self.claims[row["member"]], int(row["counter"], 16)
        claims.heads += [(int(author, 16), sequence, int(tag, 16), counter)
                         for author, sequence, tag in zip(row["authors"], row["sequences"], row["tags"], strict=True)]
        if counter > claims.counter:
            claims.counter, claims.read_clock = counter, int(row["readClock"], 16)
        if through := int(row["through"], 16):
            heads = self._heads_at(through)
            listed = [(prefix(self.ids[name]), head, self._id(name, head)) for name, head in heads.items()]
            if heads_digest(listed) == int(row["digest"], 16):
                for name, head in heads.items():
                    claims.covered[name] = max(claims.covered.get(name, 0), head)

    def _have(self, have: Said) -> None:
        """Nobody signs it."""

    def _displayed(self, clock: str) -> None:
        self.claims[self.own].read_clock = int(clock, 16)

    def _server(self, sequence: int) -> None:
        self.server = sequence

    def _gone(self, name: str) -> None:
        self.people.remove(name)

    def _came(self, name: str) -> None:
        self.people.add(name)
        self.known.add(name)

    def _shows(self, _: Any) -> None:
        """The vectors compare it."""

    def _heads_at(self, clock: int) -> dict[str, int]:
        heads = {name: max((event.sequence for event in self.logs[name][:stored] if event.clock <= clock), default=0)
                 for name, stored in self.stored.items()}
        return {name: min(head, self.ends.get(name, head)) for name, head in heads.items() if head}

    def _id(self, name: str, head: int) -> bytes:
        return ZERO if self.ends.get(name) == head else self.logs[name][head - 1].id

    def _covers(self, name: str, sequence: int, tag: int, salt: int) -> int:
        """How much of a log as it is stored here somebody has who names this head."""
        end, stored = self.ends.get(name, sequence), self.stored.get(name, 0)
        if not 1 <= min(sequence, end) <= stored:
            return 0
        if sequence > end:
            return end
        if sequence < self.remembered[name]:
            return sequence
        return sequence if head_tag(self.logs[name][sequence - 1].id, salt) == tag else 0

    def has(self, member: str, author: str, sequence: int) -> bool:
        if member == self.own:
            return self.stored.get(author, 0) >= sequence
        return self.claims[member].covered.get(author, 0) >= sequence

    def _settle(self) -> None:
        """What follows from what is known now; nothing goes down."""
        for claims in self.claims.values():
            for author, *head in claims.heads:
                if (name := self.names.get(author)) is not None:
                    claims.covered[name] = max(claims.covered.get(name, 0), self._covers(name, *head))
        for author, stored in self.stored.items():
            for event in self.logs[author][:stored]:
                for member in self.ids:
                    claims = self.claims[member]
                    if claims.read_clock >= event.clock and self.has(member, author, event.sequence):
                        claims.read.add((author, event.sequence))
                status = max(self.statuses.get((author, event.sequence), "pending"), self._status(author, event),
                             key=STATUSES.index)
                self.statuses[author, event.sequence] = status

    def readers(self, author: str, event: Event) -> set[str]:
        return {name for name in self.people - {author} if self.admitted[name] <= event.clock}

    def _status(self, author: str, event: Event) -> str:
        readers = self.readers(author, event)
        had_readers = any(self.admitted[name] <= event.clock for name in self.known - {author})
        states = {self.state(name, author, event) for name in readers}
        others = self.people - {self.own}
        is_sent = author != self.own or self.server >= event.sequence or any(
            self.has(name, author, event.sequence) for name in others)
        is_sent = is_sent or self.statuses.get((author, event.sequence), "pending") != "pending"
        if not is_sent:
            return "pending"
        if not had_readers or "missing" in states:
            return "sent"
        return "delivered" if "delivered" in states else "read"

    def state(self, member: str, author: str, event: Event) -> str:
        if (author, event.sequence) in self.claims[member].read:
            return "read"
        return "delivered" if self.has(member, author, event.sequence) else "missing"

    def shown(self, author: str, sequence: int) -> Said:
        event = self.logs[author][sequence - 1]
        receipts = {name: self.state(name, author, event) for name in self.readers(author, event)}
        return {"author": author, "sequence": sequence, "status": self.statuses.get((author, sequence), "pending"),
                "receipts": receipts}
