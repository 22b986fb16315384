import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// Ranks and removals. Source: `Protocol/05-events.md`, "Authority".
extension TourNode {
    /// - Parameter role: member, guide or admin.
    package func setRole(_ role: String, of member: String, in tour: String?) async throws -> RankedMember {
        guard let rank = Rank.allCases.first(where: { $0.word == role && $0 != .creator }) else {
            throw NodeError.membership(.badRole)
        }
        return try await give(rank, to: member, in: tour)
    }

    /// Names the member who ranks as creator beside the creator from now on; there is one at a time.
    package func setSuccessor(_ member: String, in tour: String?) async throws -> RankedMember {
        let session = try session(tour)
        let present = session.group.roster.active.first { $0.rank == .creator && $0.id != session.own }
        if let present, session.isOurs {
            let name = session.view(store).name(of: present.id)
            throw NodeError.membership(.hasSuccessor(name))
        }
        return try await give(.creator, to: member, in: tour)
    }

    private func give(_ rank: Rank, to name: String, in tour: String?) async throws -> RankedMember {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        let member = try member(name, in: session)
        guard member.id != session.own else { throw NodeError.membership(.ownRole(isCreator: session.isOurs)) }
        guard !member.isGuest else { throw NodeError.seat(.notForGuests) }
        guard session.group.roster.lets(session.own, give: rank, to: member.id) else {
            throw NodeError.membership(.cannotGiveRole)
        }
        if member.rank != rank {
            let log = try await knownLog(of: member.id, in: session)
            try await write(control: session.group.roleBody(member.id, rank, log: log), in: session)
        }
        return RankedMember(id: member.id.hex, name: session.view(store).name(of: member.id), role: rank.word)
    }

    /// Removes a member, and the guests whose keys it knew; ends every code, those of guests as well, since the member
    /// may have kept one; and makes new ones.
    package func removeMember(_ name: String, from tour: String?) async throws -> RemovedMember {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        let member = try member(name, in: session)
        guard member.id != session.own else { throw NodeError.membership(.ownRemoval(isCreator: session.isOurs)) }
        guard session.group.roster.lets(session.own, remove: member.id) else {
            throw NodeError.membership(.cannotRemove)
        }
        // The new code is made here, where it is shown.
        session.machine.beginInvite()
        defer { feed(session, .madeInvite) }
        // First revokes the codes that one removal has no room for: a crash in between then leaves no code open after
        // a removal.
        var revoked = [SigningKey]()
        for key in session.group.roster.invitesBeyondRemoval {
            revoked.append(key)
            try await write(control: session.group.revokeBody(key), in: session)
        }
        var guests = GuestsByHost(in: session).goingWith(member.id)
        revoked += try await remove(guests + [member.id], in: session)
        guests += try await removeGuests(of: member.id, in: session)
        // A new epoch begins after the removal: the new code must not be sealed under a key that the removed member
        // has.
        let secret = InviteSecret.random()
        let epoch = try await sealingEpoch(of: session)
        try await writeOwedLicences(under: epoch, in: session)
        let terms = InviteTerms.standard
        let expiresAt = try Self.expiry(inSeconds: terms.expiresSeconds)
        let invite = inviteBody(secret, under: epoch, in: session, uses: terms.uses, expiresAt: expiresAt)
        try await write(control: invite, in: session, governs: true)
        let created = try kept(secret, in: session, uses: terms.uses, expiresAt: expiresAt)
        return RemovedMember(
            id: member.id.hex, name: session.view(store).name(of: member.id), revoked: revoked.map(\.hex),
            joinCode: created.joinCode, link: created.link, guests: guests.count)
    }

    /// Lets those go on giving seats who did before a removal of ours: each has another code from then on.
    /// Source: `Protocol/15-seats.md`, "Licence".
    func writeOwedLicences(under epoch: EpochKey, in session: TourSession) async throws {
        let owed = session.group.owedLicences(of: session.own, under: epoch) {
            .random(count: SigningKeyPair.seedBytes)
        }
        for licence in owed {
            try await write(control: licence, in: session, governs: true)
        }
    }

