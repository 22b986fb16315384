"""Usage: TOURSERVER=PROGRAM seed_probes.py [GUIDE…]

Sends a real tour-server what the apps of five guides send, and reads what comes back as their Swift types do:
  itineraries  collections and samples, by tokens of an issuer like Clerk
  bookmarks    saved places: profile, forms with pictures and a file, delta
  notes        accounts, notes, PDF
  networking   the layer whose endpoints want a token or none
  tours        phone, groups, messages, what the archive opened
Requests go as URLSession sends them: its headers, UUIDs in upper case, a body's type also where there is no body,
absent keys where Swift has nil. Answers are held against the types: keys that must be there, UUIDs, dates as the
decoder takes them.
Prints a line for each probe: `ok`, or `DIFFERS`, what differs, and the reason where the specification or a test gives
one. Ends with 1 where a difference has no reason here, or a reason no difference any more.

Needs the Python packages of Tests/PythonNode, and protoc. Tests/TourServerTests has the guides' clients themselves
(NotesClientTests and its neighbours); this script looks at what a client in Swift hides: headers, slashes, keys.
"""
from __future__ import annotations

import base64
import gzip
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "Tests" / "PythonNode"), str(HERE / "server_bench")]

from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import padding, rsa  # noqa: E402
from events import CHAT, CONTROL, Event, seal_content  # noqa: E402
from nacl import bindings  # noqa: E402
from people import Device, Signed, Tour  # noqa: E402
from roster import join_message  # noqa: E402
from server import FORWARDED, Server  # noqa: E402
from wire import ZERO, H, K, pb  # noqa: E402

Probes = Iterator[tuple[str, str]]  # what was asked, and what is wrong with the answer, if anything

# Guide and probe, and why the server does otherwise.
EXPLAINED = {
    "notes: dates have microseconds and no zone": "openapi.yaml: RFC 3339 in UTC with whole seconds. The guide's own "
    "decoder, .iso8601, takes no fraction and wants a zone; NotesClientTests decodes with it",
    "notes: DELETE decodes as EmptyResponse": "openapi.yaml: 204, so no body; the guide says itself that its client needs an "
    "overload, which NotesClientTests has",
    "bookmarks: deleted_ids have the UUIDs as Swift wrote them": "openapi.yaml, ItemId: answers have lower case; compare "
    "UUIDs, as BookmarkClientTests does",
    "networking: GET /products": "NetworkLayerTests.errorsHaveTheirNames: there are no products; /healthz stands for what "
    "everybody may read",
    "networking: POST /api/login": "openapi.yaml: sessions begin at /auth/login, of whatever client (NetworkLayerTests)",
    "tours: a message that is not sealed": "09-mailbox.md: the server is blind, and takes signed events; TourGroupClientTests",
    "tours: a message by an id of the app's": "openapi.yaml, pushMessages: localId is the event's id",
    "tours: metadata is bytes": "openapi.yaml, Message: an object; CoreData's Data is for the phone's own database",
}


# What Swift's types take.

class Differs(Exception):
    pass


Shape = Callable[[Any], None]


def matching(name: str, pattern: str) -> Shape:
    wanted = re.compile(pattern)

    def check(value: Any) -> None:
        if not isinstance(value, str) or not wanted.fullmatch(value):
            raise Differs(f"{value!r} is no {name}")
    return check


def of(kind: type, name: str) -> Shape:
    def check(value: Any) -> None:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise Differs(f"{value!r} is no {name}")
    return check


