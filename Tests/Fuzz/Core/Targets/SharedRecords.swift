import FuzzDriver
import TourModel
import TourWire

/// The data of a shared record, of the kind that the first byte says, cut into parts as its author cuts it: what is
/// read is written as the same again.
enum SharedRecordHarness {
    private static let record = NotebookID(high: 1, low: 2)
    /// A stop of two bytes is some two hundred in memory, and a list that grows is there twice for a moment. The list
    /// has a bound.
    private static let memoryFactor = 320

    static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first, let kind = SharedKind(rawValue: UInt32(first % 3) + 1) else { return }
        roundTrip(
            Array(bytes.dropFirst()), memoryFactor: memoryFactor, decode: { read($0, kind) },
            encode: { $0.parts(of: record, version: 1)?.flatMap(\.data) })
    }

    private static func read(_ data: [UInt8], _ kind: SharedKind) -> SharedRecord? {
        let size = Limits.sharedPartBytesMax
        let count = max((data.count + size - 1) / size, 1)
        let head = SharedPart.Head(kind: kind, title: "A title")
        let parts = (0..<count).map { number in
            SharedPart(
                record: record, version: 1, part: number, parts: count,
                data: Array(data.dropFirst(number * size).prefix(size)), head: number + 1 == count ? head : nil)
        }
        return try? SharedRecord(parts: parts)
    }
}
