import Testing
import TourWeb

/// Goal: whoever asks with a secret has a place, whatever those do that have none; nobody who is answered loses it.
/// Method: the machine alone, with small bounds and times that the test gives.
@Suite struct DoorPlacesTests {
    private typealias Places = DoorPlaces<Int>

    private static let begin = ContinuousClock.now

    private static func at(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    private static func places(strangers: Int = 2, known: Int = 2, patience: Duration? = .seconds(5)) -> Places {
        Places(DoorBounds(strangersMax: strangers, knownMax: known, patience: patience))
    }

    /// With a known connection for each id, all idle.
    private static func known(_ ids: Range<Int>) -> Places {
        var places = places(known: ids.count)
        for id in ids {
            _ = places.opened(id, now: at(id))
            _ = places.began(id, showsSecret: true, now: at(id))
            places.asked(id)
            places.answered(id, now: at(id))
        }
        return places
    }

    @Test func theLongestSilentStrangerMakesRoom() {
        var places = Self.places()
        let first = places.opened(1, now: Self.at(0))
        let second = places.opened(2, now: Self.at(1))
        #expect(first == nil && second == nil)
        // A head without the secret is no silence.
        let heard = places.began(1, showsSecret: false, now: Self.at(2))
        #expect(heard == .admitted)
        let leaving = places.opened(3, now: Self.at(10))
        #expect(leaving?.id == 2 && leaving?.stay == .milliseconds(9))
        #expect(places.strangers == 2)
        let next = places.opened(4, now: Self.at(11))
        #expect(next?.id == 1)
        places.closed(3)
        let free = places.opened(5, now: Self.at(12))
        #expect(free == nil && places.strangers == 2)
    }

    @Test func strangersThatLetUsWaitGo() {
        var places = Self.places(strangers: 8)
        for id in 1...4 { _ = places.opened(id, now: Self.at(0)) }
        // 2 has a head and no end; 3 is being answered; 4 has shown the secret.
        _ = places.began(2, showsSecret: false, now: Self.at(1_000))
        _ = places.began(3, showsSecret: false, now: Self.at(1_000))
        places.asked(3)
        _ = places.began(4, showsSecret: true, now: Self.at(1_000))
        let early = places.overdue(now: Self.at(4_999))
        #expect(early.gone == [] && early.next == Self.at(5_000))
        let first = places.overdue(now: Self.at(5_000))
        #expect(first.gone == [1] && first.next == Self.at(6_000))
        let second = places.overdue(now: Self.at(6_000))
        #expect(second.gone == [2] && second.next == nil)
        places.answered(3, now: Self.at(7_000))
        let third = places.overdue(now: Self.at(12_000))
        #expect(third.gone == [3])
        #expect(places.strangers == 0 && places.known == 1)
    }

    @Test func patienceHasNoEndWhereThereIsNone() {
        var places = Self.places(patience: nil)
        _ = places.opened(1, now: Self.at(0))
        let overdue = places.overdue(now: Self.at(1_000_000))
        #expect(overdue.gone == [] && overdue.next == nil)
    }

    @Test func strangersTakeNoPlaceOfKnownOnes() {
        var places = Self.known(0..<2)
        var left = Set<Int>()
        for id in 10..<1_010 {
            if let leaving = places.opened(id, now: Self.at(id)) { left.insert(leaving.id) }
            _ = places.began(id, showsSecret: false, now: Self.at(id))
        }
        #expect(places.known == 2 && places.strangers == 2)
        #expect(left == Set(10..<1_008))
    }

    @Test func theIdleOneMakesRoomForWhoShowsTheSecret() {
        var places = Self.known(0..<3)
        // 0 is idle for longest, and asks again.
        _ = places.began(0, showsSecret: true, now: Self.at(10))
        _ = places.opened(9, now: Self.at(11))
        let verdict = places.began(9, showsSecret: true, now: Self.at(12))
        #expect(verdict == .admittedFor(1))
        #expect(places.known == 3 && places.strangers == 0)
    }

    @Test func nobodyWhoWaitsForAnAnswerMakesRoom() {
        var places = Self.known(0..<2)
        for id in 0..<2 { _ = places.began(id, showsSecret: true, now: Self.at(10)) }
        _ = places.opened(9, now: Self.at(11))
        let refused = places.began(9, showsSecret: true, now: Self.at(12))
        #expect(refused == .refused)
        #expect(places.known == 2 && places.strangers == 1)
        // An answer may end before its request does.
        places.answered(0, now: Self.at(13))
        places.asked(0)
        let admitted = places.began(9, showsSecret: true, now: Self.at(14))
        #expect(admitted == .admittedFor(0))
    }

    @Test func whoIsGoneIsNotHeard() {
        var places = Self.places(strangers: 1)
        _ = places.opened(1, now: Self.at(0))
        _ = places.opened(2, now: Self.at(1))
        let verdict = places.began(1, showsSecret: true, now: Self.at(2))
        #expect(verdict == .refused)
        places.answered(1, now: Self.at(3))
        places.closed(1)
        #expect(places.known == 0 && places.strangers == 1)
    }

    // MARK: - Shares

    /// The places of the door for guests.
    private static func shared(known: Int = 600, address: Int = 48, seat: Int = 16) -> Places {
        Places(
            DoorBounds(
                strangersMax: 256, knownMax: known, patience: .seconds(10), answerTime: .seconds(20),
                shares: DoorShares(addressMax: address, seatMax: seat)))
    }

    /// Opens a connection, and sends a head.
    private static func ask(
        _ id: Int, from address: String, _ places: inout Places, at milliseconds: Int = 0
    ) -> (leaving: Int?, verdict: Places.Verdict) {
        let leaving = places.opened(id, by: .address(address), now: at(milliseconds))
        return (leaving?.id, places.began(id, showsSecret: true, now: at(milliseconds)))
    }

    @Test func anAddressHasItsShareAndItsLongestGoes() {
        var places = Self.shared()
        var left = [Int]()
        for id in 0..<620 {
            let (leaving, verdict) = Self.ask(id, from: "10.0.0.2", &places, at: id)
            if let leaving { left.append(leaving) }
            #expect(verdict == .admitted)
        }
        #expect(places.count(of: .address("10.0.0.2")) == 48 && left == Array(0..<620 - 48))
        let other = Self.ask(1_000, from: "10.0.0.3", &places, at: 1_000)
        #expect(other.leaving == nil && other.verdict == .admitted)
    }

    /// 30 addresses with requests that never end beside 29 phones with a stream each, which ask too.
    @Test func manyAddressesOfOneTakeNothingFromOthers() {
        var places = Self.shared()
        for phone in 0..<29 {
            let id = 10_000 + phone
            _ = Self.ask(id, from: "phone \(phone)", &places)
            places.asked(id)
            _ = places.belongs(id, to: "seat \(phone)")
        }
        var left = Set<Int>()
        for id in 0..<2_000 {
            let (leaving, verdict) = Self.ask(id, from: "evil \(id % 30)", &places, at: id)
            if let leaving { left.insert(leaving) }
            if case .admittedFor(let gone) = verdict { left.insert(gone) }
            #expect(verdict != .refused)
        }
        #expect(places.known == 600 && left.allSatisfy { $0 < 10_000 })
        for phone in 0..<29 {
            let (leaving, verdict) = Self.ask(20_000 + phone, from: "phone \(phone)", &places, at: 3_000)
            guard case .admittedFor(let gone) = verdict else {
                Issue.record("phone \(phone): \(verdict)")
                continue
            }
            #expect(leaving == nil && gone < 10_000)
        }
    }

    @Test func aSeatHasItsShareWhateverItsAddresses() {
        var places = Self.shared()
        var left = [Int]()
        for id in 0..<40 {
            _ = Self.ask(id, from: "10.0.0.\(id)", &places, at: id)
            if let leaving = places.belongs(id, to: "mallory") { left.append(leaving) }
        }
        #expect(places.count(of: .seat("mallory")) == 16 && left == Array(0..<24))
    }

    @Test func whatIsIdleGoesBeforeWhatWeWaitForAndThatBeforeWhoWaits() {
        var places = Self.shared(address: 3)
        // 1 has a stream, 2 sends no more of its request, 3 is idle.
        for id in 1...3 { _ = Self.ask(id, from: "a", &places, at: id) }
        places.asked(1)
        places.asked(3)
        places.answered(3, now: Self.at(4))
        var left = [Int?]()
        for id in 4...6 {
            left.append(places.opened(id, by: .address("a"), now: Self.at(id))?.id)
            // These wait for an answer too.
            _ = places.began(id, showsSecret: true, now: Self.at(id))
            places.asked(id)
        }
        #expect(left == [3, 2, 1])
    }

    @Test func whoDoesNotReadAnAnswerGoes() {
        var places = Self.shared()
        for id in 1...3 {
            _ = Self.ask(id, from: "a", &places)
            places.asked(id)
        }
        // 1 takes nothing, 2 a part each 15 s, 3 all of it and waits for more.
        for id in 1...3 { places.wrote(id, now: Self.at(0)) }
        places.took(3, now: Self.at(0))
        places.wrote(2, now: Self.at(0))
        places.took(2, now: Self.at(15_000))
        let early = places.overdue(now: Self.at(19_999))
        #expect(early.gone == [] && early.next == Self.at(20_000))
        let first = places.overdue(now: Self.at(20_000))
        #expect(first.gone == [1] && first.next == Self.at(35_000))
        let second = places.overdue(now: Self.at(35_000))
        #expect(second.gone == [2] && second.next == nil && places.known == 1)
    }

    @Test func whatASeatHoldsGoesWithIt() {
        var places = Self.shared()
        for id in 0..<4 { _ = Self.ask(id, from: id < 3 ? "evil" : "phone", &places) }
        _ = places.belongs(0, to: "mallory")
        _ = places.belongs(3, to: "anna")
        _ = Self.ask(4, from: "phone", &places)
        let gone = places.ended(["mallory"]) { $0 == "phone" }
        #expect(Set(gone) == [0, 1, 2] && places.known == 2)
    }

    @Test func strangersOfOneAddressMakeRoomForThoseOfOthers() {
        var places = Self.shared(address: 300)
        _ = places.opened(-1, by: .address("phone"), now: Self.at(0))
        for id in 0..<400 { _ = places.opened(id, by: .address("evil"), now: Self.at(id + 1)) }
        #expect(places.count(of: .address("phone")) == 1 && places.strangers == 256)
    }

    @Test func whereAllHaveOneAndWaitNobodyIsClosed() {
        var places = Self.shared(known: 3)
        for id in 0..<3 {
            _ = Self.ask(id, from: "\(id)", &places)
            places.asked(id)
        }
        #expect(Self.ask(9, from: "9", &places).verdict == .refused)
        places.answered(1, now: Self.at(5))
        #expect(places.began(9, showsSecret: true, now: Self.at(6)) == .admittedFor(1))
    }
}
