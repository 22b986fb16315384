import Testing
import TourKit

/// Goal: bad bytes, codes, texts and records change nothing but what they are about.
/// Method: a device in memory; each kind of bad input, then a look at what still works.
struct BadInputTests {
    @Test func bytesThatAreNoLinkEndTheirConnectionAlone() throws {
        let lab = Lab()
        let anna = try lab.phone("Anna")
        let tour = try anna.device.found("Museum", at: lab.now)
        for (number, bytes) in [[0, 1, 9], [0, 33] + [UInt8](repeating: 1, count: 33), [255, 255]].enumerated() {
            let connection = Connection(UInt64(number + 100))
            try anna.device.accept(connection, from: "192.0.2.1", at: lab.now)
            #expect(throws: TourRefusal.connectionInUse) {
                try anna.device.accept(connection, from: "192.0.2.1", at: lab.now)
            }
            anna.device.receive(bytes, on: connection, at: lab.now)
            lab.run(for: .seconds(30))
            let reasons = anna.notices.compactMap { notice -> String?? in
                if case .ended(connection, let why) = notice { .some(why) } else { nil }
            }
            #expect(reasons.count == 1 && reasons[0] != nil, "\(bytes.prefix(3)): \(reasons)")
            // Late bytes and reports of a connection that is gone.
            anna.device.receive(bytes, on: connection, at: lab.now)
            anna.device.written(connection, at: lab.now)
            anna.device.closed(connection, at: lab.now)
        }
        try anna.device.send("still here", to: tour, at: lab.now)
        #expect(try anna.texts(tour) == ["still here"])
    }

    @Test func namesTextsAndTermsAreChecked() throws {
        let lab = Lab()
        #expect(throws: TourRefusal.badName) { try TourDevice(name: " ", at: lab.now) }
        #expect(throws: TourRefusal.badName) { try TourDevice(name: "a\u{7}b", at: lab.now) }
        let anna = try lab.phone(" Anna  Smith ")
        #expect(throws: TourRefusal.badName) { try anna.device.found("", at: lab.now) }
        let tour = try anna.device.found("Museum", at: lab.now)
        #expect(try anna.device.members(of: tour, at: lab.now).map(\.name) == ["Anna Smith"])
        for text in ["", "a\0b", String(repeating: "a", count: 16 * 1_024 + 1)] {
            #expect(throws: TourRefusal.badText) { try anna.device.send(text, to: tour, at: lab.now) }
            #expect(throws: TourRefusal.badText) { try anna.device.announce(text, to: tour, at: lab.now) }
        }
        try anna.device.send(String(repeating: "a", count: 16 * 1_024), to: tour, at: lab.now)
        #expect(throws: TourRefusal.badTerms) { try anna.device.invite(to: tour, uses: 0, at: lab.now) }
        #expect(throws: TourRefusal.badTerms) { try anna.device.invite(to: tour, expiresAt: 1, at: lab.now) }
        let other = try #require(TourIdentifier(hex: String(repeating: "0", count: 64)))
        #expect(throws: TourRefusal.unknownTour) { try anna.device.send("a", to: other, at: lab.now) }
        #expect(TourIdentifier(hex: "0") == nil && MemberIdentifier(hex: "g") == nil)
        let message = try #require(MessageIdentifier(hex: other.hex))
        #expect(throws: TourRefusal.unknownMessage) { try anna.device.receipts(of: message, in: tour) }
    }

    @Test func codesAndAddressesAreChecked() throws {
        let lab = Lab()
        let anna = try lab.phone("Anna")
        let tour = try anna.device.found("Museum", at: lab.now)
        let code = try anna.device.invite(to: tour, at: lab.now)
        #expect(code.names(tour))
        #expect(try JoinCode(code.text.lowercased()) == code)
        let addresses = ["192.0.2.1:29795", "[2001:db8::1]:1", "pi.local:65535"].compactMap { PeerAddress($0) }
        #expect(addresses.count == 3)
        let link = try JoinCode(code.link(at: addresses))
        #expect(link.addresses == addresses && link.text == code.text)
        #expect(code.link() == "tour-chat://join/" + code.text.filter { $0 != "-" })
        for text in ["192.0.2.1", "2001:db8::1:5", "host:0", ":1", "host:65536"] { #expect(PeerAddress(text) == nil) }
        #expect(throws: JoinCodeFault.letters) { try JoinCode("ä") }
        #expect(throws: JoinCodeFault.length) { try JoinCode(String(code.text.dropLast())) }
        let last: Character = code.text.last == "A" ? "B" : "A"
        #expect(throws: JoinCodeFault.mistyped) { try JoinCode(code.text.dropLast() + String(last)) }
    }

    @Test func recordsThatDoNotFitAreRefused() throws {
        let lab = Lab()
        let anna = try lab.phone("Anna")
        let tour = try anna.device.found("Museum", at: lab.now)
        for text in ["one", "two", "three"] { try anna.device.send(text, to: tour, at: lab.now) }
        lab.carryOutAll()
        let events = anna.disk.keys.filter { $0.contains("/event/") }.sorted()
        var gone = anna.disk
        gone[events[1]] = nil
        #expect(throws: TourRefusal.damaged) { try TourDevice(name: "Anna", kept: gone, at: lab.now) }
        var keyless = anna.disk
        keyless["\(tour.hex)/secrets"] = [1, 2, 3]
        #expect(throws: TourRefusal.damaged) { try TourDevice(name: "Anna", kept: keyless, at: lab.now) }
        // Of a later version, or of something else in the same place.
        var more = anna.disk
        more["\(tour.hex)/later/1"] = [1]
        more["settings"] = [2]
        let again = try TourDevice(name: "Anna", kept: more, at: lab.now)
        #expect(try again.messages(of: tour).map(\.text) == ["one", "two", "three"])
    }

    /// Two events of one author at one place would be a fork, for good.
    @Test func aCopyWritesOnlyBehindWhatOthersHold() throws {
        let lab = Lab()
        let anna = try lab.phone("Anna")
        let ben = try lab.phone("Ben")
        let tour = try anna.device.found("Museum", at: lab.now)
        #expect(try lab.join(ben, through: anna, try anna.device.invite(to: tour, at: lab.now)) == tour)
        try lab.link(ben, anna, tour)
        lab.run(for: .seconds(5))
        let backup = ben.disk
        try ben.device.send("after the backup", to: tour, at: lab.now)
        #expect(try lab.run { try anna.texts(tour) == ["after the backup"] })
        ben.disk = backup
        try lab.restart(ben, from: .copy)
        #expect(throws: TourRefusal.logUnsafe) { try ben.device.send("at once", to: tour, at: lab.now) }
        try lab.link(ben, anna, tour)
        #expect(lab.run { (try? ben.device.send("behind it", to: tour, at: lab.now)) != nil })
        #expect(try lab.run { try anna.texts(tour) == ["after the backup", "behind it"] })
        #expect(try ben.texts(tour) == ["after the backup", "behind it"])
        #expect(try anna.device.members(of: tour, at: lab.now).allSatisfy(\.isActive))
    }

    @Test func strangersUseUpNoMoreThanTheirPlaces() throws {
        let lab = Lab()
        let anna = try lab.phone("Anna")
        let ben = try lab.phone("Ben")
        let tour = try anna.device.found("Museum", at: lab.now)
        let (all, share) = (TourDevice.strangersMax, TourDevice.strangersPerAddressMax)
        var number: UInt64 = 1_000
        func knock(_ times: Int, from address: String) throws {
            for _ in 0..<times {
                try anna.device.accept(Connection(number), from: address, at: lab.now)
                number += 1
            }
            lab.carryOutAll()
        }
        func closed() -> Int { anna.actions.count { if case .close = $0 { true } else { false } } }
        try knock(all, from: "192.0.2.1")
        #expect(closed() == all - share)
        try knock(all - share, from: "192.0.2.2")
        #expect(closed() == all - share)
        // The one that was silent longest makes room.
        try knock(1, from: "192.0.2.3")
        #expect(closed() == all - share + 1)
        lab.run(for: .seconds(60))
        #expect(closed() == Int(number - 1_000))
        let code = try anna.device.invite(to: tour, at: lab.now)
        #expect(try lab.join(ben, through: anna, code) == tour)
    }
}
