"""Goal: what is written at one page is shown at another at once, an open page misses nothing, and costs no memory.
Method: nodes with pages on hosts of their own; the pages are programs that ask and listen as a browser does."""
from __future__ import annotations

import time

from cases import Context, case, expect
from lab import Lab
from nodes import Node, all_know_all, make_tour
from page import Page

RSS_GROWTH_MAX_KIB = 32 * 1024


def two_in_a_tour(lab: Lab) -> tuple[Node, Node]:
    """A guide and a member, each on a host of its own, with a page each."""
    guide, member = (lab.hosts[k].node(name, "--web", "0") for k, name in enumerate(("guide", "member")))
    for node in (guide, member):
        node.start()
    make_tour([guide, member])
    all_know_all([guide, member])
    return guide, member


@case
def page_of_two_nodes(context: Context) -> None:
    """What one page sends the other shows there; how soon is noted; who comes and goes shows; other names are refused."""
    with context.lab([(0,)] * 2) as lab:
        guide, member = two_in_a_tour(lab)
        pages = [Page(lab.hosts[0], guide), Page(lab.hosts[1], member)]
        streams = [page.events().read() for page in pages]
        for stream in streams:
            stream.wait(lambda s: s.last("tours"), 10, "the first events")
            names = {row["name"] for row in stream.last("members")["members"]}
            expect(names == {"guide", "member"}, f"the members are {names}")

        delays = []
        for number in range(context.times(2000)):
            sender, receiver = (0, 1) if number % 2 else (1, 0)
            begun = time.monotonic()
            sent = pages[sender].send(f"number {number}")
            streams[receiver].wait(lambda s: sent in s.messages(), 10, f"message {number}")
            delays.append(streams[receiver].messages()[sent][1] - begun)
        context.repetitions = len(delays)
        late = sorted(delays)[len(delays) * 95 // 100]
        context.note(f"shown at the other page after {sorted(delays)[len(delays) // 2] * 1000:.1f} ms, "
                     f"p95 {late * 1000:.1f} ms")

        # The sender's page may hear of its own message after the receiver's.
        streams[sender].wait(lambda s: sent in s.messages() and s.messages()[sent][0]["status"] in ("delivered", "read"),
                             30, "the status follows")
        for host in ("evil.example", f"evil.example:{pages[0].port}", "127.0.0.1"):
            status, _ = pages[0].ask("GET", "/v1/tours", Host=host)
            expect(status == 421, f"a request for {host} is answered with {status}")
        status, _ = pages[0].ask("GET", "/v1/tours", Origin="http://evil.example")
        expect(status == 403, f"a request of another site is answered with {status}")
        status, _ = pages[0].ask("GET", "/v1/tours", Authorization="Bearer " + "0" * 64)
        expect(status == 401, f"a wrong token is answered with {status}")

        guide.must("remove", "member", "--yes")
        streams[1].wait(lambda s: s.last("note") and s.last("note")["kind"] == "removed", 30, "the note of the removal")
        streams[0].wait(lambda s: any(row["removed"] for row in s.last("members")["members"]), 10,
                        "the members without the one who was removed")


@case
def page_goes_on(context: Context) -> None:
    """The node restarts under an open page: same port, same token, and nothing is missed."""
    with context.lab([(0,)] * 2) as lab:
        guide, member = two_in_a_tour(lab)
        page = Page(lab.hosts[1], member)
        wanted = []
        for number in range(context.times(60)):
            stream = page.events(limit=5).read()
            stream.wait(lambda s: s.last("tours"), 10, "the first events")
            wanted.append(guide.send(f"before {number}"))
            stream.wait(lambda s: wanted[-1] in s.messages(), 30, "a message before the restart")
            if number % 2:
                member.kill()
            else:
                member.stop()
            stream.wait(lambda s: s.ended, 10, "the end of the stream")
            wanted += [guide.send(f"meanwhile {number} {k}") for k in range(8)]
            member.start("--web", str(page.port))
            expect(Page(lab.hosts[1], member).token == page.token, "the token is another after a restart")
            again = page.events(limit=5).read()
            again.wait(lambda s: wanted[-1] in s.messages(), 60, "the last message after the restart")
            context.repetitions += 1
            # What lies between is asked for, as the page does.
            known = wanted[-9]
            missed = [row["id"] for row in page.lines(f"/v1/tours/-/messages?after={known}&limit=50")]
            expect(missed == wanted[-8:], f"after a restart the page gets {len(missed)} messages instead of 8")
            again.close()
        listed = [row["id"] for row in page.lines("/v1/tours/-/messages")]
        expect(listed == wanted, "the page lists other messages, or in another order")


@case
def page_read_slowly(context: Context) -> None:
    """Pages that do not read cost no memory; once they read they get everything, in order."""
    with context.lab([(0,)]) as lab:
        node = lab.hosts[0].node("guide", "--web", "0").start()
        make_tour([node])
        page = Page(lab.hosts[0], node)
        warm = page.events().read()
        warm.wait(lambda s: s.last("tours"), 10, "the first events")
        # Less than a segment of the loopback's, and TCP itself sends only a few a second once the reader reads.
        slow = [page.events(receive_bytes=16_384) for _ in range(8)]
        stream = node.stream()
        before = node.rss_kib()
        count = max(5000, context.times(5000))
        for number in range(count):
            stream.write(f"{number} " + "x" * 2000)
        stream.wait_answers(count, 300)
        grown = node.rss_kib() - before
        expect(grown <= RSS_GROWTH_MAX_KIB, f"eight pages that do not read: {grown} KiB more")
        context.repetitions, contents = count, [f"{number} " + "x" * 2000 for number in range(count)]
        slow[0].read().wait(lambda s: len(s.messages()) >= count, 120, "all messages at a page that reads again")
        expect(slow[0].order() == contents, "a page that read late has other messages, or in another order")
        expect(warm.order() == contents, "a page that read all the time has other messages, or in another order")
        for events in (warm, *slow):
            events.close()
        context.note(f"{count} messages of 2 kB past eight pages that do not read: {grown} KiB")
