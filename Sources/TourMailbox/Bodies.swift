import FoundationEssentials
import TourModel

// The JSON of requests and answers. Source: `Protocol/09-mailbox.md`.

struct HealthAnswer: Decodable {
    var service: String
    var time: ServerTime
}

struct NonceAnswer: Decodable {
    var nonce: String
}

struct MemberRequest: Encodable {
    var groupId: String
    var memberId: String
    var nonce: String
    var signature: Data
    var controls: [Data]?
}

struct GroupRequest: Encodable {
    var genesis: Data
    var controls: [Data]
    var memberId: String
    var nonce: String
    var signature: Data
}

struct BindRequest: Encodable {
    var memberId: String
    var nonce: String
    var signature: Data
}

struct GroupAnswer: Decodable {
    var id: String
}

struct TokenAnswer: Decodable {
    var accessToken: String
    var expiresIn: Int
    var refreshToken: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
    }
}

struct RefreshRequest: Encodable {
    var refreshToken: String

    private enum CodingKeys: String, CodingKey {
        case refreshToken = "refresh_token"
    }
}

/// Why a request was refused.
struct RefusalAnswer: Decodable {
    struct Detail: Decodable {
        var code: String
        var message: String?
        /// With `removed`: the events that prove it.
        var controls: [Data]?
    }
    var error: Detail
}

/// A server's time in whole seconds, as RFC 3339.
package struct ServerTime: Decodable, Hashable, Sendable {
    /// Years 1970 to 9999, in seconds: no server sends other times.
    private static let range = 0.0..<253_402_300_800

    /// Milliseconds since 1970.
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
        for style in styles {
            if let date = try? style.parse(text), Self.range.contains(date.timeIntervalSince1970) {
                milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
                return
            }
        }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time")
    }

    /// The text of a time, to whole seconds.
    static func text(milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1_000)).formatted(Date.ISO8601FormatStyle())
    }
}
