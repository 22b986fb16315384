import Testing
import TourModel
import TourWeb

/// Goal: no phone and no address fills a host so that others find no room.
/// Method: tables of what comes from whom, under clocks that the test moves.
@Suite struct GuestBoundsTests {
    private typealias Owner = GuestBodies.Owner

    private static func at(_ seconds: Double) -> Instant { Instant(microseconds: Int64(seconds * 1_000_000)) }

    private static let request = GuestLimits.requestBytesMax

    @Test func bodiesOfOneAndOfStrangersLeaveTheOthersRoom() {
        var bodies = GuestBodies()
        let anna = Owner.seat("anna")
        let steps: [(owner: Owner, hasRoom: Bool)] = [
            (anna, true), (anna, true), (anna, false), (.seat("ben"), true), (.address("10.0.0.2"), true),
            (.address("10.0.0.2"), true), (.address("10.0.0.2"), false), (.address("10.0.0.3"), true),
        ]
        for (number, step) in steps.enumerated() {
            let hasRoom = bodies.reserve(Self.request, for: step.owner)
            #expect(hasRoom == step.hasRoom, "step \(number)")
        }
        // Whoever has many addresses fills the strangers' part.
        let ofStrangers = (0..<32).count { bodies.reserve(Self.request, for: .address("fd00::\($0)")) }
        #expect(ofStrangers == GuestLimits.bodyBytesOfStrangersMax / Self.request - 3)
        let ofGuests = (0..<64).count { bodies.reserve(Self.request, for: .seat("guest \($0)")) }
        let most = GuestLimits.bodyBytesMax / Self.request
        #expect(ofGuests == most - GuestLimits.bodyBytesOfStrangersMax / Self.request - 3)
        let another = bodies.reserve(1, for: .seat("zoe"))
        #expect(!another)
        for _ in 0..<2 { bodies.free(Self.request, for: anna) }
        let annas = bodies.reserve(Self.request, for: anna)
        let strangers = bodies.reserve(Self.request, for: .address("fd00::a"))
        #expect(annas && !strangers)
    }

    @Test func whatWasFreedIsThereAgain() {
        var bodies = GuestBodies()
        for _ in 0..<100 {
            for owner in [Owner.seat("anna"), .address("10.0.0.2")] {
                let first = bodies.reserve(GuestLimits.bodyBytesOfOneMax, for: owner)
                let second = bodies.reserve(1, for: owner)
                #expect(first && !second)
            }
            for owner in [Owner.seat("anna"), .address("10.0.0.2")] {
                bodies.free(GuestLimits.bodyBytesOfOneMax, for: owner)
            }
        }
    }

    @Test func aRequestThatDoesNotBeginEndsSoonerThanOneThatDoes() {
        var waits = GuestWaits<String>()
        let start = ContinuousClock.now
        _ = waits.begin("silent", until: start + GuestLimits.beginningTime)
        let beginning = waits.begin("slow", until: start + GuestLimits.beginningTime)
        waits.end(beginning)
        _ = waits.begin("slow", until: start + GuestLimits.transferTime)
        let table: [(seconds: Double, gone: [String])] = [
            (4.9, []), (5, ["silent"]), (5.1, []), (19.9, []), (20, ["slow"]), (30, []),
        ]
        for (seconds, gone) in table {
            let overdue = waits.removeOverdue(now: start + .seconds(seconds))
            #expect(overdue == gone, "after \(seconds) s")
        }
        _ = waits.begin("last", until: start)
        let rest = waits.removeAll(), none = waits.removeAll()
        #expect(rest == ["last"] && none.isEmpty)
    }

    @Test func anAddressBringsAFamilyAndNoBus() {
        var newcomers = GuestNewcomers(atOnce: 3)
        let home = "10.0.0.2"
        let steps: [(second: Double, phone: Int, address: String, verdict: GuestNewcomers.Verdict)] = [
            (0, 1, home, .counted), (0, 2, home, .counted), (1, 3, home, .counted),
            (1, 4, home, .tooMany(seconds: 599)),
            // Its first answer was lost.
            (2, 3, home, .known), (2, 4, "10.0.0.3", .counted), (599, 4, home, .tooMany(seconds: 1)),
            (600, 4, home, .counted), (600, 5, home, .tooMany(seconds: 600)), (1_200, 5, home, .counted),
            (1_800, 6, home, .counted), (2_400, 7, home, .counted), (3_000, 8, home, .counted),
            (3_600, 9, home, .counted), (3_600, 10, home, .tooMany(seconds: 600)), (3_600, 1, home, .known),
            (5_400, 11, home, .counted), (5_400, 12, home, .counted), (5_400, 13, home, .counted),
            (5_400, 14, home, .tooMany(seconds: 600)),
        ]
        for step in steps {
            let verdict = newcomers.begin(step.phone, at: step.address, now: Self.at(step.second))
            #expect(verdict == step.verdict, "phone \(step.phone) after \(step.second) s")
        }
    }

