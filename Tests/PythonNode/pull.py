"""What one peer has, and asking it for what we lack. Protocol/06-replication.md, "Pull"."""
from __future__ import annotations

import random
import time

from channel import Channel
from tour import Tour
from wire import pb, prefix

ANSWER_SECONDS, RANGES_MAX = 3.0, 64
FEW_EVENTS = 64
BARREN_SECONDS, BARREN_SECONDS_MAX = 0.25, 30.0
BRANCH_SECONDS, BRANCH_EVENTS = 600.0, 256

Range = tuple[bytes, int, int]


class Pull:
    """`asked` holds the authors that some link of the node asks for: each is asked for on one at a time."""

    def __init__(self, tour: Tour, channel: Channel, asked: set[bytes]) -> None:
        self.heads: dict[int, int] = {}  # the peer's frontier, as far as it is known
        self._tour, self._channel, self._asked = tour, channel, asked
        self._want: int | None = None  # the id of the one that is open
        self._progress_at = 0.0  # when something came for it
        self._asking: dict[bytes, int] = {}  # the authors it asks for, and their heads here then
        self._barren: dict[bytes, tuple[float, float]] = {}  # authors of whom nothing came: how long not to ask, until
        self._branches: dict[bytes, float] = {}  # authors of whom the peer holds another event, and when it was asked

    def note(self, author: int, head: int) -> None:
        self.heads[author] = max(head, self.heads.get(author, 0))

    def lacks(self, author: bytes) -> bool:
        """Whether the peer is not known to have all that we have of an author."""
        return self.heads.get(prefix(author), 0) < self._tour.head(author)

    def progress(self) -> None:
        self._progress_at = time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether a `Want` is open that is not answered any more."""
        return self._want is not None and time.monotonic() - self._progress_at > ANSWER_SECONDS

    def _missing(self) -> list[Range]:
        """What the peer has, and we lack and ask for nowhere; for a while not what it has, but did not give."""
        found, now = [], time.monotonic()
        for number, head in self.heads.items():
            member = self._tour.roster.by_prefix(number)
            if member is None or member.id in self._asked or now < self._barren.get(member.id, (0, 0))[1]:
                continue
            head = self._tour.wanted(member.id, head)
            if head > self._tour.head(member.id):
                found.append((member.id, self._tour.head(member.id) + 1, head))
        return found[:RANGES_MAX]

    def ask(self) -> bool:
        """Sends a `Want` if none is open and something is missing; returns whether it grafts."""
        if self._want is not None or not (ranges := self._missing()):
            return False
        self._want, self._progress_at = random.getrandbits(31), time.monotonic()
        self._asking = {author: first - 1 for author, first, _ in ranges}
        self._asked |= self._asking.keys()
        graft = sum(last - first + 1 for _, first, last in ranges) < FEW_EVENTS
        said = [pb.Range(author=author, first=first, last=last) for author, first, last in ranges]
        self._channel.send(1, want=pb.Want(id=self._want, graft=graft, ranges=said))
        return graft

    def ask_for_branch(self, author: bytes, head: int) -> None:
        """The peer holds another event than we at a place: the run that comes shows it, and is refused as a fork."""
        now = time.monotonic()
        if now - self._branches.get(author, -BRANCH_SECONDS) < BRANCH_SECONDS:
            return
        self._branches[author] = now
        wanted = pb.Range(author=author, first=max(1, head - BRANCH_EVENTS + 1), last=head)
        self._channel.send(1, want=pb.Want(id=random.getrandbits(31), ranges=[wanted]))

    def answers(self, served: int) -> bool:
        return served == self._want

    def end(self) -> None:
        """The open `Want` is answered, or given up."""
        for author, head in self._asking.items():
            if self._tour.head(author) > head:
                self._barren.pop(author, None)
            else:
                pause = min(2 * self._barren.get(author, (BARREN_SECONDS / 2, 0))[0], BARREN_SECONDS_MAX)
                self._barren[author] = pause, time.monotonic() + pause
        self._asked -= self._asking.keys()
        self._want, self._asking = None, {}
