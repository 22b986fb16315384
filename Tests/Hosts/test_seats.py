"""Goal: who has a phone and no program takes part as any other member, at whichever host, and nothing is lost or said
twice; and whoever lies, guesses, floods or copies gets nothing by it.
Method: real nodes that give seats, on hosts of their own; phones are played by Tests/PythonNode/guest.py, which is
written from the chapter alone."""
from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from cases import Context, case, expect, long
from guests import Phone, Phones, Refused, Seats, addresses, await_guests, guest_rows, guests_in, phones_on
from lab import Host, Lab, run
from nodes import Node, Row, all_know_all, make_tour, wait_until
from programs import Program, python_node
from test_files import digest, has_it, save
from test_group import await_states, states
from test_roles import contents

GUESTS, TEXTS, SEATS, PASS_SECONDS = 20, 12, 30, 60
HELD, HOLDERS, QUIET = 620, 30, 40
PIECE, PICTURE_MAX = 400 * 1024, 12 << 20
PROBES = {
    "/generate_204": "connectivitycheck.gstatic.com", "/hotspot-detect.html": "captive.apple.com",
    "/connecttest.txt": "www.msftconnecttest.com", "/canonical.html": "detectportal.firefox.com",
    "/success.txt": "detectportal.firefox.com"}


@contextmanager
def hosts_and_phones(context: Context, count: int = 2) -> Iterator[tuple[Lab, list[Node], Phones]]:
    """Nodes of one tour on hosts of one segment, the first the guide's; and a host with phones alone."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * (count + 1)) as lab:
        names = ["Guide", "Second", "Third"][:count]
        nodes = [host.node(name) for host, name in zip(lab.hosts, names)]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.await_ready()
        make_tour(nodes)
        if count > 1:
            all_know_all(nodes)
        for node in nodes:
            wait_until(lambda: {row["name"] for row in node.members()} == set(names), 30, f"{node.name} knows names")
        with phones_on(lab.hosts[count]) as phones:
            yield lab, nodes, phones


def enter_all(phones: Phones, link: str, names: list[str], places: list[str], patience: float = 60) -> list[Phone]:
    """Each from an address of its own, as phones have."""
    made = [phones.guest(link, name, place, patience=patience) for name, place in zip(names, places, strict=True)]
    calls = [phone.begin("enter") for phone in made]
    for phone, call in zip(made, calls):
        phone.member = phone.result(call)
    return made


def at(link: str, host: Host, segment: int) -> str:
    """The link by another of the host's addresses."""
    parts = urlsplit(link)
    return parts._replace(netloc=f"{host.address(segment)}:{parts.port}").geturl()


def expect_once(node: Node, confirmed: list[str], others: list[str] | None = None) -> None:
    """Every text that was confirmed is there once; every other one at most once."""
    texts = [str(row["content"]) for row in node.messages()]
    wrong = [(text, texts.count(text)) for text in confirmed if texts.count(text) != 1]
    expect(not wrong, f"{node.name} has {len(wrong)} confirmed ones not once: {wrong[:3]}")
    twice = [text for text in others or [] if texts.count(text) > 1]
    expect(not twice, f"{node.name} has twice what was never confirmed: {twice[:3]}")


def await_hosts(phone: Phone, *names: str) -> None:
    """Until the phone knows these hosts: it is told when it comes."""
    def known() -> bool:
        if set(names) <= {str(host["name"]) for host in phone.state["hosts"]}:
            return True
        phone.do("refresh")
        return False
    wait_until(known, 60, f"{phone.name} knows {names}", pause=2)


def status_of(phone: Phone, method: str, **fields: object) -> int:
    """0 where the connection was closed."""
    try:
        return int(phone.do(method, **fields)["status"])
    except Refused as refused:
        expect(refused.code == "lost", f"{method}: {refused}")
        return 0


def await_text(node: Node, *texts: str, seconds: float = 60) -> None:
    wait_until(lambda: set(texts) <= contents(node), seconds, f"{node.name} has {texts}", pause=0.3)


