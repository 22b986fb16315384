"""Goal: who stands beside a member gets in by asking, and nobody who stands between, guesses or floods gets anything.
Method: real nodes on hosts of their own, driven over their local API; the node of Tests/PythonNode asks, answers,
stands between them and floods."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import local
import wire
from cases import Context, case, expect
from lab import Host, Lab
from nodes import Node, Row, wait_until
from programs import PROGRAM, Program, interpreter, running
from test_roles import await_role, member_row

ASKS = str(PROGRAM / "asks.py")
TOUR = "Quixotic Fountain"
OPEN_MAX, BURST, FAILURES_MAX = 8, 12, 5
WRONG = "00000000"


class Guide:
    """A node that made a tour, and whom it is asked by."""

    def __init__(self, node: Node, name: str = TOUR) -> None:
        self.node = node
        self.tour = str(node.must("tour", "create", name).first["tourID"])

    @property
    def path(self) -> str:
        return f"/v1/tours/{self.tour}"

    def asking(self) -> Row:
        return dict(local.must(self.node, "GET", f"{self.path}/asking"))

    def turn(self, on: bool) -> Row:
        return dict(local.must(self.node, "PUT", f"{self.path}/asking", {"on": on}))

    def await_asks(self, count: int, seconds: float = 30) -> list[Row]:
        def are_there() -> bool:
            return len(self.asking()["asks"]) == count
        wait_until(are_there, seconds, f"{self.node.name} shows {count} askers", pause=0.2)
        return list(self.asking()["asks"])

    def decide(self, ask: Row, admit: bool) -> Row:
        return dict(local.must(self.node, "POST", f"{self.path}/asks/{ask['id']}", {"admit": admit}))

    def speak(self, uses: int = 10) -> str:
        """Makes a spoken code; its digits."""
        made = local.must(self.node, "POST", f"{self.path}/spoken-code", {"uses": uses})["code"]
        expect(len(made["digits"]) == 8 and made["digits"].isdigit(), f"a spoken code is {made['digits']!r}")
        expect(made["usesLeft"] == uses and 590 < made["secondsLeft"] <= 600, f"a new spoken code: {made}")
        return str(made["digits"])


def nearby(node: Node) -> list[Row]:
    return list(local.must(node, "GET", "/v1/nearby")["tours"])


def await_near(node: Node, label: str, seconds: float = 40) -> Row:
    def seen() -> list[Row]:
        return [row for row in nearby(node) if row["label"] == label]
    return dict(wait_until(seen, seconds, f"{node.name} sees {label}", pause=0.3)[0])


def ask(node: Node, tag: object, name: str, digits: str | None = None) -> None:
    """Begins to ask. No tag: the one tour that is near."""
    body = {"tag": tag, "name": name, "digits": digits}
    local.must(node, "PUT", "/v1/ask", {key: value for key, value in body.items() if value is not None})


def asked(node: Node) -> Row:
    return dict(local.must(node, "GET", "/v1/ask"))


def await_state(node: Node, *states: str, seconds: float = 30) -> Row:
    wanted = f"{node.name}'s ask is {' or '.join(states)}"
    wait_until(lambda: asked(node)["state"] in states, seconds, wanted, pause=0.2)
    return asked(node)


def join(node: Node) -> Row:
    return dict(local.must(node, "POST", "/v1/ask/join"))


def expect_talk(guide: Node, newcomer: Node, count: int = 2) -> None:
    wait_until(lambda: len(guide.members()) == count, 30, f"{guide.name} lists {count} members")
    guide.follow().wait_ids([newcomer.send("I am in")], 30)
    newcomer.follow().wait_ids([guide.send("so you are")], 30)


def expect_out(guide: Node, newcomer: Node) -> None:
    expect(len(guide.members()) == 1, f"{guide.name} has let somebody in: {guide.members()}")
    expect(not newcomer.must("tour", "list").lines, f"{newcomer.name} is in a tour")


@contextmanager
def guide_and_others(context: Context, count: int) -> Iterator[tuple[Lab, Guide, list[Node]]]:
    """On one segment a guide with a tour, and so many who are in none."""
    with context.lab([(0,)] * (1 + count)) as lab:
        nodes = [host.node("Zephyrine" if k == 0 else f"other{k}") for k, host in enumerate(lab.hosts)]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.await_ready()
        yield lab, Guide(nodes[0]), nodes[1:]


@contextmanager
def program(host: Host, log: str, *words: str) -> Iterator[Program]:
    """A program of the Python node, on a host that has no mDNS daemon meanwhile."""
    interpreter()
    if host.avahi_daemon and host.avahi_daemon.poll() is None:
        host.stop_avahi()
    with running(host, log, ASKS, *words) as made:
        yield made


@case
def asked_by_words(context: Context) -> None:
    """A newcomer asks, four words agree, a person admits; refused, and gone again; nothing of it goes in clear."""
    context.repetitions = context.times(1)
    with guide_and_others(context, 2) as (lab, guide, (anna, bert)):
        path = lab.home / "guide"
        with wire.recorded(lab, lab.hosts[0], path), wire.recorded(lab, lab.hosts[1], lab.home / "anna"):
            label = guide.asking()["label"]
            near = await_near(anna, label)
            expect(near["devices"] == 1 and len(near["tag"]) == 16, f"what is near: {near}")
            expect(not nearby(guide.node), "a member may ask its own tour")
            ask(anna, near["tag"], "Anna Karenina")
            (shown,) = guide.await_asks(1)
            waiting = await_state(anna, "waiting")
            expect(shown["name"] == "Anna Karenina" and not shown["sameName"], f"the guide is shown {shown}")
            expect(len(set(shown["words"])) >= 3 and shown["words"] == waiting["words"], f"{shown}, {waiting}")
            expect(waiting["label"] == label and waiting["tour"] is None, f"the asker is shown {waiting}")
            expect(0 < waiting["secondsLeft"] <= 300, f"the asker has {waiting['secondsLeft']} s")
            expect(not guide.decide(shown, True)["asks"], "who was admitted is still shown")
            admitted = await_state(anna, "admitted")
            expect(admitted["tour"] == TOUR, f"the tour is called {admitted['tour']}")
            expect(len(guide.node.members()) == 1, "the asker joined before its person said so")
            joined = join(anna)
            expect(joined["tourID"] == guide.tour and joined["name"] == TOUR, f"joined {joined}")
            expect_talk(guide.node, anna)
            wait_until(lambda: member_row(guide.node, "Anna Karenina"), 30, "her name is known")
            wait_until(lambda: not nearby(anna), 30, "a member may not ask its own tour")
        everything = b"\0".join(p.payload for p in wire.sent(path) + wire.sent(lab.home / "anna"))
        secrets = (b"Quixotic", b"Zephyrine", b"Anna", b"Karenina", b"I am in", " ".join(shown["words"]).encode())
        found = [secret for secret in secrets if secret in everything]
        expect(not found, f"in clear: {found}")
        expect(b"\x0aa=" in everything, "no record with ask tags was seen: nothing is tested")
        refused_and_gone(guide, bert)


def refused_and_gone(guide: Guide, bert: Node) -> None:
    """Refused; taken back; and a node that is killed while it waits: none is shown any more, none is in."""
    near = await_near(bert, guide.asking()["label"])
    ask(bert, near["tag"], "Bert")
    guide.decide(guide.await_asks(1)[0], False)
    said = await_state(bert, "refused")
    expect(said["refusal"] == "refused" and said["sentence"], f"the asker is told {said}")
    ask(bert, near["tag"], "Bert")
    guide.await_asks(1)
    local.must(bert, "DELETE", "/v1/ask")
    guide.await_asks(0)
    expect(asked(bert)["state"] == "none", f"an ask that was taken back is {asked(bert)}")
    ask(bert, near["tag"], "Bert")
    guide.await_asks(1)
    bert.kill()
    guide.await_asks(0)
    expect(len(guide.node.members()) == 2, f"{len(guide.node.members())} members instead of 2")


@case
def asked_twice(context: Context) -> None:
    """Two with one name at once are told apart by the words; who asks another tour asks the first one no more."""
    context.repetitions = context.times(1)
    with guide_and_others(context, 3) as (_, guide, (one, other, second)):
        near = await_near(one, guide.asking()["label"])
        ask(one, near["tag"], "Anna")
        guide.await_asks(1)
        await_near(other, guide.asking()["label"])
        ask(other, near["tag"], "Anna")
        shown = guide.await_asks(2)
        expect(any(row["sameName"] for row in shown), f"two of one name: {shown}")
        words = await_state(one, "waiting")["words"]
        expect(words != await_state(other, "waiting")["words"], "two askers have the same words")
        mine = next(row for row in shown if row["words"] == words)
        guide.decide(mine, True)
        await_state(one, "admitted")
        expect(asked(other)["state"] == "waiting", "the other one was admitted as well")
        join(one)
        expect_talk(guide.node, one)

        another = Guide(second, "Elsewhere")
        there = await_near(other, another.asking()["label"])
        expect({row["label"] for row in nearby(other)} == {near["label"], there["label"]}, "not two tours near")
        expect(local.refusal(other, "PUT", "/v1/ask", {"name": "Anna", "digits": WRONG}) == "several-tours",
               "by digits one of two tours was chosen")
        ask(other, there["tag"], "Anna")
        guide.await_asks(0)
        another.decide(another.await_asks(1)[0], True)
        await_state(other, "admitted")
        expect(join(other)["tourID"] == another.tour, "it joined the tour that it asked before")
        expect_talk(second, other)


@case
def two_guides_answer(context: Context) -> None:
    """Two guides of a tour are one tour near by; one of them is asked, and one who turned asking off is not."""
    context.repetitions = context.times(1)
    with guide_and_others(context, 2) as (lab, guide, (member, newcomer)):
        code = str(guide.node.must("tour", "invite").first["joinCode"])
        member.must("join", code, "--name", member.name, seconds=120)
        asking = local.must(member, "GET", f"{guide.path}/asking")
        expect(not asking["mayInvite"], f"a member without a rank may invite: {asking}")
        guide.node.must("role", member.name, "guide")
        await_role(member, member.name, "guide")
        label = guide.asking()["label"]
        wait_until(lambda: any(row["label"] == label and row["devices"] == 2 for row in nearby(newcomer)), 60,
                   "two devices of one tour are near", pause=0.5)
        ask(newcomer, await_near(newcomer, label)["tag"], "Anna")
        await_state(newcomer, "waiting")

        def asks() -> list[Row]:
            return [row for node in (guide.node, member)
                    for row in local.must(node, "GET", f"{guide.path}/asking")["asks"]]
        expect(len(asks()) == 1, f"both guides are asked: {asks()}")
        local.must(newcomer, "DELETE", "/v1/ask")
        wait_until(lambda: not asks(), 30, "nobody is asked any more")

        expect(not guide.turn(False)["on"], "asking is on after it was turned off")
        wait_until(lambda: any(row["devices"] == 1 for row in nearby(newcomer)), 60, "one of the two devices is near")
        ask(newcomer, await_near(newcomer, label)["tag"], "Anna")
        await_state(newcomer, "waiting")
        (shown,) = local.must(member, "GET", f"{guide.path}/asking")["asks"]
        local.must(member, "POST", f"{guide.path}/asks/{shown['id']}", {"admit": True})
        await_state(newcomer, "admitted")
        join(newcomer)
        expect_talk(guide.node, newcomer, 3)


@case
def asking_off(context: Context) -> None:
    """Who answers no askers has no tags in its record, and closes without a byte; on again it answers."""
    context.repetitions = context.times(1)
    with guide_and_others(context, 1) as (lab, guide, (newcomer,)):
        near = await_near(newcomer, guide.asking()["label"])
        place = f"{lab.hosts[0].address()}:{guide.node.port}"
        newcomer.stop()
        last = lab.hosts[1]
        dial = ["flood", "1", "--mdns", last.address(), "--tag", near["tag"], "--peer", place]
        with program(last, "before", *dial) as one:
            one.wait("done", 20)
            expect(one.of("tried")[0]["outcome"] == "ask_nonce", f"with asking on: {one.of('tried')}")
        guide.await_asks(0)
        guide.turn(False)
        path = lab.home / "off"
        with wire.recorded(lab, lab.hosts[0], path):
            with program(last, "look", "look", "--mdns", last.address()) as look:
                with program(last, "off", *dial) as off:
                    off.wait("done", 20)
                    (tried,) = off.of("tried")
                    expect(tried["outcome"] == "closed" and "0 bytes read" in tried["why"], f"with asking off: {tried}")
                wait_until(lambda: any(b"v=1" in p.payload for p in wire.sent(path)), 30, "the record is announced")
                expect(not look.of("near"), f"with asking off a tour is near: {look.of('near')}")
        expect(not any(b"\x0aa=" in p.payload for p in wire.sent(path)), "the record has tags")
        expect(guide.turn(True)["on"], "asking is off after it was turned on")
        with program(last, "on", "look", "--mdns", last.address()) as look:
            expect(look.wait("near", 30)["label"] == guide.asking()["label"], f"another label: {look.of('near')}")


@case
def asked_by_digits(context: Context) -> None:
    """Eight digits let in whom they were told; wrong ones not, and five of these end them, for the right ones too."""
    context.repetitions = context.times(1)
    with guide_and_others(context, 3) as (lab, guide, (anna, bert, cem)):
        for node in (anna, bert, cem):
            await_near(node, guide.asking()["label"])
        ask(anna, None, "Anna", WRONG)
        said = await_state(anna, "refused")
        expect(said["refusal"] == "no-code" and said["sentence"], f"where no code is open: {said}")
        digits = guide.speak(uses=2)
        ask(anna, None, "Anna", digits)
        admitted = await_state(anna, "admitted")
        expect(admitted["words"] is None, f"by digits there are words: {admitted}")
        expect(join(anna)["tourID"] == guide.tour, "it joined another tour")
        expect_talk(guide.node, anna)
        expect(guide.asking()["code"]["usesLeft"] == 1, f"after one of two: {guide.asking()['code']}")

        ask(bert, None, "Bert", str((int(digits) + 1) % 10**8).zfill(8))
        said = await_state(bert, "refused")
        expect(said["refusal"] == "wrong-code" and said["sentence"], f"with a wrong digit: {said}")
        expect(guide.asking()["code"]["usesLeft"] == 1, "a wrong code took a use")
        guess(lab.hosts[3], FAILURES_MAX - 1)
        ask(bert, None, "Bert", digits)
        said = await_state(bert, "refused")
        expect(said["refusal"] in ("spent", "no-code"), f"after five failures the right digits: {said}")

        digits = guide.speak(uses=1)
        ask(bert, None, "Bert", digits)
        await_state(bert, "admitted")
        join(bert)
        expect_talk(guide.node, bert, 3)
        local.must(guide.node, "DELETE", f"{guide.path}/spoken-code")
        expect(guide.asking()["code"] is None, "an ended code is still shown")


def guess(host: Host, count: int) -> None:
    """So many wrong digits, from a host of which the node ends."""
    for node in host.nodes:
        node.stop()
    with program(host, "guess", "flood", str(count), "--mdns", host.address(), "--stop", "proof", "--digits", "99",
                 "--pause", "0.7") as flood:
        flood.wait("done", 60)
        outcomes = [row["outcome"] for row in flood.of("tried")]
        expect(outcomes == ["wrong-code"] * count, f"wrong digits: {outcomes}")


@case
def asked_through_a_relay(context: Context) -> None:
    """Somebody between: other words on each side; a nonce after the fact closes; digits passed on are wrong."""
    context.repetitions = context.times(1)
    with context.lab([(0,), (0, 1), (1,)]) as lab:
        newcomer, guide = lab.hosts[0].node("newcomer").start(), Guide(lab.hosts[2].node("guide").start())
        between = lab.hosts[1]
        words = ["relay", "--mdns", between.address(0), "--far", between.address(1)]
        with program(between, "words", *words) as relay:
            relay.wait("listening", 40)
            ask(newcomer, await_near(newcomer, guide.asking()["label"])["tag"], "Anna")
            (shown,), waiting = guide.await_asks(1), await_state(newcomer, "waiting")
            expect(waiting["words"] == relay.wait("asker's words", 5)["words"], "the asker shows others than it should")
            expect(shown["words"] == relay.wait("member's words", 5)["words"], "the guide shows others than it should")
            expect(shown["words"] != waiting["words"], "both sides show the same words through a relay")
            # Even if the guide's person looks away, the asker's does not say that the words agree.
            guide.decide(shown, True)
            await_state(newcomer, "admitted")
            local.must(newcomer, "DELETE", "/v1/ask")
            expect_out(guide.node, newcomer)
        with program(between, "after", *words, "--after") as relay:
            relay.wait("listening", 40)
            ask(newcomer, await_near(newcomer, guide.asking()["label"])["tag"], "Anna")
            relay.wait("ended", 40)
            expect(not relay.of("answer"), f"the guide answered a false nonce: {relay.of('answer')}")
            expect(guide.node.status()["rejected"].get("bad-commitment") == 1, "the guide counted no false commitment")
            expect(not guide.asking()["asks"], "the guide shows whose nonce did not fit")
            await_state(newcomer, "refused")
        digits = guide.speak()
        with program(between, "digits", *words, "--pass-on") as relay:
            relay.wait("listening", 40)
            ask(newcomer, await_near(newcomer, guide.asking()["label"])["tag"], "Anna", digits)
            said = await_state(newcomer, "refused")
            expect(said["refusal"] == "wrong-code", f"through a relay: {said}")
            expect(guide.asking()["code"]["usesLeft"] == 10, f"a relay took a use: {guide.asking()['code']}")
        guess(between_far(between), FAILURES_MAX - 1)
        expect(is_spent(between), "a relayed exchange was no failure")
        expect_out(guide.node, newcomer)


def between_far(host: Host) -> Host:
    """The same host, by its second card."""
    return Host(host.index, host.segments[1:], host.namespace, host.home, avahi_daemon=host.avahi_daemon)


def is_spent(host: Host) -> bool:
    """Whether one more guess is told that the code is over."""
    far = host.address(1)
    with program(host, "spent", "flood", "1", "--mdns", far, "--stop", "proof", "--digits", "99") as flood:
        flood.wait("done", 30)
        return flood.of("tried")[0]["outcome"] == "spent"


@case
def askers_flood(context: Context) -> None:
    """From one address one is shown, from many eight: the rest is told to wait; the members talk on, and it passes."""
    context.repetitions = context.times(1)
    with guide_and_others(context, 3) as (lab, guide, (member, newcomer, _)):
        code = str(guide.node.must("tour", "invite").first["joinCode"])
        member.must("join", code, "--name", member.name, seconds=120)
        host = lab.hosts[3]
        host.nodes[0].stop()
        with program(host, "one", "flood", "6", "--mdns", host.address(), "--pause", "0.6") as flood:
            flood.wait("done", 60)
            outcomes = [row["outcome"] for row in flood.of("tried")]
            expect(outcomes[0] == "ask_nonce" and outcomes.count("ask_nonce") == 1, f"from one address: {outcomes}")
            expect("busy" in outcomes, f"from one address: {outcomes}")
            expect(len(guide.asking()["asks"]) == 1, f"from one address {len(guide.asking()['asks'])} are shown")
        guide.await_asks(0)
        sources = [word for address in host.more_addresses(10) for word in ("--from", address)]
        with program(host, "many", "flood", "30", "--mdns", host.address(), "--pause", "0.3", *sources) as flood:
            flood.wait("done", 90)
            outcomes = [row["outcome"] for row in flood.of("tried")]
            expect(1 <= outcomes.count("ask_nonce") <= OPEN_MAX, f"from ten addresses: {outcomes}")
            expect(set(outcomes) <= {"ask_nonce", "busy", "closed"}, f"from ten addresses: {outcomes}")
            expect(len(guide.asking()["asks"]) <= OPEN_MAX, f"{len(guide.asking()['asks'])} are shown")
            expect(guide.node.links() >= 1, "a flood of askers cost the guide its link")
            member.follow().wait_ids([guide.node.send("who are all these")], 30)
            context.note(f"{outcomes.count('ask_nonce')} of {len(outcomes)} shown")
        guide.await_asks(0)

        def is_heard() -> bool:
            ask(newcomer, await_near(newcomer, guide.asking()["label"])["tag"], "Anna")
            return bool(await_state(newcomer, "waiting", "refused")["state"] == "waiting")
        wait_until(is_heard, 90, "somebody honest is heard after the flood", pause=5)
        guide.decide(guide.await_asks(1)[0], True)
        await_state(newcomer, "admitted")
        join(newcomer)
        expect_talk(guide.node, newcomer, 3)


@case
def python_node_asks(context: Context) -> None:
    """A node in Python, from the specification alone, comes in by words and by digits."""
    context.repetitions = context.times(1)
    with guide_and_others(context, 2) as (lab, guide, others):
        for node in others:
            node.stop()
        first, second = lab.hosts[1:]
        with program(first, "anna", "ask", "Anna", "--mdns", first.address()) as anna:
            expect(anna.wait("near", 40)["label"] == guide.asking()["label"], "the two say different labels")
            words = anna.wait("words", 20)["words"]
            (shown,) = guide.await_asks(1)
            expect(shown["words"] == words and shown["name"] == "Anna", f"{shown} instead of {words}")
            guide.decide(shown, True)
            expect(anna.wait("admitted", 20)["tour"] == TOUR, "the tour has another name")
            anna.write("agree")
            joined = anna.wait("joined", 30)
            expect(joined["tour"] == guide.tour, "it joined another tour")
            anna.wait("link", 30)
            anna.write("from Python, asked in")
            guide.node.follow().wait_text("from Python, asked in")
            with program(second, "bert", "ask", "Bert", "--mdns", second.address(), "--digits", guide.speak()) as bert:
                bert.wait("joined", 40)
                wait_until(lambda: len(guide.node.members()) == 3, 30, "three are in")


@case
def python_node_is_asked(context: Context) -> None:
    """A node in Python answers: ours comes into its tour by words and by digits, and is refused."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 3) as lab:
        anna, bert = (host.node(name).start() for host, name in zip(lab.hosts[1:], ("Anna", "Bert")))
        host, digits = lab.hosts[0], "40718259"
        with program(host, "guide", "answer", TOUR, "--mdns", host.address(), "--digits", digits) as guide:
            label = guide.wait("listening", 30)["label"]
            ask(anna, await_near(anna, label)["tag"], "Anna")
            shown, waiting = guide.wait("asker", 30), await_state(anna, "waiting")
            expect(shown["words"] == waiting["words"] and shown["name"] == "Anna", f"{shown}, {waiting}")
            guide.write(f"refuse {shown['id']}")
            expect(await_state(anna, "refused")["refusal"] == "refused", "a refusal was read as something else")
            ask(anna, await_near(anna, label)["tag"], "Anna")
            shown = guide.wait("asker", 30, 2)
            await_state(anna, "waiting")
            guide.write(f"admit {shown['id']}")
            expect(await_state(anna, "admitted")["tour"] == TOUR, f"the tour is called {asked(anna)['tour']}")
            join(anna)
            await_near(bert, label)
            ask(bert, None, "Bert", digits)
            await_state(bert, "admitted")
            join(bert)
            expect(guide.wait("trial", 5)["fits"], "the right digits were a failure")
            for node in (anna, bert):
                wait_until(lambda: node.links() >= 1, 30, f"{node.name} has a link")
            bert.follow().wait_ids([anna.send("asked in")], 30)
            guide.wait("message", 30)
