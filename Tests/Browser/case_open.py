"""Goal: a guest opens what is sent, finds it again, and keeps what is needed where no device is in reach.
Method: a phone at the guests' page of real nodes, with more than a screenful of messages; files, links and places of
others, harmful ones among them."""
from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from access import expect_names, expect_no_violation
from case_guests import arrives, guests
from cases import Context, case, expect
from history import write_history
from nodes import wait_until
from phone import Phone
from playwright.sync_api import Locator
from stage import Stage

# 128 x 64 pixels, red above blue, as the gallery of a phone keeps them: no Chromium shows it.
HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "AA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAMQAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEA"
    "AGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMA"
    "AAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoBAgQWW6kkprm4EBAwIAAAMAAgAAAwACECIAAQAHRAHBcrAiQAAAABRpc3Bl"
    "AAAAAAAAAIAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAA5bWRhdAAAAC0oAa8TgOaocNP//aBR"
    "//AJnh+T3MtJ5vZQB//wo4I/qF4f/k0jlKx//vbYL8A=")
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
LARGE = 20_000_000
# What stands behind an address of the page's own: its type, and its bytes as text.
CONTENT = """async (el) => {
    const blob = self.blobs[el.href], bytes = new Uint8Array(await blob.arrayBuffer());
    return [blob.type, bytes.length, new TextDecoder().decode(bytes.slice(0, 200))];
}"""
# The page's policy lets no script ask for such an address: from here on the test knows what stands behind each.
WATCH = """() => {
    const make = URL.createObjectURL;
    self.blobs = {};
    URL.createObjectURL = (blob) => {
        const address = make.call(URL, blob);
        self.blobs[address] = blob;
        return address;
    };
}"""


@contextmanager
def filled(context: Context, tour: str, own: bool = False) -> Iterator[tuple[Stage, Phone]]:
    """A guest whose chat has more than a screenful."""
    with guests(context, tour, own=own) as (at, phone):
        write_history([at.nodes[1]], 30)
        phone.says("Message 29 of a long walk").wait_for()
        phone.page.evaluate(WATCH)
        yield at, phone


def sent(at: Stage, name: str, content: bytes) -> None:
    folder = at.lab.home / "sent"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    at.nodes[1].must("send", "--file", str(folder / name))


def opened(phone: Phone, name: str) -> Locator:
    """Opens the sheet of a file."""
    phone.page.locator("button.file").filter(has_text=name).click()
    phone.sheet.get_by_role("heading", name=name).wait_for()
    return phone.sheet


def link(phone: Phone, key: str) -> Locator:
    return phone.sheet.get_by_role("link", name=phone.t(key), exact=True)


@case
def guest_opens_files(context: Context) -> None:
    """A file has its name and size, is fetched, opens and is kept, also with no device in reach; a page that somebody
    sends is saved and never opened, and the phone says beforehand what it cannot open."""
    with filled(context, "Guest files", own=True) as (at, phone):
        sent(at, "Tickets.pdf", PDF)
        sheet = opened(phone, "Tickets.pdf")
        phone.button("getFile", sheet).click()
        link(phone, "open").wait_for()
        media, size, begin = link(phone, "open").evaluate(CONTENT)
        expect(media == "application/pdf" and size == len(PDF) and begin.startswith("%PDF"), f"it is {media}, {begin}")
        expect(link(phone, "saveFile").get_attribute("download") == "Tickets.pdf", "it is saved by another name")
        phone.button("keepFile", sheet).click()
        sheet.get_by_text(phone.pattern("isKept", menu=phone.t("keptFiles"))).wait_for()
        expect_no_violation(phone, "an open file")
        phone.page.keyboard.press("Escape")
        sent(at, "evil.html", b"<script>top.__pwned = 1</script>")
        sheet = opened(phone, "evil.html")
        sheet.get_by_text(phone.t("fileOdd")).wait_for()
        phone.button("getFile", sheet).click()
        link(phone, "saveFile").wait_for()
        expect(link(phone, "open").count() == 0, "a page of somebody else can be opened in ours")
        media = link(phone, "saveFile").evaluate(CONTENT)[0]
        expect(media == "application/octet-stream", f"a browser would take it for {media}")
        phone.page.keyboard.press("Escape")
        sent(at, "programme.docx", b"PK\x03\x04" + bytes(200))
        opened(phone, "programme.docx").get_by_text(phone.t("fileProgram")).wait_for()
        phone.page.keyboard.press("Escape")
        stored = phone.page.evaluate("""() => new Promise((done) => {
            const asked = indexedDB.open('tour-chat');
            asked.onsuccess = () => {
                const all = asked.result.transaction('files').objectStore('files').getAll();
                all.onsuccess = () => { asked.result.close(); done(all.result.map(({ boxes }) =>
                    boxes.map((box) => new TextDecoder('latin1').decode(box)).join(''))); };
            };
        })""")
        expect(len(stored) == 1 and "Tickets" not in stored[0] and "%PDF" not in stored[0], "it is kept in clear")
        at.nodes[0].stop()
        phone.may_lose_its_device()
        phone.page.locator("p.line:not([hidden])").wait_for()
        phone.menu("keptFiles")
        phone.sheet.get_by_role("button").filter(has_text="Tickets.pdf").click()
        link(phone, "open").wait_for()
        expect(link(phone, "open").evaluate(CONTENT)[1] == len(PDF), "what was kept is something else")
        phone.button("dropFile", phone.sheet).click()
        phone.button("keepFile", phone.sheet).wait_for()
        phone.page.keyboard.press("Escape")
        phone.menu("keptFiles")
        phone.sheet.get_by_text(phone.t("noneKept")).wait_for()


