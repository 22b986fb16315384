"""Goal: a phone without the program is a member like any other, whatever becomes of networks, tabs and storage.
Method: a browser on a host of its own at the guests' page of real nodes; what it writes is read at other members."""
from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from access import expect_names, expect_no_violation
from cases import Context, case, expect
from history import write_all, write_history
from moments import expect_minutes, expect_moments
from nodes import Node, Row, wait_until
from phone import Phone, open_door
from photos import plain_png
from playwright.sync_api import Route
from screen import LOCALES, NARROW, PHONE
from stage import Stage, stage

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources" / "CPage" / "guest"
LARGE = (412, 915)
UNREAD = 500  # more than any screen
# Seconds between two messages: the page says what it has after half a second, and what was read a little later.
PAUSES = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65)
EVIL = '\u202e<img src=x onerror="window.__pwned=1">'
# Of each language: what differs from English in keys and in the values that are filled in.
COMPARE = """async (languages) => {
    const forms = (word) => typeof word === 'object' ? Object.values(word) : [word];
    const holes = (word) => [...new Set(forms(word).flatMap((form) => form.match(/\\{\\w+\\}/g) || []))].sort().join();
    const english = (await import('/words/en.js')).default, wrong = [];
    for (const language of languages) {
        const words = (await import(`/words/${language}.js`)).default;
        for (const key of new Set([...Object.keys(english), ...Object.keys(words)])) {
            if (!(key in words) || !(key in english)) wrong.push(`${language}: ${key} is on one side alone`);
            else if (holes(words[key]) !== holes(english[key])) wrong.push(`${language}: ${key} fills other values`);
            else if (!forms(words[key]).every(Boolean)) wrong.push(`${language}: ${key} is empty`);
            else if (typeof words[key] === 'object' && !('other' in words[key])) wrong.push(`${language}: ${key}: other`);
        }
    }
    return wrong;
}"""

# Writes down what the page has a phone play and do.
LISTEN = """() => {
    self.heard = [];
    navigator.vibrate = () => self.heard.push('vibration');
    const kind = AudioScheduledSourceNode.prototype, { start } = kind;
    kind.start = function (...when) {
        self.heard.push('tone');
        return start.apply(this, when);
    };
}"""

# Of devices that were known, as minutes since they were named last: which of them stay, and which go.
HOSTS = """async () => {
    const { hostsBy } = await import('/store.js'), now = Date.now(), minute = 60_000;
    const host = (digit, more) => ({ member: `m${digit}`, name: digit, key: digit.repeat(64), addresses: [], ...more });
    const names = (said, known) => hostsBy(said, known, now).map(({ name }) => name).join('');
    const long = [...'0123456789ab'].map((digit) => host(digit));
    const old = (minutes) => host('a', { lost: now - minutes * minute });
    return [
        ['what is named first', names({ hosts: [host('b')] }, [host('a'), host('b')]), 'ba'],
        ['what no list names', names({}, [host('a')]), 'a'],
        ['nobody who is named as gone', names({ hosts: [], formerHosts: ['ma'] }, [host('a'), host('b')]), 'b'],
        ['what is named again', names({ hosts: [host('a')] }, [old(2000)]), 'a'],
        ['it for a day', names({ hosts: [] }, [old(1439)]), 'a'],
        ['it for no longer', names({ hosts: [] }, [old(1441)]), ''],
        ['nothing from times to come', names({ hosts: [] }, [old(-1441)]), ''],
        ['eight of them', names({ hosts: [] }, long), '01234567'],
        ['all that are named', names({ hosts: long }, []), '0123456789ab'],
        ['no time that a device says', 'lost' in hostsBy({ hosts: [host('a', { lost: 1 })] }, [])[0], false],
        ['when it was named last', hostsBy({}, hostsBy({}, [host('a')], now), now + 5)[0].lost, now],
    ].filter(([, is, wanted]) => is !== wanted).map(([what, is, wanted]) => `${what}: ${is}, not ${wanted}`).join('; ');
}"""


@contextmanager
def guests(context: Context, tour: str, name: str = "Anna", own: bool = False) -> Iterator[tuple[Stage, Phone]]:
    """A tour of two nodes, the first of which lets guests in, and a phone on the third host that is in."""
    with stage(context, tour, members=2, own=own) as at:
        phone = new_phone(at, open_door(at.nodes[0]))
        phone.come_in(name)
        yield at, phone


