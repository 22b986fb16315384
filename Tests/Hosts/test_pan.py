"""Goal: Scripts/bluez-pan asks BlueZ for the right things, undoes them, and says clearly what is wrong.
Method: the script against python-dbusmock's BlueZ on a host of its own; each wait is for a line either prints."""
from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from cases import Context, case, expect
from lab import Host, run
from nodes import wait_until
from pan import SCRIPT, Bluetooth, why_no_mock

GUIDE, OTHER = "11:22:33:44:55:66", "11:22:33:44:55:77"
NAP, HEADSET = "00001116-0000-1000-8000-00805f9b34fb", "00001108-0000-1000-8000-00805f9b34fb"


@contextmanager
def host_of(context: Context) -> Iterator[Host]:
    context.repetitions = context.times(1)
    missing = why_no_mock()
    expect(not missing, f"BlueZ cannot be played here: {missing}")
    with context.lab([(0,)], avahi=False) as lab:
        yield lab.hosts[0]


@case
def pan_serve(context: Context) -> None:
    """bluez-pan serve: bridge and network appear, whoever pairs is trusted, Ctrl-C undoes it all; BlueZ restarts."""
    with host_of(context) as host, Bluetooth(host, {GUIDE: "Guide", OTHER: "Other"}) as bluetooth:
        before = bluetooth.status()
        serving = bluetooth.pan("serve", "--adapter", "hci0", "--address", "10.99.0.1/24", "--pair", "600")
        bluetooth.bluez.wait_line(r' Register "nap" "tour-pan"')
        serving.wait_line("^Serving on hci0 ")
        bridge = bluetooth.links()["tour-pan"]
        is_up = bridge["linkinfo"]["info_kind"] == "bridge" and "UP" in bridge["flags"]
        expect(is_up, f"no bridge that is up: {bridge}")
        expect("10.99.0.1" in [a["local"] for a in bridge["addr_info"]], f"the address is not there: {bridge}")
        expect(any(a["scope"] == "link" for a in bridge["addr_info"]), f"no link-local address: {bridge}")

        serving.wait_line("^Visible and accepting pairings for 600 s")
        adapter = bluetooth.status()["adapters"][0]
        expect(adapter["serves"] and adapter["discoverable"] and adapter["pairable"], f"serving, it shows {adapter}")
        expect("boolean true" in bluetooth.steer("PairsItself", GUIDE), "a pairing was refused")
        serving.wait_line(f'^Paired with {GUIDE}, "Guide"')
        guide = bluetooth.status()["devices"][0]
        expect(guide["paired"] and guide["trusted"], f"who paired is not trusted: {guide}")
        expect("boolean true" in bluetooth.steer("UsesService", GUIDE, NAP), "the network was refused")
        expect("boolean false" in bluetooth.steer("UsesService", GUIDE, HEADSET), "another service was allowed")

        expect(serving.interrupt() == 0, f"Ctrl-C ended it with {serving.process.returncode}")
        bluetooth.bluez.wait_line(r' Unregister "nap"')
        expect("tour-pan" not in bluetooth.links(), "the bridge is still there")
        expect(bluetooth.status()["adapters"] == before["adapters"], "the adapter is not as it was")
        expect("boolean false" in bluetooth.steer("PairsItself", OTHER), "a pairing was accepted after the end")


@case
def pan_serve_again(context: Context) -> None:
    """bluez-pan serve: a bridge that was there stays; a BlueZ that comes back is served again."""
    with host_of(context) as host, Bluetooth(host) as bluetooth:
        run("ip", "-n", host.namespace, "link", "add", "mine", "type", "bridge")
        serving = bluetooth.pan("serve", "--bridge", "mine", "--address", "fd99::1/64")
        serving.wait_line("was there already")
        serving.wait_line("^Serving on hci0 .* bridge mine")
        bluetooth.stop()
        serving.wait_line("^hci0 has gone")
        bluetooth.start()
        bluetooth.bluez.wait_line(r' Register "nap" "mine"')
        serving.wait_line("^Serving on hci0 ")
        serving.close()  # SIGTERM
        expect(serving.process.returncode == 0, f"SIGTERM ended it with {serving.process.returncode}")
        bridge = bluetooth.links()["mine"]
        expect("UP" not in bridge["flags"] and not bridge["addr_info"], f"the bridge is not as it was: {bridge}")


