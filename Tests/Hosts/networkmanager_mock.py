"""A template for python-dbusmock: its NetworkManager, with what that lacks for hotspots, and ways to steer it.

Run by Debian's Python: `python3 -m dbusmock --system --template networkmanager_mock.py --parameters JSON`. The
parameters are those of the template and "cards": of each its "interface", "abilities", "state", and "network", the
name of one that it is in.
Prints a line for each call, and `ready` once it can be asked.
"""
import json
import os

import dbus
from dbusmock import mockobject
from dbusmock.templates import networkmanager
from dbusmock.templates.networkmanager import *  # noqa: F403  the template's methods become this one's
from dbusmock.templates.networkmanager import (ACTIVE_CONNECTION_IFACE, CSETTINGS_IFACE, DEVICE_IFACE, MANAGER_IFACE,
                                               MANAGER_OBJ, SETTINGS_IFACE, SETTINGS_OBJ, WIRELESS_DEVICE_IFACE)
from gi.repository import GLib

MOCK = "org.freedesktop.NetworkManager.Mock"
NONE = dbus.ObjectPath("/")
STARTING, UP, DOWN = dbus.UInt32(1), dbus.UInt32(2), dbus.UInt32(4)
FAILED = dbus.UInt32(120)  # of a card
DELAY = 300  # milliseconds that a start takes

failures = {}  # method -> error of its calls
steps = {"reason": None, "sticks": False, "dies": ""}
counts = {"profile": 0, "active": 0}
before = {}  # card -> the network that it was in


def load(mock, parameters):
    networkmanager.load(mock, parameters)
    manager, settings = at(MANAGER_OBJ), at(SETTINGS_OBJ)
    manager.AddMethod(MANAGER_IFACE, "AddAndActivateConnection", "a{sa{sv}}oo", "oo", add_and_activate)
    manager.AddMethod(MANAGER_IFACE, "ActivateConnection", "ooo", "o", activate)
    manager.AddMethod(MANAGER_IFACE, "DeactivateConnection", "o", "", deactivate)
    settings.AddMethod(SETTINGS_IFACE, "GetConnectionByUuid", "s", "o", by_id)
    for card in parameters.get("cards", []):
        path = mock.AddWiFiDevice(card["interface"], card["interface"], card.get("state", 30))
        at(path).Set(WIRELESS_DEVICE_IFACE, "WirelessCapabilities", dbus.UInt32(card.get("abilities", 0xff)))
        if "network" in card:
            before[path] = str(card["network"])
            connect(path, str(card["network"]), "00000000-0000-0000-0000-000000000001", NONE, UP)
    print("ready", flush=True)


def at(path):
    return mockobject.objects[str(path)]


def heed(method):
    """What a test wanted to happen at this call."""
    if steps["dies"] == method:
        os._exit(1)
    if method in failures:
        raise dbus.exceptions.DBusException("the mock says so", name=failures[method])


# Profiles.
def by_id(_settings, name):
    for path in at(SETTINGS_OBJ).Get(SETTINGS_IFACE, "Connections"):
        if at(path).whole["connection"]["uuid"] == name:
            return path
    raise dbus.exceptions.DBusException("no such profile", name=f"{SETTINGS_IFACE}.InvalidConnection")


def add(settings):
    counts["profile"] += 1
    path = dbus.ObjectPath(f"{SETTINGS_OBJ}/{counts['profile']}")
    at(MANAGER_OBJ).AddObject(path, CSETTINGS_IFACE, {"Unsaved": False}, [])
    profile = at(path)
    profile.whole = settings
    profile.AddMethod(CSETTINGS_IFACE, "GetSettings", "", "a{sa{sv}}", without_secrets)
    profile.AddMethod(CSETTINGS_IFACE, "GetSecrets", "s", "a{sa{sv}}", secrets)
    profile.AddMethod(CSETTINGS_IFACE, "Update", "a{sa{sv}}", "", update)
    known = at(SETTINGS_OBJ).Get(SETTINGS_IFACE, "Connections")
    at(SETTINGS_OBJ).Set(SETTINGS_IFACE, "Connections", dbus.Array([*known, path], signature="o"))
    return path


def without_secrets(profile):
    return {group: dbus.Dictionary({k: v for k, v in values.items() if k != "psk"}, signature="sv")
            for group, values in profile.whole.items()}


def secrets(profile, group):
    heed("GetSecrets")
    values = {k: v for k, v in profile.whole[group].items() if k == "psk"}
    return {group: dbus.Dictionary(values, signature="sv")}


def update(profile, settings):
    heed("Update")
    profile.whole = settings


