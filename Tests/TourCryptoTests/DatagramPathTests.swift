import Testing
import TourCrypto
import TourModel

/// Goal: a link's datagrams are read by its peer alone, each once, in any order.
/// Method: both sides' keys; a window against a set that remembers everything.
@Suite struct DatagramPathTests {
    @Test func eachSideReadsTheOther() throws {
        let (first, second) = Self.pair()
        for number in 0..<3 {
            let there = try #require(first.seal([1, UInt8(number)]))
            let back = try #require(second.seal([2, UInt8(number)]))
            #expect(try #require(second.open(there)).plaintext == [1, UInt8(number)])
            #expect(try #require(first.open(back)).plaintext == [2, UInt8(number)])
            #expect(DatagramPath.path(of: there) == second.ownPath && DatagramPath.path(of: back) == first.ownPath)
            #expect(first.open(there) == nil && second.open(there) == nil)
        }
    }

    @Test func anyChangedByteIsRefused() throws {
        let (first, second) = Self.pair()
        let sealed = try #require(first.seal([7, 7, 7]))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(second.open(changed) == nil)
        }
        for count in 0..<sealed.count { #expect(second.open(Array(sealed.prefix(count))) == nil) }
        #expect(second.open(sealed)?.plaintext == [7, 7, 7])
    }

    @Test func anotherLinksKeysOpenNothing() throws {
        let (first, _) = Self.pair()
        let (_, other) = Self.pair(share: 9)
        #expect(other.open(try #require(first.seal([1]))) == nil)
    }

    @Test func onlyTheNewestSaysWhereThePeerIs() throws {
        let (first, second) = Self.pair()
        let sealed = try (0..<3).map { _ in try #require(first.seal([])) }
        let order = [0, 2, 1]
        #expect(order.map { second.open(sealed[$0])?.isNewest } == [true, true, false])
    }

    @Test func aMillionOfWhichManyComeTwiceAndLate() {
        var rng = SplitMix64(seed: 5)
        // Each is put off by less than the window's length; a fifth comes once more.
        var arrivals = [(at: UInt64, counter: UInt64)]()
        for counter in 0..<UInt64(1_000_000) {
            arrivals.append((counter + rng.next() % 2_048, counter))
            if rng.next() % 5 == 0 { arrivals.append((counter + rng.next() % 2_048, counter)) }
        }
        arrivals.sort { ($0.at, $0.counter) < ($1.at, $1.counter) }
        var window = CounterWindow()
        var model = Set<UInt64>()
        var mistakes = 0
        for (_, counter) in arrivals {
            let isNew = model.insert(counter).inserted
            if window.admits(counter) != isNew { mistakes += 1 }
            if isNew { _ = window.insert(counter) }
        }
        #expect(mistakes == 0 && model.count == 1_000_000)
    }

    @Test func whatIsOlderThanTheWindowIsRefused() {
        var window = CounterWindow()
        _ = window.insert(1)
        _ = window.insert(10_000)
        #expect(window.admits(10_000 - 2_047) && !window.admits(10_000 - 2_048) && !window.admits(10_000))
        _ = window.insert(.max - 9_000)
        #expect(!window.admits(10_001) && window.admits(.max - 9_001))
    }

    private static func pair(share: UInt8 = 3) -> (DatagramPath, DatagramPath) {
        func side(_ share: UInt8, _ path: UInt64) -> DatagramPath.Side {
            DatagramPath.Side(share: Bytes32([UInt8](repeating: share, count: 32)) ?? .zero, path: path)
        }
        let (initiator, responder) = (side(share, 1 << 40), side(4, 77))
        return (
            DatagramPath(own: initiator, peer: responder, isInitiator: true),
            DatagramPath(own: responder, peer: initiator, isInitiator: false)
        )
    }
}
