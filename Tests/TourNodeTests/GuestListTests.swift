import Testing
import TourAPI
import TourCrypto
import TourModel
import TourNode

/// Goal: the owner of a device, and all others, see with which device a guest is, wherever members are listed; and a
/// guest is a member without rights.
/// Method: a real node without a network lets a guest in, whose phone the test plays.
@Suite struct GuestListTests {
    private let scratch: ScratchNodes
    private let node: TourNode
    private let guest: SeatStanding

    init() async throws {
        scratch = try ScratchNodes()
        node = try await scratch.node("guide")
        _ = try await node.setName("Guide")
        _ = try await node.createTour(name: "Museum", fullHistory: true)
        // The owner waits for the door, which is played here too.
        await node.seats.doorOpened(port: 8_480)
        _ = try await node.seats.set(on: true, max: nil, in: nil)
        guest = try await node.seats.enter(
            pass: node.shownPass(), name: "Anna", secret: [UInt8](repeating: 7, count: SeatKeys.secretBytes))
    }

    private func write(_ act: SeatAct) async throws {
        let prepared = try await node.seats.prepare(act, for: guest.ticket)
        _ = try await node.seats.confirm(prepared.id, for: guest.ticket)
    }

    @Test func everyListNamesTheDevice() async throws {
        let members = try await node.members(nil).members
        let me = try #require(members.first { $0.me })
        #expect(me.guests == 1 && !me.guest && me.by == nil)
        let host = try #require(members.first { $0.id == guest.memberID }?.by)
        #expect(host.memberID == me.id && host.name == "Guide")
        let sent = try await node.send([Draft(text: "Hello")], to: nil)
        let message = try #require(sent.first).get()
        #expect(try await node.receipts(message.id, in: nil).members.map(\.by) == [host])
        let roll = try await node.callRoll("At the bus", seconds: 600, in: nil)
        #expect(roll.members.first { $0.memberID == guest.memberID }?.guestBy == host)
        #expect(roll.members.first { $0.memberID == me.id }?.guestBy == nil)
        try await write(.alarm(text: "By the door", battery: nil))
        #expect(try await node.alarms(nil).first?.by == host)
        #expect(try await node.status(nil).status.lost.map(\.by) == [host])
    }

    @Test func aGuestGetsNoRank() async throws {
        var code = ""
        do { _ = try await node.setRole("guide", of: guest.memberID, in: nil) } catch let error as NodeError {
            code = error.code
        }
        #expect(code == "not-for-guests")
    }

    @Test func theCodesAreThoseThatPeopleJoinBy() async throws {
        let before = try await node.invites(nil).count
        _ = try await node.createInvite(nil, InviteTerms.standard, reuses: false)
        #expect(try await node.invites(nil).count == before + 1)
    }

    /// Its device stays, and lets others in.
    @Test func aRemovedGuestIsOutAlone() async throws {
        let removed = try await node.removeMember(guest.memberID, from: nil)
        #expect(removed.guests == 0)
        let members = try await node.members(nil).members
        #expect(members.first { $0.id == guest.memberID }?.removed == true)
        #expect(members.first { $0.me }?.guests == 0)
        #expect(try await node.seats.view(nil).mayGive)
        // Something can be written at once: the new key is there.
        let sent = try await node.send([Draft(text: "Without Anna")], to: nil)
        #expect((try? #require(sent.first).get()) != nil)
    }
}
