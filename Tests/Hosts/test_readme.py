"""Goal: a newcomer who types what README shows gets what README shows.
Method: its commands are read from README.md itself, and a shell on each of two hosts runs them line by line, in a
folder that is like a clone with the program built; README's own command starts the two people's nodes too."""
from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import NoReturn

from cases import Context, case, expect
from chat import Chat
from lab import Host
from nodes import Node, NodeError, Row, end, wait_until
from transcript import CODE, Line, Meanings, Shell, Step, blocks

ROOT = Path(__file__).resolve().parents[2]
GUIDE, MEMBER = "Five minutes as a guide", "Five minutes as a member"
# Commands that need a system of their own: Scripts/support/package_test carries them out there.
ELSEWHERE = ("sudo apt install ", "systemctl --user ")
# Commands that only show: they are asked again until they show what README does.
SHOWING = {"messages", "receipts"}
SECONDS = 30
# Settings of whoever runs this, which a newcomer has not.
STRIPPED = ("TOUR_CHAT_", "XDG_", "LC_")
NODE = re.compile(r"Scripts/run --name (\w+)")
# A message as `messages` and the chat show it: whose, perhaps what it answers, its text, how far it has come.
SAID = re.compile(r"(?P<who>\w+)(?: ★)?: (?:\(to \w+: “(?P<to>[^”]+)”\) )?(?P<text>.+?)(?: (?:✓✓|✓|…))?$")