    /// Ends a member's licences, and the membership of the guests whose keys it knew: what they said stays. Done again,
    /// it ends what the last time left. Source: `Protocol/15-seats.md`, "Licence".
    func endLicences(of host: MemberID, in tour: TourID) async throws {
        guard let session = sessions[tour] else { throw NodeError.notActive }
        for licence in session.group.roster.openLicences(of: host) {
            try await write(control: session.group.revokeBody(licence), in: session)
        }
        _ = try await removeGuests(of: host, in: session)
    }

    /// Removes the guests whom this device let in from then on, in milliseconds since 1970; one epoch follows for all.
    func removeGuests(since milliseconds: Int64, from tour: TourID) async throws {
        guard let session = sessions[tour] else { throw NodeError.notActive }
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        let guests = session.group.roster.active.filter {
            $0.admittedBySeatHost == session.own && $0.admittedAt.milliseconds >= milliseconds
        }
        guard !guests.isEmpty else { return }
        _ = try await remove(guests.map(\.id).sorted(), in: session)
        // A removal ends licences: this device goes on giving seats.
        try await writeOwedLicences(under: try await sealingEpoch(of: session), in: session)
    }

    /// Removes the guests whose keys a member knew, those included whom it lets in meanwhile.
    private func removeGuests(of host: MemberID, in session: TourSession) async throws -> [MemberID] {
        var removed = [MemberID]()
        while true {
            let rest = GuestsByHost(in: session).goingWith(host).filter { !removed.contains($0) }
            guard !rest.isEmpty else { return removed }
            _ = try await remove(rest, in: session)
            removed += rest
        }
    }

    /// Removes members one by one; one epoch follows for all of them.
    /// - Returns: the codes that ended.
    private func remove(_ members: [MemberID], in session: TourSession) async throws -> [SigningKey] {
        if members.count > 1 { session.machine.beginRemovals(hasMembers: false, now: NodeClock.now) }
        defer { if members.count > 1 { feed(session, .removalsEnded) } }
        let codes = Set(session.group.roster.codes.map(\.key))
        var revoked = [SigningKey]()
        for member in members where session.group.roster.members[member]?.isActive == true {
            let log = try await knownLog(of: member, in: session)
            let removal = session.group.removeBody(member, log: log)
            try await write(control: removal, in: session)
            if case .remove(let body) = removal { revoked += body.revoked.filter(codes.contains) }
        }
        return revoked
    }

    /// Reads the stored log off the loop: a removed member may have filled its share with control events.
    func knownLog(of member: MemberID, in session: TourSession) async throws(NodeError) -> KnownLog {
        let tour = session.tour
        let end: UInt64 = session.gossip.stored[member]
        let stored: Result<[UInt64: EventID], StoreError> = await withCheckedContinuation { answer in
            reader.submit { [store] in
                let ids = Result { () throws(StoreError) in
                    try store.controlIDs(tour, author: member, through: end)
                }
                return { answer.resume(returning: ids) }
            }
        }
        let ids: [UInt64: EventID]
        do { ids = try stored.get() } catch { throw NodeError.store(error) }
        return session.group.knownLog(of: member, stored: Author.Tail(sequence: end, id: ids[end] ?? .none)) { ids[$0] }
    }

    /// Finds the active member that a command means: by a name as people read it, regardless of case, a whole id or a
    /// unique beginning of one. Names never identify: if two members match, neither is chosen.
    func member(_ name: String, in session: TourSession) throws(NodeError) -> Member {
        let view = session.view(store)
        let members = Array(session.group.roster.active)
        let lowered = name.lowercased()
        let folded = DisplayName.folded(name)
        var found = members.filter { DisplayName.folded(view.name(of: $0.id)) == folded }
        // Also by the distinct name that is shown where one name fits two.
        if found.isEmpty { found = members.filter { DisplayName.folded(view.distinctName(of: $0.id)) == folded } }
        if found.isEmpty, lowered.count >= 6 { found = members.filter { $0.id.hex.hasPrefix(lowered) } }
        if found.count > 1 {
            let candidates = found.sorted { $0.id < $1.id }
                .map { "\(view.name(of: $0.id)) (\($0.id.hex.prefix(12)), \(KeyName(identity: $0.identity)))" }
            throw NodeError.ambiguous(name, candidates)
        }
        guard let member = found.first else { throw NodeError.unknownMember(name) }
        return member
    }
}
