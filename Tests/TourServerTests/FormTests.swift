import Foundation
import ServerRequests
import Testing

/// Goal: times go out as the plainest decoders read them, and come in as anybody writes them.
/// Method: samples of RFC 3339, and texts that are close to it.
struct FormTests {
    @Test(arguments: [
        "2026-06-01T00:00:00Z", "2026-06-01t00:00:00z", "2026-06-01T03:00:00+03:00", "2026-05-31T19:00:00-05:00",
        "2026-06-01T00:00:00.000Z", "2026-06-01T00:00:00.000000Z", "2026-06-01T03:00:00.0+03:00",
    ])
    func timesAreReadInEveryForm(text: String) throws {
        #expect(JSONForm.date(text)?.timeIntervalSince1970 == 1_780_272_000)
    }

    @Test(arguments: [
        "", "2026-06-01", "2026-06-01T00:00:00", "2026-13-01T00:00:00Z", "2026-06-01 00:00:00Z", "yesterday",
        "2026-06-01T25:00:00Z", "20260601T000000Z", "2026-06-01T00:00:00Zx",
        "2026-02-29T00:00:00Z", "2026-02-30T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-06-01T00:00:00+24:00", "2026-06-01T00:00:00+03:00Z", "2026-06-01T00:00:60Z",
    ])
    func otherTextsAreNoTimes(text: String) {
        #expect(JSONForm.date(text) == nil)
    }

    /// The Gregorian calendar counts back before it was made, and a zone may be up to a day away.
    @Test func timesOfAnyYearAndZoneAreRead() {
        for (text, seconds) in [
            ("1582-10-10T00:00:00Z", -12_219_724_800), ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("2026-06-01T00:00:00-19:14", 1_780_341_240), ("2026-06-01T00:00:00+23:59", 1_780_185_660),
            ("1969-12-31T23:59:59.999999999Z", -1.0),
        ] {
            #expect(JSONForm.date(text)?.timeIntervalSince1970 == seconds, "\(text)")
        }
    }

    @Test func leapDaysAreDays() {
        for text in ["2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2026-12-31T23:59:59Z"] {
            #expect(JSONForm.date(text) != nil, "\(text)")
        }
    }

    /// Source: RFC 9110, section 13.1.2, with its examples.
    @Test func marksAreFoundInTheirLists() {
        for header in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "\"b\",W/\"a\", \"c\"", "*", " * "] {
            #expect(EntityTags(header).contain("\"a\""), "\(header)")
        }
        for header in ["", "a", "\"b\"", "W/\"ab\"", "\"b, a\"", "**"] {
            #expect(!EntityTags(header).contain("\"a\""), "\(header)")
        }
    }

    @Test func timesGoOutInWholeSeconds() throws {
        let date = Date(microseconds: 1_780_272_000_999_999)
        #expect(String(decoding: try JSONForm.encoder.encode([date]), as: UTF8.self) == #"["2026-06-01T00:00:00Z"]"#)
    }

    @Test func timesAreWrittenAsTheEncoderWritesThem() throws {
        var samples: [Int64] = [0, 68_169_600, 951_782_399, 951_782_400, 951_868_800, 4_107_542_400, 253_402_300_799]
        samples += (0..<2_000).map { $0 * 126_701_149 }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        for seconds in samples {
            let date = Date(timeIntervalSince1970: Double(seconds))
            let expected = try JSONDecoder().decode([String].self, from: try encoder.encode([date]))
            #expect(JSONForm.text(seconds: seconds) == expected.first)
        }
        #expect(JSONForm.text(seconds: -1) == nil && JSONForm.text(seconds: 253_402_300_800) == nil)
    }
}
