import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire
import TourWords

// Codes for joining. Source: `Protocol/07-joining.md`.
extension TourNode {
    /// A new code, and its terms.
    package struct CreatedInvite: Encodable, Sendable {
        /// The invite's public key.
        package var id: String
        /// The code as people type it.
        package var joinCode: String
        /// A link with the code, and addresses of this node.
        package var link: String
        /// null: any number.
        @Nullable package var uses: Int?
        /// null: valid until it is revoked.
        @Nullable package var expiresAt: String?
    }

    /// A code of the tour.
    package struct InviteSummary: Encodable, Sendable {
        package var id: String
        /// null: any number.
        @Nullable package var uses: Int?
        package var used: Int
        /// null: valid until it is revoked.
        @Nullable package var expiresAt: String?
        /// Whether it still admits people.
        package var state: String
        /// More people were admitted by it than it has uses, and the surplus is out again: its code was passed on.
        package var overused: Bool
        /// The id of the member who made it.
        package var createdBy: String
        /// Only on the node that made it, since a code is a secret.
        @Nullable package var code: String?
    }

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
        return session.group.roster.invites.values.sorted { $0.key < $1.key }.map { invite in
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

    /// The result of revoking a code.
    package struct RevokedInvite: Encodable, Sendable {
        package var id: String
        /// How many members who joined by the code are out with it.
        package var out: Int
    }

    /// Ends a code.
    /// - Parameter since: also removes members who joined by it from then on, in milliseconds since 1970; nil: all
    ///   stay.
    package func revokeInvite(_ idPrefix: String, since: Int64? = nil, in tour: String?) async throws -> RevokedInvite {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        let found = session.group.roster.invites.keys.filter { $0.hex.hasPrefix(idPrefix.lowercased()) }
        if found.count > 1 { throw NodeError.ambiguous(idPrefix, found.map { String($0.hex.prefix(12)) }) }
        guard idPrefix.count >= 6, let key = found.first else {
            throw NodeError(
                "unknown-invite",
                Phrase("No invite starts with \(idPrefix); `tour-chat tour invite --list` shows all."))
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
        session.joinedBy = (invite, secret.joinSecret)
        let value = invite.bytes + secret.joinSecret.exposedCopy()
        do { try store.setSetting(Self.cameBySetting(session.own), value: value) } catch { count(error) }
    }

    /// - Returns: nil for a founder.
    static func joinedBy(
        _ own: MemberID, _ store: TourStore
    ) throws(StoreError) -> (invite: SigningKey, secret: SecretBytes)? {
        guard let value = try store.setting(cameBySetting(own)),
            let invite = SigningKey(value.prefix(Bytes32.count)), value.count == 2 * Bytes32.count
        else { return nil }
        return (invite, SecretBytes(value.suffix(Bytes32.count)))
    }

    private static func cameBySetting(_ own: MemberID) -> String { "came-by/\(own.hex)" }

    private static func codeSetting(_ key: SigningKey) -> String { "invite-code/\(key.hex)" }

    /// `tour-chat://join/CODE` with this node's addresses, so that a joiner without mDNS finds it.
    private func link(to code: InviteCode) -> String {
        var link = "tour-chat://join/" + code.compact
        guard port > 0 else { return link }
        var separator = "?"
        for address in ownAddresses().prefix(4) {
            link += separator + "a=" + (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
            separator = "&"
        }
        return link
    }

    /// A holder of a code asks to join. The request's signatures are checked already; this checks the tour's rules.
    func answer(_ request: JoinRequest, _ connection: LinkConnection, _ tour: TourID) {
        guard let session = sessions[tour] else { return connection.close(saying: .closing) }
        if Self.isIn(request, session) { return welcome(request, connection, session) }
        if let refusal = refusal(of: request, session) { return refuse(connection, refusal) }
        // Whether a use is left shows once the earlier admissions are on the disk: the joiner asks again. If we have
        // admitted as many as our admissions may count, another member can.
        guard Self.hasUseLeft(request, session), session.group.roster.hasRoom(for: session.own) else {
            return connection.close(saying: .closing)
        }
        guard admissionRate.acquire(for: request.invite, from: connection.address, now: NodeClock.now) else {
            // A joiner in the queue asks again; a flood of devices waits.
            return connection.close(saying: .closing)
        }
        session.admitting[MemberID(identity: request.identity)] = request.invite
        Task { await self.admit(request, connection, tour) }
    }

    /// Answers an admission once it is on the disk, never before.
    private func admit(_ request: JoinRequest, _ connection: LinkConnection, _ tour: TourID) async {
        guard let session = sessions[tour] else { return connection.close(saying: .closing) }
        defer { session.admitting[MemberID(identity: request.identity)] = nil }
        do {
            try await write(control: .admit(request), in: session)
        } catch {
            return connection.close(saying: .closing)
        }
        // Meanwhile others may have used up the invite, or its author revoked it: only members get the keys.
        guard Self.isIn(request, session) else {
            return refuse(connection, refusal(of: request, session) ?? .usedUp)
        }
        await beginEpoch(for: MemberID(identity: request.identity), in: session)
        welcome(request, connection, session)
    }

    private static func isIn(_ request: JoinRequest, _ session: TourSession) -> Bool {
        guard let member = session.group.roster.members[MemberID(identity: request.identity)] else { return false }
        return member.linkKey == request.linkKey && member.isActive
    }

    /// Whether the invite has a use left beside the admissions in progress.
    private static func hasUseLeft(_ request: JoinRequest, _ session: TourSession) -> Bool {
        guard let invite = session.group.roster.invites[request.invite], invite.uses > 0 else { return true }
        let id = MemberID(identity: request.identity)
        let others = session.admitting.filter { $0.key != id && $0.value == request.invite }
        return invite.used + others.count < invite.uses
    }

    private func refuse(_ connection: LinkConnection, _ refusal: JoinRefusal) {
        connection.send(.joinRefusal(refusal))
        connection.close(saying: .closing)
    }

    private func refusal(of request: JoinRequest, _ session: TourSession) -> JoinRefusal? {
        let roster = session.group.roster
        guard session.isActive else { return .closed }
        guard let invite = roster.invites[request.invite] else { return .invalid }
        if invite.isRevoked { return .revoked }
        if invite.isUsedUp { return .usedUp }
        if !invite.isOpen(wallMilliseconds: NodeClock.wallMilliseconds) { return .expired }
        if !roster.hasPlace { return .full }
        return roster.isNew(MemberID(identity: request.identity)) ? nil : .invalid
    }

    private func welcome(_ request: JoinRequest, _ connection: LinkConnection, _ session: TourSession) {
        let controls = ControlBatches.cut(session.group.welcome).map { LinkMessage.control($0) }
        let keys = session.group.epochKeys(for: MemberID(identity: request.identity)).prefix(Limits.epochKeysMax)
        send(controls + [.welcome(keys.compactMap { EpochSecret($0) })], inPartsOn: connection)
    }
}
