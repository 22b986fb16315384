"""Goal: a phone that enters the hotspot of a device with guests' seats is led to the page for guests, and stays there
when its guest wants it to; where the device has internet itself, the phones' questions are left alone.
Method: dnsmasq as NetworkManager starts it, with the two files of our package, on a host of the lab; a phone that gets
its address by DHCP, resolves what phones ask, and follows the answers."""
from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cases import Context, Unavailable, case, expect
from lab import Host, run
from nodes import end, wait_until
from test_hotspot import PROFILE

PARTS = Path(__file__).resolve().parents[2] / "Scripts" / "support" / "package" / "portal"
# As the file for the dispatcher says them, which knows no other place.
STATE, OURS = Path("/run/tour-chat-portal"), "203.0.113.80"
CARD, HOTSPOT = "wlan0", "10.42.0.1"
# What systems ask, and what they find where there is internet.
PROBES = [
    ("connectivitycheck.gstatic.com", "/generate_204", 204, ""),
    ("captive.apple.com", "/hotspot-detect.html", 200, "Success"),
    ("www.msftconnecttest.com", "/connecttest.txt", 200, "Microsoft Connect Test"),
    ("detectportal.firefox.com", "/success.txt", 200, "success"),
    ("network-test.debian.org", "/nm", 200, "NetworkManager is online"),
]


def why_impossible() -> str | None:
    missing = [tool for tool in ("dnsmasq", "udhcpc", "busybox", "nft", "curl") if not shutil.which(tool)]
    return f"no {', '.join(missing)} here; 'Scripts/install test' installs it" if missing else None


class Sharing:
    """A network that a host serves as NetworkManager does in the mode "shared". To be used in `with`."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def __enter__(self) -> Sharing:
        # All hosts of a lab have one /run.
        self._turn = Path("/run/tour-chat-portal.turn").open("w")
        fcntl.flock(self._turn, fcntl.LOCK_EX)
        run("ip", "-n", self.host.namespace, "addr", "add", f"{HOTSPOT}/24", "brd", "+", "dev", CARD)
        run("ip", "-n", self.host.namespace, "link", "set", CARD, "up")
        folder = self.host.home / "dnsmasq-shared.d"
        folder.mkdir()
        shutil.copy(PARTS / "dnsmasq.conf", folder)
        for line in (PARTS / "tmpfiles.conf").read_text().splitlines():
            if line.startswith("d "):
                Path(line.split()[1]).mkdir(mode=int(line.split()[2], 8), exist_ok=True)
        # Source: NetworkManager 1.42, nm-dnsmasq-manager.c. The last line is for the lab: it has no other users, and
        # nobody whom this machine asks for names.
        self._dnsmasq = self.host.daemon(
            ["dnsmasq", "--conf-file=/dev/null", "--no-hosts", "--keep-in-foreground", "--bind-interfaces",
             "--except-interface=lo", "--clear-on-reload", "--strict-order", f"--listen-address={HOTSPOT}",
             "--dhcp-range=10.42.0.10,10.42.0.254,60m", f"--dhcp-leasefile={self.host.home}/leases",
             f"--pid-file={self.host.home}/dnsmasq.pid", f"--conf-dir={folder}",
             "--user=root", "--group=root", "--no-resolv", "--log-facility=-"], "dnsmasq.log")
        return self

    def __exit__(self, *_: object) -> None:
        self.tell(CARD, "down", PROFILE)
        end(self._dnsmasq, 5)
        shutil.rmtree(STATE)
        self._turn.close()

    def tell(self, interface: str, action: str, profile: str = "", file: Path | None = None) -> None:
        """What NetworkManager's dispatcher does after a change; `file`: of the profile."""
        done = subprocess.run(
            self.host.argv([str(PARTS / "dispatcher.sh"), interface, action]), capture_output=True, text=True,
            timeout=20, env={**os.environ, "CONNECTION_UUID": profile, "CONNECTION_FILENAME": str(file or "")})
        expect(done.returncode == 0 and not done.stderr, f"{interface} {action}: {done.returncode}, {done.stderr}")

    def leads(self) -> bool:
        """Whether questions that come here are led to the page."""
        return OURS in run(*self.host.argv(["nft", "list", "ruleset"]))


