/// The keys of a line that is not shown, one byte at a time.
package struct HiddenLineEditor: Sendable {
    /// What the last key meant.
    package enum Outcome: Hashable, Sendable {
        case typing
        /// Enter: the bytes of the line, perhaps none.
        case line([UInt8])
        /// Ctrl-D: there is no passphrase.
        case nothing
        /// Ctrl-C.
        case interrupted
        /// Ctrl-Z: what was typed is forgotten.
        case suspended
    }

    /// As many as are read from a passphrase file; what is typed beyond is left out.
    package static let bytesMax = 4_096

    private var line: [UInt8] = []

    package init() {}

    package mutating func take(_ byte: UInt8) -> Outcome {
        switch byte {
        case 0x03: return .interrupted
        case 0x04: return .nothing
        case 0x0A, 0x0D: return .line(line)
        case 0x1A:
            line = []
            return .suspended
        case 0x15: line = []
        case 0x08, 0x7F: removeLast()
        default:
            if line.count < Self.bytesMax { line.append(byte) }
        }
        return .typing
    }

    /// A character takes up to four bytes, of which all but the first are 10xxxxxx.
    private mutating func removeLast() {
        while let byte = line.popLast(), byte & 0xC0 == 0x80 {}
    }
}
