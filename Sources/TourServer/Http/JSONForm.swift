import Foundation

/// How values of this API look in JSON: times are RFC 3339 in UTC with whole seconds, so that the plainest decoders
/// read them; any RFC 3339 is taken. Contract: `Protocol/Schema/openapi.yaml`.
package enum JSONForm {
    package static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no RFC 3339 time")
            }
            return date
        }
        return decoder
    }

    package static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    /// With or without a fraction, in any time zone; nil for anything but RFC 3339.
    package static func date(_ text: String) -> Date? {
        let upper = text.uppercased()
        // Foundation's parser is laxer: it takes hours beyond 23 and anything behind the zone.
        let form = /\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/
        guard text.utf8.count <= 40, upper.wholeMatch(of: form) != nil else { return nil }
        let strategy = Date.ISO8601FormatStyle(includingFractionalSeconds: upper.contains("."))
        return try? strategy.parse(upper)
    }
}

extension Date {
    /// - Parameter microseconds: since 1970, as the storage holds times.
    package init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds / 1_000_000)) }
}
