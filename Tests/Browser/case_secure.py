"""Goal: by https the page for guests shares a position, notifies, and opens without a network; who came in by http goes
over and stays the same member.
Method: a real node with a certificate by an authority of the test's own, which the phone's browser trusts by its store
of certificates; the browser's own position and notifications."""
from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browsers
from access import expect_names, expect_no_violation
from authority import Authority
from cases import Context, case, expect
from nodes import Node, NodeError, Row, wait_until
from phone import Phone, open_door
from playwright.sync_api import Browser
from screen import LOCALES, NARROW
from stage import Stage, stage

PAGE = Path(__file__).resolve().parents[2] / "Sources" / "CPage" / "guest"
NAME, PORT = "guide.tours.test", 8_443
ROME = {"latitude": 41.9, "longitude": 12.5, "accuracy": 12}
MAY = {"permissions": ["geolocation", "notifications"], "geolocation": ROME}
# Of each language: what differs from English in keys and in the values that are filled in.
COMPARE = """async (languages) => {
    const forms = (word) => typeof word === 'object' ? Object.values(word) : [word];
    const holes = (word) => [...new Set(forms(word).flatMap((form) => form.match(/\\{\\w+\\}/g) || []))].sort().join();
    const english = (await import('/later/words/en.js')).default, first = (await import('/words/en.js?alone')).default;
    const wrong = Object.keys(english).filter((key) => key in first).map((key) => `${key} is a word of the page itself`);
    for (const language of languages) {
        const words = (await import(`/later/words/${language}.js`)).default;
        const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const key of new Set([...Object.keys(english), ...Object.keys(words)])) {
            if (!(key in words) || !(key in english)) wrong.push(`${language}: ${key} is on one side alone`);
            else if (holes(words[key]) !== holes(english[key])) wrong.push(`${language}: ${key} fills other values`);
            else if (!forms(words[key]).every(Boolean)) wrong.push(`${language}: ${key} is empty`);
            else if (typeof words[key] === 'object'
                && (!('other' in words[key]) || Object.keys(words[key]).some((form) => !plurals.includes(form)))) {
                wrong.push(`${language}: ${key} has other plurals`);
            }
        }
    }
    return wrong;
}"""


class Secured:
    """A tour of two nodes, the first of which lets guests in by https; and a browser on the third host that trusts its
    certificate and finds its name."""

    def __init__(self, at: Stage) -> None:
        self.at, self.guide, self.other = at, *at.nodes[:2]
        authority = Authority(at.lab.home / "authority")
        chain, key = authority.issue(NAME)
        self.guide.stop()
        self.guide.flags += ["--tls-certificate", str(chain), "--tls-key", str(key)]
        self.guide.start()
        self.link = open_door(self.guide)
        expect(self.link.startswith(f"https://{NAME}:{PORT}/#"), f"the code leads to {self.link}")
        self.plain = str(self.guide.must("seats").first["plainLink"])
        rule = f"--host-resolver-rules=MAP {NAME} {at.lab.hosts[0].address(0)}"
        self.browser: Browser = at.adopt(browsers.launch(at.lab.hosts[2], rule, authority=authority.file))

    def phone(self, link: str = "", **options: object) -> Phone:
        phone = Phone(self.browser, self.guide, link or self.link, **options)  # type: ignore[arg-type]
        phone.origins.add(f"https://{NAME}:{PORT}")
        # It says that the page asks by itself when the icon is to be offered.
        phone.may("Banner not shown")
        self.at.screens.append(phone)
        return phone


@contextmanager
def secured(context: Context, tour: str) -> Iterator[Secured]:
    with stage(context, tour, members=2, own=True) as at:
        yield Secured(at)


def row_of(node: Node, name: str = "Anna") -> Row:
    return next((row for row in node.members() if row["name"] == name), {})


def position_of(node: Node, name: str = "Anna") -> Row:
    return row_of(node, name).get("position") or {}