@case
def guests_talk(context: Context) -> None:
    """Three guests at one host and a member at another: chat both ways, names with their host, receipts of phones."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        link = Seats(guide).on()
        places = addresses(lab.hosts[2], 3)
        anna, bert, cem = enter_all(phones, link, ["Anna", "Bert", "Cem"], places)
        for node in (guide, second):
            await_guests(node, {"Anna": "Guide", "Bert": "Guide", "Cem": "Guide"})
        row = guest_rows(second)["Anna"]
        expect(row["role"] == "member" and row["id"] == anna.member, f"a guest is listed as {row}")
        expect(not any(r.get("guest") or r.get("by") for r in second.members() if r["name"] in ("Guide", "Second")),
               "a member with a device of its own is listed as a guest")
        expect(Seats(guide).names() == {"Anna", "Bert", "Cem"}, f"the host lists {Seats(guide).view()}")

        ids = [anna.say("from a phone"), second.send("from afar"), guide.send("from the host")]
        for phone in (anna, bert, cem):
            phone.wait_text("from a phone", "from afar", "from the host")
            expect([r["id"] for r in phone.messages()].count(ids[0]) == 1, f"{phone.name} has a message not once")
        second.follow().wait_ids(ids, 30)
        row = next(row for row in second.messages() if row["id"] == ids[0])
        expect((row["authorName"], row["authorID"], row["mine"]) == ("Anna", anna.member, False), f"Second shows {row}")
        expect(next(r for r in anna.messages() if r["id"] == ids[0])["mine"], "one's own is not one's own")
        phones_receipts(second, anna, bert, cem)

        bert.do("write", kind="name", name="Bertha")
        await_guests(second, {"Anna": "Guide", "Bertha": "Guide", "Cem": "Guide"})
        kept = cem.storage
        cem.do("leave")
        await_guests(second, {"Anna": "Guide", "Bertha": "Guide"})
        expect(cem.refusal("resume_once", storage=kept) == "over", "who left is in again")


def phones_receipts(second: Node, anna: Phone, bert: Phone, cem: Phone) -> None:
    """A message counts as arrived at a guest when its phone has it, and as read when it was shown: not before."""
    anna.wait(lambda state: state["held"] >= 3, 30, "another member has its log")
    cem.drop()
    told = anna.say("who has this")
    bert.wait_text("who has this")
    second.follow().wait_ids([told], 30)
    second.must("messages", "--mark-read")

    def settled() -> bool:
        found = states(second, told)
        return found.get("Bert") == "delivered" and found.get("Guide") == "delivered"
    wait_until(settled, 60, "Bert's phone and the host have it", pause=0.3)
    expect(states(second, told).get("Cem") == "missing", f"a phone that sleeps has it: {states(second, told)}")
    shown = anna.do("message", name=told)["receipts"]
    own = {row["name"]: row["state"] for row in (shown["members"] if isinstance(shown, dict) else shown)}
    expect(own.get("Cem") == "missing" and own.get("Bert") == "delivered", f"its author is shown {own}")
    bert.do("read", through=told)
    cem.resume()
    cem.wait_text("who has this")
    await_states(second, told, {"Guide": "delivered", "Second": "read", "Bert": "read", "Cem": "delivered"})


@case
def guest_walks(context: Context) -> None:
    """A guest goes on at another host and back: the same member, nothing lost or doubled; the first host lets go."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        seats = Seats(guide)
        link = seats.on()
        expect(second.ask("seats", "on").code == "may-not-give-seats", "a member gives seats that nobody allowed")
        seats.allow("Second")
        wait_until(lambda: second.ask("seats", "on").status == 0, 30, "Second may give seats")
        other = Seats(second).on()
        places = addresses(lab.hosts[2], 2)
        anna, bert = enter_all(phones, link, ["Anna", "Bert"], places)
        texts = [f"at the guide {k}" for k in range(5)]
        anna.do("chatter", texts=texts)
        await_text(second, *texts)

        anna.walk(other)
        await_guests(guide, {"Anna": "Second", "Bert": "Guide"})
        expect(seats.names() == {"Bert"} and Seats(second).names() == {"Anna"}, "the first host keeps the guest")
        more = [f"at the second {k}" for k in range(5)]
        anna.do("chatter", texts=more)
        await_text(guide, *more)
        await_hosts(anna, "Guide")
        anna.walk("Guide")
        await_guests(second, {"Anna": "Guide", "Bert": "Guide"})
        last = [f"again at the guide {k}" for k in range(5)]
        anna.do("chatter", texts=last)
        await_text(second, *last)
        for node in (guide, second):
            expect_once(node, texts + more + last)
            expect(len(node.members()) == 4, f"{node.name} lists {[row['name'] for row in node.members()]}")
        expect(guest_rows(guide)["Anna"]["id"] == anna.member, "another member came back")
        expect([row["content"] for row in anna.messages()] == [row["content"] for row in guide.messages()],
               "the phone shows another order than the host")


