import TourAPI
import TourCrypto
import TourGroup
import TourMailbox
import TourModel
import TourStore
import TourWire

// The server as a member that reads along. Source: `Protocol/09-mailbox.md`, "Archive".
extension TourNode {
    /// How long the archive's invite is open; it is used immediately.
    private static let archiveInviteSeconds: Int64 = 600

    /// Admits the server's archive and gives it a key: it reads events written from now on, and in a tour with full
    /// history also the earlier ones, once other members have synced.
    /// - Throws: `APIError`, `NodeError`.
    package func inviteArchive(to tour: String?) async throws -> InvitedArchive {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        guard session.group.roster.archive == nil else { throw NodeError.membership(.hasArchive(session.record.name)) }
        guard let client = mailbox.client else { throw NodeError.noMailbox }
        let mailbox = Mailbox(client: client, pass: session.pass)
        let secret = InviteSecret.random()
        let request = try await mailbox.offerArchive(under: secret.invitePair)
        let member = MemberID(identity: request.identity)
        // Nobody learns the code of this invite: it is used up before the next event is written.
        let expiresAt = session.wallMilliseconds + Self.archiveInviteSeconds * 1_000
        let epoch = try await sealingEpoch(of: session)
        let invite = inviteBody(secret, under: epoch, in: session, uses: 1, expiresAt: expiresAt)
        try await write(in: session) { author, wall in
            [
                author.write(invite, wallMilliseconds: wall),
                author.write(ControlBody.admit(request), wallMilliseconds: wall),
            ]
        }
        guard session.group.roster.members[member]?.isActive == true else { throw NodeError.notAllowed }
        await beginEpoch(for: member, in: session)
        session.sync.request(mailboxHost)
        return InvitedArchive(
            id: member.hex, words: KeyName(identity: request.identity).description,
            server: client.base.description)
    }

    /// Removes the archive like any member: a new epoch begins without it, and every code ends.
    /// - Throws: `NodeError`, code `no-archive` when there is none.
    package func removeArchive(from tour: String?) async throws -> RemovedMember {
        let session = try session(tour)
        guard let archive = session.group.roster.archive else {
            throw NodeError.membership(.noArchive(session.record.name))
        }
        let removed = try await removeMember(archive.id.hex, from: session.tour.hex)
        session.sync.request(mailboxHost)
        return removed
    }
}
