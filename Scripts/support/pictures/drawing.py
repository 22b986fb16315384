"""Draws the tour as its own nodes describe it: their networks, their links, and how many hops each is from the guide.

`status` names a node's networks and says whether a server keeps its mail, `peers` lists its links, and `members` of the
guide the hops. The stage adds only facts that no program knows: the networks' names, and which device is a Raspberry
Pi.
"""
from __future__ import annotations

import itertools
from dataclasses import dataclass
from html import escape
from pathlib import Path

from nodes import Node, wait_until
from tour import COACH, NAMES, NETWORKS, Tour

WIDTH, HEIGHT = 960, 424
TOP, BOTTOM, SIDE, OVERLAP = 96, 412, 12, 132
MIDDLE, SPREAD, SERVER_Y = 256, 56, 40
# Links end in the middle of a device: the names of the upper devices are above it.
LABEL_ABOVE, LABEL_BELOW = -46, 39
COLOURS = {
    "light": {"text": "#17211f", "soft": "#4d5b57", "area": "#dcebe5", "edge": "#9dbdb1", "line": "#0d5c4c",
              "device": "#ffffff", "guide": "#0d5c4c", "on-guide": "#ffffff"},
    "dark": {"text": "#eef3f1", "soft": "#aebbb6", "area": "#17302a", "edge": "#3c6155", "line": "#6cd6bd",
             "device": "#0f1413", "guide": "#6cd6bd", "on-guide": "#0f1413"},
}


@dataclass
class Told:
    """One node's report about itself."""

    name: str
    networks: tuple[int, ...]
    links: dict[str, int]  # the peer's name -> the network
    hops: int
    leads: bool
    has_mailbox: bool


def network_of(address: str) -> int | None:
    """The number that the lab gave the address's network."""
    parts = address.split(".")
    return int(parts[2]) if len(parts) == 4 else None


def tell(node: Node, guide: Node) -> Told:
    status = node.status()
    networks = {network_of(a) for segment in status["segments"] for a in segment["addresses"]} & set(NETWORKS)
    rows = node.must("peers").lines
    links = {row["name"]: network for row in rows
             if row.get("state") == "open" and (network := network_of(row["address"])) in NETWORKS}
    row = next(row for row in guide.members() if row["name"] == node.name)
    return Told(node.name, tuple(sorted(networks)), links, row["hops"] or 0, row["role"] != "member",
                bool(status["mailbox"]))


def everything(tour: Tour) -> list[Told]:
    """The reports of all six, once neighbours in a network are linked and the server is known."""
    def settled() -> list[Told] | None:
        told = [tell(node, tour.guide) for node in tour.stage.nodes]
        for one, other in itertools.permutations(told, 2):
            if set(one.networks) & set(other.networks) and other.name not in one.links:
                return None
        is_far = all(one.hops > 0 for one in told[1:])
        return told if is_far and any(one.has_mailbox for one in told) else None

    found: list[Told] = wait_until(settled, 60, "everybody is linked with everybody in reach", pause=0.5)
    return found


def areas() -> dict[int, tuple[int, int]]:
    """The left and right edge of each network; neighbours overlap, and a device in both is in the overlap."""
    count = len(NETWORKS)
    width = (WIDTH - 2 * SIDE + OVERLAP * (count - 1)) // count
    lefts = {network: SIDE + k * (width - OVERLAP) for k, network in enumerate(NETWORKS)}
    return {network: (left, left + width) for network, left in lefts.items()}


def alone(network: int) -> tuple[int, int]:
    """The part of a network that overlaps no other."""
    left, right = areas()[network]
    return left + (OVERLAP if network > min(NETWORKS) else 0), right - (OVERLAP if network < max(NETWORKS) else 0)


