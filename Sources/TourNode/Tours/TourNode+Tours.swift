import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport
import TourWire

// Making tours, listing them, and what their members may do to them.
extension TourNode {
    /// A tour as lists show it.
    package struct TourSummary: Encodable, Sendable {
        package var tourID: String
        package var name: String
        package var role: String
        package var active: Bool
        package var state: TourState
        /// We rank as creator without being the one: named as successor.
        package var successor: Bool
        package var members: Int
        package var unread: Int
        package var latest: Bool
    }

    package struct CreatedTour: Encodable, Sendable {
        package var tourID: String
        package var name: String
        package var memberID: String
        package var joinCode: String
        package var link: String
    }

    package func createTour(name: String, fullHistory: Bool) async throws -> CreatedTour {
        let name = DisplayName.tidy(name)
        guard DisplayName.isAllowed(name) else { throw NodeError.badName }
        let keys = MemberKeys.random()
        let founding = Founding(
            keys: keys, epochKey: EpochKey.randomKey(), fullHistory: fullHistory, salt: Randomness.bytes(16),
            wallMilliseconds: NodeClock.wallMilliseconds)
        let session = try found(founding.group, keys, name: name)
        try await write(in: session) { author, wall in
            [author.write(Content.tourInfo(name: name), under: founding.epoch, wallMilliseconds: wall)]
        }
        announceName(in: session)
        let invite = try await createInvite(in: session, .standard)
        dialSoon()
        return CreatedTour(
            tourID: session.tour.hex, name: name, memberID: session.own.hex, joinCode: invite.joinCode,
            link: invite.link)
    }

    /// Stores a new tour with its genesis and opens it. A tour that we left is entered anew, with other keys: what is
    /// stored of it stays.
    func found(_ group: TourGroup, _ keys: MemberKeys, name: String) throws -> TourSession {
        let left = sessions[group.tour]
        var group = group
        // What was read before stays readable.
        for key in left?.group.keptKeys ?? [] { group.restore(key.id, key.key) }
        let genesis = group.genesisEvent
        let wall = NodeClock.wallMilliseconds
        let wrapping = WrappingKeys(admitted: keys.wrapping, wallMilliseconds: wall)
        let record = TourRecord(
            tour: group.tour, ownMember: keys.memberID,
            secrets: SessionSecrets(keys: keys, wrapping: wrapping, epochs: group.keptKeys).encoded,
            name: left?.record.name ?? name, usedAt: wall, readThrough: left?.record.readThrough ?? .zero)
        let controls =
            [(id: genesis.id, bytes: genesis.bytes)]
            + group.controls(missingFrom: []).compactMap { bytes in
                (try? RawEvent(decoding: bytes)).map { raw in
                    (EventCrypto.id(headerBytes: bytes[..<EventHeader.length], signature: raw.signature), bytes)
                }
            }
        do {
            // The record comes last: a start after a crash on the way finds no tour, rather than half of one.
            try store.addControlEvents(group.tour, controls, durable: true)
            if try store.event(group.tour, author: genesis.header.author, sequence: 1) == nil {
                _ = try store.append([(genesis, 0)], tour: group.tour, durable: true)
            }
            if let left { try keepFormerID(of: left) }
            try store.saveTour(record)
            let session = try Self.open(record, store)
            if let left { retire(left, for: session) }
            sessions[session.tour] = session
            if left != nil { findFiles(of: session) }
            choose(session)
            advertise()
            return session
        } catch {
            // Only what came in here goes; what was stored before stays as it was.
            if let left {
                try? store.saveTour(left.record)
            } else {
                try? store.removeTour(group.tour)
            }
            throw NodeError.store(error)
        }
    }

    /// Ends the links of a membership that is over. What is being verified and stored for it comes back to the new one.
    private func retire(_ left: TourSession, for session: TourSession) {
        for connection in left.connections.values { connection.close(saying: .closing) }
        left.endNameWait()
        left.endStandingWaits()
        left.endEpochs()
        session.verifying = left.verifying
        session.unstored = left.unstored
        session.isHoldingBack = left.isHoldingBack
    }

    package func tours() throws -> [TourSummary] {
        let latest = try? session(nil).tour
        return try sessions.values
            .sorted { ($0.record.usedAt, $0.tour) > ($1.record.usedAt, $1.tour) }
            .map { try summary(of: $0, latest: $0.tour == latest) }
    }

