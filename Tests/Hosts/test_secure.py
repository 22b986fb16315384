"""Goal: with a certificate the page for guests is there by https too, under its name, and http stays; what is wrong with
the files is said, and a renewed one is taken without a restart.
Method: real nodes with certificates by openssl; curl and openssl are the phones' browsers."""
from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from authority import Authority
from cases import Context, case, expect
from guests import Seats
from lab import Host
from nodes import Node, wait_until

NAME, OTHER = "guide.tours.test", "second.tours.test"
PORT, PLAIN = 8_443, 8_480


@contextmanager
def door(context: Context, *names: str, flags: tuple[str, ...] = ()) -> Iterator[tuple[Host, Host, Node, Authority]]:
    """A guide's node that lets guests in by https, and a host beside it that is a phone."""
    context.repetitions = context.times(1)
    with context.lab([(0,)] * 2, avahi=False) as lab:
        authority = Authority(lab.home / "authority")
        node = lab.hosts[0].node("Guide")
        node.flags += [*flagged(*authority.issue(*names)), *flags]
        node.start().must("tour", "create", "Museum")
        yield lab.hosts[0], lab.hosts[1], node, authority


def flagged(chain: Path, key: Path) -> list[str]:
    return ["--tls-certificate", str(chain), "--tls-key", str(key)]


def fetch(phone: Host, authority: Authority, host: Host, name: str, path: str = "/", *more: str,
          port: int = PORT) -> tuple[int, str]:
    """What a browser gets that trusts the authority and finds the name at this host; 0: no connection it may trust."""
    done = subprocess.run(phone.argv(
        ["curl", "--silent", "--max-time", "10", "--cacert", str(authority.file), "--resolve",
         f"{name}:{port}:{host.address(0)}", "--write-out", "\n%{http_code}", *more, f"https://{name}:{port}{path}"]),
        capture_output=True, text=True, timeout=30)
    body, _, status = done.stdout.rpartition("\n")
    return (int(status) if done.returncode == 0 else 0), body


def shown(phone: Host, host: Host, *more: str) -> str:
    """What openssl says of the handshake at the port for https."""
    done = subprocess.run(phone.argv(["openssl", "s_client", "-connect", f"{host.address(0)}:{PORT}", *more]),
                          input="", capture_output=True, text=True, timeout=30)
    return done.stdout + done.stderr


