"""Holds Protocol/Vectors against this node: every case, those that must fail for their reason included.

    python Tests/PythonNode/vectors.py      prints a line for each file; ends with 1 if a case differs
"""
from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from nacl import bindings
from noise.connection import Keypair, NoiseConnection

import asides
import asking
import blobs
import cpace
import discovery
import events
import meaning
import records
import roster
import seats
import tour
from channel import PROTOCOL, Greeter
from events import Event, Signer
from wire import Fault, H, Joiner, K, decoded, frame, link_message, padme, pb, prefix, slices

Case = dict[str, Any]
VECTORS = Path(__file__).resolve().parents[2] / "Protocol" / "Vectors"


def raw(case: Case, field: str) -> bytes:
    return bytes.fromhex(case[field])


def same(ours: Any, theirs: Any, what: str) -> None:
    if ours != theirs:
        raise AssertionError(f"{what}: {ours!r} instead of {theirs!r}")


def message(case: Case) -> Any:
    if (said := link_message(raw(case, "message"))) is None:
        raise Fault("message-malformed")
    return said


def hashes(case: Case) -> None:
    parts = [bytes.fromhex(part) for part in case["parts"]]
    made = K(raw(case, "key"), case["label"], *parts) if case["function"] == "K" else H(case["label"], *parts)
    same(made, raw(case, "hash"), "hash")


def hello(case: Case) -> None:
    data, psk = raw(case, "hello"), raw(case, "psk")
    same(Greeter().read(data, [psk]), psk, "secret")
    same(b"tour-chat/1" + data, raw(case, "prologue"), "prologue")


def bind(case: Case) -> None:
    said = H("bind", raw(case, "handshakeHash"), bytes([case["role"]]), raw(case, "tour"), raw(case, "linkKey"))
    made = message(case).bind
    if not events.verifies(made.identity_key, said, made.signature):
        raise Fault("bad-bind")


def join_request(case: Case) -> None:
    request = message(case).join_request
    fits = request.handshake_hash == raw(case, "linkHandshakeHash") and request.link_key == raw(case, "linkKey")
    if not fits or not roster.request_sound(request, raw(case, "tour")):
        raise Fault("bad-join-request")
    same(roster.join_message(request, raw(case, "tour")), raw(case, "transcript"), "transcript")


def discovery_tag(case: Case) -> None:
    label = {"member": discovery.MEMBER, "invite": discovery.INVITE, "ask": discovery.ASK}[case["kind"]]
    slot = case["seenAt"] // discovery.SLOT_SECONDS
    same(discovery.matches(raw(case, "tag"), raw(case, "secret"), label, slot), case["matches"], "match")
    if case["matches"]:
        same(discovery.tag(raw(case, "secret"), label, case["slot"]), raw(case, "tag"), "tag")


def invite_code(case: Case) -> None:
    code = tour.Code.read(case["text"] if "text" in case else case["code"])
    same(code.seed, raw(case, "seed"), "seed")
    same(code.tour, raw(case, "tourPrefix"), "tour")
    same(code.invite.public, raw(case, "inviteKey"), "invite key")
    same(code.join_secret, raw(case, "joinSecret"), "join secret")


def padding(case: Case) -> None:
    if case["kind"] == "size":
        return same(padme(max(256, 3 + case["payloadLength"])), case["plaintextLength"], "size")
    joined = Joiner().take(raw(case, "plaintext"))
    same(joined, None if case["more"] else raw(case, "payload"), "payload")


def event(case: Case) -> None:
    made = events.parse(raw(case, "event"))
    same(made.id, raw(case, "id"), "id")
    if case["class"] == events.CONTROL:
        same(made.body, raw(case, "plaintext"), "body")
    else:
        same(events.unseal(K(raw(case, "epochKey"), "seal", made.author), made.sealed_data, made.body),
             raw(case, "plaintext"), "plaintext")
    again = Event(made.kind, made.tour, made.author, made.sequence, made.previous, made.clock, made.epoch, made.body)
    same(events.signed(again, Signer(raw(case, "identitySeed"))), made, "event")


