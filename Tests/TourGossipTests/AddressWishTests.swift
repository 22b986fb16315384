import Testing
import TourGossip
import TourModel

// Goal: records of others are asked for only where beacons do not name the addresses that are wanted.
// Method: by hand, at given times.
@Suite struct AddressWishTests {
    static func member(_ number: UInt8) -> MemberID { MemberID(raw: Bytes32([UInt8](repeating: number, count: 32))!) }

    static func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1_000) }

    /// What is answered, one after the other.
    static func answers(hasBeacons: Bool, _ wishes: [(isWanted: Bool, milliseconds: Int64)]) -> [Bool] {
        var wish = AddressWish()
        return wishes.map { wish.asks($0.isWanted, hasBeacons: hasBeacons, now: at($0.milliseconds)) }
    }

    @Test func beaconsHaveTheirTime() {
        let answers = Self.answers(
            hasBeacons: true, [(true, 0), (true, 999), (true, 1_000), (false, 1_500), (true, 2_400)])
        #expect(answers == [false, false, true, false, false])
    }

    @Test func withoutBeaconsNobodyWaits() {
        #expect(Self.answers(hasBeacons: false, [(true, 0), (false, 0)]) == [true, false])
    }

    @Test func atTheStartBeaconsTellWhoIsHere() {
        let tours = [TourID(raw: Self.member(1).raw), TourID(raw: Self.member(2).raw)]
        var wish = AddressWish()
        func leavesIt(_ hasBeacons: Bool, _ milliseconds: Int64) -> Bool {
            wish.leavesItToBeacons(in: tours, hasBeacons: hasBeacons, now: Self.at(milliseconds))
        }
        #expect(leavesIt(true, 100) && leavesIt(true, 1_099) && !leavesIt(true, 1_100))
        wish.heard(in: tours[0], now: Self.at(1_200))
        #expect(!leavesIt(true, 1_200))
        wish.heard(in: tours[1], now: Self.at(1_300))
        #expect(leavesIt(true, 1_300) && leavesIt(true, 5_099) && !leavesIt(true, 5_100))
        #expect(!leavesIt(false, 1_300))
    }

    @Test func beaconsThatCameOnceAreNotThoseThatCome() {
        let tours = [TourID(raw: Self.member(1).raw), TourID(raw: Self.member(2).raw)]
        var wish = AddressWish()
        #expect(!wish.hears(in: tours[0], now: Self.at(0)))
        wish.heard(in: tours[0], now: Self.at(0))
        #expect(wish.hears(in: tours[0], now: Self.at(59_999)) && !wish.hears(in: tours[1], now: Self.at(0)))
        #expect(!wish.hears(in: tours[0], now: Self.at(60_000)))
        wish.heard(in: tours[0], now: Self.at(70_000))
        #expect(wish.hears(in: tours[0], now: Self.at(71_000)))
    }

    @Test func anAddressIsLackingWhereTheMemberNamedNone() {
        let members = (1...5).map { Self.member($0) }
        let linked = [members[1]: Self.at(0)]
        let overlay = Overlay(own: members[0], isHub: false, present: Set(members), links: linked)
        #expect(overlay.lacksAddress { _ in false })
        #expect(!overlay.lacksAddress { _ in true })
        #expect(overlay.lacksAddress { $0 != members[4] })
        #expect(!overlay.lacksAddress { $0 != members[1] })
        let alone = Overlay(own: members[0], isHub: false, present: [members[0]], links: [:])
        #expect(alone.lacksAddress { _ in true })
    }
}
