import TourJSON
import TourModel

/// A type that is read from JSON. It is not `Decodable`: for each type that a command decodes, the runtime would search
/// all conformances of the program, some 80 microseconds each, at every start.
package protocol JSONReadable: Sendable {
    /// Reads a value; members that the type does not know are ignored.
    static func read(_ json: JSON) throws(ContractError) -> Self
    /// The value of a member that is absent; nil: the member is required.
    static var absent: Self? { get }
}

extension JSONReadable {
    package static var absent: Self? { nil }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    package static func read(_ json: JSON) throws(ContractError) -> Wrapped? {
        if case .null = json { return nil }
        return try Wrapped.read(json)
    }

    package static var absent: Wrapped?? { .some(nil) }
}

/// A type that is read from a JSON object.
package protocol JSONObject: JSONReadable {
    init(_ members: Members) throws(ContractError)
}

extension JSONObject {
    package static func read(_ json: JSON) throws(ContractError) -> Self { try Self(Members(json)) }
}

extension String: JSONReadable {
    package static func read(_ json: JSON) throws(ContractError) -> String {
        guard let value = json.text else { throw ContractError() }
        return value
    }
}

extension Bool: JSONReadable {
    package static func read(_ json: JSON) throws(ContractError) -> Bool {
        guard let value = json.flag else { throw ContractError() }
        return value
    }
}

extension Double: JSONReadable {
    package static func read(_ json: JSON) throws(ContractError) -> Double {
        guard let value = json.real else { throw ContractError() }
        return value
    }
}

extension JSONReadable where Self: FixedWidthInteger {
    package static func read(_ json: JSON) throws(ContractError) -> Self {
        guard case .number(let text) = json, let value = Self(text) else { throw ContractError() }
        return value
    }
}

extension Int: JSONReadable {}
extension Int64: JSONReadable {}
extension UInt32: JSONReadable {}
extension UInt64: JSONReadable {}

extension JSONReadable where Self: RawRepresentable, RawValue == String {
    package static func read(_ json: JSON) throws(ContractError) -> Self {
        guard let value = json.text.flatMap(Self.init) else { throw ContractError() }
        return value
    }
}

extension MessageStatus: JSONReadable {}

extension Array: JSONReadable where Element: JSONReadable {
    package static func read(_ json: JSON) throws(ContractError) -> [Element] {
        guard let values = json.list else { throw ContractError() }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do { elements.append(try Element.read(value)) } catch { throw error.inside("[\(index)]") }
        }
        return elements
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    package static func read(_ json: JSON) throws(ContractError) -> [String: Value] {
        guard case .object(let members) = json else { throw ContractError() }
        var values: [String: Value] = [:]
        for member in members {
            do { values[member.name] = try Value.read(member.value) } catch { throw error.inside(member.name) }
        }
        return values
    }
}