@long
@case
def guests_survive_their_host(context: Context) -> None:
    """The host is killed while 20 guests write: they go on at the other; what was confirmed is there exactly once."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        link = Seats(guide).on()
        Seats(guide).allow("Second")
        wait_until(lambda: second.ask("seats", "on").status == 0, 30, "Second may give seats")
        Seats(second).on()
        names = [f"Guest {k}" for k in range(GUESTS)]
        guests = enter_all(phones, link, names, addresses(lab.hosts[2], GUESTS), patience=120)
        for phone in guests:
            await_hosts(phone, "Second")
        texts = {phone.name: [f"{phone.name}: {k}" for k in range(TEXTS)] for phone in guests}
        calls = {phone.name: phone.begin("chatter", texts=texts[phone.name], pause=0.2) for phone in guests}
        # At some moment while they write.
        written = context.random.randrange(GUESTS, GUESTS * TEXTS // 2)
        second.follow().wait(lambda rows: len(rows) >= written, 60, f"{written} texts were written")
        guide.kill()
        confirmed, others = list[str](), list[str]()
        for phone in guests:
            for text, message in phone.result(calls[phone.name], 240).items():
                (confirmed if message else others).append(text)
        context.note(f"{len(confirmed)} confirmed, {len(others)} not")
        expect(len(confirmed) >= GUESTS * TEXTS - GUESTS, f"only {len(confirmed)} texts were confirmed")
        wait_until(lambda: Seats(second).names() == set(names), 60, "all guests went on")
        expect_once(second, confirmed, others)
        guide.start()
        await_text(guide, *confirmed, seconds=120)
        expect_once(guide, confirmed, others)
        expect([row["id"] for row in guide.messages()] == [row["id"] for row in second.messages()], "two orders")
        expect(not any(row["forked"] for row in second.members()), "a log has forked")
        expect(len(second.members()) == GUESTS + 2, f"{len(second.members())} members")


@case
def passes(context: Context) -> None:
    """A pass that was photographed: used up, over, renewed; a wrong one; and the 31st seat."""
    with hosts_and_phones(context, 1) as (lab, (guide,), phones):
        seats, places = Seats(guide), addresses(lab.hosts[1], SEATS + 8)
        old = seats.on()
        expect(seats.view()["usesLeft"] == 30 and 2_591_800 < seats.view()["secondsLeft"] <= 2_592_000, f"{seats.view()}")
        link = seats.renew(uses=1)
        expect(link != old, "a pass was renewed by itself")
        expect(phones.guest(old, "Late", places[0]).refusal("enter") == "bad-pass", "an old pass lets in")
        (first,) = enter_all(phones, link, ["Guest 0"], [places[1]])
        expect(phones.guest(link, "Second one", places[2]).refusal("enter") == "pass-used-up", "a pass let two in")
        first.say("who is in stays")
        # The same secret again, as where no answer came: the same seat, and no use.
        link = seats.renew()
        (one,) = enter_all(phones, link, ["Guest 1"], [places[4]])
        again = phones.guest(link, "Guest 1", places[4], one.storage, called="again").enter()
        expect(again.member == one.member, "one secret made two seats")
        expect(seats.view()["usesLeft"] == 29, f"uses left: {seats.view()['usesLeft']}")
        link = seats.renew(uses=100, seconds=PASS_SECONDS)
        over = time.time() + PASS_SECONDS
        enter_all(phones, link, [f"Guest {k}" for k in range(2, SEATS)], places[5:3 + SEATS])
        more = phones.guest(link, "One more", places[3 + SEATS])
        expect(more.refusal("enter") == "full", "a 31st seat was given")
        seats.on(SEATS + 5)
        more.enter()
        wait_until(lambda: seats.view()["secondsLeft"] == 0 and time.time() > over, PASS_SECONDS + 10,
                   "the pass is over", pause=0.3)
        expect(phones.guest(link, "Late", places[3]).refusal("enter") == "pass-expired", "a pass that is over lets in")
        first.say("and stays")
        seats.off()
        late = phones.guest(link, "Too late", places[4 + SEATS])
        expect(late.refusal("enter") in ("seats-off", "lost"), "a host that gives no seats lets in")


@case
def secrets_of_phones(context: Context) -> None:
    """A wrong secret opens no seat, and few are tried; whoever has the right one, and no pass, goes on."""
    with hosts_and_phones(context, 1) as (lab, (guide,), phones):
        link, places = Seats(guide).on(), addresses(lab.hosts[1], 3)
        (anna,) = enter_all(phones, link, ["Anna"], [places[0]])
        anna.say("mine")
        kept = anna.storage
        wrong = kept | {"secret": "00" * 32}
        thief = phones.guest(link, "Anna", places[1], wrong, patience=1, called="thief")
        codes = [raw_resume(thief, wrong) for _ in range(8)]
        expect(codes[:5] == ["wrong-secret"] * 5, f"wrong secrets: {codes}")
        expect(set(codes[5:]) == {"slow-down"}, f"wrong secrets beyond the rate: {codes}")
        honest = phones.guest(link, "Anna", places[2], kept, called="honest").resume()
        expect(honest.member == anna.member, "the right secret opens another seat")
        nobody = kept | {"member": "11" * 32}
        expect(raw_resume(honest, nobody) == "unknown-seat", "a seat of nobody")
        expect("mine" in contents(guide), "a message is gone")
        expect(len(guide.members()) == 2, f"{len(guide.members())} members")


def raw_resume(phone: Phone, kept: Row) -> str:
    """The code with which a `resume` is refused, in a new channel; nothing is tried again."""
    try:
        phone.do("resume_once", storage=kept)
        return "ok"
    except Refused as refused:
        return refused.code


@case
def one_seat_two_phones(context: Context) -> None:
    """A copied phone: at one host both are one seat; at two that cannot hear each other the seat is over at last."""
    context.repetitions = context.times(1)
    # The hosts hear each other by segment 2 alone; phones reach each of them by another one.
    with context.lab([(2, 0), (2, 1), (0, 1)]) as lab:
        nodes = guide, second = [lab.hosts[k].node(name).start() for k, name in enumerate(("Guide", "Second"))]
        make_tour(nodes)
        all_know_all(nodes)
        Seats(guide).allow("Second")
        wait_until(lambda: second.ask("seats", "on").status == 0, 30, "Second may give seats")
        link, other = at(Seats(guide).on(), lab.hosts[0], 0), at(Seats(second).on(), lab.hosts[1], 1)
        with phones_on(lab.hosts[2]) as phones:
            anna = phones.guest(link, "Anna", patience=10).enter()
            twin = phones.guest(link, "Anna", storage=anna.storage, patience=10, called="twin").resume()
            for phone, text in ((anna, "by one"), (twin, "by the other"), (anna, "by one again")):
                phone.say(text)
            for phone in (anna, twin):
                phone.wait_text("by one", "by the other", "by one again")
            await_text(second, "by one", "by the other", "by one again")
            expect(len(guide.members()) == 3, "a copy is another member")
            expect_once(second, ["by one", "by the other", "by one again"])

            kept = anna.storage
            lab.cable(lab.hosts[0], False)
            twin.drop()
            there = phones.guest(other, "Anna", storage=kept, patience=10, called="there")
            there.walk(other)
            there.say("on this side")
            anna.say("on that side")
            lab.cable(lab.hosts[0], True)
            for node in nodes:
                wait_until(lambda: guest_rows(node)["Anna"]["forked"], 90, f"{node.name} knows that the log has forked")
            for phone in (anna, there):
                expect(phone.refusal("say", text="after the fork") in ("over", "lost"), f"{phone.name} writes on")
            for node in nodes:
                expect_once(node, ["by one", "by the other", "by one again"], ["on this side", "on that side"])
                expect("after the fork" not in contents(node), f"{node.name} shows what a forked log says")


@case
def guests_positions(context: Context) -> None:
    """A guest shares its position as a member does: others see it with its name, until it stops, at whichever host."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        Seats(guide).allow("Second")
        wait_until(lambda: second.ask("seats", "on").status == 0, 30, "Second may give seats")
        link, there = Seats(guide).on(), Seats(second).on()
        (anna,) = enter_all(phones, link, ["Anna"], addresses(lab.hosts[2], 1), patience=10)

        def place(node: Node) -> Row | None:
            return guest_rows(node)["Anna"].get("position")

        def is_at(node: Node, latitude: float) -> bool:
            return abs((place(node) or {"latitude": 0})["latitude"] - latitude) < 1e-6
        await_guests(second, {"Anna": "Guide"})
        for wrong in ({"seconds": 86_401}, {"seconds": 60, "latitude": 91.0, "longitude": 0}, {"seconds": 60, "latitude": 1},
                      {"seconds": 60, "latitude": 1, "longitude": 1, "age": 61}, {"latitude": 1, "longitude": 1},
                      {"seconds": 60, "latitude": 1, "longitude": 1, "accuracy": -1}):
            code = anna.refusal("ask_once", op="position", **wrong)
            expect(code == "bad-request", f"{wrong} is refused as {code}")
        expect(place(guide) is None, "what was refused is shown")
        anna.do("share", seconds=3_600, latitude=41.9, longitude=12.5, accuracy=12, age=3)
        for node in (guide, second):
            wait_until(lambda: is_at(node, 41.9), 30, f"{node.name} sees where Anna is")
        row = place(second) or {}
        expect(row["accuracyMetres"] == 12 and row["live"] and row["ageSeconds"] >= 3, f"Second shows {row}")

        anna.do("hide")
        for node in (guide, second):
            wait_until(lambda: place(node) is None, 30, f"{node.name} does not see it any more")
        anna.do("share", seconds=3_600, latitude=42.0, longitude=12.5)
        wait_until(lambda: is_at(second, 42.0), 30, "Second sees where Anna is")
        # Another host's clock may be behind: its rows count after those of the first all the same.
        anna.walk(there)
        anna.do("share", seconds=3_000, latitude=43.0, longitude=12.5)
        wait_until(lambda: is_at(guide, 43.0), 30, "the guide sees where Anna is by Second")
        anna.walk(link)
        anna.do("hide")
        for node in (guide, second):
            wait_until(lambda: place(node) is None, 30, f"{node.name} does not see what another host began")

        codes = anna.do("ends", seconds=[600 + 100 * k for k in range(40)])
        expect(codes.get("slow-down", 0) > 10, f"another end each time: {codes}")


