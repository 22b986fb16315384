/// Reads one text as a time to meet: splits it into numbers, words and signs, and tries the forms of a clock before
/// those of a delay.
struct MeetingTimeReader {
    typealias Part = MeetingTimeVocabulary.Part

    private let parts: [Part]

    /// The most bytes that a time is written in.
    private static let bytesMax = 64

    /// A longer text is no time.
    init(within text: Substring) { parts = text.utf8.count <= Self.bytesMax ? Self.parts(of: String(text)) : [] }

    var reading: MeetingTime.Reading {
        switch clock() {
        case .none: break
        case let read: return read
        }
        if let minutes = minutes(), (1...MeetingTime.minutesMax).contains(minutes) { return .time(.minutes(minutes)) }
        return isAboutTime ? .unclear : .none
    }

    /// One digit, a point and two digits, and nothing that says that it is a time.
    var isDecimal: Bool {
        guard parts.count == 3, case .number(let first) = parts[0], first.count == 1 else { return false }
        return parts[1] == .sign(".")
    }

    /// Whether it is about a time and has words that move it: `tomorrow 14:00`, `until 14:00`, `in 5:30`.
    var isQualified: Bool { isAboutTime && (isAhead || parts.contains(where: MeetingTimeVocabulary.isQualifier)) }

    private var isAhead: Bool { MeetingTimeVocabulary.ahead.contains { parts.starts(with: $0) } }

    /// Whether it says a time, or tries to, and is no name: `Midi`.
    var isSurelyTime: Bool { reading != .none && !mayBeName }

    /// Whether it may be the name of a place: `Midi`.
    var mayBeName: Bool { parts.count == 1 && MeetingTimeVocabulary.isNamelike(parts[0]) }

    // MARK: - Parts

    /// Numbers and lower-case words, without the blanks between them.
    static func parts(of text: String) -> [Part] {
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
        while let last = parts.last, [.sign("."), .sign("!")].contains(last) { parts.removeLast() }
        // `17時に`
        if case .word(let word)? = parts.last, word.count > 1, word.last == "に" {
            parts[parts.count - 1] = .word(String(word.dropLast()))
        }
        return abbreviated(parts)
    }

    /// `p.m.` and `p. m.` as `pm`.
    private static func abbreviated(_ parts: [Part]) -> [Part] {
        var parts = parts
        for letter in ["a", "p"] {
            let spelled: [Part] = [.word(letter), .sign("."), .word("m")]
            guard let found = parts.indices.first(where: { parts[$0...].starts(with: spelled) }) else { continue }
            let end = found + spelled.count
            let isDotted = end < parts.count && parts[end] == .sign(".")
            parts.replaceSubrange(found..<(isDotted ? end + 1 : end), with: [.word(letter + "m")])
        }
        return parts
    }

    // MARK: - Clocks

    /// `14:00`, `14.00`, `14h30`, `17 Uhr`, `5:30 pm`, `à 14:00`, `午後5時半`.
    private func clock() -> MeetingTime.Reading {
        var rest = parts[...]
        let isLed = MeetingTimeVocabulary.leads.contains { rest.removePrefix($0) }
        // `ca. 17 Uhr`
        if isLed { _ = rest.removePrefix([.sign(".")]) }
        let half = MeetingTimeVocabulary.halves.first { half in
            half.isInFront ? rest.removePrefix(half.words) : rest.removeSuffix(half.words)
        }
        _ = MeetingTimeVocabulary.endings.contains { rest.removeSuffix($0) }
        guard case .number(let hours)? = rest.popFirst(), hours.count <= 2, let hour = Int(hours),
            let told = told(rest, hour, isLed: isLed, isHalved: half != nil)
        else { return .none }
        guard let hour = half.map({ $0.hour(hour) }) ?? hour, told.isSure,
            let time = ClockTime("\(hour):\(told.minutes)")
        else { return .unclear }
        return .time(.clock(time))
    }

