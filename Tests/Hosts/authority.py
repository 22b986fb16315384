"""An authority of a test's own, and certificates by it, made by openssl."""
from __future__ import annotations

from pathlib import Path

from lab import run

CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """Trusted by whoever is told to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.file, self._key = folder / "authority.pem", folder / "authority.key"
        run("openssl", "req", "-x509", *CURVE, "-days", "9", "-subj", "/CN=Authority of a test",
            "-addext", "basicConstraints=critical,CA:TRUE", "-out", str(self.file), "-keyout", str(self._key))

    def issue(self, *names: str, called: str = "door", start: str = "", end: str = "") -> tuple[Path, Path]:
        """A chain for these DNS names, and its key; again under the same `called`: a renewed one in the same files.
        `start`, `end`: other times than from now on, as YYYYMMDDHHMMSSZ."""
        request, leaf, ext, serial = (self.folder / f"{called}.{part}" for part in ("csr", "leaf", "ext", "srl"))
        chain, key = self.folder / f"{called}.pem", self.folder / f"{called}.key"
        fresh = self.folder / f"{called}.key.new"
        run("openssl", "req", *CURVE, "-subj", "/CN=door", "-out", str(request), "-keyout", str(fresh))
        alternatives = ",".join(f"DNS:{name}" for name in names)
        ext.write_text("extendedKeyUsage=serverAuth\n" + (f"subjectAltName={alternatives}\n" if names else ""))
        if start or end:
            self._issue_for(request, leaf, ext, start, end)
        else:
            run("openssl", "x509", "-req", "-in", str(request), "-CA", str(self.file), "-CAkey", str(self._key),
                "-CAserial", str(serial), "-CAcreateserial", "-days", "9", "-extfile", str(ext), "-out", str(leaf))
        fresh.replace(key)
        whole = self.folder / f"{called}.pem.new"
        whole.write_text(leaf.read_text() + self.file.read_text())
        whole.replace(chain)
        return chain, key

    def _issue_for(self, request: Path, leaf: Path, ext: Path, start: str, end: str) -> None:
        """By the command of openssl that takes times."""
        config, base = self.folder / "ca.cnf", self.folder / "ca"
        base.mkdir(exist_ok=True)
        (base / "index").write_text("")
        (base / "serial").write_text("1000\n")
        config.write_text(f"[ca]\ndefault_ca=d\n[d]\ndatabase={base}/index\nserial={base}/serial\nnew_certs_dir={base}\n"
                          "default_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n")
        run("openssl", "ca", "-batch", "-notext", "-config", str(config), "-cert", str(self.file), "-keyfile",
            str(self._key), "-in", str(request), "-out", str(leaf), "-extfile", str(ext), "-startdate", start,
            "-enddate", end)