def content(case: Case) -> None:
    said = decoded(pb.Content, raw(case, "plaintext"))
    if said is None or not events.content_sound(said):
        raise Fault("record-malformed")


def blob(case: Case) -> None:
    BLOB_CHECKS[case["kind"]](case)


def blob_shape(case: Case) -> None:
    count = blobs.chunk_count(case["size"])
    same((count, blobs.page_count(case["size"])), (case["chunks"], case["pages"]), "chunks and pages")
    same(case["size"] + blobs.TAG * count, case["sealedSize"], "sealed size")
    same(case["size"] - blobs.CHUNK * (count - 1) if count else 0, case["lastChunk"], "last chunk")


def blob_file(case: Case) -> None:
    sealed = blobs.sealed_chunks(raw(case, "key"), bytes((31 * at + at // 256) % 256 for at in range(case["size"])))
    if "sealed" in case:
        same(b"".join(sealed), raw(case, "sealed"), "sealed file")
    hashes = [H("blob-chunk", chunk) for chunk in sealed]
    same([each.hex() for each in hashes], case["chunkHashes"], "chunk hashes")
    blob_named(case, hashes)


def blob_names(case: Case) -> None:
    blob_named(case, [H("blob-chunk", at.to_bytes(4, "big")) for at in range(blobs.chunk_count(case["size"]))])


def blob_named(case: Case, hashes: list[bytes]) -> None:
    pages = blobs.page_hashes(hashes)
    same([each.hex() for each in pages], case["pageHashes"], "page hashes")
    same(blobs.blob_id(case["size"], pages), raw(case, "blob"), "id")


def blob_chunk(case: Case) -> None:
    key, index, last = raw(case, "key"), case["index"], case["last"]
    chunk = blobs.unseal(key, index, last, raw(case, "sealed"))
    same(chunk, raw(case, "plaintext"), "chunk")
    same(blobs.seal(key, index, last, chunk), raw(case, "sealed"), "sealed chunk")


def blob_set(case: Case) -> None:
    same(blobs.read_set(raw(case, "set"), case["limit"]), case["chunks"], "chunks")


BLOB_CHECKS: dict[str, Callable[[Case], None]] = {
    "shape": blob_shape, "file": blob_file, "names": blob_names, "chunk": blob_chunk, "set": blob_set,
    "content": content}


def event_bad(case: Case) -> None:
    made = events.parse(raw(case, "event") + bytes(case.get("bodyZeros", 0)))
    if made.tour != raw(case, "tour") or not made.signed_by(raw(case, "identityKey")):
        raise Fault("bad-signature")


def run(case: Case) -> None:
    rebuilt = events.rebuild(message(case).run, raw(case, "tour"), raw(case, "creator"))
    same(H("member", raw(case, "identityKey")), raw(case, "author"), "author")
    if not events.run_proven(rebuilt, raw(case, "identityKey")):
        raise Fault("bad-signature")
    same([each.exact.hex() for each in rebuilt], case["rebuilt"], "events")
    same([each.id.hex() for each in rebuilt], case["ids"], "ids")


def frontier_row(case: Case) -> None:
    row = pb.Row(row=raw(case, "row"), signature=raw(case, "signature"))
    said = tour.read_row(row)
    if not tour.row_signed(row, raw(case, "tour"), raw(case, "member"), raw(case, "identityKey")):
        raise Fault("bad-signature")
    same(said.member, prefix(raw(case, "member")), "member")
    same([f"{author:016x}" for author in said.authors], case["authors"], "authors")
    same(list(said.sequences), case["sequences"], "sequences")
    same([f"{value:016x}" for value in (said.counter, said.read_clock, said.through, said.digest)],
         [case[name] for name in ("counter", "readClock", "through", "digest")], "clocks and digest")
    same((said.rest == tour.ASLEEP, f"{said.understands:016x}"), (case["isAsleep"], case["understands"]), "rest")
    tags_hold(case, said.tags, said.counter)
    if said.through:
        every = zip((int(author, 16) for author in case["allAuthors"]), case["allSequences"],
                    map(bytes.fromhex, case["allEvents"]))
        same(tour.heads_digest(every) == said.digest, case["isAll"], "digest")


def tags_hold(case: Case, tags: Iterable[int], salt: int) -> None:
    same([f"{tag:016x}" for tag in tags], case["tags"], "tags")
    named = [tour.head_tag(bytes.fromhex(event), salt) == tag for event, tag in zip(case["events"], tags)]
    same(named, case["names"], "named events")


def have(case: Case) -> None:
    message = link_message(raw(case, "message"))
    if message is None or not tour.lists_fit(message.have):
        raise Fault("message-malformed")
    same(list(message.have.sequences), case["sequences"], "sequences")
    same([f"{author:016x}" for author in message.have.authors], case["authors"], "authors")
    same(f"{message.have.salt:016x}", case["salt"], "salt")
    tags_hold(case, message.have.tags, message.have.salt)


def position_row(case: Case) -> None:
    row = raw(case, "row")
    said = decoded(pb.PositionRow, row) if len(row) <= 256 else None
    if said is None:
        raise Fault("record-malformed")
    signed_at = said.counter // 1_000
    if not said.member or not said.counter or not 1 <= said.until <= signed_at + 86_400_000:
        raise Fault("record-malformed")
    fix = said.fix
    if said.HasField("fix") and not (events.place_in_range(fix) and 1 <= fix.fixed_at <= signed_at + 60_000):
        raise Fault("record-malformed")
    digest = H("position", raw(case, "tour"), raw(case, "member"), row)
    if not events.verifies(raw(case, "identityKey"), digest, raw(case, "signature")):
        raise Fault("bad-signature")
    same(said.member, prefix(raw(case, "member")), "member")
    same((f"{said.counter:016x}", said.until), (case["counter"], case["until"]), "counter and end")
    same(said.HasField("fix"), case["hasFix"], "whether there is a fix")
    if said.HasField("fix"):
        same((fix.latitude, fix.longitude, fix.accuracy, fix.fixed_at),
             tuple(case[name] for name in ("latitude", "longitude", "accuracy", "fixedAt")), "the fix")


def share(case: Case) -> None:
    size, taken = events.LogSize(case["sealedBytes"], case["controlBytes"]), 0
    for kind, count in zip(case["classes"], case["bytes"]):
        if not size.takes(kind):
            break
        size.add(kind, count)
        taken += 1
    same((taken, not size.takes(events.CHAT)), (case["taken"], case["isFull"]), "taken, full")


def shared(case: Case) -> None:
    if case["kind"] == "content":
        return shared_content(unpacked(case["plaintext"]))
    kind, title, said = records.whole([shared_part(unpacked(part)) for part in case["parts"]])
    same((title, ("note", "place", "itinerary")[kind - 1]), ("Day 2", case["type"]), "title and kind")
    if kind == records.NOTE:
        return same(said.text, case["text"] * case.get("times", 1), "text")
    if kind == records.PLACE:
        return same((said.url, said.note, list(said.tags)), (case["url"], case["text"], case["tags"]), "place")
    same(said.description, case["text"], "description")
    if "stopTitles" in case:
        return same([stop.title for stop in said.stops], case["stopTitles"], "stops")
    for stop, wanted in zip(said.stops, case["stops"], strict=True):
        same((stop.id.hex(), stop.title, stop.kind or "stop", stop.note, stop.at),
             (wanted["id"], wanted["title"], wanted["kind"], wanted.get("note", ""), wanted.get("at", 0)), "a stop")
        same(stop.HasField("place"), "latitude" in wanted, "whether it has a place")
        if "latitude" in wanted:
            same((stop.place.latitude, stop.place.longitude), (wanted["latitude"], wanted["longitude"]), "its place")


def shared_content(plaintext: bytes) -> None:
    said = decoded(pb.Content, plaintext)
    if said is None or not events.content_sound(said):
        raise Fault("record-malformed")


def shared_part(plaintext: bytes) -> Any:
    shared_content(plaintext)
    return pb.Content.FromString(plaintext).shared


def unpacked(pieces: list[Any]) -> bytes:
    """Hex, [byte, times] and [hex, times]."""
    def stretch(piece: Any) -> bytes:
        if isinstance(piece, str):
            return bytes.fromhex(piece)
        return (bytes.fromhex(piece[0]) if isinstance(piece[0], str) else bytes([piece[0]])) * piece[1]

    return b"".join(map(stretch, pieces))


def in_orders(things: list[Any]) -> Iterable[list[Any]]:
    """As they are, the other way round, and in some orders that are the same every time."""
    yield things
    yield things[::-1]
    chance = random.Random(1)
    for _ in range(20):
        yield chance.sample(things, len(things))


def by_name(listed: list[Case], name: str = "name") -> list[Case]:
    return sorted(listed, key=lambda each: str(each[name]))


def roll_state(case: Case) -> None:
    wanted = [roll | {"members": by_name(roll["members"])} for roll in case["rolls"]]
    for order in in_orders(case["events"]):
        shown = [roll | {"members": by_name(roll["members"])} for roll in meaning.shown_rolls(case | {"events": order + order})]
        same(shown, wanted, "rolls")


def alarm_state(case: Case) -> None:
    wanted = [alarm | {"answers": by_name(alarm["answers"], "author")} for alarm in by_name(case["alarms"], "author")]
    for order in in_orders(case["events"]):
        same(meaning.shown_alarms(case | {"events": order + order}), wanted, "alarms")


def quiet_state(case: Case) -> None:
    for order in in_orders(case["events"]):
        same(sorted(meaning.withheld(case | {"events": order + order})), sorted(case["withheld"]), "withheld")


def aside(case: Case) -> None:
    content(case)
    if "reader" not in case:
        return
    said = decoded(pb.Content, raw(case, "plaintext")).aside
    body = asides.opened(said, raw(case, "tour"), raw(case, "author"), raw(case, "reader"), raw(case, "wrappingSecretKey"),
                         events.content_sound)
    same(body is not None, case["opens"], "opens")
    if body is not None:
        same((body.person.hex(), body.content.hex()), (case["person"], case["content"]), "word")


RECEIPT_LOGS: dict[str, list[Event]] = {}


def receipts(case: Case) -> None:
    if case["kind"] == "logs":
        for log in case["logs"]:
            made = [events.parse(bytes.fromhex(each)) for each in log["events"]]
            same(all(each.signed_by(raw(log, "identityKey")) for each in made), True, "signatures")
            same([each.previous for each in made], [bytes(32)] + [each.id for each in made[:-1]], "chain")
            RECEIPT_LOGS[log["name"]] = made
        return
    *steps, last = case["steps"]
    for order in in_orders(steps) if case["isInAnyOrder"] else [steps]:
        node = meaning.Receipts(case, RECEIPT_LOGS)
        for step in [*order, last]:
            node.take(step)
            for wanted in step.get("shows", []):
                said = wanted | {"receipts": {each["name"]: each["state"] for each in wanted["receipts"]}}
                same(node.shown(wanted["author"], wanted["sequence"]), said, "a message")


WANTS_MAX = 4
REFUSALS = ("revoked", "expired", "used-up", "closed", "full", "invalid")


def link_messages(case: Case) -> None:
    """Every field of a message that no other file has."""
    data = unpacked(case["message"])
    if (said := link_message(data)) is None:
        raise Fault("message-malformed")
    kind = said.WhichOneof("kind")
    same("".join(word.capitalize() for word in kind.split("_")) if kind else "none", case["kind"], "kind")
    if kind is None:
        return
    fields = getattr(said, kind)
    for field in fields.DESCRIPTOR.fields:
        same(shown(getattr(fields, field.name)), wanted_field(case, field), field.name)
    if kind == "join_refusal":
        same(fields.code if fields.code in REFUSALS else "invalid", case["reads"], "what the refusal reads as")
    if kind == "blob_state":
        same(fields.wants if fields.wants <= WANTS_MAX else 0, case["reads"], "whether it wants the others")
    if case["isSame"]:
        same(said.SerializeToString(deterministic=True).hex(), data.hex(), "bytes")
    if "identityKey" in case:
        label = {"rows": "frontier", "synced": "synced", "positions": "position"}[kind]
        for row in fields.rows:
            member = H("member", raw(case, "identityKey"))
            signed = H(label, raw(case, "tour"), member, row.row)
            same(events.verifies(raw(case, "identityKey"), signed, row.signature), True, "whether it is signed")


def shown(value: Any) -> Any:
    """A field in the form of the vectors."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (str, int)):
        return value
    if hasattr(value, "DESCRIPTOR"):
        return {field.name: shown(getattr(value, field.name)) for field in value.DESCRIPTOR.fields}
    return [shown(each) for each in value]


def wanted_field(case: Case, field: Any) -> Any:
    value = case[field.name]
    if field.label == field.LABEL_REPEATED:
        return value * case.get("times", 1)
    return unpacked(value).hex() if field.name in ("have", "hashes", "bytes") else value


def ask(case: Case) -> None:
    ASK_CHECKS[case["kind"]](case)


def ask_label(case: Case) -> None:
    same(asking.label_of(raw(case, "tag")), case["label"], "label")
    same([asking.WORDS[at] for at in case["wordIndexes"]], case["label"].split(), "words")


def ask_record(case: Case) -> None:
    same([tag.hex() for tag in discovery.tags_of(raw(case, "a"))], case["tags"], "tags")


def ask_link(case: Case) -> None:
    same(asking.psk_of(raw(case, "tag")), raw(case, "psk"), "psk")


def ask_commitment(case: Case) -> None:
    if asking.commitment_of(raw(case, "handshakeHash"), raw(case, "nonce")) != raw(case, "commitment"):
        raise Fault("bad-commitment")


def ask_words(case: Case) -> None:
    made = asking.words_of(raw(case, "handshakeHash"), raw(case, "askerNonce"), raw(case, "memberNonce"))
    same(made, case["words"], "words")
    same([asking.COMPARED_WORDS.index(word) for word in made], case["wordIndexes"], "indexes")


def ask_message(case: Case) -> None:
    said = message(case)
    asking.check(said)
    kind = said.WhichOneof("kind")
    same("".join(word.capitalize() for word in kind.split("_")), case["says"], "kind")
    fields = getattr(said, kind)
    if kind == "ask_answer" and fields.invite_code:
        asking.code_of(fields.invite_code)
    shown = {"name": "askerName", "invite_code": "inviteCode", "tour_name": "tourName"}
    for field, value in fields.ListFields():
        wanted = case[shown.get(field.name, field.name)]
        same(value.hex() if isinstance(value, bytes) else value, wanted, field.name)
    if "reads" in case:
        same(fields.refusal if fields.refusal in asking.REFUSALS else "refused", case["reads"], "what it reads as")


def ask_exchange(case: Case) -> None:
    exchange = asking.Exchange(raw(case, "handshakeHash"))
    for each in case["messages"]:
        exchange.add(each["from"], message(each))
    wanted = {"words": [], "askerName": "", "refusal": "", "tourName": ""} | case
    same((exchange.words, exchange.name, exchange.refusal, exchange.tour_name),
         tuple(wanted[name] for name in ("words", "askerName", "refusal", "tourName")), "how it ends")
    same(exchange.code, tour.Code.read(case["code"]) if "code" in case else None, "code")


ASK_CHECKS: dict[str, Callable[[Case], None]] = {
    "label": ask_label, "record": ask_record, "link": ask_link, "commitment": ask_commitment, "words": ask_words,
    "message": ask_message, "exchange": ask_exchange}


def spoken(case: Case) -> None:
    {"draft": spoken_draft, "product": spoken_product, "exchange": spoken_exchange, "proof": spoken_proof}[
        case["kind"]](case)


def scalar(case: Case, field: str) -> int:
    return int.from_bytes(raw(case, field), "little")


def spoken_draft(case: Case) -> None:
    base = cpace.generator(raw(case, "prs"), raw(case, "ci"), raw(case, "sid"))
    same(base, raw(case, "generator"), "generator")
    for side, other in (("asker", "member"), ("member", "asker")):
        same(cpace.product(scalar(case, f"{side}Scalar"), base), raw(case, f"{side}Share"), "share")
        same(cpace.product(scalar(case, f"{side}Scalar"), raw(case, f"{other}Share")), raw(case, "product"), "product")
    sides = [(raw(case, f"{side}Share"), raw(case, f"{side}Data")) for side in ("asker", "member")]
    same(cpace.shared_key(raw(case, "sid"), raw(case, "product"), *sides), raw(case, "sharedKey"), "key")


def spoken_product(case: Case) -> None:
    same(cpace.product(scalar(case, "scalar"), raw(case, "share")), raw(case, "product"), "product")


def spoken_exchange(case: Case) -> None:
    sid = raw(case, "handshakeHash")
    asker, member = (cpace.Side(role, case["digits"], sid, scalar(case, f"{role.decode()}Scalar"))
                     for role in (cpace.ASKER, cpace.MEMBER))
    asker.take_share(member.share)
    member.take_share(asker.share)
    asker.take_proof(member.proof)
    member.take_proof(asker.proof)
    for side in (asker, member):
        name = side.role.decode()
        same((side.generator, side.share, side.product, side.key, side.mac_key, side.proof),
             tuple(raw(case, field) for field in ("generator", f"{name}Share", "product", "sharedKey", "macKey",
                                                  f"{name}Proof")), name)
    exchange = asking.Exchange(sid)
    for each in case["messages"]:
        exchange.add(each["from"], message(each))
    same(exchange.phase, "over", "phase")


def spoken_proof(case: Case) -> None:
    side = cpace.Side(case["side"].encode(), case["digits"], raw(case, "handshakeHash"), scalar(case, "scalar"))
    side.take_share(raw(case, "share"))
    side.take_proof(raw(case, "proof"))


def seat(case: Case) -> None:
    SEAT_CHECKS[case["kind"]](case)


def seat_request(case: Case) -> None:
    request = pb.ControlBody.FromString(raw(case, "body")).admit.request
    if not roster.request_sound(request, raw(case, "tour")):
        raise Fault("bad-join-request")
    same(roster.join_message(request, raw(case, "tour")), raw(case, "transcript"), "transcript")
    same(seats.seat_host(request, raw(case, "tour")), raw(case, "host"), "host")


def seat_keys(case: Case) -> None:
    secret, place = raw(case, "phoneSecret"), (raw(case, "tour"), raw(case, "member"))
    seed = seats.open_keys(raw(case, "keys"), secret, *place)
    same(seed, raw(case, "identitySeed"), "seed")
    same(seats.open_keys(seats.seal_keys(seed, secret, *place), secret, *place), seed, "seed, sealed again")


def seat_licence(case: Case) -> None:
    said = decoded(pb.ControlBody, raw(case, "body"))
    if said is None:
        raise Fault("record-malformed")
    same(said.invite.host, raw(case, "host"), "host")
    if case["host"]:
        key = said.invite.invite_key
        same(K(raw(case, "sealEpochKey"), "invite-seal", key), raw(case, "inviteSealKey"), "key of the seal")
        seed = events.unseal(raw(case, "inviteSealKey"), key, said.invite.sealed_secret)
        same((seed, Signer(seed).public), (raw(case, "inviteSeed"), key), "key pair")


def seat_page(case: Case) -> None:
    tour, code = raw(case, "tour"), raw(case, "code")
    same(seats.page_key(tour), raw(case, "pageKey"), "page key")
    same(seats.host_name(tour, raw(case, "host")), case["hostName"], "name")
    same(seats.read_code(code), (raw(case, "channelKey"), raw(case, "pass"), raw(case, "pageKey")), "parts of the code")


SEAT_CHECKS: dict[str, Callable[[Case], None]] = {
    "request": seat_request, "keys": seat_keys, "content": content, "licence": seat_licence,
    "page": seat_page}


def seat_roster(case: Case) -> None:
    """As far as this node works out ranks: of the cases in which nobody but the founder leads or is removed."""
    genesis = events.parse(raw(case, "genesis"))
    control = [events.parse(bytes.fromhex(each)) for each in case["events"]]
    if any(each.control.WhichOneof("kind") in ("role", "remove") for each in control):
        return
    made = tour.Tour(tour.Keys(), genesis)
    made.take_control(control)
    ours, count = made.roster, int.from_bytes(raw(case, "roster")[33:37], "big")
    same(len(ours.members), count, "members")
    if "seats" in case:
        hosts = sorted(member.host.hex() for member in ours.members.values() if member.host)
        founder, numbers = genesis.author.hex(), list(case["seats"].values())
        same((len(hosts), hosts.count(founder)), (len(numbers), numbers.count(0)), "seats, and those of the founder")


def seat_channel(case: Case) -> None:
    """Both ends, each with its ephemeral key."""
    key, session = raw(case, "channelSecretKey"), raw(case, "session")
    guest_secret, host_secret = raw(case, "guestEphemeralSecretKey"), raw(case, "hostEphemeralSecretKey")
    hello = raw(case, "hello") if "hello" in case else b"\x01" + public(guest_secret)
    answer, host = seats.accept(hello, key, host_secret, session)
    said = raw(case, "answer") if case["kind"] == "answer" else answer
    named, guest = seats.begin(said, public(key), guest_secret)
    same(named, session, "session")
    SEAT_CHANNEL_CHECKS[case["kind"]](case, host, guest, answer)


def public(secret: bytes) -> bytes:
    return bytes(bindings.crypto_scalarmult_base(secret))


def channel_hello(case: Case, host: seats.Channel, guest: seats.Channel, answer: bytes) -> None:
    same(answer, raw(case, "answer"), "answer")
    wanted = tuple(raw(case, field) for field in ("salt", "prk", "guestToHost", "hostToGuest", "proof"))
    for end in (host, guest):
        same((end.salt, end.prk, end.to_host, end.to_guest, answer[48:]), wanted, "keys")


def channel_request(case: Case, host: seats.Channel, guest: seats.Channel, _: bytes) -> None:
    number = int(case["n"], 16)
    plaintext = host.open_request(number, raw(case, "box"))
    same(plaintext, raw(case, "plaintext"), "plaintext")
    same(guest.seal(seats.REQUEST, number, plaintext), raw(case, "box"), "box")
    same(raw(case, "session") + number.to_bytes(8, "big") + raw(case, "box"), raw(case, "body"), "body")


def channel_requests(case: Case, host: seats.Channel, _: seats.Channel, _answer: bytes) -> None:
    for each in case["requests"]:
        try:
            same(host.open_request(int(each["n"], 16), raw(each, "box")), raw(each, "plaintext"), "plaintext")
            taken = True
        except Fault:
            taken = False
        same(taken, each["taken"], f"whether {each['n']} is taken")


def channel_answer(case: Case, host: seats.Channel, guest: seats.Channel, _: bytes) -> None:
    number = int(case["n"], 16)
    plaintext = guest.open(seats.ANSWER, number, raw(case, "box"))
    same(plaintext, raw(case, "plaintext"), "plaintext")
    same(host.seal(seats.ANSWER, number, plaintext), raw(case, "box"), "box")
    same(seats.pack(seats.unpack(plaintext)[0]), plaintext, "packed")


def channel_news(case: Case, host: seats.Channel, guest: seats.Channel, _: bytes) -> None:
    number, boxes = int(case["n"], 16), [bytes.fromhex(box) for box in case["boxes"]]
    frames = [guest.open(seats.FRAME, number, box, index) for index, box in enumerate(boxes)]
    same([frame.hex() for frame in frames], case["plaintexts"], "frames")
    same([host.seal(seats.FRAME, number, frame, index) for index, frame in enumerate(frames)], boxes, "boxes")
    same(b"".join(len(box).to_bytes(4, "big") + box for box in boxes), raw(case, "stream"), "stream")


SEAT_CHANNEL_CHECKS: dict[str, Callable[[Case, seats.Channel, seats.Channel, bytes], None]] = {
    "hello": channel_hello, "answer": channel_hello, "request": channel_request, "requests": channel_requests,
    "answer-box": channel_answer, "news": channel_news}


def trace(case: Case) -> None:
    """Both sides of a link with fixed keys, by another library than the one that made the vectors."""
    if case["kind"] == "code":
        return invite_code(case)
    psk = raw(case, "psk")
    same(raw(case, "hello"), b"\x01" + raw(case, "salt") + K(psk, "hello", raw(case, "salt"))[:16], "hello")
    sides = {name: noise_side(case, name) for name in ("initiator", "responder")}
    for flight in case["handshake"][1:]:
        sender, receiver = between(sides, flight)
        message = bytes(sender.write_message())
        same(frame(message), raw(flight, "bytes"), flight["says"])
        receiver.read_message(message)
    for side in sides.values():
        same(bytes(side.get_handshake_hash()), raw(case, "handshakeHash"), "handshake hash")
    for said in case["messages"]:
        sender, receiver = between(sides, said)
        same(slices(raw(said, "message"), said["lane"]), [raw(said, "plaintext")], "slice")
        sealed = bytes(sender.encrypt(raw(said, "plaintext")))
        same(frame(sealed), raw(said, "bytes"), said["says"])
        same(Joiner().take(bytes(receiver.decrypt(sealed))), raw(said, "message"), "message")
        if (kind := link_message(raw(said, "message"))) is None or kind.WhichOneof("kind") is None:
            raise AssertionError(f"{said['says']} is no message")


def noise_side(case: Case, name: str) -> NoiseConnection:
    side = NoiseConnection.from_name(PROTOCOL)
    side.set_as_initiator() if name == "initiator" else side.set_as_responder()
    side.set_psks(raw(case, "psk"))
    side.set_prologue(raw(case, "prologue"))
    side.set_keypair_from_private_bytes(Keypair.STATIC, raw(case, f"{name}LinkSecretKey"))
    side.set_keypair_from_private_bytes(Keypair.EPHEMERAL, raw(case, f"{name}EphemeralSecretKey"))
    side.start_handshake()
    return side


def between(sides: dict[str, NoiseConnection], said: Case) -> tuple[NoiseConnection, NoiseConnection]:
    """Who says it, and who hears it."""
    other = {"initiator": "responder", "responder": "initiator"}
    return sides[said["from"]], sides[other[said["from"]]]


CHECKS: dict[str, Callable[[Case], None]] = {
    "hash": hashes, "hello": hello, "bind": bind, "join": join_request, "discovery-tag": discovery_tag,
    "invite-code": invite_code, "message": link_messages, "padding": padding, "event": event, "event-bad": event_bad, "place": content,
    "alarm": content, "aside": aside, "roll": content, "run": run, "roll-state": roll_state, "alarm-state": alarm_state, "quiet-state": quiet_state,
    "receipts": receipts,
    "frontier-row": frontier_row, "have": have, "position-row": position_row, "share": share, "blob": blob,
    "shared": shared, "ask": ask, "cpace": spoken, "seat": seat, "seat-roster": seat_roster,
    "seat-channel": seat_channel, "trace": trace}


def difference(check: Callable[[Case], None], case: Case) -> str:
    """How a case came out otherwise than it must, or nothing."""
    try:
        check(case)
        code = ""
    except Fault as fault:
        code = str(fault)
    except AssertionError as wrong:
        code = f"differs: {wrong}"
    wanted = case.get("error", "")
    return "" if code == wanted else f"{case['name']}: {code or 'passed'} instead of {wanted or 'passing'}"


def main() -> int:
    failed = 0
    for name, check in CHECKS.items():
        cases = json.loads((VECTORS / f"{name}.json").read_text())["cases"]
        differences = [found for case in cases if (found := difference(check, case))]
        failed += len(differences)
        print(json.dumps({"vectors": name, "cases": len(cases), "differences": differences}), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
