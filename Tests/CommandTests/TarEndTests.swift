import Testing
import TourClient

/// Goal: an archive that was cut off is told from a whole one. Method: bytes in pieces of several lengths.
struct TarEndTests {
    private static func isWhole(_ bytes: [UInt8], inPiecesOf count: Int) -> Bool {
        var end = TarEnd()
        var rest = bytes[...]
        while !rest.isEmpty {
            end.add(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return end.isThere
    }

    @Test(arguments: [1, 7, 512, 4_096])
    func onlyTheEndOfAnArchiveIsOne(count: Int) {
        let file = [UInt8](repeating: 1, count: 512)
        let zeros = [UInt8](repeating: 0, count: 1_024)
        #expect(Self.isWhole(file + zeros, inPiecesOf: count))
        #expect(!Self.isWhole(file + zeros.dropLast(), inPiecesOf: count))
        #expect(!Self.isWhole(file + zeros.dropLast(512), inPiecesOf: count))
        #expect(!Self.isWhole(file, inPiecesOf: count))
        #expect(!Self.isWhole(zeros, inPiecesOf: count), "there is nothing in it")
        #expect(!Self.isWhole([], inPiecesOf: count))
    }
}
