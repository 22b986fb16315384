"""A lab of hosts on this machine: network namespaces on bridged segments, each with its own D-Bus and Avahi.

`enter_private_space` puts the whole program into mount and process namespaces of its own first: the hosts'
names never show on the machine, and when the program ends, however it ends, the kernel ends everything in it.
"""
from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from nodes import Node, end, wait_until

_labs = itertools.count(1)
_MARK = "TOUR_CHAT_LAB"


class LabError(Exception):
    """The lab itself failed, not what is tested in it."""


def run(*argv: str, stdin: str | None = None) -> str:
    done = subprocess.run(argv, input=stdin, capture_output=True, text=True)
    if done.returncode:
        raise LabError(f"{' '.join(argv)}: {done.stderr.strip()}")
    return done.stdout


def private_space_command() -> list[str]:
    """The prefix that starts a program in namespaces of its own; without root, as root of a user namespace."""
    prefix = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    return prefix if os.geteuid() == 0 else [*prefix, "--user", "--map-root-user", "--net"]


def why_impossible() -> str | None:
    """Why no lab can be made here, or None."""
    if os.environ.get(_MARK):
        return None
    for tool in ("unshare", "setpriv", "ip", "ethtool", "dbus-daemon", "avahi-daemon"):
        if not shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            return f"{tool} is not installed"
    trial = ("mount -t tmpfs tmpfs /run && ip netns add trial && "
             "ip -n trial link add veth0 type veth peer name veth1 && "
             "ip -n trial link add br0 type bridge")
    done = subprocess.run([*private_space_command(), "sh", "-c", trial], capture_output=True, text=True)
    return None if done.returncode == 0 else f"no rights for network namespaces here: {done.stderr.strip()}"


