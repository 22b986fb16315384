import TourModel

/// A time to meet, as people write it in the languages of the page: `14:00`, `in 15 min`, `1 h 30 min`, `+15`.
package enum MeetingTime: Hashable, Sendable {
    /// The next time that a local clock shows this: today, or tomorrow.
    case clock(ClockTime)
    /// From now: 1 to `minutesMax`.
    case minutes(Int)

    /// A day.
    package static let minutesMax = 24 * 60

    /// - Returns: nil for anything else, and for a bare number: 15 could mean an hour as well as minutes.
    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        let parts = Self.parts(of: text)
        if let clock = Self.clock(parts) {
            self = .clock(clock)
        } else if let minutes = Self.minutes(parts), (1...Self.minutesMax).contains(minutes) {
            self = .minutes(minutes)
        } else {
            return nil
        }
    }

    /// The moment meant at `now`.
    package func moment(after now: Timestamp) -> Timestamp {
        switch self {
        case .clock(let clock): clock.next(after: now)
        case .minutes(let minutes): Timestamp(seconds: now.seconds + minutes * 60)
        }
    }

    /// `Reception, 14:00`: words, and a time after their last comma.
    /// - Returns: the unchanged text and no time, if no time follows a comma.
    package static func split(_ text: String) -> (words: String, time: MeetingTime?) {
        guard let comma = text.lastIndex(where: { [",", "،", "、"].contains($0) }) else { return (text, nil) }
        var words = String(text[..<comma])
        while words.last?.isWhitespace == true { words.removeLast() }
        guard !words.isEmpty, let time = MeetingTime(String(text[text.index(after: comma)...])) else {
            return (text, nil)
        }
        return (words, time)
    }

    private enum Part: Hashable {
        case number(String)
        case word(String)
        case sign(Character)
    }

    /// Numbers and lower-case words, without the separators between them.
    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var isJoined = false
        // Text copied from Arabic contains direction marks.
        for character in text.lowercased() where character.unicodeScalars.first?.properties.generalCategory != .format {
            let digit = character.wholeNumberValue.flatMap { (0...9).contains($0) ? $0 : nil }
            switch (digit, parts.last) {
            case (let digit?, .number(let before)?) where isJoined:
                parts[parts.count - 1] = .number("\(before)\(digit)")
            case (let digit?, _): parts.append(.number("\(digit)"))
            case (nil, .word(let before)?) where isJoined && character.isLetter:
                parts[parts.count - 1] = .word("\(before)\(character)")
            case (nil, _) where character.isLetter: parts.append(.word("\(character)"))
            case (nil, _) where !character.isWhitespace: parts.append(.sign(character))
            default: break
            }
            isJoined = !character.isWhitespace
        }
        return parts
    }

    /// `14:00`, `14.00`, `14:00 Uhr`, `à 14:00`.
    private static func clock(_ parts: [Part]) -> ClockTime? {
        var rest = parts[...]
        if case .word(let word)? = rest.first, before.contains(word) { rest.removeFirst() }
        if rest.last == .word("uhr") { rest.removeLast() }
        guard rest.count == 3, case .number(let hour)? = rest.first, case .number(let minute)? = rest.last,
            [.sign(":"), .sign("."), .sign("：")].contains(rest[rest.startIndex + 1])
        else { return nil }
        return ClockTime("\(hour):\(minute)")
    }

    /// `in 15 min`, `15 min`, `+15`, `15 dk sonra`, `15分後`.
    private static func minutes(_ parts: [Part]) -> Int? {
        var rest = parts.filter { $0 != .sign(".") }[...]
        var isAhead = false
        if rest.first == .sign("+") {
            rest.removeFirst()
            isAhead = true
        } else if case .word(let word)? = rest.first {
            guard ahead.contains(word) else { return nil }
            rest.removeFirst()
            isAhead = true
            if rest.first == .word("de") { rest.removeFirst() }
        }
        if rest.last == .word("sonra") { rest.removeLast() }
        var total = 0
        var smallest = Int.max
        while case .number(let digits)? = rest.popFirst() {
            guard digits.count <= 4, let count = Int(digits) else { return nil }
            var factor = 1
            if case .word(let unit)? = rest.first {
                guard let known = units[unit] else { return nil }
                factor = known
                rest.removeFirst()
            } else {
                // `+15`, `in 15`, `1 h 30`.
                guard rest.isEmpty, isAhead || smallest < .max else { return nil }
            }
            // Hours come before minutes, and each of them once.
            guard factor < smallest else { return nil }
            smallest = factor
            total += count * factor
            if rest.isEmpty { return total }
        }
        return nil
    }

    private static let before: Set = ["at", "um", "à", "saat", "الساعة"]
    private static let ahead: Set = ["in", "dans", "en", "dentro", "بعد", "خلال"]
    private static let units: [String: Int] = {
        let minutes = [
            "m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "dk", "dakika", "د", "دقيقة",
            "دقائق", "分", "分後",
        ]
        let hours = [
            "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "hora", "horas", "sa",
            "saat", "س", "ساعة", "ساعات", "時間", "時間後",
        ]
        return Dictionary(uniqueKeysWithValues: minutes.map { ($0, 1) } + hours.map { ($0, 60) })
    }()
}