    @Test func aCardWithManyAddressesComesNoFasterThanAGroup() {
        var newcomers = GuestNewcomers()
        let counted = (0..<32).filter {
            newcomers.begin($0, at: "10.0.0.\($0)", now: Self.at(0)) == .counted
        }
        #expect(counted == Array(0..<GuestLimits.newcomersOfAllAtOnce))
        let next = newcomers.begin(40, at: "10.0.1.1", now: Self.at(0))
        #expect(next == .tooMany(seconds: 3))
        newcomers.giveBack(3, at: "10.0.0.3")
        let another = newcomers.begin(40, at: "10.0.1.1", now: Self.at(0)),
            late = (0..<10).count {
                newcomers.begin(50 + $0, at: "10.0.2.\($0)", now: Self.at(30)) == .counted
            }
        #expect(another == .counted && late == 10)
    }

    @Test func theAddressesOfOneCardOrNetworkAreOne() {
        let cards: [UInt8: [UInt8]] = [1: [2, 0, 0, 0, 0, 1], 2: [2, 0, 0, 0, 0, 1], 3: [2, 0, 0, 0, 0, 2]]
        let parties = GuestParty { address in address[0] == 0xfe ? cards[address[15]] : nil }
        let table = [
            ("10.0.0.2", "10.0.0.2"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("", ""),
            ("fe80::1", "card 020000000001"),
            ("fe80::2", "card 020000000001"), ("fe80::3", "card 020000000002"), ("2001:db8::1", "net 20010db800000000"),
            ("2001:db8::f:1", "net 20010db800000000"), ("2001:db8:0:1::1", "net 20010db800000001"),
        ]
        for (host, name) in table { #expect(parties.name(of: host) == name, "\(host)") }
    }

    @Test func whoHoldsRoomLeavesTheLastToThoseWithout() {
        var bodies = GuestBodies()
        var held = 0
        for guest in 0..<12 {
            for _ in 0..<2 where bodies.reserve(Self.request, for: .seat("\(guest)")) { held += 1 }
        }
        let another = bodies.reserve(Self.request, for: .seat("anna"))
        #expect(another && held < 24)
    }

    @Test func whoGotNoSeatDoesNotCount() {
        var newcomers = GuestNewcomers(atOnce: 3, ofAll: 1 << 20)
        for phone in 0..<20 {
            let verdict = newcomers.begin(phone, at: "10.0.0.2", now: Self.at(0))
            #expect(verdict == .counted)
            newcomers.giveBack(phone, at: "10.0.0.2")
            newcomers.giveBack(phone, at: "10.0.0.2")
        }
        let more = (30..<40).count { newcomers.begin($0, at: "10.0.0.2", now: Self.at(0)) == .counted }
        #expect(more == 3)
        // Many addresses take no more memory than some, and the one that has to wait for longest stays.
        for number in 0..<2 * KeyedRate<String>.keysMax {
            _ = newcomers.begin(1, at: "fd00::\(number)", now: Self.at(0))
        }
        let another = newcomers.begin(41, at: "10.0.0.2", now: Self.at(0))
        #expect(another == .tooMany(seconds: 600))
    }

    @Test func guestsAddressesAreRememberedForAnHourAndAFewOfEach() {
        var addresses = GuestAddresses()
        addresses.record("10.0.0.2", of: "anna", now: Self.at(0))
        addresses.record("10.0.0.2", of: "ben", now: Self.at(60))
        let table: [(second: Double, address: String, isKnown: Bool)] = [
            (0, "10.0.0.2", true), (0, "10.0.0.3", false), (3_600, "10.0.0.2", true), (3_660, "10.0.0.2", false),
        ]
        for (second, address, isKnown) in table {
            #expect(addresses.has(address, now: Self.at(second)) == isKnown, "\(address) after \(second) s")
        }
        for number in 0..<20 { addresses.record("fd00::\(number)", of: "cem", now: Self.at(100 + Double(number))) }
        let known = (0..<20).filter { addresses.has("fd00::\($0)", now: Self.at(200)) }
        #expect(known == Array(20 - GuestLimits.channelsMax..<20))
        #expect(addresses.has("10.0.0.2", now: Self.at(200)))
    }

    @Test func thisMachineIsNoPhone() {
        for (address, isThis) in [
            ("127.0.0.1", true), ("127.3.2.1", true), ("::1", true), ("10.0.0.127", false), ("fd00::1", false),
            ("", false),
        ] {
            #expect(GuestAddress.isThisMachine(address) == isThis, "\(address)")
        }
    }
}