def enter_private_space() -> None:
    """Starts this program again, in its private space."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if os.environ.get(_MARK):
        run("mount", "-t", "tmpfs", "tmpfs", "/run")
        # The first namespace makes the place where all are kept; labs that begin at once would both make it.
        run("ip", "netns", "add", "first")
        run("ip", "netns", "del", "first")
        if Path("/proc/self/uid_map").read_text().split()[:3] != ["0", "0", "4294967295"]:
            map_avahi_user()
        return
    os.environ[_MARK] = "1"
    inner = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *private_space_command(), sys.executable, *sys.argv])

    def pass_on(number: int, _frame: object) -> None:
        # unshare itself heeds no signal while it waits: its child, the program, gets it.
        for pid in Path(f"/proc/{inner.pid}/task/{inner.pid}/children").read_text().split():
            os.kill(int(pid), number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, pass_on)
    signal.signal(signal.SIGINT, lambda *_: None)  # a terminal sends it to both
    sys.exit(inner.wait())


def map_avahi_user() -> None:
    """In a user namespace there is only root: avahi-daemon gives its directory to `avahi`, who is made root here."""
    for table in ("passwd", "group"):
        own, avahi = Path("/run", table), "avahi:x:0:0:::\n" if table == "passwd" else "avahi:x:0:\n"
        lines = Path("/etc", table).read_text().splitlines(keepends=True)
        own.write_text("".join(avahi if line.startswith("avahi:") else line for line in lines))
        run("mount", "--bind", str(own), f"/etc/{table}")


def as_a_wire(namespace: str, device: str, rate: str | None) -> None:
    """No offloads: what is counted is what a wire would carry, frame by frame. With a rate, a queue of 300 ms."""
    run("ip", "netns", "exec", namespace, "ethtool", "-K", device, "tso", "off", "gso", "off", "gro", "off")
    if rate:
        run("ip", "netns", "exec", namespace, "tc", "qdisc", "add", "dev", device, "root",
            "tbf", "rate", rate, "burst", "3000", "latency", "300ms")


def listens(path: Path) -> bool:
    """Whether somebody takes connections there: the file of a socket exists before that."""
    with socket.socket(socket.AF_UNIX) as peer:
        try:
            peer.connect(str(path))
        except OSError:
            return False
    return True


def bus_configuration(kind: str, address: str) -> str:
    """A bus on which all may do all. It starts no service by itself: who is asked for a name has it, or nobody has."""
    return (f"<busconfig><type>{kind}</type><listen>{address}</listen><auth>EXTERNAL</auth>"
            '<policy context="default"><allow user="*"/><allow own="*"/>'
            '<allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>')


@dataclass
class Host:
    """One host; also a `Place` for nodes."""

    index: int
    segments: tuple[int, ...]
    namespace: str
    home: Path
    bus: str = "unix:path=/nonexistent"  # never the machine's own: Unix sockets cross network namespaces
    bus_daemon: subprocess.Popen[bytes] | None = None
    avahi_daemon: subprocess.Popen[bytes] | None = None
    nodes: list[Node] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)

    def address(self, segment: int | None = None) -> str:
        return f"10.77.{self.segments[0] if segment is None else segment}.{self.index + 1}"

    def more_addresses(self, count: int) -> list[str]:
        """Addresses that the first card gets beside its own."""
        added = [f"10.77.{self.segments[0]}.{200 + 10 * self.index + k}" for k in range(count)]
        for address in added:
            run("ip", "-n", self.namespace, "addr", "add", f"{address}/24", "dev", "eth0")
        return added

    def argv(self, argv: list[str]) -> list[str]:
        return ["ip", "netns", "exec", self.namespace, *argv]

    def environment(self) -> dict[str, str]:
        return {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.bus, "DBUS_SESSION_BUS_ADDRESS": "", **self.variables}

    def node(self, name: str, *flags: str) -> Node:
        """A node of this host, not started yet; the lab ends it."""
        node = Node(self, self.home / name, name, flags)
        self.nodes.append(node)
        return node

    def daemon(self, argv: list[str], log: str) -> subprocess.Popen[bytes]:
        with (self.home / log).open("ab") as out:
            return subprocess.Popen(self.argv(argv), stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                    env=self.environment())

    def start_bus(self) -> None:
        path = self.home / "bus"
        self.bus = f"unix:path={path}"
        (self.home / "bus.conf").write_text(bus_configuration("system", self.bus))
        self.bus_daemon = self.daemon(
            ["dbus-daemon", f"--config-file={self.home}/bus.conf", "--nofork", "--nopidfile"], "bus.log")
        wait_until(lambda: listens(path), 10, f"the bus of {self.namespace}")

    def start_avahi(self, *more: str) -> None:
        """Starts D-Bus (if it does not run) and avahi-daemon, and waits for its answer; `more` interfaces may come."""
        if self.bus_daemon is None:
            self.start_bus()
        interfaces = ",".join([*(f"eth{k}" for k in range(len(self.segments))), *more])
        (self.home / "avahi.conf").write_text(
            f"[server]\nhost-name={self.namespace}\nallow-interfaces={interfaces}\nenable-dbus=yes\n"
            "[publish]\npublish-workstation=no\n")
        self.avahi_daemon = self.daemon(
            ["sh", "-c", f"mount -t tmpfs tmpfs /run && exec avahi-daemon --file={self.home}/avahi.conf "
             "--no-drop-root --no-chroot --no-rlimits"], "avahi.log")
        wait_until(self._avahi_answers, 15, f"avahi-daemon of {self.namespace}")

    def _avahi_answers(self) -> bool:
        asked = ["dbus-send", f"--bus={self.bus}", "--print-reply", "--dest=org.freedesktop.DBus",
                 "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.Avahi"]
        return "boolean true" in subprocess.run(asked, capture_output=True, text=True).stdout

    def stop_avahi(self) -> None:
        assert self.avahi_daemon
        end(self.avahi_daemon, 5)

    def close(self) -> None:
        for node in self.nodes:
            node.stop()
        for daemon in (self.avahi_daemon, self.bus_daemon):
            if daemon:
                end(daemon, 5)


class Lab:
    """`Lab([(0,)] * 5)`: five hosts on one segment. `Lab([(0,), (0, 1), (1,)])`: A - B - C."""

    def __init__(self, layout: list[tuple[int, ...]], avahi: bool = True, logs: Path | None = None,
                 rates: dict[int, str] | None = None) -> None:
        """`logs` is where the hosts' files are kept when what runs in the lab fails; `rates` slows segments down, each
        way of each host: `{1: "1mbit"}`."""
        name = f"tc{os.getpid()}-{next(_labs)}"
        self.home = Path(tempfile.mkdtemp(prefix="tc-lab-"))
        self.switch = f"{name}-sw"
        self.hosts = [Host(i, segments, f"{name}-{i}", self.home / f"h{i}") for i, segments in enumerate(layout)]
        self._avahi, self.logs, self._rates = avahi, logs, rates or {}
        self._namespaces: list[str] = []
        self._mounts: list[Path] = []

    def __enter__(self) -> Lab:
        try:
            self._build()
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def _build(self) -> None:
        self._add_namespace(self.switch)
        for segment in sorted({s for h in self.hosts for s in h.segments}):
            run("ip", "-n", self.switch, "link", "add", f"br{segment}", "type", "bridge",
                "stp_state", "0", "forward_delay", "0", "mcast_snooping", "0")
            run("ip", "-n", self.switch, "link", "set", f"br{segment}", "up")
        for host in self.hosts:
            host.home.mkdir()
            self._add_host(host)
        if self._avahi:
            for host in self.hosts:
                host.start_avahi()

    def _add_namespace(self, name: str) -> None:
        run("ip", "netns", "add", name)
        self._namespaces.append(name)

    def _add_host(self, host: Host) -> None:
        self._add_namespace(host.namespace)
        # No IP forwarding: only the nodes carry anything between segments. No address probing: hosts start at once.
        run("ip", "netns", "exec", host.namespace, "sh", "-c",
            "cd /proc/sys/net && echo 0 >ipv4/ip_forward && echo 0 >ipv6/conf/all/forwarding && "
            "echo 0 >ipv6/conf/default/accept_dad")
        lines = ["link set lo up"]
        for k, segment in enumerate(host.segments):
            port, card = f"p{segment}h{host.index}", f"eth{k}"
            run("ip", "-n", self.switch, "link", "add", port, "type", "veth",
                "peer", "name", card, "netns", host.namespace)
            for space, device in ((self.switch, port), (host.namespace, card)):
                as_a_wire(space, device, self._rates.get(segment))
            run("ip", "-n", self.switch, "link", "set", port, "master", f"br{segment}", "up")
            lines += [f"addr add {host.address(segment)}/24 brd + dev {card}", f"link set {card} up"]
        lines += ["route add default dev eth0", "route add 224.0.0.0/4 dev eth0"]
        run("ip", "-n", host.namespace, "-batch", "-", stdin="\n".join(lines) + "\n")

    def wire(self, one: tuple[Host, str], other: tuple[Host, str], rate: str | None = None) -> None:
        """A cable between two hosts, from interface to interface, neither of them up yet."""
        (host, card), (peer, far) = one, other
        run("ip", "-n", host.namespace, "link", "add", card, "type", "veth",
            "peer", "name", far, "netns", peer.namespace)
        as_a_wire(host.namespace, card, rate)
        as_a_wire(peer.namespace, far, rate)

    def cable(self, host: Host, is_in: bool) -> None:
        """Pulls a host's first cable, or plugs it in again."""
        port = f"p{host.segments[0]}h{host.index}"
        run("ip", "-n", self.switch, "link", "set", port, "up" if is_in else "down")

    def small_disk(self, path: Path, mebibytes: int) -> None:
        """Mounts a disk of this size on a new directory."""
        path.mkdir(parents=True)
        run("mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", str(path))
        self._mounts.append(path)

    def read_only(self, path: Path) -> None:
        """Makes a directory read-only, also for root."""
        run("mount", "--bind", str(path), str(path))
        self._mounts.append(path)
        run("mount", "-o", "remount,bind,ro", str(path))

    def writable_again(self, path: Path) -> None:
        run("umount", str(path))
        self._mounts.remove(path)

    def sent_bytes(self) -> int:
        """Bytes all hosts have put on the wire so far (Ethernet frames, each counted once)."""
        links = json.loads(run("ip", "-n", self.switch, "-j", "-s", "link"))
        return sum(link["stats64"]["rx"]["bytes"] for link in links if link["ifname"].startswith("p"))

    def _keep(self, target: Path) -> None:
        """Copies the hosts' logs and stores, for a person to look at."""
        def unwanted(directory: str, names: list[str]) -> set[str]:
            return {n for n in names if not ((p := Path(directory, n)).is_file() or p.is_dir())}
        shutil.copytree(self.home, target, dirs_exist_ok=True, ignore=unwanted)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind and self.logs:
            self._keep(self.logs)
        for host in self.hosts:
            host.close()
        for name in reversed(self._namespaces):
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
        for path in reversed(self._mounts):
            subprocess.run(["umount", "--lazy", str(path)], capture_output=True)
        shutil.rmtree(self.home, ignore_errors=True)