@case
def pan_join(context: Context) -> None:
    """bluez-pan join: pairs, connects, prints the interface, connects again after a loss, and Ctrl-C disconnects."""
    with host_of(context) as host, Bluetooth(host, {GUIDE: "Guide"}) as bluetooth:
        joined = bluetooth.pan("join", "guide")
        joined.wait_line(f"^Pairing with {GUIDE}")
        bluetooth.bluez.wait_line(r' Connect "nap"')
        joined.wait_line(f"^Connected: bnep0 to {GUIDE}")
        row = bluetooth.status()["devices"][0]
        expect(row["paired"] and row["trusted"] and row["joined"] and row["interface"] == "bnep0", f"joined: {row}")

        bluetooth.steer("Drop", GUIDE)
        joined.wait_line("^Disconnected; next attempt in 1 s")
        joined.wait_line("^Connected: bnep0")
        bluetooth.steer("Fail", "Connect", "Failed", "int32:1")
        bluetooth.steer("Drop", GUIDE)
        joined.wait_line("^Disconnected; next attempt in 2 s")
        joined.wait_line("^Connecting: .*; next attempt in 4 s")
        joined.wait_line("^Connected: bnep0")

        expect(joined.interrupt() == 0, f"Ctrl-C ended it with {joined.process.returncode}")
        bluetooth.bluez.wait_line(" Disconnect$")
        expect(not bluetooth.status()["devices"][0]["joined"], "it is still connected after Ctrl-C")


@case
def pan_join_found(context: Context) -> None:
    """bluez-pan join: a device not known yet is looked for; a connection that is not its own stays."""
    with host_of(context) as host, Bluetooth(host) as bluetooth:
        first = bluetooth.pan("join", GUIDE.lower(), "--search", "600")
        bluetooth.bluez.wait_line(" StartDiscovery")
        bluetooth.steer("Appear", GUIDE, "Guide")
        bluetooth.bluez.wait_line(" StopDiscovery")
        first.wait_line("^Connected: bnep0")
        second = bluetooth.pan("join", GUIDE)
        second.wait_line("^Connected already, over bnep0")
        expect(second.interrupt() == 0, f"Ctrl-C ended it with {second.process.returncode}")
        expect(bluetooth.status()["devices"][0]["joined"], "the second one ended the first one's connection")
        bluetooth.stop()
        first.wait_line("^Disconnected; next attempt in 1 s")
        first.wait_line("^BlueZ does not show the device")
        expect(first.interrupt() == 0, "it did not end while BlueZ was away")


@case
def pan_status(context: Context) -> None:
    """bluez-pan status: adapters, devices with a network, and the interfaces of both directions, also as JSON."""
    with host_of(context) as host, Bluetooth(host, {GUIDE: "Guide", OTHER: "Headset"}) as bluetooth:
        for name, *more in (("bnep0", "veth", "peer", "f0"), ("bnep1", "veth", "peer", "f1"), ("tour-pan", "bridge")):
            run("ip", "-n", host.namespace, "link", "add", name, "type", *more)
        run("ip", "-n", host.namespace, "link", "set", "bnep1", "master", "tour-pan", "up")
        bluetooth.pan("join", GUIDE).wait_line("^Connected: bnep0")
        found = bluetooth.status()
        wanted = {
            "adapters": [{"adapter": "hci0", "address": "00:01:02:03:04:05", "name": "Adapter hci0", "powered": True,
                          "discoverable": False, "pairable": True, "canServe": True, "serves": False}],
            "devices": [{"address": GUIDE, "name": "Guide", "adapter": "hci0", "paired": True, "trusted": True,
                         "connected": False, "roles": ["panu", "nap"], "joined": True, "interface": "bnep0"}],
            "interfaces": [{"interface": "bnep0", "bridge": None, "up": False},
                           {"interface": "bnep1", "bridge": "tour-pan", "up": True}]}
        expect(found == wanted, f"status says {json.dumps(found)}")
        text = run(*host.argv(["env", f"DBUS_SYSTEM_BUS_ADDRESS={host.bus}", str(SCRIPT), "status"]))
        for part in ('hci0  00:01:02:03:04:05  "Adapter hci0"  powered', "over bnep0", "bnep1  on bridge tour-pan"):
            expect(part in text, f"no '{part}' in: {text}")
        expect(OTHER not in text, "a device without a network is listed")