@case
def secure_position(context: Context) -> None:
    """The guest shares where it is: another member sees it by the guest's name, where it goes, and until it stops."""
    with secured(context, "Secure position") as place:
        phone = place.phone(**MAY)
        phone.come_in("Anna")
        expect(phone.page.evaluate("isSecureContext"), "the page is no secure context")
        phone.menu("position")
        phone.button("share", phone.sheet).click()
        banner = phone.banner("position")
        banner.wait_for()
        wait_until(lambda: abs(position_of(place.other).get("latitude", 0) - 41.9) < 1e-5, 40, "the other one sees it")
        row = position_of(place.other)
        expect(row["accuracyMetres"] == 12 and row["live"], f"it shows {row}")
        phone.context.set_geolocation({"latitude": 41.91, "longitude": 12.5, "accuracy": 12})
        wait_until(lambda: abs(position_of(place.other).get("latitude", 0) - 41.91) < 1e-5, 60, "it sees where it goes")
        phone.again()
        banner.wait_for()
        phone.button("stopSharing", banner).click()
        banner.wait_for(state="detached")
        wait_until(lambda: not position_of(place.other), 40, "the other one sees it no more")
        phone.context.clear_permissions()
        phone.context.grant_permissions(["notifications"])
        phone.menu("position")
        phone.button("share", phone.sheet).click()
        banner.get_by_text(phone.t("positionDenied")).wait_for()
        expect(not position_of(place.other), "a place is seen that nobody allowed")


@case
def secure_notices(context: Context) -> None:
    """While another page is in front the phone notifies: urgent announcements, calls for help, roll calls, and what is
    meant for the guest; nothing else, and nothing twice."""
    with secured(context, "Secure notices") as place:
        phone = place.phone(**MAY)
        phone.come_in("Anna")
        phone.menu("notices")
        phone.button("noticesOn", phone.sheet).click()
        phone.button("noticesOff", phone.sheet).wait_for()
        phone.page.keyboard.press("Escape")
        phone.write("Where are you?")
        phone.has_sent("Where are you?")
        wait_until(lambda: any(row["content"] == "Where are you?" for row in place.other.messages()), 40, "it arrives")
        question = next(row["id"] for row in place.other.messages() if row["content"] == "Where are you?")
        place.guide.must("announce", "Seen while it is in front", "--urgent")
        phone.banner("urgent").wait_for()
        phone.watch_notices()
        phone.hide()
        place.guide.must("announce", "Everybody out", "--urgent")
        wait_until(lambda: any(body.startswith("Everybody out") for body in phone.notices_up()), 40, "a notice is up")
        place.guide.must("roll", "call", "At the bus", "--for", "5m")
        place.other.must("send", "By the fountain", "--reply", str(question))
        place.other.send("Anna, hurry up")
        place.other.send("Annabel is not meant")
        wanted = {"Everybody out", "At the bus", "By the fountain", "Anna, hurry up"}
        def texts() -> list[str]:
            return [body.partition("\n")[0] for _, body in phone.notices()]
        try:
            wait_until(lambda: wanted <= set(texts()), 40, "the phone notifies")
        except NodeError as error:
            raise AssertionError(f"{error}, but of {texts()} alone") from error
        last = place.other.send("the end")
        phone.page.locator(f'[data-id="{last}"]').wait_for(state="attached")
        expect(sorted(texts()) == sorted(wanted), f"it notifies of {phone.notices()}")
        expect(all(tour.endswith("Secure notices") for _, tour in phone.notices()), f"which tour: {phone.notices()}")
        phone.hide(False)
        phone.menu("notices")
        phone.button("noticesOff", phone.sheet).click()
        phone.page.keyboard.press("Escape")
        phone.hide()
        place.guide.must("announce", "Not wanted any more", "--urgent")
        phone.banner("urgent").get_by_text("Not wanted any more").wait_for()
        expect("Not wanted any more" not in texts(), "it notifies of what is not wanted")


@case
def secure_icon(context: Context) -> None:
    """The page can be put on the home screen, and opens without its device: all its files are kept, and no answer."""
    with secured(context, "Secure icon") as place:
        phone = place.phone()
        phone.come_in("Anna")
        kept = """async () => { const all = [];
            for (const name of await caches.keys()) {
                all.push(...(await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname));
            }
            return all;
        }"""
        phone.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        phone.until(lambda: phone.page.evaluate("Boolean(navigator.serviceWorker.controller)"), "the worker is at work")
        files = {str(path.relative_to(PAGE)) for path in PAGE.rglob("*.*") if path.suffix != ".md"}
        wanted = sorted({f"/{path}" for path in files - {"index.html", "worker.js"}} | {"/"})
        expect(sorted(phone.page.evaluate(kept)) == wanted, f"it keeps {sorted(phone.page.evaluate(kept))}")
        found = phone.cdp().send("Page.getInstallabilityErrors")["installabilityErrors"]
        # A browser without a profile of its own installs nothing, and finds no other reason.
        expect([one["errorId"] for one in found] in ([], ["in-incognito"]), f"it cannot be installed: {found}")
        manifest = phone.cdp().send("Page.getAppManifest")
        expect(not manifest["errors"] and "Tour Chat" in manifest["data"], f"the manifest: {manifest}")
        phone.write("before")
        phone.has_sent("before")
        phone.may_lose_its_device()
        place.guide.stop()
        phone.page.goto(phone.origin + "/")
        phone.composer.wait_for()
        phone.write("meanwhile")
        phone.page.get_by_text(phone.t("waitingHere")).wait_for()
        phone.page.goto(phone.origin + "/")
        phone.page.get_by_text("meanwhile").wait_for()
        place.guide.start()
        phone.has_sent("meanwhile")
        expect(sorted(phone.page.evaluate(kept)) == wanted, "an answer is kept")
        wait_until(lambda: any(row["content"] == "meanwhile" for row in place.other.messages()), 40, "it arrives")


