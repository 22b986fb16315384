"""A tour in which every view has something to show, for who looks at all views."""
from __future__ import annotations

from datetime import datetime, timedelta

from nodes import wait_until
from photos import plain_png
from stage import Stage

VIEWS = ["chat", "today", "people", "board", "files", "notebook", "guide", "status"]


def furnish(at: Stage) -> None:
    """Messages of every kind from every node, files, a meeting point with answers, records of the notebook."""
    guide, *others = at.nodes
    at.lab.home.joinpath("sent").mkdir(exist_ok=True)
    picture = plain_png(at.lab.home / "sent" / "harbour.png", 800, 600, (40, 110, 150))
    document = at.lab.home / "sent" / "tickets.txt"
    document.write_text("Two tickets\n" * 50)
    first = others[0].send("Good morning, where do we meet?")
    wait_until(lambda: any(m["id"] == first for m in guide.messages()), 20, "the guide has the question")
    guide.must("send", "An answer of the guide", "--reply", first)
    for node in others:
        node.send(f"See you there, https://example.org/map shows the way ({node.name})")
    guide.must("send", "--image", str(picture), "--caption", "The harbour")
    others[0].must("send", "--file", str(document))
    others[0].must("send", "--location", "41.00824,28.97836,The clock tower")
    others[0].must("delete", others[0].send("Taken back"))
    guide.must("announce", "Bring your passports")
    last = guide.must("announce", "The bus leaves at five", "--urgent").first["id"]
    soon = (datetime.now() + timedelta(minutes=40)).strftime("%H:%M")
    guide.must("meet", "41.00824,28.97836,The clock tower", "Below the clock", "--at", soon)
    others[0].must("meet", "--late", "--minutes", "5")
    for node in others:
        wait_until(lambda node=node: any(m["id"] == last for m in node.messages()), 20, f"{node.name} has it all")
    if not guide.must("notes", "list").lines:
        notebook(at)
    guide.must("itinerary", "publish", "Tuesday")


def notebook(at: Stage) -> None:
    guide = at.nodes[0]
    guide.must("notes", "add", "Museum", "Tickets are at the side door.\n\nClosed on Mondays.")
    guide.must("notes", "add", "Packing", "Boots, a hat, water")
    for name, place, category in (("Eiffel Tower", "48.8584,2.2945", "Sights"), ("Louvre", "48.8606,2.3376", "Sights"),
                                  ("Gare de Lyon", "48.8443,2.3744", "Trains")):
        guide.must("places", "add", name, "--at", place, "--category", category)
    guide.must("itinerary", "create", "Tuesday")
    for stop, place, time in (("Eiffel Tower", "48.8584,2.2945", "10:00"), ("Lunch at the river", "48.8600,2.3100", "12:30"),
                              ("Louvre", "48.8606,2.3376", "14:00")):
        guide.must("itinerary", "add", "Tuesday", stop, "--at", place, "--time", f"2026-06-02 {time}")
