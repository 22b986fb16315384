/// Paths of the local API.
package enum LocalPath {
    /// `/v1/…` with these segments, each percent-encoded, and a query of the values that are not nil.
    package static func make(_ segments: [String], query: [(String, String?)] = []) -> String {
        let path = segments.reduce("/v1") { $0 + "/" + encoded($1) }
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    /// Escapes all but the unreserved characters. Source: RFC 3986, section 2.3.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
        return result
    }
}
