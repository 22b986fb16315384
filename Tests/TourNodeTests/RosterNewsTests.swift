import Testing
import TourCrypto
import TourGroup
import TourModel
import TourNode
import TourWire
import TourWords

/// Goal: people are told who went, by whom, and what of their own acts does not count any more, once and in words.
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
        #expect(others.map(\.kind) == [.removed] && others.map(\.me) == [false])
        #expect(others.first?.text.english == "Ben was removed by Anna.")
        #expect(tour.news(for: 1).notes(since: old).first?.text.english == "Ben was removed by you.")
        let own = tour.news(for: 2).notes(since: old)
        #expect(own.map(\.kind) == [.removed] && own.map(\.me) == [true])
        #expect(own.first?.text.english == "You were removed from “Walk” by Anna. Ask a guide for a new code.")
        #expect(tour.news(for: 3).notes(since: tour.group.roster).isEmpty)
    }

    @Test func leavingRolesAndTheEndAreTold() {
        var tour = Tour()
        let old = tour.group.roster
        tour.write(.leave, by: 3)
        tour.give(.admin, to: 2, after: 0)
        tour.write(.close, by: 0)
        let texts = Set(tour.news(for: 1).notes(since: old).map(\.text.english))
        #expect(
            texts == [
                "Carla has left.", "The role of Ben is admin now.", "“Walk” is closed: nothing can be written.",
            ])
        #expect(tour.news(for: 2).notes(since: old).contains { $0.me && $0.text.english == "Your role is admin now." })
        #expect(tour.news(for: 1).arrivals(since: old).isEmpty)
    }

    @Test func anActThatADemotionUndoesIsTold() throws {
        var tour = Tour()
        let place = tour.authors[1].tail.sequence
        tour.remove(2, by: 1)
        let old = tour.group.roster
        #expect(tour.news(for: 1).voidWords(wallMilliseconds: Self.wall).isEmpty)
        // The creator had not seen the removal.
        tour.give(.member, to: 1, after: place)
        let words = tour.news(for: 1).voidWords(wallMilliseconds: Self.wall)
        #expect(words.count == 1 && words.first?.english.hasPrefix("Your removal of Ben does not count") == true)
        #expect(
            tour.news(for: 1).notes(since: old).contains { $0.kind == .back && $0.text.english.hasPrefix("Ben is in") })
        #expect(tour.news(for: 2).notes(since: old).contains { $0.kind == .back && $0.me })
        // Of old ones nobody is reminded.
        #expect(tour.news(for: 1).voidWords(wallMilliseconds: Self.wall + 100_000_000).isEmpty)
        #expect(tour.news(for: 0).voidWords(wallMilliseconds: Self.wall).isEmpty)
    }
}
