/// How much of a tour's news is read and handed over at once.
package struct NewsPiece: Hashable, Sendable {
    /// Events, at most.
    let rowsMax: Int
    /// Their bytes, at most; one event is a piece however long it is.
    let bytesMax: Int

    /// For programs of the owner's, on this machine.
    package static let ofOwner = NewsPiece(rowsMax: 512, bytesMax: .max)
    /// For guests' phones: there may be hundreds that are behind at the same time, each with a piece in memory.
    package static let ofGuest = NewsPiece(rowsMax: 64, bytesMax: 512 * 1_024)

    /// How many events of these lengths, in their order, make one piece.
    package func count(of lengths: some Sequence<Int>) -> Int {
        var (count, bytes) = (0, 0)
        for length in lengths.prefix(rowsMax) {
            guard count == 0 || length <= bytesMax - bytes else { break }
            bytes += length
            count += 1
        }
        return count
    }
}
