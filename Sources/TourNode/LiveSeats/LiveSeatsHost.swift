import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

/// What surrounds the seats of a running node.
// Used on the node's loop alone.
struct LiveSeatsHost: SeatsHost {
    let node: TourNode

    var now: Instant { NodeClock.now }
    var wallMicroseconds: Int64 { NodeClock.wallMicroseconds }
    var addresses: [String] { node.assumeIsolated { $0.ownAddresses() } }

    func announce(_ name: String?) {
        node.assumeIsolated { node in
            guard node.guestsName != name else { return }
            node.guestsName = name
            node.advertise()
        }
    }

    func tour(named name: String?) throws -> TourID { try node.assumeIsolated { try $0.session(name).tour } }

    func member(named name: String, in tour: TourID) throws -> MemberID {
        try node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { throw NodeError.notActive }
            return try node.member(name, in: session).id
        }
    }

    func remover(of member: MemberID, in tour: TourID) -> String? {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return nil }
            return session.group.remover(of: member).map { session.view(node.store).name(of: $0) }
        }
    }

    func facts(of tour: TourID) -> SeatFacts? {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return nil }
            return SeatFacts(
                own: session.own, ownName: session.names[session.own] ?? node.name, tourName: session.record.name,
                isActive: session.isActive, roster: session.group.roster, book: session.seatBook,
                names: session.names, wallMilliseconds: session.wallMilliseconds, clock: session.machine.clock)
        }
    }

    func setting(_ name: String) -> [UInt8]? { try? node.store.setting(name) }

    func setSetting(_ name: String, _ value: [UInt8]?) throws {
        do { try node.store.setSetting(name, value: value) } catch { throw NodeError.store(error) }
    }

    func key(of epoch: EpochID, in tour: TourID) -> EpochKey? {
        node.assumeIsolated { $0.sessions[tour]?.group.keyring.key(of: epoch) }
    }

    func sendingEpoch(in tour: TourID) -> EpochID? {
        node.assumeIsolated { $0.sessions[tour]?.group.keyring.sending?.id }
    }

    func sealingKey(in tour: TourID) async throws -> EpochKey { try await node.sealingEpoch(in: tour) }

    func write(_ body: ControlBody, in tour: TourID) async throws { try await node.write(control: body, in: tour) }

    func write(_ content: Content, in tour: TourID) async throws { try await node.write(content: content, in: tour) }

    func endLicences(of member: MemberID, in tour: TourID) async throws {
        try await node.endLicences(of: member, in: tour)
    }

    func removeGuests(since milliseconds: Int64, from tour: TourID) async throws {
        try await node.removeGuests(since: milliseconds, from: tour)
    }

    func beginEpoch(for newcomer: MemberID, in tour: TourID) async { await node.beginEpoch(for: newcomer, in: tour) }

    func tail(of member: MemberID, in tour: TourID) -> Author.Tail? {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour],
                let end = SeatClaims.storedEnd(of: member, in: session.gossip)
            else { return nil }
            return Author.Tail(sequence: end.sequence, id: end.id)
        }
    }

    func event(_ tour: TourID, of member: MemberID, at sequence: UInt64) -> Event? {
        (try? node.store.event(tour, author: member, sequence: sequence))?.event
    }

    func hasRoom(for event: Event, in tour: TourID) -> Bool {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return false }
            var size = session.gossip.logSize(of: event.header.author)
            return size.add([event][...], within: .ofTour) == 1
        }
    }

    func deliver(_ run: Run, in tour: TourID) {
        node.assumeIsolated { node in
            if let session = node.sessions[tour] { node.feed(session, .fetched(run)) }
        }
    }

    func claim(_ blob: BlobID, for event: EventID, in tour: TourID) throws {
        do { try node.store.claimBlob(blob, of: tour, for: event) } catch { throw NodeError.store(error) }
    }

    func rowFacts(of member: MemberID, has: Frontier, read: LogicalClock, in tour: TourID) -> SeatRows.Facts? {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return nil }
            let claims = SeatClaims(of: member, has: has, in: session.gossip, NodeClock.now)
            return SeatRows.Facts(
                has: has, known: claims.known, stated: claims.stated, settled: claims.settled, counter: claims.counter,
                read: read,
                members: session.group.roster.people.count)
        }
    }

    func stated(by member: MemberID, of author: MemberID, in tour: TourID) -> UInt64 {
        node.assumeIsolated { node in
            guard let session = node.sessions[tour] else { return 0 }
            return SeatClaims.stated(by: member, in: session.gossip)[author.prefix] ?? 0
        }
    }

    func publish(_ claim: VerifiedClaim, in tour: TourID) {
        node.assumeIsolated { node in
            if let session = node.sessions[tour] { node.feed(session, .claims(.mailbox, [claim])) }
        }
    }

    func frontier(of tour: TourID) -> Frontier {
        node.assumeIsolated { $0.sessions[tour]?.gossip.stored ?? Frontier() }
    }

    // MARK: - What guests see

    func place(of id: String, as member: MemberID, in tour: TourID) -> UInt64? {
        guard let header = (try? view(as: member, in: tour)?.event(idPrefix: id))?.event.header else { return nil }
        return header.author == member ? header.sequence : nil
    }

    func view(as member: MemberID, in tour: TourID) -> TourView? {
        node.assumeIsolated { node in node.sessions[tour]?.view(node.store, as: member) }
    }

    func receipts(_ id: String, in tour: TourID) async throws -> MessageReceipts {
        try await node.receipts(id, in: tour.hex)
    }

    func follow(_ tour: TourID, as member: MemberID) throws -> FollowerID {
        try node.assumeIsolated { try $0.follow(tour.hex, as: member, quietMax: .seconds(10)).0 }
    }

    func news(for follower: FollowerID) async -> News? { await node.news(for: follower) }

    func hasNews(_ follower: FollowerID) -> Bool { node.assumeIsolated { $0.followers[follower]?.hasNews == true } }

    func advance(_ follower: FollowerID, through row: Int64) {
        node.assumeIsolated { $0.advance(follower, through: row) }
    }

    func endFollower(_ follower: FollowerID) { node.assumeIsolated { $0.endFollower(follower) } }

    func picture(for member: MemberID, in tour: TourID) throws -> SeatPicture {
        try node.assumeIsolated { node in try SeatPicture(of: member, in: node.session(tour.hex), node) }
    }

    func programme(of tour: TourID) async -> GuestProgramme? {
        guard let shared = try? await node.sharedRecords(tour.hex),
            let newest = shared.filter({ $0.type == "itinerary" }).max(by: { $0.publishedAt < $1.publishedAt }),
            let record = try? await node.sharedRecord(newest.record, changes: false, in: tour.hex)
        else { return nil }
        return GuestProgramme(
            title: newest.title,
            stops: record.stops.map { stop in
                GuestProgramme.Stop(
                    name: stop.title, at: stop.at, note: stop.note, latitude: stop.latitude,
                    longitude: stop.longitude)
            })
    }

    func content(of act: SeatAct, by member: MemberID, in tour: TourID) throws -> SeatContent {
        try node.assumeIsolated { node in
            try SeatContent(act, by: member, node.session(tour.hex), node.store)
        }
    }

    func picture(
        _ path: String, caption: String, replyTo: String?, by member: MemberID, in tour: TourID
    ) async throws -> SeatContent {
        let draft = FileDraft(path: path, caption: caption, isImage: true, replyTo: replyTo, name: "picture.jpg")
        let file = try await node.picture(draft, by: member, in: tour)
        return .content(.image(file), BlobID(size: file.shape.size, pageHashes: file.pageHashes))
    }
}
