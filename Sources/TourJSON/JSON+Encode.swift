extension JSON {
    /// UTF-8 on one line, without spaces.
    package var encoded: [UInt8] {
        var bytes = [UInt8]()
        encode(into: &bytes)
        return bytes
    }

    private func encode(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .flag(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += value.utf8
        case .text(let value): JSON.encode(value.utf8, into: &bytes)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.encode(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSON.encode(member.name.utf8, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.encode(into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// A JSON string of valid UTF-8: quotes, backslashes and control characters escaped, the rest as it is.
    package static func encode(_ utf8: some Sequence<UInt8>, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // Nearly every text needs no escape: it is copied in one piece.
        let done: Void? = utf8.withContiguousStorageIfAvailable { text in
            guard anyNeedsEscape(text) else { return bytes += text }
            var start = 0
            for index in text.indices where needsEscape(text[index]) {
                bytes += text[start..<index]
                escape(text[index], into: &bytes)
                start = index + 1
            }
            bytes += text[start...]
        }
        if done == nil {
            for byte in utf8 {
                if needsEscape(byte) { escape(byte, into: &bytes) } else { bytes.append(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Without a branch for each byte, so that the compiler examines many in one step.
    private static func anyNeedsEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found = false
        for byte in text { found = needsEscape(byte) || found }
        return found
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
        switch byte {
        case 0x0A: bytes += "\\n".utf8
        case 0x0D: bytes += "\\r".utf8
        case 0x09: bytes += "\\t".utf8
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes += "\\u00".utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default:
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        }
    }
}
