"""Goal: `tour-chat hotspot` asks NetworkManager for the right network, undoes it, and says clearly what is wrong.
Method: the real program against python-dbusmock's NetworkManager on the bus of a host of its own."""
from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager

from cases import Context, case, expect
from lab import Host
from networks import ALL, AP, FIVE, FREQUENCIES, Networks, card
from nodes import Answer, Node, wait_until
from pan import Program, why_no_mock

PROFILE = "6f0c1f5e-52a8-4c1b-9d57-0a4f2f6b7c11"
ESCAPED = re.compile(r'[\\;,:"]')


@contextmanager
def guide_of(context: Context) -> Iterator[tuple[Host, Node]]:
    """A host with a bus, and a node there that runs."""
    context.repetitions = context.times(1)
    missing = why_no_mock()
    expect(not missing, f"NetworkManager cannot be played here: {missing}")
    with context.lab([(0,)], avahi=False) as lab:
        host = lab.hosts[0]
        host.start_bus()
        yield host, host.node("guide").start()


def expect_refused(answer: Answer, code: str, words: str) -> None:
    expect(answer.status == 1 and answer.code == code, f"{answer.status}, {answer.text[-300:]} instead of {code}")
    told = answer.error["message"].replace("\u2068", "").replace("\u2069", "")
    expect(words in told, f"{code}: '{told}' lacks '{words}'")


def escaped(text: str) -> str:
    return ESCAPED.sub(lambda found: "\\" + found.group(), text)


@case
def hotspot_on_and_off(context: Context) -> None:
    """A network of one's own is on with a made-up name and password, stays the same, changes when told, and ends."""
    with guide_of(context) as (host, guide), Networks(host, card(network="Hotel")) as manager:
        off = guide.must("hotspot", "status").first
        expect(off["state"] == "off" and off["problem"] is None and off["name"] is None, f"at first: {off}")
        expect(off["interface"] == "wlan0" and off["replaces"] == "Hotel", f"what it would leave: {off}")

        on = guide.must("hotspot", "on").first
        manager.has(" AddAndActivateConnection ")
        expect(on["state"] == "on" and on["interface"] == "wlan0" and on["replaces"] == "Hotel", f"on: {on}")
        expect(re.fullmatch(r"Tour [A-Z][a-z]+ [A-Z][a-z]+", on["name"]), f"the name is {on['name']}")
        expect(re.fullmatch(r"\w{4}-\w{4}-\w{4}", on["password"]), f"the password is {on['password']}")
        expect(on["code"] == f"WIFI:T:WPA;S:{on['name']};P:{on['password']};;", f"the code is {on['code']}")
        expect_settings(manager, on["name"], on["password"])
        first = address(manager)

        again = guide.must("hotspot", "on").first
        expect({**again, "replaces": "Hotel"} == on, f"asked again, it is {again}")
        shown = guide.must("hotspot", "status").first
        expect(shown == again, f"its status is {shown}")

        expect(guide.must("hotspot", "off").first["state"] == "off", "it is not off")
        manager.has(" DeactivateConnection ")
        back = guide.must("hotspot", "status").first
        expect(back["replaces"] == "Hotel" and back["password"] == on["password"], f"off, it is {back}")
        expect(guide.must("hotspot", "off").first["state"] == "off", "off twice failed")

        later = guide.must("hotspot", "on").first
        manager.has(" ActivateConnection ")
        expect((later["name"], later["password"]) == (on["name"], on["password"]), f"later it is another: {later}")
        expect(len(manager.profiles()) == 1, f"profiles: {manager.profiles()}")
        expect(address(manager) == first, "later it has other addresses, and phones do not find the page again")


def address(manager: Networks) -> str:
    """The machine's own in its network: each profile has its own, 10.42.0.1 is nobody's."""
    [own] = manager.profiles()[0]["ipv4"]["address-data"]
    expect(own["prefix"] == 24 and re.fullmatch(r"10\.\d+\.\d+\.1", own["address"]), f"its addresses: {own}")
    expect(own["address"] != "10.42.0.1", "it has the addresses that all such networks have")
    return str(own["address"])


def expect_settings(manager: Networks, name: str, password: str, **more: str) -> None:
    """What NetworkManager was asked for."""
    settings = manager.profiles()[0]
    connection, wireless = settings["connection"], settings["802-11-wireless"]
    security = settings["802-11-wireless-security"]
    expect(connection["uuid"] == PROFILE and not connection["autoconnect"], f"the profile: {connection}")
    expect(bytes(wireless["ssid"]).decode() == name, f"the name it serves: {wireless}")
    expect(wireless["mode"] == "ap" and wireless["band"] == more.get("band", "bg"), f"how it serves: {wireless}")
    expect(security["psk"] == password and security["key-mgmt"] == more.get("key", "wpa-psk"), f"its keys: {security}")
    expect((security["proto"], security["pairwise"]) == (["rsn"], ["ccmp"]), f"its ciphers: {security}")
    expect(settings["ipv4"]["method"] == "shared", f"its addresses: {settings['ipv4']}")


