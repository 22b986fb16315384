import TourJSON
import TourModel
import TourPresentation
import TourWords

/// An organisation as the local API has it, and how the user names it, its members and its tours.
package struct OrganisationAnswer: Hashable, Sendable {
    /// Its number at the server.
    package let number: Int
    /// Safe for a terminal.
    package let shown: String
    /// As the server has it.
    private let name: String
    /// The number of the invitation, for an account that is no member.
    package let invitation: Int?
    var isInvited: Bool { invitation != nil }

    /// - Returns: nil for what is no organisation.
    package init?(_ answer: JSON) {
        guard let number = answer["id"]?.integer, let name = answer["name"]?.text else { return nil }
        self.number = number
        self.name = name
        shown = TerminalText.safe(name)
        invitation = answer["invitation"]?.integer
    }

    /// The organisation with this number or name.
    /// - Parameter named: nil: the only one.
    package static func named(
        _ named: String?, among all: [OrganisationAnswer]
    ) throws(CommandFailure) -> OrganisationAnswer {
        let numbered = all.filter { String($0.number) == named }
        let found = numbered.isEmpty ? all.filter { named == nil || $0.name == named } : numbered
        guard let first = found.first else {
            throw CommandFailure(
                code: "organisation-unknown",
                message: named.map { Phrase("There is no organisation \($0) for this.") }
                    ?? Phrase("There is no organisation for this."), advice: .nameOrganisation)
        }
        // Several invitations of one organisation are as good as one.
        guard Set(found.map(\.number)).count == 1 else {
            let numbers = Phrase(list: found.map { "\($0.shown) (\($0.number))" })
            throw CommandFailure(
                code: "ambiguous",
                message: Phrase("Name one organisation by its number, with --organisation: \(numbers)"))
        }
        return first
    }

    /// The member with this number of an account, or with this address or phone, which admins see.
    package static func member(_ named: String, among members: [JSON]) throws(CommandFailure) -> JSON {
        let found = members.first { member in
            member.shown("account") == named || member["email"]?.text?.lowercased() == named.lowercased()
                || member["phone"]?.text == named
        }
        guard let found else {
            throw CommandFailure(
                code: "unknown-member", message: Phrase("The organisation has no member \(named)."),
                advice: .nameOrganisationMember)
        }
        return found
    }

    /// The tour with this name, or with an id that begins so.
    /// - Parameters:
    ///   - tours: of the organisation.
    ///   - names: the names of this node's tours, by their ids: the server may know none.
    package static func tour(
        _ named: String, among tours: [JSON], names: [String: String]
    ) throws(CommandFailure) -> JSON {
        let prefix = IDArgument(named)?.text
        // A tour may have no name here.
        let found = tours.filter { tour in
            let id = tour.shown("id")
            let isNamed = !named.isEmpty && (tour.shown("name") == named || names[id] == named)
            return isNamed || prefix.map { id.hasPrefix($0) } ?? false
        }
        guard let first = found.first else {
            throw CommandFailure(code: "unknown-tour", message: Phrase("The organisation has no tour \(named)."))
        }
        guard found.count == 1 else {
            throw CommandFailure(
                code: "ambiguous", message: Phrase("Several tours are meant by \(named): name one by its id."))
        }
        return first
    }

    /// How a member is called: by address or phone where that is told, else by the number of the account.
    package static func shown(_ member: JSON) -> String {
        TerminalText.safe(member["email"]?.text ?? member["phone"]?.text ?? member.shown("account"))
    }
}
