"""Goal: whoever sits at a desktop is told of what comes, once and truly, and a link opens where one can join.
Method: real nodes in a session of their own: a bus, an X server that nobody sees, dunst, and a browser that only writes
down what it was to open."""
from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

from cases import Context, Unavailable, case, expect
from lab import Host, bus_configuration, listens
from nodes import Node, end, make_tour, wait_until

# What others of the machine may read is good once.
ENTRY = r"http://127\.0\.0\.1:\d+/#ticket=[0-9a-f]{64}"
TOOLS = ("dunst", "dunstctl", "Xvfb", "xdg-open", "xdg-mime", "desktop-file-validate", "update-desktop-database")
HOSTILE = '<b>bold</b> & <img src="file:///etc/passwd"> \u202ekcab'
ESCAPED = "&lt;b&gt;bold&lt;/b&gt; &amp; &lt;img src=&quot;file:///etc/passwd&quot;&gt; kcab"


class Session:
    """A user's desktop on a host, also a `Place` for nodes."""

    def __init__(self, host: Host) -> None:
        self.host, self.home = host, host.home / "desktop"
        self.home.mkdir(mode=0o700)
        self.bus = f"unix:path={self.home}/bus"
        self.display = ""
        self.opened = self.home / "opened"
        self.daemons: dict[str, subprocess.Popen[bytes]] = {}

    def argv(self, argv: list[str]) -> list[str]:
        return self.host.argv(argv)

    def environment(self) -> dict[str, str]:
        own = {"DBUS_SESSION_BUS_ADDRESS": self.bus, "DISPLAY": self.display, "WAYLAND_DISPLAY": "", "BROWSER": "",
               "HOME": str(self.home), "XDG_DATA_HOME": str(self.home / "share"), "XDG_CURRENT_DESKTOP": "",
               "XDG_CONFIG_HOME": str(self.home / "config"), "XDG_RUNTIME_DIR": str(self.home), "LC_ALL": "C.UTF-8"}
        return {**self.host.environment(), **own}

    def run(self, *argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.argv([*argv]), capture_output=True, text=True, timeout=30, env=self.environment())

    def daemon(self, name: str, *argv: str) -> None:
        with (self.home / f"{name}.log").open("ab") as log:
            self.daemons[name] = subprocess.Popen(self.argv([*argv]), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                  env=self.environment())

    def __enter__(self) -> Session:
        if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
            raise Unavailable(f"{', '.join(missing)}: Scripts/install test")
        number = self.home / "display"
        self.daemon("x", "sh", "-c", f"exec Xvfb -displayfd 3 -screen 0 640x480x16 -nolisten tcp 3>'{number}'")
        wait_until(lambda: number.exists() and number.read_text().endswith("\n"), 20, "the X server")
        self.display = ":" + number.read_text().strip()
        configuration = self.home / "bus.conf"
        configuration.write_text(bus_configuration("session", self.bus))
        self.daemon("bus", "dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile")
        wait_until(lambda: listens(self.home / "bus"), 10, "the bus of the session")
        # Its menu of buttons: whoever is asked takes the one that answers.
        choice = self.home / "choice"
        choice.write_text("#!/bin/sh\ngrep -m 1 -e 'm here' -e Understood\n")
        choice.chmod(0o755)
        (self.home / "dunstrc").write_text("[global]\nmarkup = full\nnotification_limit = 0\nhistory_length = 100\n"
                                           f"dmenu = {choice}\n")
        self.daemon("dunst", "stdbuf", "-oL", "dunst", "-config", str(self.home / "dunstrc"), "-print")
        wait_until(lambda: self.run("dunstctl", "count").returncode == 0, 20, "dunst")
        self._make_browser()
        return self

    def _make_browser(self) -> None:
        """One that writes down the addresses it is given."""
        script = self.home / "browser"
        script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >>"{self.opened}"\n')
        script.chmod(0o700)
        entry = self.home / "share" / "applications" / "recorder.desktop"
        entry.parent.mkdir(parents=True)
        entry.write_text(f"[Desktop Entry]\nType=Application\nName=Recorder\nExec={script} %u\n"
                         "MimeType=x-scheme-handler/http;\n")
        (self.home / "config").mkdir()
        self.run("xdg-mime", "default", "recorder.desktop", "x-scheme-handler/http")

    def addresses(self) -> list[str]:
        return self.opened.read_text().splitlines() if self.opened.exists() else []

    def shown(self) -> list[dict[str, str]]:
        """What was shown so far, each time it was."""
        text = (self.home / "dunst.log").read_text(errors="replace")
        found = []
        for block in re.findall(r"^\{$(.*?)^\}$", text, re.MULTILINE | re.DOTALL):
            keys = ("appname", "summary", "body", "urgency", "id", "desktop_entry", "timeout")
            row = {key: re.search(rf"^\t{key}: (.*?)$(?=\n\t\w+)", block, re.MULTILINE | re.DOTALL) for key in keys}
            found.append({key: (match.group(1).strip("'") if match else "") for key, match in row.items()})
        return found

    def count(self) -> int:
        """How many are on the screen."""
        return int(self.run("dunstctl", "count", "displayed").stdout or -1)

    def put_all_away(self) -> None:
        self.run("dunstctl", "close-all")
        wait_until(lambda: self.count() == 0, 10, "no notification on the screen")

    def __exit__(self, *_: object) -> None:
        for node in self.host.nodes:
            node.stop()
        for name in ("dunst", "bus", "x"):
            if name in self.daemons:
                end(self.daemons[name], 5)


