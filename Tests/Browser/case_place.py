"""Goal: a guest's place is the guest's, wherever its device goes, and nobody else's, whoever has the address next.
Method: a phone's browser at a device whose address changes in the middle, with the device's name as mDNS gives it on
the phone's host, and without; what the browser keeps is read as another program at that address would."""
from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import browsers
from access import expect_names, expect_no_violation
from case_guests import arrives, member, new_phone
from cases import Context, case, expect
from lab import Host, run
from nodes import Node, wait_until
from phone import NAMED, Phone, open_door
from stage import Stage, stage

MOVED = "10.77.0.77"
# What a program of another's at this address could read.
KEPT = "() => Object.fromEntries(Object.keys(localStorage).map((key) => [key, localStorage.getItem(key)]))"
# Opens all of it by a page key, as a page of this program would.
OPENED = """async (digits) => {
    const { open, usePage } = await import('/sealed.js');
    usePage(digits);
    return Object.keys(localStorage).filter((key) => /seat[.]|link$/.test(key))
        .map((key) => open(localStorage.getItem(key)));
}"""
FORGED = """async (record) => (await import('/store.js')).carried(record)"""


def move(host: Host) -> None:
    """The host's first card gets another address, and has no other any more."""
    run("ip", "-n", host.namespace, "addr", "del", f"{host.address()}/24", "dev", "eth0")
    run("ip", "-n", host.namespace, "addr", "add", f"{MOVED}/24", "brd", "+", "dev", "eth0")
    run("ip", "-n", host.namespace, "route", "replace", "default", "dev", "eth0")
    run("ip", "-n", host.namespace, "route", "replace", "224.0.0.0/4", "dev", "eth0")


def link_at(node: Node, address: str) -> str:
    """What the code of a node says once it has this address."""
    def link() -> str | None:
        found = str(node.must("seats").first["link"])
        return found if urlsplit(found).hostname == address else None
    return str(wait_until(link, 40, f"the code of {node.name} leads to {address}"))


def found(host: Host, name: str) -> str:
    """The address that mDNS has for a name on this host; empty: none."""
    asked = ["dbus-send", f"--bus={host.bus}", "--print-reply", "--dest=org.freedesktop.Avahi", "/",
             "org.freedesktop.Avahi.Server.ResolveHostName", "int32:-1", "int32:0", f"string:{name}", "int32:0",
             "uint32:0"]
    answer = subprocess.run(asked, capture_output=True, text=True, timeout=30).stdout
    return next(iter(re.findall(r'string "(\d+\.\d+\.\d+\.\d+)"', answer)), "")


def name_of(phone: Phone) -> str:
    """The name under which its device says that it is found."""
    return str(phone.page.evaluate("""async (key) => {
        const { Channel } = await import('/channel.js'), { unhex } = await import('/bytes.js');
        const { readLink } = await import('/store.js');
        const opened = await Channel.open('', unhex(readLink(key).key));
        return (await opened.ask({ op: 'hello', language: 'en' })).local;
    }""", phone.link.partition("#")[2]))


def is_alone(at: Stage, id: str) -> None:
    """All members list one Anna, who is the same as before, and a roll call asks for her once."""
    for node in at.nodes[:2]:
        rows = [row for row in node.members() if row["name"].startswith("Anna")]
        expect([row["id"] for row in rows] == [id], f"{node.name} lists {[(row['name'], row['id']) for row in rows]}")
        expect(not rows[0]["forked"], f"{node.name} says that her log forked")


