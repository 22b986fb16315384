/// Splits a stream of bytes into lines, keeping at most one line in memory.
package struct LineSplitter {
    /// A line of the stream.
    package enum Line: Hashable, Sendable {
        /// Without its line break (LF or CRLF).
        case line([UInt8])
        /// Longer than the limit; its bytes were dropped.
        case tooLong
    }

    private let bytesMax: Int
    private var partial: [UInt8] = []
    private var isDropping = false

    package init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The lines that these bytes complete.
    package mutating func add(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines = [Line]()
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            keep(rest[..<end])
            lines.append(finish())
            rest = rest[rest.index(after: end)...]
        }
        keep(rest)
        return lines
    }

    /// The bytes after the last line break, once the stream has ended.
    package mutating func end() -> Line? {
        partial.isEmpty && !isDropping ? nil : finish()
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        guard !isDropping else { return }
        // One byte more for the CR that may precede the LF.
        if partial.count + bytes.count > bytesMax + 1 {
            isDropping = true
            partial = []
        } else {
            partial += bytes
        }
    }

    private mutating func finish() -> Line {
        defer {
            partial = []
            isDropping = false
        }
        if isDropping { return .tooLong }
        if partial.last == 0x0D { partial.removeLast() }
        return partial.count > bytesMax ? .tooLong : .line(partial)
    }
}
