import Foundation
import NIOHTTP1
import Synchronization
import TourCrypto
import TourGroup
import TourMailbox
import TourModel
import TourWire

/// A mailbox written from the chapter, in memory, that also plays the faults it is told.
final class MiniMailbox: Sendable {
    struct Fault {
        /// Of the path that it meets, once.
        var path: String
        var reaction: Reaction
        /// Requests of that path that pass before.
        var after = 0
        /// The request is carried out all the same: only its answer is lost.
        var isAfterwards = false
    }

    struct State {
        var group: TourGroup?
        var logs: [MemberID: [Event]] = [:]
        var controls: [[UInt8]] = []
        var nonces: Set<String> = []
        var tokens: Set<String> = []
        var issued = 0
        var faults: [Fault] = []
        var asked: [Asked] = []
        /// Guides' tokens.
        var guides: Set<String> = ["guide"]
        /// Whom accounts' tokens are tied to.
        var seats: [String: MemberID] = [:]
        /// Codes for events that are not taken.
        var refuses: [EventID: String] = [:]
        /// The keys of the archive that this server is, and what it says that it lacks.
        var archive: MemberKeys?
        var wants: [EpochID] = []
        /// What it was handed: keys by their epochs.
        var handed: [EpochID: SecretBytes] = [:]
        /// Events of one answer.
        var pageEvents = 1_000
    }

    let state = Mutex(State())
    static let time = "2026-05-01T10:00:00Z"

    /// - Parameter tour: known from the start.
    init(_ tour: TestTour? = nil) {
        guard let tour else { return }
        state.withLock {
            $0.group = tour.founding.group
            $0.logs[tour.creator] = [tour.founding.group.genesisEvent]
        }
    }

    func plan(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

    var events: Set<EventID> { state.withLock { Set($0.logs.values.joined().map(\.id)) } }

    func asked(_ path: String) -> [Asked] { state.withLock { $0.asked.filter { $0.path.hasSuffix(path) } } }

    func answer(_ asked: Asked) -> Reaction {
        state.withLock { state in
            state.asked.append(asked)
            guard let index = state.faults.firstIndex(where: { asked.path.hasSuffix($0.path) }) else {
                return Self.route(asked, &state)
            }
            guard state.faults[index].after == 0 else {
                state.faults[index].after -= 1
                return Self.route(asked, &state)
            }
            let fault = state.faults.remove(at: index)
            if fault.isAfterwards { _ = Self.route(asked, &state) }
            return fault.reaction
        }
    }

    private static func route(_ asked: Asked, _ state: inout State) -> Reaction {
        switch (asked.method, asked.path.split(separator: "/").map { String($0) }) {
        case ("GET", ["healthz"]): .json(200, #"{"service":"tour-chat","status":"ok","time":"\#(time)"}"#)
        case ("POST", ["auth", "member", "nonce"]): nonce(&state)
        case ("POST", ["auth", "member"]): memberToken(asked, &state)
        case ("POST", ["groups"]): found(asked, &state)
        case ("POST", let parts) where parts.count == 3 && parts[2] == "bind": bind(asked, &state)
        case (_, let parts) where !state.tokens.contains(asked.token ?? "") && parts.first != "auth":
            .refusal(401, "invalid-token")
        case ("POST", ["messages", "sync"]): push(asked, &state)
        case ("POST", let parts) where parts.count == 3 && parts[2] == "archive": offer(asked, state)
        case ("POST", let parts) where parts.count == 4 && parts[3] == "keys": takeKeys(asked, &state)
        case ("GET", let parts) where parts.count == 3 && parts[0] == "groups": read(parts[2], asked, state)
        default: .refusal(404, "not-found")
        }
    }

    private static func nonce(_ state: inout State) -> Reaction {
        state.issued += 1
        let nonce = "nonce-number-\(state.issued)-of-the-double"
        state.nonces.insert(nonce)
        return .json(200, #"{"nonce":"\#(nonce)","expires_in":60}"#)
    }

    private static func fields(_ asked: Asked) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(asked.body)) as? [String: Any]) ?? [:]
    }

    private static func controls(_ fields: [String: Any]) -> [[UInt8]] {
        (fields["controls"] as? [String] ?? []).compactMap { Data(base64Encoded: $0).map { Array($0) } }
    }

    private static func isProven(
        _ fields: [String: Any], _ purpose: MailboxProof.Purpose, _ asked: Asked, _ identity: SigningKey, tour: TourID,
        _ state: inout State
    ) -> Bool {
        guard let nonce = fields["nonce"] as? String, state.nonces.remove(nonce) != nil,
            let signature = (fields["signature"] as? String).flatMap({ Data(base64Encoded: $0) }),
            let host = asked.headers.first(name: "Host")
        else { return false }
        let member = MemberID(identity: identity)
        let digest = MailboxProof.digest(purpose, tour: tour, member: member, host: host, nonce: nonce)
        return identity.verifies(Array(signature), of: digest)
    }

