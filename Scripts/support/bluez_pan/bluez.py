"""This program's view of BlueZ: its objects, kept current by its signals, and calls to them."""
from __future__ import annotations

from typing import Any

from gi.repository import Gio, GLib

from .events import Events
from .problem import NO_BLUEZ, NO_BUS, Failure, Problem, problem_of

NAME = "org.bluez"
ADAPTER, DEVICE = "org.bluez.Adapter1", "org.bluez.Device1"
SERVER, NETWORK = "org.bluez.NetworkServer1", "org.bluez.Network1"
AGENTS = "org.bluez.AgentManager1"
MANAGER, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
_BASE = "-0000-1000-8000-00805f9b34fb"
ROLES = {f"00001115{_BASE}": "panu", f"00001116{_BASE}": "nap", f"00001117{_BASE}": "gn"}
UNDO_MS = 5000  # the longest wait for one answer while undoing

Object = dict[str, dict[str, Any]]  # interface -> property -> value


class Bluez:
    def __init__(self, events: Events) -> None:
        self.events = events
        self.objects: dict[str, Object] = {}
        try:
            self.bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
        except GLib.Error as error:
            raise Problem(Failure.NO_BLUEZ, f"{NO_BUS}: {error.message}") from None
        self.bus.set_exit_on_close(False)
        for interface, member, handler in (
                (MANAGER, "InterfacesAdded", self._added), (MANAGER, "InterfacesRemoved", self._removed),
                (PROPERTIES, "PropertiesChanged", self._changed)):
            self._subscribe(NAME, interface, member, None, handler)
        self._subscribe("org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", NAME, self._owner_changed)
        self._merge(self.call("/", MANAGER, "GetManagedObjects", what="Asking BlueZ")[0])

    # Signals of BlueZ.
    def _subscribe(self, sender: str, interface: str, member: str, first: str | None, handler: Any) -> None:
        self.bus.signal_subscribe(sender, interface, member, None, first, Gio.DBusSignalFlags.NONE,
                                  lambda _bus, _sender, path, _i, _m, arguments: handler(path, *arguments.unpack()))

    def _merge(self, found: dict[str, Object]) -> None:
        for path, interfaces in found.items():
            self._added("/", path, interfaces)

    def _added(self, _path: str, path: str, interfaces: Object) -> None:
        self.objects.setdefault(path, {}).update(interfaces)

    def _removed(self, _path: str, path: str, interfaces: list[str]) -> None:
        left = {k: v for k, v in self.objects.pop(path, {}).items() if k not in interfaces}
        if left:
            self.objects[path] = left

    def _changed(self, path: str, interface: str, changed: dict[str, Any], invalid: list[str]) -> None:
        values = self.objects.get(path, {}).get(interface)
        if values is not None:
            values.update(changed)
            for name in invalid:
                values.pop(name, None)

    def _owner_changed(self, _path: str, _name: str, _old: str, new: str) -> None:
        self.objects.clear()
        if new:  # reads the present objects; later changes come as signals
            self.bus.call(NAME, "/", MANAGER, "GetManagedObjects", None, None, Gio.DBusCallFlags.NO_AUTO_START,
                          -1, None, self._listed)

    def _listed(self, bus: Gio.DBusConnection, result: Gio.AsyncResult) -> None:
        try:
            self._merge(bus.call_finish(result).unpack()[0])
        except GLib.Error:
            pass  # BlueZ has gone again; the next owner will be asked

    def values(self, path: str, interface: str) -> dict[str, Any]:
        """The properties of an object; empty if the object does not exist."""
        return self.objects.get(path, {}).get(interface, {})

    def has(self, path: str, interface: str) -> bool:
        return interface in self.objects.get(path, {})

    # Calls to BlueZ.
    def call(self, path: str, interface: str, method: str, arguments: GLib.Variant | None = None,
             seconds: float = 30, what: str = "") -> tuple[Any, ...]:
        """Calls and waits for the answer; Ctrl-C interrupts the wait."""
        results: list[Gio.AsyncResult] = []
        self.bus.call(NAME, path, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START,
                      int(1000 * seconds), None, lambda _bus, result: results.append(result))
        self.events.wait(lambda: results)
        try:
            return tuple(self.bus.call_finish(results[0]).unpack())
        except GLib.Error as error:
            raise self._problem(error, what or method) from None

    def set(self, path: str, interface: str, name: str, value: GLib.Variant) -> None:
        self.call(path, PROPERTIES, "Set", GLib.Variant("(ssv)", (interface, name, value)), what=f"Setting {name}")

    def undo(self, path: str, interface: str, method: str, arguments: GLib.Variant | None = None) -> None:
        """A call during the cleanup: waits briefly, and ignores that BlueZ or the object has gone."""
        try:
            self.bus.call_sync(NAME, path, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START,
                               UNDO_MS, None)
        except GLib.Error:
            pass

    @staticmethod
    def _problem(error: GLib.Error, what: str) -> Problem:
        name = Gio.DBusError.get_remote_error(error) or ""
        return problem_of(name, error.message.removeprefix(f"GDBus.Error:{name}: "), what)

    # Adapters and devices.
    def adapters(self) -> list[str]:
        return sorted(path for path, interfaces in self.objects.items() if ADAPTER in interfaces)

    def devices(self, adapter: str = "") -> list[str]:
        return sorted(path for path, interfaces in self.objects.items()
                      if DEVICE in interfaces and path.startswith(adapter))

    def adapter(self, name: str | None) -> str:
        """The adapter of this name, or the first one; it must be switched on."""
        paths = self.adapters()
        if not paths:
            raise Problem(Failure.NO_ADAPTER, "no Bluetooth adapter: plug one in; `rfkill list` and `dmesg` show more")
        wanted = [path for path in paths if name is None or last(path) == name]
        if not wanted:
            raise Problem(Failure.NO_ADAPTER, f"no adapter {name}; here: {', '.join(map(last, paths))}")
        if not self.values(wanted[0], ADAPTER).get("Powered"):
            raise Problem(Failure.NO_ADAPTER, f"{last(wanted[0])} is switched off: rfkill unblock bluetooth; "
                          "bluetoothctl power on")
        return wanted[0]

    def is_there(self) -> bool:
        return bool(self.objects)


def last(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def role_names(uuids: list[str]) -> list[str]:
    return [ROLES[u.lower()] for u in uuids if u.lower() in ROLES]