@case
def place_stays(context: Context) -> None:
    """A phone that finds its device by name goes on when the address changes: what waited arrives, and a code that is
    scanned at the new address leads to the same person."""
    with stage(context, "Place stays", members=2, own=True) as at:
        guide, host, there = at.nodes[0], at.lab.hosts[0], at.lab.hosts[2]
        names = there.home / "names"
        names.write_text("127.0.0.1 localhost\n")
        browser = at.adopt(browsers.launch(there, names=names))
        link = open_door(guide)
        asks = new_phone(at, link)
        asks.scan()
        asks.is_let(asks.field("yourName"))
        place = name_of(asks)
        expect(NAMED.fullmatch(f"http://{place}"), f"the device says that it is found at {place}")
        name = place.partition(":")[0]
        wait_until(lambda: found(there, name) == host.address(), 20, f"{name} is found on the phone's host")
        names.write_text(f"127.0.0.1 localhost\n{found(there, name)} {name}\n")
        phone = Phone(browser, guide, link)
        at.screens.append(phone)
        phone.may_lose_its_device()
        phone.page.goto(link)
        phone.page.wait_for_url(f"http://{place}/**")
        phone.learn_words()
        phone.field("yourName").fill("Anna")
        phone.button("comeIn").click()
        phone.is_let(phone.composer)
        expect(phone.page.url == phone.kept.replace(urlsplit(link).netloc, place), f"it stays at {phone.page.url}")
        phone.write("before")
        phone.has_sent("before")
        id = member(at.nodes[1], "Anna")["id"]
        move(host)
        phone.page.locator(".line time").wait_for(timeout=60_000)
        phone.page.get_by_text(phone.t("awayScan")).wait_for(timeout=60_000)
        expect_no_violation(phone, "a device that is away")
        phone.write("meanwhile")
        new = link_at(guide, MOVED)
        wait_until(lambda: found(there, name) == MOVED, 60, f"{name} is found at the new address")
        names.write_text(f"127.0.0.1 localhost\n{MOVED} {name}\n")
        # The phone goes into the new network as well, and has another address there: its browser drops old connections.
        there.more_addresses(1)
        phone.until(lambda: phone.page.locator("li[data-id]:has-text('meanwhile')").count() == 1, "it goes on", 120)
        arrives(at.nodes[1], "meanwhile")
        phone.link = new
        phone.origins.add(f"http://{urlsplit(new).netloc}")
        tab = phone.another()
        tab.page.goto(new)
        tab.composer.wait_for()
        expect(urlsplit(tab.page.url).netloc == place, f"the new code leads to {tab.page.url}")
        tab.write("after it")
        arrives(at.nodes[1], "after it")
        guide.must("roll", "call", "All aboard")
        tab.page.get_by_role("button", name=tab.t("imHere")).click()

        def states() -> list[object]:
            rows = guide.must("roll", "status").first["roll"]["members"]
            return [row["state"] for row in rows if row["name"].startswith("Anna")]
        wait_until(lambda: states() == ["here"], 30, "a roll call has her once, and here")
        is_alone(at, str(id))


@case
def place_goes_along(context: Context) -> None:
    """Where no name is found the open page asks for the new address, goes there with what waits, and is the same
    person; an address without the tour's device, and another tour's code, are refused before anything goes there."""
    with stage(context, "Place goes along", members=2, own=True) as at:
        guide, host = at.nodes[0], at.lab.hosts[0]
        phone = new_phone(at, open_door(guide))
        phone.may_lose_its_device()
        phone.come_in("Anna")
        phone.write("before")
        phone.has_sent("before")
        id = member(at.nodes[1], "Anna")["id"]
        move(host)
        phone.write("meanwhile")
        phone.page.get_by_text(phone.t("awayAddress")).wait_for(timeout=60_000)
        expect(not phone.overflow(), f"what it says is too wide: {phone.overflow()}")
        expect_no_violation(phone, "a device that is away")
        expect_names(phone, "a device that is away")
        new = link_at(guide, MOVED)
        there = re.sub(r"/#.*", "", new)
        phone.origins |= {there, "http://10.77.0.3:9"}
        phone.button("newAddress").click()
        field = phone.field("address", phone.sheet)
        for typed, word in (("no address", "noAddress"), ("10.77.0.3:9", "notThere"),
                            (f"{there}/#{other_tour(new)}", "otherTour")):
            field.fill(typed)
            phone.button("openThere", phone.sheet).click()
            phone.sheet.get_by_text(phone.t(word)).wait_for()
        expect_no_violation(phone, "the new address")
        field.fill(there.removeprefix("http://"))
        phone.button("openThere", phone.sheet).click()
        phone.button("goOnHere").click()
        phone.composer.wait_for()
        phone.has_sent("meanwhile")
        arrives(at.nodes[1], "meanwhile")
        is_alone(at, str(id))
        # A page that knows nobody says so to who was there before.
        stranger = new_phone(at, new)
        stranger.scan()
        stranger.page.get_by_text(stranger.t("wasHere")).click()
        stranger.page.get_by_text(stranger.t("wasHereHow")).wait_for()
        expect(not stranger.overflow(), f"the form is too wide: {stranger.overflow()}")


