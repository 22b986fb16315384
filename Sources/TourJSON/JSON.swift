/// A JSON value that keeps the order of its members and the text of its numbers, so that the node's answers are
/// passed on unchanged. Written here because Foundation's decoder costs more at start than a whole `send`.
package enum JSON: Hashable, Sendable {
    case null
    case flag(Bool)
    /// The number as written.
    case number(String)
    case text(String)
    case list([JSON])
    case object([JSONMember])
}

/// One `"name": value` of an object.
package struct JSONMember: Hashable, Sendable {
    package var name: String
    package var value: JSON

    package init(name: String, value: JSON) {
        self.name = name
        self.value = value
    }
}

extension JSON {
    /// The value of that member; nil also when this is no object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The string; nil for another kind.
    package var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    /// The number, if it is an integer in range.
    package var integer: Int? {
        guard case .number(let value) = self else { return nil }
        return Int(value)
    }

    /// The number.
    package var real: Double? {
        guard case .number(let value) = self else { return nil }
        return Double(value)
    }

    /// The boolean; nil for another kind.
    package var flag: Bool? {
        guard case .flag(let value) = self else { return nil }
        return value
    }

    /// The array; nil for another kind.
    package var list: [JSON]? {
        guard case .list(let value) = self else { return nil }
        return value
    }

    /// That member as text, or "": for display only.
    package func shown(_ name: String) -> String {
        switch self[name] {
        case .text(let value): value
        case .number(let value): value
        case .flag(let value): value ? "yes" : "no"
        default: ""
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { JSONMember(name: $0.0, value: $0.1) })
    }

    package init(arrayLiteral elements: JSON...) { self = .list(elements) }
}