class Person:
    """Somebody at a host of their own, with a shell, and a node that runs in another terminal."""

    def __init__(self, host: Host, name: str) -> None:
        self.host, self.name, self.home = host, name, host.home / name
        self.clone = self.home / "tour-chat"
        (self.clone / ".build/release").mkdir(parents=True)
        (self.clone / ".build/release/tour-chat").symlink_to(os.environ["TOURCHAT"])
        (self.clone / "Scripts").symlink_to(ROOT / "Scripts")
        kept = {key: value for key, value in host.environment().items() if not key.startswith(STRIPPED)}
        self.environment = {**kept, "HOME": str(self.home), "LANG": "C.UTF-8", "NO_COLOR": "1", "TERM": "dumb"}
        # For what README does not show: the same node, asked in JSON.
        self.node = Node(host, self.home, name)
        self.node.data = self.home / ".local/share/tour-chat"
        self.shell = Shell(host, self.clone, self.environment)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, command: str) -> None:
        with (self.home / "run.log").open("ab") as log:
            self._process = subprocess.Popen(
                self.host.argv(["bash", "-c", f"exec {command}"]), cwd=self.clone, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def answers() -> bool:
            assert self._process
            expect(self._process.poll() is None, f"`{command}` ended: {(self.home / 'run.log').read_text()[-600:]}")
            return self.node.ask("status").status == 0
        wait_until(answers, 60, f"the node of `{command}` answers")

    def message(self, text: str, line: int) -> Row:
        """The message with this text, once it is here."""
        found: Row = wait_until(lambda: next((row for row in self.node.messages() if row["content"] == text), None),
                                SECONDS, f"{self.name} has '{text}' of README.md:{line}")
        return found

    def has_said(self, text: str) -> bool:
        return any(row["content"] == text and row["mine"] for row in self.node.messages())

    def close(self) -> None:
        self.shell.close()
        if self._process:
            end(self._process)


class Screen(Chat):
    """A command of README in a terminal, with the surroundings of a person's shell."""

    def __init__(self, person: Person, command: str) -> None:
        super().__init__(person.host, person.node)
        self._person, self._command = person, command

    def argv(self) -> list[str]:
        return self._place.argv(["bash", "--noprofile", "--norc", "-c", f"exec {self._command}"])

    def environment(self) -> dict[str, str]:
        return {**self._person.environment, "PATH": self._person.shell.run('echo "$PATH"')[1].strip()}


class Play:
    """README as it is played."""

    def __init__(self, people: dict[str, Person]) -> None:
        self.people, self.meanings, self.code = people, Meanings(), ""

    def run(self, person: Person, steps: list[Step]) -> None:
        for step in steps:
            if step.command.text.split()[1:2] == ["chat"]:
                self.chat(person, step)
            else:
                self.command(person, step)

    def fail(self, step: Step, what: str, written: str) -> NoReturn:
        where = f"README.md:{step.command.number}: `{step.command.text}`"
        raise AssertionError(f"{where}: {what}; it wrote: {written.strip()[-600:]!r}")

    def command(self, person: Person, step: Step) -> None:
        seen = ""
        try:
            line = self.meanings.command(step.command)
        except AssertionError as error:
            self.fail(step, str(error), "nothing yet")

        def differs() -> str:
            nonlocal seen
            status, seen = person.shell.run(line)
            return f"line {step.command.number}: expected status 0, seen {status}" if status else \
                self.meanings.difference(step, seen) if step.shown else ""

        if set(shlex.split(line, comments=True)[1:2]) & SHOWING:
            self.let_others_speak(step)
            try:
                wait_until(lambda: not differs(), SECONDS, "README's lines", pause=0.2)
            except NodeError:
                self.fail(step, differs() or f"only after {SECONDS} s", seen)
        elif problem := differs():
            self.fail(step, problem, seen)
        expect_it_judges(self.meanings, step, seen)
        if code := re.search(CODE, seen):
            self.code = code[0]

    def let_others_speak(self, step: Step) -> None:
        """What README shows and nobody has said so far, they say now."""
        for line in step.shown:
            match = SAID.search(line.text)
            if not match or match["who"] not in self.people or match["text"].startswith("URGENT: "):
                continue
            person = self.people[match["who"]]
            if person.has_said(match["text"]):
                continue
            answer: list[str] = []
            if match["to"]:
                answer = ["--reply", person.message(match["to"], line.number)["id"]]
            person.node.must("send", match["text"], *answer)

    def chat(self, person: Person, step: Step) -> None:
        self.let_others_speak(step)
        with Screen(person, self.meanings.command(step.command)) as screen:
            for line in step.shown:
                if line.text.startswith("> "):
                    self.type(person, screen, line)
                    continue
                try:
                    screen.matches(self.meanings.pattern(line.text.strip()), SECONDS, repr(line.text))
                except AssertionError as error:
                    self.fail(step, f"line {line.number}: expected {line.text!r}, seen other lines", str(error))

    def type(self, person: Person, screen: Screen, line: Line) -> None:
        """A line that is typed into the chat; an answer arrives at everybody as one to the message of that number."""
        words = line.text.removeprefix("> ")
        screen.types(words)
        match = re.fullmatch(r"/reply (\d+) (.+)", words)
        expect(match, f"README.md:{line.number}: nobody knows what comes of {words!r}")
        assert match
        wanted = person.node.messages()[int(match[1]) - 1]["id"]
        for other in self.people.values():
            answered = other.message(match[2], line.number)["replyTo"]
            expect(answered == wanted, f"README.md:{line.number}: it answers {answered}, not message #{match[1]}")


def expect_it_judges(meanings: Meanings, step: Step, written: str) -> None:
    """A README that showed another word, a line more or a line less would not be as what was written."""
    for at, line in enumerate(step.shown):
        words = re.findall(r"(?<!\w)[A-Za-z]{3,}(?!\w)", line.text)
        for other in [line.text + " more", *(line.text.replace(word, word[::-1] + "q", 1) for word in words)]:
            altered = Step(step.command, [*step.shown[:at], Line(line.number, other), *step.shown[at + 1:]])
            expect(meanings.difference(altered, written), f"README.md:{line.number} could as well be {other!r}")
        fewer = Step(step.command, [*step.shown[:at], *step.shown[at + 1:]])
        expect(not fewer.shown or meanings.difference(fewer, written), f"README.md:{line.number} could be left out")


def expect_scripts(text: str, found: dict[str, list[Step]]) -> None:
    """Every script that README names is one, and every other command of its blocks is tried somewhere."""
    for name in re.findall(r"(?<![\w/])Scripts/[\w/-]+", text):
        expect(os.access(ROOT / name, os.X_OK), f"README.md names {name}, which cannot be run")
    for heading, steps in found.items():
        for step in steps if heading not in (GUIDE, MEMBER) else []:
            known = step.command.text.startswith(("Scripts/", *ELSEWHERE))
            expect(known, f"README.md:{step.command.number}: nothing tries `{step.command.text}`")


@case
def readme(context: Context) -> None:
    """README's five minutes as a guide and as a member, typed by two people on their own hosts: all works as shown."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = blocks(text)
    expect_scripts(text, found)
    for heading in (GUIDE, MEMBER):
        expect(any(step.shown for step in found.get(heading, [])), f"README.md shows no session under '{heading}'")
    commands = {match[1]: match[0] for match in NODE.finditer(text)}
    expect(len(commands) == 2, f"README.md starts {sorted(commands)}, not a guide and a member")
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2) as lab:
        people: dict[str, Person] = {}
        try:
            for host, (name, command) in zip(lab.hosts, commands.items()):
                people[name] = Person(host, name)
                people[name].start(command)
            play(people, found[GUIDE], found[MEMBER])
        finally:
            for person in people.values():
                person.close()


def play(people: dict[str, Person], guides: list[Step], members: list[Step]) -> None:
    """The member comes in when the guide has a code to give, and talks when the guide has done all that is shown."""
    (guide, member), played = people.values(), Play(people)

    def named(steps: list[Step], word: str) -> int:
        at = next((k for k, step in enumerate(steps) if f"tour-chat {word}" in step.command.text), None)
        expect(at is not None, f"README.md shows no `tour-chat {word}`")
        return at or 0

    invited, joined = named(guides, "tour invite") + 1, named(members, "join") + 1
    played.run(guide, guides[:invited])
    shown = re.search(CODE, members[joined - 1].command.text)
    expect(shown, f"README.md:{members[joined - 1].command.number}: joins without a code")
    assert shown
    played.meanings.learn(shown[0], played.code)
    played.run(member, members[:joined])
    played.run(guide, guides[invited:])
    played.run(member, members[joined:])