    /// The minutes, by what stands behind the hour; nil if that is no clock. Not sure: `5h`, which is a time as well as
    /// a delay.
    private func told(
        _ parts: ArraySlice<Part>, _ hour: Int, isLed: Bool, isHalved: Bool
    ) -> (minutes: String, isSure: Bool)? {
        var rest = parts
        switch rest.popFirst() {
        case nil: return isHalved || (isLed && hour >= 13) ? ("00", true) : nil
        case .sign(let sign)? where MeetingTimeVocabulary.colons.contains(sign):
            guard let minutes = rest.popNumber(), rest.isEmpty || rest.removeUnit(of: .hour) else { return nil }
            // `2.5` and `24.12` are other numbers.
            return sign == "." && ClockTime("\(hour):\(minutes)") == nil ? nil : (minutes, minutes.count == 2)
        case .word(let unit)?:
            if MeetingTimeVocabulary.halfHours.contains(unit) { return rest.isEmpty ? ("30", true) : nil }
            let isClock = MeetingTimeVocabulary.clockUnits.contains(unit)
            guard isClock || MeetingTimeVocabulary.eitherUnits.contains(unit) else { return nil }
            let minutes = rest.popNumber()
            let hasUnit = minutes != nil && rest.removeUnit(of: .minute)
            guard rest.isEmpty, minutes.map({ $0.count == 2 }) ?? true else { return nil }
            if isClock || isLed || isHalved { return (minutes ?? "00", true) }
            // `1h30` is a delay, `14h30` a time, and `5h` and `14 h 30 min` are either.
            return 1...3 ~= hour ? nil : (minutes ?? "00", hour >= 6 && !hasUnit)
        default: return nil
        }
    }

    // MARK: - Delays

    /// `in 15 min`, `15 min`, `+15`, `15 dk sonra`, `15分後`.
    private func minutes() -> Int? {
        var rest = parts.filter { $0 != .sign(".") }[...]
        var isAhead = MeetingTimeVocabulary.ahead.contains { rest.removePrefix($0) }
        if rest.removeSuffix([.word("sonra")]) { isAhead = true }
        var total = 0
        var smallest = Int.max
        while case .number(let digits)? = rest.popFirst() {
            guard digits.count <= 4, let count = Int(digits) else { return nil }
            var factor = 1
            if case .word(let unit)? = rest.first {
                guard let known = MeetingTimeVocabulary.factor(unit), isAhead || isSure(count, unit) else {
                    return nil
                }
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

    /// Not sure: `100 m`, which may be a way to go, and hours that may be those of a clock.
    private func isSure(_ count: Int, _ unit: String) -> Bool {
        unit == "m" ? count < 60 : !MeetingTimeVocabulary.eitherUnits.contains(unit) || 1...3 ~= count
    }

    // MARK: - Neither

    /// Whether all of it is of the words of times, and one says so.
    private var isAboutTime: Bool {
        guard parts.allSatisfy(MeetingTimeVocabulary.isOfTime) else { return false }
        if parts.contains(where: MeetingTimeVocabulary.isNoon) { return true }
        // `à midi`, and not the `Gare du Midi`.
        if let last = parts.last, MeetingTimeVocabulary.isNamelike(last),
            parts.count == 1 || MeetingTimeVocabulary.leads.contains(Array(parts.dropLast()))
        {
            return true
        }
        guard parts.contains(where: MeetingTimeVocabulary.isNumber) else { return false }
        return parts.contains(where: MeetingTimeVocabulary.saysTime) || hasColon
            || MeetingTimeVocabulary.leads.contains { parts.starts(with: $0) }
            || isAhead
    }

    /// A colon between two numbers.
    private var hasColon: Bool {
        zip(parts, zip(parts.dropFirst(), parts.dropFirst(2))).contains { first, others in
            guard case .number = first, case .number = others.1, case .sign(let sign) = others.0 else { return false }
            return sign != "." && MeetingTimeVocabulary.colons.contains(sign)
        }
    }
}

extension ArraySlice<MeetingTimeVocabulary.Part> {
    /// - Returns: whether these parts were the first, and are gone.
    fileprivate mutating func removePrefix(_ parts: [Element]) -> Bool {
        guard starts(with: parts) else { return false }
        removeFirst(parts.count)
        return true
    }

    /// - Returns: whether these parts were the last, and are gone.
    fileprivate mutating func removeSuffix(_ parts: [Element]) -> Bool {
        guard suffix(parts.count).elementsEqual(parts) else { return false }
        removeLast(parts.count)
        return true
    }

    fileprivate mutating func popNumber() -> String? {
        guard case .number(let digits)? = first else { return nil }
        removeFirst()
        return digits
    }

    /// - Returns: whether such a unit was all that is left, and is gone.
    fileprivate mutating func removeUnit(of kind: MeetingTimeVocabulary.Unit) -> Bool {
        guard count == 1, case .word(let word)? = first, MeetingTimeVocabulary.isUnit(word, of: kind) else {
            return false
        }
        removeFirst()
        return true
    }
}