@case
def guest_little_room(context: Context) -> None:
    """Of 20 MB the phone says so before it fetches them, and where it has no room for them, what can be done."""
    with filled(context, "Guest room", own=True) as (at, phone):
        # A guide's: of a member's file a host gets no more than a share for guests.
        at.nodes[0].must("role", at.nodes[1].name, "guide")
        sent(at, "Museum.pdf", PDF + b"x" * (LARGE - len(PDF)))
        phone.page.context.new_cdp_session(phone.page).send(
            "Storage.overrideQuotaForOrigin", {"origin": phone.origin, "quotaSize": 4_000_000})
        sheet = opened(phone, "Museum.pdf")
        sheet.get_by_text(phone.pattern("fileLarge")).wait_for()
        phone.button("getFile", sheet).click()
        sheet.get_by_role("progressbar").wait_for()
        link(phone, "open").wait_for(timeout=90_000)
        expect(link(phone, "open").evaluate(CONTENT)[1] == LARGE, "a part of it is missing")
        phone.button("keepFile", sheet).click()
        sheet.get_by_text(phone.t("keepFull")).wait_for()
        # Who closes the sheet asks for no more of it.
        phone.page.keyboard.press("Escape")
        phone.write("I go on")
        phone.has_sent("I go on")


@case
def guest_opens_links(context: Context) -> None:
    """An address of the web is a link that shows where it leads; no other word is one, and none can run a script."""
    with filled(context, "Guest links") as (at, phone):
        writer = at.nodes[1]
        long = "https://example.org/" + "a" * 1_980
        writer.send("See https://example.org/map.")
        writer.send(long)
        for text in ("javascript:alert(1)", "https://bank.example@evil.example/", "data:text/html,x", "HTTPS://", "https://"):
            writer.send(f"Not {text}")
        writer.send("y" * 1_490 + " https://example.org/whole/of/it/and/not/a/part/of/it/so/that/it/leads/there")
        phone.page.get_by_text("Not https://", exact=True).wait_for()
        phone.page.get_by_text("y" * 1_400).wait_for()
        links = phone.page.locator("li[data-id] .text a")
        found = [[one.get_attribute(key) for key in ("href", "rel", "target")] for one in links.all()]
        expect([one[0] for one in found] == ["https://example.org/map", long], f"links lead to {[one[0] for one in found]}")
        expect(all("noopener" in str(one[1]) and one[2] == "_blank" for one in found), f"they are opened as {found}")
        shown = links.nth(1).inner_text()
        expect(shown.startswith("https://example.org/") and len(shown) < 80, f"the long one shows {len(shown)} characters")
        phone.button("showAll").click()
        expect("/and/not/a/part" in str(links.nth(2).get_attribute("href")), "the last one is cut")
        copy_text(phone, "See https://example.org/map.")


def copy_text(phone: Phone, text: str) -> None:
    """Copies a message; the phone then has it to paste."""
    phone.says(text).get_by_role("button", name=phone.t("actions")).click()
    phone.button("copyText", phone.sheet).click()
    phone.page.get_by_text(phone.t("copied")).wait_for()
    phone.composer.focus()
    phone.page.keyboard.press("Control+V")
    phone.until(lambda: phone.composer.input_value() == text, "what was copied is pasted")
    phone.composer.fill("")


