import Testing
import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourNode
import TourWire

/// Goal: people are told who went, by whom, and what of their own acts does not count any more, once.
/// Method: rosters of a small tour before and after an event, seen by each of its members.
@Suite struct RosterNewsTests {
    private static let wall: Int64 = 1_767_225_600_000
    private static let names = ["Guide", "Anna", "Ben", "Carla"]

    /// A tour with its creator and three members, Anna a guide.
    private struct Tour {
        let keys = RosterNewsTests.names.map { _ in MemberKeys.random() }
        var authors: [Author] = []
        var group: TourGroup
        let epoch: EpochKey

        init() {
            let founding = Founding(
                keys: keys[0], epochKey: EpochKey.randomKey(), fullHistory: true,
                salt: [UInt8](repeating: 1, count: 16), wallMilliseconds: RosterNewsTests.wall)
            group = founding.group
            epoch = founding.epoch
            let tour = founding.group.tour
            authors = [founding.author]
            for member in keys.dropFirst() {
                let tail = Author.Tail(sequence: 0, id: .none)
                authors.append(Author(identity: member.identity, tour: tour, tail: tail, clock: .zero))
            }
            let secret = InviteSecret.random()
            write(group.inviteBody(secret, uses: 0, expiresAt: nil, under: epoch), by: 0)
            for member in keys.dropFirst() {
                let request = JoinRequest.signed(
                    identity: member.identity, linkKey: member.link.publicKey, wrappingKey: member.wrapping.publicKey,
                    invite: secret.invitePair, tour: tour, handshakeHash: [UInt8](repeating: 3, count: 64))
                write(.admit(request), by: 0)
            }
            give(.guide, to: 1, after: 0)
        }

        func id(_ number: Int) -> MemberID { keys[number].memberID }

        mutating func write(_ body: ControlBody, by number: Int) {
            let event = authors[number].write(body, wallMilliseconds: RosterNewsTests.wall)
            _ = group.add(controls: [event.bytes])
        }

        mutating func remove(_ target: Int, by number: Int) {
            let log = KnownLog(tail: authors[target].tail, controls: [])
            write(group.removeBody(id(target), log: log), by: number)
        }

        /// The creator gives a rank, and has seen a log up to a place.
        mutating func give(_ rank: Rank, to target: Int, after place: UInt64) {
            let log = KnownLog(tail: .init(sequence: place, id: .none), controls: [])
            write(group.roleBody(id(target), rank, log: log), by: 0)
        }

        func news(for number: Int) -> RosterNews {
            let called = Dictionary(uniqueKeysWithValues: zip(keys.map(\.memberID), RosterNewsTests.names))
            return RosterNews(group: group, own: id(number), tourName: "Walk", state: .active) { called[$0] ?? "?" }
        }
    }

    @Test func aRemovalIsToldToAll() {
        var tour = Tour()
        let old = tour.group.roster
        tour.remove(2, by: 1)
        let others = tour.news(for: 3).notes(since: old)
        #expect(others.map(\.kind) == [.removed] && others.map(\.isOwn) == [false])
        #expect(others.first?.change == .removed("Ben", by: "Anna"))
        #expect(tour.news(for: 1).notes(since: old).first?.change == .removedByUs("Ben"))
        let own = tour.news(for: 2).notes(since: old)
        #expect(own.map(\.kind) == [.removed] && own.map(\.isOwn) == [true])
        #expect(own.first?.change == .ownRemoval("Walk", by: "Anna"))
        #expect(tour.news(for: 3).notes(since: tour.group.roster).isEmpty)
    }

    @Test func leavingRolesAndTheEndAreTold() {
        var tour = Tour()
        let old = tour.group.roster
        tour.write(.leave, by: 3)
        tour.give(.admin, to: 2, after: 0)
        tour.write(.close, by: 0)
        let changes = Set(tour.news(for: 1).notes(since: old).map(\.change))
        #expect(changes == [.left("Carla"), .role("Ben", .rank(.admin)), .closed("Walk")])
        #expect(tour.news(for: 2).notes(since: old).contains { $0.isOwn && $0.change == .ownRole(.rank(.admin)) })
        #expect(tour.news(for: 1).arrivals(since: old).isEmpty)
    }

    @Test func anActThatADemotionUndoesIsTold() throws {
        var tour = Tour()
        let place = tour.authors[1].tail.sequence
        tour.remove(2, by: 1)
        let old = tour.group.roster
        #expect(tour.news(for: 1).voidedActs(wallMilliseconds: Self.wall).isEmpty)
        // The creator had not seen the removal.
        tour.give(.member, to: 1, after: place)
        #expect(tour.news(for: 1).voidedActs(wallMilliseconds: Self.wall) == [.removal("Ben")])
        #expect(tour.news(for: 1).notes(since: old).contains { $0.kind == .back && $0.change == .back("Ben") })
        #expect(tour.news(for: 2).notes(since: old).contains { $0.kind == .back && $0.isOwn })
        // Of old ones nobody is reminded.
        #expect(tour.news(for: 1).voidedActs(wallMilliseconds: Self.wall + 100_000_000).isEmpty)
        #expect(tour.news(for: 0).voidedActs(wallMilliseconds: Self.wall).isEmpty)
    }
}