def new_phone(at: Stage, link: str, **options: object) -> Phone:
    """One more phone on the third host. One address brings eight newcomers into a tour, and a ninth waits: where there
    are more languages or sizes to see, some phones scan and do not enter, and others are copies of one that is in."""
    phone = Phone(at.browser(2), at.nodes[0], link, **options)  # type: ignore[arg-type]
    at.screens.append(phone)
    return phone


def member(node: Node, name: str) -> Row:
    """The one of this name, as a node lists it."""
    def row() -> Row | None:
        return next((one for one in node.members() if one["name"] == name), None)
    return dict(wait_until(row, 30, f"{node.name} lists {name}"))


def of_anna(rows: list[Row], field: str) -> list[object]:
    return [row[field] for row in rows if row["name"] == "Anna"]


def arrives(node: Node, text: str) -> Row:
    def row() -> Row | None:
        return next((one for one in node.messages() if one["content"] == text), None)
    return dict(wait_until(row, 40, f"{node.name} has '{text}'"))


@case
def guest_enters(context: Context) -> None:
    """Scan, name, one button: in. The address keeps nothing of the code by which one enters; a reload needs none."""
    with guests(context, "Guest enters") as (at, phone):
        expect(phone.page.url == phone.kept, f"the code is still in the address: {phone.page.url}")
        row = member(at.nodes[1], "Anna")
        expect(not phone.page.context.cookies(), "there is a cookie")
        phone.write("I am in")
        phone.has_sent("I am in")
        message = arrives(at.nodes[1], "I am in")
        expect(message["authorID"] == row["id"] == phone.record["member"], f"somebody else wrote it: {message}")
        id = at.nodes[1].send("Welcome")
        phone.says("Welcome").wait_for()
        wait_until(lambda: of_anna(at.nodes[1].must("receipts", id).first["members"], "state") == ["read"], 40,
                   "the author hears that the guest has read it")
        phone.again()
        phone.says("Welcome").wait_for()
        expect(len(of_anna(at.nodes[1].members(), "id")) == 1, "a reload made another member")


@case
def guest_reads(context: Context) -> None:
    """What comes while the page is about to say what was read counts as read as well, and its author hears that."""
    with guests(context, "Guest reads") as (at, phone):
        author, stream = at.nodes[1], at.nodes[1].stream()
        for number, pause in enumerate(PAUSES):
            stream.write(f"first {number}")
            phone.says(f"first {number}").wait_for()
            time.sleep(pause)
            stream.write(f"second {number}")
            stream.wait_answers(2 * number + 2, 20)
            last = stream.acknowledged()[-1]
            wait_until(lambda: of_anna(author.must("receipts", last).first["members"], "state") == ["read"], 30,
                       f"the author hears that what came {pause} s after another message was read", pause=0.2)


