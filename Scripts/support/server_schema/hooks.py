"""Completes each generated request of the contract's check: an address of its own and one of several accounts or
members, so that no rate limit interferes; and mostly what exists: the tour, its blobs, the account's items."""
from __future__ import annotations

import atexit
import json
import os
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import schemathesis

STATE = json.loads(Path(os.environ["SERVER_SCHEMA_STATE"]).read_text())
CHANCE = random.Random(1)
ENDINGS = [("POST", "/auth/logout"), ("DELETE", "/auth/me"), ("POST", "/auth/password"),
           ("DELETE", "/auth/sessions"), ("DELETE", "/auth/sessions/{id}")]
# A request that ends an organisation, or a membership, ends one of those that are there for it.
ENDS = [("DELETE", "/organisations/{id}"), ("DELETE", "/organisations/{id}/members/{account}")]
# Which list of an account an id is of.
KINDS = {"/notes": "notes", "/collections": "collections", "/samples": "samples", "/api/v1/files": "files"}
# Of each operation how often it answered with which status.
ANSWERS: defaultdict[str, Counter[int]] = defaultdict(Counter)
atexit.register(lambda: Path(os.environ["SERVER_SCHEMA_COUNTS"]).write_text(json.dumps(ANSWERS)))
OWNERS = {f"Bearer {account['token']}": account for account in STATE["accounts"]}


@schemathesis.auth(refresh_interval=None)
class Token:
    def get(self, case: Any, _context: Any) -> str:
        # A request that ends a session or an account ends a guest's.
        if (case.method.upper(), case.path) in ENDINGS:
            return str(CHANCE.choice(STATE["guests"]))
        if case.path.startswith(("/groups/", "/blobs/", "/messages/")) and CHANCE.random() < 0.9:
            return str(CHANCE.choice(STATE["members"]))
        if case.path.startswith("/organisations/") and CHANCE.random() < 0.9:
            # Whoever is invited joins; all else is for those who are in.
            kind = "ending" if (case.method.upper(), case.path) in ENDS else "kept"
            is_join = case.path.endswith("/join")
            people = [account for account in STATE["accounts"] if account["organisations"][kind]]
            return str(CHANCE.choice([one for one in people if is_join or one["organisations"]["ending"]])["token"])
        return str(CHANCE.choice(STATE["accounts"])["token"])

    def set(self, case: Any, token: str, _context: Any) -> None:
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    case.headers["X-Forwarded-For"] = ".".join(str(CHANCE.randrange(1, 255)) for _ in range(4))
    # A request that was made wrong on purpose stays wrong.
    is_sound = not case.meta or case.meta.generation.mode.is_positive
    if is_sound and CHANCE.random() < 0.8:
        place(case)
        if case.path.startswith("/organisations/"):
            place_organisation(case)
        elif isinstance(case.body, dict):
            fill(case.body, owner(case))


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    ANSWERS[case.operation.definition.raw.get("operationId", case.operation.label)][response.status_code] += 1


def owner(case: Any) -> Any:
    return OWNERS.get(case.headers.get("Authorization")) or CHANCE.choice(STATE["accounts"])


def place(case: Any) -> None:
    """Puts what is there into the address."""
    names = case.path_parameters or {}
    if case.path.startswith("/groups/"):
        names["id"] = STATE["tour"]
    for beginning, kind in KINDS.items():
        if case.path.startswith(beginning) and "id" in names:
            names["id"] = CHANCE.choice(owner(case)[kind])
    if "sampleId" in names:
        names["sampleId"] = CHANCE.choice(owner(case)["samples"])
    if case.path.startswith("/blobs/"):
        case.query = {**(case.query or {}), "group": STATE["tour"]}
        if case.method.upper() == "GET":
            names["hash"] = CHANCE.choice(STATE["blobs"])


def place_organisation(case: Any) -> None:
    """Puts an organisation of the caller into the address, and who and what is there; the code of one into the body."""
    caller, names = owner(case), case.path_parameters or {}
    organisations = caller["organisations"]["ending" if (case.method.upper(), case.path) in ENDS else "kept"]
    if not organisations:
        return
    organisation = CHANCE.choice(organisations)
    names["id"] = organisation["id"]
    if "account" in names:
        names["account"] = CHANCE.choice(organisation["members"])
    if "tour" in names:
        is_sharing = case.method.upper() == "PUT" and "account" not in names
        own = organisation["tours"].get(str(caller["number"])) if is_sharing else None
        # What is taken out is not there for other requests, until its owner shares it again: it is the same one always.
        ending, *kept = organisation["tours"].values()
        names["tour"] = own or CHANCE.choice([ending] if case.method.upper() == "DELETE" else kept)
    if "invitation" in names:
        names["invitation"] = CHANCE.choice(organisation["invitations"])
    if case.path.endswith("/join") and isinstance(case.body, dict) and case.body.get("code") and organisation["codes"]:
        case.body["code"] = CHANCE.choice(organisation["codes"])


def fill(body: dict[str, Any], account: Any) -> None:
    """Puts what is there into the body."""
    if "sampleId" in body:
        body["sampleId"] = CHANCE.choice(account["samples"])
    if isinstance(body.get("collectionIds"), list):
        body["collectionIds"] = CHANCE.choices(account["collections"], k=min(5, len(body["collectionIds"])))
    for message in body.get("messages") or []:
        if isinstance(message, dict):
            event = CHANCE.choice(STATE["events"])
            message.update({name: value for name, value in event.items() if CHANCE.random() < 0.9})