    package func tour(_ name: String?) throws -> TourSummary {
        let session = try session(name)
        return try summary(of: session, latest: session.tour == (try self.session(nil)).tour)
    }

    private func summary(of session: TourSession, latest: Bool) throws -> TourSummary {
        TourSummary(
            tourID: session.tour.hex, name: session.record.name, role: session.roleWord, active: session.isActive,
            state: session.state, successor: session.isSuccessor, members: session.group.roster.people.count,
            unread: try unread(in: session), latest: latest)
    }

    func unread(in session: TourSession) throws -> Int {
        let roster = session.group.roster
        var query = MessageQuery(
            afterPosition: .end(of: roster.historyEnd(for: session.own)), excludedAuthor: session.own, ends: roster.ends
        )
        query.isUnseen = true
        do { return try store.count(session.tour, query) } catch { throw NodeError.store(error) }
    }

    /// More of one tour than its line in the list.
    package struct TourDetails: Encodable, Sendable {
        package var tourID: String
        package var name: String
        package var role: String
        package var active: Bool
        package var state: TourState
        /// We rank as creator without being the one: named as successor.
        package var successor: Bool
        package var members: Int
        package var unread: Int
        package var latest: Bool
        package var memberID: String
        package var creatorID: String
        package var createdAt: String
        package var history: String
        /// Whether a server's archive reads what is said.
        package var archived: Bool
        /// The same on all nodes that agree on who is in and who ranks how.
        package var roster: String
    }

    package func details(_ name: String?) throws -> TourDetails {
        let session = try session(name)
        let roster = session.group.roster
        let created = session.group.genesisEvent.header.clock.milliseconds * 1_000
        return TourDetails(
            tourID: session.tour.hex, name: session.record.name, role: session.roleWord, active: session.isActive,
            state: session.state, successor: session.isSuccessor, members: roster.people.count,
            unread: try unread(in: session), latest: session.tour == (try self.session(nil)).tour,
            memberID: session.own.hex, creatorID: roster.creator.hex, createdAt: Timestamp.text(microseconds: created),
            history: roster.fullHistory ? "full" : "none", archived: roster.archive != nil, roster: roster.stateHash.hex
        )
    }

    /// The tour that a command means: its name, whatever the case, a whole id or a unique beginning of one; nil or "-":
    /// the chosen one, also when that has ended, so that nobody reads or writes in another one unasked. Where none was
    /// chosen, the one used last becomes it, of those that have not ended if there are any.
    func session(_ name: String?) throws -> TourSession {
        guard let name, name != "-", !name.isEmpty else {
            if let chosen, let known = sessions[chosen] { return known }
            let active = sessions.values.filter(\.isActive)
            let eligible = active.isEmpty ? Array(sessions.values) : active
            guard let latest = eligible.max(by: { ($0.record.usedAt, $0.tour) < ($1.record.usedAt, $1.tour) }) else {
                throw NodeError.noTour
            }
            choose(latest)
            return latest
        }
        let lowered = name.lowercased()
        var found = sessions.values.filter { $0.record.name == name }
        if found.isEmpty { found = sessions.values.filter { $0.record.name.lowercased() == lowered } }
        if found.isEmpty, lowered.count >= 6 { found = sessions.values.filter { $0.tour.hex.hasPrefix(lowered) } }
        if found.count > 1 { throw NodeError.ambiguous(name, found.map { String($0.tour.hex.prefix(12)) }) }
        guard let session = found.first else { throw NodeError.unknownTour(name) }
        return session
    }

    package func renameTour(_ tour: String?, to name: String) async throws -> TourSummary {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        let name = DisplayName.tidy(name)
        guard DisplayName.isAllowed(name) else { throw NodeError.badName }
        try await write(content: .tourInfo(name: name), in: session)
        try save(session)
        return try self.tour(session.tour.hex)
    }

    package func closeTour(_ tour: String?) async throws {
        let session = try session(tour)
        guard session.rank == .creator, !session.isOut else { throw NodeError.notAllowed }
        try await write(control: .close, in: session)
    }

