import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourGroup
import TourModel

/// Routes that issue tokens to members, who need no account.
/// Contract: `Protocol/09-mailbox.md`.
struct MemberRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters

    var routes: [Route] {
        [
            Route(
                .post, "/auth/member/nonce", access: .open, body: .json, limits: [.noncesPerAddress],
                handler: makeNonce),
            Route(
                .post, "/auth/member", access: .open, body: .json(bytesMax: ServerLimits.controlsBodyMax),
                limits: [.noncesPerAddress], handler: admit),
        ]
    }

    private func makeNonce(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Encodable {
            let nonce: String
            let expiresIn = ServerLimits.nonceLifetime
            private enum CodingKeys: String, CodingKey {
                case nonce
                case expiresIn = "expires_in"
            }
        }
        _ = try call.json(NoFields.self)
        return try .json(Body(nonce: parts.secret.nonce(until: call.now + ServerLimits.nonceLifetime * 1_000_000)))
    }

    private func admit(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var groupId: String
            var memberId: String
            var nonce: String
            var signature: Data
            var controls: [Data]?
        }
        let body = try call.json(Body.self)
        guard let tourID = TourID(hex: body.groupId) else { throw .invalid("groupId") }
        let proof = try MemberProof(member: body.memberId, nonce: body.nonce, signature: body.signature)
        let news = ControlNews(others: try ControlList(body.controls ?? []).events)
        let (rosters, secret, storage) = (rosters, parts.secret, parts.storage)
        let host = try parts.host(of: call)
        let outcome = try await rosters.settle(tourID, isGrowing: !news.isEmpty) { known throws(Failure) in
            guard let known else { throw Failure(.unknownGroup) }
            let grown =
                news.isEmpty
                ? GrownGroup(before: known, group: known.group, added: []) : await rosters.grown(known, by: news)
            // The control events stay even if the proof fails: their own signatures vouch for them.
            let (now, outcome) = try await storage.write { sql throws(Failure) in
                guard let tour = try TourRows(sql: sql).tour(tourID) else { throw Failure(.unknownGroup) }
                try ControlRows(sql: sql).check(known, of: tour)
                let now = try ControlRows(sql: sql).store(grown, of: tour, now: call.now).known
                return (
                    now,
                    Self.judge(proof, now.group) { member throws(Failure) in
                        try proof.check(
                            .auth, tour: tourID, identity: member.identity, host: host, now: call.now, secret: secret,
                            in: sql)
                    }
                )
            }
            rosters.keep(now)
            return outcome
        }
        let member = try outcome.get()
        return try .json(try parts.authenticator.body(MemberToken(tour: tourID, member: member.id), now: call.now))
    }

    private static func judge(
        _ proof: MemberProof, _ group: TourGroup, check: (Member) throws(Failure) -> Void
    ) -> Result<Member, Failure> {
        guard let member = group.roster.members[proof.member] else { return .failure(Failure(.unknownMember)) }
        do throws(Failure) {
            try check(member)
        } catch {
            return .failure(error)
        }
        guard member.isActive else { return .failure(Failure(.removed, evidence: group.ending(of: member.id))) }
        return .success(member)
    }
}

/// An object whose fields are ignored.
private struct NoFields: Decodable {
    private enum CodingKeys: CodingKey {}
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
}

/// The exact bytes of a request's control events: at most `Limits.mailboxControlsMax` events, and
/// `Limits.mailboxControlBytesMax` bytes in all.
struct ControlList: Sendable {
    let events: [[UInt8]]

    /// - Throws: `invalidField` for `controls`.
    init(_ controls: [Data]) throws(Failure) {
        guard controls.count <= Limits.mailboxControlsMax,
            controls.reduce(0, { $0 + $1.count }) <= Limits.mailboxControlBytesMax
        else { throw .invalid("controls") }
        events = controls.map { Array($0) }
    }
}
