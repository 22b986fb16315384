/// A request or an answer is not what the contract says. Contract: `Protocol/Schema/local-api.yaml`.
package struct ContractError: Error, Hashable {
    /// The fault of the member.
    package enum Problem: Hashable, Sendable {
        /// It is required, and absent.
        case missing
        /// It has another type, or a value out of its range.
        case mistyped
    }

    /// The path to the member, such as `people.reachable` or `members[2].id`; empty: the whole value.
    package private(set) var member: String
    /// The fault.
    package let problem: Problem

    package init(_ member: String = "", _ problem: Problem = .mistyped) {
        self.member = member
        self.problem = problem
    }

    /// The same error, seen from the value that has the member's parent under this name.
    func inside(_ parent: String) -> ContractError {
        var outer = self
        outer.member = member.isEmpty || member.hasPrefix("[") ? parent + member : "\(parent).\(member)"
        return outer
    }
}
