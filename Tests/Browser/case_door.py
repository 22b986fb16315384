"""Goal: who is not the owner gets nothing through the page's door, on the same machine either.
Method: plain requests and a hostile page in a real browser, on the node's own host."""
from __future__ import annotations

import re
from urllib.parse import urlsplit

import browsers
from cases import Context, case, expect
from loopback import ask, elsewhere
from playwright.sync_api import Page
from stage import Stage, stage

POLICY = ["default-src 'none'", "connect-src 'self'", "form-action 'none'",
          "frame-ancestors 'none'", "base-uri 'none'"]
WRONG = "0" * 64


@case
def door_refuses(context: Context) -> None:
    """Without the token, under another name, or asked by another site, the door gives nothing; each answer has its policy."""
    with stage(context, "Door") as at:
        screen, host = at.screen(0), at.lab.hosts[0]
        port, token = urlsplit(screen.address).port or 0, screen.token
        own = f"127.0.0.1:{port}"
        right = {"Authorization": f"Bearer {token}"}
        for path, headers, status in (
                ("/", {}, 200), ("/app.js", {}, 200), ("/v1/tours", right, 200),
                ("/v1/tours", {**right, "Host": f"localhost:{port}"}, 200),
                ("/v1/tours", {**right, "Origin": f"http://{own}"}, 200),
                ("/v1/tours", {}, 401), ("/v1/tours", {"Authorization": f"Bearer {WRONG}"}, 401),
                ("/v1/tours", {"Authorization": f"Basic {token}"}, 401), (f"/v1/tours?token={token}", {}, 401),
                ("/v1/tours", {"Cookie": f"token={token}"}, 401),
                ("/", {"Host": "evil.example"}, 421), ("/v1/tours", {**right, "Host": f"evil.example:{port}"}, 421),
                ("/v1/tours", {**right, "Host": "127.0.0.1:1"}, 421),
                ("/v1/tours", {**right, "Host": own + ".evil"}, 421),
                ("/v1/tours", {**right, "Origin": "http://evil.example"}, 403),
                ("/v1/tours", {**right, "Origin": "null"}, 403),
                ("/v1/tours", {**right, "Origin": f"http://127.0.0.1:{port + 1}"}, 403),
                ("/v1/tours", {**right, "Sec-Fetch-Site": "cross-site"}, 403),
                ("/v1/tours", {**right, "Sec-Fetch-Site": "same-site"}, 403),
                ("/v1/wipe", right, 404), ("/v1/backup", right, 404), ("/../../etc/passwd", {}, 404),
                ("/%2e%2e/%2e%2e/etc/passwd", {}, 404), ("/none.js", {}, 404)):
            got, told, body = ask(host, port, "GET", path, **headers)
            what = f"GET {path} {headers}: "
            expect(got == status, f"{what}{got} instead of {status}: {body[:100]}")
            expect("root:" not in body, f"{what}a file of the machine: {body[:100]}")
            expect_policy(told, what)
        for path in ("/v1/wipe", "/v1/lock", "/v1/unlock", "/v1/backup", "/v1/passphrase"):
            status, _, body = ask(host, port, "POST", path, Authorization=f"Bearer {token}")
            expect(status == 404, f"POST {path}: {status}: {body[:100]}")


