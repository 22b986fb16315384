import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourNotebook
import TourWords

/// A place that is known already: a stop, a saved place, or a member's position.
struct KnownPlaceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("Meet at this stop of an itinerary: its id, six or more digits of it, or its title."),
            valueName: "stop"))
    var stop: String?
    @Option(
        name: .customLong("place"),
        help: ArgumentHelp(
            Phrase("Meet at this saved place: its id, six or more digits of it, or its title."), valueName: "place"))
    var saved: String?
    @Option(
        help: ArgumentHelp(
            Phrase("Meet where this member is, or was last: a name, or digits of an id."), valueName: "member"))
    var member: String?

    var isGiven: Bool { stop != nil || saved != nil || member != nil }
    var isStop: Bool { stop != nil }

    func validate() throws {
        guard [stop, saved, member].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError(Phrase("Only one of --stop, --place and --member."))
        }
    }

    /// The place's name, and where it is.
    /// - Parameter member: asks the node which member a name means.
    /// - Returns: nil for a stop, which the node finds itself, and without such an option. A saved place may have no
    ///   coordinates.
    /// - Throws: `no-place` for a member without a shared position.
    func find(
        _ client: LocalClient, member resolve: (String) async throws -> MemberSummary
    ) async throws -> (title: String, place: Coordinate?)? {
        if let saved {
            let item = try await client.call(.GET, NotebookPath.item(.place, saved))
            return (item.title, item["url"]?.text.flatMap { GeoAddress($0)?.coordinate })
        }
        guard let member else { return nil }
        let found = try await resolve(member)
        guard let position = found.position else {
            throw CommandFailure(
                code: "no-place",
                message: Phrase("\(TerminalText.safe(found.name)) has not shared a place with the tour."))
        }
        return (found.name, position.place)
    }
}
