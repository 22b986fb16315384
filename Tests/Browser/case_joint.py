"""Goal: thirty guests are a tour with its members: everybody hears everybody, receipts name each of them, and nothing
is lost or said twice though guests walk and a device that lets them in is killed.
Method: three phones are Chromium at the guests' page; the others are played by Tests/PythonNode/guest.py. What each
member and each phone shows in the end is compared, message by message."""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from cases import Context, case, expect, long
from guests import Phone as Scripted
from guests import Phones, Seats, addresses, await_guests, phones_on
from nodes import Node, wait_until
from phone import Phone
from screen import NARROW
from stage import Stage, stage

# Two devices let guests in, each in both networks: that of the phones, as a hotspot, and that of the other members. No
# packet goes from one to the other.
HOTSPOT, MEMBERS = 1, 0
LAYOUT = [(HOTSPOT, MEMBERS)] * 2 + [(MEMBERS,)] * 2 + [(HOTSPOT,)]
NAMES = ["Guide", "Second", "Third", "Fourth"]
PHONES = 4  # the host with all phones; each scripted one has an address of its own
PAGES = {"Anna": "Guide", "Bert": "Guide", "Cem": "Second"}
LOOKS: dict[str, dict[str, Any]] = {"Anna": {}, "Bert": {"color_scheme": "dark"}, "Cem": {"size": NARROW}}
SCRIPTED = {f"Guest {k:02}": "Guide" if k < 18 else "Second" for k in range(27)}
TEXTS = 3
IDS = "() => [...document.querySelectorAll('li[data-id]')].map((row) => row.dataset.id)"


class Everybody:
    """A tour with all its guests: devices, pages and scripted phones, by name."""

    def __init__(self, at: Stage, phones: Phones) -> None:
        self.at, self.nodes = at, dict(zip(NAMES, at.nodes))
        self.where = PAGES | SCRIPTED
        guide, second = at.nodes[:2]
        guide.must("seats", "allow", second.name)
        wait_until(lambda: second.ask("seats", "on").status == 0, 30, "Second may let guests in")
        self.links = {node.name: Seats(node).on() for node in (guide, second)}
        own = addresses(at.lab.hosts[PHONES], len(SCRIPTED))
        self.scripted = {name: phones.guest(self.links[host], name, place, patience=120)
                         for (name, host), place in zip(SCRIPTED.items(), own, strict=True)}
        calls = {name: phone.begin("enter") for name, phone in self.scripted.items()}
        self.pages = {name: self._page(name, host) for name, host in PAGES.items()}
        for name, call in calls.items():
            self.scripted[name].member = self.scripted[name].result(call)

    def _page(self, name: str, host: str) -> Phone:
        phone = Phone(self.at.browser(PHONES), self.nodes[host], self.links[host], **LOOKS[name])
        self.at.screens.append(phone)
        # Both devices name both of their addresses: while neither answers, a phone tries the other one, in vain.
        phone.origins = {f"http://{device.address(segment)}:{urlsplit(self.links[name]).port}"
                         for name, device in zip(("Guide", "Second"), self.at.lab.hosts)
                         for segment in (HOTSPOT, MEMBERS)}
        phone.may_lose_its_device()
        phone.come_in(name)
        return phone

    def await_texts(self, texts: Iterable[str], nodes: Iterable[Node], seconds: float = 60) -> None:
        """Until these members, all scripted phones by their news, and all pages have them."""
        wanted = set(texts)
        for node in nodes:
            wait_until(lambda: wanted <= {str(row["content"]) for row in node.messages()}, seconds,
                       f"{node.name} has all {len(wanted)} texts", pause=0.3)
        for phone in self.scripted.values():
            phone.wait_text(*wanted, seconds=seconds)
        for phone in self.pages.values():
            phone.until(lambda: wanted <= set(phone.texts), "it shows all texts", seconds)

    def await_receipts(self, author: Node, message: str, missing: Iterable[str] = (), seconds: float = 120) -> None:
        """Until the author knows of each by name: a page has shown it, all others have it, but these."""
        others = dict.fromkeys([*SCRIPTED, *(name for name in NAMES if name != author.name)], "delivered")
        wanted = others | dict.fromkeys(PAGES, "read") | dict.fromkeys(missing, "missing")
        found: dict[str, str] = {}

        def settled() -> bool:
            for page in self.pages.values():
                page.looks_through()  # a message is read once those before it are
            found.clear()
            found.update({row["name"]: row["state"] for row in author.must("receipts", message).first["members"]})
            return found == wanted
        try:
            wait_until(settled, seconds, f"{author.name} has all receipts", pause=0.3)
        except Exception as error:
            wrong = [(name, found.get(name), wanted.get(name)) for name in sorted(wanted | found)
                     if found.get(name) != wanted.get(name)]
            raise AssertionError(f"{error}; of {len(wrong)} it knows otherwise: {wrong[:6]}") from error

    def expect_same(self) -> int:
        """All members and all phones show the same messages in the same order, each once; how many."""
        rows = self.at.nodes[0].messages()
        ids = [str(row["id"]) for row in rows]
        twice = [text for text, count in Counter(str(row["content"]) for row in rows).items() if count > 1]
        expect(not twice, f"{len(twice)} texts are there twice: {twice[:3]}")
        for node in self.at.nodes:
            expect([row["id"] for row in node.messages()] == ids, f"{node.name} lists others, or in another order")
            members = node.members()
            expect(not any(row["forked"] for row in members), f"{node.name} shows a log that has forked")
            expect(len(members) == len(NAMES) + len(self.where), f"{node.name} lists {len(members)} members")
        for name, phone in self.scripted.items():
            expect([row["id"] for row in phone.messages()] == ids, f"{name} is shown others, or in another order")
        for name, page in self.pages.items():
            page.until(lambda: page.page.evaluate(IDS) == ids, f"{name} shows what the members list, in their order")
            expect(not page.overflow(), f"{name}'s page is too wide: {page.overflow()}")
        return len(ids)


