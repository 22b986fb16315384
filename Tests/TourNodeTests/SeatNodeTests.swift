import Testing
import TourAPI
import TourCrypto
import TourModel
import TourNode
import TourNotebook

/// Goal: a guest is let in by the pass, writes only what its phone confirmed, and goes on as the same member when its
/// phone comes back, whatever was lost on the way.
/// Method: a real node without a network; the test plays the phones.
@Suite struct SeatNodeTests {
    private let scratch: ScratchNodes
    private let node: TourNode
    private let phone = [UInt8](repeating: 7, count: SeatKeys.secretBytes)

    init() async throws {
        scratch = try ScratchNodes()
        node = try await scratch.node("guide")
        _ = try await node.setName("Guide")
        _ = try await node.createTour(name: "Museum", fullHistory: true)
        // The owner waits for the door, which is played here too.
        await node.seats.doorOpened(port: 8_480)
    }

    private func begin(max: Int? = nil) async throws -> [UInt8] {
        _ = try await node.seats.set(on: true, max: max, in: nil)
        return try await node.shownPass()
    }

    private func say(_ text: String, _ seat: SeatTicket) async throws -> SeatHead {
        let prepared = try await node.seats.prepare(.text(text, replyTo: nil), for: seat)
        return try await node.seats.confirm(prepared.id, for: seat)
    }

    private func texts() async throws -> [String] {
        try await node.view(nil).window(.last, count: 100).messages.map(\.content)
    }

