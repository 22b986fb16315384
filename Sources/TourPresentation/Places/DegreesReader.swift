import TourModel

/// Reads two angles at the start of a text: `41.0086,28.9802`, `41,0086 28,9802`, `(41.0086, 28.9802)`,
/// `41°00'31"N 28°58'49"E`.
struct DegreesReader {
    /// Without invisible marks, and each sign in its plainest form.
    private let signs: [Character]
    /// Where each of them stands in the text, and the end of the text.
    private let indices: [String.Index]
    private var next = 0
    private var isDecimalComma = false
    /// Whether the place has degrees, or three decimals.
    private var isPrecise = false

    init(_ text: Substring) {
        var signs: [Character] = []
        var indices: [String.Index] = []
        for index in text.indices where !text[index].isInvisible {
            signs.append(Self.plain(text[index]))
            indices.append(index)
        }
        self.signs = signs
        self.indices = indices + [text.endIndex]
    }

    /// The place, and where it ends.
    mutating func place() -> (Coordinate, String.Index)? {
        for isComma in [true, false] {
            isDecimalComma = isComma
            next = 0
            if let coordinate = pair() { return (coordinate, indices[next]) }
        }
        return nil
    }

    /// Whether a text starts as coordinates do.
    static func isMeant(in text: Substring) -> Bool {
        if isSure(in: text) { return true }
        var reader = DegreesReader(text)
        if reader.place() != nil { return true }
        reader.next = 0
        let isOpen = reader.takeOpening() != nil
        guard let first = reader.angle(), isOpen || first.direction != nil || first.decimals >= 3 else { return false }
        return reader.separator() != nil && reader.angle() != nil
    }

    /// Whether a text starts with what nothing else looks like: an angle with degrees, or a place with three decimals.
    static func isSure(in text: Substring) -> Bool {
        var reader = DegreesReader(text)
        if let first = reader.angle(), first.isMarked { return true }
        return reader.place() != nil && reader.isPrecise
    }

    // MARK: - The pair

    private struct Angle {
        var degrees: Double
        var decimals: Int
        /// Whether the sign for degrees stands behind the number.
        var isMarked = false
        var direction: Direction?
        /// `08`, which is no whole number of degrees but the rest of one with a decimal comma.
        var isPadded: Bool
        /// False: it says two things, as `-41° S` and `41.5°30'`.
        var isValid = true
    }

    private enum Direction { case north, south, east, west }

    private mutating func pair() -> Coordinate? {
        let closing = takeOpening()
        guard let first = angle(), let separator = separator(), let second = angle() else { return nil }
        // `41°00'31 28°58'49`: 31 is no second angle.
        guard first.isValid, second.isValid, first.isMarked == second.isMarked else { return nil }
        if let closing {
            guard takeAfterBlanks(closing) else { return nil }
        } else if next < signs.count, ")]".contains(signs[next]) {
            return nil
        }
        let isWritten = closing != nil || first.isMarked || first.direction != nil
        // `1,2, 3 Gate`
        guard isWritten || !isDecimalComma || (first.decimals > 0 && second.decimals > 0) else { return nil }
        switch separator {
        // `10 20 Downing Street`, `14.30 15.30`
        case .blank: guard isWritten || (first.decimals >= 3 && second.decimals >= 3) else { return nil }
        // `41,08` is one number with a decimal comma.
        case .comma: guard isWritten || !second.isPadded || second.decimals > 0 else { return nil }
        case .commaAndBlank, .other: break
        }
        guard isEnd(afterWhole: !isWritten && first.decimals == 0 && second.decimals == 0) else { return nil }
        isPrecise = first.isMarked || first.decimals >= 3
        return Self.coordinate(first, second)
    }

    private static func coordinate(_ first: Angle, _ second: Angle) -> Coordinate? {
        switch (first.direction, second.direction) {
        case (nil, nil), (.north, .east):
            Coordinate(degreesNorth: first.degrees, degreesEast: second.degrees)
        case (.north, .west): Coordinate(degreesNorth: first.degrees, degreesEast: -second.degrees)
        case (.south, .east): Coordinate(degreesNorth: -first.degrees, degreesEast: second.degrees)
        case (.south, .west): Coordinate(degreesNorth: -first.degrees, degreesEast: -second.degrees)
        case (.east, .north), (.east, .south), (.west, .north), (.west, .south): coordinate(second, first)
        default: nil
        }
    }

    /// Whether the place may end here: in front of nothing, a label, or a blank. A third number belongs to it.
    /// - Parameter isWhole: whether the numbers have no decimals; then the blank is not enough.
    private func isEnd(afterWhole isWhole: Bool) -> Bool {
        var rest = signs[next...]
        guard let first = rest.first else { return true }
        let hasComma = [",", ";"].contains(signs[next...].first { $0 != " " })
        guard first == " " || hasComma, !isWhole || hasComma || rest.allSatisfy({ $0 == " " }) else { return false }
        rest = rest.drop { " ,;".contains($0) }
        let word = rest.prefix { !" ,;".contains($0) }
        // An angle may have a direction: `30'E`; `2'nci` is a label.
        let plain = word.filter { !$0.isLetter }
        let isNumber = plain.contains { $0.isNumber } && plain.allSatisfy { $0.isNumber || "+-.°'\"".contains($0) }
        let isAngle = isNumber && word.count - plain.count <= 1 && plain.contains { "'\"".contains($0) }
        guard !isAngle, !word.contains("°") else { return false }
        guard isNumber, plain.count == word.count else { return true }
        // `41,5 28 Gate`, `41.0,28.9,35`
        return !isWhole && !hasComma && rest.contains { $0.isLetter }
    }