@case
def secure_door(context: Context) -> None:
    """The code leads to https under the certificate's name; the page is there, and http stays beside it."""
    with door(context, "*.tours.test", NAME, OTHER) as (host, phone, node, authority):
        seats = node.must("seats", "on").first
        link, plain = urlsplit(seats["link"]), urlsplit(seats["plainLink"])
        expect((link.scheme, link.netloc) == ("https", f"{NAME}:{PORT}"), f"the code leads to {link.geturl()}")
        expect((plain.scheme, plain.netloc) == ("http", f"{host.address(0)}:{PLAIN}"), f"and to {plain.geturl()}")
        expect(link.fragment == plain.fragment, "the two codes differ")
        for name in (NAME, OTHER, "any.tours.test"):
            status, body = fetch(phone, authority, host, name)
            expect(status == 200 and "later" not in body and "app.js" in body, f"{name}: {status} {body[:80]}")
        expect(fetch(phone, authority, host, NAME, "/worker.js")[1].startswith("const VERSION = "), "no worker")
        expect(fetch(phone, authority, host, NAME, "/manifest.webmanifest")[0] == 200, "no manifest")
        expect(fetch(phone, authority, host, "other.test", "/", "--insecure")[0] == 421, "another name is answered")
        expect(fetch(phone, authority, host, NAME, "/", "--header", "Host: evil.example")[0] == 421, "another name")
        for path in ("/v1/status", "/welcome", "/generate_204"):
            expect(fetch(phone, authority, host, NAME, path)[0] == 404, f"{path} is there by https")
        expect("Cipher is (NONE)" in shown(phone, host, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"), "TLS 1.1 is spoken")
        expect("TLSv1.2" in shown(phone, host, "-tls1_2") and "TLSv1.3" in shown(phone, host), "which TLS is spoken")
        # A name's http leads nowhere else: what phones ask a network stays with the other port.
        done = subprocess.run(phone.argv(["curl", "--silent", "--max-time", "10", "--output", "/dev/null", "--write-out",
                                          "%{http_code} %{redirect_url}", "--header", f"Host: {NAME}:{PLAIN}",
                                          f"http://{host.address(0)}:{PLAIN}/"]), capture_output=True, text=True)
        expect(done.stdout.strip() == "200", f"by http under its name: {done.stdout}")
        node.must("seats", "off")
        wait_until(lambda: fetch(phone, authority, host, NAME)[0] == 0, 20, "the door closes")
        Seats(node).on()
        wait_until(lambda: fetch(phone, authority, host, NAME)[0] == 200, 20, "the door opens again")


@case
def secure_renewed(context: Context) -> None:
    """A renewed certificate is shown without a restart; files that do not match leave the one before; an old one ends
    https in the code, and a good one brings it back."""
    with door(context, NAME) as (host, phone, node, authority):
        Seats(node).on()
        first = shown(phone, host, "-showcerts")
        certificate = re.search(r"-----BEGIN CERTIFICATE-----[^-]+", first)
        expect(certificate, f"no certificate is shown: {first[:300]}")
        chain, key = authority.issue(NAME, OTHER)
        wait_until(lambda: certificate and certificate.group() not in shown(phone, host, "-showcerts"), 60,
                   "another certificate is shown")
        expect(fetch(phone, authority, host, OTHER)[0] == 200, "the renewed one has another name too")
        key.write_text(authority.issue(NAME, called="another")[1].read_text())
        wait_until(lambda: "--tls-key" in node.log_tail(2_000), 60, "the log says what is wrong")
        expect(fetch(phone, authority, host, OTHER)[0] == 200, "the one before is not shown any more")
        authority.issue(NAME, start="20200101000000Z", end="20200201000000Z")
        wait_until(lambda: node.must("seats").first["link"].startswith("http://"), 60, "the code leads to http")
        expect(node.must("seats").first["plainLink"] is None, "there are two links by http")
        authority.issue(NAME)
        wait_until(lambda: node.must("seats").first["link"].startswith(f"https://{NAME}:"), 60, "https is back")


@case
def secure_refused(context: Context) -> None:
    """What is wrong with the files ends the start, and says what to do; what time will mend does not."""
    context.repetitions = context.times(1)
    with context.lab([(0,)], avahi=False) as lab:
        authority, node = Authority(lab.home / "authority"), lab.hosts[0].node("Guide")
        chain, key = authority.issue(NAME)
        other, wild = authority.issue(NAME, called="other")[1], authority.issue("*.tours.test", called="wild")
        bare, folder = authority.issue(called="bare"), authority.folder
        (folder / "locked.key").write_text(subprocess.run(
            ["openssl", "ec", "-in", str(key), "-aes256", "-passout", "pass:secret"], capture_output=True, text=True,
            check=True).stdout)
        for code, flags in [
            ("tls-file", flagged(folder / "none.pem", key)), ("tls-certificate", flagged(key, key)),
            ("tls-key", flagged(chain, chain)), ("tls-key", flagged(chain, folder / "locked.key")),
            ("tls-mismatch", flagged(chain, other)), ("tls-no-name", flagged(*wild)), ("tls-no-name", flagged(*bare)),
            ("tls-name", [*flagged(*wild), "--tls-name", "tours.test"]),
            ("tls-name", [*flagged(chain, key), "--tls-name", OTHER]),
        ]:
            answer = node.ask("run", "--web", "off", *flags)
            expect(answer.status != 0 and answer.error.get("code") == code, f"{code}: {answer.status} {answer.text[-300:]}")
        for flags in (flagged(chain, key)[:2], ["--tls-name", NAME]):
            expect(node.ask("run", *flags).status == 64, f"{flags} alone is taken")
        node.flags += [*flagged(*wild), "--tls-name", "Any.Tours.Test", "--tls-port", "9443"]
        node.start().must("tour", "create", "Museum")
        link = node.must("seats", "on").first["link"]
        expect(link.startswith("https://any.tours.test:9443/#"), f"the code leads to {link}")
        node.stop()
        node.flags = flagged(*authority.issue(NAME, called="late", start="20200101000000Z", end="20200201000000Z"))
        node.start()
        expect(node.must("seats", "on").first["link"].startswith("http://"), "an old certificate is in the code")
        expect("2020-02-01" in node.log_tail(2_000), f"the log says nothing of it: {node.log_tail()}")