    @Test func aGuestIsAMemberOfItsOwn() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        let members = try await node.members(nil).members
        let anna = try #require(members.first { $0.id == guest.memberID })
        #expect(anna.name == "Anna" && anna.guest && anna.by?.name == "Guide")
        #expect(members.count == 2)
        _ = try await say("Hello", guest.ticket)
        let message = try #require(
            await node.seats.messages(.last, count: 10, for: guest.ticket).last)
        #expect(message.content == "Hello" && message.mine && message.authorID == guest.memberID)
        #expect(try await node.view(nil).window(.last, count: 10).messages.last?.mine == false)
        #expect(try await node.seats.view(nil).guests.map(\.here) == [false], "its phone does not listen")
        let (follower, _) = try await node.seats.follow(guest.ticket)
        let view = try await node.seats.view(nil)
        #expect(view.guests.map(\.name) == ["Anna"] && view.guests.first?.here == true)
        await node.seats.endFollower(follower)
    }

    /// Guests see the plan that their host itself shares, each version of it, until it is withdrawn.
    @Test func thePlanOfTheHostReachesItsGuests() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        func expectStops(_ names: [String]?) async throws {
            var shown: [String]?
            for _ in 0..<500 {
                await node.seats.tick()
                shown = try await node.seats.picture(for: guest.ticket).programme?.stops.map(\.name)
                if shown == names { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(shown == names)
        }
        await node.seats.tick()
        try await expectStops(nil)
        let plan = try await node.notebook.add(
            .itinerary, NotebookDraft { _ in .itinerary(Itinerary(title: "Day 1")) }
        ).item.id.text
        func add(_ name: String) async throws {
            let stop = NotebookDraft { _ in .stop(Stop(title: name)) }
            _ = try await node.notebook.addStop(to: plan, stop, known: nil, position: nil)
        }
        try await add("Bazaar")
        _ = try await node.publish(plan, as: .itinerary, in: nil)
        try await expectStops(["Bazaar"])
        try await add("Tower")
        let second = try await node.publish(plan, as: .itinerary, in: nil)
        try await expectStops(["Bazaar", "Tower"])
        _ = try await node.withdraw(second.id, in: nil)
        try await expectStops(["Bazaar"])
    }

    @Test func onlyWhatIsConfirmedIsWritten() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        let first = try await node.seats.prepare(.text("first", replyTo: nil), for: guest.ticket)
        let second = try await node.seats.prepare(.text("second", replyTo: nil), for: guest.ticket)
        #expect(first.seq == second.seq)
        let refused = await code { _ = try await node.seats.confirm(first.id, for: guest.ticket) }
        #expect(refused == "moved")
        let head = try await node.seats.confirm(second.id, for: guest.ticket)
        #expect(head == SeatHead(seq: second.seq, id: second.id))
        // The answer was lost: the phone asks again.
        #expect(try await node.seats.confirm(second.id, for: guest.ticket) == head)
        #expect(try await texts() == ["second"])
    }

    @Test func aPhoneComesBackAsTheSame() async throws {
        let pass = try await begin()
        let guest = try await node.seats.enter(pass: pass, name: "Anna", secret: phone)
        let again = try await node.seats.enter(pass: pass, name: "Anna", secret: phone)
        #expect(again.memberID == guest.memberID, "the first answer may have been lost")
        let head = try await say("one", guest.ticket)
        await node.seats.release(guest.ticket)
        let gone = await code { _ = try await say("two", guest.ticket) }
        #expect(gone == "no-seat")
        let back = try await node.seats.resume(member: guest.memberID, secret: phone, head: head, tail: [])
        _ = try await say("two", back.ticket)
        #expect(try await texts() == ["one", "two"])
    }

    /// The node had stopped before it stored what the phone confirmed: the phone brings the bytes.
    @Test func theTailContinuesTheLog() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        let prepared = try await node.seats.prepare(.text("kept", replyTo: nil), for: guest.ticket)
        let head = SeatHead(seq: prepared.seq, id: prepared.id)
        let behind = await code {
            _ = try await node.seats.resume(member: guest.memberID, secret: phone, head: head, tail: [])
        }
        #expect(behind == "behind")
        let back = try await node.seats.resume(
            member: guest.memberID, secret: phone, head: head, tail: [prepared.bytes])
        #expect(back.head == head)
        #expect(try await texts() == ["kept"])
        let twice = try await node.seats.resume(
            member: guest.memberID, secret: phone, head: head, tail: [prepared.bytes])
        #expect(twice.head == head)
        #expect(try await texts() == ["kept"])
    }

    @Test func strangersAreRefused() async throws {
        let pass = try await begin(max: 2)
        let guest = try await node.seats.enter(pass: pass, name: "Anna", secret: phone)
        let wrong = [UInt8](repeating: 8, count: SeatKeys.secretBytes)
        let none = SeatHead(seq: 0, id: "")
        let member = try await node.details(nil).memberID
        let codes = [
            await code { _ = try await node.seats.enter(pass: [1], name: "Eve", secret: wrong) },
            await code { _ = try await node.seats.enter(pass: pass, name: " ", secret: wrong) },
            await code {
                _ = try await node.seats.resume(member: guest.memberID, secret: wrong, head: none, tail: [])
            },
            await code { _ = try await node.seats.resume(member: member, secret: phone, head: none, tail: []) },
            await code { _ = try await node.seats.resume(member: "xyz", secret: phone, head: none, tail: []) },
        ]
        #expect(codes == ["bad-pass", "bad-name", "wrong-secret", "unknown-seat", "unknown-seat"])
        _ = try await node.seats.enter(pass: pass, name: "Ben", secret: wrong)
        let third = [UInt8](repeating: 9, count: SeatKeys.secretBytes)
        let full = await code { _ = try await node.seats.enter(pass: pass, name: "Carl", secret: third) }
        #expect(full == "full")
        _ = try await node.seats.renewPass(uses: 1, seconds: nil, in: nil)
        let old = await code { _ = try await node.seats.enter(pass: pass, name: "Carl", secret: third) }
        #expect(old == "full")
        _ = try await node.seats.set(on: false, max: nil, in: nil)
        let off = await code { _ = try await node.seats.enter(pass: pass, name: "Carl", secret: third) }
        #expect(off == "seats-off")
    }

    @Test func aFloodCostsItself() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        var codes = [String]()
        // What is prepared counts as what is written, and waits for no disk: a slow one would give the guest its rate
        // back meanwhile.
        while codes.last != "slow-down", codes.count < 400 {
            codes.append(
                await code {
                    _ = try await node.seats.prepare(.text("\(codes.count)", replyTo: nil), for: guest.ticket)
                })
        }
        #expect(codes.last == "slow-down")
        #expect(codes.count > 20 && codes.dropLast().allSatisfy { $0 == "none" })
    }

    @Test func whoIsRemovedIsOver() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        let head = try await say("one", guest.ticket)
        _ = try await node.removeMember("Anna", from: nil)
        let codes = [
            await code { _ = try await say("two", guest.ticket) },
            await code {
                _ = try await node.seats.resume(member: guest.memberID, secret: phone, head: head, tail: [])
            },
        ]
        #expect(codes == ["removed", "removed"])
    }

    /// The code of before lets nobody in; whoever was removed is told by whom; the others stay, and more come in.
    @Test func whoIsRemovedComesBackByNoCodeOfBefore() async throws {
        let old = try await begin()
        let secrets = (8...10).map { [UInt8](repeating: $0, count: SeatKeys.secretBytes) }
        let guest = try await node.seats.enter(pass: old, name: "Anna", secret: phone)
        let ben = try await node.seats.enter(pass: old, name: "Ben", secret: secrets[0])
        let left = try await node.seats.view(nil).usesLeft
        _ = try await node.removeMember("Anna", from: nil)
        let new = try await node.shownPass()
        #expect(new != old)
        #expect(try await node.seats.view(nil).usesLeft == left)
        let codes = [
            await code { _ = try await node.seats.enter(pass: old, name: "Anna", secret: secrets[1]) },
            await code { _ = try await node.seats.enter(pass: new, name: "Anna", secret: phone) },
        ]
        #expect(codes == ["bad-pass", "removed"])
        await #expect(throws: NodeError.seat(.removed(by: "Guide"))) {
            try await node.seats.resume(member: guest.memberID, secret: phone, head: guest.head, tail: [])
        }
        _ = try await say("still here", ben.ticket)
        _ = try await node.seats.enter(pass: new, name: "Carl", secret: secrets[2])
        #expect(try await node.shownPass() == new, "it ends once")
    }

    private func position(of guest: SeatStanding) async throws -> MemberPosition? {
        try await node.members(nil).members.first { $0.id == guest.memberID }?.position
    }

    @Test func aGuestSharesItsPositionUntilItStops() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        let place = try #require(Coordinate(degreesNorth: 41.9, degreesEast: 12.5))
        try await SeatPosition(seconds: 600, place: place, accuracyMetres: 12, age: 5)
            .share(as: guest.ticket, at: node.seats)
        let shown = try #require(await position(of: guest))
        #expect(abs(shown.latitude - 41.9) < 1e-6 && shown.accuracyMetres == 12 && shown.live && shown.ageSeconds >= 5)
        // A phone without a fix has nothing to say; what it said stands.
        try await SeatPosition(seconds: 600).share(as: guest.ticket, at: node.seats)
        #expect(try await position(of: guest) != nil)
        try await SeatPosition(seconds: 0).share(as: guest.ticket, at: node.seats)
        #expect(try await position(of: guest) == nil)
        try await SeatPosition(seconds: 600, place: place).share(as: guest.ticket, at: node.seats)
        #expect(try await position(of: guest) != nil)
    }

    @Test func aPositionNeedsASeatAndPatience() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        let place = try #require(Coordinate(degreesNorth: 1, degreesEast: 1))
        var codes = [String]()
        while codes.last != "slow-down", codes.count < 400 {
            codes.append(
                await code {
                    try await SeatPosition(seconds: Int64(600 + 100 * (codes.count % 2)), place: place)
                        .share(as: guest.ticket, at: node.seats)
                })
        }
        #expect(codes.last == "slow-down")
        #expect(codes.count > 20 && codes.dropLast().allSatisfy { $0 == "none" })
        _ = try await node.removeMember("Anna", from: nil)
        let over = await code {
            try await SeatPosition(seconds: 600, place: place).share(as: guest.ticket, at: node.seats)
        }
        #expect(over == "removed")
        #expect(try await position(of: guest) == nil)
    }

    @Test func aGuestLeavesByItself() async throws {
        let guest = try await node.seats.enter(pass: begin(), name: "Anna", secret: phone)
        let prepared = try await node.seats.prepare(.leave, for: guest.ticket)
        _ = try await node.seats.confirm(prepared.id, for: guest.ticket)
        let members = try await node.members(nil).members
        #expect(members.first { $0.id == guest.memberID }?.left == true)
    }
}
