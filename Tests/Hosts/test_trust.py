"""Goal: a node trusts the authorities that it is told to trust for its server, and no others.
Method: a real server with a certificate of an authority that the system trusts; nodes with that authority, with another,
and with none named."""
from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cases import Context, case, expect
from lab import Host, run
from nodes import Answer, Node, wait_until
from server import Server
from test_server import log_in_answer

SYSTEM = Path("/etc/ssl/certs/ca-certificates.crt")
PORT = 8443


def authority(home: Path, name: str) -> Path:
    """A new authority; its certificate, beside its key."""
    certificate = home / f"{name}.pem"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", f"/CN={name}", "-keyout", str(home / f"{name}.key"), "-out", str(certificate))
    return certificate


def certificate(home: Path, signer: str, address: str) -> tuple[Path, Path]:
    """Of a server at that address, and its key."""
    key, request, signed, names = (home / f"server.{end}" for end in ("key", "csr", "pem", "ext"))
    names.write_text(f"subjectAltName=IP:{address}\n")
    run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=server",
        "-keyout", str(key), "-out", str(request))
    run("openssl", "x509", "-req", "-in", str(request), "-CA", str(home / f"{signer}.pem"), "-CAkey",
        str(home / f"{signer}.key"), "-CAcreateserial", "-days", "2", "-extfile", str(names), "-out", str(signed))
    return signed, key


@contextmanager
def system_trusts(bundle: Path) -> Iterator[None]:
    """Programs that are started meanwhile find these authorities as the system's."""
    run("mount", "--bind", str(bundle), str(SYSTEM))
    try:
        yield
    finally:
        run("umount", str(SYSTEM))


def listens(host: Host, address: str) -> bool:
    asked = f"import socket; socket.create_connection(({address!r}, {PORT}), 2)"
    return subprocess.run(host.argv(["python3", "-c", asked]), capture_output=True).returncode == 0


def logged_in(node: Node, address: str, *flags: str) -> Answer:
    node.start("--mailbox", address, *flags)
    answer = log_in_answer(node, address)
    node.stop()
    return answer


@case
def trusted_authorities(context: Context) -> None:
    """`--mailbox-ca` stands in the place of the system's authorities: another one's server is not talked to."""
    context.repetitions = 3
    with context.lab([(0,), (0,)]) as lab:
        server, node = Server(lab.hosts[0]), lab.hosts[1].node("guide")
        server.start()
        server.make_guide()
        home = lab.home
        named, other = authority(home, "named"), authority(home, "other")
        signed, key = certificate(home, "named", lab.hosts[0].address())
        server.stop()
        server.launch("--listen", f"0.0.0.0:{PORT}", "--tls-certificate", str(signed), "--tls-key", str(key))
        address = f"https://{lab.hosts[0].address()}:{PORT}"
        wait_until(lambda: listens(lab.hosts[1], lab.hosts[0].address()), 30, "the server listens")
        with system_trusts(named):
            expect(logged_in(node, address).status == 0, "what the system trusts is refused")
            refused = logged_in(node, address, "--mailbox-ca", str(other))
            expect(refused.code != "" and "certificate" in refused.text, f"another authority's is taken: {refused.text}")
        with system_trusts(other):
            expect(logged_in(node, address).code != "", "what nobody trusts is taken")
            expect(logged_in(node, address, "--mailbox-ca", str(named)).status == 0, "the named authority is not trusted")
        server.stop()