def expect_policy(headers: dict[str, str], what: str) -> None:
    policy = [part.strip() for part in headers.get("content-security-policy", "").split(";")]
    for part in POLICY:
        expect(part in policy, f"{what}the policy lacks {part}: {policy}")
    for kind in ("script", "style"):
        # Beside what comes from here, the one that the page's first file has in it.
        own = re.compile(f"{kind}-src 'self' 'sha256-[A-Za-z0-9+/]{{43}}='")
        expect(any(own.fullmatch(part) for part in policy), f"{what}the policy lacks one for {kind}s: {policy}")
    expect(not re.search("unsafe|\\*|http", " ".join(policy)), f"{what}the policy lets something in: {policy}")
    for name, value in (("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
                        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin")):
        expect(headers.get(name) == value, f"{what}{name} is {headers.get(name)}")
    expect("set-cookie" not in headers, f"{what}it sets a cookie")
    expect("access-control-allow-origin" not in headers, f"{what}it lets other origins read")


# What a page of another origin tries; each gives what it got, or how it was refused.
ATTACKS = """async ([target, token]) => {
    const found = {};
    const attempt = async (name, fn) => {
        try { found[name] = String(await fn()); } catch (error) { found[name] = `refused: ${error}`; }
    };
    const body = JSON.stringify({ name: 'Hijacked' });
    await attempt('read', async () => (await fetch(`${target}/v1/tours`)).text());
    await attempt('read with the token', async () =>
        (await fetch(`${target}/v1/tours`, { headers: { Authorization: `Bearer ${token}` } })).text());
    await attempt('read the page', async () => (await fetch(`${target}/`)).text());
    await attempt('blind write', async () =>
        (await fetch(`${target}/v1/tours`, { method: 'POST', mode: 'no-cors', body })).text());
    await attempt('blind write, as a form', async () => (await fetch(`${target}/v1/tours`, {
        method: 'POST', mode: 'no-cors', body, headers: { 'Content-Type': 'text/plain' } })).text());
    await attempt('beacon', () => { navigator.sendBeacon(`${target}/v1/tours`, body); return ''; });
    const event = (element, attribute, url) => new Promise((resolve) => {
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('refused');
        element[attribute] = url;
        document.body.append(element);
    });
    await attempt('picture', () => event(document.createElement('img'), 'src', `${target}/icon.svg`));
    await attempt('script', () => event(document.createElement('script'), 'src', `${target}/words/en.js`));
    await attempt('module', () => import(`${target}/words/en.js`).then(() => 'loaded'));
    await attempt('style', () => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        return event(link, 'href', `${target}/style.css`);
    });
    await attempt('events', () => new Promise((resolve) => {
        const source = new EventSource(`${target}/v1/tours/-/events?limit=5&token=${token}`);
        source.onopen = () => resolve('loaded');
        source.onerror = () => { source.close(); resolve('refused'); };
    }));
    await attempt('frame', () => new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => {
            let inside;
            try { inside = frame.contentDocument ? 'loaded' : 'refused'; } catch { inside = 'refused'; }
            resolve(inside);
        };
        frame.src = `${target}/`;
        document.body.append(frame);
    }));
    await attempt('frames inside', () => String(document.querySelector('iframe').contentWindow.length || 'refused'));
    return found;
}"""


@case
def door_and_other_origins(context: Context) -> None:
    """A page of another origin, or of a name that points here (rebinding), reads nothing, writes nothing, frames nothing."""
    with stage(context, "Origins") as at:
        screen, host = at.screen(0), at.lab.hosts[0]
        before = tours(at)
        rebinding = browsers.launch(host, "--host-resolver-rules=MAP evil.example 127.0.0.1")
        try:
            with elsewhere(host) as port:
                page = rebinding.new_page()
                page.goto(f"http://127.0.0.1:{port}/")
                for target in (screen.origin, screen.origin.replace("127.0.0.1", "localhost")):
                    expect_refusals(page.evaluate(ATTACKS, [target, screen.token]), target)
                expect_form_fails(page, screen.origin)
            expect_rebinding_fails(rebinding.new_page(), screen.port or 0, screen.token)
        finally:
            rebinding.close()
        expect(tours(at) == before, f"the tours are others than before: {tours(at)}")
        expect_still_served(at)


def tours(at: Stage) -> list[tuple[str, str]]:
    return sorted((row["tourID"], row["name"]) for row in at.nodes[0].must("tour", "list").lines)


def expect_refusals(found: dict[str, str], target: str) -> None:
    expect(len(found) == 13, f"{target}: not all was tried: {sorted(found)}")
    for name, result in found.items():
        # What is sent blindly gives an empty answer that cannot be read: that nothing came of it is seen at the node.
        refused = result == "" if name.startswith(("blind", "beacon")) else result.startswith("refused")
        expect(refused or result.startswith("refused"), f"{target}: '{name}' gave {result[:200]!r}")


def expect_form_fails(page: Page, target: str) -> None:
    """A form goes anywhere, and its answer takes the page's place: here a refusal."""
    with page.expect_navigation() as navigation:
        page.evaluate("""(target) => {
            const form = document.createElement('form');
            Object.assign(form, { method: 'post', action: `${target}/v1/tours`, enctype: 'text/plain' });
            const input = document.createElement('input');
            Object.assign(input, { name: '{"name":"Hijacked","x":"', value: '"}' });
            form.append(input);
            document.body.append(form);
            form.submit();
        }""", target)
    answer = navigation.value
    expect(answer and answer.status in (401, 403), f"a form of another origin got {answer and answer.status}")


def expect_rebinding_fails(page: Page, port: int, token: str) -> None:
    answer = page.goto(f"http://evil.example:{port}/#token={token}")
    expect(answer and answer.status == 421, f"under another name the page opens: {answer and answer.status}")
    found = page.evaluate("""async (token) => (await fetch('/v1/tours',
        { headers: { Authorization: `Bearer ${token}` } })).status""", token)
    expect(found == 421, f"under another name the door answers {found}")


def expect_still_served(at: Stage) -> None:
    screen = at.screens[0]
    screen.page.goto(screen.address)
    status, text = screen.fetch("/v1/tours")
    expect(status == 200 and "Origins" in text, f"the owner's page gets {status}: {text[:100]}")
