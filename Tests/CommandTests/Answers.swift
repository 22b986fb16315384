import TourAPI
import TourJSON

/// An answer of the node that says no more than a test is about: required members that are missing get a value.
func answered<Answer: JSONReadable>(_: Answer.Type, _ said: JSON) throws(ContractError) -> Answer {
    try answered(said)
}

/// The same where the type is known from what is done with it.
func answered<Answer: JSONReadable>(_ said: JSON) throws(ContractError) -> Answer {
    let values: [JSON] = [
        "", 0, false, .list([]), .object([]), "sent", "active", "here", "known", "off", "progress", "guide",
    ]
    var (json, tried) = (said, [String: Int]())
    while true {
        do throws(ContractError) { return try Answer.read(json) } catch {
            let next = tried[error.member].map { $0 + 1 } ?? 0
            guard error.problem == .missing || tried[error.member] != nil, next < values.count else { throw error }
            tried[error.member] = next
            json = json.setting(error.member.split { ".[]".contains($0) }.map { String($0) }[...], values[next])
        }
    }
}

extension JSON {
    /// With that value at a path of names and indices.
    fileprivate func setting(_ path: ArraySlice<String>, _ value: JSON) -> JSON {
        guard let name = path.first else { return value }
        switch self {
        case .list(var values):
            guard let index = Int(name), values.indices.contains(index) else { return self }
            values[index] = values[index].setting(path.dropFirst(), value)
            return .list(values)
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name == name }) else {
                return .object(members + [JSONMember(name: name, value: value)])
            }
            members[index].value = members[index].value.setting(path.dropFirst(), value)
            return .object(members)
        default: return self
        }
    }
}
