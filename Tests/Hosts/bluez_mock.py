"""A template for python-dbusmock: its BlueZ 5, with what that lacks for networks, and ways for a test to steer it.

Run by Debian's Python: `python3 -m dbusmock --template bluez_mock.py --parameters JSON`. The parameters are
"adapters": names such as hci0; "devices": address -> name, unpaired, on the first adapter.
Prints a line for each call, and `ready` once it can be asked.
"""
import dbus
from dbusmock import mockobject
from dbusmock.templates import bluez5
from dbusmock.templates.bluez5 import *  # noqa: F403  the template's methods become this one's
from dbusmock.templates.bluez5 import ADAPTER_IFACE, BLUEZ_MOCK_IFACE, DEVICE_IFACE

SERVER, NETWORK, AGENT = "org.bluez.NetworkServer1", "org.bluez.Network1", "org.bluez.Agent1"
NAP = "00001116-0000-1000-8000-00805f9b34fb"
HCI0 = "/org/bluez/hci0"

failures = {}  # method -> errors of its next calls


def error(name, text="the mock says so"):
    return dbus.exceptions.DBusException(text, name=name if "." in name else f"org.bluez.Error.{name}")


def fail_if_asked(method):
    if failures.get(method):
        raise error(failures[method].pop())


def load(mock, parameters):
    mockobject.objects["/"] = mock
    bluez5.load(mock, parameters)
    for name in parameters.get("adapters", []):
        mock.AddAdapter(name, f"Adapter {name}")
        adapter = mockobject.objects[f"/org/bluez/{name}"]
        adapter.networks = {}
        adapter.props[SERVER] = {}
        adapter.AddMethod(SERVER, "Register", "ss", "", register)
        adapter.AddMethod(SERVER, "Unregister", "s", "", unregister)
    for address, name in parameters.get("devices", {}).items():
        mock.Appear(address, name)
    print("ready", flush=True)


# NetworkServer1 and Network1.
def register(adapter, uuid, bridge):
    fail_if_asked("Register")
    if uuid in adapter.networks:
        raise error("AlreadyExists")
    adapter.networks[uuid] = bridge
    show_served(adapter)


def unregister(adapter, uuid):
    if uuid not in adapter.networks:
        raise error("InvalidArguments")
    del adapter.networks[uuid]
    show_served(adapter)


def show_served(adapter):
    others = [uuid for uuid in adapter.props[ADAPTER_IFACE]["UUIDs"] if uuid != NAP]
    uuids = others + [NAP] * bool(adapter.networks)
    adapter.UpdateProperties(ADAPTER_IFACE, {"UUIDs": dbus.Array(uuids, signature="s", variant_level=1)})


def connect(device, uuid):
    fail_if_asked("Connect")
    if uuid != "nap":
        raise error("InvalidArguments")
    if device.props[NETWORK]["Connected"]:
        raise error("AlreadyConnected")
    set_network(device, True, "bnep0")
    return "bnep0"


def disconnect(device):
    if not device.props[NETWORK]["Connected"]:
        raise error("NotConnected")
    set_network(device, False, "")


def set_network(device, connected, interface):
    device.UpdateProperties(NETWORK, {"Connected": dbus.Boolean(connected), "Interface": dbus.String(interface)})


def offer_network(device):
    """What BlueZ shows once it has read the services of a device that serves a network."""
    device.AddProperties(NETWORK, {"Connected": dbus.Boolean(False), "Interface": dbus.String(""),
                                   "UUID": dbus.String("nap")})
    device.AddMethod(NETWORK, "Connect", "s", "s", connect)
    device.AddMethod(NETWORK, "Disconnect", "", "", disconnect)
    device.object_manager_emit_added(device.path)


# Pairing, which asks the agent as BlueZ does.
def agent_agrees(device, agent_path, method, signature, *arguments):
    bus = device.bus_name.get_bus()
    names = sorted((n for n in bus.list_names() if n.startswith(":") and n != bus.get_unique_name()),
                   key=lambda name: int(name.split(".")[1]))
    for name in names:  # who registered the agent is not told here: all are asked
        try:
            bus.call_blocking(name, agent_path, AGENT, method, signature, (dbus.ObjectPath(device.path), *arguments), 5)
            return True
        except dbus.exceptions.DBusException as problem:
            if problem.get_dbus_name() == "org.bluez.Error.Rejected":
                return False
    return False


def pair(device):
    fail_if_asked("Pair")
    paths = mockobject.objects["/org/bluez"].agent_paths
    if not paths or not agent_agrees(device, paths[-1], "RequestConfirmation", "ou", 123456):
        raise error("AuthenticationRejected")
    device.PairDevice("hci0", device.props[DEVICE_IFACE]["Address"], 0)
    offer_network(device)


def device_of(address):
    return mockobject.objects[f"{HCI0}/dev_{address.replace(':', '_')}"]


# What a test calls.
@dbus.service.method(BLUEZ_MOCK_IFACE, in_signature="ss")
def Appear(mock, address, name):
    """A device comes into reach."""
    mock.AddDevice("hci0", address, name)
    device_of(address).AddMethod(DEVICE_IFACE, "Pair", "", "", pair)


@dbus.service.method(BLUEZ_MOCK_IFACE, in_signature="s", out_signature="b")
def PairsItself(_mock, address):
    """The device begins a pairing; answers whether this side agreed."""
    device, agent_path = device_of(address), mockobject.objects["/org/bluez"].default_agent
    if not agent_path or not agent_agrees(device, agent_path, "RequestConfirmation", "ou", 123456):
        return False
    device.PairDevice("hci0", address, 0)
    return True


@dbus.service.method(BLUEZ_MOCK_IFACE, in_signature="ss", out_signature="b")
def UsesService(_mock, address, uuid):
    """The device wants a service; answers whether this side's agent agreed."""
    agent_path = mockobject.objects["/org/bluez"].default_agent
    return bool(agent_path) and agent_agrees(device_of(address), agent_path, "AuthorizeService", "os", uuid)


@dbus.service.method(BLUEZ_MOCK_IFACE, in_signature="s")
def Drop(_mock, address):
    """The network connection breaks."""
    set_network(device_of(address), False, "")


@dbus.service.method(BLUEZ_MOCK_IFACE, in_signature="ssi")
def Fail(_mock, method, name, count):
    """The next calls of a method fail."""
    failures[str(method)] = [str(name)] * int(count)


@dbus.service.method(BLUEZ_MOCK_IFACE, in_signature="s")
def PairedWithoutNetwork(_mock, address):
    """The device is paired and offers nothing."""
    device = device_of(address)
    device.paired = True
    device.UpdateProperties(DEVICE_IFACE, {"Paired": dbus.Boolean(True), "ServicesResolved": dbus.Boolean(True)})


@dbus.service.method(BLUEZ_MOCK_IFACE, in_signature="b")
def Power(_mock, on):
    """The adapter is switched on or off."""
    mockobject.objects[HCI0].UpdateProperties(ADAPTER_IFACE, {"Powered": dbus.Boolean(on)})
