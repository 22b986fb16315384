import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Routes of the archive, the server's read-only member of a tour: how members admit it, hand it keys, and end it.
/// Contract: `Protocol/09-mailbox.md`, "Archive".
struct ArchiveRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters

    var routes: [Route] {
        [
            Route(.get, "/groups/{id}/archive", access: .member, handler: show),
            Route(.post, "/groups/{id}/archive", access: .member, body: .json, handler: offer),
            Route(.delete, "/groups/{id}/archive", access: .member, handler: leave),
            Route(
                .post, "/groups/{id}/archive/keys", access: .member,
                body: .json(bytesMax: ServerLimits.archiveKeysBodyMax), keepsAnswers: false, handler: acceptKeys),
            Route(.get, "/groups/{id}/messages", access: .member, handler: messages),
        ]
    }

    /// Tells whether the archive is an active member, and which epoch keys it lacks.
    private func show(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Encodable {
            let memberId: String
            let wrapping: String
            let isActive: Bool
            let wants: [String]
        }
        let (caller, archive) = try await archive(call)
        let isActive = archive.isActive(in: caller.known.group)
        let wants = archive.opening(caller.known.group).missingEpochs(for: archive.keys.member)
        return try .json(
            Body(
                memberId: archive.keys.member.hex, wrapping: archive.keys.wrapping.publicKey.hex, isActive: isActive,
                wants: wants.prefix(ServerLimits.archiveWantsMax).map(\.hex)))
    }

    /// Returns half a join request with the archive's keys; a member that leads admits the archive under an invite of
    /// its own.
    private func offer(_ call: Call) async throws(Failure) -> Answer {
        struct Wish: Decodable {
            var invite: String
            var challenge: Data
        }
        let wish = try call.json(Wish.self)
        guard let invite = SigningKey(hex: wish.invite) else { throw .invalid("invite") }
        guard let challenge = Bytes32(wish.challenge) else { throw .invalid("challenge") }
        let caller = try await leading(call)
        let (storage, secret) = (parts.storage, parts.secret)
        return try await rosters.settle(caller.tour.id, from: caller.known) { known throws(Failure) in
            let known = try known.led(by: caller.member.id)
            return try await call.write(storage) { sql throws(Failure) in
                try ControlRows(sql: sql).check(known, of: caller.tour)
                var keys = ArchiveKeys()
                if let held = try ArchiveRows(sql: sql).archive(of: caller.tour, secret) {
                    guard known.group.roster.members[held.keys.member] == nil else { throw Failure(.hasArchive) }
                    keys = held.keys
                } else {
                    try ArchiveRows(sql: sql).add(keys, for: caller, secret, now: call.now)
                }
                return try .json(ArchiveOffer(keys, invite: invite, tour: caller.tour.id, challenge: challenge))
            }
        }
    }

    /// Makes the archive leave the tour, as any member can, and wipes its keys.
    private func leave(_ call: Call) async throws(Failure) -> Answer {
        let caller = try await leading(call)
        let (rosters, storage, secret) = (rosters, parts.storage, parts.secret)
        return try await rosters.settle(caller.tour.id, isGrowing: true) { known throws(Failure) in
            let known = try known.led(by: caller.member.id)
            let archive = try await storage.read { sql throws(Failure) in
                try ArchiveRows(sql: sql).archive(of: caller.tour, secret)
            }
            guard let archive else { throw Failure(.noArchive) }
            let leave = archive.isActive(in: known.group) ? archive.keys.leave(caller.tour.id, now: call.now) : nil
            let grown = await rosters.grown(known, by: ControlNews(verified: leave.map { [$0] } ?? []))
            let (answer, now) = try await call.settle(storage) { sql throws(Failure) in
                try ControlRows(sql: sql).check(known, of: caller.tour)
                // Another request may have ended this archive and asked for a new one.
                guard let held = try ArchiveRows(sql: sql).archive(of: caller.tour, secret),
                    held.keys.member == archive.keys.member
                else {
                    throw Failure(.noArchive)
                }
                let now = try ControlRows(sql: sql).store(grown, of: caller.tour, now: call.now).known
                if let leave {
                    try ArchiveRows(sql: sql).add(
                        leave: leave, of: archive.keys.member, to: caller.tour, now: call.now)
                }
                try ArchiveRows(sql: sql).wipe(of: caller.tour)
                return (.success(.noContent), now)
            }
            rosters.keep(now)
            return answer
        }
    }

    private func acceptKeys(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            struct Key: Decodable {
                var epoch: String
                var wrapped: Data
            }
            var keys: [Key]
        }
        let body = try call.json(Body.self)
        guard (1...Limits.epochKeysMax).contains(body.keys.count) else { throw .invalid("keys") }
        var wrapped: [EpochID: [UInt8]] = [:]
        for (index, key) in body.keys.enumerated() {
            guard let epoch = EpochID(hex: key.epoch) else { throw .invalid("keys[\(index)].epoch") }
            guard key.wrapped.count == Limits.wrappedKeyBytes else { throw .invalid("keys[\(index)].wrapped") }
            wrapped[epoch] = Array(key.wrapped)
        }
        let handed = wrapped
        let (caller, _) = try await archive(call)
        let secret = parts.secret
        let taken = try await parts.storage.write { sql throws(Failure) in
            guard let archive = try ArchiveRows(sql: sql).archive(of: caller.tour, secret),
                archive.isActive(in: caller.known.group)
            else {
                throw Failure(.noArchive)
            }
            var group = archive.opening(caller.known.group)
            let secrets = handed.compactMap { epoch, bytes in
                archive.keys.wrapping.open(bytes).flatMap { Bytes32($0.exposedCopy()) }
                    .map { EpochSecret(epoch: epoch, key: $0) }
            }
            // A key that its epoch's event does not commit to is rejected.
            let fresh = group.learn(secrets, askedFor: Set(handed.keys))
            for epoch in fresh { try ArchiveRows(sql: sql).keep(handed: handed[epoch] ?? [], of: epoch, for: caller) }
            return fresh
        }
        return try .json(["taken": taken.sorted().map(\.hex)])
    }

    private func messages(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let (caller, archive) = try await archive(call)
        let group = caller.known.group
        guard archive.isActive(in: group) else { throw Failure(.noArchive) }
        let storage = parts.storage
        // Not before its tour's roster is there: a costly one would hold others up.
        return try await parts.heavy.run(for: call.callerName) { () async throws(Failure) in
            let events = try await storage.read { sql throws(Failure) in
                try MessageRows(sql: sql).messages(for: caller, request)
            }
            let reader = MessageReader(group: archive.opening(group), withdrawals: events.withdrawals)
            return try .page(Page(rows: events.page.rows.compactMap(reader.message), next: events.page.next), request)
        }
    }

    /// - Throws: `noArchive`; the errors of `Call.seat`.
    private func archive(_ call: Call) async throws(Failure) -> (TourCaller, StoredArchive) {
        let caller = try await call.caller(in: call.parameters["id"] ?? "", rosters)
        let secret = parts.secret
        let archive = try await parts.storage.read { sql throws(Failure) in
            try ArchiveRows(sql: sql).archive(of: caller.tour, secret)
        }
        guard let archive else { throw Failure(.noArchive) }
        return (caller, archive)
    }

    private func leading(_ call: Call) async throws(Failure) -> TourCaller {
        let caller = try await call.caller(in: call.parameters["id"] ?? "", rosters)
        guard caller.member.rank.leads else { throw Failure(.notAllowed) }
        return caller
    }
}

