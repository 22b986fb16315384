"""Goal: the page is for everybody: by keyboard alone, by ear, in seven languages, light and dark, large and on a phone.
Method: axe-core, the accessibility tree that Chromium gives to screen readers, and the Tab key."""
from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from access import expect_names, expect_no_violation
from cases import Context, case, expect, long
from furnish import VIEWS, furnish
from playwright.sync_api import Route
from screen import DESKTOP, LOCALES, NARROW, PHONE, Screen
from stage import Stage, stage


@contextmanager
def furnished(context: Context, tour: str) -> Iterator[Stage]:
    """A tour in which every view has something to show."""
    with stage(context, tour) as at:
        furnish(at)
        yield at


@long
@case
def axe(context: Context) -> None:
    """Axe finds no violation: every view and dialog, light, dark and in high contrast, on a phone and a desktop."""
    with furnished(context, "Axe") as at:
        screen = at.screen(0)
        screen.enter()
        expect_it_judges(screen)
        for size, scheme, contrast in ((DESKTOP, "light", "no-preference"), (PHONE, "light", "no-preference"),
                                       (DESKTOP, "dark", "no-preference"), (PHONE, "dark", "no-preference"),
                                       (DESKTOP, "light", "more"), (DESKTOP, "dark", "more")):
            screen.page.set_viewport_size({"width": size[0], "height": size[1]})
            screen.page.emulate_media(color_scheme=scheme, contrast=contrast)
            for view in [*VIEWS, "join", "invite"]:
                screen.go(view)
                settled(screen)
                expect_no_violation(screen, f"{view}, {scheme}, {size[0]} px, contrast {contrast}")
        for name, open_it in DIALOGS.items():
            screen.go("chat")
            open_it(screen)
            screen.page.get_by_role("dialog").last.wait_for()
            expect_no_violation(screen, f"the dialog of {name}")
            expect_names(screen, f"the dialog of {name}")
            screen.page.keyboard.press("Escape")
            screen.page.get_by_role("dialog").wait_for(state="detached")


def expect_it_judges(screen: Screen) -> None:
    """Axe and the tree find what is wrong on purpose."""
    screen.page.evaluate("""() => {
        const wrong = document.createElement('div');
        wrong.id = 'wrong';
        wrong.append(document.createElement('button'), 'pale');
        Object.assign(wrong.style, { color: '#bbb', background: '#fff', position: 'fixed', inset: '0 auto auto 0' });
        document.querySelector('main').append(wrong);
    }""")
    for check in (expect_no_violation, expect_names):
        try:
            check(screen, "wrong on purpose")
        except AssertionError as error:
            found = str(error)
        else:
            raise AssertionError(f"{check.__name__} finds nothing wrong with a button without a name")
        expect(check is expect_names or "color-contrast" in found, f"pale letters pass: {found[:300]}")
    screen.page.evaluate("() => document.getElementById('wrong').remove()")


DIALOGS = {
    "the search": lambda screen: screen.button("search").click(),
    "the tours": lambda screen: screen.page.get_by_role("button", name="Axe").first.click(),
    "a message": lambda screen: screen.page.get_by_role("article").last.get_by_role(
        "button", name=screen.t("actions")).click(),
    "receipts": lambda screen: screen.act_on("An answer of the guide", "receipts"),
}


def settled(screen: Screen) -> None:
    """What a view asks its node for has come, and nothing fades in any more."""
    screen.page.wait_for_load_state("load")
    screen.wait("document.getAnimations().filter((a) => a.playState === 'running').length === 0 "
                "&& !document.querySelector('[aria-busy=true]')")


@long
@case
def names_in_all_languages(context: Context) -> None:
    """In seven languages every control has a name, no word lacks, nothing sticks out at 320 px or with text twice as large."""
    with furnished(context, "Names") as at:
        for language in LOCALES:
            screen = at.screen(0, language=language)
            screen.enter()
            direction = screen.page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
            expect(direction == [language, "rtl" if language == "ar" else "ltr"], f"the page says that it is {direction}")
            for view in VIEWS:
                screen.go(view)
                settled(screen)
                expect_names(screen, f"{view} in {language}")
                expect_no_keys(screen, f"{view} in {language}")
            for width, height, text in ((*NARROW, "100%"), (2 * NARROW[0], 800, "200%")):
                if text != "100%" and language not in ("en", "de", "ar"):
                    continue  # the longest words, and the other direction
                screen.page.set_viewport_size({"width": width, "height": height})
                screen.page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", text)
                for view in VIEWS:
                    screen.go(view)
                    settled(screen)
                    wide = screen.overflow()
                    expect(not wide, f"{view} in {language} is too wide at {width} px, text {text}: {wide}")
            screen.expect_clean()
            screen.close()
            at.screens.remove(screen)


