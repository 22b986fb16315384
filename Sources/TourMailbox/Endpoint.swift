import FoundationEssentials
import NIOHTTP1
import TourCurl
import TourModel

/// One call of the server: its address, its content, and the token that it needs.
/// Source: `Protocol/09-mailbox.md`.
package struct Endpoint: Sendable {
    /// The longest answer of a server that is read: its contents have at most 16 MiB, plus the text around them.
    static let notebookAnswerBytesMax = 24 * 1_024 * 1_024

    /// Whose token the request carries.
    package enum Access: Sendable {
        case open, account
        case member(MemberPass)
    }

    /// The expected type of the answer.
    package enum AnswerType: String, Sendable {
        case json = "application/json"
        case protobuf = "application/x-protobuf"
        case events = "text/event-stream"
        case bytes = "application/octet-stream"
        case tar = "application/x-tar"
        /// Any type that a user once uploaded; the server forbids sniffing it.
        case file = "*/*"
    }

    package var method: HTTPMethod
    /// Relative to the base, with its query.
    package var path: String
    /// Whose token the request carries.
    package var access: Access
    /// The expected type of the answer.
    package var answer: AnswerType
    package var body: [UInt8]
    /// The type of the body, or of `pieces`, which are sent in its place.
    var bodyType = "application/json"
    var pieces: BodyPieces?
    /// A longer answer is not read.
    var answerMax = Limits.mailboxAnswerBytesMax
    /// In addition to those of every request.
    var headers: [(name: String, value: String)] = []
    /// The mark of our copy of the answer: the server need not send an unchanged answer again.
    package var knownMark: String?
    /// A user is waiting: retried once, and not again and again.
    package var isInteractive: Bool

    package init(
        _ method: HTTPMethod, _ path: String, access: Access, answer: AnswerType = .json, body: [UInt8] = [],
        isInteractive: Bool = false
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.answer = answer
        self.body = body
        self.isInteractive = isInteractive
    }

    /// Values of ours always encode.
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { preconditionFailure("a request of ours always encodes") }
        return Array(data)
    }
}

// Calls without a token, or for people.
extension Endpoint {
    static let health = Endpoint(.GET, "/healthz", access: .open)
    static let nonce = Endpoint(.POST, "/auth/member/nonce", access: .open, body: json([String: String]()))

    /// - Parameter secondFactor: nil: the account takes none, as far as is known.
    static func login(email: String, password: String, secondFactor: String?) -> Endpoint {
        let body = ["email": email, "password": password, "second_factor": secondFactor].compactMapValues(\.self)
        return Endpoint(.POST, "/auth/login", access: .open, body: json(body), isInteractive: true)
    }

    static func requestCode(phone: String) -> Endpoint {
        Endpoint(.POST, "/auth/sms/request", access: .open, body: json(["phone": phone]), isInteractive: true)
    }

    /// - Parameter secondFactor: nil: the account takes none, as far as is known.
    static func verify(phone: String, code: String, secondFactor: String?) -> Endpoint {
        let body = ["phone": phone, "code": code, "second_factor": secondFactor].compactMapValues(\.self)
        return Endpoint(.POST, "/auth/sms/verify", access: .open, body: json(body), isInteractive: true)
    }

    static func refresh(_ token: String) -> Endpoint {
        Endpoint(.POST, "/auth/refresh", access: .open, body: json(RefreshRequest(refreshToken: token)))
    }

    static func logout(_ token: String) -> Endpoint {
        Endpoint(
            .POST, "/auth/logout", access: .account, body: json(RefreshRequest(refreshToken: token)),
            isInteractive: true)
    }
}

// Calls for members.
extension Endpoint {
    static func memberToken(_ request: MemberRequest) -> Endpoint {
        Endpoint(.POST, "/auth/member", access: .open, body: json(request))
    }

    static func group(_ request: GroupRequest) -> Endpoint {
        Endpoint(.POST, "/groups", access: .account, body: json(request))
    }

    static func bind(_ pass: MemberPass, _ proof: (nonce: String, signature: Data)) -> Endpoint {
        let request = BindRequest(memberId: pass.member.hex, nonce: proof.nonce, signature: proof.signature)
        return Endpoint(.POST, "/groups/\(pass.tour.hex)/bind", access: .account, body: json(request))
    }

    static func push(_ batch: PushRequest, as pass: MemberPass) -> Endpoint {
        Endpoint(.POST, "/messages/sync", access: .member(pass), body: json(batch))
    }

    static func frontier(_ pass: MemberPass, knownMark: String?) -> Endpoint {
        var endpoint = Endpoint(.GET, "/groups/\(pass.tour.hex)/frontier", access: .member(pass))
        endpoint.knownMark = knownMark
        return endpoint
    }

    static func controls(_ pass: MemberPass, after place: UInt64) -> Endpoint {
        Endpoint(
            .GET, "/groups/\(pass.tour.hex)/controls?after=\(place)", access: .member(pass), answer: .protobuf)
    }

    /// - Parameter after: for each author the last event that we hold, at most `Limits.mailboxAuthorsMax`.
    static func events(_ pass: MemberPass, after: [(author: MemberID, sequence: UInt64)]) -> Endpoint {
        let list = after.map { "\($0.author.hex.prefix(16)):\($0.sequence)" }.joined(separator: ",")
        return Endpoint(
            .GET, "/groups/\(pass.tour.hex)/events?after=\(list)", access: .member(pass), answer: .protobuf)
    }

    static func live(_ pass: MemberPass) -> Endpoint {
        Endpoint(.GET, "/groups/\(pass.tour.hex)/live", access: .member(pass), answer: .events)
    }
}
