import TourAPI
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourWire

// Codes for joining. Source: `Protocol/07-joining.md`.
extension TourNode {
    /// - Parameter reuses: whether an existing code of ours with the standard terms will do, if those are asked for:
    ///   one code is easier to spread and to revoke than many.
    package func createInvite(
        _ tour: String?, _ terms: InviteTerms, reuses: Bool
    ) async throws -> CreatedInvite {
        let session = try session(tour)
        if reuses, terms == .standard, let standing = standingInvite(in: session) { return standing }
        return try await createInvite(in: session, terms)
    }

    private func standingInvite(in session: TourSession) -> CreatedInvite? {
        guard session.rank.leads, session.isActive,
            let invite = session.group.roster.standingInvite(
                of: session.own, lifetime: Limits.inviteLifetimeStandard * 1_000,
                wallMilliseconds: NodeClock.wallMilliseconds),
            let stored = try? store.setting(Self.codeSetting(invite.key)),
            let code = try? InviteCode(parsing: String(decoding: stored, as: UTF8.self))
        else { return nil }
        return CreatedInvite(
            id: invite.key.hex, joinCode: code.text, link: link(to: code),
            uses: invite.uses == 0 ? nil : invite.uses,
            expiresAt: invite.expiresAt.map { Timestamp.text(milliseconds: $0) })
    }

    /// - Parameter governs: the code follows the end of all others, and may use the part of our share that is
    ///   reserved for that.
    func createInvite(
        in session: TourSession, _ terms: InviteTerms, governs: Bool = false
    ) async throws -> CreatedInvite {
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        let expiresAt = try Self.expiry(inSeconds: terms.expiresSeconds)
        let secret = InviteSecret.random()
        let epoch = try await sealingEpoch(of: session)
        let body = inviteBody(secret, under: epoch, in: session, uses: terms.uses, expiresAt: expiresAt)
        try await write(control: body, in: session, governs: governs)
        return try kept(secret, in: session, uses: terms.uses, expiresAt: expiresAt)
    }

    func inviteBody(
        _ secret: InviteSecret, under epoch: EpochKey, in session: TourSession, uses: Int?, expiresAt: Int64?
    ) -> ControlBody {
        session.group.inviteBody(secret, uses: UInt32(clamping: uses ?? 0), expiresAt: expiresAt, under: epoch)
    }

    /// The code of an invite in the log, kept sealed so that it can be shown again after a restart.
    func kept(
        _ secret: InviteSecret, in session: TourSession, uses: Int?, expiresAt: Int64?
    ) throws(NodeError) -> CreatedInvite {
        let code = InviteCode(secret: secret, tour: session.tour)
        let key = secret.invitePair.publicKey
        do { try store.setSetting(Self.codeSetting(key), value: Array(code.text.utf8)) } catch {
            throw NodeError.store(error)
        }
        return CreatedInvite(
            id: key.hex, joinCode: code.text, link: link(to: code), uses: uses,
            expiresAt: expiresAt.map { Timestamp.text(milliseconds: $0) })
    }

    /// The tour's codes.
    package func invites(_ tour: String?) throws -> [InviteSummary] {
        let session = try session(tour)
        let wall = NodeClock.wallMilliseconds
        return session.group.roster.codes.map { invite in
            let code = try? store.setting(Self.codeSetting(invite.key)).map { String(decoding: $0, as: UTF8.self) }
            let state =
                invite.isRevoked
                ? "revoked" : invite.isUsedUp ? "used-up" : invite.isOpen(wallMilliseconds: wall) ? "open" : "expired"
            return InviteSummary(
                id: invite.key.hex, uses: invite.uses == 0 ? nil : invite.uses, used: invite.used,
                expiresAt: invite.expiresAt.map {
                    Timestamp.text(microseconds: $0.multipliedReportingOverflow(by: 1_000).0)
                },
                state: state, overused: invite.isOverused, createdBy: invite.author.hex, code: code ?? nil)
        }
    }

    /// Ends a code.
    /// - Parameter since: also removes members who joined by it from then on, in milliseconds since 1970; nil: all
    ///   stay.
    package func revokeInvite(_ idPrefix: String, since: Int64? = nil, in tour: String?) async throws -> RevokedInvite {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        let found = session.group.roster.codes.map(\.key).filter { $0.hex.hasPrefix(idPrefix.lowercased()) }
        if found.count > 1 { throw NodeError.ambiguous(idPrefix, found.map { String($0.hex.prefix(12)) }) }
        guard idPrefix.count >= 6, let key = found.first else {
            throw NodeError.membership(.unknownInvite(idPrefix))
        }
        let before = since.map { session.group.admitted(under: key, since: $0) } ?? []
        session.machine.beginRemovals(hasMembers: !before.isEmpty, now: NodeClock.now)
        defer { feed(session, .removalsEnded) }
        try await write(control: session.group.revokeBody(key, since: since), in: session)
        // Members whom an earlier end of the code kept are removed one by one, with one epoch for all.
        let staying = since.map { session.group.admitted(under: key, since: $0) } ?? []
        for member in staying where session.group.roster.lets(session.own, remove: member) {
            let log = try await knownLog(of: member, in: session)
            let removal = session.group.removeBody(member, log: log)
            try await write(control: removal, in: session)
        }
        let roster = session.group.roster
        return RevokedInvite(id: key.hex, out: before.count { roster.members[$0]?.isActive != true })
    }

    /// Keeps the join secret of the code that we joined with: it may be sealed under an epoch whose key we were not
    /// given, and we need it to admit others.
    func keep(_ secret: InviteSecret, in session: TourSession) {
        let invite = secret.invitePair.publicKey
        session.joiners.recordOrigin(invite, secret.joinSecret)
        do {
            try MembershipRecords(store: store, member: session.own).keep(joinedBy: invite, secret.joinSecret)
        } catch { count(error) }
    }

    private static func codeSetting(_ key: SigningKey) -> String { "invite-code/\(key.hex)" }

    /// `tour-chat://join/CODE` with this node's addresses, so that a joiner without mDNS finds it.
    private func link(to code: InviteCode) -> String {
        let hosts = port > 0 ? ownAddresses().prefix(4) : []
        let addresses = hosts.map { Dialer.Address(host: $0, port: UInt16(clamping: port)) }
        return InviteLink(code: code, addresses: addresses).text
    }
}