def expect_no_keys(screen: Screen, what: str) -> None:
    """A word that is missing shows as its key: `haveIt`, `state_removed`. No text or name is one."""
    keys = [key for key in screen.words() if "_" in key or any(c.isupper() for c in key)]
    found = screen.page.evaluate("""(keys) => {
        const wanted = new Set(keys), found = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (wanted.has(node.data.trim()) || /^\\w*_\\w+$|\\{\\w+\\}/.test(node.data.trim())) found.push(node.data.trim());
        }
        for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
            for (const attribute of ['aria-label', 'title', 'placeholder', 'alt']) {
                const text = element.getAttribute(attribute);
                if (text && (wanted.has(text) || /\\{\\w+\\}/.test(text))) found.push(`${attribute}: ${text}`);
            }
        }
        return found;
    }""", keys)
    expect(not found, f"{what}: keys show instead of words: {found[:5]}")


# What one can act on and see, and whether the keyboard has been there.
# A list that is drawn anew has other elements: they are told by what they do.
SAME = """(element) => [element.localName, element.getAttribute('href'),
    (element.getAttribute('aria-label') || element.textContent).replace(/[\\d\\s]+/g, ' ')].join(' ')"""
UNMET = """() => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((element) =>
        element.checkVisibility({ visibilityProperty: true }) && !element.disabled && !element.closest('[inert]')
        && element.tabIndex >= 0 && !window.__met.has(window.__same(element)))
    .map((element) => element.outerHTML.slice(0, 160))"""
