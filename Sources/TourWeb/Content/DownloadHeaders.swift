import HTTPTypes

extension HTTPFields {
    /// For a file of another member, whose type only its author vouches for: a browser shows pictures of these types,
    /// and saves everything else, which it could run.
    static func download(named name: String, media: String) -> HTTPFields {
        let shown: Set = ["image/jpeg", "image/png", "image/webp", "image/gif"]
        return [
            .contentType: shown.contains(media) ? media : "application/octet-stream",
            .contentDisposition: "attachment; filename*=UTF-8''\(encoded(name))",
        ]
    }

    /// Source: RFC 8187, section 3.2.1.
    private static func encoded(_ name: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded = [UInt8]()
        for byte in name.utf8 {
            if plain.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
