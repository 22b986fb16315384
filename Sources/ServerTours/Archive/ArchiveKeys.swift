import ServerBase
import ServerStorage
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// The private keys of the server's archive in one tour. They are generated for that tour alone, and wiped once the
/// archive is no longer a member.
/// Source: `Protocol/10-server.md`, "Archive".
struct ArchiveKeys: Sendable {
    let identity: SigningKeyPair
    let wrapping: WrappingKeyPair
    /// An archive opens no links: the private half is never kept.
    let linkKey: LinkKey

    var member: MemberID { MemberID(identity: identity.publicKey) }

    /// Generates random keys.
    init() {
        identity = SigningKeyPair()
        wrapping = WrappingKeyPair()
        linkKey = LinkKeyPair().publicKey
    }

    /// - Throws: `internal` for bytes that were not sealed here for this tour.
    init(_ sealed: [UInt8], tour: TourID, secret: ServerSecret) throws(Failure) {
        var bytes = try secret.open(sealed, for: Self.place(tour))
        let lengths = (identity: SigningKeyPair.secretBytes, wrapping: WrappingKeyPair.secretBytes)
        let ends = (wrapping: lengths.identity + lengths.wrapping, link: lengths.identity + lengths.wrapping + 32)
        guard bytes.count == ends.link,
            let identity = SigningKeyPair(secret: SecretBytes(bytes[..<lengths.identity])),
            let wrapping = WrappingKeyPair(secret: SecretBytes(bytes[lengths.identity..<ends.wrapping])),
            let linkKey = LinkKey(bytes[ends.wrapping...])
        else { throw Failure(.internalError, cause: "the keys of an archive are damaged") }
        // Wipes these bytes; the key pairs hold their own copies.
        _ = SecretBytes(taking: &bytes)
        self.identity = identity
        self.wrapping = wrapping
        self.linkKey = linkKey
    }

    func sealed(for tour: TourID, secret: ServerSecret) -> [UInt8] {
        let bytes = identity.secret.exposedCopy() + wrapping.secret.exposedCopy() + linkKey.bytes
        return secret.seal(bytes, for: Self.place(tour))
    }

    private static func place(_ tour: TourID) -> [UInt8] { Array("archive".utf8) + tour.bytes }

    /// The tour with every epoch key that the archive can unwrap: those that rekeys wrapped to it, and those that
    /// members handed over.
    /// - Parameter handed: epoch keys that members wrapped to the archive.
    func opening(_ group: TourGroup, handed: [(epoch: EpochID, wrapped: [UInt8])]) -> TourGroup {
        var group = group
        _ = group.unwrap(for: member, by: [wrapping])
        for (epoch, wrapped) in handed {
            if let key = wrapping.open(wrapped) { group.restore(epoch, key) }
        }
        return group
    }
}

/// The archive of a tour, as the database stores it.
package struct StoredArchive: Sendable {
    let keys: ArchiveKeys
    /// Epoch keys that members handed over, wrapped to the archive.
    let handed: [(epoch: EpochID, wrapped: [UInt8])]

    /// Whether the roster holds the archive as an active member.
    package func isActive(in group: TourGroup) -> Bool { group.roster.members[keys.member]?.isActive == true }

    /// The group with the epochs that the archive's keys open.
    package func opening(_ group: TourGroup) -> TourGroup { keys.opening(group, handed: handed) }
}

/// The archives of tours with their keys, inside one transaction. It owns the rows of `archives` and `archive_keys`.
package struct ArchiveRows {
    let sql: any SQL

    package init(sql: any SQL) { self.sql = sql }

    /// - Returns: nil while no member has asked for an archive.
    package func archive(of tour: StoredTour, _ secret: ServerSecret) throws(Failure) -> StoredArchive? {
        guard let row = try sql.row("SELECT keys FROM archives WHERE tour = $1", [.integer(tour.number)]) else {
            return nil
        }
        let keys = try ArchiveKeys(try row.bytes(0), tour: tour.id, secret: secret)
        let found = try sql.rows(
            "SELECT epoch, wrapped FROM archive_keys WHERE tour = $1 ORDER BY epoch", [.integer(tour.number)])
        return StoredArchive(
            keys: keys, handed: try found.map { row throws(Failure) in (try row.identifier(0), try row.bytes(1)) })
    }

    func add(_ keys: ArchiveKeys, for caller: TourCaller, _ secret: ServerSecret, now: Int64) throws(Failure) {
        try sql.run(
            "INSERT INTO archives (tour, member, keys, created_at) VALUES ($1, $2, $3, $4)",
            [
                .integer(caller.tour.number), .bytes(keys.member.bytes),
                .bytes(keys.sealed(for: caller.tour.id, secret: secret)),
                .integer(now),
            ])
    }

    func keep(handed wrapped: [UInt8], of epoch: EpochID, for caller: TourCaller) throws(Failure) {
        try sql.run(
            """
            INSERT INTO archive_keys (tour, epoch, wrapped) VALUES ($1, $2, $3)
            ON CONFLICT (tour, epoch) DO UPDATE SET wrapped = excluded.wrapped
            """, [.integer(caller.tour.number), .bytes(epoch.bytes), .bytes(wrapped)])
    }

    /// Wipes the archive's keys: afterwards the server can open nothing of the tour.
    func wipe(of tour: StoredTour) throws(Failure) {
        try sql.run("DELETE FROM archive_keys WHERE tour = $1", [.integer(tour.number)])
        try sql.run("DELETE FROM archives WHERE tour = $1", [.integer(tour.number)])
    }

    /// Wipes the archive's keys if the control events that just arrived have ended its membership.
    func wipe(ifOutOf group: TourGroup, _ tour: StoredTour) throws(Failure) {
        guard let row = try sql.row("SELECT member FROM archives WHERE tour = $1", [.integer(tour.number)]) else {
            return
        }
        let member: MemberID = try row.identifier(0)
        if group.roster.members[member]?.isActive == false { try wipe(of: tour) }
    }

    /// Stores the only event that an archive writes.
    /// - Throws: `internal` if the author's log is not empty.
    func add(leave event: Event, of author: MemberID, to tour: StoredTour, now: Int64) throws(Failure) {
        var logs = LogEnds(tour: tour, sql: sql)
        guard try logs.end(of: author).sequence == 0 else {
            throw Failure(.internalError, cause: "an archive that has left is still there")
        }
        try logs.append(PushedEvent(header: event.header, id: event.id, bytes: event.bytes), now: now)
        try logs.store()
        try TourRows(sql: sql).record(bytes: event.bytes.count, in: tour, now: now)
    }
}
