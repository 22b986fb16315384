import TourCrypto
import TourModel

/// The signature of one request to an S3-compatible service, version 4. The hashes are the library's; what is composed
/// here is the text that they are made of.
/// Source: Amazon S3, "Authenticating Requests: Using the Authorization Header".
package struct S3Signature {
    /// The method, such as `GET`.
    package var method: String
    /// The path, escaped as it is sent, with a slash at the beginning.
    package var path: String
    /// The names and values of the query, not escaped.
    package var query: [(name: String, value: String)] = []
    /// The headers that are signed, by lower-case names: `host`, `x-amz-date` and `x-amz-content-sha256` at least.
    package var headers: [String: String]

    /// A signature to be.
    package init(_ method: String, _ path: String, query: [(name: String, value: String)], headers: [String: String]) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
    }

    /// The query as it is sent and signed: escaped, sorted by name.
    package var queryText: String {
        query.map { (Self.escaped($0.name), Self.escaped($0.value)) }.sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// The value of the Authorization header.
    package func authorization(region: String, accessKey: String, secretKey: String) -> String {
        let date = headers["x-amz-date"] ?? "", day = String(date.prefix(8))
        let sorted = headers.sorted { $0.key < $1.key }
        let names = sorted.map(\.key).joined(separator: ";")
        let request = [
            method, path, queryText, sorted.map { "\($0.key):\($0.value)\n" }.joined(), names,
            headers["x-amz-content-sha256"] ?? "",
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(Self.hash(Array(request.utf8)))"
        var key = Array("AWS4\(secretKey)".utf8)
        for part in [day, region, "s3", "aws4_request", text] {
            key = SHA256.authenticator(of: Array(part.utf8), key: key)
        }
        return "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(Hex.encode(key))"
    }

    /// SHA-256 of some bytes, in hexadecimal digits.
    static func hash(_ bytes: [UInt8]) -> String { Hex.encode(SHA256.hash(bytes)) }

    /// Source: RFC 3986, section 2.3: all but unreserved characters.
    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                result.append(character)
            } else {
                result += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}
