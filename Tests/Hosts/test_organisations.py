"""Goal: guides of one company do at a server, by the command line alone, what its organisations allow, and are told why
not. Method: real nodes and a real server that lets guides make organisations."""
from __future__ import annotations

from cases import Context, case, expect
from nodes import Answer, Node, Row, wait_until
from server import EMAIL, Server
from test_server import base, log_in_answer

BEN, CARLA = "ben@tours.example", "carla@tours.example"


def ask(node: Node, *words: str) -> Answer:
    return node.ask("account", "organisation", *words)


def rows(node: Node, *words: str) -> list[Row]:
    return node.must("account", "organisation", *words).lines


def refused(node: Node, code: str, *words: str) -> None:
    answer = ask(node, *words)
    expect(answer.code == code, f"{node.name}: {' '.join(words)}: not {code}: {answer.text[-400:]}")


def numbers(node: Node) -> dict[bool, int]:
    """The node's own account, and the other one, of two members."""
    return {row["own"]: row["account"] for row in rows(node, "members")}


@case
def company_of_guides(context: Context) -> None:
    """Two guides make an organisation, invite, accept, share a tour, hand it over and leave; who may not is told why."""
    context.repetitions = 1
    with context.lab([(0,), (0,)], avahi=False) as lab:
        server = Server(lab.hosts[1]).start("--organisations-for", "guide")
        office, ben, carla = nodes = [lab.hosts[0].node(name, "--no-mdns") for name in ("office", "ben", "carla")]
        try:
            server.make_guide()
            server.make_guide(BEN)
            server.make_account(CARLA)
            for node, email in zip(nodes, (EMAIL, BEN, CARLA)):
                node.start()
                answer = log_in_answer(node, base(0, lab.hosts[1]), email)
                expect(answer.status == 0, f"{node.name}: login: {answer.text[-400:]}")

            made = rows(office, "create", "Bosporus")[0]
            number = str(made["id"])
            expect((made["role"], made["invitation"]) == ("admin", None), f"{made}")
            refused(carla, "organisation-operator", "create", "Other")
            refused(carla, "organisation-unknown", "members", "--organisation", number)
            expect(rows(office, "rename", "Bosporus Tours")[0]["name"] == "Bosporus Tours", "it has another name")

            invite_each_way(office, ben, carla, number)
            expect(sorted(numbers(office).values()) == sorted(numbers(ben).values()), "both see both")
            expect([row["email"] for row in rows(office, "members")] == [EMAIL, BEN], "the admin sees addresses")
            expect([row["email"] for row in rows(ben, "members")] == [None, None], "the guide sees none")
            refused(ben, "organisation-admins", "invite", CARLA)

            share_and_hand_over(office, ben)

            refused(office, "organisation-last-admin", "leave", "--yes")
            expect(rows(office, "role", BEN, "admin")[0]["role"] == "admin", "there is another admin")
            rows(office, "leave", "--yes")
            expect(rows(office, "list") == [], "the office is out")
            refused(office, "organisation-unknown", "tours")
            expect(len(rows(ben, "tours", "--organisation", "Bosporus Tours")) == 1, "the tour stays shared")
            rows(ben, "leave", "--yes")
            expect(rows(ben, "list") == [], "with its last member it ended")
        finally:
            server.stop()


def invite_each_way(office: Node, ben: Node, carla: Node, number: str) -> None:
    refused(ben, "organisation-unknown", "accept")
    rows(office, "invite", BEN)
    seen = rows(ben, "list")[0]
    expect(str(seen["id"]) == number and seen["invitation"] is not None and seen["joinedAt"] is None, f"{seen}")
    rows(ben, "decline")
    expect(rows(office, "invitations") == [] == rows(ben, "list"), "it was declined")

    code = str(rows(office, "invite", "--role", "admin")[0]["code"])
    by_code = ("accept", "--organisation", number, "--code")
    refused(carla, "organisation-not-proven", *by_code, code)
    invitation = rows(office, "invitations")[0]
    expect((invitation["role"], invitation["code"]) == ("admin", None), f"{invitation}")
    rows(office, "withdraw", str(invitation["id"]))
    refused(ben, "organisation-code", *by_code, code)

    rows(office, "invite", BEN)
    joined = rows(ben, "accept")[0]
    expect((str(joined["id"]), joined["role"], joined["name"]) == (number, "guide", "Bosporus Tours"), f"{joined}")


def share_and_hand_over(office: Node, ben: Node) -> None:
    ben.must("tour", "create", "Walk")
    wait_until(lambda: ben.ask("sync").status == 0, 30, "the server knows the tour")
    refused(ben, "organisation-tour", "share", "ab" * 32)
    rows(ben, "share", "Walk")
    tour = rows(office, "tours")[0]
    own = numbers(ben)
    expect((tour["account"], tour["planned"], tour["active"]) == (own[True], False, True), f"{tour}")

    refused(ben, "unknown-member", "handover", "Walk", CARLA)
    handed = rows(ben, "handover", "Walk", str(own[False]))[0]
    expect(handed["account"] == own[False], f"{handed}")
    refused(ben, "organisation-admins", "unshare", "Walk")
    refused(ben, "organisation-admins", "handover", "Walk", str(own[True]))
    # The office is not in the tour, and its node does not know the name.
    expect(rows(office, "handover", str(tour["id"])[:8], BEN)[0]["account"] == own[True], "it is Ben's again")
    rows(office, "unshare", str(tour["id"])[:8])
    expect(rows(ben, "tours") == [], "it is shared no more")
    rows(ben, "share", "Walk")
