import TourModel

/// A time in JSON: RFC 3339 in UTC with whole seconds, which the simplest decoders can read; a fraction is dropped.
package struct WholeSeconds: Hashable, Codable, Sendable {
    /// Seconds since 1970.
    package var seconds: Int64

    package init(seconds: Int64) { self.seconds = seconds }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no RFC 3339 time in UTC")
        }
        seconds = Int64(time.seconds)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Timestamp(seconds: Int(seconds)).text)
    }
}
