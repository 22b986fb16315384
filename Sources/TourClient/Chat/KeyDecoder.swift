import TourModel

/// Decodes a terminal's bytes into keys: UTF-8, the escape sequences of xterm and similar terminals, bracketed paste.
///
/// Total: drops bytes without a meaning.
package struct KeyDecoder {
    /// A longer paste is cut, and reported as cut; four times what a message may have, so that a text that is a
    /// little too long arrives complete and can be sent in parts.
    package static let pasteBytesMax = 4 * Limits.textBytesMax
    private static let sequenceBytesMax = 16

    private var pending: [UInt8] = []
    private var pasted: [UInt8]?
    private var isCut = false

    package init() {}

    /// The keys that these bytes complete; an unfinished sequence waits for the next bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys = [Key]()
        while !pending.isEmpty {
            guard let (key, count) = pasted == nil ? next() : nextOfPaste() else { break }
            pending.removeFirst(count)
            if let key { keys.append(key) }
            if isCut, pasted == nil {
                keys.append(.pasteCut)
                isCut = false
            }
        }
        return joined(keys)
    }

    /// Combining marks that arrive separately belong to the character before them.
    private func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { keys, key in
            if case .character(let mark) = key, case .character(let base)? = keys.last {
                let both = String(base) + String(mark)
                if both.count == 1 {
                    keys[keys.count - 1] = .character(Character(both))
                    return
                }
            }
            keys.append(key)
        }
    }

    /// A key (nil: no meaning) and its length; nil when more bytes are needed.
    private mutating func next() -> (Key?, Int)? {
        switch pending[0] {
        case 0x1B: return escape()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x09: return (.tab, 1)
        case 0x00, 0x1C...0x1F: return (nil, 1)
        case 0x01...0x1A: return (.control(Character(Unicode.Scalar(pending[0] + 0x60))), 1)
        case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(pending[0]))), 1)
        default: return multibyte()
        }
    }

    private func multibyte() -> (Key?, Int)? {
        let length =
            switch pending[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard length > 1 else { return (nil, 1) }
        guard pending.count >= length else { return nil }
        guard let text = String(validating: pending[..<length], as: UTF8.self), let character = text.first,
            character.unicodeScalars.allSatisfy({ !(0x80..<0xA0).contains($0.value) })
        else { return (nil, 1) }
        return (.character(character), length)
    }

    private mutating func escape() -> (Key?, Int)? {
        guard pending.count >= 2 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "O"):
            guard pending.count >= 3 else { return nil }
            return (named(final: pending[2], parameters: [0x4F]), 3)
        case UInt8(ascii: "["):
            guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                return pending.count > Self.sequenceBytesMax ? (nil, pending.count) : nil
            }
            let parameters = Array(pending[2..<end])
            if pending[end] == UInt8(ascii: "~"), parameters == Array("200".utf8) { pasted = [] }
            return (named(final: pending[end], parameters: parameters), end + 1)
        case UInt8(ascii: "b"): return (.wordLeft, 2)
        case UInt8(ascii: "f"): return (.wordRight, 2)
        default: return (nil, 1)
        }
    }

    private func named(final: UInt8, parameters: [UInt8]) -> Key? {
        switch (final, String(decoding: parameters, as: UTF8.self)) {
        // With Ctrl or with Alt.
        case (UInt8(ascii: "C"), "1;5"), (UInt8(ascii: "C"), "1;3"): .wordRight
        case (UInt8(ascii: "D"), "1;5"), (UInt8(ascii: "D"), "1;3"): .wordLeft
        case (UInt8(ascii: "A"), _): .up
        case (UInt8(ascii: "B"), _): .down
        case (UInt8(ascii: "C"), _): .right
        case (UInt8(ascii: "D"), _): .left
        case (UInt8(ascii: "I"), ""): .focus(true)
        case (UInt8(ascii: "O"), ""): .focus(false)
        case (UInt8(ascii: "H"), _): .home
        case (UInt8(ascii: "F"), _): .end
        case (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .home
        case (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .end
        case (UInt8(ascii: "~"), "3"): .delete
        case (UInt8(ascii: "~"), "5"): .pageUp
        case (UInt8(ascii: "~"), "6"): .pageDown
        default: nil
        }
    }

    /// Everything up to `ESC [ 201 ~` is text, whatever it contains.
    private mutating func nextOfPaste() -> (Key?, Int)? {
        let mark = Array("\u{1B}[201~".utf8)
        guard let start = pending.indices.first(where: { pending[$0...].starts(with: mark) }) else {
            // All bytes but those that may begin the end mark.
            let safe = max(0, pending.count - mark.count + 1)
            guard safe > 0 else { return nil }
            keep(pending[..<safe])
            return (nil, safe)
        }
        keep(pending[..<start])
        var text = String(decoding: pasted ?? [], as: UTF8.self)
        // The last character may be incomplete.
        if isCut { text = String(text.dropLast()) }
        pasted = nil
        return (.paste(text), start + mark.count)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = Self.pasteBytesMax - (pasted?.count ?? 0)
        if bytes.count > room { isCut = true }
        pasted?.append(contentsOf: bytes.prefix(max(room, 0)))
    }
}