@case
def hostile_guests(context: Context) -> None:
    """What guests may not: confirm what was not prepared, replay, use others' uploads, ask too much or elsewhere."""
    with hosts_and_phones(context, 1) as (lab, (guide,), phones):
        link, places = Seats(guide).on(), addresses(lab.hosts[1], 3)
        anna, bert = enter_all(phones, link, ["Anna", "Bert"], places[:2])
        expect(anna.refusal("ask_once", op="confirm", id="ab" * 32) == "moved", "what was never prepared was confirmed")
        first = anna.do("prepare", kind="text", text="never confirmed")
        expect(bert.refusal("ask_once", op="confirm", id=first["id"]) == "moved", "somebody else confirmed it")
        anna.do("prepare", kind="text", text="nor this one")
        code = anna.refusal("ask_once", op="confirm", id=first["id"])
        expect(code == "moved", f"what was prepared before the last is confirmed: {code}")
        expect(not {"never confirmed", "nor this one"} & contents(guide), "what nobody confirmed is shown")
        anna.say("and on")
        expect(anna.do("repeat", op="messages", around="end", count=1, times=3) == [200, 404, 404], "one n twice")

        anna.do("ask_once", op="upload", upload="0123456789abcdef", offset=0, size=5, name="x.jpg", data="00" * 5)
        code = bert.refusal("ask_once", op="write", kind="picture", upload="0123456789abcdef", caption="")
        expect(code == "unknown-upload", f"a picture by another's upload: {code}")
        message = anna.say("no picture")
        expect(bert.refusal("ask_once", op="picture", id=message, small=False, offset=0), "a text has a picture")
        for op in ("members", "tour", "invite", "seats"):
            expect(anna.refusal("ask_once", op=op), f"a guest may ask for {op}")
        expect(anna.refusal("ask_once", op="write", kind="announcement", text="x"), "a guest announces")

        expect(status_of(anna, "box", size=2 * PIECE) in (0, 404, 413), "a huge request is taken")
        expect(status_of(anna, "post", path="/seat/ask", size=4 * PIECE) in (0, 404, 413), "huge bytes are taken")
        for path in ("/v1/status", "/v1/tours", "/v1/messages", "/v1/ask", "/seat/none", "/seat/news/../../v1/status"):
            for method in ("post", "fetch"):
                expect(status_of(anna, method, path=path) in (400, 404, 405), f"{method} {path} at the guests' port")
        expect(anna.do("post", path="/seat/ask", size=100)["status"] == 404, "an unknown session is answered")
        expect(anna.do("ask_from", origin="http://evil.example") == 200, "a page of another host may not go on")
        expect(anna.do("ask_from", host="evil.example") in (200, 302, 404, 421), "another name")
        evil = anna.do("fetch", path="/", host="evil.example")
        expect(evil["status"] in (302, 404, 421), f"the page under another name: {evil['status']}")
        anna.say("still in")
        expect("still in" in contents(guide) and guide.alive, "the guest is out")


