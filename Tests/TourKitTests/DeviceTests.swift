import Testing
import TourKit

/// Goal: an app that knows only the public face of the library can found, join, talk, part, restart and catch up.
/// Method: devices in memory with a clock of their own; what each keeps is all that survives its restart.
struct DeviceTests {
    /// A tour of two, linked.
    private struct Pair {
        let lab = Lab()
        let anna: Phone
        let ben: Phone
        let tour: TourIdentifier
        let code: JoinCode

        init(fullHistory: Bool = true, uses: Int? = nil) throws {
            anna = try lab.phone("Anna")
            ben = try lab.phone("Ben")
            tour = try anna.device.found("Museum", fullHistory: fullHistory, at: lab.now)
            code = try anna.device.invite(to: tour, uses: uses, at: lab.now)
            try #require(try lab.join(ben, through: anna, code) == tour)
            try lab.link(ben, anna, tour)
        }
    }

    @Test func messagesComeToBothAndAreRead() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        let bus = try pair.anna.device.announce("Bus leaves at 17:10", to: tour, isUrgent: true, at: lab.now)
        #expect(try pair.anna.status(of: bus, tour) == .pending)
        let answer = try pair.ben.device.send("On my way", to: tour, replyTo: bus, at: lab.now)
        #expect(try lab.run { try pair.anna.status(of: bus, tour) == .delivered })
        #expect(try lab.run { try pair.anna.texts(tour).count == 2 && pair.ben.texts(tour).count == 2 })
        #expect(try pair.anna.texts(tour) == pair.ben.texts(tour))
        let shown = try #require(try pair.ben.device.message(bus, of: tour))
        #expect(shown.kind == .announcement(isUrgent: true))
        #expect(shown.author == (try pair.anna.device.own(in: tour)))
        #expect(try pair.anna.device.message(answer, of: tour)?.replyTo == bus)
        try pair.ben.device.markRead(tour, at: lab.now)
        #expect(try lab.run { try pair.anna.status(of: bus, tour) == .read })
        let receipts = try pair.anna.device.receipts(of: bus, in: tour)
        #expect(receipts.map(\.member) == [try pair.ben.device.own(in: tour)])
        #expect(receipts.map(\.state) == [.read])
        #expect(pair.ben.device.name(of: tour) == "Museum")
        let members = try pair.anna.device.members(of: tour, at: lab.now)
        #expect(members.map(\.name) == ["Anna", "Ben"])
        #expect(members.map(\.rank) == [.creator, .member])
        #expect(members.map(\.isNear) == [true, true])
    }

    @Test func whatWasWrittenApartArrivesAfterARestart() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        lab.run(for: .seconds(5))
        lab.unplug(pair.ben)
        let first = try pair.anna.device.send("one", to: tour, at: lab.now)
        lab.run(for: .seconds(2))
        try pair.ben.device.send("two", to: tour, at: lab.now)
        lab.carryOutAll()
        try lab.restart(pair.ben)
        try lab.restart(pair.anna)
        #expect(try pair.anna.texts(tour) == ["one"])
        #expect(try pair.ben.texts(tour) == ["two"])
        #expect(pair.ben.device.name(of: tour) == "Museum")
        try lab.link(pair.ben, pair.anna, tour)
        #expect(try lab.run { try pair.anna.texts(tour) == ["one", "two"] && pair.ben.texts(tour) == ["one", "two"] })
        #expect(try lab.run { try pair.anna.status(of: first, tour)?.isDelivered == true })
        lab.unplug(pair.ben)
        try lab.restart(pair.anna)
        #expect(try pair.anna.status(of: first, tour)?.isDelivered == true)
    }

    /// A message that was sent and then lost would be written twice: everything that goes out is kept before.
    @Test func aMessageIsKeptBeforeItGoesOut() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        lab.run(for: .seconds(5))
        let before = pair.ben.actions.count
        try pair.ben.device.send("On my way", to: tour, at: lab.now)
        lab.carryOutAll()
        let new = pair.ben.actions[before...]
        let own = try pair.ben.device.own(in: tour).hex
        let kept = new.firstIndex {
            guard case .keep(let records) = $0 else { return false }
            return records.contains { $0.key.contains("/event/\(own)/") }
        }
        let written = new.firstIndex { if case .write = $0 { true } else { false } }
        #expect(try #require(kept) < #require(written))
        #expect(try pair.anna.texts(tour) == ["On my way"])
    }

    @Test func onlyKeysAreSecret() throws {
        let pair = try Pair()
        try pair.anna.device.send("hello", to: pair.tour, at: pair.lab.now)
        pair.lab.run(for: .seconds(20))
        for phone in [pair.anna, pair.ben] {
            let secret = phone.actions.flatMap { action -> [String] in
                guard case .keep(let records) = action else { return [] }
                return records.filter(\.isSecret).map(\.key)
            }
            let names = Set(secret.map { $0.split(separator: "/").last.map(String.init) ?? "" })
            #expect(names == (phone === pair.ben ? ["secrets", "code"] : ["secrets"]))
            #expect(phone.disk.keys.allSatisfy { $0.utf8.count <= 200 })
            let open = phone.disk.filter { !secret.contains($0.key) }
            #expect(open.values.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("hello") })
        }
    }

    @Test func withoutHistoryANewcomerReadsFromItsJoinOn() throws {
        let pair = try Pair(fullHistory: false)
        let (lab, tour) = (pair.lab, pair.tour)
        try pair.anna.device.send("before", to: tour, at: lab.now)
        #expect(try lab.run { try pair.ben.texts(tour) == ["before"] })
        let cleo = try lab.phone("Cleo")
        #expect(try lab.join(cleo, through: pair.anna, pair.code) == tour)
        try lab.link(cleo, pair.anna, tour)
        lab.run(for: .seconds(30))
        try pair.ben.device.send("after", to: tour, at: lab.now)
        #expect(try lab.run { try cleo.texts(tour) == ["after"] })
        #expect(try pair.ben.texts(tour) == ["before", "after"])
        #expect(cleo.device.name(of: tour) == "Museum")
    }

    @Test func aMemberThatIsNoGuideLetsOthersIn() throws {
        let pair = try Pair()
        let cleo = try pair.lab.phone("Cleo")
        #expect(try pair.lab.join(cleo, through: pair.ben, pair.code) == pair.tour)
        #expect(try pair.lab.run { try pair.anna.device.members(of: pair.tour, at: pair.lab.now).count == 3 })
    }

    @Test func aCodeForOneLetsInOne() throws {
        let pair = try Pair(uses: 1)
        let cleo = try pair.lab.phone("Cleo")
        #expect(try pair.lab.join(cleo, through: pair.anna, pair.code) == nil)
        #expect(cleo.refused == .usedUp)
        #expect(throws: TourRefusal.alreadyMember) {
            try pair.ben.device.dial(Connection(99), joining: pair.code, at: pair.lab.now)
        }
        #expect(throws: TourRefusal.notAllowed) { try pair.ben.device.invite(to: pair.tour, at: pair.lab.now) }
    }

    @Test func aDeviceThatSleepsIsSeenToSleep() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        let ben = try pair.ben.device.own(in: tour)
        func isAsleep() throws -> Bool? {
            try pair.anna.device.members(of: tour, at: lab.now).first { $0.id == ben }?.isAsleep
        }
        lab.run(for: .seconds(5))
        #expect(try isAsleep() == false)
        pair.ben.device.sleep(at: lab.now)
        #expect(try lab.run { try isAsleep() == true })
        pair.ben.device.wake(at: lab.now)
        #expect(try lab.run { try isAsleep() == false })
    }

    @Test func aWithdrawnMessageIsGone() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        let id = try pair.ben.device.send("wrong", to: tour, at: lab.now)
        #expect(try lab.run { try pair.anna.texts(tour) == ["wrong"] })
        #expect(throws: TourRefusal.notAllowed) { try pair.anna.device.withdraw(id, from: tour, at: lab.now) }
        try pair.ben.device.withdraw(id, from: tour, at: lab.now)
        #expect(try lab.run { try pair.anna.texts(tour).isEmpty })
    }

    @Test func aMemberThatLeftWritesNoMore() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        let ben = try pair.ben.device.own(in: tour)
        #expect(throws: TourRefusal.notAllowed) { try pair.anna.device.leave(tour, at: lab.now) }
        try pair.ben.device.leave(tour, at: lab.now)
        #expect(throws: TourRefusal.notActive) { try pair.ben.device.send("still here", to: tour, at: lab.now) }
        #expect(
            try lab.run {
                try pair.anna.device.members(of: tour, at: lab.now).first { $0.id == ben }?.isActive == false
            })
        try lab.restart(pair.ben)
        #expect(throws: TourRefusal.notActive) { try pair.ben.device.send("still here", to: tour, at: lab.now) }
    }

    @Test func aMemberThatLeftComesBackByACode() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        try pair.ben.device.send("before", to: tour, at: lab.now)
        #expect(try lab.run { try pair.anna.texts(tour) == ["before"] })
        let before = try pair.ben.device.own(in: tour)
        try pair.ben.device.leave(tour, at: lab.now)
        #expect(try lab.run { try !pair.anna.device.members(of: tour, at: lab.now).allSatisfy(\.isActive) })
        lab.unplug(pair.ben)
        #expect(try lab.join(pair.ben, through: pair.anna, pair.code) == tour)
        #expect(try pair.ben.device.own(in: tour) != before)
        try lab.link(pair.ben, pair.anna, tour)
        try pair.ben.device.send("after", to: tour, at: lab.now)
        #expect(try lab.run { try pair.anna.texts(tour) == ["before", "after"] })
        try lab.restart(pair.ben)
        #expect(try pair.ben.texts(tour) == ["before", "after"])
    }

    /// An urgent announcement overtakes what was written before it, and is told once.
    @Test func eachMessageIsToldOnce() throws {
        let pair = try Pair()
        let (lab, tour) = (pair.lab, pair.tour)
        lab.unplug(pair.ben)
        for number in 1...200 { try pair.anna.device.send("\(number)", to: tour, at: lab.now) }
        try pair.anna.device.announce("the bus leaves", to: tour, isUrgent: true, at: lab.now)
        lab.carryOutAll()
        try lab.link(pair.ben, pair.anna, tour)
        #expect(try lab.run { try pair.ben.device.messages(of: tour, limit: 1_000).count == 201 })
        lab.run(for: .seconds(10))
        let told = pair.ben.notices.compactMap { notice -> MessageIdentifier? in
            if case .message(tour, let message) = notice { message.id } else { nil }
        }
        #expect(told.count == 201 && Set(told).count == 201)
        #expect(try pair.ben.texts(tour).count == 100)
    }
}
