"""Attacks on the handshake of a running node. Protocol/03-handshake.md, "Failures"; 07-joining.md, "Exchange".

    python Tests/PythonNode/attacks.py CODE HOST:PORT [--from ADDRESS …]     as initiator, stranger, joiner and member
    python Tests/PythonNode/attacks.py CODE HOST:PORT --answer members|joiners
                                                        as responder, to nodes that dial 127.0.1.1 to .100, port 29999

Joins honestly first (an insider knows the most), then prints one JSON object a line for each kind of attack. After
each single one the node has to answer an honest handshake. Ends with 1 as soon as one of them got an answer.
"""
from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable

from attack_binds import after_leaving, false_binds, false_requests, identity_on_another_key
from attack_dialler import message_2_changed
from attack_flights import (hello_changed, lengths_changed, low_order_points, message_1_changed, message_3_changed,
                            other_versions, replayed, stream_cut, strangers)
from attack_joiner import false_hosts
from attack_target import TURNS, Target, enter
from tour import Code

Attack = Callable[[Target], Awaitable[int]]
ATTACKS: list[Attack] = [
    hello_changed, message_1_changed, stream_cut, lengths_changed, replayed, other_versions, strangers,
    low_order_points, message_3_changed, false_binds, identity_on_another_key, false_requests,
    after_leaving]


async def main() -> None:
    parser = argparse.ArgumentParser(prog="attacks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("code")
    parser.add_argument("target", metavar="HOST:PORT")
    parser.add_argument("--answer", choices=["members", "joiners"])
    parser.add_argument("--from", dest="sources", action="append", default=[], metavar="ADDRESS")
    options = parser.parse_args()
    TURNS.sources = options.sources
    host, _, port = options.target.rpartition(":")
    target = await enter(Code.read(options.code), host, int(port))
    answers: dict[str, list[Attack]] = {"members": [message_2_changed], "joiners": [false_hosts]}
    for attack in answers.get(options.answer, ATTACKS):
        print(json.dumps({"attack": attack.__name__, "tried": await attack(target)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