@case
def guests_flood(context: Context) -> None:
    """Guests write, and strangers knock, as fast as they can: they are slowed down; the owner is answered as ever."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        link, places = Seats(guide).on(), addresses(lab.hosts[2], 8)
        flooders = enter_all(phones, link, [f"Flood {k}" for k in range(5)], places[:5])
        (anna,) = enter_all(phones, link, ["Anna"], [places[5]])
        calls = [(phone, phone.begin("flood", count=120, text=phone.name)) for phone in flooders]
        stranger = phones.guest(link, "Stranger", places[6])
        knocking = stranger.begin("hellos", count=60)
        began = time.monotonic()
        sent = [guide.send("beside a flood"), second.send("from afar")]
        guide.status()
        expect(time.monotonic() - began < 10, f"three commands took {time.monotonic() - began:.1f} s")
        anna.say("I am here too")
        anna.wait_text("beside a flood", "from afar")
        second.follow().wait_ids(sent, 30)
        counts = [phone.result(call) for phone, call in calls]
        for codes in counts:
            expect(codes.get("slow-down", 0) > 0 and codes.get("ok", 0) <= 60, f"a flood: {codes}")
        knocked = stranger.result(knocking)
        expect(knocked.get("ok", 0) <= 50, f"one address made {knocked.get('ok')} of 60 channels at once")
        written = sum(codes.get("ok", 0) for codes in counts)
        context.note(f"{written} of 600 written, {knocked.get('ok', 0)} of 60 channels")
        await_text(second, "I am here too")


@case
def guests_hold_the_door(context: Context) -> None:
    """One guest holds as many connections as there are places, by drips and unread answers, from one address and from
    thirty: another guest's call for help is heard, a newcomer comes in, and a removal closes what the guest holds."""
    with hosts_and_phones(context, 1) as (lab, (guide,), phones), phones_on(lab.hosts[1], "mallory") as others:
        link, places = Seats(guide).on(), addresses(lab.hosts[1], 4 + HOLDERS)
        (mallory,) = enter_all(others, link, ["Mallory"], places[:1])
        (anna,) = enter_all(phones, link, ["Anna"], places[1:2])
        follower = guide.follow()
        for how, sources in ((how, held) for held in (places[:1], places[4:]) for how in ("drip", "unread")):
            mallory.do("hold", count=HELD, how=how, sources=sources)
            what, begun = f"beside {how} of {len(sources)}", time.monotonic()
            anna.do("write", kind="alarm", text=f"help {what}")
            follower.wait(lambda rows: any(f"help {what}" in str(row) for row in rows.values()), 30, f"help {what}")
            context.note(f"{what}: heard after {time.monotonic() - begun:.1f} s")
            phones.guest(link, f"New {what}", places[2]).enter().say(f"in {what}")
            mallory.do("let_go")
        # Fewer than a share, which would stay for a minute; what is closed is made anew.
        mallory.do("hold", count=QUIET, how="idle", sources=places[:1])
        guide.must("remove", "Mallory", "--yes")
        wait_until(lambda: int(mallory.do("held_made")) >= 2 * QUIET, 30, "what Mallory holds is closed", pause=0.3)
        anna.do("write", kind="alarm", text="help after the removal")
        phones.guest(Seats(guide).view()["link"], "After the removal", places[3]).enter().say("in after the removal")
        mallory.do("let_go")


