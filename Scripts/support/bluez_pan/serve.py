"""Serving: a bridge, the network access point that is registered on it, and pairings for a limited time."""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from gi.repository import GLib

from .agent import agent
from .bluez import ADAPTER, DEVICE, PROPERTIES, SERVER, Bluez, last
from .bridge import bridge, lacks_link_local
from .events import Events
from .problem import Failure, Problem

NO_PAN = "BlueZ has no Bluetooth networks here: modprobe bnep, then systemctl restart bluetooth"


def serve(options: argparse.Namespace) -> None:
    bluez = Bluez(Events())
    adapter = bluez.adapter(options.adapter)
    if not bluez.has(adapter, SERVER):
        raise Problem(Failure.NO_ADAPTER, NO_PAN)
    with ExitStack() as undo:
        made = undo.enter_context(bridge(options.bridge, options.address))
        if not made:
            print(f"The bridge {options.bridge} was there already; it stays when this ends")
        if lacks_link_local(options.bridge) and not options.address:
            print(f"warning: IPv6 is off on {options.bridge}: give it an address by --address", file=sys.stderr)
        register(bluez, adapter, options.bridge)
        undo.callback(bluez.undo, adapter, SERVER, "Unregister", GLib.Variant("(s)", ("nap",)))
        if options.pair:
            with pairing(bluez, adapter, options.pair):
                trust_who_pairs(bluez, adapter, options.pair)
            print("Pairing is over: only devices that are paired and trusted can join")
        while True:
            bluez.events.wait(lambda: not bluez.has(adapter, SERVER))
            print(f"{last(adapter)} has gone (unplugged, or BlueZ stopped): waiting for it")
            bluez.events.wait(lambda: bluez.has(adapter, SERVER))
            register(bluez, adapter, options.bridge)


def register(bluez: Bluez, adapter: str, name: str) -> None:
    bluez.call(adapter, SERVER, "Register", GLib.Variant("(ss)", ("nap", name)), what="Serving a network")
    values = bluez.values(adapter, ADAPTER)
    print(f"Serving on {last(adapter)} ({values.get('Address')}, \"{values.get('Alias')}\"), bridge {name}; "
          f"others: bluez-pan join {values.get('Address')}")


@contextmanager
def pairing(bluez: Bluez, adapter: str, seconds: int) -> Iterator[None]:
    """Makes the adapter visible and pairable while the block runs, and then restores its settings."""
    before = dict(bluez.values(adapter, ADAPTER))
    with ExitStack() as undo:
        undo.enter_context(agent(bluez, lambda device: device.startswith(adapter + "/"), is_default=True))
        # BlueZ's own timeouts end it even if this program is killed.
        for name, kind, value in (("DiscoverableTimeout", "u", seconds), ("PairableTimeout", "u", seconds),
                                  ("Pairable", "b", True), ("Discoverable", "b", True)):
            if name in before:
                old = GLib.Variant("(ssv)", (ADAPTER, name, GLib.Variant(kind, before[name])))
                undo.callback(bluez.undo, adapter, PROPERTIES, "Set", old)
            bluez.set(adapter, ADAPTER, name, GLib.Variant(kind, value))
        print(f"Visible and accepting pairings for {seconds} s")
        yield


def trust_who_pairs(bluez: Bluez, adapter: str, seconds: int) -> None:
    """Trusts every device that pairs in this time: the user is not asked when the device joins, now or later."""
    before = {device for device in bluez.devices(adapter) if bluez.values(device, DEVICE).get("Paired")}
    end = time.monotonic() + seconds

    def came() -> list[str]:
        return [d for d in bluez.devices(adapter) if d not in before and bluez.values(d, DEVICE).get("Paired")]

    while bluez.events.wait(came, max(0, end - time.monotonic())):
        for device in came():
            before.add(device)
            bluez.set(device, DEVICE, "Trusted", GLib.Variant("b", True))
            values = bluez.values(device, DEVICE)
            print(f"Paired with {values.get('Address')}, \"{values.get('Alias')}\"")
