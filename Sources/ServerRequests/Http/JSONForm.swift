import Foundation
import TourModel

/// The JSON form of this API: times are written in RFC 3339, in UTC with whole seconds, so that the simplest decoders
/// read them; any RFC 3339 time is accepted.
/// Contract: `Protocol/Schema/openapi.yaml`.
package enum JSONForm {
    /// Decodes dates of any RFC 3339 form.
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

    /// Sorts keys, and writes dates with whole seconds.
    package static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    /// `2026-06-01T00:00:00Z`, computed without a calendar, which is faster for many times.
    /// - Parameter seconds: seconds since 1970.
    /// - Returns: nil before 1970 and beyond the year 9999.
    package static func text(seconds: Int64) -> String? {
        guard (0...253_402_300_799).contains(seconds) else { return nil }
        // Computes with years that begin in March, in eras of 400.
        // Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
        let days = seconds / 86_400 + 719_468
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + days / 146_097 * 400 + (month <= 2 ? 1 : 0)
        let day = dayOfYear - (153 * march + 2) / 5 + 1
        let time = seconds % 86_400
        let fields = [
            (year / 100, "-"), (year % 100, "-"), (month, "-"), (day, "T"), (time / 3_600, ":"),
            (time / 60 % 60, ":"), (time % 60, "Z"),
        ]
        return String(unsafeUninitializedCapacity: 20) { text in
            var end = 0
            for (index, (number, sign)) in fields.enumerated() {
                text[end] = UInt8(ascii: "0") + UInt8(number / 10)
                text[end + 1] = UInt8(ascii: "0") + UInt8(number % 10)
                end += 2
                guard index > 0, let byte = sign.utf8.first else { continue }
                text[end] = byte
                end += 1
            }
            return end
        }
    }

    /// With or without a fraction, which is left out, in any time zone; nil for anything but RFC 3339.
    package static func date(_ text: String) -> Date? {
        // Foundation's parser counts by the Julian calendar before 1582, and knows no zone beyond 18 hours.
        let zone = /(.*)(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))/
        guard text.utf8.count <= 40, let parts = text.uppercased().wholeMatch(of: zone)?.output,
            let local = Timestamp(parts.1 + "Z")
        else { return nil }
        let ahead = (parts.3.flatMap { Int($0) } ?? 0) * 3_600 + (parts.4.flatMap { Int($0) } ?? 0) * 60
        return Date(timeIntervalSince1970: Double(local.seconds - (parts.2 == "-" ? -ahead : ahead)))
    }
}

extension Date {
    /// - Parameter microseconds: since 1970, as the database stores times; a fraction of a second is dropped.
    package init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds / 1_000_000)) }
}
