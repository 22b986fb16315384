"""The agent that BlueZ asks about pairings and about who may use a service. The agent has no keys and no display."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gi.repository import Gio, GLib

from .bluez import AGENTS, ROLES, Bluez

PATH = "/org/tourchat/agent"
_XML = """<node><interface name="org.bluez.Agent1">
<method name="Release"/><method name="Cancel"/>
<method name="RequestPinCode"><arg type="o" direction="in"/><arg type="s" direction="out"/></method>
<method name="RequestPasskey"><arg type="o" direction="in"/><arg type="u" direction="out"/></method>
<method name="DisplayPinCode"><arg type="o" direction="in"/><arg type="s" direction="in"/></method>
<method name="DisplayPasskey"><arg type="o" direction="in"/><arg type="u" direction="in"/>
<arg type="q" direction="in"/></method>
<method name="RequestConfirmation"><arg type="o" direction="in"/><arg type="u" direction="in"/></method>
<method name="RequestAuthorization"><arg type="o" direction="in"/></method>
<method name="AuthorizeService"><arg type="o" direction="in"/><arg type="s" direction="in"/></method>
</interface></node>"""


def allowed(method: str, arguments: tuple[Any, ...], accepts: Callable[[str], bool]) -> bool:
    """Allows pairing without a code, and the network services, for devices that `accepts` names."""
    if method in ("Release", "Cancel"):
        return True
    if method == "AuthorizeService" and arguments[1].lower() not in ROLES:
        return False
    return method in ("RequestConfirmation", "RequestAuthorization", "AuthorizeService") and accepts(arguments[0])


@contextmanager
def agent(bluez: Bluez, accepts: Callable[[str], bool], is_default: bool) -> Iterator[None]:
    """Registers the agent while the block runs; BlueZ asks the default agent when others begin a pairing."""
    def answer(_bus: Any, _sender: str, _path: str, _interface: str, method: str, arguments: GLib.Variant,
               invocation: Gio.DBusMethodInvocation) -> None:
        if allowed(method, arguments.unpack(), accepts):
            invocation.return_value(None)
        else:
            invocation.return_dbus_error("org.bluez.Error.Rejected", "bluez-pan accepts no such thing")

    interface = Gio.DBusNodeInfo.new_for_xml(_XML).interfaces[0]
    registered = bluez.bus.register_object(PATH, interface, answer, None, None)
    path = GLib.Variant("(o)", (PATH,))
    try:
        bluez.call("/org/bluez", AGENTS, "RegisterAgent", GLib.Variant("(os)", (PATH, "NoInputNoOutput")),
                   what="Registering for pairings")
        if is_default:
            bluez.call("/org/bluez", AGENTS, "RequestDefaultAgent", path, what="Registering for pairings")
        yield
    finally:
        bluez.undo("/org/bluez", AGENTS, "UnregisterAgent", path)
        bluez.bus.unregister_object(registered)
