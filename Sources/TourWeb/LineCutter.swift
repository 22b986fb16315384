import Foundation
import NIOCore
import TourModel

/// Cuts a stream of bytes into lines; empty ones are passed over. A line that is too long is cut off, and so refused as
/// JSON, but never held whole.
struct LineCutter {
    private static let lineBytesMax = LocalAPI.requestBytesMax
    private var unfinished = Data()

    mutating func cut(_ chunk: ByteBuffer) -> [Data] {
        var lines = [Data]()
        for part in chunk.readableBytesView.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            if part.offset > 0 {
                if !unfinished.isEmpty { lines.append(unfinished) }
                unfinished = Data()
            }
            unfinished.append(contentsOf: part.element.prefix(max(0, Self.lineBytesMax - unfinished.count)))
        }
        return lines
    }

    /// What stands behind the last line end.
    mutating func rest() -> [Data] {
        defer { unfinished = Data() }
        return unfinished.isEmpty ? [] : [unfinished]
    }
}