    package func setName(_ name: String) async throws -> String {
        let name = DisplayName.tidy(name)
        guard DisplayName.isAllowed(name) else { throw NodeError.badName }
        do { try store.setSetting("name", value: Array(name.utf8)) } catch { throw NodeError.store(error) }
        self.name = name
        for session in sessions.values where session.isActive {
            try await write(content: .profile(name: name), in: session)
        }
        return name
    }

    /// Tells a tour our name, unless it knows it.
    func announceName(in session: TourSession) {
        guard !name.isEmpty, session.names[session.own] != name, session.isActive else { return }
        let name = name
        Task { try await self.write(content: .profile(name: name), in: session.tour) }
    }

    /// A member as lists show it.
    package struct MemberSummary: Encodable, Sendable {
        package var id: String
        package var name: String
        /// The first four digits of the id, where somebody else's name reads the same.
        @Nullable package var namesake: String?
        package var role: String
        /// Ranks as creator without being the one.
        package var successor: Bool
        package var me: Bool
        package var words: String
        package var color: Int
        package var reachable: Bool
        @Nullable package var hops: Int?
        @Nullable package var lastSeen: String?
        package var removed: Bool
        package var left: Bool
        /// Its log forks: its key is used up. It counts as removed.
        package var forked: Bool
        /// Its share of the tour is used up: nothing more that it says is taken.
        package var full: Bool
        /// The server's archive: it reads what is said, and is on no network.
        package var archive: Bool
        /// Where it is, or was, while it shares that.
        @Nullable package var position: MemberPosition?
    }

    /// Everybody who is or was in a tour, and how many of them count.
    package struct MemberList: Encodable, Sendable {
        package var members: [MemberSummary]
        /// nil when the tour is over for this node.
        @Nullable package var people: PeopleCount?
    }

    /// - Parameter here: where this node is, if its receiver is not to say.
    package func members(_ tour: String?, here: Coordinate? = nil) throws -> MemberList {
        let session = try session(tour)
        let members = session.group.roster.members.values
            .sorted { ($0.rank.rawValue, $1.admittedAt, $1.id) > ($1.rank.rawValue, $0.admittedAt, $0.id) }
        return MemberList(
            members: summaries(of: members, in: session, here: here), people: session.people(now: NodeClock.now))
    }

    /// The one that a name, or the beginning of an id, means: to be shown before something is done to it.
    package func member(_ name: String, of tour: String?) throws -> MemberSummary {
        let session = try session(tour)
        let found = try member(name, in: session)
        guard let summary = summaries(of: [found], in: session).first else { throw NodeError.unknownMember(name) }
        return summary
    }

    private func summaries(
        of members: [Member], in session: TourSession, here: Coordinate? = nil
    ) -> [MemberSummary] {
        let positions = positions(in: session, here: here)
        let (now, wall) = (NodeClock.now, NodeClock.wallMicroseconds)
        let view = session.view(store)
        let linked = Set(session.gossip.neighbours.values)
        return members.map { member in
            let keyName = KeyName(identity: member.identity)
            let seen = session.signs.seenAt(member.id, now: now, wall: wall)
            let isMe = member.id == session.own
            return MemberSummary(
                id: member.id.hex, name: view.name(of: member.id), namesake: view.namesake(of: member.id),
                role: session.group.roster.roleWord(of: member), successor: session.ranksAsSuccessor(member), me: isMe,
                words: keyName.description, color: keyName.color,
                reachable: session.isReachable(member.id, now: now),
                hops: session.hops(to: member.id, linked: linked),
                lastSeen: isMe ? nil : seen.map { Timestamp.text(microseconds: $0) },
                removed: member.isRemoved || member.isForked, left: member.hasLeft, forked: member.isForked,
                full: session.gossip.isFull(member.id), archive: member.isArchive,
                position: member.isActive ? positions[member.id] : nil)
        }
    }
}

extension Roster {
    /// As JSON spells the role of a member: who ranks as creator without being the one is the successor.
    func roleWord(of member: Member) -> String {
        member.rank == .creator && member.id != creator ? "successor" : member.rank.word
    }
}

extension Rank {
    /// As commands and JSON spell it; the creator is an admin there.
    var word: String {
        switch self {
        case .member: "member"
        case .guide: "guide"
        case .admin: "admin"
        case .creator: "creator"
        }
    }
}
