import Testing
import TourGossip
import TourModel
import TourWire

// Goal: neighbours are dialled first and again, others while links are missing, and an address teaches whose it is.
// Method: a dialler with given addresses, an overlay made by hand, a virtual clock.
@Suite struct DialerTests {
    @Test func neighboursComeFirst() {
        var desk = Desk(known: [10, 20, 30, 40, 99, 101])
        let due = desk.due(desk.overlay(1...200, linked: [50, 60, 70, 80]))
        // One link more is wanted, and there are two of them: nobody else is dialled.
        #expect(Set(due) == Set([Desk.target(99), Desk.target(101)]))
    }

    @Test func nobodyElseIsDialledWithLinksEnough() {
        var desk = Desk(known: [10, 20, 30])
        let full = desk.overlay(1...200, linked: [50, 60, 70, 80, 90])
        let poor = desk.overlay(1...200, linked: [50, 60])
        #expect(desk.due(full).isEmpty)
        #expect(desk.due(poor).count == 3)
        // They are being dialled.
        #expect(desk.due(poor).isEmpty)
    }

    @Test func whoHasLeftIsNotDialled() {
        var desk = Desk(known: [101, 102])
        let due = desk.due(desk.overlay(1...200), left: [Desk.member(101)])
        #expect(due == [Desk.target(102)])
    }

    @Test func aFullPeerIsLeftAloneUnlessItIsANeighbour() {
        var desk = Desk(known: [10, 101])
        let alone = desk.overlay(1...200)
        desk.dialer.declined(Desk.member(10), of: Desk.tour, now: desk.now)
        desk.dialer.declined(Desk.member(101), of: Desk.tour, now: desk.now)
        #expect(desk.due(alone).isEmpty)
        #expect(desk.due(alone, after: .seconds(3)) == [Desk.target(101)])
        #expect(desk.due(alone, after: Dialer.declinedPause) == [Desk.target(10)])
    }