def other_tour(link: str) -> str:
    """What stands behind # in a link, with another page key."""
    code = link.partition("#")[2]
    return code[:-8] + ("A" * 8 if code[-8:] != "A" * 8 else "B" * 8)


@contextmanager
def kept_by(context: Context, tour: str) -> Iterator[tuple[Stage, Phone]]:
    with stage(context, tour, members=2, own=True) as at:
        phone = new_phone(at, open_door(at.nodes[0]))
        phone.come_in("Anna")
        phone.write("from her")
        phone.has_sent("from her")
        yield at, phone


@case
def place_is_sealed(context: Context) -> None:
    """What a phone keeps by http is of no use to another program at that address, nor to a page of another tour; and
    when the place ends nothing of it is left that could write or read."""
    with kept_by(context, "Place is sealed") as (at, phone):
        record, page = phone.record, phone.page.evaluate(KEPT)
        told = json.dumps(list(page.values()))
        expect(any(key.startswith("tour-chat.seat.") for key in page), f"it keeps {list(page)}")
        for key, secret in (("secret", record["secret"]), ("host", record["host"]["key"]), ("member", record["member"]),
                            ("head", record["head"]["id"]), ("tour", "Place is sealed"),
                            ("page", record.get("page", "-"))):
            expect(secret not in told, f"another program at this address reads the {key}")
        phone.page.goto("about:blank")
        phone.page.goto(phone.origin + "/")
        phone.page.get_by_text(phone.t("scanAgain")).wait_for()
        expect(phone.page.evaluate(OPENED, "00" * 16) == [None], "another tour's page key opens it")
        own = phone.page.evaluate(OPENED, record["page"])
        expect(len(own) == 1 and record["secret"] in own[0], "the tour's own page key does not open it")
        phone.again()
        phone.may_lose_its_device()
        at.nodes[0].must("remove", "Anna", "--yes")
        phone.page.get_by_text(phone.t("removedHow")).wait_for(timeout=40_000)
        left = phone.page.evaluate(OPENED, record["page"])
        expect(len(left) == 1 and sorted(json.loads(left[0])) == sorted(
            ["version", "tour", "member", "host", "page", "used", "over", "removed"]), f"it keeps {left}")
        expect(record["secret"] not in json.dumps(left), "the secret of a place that has ended is still there")


@case
def place_is_nobody_elses(context: Context) -> None:
    """A stranger with a photograph of the code is somebody new, also by her name, and by a link that says it is she;
    who was removed comes back as nobody, with all that the phone kept."""
    with kept_by(context, "Place is nobody else's") as (at, phone):
        id, record = phone.record["member"], phone.record
        stranger = new_phone(at, phone.link)
        stranger.come_in("Anna")
        expect(stranger.record["member"] != id, "a stranger with the code is she")
        forger = new_phone(at, phone.link)
        forger.scan()
        forger.is_let(forger.field("yourName"))
        forged = forger.page.evaluate(FORGED, {**record, "secret": "ab" * 32, "queue": [], "tail": []})
        forger.page.goto("about:blank")
        forger.page.goto(f"{forger.origin}/{forged}")
        forger.button("goOnHere").click()
        forger.composer.wait_for()
        forger.write("I am Anna")
        forger.page.locator(".line").filter(has_not=forger.page.locator("time")).wait_for(timeout=40_000)
        removed = new_phone(at, phone.link)
        removed.scan()
        removed.is_let(removed.field("yourName"))
        kept = removed.page.evaluate(FORGED, {**record, "queue": []})
        phone.may_lose_its_device()
        removed.may_lose_its_device()
        at.nodes[0].must("remove", id, "--yes")
        phone.page.get_by_text(phone.t("removedHow")).wait_for(timeout=40_000)
        new = str(at.nodes[0].must("seats").first["link"])
        expect(new != phone.link, "the code for guests is that of before")
        removed.page.goto("about:blank")
        removed.page.goto(f"{removed.origin}/{kept}")
        removed.button("goOnHere").click()
        removed.page.get_by_text(removed.t("removedHow")).wait_for(timeout=40_000)
        rows = {row["id"]: row for row in at.nodes[0].members() if row["guest"]}
        expect(rows[id]["removed"] and not rows[stranger.record["member"]]["removed"], f"these are in: {rows}")
        expect(all(row["content"] != "I am Anna" for row in at.nodes[0].messages()), "a forger wrote as her")
