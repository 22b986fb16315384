import TourModel

/// A time in a table, in the forms that spreadsheets make of it when a table is opened and saved again. Source: RFC
/// 3339; the default formats of dates in spreadsheets.
struct TableTime: Hashable {
    /// Seconds since 1970.
    let seconds: Int64
    /// Whether it says no zone, and so was read as UTC, as exports write times.
    let isWithoutZone: Bool

    /// - Returns: nil for another form, for a day that no calendar has, and for one that may be of two months, as
    ///   `01/02/2026`.
    init?(_ text: String) {
        let text = text.trimmed
        guard text.utf8.count <= 40 else { return nil }
        if let time = Timestamp(text) {
            (seconds, isWithoutZone) = (Int64(time.seconds), false)
            return
        }
        var parts = text.split { $0 == " " || $0 == "T" || $0 == "," || $0 == "\u{A0}" || $0 == "\u{202F}" }
        guard let first = parts.first, let day = Self.day(first) else { return nil }
        parts.removeFirst()
        var zone: Int64?
        var half: Substring?
        if let last = parts.last, ["AM", "PM"].contains(last.uppercased()) {
            half = last
            parts.removeLast()
        }
        guard parts.count <= 1, !parts.isEmpty || half == nil else { return nil }
        var clock = parts.first ?? "00:00"
        if let mark = clock.firstIndex(where: { "+-−Zz".contains($0) }) {
            guard let offset = Self.offset(clock[mark...]) else { return nil }
            zone = offset
            clock = clock[..<mark]
        }
        guard let time = Self.clock(clock, half: half),
            let moment = Timestamp("\(day)T\(time)Z")
        else { return nil }
        seconds = Int64(moment.seconds) - (zone ?? 0)
        isWithoutZone = zone == nil
    }

    /// - Returns: `2026-06-01`.
    private static func day(_ text: Substring) -> String? {
        guard let mark = text.first(where: { "-./".contains($0) }) else { return nil }
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ number($0, upTo: 4) != nil }) else { return nil }
        if parts[0].count == 4 { return date(parts[0], parts[1], parts[2]) }
        guard parts[2].count == 4, let first = number(parts[0], upTo: 2), let second = number(parts[1], upTo: 2) else {
            return nil
        }
        // Dots stand behind a day; of the other marks only numbers above twelve, or equal ones, tell.
        if mark == "." || first > 12 || first == second { return date(parts[2], parts[1], parts[0]) }
        return second > 12 ? date(parts[2], parts[0], parts[1]) : nil
    }

    private static func date(_ year: Substring, _ month: Substring, _ day: Substring) -> String? {
        guard month.count <= 2, day.count <= 2 else { return nil }
        return "\(year)-\(padded(month))-\(padded(day))"
    }

    /// - Returns: `08:00:00`.
    private static func clock(_ text: Substring, half: Substring?) -> String? {
        let whole = text.prefix { $0 != "." }
        let fraction = text.dropFirst(whole.count)
        guard fraction.isEmpty || number(fraction.dropFirst(), upTo: 9) != nil else { return nil }
        let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), var hour = number(parts[0], upTo: 2),
            parts.dropFirst().allSatisfy({ $0.count == 2 && number($0, upTo: 2) != nil })
        else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half.uppercased() == "PM" ? 12 : 0)
        }
        return ([padded("\(hour)")] + parts.dropFirst().map { String($0) } + (parts.count == 2 ? ["00"] : []))
            .joined(separator: ":")
    }

    /// - Returns: seconds east of UTC.
    private static func offset(_ text: Substring) -> Int64? {
        guard let sign = text.first else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        if sign == "Z" || sign == "z" { return digits.isEmpty ? 0 : nil }
        guard digits.count == 4, let number = number(digits[...], upTo: 4), number / 100 <= 14, number % 100 < 60 else {
            return nil
        }
        return Int64(number / 100 * 3_600 + number % 100 * 60) * (sign == "+" ? 1 : -1)
    }

    private static func padded(_ text: Substring) -> String { text.count == 1 ? "0\(text)" : String(text) }

    private static func number(_ text: Substring, upTo digits: Int) -> Int? {
        (1...digits).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