    private enum Separator { case comma, commaAndBlank, blank, other }

    private mutating func separator() -> Separator? {
        let hasBlank = skipBlanks()
        if take(",") { return skipBlanks() ? .commaAndBlank : isDecimalComma ? nil : .comma }
        if take(";") {
            skipBlanks()
            return .other
        }
        return hasBlank || signs[..<next].last.map { !$0.isNumber } ?? false ? .blank : nil
    }

    // MARK: - An angle

    private mutating func angle() -> Angle? {
        skipBlanks()
        var direction = takeDirection()
        if direction != nil { skipBlanks() }
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let whole = number() else { return nil }
        var angle = Angle(
            degrees: whole.value, decimals: whole.decimals, direction: nil, isPadded: whole.isPadded)
        if takeAfterBlanks("°") {
            angle.isMarked = true
            angle.isValid = sexagesimal(into: &angle)
        }
        if direction == nil {
            let start = next
            skipBlanks()
            direction = takeDirection() ?? (angle.isMarked ? takeTurkishDirection() : nil)
            if direction == nil { next = start }
        }
        // `E 5, N 3` names other things as well.
        guard direction == nil || angle.isMarked || angle.decimals > 0 else { return nil }
        if direction != nil, isNegative { angle.isValid = false }
        angle.direction = direction
        if isNegative { angle.degrees = -angle.degrees }
        return angle
    }

    /// Minutes and seconds behind the degrees, which then are whole.
    private mutating func sexagesimal(into angle: inout Angle) -> Bool {
        var divisor = 60.0
        for mark: Character in ["'", "\""] {
            let start = next
            skipBlanks()
            guard let part = number() else {
                next = start
                return true
            }
            guard takeAfterBlanks(mark) || (mark == "\"" && takeAfterBlanks("'") && take("'")) else {
                // The second angle.
                next = start
                return true
            }
            guard angle.decimals == 0, part.value < 60 else { return false }
            angle.degrees += part.value / divisor
            angle.decimals = part.decimals
            divisor *= 60
        }
        return true
    }

    /// Digits, and perhaps a point or a comma with digits.
    private mutating func number() -> (value: Double, decimals: Int, isPadded: Bool)? {
        let start = next
        while next < signs.count, signs[next].isNumber { next += 1 }
        let whole = next - start
        guard (1...3).contains(whole) || (whole == 4 && signs[start] == "0") else {
            next = start
            return nil
        }
        var decimals = 0
        if next < signs.count, signs[next] == "." || (isDecimalComma && signs[next] == ",") {
            let point = next
            next += 1
            while next < signs.count, signs[next].isNumber { next += 1 }
            decimals = next - point - 1
            if decimals == 0 { next = point }
        }
        let text = String(signs[start..<next].map { $0 == "," ? "." : $0 })
        return decimals <= 30 ? Double(text).map { ($0, decimals, whole > 1 && signs[start] == "0") } : nil
    }

    /// N, S, E and W. O is west in Spanish and east in German, so that it is none.
    private mutating func takeDirection() -> Direction? {
        takeLetter(["n": .north, "s": .south, "e": .east, "w": .west])
    }

    /// Behind degrees alone: such letters name gates and blocks as well.
    private mutating func takeTurkishDirection() -> Direction? {
        takeLetter(["k": .north, "g": .south, "d": .east, "b": .west])
    }

    private mutating func takeLetter(_ directions: [String: Direction]) -> Direction? {
        guard next < signs.count, next + 1 >= signs.count || !signs[next + 1].isLetter,
            let direction = directions[signs[next].lowercased()]
        else { return nil }
        next += 1
        return direction
    }

    // MARK: - Signs

    /// The sign that closes the parenthesis.
    private mutating func takeOpening() -> Character? {
        skipBlanks()
        return take("(") ? ")" : take("[") ? "]" : nil
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = next
        while next < signs.count, signs[next] == " " { next += 1 }
        return next > start
    }

    private mutating func take(_ sign: Character) -> Bool {
        guard next < signs.count, signs[next] == sign else { return false }
        next += 1
        return true
    }

    private mutating func takeAfterBlanks(_ sign: Character) -> Bool {
        let start = next
        skipBlanks()
        if take(sign) { return true }
        next = start
        return false
    }

    private static func plain(_ sign: Character) -> Character {
        if let digit = sign.wholeNumberValue, (0...9).contains(digit), !sign.isLetter {
            return Character("\(digit)")
        }
        if sign.isWhitespace { return " " }
        switch sign {
        case "−", "‐", "‑", "‒", "–", "－", "﹣": return "-"
        case "＋": return "+"
        case "．", "٫": return "."
        case "，", "،", "、": return ","
        case "；", "؛": return ";"
        case "º", "˚", "∘": return "°"
        case "′", "’", "‘", "ʹ", "´", "`": return "'"
        case "″", "”", "“", "ʺ", "„": return "\""
        case "（": return "("
        case "）": return ")"
        default: return sign
        }
    }
}
