"""Goal: what others write stays text: it runs nothing, draws nothing of its own, and breaks no layout.
Method: names, messages, files, announcements, notes and places that try, seen in every view of both pages."""
from __future__ import annotations

from pathlib import Path

from cases import Context, case, expect
from nodes import Node, wait_until
from screen import DESKTOP, NARROW, PHONE, Screen
from stage import Stage, stage

RUN = "window.__pwned=1"
SCRIPTS = [
    f"<script>{RUN}</script>", f'<img src=x onerror="{RUN}">', f'"><svg onload="{RUN}">', f"javascript:{RUN}",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>", f"{{{{constructor.constructor('{RUN}')()}}}}",
    f"</textarea></style></title><script>{RUN}//", f"https://127.0.0.1/#<img/src/onerror={RUN}>",
    f"https://example.org/\"onmouseover=\"{RUN}", "<base href=//evil.example><meta http-equiv=refresh content=0;//evil.example>",
    "&lt;script&gt; &amp; \\u003cscript\\u003e %3Cscript%3E", "__proto__", "constructor", "\ufeff\u0001\u0085 control",
]
TEXT_BYTES = 16_384  # the protocol's limit of a message
LONG = [
    "W" * TEXT_BYTES, "\U0001f9d7" * (TEXT_BYTES // 4), "x\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308" * 600,
    "\n" * 3_000 + "below", "\u202egnitirw desrever\u202d\u2066\u2067\u2068 " * 50, "\u05d0\u05d1 abc \u0627\u0628 123 " * 40,
    "\u3000" * 2_000 + "far", "https://example.org/" + "a" * 9_000, "\ufdfa" * 200,
]
EVIL_NAME = '\u202e<img src=x onerror="window.__pwned=1">'
VIEWS = ["chat", "today", "people", "board", "files", "notebook", "guide", "status"]


@case
def hostile_words(context: Context) -> None:
    """Script in names, messages, files, records; endless words, turned letters: shown as text, in every view and width."""
    with stage(context, own=True, count=2) as at:
        prepare(at)
        screens = [at.screen(k) for k in (0, 1)]
        for screen in screens:
            screen.enter()
            for size in (DESKTOP, PHONE, NARROW):
                screen.page.set_viewport_size({"width": size[0], "height": size[1]})
                for view in VIEWS if screen is screens[0] else [v for v in VIEWS if v != "guide"]:
                    screen.go(view)
                    wide = screen.overflow()
                    expect(not wide, f"{view} at {size[0]} px is too wide: {wide}")
        chat = screens[1]
        chat.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        chat.go("chat")
        for text in SCRIPTS:
            chat.wait("(text) => [...document.querySelectorAll('article .text')].some("
                      "(p) => p.textContent.trim() === text.trim())", text)
        expect_apart(chat)
        screens[0].go("notebook")
        expect_tries_nothing(screens[0])
        refuse_too_long(screens[0])


def prepare(at: Stage) -> None:
    """A tour whose name and members are hostile, with everything hostile in it."""
    first, second = at.nodes
    code = str(first.must("tour", "create", SCRIPTS[1]).first["joinCode"])
    second.must("join", code, "--name", EVIL_NAME, seconds=120)
    wait_until(lambda: any(m["name"].endswith("__pwned=1\">") for m in first.members()), 30, "the evil name is known")
    for text in SCRIPTS:
        second.send(text)
        first.must("announce", text, "--urgent")
    for text in LONG:
        second.must("send", text)
    evil = at.lab.home / "evil"
    evil.mkdir()
    for name in ('<img src=x onerror=window.__pwned=1>.txt', "a" * 240 + ".txt", "\u202egpj.exe"):
        path = evil / name
        path.write_text("no harm")
        second.must("send", "--file", str(path), "--caption", SCRIPTS[0])
    second.must("send", "--location", f"41.0,28.9,{SCRIPTS[1]}")
    notes(first, evil)
    last = second.send("This was the last one")
    wait_until(lambda: any(m["id"] == last for m in first.messages()), 60, "all of it is at the first node")


def notes(node: Node, folder: Path) -> None:
    """Notes and places that no message could hold: a word of 64,000 letters, ten thousand emoji."""
    for number, text in enumerate(["W" * 64_000, "\U0001f600" * 10_000, *SCRIPTS[:4]]):
        path = folder / f"note{number}"
        path.write_text(text)
        node.must("notes", "add", SCRIPTS[number % 4], path.read_text())
        node.must("places", "add", SCRIPTS[number % 4] + str(number), "--at", f"4{number % 9}.5,2.3")
    node.must("itinerary", "create", SCRIPTS[1])
    node.must("itinerary", "add", SCRIPTS[1], SCRIPTS[2], "--at", "48.8,2.3")
    node.must("itinerary", "publish", SCRIPTS[1])
    node.must("notes", "publish", str(node.must("notes", "list").lines[-1]["id"]))


def expect_apart(screen: Screen) -> None:
    """Every text of somebody else stands in an element that keeps its direction to itself."""
    loose = screen.page.evaluate("""() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
        const foreign = /[\\u202d\\u202e\\u2066-\\u2068]|__pwned/;
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const parent = node.parentElement;
            if (!foreign.test(node.data) || parent.closest('script, style, textarea')) continue;
            if (/^[^]*\\u2068[^]*\\u2069/.test(node.data)) continue; // isolated within its sentence
            if (!parent.closest('bdi, [dir=auto], [dir=ltr], svg')) found.push(parent.outerHTML.slice(0, 160));
        }
        return found;
    }""")
    expect(not loose, f"{len(loose)} foreign texts can turn what stands around them: {loose[:2]}")


def expect_tries_nothing(screen: Screen) -> None:
    """No element in the page was made by what somebody wrote."""
    made = screen.page.evaluate("""() => [...document.querySelectorAll(
        'script:not(head > [type=module]), iframe, object, embed, base, meta[http-equiv], img[src="x"], [onerror], '
        + '[onload], [onmouseover], a[href^="javascript:" i]')].map((element) => element.outerHTML.slice(0, 160))""")
    expect(not made, f"somebody's words became elements: {made[:3]}")


def refuse_too_long(screen: Screen) -> None:
    """What a message cannot hold is said before it is sent, and nothing of it is lost."""
    screen.go("chat")
    for text in ("W" * 64_000, "\U0001f600" * 10_000):
        screen.composer.fill(text)
        screen.page.get_by_text(screen.pattern("tooLong")).wait_for()
        expect(screen.button("send").is_disabled(), "what is too long can be sent")
        screen.composer.press("Enter")
        expect(screen.composer.input_value() == text, "what is too long was taken out of the field")
    screen.composer.fill("")


@case
def wrong_token(context: Context) -> None:
    """With a wrong token, or none, the page shows nothing of the tour and says how to open it; the right one works at once."""
    with stage(context, "Secret walk", members=2) as at:
        at.nodes[0].send("The boat is behind the mill")
        screen = at.screen(0)
        screen.may("status of 401")
        for address in (f"{screen.origin}/#token={'0' * 64}", f"{screen.origin}/", f"{screen.origin}/#token=nonsense"):
            screen.page.goto("about:blank")
            screen.page.goto(address)
            screen.learn_words()
            screen.page.get_by_role("heading", name=screen.t("refused")).wait_for()
            screen.page.get_by_text("tour-chat page").wait_for()
            text = screen.page.inner_text("body")
            expect("Secret" not in text and "boat" not in text, "the page shows something of the tour")
        screen.page.goto(screen.address)
        screen.nav("chat").wait_for()
        screen.says("The boat is behind the mill").wait_for()
        expect("token" not in screen.page.url, f"the address keeps the token: {screen.page.url}")
