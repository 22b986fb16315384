/// Passes on a stream of NDJSON in whole lines, without the blank ones that keep a connection alive.
package struct WholeLines {
    private var partial: [UInt8] = []

    package init() {}

    /// All lines that these bytes complete, each with its line break; the rest waits.
    package mutating func add(_ bytes: some Collection<UInt8>) -> [UInt8] {
        partial += bytes
        guard let end = partial.lastIndex(of: 0x0A) else { return [] }
        let whole = Array(partial[...end])
        partial.removeSubrange(...end)
        return hasBlank(whole) ? withoutBlanks(whole) : whole
    }

    /// False when a stream was cut in the middle of a line.
    package var isComplete: Bool { partial.isEmpty }

    private func hasBlank(_ bytes: [UInt8]) -> Bool {
        var isAtStart = true
        for byte in bytes {
            let isBreak = byte == 0x0A
            if isBreak, isAtStart { return true }
            isAtStart = isBreak
        }
        return false
    }

    private func withoutBlanks(_ bytes: [UInt8]) -> [UInt8] {
        bytes.split(separator: 0x0A).flatMap { $0 + [0x0A] }
    }
}
