"""Goal: a word to the guides is read by them and its author, and by nobody else; while only guides write nobody else is
shown, on any node, and calls for help and such words go on.
Method: a guide, a second guide with a guest's phone, and a member whose cable is out when the quiet begins."""
from __future__ import annotations

from cases import Context, case, expect
from guests import Phone, Seats
from nodes import Node, Row, wait_until
from test_seats import addresses, await_guests, await_text, contents, enter_all, hosts_and_phones


def find(node: Node, id: str) -> Row:
    return next((row for row in node.messages() if row["id"] == id), {})


def alone(row: Row) -> str:
    """The person with whom the guides speak in this message."""
    return str(row.get("metadata", {}).get("alone", {}).get("name", ""))


def open_alarms(node: Node) -> list[str]:
    return [row["name"] for row in node.must("alarms").first["alarms"] if row["open"]]


@case
def words_to_the_guides(context: Context) -> None:
    """A member and a guest say something to the guides alone, and call them alone; a guide answers one person."""
    with hosts_and_phones(context, 3) as (lab, (guide, member, third), phones):
        anna, bert = enter_all(phones, Seats(guide).on(), ["Anna", "Bert"], addresses(lab.hosts[3], 2))
        for node in (guide, member, third):
            await_guests(node, {"Anna": "Guide", "Bert": "Guide"})
        # A member, who is no guide, says something.
        said = str(member.must("send", "--guides", "I am afraid of the boat").first["id"])
        wait_until(lambda: find(guide, said).get("content") == "I am afraid of the boat", 60, "the guide reads it")
        expect(alone(find(guide, said)) == "Second" and alone(find(member, said)) == "Second", "it is shown as another")
        # A guest does.
        anna.do("write", kind="text", text="I feel sick", alone=True)
        wait_until(lambda: "I feel sick" in contents(guide), 60, "the guide reads the guest's word")
        row = next(row for row in guide.messages() if row["content"] == "I feel sick")
        expect(alone(row) == "Anna" and row["authorName"] == "Anna", f"the guest's word is shown as {row}")
        anna.wait_text("I feel sick")
        # Answered to that person.
        back = str(guide.must("send", "--alone", "Anna", "I come to you", "--reply", row["id"]).first["id"])
        anna.wait_text("I come to you")
        guide.send("to everybody")
        for node in (member, third):
            await_text(node, "to everybody")
        bert.wait_text("to everybody")
        for name, texts in (("Second", contents(member)), ("Third", contents(third)), ("Bert", bert.shown())):
            expect(not {"I feel sick", "I come to you"} & set(texts), f"{name} reads {texts}")
        expect("I am afraid of the boat" not in anna.shown() | bert.shown() | contents(third), "others read the member's word")
        expect(third.must("tour", "show").first["unread"] == 1, "it counts as unread")
        people = {row["name"] for row in guide.must("receipts", back).first["members"]}
        expect(people == {"Anna"}, f"the answer's receipts name {people}")
        expect(member.ask("send", "--alone", "Anna", "hello").code == "not-allowed", "a member writes to one guest alone")
        calls_to_the_guides(guide, member, anna, bert)


def calls_to_the_guides(guide: Node, member: Node, anna: Phone, bert: Phone) -> None:
    anna.do("write", kind="alarm", text="I lost you", guidesOnly=True)
    wait_until(lambda: open_alarms(guide) == ["Anna"], 60, "the guide hears the guest's call")
    expect(guide.must("alarms").first["alarms"][0]["guidesOnly"], "it is a call to everybody")
    guide.must("alarms", "Anna", "--coming")
    anna.wait(lambda state: [one["answer"] for alarm in state["view"]["alarms"] for one in alarm["answers"]]
              == ["on-my-way"], 60, "the guest has the answer")
    settled = guide.send("a sign for all")
    wait_until(lambda: find(member, settled), 60, "the member is up to date")
    bert.wait_text("a sign for all")
    expect(open_alarms(member) == [], "a member sees a call to the guides alone")
    expect(bert.state["view"]["alarms"] == [], "a guest sees a call to the guides alone")
    guide.must("found", "Anna")
    anna.wait(lambda state: not [one for one in state["view"]["alarms"] if one["open"]], 60, "it is over")
    own = member.must("lost", "--guides-only", "Here").first
    expect(own["guidesOnly"] and own["guides"] == 1, f"the member's call is {own}")
    wait_until(lambda: open_alarms(guide) == ["Second"], 60, "the guide hears the member's call")
    member.must("found")
    wait_until(lambda: open_alarms(guide) == [], 60, "it is over as well")


@case
def quiet(context: Context) -> None:
    """Only guides write: at once for who hears it; what was written before counts late; what was written behind it does not."""
    with hosts_and_phones(context) as (lab, (guide, member), phones):
        anna, = enter_all(phones, Seats(guide).on(), ["Anna"], addresses(lab.hosts[2], 1))
        await_guests(member, {"Anna": "Guide"})
        lab.cable(lab.hosts[1], is_in=False)
        before = member.send("before the quiet")
        expect(member.ask("quiet", "on").code == "not-allowed", "a member asks for quiet")
        told = guide.must("quiet", "on").first
        expect(told["on"] and told["by"] == "Guide", f"the quiet is {told}")
        expect(anna.refusal("write", kind="text", text="hello") == "quiet", "a guest writes in a quiet")
        anna.do("write", kind="text", text="for the guides", alone=True)
        wait_until(lambda: "for the guides" in contents(guide), 60, "a word to the guides goes")
        behind = member.send("behind the quiet")
        note = lab.home / "note.txt"
        note.write_text("behind it as well")
        file = str(member.must("send", "--file", str(note)).first["id"])
        lab.cable(lab.hosts[1], is_in=True)
        wait_until(lambda: find(guide, before) and find(guide, behind) and find(guide, file), 90, "all arrive")
        expect(find(guide, before)["content"] == "before the quiet", "what came late does not count")
        expect((find(guide, behind)["type"], find(guide, behind)["content"]) == ("withheld", ""), "it is shown")
        expect((find(guide, file)["type"], find(guide, file)["metadata"]) == ("withheld", {}), "its file is shown")
        expect(guide.must("files").lines == [], "it is among the files")
        expect([row["id"] for row in member.must("files").lines] == [file], "its author lacks it")
        anna.wait_text("before the quiet")
        expect("behind the quiet" not in anna.shown(), "the guest is shown it")
        wait_until(lambda: find(member, behind)["metadata"].get("reason") == "quiet", 60, "its author is told")
        expect(find(member, behind)["content"] == "behind the quiet", "its author does not see it")
        expect(member.ask("send", "hello").code == "quiet", "a member writes in a quiet")
        member.must("lost", "Here")
        wait_until(lambda: open_alarms(guide) == ["Second"], 60, "a call for help goes")
        member.must("found")
        guide.stop()
        guide.start()
        expect(guide.must("quiet").first["on"] and find(guide, behind)["type"] == "withheld", "a restart forgets")
        guide.must("quiet", "off")
        wait_until(lambda: not member.must("quiet").first["on"], 60, "the member hears that it is over")
        again = member.send("everybody again")
        wait_until(lambda: find(guide, again).get("content") == "everybody again", 60, "everybody writes again")
        expect(find(guide, behind)["type"] == "withheld", "the end of a quiet shows what it withheld")
