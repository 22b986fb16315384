import TourJSON

/// The members of a JSON object, read by their types.
package struct Members {
    private let object: JSON

    /// - Throws: for another value than an object.
    package init(_ json: JSON) throws(ContractError) {
        guard case .object = json else { throw ContractError() }
        object = json
    }

    /// The member of that name; an optional one may also be null or absent.
    package subscript<Value: JSONReadable>(_ name: String) -> Value {
        get throws(ContractError) {
            guard let json = object[name] else {
                guard let absent = Value.absent else { throw ContractError(name, .missing) }
                return absent
            }
            do { return try Value.read(json) } catch { throw error.inside(name) }
        }
    }

    /// Whether there is a member of that name, null apart.
    package func has(_ name: String) -> Bool { object[name].map { $0 != .null } ?? false }

    /// A value whose members stand among these.
    package func among<Value: JSONReadable>() throws(ContractError) -> Value { try Value.read(object) }
}

extension Members: JSONReadable {
    package static func read(_ json: JSON) throws(ContractError) -> Members { try Members(json) }
}
