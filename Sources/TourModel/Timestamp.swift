/// A moment in JSON answers: RFC 3339 in UTC. Written with microseconds, read with or without a fraction.
package struct Timestamp: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    /// - Returns: nil for anything but `YYYY-MM-DDThh:mm:ss[.fraction]Z` on a day of the calendar; of a fraction 1 to 9
    ///   digits.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (20...30).contains(bytes.count), bytes.count != 21, bytes.last == UInt8(ascii: "Z") else { return nil }
        guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...Self.length(of: month, year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        guard bytes.count == 20 || bytes[19] == UInt8(ascii: ".") && number(20..<bytes.count - 1) != nil else {
            return nil
        }
        seconds = Self.days(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// With whole seconds: `2026-06-01T08:00:00Z`, which every decoder reads.
    package var text: String {
        Self.text(microseconds: Int64(min(max(seconds, -62_167_219_200), 253_402_300_799)) * 1_000_000).prefix(19) + "Z"
    }

    /// - Parameter milliseconds: since 1970; any value from anywhere: those outside the years 0 to 9999 are shown as
    ///   the nearest within.
    package static func text(milliseconds: Int64) -> String {
        text(microseconds: min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999) * 1_000)
    }

    /// - Parameter microseconds: since 1970; values outside the years 0 to 9999 are shown as the nearest within.
    package static func text(microseconds: Int64) -> String {
        let clamped = min(max(microseconds, -62_167_219_200_000_000), 253_402_300_799_999_999)
        let (days, rest) = floorDivide(clamped, 86_400_000_000)
        let (year, month, day) = civil(days: days)
        var digits = [UInt8]()
        digits.reserveCapacity(27)
        append(year, 4, &digits)
        digits.append(UInt8(ascii: "-"))
        append(month, 2, &digits)
        digits.append(UInt8(ascii: "-"))
        append(day, 2, &digits)
        digits.append(UInt8(ascii: "T"))
        append(rest / 3_600_000_000, 2, &digits)
        digits.append(UInt8(ascii: ":"))
        append(rest / 60_000_000 % 60, 2, &digits)
        digits.append(UInt8(ascii: ":"))
        append(rest / 1_000_000 % 60, 2, &digits)
        digits.append(UInt8(ascii: "."))
        append(rest % 1_000_000, 6, &digits)
        digits.append(UInt8(ascii: "Z"))
        return String(decoding: digits, as: UTF8.self)
    }

    private static func append(_ value: Int64, _ width: Int, _ digits: inout [UInt8]) {
        digits.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
        var rest = value
        for place in 1...width {
            digits[digits.count - place] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let rest = (value % divisor + divisor) % divisor
        return ((value - rest) / divisor, rest)
    }

    /// The Gregorian date of a day counted from 1970-01-01, by eras of 400 years.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = floorDivide(shifted, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// In days; of a month from 1 to 12.
    private static func length(of month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970 of a Gregorian date; March is the first month of the count, so leap days fall at its end.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let (era, ofEra) = floorDivide(Int64(month <= 2 ? year - 1 : year), 400)
        let ofYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        return Int(era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468)
    }
}
