import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Making tours, listing them, and the user's acts on them.
extension TourNode {
    /// Creates a tour; `fullHistory`: newcomers may read messages from before their admission.
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

    /// Stores a new tour with its genesis and opens it. A tour that we left is joined anew with other keys; its
    /// stored events stay.
    func found(_ group: TourGroup, _ keys: MemberKeys, name: String) throws -> TourSession {
        let left = sessions[group.tour]
        var group = group
        // Keeps earlier messages readable.
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
            // The record comes last: after a crash before it, a start finds no tour, rather than an incomplete one.
            try store.addControlEvents(group.tour, controls, durable: true)
            if try store.event(group.tour, author: genesis.header.author, sequence: 1) == nil {
                _ = try store.append([(genesis, 0)], tour: group.tour, durable: true)
            }
            let stored = StoredTour(record: record, store: store)
            if let left { try stored.keepFormerID(of: left) }
            try store.saveTour(record)
            let session = try stored.session()
            session.node = self
            if let left { retire(left, for: session) }
            sessions[session.tour] = session
            feed(session, TourInput.timer)
            if left != nil { findFiles(of: session) }
            choose(session)
            advertise()
            return session
        } catch {
            // Only what this call stored is removed; earlier data stays as it was.
            if let left {
                try? store.saveTour(left.record)
            } else {
                try? store.removeTour(group.tour)
            }
            throw NodeError(storing: error)
        }
    }

    /// Writes the tour's row: name, keys, how far the user has read.
    func save(_ session: TourSession) throws {
        let secrets = SessionSecrets(
            keys: session.machine.keys, wrapping: session.machine.wrapping, epochs: session.group.keptKeys)
        session.record.secrets = secrets.encoded
        do { try store.saveTour(session.record) } catch { throw NodeError.store(error) }
    }

    /// Ends the links of a membership that is over. Results of its pending verification and storing go to the new
    /// session.
    private func retire(_ left: TourSession, for session: TourSession) {
        for connection in left.connections.values { connection.close(saying: .closing) }
        left.joiners.endNameWait()
        left.joiners.endStandingWaits()
        left.machine.stop()
        left.endKeyWaits()
        session.machine.inheritWork(of: left.machine)
    }

    /// Every tour of this node.
    package func tours() throws -> [TourSummary] {
        let latest = try? session(nil).tour
        return try sessions.values
            .sorted { ($0.record.usedAt, $0.tour) > ($1.record.usedAt, $1.tour) }
            .map { try summary(of: $0, latest: $0.tour == latest) }
    }

    /// One tour; nil: the chosen one.
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

    /// The details of a tour; nil: the chosen one.
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

    /// The tour that a command means: by its name, regardless of case, a whole id or a unique beginning of one; nil
    /// or "-": the chosen one, also when it has ended, so that nobody reads or writes in another tour unasked. If
    /// none was chosen, the one used last is chosen, preferring tours that have not ended.
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

    /// Renames a tour for everybody.
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

    /// Closes a tour: nobody writes in it any more.
    package func closeTour(_ tour: String?) async throws {
        let session = try session(tour)
        guard session.rank == .creator, !session.isOut else { throw NodeError.notAllowed }
        try await write(control: .close, in: session)
    }

    /// Sets this node's display name, and publishes it in every tour.
    /// - Returns: the tidy name.
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

    /// Publishes our name in a tour, unless it is known there.
    func announceName(in session: TourSession) {
        guard !name.isEmpty, session.names[session.own] != name, session.isActive else { return }
        let name = name
        Task { try await self.write(content: .profile(name: name), in: session.tour) }
    }

    /// - Parameter here: this node's position, to be used instead of the receiver's.
    package func members(_ tour: String?, here: Coordinate? = nil) throws -> MemberList {
        let session = try session(tour)
        let members = session.group.roster.members.values
            .sorted { ($0.rank.rawValue, $1.admittedAt, $1.id) > ($1.rank.rawValue, $0.admittedAt, $0.id) }
        return MemberList(
            members: summaries(of: members, in: session, here: here), people: session.people(now: NodeClock.now))
    }

    /// The member that a name, or the beginning of an id, means: to be shown before a command acts on it.
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
        let guests = GuestsByHost(in: session)
        return members.map { member in
            let keyName = KeyName(identity: member.identity)
            let seen = session.machine.presence.signs.seenAt(member.id, now: now, wall: wall)
            let isMe = member.id == session.own
            return MemberSummary(
                id: member.id.hex, name: view.name(of: member.id), namesake: view.namesake(of: member.id),
                role: session.group.roster.roleWord(of: member), successor: session.ranksAsSuccessor(member), me: isMe,
                words: keyName.description, color: keyName.color,
                reachable: session.isReachable(member.id, now: now),
                hops: session.hops(to: member.id, linked: linked),
                lastSeen: isMe ? nil : seen.map { Timestamp.text(microseconds: $0) },
                asleep: member.isActive && session.machine.isAsleep(member.id),
                cannotShow: isMe ? [] : session.machine.abilities(of: member.id)?.missing ?? [],
                removed: member.isRemoved || member.isForked, left: member.hasLeft, forked: member.isForked,
                full: session.gossip.isFull(member.id), archive: member.isArchive,
                position: member.isActive ? positions[member.id] : nil, guest: member.isGuest,
                by: GuestHost(of: member.id, in: session, view), guests: guests.goingWith(member.id).count)
        }
    }
}

extension Roster {
    /// A member's role as JSON spells it: a member who ranks as creator without having made the tour is the
    /// successor.
    func roleWord(of member: Member) -> String {
        member.rank == .creator && member.id != creator ? "successor" : member.rank.word
    }
}

extension Abilities {
    private static let words: [(Abilities, String)] = [
        (.alarms, "alarms"), (.rolls, "rolls"), (.files, "files"), (.places, "places"), (.shared, "shared"),
        (.guests, "guests"), (.asides, "asides"),
    ]

    /// What this version has beyond these, as JSON spells it.
    fileprivate var missing: [String] {
        Self.words.filter { Abilities.own.contains($0.0) && !contains($0.0) }.map(\.1)
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