WHERE = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    window.__met.add(window.__same(element));
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const label = element.type === 'file' ? element.closest('label') : null;
    const seen = label ? getComputedStyle(label) : style;
    return { html: element.outerHTML.slice(0, 240), same: window.__same(element),
        ring: [style, seen].some((s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none'),
        onScreen: label !== null || (box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth) };
}"""


def tab_through(screen: Screen, view: str) -> None:
    """Tabs until focus comes round; every stop shows that it has focus, and is on the screen."""
    first = ""
    for _ in range(400):
        screen.page.keyboard.press("Tab")
        stop = screen.page.evaluate(WHERE)
        if stop is None:
            continue
        # A count in it may have changed meanwhile.
        if first == stop["same"]:
            return
        first = first or stop["same"]
        expect(stop["ring"], f"{view}: nothing shows that this has the focus: {stop['html']}")
        expect(stop["onScreen"], f"{view}: what has the focus is not on the screen: {stop['html']}")
    raise AssertionError(f"{view}: Tab does not come round")


@case
def looks(context: Context) -> None:
    """How the page looks is the reader's choice, from the first moment of the next visit; and can be nobody's again."""
    with stage(context, "Looks", members=1) as at:
        north = at.screen(0)
        north.enter("status")
        for theme, size, scheme, pixels in (("dark", "150%", "dark", 24), ("auto", "100%", "light dark", 16)):
            north.role("combobox", "theme").select_option(theme)
            north.role("combobox", "textSize").select_option(size)
            for moment in ("chosen", "reloaded"):
                style = north.page.evaluate("""() => {
                    const { colorScheme, fontSize } = getComputedStyle(document.documentElement);
                    return [colorScheme, parseFloat(fontSize)];
                }""")
                expect(style == [scheme, pixels], f"{theme} and {size} look like {style} when {moment}")
                north.page.reload()
                north.nav("chat").wait_for()


@case
def handbook(context: Context) -> None:
    """The page's help is there without a network: the handbook, in one page, whose chapters are found from its top."""
    with stage(context, "Handbook", members=1) as at:
        north = at.screen(0)
        north.enter("status")
        with north.page.expect_popup() as opened:
            north.page.get_by_role("link", name=north.t("handbook")).click()
        book = opened.value
        book.get_by_role("navigation").get_by_role("link", name="With a server").click()
        expect(book.url.endswith("/handbook.html#server"), f"the chapter is at {book.url}")
        book.get_by_role("heading", name="With a server", exact=True).wait_for()
        paper = book.evaluate("getComputedStyle(document.body).backgroundColor")
        expect(paper not in ("", "rgba(0, 0, 0, 0)"), f"it has no style: {paper}")


@case
def keyboard(context: Context) -> None:
    """The keyboard alone reaches every control of every view, always visibly; it writes, replies, finds, leaves dialogs."""
    with furnished(context, "Keys") as at:
        screen = at.screen(0)
        screen.enter()
        keys = screen.page.keyboard
        for view in VIEWS:
            walk_to(screen, view)
            screen.page.evaluate(
                f"() => {{ window.__met = new Set(); window.__same = {SAME}; document.activeElement?.blur(); }}")
            unmet = []
            for _ in range(5):  # what came to be shown on the way, say that there is something unread above
                tab_through(screen, view)
                unmet = screen.page.evaluate(UNMET)
                if not unmet:
                    break
            expect(not unmet, f"{view}: Tab does not reach {len(unmet)} controls: {unmet[:3]}")
        walk_to(screen, "chat")
        screen.composer.focus()
        keys.type("Written with keys")
        keys.press("Enter")
        screen.says("Written with keys").wait_for()
        last = screen.page.get_by_role("article").last
        for _ in range(12):  # back from the field to the messages: one stop for all of them
            keys.press("Shift+Tab")
            if screen.page.evaluate("document.activeElement.localName === 'article'"):
                break
        expect(screen.page.evaluate("document.activeElement.localName") == "article", "the messages cannot be reached")
        keys.press("End")
        screen.until(lambda: last.evaluate("(e) => e === document.activeElement"), "End goes to the newest message")
        keys.press("ArrowUp")
        keys.press("Home")
        keys.press("End")
        keys.press("Enter")
        sheet = screen.page.get_by_role("dialog")
        sheet.wait_for()
        screen.button("reply", sheet).press("Enter")
        sheet.wait_for(state="detached")
        expect(screen.composer.evaluate("(e) => e === document.activeElement"), "a reply does not begin in the field")
        keys.type("Answered with keys")
        keys.press("Enter")
        screen.says("Answered with keys").wait_for()
        opener = screen.button("search")
        opener.press("Enter")
        sheet.wait_for()
        keys.type("keys")
        sheet.get_by_role("button").filter(has_text="Written with keys").wait_for()
        keys.press("Escape")  # empties the field
        keys.press("Escape")
        sheet.wait_for(state="detached")
        expect(opener.evaluate("(e) => e === document.activeElement"), "focus does not come back from a dialog")


@case
def focus_stays_seen(context: Context) -> None:
    """What comes in above the control that has the focus does not push it off the screen."""
    with stage(context, "Pushed", members=2) as at:
        screen = at.screen(0)
        screen.enter()
        held: list[Route] = []
        for view, late, control in (("status", "doctor", screen.button("keepTour").last),
                                    ("guide", "invites", screen.button("closeTour").last)):
            screen.page.route(re.compile(rf"/{late}(\?|$)"), lambda route: held.append(route))
            screen.go(view)
            screen.until(lambda: held, f"{view} asks for its {late}")
            control.focus()
            tall = "document.querySelector('main > .view:not([hidden])').scrollHeight"
            before = screen.page.evaluate(tall)
            while held:
                held.pop().continue_()
            screen.page.unroute_all()
            screen.wait(f"(before) => {tall} > before", before)
            expect(control.evaluate("(e) => e === document.activeElement"), f"{view}: the focus went elsewhere")
            box, high = control.bounding_box(), screen.page.viewport_size["height"]
            expect(box and box["y"] + box["height"] > 0 and box["y"] < high, f"{view}: the focus was pushed away: {box}")


def walk_to(screen: Screen, view: str) -> None:
    """Goes to a view by Tab and Enter in the navigation."""
    link = screen.nav(view)
    screen.page.evaluate("() => document.activeElement?.blur()")
    for _ in range(60):
        screen.page.keyboard.press("Tab")
        if link.evaluate("(e) => e === document.activeElement"):
            break
    else:
        raise AssertionError(f"Tab does not reach the way to {view}")
    screen.page.keyboard.press("Enter")
    screen.wait("(title) => document.querySelector('h1').textContent === title", screen.t(view))
    settled(screen)


@case
def by_ear(context: Context) -> None:
    """What comes is said in a live region; what is urgent at once, whichever view is shown."""
    with stage(context, "Ear", members=2) as at:
        screen = at.screen(1)
        screen.enter("chat")
        at.nodes[0].send("Said aloud")
        heard(screen, "[role=log], [aria-live=polite]", "Said aloud")
        screen.go("people")
        at.nodes[0].must("announce", "Leave the building", "--urgent")
        heard(screen, "[role=alert]", "Leave the building")


def heard(screen: Screen, live: str, text: str) -> None:
    """A screen reader says it: it comes into a live region that is not hidden from it."""
    screen.wait("""([live, text]) => [...document.querySelectorAll(live)].some((region) =>
        region.textContent.includes(text) && region.checkVisibility() && !region.closest('[aria-hidden=true]'))""",
                [live, text])
