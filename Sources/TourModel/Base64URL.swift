/// Base64 with the letters of addresses and without padding. Source: RFC 4648, section 5.
package enum Base64URL {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text of these bytes.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        var text = [UInt8]()
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (held, bits) = (0, 0)
        for byte in bytes {
            held = held << 8 | Int(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(letters[held >> bits & 63])
            }
            held &= (1 << bits) - 1
        }
        if bits > 0 { text.append(letters[held << (6 - bits) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text.
    /// - Parameter text: in UTF-8.
    /// - Returns: nil for any text but the one that `text(of:)` makes of these bytes: one with padding, with other
    ///   letters, with a letter too many, or with bits at its end that are no byte's.
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        var bytes = [UInt8]()
        bytes.reserveCapacity(text.count * 3 / 4)
        var (held, bits) = (0, 0)
        for letter in text {
            guard let value = value(of: letter) else { return nil }
            held = held << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(held >> bits))
                held &= (1 << bits) - 1
            }
        }
        return bits < 6 && held == 0 ? bytes : nil
    }

    private static func value(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter) - 48 + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
