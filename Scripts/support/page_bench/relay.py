"""The least that carries a line from one page to another: no store, no keys, no names. The baseline of the page's
bench. `python3 relay.py` serves on all addresses and prints its port."""
from __future__ import annotations

import http.server
import queue
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab import Host

PAGE = b"""<!doctype html><html lang=en><meta charset=utf-8><title>Relay</title>
<ol></ol><form><input aria-label=Message autofocus></form>
<script type=module>
const input = document.querySelector('input');
document.querySelector('form').onsubmit = (event) => {
    event.preventDefault();
    fetch('/send', { method: 'POST', body: input.value });
    input.value = '';
};
new EventSource('/events').onmessage = (event) => {
    const item = document.createElement('li');
    item.textContent = event.data;
    document.querySelector('ol').append(item);
};
</script></html>"""

_readers: list[queue.Queue[bytes]] = []


class _Relay(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path != "/events":
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)
            return
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        mine: queue.Queue[bytes] = queue.Queue()
        _readers.append(mine)
        try:
            while True:
                self.wfile.write(b"data: " + mine.get() + b"\n\n")
                self.wfile.flush()
        except OSError:
            _readers.remove(mine)  # the reader's page is closed

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"]))
        for reader in _readers:
            reader.put(text)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def relay(host: Host) -> Iterator[str]:
    """The address of a relay that runs on the host."""
    process = subprocess.Popen(host.argv([sys.executable, __file__]), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield f"http://{host.address()}:{int(process.stdout.readline())}/"
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    with http.server.ThreadingHTTPServer(("0.0.0.0", 0), _Relay) as server:
        server.daemon_threads = True
        print(server.server_address[1], flush=True)
        server.serve_forever()
