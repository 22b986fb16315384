"""Goal: from the first page to the first message in few taps, with no code: the newcomer asks, the guide lets in.
Method: two hosts with new nodes that have neither a name nor a tour; every tap is counted, and the time is printed."""
from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from cases import Context, case, expect
from nodes import wait_until
from playwright.sync_api import Locator
from screen import PHONE, Screen
from stage import Stage, stage

# From the page's first moment to the first message that the others have.
TAPS_MAX = 8


class Person:
    """Somebody at a page, whose taps are counted. To type is no tap; to go into a field is one."""

    def __init__(self, context: Context, screen: Screen, name: str) -> None:
        self.context, self.screen, self.name = context, screen, name
        self.taps = 0
        self.began = time.monotonic()

    def tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1

    def type(self, field: Locator, text: str) -> None:
        self.tap(field)
        field.fill(text)

    def picture(self, name: str) -> None:
        self.screen.keep(self.context.logs / "first", f"{self.name}-{name}")

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def say_name(self) -> None:
        self.screen.page.goto(self.screen.address)
        self.screen.learn_words()
        self.screen.role("heading", "yourName").wait_for()
        self.picture("1-name")
        self.type(self.screen.field("yourName"), self.name)
        self.tap(self.screen.button("goOn"))
        self.screen.role("heading", "nearby").wait_for()

    def create(self, tour: str) -> str:
        """Begins a tour; returns the label under which those near find it."""
        self.tap(self.screen.role("heading", "create"))
        self.type(self.screen.field("tourName"), tour)
        self.tap(self.screen.button("create"))
        self.screen.role("heading", "youAreIn").wait_for()
        found = self.screen.page.get_by_text(self.screen.pattern("seenAs")).filter(visible=True).first
        found.wait_for()
        self.screen.page.get_by_role("img").first.wait_for()
        self.picture("3-invite")
        return found.inner_text().split("“")[1].split("”")[0]

    def ask(self, label: str) -> None:
        near = self.screen.page.get_by_role("button", name=label)
        near.wait_for()
        self.picture("2-near")
        self.tap(near)

    def decision(self, key: str) -> Locator:
        """The button about the only asker."""
        return self.screen.page.get_by_role("button", name=self.screen.pattern("doTo", action=self.screen.t(key)))

    def words(self) -> str:
        shown = self.screen.page.locator(".words").filter(visible=True).first
        shown.wait_for()
        return shown.inner_text().replace("\n", " ")

    def write(self, text: str) -> None:
        self.screen.composer.wait_for()
        self.type(self.screen.composer, text)
        self.tap(self.screen.button("send"))


@contextmanager
def people(context: Context, *newcomers: str) -> Iterator[tuple[Stage, Person, list[Person]]]:
    """A guide on one host and newcomers on the other; none has a name or a tour."""
    with stage(context, own=True, count=2) as at:
        everybody = [Person(context, at.screen(i, node=at.stranger(name, i, is_named=False), size=PHONE), name)
                     for i, name in ((0, "Gül"), *((1, name) for name in newcomers))]
        yield at, everybody[0], everybody[1:]


@case
def first_message(context: Context) -> None:
    """Two people who have only opened the page talk after few taps: one creates a tour, the other asks to join it."""
    with people(context, "Anna") as (_, guide, (anna,)):
        guide.say_name()
        label = guide.create("Museum tour")
        anna.began = time.monotonic()
        anna.say_name()
        anna.ask(label)
        words = anna.words()
        expect(len(words.split()) == 4, f"the words to compare are {words!r}")
        anna.picture("3-words")
        banner = guide.screen.page.get_by_role("region").filter(has_text=words)
        banner.get_by_text(guide.screen.pattern("asksJoin", name="Anna")).wait_for()
        guide.picture("4-asked")
        guide.tap(guide.decision("letIn"))
        agree = anna.screen.button("wordsAgree")
        agree.wait_for()
        anna.screen.page.get_by_text(anna.screen.pattern("doAgree", tour="Museum tour")).wait_for()
        anna.picture("4-agree")
        anna.tap(agree)
        anna.write("Here I am")
        guide.screen.go("chat")
        guide.screen.says("Here I am").wait_for()
        for who in (guide, anna):
            context.note(f"{who.name}: {who.taps} taps, {who.seconds:.1f} s to the first message")
        expect(anna.taps <= TAPS_MAX, f"a newcomer taps {anna.taps} times before the first message")
        expect(banner.count() == 0, "the guide is still asked")


@case
def refused_and_cancelled(context: Context) -> None:
    """Who is refused reads it and may ask again; who gives up is shown to the guide no longer; off answers nobody."""
    with people(context, "Anna") as (_, guide, (anna,)):
        guide.say_name()
        label = guide.create("Walk")
        anna.say_name()
        anna.ask(label)
        words = anna.words()
        asked = guide.screen.page.get_by_role("region").filter(has_text=words)
        asked.wait_for()
        guide.decision("no").click()
        anna.screen.button("again").wait_for()
        expect(asked.count() == 0, "the guide is still asked after the refusal")
        anna.screen.button("again").click()
        anna.ask(label)
        words = anna.words()
        asked = guide.screen.page.get_by_role("region").filter(has_text=words)
        asked.wait_for()
        anna.screen.button("cancel").click()
        asked.wait_for(state="detached")
        anna.screen.role("heading", "nearby").wait_for()
        guide.screen.field("mayAsk").click()
        anna.screen.page.get_by_role("button", name=label).wait_for(state="detached")
        anna.screen.page.get_by_text(anna.screen.t("noneNear")).wait_for()


@case
def read_out(context: Context) -> None:
    """Eight digits that the guide reads out are enough: typed by the newcomer they join, with nobody to ask."""
    with people(context, "Ben") as (_, guide, (ben,)):
        guide.say_name()
        label = guide.create("Aloud")
        guide.screen.button("readOut").click()
        digits = guide.words()
        guide.picture("5-digits")
        ben.say_name()
        ben.screen.page.get_by_role("button", name=label).wait_for()
        ben.screen.role("heading", "byCode").click()
        ben.screen.field("code").fill(digits)
        ben.screen.button("joinNow").click()
        ben.screen.nav("chat").wait_for()
        ben.write("By digits")
        guide.screen.go("chat")
        guide.screen.says("By digits").wait_for()
        guide.screen.go("invite")
        guide.screen.page.get_by_text(guide.screen.pattern("usesLeft", n=9)).filter(visible=True).first.wait_for()
        guide.screen.button("endCode").filter(visible=True).first.click()
        guide.screen.button("readOut").filter(visible=True).first.wait_for()
        wait_until(lambda: any(m["name"] == "Ben" for m in guide.screen.node.members()), 20, "Ben is a member")
