"""Goal: who guides can let people in and out in the page, and who is out is told so.
Method: the guide's page and the member's side by side."""
from __future__ import annotations

from cases import Context, case, expect
from nodes import wait_until
from playwright.sync_api import Locator
from screen import Screen
from stage import stage


def sure(screen: Screen, key: str) -> None:
    """Answers the question that a dangerous button asks."""
    screen.button(key, screen.page.get_by_role("dialog").last).click()


def roster_row(screen: Screen, name: str) -> Locator:
    return screen.page.get_by_role("row").filter(has=screen.page.get_by_role("rowheader", name=name))


@case
def remove_member(context: Context) -> None:
    """The guide removes a member: its page says so and can write no more; with the new code it is in again."""
    with stage(context, "Remove", members=2) as at:
        guide, member = at.screen(0), at.screen(1)
        guide.enter("guide")
        member.enter("chat")
        member.write("Am I still here?")
        row = roster_row(guide, "east")
        guide.button("doTo", row, action=guide.t("remove")).click()
        guide.role("button", "cancel", guide.page.get_by_role("dialog")).click()
        expect(row.is_visible(), "it is gone though the guide cancelled")
        guide.button("doTo", row, action=guide.t("remove")).click()
        sure(guide, "remove")
        told = guide.page.get_by_role("dialog").filter(has_text=guide.t("newCode"))
        told.wait_for()
        code = "".join(told.locator(".code").inner_text().split())
        guide.button("close", told).click()
        row.wait_for(state="detached")
        member.page.get_by_text(member.t("state_removed")).first.wait_for()
        expect(member.says("Am I still here?").is_visible(), "what was written is gone")
        member.until(lambda: member.composer.count() == 0, "a removed member is not offered to write")
        expect(at.nodes[1].ask("send", "Still here", "--tour", "Remove").status != 0, "a removed member can write")
        guide.go("chat")
        guide.write("Only for those who are in")
        member.page.evaluate("() => { location.hash = '#/join'; }")
        member.field("code").fill(code)
        member.button("joinNow").click()
        member.composer.wait_for()
        member.write("Back again")
        guide.says("Back again").wait_for()


@case
def roll_call(context: Context) -> None:
    """The guide calls the roll: who is near or read it counts, who is missing stands by name and is ticked by hand."""
    with stage(context, "Roll") as at:
        guide = at.screen(0)
        for node in reversed(at.nodes):
            node.stop()
        for node in at.nodes[:2]:  # who has just started has not heard of west
            node.start()
        wait_until(lambda: [m["name"] for m in at.nodes[0].members() if not m["reachable"]] == ["west"], 60,
                   "east is near and west is not")
        guide.enter("guide")
        guide.button("rollStart").click()
        guide.page.get_by_text(guide.t("rollMissing", n=1, all=2), exact=True).wait_for()
        at.nodes[1].must("messages", "--mark-read")
        guide.page.get_by_role("listitem").filter(has_text="east").get_by_text(guide.t("readCall")).wait_for()
        guide.page.get_by_role("checkbox", name="west").check()
        guide.page.get_by_text(guide.t("rollMissing", n=0, all=2), exact=True).wait_for()
        guide.button("rollEnd").click()
        guide.button("rollStart").wait_for()
        at.nodes[2].start()


@case
def invitation(context: Context) -> None:
    """The guide makes a code for one use in the page: it joins one, is listed as used, and a revoked one joins nobody."""
    with stage(context, "Invite", members=1) as at:
        guide = at.screen(0)
        guide.enter("guide")
        guide.field("uses").fill("1")
        guide.button("makeCode").click()
        drawn = guide.page.get_by_role("img", name=guide.t("qrOf"))
        drawn.wait_for()
        code = "".join(guide.page.locator(".code").inner_text().split())
        at.nodes[1].must("join", code, "--name", "east", seconds=60)
        guide.page.get_by_role("rowheader", name="east").wait_for()
        expect(at.nodes[2].ask("join", code, "--name", "west", seconds=90).code == "used-up", "the code joins a second one")
        guide.field("uses").fill("5")
        guide.button("makeCode").click()
        wait_until(lambda: "".join(guide.page.locator(".code").inner_text().split()) != code, 20, "another code is shown")
        other = "".join(guide.page.locator(".code").inner_text().split())
        row = guide.page.get_by_role("listitem").filter(has=guide.page.get_by_text(guide.t("invite_open"))).filter(
            has_text="/ 5")
        guide.button("doTo", row, action=guide.t("revoke")).click()
        sure(guide, "revoke")
        guide.page.get_by_text(guide.t("invite_revoked")).first.wait_for()
        refused = at.nodes[2].ask("join", other, "--name", "west", seconds=90)
        expect(refused.code == "revoked", f"a revoked code is refused with '{refused.code}': {refused.text[:200]}")