@case
def hotspot_as_told(context: Context) -> None:
    """Name, password, band and security are as the user says, whatever letters they have; nonsense is refused."""
    with guide_of(context) as (host, guide), Networks(host, card(abilities=ALL | FREQUENCIES | FIVE)) as manager:
        name, password = 'A;B:C,D"E\\F ü', '\\;,:"\'$ `x'
        on = guide.must("hotspot", "on", "--name", name, "--password", password).first
        expect((on["name"], on["password"]) == (name, password), f"it is {on}")
        expect(on["code"] == f"WIFI:T:WPA;S:{escaped(name)};P:{escaped(password)};;", f"the code is {on['code']}")
        expect_settings(manager, name, password)
        guide.must("hotspot", "on", "--name", "Rome", "--band", "5", "--wpa3")
        expect_settings(manager, "Rome", password, band="a", key="sae")
        expect(guide.must("hotspot", "status").first["security"] == "wpa3", "it is not by WPA3")

        plain = [argument for argument in guide.argv("hotspot", "status") if argument != "--json"]
        words = subprocess.run(plain, capture_output=True, text=True,
                               env={**host.environment(), "LC_ALL": "C.UTF-8"}).stdout
        expect("Rome" in words and password in words and "█" in words, f"shown as {words}")

        expect_refused(guide.ask("hotspot", "on", "--password", "1234567"), "hotspot-password-length", "8 to 63")
        umlauts = guide.ask("hotspot", "on", "--password", "grüßegrüße")
        expect_refused(umlauts, "hotspot-password-letters", "keyboard")
        expect_refused(guide.ask("hotspot", "on", "--name", "x" * 33), "hotspot-name", "32 bytes")
        expect_refused(guide.ask("hotspot", "on", "--band", "7"), "bad-request", "2.4")
        expect_settings(manager, "Rome", password, band="a", key="sae")


@case
def hotspot_where_it_cannot_be(context: Context) -> None:
    """No NetworkManager, no card, none that can serve: each is told with what helps, and status shows it beforehand."""
    with guide_of(context) as (host, guide):
        expect_refused(guide.ask("hotspot", "on"), "hotspot-no-manager", "phone")
        expect_refused(guide.ask("hotspot", "off"), "hotspot-no-manager", "phone")
        expect(guide.must("hotspot", "status").first["problem"]["code"] == "hotspot-no-manager", "status is silent")
        for cards, code, words in [
            ([], "hotspot-no-card", "Plug one in"),
            ([card(abilities=ALL & ~AP)], "hotspot-cannot-serve", "wlan0"),
            ([card(state=10)], "hotspot-not-managed", "wlan0"),
            ([card(state=20)], "hotspot-not-ready", "firmware"),
        ]:
            with Networks(host, *cards):
                expect_refused(guide.ask("hotspot", "on"), code, words)
                told = guide.must("hotspot", "status").first["problem"]["code"]
                expect(told == code, f"status says {told}, not {code}")
        with Networks(host, card(abilities=ALL | FREQUENCIES)) as manager:
            expect_refused(guide.ask("hotspot", "on", "--band", "5"), "hotspot-no-5ghz", "2.4 GHz")
            manager.steer("Wifi", "boolean:false")
            expect_refused(guide.ask("hotspot", "on"), "hotspot-wifi-off", "turn it on")
        with Networks(host, card(), WirelessHardwareEnabled=False):
            expect_refused(guide.ask("hotspot", "on"), "hotspot-wifi-off", "switch")
        with Networks(host, card(network="Hotel"), card("wlan1")):
            on = guide.must("hotspot", "on").first
            expect(on["interface"] == "wlan1" and on["replaces"] is None, f"two cards: {on}")


@case
def hotspot_that_fails(context: Context) -> None:
    """Refused by the machine's rules, failed on the way, NetworkManager's end: said as what it is, and all goes on."""
    denied = "org.freedesktop.NetworkManager.PermissionDenied"
    with guide_of(context) as (host, guide), Networks(host, card(network="Hotel")) as manager:
        manager.steer("Fail", "AddAndActivateConnection", denied)
        expect_refused(guide.ask("hotspot", "on"), "hotspot-refused", "administers")
        manager.steer("Fail", "AddAndActivateConnection", "")
        for reason, words in [(10, "another card"), (18, "dnsmasq"), (39, "Something else")]:
            manager.steer("FailStarts", f"int32:{reason}")
            expect_refused(guide.ask("hotspot", "on"), "hotspot-not-started", words)
            wait_until(lambda: guide.must("hotspot", "status").first["replaces"] == "Hotel", 10, "the card is back")
        expect_refused(guide.ask("hotspot", "on", "--wpa3"), "hotspot-not-started", "Something else")
        wait_until(lambda: guide.must("hotspot", "status").first["replaces"] == "Hotel", 10, "the card is back")
        manager.steer("FailStarts", "int32:-1")
        expect(guide.must("hotspot", "on").first["state"] == "on", "after failures it does not start")
        manager.steer("Fail", "GetSecrets", denied)
        hidden = guide.must("hotspot", "status").first
        expect(hidden["state"] == "on" and hidden["password"] is None, f"with a password that is not told: {hidden}")
        manager.steer("Fail", "GetSecrets", "")

        manager.steer("DieAt", "DeactivateConnection")
        expect_refused(guide.ask("hotspot", "off"), "hotspot-manager-gone", "Try again")
        manager.stop()
        manager.start()
        manager.steer("Stick", "boolean:true")
        command = [guide.binary, "--data-dir", str(guide.data), "--json", "hotspot", "on"]
        with closing(starting := Program(host, "on", *command)):
            manager.has(" AddAndActivateConnection ")
            expect(guide.must("hotspot", "status").first["state"] == "starting", "it is not starting")
            manager.stop()
            starting.wait_line("hotspot-manager-gone")
        manager.start()
        expect(guide.must("hotspot", "on").first["state"] == "on", "with a new NetworkManager it does not start")
