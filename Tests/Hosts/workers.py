"""Tests side by side: processes that each take the next test that nobody has begun."""
from __future__ import annotations

import json
import os
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass
class Worker:
    """One forked process: it reads a test's name a line and answers with a row a line."""

    pid: int
    names: int
    answers: int
    name: str = ""
    begun: float = 0
    unread: bytes = b""

    def give(self, name: str) -> None:
        self.name, self.begun = name, time.monotonic()
        os.write(self.names, name.encode() + b"\n")

    def read(self) -> Row | None:
        """What it answered; nothing yet is nothing. A worker that ended in its test has failed it."""
        if part := os.read(self.answers, 65536):
            self.unread += part
            line, found, rest = self.unread.partition(b"\n")
            if not found:
                return None
            self.unread = rest
            return dict(json.loads(line))
        return {"name": self.name, "seconds": time.monotonic() - self.begun, "died": True}


def side_by_side(names: list[str], count: int, play: Callable[[str], Row], close: Callable[[], None]) -> Iterator[Row]:
    """Plays every test once in `count` processes, the first names first, and gives their rows as they end. `play` runs
    in a worker, `close` at each worker's end."""
    waiting = list(names)
    workers: list[Worker] = []
    try:
        while waiting or any(worker.name for worker in workers):
            while waiting and len(workers) < count:
                workers.append(_fork(play, close, workers))
            for worker in workers:
                if waiting and not worker.name:
                    worker.give(waiting.pop(0))
            ready, _, _ = select.select([worker.answers for worker in workers if worker.name], [], [])
            for worker in [worker for worker in workers if worker.answers in ready]:
                if (row := worker.read()) is None:
                    continue
                worker.name = ""
                if row.pop("died", False):
                    workers.remove(worker)
                    row["problem"] = f"its process ended by itself: {_bury(worker)}"
                yield row
    finally:
        for worker in workers:
            os.close(worker.names)  # the end of its input is the end of its work
            if worker.name:
                os.kill(worker.pid, signal.SIGTERM)
        ends = []
        for worker in workers:
            os.close(worker.answers)
            ends.append(os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1]))
    for end in ends:
        if end:
            yield {"name": "tidying-up", "seconds": 0.0, "problem": f"a process of tests did not close what it shared: {end}"}


def _fork(play: Callable[[str], Row], close: Callable[[], None], others: list[Worker]) -> Worker:
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    if pid := os.fork():
        os.close(in_read)
        os.close(out_write)
        return Worker(pid, in_write, out_read)
    status = 1
    try:
        for inherited in (in_write, out_read, *(end for other in others for end in (other.names, other.answers))):
            os.close(inherited)
        with os.fdopen(in_read) as names:
            for line in names:
                os.write(out_write, json.dumps(play(line.strip())).encode() + b"\n")
        close()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _bury(worker: Worker) -> str:
    os.close(worker.names)
    os.close(worker.answers)
    status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
    return f"signal {-status}" if status < 0 else f"status {status}"
