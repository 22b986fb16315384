"""The status: adapters, devices that have a network, connections, and the interfaces that these created."""
from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from .bluez import ADAPTER, DEVICE, NETWORK, SERVER, Bluez, last, role_names
from .bridge import links
from .events import Events

Row = dict[str, Any]


def status(options: argparse.Namespace) -> None:
    bluez = Bluez(Events())
    found = {"adapters": [adapter_row(bluez, path) for path in bluez.adapters()],
             "devices": [row for path in bluez.devices() if (row := device_row(bluez, path))],
             "interfaces": interface_rows()}
    print(json.dumps(found) if options.json else text_of(found))


def adapter_row(bluez: Bluez, path: str) -> Row:
    values = bluez.values(path, ADAPTER)
    return {"adapter": last(path), "address": values.get("Address"), "name": values.get("Alias"),
            **{name.lower(): bool(values.get(name)) for name in ("Powered", "Discoverable", "Pairable")},
            "canServe": bluez.has(path, SERVER), "serves": "nap" in role_names(values.get("UUIDs", []))}


def device_row(bluez: Bluez, path: str) -> Row | None:
    """None for a device without networks."""
    values, network = bluez.values(path, DEVICE), bluez.values(path, NETWORK)
    roles = role_names(values.get("UUIDs", []))
    if not roles and not bluez.has(path, NETWORK):
        return None
    is_joined = bool(network.get("Connected"))
    return {"address": values.get("Address"), "name": values.get("Alias"), "adapter": last(values.get("Adapter", "")),
            **{name.lower(): bool(values.get(name)) for name in ("Paired", "Trusted", "Connected")},
            "roles": roles, "joined": is_joined, "interface": (network.get("Interface") or None) if is_joined else None}


def interface_rows() -> list[Row]:
    """BNEP interfaces of both directions: on a bridge where this node serves, on their own where it has joined."""
    return [{"interface": link["ifname"], "bridge": link.get("master"), "up": "UP" in link["flags"]}
            for link in links() if link["ifname"].startswith("bnep")]


def text_of(found: dict[str, list[Row]]) -> str:
    return "\n".join([*section("Adapters", found["adapters"], adapter_text, "none: plug one in; rfkill list"),
                      *section("Devices with a network", found["devices"], device_text, "none"),
                      *section("Interfaces", found["interfaces"], interface_text, "none")])


def section(title: str, rows: list[Row], text: Callable[[Row], str], empty: str) -> list[str]:
    return [title, *(f"  {line}" for line in (map(text, rows) if rows else [empty]))]


def words(row: Row, *names: str) -> str:
    return ", ".join(name if row[name] else f"not {name}" for name in names)


def adapter_text(row: Row) -> str:
    serves = "serves a network" if row["serves"] else "serves none" if row["canServe"] else "cannot serve"
    return (f"{row['adapter']}  {row['address']}  \"{row['name']}\"  "
            f"{words(row, 'powered', 'discoverable', 'pairable')}; {serves}")


def device_text(row: Row) -> str:
    joined = f"joined over {row['interface']}" if row["joined"] else "not joined"
    return (f"{row['address']}  \"{row['name']}\"  {'/'.join(row['roles']) or '-'}  "
            f"{words(row, 'paired', 'trusted', 'connected')}; {joined}")


def interface_text(row: Row) -> str:
    return f"{row['interface']}  {'on bridge ' + row['bridge'] if row['bridge'] else 'joined'}, " \
           f"{'up' if row['up'] else 'down'}"