/// The server's half of the archive's join request. The invite's signature is missing: the admitting member adds it.
struct ArchiveOffer: Encodable {
    private let memberId: String
    private let identity: String
    private let link: String
    private let wrapping: String
    /// The identity's signature over the whole request.
    private let signature: Data

    init(_ keys: ArchiveKeys, invite: SigningKey, tour: TourID, challenge: Bytes32) {
        let request = JoinRequest.ofArchive(
            identity: keys.identity, linkKey: keys.linkKey, wrappingKey: keys.wrapping.publicKey, invite: invite,
            tour: tour, challenge: challenge)
        memberId = keys.member.hex
        identity = request.identity.hex
        link = request.linkKey.hex
        wrapping = request.wrappingKey.hex
        signature = Data(request.identitySignature)
    }
}

extension KnownGroup? {
    /// - Throws: `notFound`; `notAllowed` where the member leads no longer.
    fileprivate func led(by member: MemberID) throws(Failure) -> KnownGroup {
        guard let known = self else { throw Failure(.notFound) }
        guard let found = known.group.roster.members[member], found.isActive, found.rank.leads else {
            throw Failure(.notAllowed)
        }
        return known
    }
}

extension ArchiveKeys {
    /// The `leave` event: the only one that an archive ever writes, and so the first of its log.
    fileprivate func leave(_ tour: TourID, now: Int64) -> Event {
        var author = Author(
            identity: identity, tour: tour, tail: Author.Tail(sequence: 0, id: .none), clock: .zero)
        return author.write(.leave, wallMilliseconds: now / 1_000)
    }
}
