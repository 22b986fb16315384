import Testing
import TourGossip
import TourModel
import TourNode

// Goal: neighbours are dialled first and again, others while links are missing, and an address teaches whose it is.
// Method: a dialler with given addresses, an overlay made by hand, a virtual clock.
@Suite struct DialerTests {
    @Test func neighboursComeFirst() throws {
        var desk = try Desk(known: [10, 20, 30, 40, 99, 101])
        let due = desk.due(desk.overlay(1...200, linked: [50, 60, 70, 80]))
        // One link more is wanted, and there are two of them: nobody else is dialled.
        #expect(Set(due) == Set([Desk.target(99), Desk.target(101)]))
    }

    @Test func nobodyElseIsDialledWithLinksEnough() throws {
        var desk = try Desk(known: [10, 20, 30])
        let full = desk.overlay(1...200, linked: [50, 60, 70, 80, 90])
        let poor = desk.overlay(1...200, linked: [50, 60])
        #expect(desk.due(full).isEmpty)
        #expect(desk.due(poor).count == 3)
        // They are being dialled.
        #expect(desk.due(poor).isEmpty)
    }

    @Test func whoHasLeftIsNotDialled() throws {
        var desk = try Desk(known: [101, 102])
        let due = desk.due(desk.overlay(1...200), left: [Desk.member(101)])
        #expect(due == [Desk.target(102)])
    }

    @Test func aFullPeerIsLeftAloneUnlessItIsANeighbour() throws {
        var desk = try Desk(known: [10, 101])
        let alone = desk.overlay(1...200)
        desk.dialer.declined(Desk.member(10), of: Desk.tour, now: desk.now)
        desk.dialer.declined(Desk.member(101), of: Desk.tour, now: desk.now)
        #expect(desk.due(alone).isEmpty)
        #expect(desk.due(alone, after: .seconds(3)) == [Desk.target(101)])
        #expect(desk.due(alone, after: Limits.declinedPause) == [Desk.target(10)])
    }

    @Test func aLostMemberIsDialledEveryTwoSeconds() throws {
        var desk = try Desk(known: [101])
        let others = desk.overlay(1...99)
        desk.dialer.lost(Desk.member(101), of: Desk.tour, now: desk.now)
        var dials = 0
        for _ in 0..<60 {
            for target in desk.due(others, after: .seconds(1)) {
                dials += 1
                desk.fail(target)
            }
        }
        #expect(dials >= 25)
    }

    @Test func unknownAddressesAreAskedForAMissingNeighbour() throws {
        var desk = try Desk(unknown: [1, 2, 3, 4])
        let full = desk.overlay(1...200, linked: [50, 60, 70, 80, 90])
        var asked = Set<Dialer.Target>()
        for _ in 0..<60 where asked.count < 4 {
            let due = desk.due(full, after: .seconds(1))
            #expect(due.count <= 1)
            for target in due {
                asked.insert(target)
                desk.dialer.reached(target, Desk.member(50), isSelf: false, now: desk.now)
            }
        }
        #expect(asked.count == 4)
        #expect(desk.due(full, after: .seconds(600)).isEmpty)
    }

    @Test func reachIsKnownOnceAllAddressesAre() throws {
        var desk = try Desk(known: [1, 2], unknown: [3])
        #expect(desk.dialer.membersInReach(of: Desk.tour, tags: []) == nil)
        for _ in 0..<Limits.dialFailuresMax { desk.fail(Desk.target(3)) }
        let inReach = desk.dialer.membersInReach(of: Desk.tour, tags: [])
        #expect(inReach == Set([Desk.member(1), Desk.member(2)]))
    }
}

/// A dialler of member 100, and where the others answer.
private struct Desk {
    static let tour = TourID(raw: .zero)
    var dialer = Dialer()
    private(set) var now = Instant(microseconds: 1_000_000)
    private var rng = SplitMix64(seed: 1)

    /// - Parameter known: members that answered at their addresses, by number.
    init(known: [UInt8] = [], unknown: [UInt8] = []) throws {
        for number in known + unknown { try dialer.add(peer: Self.target(number).address.description) }
        for number in known {
            dialer.reached(Self.target(number), Self.member(number), isSelf: false, now: now)
        }
        now = now + .seconds(1)
    }

    static func member(_ number: UInt8) -> MemberID {
        MemberID(raw: Bytes32([number] + [UInt8](repeating: 0, count: 31))!)
    }

    static func target(_ number: UInt8) -> Dialer.Target {
        Dialer.Target(address: Dialer.Address(host: "192.0.2.\(number)", port: 4_000), tour: tour)
    }

    /// With these members present, and links to those.
    func overlay(_ present: ClosedRange<UInt8>, linked: [UInt8] = []) -> Overlay {
        Overlay(
            own: Self.member(100), isHub: false, present: Set(present.map(Self.member)),
            links: Dictionary(uniqueKeysWithValues: linked.map { (Self.member($0), now) }))
    }

    mutating func due(
        _ overlay: Overlay, after delay: Duration = .zero, left: Set<MemberID> = []
    ) -> [Dialer.Target] {
        now = now + delay
        return dialer.due(for: Self.tour, tags: [], overlay: overlay, left: left, now: now, using: &rng)
    }

    mutating func fail(_ target: Dialer.Target) { dialer.failed(target, now: now, using: &rng) }
}