@case
def hosts_that_lie(context: Context) -> None:
    """A member in Python admits guests under another's licence, calls itself a guest, writes for one: it is nothing."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 4) as lab:
        lab.hosts[2].stop_avahi()
        nodes = guide, second = [lab.hosts[k].node(name).start() for k, name in enumerate(("Guide", "Second"))]
        code = make_tour(nodes)
        all_know_all(nodes)
        link = Seats(guide).on()
        with phones_on(lab.hosts[3]) as phones, python_node(lab.hosts[2], "Python", code, "--dial") as liar:
            anna = phones.guest(link, "Anna").enter()
            said = anna.say("a true guest")
            wait_until(lambda: any(row["id"] == said for row in liar.of("message")), 40, "the Python node has it")
            row = next(row for row in liar.of("message") if row["id"] == said)
            own = guide_id(guide)
            expect(row["by"] == own, f"by {row['by']} instead of {own}")
            liar.write("/members")
            listed = liar.wait("members", 10)
            by = {member["id"]: member["by"] for member in listed["members"]}
            expect(by[anna.member] == own and by[own] == "", f"the Python node lists {by}")
            licence = next(each["key"] for each in listed["licences"] if each["host"] == own)
            me = next(member for member in by if member not in {row["id"] for row in guest_rows(guide).values()}
                      | {own, guide_id(second)})
            false = [lie(liar, licence, own, 1), lie(liar, licence, me, 2)]
            content = {"seat": {"host": base64.b64encode(bytes.fromhex(own)).decode(),
                                "keys": base64.b64encode(bytes(72)).decode()}}
            liar.write("/content 3 " + json.dumps(content))
            liar.write(f"/forge {anna.member} not by Anna")
            liar.wait("forged", 10)
            liar.write("behind all lies")
            for node in nodes:
                node.follow().wait_text("behind all lies", 40)
                rows = {str(row["id"]): row for row in node.members()}
                expect(not set(false) & rows.keys(), f"{node.name} lists a false guest")
                expect(not rows[me]["guest"], f"{node.name} lists as a guest who calls itself one")
                expect("not by Anna" not in contents(node), f"{node.name} shows what Anna's phone never confirmed")
                await_guests(node, {"Anna": "Guide"})
            expect(Seats(guide).names() == {"Anna"}, f"the guide gives seats to {Seats(guide).view()['guests']}")
            liar.write("/members")
            expect(len(liar.wait("members", 10, 2)["members"]) == 4, "the liar's own roster counts its guests")


def lie(liar: Program, licence: str, host: str, count: int) -> str:
    """Admits a guest of this host; the guest's id."""
    liar.write(f"/seat {licence} {host}")
    return str(liar.wait("seat", 10, count)["member"])


