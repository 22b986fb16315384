/// Edits a line that is not shown, one byte at a time.
package struct HiddenLineEditor: Sendable {
    /// The effect of the last key.
    package enum Outcome: Hashable, Sendable {
        case typing
        /// Enter: the bytes of the line, perhaps none.
        case line([UInt8])
        /// Ctrl-D: there is no passphrase.
        case nothing
        /// Ctrl-C.
        case interrupted
        /// Ctrl-Z: the typed line is dropped.
        case suspended
    }

    /// The same limit as for a passphrase file; further bytes are ignored.
    package static let bytesMax = 4_096

    private var line: [UInt8] = []

    package init() {}

    /// Applies one byte.
    package mutating func receive(_ byte: UInt8) -> Outcome {
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

    /// A character has up to four bytes; all but the first are 10xxxxxx.
    private mutating func removeLast() {
        while let byte = line.popLast(), byte & 0xC0 == 0x80 {}
    }
}
