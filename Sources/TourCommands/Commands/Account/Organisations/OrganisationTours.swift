import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// The tour that is shared, or to be shared.
struct SharedTourArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("The tour: its id, six or more digits of it, or its name.")))
    var tour: String
}

extension CommandInOrganisation {
    /// The names of this node's tours by their ids.
    fileprivate func ownNames(_ client: LocalClient) async throws -> [String: String] {
        let tours = try await client.call(.GET, LocalPath.make(["tours"]))["tours"]?.list ?? []
        return Dictionary(tours.map { ($0.shown("tourID"), $0.shown("name")) }) { first, _ in first }
    }

    fileprivate func tours(of organisation: OrganisationAnswer, _ client: LocalClient) async throws -> [JSON] {
        try await client.call(.GET, path(organisation, "tours"))["tours"]?.list ?? []
    }
}

/// `account organisation tours`
struct OrganisationTours: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "tours", abstract: Phrase("List the tours that are shared with the organisation.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let tours = try await tours(of: organisation, client)
        if output.json { return try tours.forEach(output.object) }
        if tours.isEmpty { return try output.text(Phrase("No tour is shared.")) }
        let names = try await ownNames(client)
        let members = try await client.call(.GET, path(organisation, "members"))["members"]?.list ?? []
        var table = Table([Phrase("ID"), Phrase("NAME"), Phrase("STATE"), Phrase("OWNER")])
        for tour in tours {
            let (id, name) = (tour.shown("id"), tour.shown("name"))
            let owner = members.first { $0.shown("account") == tour.shown("account") }
            table.add([
                .init(String(id.prefix(8)), .dim), .init(name.isEmpty ? names[id] ?? "" : name, .bold),
                .init(Self.state(of: tour)), .init(owner.map(OrganisationAnswer.shown) ?? tour.shown("account")),
            ])
        }
        try output.table(table)
    }

    private static func state(of tour: JSON) -> Phrase {
        if tour["planned"]?.flag == true { return Phrase("planned") }
        return TourStanding.word(tour["active"]?.flag == true ? .active : .closed)
    }
}

/// `account organisation share`
struct OrganisationShare: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: Phrase("Share a tour of yours: all members see its name, dates and members.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: SharedTourArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        // A plan is at the server alone, under its whole id.
        let isWhole = target.tour.utf8.count == 64 && IDArgument(target.tour) != nil
        let tour: JSON =
            try await isWhole
            ? ["tourID": .text(target.tour.lowercased()), "name": .text(target.tour)]
            : client.call(.GET, LocalPath.make(["tours", target.tour]))
        let answer = try await client.call(.PUT, path(organisation, "tours", tour.shown("tourID")))
        if output.json { return try output.object(answer) }
        let name = output.foreign(tour.shown("name"), .bold)
        try output.text(Phrase("\(name) is shared with \(organisation.shown)."))
    }
}

/// `account organisation unshare`
struct OrganisationUnshare: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "unshare", abstract: Phrase("Take a tour out, as an admin; it stays with its owner.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: SharedTourArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let tour = try OrganisationAnswer.tour(
            target.tour, among: try await tours(of: organisation, client), names: try await ownNames(client))
        let answer = try await client.call(.DELETE, path(organisation, "tours", tour.shown("id")))
        if output.json { return try output.object(answer) }
        let name = output.foreign(target.tour, .bold)
        try output.text(Phrase("\(name) is shared with \(organisation.shown) no more."))
    }
}

/// `account organisation handover`
struct OrganisationHandover: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "handover",
        abstract: Phrase("Make another member the owner of a shared tour: yours, or as an admin any.").text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: SharedTourArgument
    @OptionGroup var heir: OrganisationMemberArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let tour = try OrganisationAnswer.tour(
            target.tour, among: try await tours(of: organisation, client), names: try await ownNames(client))
        let member = try await member(heir.member, of: organisation, client)
        let number = member.shown("account")
        let answer = try await client.call(.PUT, path(organisation, "tours", tour.shown("id"), "owner", number))
        if output.json { return try output.object(answer) }
        let (name, owner) = (output.foreign(target.tour, .bold), OrganisationAnswer.shown(member))
        try output.text(Phrase("\(name) belongs to \(output.styled(owner, .bold)) now. Roles in the tour stay."))
    }
}