def guide_id(node: Node) -> str:
    return next(str(row["id"]) for row in node.members() if row["me"])


@case
def hosts_removed(context: Context) -> None:
    """With a host go its guests, those who have walked on included; the end of a licence ends its guests too. The phones
    of others ask neither host any more."""
    with hosts_and_phones(context, 3) as (lab, (guide, second, third), phones):
        for name in ("Second", "Third"):
            Seats(guide).allow(name)
        links = {"Guide": Seats(guide).on()}
        for node in (second, third):
            wait_until(lambda: node.ask("seats", "on").status == 0, 30, f"{node.name} may give seats")
            links[node.name] = Seats(node).on()
        places = addresses(lab.hosts[3], 5)
        (anna,) = enter_all(phones, links["Guide"], ["Anna"], places[:1], patience=5)
        bert, walker = enter_all(phones, links["Second"], ["Bert", "Walker"], places[1:3], patience=5)
        (cem,) = enter_all(phones, links["Third"], ["Cem"], places[3:4], patience=5)
        walker.walk(links["Guide"])
        everybody = {"Anna": "Guide", "Bert": "Second", "Walker": "Guide", "Cem": "Third"}
        for node in (guide, second, third):
            await_guests(node, everybody)
        bert.say("before the end")
        await_hosts(anna, "Second", "Third")
        Seats(guide).deny("Third")
        for node in (guide, second, third):
            await_guests(node, {name: by for name, by in everybody.items() if name != "Cem"})
        refused = cem.refusal("say", text="after the licence")
        expect(refused in ("removed", "lost"), f"a licence that ended keeps its guest: {refused}")
        third.send("its host stays")

        guide.must("remove", "Second", "--yes")
        for node in (guide, third):
            await_guests(node, {"Anna": "Guide"})
        wait_until(lambda: not second.must("tour", "list").first["active"], 60, "Second knows that it is out")
        for phone in (bert, walker):
            # Until the host's next look at its seats, within a second, its guests are told what it is told itself.
            refused = phone.refusal("say", text="after the host")
            expect(refused in ("over", "lost", "removed", "not-active"), f"{phone.name} is told '{refused}'")
        anna.say("still in")
        anna.wait(lambda state: {host["name"] for host in state["hosts"]}.isdisjoint({"Second", "Third"}), 30,
                  "it asks neither of the two any more")
        await_text(third, "still in", "before the end")
        expect("after the host" not in contents(third) | contents(guide), "who is out was heard")
        expect(phones.guest(links["Second"], "New", places[4], patience=5).refusal("enter"), "a removed host lets in")


@case
def guest_removed(context: Context) -> None:
    """Removed is removed: at no host, by no code of before, nor with the secret. The other guests stay, each host has
    another code, which outlives its next start, and whoever is shown one comes in."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        Seats(guide).allow("Second")
        old = {"Guide": Seats(guide).on()}
        wait_until(lambda: second.ask("seats", "on").status == 0, 30, "Second may give seats")
        old["Second"] = Seats(second).on()
        places = addresses(lab.hosts[2], 7)
        karl, anna = enter_all(phones, old["Guide"], ["Karl", "Anna"], places[:2], patience=5)
        (bert,) = enter_all(phones, old["Second"], ["Bert"], places[2:3], patience=5)
        for node in (guide, second):
            await_guests(node, {"Karl": "Guide", "Anna": "Guide", "Bert": "Second"})
        kept = karl.storage
        guide.must("remove", "Karl", "--yes")
        for node in (guide, second):
            await_guests(node, {"Anna": "Guide", "Bert": "Second"})
        new = {node.name: wait_until(lambda node=node: another_code(node, old[node.name]), 30, "each has another code")
               for node in (guide, second)}
        for node, place in zip((guide, second), places[3:5]):
            again = phones.guest(old[node.name], "Karl", place, patience=5, called=f"Karl at {node.name}")
            expect(again.refusal("enter") == "bad-pass", f"the old code of {node.name} lets in")
            back = phones.guest(new[node.name], "Karl", place, kept, patience=5, called=f"back at {node.name}")
            expect(back.refusal("resume_once", storage=kept) == "removed", f"{node.name} lets in who was removed")
        anna.say("Anna stays")
        bert.say("Bert stays")
        await_text(guide, "Anna stays", "Bert stays")
        second.stop()
        second.start()
        link = wait_until(lambda: Seats(second).view()["link"], 20, "Second shows a code", pause=0.3)
        expect(str(link).split("#")[1] == new["Second"].split("#")[1], "a start changes the code")
        enter_all(phones, str(link), ["Dora"], places[5:6], patience=30)
        # Bert's phone may have gone on at the guide's while his host was away.
        def listed() -> bool:
            by = guests_in(guide)
            return by.pop("Bert", None) in ("Guide", "Second") and by == {"Anna": "Guide", "Dora": "Second"}
        wait_until(listed, 60, "the guide lists Anna, Bert, and Dora at Second")


def another_code(node: Node, old: str) -> str | None:
    link = Seats(node).view()["link"]
    return str(link) if link and link != old else None


@case
def sleeping_phones(context: Context) -> None:
    """A phone sleeps and wakes, its page is loaded anew, its host starts anew: the same guest, and no word twice."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        link, (place,) = Seats(guide).on(), addresses(lab.hosts[2], 1)
        (anna,) = enter_all(phones, link, ["Anna"], [place])
        anna.say("before")
        anna.drop()
        guide.send("while it slept")
        anna.resume()
        anna.wait_text("while it slept")
        anna.say("awake")
        kept = anna.storage
        anna.drop()
        anew = phones.guest(link, "Anna", place, kept, called="anew").resume()
        anew.do("prepare", kind="text", text="prepared and forgotten")
        guide.kill()
        guide.start()
        anew.say("after the start")
        expect(anew.member == anna.member, "another member is back")
        await_text(second, "before", "awake", "after the start")
        for node in (guide, second):
            expect_once(node, ["before", "awake", "after the start"])
            expect("prepared and forgotten" not in contents(node), "what nobody confirmed is there")
            expect(not guest_rows(node)["Anna"]["forked"], f"{node.name} shows a fork")
            expect(len(node.members()) == 3, f"{node.name} lists {len(node.members())} members")
        anew.wait(lambda state: state["tail"] == 0, 40, "others have all of its log")


