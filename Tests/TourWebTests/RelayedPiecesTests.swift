import Synchronization
import Testing
import TourWeb

/// Goal: a body that arrives from elsewhere is passed on whole, in order and no faster than it is taken, with the error
/// that ended it; who brings it ends with who takes it. Method: pieces that a test brings, and takes.
struct RelayedPiecesTests {
    private struct Refused: Error {}

    @Test func piecesComeInOrderAndEnd() async throws {
        let pieces = RelayedPieces { give in
            for number in 0..<200 { await give([UInt8(number)]) }
        }
        var taken = [UInt8]()
        while let piece = try await pieces.next() { taken += piece }
        #expect(taken == (0..<200).map { UInt8($0) })
        #expect(try await pieces.next() == nil)
    }

    @Test func aRefusalIsTheWholeAnswer() async {
        let pieces = RelayedPieces { _ in throw Refused() }
        await #expect(throws: Refused.self) { _ = try await pieces.next() }
    }

    @Test func anErrorComesBehindWhatWasBrought() async throws {
        let pieces = RelayedPieces { give in
            await give([1])
            throw Refused()
        }
        #expect(try await pieces.next() == [1])
        await #expect(throws: Refused.self) { _ = try await pieces.next() }
    }

    @Test func nothingIsBroughtThatNobodyTakes() async throws {
        let (ends, end) = AsyncStream<Int>.makeStream()
        let brought = Mutex(0)
        var pieces: RelayedPieces? = RelayedPieces { give in
            for _ in 0..<100 where !Task.isCancelled {
                brought.withLock { $0 += 1 }
                await give([0])
            }
            end.yield(brought.withLock { $0 })
            end.finish()
        }
        #expect(try await pieces?.next() == [0])
        pieces = nil
        for await count in ends { #expect(count <= 3) }
    }
}