INT, STRING, BOOL = of(int, "Int"), of(str, "String"), of(bool, "Bool")
UUID = matching("UUID", "(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# JSONDecoder.DateDecodingStrategy.iso8601: whole seconds and a zone.
DATE = matching("date of .iso8601", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)")
MILLIS = matching("date like 2024-05-10T12:34:56.000Z", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
MICROS = matching("date like 2024-03-05T19:43:01.123456", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}")
JWT = matching("JWT", r"[\w-]+\.[\w-]+\.[\w-]+")
DATA = matching("base64", r"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def double(value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Differs(f"{value!r} is no Double")


def at(place: str, shape: Shape, value: Any) -> None:
    try:
        shape(value)
    except Differs as error:
        raise Differs(f"{place}: {error}") from error


def wrong(shape: Shape, value: Any) -> str:
    try:
        shape(value)
    except Differs as error:
        return str(error)
    return ""


def maybe(shape: Shape) -> Shape:
    return lambda value: None if value is None else shape(value)


def listed(shape: Shape, least: int = 0) -> Shape:
    def check(value: Any) -> None:
        of(list, "array")(value)
        if len(value) < least:
            raise Differs(f"{len(value)} of {least}")
        for index, each in enumerate(value):
            at(f"[{index}]", shape, each)
    return check


def by_name(shape: Shape) -> Shape:
    def check(value: Any) -> None:
        of(dict, "dictionary")(value)
        for name, each in value.items():
            at(name, shape, each)
    return check


def struct(**fields: Shape) -> Shape:
    """A key that is not there reads as null: so only `maybe` bears it."""
    def check(value: Any) -> None:
        of(dict, "object")(value)
        for name, shape in fields.items():
            at(name, shape, value.get(name))
    return check


def data(shape: Shape) -> Shape:
    return struct(data=shape)


AUTH = struct(access_token=JWT, token_type=STRING)
USER = struct(id=INT, email=STRING, created_at=DATE)
NOTE = struct(id=INT, title=STRING, content=STRING, created_at=DATE, updated_at=DATE)
PROFILE = struct(id=UUID, email=maybe(STRING), display_name=STRING, is_anonymous=BOOL, is_pro=BOOL, last_sync_at=maybe(DATE))
BOOKMARK = struct(
    id=UUID, local_id=maybe(UUID), category_id=maybe(UUID), title=STRING, url=maybe(STRING), note=maybe(STRING), source=STRING,
    is_read=BOOL, is_favorite=BOOL, tags=maybe(listed(STRING)), image_urls=maybe(listed(STRING)), file_url=maybe(STRING),
    sync_version=INT)
CATEGORY = struct(id=UUID, local_id=maybe(UUID), name=STRING, icon=STRING, color=STRING, order=INT)
DELTA = struct(updated_categories=listed(CATEGORY), updated_bookmarks=listed(BOOKMARK),
               deleted_ids=by_name(listed(STRING)), current_server_time=STRING)
SAMPLE = struct(id=STRING, userId=STRING, title=STRING, materialType=STRING, isDeleted=BOOL, createdAt=MILLIS, updatedAt=MILLIS)
ENTRY = struct(sampleId=STRING, position=INT, addedAt=MILLIS, sample=SAMPLE)
COLLECTION = struct(id=STRING, samples=listed(ENTRY))
GROUP = struct(id=STRING, name=STRING, guideId=STRING, members=listed(struct(id=STRING)), isActive=BOOL,
               startDate=maybe(DATE), endDate=maybe(DATE), lastSyncTime=maybe(DATE))
SYNCED = struct(syncedMessages=listed(struct(localMessageId=STRING)), syncTime=DATE)
MESSAGE = struct(localId=STRING, content=STRING, type=STRING, senderId=STRING, groupId=STRING, sentAt=DATE, status=STRING,
                 syncedAt=maybe(DATE))
PLACE = struct(latitude=double, longitude=double, address=maybe(STRING))
# Only so that their texts can be shown: `NetworkError.serverError(String)`.
FAULT = struct(error=struct(code=STRING, message=STRING))


# Requests as URLSession sends them.

@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def fault(self, shape: Shape | None = None, status: int = 0) -> str:
        """What is wrong with it; without a status any of 200 to 299 is right, as in all the guides."""
        if self.status != status and (status or not 200 <= self.status < 300):
            return f"{self.status}: {self.body[:120].decode(errors='replace')}"
        try:
            if shape:
                matching("type of JSON", r"application/json(;.*)?")(self.headers["Content-Type"])
                shape(self.json)
        except (Differs, ValueError) as error:
            return str(error)
        return ""

    def refused(self, status: int) -> str:
        return self.fault(FAULT, status)


def same(ours: Any, theirs: Any) -> str:
    return "" if ours == theirs else f"{ours!r} for {theirs!r}"


class App:
    """One app on one phone."""

    def __init__(self, server: LoggedServer, base: str = "", token: str = "", always: dict[str, str] | None = None) -> None:
        self.server, self.base, self.token, self.always = server, base, token, always or {}

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """A body that is no bytes goes as JSON. A header that is empty is not sent."""
        said = {"Accept": "*/*", "Accept-Language": "tr-TR,tr;q=0.9", "Accept-Encoding": "gzip, deflate",
                "User-Agent": "Guide/1 CFNetwork/1498.700.2 Darwin/23.6.0", FORWARDED: "10.2.0.1"}
        if self.token:
            said["Authorization"] = f"Bearer {self.token}"
        if body is not None and not isinstance(body, bytes):
            # JSONSerialization and JSONEncoder write a slash as \/.
            body = json.dumps(body).replace("/", "\\/").encode()
            said["Content-Type"] = "application/json"
        elif body is not None or method == "POST":
            said["Content-Type"] = "application/x-www-form-urlencoded"
        said.update(self.always)
        said.update({name.replace("_", "-"): value for name, value in headers.items()})
        said = {name: value for name, value in said.items() if value}
        connection = self.server.connection
        connection.request(method, self.base + path, body, said)
        answer = connection.getresponse()
        read = answer.read()
        if answer.headers["Content-Encoding"] == "gzip":
            read = gzip.decompress(read)
        return Answer(answer.status, answer.headers, read)

    def form(self, path: str, payload: Any, images: list[bytes] | None = None, file: bytes | None = None) -> Answer:
        """As the guide of saved places writes it."""
        boundary = f"Boundary-{str(uuid.uuid4()).upper()}"
        parts = [('name="payload"', None, json.dumps(payload).replace("/", "\\/").encode())]
        for index, image in enumerate(images or []):
            parts.append((f'name="images[]"; filename="image{index}.jpg"', "image/jpeg", image))
        if file is not None:
            parts.append(('name="file"; filename="document.pdf"', "application/pdf", file))
        body = b""
        for words, kind, content in parts:
            head = f"--{boundary}\r\nContent-Disposition: form-data; {words}\r\n"
            head += f"Content-Type: {kind}\r\n\r\n" if kind else "\r\n"
            body += head.encode() + content + b"\r\n"
        body += f"--{boundary}--\r\n".encode()
        return self.send("POST", path, body, Content_Type=f"multipart/form-data; boundary={boundary}")


class LoggedServer(Server):
    """One that takes Clerk's tokens, and whose log, where codes are written, is kept."""

    ISSUER, PARTY = "https://clerk.example.org", "https://app.example.org"
    OPTIONS: tuple[str, ...] = ()  # more of `serve`

    def start(self) -> LoggedServer:
        self.key = rsa.generate_private_key(65_537, 2_048)
        modulus = self.key.public_key().public_numbers().n.to_bytes(256, "big")
        keys = self.home / "jwks.json"
        keys.write_text(json.dumps({"keys": [
            {"use": "sig", "kty": "RSA", "kid": "ins_1", "alg": "RS256", "n": unpadded(modulus), "e": "AQAB"}]}))
        self.log = self.home / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--data-dir", str(self.home / "data"), "--listen", "127.0.0.1:0", "--behind-proxy",
                 "--issuer", self.ISSUER, "--jwks", str(keys), "--audience", "https://tours.example.org",
                 "--authorized-party", self.PARTY, *self.OPTIONS],
                stdout=subprocess.PIPE, stderr=log, env={**self.variables, "TOUR_SERVER_LOG": "notice"})
        assert self.process.stdout
        self.all = [self.process]
        self.port = json.loads(self.process.stdout.readline())["port"]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        return self

    def clerk_token(self, user: str, lasts: int = 60) -> str:
        """With the claims that Clerk writes."""
        now = int(time.time())
        claims = {"azp": self.PARTY, "exp": now + lasts, "fva": [0, -1], "iat": now, "iss": self.ISSUER, "nbf": now - 10,
                  "sid": "sess_1", "sts": "active", "sub": user, "v": 2}
        head = {"alg": "RS256", "cat": "cl_B7d4PD111AAA", "kid": "ins_1", "typ": "JWT"}
        text = ".".join(unpadded(json.dumps(part).encode()) for part in (head, claims))
        return f"{text}.{unpadded(self.key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))}"

    def code_sent(self) -> str:
        return re.findall(r"\b[0-9]{6}\b", self.log.read_text().splitlines()[-1])[-1]

    def give_role(self, who: str, role: str) -> None:
        """To an address or a phone, by the operator's command."""
        vouch = ["--vouch"] if "@" in who else []
        subprocess.run([self.program, "user", "role", who, role, *vouch, "--data-dir", str(self.home / "data")], check=True,
                       stdout=subprocess.DEVNULL, env=self.variables)

    def account(self, email: str) -> str:
        body = {"email": email, "password": "gizli-parola"}
        App(self).send("POST", "/auth/signup", body)
        return str(App(self).send("POST", "/auth/login", body).json["access_token"])


def unpadded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


# The guides.

def itineraries(server: LoggedServer) -> Probes:
    app, other = (App(server, token=server.clerk_token(user)) for user in ("user_2abc", "user_2def"))

    def add(sample: str, collection: str, by: App = app, **headers: str) -> Answer:
        return by.send("POST", f"/collections/{collection}/samples", {"sampleId": sample}, **headers)

    for method, path in [("GET", "/collections"), ("GET", "/samples"), ("GET", "/collections/col_ABC"),
                         ("GET", "/samples/sample_123"), ("POST", "/samples"), ("POST", "/collections/col_ABC/samples"),
                         ("DELETE", "/collections/col_ABC/samples/sample_123"), ("PATCH", "/samples/sample_123")]:
        body = None if method in ("GET", "DELETE") else {}
        yield f"{method} {path} without a token is 401", App(server).send(method, path, body).refused(401)
        stale = App(server, token=server.clerk_token("user_2abc", lasts=-1))
        yield f"{method} {path} with a token whose time is over is 401", stale.send(method, path, body).refused(401)
    yield "GET /collections of somebody new", app.send("GET", "/collections").fault(data(listed(COLLECTION)))
    collection, second, foreign = (by.send("POST", "/collections", {"title": "Gün 1"}).json["data"]["id"]
                                   for by in (app, app, other))
    made = [app.send("POST", "/samples", {"title": f"Soyut Çizim {n}", "materialType": "illustration"}) for n in range(4)]
    yield "POST /samples", made[0].fault(data(SAMPLE), 201)
    samples = [answer.json["data"]["id"] for answer in made]
    its = other.send("POST", "/samples", {"title": "Onun", "materialType": "illustration"}).json["data"]["id"]
    yield "GET /samples", app.send("GET", "/samples").fault(data(listed(SAMPLE, 4)))
    yield "GET /samples/", app.send("GET", "/samples/").fault(data(listed(SAMPLE, 4)))
    yield "GET /samples/ID", app.send("GET", f"/samples/{samples[0]}").fault(data(SAMPLE))
    yield "GET /samples/ID/", app.send("GET", f"/samples/{samples[0]}/").fault(data(SAMPLE))
    for sample in samples[:3]:
        add(sample, collection)
    added = app.send("POST", f"/collections/{collection}/samples", {"sampleId": samples[3]})
    yield "POST /collections/ID/samples", added.fault(data(ENTRY), 201)
    said = added.json["data"]
    yield "the fourth is at position 3", same(said["position"], 3)
    yield "its sample is the one that was made", same(said["sample"], made[3].json["data"])
    yield "sampleId is the sample's id", same(said["sampleId"], said["sample"]["id"])
    yield "ids look as in the example", same([re.sub("_.*", "_", said["sample"][key]) for key in ("id", "userId")],
                                             ["sample_", "user_"])
    yield "the same again is 409", add(samples[3], collection).refused(409)
    yield "with a slash behind", app.send("POST", f"/collections/{second}/samples/", {"sampleId": samples[0]}).fault(
        data(ENTRY), 201)
    yield "as curl sends it", add(samples[1], second, User_Agent="curl/8.7.1", Accept_Language="", Accept_Encoding="").fault(
        data(ENTRY), 201)
    yield "a sample of somebody else is 403", add(its, collection).refused(403)
    yield "a collection of somebody else is 403", add(samples[0], foreign).refused(403)
    yield "the guide's own sampleId is 404", add("sample_123", collection).refused(404)
    yield "the guide's own collectionId is 404", add(samples[0], "col_ABC").refused(404)
    yield "GET /collections", app.send("GET", "/collections").fault(data(listed(COLLECTION, 2)))
    yield "GET /collections/", app.send("GET", "/collections/").fault(data(listed(COLLECTION, 2)))
    lists = {each["id"]: each["samples"] for each in app.send("GET", "/collections").json["data"]}
    yield "its samples come filled and in order", same([each["sampleId"] for each in lists[collection]], samples)
    shown = app.send("GET", f"/collections/{collection}", Content_Type="application/json")
    yield "GET /collections/ID", shown.fault(data(COLLECTION))
    yield "it has what the list has", same(shown.json["data"]["samples"], lists[collection])
    yield "GET /collections/ID of somebody else is 403", app.send("GET", f"/collections/{foreign}").refused(403)
    taken = app.send("DELETE", f"/collections/{collection}/samples/{samples[1]}", Content_Type="application/json")
    yield "DELETE /collections/ID/samples/ID", taken.fault()
    left = app.send("GET", f"/collections/{collection}").json["data"]["samples"]
    yield "positions close up", same([(each["sampleId"], each["position"]) for each in left],
                                     list(zip([samples[0], *samples[2:]], range(3))))
    both = app.send("POST", "/samples", {"title": "İki", "materialType": "photo", "collectionIds": [collection, second]})
    yield "POST /samples with collectionIds", both.fault(data(SAMPLE), 201)
    new = both.json["data"]["id"]

    def places(sample: str) -> list[bool]:
        return [any(each["sampleId"] == sample for each in app.send("GET", f"/collections/{name}").json["data"]["samples"])
                for name in (collection, second)]
    yield "it is in both", same(places(new), [True, True])
    wrong = app.send("POST", "/samples", {"title": "Yok", "materialType": "photo", "collectionIds": [collection, "col_ABC"]})
    yield "a wrong collectionId is 404", wrong.refused(404)
    yield "and no sample is made", same(len(app.send("GET", "/samples").json["data"]), 5)
    change = app.send("PATCH", f"/samples/{new}", {"collectionIds": [second]})
    yield "PATCH /samples/ID with collectionIds", change.fault(data(SAMPLE))
    yield "the list is written anew", same(places(new), [False, True])
    whole = {**both.json["data"], "title": "Üç"}
    yield "PATCH /samples/ID with the whole model", app.send("PATCH", f"/samples/{new}", whole).fault(data(SAMPLE))
    yield "without the list it stays", same(places(new), [False, True])
    app.send("PATCH", f"/samples/{new}", {"collectionIds": []})
    yield "an empty list takes it out of all", same(places(new), [False, False])


JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\r\n--Boundary\r\n\r\n"
HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def new_id() -> str:
    return str(uuid.uuid4()).upper()  # as UUID().uuidString


def place(title: str, **fields: Any) -> dict[str, Any]:
    """A CloudBookmark as JSONEncoder writes it: what is nil is absent."""
    return {"id": new_id(), "title": title, "source": "manual", "is_read": False, "is_favorite": True, "sync_version": 1,
            **fields}


def bookmarks(server: LoggedServer) -> Probes:
    always = {"Accept": "application/json"}
    app = App(server, "/api/v1", server.account("ayse@example.org"), always)
    nobody = App(server, "/api/v1", always=always)
    yield "GET profile", app.send("GET", "/profile").fault(PROFILE)
    yield "GET profile/", app.send("GET", "/profile/").fault(PROFILE)
    guest = App(server, "/api/v1", App(server).send("POST", "/auth/anonymous").json["access_token"], always)
    yield "GET profile of a guest", guest.send("GET", "/profile").fault(PROFILE)
    yield "a guest is anonymous and has no address", same(
        [guest.send("GET", "/profile").json.get(key) for key in ("is_anonymous", "email")], [True, None])
    yield "GET profile without a token is 401", nobody.send("GET", "/profile").refused(401)

    def delta(body: dict[str, Any], path: str = "/sync/delta") -> Answer:
        return app.send("POST", path, body)

    def held(identifier: str) -> dict[str, Any]:
        found = [each for each in delta({}).json["updated_bookmarks"] if each["id"].upper() == identifier]
        return found[0] if found else {}

    def upsert(bookmark: dict[str, Any], *files: Any) -> Answer:
        return app.form("/bookmarks/upsert", {"bookmarks": [bookmark]}, *files)

    full = place("Topkapı", local_id=new_id(), url="https://example.org/a?b=1&c=ğ", note='Sabah "git"\n<b>x</b>',
                 tags=["müze", "日本"], image_urls=[], source="twitter")
    yield "upsert without files", upsert(full).fault()
    yield "it is there as it was sent", same({key: value.upper() if key.endswith("id") and value else value for key, value
                                              in held(full["id"]).items() if full.get(key)}, {
                                                  key: value for key, value in full.items() if value})
    nulls = place("Boş", local_id=None, category_id=None, url=None, note=None, tags=None, image_urls=None, file_url=None)
    yield "upsert with null for nil", upsert(nulls).fault()
    yield "upsert with empty texts", upsert(place("Boş", url="", note="", source="", tags=[])).fault()
    yield "upsert of sync_version 0", upsert(place("Sıfır", sync_version=0)).fault()
    yield "upsert of an address that is none", upsert(place("x", url="kapadokya")).fault()
    pictured = place("Resimli")
    first = upsert(pictured, [JPEG + os.urandom(3_000_000), JPEG], b"%PDF-1.7\r\n--x--\r\n")
    yield "upsert with pictures and a file", first.fault()
    yield "upsert with the camera's format under .jpg", upsert(place("HEIC"), [HEIC, PNG]).fault()
    yield "upsert with empty lists of files", upsert(place("x"), []).fault()
    shown = held(pictured["id"])
    yield "it has two pictures and a file", same([len(shown["image_urls"] or []), bool(shown["file_url"])], [2, True])
    picture, file = ("/" + shown_url.split("/", 3)[3] for shown_url in (shown["image_urls"][1], shown["file_url"]))
    plain, signed = App(server, always=always), App(server, token=app.token, always=always)
    got = signed.send("GET", picture)
    yield "a picture opens with commonHeaders()", got.fault() or same((got.body, got.headers["Content-Type"]),
                                                                       (JPEG, "image/jpeg"))
    yield "the file opens with commonHeaders()", same(signed.send("GET", file).body, b"%PDF-1.7\r\n--x--\r\n")
    yield "a picture opens without a token", plain.send("GET", picture).fault()
    yield "upsert again, with the addresses", upsert({**shown, "title": "Yeni", "sync_version": 2}).fault()
    later = held(pictured["id"])
    yield "its files stay", same([later["title"], later["image_urls"], later["file_url"]],
                                 ["Yeni", shown["image_urls"], shown["file_url"]])
    upsert({**pictured, "title": "Aynı sürüm", "sync_version": 2})
    yield "an edit under the sync_version that is held is stored", same(held(pictured["id"])["title"], "Aynı sürüm")
    for name, bad in [("without a title", {"id": new_id()}), ("with an id that is none", place("x", id="1")),
                      ("with a number as its title", {**place("x"), "title": 1}),
                      ("with a text as its version", place("x", sync_version="1"))]:
        yield f"upsert {name} is 422", upsert(bad).refused(422)
    yield "upsert without a token is 401", nobody.form("/bookmarks/upsert", {"bookmarks": [full]}).refused(401)
    yield "upsert/", app.form("/bookmarks/upsert/", {"bookmarks": [place("x")]}).fault()

    yield "delta of nothing", delta({}).fault(DELTA)
    yield "deleted_ids name both kinds, as the guide says", same(
        {"bookmarks", "categories"} - set(delta({}).json["deleted_ids"]), set())
    yield "delta/", delta({}, "/sync/delta/").fault(DELTA)
    yield "delta with null for nil", delta({"last_sync_timestamp": None, "bookmarks": None, "categories": None}).fault(DELTA)
    yield "delta with empty lists", delta({"bookmarks": [], "categories": []}).fault(DELTA)
    yield "delta without a token is 401", nobody.send("POST", "/sync/delta", {}).refused(401)
    category = {"id": new_id(), "name": "Müzeler", "icon": "star", "color": "#ff0000", "order": -1}
    filed = place("Galata", category_id=category["id"])
    yield "delta with a place and its category", delta({"bookmarks": [filed], "categories": [category]}).fault(DELTA)
    every = delta({}).json
    yield "the place is in its category", same(held(filed["id"])["category_id"].upper(), category["id"])
    yield "the category is there as it was sent", same(
        [{**each, "id": each["id"].upper()} for each in every["updated_categories"]],
        [{**every["updated_categories"][0], **category}])
    yield "delta of a category without icon and colour", delta(
        {"categories": [{**category, "id": new_id(), "icon": "", "color": ""}]}).fault(DELTA)
    cursor = delta({}).json["current_server_time"]
    yield "delta from current_server_time", delta({"last_sync_timestamp": cursor}).fault(DELTA)
    yield "nothing is told twice", same(delta({"last_sync_timestamp": cursor}).json["updated_bookmarks"], [])
    moment = time.gmtime(time.time() - 3_600)
    for form in ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S.000Z", "%Y-%m-%dT%H:%M:%S+00:00", "%Y-%m-%dT%H:%M:%S.000000Z"):
        answer = delta({"last_sync_timestamp": time.strftime(form, moment)})
        yield f"delta from a time as {form}", answer.fault(DELTA) or same(
            len(answer.json["updated_bookmarks"]), len(every["updated_bookmarks"]))
    yield "delta with a place that has no title is 422", delta({"bookmarks": [{"id": new_id()}]}).refused(422)
    yield "delta from a time that is none is 422", delta({"last_sync_timestamp": "dün"}).refused(422)
    echoed = delta({"bookmarks": every["updated_bookmarks"], "categories": every["updated_categories"]})
    yield "delta with all that came", echoed.fault(DELTA) or same(
        len(delta({}).json["updated_bookmarks"]), len(every["updated_bookmarks"]))
    # The guide's request has no deletions; another app of the account makes one.
    delta({"deleted_ids": {"bookmarks": [filed["id"]]}})
    gone = delta({"last_sync_timestamp": cursor})
    yield "delta tells of a deletion", gone.fault(DELTA) or same(
        [each.upper() for each in gone.json["deleted_ids"]["bookmarks"]], [filed["id"]])
    yield "deleted_ids have the UUIDs as Swift wrote them", same(gone.json["deleted_ids"]["bookmarks"], [filed["id"]])
    after = app.send("GET", "/profile")
    yield "last_sync_at is a date now", after.fault(struct(last_sync_at=DATE))


def notes(server: LoggedServer) -> Probes:
    # `perform` names a type for every request, and sends the token that it has, also where none is wanted.
    app = App(server, always={"Content-Type": "application/json"})
    who = {"email": "Mehmet@example.org", "password": "gizli-parola"}
    signup = app.send("POST", "/auth/signup", who)
    yield "POST auth/signup", signup.fault(USER)
    yield "the address is shown as it was typed, or in lower case", same(signup.json["email"].lower(), who["email"].lower())
    login = app.send("POST", "/auth/login", who)
    yield "POST auth/login", login.fault(AUTH)
    yield "the token's type is bearer", same(login.json["token_type"].lower(), "bearer")
    yield "login by the address in lower case", app.send("POST", "/auth/login", {**who, "email": who["email"].lower()}).fault(
        AUTH)
    yield "auth/signup/ again is 409", app.send("POST", "/auth/signup/", who).refused(409)
    mistyped = app.send("POST", "/auth/login/", {**who, "password": "yanlis-parola"})
    yield "auth/login/ with another password is 401", mistyped.refused(401)
    yield "auth/signup without a password is 422", app.send("POST", "/auth/signup", {"email": "a@example.org"}).refused(422)
    for path in ("/auth/me", "/notes/"):
        yield f"GET {path} without a token is 401", app.send("GET", path).refused(401)
    app.token = "e30.e30.e30"
    yield "GET auth/me with a token that is none is 401", app.send("GET", "/auth/me").refused(401)
    yield "login with an old token still in the keychain", app.send("POST", "/auth/login", who).fault(AUTH)
    fresh = {"email": "yeni@example.org", "password": "gizli-parola"}
    yield "signup with an old token still in the keychain", app.send("POST", "/auth/signup", fresh).fault(USER)
    app.token = login.json["access_token"]
    yield "login with the present token", app.send("POST", "/auth/login", who).fault(AUTH)
    another = {"email": "baska@example.org", "password": "gizli-parola"}
    yield "signup with the present token", app.send("POST", "/auth/signup", another).fault(USER)
    me = app.send("GET", "/auth/me")
    yield "GET auth/me", me.fault(USER) or same(me.json, signup.json)
    yield "GET auth/me/", app.send("GET", "/auth/me/").fault(USER)
    yield "dates have microseconds and no zone", wrong(MICROS, me.json["created_at"])

    yield "GET notes/ of somebody new", app.send("GET", "/notes/").fault(listed(NOTE)) or same(
        app.send("GET", "/notes/").body, b"[]")
    made = app.send("POST", "/notes/", {"title": "Göreme", "content": 'Şapka, "su" ve\n<b>harita</b> /a/b'})
    yield "POST notes/", made.fault(NOTE) or same(made.json["content"], 'Şapka, "su" ve\n<b>harita</b> /a/b')
    yield "POST notes", app.send("POST", "/notes", {"title": "Ürgüp", "content": ""}).fault(NOTE)
    yield "GET notes/", app.send("GET", "/notes/").fault(listed(NOTE, 2))
    yield "GET notes", app.send("GET", "/notes").fault(listed(NOTE, 2))
    path = f"/notes/{made.json['id']}"
    yield "PUT notes/ID without a title", same(
        (app.send("PUT", path, {"content": "Su"}).json | {"updated_at": ""}),
        made.json | {"content": "Su", "updated_at": ""})
    yield "PUT notes/ID without content", app.send("PUT", path, {"title": "Uçhisar"}).fault(NOTE)
    yield "PUT notes/ID with null for nil", app.send("PUT", path, {"title": None, "content": "x"}).fault(NOTE)
    yield "PUT notes/ID of nothing", app.send("PUT", path, {}).fault(NOTE)
    yield "PUT notes/ID/", app.send("PUT", path + "/", {"title": "Son"}).fault(NOTE)
    pdf = App(server, token=app.token).send("GET", path + "/pdf")
    yield "GET notes/ID/pdf", pdf.fault(status=200) or same((pdf.body[:5], pdf.headers["Content-Type"]),
                                                            (b"%PDF-", "application/pdf"))
    yield "GET notes/ID/pdf/", App(server, token=app.token).send("GET", path + "/pdf/").fault(status=200)
    yield "GET notes/ID/pdf without a token is no 200", App(server).send("GET", path + "/pdf").refused(401)
    gone = app.send("DELETE", path)
    yield "DELETE notes/ID is 204 and empty", same((gone.status, gone.body), (204, b""))
    yield "DELETE decodes as EmptyResponse", "" if gone.body else "there is no body"
    yield "DELETE notes/ID again is 404", app.send("DELETE", path).refused(404)
    yield "GET notes/ID/pdf of one that is gone is 404", App(server, token=app.token).send("GET", path + "/pdf").refused(404)
    yield "POST notes/ without content is 422", app.send("POST", "/notes/", {"title": "x"}).refused(422)


def networking(server: LoggedServer) -> Probes:
    who = {"email": "deniz@example.org", "password": "gizli-parola"}
    profile = struct(id=INT, email=STRING)
    app = App(server)
    app.send("POST", "/auth/signup", who)
    yield "what wants no token gets none", app.send("GET", "/healthz").fault(struct(service=STRING))
    yield "GET /products", app.send("GET", "/products").fault(of(dict, "object"))
    nobody = app.send("GET", "/auth/me")
    yield "the profile without a token is 401", nobody.refused(401)
    # `let (data, _)`: this client never looks at the status.
    yield "a refusal is no profile: APIError.decoding", "" if wrong(profile, nobody.json) else "it decodes"
    yield "the profile with an empty token is 401", app.send("GET", "/auth/me", Authorization="Bearer ").refused(401)
    yield "POST /api/login", app.send("POST", "/api/login", who).fault(AUTH)
    yield "a login whose body has no type", app.send("POST", "/auth/login", json.dumps(who).encode()).fault(AUTH)
    login = app.send("POST", "/auth/login", who)
    yield "POST /auth/login", login.fault(AUTH)
    yield "a body's type may name its letters", app.send(
        "POST", "/auth/login", who, Content_Type="application/json; charset=utf-8").fault(AUTH)
    app.token = login.json["access_token"]
    yield "the profile with the login's token", app.send("GET", "/auth/me").fault(profile)
    yield "what wants no token bears one", app.send("GET", "/healthz").fault(struct(service=STRING))
    app.token = "x"
    yield "and an old one", app.send("GET", "/healthz").fault(struct(service=STRING))


class OpenTour(Tour):
    """One whose epoch key is known, so that an archive can be given it."""

    def __init__(self) -> None:
        super().__init__()
        self.guide, self.controls = Device(), []
        self.epoch_key = os.urandom(32)
        public = self.guide.identity.public
        body = pb.ControlBody(genesis=pb.Genesis(
            identity_key=public, link_key=bindings.crypto_scalarmult_base(os.urandom(32)),
            wrapping_key=bindings.crypto_scalarmult_base(os.urandom(32)),
            commitment=K(self.epoch_key, "commit", b"", b"", public), full_history=True, salt=os.urandom(16)))
        self.genesis = self.guide.append(CONTROL, ZERO, body.SerializeToString())
        self.id = self.guide.tour = H("genesis", self.genesis.exact)
        self.take(pb.ControlBody(invite=pb.Invite(
            invite_key=self.invite.public, uses=0, expires_at=0, sealed_secret=os.urandom(72), epoch=self.genesis.id)))

    def say(self, content: Any) -> Signed:
        """As `Device.append`; the body is sealed with the rest of the event, so it comes last."""
        guide = self.guide
        guide.sequence += 1
        guide.clock = max(time.time_ns() // 1_000_000 << 16, guide.clock + 1)
        parts = (CHAT, self.id, guide.id, guide.sequence, guide.last, guide.clock, self.genesis.id)
        sealed = seal_content(Event(*parts, b""), self.epoch_key, content)
        event = Signed(*parts, sealed.body, guide.identity.sign(H("event", sealed.header)))
        guide.last = event.id
        return event


def tours(server: LoggedServer) -> Probes:
    app = App(server, always={"Content-Type": "application/json"})
    phone = "+905551112233"

    def log_in(number: str) -> Answer:
        app.send("POST", "/auth/sms/request", {"phone": number})
        return app.send("POST", "/auth/sms/verify", {"phone": number, "code": server.code_sent()})

    yield "POST auth/sms/request", app.send("POST", "/auth/sms/request/", {"phone": "+905550000001"}).fault()
    session = log_in(phone)
    yield "POST auth/sms/verify", session.fault(AUTH)
    app.token = session.json["access_token"]
    role = app.send("GET", "/auth/me").json["role"]
    yield "the role is one of three", "" if role in ("user", "guide", "admin") else role
    simple = {"name": "Kapadokya", "startDate": "2026-06-02T06:00:00Z", "endDate": "2026-06-05T18:00:00Z"}
    yield "a group by somebody who is no guide is 403", app.send("POST", "/groups", {**simple, "genesis": ""}).refused(403)
    server.give_role(phone, "guide")
    plan = app.send("POST", "/groups", simple)
    yield "a group by its name alone", plan.fault(GROUP, 201) or same(
        [plan.json[key] for key in ("name", "startDate", "endDate", "members")], [*simple.values(), []])
    planned = f"/groups/{plan.json['id']}"
    yield "an invitation to it", app.send("POST", planned + "/invitations", {"phone": "+905557654322"}).fault(
        struct(id=INT, phone=STRING, createdAt=DATE), 201)
    yield "DELETE groups/ID of it", app.send("DELETE", planned).fault(status=204)

    tour = OpenTour()
    member = tour.join()
    known = app.send("POST", "/groups/", {**simple, "genesis": tour.genesis.text, "controls": [
        event.text for event in tour.controls], **server.proof("group", tour, tour.guide)})
    yield "POST groups/ with its genesis", known.fault(GROUP) or same(
        [known.json["id"], known.json["guideId"], known.json["name"], known.json["isActive"]],
        [tour.id.hex(), tour.guide.id.hex(), "Kapadokya", True])
    yield "dates of a new group", same(known.json["startDate"], simple["startDate"])
    path = f"/groups/{tour.id.hex()}"
    changed = app.send("PATCH", path, {"startDate": simple["startDate"], "endDate": simple["endDate"]})
    yield "PATCH groups/ID with dates", changed.fault(GROUP) or same(
        [changed.json[key] for key in ("startDate", "endDate")], [simple["startDate"], simple["endDate"]])
    yield "GET groups", app.send("GET", "/groups").fault(listed(GROUP, 1))
    yield "GET groups/", app.send("GET", "/groups/").fault(listed(GROUP, 1))
    shown = app.send("GET", path + "/")
    yield "GET groups/ID/", shown.fault(GROUP) or same(
        {each["id"] for each in shown.json["members"]}, {tour.guide.id.hex(), member.id.hex()})
    yield "members are no two alike", same(len({json.dumps(each) for each in shown.json["members"]}), 2)
    yield "GET groups/ID/members", app.send("GET", path + "/members").fault(listed(struct(id=STRING, role=STRING), 2))
    yield "GET groups/ID without a token is 401", App(server).send("GET", path).refused(401)
    yield "a group that is none is 404", app.send("GET", "/groups/1").refused(404)

    friend = "+905557654321"
    yield "POST groups/ID/invitations", app.send("POST", path + "/invitations", {"phone": friend}).fault(
        struct(id=INT, phone=STRING, createdAt=DATE))
    guest = App(server, token=log_in(friend).json["access_token"])
    theirs = guest.send("GET", "/groups")
    yield "GET groups of somebody invited", theirs.fault(listed(GROUP, 1)) or same(theirs.json[0]["id"], tour.id.hex())
    yield "somebody invited makes no invitations: 403", guest.send("POST", path + "/invitations", {"phone": phone}).refused(403)

    fix = pb.Fix(latitude=386_431_000, longitude=348_289_000)
    said = [tour.say(pb.Content(text=pb.Text(text="Yarın dokuzda"))),
            tour.say(pb.Content(location=pb.Location(fix=fix, label="Göreme"))),
            tour.say(pb.Content(location=pb.Location(fix=fix)))]
    log = [tour.genesis, *tour.controls, *said]
    entries = [{**event.entry(tour.id), "type": "text"} for event in log]
    synced = app.send("POST", "/messages/sync", {"messages": entries})
    yield "POST messages/sync", synced.fault(SYNCED) or same(
        [each["localMessageId"] for each in synced.json["syncedMessages"]], [event.id.hex() for event in log])
    again = app.send("POST", "/messages/sync/", {"messages": entries})
    yield "POST messages/sync/ again marks them as sent too", again.fault(SYNCED) or same(
        len(again.json["syncedMessages"]), len(log))
    now = app.send("GET", path).json["lastSyncTime"]
    yield "lastSyncTime is the sync's time", same(now, synced.json["syncTime"])
    plain = {"localId": new_id(), "content": "Test mesajı", "type": "location", "senderId": tour.guide.id.hex(),
             "groupId": tour.id.hex(), "sentAt": "2026-06-02T06:00:00Z", "status": "pending",
             "metadata": base64.b64encode(b'{"latitude":38.6,"longitude":34.8}').decode()}
    refused = app.send("POST", "/messages/sync", {"messages": [plain]})
    yield "an answer to a message that is not sealed decodes", refused.fault(SYNCED)
    yield "a message that is not sealed", "" if refused.json["syncedMessages"] else (
        f"it is refused: {refused.json['rejectedMessages'][0]['code']}")
    # JSONEncoder's own form of dates: seconds since 2001.
    numbered = app.send("POST", "/messages/sync", {"messages": [{**plain, "sentAt": 802_029_600.5}]})
    yield "an answer to a date that is a number decodes", numbered.fault(SYNCED)
    own = tour.say(pb.Content(text=pb.Text(text="x")))
    named = app.send("POST", "/messages/sync", {"messages": [{**own.entry(tour.id), "localId": new_id()}]})
    yield "a message by an id of the app's", named.fault(SYNCED) or ("" if named.json["syncedMessages"] else (
        f"it is refused: {named.json['rejectedMessages'][0]['code']}"))
    stranger = App(server).send("POST", "/messages/sync", {"messages": entries})
    yield "POST messages/sync without a token is 401", stranger.refused(401)

    open_archive(server, tour)
    listed_messages = app.send("GET", path + "/messages")
    yield "GET groups/ID/messages", listed_messages.fault(listed(MESSAGE, 3))
    texts = {each["localId"]: each for each in listed_messages.json}
    text, labelled, bare = (texts[event.id.hex()] for event in said)
    yield "a text is as it was written", same([text["content"], text["type"], text["metadata"]],
                                              ["Yarın dokuzda", "text", None])
    yield "types are the guide's", same([labelled["type"], bare["type"]], ["location", "location"])
    yield "the status is one of the guide's", same({each["status"] for each in listed_messages.json}, {"sent"})
    yield "senderId and groupId are the group's", same([text["senderId"], text["groupId"]],
                                                       [known.json["guideId"], known.json["id"]])
    for name, message in (("with its address", labelled), ("without one", bare)):
        yield f"metadata decodes as LocationMetadata, {name}", wrong(PLACE, message["metadata"])
    yield "the place is where it was", same([labelled["metadata"].get(key) for key in ("latitude", "longitude", "address")],
                                            [38.6431, 34.8289, "Göreme"])
    yield "metadata is bytes", wrong(DATA, labelled["metadata"])

    renewed = app.send("POST", "/auth/refresh", {"refresh_token": session.json["refresh_token"]})
    yield "refreshTokenAndRetry", renewed.fault(AUTH)
    app.token = renewed.json["access_token"]
    yield "and the retry goes through", app.send("POST", "/messages/sync", {"messages": entries}).fault(SYNCED)
    app.token = "e30.e30.e30"
    over = app.send("POST", "/messages/sync", {"messages": entries})
    yield "an old token is an authenticationError", over.refused(401)
    english = app.send("POST", "/messages/sync", {"messages": entries}, Accept_Language="en").json["error"]["message"]
    yield "messages of errors are in the phone's language", (
        "" if over.json["error"]["message"] != english else f"{english!r} for tr")


def open_archive(server: LoggedServer, tour: OpenTour) -> None:
    """Lets the server in as a member that reads, and gives it the tour's first key."""
    guide = App(server, token=server.member_token(tour, tour.guide))
    path = f"/groups/{tour.id.hex()}/archive"
    challenge = os.urandom(32)
    offer = guide.send("POST", path, {"invite": tour.invite.public.hex(),
                                      "challenge": base64.b64encode(challenge).decode()}).json
    identity, link, wrapping = (bytes.fromhex(offer[key]) for key in ("identity", "link", "wrapping"))
    request = pb.JoinRequest(
        identity_key=identity, link_key=link, wrapping_key=wrapping, invite_key=tour.invite.public,
        handshake_hash=H("archive", tour.id, identity, challenge) + challenge,
        identity_signature=base64.b64decode(offer["signature"]))
    request.invite_signature = tour.invite.sign(join_message(request, tour.id))
    tour.take(pb.ControlBody(admit=pb.Admit(request=request)))
    guide.send("POST", "/messages/sync", {"messages": [tour.controls[-1].entry(tour.id)]})
    wrapped = bindings.crypto_box_seal(tour.epoch_key, wrapping)
    keys = [{"epoch": tour.genesis.id.hex(), "wrapped": base64.b64encode(wrapped).decode()}]
    guide.send("POST", path + "/keys", {"keys": keys})


GUIDES = {"itineraries": itineraries, "bookmarks": bookmarks, "notes": notes, "networking": networking, "tours": tours}


def main() -> int:
    wanted = sys.argv[1:] or list(GUIDES)
    if set(wanted) - set(GUIDES):
        raise SystemExit(__doc__)
    counts = {"ok": 0, "explained": 0, "unexplained": 0}
    unused = {name for name in EXPLAINED if name.split(":")[0] in wanted}
    for guide in wanted:
        with tempfile.TemporaryDirectory(prefix="tour-server-probes-") as name, LoggedServer(Path(name)) as server:
            for what, fault in GUIDES[guide](server):
                probe = f"{guide}: {what}"
                reason = EXPLAINED.get(probe)
                if not fault:
                    print(f"ok       {probe}")
                    counts["ok"] += 1
                    continue
                print(f"DIFFERS  {probe}: {fault}. {f'Reason: {reason}' if reason else 'No reason is known.'}")
                counts["explained" if reason else "unexplained"] += 1
                unused.discard(probe)
    for probe in sorted(unused):
        print(f"DIFFERS  {probe}: it differs no more, take its reason out of this script")
    print(f"{sum(counts.values())} probes: {counts['ok']} ok, {counts['explained']} differ with a reason, "
          f"{counts['unexplained']} without; {len(unused)} reasons for nothing")
    return 1 if counts["unexplained"] or unused else 0


if __name__ == "__main__":
    sys.exit(main())
