import Testing
import TourNode

/// Goal: what a guest's phone is sent at once stays small, and no event is too long to be sent.
/// Method: a table of lengths.
@Suite struct NewsPieceTests {
    @Test func aPieceEndsByItsEventsOrTheirBytes() {
        let large = 512 * 1_024
        let table: [(lengths: [Int], count: Int)] = [
            ([], 0), ([1], 1), (Array(repeating: 1, count: 64), 64), (Array(repeating: 1, count: 65), 64),
            ([large], 1), ([large + 1], 1), ([large + 1, 1], 1), ([large - 1, 1, 1], 2), ([1, large], 1),
            (Array(repeating: large / 32, count: 64), 32), (Array(repeating: .max, count: 3), 1),
        ]
        for (lengths, count) in table {
            #expect(NewsPiece.ofGuest.count(of: lengths) == count, "\(lengths.prefix(3)) …")
        }
        #expect(NewsPiece.ofOwner.count(of: Array(repeating: large, count: 600)) == 512)
    }
}
