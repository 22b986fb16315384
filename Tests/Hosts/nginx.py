"""A real nginx with exactly the file of the documentation, in which only what an operator substitutes is substituted:
the paths of the certificate, and the list of servers."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from nodes import end, wait_until

FILE = Path(__file__).resolve().parents[2] / "Documentation" / "server-nginx.conf"
PROGRAM = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
NAME, HTTPS, PORTS = "tours.example", 443, (8081, 8082, 8083, 8084)
UPSTREAM = "X-Upstream"
CERTIFICATE, KEY = (f"/etc/letsencrypt/live/{NAME}/{name}.pem" for name in ("fullchain", "privkey"))

# What stands around the file on a machine of its own; and which process answered.
AROUND = """
daemon off;
user root;
worker_processes 2;
worker_rlimit_nofile 8192;
pid HOME/pid;
error_log HOME/error.log;
events { worker_connections 2048; }
http {
    access_log off;
    client_body_temp_path HOME/temporary-body;
    proxy_temp_path HOME/temporary-proxy;
    fastcgi_temp_path HOME/temporary-fastcgi;
    uwsgi_temp_path HOME/temporary-uwsgi;
    scgi_temp_path HOME/temporary-scgi;
    add_header UPSTREAM $upstream_addr always;
    include HOME/tours.conf;
}
"""


def once(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise AssertionError(f"{FILE.name} has '{old}' {text.count(old)} times")
    return text.replace(old, new)


def server_command(port: int, data: Path, database: str) -> list[str]:
    """The command by which the file says that a process is started."""
    found = re.search(r"^#   (tour-server serve .*?)\\\n# +(.*)$", FILE.read_text(), re.MULTILINE)
    if not found:
        raise AssertionError(f"{FILE.name} does not say how a process is started")
    own = {"127.0.0.1:8081": f"127.0.0.1:{port}", "/var/lib/tour-server": str(data), "postgres:///tours": database}
    words = shlex.split(found[1] + found[2])
    if missing := own.keys() - set(words):
        raise AssertionError(f"{FILE.name} starts a process without {missing}")
    return [own.get(word, word) for word in words][1:]


class Nginx:
    """One nginx, before servers on these ports."""

    def __init__(self, home: Path, certificate: tuple[Path, Path], ports: Sequence[int]) -> None:
        self.home, self.main = home, home / "nginx.conf"
        home.mkdir(parents=True)
        self.main.write_text(AROUND.replace("HOME", str(home)).replace("UPSTREAM", UPSTREAM))
        text = once(once(FILE.read_text(), CERTIFICATE, str(certificate[0])), KEY, str(certificate[1]))
        servers = re.findall(r"^ *server 127\.0\.0\.1:\d+ .*\n", text, re.MULTILINE)
        self.text = once(text, "".join(servers), "".join(servers[0].replace("8081", str(port)) for port in ports))
        self.process: subprocess.Popen[bytes] | None = None

    def _argv(self, *words: str) -> list[str]:
        assert PROGRAM
        return [PROGRAM, "-e", str(self.home / "error.log"), "-p", str(self.home), "-c", str(self.main), *words]

    def check(self, text: str) -> None:
        """nginx takes this text without an error or a warning."""
        (self.home / "tours.conf").write_text(text)
        done = subprocess.run(self._argv("-t"), capture_output=True, text=True, check=False)
        words = [line for line in done.stderr.splitlines() if not re.search(r"syntax is ok$|test is successful$", line)]
        if done.returncode or words:
            raise AssertionError(f"nginx -t: {done.returncode} {words}")

    def check_all(self) -> None:
        """The file as it is, where IPv6 is turned off as well; and without its line of IPv6."""
        ipv6 = Path("/proc/sys/net/ipv6/conf/all/disable_ipv6")
        self.check(once(self.text, "    listen [::]:443 ssl http2;\n", ""))
        before = ipv6.read_text()
        ipv6.write_text("1")
        self.check(self.text)
        ipv6.write_text(before)
        self.check(self.text)

    def start(self, address: str) -> None:
        (self.home / "tours.conf").write_text(self.text)
        with (self.home / "nginx.log").open("ab") as log:
            self.process = subprocess.Popen(self._argv(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def answers() -> bool:
            try:
                socket.create_connection((address, HTTPS), timeout=5).close()
            except OSError:
                return False
            return True

        wait_until(answers, 30, "nginx takes connections")

    def stop(self) -> None:
        if self.process:
            end(self.process)

    def complaints(self) -> list[str]:
        """What it wrote about the processes behind it."""
        return [line for line in (self.home / "error.log").read_text().splitlines() if "upstream" in line]