def plain(text: str) -> str:
    """Without the marks that keep foreign text apart."""
    return text.replace("\u2068", "").replace("\u2069", "")


def desktop_node(session: Session, name: str, *flags: str) -> Node:
    node = Node(session, session.home / name, name, flags)
    node.has_page = True
    session.host.nodes.append(node)
    return node


@case
def notices_of_the_desktop(context: Context) -> None:
    """Messages are told once, in one place, as text; urgent ones loudly; own and read ones not; a click opens them."""
    context.repetitions = 1
    with context.lab([(0,), (0,)]) as lab, Session(lab.hosts[1]) as session:
        guide = lab.hosts[0].node("Guide").start()
        member = desktop_node(session, "Member").start()
        make_tour([guide, member], "Walk <1>")
        one_message_is_told_as_text(guide, session)
        more_takes_its_place(guide, session)
        what_is_read_goes_away(guide, member, session)
        urgent_is_loud(guide, member, session)
        a_button_answers(guide, member, session)
        own_words_are_not_told(guide, member, session)
        nothing_breaks_without_a_bus(guide, member, session)


def one_message_is_told_as_text(guide: Node, session: Session) -> None:
    sent = guide.send(HOSTILE)
    told = wait_until(session.shown, 15, "a notification")[0]
    expect(plain(told["summary"]) == "Guide in “Walk <1>”", f"its head is {told['summary']!r}")
    expect(told["body"] == ESCAPED, f"its text is {told['body']!r}")
    expect(told["urgency"] == "NORMAL" and told["desktop_entry"] == "tour-chat", f"it came as {told}")
    session.run("dunstctl", "action", "0")
    address = wait_until(session.addresses, 10, "the page opens")[0]
    expect(re.fullmatch(rf"{ENTRY}/chat/{sent}", address), f"it opens {address}")


def more_takes_its_place(guide: Node, session: Session) -> None:
    before = session.shown()[-1]["id"]
    guide.send("one")
    guide.send("two")
    wait_until(lambda: "Guide: two" in plain(session.shown()[-1]["body"]), 15, "the next notification")
    told = session.shown()[-1]
    expect(told["id"] == before and session.count() == 1, f"{session.count()} notifications are on the screen")
    expect(plain(told["summary"]) == "3 unread messages in “Walk <1>”", f"its head is {told['summary']!r}")
    expect(plain(told["body"]) == f"Guide: {ESCAPED}\nGuide: one\nGuide: two", f"its text is {told['body']!r}")


def what_is_read_goes_away(guide: Node, member: Node, session: Session) -> None:
    member.must("messages", "--mark-read")
    wait_until(lambda: session.count() == 0, 10, "what was read goes from the screen")
    told = len(session.shown())
    follower = subprocess.Popen(member.argv("messages", "--follow", "--mark-read"), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=session.environment())
    try:
        text = guide.send("read at once")
        assert follower.stdout
        for line in follower.stdout:
            if text in line.decode():
                break
        wait_until(lambda: member.must("tour", "show").first["unread"] == 0, 10, "it counts as read")
    finally:
        end(follower, 5)
    guide.send("after it")
    wait_until(lambda: len(session.shown()) > told, 15, "the next notification")
    expect(session.shown()[-1]["body"] == "after it", f"told: {session.shown()[told:]}")
    session.put_all_away()


def urgent_is_loud(guide: Node, member: Node, session: Session) -> None:
    member.must("messages", "--mark-read")
    guide.must("announce", "Dinner at 8")
    wait_until(lambda: session.shown()[-1]["body"] == "Dinner at 8", 15, "the announcement")
    expect(plain(session.shown()[-1]["summary"]) == "Guide announces in “Walk <1>”", str(session.shown()[-1]))
    guide.must("announce", "Come to the bus", "--urgent")
    wait_until(lambda: session.shown()[-1]["body"].startswith("Come to the bus"), 15, "the urgent one")
    told = session.shown()[-1]
    expect(told["urgency"] == "CRITICAL" and told["timeout"] == "0", f"it came as {told}")
    expect(plain(told["summary"]) == "Urgent, from Guide in “Walk <1>”", f"its head is {told['summary']!r}")
    member.must("messages", "--mark-read")
    wait_until(lambda: session.count() == 0, 10, "what was read goes from the screen")


