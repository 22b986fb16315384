"""Attacks on the handshake of a running node. Protocol/03-handshake.md, "Failures"; 07-joining.md, "Exchange".

    python Tests/PythonNode/attacks.py CODE HOST:PORT            as initiator, stranger, joiner and member
    python Tests/PythonNode/attacks.py CODE HOST:PORT --listen   as responder, to nodes that dial 127.0.1.1 to .100

Joins honestly first (an insider knows the most), then prints one JSON object a line for each kind of attack. After
each single one the node has to answer an honest handshake. Ends with 1 as soon as one of them got an answer.
"""
from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable

from attack_binds import false_binds, false_requests, identity_on_another_key, second_identity
from attack_dialler import answer_falsely
from attack_flights import (hello_changed, lengths_changed, low_order_points, message_1_changed, message_3_changed,
                            other_versions, replayed, stream_cut, strangers)
from attack_target import Target, enter
from tour import Code

ATTACKS: list[Callable[[Target], Awaitable[int]]] = [
    hello_changed, message_1_changed, stream_cut, lengths_changed, replayed, other_versions, strangers,
    low_order_points, message_3_changed, false_binds,
    identity_on_another_key, false_requests, second_identity]


async def main() -> None:
    parser = argparse.ArgumentParser(prog="attacks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("code")
    parser.add_argument("target", metavar="HOST:PORT")
    parser.add_argument("--listen", action="store_true")
    options = parser.parse_args()
    host, _, port = options.target.rpartition(":")
    target = await enter(Code.read(options.code), host, int(port))
    if options.listen:
        print(json.dumps({"attack": "message_2_changed", "tried": await answer_falsely(target.tour)}), flush=True)
        return
    for attack in ATTACKS:
        print(json.dumps({"attack": attack.__name__, "tried": await attack(target)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
