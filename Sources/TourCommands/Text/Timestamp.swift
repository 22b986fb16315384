import Glibc

/// A moment as the local API writes it: RFC 3339 in UTC, with or without a fraction.
package struct Timestamp: Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z.
    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    /// - Returns: nil for anything but `YYYY-MM-DDThh:mm:ss[.fraction]Z`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        seconds = Self.days(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    package static var now: Timestamp { Timestamp(seconds: time(nil)) }

    /// Local hours and minutes.
    package var clockTime: String { formatted("%H:%M") }
    /// The local date with its weekday.
    package var day: String { formatted("%A %-d %B %Y") }
    package var dateAndTime: String { formatted("%Y-%m-%d %H:%M") }

    private func formatted(_ pattern: String) -> String {
        var moment = seconds
        var parts = tm()
        localtime_r(&moment, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Days since 1970 of a Gregorian date; March is the first month of the count, so leap days fall at its end.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}