@case
def pan_errors(context: Context) -> None:
    """bluez-pan: each thing that can be wrong has its exit code and a sentence that says what to do."""
    with host_of(context) as host:
        def fails(bluetooth: Bluetooth, status: int, part: str, *words: str, prefix: tuple[str, ...] = (),
                  **environment: str) -> None:
            program = bluetooth.pan(*words, prefix=prefix, **environment)
            line = program.wait_line("error: ")
            got = program.process.wait(10)
            expect(got == status and part in line, f"{words}: status {got}, not {status}, or no '{part}' in: {line}")
            expect("tour-pan" not in bluetooth.links(), f"{words}: the bridge is left behind")

        with Bluetooth(host, {GUIDE: "Same", OTHER: "Same"}) as bluetooth:
            fails(bluetooth, 2, "no address with prefix", "serve", "--address", "nonsense")
            fails(bluetooth, 3, "system D-Bus", "status", DBUS_SYSTEM_BUS_ADDRESS="unix:path=/nonexistent")
            (host.home / "gi.py").write_text("raise ImportError\n")
            fails(bluetooth, 3, "apt-get install python3-gi", "status", PYTHONPATH=str(host.home))
            fails(bluetooth, 4, "no adapter hci7; here: hci0", "serve", "--adapter", "hci7")
            fails(bluetooth, 5, "run this as root", "serve", prefix=("setpriv", "--bounding-set=-net_admin"))
            for refusal in ("NotAuthorized", "org.freedesktop.DBus.Error.AccessDenied"):
                bluetooth.steer("Fail", "Register", refusal, "int32:1")
                fails(bluetooth, 5, "not authorised", "serve")
            bluetooth.steer("Fail", "Register", "AlreadyExists", "int32:1")
            fails(bluetooth, 1, "AlreadyExists", "serve")
            run("ip", "-n", host.namespace, "link", "add", "veth9", "type", "veth", "peer", "name", "veth8")
            fails(bluetooth, 1, "no bridge", "serve", "--bridge", "veth9")
            fails(bluetooth, 6, "bluez-pan serve --pair", "join", "Nobody", "--search", "1")
            fails(bluetooth, 6, f"{GUIDE}, {OTHER}", "join", "same")
            bluetooth.steer("Fail", "Pair", "AuthenticationRejected", "int32:1")
            fails(bluetooth, 5, "the other node refused", "join", GUIDE)
            bluetooth.steer("PairedWithoutNetwork", OTHER)
            fails(bluetooth, 1, "offers no network", "join", OTHER)
            bluetooth.steer("Power", "boolean:false")
            fails(bluetooth, 4, "hci0 is switched off", "serve")
            fails(bluetooth, 4, "hci0 is switched off", "join", GUIDE)
            bluetooth.stop()
            fails(bluetooth, 3, "BlueZ is not running", "serve")
        with Bluetooth(host, adapters=()) as bluetooth:
            fails(bluetooth, 4, "no Bluetooth adapter", "join", GUIDE)
            expect(bluetooth.status()["adapters"] == [], "there is no adapter, and one is listed")
    expect("tour-pan" not in subprocess.run(["ip", "link"], capture_output=True, text=True).stdout,
           "a bridge was made outside the host")


@case
def pan_carries(context: Context) -> None:
    """Two nodes find each other once bluez-pan serves and joins a network: a wire of 1 Mbit/s is its BNEP."""
    context.repetitions = context.times(1)
    missing = why_no_mock()
    expect(not missing, f"BlueZ cannot be played here: {missing}")
    with context.lab([(0,), (1,)], avahi=False) as lab:
        here, there = lab.hosts
        here.start_avahi("tour-pan")
        there.start_avahi("bnep0")
        guide, member = here.node("guide").start(), there.node("member").start()
        code = str(guide.must("tour", "create", "Walk").first["joinCode"])
        with Bluetooth(here) as serving, Bluetooth(there, {GUIDE: "Guide"}) as joining:
            serving.pan("serve").wait_line("^Serving on hci0")
            joining.pan("join", "Guide").wait_line("^Connected: bnep0")
            # What the kernel's BNEP does on both sides; the only addresses are IPv6 link-local ones.
            lab.wire((here, "bnep0"), (there, "bnep0"), "1mbit")
            run("ip", "-n", here.namespace, "link", "set", "bnep0", "master", "tour-pan", "up")
            run("ip", "-n", there.namespace, "link", "set", "bnep0", "up")
            expect(serving.status()["interfaces"] == [{"interface": "bnep0", "bridge": "tour-pan", "up": True}],
                   "status does not show the joined node's interface")
            member.must("join", code, "--name", member.name, seconds=120)
            wait_until(lambda: member.links() >= 1, 60, "a link over the Bluetooth network")
            guide.follow().wait_ids([member.send("over Bluetooth")], 60)
            member.follow().wait_ids([guide.send("and back")], 60)
