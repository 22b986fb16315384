"""Thirty scripted phones at one device or two: how soon what one says is shown at the others, and what they cost."""
from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import lab
from guests import Phone, Phones, Seats, addresses
from nodes import Node, all_know_all, cpu_seconds, make_tour, wait_until

PROGRAM = str(Path(__file__).with_name("phones.py"))
SEATS = 30
RATE = 20.0  # messages a second, of all phones together
PROGRAMS = 6  # that play the phones, so that they do not wait for each other
REST = 15.0  # seconds until memory is measured: there is a sign of life each ten


@dataclass
class Crowd:
    hosts: list[Node]
    programs: list[Phones]
    phones: list[Phone]  # the first ones with the first host

    def host_of(self, index: int) -> int:
        return index * len(self.hosts) // len(self.phones)

    def enter(self, links: list[str]) -> None:
        calls = [phone.begin("enter") for phone in self.phones]
        for phone, call in zip(self.phones, calls):
            phone.result(call)


@contextmanager
def crowd(hosts: int) -> Iterator[tuple[Crowd, list[str]]]:
    """Devices that let guests in, and phones that are not in yet; and the links in the devices' codes."""
    with lab.Lab([(0,)] * 3) as place, ExitStack() as open_programs:
        nodes = [host.node(name).start() for host, name in zip(place.hosts, ("Guide", "Second"))]
        make_tour(nodes, "Bench")
        all_know_all(nodes)
        nodes[0].must("seats", "allow", "Second")
        wait_until(lambda: nodes[1].ask("seats", "on").status == 0, 30, "Second may let guests in")
        links = [Seats(node).on() for node in nodes[:hosts]]
        programs = [Phones(place.hosts[2], f"phones{k}", PROGRAM) for k in range(PROGRAMS)]
        for program in programs:
            open_programs.callback(program.close)
        made = Crowd(nodes[:hosts], programs, [])
        for k, address in enumerate(addresses(place.hosts[2], SEATS)):
            made.phones.append(programs[k % PROGRAMS].guest(links[k * hosts // SEATS], f"Guest {k}", address))
        yield made, links


def memory() -> dict[str, float]:
    """A device's memory at rest, before and with thirty guests."""
    with crowd(1) as (made, links):
        host = made.hosts[0]
        time.sleep(REST)
        before = host.rss_kib()
        made.enter(links)
        time.sleep(REST)
        after = host.rss_kib()
    return {"rss_before_mib": before / 1024, "rss_with_30_mib": after / 1024, "seat_kib": (after - before) / SEATS}


def share(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def shares(name: str, waits: list[float], *parts: float) -> dict[str, float]:
    waits = sorted(waits)
    return {f"{name}_p{part * 100:g}_ms": share(waits, part) * 1e3 for part in parts} | {
        f"{name}_max_ms": waits[-1] * 1e3}


def latency(seconds: float) -> dict[str, float]:
    """From what a guest says until the others show it: at the other device, and at its own."""
    each = int(RATE * seconds / SEATS)
    with crowd(2) as (made, links):
        made.enter(links)
        for phone in made.phones:
            phone.say(f"{phone.name} is here")
        for phone in made.phones:
            phone.wait_text(*(f"{other.name} is here" for other in made.phones))
        first, every = time.monotonic() + 1, SEATS / RATE
        begun, spent = time.monotonic(), [cpu_seconds(node.process.pid) for node in made.hosts if node.process]
        played = [cpu_seconds(program.pid) for program in made.programs]
        texts = {phone.name: [f"{phone.name} says {k}" for k in range(each)] for phone in made.phones}
        calls = [phone.begin("speak", first=first + k / RATE, every=every, texts=texts[phone.name])
                 for k, phone in enumerate(made.phones)]
        for phone, call in zip(made.phones, calls):
            phone.result(call, seconds + 60)
        for phone in made.phones:
            phone.wait_text(*(text for some in texts.values() for text in some), seconds=60)
        taken = time.monotonic() - begun
        hosts = sum(cpu_seconds(node.process.pid) for node in made.hosts if node.process) - sum(spent)
        programs = sum(cpu_seconds(program.pid) for program in made.programs) - sum(played)
        times = [phone.do("times") for phone in made.phones]
    crossing, beside, prepared, confirmed, behind = [], [], [], [], []
    for k, own in enumerate(times):
        for message, (said, ready, stored) in own["said"].items():
            prepared.append(ready - said)
            confirmed.append(stored - said)
            for other, row in enumerate(times):
                if other == k:
                    continue
                came = row["came"][message]
                if made.host_of(other) == made.host_of(k):
                    beside.append(came - said)
                else:
                    crossing.append(came - said)
                    behind.append(came - stored)
    return {**shares("crossing", crossing, 0.5, 0.99), **shares("same_device", beside, 0.5, 0.99),
            **shares("prepared", prepared, 0.5, 0.99), **shares("confirmed", confirmed, 0.5, 0.99),
            **shares("after_confirmed", behind, 0.5, 0.99),
            "messages": len(confirmed), "shown": len(crossing) + len(beside),
            "devices_cpu_percent": hosts / taken * 100, "phones_cpu_percent": programs / taken * 100}