    @Test func aLostMemberIsDialledEveryTwoSeconds() {
        var desk = Desk(known: [101])
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

    @Test func unknownAddressesAreAskedForAMissingNeighbour() {
        var desk = Desk(unknown: [1, 2, 3, 4])
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

    @Test func theNextAddressIsAskedInTime() {
        var desk = Desk(unknown: Array(1...40))
        let full = desk.overlay(1...99, linked: [50, 60, 70, 80, 99])
        var asked = 0
        for _ in 0..<90 {
            for target in desk.due(full, after: .seconds(1)) {
                asked += 1
                desk.dialer.reached(target, Desk.member(60), isSelf: false, now: desk.now)
            }
        }
        // A neighbour is missing among 100: every two seconds, and half a second until the clockwork looks.
        #expect((28...40).contains(asked), "\(asked) in 90 s")
    }

    @Test func anAddressThatComesUpLaterIsNotAskedAtOnce() {
        var desk = Desk(unknown: [2])
        let settled = desk.overlay(1...99, linked: [1, 50, 60, 70, 99])
        var asked = 0
        for _ in 0..<200 {
            for target in desk.due(settled, after: .seconds(1)) {
                asked += 1
                desk.dialer.reached(target, Desk.member(50), isSelf: false, now: desk.now)
            }
        }
        #expect(asked == 1)
        desk.appear(3)
        for _ in 0..<5 { #expect(desk.due(settled, after: .seconds(1)).isEmpty) }
    }

    @Test func whatFailedWaitsForTheOthers() {
        var desk = Desk(unknown: [1, 2, 3])
        desk.fail(Desk.target(1))
        desk.fail(Desk.target(2))
        let full = desk.overlay(1...200, linked: [50, 60, 70, 80, 90])
        var first: Dialer.Target?
        for _ in 0..<20 where first == nil { first = desk.due(full, after: .seconds(1)).first }
        #expect(first == Desk.target(3))
    }

    @Test func ringsAreKnownOnceAllAddressesAre() {
        var desk = Desk(known: [1, 2], unknown: [3])
        let present = Desk.members(1, 2, 9)
        #expect(desk.rings(of: present) == [present])
        for _ in 0..<Dialer.failuresMax { desk.fail(Desk.target(3)) }
        #expect(desk.rings(of: present) == [Desk.members(1, 2)])
        let linked = desk.rings(of: present, linked: [Desk.member(9): [0]])
        #expect(linked == [present])
    }

    @Test func aMemberIsOnTheRingsOfTheNetworksWhereItAnswers() {
        var desk = Desk(known: [1, 2, 3], unknown: [4])
        desk.place(1, on: 7)
        desk.place(2, on: 8)
        desk.place(4, on: 8)
        let present = Desk.members(1, 2, 3, 9)
        #expect(desk.rings(of: present, on: [7, 8]) == [Desk.members(1, 3), Desk.members(2, 3, 9)])
        let linked = desk.rings(of: present, on: [7, 8], linked: [Desk.member(9): [7]])
        #expect(linked == [Desk.members(1, 3, 9), Desk.members(2, 3)])
        // What is said of a network that we are not on says nothing.
        #expect(desk.rings(of: present, on: [5]) == [present])
    }

    @Test func aMemberIsInSightWhereItsAddressIs() {
        var desk = Desk(known: [1, 2, 3], unknown: [4])
        desk.place(1, on: 7)
        desk.place(2, on: 8)
        desk.place(4, on: 8)
        desk.fail(Desk.target(2))
        // Of a remembered address nobody knows where it is, nor who is at a new one.
        #expect(desk.sights(on: [8, 7]) == [Desk.member(1): [1], Desk.member(2): [0]])
        #expect(desk.sights(on: [5]).isEmpty)
        // Whoever has been away for long is asked for seldom, whatever still names its address.
        desk.wait(Dialer.lostTime)
        #expect(desk.sights(on: [8, 7]).isEmpty)
    }

    // A given peer on the other side of a router, say: on no network of ours, and next to us on no ring.
    @Test func whoIsMissingIsAskedForNowAndThen() {
        var desk = Desk(known: [5, 6])
        let full = desk.overlay(50...150, linked: [50, 60, 70, 99, 101])
        #expect(full.urgency(of: Desk.member(5)) == nil)
        var asked: [Dialer.Target: Int] = [:]
        for _ in 0..<1_000 {
            for target in desk.due(full, after: .seconds(1), left: [Desk.member(6)]) {
                asked[target, default: 0] += 1
                desk.fail(target)
            }
        }
        // First of all the neighbours are found (seed 41 of 50: who is missing kept two from each other).
        let torn = desk.overlay(50...150, linked: [50, 60, 70, 80, 101])
        for _ in 0..<200 { #expect(desk.due(torn, after: .seconds(1)).isEmpty) }
        // Among 100 once in 100 s; who left, never.
        #expect(Set(asked.keys) == [Desk.target(5)])
        #expect((6...15).contains(asked[Desk.target(5)] ?? 0), "\(asked)")
    }

    @Test(arguments: ["192.168.1.20:4000", "[fe80::1%wlan0]:4000", "guide.local:1"])
    func addressesAreReadAndWritten(text: String) {
        #expect(Dialer.Address(text)?.description == text)
    }

    @Test(arguments: ["192.168.1.20", ":4000", "fe80::1:4000", "host:0", "host:70000", ""])
    func textThatIsNoAddress(text: String) {
        #expect(Dialer.Address(text) == nil)
    }

    @Test func onlyWhoSaidNothingMayBeGone() {
        var desk = Desk(known: [1])
        let reasons: [ByeReason?] = [nil, .closing, .left, .removed, .full, .duplicate, .rehandshake]
        let lost = reasons.map { reason in
            desk.dialer.ended(Desk.member(1), of: Desk.tour, saying: reason, now: desk.now)
        }
        #expect(lost == [true, true, true, true, false, false, false])
    }
}

/// A dialler of member 100, and where the others answer.
private struct Desk {
    static let tour = TourID(raw: .zero)
    var dialer = Dialer()
    private(set) var now = Instant(microseconds: 1_000_000)
    private var places: [Dialer.Candidate]
    private var rng = SplitMix64(seed: 1)

    /// - Parameter known: members that answered at their addresses, by number.
    init(known: [UInt8] = [], unknown: [UInt8] = []) {
        places = (known + unknown).map { Dialer.Candidate(address: Self.target($0).address) }
        for number in known {
            dialer.reached(Self.target(number), Self.member(number), isSelf: false, now: now)
        }
        now = now + .seconds(1)
    }

    static func member(_ number: UInt8) -> MemberID {
        MemberID(raw: Bytes32([number] + [UInt8](repeating: 0, count: 31))!)
    }

    static func members(_ numbers: UInt8...) -> Set<MemberID> { Set(numbers.map { member($0) }) }

    static func target(_ number: UInt8) -> Dialer.Target {
        Dialer.Target(address: Dialer.Address(host: "192.0.2.\(number)", port: 4_000), tour: tour)
    }

    /// With these members present, and links to those.
    func overlay(_ present: ClosedRange<UInt8>, linked: [UInt8] = []) -> Overlay {
        Overlay(
            own: Self.member(100), isHub: false, present: Set(present.map(Self.member)),
            links: Dictionary(uniqueKeysWithValues: linked.map { (Self.member($0), now) }))
    }

    mutating func appear(_ number: UInt8) { places.append(Dialer.Candidate(address: Self.target(number).address)) }

    /// The address was seen on this network.
    mutating func place(_ number: UInt8, on network: Int) {
        for index in places.indices where places[index].address == Self.target(number).address {
            places[index].network = network
        }
    }

    func rings(
        of present: Set<MemberID>, on networks: [Int] = [0], linked: [MemberID: Set<Int>] = [:]
    ) -> [Set<MemberID>] {
        dialer.rings(of: present, on: networks, linked: linked, tour: Self.tour, among: places)
    }

    func sights(on networks: [Int]) -> [MemberID: Set<Int>] {
        dialer.sights(on: networks, tour: Self.tour, among: places, now: now)
    }

    mutating func wait(_ time: Duration) { now = now + time }

    mutating func due(
        _ overlay: Overlay, after delay: Duration = .zero, left: Set<MemberID> = []
    ) -> [Dialer.Target] {
        now = now + delay
        return dialer.due(for: Self.tour, among: places, overlay: overlay, left: left, now: now, using: &rng)
    }

    mutating func fail(_ target: Dialer.Target) { dialer.failed(target, now: now, using: &rng) }
}
