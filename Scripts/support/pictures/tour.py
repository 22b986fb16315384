"""The tour in the pictures: a guide, a Raspberry Pi in the coach between two Wi-Fis, Bluetooth from member to member, a
server.

People have the names of the tests. Their clocks show late morning at whatever hour this runs, so that the pictures show
a typical day of a tour.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

from cases import Context
from gps import Receiver
from lab import Lab, run
from nodes import Node, all_know_all, make_tour, wait_until
from server import EMAIL, PASSWORD, PORT, Server
from stage import Stage

TOUR, DAY = "Old town", "Old town and harbour"
HOUR = 11
# The networks; the last one leads to the server, here by a cable.
HOTEL, MUSEUM, BLUETOOTH, INTERNET = range(4)
NETWORKS = {HOTEL: "Hotel Wi-Fi", MUSEUM: "Museum Wi-Fi", BLUETOOTH: "Bluetooth"}
LAYOUT = [(HOTEL, INTERNET), (HOTEL, MUSEUM), (HOTEL,), (MUSEUM,), (MUSEUM, BLUETOOTH), (BLUETOOTH,), (INTERNET,)]
NAMES = ["Anna", "Coach", "Ben", "Dora", "Cem", "Gül"]
GUIDE, COACH, BEN, DORA, CEM, GUEL = range(6)
# Members that join later, on hosts that others use too; the last two go out of reach.
MORE = {"Ada": BEN, "Emil": BEN, "Maria": DORA, "Carl": DORA, "Zoe": BEN}
AWAY = ("Carl", "Zoe")
NEAR = len(NAMES) + len(MORE) - len(AWAY)
LAST = "Thanks, we will be there."
HERE = (41.02565, 28.97417)
CLOCK_TOWER = f"{HERE[0]},{HERE[1]},Clock tower"
# Members that share a position, and where they are.
POSITIONS = {
    BEN: (41.02620, 28.97520), DORA: (41.02590, 28.97385), CEM: (41.02480, 28.97290), GUEL: (41.02500, 28.97600)}


def zone() -> str:
    """A time zone in which the time is about `HOUR` now."""
    offset = HOUR - datetime.now(timezone.utc).hour
    offset -= 24 if offset > 14 else 0
    offset += 24 if offset < -12 else 0
    return f"Etc/GMT{-offset:+d}" if offset else "Etc/GMT"


@dataclass
class Tour:
    """The stage, and everybody on it."""

    stage: Stage
    zone: str
    code: str

    @property
    def guide(self) -> Node:
        return self.stage.nodes[GUIDE]

    @property
    def members(self) -> list[Node]:
        return [node for host in self.stage.lab.hosts for node in host.nodes]

    def node(self, name: str) -> Node:
        return next(node for node in self.members if node.name == name)

    def write(self, name: str, *words: str) -> str:
        """Writes by a command of one member's node, and waits until the guide and Gül have the message, so that all
        messages keep this order."""
        id = str(self.node(name).must(*words).first["id"])
        for node in (self.guide, self.stage.nodes[GUEL]):
            wait_until(lambda node=node: any(row["id"] == id for row in node.messages()), 30,
                       f"{node.name} has {words}")
        return id

    def more_people(self) -> None:
        """Everybody else joins."""
        hosts = self.stage.lab.hosts
        for name, index in MORE.items():
            node = hosts[index].node(name).start()
            node.must("join", self.code, "--name", name, seconds=120)
        everybody = self.members
        for node in everybody:
            wait_until(lambda node=node: len(node.members()) == len(everybody), 60, f"{node.name} lists all")

    def part(self) -> None:
        """Stops two nodes, and waits until the others see that two are out of reach."""
        for name in AWAY:
            self.node(name).stop()
        for node in (self.guide, self.stage.nodes[GUEL]):
            wait_until(lambda node=node: node.status()["people"]["reachable"] == NEAR, 90, f"{node.name} misses two")

    @contextmanager
    def positions(self) -> Iterator[None]:
        """Lets some members share their position, each from a gpsd of its own."""
        with ExitStack() as receivers:
            for index, place in POSITIONS.items():
                receivers.enter_context(Receiver(self.stage.lab.hosts[index], place))
                self.stage.nodes[index].must("share", "--for", "2h")
            wait_until(lambda: sum(bool(row["position"]) for row in self.guide.members()) == len(POSITIONS), 60,
                       "the guide knows where they are")
            yield

    def plan_the_day(self) -> Path:
        """Creates the guide's itinerary, some places and a note; returns the programme as the program prints it."""
        guide, today = self.guide, f"{datetime.now(ZoneInfo(self.zone)):%Y-%m-%d}"
        guide.must("itinerary", "create", DAY)
        for stop, place, time, note in (
                ("Breakfast", "41.03390,28.97780", "08:30", "Reception, ground floor"),
                ("Clock tower", "41.02565,28.97417", "10:00", "Tickets are at the side door"),
                ("Lunch at the river", "41.02000,28.97300", "12:30", "A table by the window"),
                ("Museum", "41.02590,28.98310", "14:00", "Two hours, with headphones"),
                ("Boat from the harbour", "41.01720,28.97360", "17:30", "Pier 4")):
            guide.must("itinerary", "add", DAY, stop, "--at", place, "--time", f"{today} {time}", "--note", note)
        for name, place, category in (
                ("Pharmacy", "41.02710,28.97520", "Help"), ("Hotel", "41.03390,28.97780", "Hotels")):
            guide.must("places", "add", name, "--at", place, "--category", category)
        guide.must("notes", "add", "Museum", "Tickets are at the side door.\n\nClosed on Mondays.")
        programme = self.stage.lab.home / "programme.pdf"
        guide.must("itinerary", "pdf", DAY, "--out", str(programme))
        return programme

    def talk(self) -> None:
        """A morning of the tour: messages of every kind, from everybody."""
        picture, programme = self.stage.lab.home / "harbour.png", self.plan_the_day()
        run("vips", "copy", str(Path(__file__).with_name("harbour.svg")), str(picture))
        places = self.stage.lab.home / "places.gpx"
        self.guide.must("places", "export", "--format", "gpx", "--out", str(places))
        self.write("Anna", "itinerary", "publish", DAY)
        self.write("Anna", "send", "--file", str(programme))
        self.write("Anna", "send", "--file", str(places))
        self.write("Ben", "send", "Good morning! Are the headphones for the museum in the coach?")
        soon = datetime.now(ZoneInfo(self.zone)) + timedelta(minutes=25)
        self.write("Anna", "meet", CLOCK_TOWER, "Below the clock. Bring your bags.", "--at", f"{soon:%H:%M}")
        for name, answer in (
                ("Ben", ["--on-my-way"]), ("Gül", ["--on-my-way"]), ("Cem", ["--late", "--minutes", "5"])):
            self.node(name).must("meet", *answer)
        self.write("Cem", "send", "Five minutes late, I am at the pharmacy.")
        question = self.write("Gül", "send", "Is there time for a coffee?")
        self.write("Anna", "send", "Yes, twenty minutes. The café by the tower is good.", "--reply", question)
        self.write("Dora", "send", "--image", str(picture), "--caption", "The harbour, from the tower")
        for node in self.members:
            wait_until(lambda node=node: all(
                row["status"] in ("delivered", "read") for row in node.messages() if row["mine"]),
                60, f"{node.name} knows that everybody has its messages")

    def last_words(self) -> str:
        """Sends messages while two are out of reach; returns the id of the announcement."""
        announced = self.write("Anna", "announce", "The coach leaves at 17:10 from the museum.")
        self.write("Ada", "send", LAST)
        return announced


@contextmanager
def tour(context: Context) -> Iterator[Tour]:
    """Six nodes on three networks and a server, and a tour that all six are in."""
    lab = Lab(LAYOUT, logs=context.logs, rates={BLUETOOTH: "1mbit"})
    where = zone()
    for host in lab.hosts:
        host.variables["TZ"] = where
    stage = Stage(context, len(NAMES), lab, NAMES)
    try:
        server = Server(lab.hosts[-1])
        server.start()
        try:
            server.make_guide()
            made = Tour(stage, where, make_tour(stage.nodes, TOUR))
            all_know_all(stage.nodes)
            password = lab.home / "password"
            password.write_text(PASSWORD)
            made.guide.must("login", "--server", f"http://{lab.hosts[-1].address()}:{PORT}", "--email", EMAIL,
                            "--password-file", str(password))
            yield made
        finally:
            server.stop()
        stage.clear()
    finally:
        stage.close()
