import TourAPI
import TourModel
import TourPresentation
import TourWords

// How the user names an organisation, its members and its tours.
extension Organisation {
    /// The name, safe for a terminal.
    package var shown: String { TerminalText.safe(name) }

    /// The organisation with this number or name.
    /// - Parameter named: nil: the only one.
    package static func named(
        _ named: String?, among all: [Organisation]
    ) throws(CommandFailure) -> Organisation {
        let numbered = all.filter { String($0.id) == named }
        let found = numbered.isEmpty ? all.filter { named == nil || $0.name == named } : numbered
        guard let first = found.first else {
            throw CommandFailure(
                code: "organisation-unknown",
                message: named.map { Phrase("There is no organisation \($0) for this.") }
                    ?? Phrase("There is no organisation for this."), advice: .nameOrganisation)
        }
        // Several invitations of one organisation are as good as one.
        guard Set(found.map(\.id)).count == 1 else {
            let numbers = Phrase(list: found.map { "\($0.shown) (\($0.id))" })
            throw CommandFailure(
                code: "ambiguous",
                message: Phrase("Name one organisation by its number, with --organisation: \(numbers)"))
        }
        return first
    }
}

extension OrganisationMember {
    /// The member with this number of an account, or with this address or phone, which admins see.
    package static func named(
        _ named: String, among members: [OrganisationMember]
    ) throws(CommandFailure) -> OrganisationMember {
        let found = members.first { member in
            String(member.account) == named || member.email?.lowercased() == named.lowercased()
                || member.phone == named
        }
        guard let found else {
            throw CommandFailure(
                code: "unknown-member", message: Phrase("The organisation has no member \(named)."),
                advice: .nameOrganisationMember)
        }
        return found
    }

    /// How a member is called: by address or phone where that is told, else by the number of the account.
    package var shown: String { TerminalText.safe(email ?? phone ?? String(account)) }
}

extension OrganisationTour {
    /// The tour with this name, or with an id that begins so.
    /// - Parameters:
    ///   - tours: of the organisation.
    ///   - names: the names of this node's tours, by their ids: the server may know none.
    package static func named(
        _ named: String, among tours: [OrganisationTour], names: [String: String]
    ) throws(CommandFailure) -> OrganisationTour {
        let prefix = IDArgument(named)?.text
        // A tour may have no name here.
        let found = tours.filter { tour in
            let isNamed = !named.isEmpty && (tour.name == named || names[tour.id] == named)
            return isNamed || prefix.map { tour.id.hasPrefix($0) } ?? false
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
}
