"""What guides share of their notebooks. Protocol/12-notebook.md."""
from __future__ import annotations

from typing import Any

from wire import Refused, decoded, pb

PART = 16_384
NOTE, PLACE, ITINERARY = 1, 2, 3
TEXT, TITLE, ADDRESS, WORD = 262_144, 1_024, 4_096, 128


def fits(text: str, most: int, least: int = 0) -> bool:
    return least <= len(text.encode()) <= most


def part_sound(said: Any) -> bool:
    """Whether a SharedPart is in range; one of a kind of a later version is, too."""
    if len(said.record) != 16 or not 1 <= said.version < 2**53 or said.parts > 64 or said.part >= max(said.parts, 1):
        return False
    if said.part + 1 < said.parts:
        return said.kind == 0 and said.title == "" and len(said.data) == PART
    least, most = (1 if said.parts > 1 else 0), (PART if said.parts else 0)
    return said.kind > 0 and fits(said.title, TITLE, 1) and least <= len(said.data) <= most


def whole(parts: list[Any]) -> tuple[int, str, Any]:
    """One version: its kind, its title, and what it says."""
    last = parts[-1] if parts else None
    if last is None or last.parts != len(parts) or not 1 <= last.kind <= 3:
        raise Refused("record-malformed")
    if any((part.part, part.record, part.version, part.parts) != (number, last.record, last.version, last.parts)
           for number, part in enumerate(parts)):
        raise Refused("record-malformed")
    kinds = {NOTE: pb.SharedNote, PLACE: pb.SharedPlace, ITINERARY: pb.SharedItinerary}
    said = decoded(kinds[last.kind], b"".join(part.data for part in parts))
    if said is None or not record_sound(last.kind, said):
        raise Refused("record-malformed")
    return last.kind, last.title, said


def record_sound(kind: int, said: Any) -> bool:
    if kind == NOTE:
        return fits(said.text, TEXT)
    if kind == PLACE:
        tags = len(said.tags) <= 64 and all(fits(tag, WORD, 1) for tag in said.tags)
        return fits(said.url, ADDRESS) and fits(said.note, TEXT) and tags
    ids = {stop.id for stop in said.stops}
    return (fits(said.description, TEXT) and len(said.stops) <= 2_000 and len(ids) == len(said.stops)
            and all(stop_sound(stop) for stop in said.stops))


def stop_sound(stop: Any) -> bool:
    place = stop.place
    in_range = abs(place.latitude) <= 900_000_000 and abs(place.longitude) <= 1_800_000_000
    return (len(stop.id) == 16 and fits(stop.title, TITLE, 1) and fits(stop.kind, WORD) and fits(stop.note, TEXT)
            and in_range and -62_167_219_200 <= stop.at <= 253_402_300_799)


def cut(record: bytes, kind: int, title: str, data: bytes) -> list[Any]:
    """The parts of a record's first version."""
    pieces = [data[start:start + PART] for start in range(0, len(data), PART)] or [b""]
    parts = [pb.SharedPart(record=record, version=1, part=number, parts=len(pieces), data=piece)
             for number, piece in enumerate(pieces)]
    parts[-1].kind, parts[-1].title = kind, title
    return parts