@case
def guests_pictures(context: Context) -> None:
    """A guest sends a picture in parts: members have it, another guest sees it small and whole; no picture is none."""
    with hosts_and_phones(context) as (lab, (guide, second), phones):
        link, places = Seats(guide).on(), addresses(lab.hosts[2], 2)
        anna, bert = enter_all(phones, link, ["Anna", "Bert"], places)
        source = lab.home / "photo.jpg"
        run("vips", "worley", f"{source}[Q=90]", "2000", "1500")
        sent = str(anna.do("send_picture", path=str(source), caption="The bridge"))
        follower = second.follow()
        follower.wait_ids([sent], 60)
        row = follower.rows[sent]
        expect((row["type"], row["authorName"]) == ("image", "Anna"), f"Second shows {row}")
        expect(row["metadata"]["caption"] == "The bridge", f"Second shows {row['metadata']}")
        wait_until(lambda: has_it(second, sent), 60, "Second has the picture")
        whole = bytes.fromhex(bert.do("picture", message=sent))
        expect(hashlib.sha256(whole).hexdigest() == digest(save(second, sent)), "a guest sees another picture")
        small = bytes.fromhex(bert.do("picture", message=sent, small=True))
        is_small = 0 < len(small) < len(whole) and small[:2] == b"\xff\xd8"
        expect(is_small, f"the small picture has {len(small)} bytes")

        text = lab.home / "text.jpg"
        text.write_text("no picture")
        expect(anna.refusal("send_picture", path=str(text)), "a text passes as a picture")
        huge = lab.home / "huge.jpg"
        with huge.open("wb") as out:
            out.truncate(PICTURE_MAX + 1)
        code = anna.refusal("send_picture", path=str(huge))
        expect(code == "file-too-large", f"a picture of more than 12 MiB: {code}")
        anna.say("still in")
        expect("still in" in contents(guide), "a refused picture ended the guest's seat")


@case
def captive_probes(context: Context) -> None:
    """What phones ask a new network is answered at the guests' port: the way to the page, and for guests as online."""
    with hosts_and_phones(context, 1) as (lab, (guide,), phones):
        link, places = Seats(guide).on(), addresses(lab.hosts[1], 2)
        stranger, guest = (phones.guest(link, name, place) for name, place in zip(("Stranger", "Anna"), places))
        for path, name in PROBES.items():
            answer = stranger.do("fetch", path=path, host=name)
            expect(answer["status"] in (302, 303, 307), f"{path} before somebody is in: {answer['status']}")
            expect(urlsplit(link).netloc in answer["location"], f"{path} leads to {answer['location']}")
        guest.enter()
        for path, name in PROBES.items():
            answer = guest.do("fetch", path=path, host=name)
            wanted = 204 if path == "/generate_204" else 200
            expect(answer["status"] == wanted, f"{path} of a guest: {answer['status']}")
        page = guest.do("fetch", path="/")
        expect(page["status"] == 200 and "<html" in page["body"].lower(), f"the guests' page: {page['status']}")
        for path in ("/", "/captive-portal-api"):
            status = guest.do("fetch", path=path, host="example.org")["status"]
            expect(status in (200, 302, 404), f"{path} of example.org: {status}")
