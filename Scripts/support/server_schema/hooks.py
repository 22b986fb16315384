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
        if isinstance(case.body, dict):
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