class Phone:
    """A host that is a phone: it enters by DHCP, and asks as phones do."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def enter(self) -> dict[str, str]:
        """Returns the options of the lease."""
        script, lease = self.host.home / "bound", self.host.home / "lease"
        script.write_text('#!/bin/sh\n[ "$1" = bound ] || exit 0\nset -e\nip addr add "$ip/$mask" dev "$interface"\n'
                          f'ip route replace default via "$router"\nenv >"{lease}"\n')
        script.chmod(0o755)
        run("ip", "-n", self.host.namespace, "link", "set", CARD, "up")
        run(*self.host.argv(["udhcpc", "-i", CARD, "-f", "-n", "-q", "-t", "10", "-T", "1", "-O", "114",
                             "-s", str(script)]))
        return dict(line.split("=", 1) for line in lease.read_text().splitlines() if "=" in line)

    def resolve(self, name: str) -> list[str]:
        """The addresses of a name; none where it is refused."""
        done = subprocess.run(self.host.argv(["busybox", "nslookup", "-type=a", name, HOTSPOT]),
                              capture_output=True, text=True, timeout=20)
        return re.findall(r"^Address(?: \d+)?: ([0-9.]+)$", done.stdout.partition("Name:")[2], re.MULTILINE)

    def get(self, name: str, path: str, *more: str) -> tuple[int, str, str]:
        """Status, address and body at the end of all redirections."""
        found = self.resolve(name)
        expect(found == [OURS], f"{name} is at {found}")
        return self.fetch(f"http://{name}{path}", "--resolve", f"{name}:80:{found[0]}", *more)

    def fetch(self, address: str, *more: str) -> tuple[int, str, str]:
        told = run(*self.host.argv(["curl", "--silent", "--show-error", "--max-time", "10", "--location",
                                    "--write-out", "\n%{http_code} %{url_effective}", *more, address]))
        body, _, last = told.rpartition("\n")
        status, _, address = last.partition(" ")
        return int(status), address, body


@contextmanager
def page_for_guests(host: Host) -> Iterator[str]:
    """A node of a guide with seats; its link for guests."""
    guide = host.node("guide").start()
    guide.must("tour", "create", "Museum")
    yield guide.must("seats", "on").first["link"]


@contextmanager
def hotspot_and_phone(context: Context) -> Iterator[tuple[Sharing, Phone]]:
    """A host that shares a network, without a way to the internet; and a phone that is not in it yet."""
    context.repetitions = context.times(1)
    if missing := why_impossible():
        raise Unavailable(missing)
    with context.lab([(0,), (1,)], avahi=False) as lab:
        host, phone = lab.hosts
        lab.wire((host, CARD), (phone, CARD))
        for one in lab.hosts:
            run("ip", "-n", one.namespace, "route", "del", "default")
        with Sharing(host) as sharing:
            yield sharing, Phone(phone)


@case
def captive_leads_to_the_page(context: Context) -> None:
    """A phone's questions for the internet lead to the welcome, until its guest stays; then they are answered."""
    with hotspot_and_phone(context) as (sharing, phone), page_for_guests(sharing.host) as link:
        welcome = f"http://{HOTSPOT}:8480/welcome"
        expect(re.match(r"http://[^/]+:8480/#", link), f"the link is {link}")
        sharing.tell(CARD, "up", PROFILE)
        lease = phone.enter()
        expect(lease["dns"] == HOTSPOT and lease["router"] == HOTSPOT, f"the lease is {lease}")
        # It would have to name an API by https with a certificate that phones trust (RFC 8908): nobody has one here.
        expect("opt114" not in lease, f"the lease names a portal: {lease}")
        for name, path, _, _ in PROBES:
            status, address, body = phone.get(name, path)
            expect((status, address) == (200, welcome), f"{name}{path} leads to {status} {address}")
            expect('<form method="post"' in body, f"the welcome is {body}")
        expect(phone.resolve("www.example.org") == [], "other names are answered too")
        expect(phone.get("www.msftconnecttest.com", "/redirect")[1] == welcome, "Windows opens something else")

        status, address, body = phone.fetch(welcome, "--data", "")
        expect((status, address) == (200, welcome) and "<form" not in body, f"who stays sees {status} {address} {body}")
        for name, path, wanted, text in PROBES:
            status, address, body = phone.get(name, path)
            expect((status, address) == (wanted, f"http://{name}{path}") and text in body,
                   f"who stays finds at {name}{path}: {status} {address} {body}")
        status, _, body = phone.fetch(f"http://{HOTSPOT}:8480/")
        expect(status == 200 and "<html" in body, f"the page for guests is {status} {body[:200]}")


