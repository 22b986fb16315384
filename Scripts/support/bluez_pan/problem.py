"""Problems: a sentence that tells the user what to do next, and the exit code."""
from __future__ import annotations

from enum import Enum


class Failure(Enum):
    """The exit codes; argparse uses 2."""

    OTHER = 1
    NO_BLUEZ = 3
    NO_ADAPTER = 4
    NOT_AUTHORISED = 5
    UNKNOWN_DEVICE = 6


class Problem(Exception):
    def __init__(self, failure: Failure, text: str) -> None:
        super().__init__(text)
        self.failure = failure


NO_BLUEZ = Problem(Failure.NO_BLUEZ, "BlueZ is not running: apt-get install bluez, then systemctl start bluetooth")
NO_BUS = "no system D-Bus here (apt-get install dbus; systemctl start dbus)"
_ABSENT = ("ServiceUnknown", "NameHasNoOwner")
_REFUSED = ("AccessDenied", "NotAuthorized", "NotPermitted", "AuthFailed", "AuthenticationFailed",
            "AuthenticationRejected", "AuthenticationCanceled", "AuthenticationTimeout")


def problem_of(name: str, text: str, what: str) -> Problem:
    """The problem that a D-Bus error stands for; `what` is the attempted action."""
    last = name.rsplit(".", 1)[-1]
    if name.startswith("org.freedesktop.DBus.Error.") and last in _ABSENT:
        return NO_BLUEZ
    said = f"{text or last} ({last})"
    if last in _REFUSED:
        hint = ("the other node refused; there: bluez-pan serve --pair 120" if last.startswith("Authentication")
                else "run this as root (sudo), or as a user in the group bluetooth")
        return Problem(Failure.NOT_AUTHORISED, f"{what}: not authorised: {said}; {hint}")
    return Problem(Failure.OTHER, f"{what}: {said}")
