import Foundation
import NIOHTTP1
import ServerRequests
import ServerStorage
import Testing
import TourCrypto
import TourGroup
import TourModel
import TourServer
import TourWire

/// One device of a tour, as a test plays it: it writes its log, and shows itself to the server.
struct TourPerson {
    let keys: MemberKeys
    var author: Author
    var log: [Event]

    var id: MemberID { keys.memberID }

    mutating func say(_ text: String, under epoch: EpochKey, at wall: Int64) -> Event {
        let event = author.write(.text(text, replyTo: nil), under: epoch, wallMilliseconds: wall)
        log.append(event)
        return event
    }

    mutating func write(_ body: ControlBody, at wall: Int64) -> Event {
        let event = author.write(body, wallMilliseconds: wall)
        log.append(event)
        return event
    }

    func proof(_ purpose: MailboxProof.Purpose, host: String, nonce: String) -> String {
        let digest = MailboxProof.digest(purpose, tour: author.tour, member: id, host: host, nonce: nonce)
        let signature = Data(keys.identity.sign(digest)).base64EncodedString()
        return #""memberId":"\#(id.hex)","nonce":"\#(nonce)","signature":"\#(signature)""#
    }
}

/// A tour with a guide and members who came by its invite.
struct SampleTour {
    var guide: TourPerson
    let epoch: EpochKey
    let invite = InviteSecret.random()
    private(set) var group: TourGroup
    /// Milliseconds since 1970, a little before the server's clock.
    static let wall: Int64 = 1_780_271_000_000

    init(fullHistory: Bool = true) {
        let keys = MemberKeys.random()
        let founding = Founding(
            keys: keys, epochKey: .random(count: 32), fullHistory: fullHistory, salt: Array(repeating: 7, count: 16),
            wallMilliseconds: Self.wall)
        epoch = founding.epoch
        group = founding.group
        guide = TourPerson(keys: keys, author: founding.author, log: [founding.group.genesisEvent])
        let body = group.inviteBody(invite, uses: 0, expiresAt: nil, under: epoch)
        _ = group.add(verifiedByTest: guide.write(body, at: Self.wall))
    }

    var id: TourID { group.tour }
    var genesis: String { Data(group.genesisEvent.bytes).base64EncodedString() }

    /// Somebody who was let in by the guide; the admission is the last event of the guide's log.
    /// - Parameter isKnown: whether `group` learns of it: of thousands it need not.
    mutating func join(isKnown: Bool = true) -> TourPerson {
        let keys = MemberKeys.random()
        let request = JoinRequest.signed(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: invite.invitePair, tour: id, handshakeHash: [UInt8](repeating: 3, count: 64))
        let admission = guide.write(.admit(request), at: Self.wall)
        if isKnown { _ = group.add(verifiedByTest: admission) }
        let author = Author(
            identity: keys.identity, tour: id, tail: Author.Tail(sequence: 0, id: .none), clock: .zero)
        return TourPerson(keys: keys, author: author, log: [])
    }
}

extension SampleTour {
    /// The guide does something to the tour.
    mutating func act(_ body: ControlBody) -> Event {
        let event = guide.write(body, at: Self.wall)
        _ = group.add(verifiedByTest: event)
        return event
    }

    /// A new epoch for all who are in now.
    mutating func rekey() throws -> EpochKey {
        let key = SecretBytes.random(count: 32)
        let event = act(try group.rekeyBody(key: key, by: guide.id))
        return try #require(EpochKey(id: EpochID(raw: event.id.raw), key: key))
    }
}

extension TourGroup {
    fileprivate mutating func add(verifiedByTest event: Event) -> [Event] { add(controls: [event.bytes]) }
}

extension RunningServer {
    var host: String { "127.0.0.1:\(port)" }

    func nonce() async throws -> String {
        struct Body: Decodable { var nonce: String }
        return try await send(.POST, "/auth/member/nonce", "{}").decoded(Body.self).nonce
    }

    /// An account with the role of a guide.
    func newGuide(_ email: String = "guide@example.org") async throws -> Tokens {
        let tokens = try await newAccount(email)
        let door = try OpenedServer(settings: .data(in: directory))
        try await door.setRole(.guide, of: email, vouches: true)
        try await door.storage.close()
        return tokens
    }

    /// Makes the tour known by the guide's account.
    func found(_ tour: SampleTour, token: String, host: String? = nil) async throws -> Reply {
        let proof = tour.guide.proof(.group, host: host ?? self.host, nonce: try await nonce())
        return try await send(.POST, "/groups", token: token, #"{"genesis":"\#(tour.genesis)",\#(proof)}"#)
    }

    func logIn(_ person: TourPerson, controls: [Event] = []) async throws -> Reply {
        let proof = person.proof(.auth, host: host, nonce: try await nonce())
        let list = controls.map { "\"\(Data($0.bytes).base64EncodedString())\"" }.joined(separator: ",")
        return try await send(
            .POST, "/auth/member", #"{"groupId":"\#(person.author.tour.hex)","controls":[\#(list)],\#(proof)}"#)
    }

    func memberToken(_ person: TourPerson, controls: [Event] = []) async throws -> String {
        struct Body: Decodable { var access_token: String }
        return try await logIn(person, controls: controls).decoded(Body.self).access_token
    }

    func push(_ events: [Event], token: String) async throws -> PushReply {
        let entries = events.map { #"{"localId":"\#($0.id.hex)","sealed":"\#(Data($0.bytes).base64EncodedString())"}"# }
        return try await send(
            .POST, "/messages/sync", token: token, #"{"messages":[\#(entries.joined(separator: ","))]}"#
        ).decoded()
    }
}

struct PushReply: Decodable {
    struct Synced: Decodable, Hashable {
        var localMessageId: String
        var status: String
    }
    struct Rejected: Decodable, Hashable {
        var localMessageId: String
        var code: String
        var retry: Bool
    }
    var syncedMessages: [Synced]
    var rejectedMessages: [Rejected]
    var syncTime: Date
    var heads: [String: Int]

    var statuses: [String] { syncedMessages.map(\.status) }
    var codes: [String] { rejectedMessages.map { "\($0.code)\($0.retry ? " again" : "")" } }
}
