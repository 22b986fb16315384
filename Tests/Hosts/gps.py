"""A real gpsd with a made-up receiver: gpsfake replays sentences as a receiver writes them."""
from __future__ import annotations

import functools
import shutil
import subprocess
import time

from cases import Unavailable
from lab import Host
from nodes import NodeError, end, wait_until


def sentence(body: str) -> str:
    """With its check sum. Source: NMEA 0183."""
    return f"${body}*{functools.reduce(lambda left, right: left ^ ord(right), body, 0):02X}\r\n"


def angle(degrees: float, width: int, letters: str) -> str:
    """Degrees and minutes, as NMEA writes them."""
    whole, minutes = divmod(abs(degrees) * 60, 60)
    return f"{int(whole):0{width}d}{minutes:07.4f},{letters[degrees < 0]}"


def track(place: tuple[float, float] | None, seconds: int, speed: float) -> str:
    """So many seconds from now on, at one place or from there to the north, so many metres a second.

    None: a receiver that has no fix.
    """
    lines, began = [], int(time.time())
    for moment in range(began, began + seconds):
        day, clock = time.strftime("%d%m%y", time.gmtime(moment)), time.strftime("%H%M%S.00", time.gmtime(moment))
        if place is None:
            lines += [sentence(f"GPGGA,{clock},,,,,0,00,,,M,,M,,"), sentence(f"GPRMC,{clock},V,,,,,,,{day},,,N")]
            continue
        where = f"{angle(place[0] + (moment - began) * speed / 111_195, 2, 'NS')},{angle(place[1], 3, 'EW')}"
        lines += [sentence(f"GPGGA,{clock},{where},1,08,1.0,61.0,M,47.0,M,,"),
                  sentence(f"GPRMC,{clock},A,{where},0.0,0.0,{day},,,A")]
    return "".join(lines)


TRIES = 4


def start(host: Host, *words: str) -> subprocess.Popen[bytes]:
    """Starts it, and waits until gpsd answers.

    gpsfake adds its receiver once, without a word if gpsd does not listen at that moment: then it is started again.
    """
    if not shutil.which(words[0]):
        raise Unavailable(f"{words[0]} is not installed (Scripts/install test installs it)")
    said = ""

    def answers() -> bool:
        """It says its version and its devices, and has one where one is replayed."""
        nonlocal said
        asked = subprocess.run(host.argv(["gpspipe", "-w", "-n", "2", "-x", "3"]), capture_output=True, text=True)
        said = asked.stdout + asked.stderr
        return '"DEVICES"' in asked.stdout and ('"path"' in asked.stdout or words[0] == "gpsd")

    for _ in range(TRIES):
        process = host.daemon(list(words), "gpsd.log")
        try:
            wait_until(answers, 15, "gpsd answers")
        except NodeError:
            end(process)
        except BaseException:
            end(process)
            raise
        else:
            return process
    raise NodeError(f"no answer of {words[0]} after {TRIES} starts: {said[-400:]}")


class Receiver:
    """gpsd on one host, at its usual port, with a receiver that is at `place` (None: it has no fix)."""

    def __init__(self, host: Host, place: tuple[float, float] | None, speed: float = 0) -> None:
        log = host.home / "track.nmea"
        log.write_text(track(place, 150, speed))
        # Half a second between two sentences: the replay goes on at the pace of the clock.
        self.process = start(host, "gpsfake", "--nowait", "--cycle", "0.5", "--port", "2947", "--singleshot",
                             "--quiet", str(log))

    def close(self) -> None:
        end(self.process)

    def __enter__(self) -> Receiver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class BareGpsd(Receiver):
    """gpsd that has no receiver."""

    def __init__(self, host: Host) -> None:
        self.process = start(host, "gpsd", "-N", "-n", "-S", "2947", "-F", str(host.home / "gpsd.socket"))