@case
def secure_over(context: Context) -> None:
    """Who came in by http is offered https, goes over, and is the same member there, with what waited; a name that the
    phone does not find is not offered."""
    with secured(context, "Secure over") as place:
        phone = place.phone(place.plain, **MAY)
        phone.come_in("Anna")
        expect(not phone.page.evaluate("isSecureContext"), "http is a secure context")
        offer = phone.button("goOver")
        offer.wait_for()
        expect_no_violation(phone, "the offer")
        member = phone.record["member"]
        phone.write("by http")
        phone.has_sent("by http")
        phone.button("putOff").click()
        offer.wait_for(state="detached")
        phone.menu("goOver")
        phone.page.wait_for_url(f"https://{NAME}:{PORT}/")
        phone.button("goOnHere").click()
        phone.composer.wait_for()
        expect(phone.record["member"] == member, "it is another member by https")
        phone.write("by https")
        phone.has_sent("by https")
        wait_until(lambda: {"by http", "by https"} <= {row["content"] for row in place.other.messages()}, 40, "all of it")
        row = row_of(place.other)
        expect(row["id"] == member and not row["forked"], f"the other one lists {row}")
        phone.page.goto(place.plain)
        phone.page.get_by_text(phone.pattern("wentTo", name=place.guide.name)).wait_for()
        stranger = Phone(place.at.browser(2), place.guide, place.plain)
        place.at.screens.append(stranger)
        stranger.may("Failed to load resource")
        stranger.origins.add(f"https://{NAME}:{PORT}")
        stranger.come_in("Bert")
        stranger.page.wait_for_function("async () => (await import('/state.js')).state.later !== null")
        stranger.menu("about")
        stranger.sheet.get_by_text(stranger.t("aboutHttp")).wait_for()
        expect(stranger.button("goOver").count() == 0, "a name is offered that this phone does not find")


@case
def secure_everybody(context: Context) -> None:
    """Axe finds nothing in what https adds, every control has a name, and it fits the screen, in each language."""
    with secured(context, "Secure everybody") as place:
        for language, scheme in (("en", "light"), ("ar", "dark"), *((one, "light") for one in LOCALES if one not in ("en", "ar"))):
            phone = place.phone(language=language, color_scheme=scheme, size=NARROW, **MAY)
            phone.come_in("Zoe")
            where = f"{language}, {scheme}"
            for key in ("position", "notices", "install", "about"):
                phone.menu(key)
                if language in ("en", "ar"):
                    expect_no_violation(phone, f"{key}, {where}")
                expect(not phone.overflow(), f"{key}, {where} is too wide: {phone.overflow()}")
                phone.page.keyboard.press("Escape")
            phone.menu("position")
            phone.button("share", phone.sheet).click()
            phone.banner("position").wait_for()
            expect(not phone.overflow(), f"{where} is too wide: {phone.overflow()}")
            if language in ("en", "ar"):
                expect_no_violation(phone, f"sharing, {where}")
                expect_names(phone, f"sharing, {where}")
            if language == "en":
                wrong = phone.page.evaluate(COMPARE, list(LOCALES))
                expect(not wrong, f"{len(wrong)} words are wrong: {'; '.join(wrong[:8])}")
                code = "\n".join(path.read_text() for path in (PAGE / "later").glob("*.js"))
                asked = set(re.findall(r"(?<![\w.])(?:t|button)\(\s*'([\w-]+)'", code))
                unknown = sorted(key for key in asked if key not in phone.words())
                expect(not unknown, f"it asks for words that there are not: {', '.join(unknown)}")
            phone.close()
            place.at.screens.remove(phone)
