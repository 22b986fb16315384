"""Joining: finds and pairs the serving node, connects to its network, and reconnects whenever the connection ends."""
from __future__ import annotations

import argparse
import re
import time

from gi.repository import GLib

from .agent import agent
from .bluez import ADAPTER, DEVICE, NETWORK, Bluez
from .events import Events
from .problem import Failure, Problem

PAIRING_SECONDS = 60
CONNECT_SECONDS = 40  # BlueZ itself stops paging after 5 to 20 s
SERVICES_SECONDS = 15  # in which BlueZ reads the other node's services
PAUSE_FIRST, PAUSE_MAX = 1, 30  # seconds between attempts; each pause is twice the last


def join(options: argparse.Namespace) -> None:
    bluez = Bluez(Events())
    adapter = bluez.adapter(options.adapter)
    device = find(bluez, adapter, options.device, options.search)
    pair(bluez, device)
    await_network(bluez, device)
    Joiner(bluez, device).run()


# Finding and pairing.
def matches(bluez: Bluez, adapter: str, wanted: str) -> list[str]:
    """The devices with this address or name: only one device has an address, several may have a name."""
    def fits(device: str) -> bool:
        values = bluez.values(device, DEVICE)
        if re.fullmatch(r"(?i)([0-9a-f]{2}[:-]){5}[0-9a-f]{2}", wanted):
            return values.get("Address", "").lower() == wanted.replace("-", ":").lower()
        return wanted.casefold() in (values.get("Alias", "").casefold(), values.get("Name", "").casefold())
    return [device for device in bluez.devices(adapter + "/") if fits(device)]


def find(bluez: Bluez, adapter: str, wanted: str, seconds: int) -> str:
    if not matches(bluez, adapter, wanted):
        print(f"Looking for {wanted} for {seconds} s")
        bluez.call(adapter, ADAPTER, "SetDiscoveryFilter",  # only classic Bluetooth has networks
                   GLib.Variant("(a{sv})", ({"Transport": GLib.Variant("s", "bredr")},)), what="Looking for devices")
        bluez.call(adapter, ADAPTER, "StartDiscovery", what="Looking for devices")
        try:
            bluez.events.wait(lambda: matches(bluez, adapter, wanted), seconds)
        finally:
            bluez.undo(adapter, ADAPTER, "StopDiscovery")
    found = matches(bluez, adapter, wanted)
    if not found:
        raise Problem(Failure.UNKNOWN_DEVICE, f"no device {wanted} is known or in reach; on the other node run "
                      "bluez-pan serve --pair 120; bluez-pan status lists what is known here")
    if len(found) > 1:
        which = ", ".join(bluez.values(device, DEVICE)["Address"] for device in found)
        raise Problem(Failure.UNKNOWN_DEVICE, f"several devices are called {wanted}: say which by its address: {which}")
    return found[0]


def pair(bluez: Bluez, device: str) -> None:
    values = bluez.values(device, DEVICE)
    if not values.get("Paired"):
        print(f"Pairing with {values.get('Address')}, \"{values.get('Alias')}\"")
        with agent(bluez, lambda asked: asked == device, is_default=False):
            bluez.call(device, DEVICE, "Pair", seconds=PAIRING_SECONDS, what="Pairing")
    if not values.get("Trusted"):
        bluez.set(device, DEVICE, "Trusted", GLib.Variant("b", True))


def await_network(bluez: Bluez, device: str) -> None:
    """Waits until BlueZ has seen that the device offers a network; a connection makes BlueZ look again."""
    def is_offered() -> bool:
        return bluez.has(device, NETWORK)

    if is_offered():
        return
    try:
        bluez.call(device, DEVICE, "Connect", seconds=CONNECT_SECONDS, what="Connecting")
    except Problem:
        pass  # connected all the same; if not, the next call fails
    # BlueZ creates a service's objects first and reports afterwards that it has read all services.
    bluez.events.wait(lambda: is_offered() or bluez.values(device, DEVICE).get("ServicesResolved"), SERVICES_SECONDS)
    if not is_offered():
        address = bluez.values(device, DEVICE).get("Address")
        raise Problem(Failure.OTHER, f"{address} offers no network: run bluez-pan serve there; if it runs, "
                      f"bluetoothctl remove {address} makes BlueZ look again")


class Joiner:
    """The connection to one device's network, which lasts until somebody ends the program."""

    def __init__(self, bluez: Bluez, device: str) -> None:
        self.bluez, self.device = bluez, device
        self.is_ours = False

    def is_connected(self) -> bool:
        return bool(self.bluez.values(self.device, NETWORK).get("Connected"))

    def run(self) -> None:
        pause = PAUSE_FIRST
        try:
            while True:
                begun = time.monotonic()
                problem = self.attempt()
                if time.monotonic() - begun > PAUSE_MAX:
                    pause = PAUSE_FIRST  # the connection lasted for a while
                print(f"{problem}; next attempt in {pause} s")
                self.bluez.events.pause(pause)
                pause = min(2 * pause, PAUSE_MAX)
        finally:
            if self.is_ours:
                self.bluez.undo(self.device, NETWORK, "Disconnect")

    def attempt(self) -> str:
        """Connects, reports it, and waits until the connection ends; returns the reason."""
        if not self.bluez.has(self.device, NETWORK):
            return "BlueZ does not show the device (is it running?)"
        if self.is_connected():
            interface = self.bluez.values(self.device, NETWORK).get("Interface")
            print(f"Connected already, over {interface}; not by this program, so it stays when this ends")
        else:
            try:
                interface = self.connect()
            except Problem as problem:
                if problem.failure is Failure.NOT_AUTHORISED:
                    raise
                return str(problem)
            print(f"Connected: {interface} to {self.bluez.values(self.device, DEVICE).get('Address')}")
        self.bluez.events.wait(lambda: not self.is_connected())
        self.is_ours = False
        return "Disconnected"

    def connect(self) -> str:
        self.is_ours = True  # even during the attempt: Disconnect ends it
        try:
            interface = self.bluez.call(self.device, NETWORK, "Connect", GLib.Variant("(s)", ("nap",)),
                                        seconds=CONNECT_SECONDS, what="Connecting")[0]
        except Problem:
            self.is_ours = False
            raise
        # The answer may arrive before the property changes.
        self.bluez.events.wait(self.is_connected, 5)
        return str(interface)
