import Synchronization
import Testing
import TourCrypto
import TourGroup
import TourMailbox
import TourModel

/// Goal: a server's archive gets the keys that a member may have, from whoever syncs, and nobody else does.
/// Method: real HTTP to a double written from the chapter.
struct ArchiveTests {
    private static let archive: UInt8 = 9

    private static func tour(isIn: Bool) -> TestTour {
        var tour = TestTour(members: 2)
        if isIn { tour.admitArchive(archive) }
        return tour
    }

    private static func server(_ tour: TestTour, wants: [EpochID]) -> MiniMailbox {
        let mailbox = MiniMailbox(tour)
        mailbox.state.withLock {
            $0.archive = TestTour.keys(archive)
            $0.wants = wants
        }
        return mailbox
    }

    @Test func archiveIsHandedWhatItLacks() async throws {
        let tour = Self.tour(isIn: true)
        let epoch = tour.founding.epoch
        let bench = try await Bench(Self.server(tour, wants: [epoch.id, EpochID(raw: tour.tour.raw)]))
        let peer = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        #expect(bench.mailbox.state.withLock { $0.handed } == [epoch.id: epoch.key])
        // Nothing to hand over is nothing to say.
        bench.mailbox.state.withLock { $0.wants = [] }
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        #expect(bench.mailbox.asked("archive/keys").count == 1)
        await bench.end()
    }

    @Test func nobodyButAnArchiveThatIsInGetsKeys() async throws {
        var removed = Self.tour(isIn: true)
        removed.remove(Self.archive)
        for tour in [Self.tour(isIn: false), removed] {
            let bench = try await Bench(Self.server(tour, wants: [tour.founding.epoch.id]))
            let peer = TestPeer(tour, as: 2, logs: tour.logs)
            #expect(await bench.sync(tour, peer, as: 2).problem == nil)
            #expect(bench.mailbox.asked("archive").isEmpty && bench.mailbox.state.withLock { $0.handed.isEmpty })
            await bench.end()
        }
    }

    @Test func anotherServersArchiveIsNoneOfThisOnes() async throws {
        let tour = Self.tour(isIn: true)
        let bench = try await Bench(MiniMailbox(tour))
        let peer = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil, "it says that it has none")
        #expect(bench.mailbox.asked("archive/keys").isEmpty)
        await bench.end()
    }

    @Test func offerIsForOurInviteAndSigned() async throws {
        let tour = Self.tour(isIn: false)
        let bench = try await Bench(Self.server(tour, wants: []))
        let mailbox = Mailbox(client: bench.client, pass: TestTour.pass(2, of: tour.tour))
        let peer = TestPeer(tour, as: 2, logs: tour.logs)
        #expect(await bench.sync(tour, peer, as: 2).problem == nil)
        let invite = InviteSecret.random().invitePair
        let request = try await mailbox.offerArchive(under: invite)
        #expect(request.isArchive(of: tour.tour) && request.isSigned(tour: tour.tour))
        #expect(request.invite == invite.publicKey)
        #expect(MemberID(identity: request.identity) == TestTour.id(Self.archive))
        bench.mailbox.plan(
            .init(
                path: "archive",
                reaction: .json(
                    200,
                    #"{"memberId":"","identity":"\#(request.identity.hex)","link":"\#(request.linkKey.hex)","#
                        + #""wrapping":"\#(request.wrappingKey.hex)","signature":"AAAA"}"#)))
        await #expect(throws: APIError.decoding) { try await mailbox.offerArchive(under: invite) }
        await bench.end()
    }
}
