import Foundation
import NIOCore

/// Cuts a stream of bytes into lines that end in LF or CRLF; empty ones are passed over. A line that is too long is cut
/// off, and so refused as JSON, but never held whole.
package struct LineCutter {
    package static let lineBytesMax = LocalAPI.requestBytesMax
    private var unfinished = Data()

    package init() {}

    package mutating func cut(_ chunk: ByteBuffer) -> [Data] {
        var lines = [Data]()
        for part in chunk.readableBytesView.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            if part.offset > 0 { lines += rest() }
            unfinished.append(contentsOf: part.element.prefix(max(0, Self.lineBytesMax - unfinished.count)))
        }
        return lines
    }

    /// What stands behind the last line end.
    package mutating func rest() -> [Data] {
        if unfinished.last == UInt8(ascii: "\r") { unfinished.removeLast() }
        defer { unfinished = Data() }
        return unfinished.isEmpty ? [] : [unfinished]
    }
}
