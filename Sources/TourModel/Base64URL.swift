/// Base64 with the letters of addresses and without padding. Source: RFC 4648, section 5.
package enum Base64URL {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text of these bytes.
    package static func text(of bytes: [UInt8]) -> String {
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
}
