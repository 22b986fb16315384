import Testing
import TourCrypto
import TourModel
import TourWeb

/// Goal: neither a phone nor a crowd of them gets more of a host than the chapter allows, and what is over ends.
/// Method: a table of sessions under a clock that the test moves.
@Suite struct GuestSessionsTests {
    private typealias Sessions = GuestSessions<Int>

    private static let key = LinkKeyPair()

    private static func at(_ seconds: Double) -> Instant { Instant(microseconds: Int64(seconds * 1_000_000)) }

    private static func name(_ number: Int) -> [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: number >> $0) } }

    /// Both ends of a channel.
    private static func pair() throws -> (guest: SeatChannel, host: SeatChannel) {
        let ephemeral = LinkKeyPair()
        let accepted = try #require(SeatChannel.accept(hello: SeatChannel.hello(ephemeral), key: key))
        let begun = try #require(SeatChannel.begin(accepted.answer, key: key.publicKey, ephemeral: ephemeral))
        return (begun.channel, accepted.channel)
    }

    /// A call that changes what it is asked of, where an expectation takes none.
    private static func was<Value>(_ value: Value) -> Value { value }

    @Test func hellosOfAnAddressAreFewAndThoseOfAllTogetherToo() {
        var sessions = Sessions()
        let ofOne = (0..<40).filter { _ in sessions.mayGreet(from: "10.0.0.2", now: Self.at(0)) }
        #expect(ofOne.count == 30)
        #expect(Self.was(sessions.mayGreet(from: "10.0.0.3", now: Self.at(0))))
        #expect(!Self.was(sessions.mayGreet(from: "10.0.0.2", now: Self.at(0.9))))
        #expect(Self.was(sessions.mayGreet(from: "10.0.0.2", now: Self.at(1.1))))
        var crowd = Sessions()
        let ofAll = (0..<300).filter { crowd.mayGreet(from: "fd00::\($0)", now: Self.at(0)) }
        #expect(ofAll.count == 100)
        #expect(Self.was(crowd.mayGreet(from: "10.0.2.1", now: Self.at(0.11))))
    }

    /// 40 addresses say hello without end: a newcomer's first is answered, each second.
    @Test func aCrowdOfAddressesLeavesNewcomersTheirFirst() {
        var sessions = Sessions()
        for tenth in 0..<600 {
            let now = Self.at(Double(tenth) / 10)
            for number in 0..<40 { _ = sessions.mayGreet(from: "10.0.0.\(number)", now: now) }
            guard tenth.isMultiple(of: 10) else { continue }
            #expect(Self.was(sessions.mayGreet(from: "10.0.1.\(tenth)", now: now)), "after \(tenth / 10) s")
        }
    }

    @Test func whatEndedSeatsHadIsNobodys() throws {
        var sessions = Sessions()
        let host = try Self.pair().host
        for number in 0..<3 {
            sessions.open(Self.name(number), host, from: "10.0.0.\(number)", now: Self.at(0))
            _ = sessions.seat(number, named: number < 2 ? "mallory" : "anna", at: Self.name(number), now: Self.at(0))
        }
        #expect(Set(sessions.tickets) == [0, 1, 2])
        #expect(Set(sessions.end(seats: ["mallory"])) == [0, 1])
        #expect(!sessions.hasGuest(at: "10.0.0.0") && sessions.hasGuest(at: "10.0.0.2"))
        #expect(!sessions.knows(Self.name(1)) && sessions.has(seat: "anna") && sessions.count == 1)
    }

    @Test func guestsComeBackThroughACrowd() throws {
        var sessions = Sessions()
        let host = try Self.pair().host
        for number in 0..<2 {
            sessions.open(Self.name(number), host, from: "10.0.0.\(number)", now: Self.at(0))
        }
        _ = sessions.seat(0, named: "anna", at: Self.name(0), now: Self.at(0))
        #expect(sessions.owner(of: Self.name(0)) == .seat("anna"))
        #expect(sessions.owner(of: Self.name(1)) == .address("10.0.0.1") && sessions.owner(of: Self.name(2)) == nil)
        // Both channels end after a while; the guest's address is known for an hour from then on.
        #expect(sessions.expire(now: Self.at(900)) == [0])
        let table: [(second: Double, ofGuest: Int, ofOther: Int)] = [
            (900, 30, 0), (903, 3, 0), (2_000, 30, 0), (4_499, 30, 0), (4_500, 0, 0),
        ]
        for (second, ofGuest, ofOther) in table {
            for number in 0..<1_000 {
                _ = sessions.mayGreet(from: "fd00::\(second):\(number)", now: Self.at(second))
            }
            let back = (0..<40).count { _ in sessions.mayGreet(from: "10.0.0.0", now: Self.at(second)) }
            let other = (0..<40).count { _ in sessions.mayGreet(from: "10.0.0.1", now: Self.at(second)) }
            #expect(back == ofGuest && other == ofOther, "after \(second) s")
        }
    }

    @Test func entersOfAnAddressAreFewAndMistakesFewer() {
        var sessions = Sessions()
        let address = "10.0.0.2"
        for _ in 0..<10 { #expect(sessions.mayEnter(from: address, now: Self.at(0)) == .goesOn) }
        #expect(sessions.mayEnter(from: address, now: Self.at(0)) == .tooMuch(seconds: 3))
        #expect(sessions.mayEnter(from: address, now: Self.at(3.1)) == .goesOn)
        #expect(sessions.mayEnter(from: "10.0.0.3", now: Self.at(0)) == .goesOn)

        var guessed = Sessions()
        for _ in 0..<5 {
            #expect(guessed.mayShow(from: address, now: Self.at(0)) == .goesOn)
            guessed.mistook(at: address, now: Self.at(0))
        }
        #expect(guessed.mayShow(from: address, now: Self.at(0)) == .tooMuch(seconds: 10))
        #expect(guessed.mayEnter(from: address, now: Self.at(0)) == .tooMuch(seconds: 10))
        #expect(guessed.mayShow(from: "10.0.0.3", now: Self.at(0)) == .goesOn)
        #expect(guessed.mayShow(from: address, now: Self.at(10.1)) == .goesOn)
    }

    @Test func aNumberCountsOnceAndInsideOfTheWindow() throws {
        var sessions = Sessions()
        let (guest, host) = try Self.pair()
        let name = Self.name(1)
        sessions.open(name, host, from: "10.0.0.2", now: Self.at(0))
        func opens(_ number: UInt64, as said: UInt64? = nil) -> Bool {
            let box = guest.seal(request: [1, 2, 3], number: number)
            return sessions.open(box, number: said ?? number, of: name, now: Self.at(1))?.plaintext == [1, 2, 3]
        }
        let tries: [(number: UInt64, isFine: Bool)] = [
            (0, false), (1, true), (1, false), (3, true), (2, true), (2, false), (3, false), (2_000, true),
            (1_000, true), (1_000, false), (900, false),
        ]
        for (number, isFine) in tries {
            let opened = opens(number)
            #expect(opened == isFine, "\(number)")
        }
        let disguised = opens(2_001, as: 2_002)
        #expect(!disguised)
        // Another channel's boxes, and channels that nobody opened.
        let other = try Self.pair().guest.seal(request: [1], number: 2_001)
        #expect(sessions.open(other, number: 2_001, of: name, now: Self.at(1)) == nil)
        #expect(sessions.open(other, number: 1, of: Self.name(2), now: Self.at(1)) == nil)
    }

    @Test func strangersMakeRoomForEachOtherTheLargestCrowdFirst() throws {
        var sessions = Sessions()
        let host = try Self.pair().host
        sessions.open(Self.name(0), host, from: "10.0.0.1", now: Self.at(0))
        for number in 1..<2 * GuestLimits.strangersMax {
            sessions.open(Self.name(number), host, from: "10.0.0.2", now: Self.at(Double(number)))
        }
        #expect(sessions.strangers == GuestLimits.strangersMax)
        #expect(sessions.knows(Self.name(0)))
        #expect(!sessions.knows(Self.name(1)))
        #expect(sessions.knows(Self.name(2 * GuestLimits.strangersMax - 1)))
    }

    @Test func aSeatHasSoManyChannelsAndTheQuietOneEnds() throws {
        var sessions = Sessions()
        let host = try Self.pair().host
        var ended = [Int]()
        for number in 0..<GuestLimits.channelsMax + 2 {
            sessions.open(Self.name(number), host, from: "10.0.0.2", now: Self.at(Double(number)))
            ended += sessions.seat(number, named: "anna", at: Self.name(number), now: Self.at(Double(number)))
        }
        #expect(ended == [0, 1] && sessions.count == GuestLimits.channelsMax)
        #expect(sessions.ticket(of: Self.name(1)) == nil && sessions.ticket(of: Self.name(2)) == 2)
        // The same channel comes in anew: its older right ends.
        #expect(sessions.seat(9, named: "anna", at: Self.name(5), now: Self.at(9)) == [5])
        // A channel that ended in the mean time gets none.
        #expect(sessions.seat(10, named: "ben", at: Self.name(0), now: Self.at(9)) == [10])
        #expect(sessions.has(seat: "anna") && !sessions.has(seat: "ben"))
        #expect(sessions.hasGuest(at: "10.0.0.2") && !sessions.hasGuest(at: "10.0.0.3"))
    }

    @Test func aChannelWithAStreamStaysWhereAnotherMayEnd() throws {
        let host = try Self.pair().host
        // Which of the channels, opened in this order, have a stream; which one a fifth channel ends.
        let table: [(streams: [Int], ends: Int)] = [
            ([], 0), ([0], 1), ([0, 1], 2), ([0, 1, 2], 3), ([1, 2, 3], 0), ([0, 1, 2, 3], 0),
        ]
        for (streams, ends) in table {
            var sessions = Sessions()
            for number in 0...GuestLimits.channelsMax {
                sessions.open(Self.name(number), host, from: "10.0.0.2", now: Self.at(Double(number)))
                let ended = sessions.seat(number, named: "anna", at: Self.name(number), now: Self.at(Double(number)))
                #expect(ended == (number < GuestLimits.channelsMax ? [] : [ends]), "streams of \(streams)")
                if streams.contains(number) { _ = sessions.openStream(of: Self.name(number)) }
            }
        }
    }

    @Test func requestsOfASeatAreCountedOverAllItsChannels() throws {
        var sessions = Sessions()
        let host = try Self.pair().host
        for number in 0..<2 {
            sessions.open(Self.name(number), host, from: "10.0.0.2", now: Self.at(0))
            _ = sessions.seat(number, named: "anna", at: Self.name(number), now: Self.at(0))
        }
        for number in 0..<GuestLimits.runningMax {
            #expect(sessions.begin(Self.name(number % 2), now: Self.at(0)) == .goesOn)
        }
        #expect(sessions.begin(Self.name(0), now: Self.at(0)) == .tooMuch(seconds: 1))
        sessions.end(Self.name(1), now: Self.at(0))
        #expect(sessions.begin(Self.name(0), now: Self.at(0)) == .goesOn)

        var quick = Sessions()
        quick.open(Self.name(0), host, from: "10.0.0.2", now: Self.at(0))
        _ = quick.seat(0, named: "anna", at: Self.name(0), now: Self.at(0))
        func answered(_ second: Double) -> Bool {
            guard quick.begin(Self.name(0), now: Self.at(second)) == .goesOn else { return false }
            quick.end(Self.name(0), now: Self.at(second))
            return true
        }
        #expect((0..<60).count { _ in answered(0) } == 40)
        #expect((0..<60).count { _ in answered(1) } == 10)
    }

    @Test func quietChannelsEndAndThoseWithAStreamStay() throws {
        var sessions = Sessions()
        let host = try Self.pair().host
        for number in 0..<3 {
            sessions.open(Self.name(number), host, from: "10.0.0.2", now: Self.at(0))
            _ = sessions.seat(number, named: "anna", at: Self.name(number), now: Self.at(0))
        }
        let begun = sessions.openStream(of: Self.name(1))
        let stream = try #require(begun)
        #expect(sessions.expire(now: Self.at(899)).isEmpty)
        #expect(sessions.begin(Self.name(2), now: Self.at(899)) == .goesOn)
        #expect(sessions.expire(now: Self.at(901)) == [0])
        #expect(!sessions.knows(Self.name(0)) && sessions.knows(Self.name(1)) && sessions.knows(Self.name(2)))
        // A newer stream ends the older one, and the older one's end does not end the newer.
        let next = sessions.openStream(of: Self.name(1))
        let newer = try #require(next)
        #expect(!sessions.goesOn(stream, of: Self.name(1)) && sessions.goesOn(newer, of: Self.name(1)))
        sessions.closeStream(stream, of: Self.name(1), now: Self.at(1_000))
        #expect(sessions.openStreams == 1)
        sessions.closeStream(newer, of: Self.name(1), now: Self.at(1_000))
        #expect(sessions.openStreams == 0)
        #expect(sessions.expire(now: Self.at(1_899)).isEmpty)
        #expect(sessions.expire(now: Self.at(1_901)) == [1])
        #expect(sessions.endAll() == [2] && sessions.count == 0)
        #expect(sessions.openStream(of: Self.name(1)) == nil)
    }
}
