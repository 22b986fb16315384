import ArgumentParser
import TourAPI
import TourWords

/// The tour that is shared, or to be shared.
struct SharedTourArgument: ParsableArguments {
    @Argument(help: ArgumentHelp(Phrase("The tour: its id, six or more digits of it, or its name.")))
    var tour: String
}

extension CommandInOrganisation {
    /// The names of this node's tours by their ids.
    fileprivate func ownNames(_ client: LocalClient) async throws -> [String: String] {
        let list: TourListing = try await client.ask(.GET, LocalPath.make(["tours"]))
        return Dictionary(list.tours.map { ($0.tourID, $0.name) }) { first, _ in first }
    }

    /// The shared tour that the user names.
    fileprivate func tour(
        _ named: String, of organisation: Organisation, _ client: LocalClient
    ) async throws -> OrganisationTour {
        let list: OrganisationTourList = try await client.ask(.GET, path(organisation, "tours"))
        return try OrganisationTour.named(named, among: list.tours, names: try await ownNames(client))
    }
}

/// `account organisation tours`
struct OrganisationTours: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "tours", abstract: Phrase("List the tours that are shared with the organisation."))

    @OptionGroup var choice: OrganisationOption

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let answer = try await client.call(.GET, path(organisation, "tours"))
        guard let list: OrganisationTourList = try output.forPeople(eachOf: answer) else { return }
        if list.tours.isEmpty { return try output.text(Phrase("No tour is shared.")) }
        let names = try await ownNames(client)
        let all: OrganisationMemberList = try await client.ask(.GET, path(organisation, "members"))
        try output.table(list.tours, [Phrase("ID"), Phrase("NAME"), Phrase("STATE"), Phrase("OWNER")]) { tour in
            let owner = all.members.first { $0.account == tour.account }?.shown
            return [
                .init(String(tour.id.prefix(8)), .dim),
                .init(tour.name.isEmpty ? names[tour.id] ?? "" : tour.name, .bold), .init(Self.state(of: tour)),
                .init(owner ?? tour.account.map { String($0) } ?? ""),
            ]
        }
    }

    private static func state(of tour: OrganisationTour) -> Phrase {
        tour.planned ? Phrase("planned") : TourStanding.word(tour.active ? .active : .closed)
    }
}

/// `account organisation share`
struct OrganisationShare: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: Phrase("Share a tour of yours: all members see its name, dates and members."))

    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: SharedTourArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        // A plan is at the server alone, under its whole id.
        let isWhole = target.tour.utf8.count == 64 && IDArgument(target.tour) != nil
        var (id, name) = (target.tour.lowercased(), target.tour)
        if !isWhole {
            let tour: TourDetails = try await client.ask(.GET, LocalPath.make(["tours", target.tour]))
            (id, name) = (tour.tourID, tour.name)
        }
        let answer = try await client.call(.PUT, path(organisation, "tours", id))
        try output.done(answer, Phrase("\(output.foreign(name, .bold)) is shared with \(organisation.shown)."))
    }
}

/// `account organisation unshare`
struct OrganisationUnshare: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "unshare", abstract: Phrase("Take a tour out, as an admin; it stays with its owner."))

    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: SharedTourArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let tour = try await tour(target.tour, of: organisation, client)
        let answer = try await client.call(.DELETE, path(organisation, "tours", tour.id))
        let name = output.foreign(target.tour, .bold)
        try output.done(answer, Phrase("\(name) is shared with \(organisation.shown) no more."))
    }
}

/// `account organisation handover`
struct OrganisationHandover: CommandInOrganisation {
    static let configuration = CommandConfiguration(
        commandName: "handover",
        abstract: Phrase("Make another member the owner of a shared tour: yours, or as an admin any."))

    @OptionGroup var choice: OrganisationOption
    @OptionGroup var target: SharedTourArgument
    @OptionGroup var heir: OrganisationMemberArgument

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let organisation = try await organisation(client)
        let tour = try await tour(target.tour, of: organisation, client)
        let member = try await member(heir.member, of: organisation, client)
        let number = String(member.account)
        let answer = try await client.call(.PUT, path(organisation, "tours", tour.id, "owner", number))
        let (name, owner) = (output.foreign(target.tour, .bold), output.styled(member.shown, .bold))
        try output.done(answer, Phrase("\(name) belongs to \(owner) now. Roles in the tour stay."))
    }
}