@case
def guest_finds_the_way(context: Context) -> None:
    """A place, a meeting point and a stop have ways there, by `geo:` and by an address of the web."""
    with filled(context, "Guest places", own=True) as (at, phone):
        guide = at.nodes[0]
        at.nodes[1].must("send", "--location", "41.00824,28.97836,The clock tower")
        guide.must("meet", "41.00824,28.97836,The fountain", "Below the clock")
        guide.must("itinerary", "create", "Tuesday")
        guide.must("itinerary", "add", "Tuesday", "Louvre", "--at", "48.8606,2.3376", "--time", "2026-06-02 14:00")
        guide.must("itinerary", "add", "Tuesday", "Free time")
        guide.must("itinerary", "publish", "Tuesday")

        def ways(place: str) -> None:
            web = phone.sheet.get_by_role("link", name=phone.t("mapWeb"))
            web.wait_for()
            north, east = place.split(",")
            expect(f"mlat={north}&mlon={east}" in str(web.get_attribute("href")), "the map shows another place")
            app = str(phone.sheet.get_by_role("link", name=phone.t("mapApp")).get_attribute("href"))
            expect(app == f"geo:{place}?q={place}", f"the app is given {app}")
            phone.page.keyboard.press("Escape")

        message = phone.says("The clock tower")
        message.get_by_role("button", name=phone.t("map")).click()
        phone.button("copyPlace", phone.sheet).wait_for()
        ways("41.00824,28.97836")
        phone.page.locator("button.next").filter(has_text="The fountain").click()
        phone.sheet.get_by_role("button", name=phone.t("map")).click()
        ways("41.00824,28.97836")
        phone.page.keyboard.press("Escape")
        # The itinerary opens from its message, also where the newest programme is another one.
        phone.page.get_by_role("button", name=f"{phone.t('open')}: Tuesday").click()
        stops = phone.sheet.locator(".stops > li:not(.day)")
        phone.until(lambda: stops.count() == 2, "both stops are there")
        expect(stops.nth(1).get_by_role("button").count() == 0, "a stop without a place has a way")
        stops.first.get_by_role("button").click()
        ways("48.8606,2.3376")
        expect_no_violation(phone, "an itinerary")
        expect_names(phone, "an itinerary")


@case
def guest_searches(context: Context) -> None:
    """Words are found in all messages, also in those that are not on the phone; a result leads to its message."""
    with filled(context, "Guest search", own=True) as (at, phone):
        first = at.nodes[1].send("The ferry leaves from pier four")
        write_history([at.nodes[1]], 200, 100)
        phone.says("Message 299 of a long walk").wait_for()
        phone.again()
        phone.says("Message 299 of a long walk").wait_for()
        phone.menu("search")
        phone.field("searchFor", phone.sheet).fill("FERRY pier")
        phone.field("searchFor", phone.sheet).press("Enter")
        phone.sheet.get_by_text(phone.pattern("found", n=1)).wait_for()
        phone.sheet.get_by_role("button").filter(has_text="pier four").click()
        phone.until(lambda: phone.in_sight(first), "the message is in sight")
        phone.menu("search")
        phone.field("searchFor", phone.sheet).fill("nowhere")
        phone.field("searchFor", phone.sheet).press("Enter")
        phone.sheet.get_by_text(phone.pattern("found", n=0)).wait_for()


@case
def guest_heic(context: Context) -> None:
    """A picture that no browser of this phone reads is turned by the device; one that nobody reads is refused."""
    with filled(context, "Guest HEIC") as (at, phone):
        folder = Path(at.lab.hosts[2].home)
        (folder / "IMG_1.HEIC").write_bytes(HEIC)
        phone.page.set_input_files("input[type=file]", folder / "IMG_1.HEIC")
        phone.sheet.get_by_text(phone.pattern("heicTitle", name=at.nodes[0].name)).wait_for()
        phone.field("caption", phone.sheet).fill("From my gallery")
        phone.button("send", phone.sheet).click()
        row = arrives(at.nodes[1], "From my gallery")
        expect(row["type"] == "image" and row["metadata"]["media"] == "image/jpeg", f"it came as {row['metadata']}")
        expect(row["metadata"]["width"] == 128, "it has another size")
        (folder / "odd.png").write_bytes(b"no picture at all")
        phone.page.set_input_files("input[type=file]", folder / "odd.png")
        phone.page.get_by_text(phone.t("pictureBad")).wait_for()
        # What begins as a picture of that kind and is none: the device says so.
        (folder / "cut.heic").write_bytes(HEIC[:120])
        phone.page.set_input_files("input[type=file]", folder / "cut.heic")
        phone.button("send", phone.sheet).click()
        phone.page.locator(".toast").last.wait_for()
        wait_until(lambda: phone.page.locator(".upload").count() == 0, 20, "nothing is on its way any more")