# Connections.
def connect(card, name, profile_id, profile, state):
    counts["active"] += 1
    path = dbus.ObjectPath(f"/org/freedesktop/NetworkManager/ActiveConnection/{counts['active']}")
    at(MANAGER_OBJ).AddObject(path, ACTIVE_CONNECTION_IFACE, {
        "Devices": dbus.Array([dbus.ObjectPath(card)], signature="o"), "Id": dbus.String(name),
        "Uuid": dbus.String(profile_id), "Connection": profile, "State": state}, [])
    for old in list(at(MANAGER_OBJ).Get(MANAGER_IFACE, "ActiveConnections")):
        if dbus.ObjectPath(card) in at(old).Get(ACTIVE_CONNECTION_IFACE, "Devices"):
            remove(old)
    all_ = at(MANAGER_OBJ).Get(MANAGER_IFACE, "ActiveConnections")
    at(MANAGER_OBJ).Set(MANAGER_IFACE, "ActiveConnections", dbus.Array([*all_, path], signature="o"))
    at(card).Set(DEVICE_IFACE, "ActiveConnection", path)
    return path


def remove(path):
    left = [one for one in at(MANAGER_OBJ).Get(MANAGER_IFACE, "ActiveConnections") if one != path]
    at(MANAGER_OBJ).Set(MANAGER_IFACE, "ActiveConnections", dbus.Array(left, signature="o"))
    for card in at(path).Get(ACTIVE_CONNECTION_IFACE, "Devices"):
        at(card).Set(DEVICE_IFACE, "ActiveConnection", NONE)
    at(MANAGER_OBJ).RemoveObject(path)


def start(profile, card):
    settings = at(profile).whole
    path = connect(card, settings["connection"]["id"], settings["connection"]["uuid"], profile, STARTING)
    if not steps["sticks"]:
        GLib.timeout_add(DELAY, finish, path, card)
    return path


def finish(path, card):
    if str(path) not in mockobject.objects:
        return False
    if steps["reason"] is None:
        at(path).Set(ACTIVE_CONNECTION_IFACE, "State", UP)
    else:
        told = [FAILED, dbus.UInt32(50), dbus.UInt32(steps["reason"])]  # the new state, the old one, why
        at(card).EmitSignal(DEVICE_IFACE, "StateChanged", "uuu", told)
        at(path).Set(ACTIVE_CONNECTION_IFACE, "State", DOWN)
        GLib.timeout_add(DELAY, go_back, path, card)
    return False


def go_back(path, card):
    """As NetworkManager does: a card that is free goes to a network that it knows."""
    if str(path) in mockobject.objects:
        remove(path)
    if str(card) in before:
        connect(card, before[str(card)], "00000000-0000-0000-0000-000000000001", NONE, UP)
    return False


def add_and_activate(_manager, settings, card, _point):
    heed("AddAndActivateConnection")
    profile = add(settings)
    return profile, start(profile, card)


def activate(_manager, profile, card, _point):
    heed("ActivateConnection")
    return start(profile, card)


def deactivate(_manager, path):
    heed("DeactivateConnection")
    go_back(path, at(path).Get(ACTIVE_CONNECTION_IFACE, "Devices")[0])


# What a test calls.
@dbus.service.method(MOCK, in_signature="ss")
def Fail(_mock, method, name):
    """From here on a method fails; without a name it does no longer."""
    if name:
        failures[str(method)] = str(name)
    else:
        failures.pop(str(method), None)


@dbus.service.method(MOCK, in_signature="i")
def FailStarts(_mock, reason):
    """Starts fail for this reason; -1: no longer."""
    steps["reason"] = None if reason < 0 else int(reason)


@dbus.service.method(MOCK, in_signature="b")
def Stick(_mock, sticks):
    """Starts take for ever."""
    steps["sticks"] = bool(sticks)


@dbus.service.method(MOCK, in_signature="s")
def DieAt(_mock, method):
    """The next call of a method is the last."""
    steps["dies"] = str(method)


@dbus.service.method(MOCK, in_signature="b")
def Wifi(_mock, on):
    """Wi-Fi is turned on or off."""
    at(MANAGER_OBJ).Set(MANAGER_IFACE, "WirelessEnabled", dbus.Boolean(on))


@dbus.service.method(MOCK, out_signature="s")
def Profiles(_mock):
    """All profiles with their secrets, as JSON; bytes are a list of numbers."""
    paths = at(SETTINGS_OBJ).Get(SETTINGS_IFACE, "Connections")
    return json.dumps([at(path).whole for path in paths], default=str)
