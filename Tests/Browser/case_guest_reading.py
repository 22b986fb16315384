"""Goal: no author hears that a guest read what the guest cannot have seen.
Method: a phone's page that nobody looks at, one that sleeps, and a message from before that comes late; the author's
receipts say what is so. The members' page keeps the same promises: see `promises.py`."""
from __future__ import annotations

from case_guests import new_phone
from cases import Context, case, expect
from nodes import Node, wait_until
from phone import open_door
from stage import stage

HIDE = """() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""
SHOW = """() => {
    delete document.visibilityState;
    delete document.hidden;
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def state(author: Node, id: str) -> str:
    """What the author hears of Anna and a message."""
    rows = author.must("receipts", id).first["members"]
    return next((str(row["state"]) for row in rows if row["name"] == "Anna"), "unknown")


@case
def guest_reads_nothing_behind(context: Context) -> None:
    """A phone's page that nobody looks at, or that sleeps, reads nothing; once somebody looks it reads what it shows."""
    with stage(context, "Guest behind", members=2) as at:
        author, phone = at.nodes[1], new_phone(at, open_door(at.nodes[0]))
        phone.come_in("Anna")
        for number, (away, back) in enumerate((
            ("() => { document.hasFocus = () => false; dispatchEvent(new Event('blur')); }",
             "() => { document.hasFocus = () => true; dispatchEvent(new Event('focus')); }"),
            (HIDE, SHOW),
        )):
            phone.page.evaluate(away)
            id = author.send(f"Who looks? {number}")
            wait_until(lambda id=id: state(author, id) == "delivered", 40, "the author hears that the phone has it")
            phone.wait("() => new Promise((done) => setTimeout(() => done(true), 2000))")
            expect(state(author, id) == "delivered", f"a page that nobody looks at has read it ({number})")
            phone.page.evaluate(back)
            wait_until(lambda id=id: state(author, id) == "read", 40, "it is read once somebody looks")


@case
def guest_late_is_unread(context: Context) -> None:
    """A message from before that comes late is unread until it was shown, though what follows was read."""
    with stage(context, "Guest late", members=3) as at:
        host, east, west = at.nodes
        phone = new_phone(at, open_door(host))
        phone.come_in("Anna")
        wait_until(lambda: any(row["name"] == "Anna" for row in east.members()), 40, "east knows her")
        east.stop()
        late = str(east.must("send", "Written out of reach").first["id"])
        newer = west.send("Said meanwhile")
        wait_until(lambda: state(west, newer) == "read", 40, "the newer one is read")
        phone.page.evaluate(HIDE)
        east.start()
        wait_until(lambda: state(east, late) == "delivered", 60, "its author hears that the phone has it")
        phone.wait("() => new Promise((done) => setTimeout(() => done(true), 2000))")
        expect(state(east, late) == "delivered", "its author hears that it was read, which nobody did")
        phone.page.evaluate(SHOW)
        wait_until(lambda: state(east, late) == "read", 40, "it is read once it was shown")