@case
def captive_names_the_page(context: Context) -> None:
    """The name of the page by https leads to this machine, with a way to the internet and without, while the network is
    there; what is no name leads nowhere."""
    with hotspot_and_phone(context) as (sharing, phone):
        profile = sharing.host.home / "Tour Chat.nmconnection"
        head = f"[connection]\nid=Tour Chat\nuuid={PROFILE}\n\n[user]\n"
        def named(text: str, *, action: str = "up") -> None:
            profile.write_text(f"{head}{text}\n\n[wifi]\nmode=ap\ntour-chat.page=wrong.tours.test\n")
            sharing.tell(CARD, action, PROFILE, profile)
        phone.enter()
        named("tour-chat.page=guide.tours.test")
        wait_until(lambda: phone.resolve("guide.tours.test") == [HOTSPOT], 5, "the name leads here")
        expect(phone.resolve("wrong.tours.test") == [], "a name of another group leads here")
        run("ip", "-n", sharing.host.namespace, "route", "add", "default", "dev", "eth0")
        sharing.tell("eth0", "dhcp4-change")
        expect(not sharing.leads(), "it leads with a way to the internet")
        expect(phone.resolve("guide.tours.test") == [HOTSPOT], "with a way to the internet the name leads elsewhere")
        for text in ("tour-chat.page=a.test b.test", "tour-chat.page=$(id).test", "tour-chat.page=test", "other=a.test"):
            named(text)
            wait_until(lambda: phone.resolve("guide.tours.test") == [], 5, f"after {text} the old name leads nowhere")
            for name in ("a.test", "b.test", "test"):
                expect(phone.resolve(name) == [], f"after {text}, {name} leads somewhere")
        named("tour-chat.page=guide.tours.test")
        wait_until(lambda: phone.resolve("guide.tours.test") == [HOTSPOT], 5, "the name leads here again")
        named("tour-chat.page=guide.tours.test", action="down")
        wait_until(lambda: phone.resolve("guide.tours.test") == [], 5, "the name goes with the network")


@case
def captive_only_without_internet(context: Context) -> None:
    """With a way to the internet, in another network than ours, or after its end: questions are not led anywhere."""
    with hotspot_and_phone(context) as (sharing, phone):
        name = PROBES[0][0]
        phone.enter()
        for interface, action, profile, leads in [
            (CARD, "up", "00000000-0000-0000-0000-000000000001", False),
            (CARD, "up", PROFILE, True),
            ("eth1", "up", "00000000-0000-0000-0000-000000000001", True),
            (CARD, "down", PROFILE, False),
            (CARD, "up", PROFILE, True),
        ]:
            sharing.tell(interface, action, profile)
            expect(sharing.leads() == leads, f"after {interface} {action} of {profile} it leads: {not leads}")
            wanted = [OURS] if leads else []
            wait_until(lambda: phone.resolve(name) == wanted, 5, f"{name} after {interface} {action}")
        run("ip", "-n", sharing.host.namespace, "route", "add", "default", "dev", "eth0")
        sharing.tell("eth0", "dhcp4-change")
        expect(not sharing.leads(), "it leads with a way to the internet")
        wait_until(lambda: phone.resolve(name) == [], 5, f"{name} is not answered for")
        run("ip", "-n", sharing.host.namespace, "route", "del", "default")
        sharing.tell("", "connectivity-change")
        expect(sharing.leads(), "it does not lead once the way to the internet has gone")
        wait_until(lambda: phone.resolve(name) == [OURS], 5, f"{name} is answered for again")