def places(told: list[Told]) -> dict[str, tuple[int, int]]:
    columns: dict[tuple[int, ...], list[Told]] = {}
    for one in told:
        columns.setdefault(one.networks, []).append(one)
    found = {}
    ends = areas()
    for networks, column in columns.items():
        if len(networks) == 1:
            left, right = alone(networks[0])
        else:
            left, right = max(ends[n][0] for n in networks), min(ends[n][1] for n in networks)
        # Beside the line from one overlap to the next.
        is_between = len(networks) == 1 and min(NETWORKS) < networks[0] < max(NETWORKS)
        for k, one in enumerate(column):
            shift = -SPREAD if is_between and len(column) == 1 else (2 * k - len(column) + 1) * SPREAD
            found[one.name] = ((left + right) // 2, MIDDLE + shift)
    return found


def device(one: Told, x: int, y: int, colour: dict[str, str]) -> str:
    """A laptop or a Raspberry Pi, with its name and, below the name, its hops from the guide."""
    is_pi = one.name == NAMES[COACH]
    fill, stroke = (colour["guide"], colour["guide"]) if one.leads else (colour["device"], colour["line"])
    paint = f'fill="{fill}" stroke="{stroke}" stroke-width="2"'
    if is_pi:
        shape = (f'<rect x="{x - 26}" y="{y - 17}" width="52" height="34" rx="5" {paint}/>'
                 f'<path d="M{x - 20} {y - 11}h30" stroke="{stroke}" stroke-width="4" stroke-dasharray="3 2"/>'
                 f'<rect x="{x - 8}" y="{y - 3}" width="14" height="14" rx="2" fill="{stroke}"/>'
                 f'<path d="M{x + 15} {y - 6}h8v8h-8z" fill="{stroke}"/>')
    else:
        shape = (f'<rect x="{x - 22}" y="{y - 20}" width="44" height="30" rx="4" {paint}/>'
                 f'<path d="M{x - 31} {y + 14}h62l-5 6h-52z" fill="{stroke}"/>')
    if one.leads:
        shape += f'<text x="{x}" y="{y + 1}" class="star" fill="{colour["on-guide"]}">★</text>'
    hops = "guide" if one.leads else f"{one.hops} hop{'s' if one.hops != 1 else ''}"
    what = f"Raspberry Pi, {hops}" if is_pi else hops
    label = LABEL_ABOVE if y < MIDDLE else LABEL_BELOW
    return (f'{shape}<text x="{x}" y="{y + label}" class="name">{escape(one.name)}</text>'
            f'<text x="{x}" y="{y + label + 17}" class="soft">{what}</text>')


def server(x: int, y: int, colour: dict[str, str]) -> str:
    """Beside the mesh, where there is internet: dashed."""
    return (f'<path d="M{x} {SERVER_Y + 24}V{y + LABEL_ABOVE - 18}" class="dashed"/>'
            f'<rect x="{x - 24}" y="{SERVER_Y - 24}" width="48" height="48" rx="5" fill="{colour["device"]}"'
            ' class="dashed"/>'
            f'<path d="M{x - 24} {SERVER_Y - 8}h48M{x - 24} {SERVER_Y + 8}h48" class="dashed"/>'
            f'<text x="{x + 38}" y="{SERVER_Y - 2}" class="name left">Server</text>'
            f'<text x="{x + 38}" y="{SERVER_Y + 15}" class="soft left">when there is internet: keeps sealed mail'
            '</text>')


def picture(told: list[Told], colour: dict[str, str]) -> str:
    at = places(told)
    parts = []
    boxes = "".join(f'<rect x="{left}" y="{TOP}" width="{right - left}" height="{BOTTOM - TOP}" rx="20"/>'
                    for left, right in areas().values())
    # The edges are drawn again above all areas, which overlap.
    parts += [f'<g class="area">{boxes}</g>', f'<g class="edge">{boxes}</g>']
    for network in NETWORKS:
        left, right = alone(network)
        name = escape(NETWORKS[network])
        parts.append(f'<text x="{(left + right) // 2}" y="{BOTTOM - 18}" class="network">{name}</text>')
    links = {tuple(sorted((one.name, other))) for one in told for other in one.links if other in at}
    for one, other in sorted(links):
        (x1, y1), (x2, y2) = at[one], at[other]
        parts.append(f'<path d="M{x1} {y1}L{x2} {y2}" class="link"/>')
    for one in told:
        x, y = at[one.name]
        if one.has_mailbox:
            parts.append(server(x, y, colour))
        parts.append(device(one, x, y, colour))
    style = (f'text{{font-family:system-ui,sans-serif;text-anchor:middle;fill:{colour["text"]}}}'
             f'.name{{font-size:16px;font-weight:600}}.soft{{font-size:13px;fill:{colour["soft"]}}}'
             f'.network{{font-size:14px;fill:{colour["soft"]}}}.left{{text-anchor:start}}'
             f'.star{{font-size:20px;fill:{colour["on-guide"]}}}'
             f'.area{{fill:{colour["area"]};fill-opacity:.6}}'
             f'.edge{{fill:none;stroke:{colour["edge"]};stroke-width:1.5}}'
             f'.link{{stroke:{colour["line"]};stroke-width:2.5;fill:none}}'
             f'.dashed{{stroke:{colour["soft"]};stroke-width:1.5;stroke-dasharray:5 4}}')
    lines = "\n".join(parts)
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n'
            f'<!-- Made by Scripts/pictures from what running nodes said. Do not edit. -->\n'
            f'<style>{style}</style>\n{lines}\n</svg>\n')


def draw(tour: Tour, directory: Path) -> None:
    told = everything(tour)
    for scheme, colour in COLOURS.items():
        (directory / f"tour-{scheme}.svg").write_text(picture(told, colour), encoding="utf-8")
