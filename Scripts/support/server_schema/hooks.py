"""Completes each generated request of the contract's check: an address of its own, so that no rate limit interferes;
where a token is needed, one of an account or a member; and mostly the tour that exists."""
from __future__ import annotations

import json
import os
import random
from typing import Any

import schemathesis

STATE = json.loads(os.environ["SERVER_SCHEMA_STATE"])
CHANCE = random.Random(1)
ENDINGS = [("POST", "/auth/logout"), ("DELETE", "/auth/me")]


@schemathesis.auth(refresh_interval=None)
class Token:
    def get(self, case: Any, _context: Any) -> str:
        # A request that ends a session or an account ends a guest's.
        kind = "guests" if (case.method.upper(), case.path) in ENDINGS else "tokens"
        return str(CHANCE.choice(STATE[kind]))

    def set(self, case: Any, token: str, _context: Any) -> None:
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    case.headers["X-Forwarded-For"] = ".".join(str(CHANCE.randrange(1, 255)) for _ in range(4))
    # A path that was made wrong on purpose stays wrong.
    is_sound = not case.meta or case.meta.generation.mode.is_positive
    if is_sound and case.path.startswith("/groups/{id}") and CHANCE.random() < 0.8:
        case.path_parameters["id"] = STATE["tour"]