@case
def guest_read_is_displayed(context: Context) -> None:
    """Of 500 unread the page begins at the first, with a line; no author hears that a guest read what was on no screen,
    neither of what came while the page was closed, nor of what rushed past."""
    with guests(context, "Guest displayed") as (at, phone):
        author = at.nodes[1]

        def state(id: str) -> list[object]:
            return of_anna(author.must("receipts", id).first["members"], "state")

        def is_told(id: str, word: str, what: str) -> None:
            wait_until(lambda: state(id) == [word], 40, what)

        def expect_unread(ids: list[str]) -> None:
            wrong = [id for id in ids if state(id) != ["delivered"]]
            expect(not wrong, f"of messages that were never on the screen {len(wrong)} are said to be read")

        seen = author.send("Before it was closed")
        is_told(seen, "read", "the author hears that the first one was read")
        phone.page.goto("about:blank")
        ids = write_history([author], UNREAD)
        arrives(at.nodes[0], f"Message {UNREAD - 1} of a long walk")
        phone.again()
        phone.page.get_by_text(phone.t("new"), exact=True).wait_for()
        phone.until(lambda: phone.in_sight(ids[0]), "the page begins at the first that is new")
        is_told(ids[0], "read", "the author hears that this one was read")
        is_told(ids[-1], "delivered", "the author hears that the phone has the last one")
        expect_unread([ids[80], ids[UNREAD // 2], ids[-1]])
        # She goes to the end, past hundreds that nobody saw, and back.
        phone.page.locator("button.newest").click()
        phone.until(lambda: phone.in_sight(ids[-1]), "the newest is in sight")
        back = phone.page.locator("button.newest.up")
        back.wait_for()
        expect_unread([ids[80], ids[-1]])
        back.click()
        phone.until(lambda: not phone.in_sight(ids[-1]) and any(phone.in_sight(id) for id in ids[:40]), "she is back")
        # A page that is loaded anew begins where she left.
        phone.again()
        phone.page.get_by_text(phone.t("new"), exact=True).wait_for()
        phone.until(lambda: any(phone.in_sight(id) for id in ids[:40]), "it begins where she left")
        expect_unread([ids[80], ids[UNREAD // 2], ids[-1]])


@case
def guest_reads_no_rush(context: Context) -> None:
    """Of more than a screenful that comes at once the open page has read what it shows; all of it after scrolling."""
    with guests(context, "Guest rush") as (at, phone):
        author = at.nodes[1]

        def is_told(id: str, word: str) -> None:
            wait_until(lambda: of_anna(author.must("receipts", id).first["members"], "state") == [word], 40,
                       f"the author hears: {word}")

        is_told(author.send("Before the rush"), "read")  # so she stands at the end, and all that was there is here
        ids = write_history([author], 60)
        phone.says("Message 59 of a long walk").wait_for()
        phone.page.locator("button.newest.up").wait_for()
        is_told(ids[-1], "delivered")
        phone.wait("() => new Promise((done) => setTimeout(() => done(true), 2500))")
        for id in (ids[20], ids[-1]):
            is_told(id, "delivered")
        phone.sees_all()
        is_told(ids[-1], "read")
        phone.hide()
        more = write_history([author], 60, 100)
        phone.says("Message 159 of a long walk").wait_for()
        is_told(more[-1], "delivered")
        phone.wait("() => new Promise((done) => setTimeout(() => done(true), 2500))")
        is_told(more[0], "delivered")
        phone.hide(False)
        phone.until(lambda: phone.in_sight(more[0]), "whoever comes back begins at the first that is new")
        is_told(more[0], "read")
        is_told(more[-1], "delivered")


@case
def guest_picture(context: Context) -> None:
    """A picture is made smaller in the browser, handed over in pieces, and opens at others and at the guest again."""
    with guests(context, "Guest picture") as (at, phone):
        photo = plain_png(at.lab.hosts[2].home / "large.png", 3_000, 2_000, (180, 40, 40))
        phone.picture(photo, "The valley")
        row = arrives(at.nodes[1], "The valley")
        expect(row["type"] == "image" and row["metadata"]["width"] <= 1600, f"it came as {row['metadata']}")
        phone.page.get_by_role("button", name=phone.t("openPicture", name="The valley")).click()
        shown = phone.sheet.get_by_role("img")
        shown.wait_for()
        expect(shown.evaluate("(img) => img.naturalWidth") > 1000, "what opens is small")


@case
def guest_urgent(context: Context) -> None:
    """What is urgent stands above the chat until it is understood, and the guide hears that; a roll call likewise."""
    with guests(context, "Guest urgent") as (at, phone):
        guide = at.nodes[0]
        id = str(guide.must("announce", "Everybody out", "--urgent").first["id"])
        banner = phone.banner("urgent")
        banner.get_by_text("Everybody out").wait_for()
        phone.page.reload()
        banner.get_by_text("Everybody out").wait_for()
        phone.button("understood", banner).click()
        banner.wait_for(state="detached")
        wait_until(lambda: guide.must("receipts", id).first["counts"]["understood"] == 1, 30, "the guide hears of it")
        guide.must("roll", "call", "At the bus", "--for", "5m")
        roll = phone.banner("roll")
        roll.get_by_text("At the bus").wait_for()
        phone.button("imHere", roll).click()
        roll.get_by_text(phone.t("saidHere")).wait_for()
        wait_until(lambda: of_anna(guide.must("roll", "status").first["roll"]["members"], "state") == ["here"], 30,
                   "the guide counts the guest")
        guide.must("roll", "end")
        roll.wait_for(state="detached")


@case
def guest_roll_call(context: Context) -> None:
    """A roll call asks: it rings, vibrates and is read out, has both buttons, and says of nobody what nobody said."""
    with guests(context, "Guest roll call") as (at, phone):
        guide = at.nodes[0]
        write_history([at.nodes[1]], 60)
        phone.says("Message 59 of a long walk").wait_for()
        phone.page.evaluate(LISTEN)
        guide.must("roll", "call", "At the bus", "--for", "5m")
        roll = phone.banner("roll")
        roll.get_by_text("At the bus").wait_for()
        for key in ("imHere", "notHere"):
            phone.button(key, roll).wait_for()
        for key in ("saidHere", "saidNotHere", "countedHere"):
            expect(roll.get_by_text(phone.t(key)).count() == 0, f"it says '{phone.t(key)}' before anything was touched")
        phone.page.get_by_role("alert").filter(has_text="At the bus").wait_for(state="attached")
        phone.until(lambda: sorted(phone.page.evaluate("self.heard")) == ["tone"] * 3 + ["vibration"], "it rings once")
        phone.button("notHere", roll).click()
        roll.get_by_text(phone.t("saidNotHere")).wait_for()
        phone.button("imHere", roll).wait_for()
        expect(of_anna(guide.must("roll", "status").first["roll"]["members"], "state") == ["missing"], "she is counted")
        guide.must("roll", "here", "Anna")
        roll.get_by_text(phone.t("countedHere")).wait_for()
        expect(phone.button("imHere", roll).count() == 0, "she is still asked")
        guide.must("roll", "missing", "Anna")
        phone.button("imHere", roll).click()
        roll.get_by_text(phone.t("saidHere")).wait_for()
        wait_until(lambda: of_anna(guide.must("roll", "status").first["roll"]["members"], "state") == ["here"], 30,
                   "the guide counts the guest")
        expect(len(phone.page.evaluate("self.heard")) == 4, "it rings again")


@case
def guest_lost(context: Context) -> None:
    """Two taps call the guides; their answers come back, and found ends it."""
    with guests(context, "Guest lost") as (at, phone):
        guide = at.nodes[0]
        phone.button("lost").click()
        phone.field("lostWords", phone.sheet).fill("By the blue door")
        phone.button("callGuides", phone.sheet).click()
        banner = phone.banner("lost")
        banner.get_by_text("By the blue door").wait_for()
        wait_until(lambda: [row["name"] for row in guide.must("alarms").first["alarms"] if row["open"]] == ["Anna"], 30,
                   "the guide is called")
        guide.must("alarms", "Anna", "--coming")
        banner.get_by_text(phone.pattern("said_on-my-way", name=guide.name)).wait_for()
        phone.button("answer_found", banner).click()
        banner.wait_for(state="detached")
        wait_until(lambda: not any(row["open"] for row in guide.must("alarms").first["alarms"]), 30, "it is over")


@case
def guest_meets(context: Context) -> None:
    """A meeting point is next, with its time; the guest's answer reaches the guide."""
    with guests(context, "Guest meets") as (at, phone):
        guide = at.nodes[0]
        guide.must("meet", "Fountain, in 20 min")
        phone.page.locator("button.next").filter(has_text="Fountain").click()
        phone.sheet.get_by_role("timer").wait_for()
        phone.button("onMyWay", phone.sheet).click()
        wait_until(lambda: of_anna(guide.must("meet").first["meeting"]["answers"], "answer") == ["on-my-way"], 30,
                   "the guide has the answer")
        phone.until(lambda: phone.button("onMyWay", phone.sheet).get_attribute("aria-pressed") == "true", "it is shown")


@case
def guest_moments(context: Context) -> None:
    """The meeting point is said by its time and the minutes that are left; "Today" is "Yesterday" once midnight has
    passed, in a page that stays open."""
    with guests(context, "Guest moments") as (at, phone):
        at.nodes[1].send("before midnight")
        phone.says("before midnight").wait_for()
        days = phone.page.locator("li.day:not(.new)")
        phone.until(lambda: days.all_text_contents() == ["Today"], "the day of the message stands above it")
        at.nodes[0].must("meet", "Below the clock of the old town hall, in 90 min")
        shown = phone.page.locator("button.next").filter(has_text="Below the clock")
        said = re.compile(r"\d:\d\d, in 1 h (29|30) min$")
        phone.until(lambda: said.search(shown.locator("time").inner_text()), "no hours are rounded")
        expect(not phone.overflow(), f"something sticks out: {phone.overflow()}")
        shown.click()
        phone.until(lambda: said.search(phone.sheet.get_by_role("timer").inner_text()), "nor in the sheet")
        phone.page.keyboard.press("Escape")
        phone.page.clock.set_fixed_time(datetime.now() + timedelta(days=1))
        phone.until(lambda: days.all_text_contents() == ["Yesterday"], "another day has begun")
        expect_moments(phone)


@case
def guest_programme(context: Context) -> None:
    """The programme of the device that lets a guest in is on the phone at once, and each change of it."""
    # A notebook is its owner's in all tours: other cases begin with an empty one.
    with guests(context, "Guest programme", own=True) as (at, phone):
        guide = at.nodes[0]
        write_history([guide], 60)
        phone.says("Message 59 of a long walk").wait_for()
        phone.menu("programme")
        phone.sheet.get_by_text(phone.t("noProgramme")).wait_for()
        guide.must("itinerary", "create", "Old town")
        for stop in ("Bazaar", "Tower"):
            guide.must("itinerary", "add", "Old town", stop)
            guide.must("itinerary", "publish", "Old town")
            phone.sheet.get_by_role("listitem").filter(has_text=stop).wait_for(timeout=5_000)
        phone.again()
        phone.page.locator("button.next").filter(has_text="Bazaar").wait_for(timeout=5_000)


@case
def guest_away(context: Context) -> None:
    """Out of reach the page says so, keeps what is written over a reload, and sends it in order, each once."""
    with guests(context, "Guest away", own=True) as (at, phone):
        phone.may_lose_its_device()
        at.lab.cable(at.lab.hosts[2], False)
        phone.page.locator(".line time").wait_for(timeout=60_000)
        for number in range(3):
            phone.write(f"meanwhile {number}")
        phone.page.get_by_text(phone.t("waitingHere")).nth(2).wait_for()
        expect([item["act"]["text"] for item in phone.record["queue"]] == [f"meanwhile {k}" for k in range(3)],
               f"it keeps {phone.record['queue']}")
        at.lab.cable(at.lab.hosts[2], True)
        for number in range(3):
            phone.has_sent(f"meanwhile {number}")
        arrives(at.nodes[1], "meanwhile 2")
        rows = [row["content"] for row in at.nodes[1].messages() if row["content"].startswith("meanwhile")]
        expect(rows == [f"meanwhile {k}" for k in range(3)], f"not in order, each once: {rows}")
        wait_until(lambda: phone.record["tail"] == [], 40, "others have all of it")


@case
def guest_misses_nothing(context: Context) -> None:
    """What comes while a phone is away is shown, also where it stands far above what the phone had."""
    with guests(context, "Guest misses nothing", own=True) as (at, phone):
        phone.may_lose_its_device()
        guide, other = at.nodes[:2]
        # While somebody lacks what comes late, it does not become new once more, as what all have by now.
        asleep = new_phone(at, phone.link)
        asleep.come_in("Asleep")
        asleep.close()
        at.screens.remove(asleep)
        at.lab.cable(at.lab.hosts[1], False)
        other.send("from before")
        write_all([guide], [f"after it {number}" for number in range(50)])
        phone.says("after it 49").wait_for()
        at.lab.cable(at.lab.hosts[2], False)
        phone.page.locator(".line time").wait_for(timeout=60_000)
        at.lab.cable(at.lab.hosts[1], True)
        arrives(guide, "from before")
        at.lab.cable(at.lab.hosts[2], True)
        phone.says("from before").wait_for(timeout=60_000)


@case
def guest_moves(context: Context) -> None:
    """Where its device is gone a phone goes on at another one, as the same member; also once it is loaded there."""
    with guests(context, "Guest moves", own=True) as (at, phone):
        guide, other = at.nodes[:2]
        guide.must("seats", "allow", other.name)
        there = wait_until(lambda: open_door_or_none(other), 30, "the other one may let guests in")
        phone.origins.add(re.sub(r"/#.*", "", there))
        phone.may_lose_its_device()
        phone.write("before")
        phone.has_sent("before")
        arrives(other, "before")
        phone.until(lambda: len(phone.record["hosts"]) == 1, "the phone knows where else it may go on")
        guide.stop()
        phone.write("in between")
        phone.has_sent("in between")
        phone.until(lambda: phone.record["host"]["name"] == other.name, "it is with the other one", 60)
        row = member(other, "Anna")
        expect(arrives(other, "in between")["authorID"] == row["id"], "it is another member now")
        phone.menu("about")
        phone.button("openThere", phone.sheet).click()
        phone.page.wait_for_url(re.compile(re.escape(re.sub(r"/#.*", "", there)) + r"/(#k1\.[\w-]+)?$"), timeout=60_000)
        phone.button("goOnHere").click()
        phone.composer.wait_for()
        phone.write("loaded there")
        phone.has_sent("loaded there")
        guide.start()
        arrives(guide, "loaded there")
        expect(not member(guide, "Anna")["forked"], "the guest's log forked")


@case
def guest_tries_again(context: Context) -> None:
    """A device that breaks off while a phone moves there is asked again: it names the others alone, and stays known."""
    with guests(context, "Guest tries again", own=True) as (at, phone):
        guide, other = at.nodes[:2]
        guide.must("seats", "allow", other.name)
        there = re.sub(r"/#.*", "", wait_until(lambda: open_door_or_none(other), 30, "the other one may let guests in"))
        phone.origins.add(there)
        phone.may_lose_its_device()
        phone.write("before")
        phone.has_sent("before")
        arrives(other, "before")
        phone.until(lambda: phone.record["hosts"], "the phone knows where else it may go on")
        asked = count()

        def break_off(route: Route) -> None:
            # It says hello, it comes, and it confirms the record that moves it.
            route.abort() if next(asked) == 2 else route.continue_()
        phone.page.route(f"{there}/seat/ask", break_off)
        guide.stop()
        phone.until(lambda: phone.record["host"]["name"] == other.name, "it is with the other one", 60)
        expect(next(asked) > 3, "nothing broke off")
        expect([row["name"] for row in phone.record["hosts"]] == [guide.name, other.name], "it forgot one of the two")
        expect(not member(other, "Anna")["forked"], "the guest's log forked")
        wrong = phone.page.evaluate(HOSTS)
        expect(not wrong, f"of devices it keeps {wrong}")


def open_door_or_none(node: Node) -> str | None:
    answer = node.ask("seats", "on")
    return open_door(node) if answer.status == 0 else None


@case
def guest_tabs(context: Context) -> None:
    """The tab that was opened last goes on; the other one says so, and takes over again by a tap."""
    with guests(context, "Guest tabs") as (at, phone):
        other = phone.another()
        other.again()
        phone.page.get_by_text(phone.t("otherTab")).wait_for()
        other.write("from the second")
        other.has_sent("from the second")
        phone.button("goOnHere").click()
        phone.says("from the second").wait_for()
        other.page.get_by_text(phone.t("otherTab")).wait_for()
        phone.write("from the first")
        phone.has_sent("from the first")
        arrives(at.nodes[1], "from the first")
        expect(not member(at.nodes[1], "Anna")["forked"], "the guest's log forked")


@case
def guest_forgets(context: Context) -> None:
    """A phone whose storage was cleared is somebody new by the code, and nobody without it; refused storage is said."""
    with guests(context, "Guest forgets") as (at, phone):
        phone.page.goto(phone.origin + "/guest.css")  # of the same origin, and no script that would write again
        phone.page.evaluate("localStorage.clear()")
        phone.page.goto(phone.origin + "/")
        phone.page.get_by_role("heading", name=phone.t("scanTitle")).wait_for()
        phone.page.goto("about:blank")
        phone.come_in("Anna again")
        member(at.nodes[1], "Anna again")
        private = new_phone(at, phone.link)
        private.context.add_init_script(
            "Object.defineProperty(Storage.prototype, 'setItem', { value() { throw new DOMException('', 'Quota'); } });")
        private.come_in("Private")
        private.page.get_by_text(private.t("notKept")).wait_for()
        private.write("from memory")
        private.has_sent("from memory")


@case
def guest_refused(context: Context) -> None:
    """An old code lets nobody in, and says so; who leaves is gone from the phone."""
    with guests(context, "Guest refused") as (at, phone):
        guide = at.nodes[0]
        guide.must("seats", "renew")
        late = new_phone(at, phone.link)
        late.scan()
        late.field("yourName").fill("Late")
        late.button("comeIn").click()
        late.page.get_by_role("heading", name=late.t("scanTitle")).wait_for()
        new = new_phone(at, open_door(guide))
        new.come_in("Leaves")
        new.menu("leave")
        new.button("leave", new.sheet).click()
        new.page.get_by_text(new.t("left")).wait_for()
        wait_until(lambda: member(at.nodes[1], "Leaves")["left"], 40, "others see that the guest left")


@case
def guest_types_digits(context: Context) -> None:
    """A guest who types the address of the sign comes in by its digits, in whatever script; wrong ones are told."""
    with stage(context, "Guest types", members=2) as at:
        guide = at.nodes[0]
        link = open_door(guide)
        shown = str(guide.must("seats").first["digits"])
        phone = new_phone(at, link.split("#")[0], language="ar")
        phone.scan()
        phone.page.get_by_role("heading", name=phone.t("scanTitle")).wait_for()
        digits = phone.field("orDigits")
        expect_no_violation(phone, "the page behind a typed address")
        digits.fill("1234")
        phone.button("comeIn").click()
        phone.page.get_by_role("alert").filter(has_text=re.compile("8|٨")).wait_for()
        wrong = "12345678" if shown != "12345678" else "87654321"
        digits.fill(wrong)
        phone.button("comeIn").click()
        phone.until(lambda: not re.search("8|٨", phone.page.locator(".trouble").inner_text())
                    and phone.page.locator(".trouble").is_visible(), "the page says that the digits are wrong")
        expect(phone.field("yourName").count() == 0, "wrong digits lead on")
        digits.fill("".join(chr(0x660 + int(digit)) for digit in shown[:4]) + f" {shown[4:]}")
        phone.button("comeIn").click()
        phone.field("yourName").wait_for()  # the page begins anew, with what the digits stand for
        phone.field("yourName").fill("Amal")
        phone.button("comeIn").click()
        phone.is_let(phone.composer)
        expect(member(guide, "Amal")["id"], "the guest is no member")
        word = phone.page.url.partition("#")[2]
        expect(shown not in phone.page.url and word.startswith("k1."), f"the address is {phone.page.url}")
        guide.must("seats", "renew")
        late = new_phone(at, link.split("#")[0])
        late.scan()
        late.page.get_by_role("heading", name=late.t("scanTitle")).wait_for()
        late.field("orDigits").fill(shown)
        late.button("comeIn").click()
        late.until(lambda: late.page.locator(".trouble").is_visible(), "digits of before let nobody in")


@case
def guest_removed(context: Context) -> None:
    """Removed is removed: the phone says by whom, now and later; its old code says the same, and to others to scan the
    new one, which the guide's page shows beside the devices that show theirs; the others stay."""
    with guests(context, "Guest removed") as (at, phone):
        guide, other = at.nodes[:2]
        guide.must("seats", "allow", other.name)
        wait_until(lambda: open_door_or_none(other), 30, "another device lets guests in")
        stays = new_phone(at, phone.link)
        stays.come_in("Stays")
        screen = at.screen(0, size=PHONE)
        screen.enter("guide")
        row = screen.page.get_by_role("row").filter(has=screen.page.get_by_role("rowheader", name="Anna"))
        screen.button("doTo", row, action=screen.t("remove")).click()
        asked = screen.page.get_by_role("dialog").last
        asked.get_by_text(screen.t("removeWhat", name="Anna").split(". ")[1]).wait_for()
        phone.may_lose_its_device()
        screen.button("remove", asked).click()
        told = screen.page.get_by_role("dialog").filter(has_text=screen.t("newSign"))
        told.get_by_role("img", name=screen.t("guestCode")).wait_for()
        told.get_by_text(screen.pattern("newSigns", names=other.name)).wait_for()
        expect(not screen.overflow(), f"the new codes are too wide: {screen.overflow()}")
        new = str(guide.must("seats").first["link"])
        expect(new != phone.link, "the code for guests is that of before")

        def says_by_whom() -> None:
            phone.page.get_by_text(re.compile(f"{guide.name}.? removed you")).wait_for()
            phone.page.get_by_text(phone.t("removedHow")).wait_for()
            expect(phone.page.get_by_text(phone.t("overHow")).count() == 0, "it is told to scan the guide's code")
        says_by_whom()
        phone.page.goto("about:blank")
        phone.page.goto(phone.kept)
        says_by_whom()
        for tried, name in ((phone, "Anna"), (new_phone(at, phone.link), "Late")):
            tried.page.goto("about:blank")
            tried.scan()
            tried.field("yourName").fill(name)
            tried.button("comeIn").click()
            if tried is phone:
                says_by_whom()
            else:
                tried.page.get_by_text("Scan the one that the guide's device shows now").wait_for()
        stays.write("still here")
        stays.has_sent("still here")
        names = [row["name"] for row in other.members() if row["guest"] and not row["removed"]]
        expect(names == ["Stays"], f"these are in: {names}")
        new_phone(at, new).come_in("By the new code")
        other.must("seats", "off")


@case
def guest_hostile(context: Context) -> None:
    """Script in names and messages is text, in every width."""
    with guests(context, "Guest hostile", EVIL) as (at, phone):
        for text in (EVIL, "<script>window.__pwned=1</script>", "W" * 16_384, "\n" * 500 + "below", "__proto__"):
            at.nodes[1].send(text)
        at.nodes[0].must("announce", EVIL, "--urgent")
        phone.banner("urgent").wait_for()
        last = at.nodes[1].send("the end")
        phone.page.locator(f'[data-id="{last}"]').wait_for()
        for size in (NARROW, PHONE, LARGE):
            phone.page.set_viewport_size({"width": size[0], "height": size[1]})
            expect(not phone.overflow(), f"at {size[0]} px it is too wide: {phone.overflow()}")
        expect(phone.page.locator("li img[src=x]").count() == 0, "an element came out of a message")


@case
def guest_everybody(context: Context) -> None:
    """Axe finds nothing, every control has a name and is large enough, light and dark, from right to left too."""
    with guests(context, "Guest everybody") as (at, first):
        at.nodes[0].must("meet", "Fountain, in 20 min")
        for language, scheme in (("en", "light"), ("en", "dark"), ("ar", "light"), ("ar", "dark")):
            phone = new_phone(at, first.link, language=language, color_scheme=scheme)
            phone.scan()
            phone.is_let(phone.field("yourName"))
            where = f"{language}, {scheme}"
            expect_no_violation(phone, f"entry, {where}")
            phone.field("yourName").fill("Zoe")
            phone.button("comeIn").click()
            phone.is_let(phone.composer)
            at.nodes[0].must("announce", f"Everybody out, {where}", "--urgent", "--no-wait")
            phone.banner("urgent").wait_for()
            phone.write(f"mine, {where}")
            phone.has_sent(f"mine, {where}")
            expect_no_violation(phone, f"chat, {where}")
            expect_names(phone, f"chat, {where}")
            for key in ("kind_meeting", "programme", "people", "search", "keptFiles", "yourName", "about"):
                phone.menu(key)
                expect_no_violation(phone, f"{key}, {where}")
                phone.page.keyboard.press("Escape")
            small = phone.page.evaluate("""() => {
                const controls = [...document.querySelectorAll('header button, form button, .banner button')];
                return controls.filter((el) => el.getBoundingClientRect().height < 44).map((el) => el.outerHTML);
            }""")
            expect(not small, f"too small to tap, {where}: {small[:2]}")
            phone.close()
            at.screens.remove(phone)


@case
def guest_words(context: Context) -> None:
    """All seven languages have the same words, and the page asks for no other; in each of them it fits the screen."""
    with guests(context, "Guest words") as (at, first):
        wrong = first.page.evaluate(COMPARE, list(LOCALES))
        expect(not wrong, f"{len(wrong)} words are wrong: {'; '.join(wrong[:8])}")
        code = "\n".join(path.read_text() for path in PAGE.glob("*.js"))
        asked = set(re.findall(r"(?<![\w.])t\(\s*'([\w-]+)'", code))
        unknown = sorted(key for key in asked if key not in first.words())
        expect(not unknown, f"the page asks for {len(unknown)} words that there are not: {', '.join(unknown[:12])}")
        kept = first.context.storage_state()
        for language in LOCALES:
            stranger = new_phone(at, first.link, language=language, size=NARROW)
            stranger.scan()
            stranger.is_let(stranger.field("yourName"))
            same = new_phone(at, first.link, language=language, size=NARROW, storage_state=kept)
            same.scan()
            same.is_let(same.composer)
            expect_minutes(same)
            for phone in (stranger, same):
                expect(not phone.overflow(), f"{language} is too wide: {phone.overflow()}")
                phone.close()
                at.screens.remove(phone)


@case
def guest_channel(context: Context) -> None:
    """The page's channel is that of the vectors."""
    cases = json.loads((ROOT / "Protocol" / "Vectors" / "seat-channel.json").read_text())["cases"]
    hellos = [one for one in cases if one["kind"] == "hello" and one["valid"]]
    with guests(context, "Guest channel") as (_, phone):
        wrong = phone.page.evaluate("""async (cases) => {
            const [{ hex, unhex }, { keysOf, nonce }] = await Promise.all([import('/bytes.js'), import('/channel.js')]);
            const { nacl } = self;
            return cases.filter((one) => {
                const secretKey = unhex(one.guestEphemeralSecretKey);
                const pair = { secretKey, publicKey: nacl.scalarMult.base(secretKey) };
                const keys = keysOf(unhex(one.channelKey), pair, unhex(one.answer).subarray(0, 32));
                return hex(keys.up) !== one.guestToHost || hex(keys.down) !== one.hostToGuest
                    || !nacl.secretbox.open(unhex(one.proof), nonce(0, 0, 0), keys.down);
            }).map(({ name }) => name);
        }""", hellos)
        expect(hellos and not wrong, f"the page makes other keys: {wrong}")