def chats(everybody: Everybody) -> None:
    """Everybody says something, and everybody has it."""
    texts = [f"{name} is here" for name in (*everybody.where, *NAMES)]
    calls = [(phone, phone.begin("say", text=f"{name} is here")) for name, phone in everybody.scripted.items()]
    for name, page in everybody.pages.items():
        page.write(f"{name} is here")
    for name, node in everybody.nodes.items():
        node.send(f"{name} is here")
    for phone, call in calls:
        phone.result(call)
    everybody.await_texts(texts, everybody.at.nodes)


def receipts(everybody: Everybody) -> None:
    """Who has a message is known by name: not two phones that sleep, one at each device, until they wake."""
    asleep = ("Guest 00", "Guest 26")
    for name in asleep:
        everybody.scripted[name].drop()
    message = everybody.nodes["Third"].send("who has this")
    everybody.await_receipts(everybody.nodes["Third"], message, missing=asleep)
    for name in asleep:
        everybody.scripted[name].resume()
    everybody.await_receipts(everybody.nodes["Third"], message)


def walks(everybody: Everybody, walker: Scripted) -> None:
    """A guest goes on at the second device, and comes back: for all the same member."""
    nodes = everybody.at.nodes
    for text, host, where in (("at the second", "Second", everybody.links["Second"]), ("back again", "Guide", "Guide")):
        walker.walk(where)
        walker.say(text)
        everybody.await_texts([text], nodes)
        for node in nodes:
            await_guests(node, everybody.where | {walker.name: host})


def loses_its_guide(context: Context, everybody: Everybody) -> tuple[list[str], list[str]]:
    """The guide's device is killed while all guests write, and they go on at the other one. What was confirmed, and
    what was not."""
    guide, second, third = everybody.at.nodes[:3]
    for name, phone in everybody.scripted.items():
        other = "Second" if SCRIPTED[name] == "Guide" else "Guide"
        phone.wait(lambda state: other in {row["name"] for row in state["hosts"]}, 30, f"it knows {other}")
    for name, page in everybody.pages.items():
        other = "Second" if PAGES[name] == "Guide" else "Guide"
        page.until(lambda: other in {row["name"] for row in page.record["hosts"]}, f"it knows {other}")
    texts = {name: [f"{name}: {k}" for k in range(TEXTS)] for name in SCRIPTED}
    follower = third.follow()
    before = len(third.messages())
    written = before + context.random.randrange(5, len(SCRIPTED))
    calls = {name: phone.begin("chatter", texts=texts[name], pause=0.3) for name, phone in everybody.scripted.items()}
    for name, page in everybody.pages.items():
        page.write(f"{name} before the end")
    follower.wait(lambda rows: len(rows) >= written, 30, f"{written - before} texts are at Third")
    guide.kill()
    for name, page in everybody.pages.items():
        page.write(f"{name} after it")
    confirmed, others = [f"{name} {when}" for name in PAGES for when in ("before the end", "after it")], list[str]()
    for name, call in calls.items():
        for text, message in everybody.scripted[name].result(call).items():
            (confirmed if message else others).append(text)
    for page in everybody.pages.values():
        page.until(lambda: page.record["host"]["name"] == second.name, "it goes on at the second device", 60)
    wait_until(lambda: Seats(second).names() == set(everybody.where), 60, "all guests are with the second device",
               pause=0.3)
    everybody.await_texts(confirmed, everybody.at.nodes[1:])
    return confirmed, others


@long
@case
def thirty_guests(context: Context) -> None:
    """Thirty guests at two devices, three by real pages: all chat, one walks, a device is killed; all is there once."""
    context.repetitions = context.times(1)
    began = time.monotonic()
    with (stage(context, "Thirty guests", count=len(NAMES), layout=LAYOUT, names=NAMES) as at,
          phones_on(at.lab.hosts[PHONES]) as phones):
        everybody = Everybody(at, phones)
        for node in at.nodes:
            await_guests(node, everybody.where)
        chats(everybody)
        receipts(everybody)
        walks(everybody, everybody.scripted["Guest 01"])
        confirmed, others = loses_its_guide(context, everybody)
        guide, fourth = everybody.nodes["Guide"], everybody.nodes["Fourth"]
        everybody.await_receipts(fourth, fourth.send("without the guide"), missing=["Guide"])
        guide.start()
        everybody.await_texts([*confirmed, "without the guide"], at.nodes)
        count = everybody.expect_same()
        context.note(f"{count} messages, {len(others)} never confirmed, {time.monotonic() - began:.0f} s in all")