def a_button_answers(guide: Node, member: Node, session: Session) -> None:
    """A roll call is answered, and what is urgent understood, by a button of the notification."""
    def answer(body: str) -> None:
        wait_until(lambda: session.shown()[-1]["body"].startswith(body), 15, f"told of {body!r}")
        session.run("dunstctl", "context")

    guide.must("roll", "call", "At the bus", "--no-wait")
    answer("Roll call: At the bus")
    wait_until(lambda: guide.must("roll", "status").first["roll"]["here"] == 2, 20, "the button says that one is here")
    guide.must("roll", "end")
    member.must("messages", "--mark-read")
    told = str(guide.must("announce", "Leave at once", "--urgent").first["id"])
    answer("Leave at once")
    wait_until(lambda: guide.must("receipts", told).first["counts"]["understood"] == 1, 20, "the button says understood")
    member.must("messages", "--mark-read")
    wait_until(lambda: session.count() == 0, 10, "what was read goes from the screen")


def own_words_are_not_told(guide: Node, member: Node, session: Session) -> None:
    told = len(session.shown())
    own = member.send("from me")
    wait_until(lambda: any(row["id"] == own for row in guide.messages()), 15, "the guide has it")
    guide.send("an answer")
    wait_until(lambda: len(session.shown()) > told, 15, "the answer is told")
    # What is told of one tour is told together.
    bodies = [one["body"] for one in session.shown()[told:]]
    expect(bodies == ["an answer"], f"told: {bodies}")


def nothing_breaks_without_a_bus(guide: Node, member: Node, session: Session) -> None:
    end(session.daemons["bus"], 5)
    for text in ("without a bus", "and again"):
        identity = guide.send(text)
        wait_until(lambda: any(row["id"] == identity for row in member.messages()), 15, "it arrives without a bus")
    expect(member.must("status").first["links"] >= 1, "the node lost its link with the bus")


@case
def links_open_the_page(context: Context) -> None:
    """`desktop install` makes links open the page of the running node, which joins nothing by itself; `remove` ends it."""
    context.repetitions = 1
    with context.lab([(0,), (0,)]) as lab, Session(lab.hosts[1]) as session:
        guide = lab.hosts[0].node("Guide").start()
        link = str(guide.must("tour", "create", "Walk").first["link"])
        member = desktop_node(session, "Member")
        expect(member.ask("page").code == "no-node", "a page without a node")
        installed = member.must("desktop", "install").first
        entry = Path(str(installed["entry"]))
        expect(installed["handlesLinks"] is True, f"it says {installed}")
        check = session.run("desktop-file-validate", str(entry))
        expect(check.returncode == 0 and not check.stdout, f"desktop-file-validate: {check.stdout}{entry.read_text()}")
        default = session.run("xdg-mime", "query", "default", "x-scheme-handler/tour-chat").stdout.strip()
        expect(default == "tour-chat.desktop", f"links open with {default!r}")
        member.start()
        the_page_opens(member, session)
        openers = [["xdg-open"]] + ([["gio", "open"]] if shutil.which("gio") else [])
        for number, opener in enumerate(openers):
            a_link_opens(opener, link, session, number)
        foreign_links_open_nothing(member, session)
        expect(not member.must("tour", "list").lines, "a link joined a tour by itself")
        expect(member.must("desktop", "remove").first == {"removed": True}, "nothing was removed")
        expect(not entry.exists() and not Path(str(installed["icon"])).exists(), "something is left")
        expect(member.must("desktop", "remove").first == {"removed": False}, "it was removed twice")


def the_page_opens(member: Node, session: Session) -> None:
    answer = member.must("page").first
    expect(answer["opened"] is True, f"it says {answer}")
    opened = wait_until(session.addresses, 10, "the page opens")
    expect(len(opened) == 1 and re.fullmatch(ENTRY, opened[0]), f"it opened {opened}")
    expect(answer["address"] == member.ready["web"], f"{answer['address']} is not {member.ready['web']}")
    session.opened.unlink()


def a_link_opens(opener: list[str], link: str, session: Session, number: int) -> None:
    session.run(*opener, link)
    wait_until(lambda: len(session.addresses()) > number, 15, f"{opener[0]} opens a link")
    address = session.addresses()[-1]
    found = re.fullmatch(ENTRY + r"/join/([A-Za-z0-9%._~-]+)", address)
    expect(found and unquote(found.group(1)) == link, f"{opener[0]} opened {address}")


def foreign_links_open_nothing(member: Node, session: Session) -> None:
    before = session.addresses()
    for bad in ("tour-chat://join/AAAA", "tour-chat://join/x\";touch /tmp/x", "javascript:alert(1)", "-x",
                "tour-chat://chat/1", "tour-chat://join/" + "A" * 100_000, "http://127.0.0.1/"):
        answer = member.ask("page", "--", bad)
        expect(answer.code == "bad-link", f"{bad[:40]!r} was answered with {answer.code or answer.lines}")
    expect(session.addresses() == before, f"opened: {session.addresses()[len(before):]}")
