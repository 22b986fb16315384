"""Checks a running tour-server against the contract that it serves, with requests that schemathesis generates:
`server_schema [EXAMPLES [SEED [postgresql]]]`, with a PostgreSQL of its own in place of SQLite. Called by `Scripts/soak`
and by the cases `contract` of Tests/Hosts; `st` of the same environment does the work. Ends with a line of JSON: how
often each status was answered, and by which operations never with success."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "PythonNode"), str(HERE.parent)]

from blobs import blob_id, page_hashes, sealed_chunks  # noqa: E402
from postgres import VARIABLE, Cluster  # noqa: E402
from seed_probes import JPEG, PNG, App, LoggedServer, OpenTour, open_archive, place  # noqa: E402
from wire import H, pb  # noqa: E402

ACCOUNTS, MEMBERS, GUESTS = 12, 8, 50
# The first accounts are guides and admins, and all in the organisations of each; the next ones are invited.
GUIDES, INVITED, KEPT, ENDING = 4, 4, 2, 10


class SchemaServer(LoggedServer):
    OPTIONS = ("--organisations-for", "guide")


def tour_state(server: LoggedServer) -> dict[str, Any]:
    """A tour with members, an archive, messages, a blob that is named by its id, and events that the server has not yet."""
    tour = OpenTour()
    members = [tour.join() for _ in range(MEMBERS)]
    server.make_known(tour, role="admin")
    app = App(server, token=server.log_in())
    texts = [tour.say(pb.Content(text=pb.Text(text=f"{number}"))) for number in range(20)]
    said = [event.entry(tour.id) for event in (tour.genesis, *tour.controls, *texts)]
    app.send("POST", "/messages/sync", {"messages": said})
    open_archive(server, tour)
    chunks = sealed_chunks(os.urandom(32), os.urandom(100_000))
    name = blob_id(100_000, page_hashes([H("blob-chunk", chunk) for chunk in chunks])).hex()
    path = f"/blobs/{name}?group={tour.id.hex()}"
    sent = app.send("PUT", path, b"".join(chunks), Content_Type="application/octet-stream")
    shown = app.send("GET", f"/groups/{tour.id.hex()}/messages")
    if sent.status != 201 or len(shown.json) != len(texts):
        raise SystemExit(f"the tour was not made: {sent}, {shown}")
    later = [tour.say(pb.Content(text=pb.Text(text=f"{number}"))).entry(tour.id) for number in range(20)]
    tokens = [server.member_token(tour, device) for device in (tour.guide, *members)]
    return {"tour": tour.id.hex(), "members": [*tokens, *tokens[:1] * 3, app.token, app.token], "blobs": [name],
            "events": [*said[:3], *later]}


def account_state(server: LoggedServer, number: int) -> dict[str, Any]:
    """An account with a notebook; some are admins and guides."""
    email = f"account{number}@example.org"
    app = App(server, token=server.account(email), always={"X-Forwarded-For": f"10.9.{number}.1"})
    if number < GUIDES + INVITED:
        server.give_role(email, "user" if number >= GUIDES else "admin" if number % 2 else "guide")

    def made(path: str, body: dict[str, Any]) -> Any:
        answer = app.send("POST", path, body).json
        return answer.get("data", answer)["id"]

    collections = [made("/collections", {"title": f"{index}"}) for index in range(40)]
    samples = [made("/samples", {"title": f"{index}", "collectionIds": [collections[index % 40], collections[index % 7 + 1]]})
               for index in range(60)]
    notes = [made("/notes", {"title": f"{index}", "content": "x\n" * index}) for index in range(40)]
    api = App(server, "/api/v1", app.token, app.always)
    api.form("/bookmarks/upsert", {"bookmarks": [place("x")]}, [JPEG, PNG], b"%PDF")
    kept = api.send("POST", "/sync/delta", {}).json["updated_bookmarks"][0]
    files = [url.rsplit("/", 1)[1].split("?")[0] for url in (*kept["image_urls"], kept["file_url"])]
    return {"token": app.token, "number": app.send("GET", "/auth/me").json["id"], "email": email, "collections": collections,
            "samples": samples, "notes": notes, "files": files, "organisations": {"kept": [], "ending": []}}


def add_organisations(server: LoggedServer, accounts: list[dict[str, Any]]) -> None:
    """Organisations of each guide with members, shared tours and open invitations; requests end only those for it."""
    apps = [App(server, token=account["token"], always={"X-Forwarded-For": f"10.9.{number}.1"})
            for number, account in enumerate(accounts)]

    def done(app: App, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        answer = app.send(method, path, body)
        if answer.status >= 300:
            raise SystemExit(f"the organisations were not made: {method} {path}: {answer}")
        return answer.json if answer.status != 204 else None

    for maker, number in [(maker, number) for maker in range(GUIDES) for number in range(KEPT + ENDING)]:
        is_kept = number < KEPT
        guides = range(GUIDES) if is_kept else (maker, (maker + 1) % GUIDES)
        path = f"/organisations/{done(apps[maker], 'POST', '/organisations', {'name': f'{maker} {number}'})['id']}"
        for guide in guides:
            invitation = {"email": accounts[guide]["email"], "role": "admin" if guide % 2 else "guide"}
            if guide != maker:
                done(apps[maker], "POST", f"{path}/invitations", invitation)
                done(apps[guide], "POST", f"{path}/join", {})
        tours = {}
        for guide in guides:
            tours[accounts[guide]["number"]] = tour = done(apps[guide], "POST", "/groups", {"name": "Plan"})["id"]
            done(apps[guide], "PUT", f"{path}/tours/{tour}")
        invited = [account["email"] for account in accounts[GUIDES:GUIDES + INVITED]] if is_kept else []
        open_ones = [done(apps[maker], "POST", f"{path}/invitations", body)
                     for body in [*({"email": email} for email in invited), *({} for _ in range(4 if is_kept else 0))]]
        organisation = {"id": int(path.rsplit("/", 1)[1]), "members": [accounts[guide]["number"] for guide in guides],
                        "tours": tours, "invitations": [one["id"] for one in open_ones],
                        "codes": [one["code"] for one in open_ones if one.get("code")]}
        for index in (*guides, *(range(GUIDES, GUIDES + INVITED) if is_kept else ())):
            accounts[index]["organisations"]["kept" if is_kept else "ending"].append(organisation)


def main() -> int:
    examples = sys.argv[1] if len(sys.argv) > 1 else "100"
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    if sys.argv[3:] != ["postgresql"]:
        return run(examples, seed)
    with Cluster() as cluster:
        os.environ[VARIABLE] = cluster.address
        return run(examples, seed)


def run(examples: str, seed: str) -> int:
    with tempfile.TemporaryDirectory(prefix="tour-server-schema-") as name, SchemaServer(Path(name)) as server:
        guests = [server.post("/auth/anonymous", b"{}")["access_token"] for _ in range(GUESTS)]
        accounts = [account_state(server, number) for number in range(ACCOUNTS)]
        add_organisations(server, accounts)
        state = {**tour_state(server), "guests": guests, "accounts": accounts}
        file, counts = Path(name) / "state.json", Path(name) / "counts.json"
        file.write_text(json.dumps(state))
        url = f"http://127.0.0.1:{server.port}"
        command = [str(Path(sys.executable).with_name("st")), "--config-file", str(HERE / "schemathesis.toml"), "run",
                   f"{url}/openapi.yaml", "--url", url, "--max-examples", examples, "--seed", seed, "--checks", "all",
                   "--request-timeout", "30", "--exclude-path", "/groups/{id}/live", "--continue-on-failure",
                   # Each request is another account's (hooks.py), which does not find what the last one made.
                   "--exclude-checks", "ensure_resource_availability"]
        environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "SERVER_SCHEMA_STATE": str(file),
                       "SERVER_SCHEMA_COUNTS": str(counts), "PYTHONPATH": str(HERE)}
        status = subprocess.run(command, env=environment, cwd=name, check=False).returncode
        print(json.dumps(summary(json.loads(counts.read_text()))))
        return status


def summary(counts: dict[str, dict[str, int]]) -> dict[str, Any]:
    answers: Counter[str] = Counter()
    for statuses in counts.values():
        answers.update(statuses)
    never = sorted(name for name, statuses in counts.items() if not any(status < "400" for status in statuses))
    return {"operations": len(counts), "answers": dict(sorted(answers.items())), "never": never}


if __name__ == "__main__":
    sys.exit(main())