    private static func take(controls: [[UInt8]], _ state: inout State) {
        let added = state.group?.add(controls: controls) ?? []
        state.controls += added.map(\.bytes)
    }

    private static func memberToken(_ asked: Asked, _ state: inout State) -> Reaction {
        let fields = fields(asked)
        guard let tour = state.group?.tour, fields["groupId"] as? String == tour.hex else {
            return .refusal(404, "unknown-group")
        }
        take(controls: controls(fields), &state)
        guard let group = state.group, let id = (fields["memberId"] as? String).flatMap({ MemberID(hex: $0) }),
            let member = group.roster.members[id]
        else { return .refusal(403, "unknown-member") }
        guard isProven(fields, .auth, asked, member.identity, tour: tour, &state) else {
            return .refusal(401, "bad-proof")
        }
        guard member.isActive else {
            let list = group.ending(of: id).map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
            return .json(403, #"{"error":{"code":"removed","message":"out","controls":[\#(list)]}}"#)
        }
        state.issued += 1
        state.tokens.insert("token-\(state.issued)")
        return .json(200, #"{"access_token":"token-\#(state.issued)","token_type":"bearer","expires_in":900}"#)
    }

    private static func found(_ asked: Asked, _ state: inout State) -> Reaction {
        guard state.guides.contains(asked.token ?? "") else { return .refusal(401, "invalid-token") }
        let fields = fields(asked)
        guard let genesis = (fields["genesis"] as? String).flatMap({ Data(base64Encoded: $0) }),
            var group = try? TourGroup(genesis: Array(genesis))
        else { return .refusal(422, "bad-genesis") }
        _ = group.add(controls: controls(fields))
        let id = (fields["memberId"] as? String).flatMap { MemberID(hex: $0) }
        guard let member = id.flatMap({ group.roster.members[$0] }), member.rank.leads,
            isProven(fields, .group, asked, member.identity, tour: group.tour, &state)
        else { return .refusal(403, "not-allowed") }
        state.group = group
        state.logs[group.roster.creator] = [group.genesisEvent]
        state.controls = controls(fields)
        return .json(201, #"{"id":"\#(group.tour.hex)","name":"","guideId":"","isActive":true,"members":[]}"#)
    }

    private static func bind(_ asked: Asked, _ state: inout State) -> Reaction {
        guard let token = asked.token, state.guides.contains(token) else { return .refusal(401, "invalid-token") }
        let fields = fields(asked)
        guard let tour = state.group?.tour, asked.path == "/groups/\(tour.hex)/bind" else {
            return .refusal(404, "unknown-group")
        }
        let id = (fields["memberId"] as? String).flatMap { MemberID(hex: $0) }
        guard let member = id.flatMap({ state.group?.roster.members[$0] }),
            isProven(fields, .bind, asked, member.identity, tour: tour, &state)
        else { return .refusal(401, "bad-proof") }
        state.seats[token] = member.id
        return .answer(204, [], [])
    }

    private static func heads(_ state: State) -> [String: UInt64] {
        Dictionary(uniqueKeysWithValues: state.logs.map { ($0.key.hex, UInt64($0.value.count)) })
    }

    private static func read(_ kind: String, _ asked: Asked, _ state: State) -> Reaction {
        let after = asked.query.split(separator: "=").last.map { String($0) } ?? ""
        switch kind {
        case "frontier": return frontier(asked, state)
        case "controls":
            let place = Int(after) ?? 0
            let page = state.controls.dropFirst(place).prefix(2)
            return protobuf(
                MailboxControls(
                    events: Array(page), next: UInt64(place + page.count),
                    more: place + page.count < state.controls.count
                ).encode())
        case "events": return events(after, state)
        case "archive": return archive(state)
        default: return .refusal(404, "not-found")
        }
    }

    private static func archive(_ state: State) -> Reaction {
        guard let keys = state.archive else { return .refusal(404, "no-archive") }
        let isActive = state.group?.roster.members[keys.memberID]?.isActive == true
        let wants = state.wants.map { "\"\($0.hex)\"" }.joined(separator: ",")
        return .json(
            200,
            #"{"memberId":"\#(keys.memberID.hex)","wrapping":"\#(keys.wrapping.publicKey.hex)","#
                + #""isActive":\#(isActive),"wants":[\#(wants)]}"#)
    }

    private static func offer(_ asked: Asked, _ state: State) -> Reaction {
        let fields = fields(asked)
        guard let keys = state.archive, let tour = state.group?.tour,
            let invite = (fields["invite"] as? String).flatMap({ SigningKey(hex: $0) }),
            let challenge = (fields["challenge"] as? String).flatMap({ Data(base64Encoded: $0) })
                .flatMap({ Bytes32($0) })
        else { return .refusal(422, "invalid-field") }
        let request = JoinRequest.ofArchive(
            identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: invite, tour: tour, challenge: challenge)
        return .json(
            200,
            #"{"memberId":"\#(keys.memberID.hex)","identity":"\#(request.identity.hex)","#
                + #""link":"\#(request.linkKey.hex)","wrapping":"\#(request.wrappingKey.hex)","#
                + #""signature":"\#(Data(request.identitySignature).base64EncodedString())"}"#)
    }

    private static func takeKeys(_ asked: Asked, _ state: inout State) -> Reaction {
        for key in fields(asked)["keys"] as? [[String: Any]] ?? [] {
            guard let epoch = (key["epoch"] as? String).flatMap({ EpochID(hex: $0) }),
                let wrapped = (key["wrapped"] as? String).flatMap({ Data(base64Encoded: $0) })
            else { continue }
            state.handed[epoch] = state.archive?.wrapping.open(wrapped)
        }
        return .json(200, #"{"taken":[]}"#)
    }

    private static func protobuf(_ bytes: [UInt8]) -> Reaction {
        .answer(200, [("Content-Type", "application/x-protobuf")], bytes)
    }

    private static func frontier(_ asked: Asked, _ state: State) -> Reaction {
        let heads = heads(state)
        let list = heads.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        let body = #"{"heads":{\#(list)},"controls":\#(state.controls.count),"syncTime":"\#(time)"}"#
        let mark = "\"\(Hex.encode(Hash.of(.body, Array(body.utf8)).bytes.prefix(8)))\""
        if asked.headers.first(name: "If-None-Match") == mark { return .answer(304, [], []) }
        return .answer(200, [("Content-Type", "application/json"), ("ETag", mark)], Array(body.utf8))
    }

    private static func events(_ after: String, _ state: State) -> Reaction {
        var runs = [Run]()
        var room = state.pageEvents
        var more = false
        for entry in after.split(separator: ",") {
            let parts = entry.split(separator: ":")
            guard let (_, log) = state.logs.first(where: { $0.key.hex.hasPrefix(String(parts[0])) }) else { continue }
            let lacking = log.dropFirst(Int(parts[1]) ?? 0)
            let page = lacking.prefix(room)
            room -= page.count
            more = more || page.count < lacking.count
            runs += Run.runs(of: page, hops: 0, pushed: false)
        }
        return protobuf(MailboxEvents(runs: runs, more: more).encode())
    }

    private static func push(_ asked: Asked, _ state: inout State) -> Reaction {
        var synced = [String]()
        var rejected = [String]()
        var authors = Set<MemberID>()
        for message in fields(asked)["messages"] as? [[String: Any]] ?? [] {
            let id = message["localId"] as? String ?? ""
            let sealed = (message["sealed"] as? String).flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []
            switch take(sealed, id, &authors, &state) {
            case .success(let status): synced.append(#"{"localMessageId":"\#(id)","status":"\#(status)"}"#)
            case .failure(let refusal):
                rejected.append(
                    #"{"localMessageId":"\#(id)","code":"\#(refusal.code)","retry":\#(refusal.retry)}"#)
            }
        }
        let heads = authors.compactMap { author in
            state.logs[author].map { #""\#(author.hex)":\#($0.count)"# }
        }
        return .json(
            200,
            #"{"syncedMessages":[\#(synced.joined(separator: ","))],"#
                + #""rejectedMessages":[\#(rejected.joined(separator: ","))],"#
                + #""syncTime":"\#(time)","heads":{\#(heads.joined(separator: ","))}}"#)
    }

    private struct Refusal: Error {
        var code: String
        var retry: Bool
    }

    private static func take(
        _ bytes: [UInt8], _ id: String, _ authors: inout Set<MemberID>, _ state: inout State
    ) -> Result<String, Refusal> {
        guard let raw = try? RawEvent(decoding: bytes) else {
            return .failure(Refusal(code: "event-malformed", retry: false))
        }
        let author = raw.header.author
        authors.insert(author)
        let event = Event(raw.header, signature: raw.signature, body: raw.body)
        if let code = state.refuses[event.id] { return .failure(Refusal(code: code, retry: false)) }
        guard let identity = state.group?.roster.members[author]?.identity else {
            return .failure(Refusal(code: "unknown-author", retry: true))
        }
        guard event.id.hex == id,
            EventCrypto.verify(event.headerBytes, signature: event.signature, author: identity)
        else { return .failure(Refusal(code: "bad-signature", retry: false)) }
        let log = state.logs[author] ?? []
        if raw.header.sequence <= UInt64(log.count) {
            let held = log[Int(raw.header.sequence) - 1]
            return held.id == event.id ? .success("duplicate") : .failure(Refusal(code: "forked-log", retry: false))
        }
        if raw.header.eventClass == .control, state.controls.contains(bytes) == false {
            take(controls: [bytes], &state)
        }
        guard raw.header.sequence == UInt64(log.count) + 1 else {
            return raw.header.eventClass == .control
                ? .success("stored") : .failure(Refusal(code: "missing-previous", retry: true))
        }
        guard raw.header.previous == log.last?.id ?? .none else {
            return .failure(Refusal(code: "forked-log", retry: false))
        }
        state.logs[author, default: []].append(event)
        return .success("stored")
    }
}
