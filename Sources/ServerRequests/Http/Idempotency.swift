import Foundation
import HTTPTypes
import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// Carries out a write once even if its client sends it twice with the same Idempotency-Key: the answer is stored,
/// sealed, for a day.
package struct Idempotency: Sendable {
    /// The state of a key in the database.
    enum Standing: Sendable {
        /// The key is new: the request runs, and its caller then calls `keep` or `forget`.
        case begun
        /// An earlier request with the key got this answer.
        case answered(Answer)
    }

    let storage: any Storage
    let secret: ServerSecret

    package init(storage: any Storage, secret: ServerSecret) {
        self.storage = storage
        self.secret = secret
    }

    /// A caller's key, and the fingerprint of its request: the same key of another caller is another place.
    package struct Place: Sendable {
        let raw: Bytes32
        let fingerprint: Bytes32

        /// - Throws: `badRequest` when the key is empty or too long.
        init(key: String, call: Call) throws(Failure) {
            guard ServerLimits.idempotencyKeyBytes.contains(key.utf8.count) else { throw Failure(.badRequest) }
            raw = Hash.of(.idempotencyKey, Array(call.callerName.utf8), Array(key.utf8))
            let target = call.head.method.rawValue + " " + (call.head.path ?? "")
            fingerprint = Hash.of(.requestBody, Array(target.utf8), Array(call.body))
        }
    }

    /// Claims the key. The row is written without waiting for the disk: nothing that depends on it happens before it,
    /// so a power cut that loses the row loses that too.
    /// - Throws: `keyReused`, `inProgress`, `alreadyDone`.
    func begin(_ place: Place, now: Int64) async throws(Failure) -> Standing {
        let secret = secret
        return try await storage.write(.relaxed) { sql throws(Failure) in
            try AnswerRows(sql: sql).claim(place, secret, now: now)
        }
    }

    /// Deletes the claims that an ended process left: none of those requests was carried out, or its answer would be
    /// stored. Call it only while no other process serves this storage.
    package func forgetUnended() async throws(Failure) {
        try await storage.write { sql throws(Failure) in
            try AnswerRows(sql: sql).forgetUnended()
        }
    }

    /// Stores an answer that several transactions produced: the next request with this key gets it.
    func keep(_ answer: Answer, at place: Place) async throws(Failure) {
        let kept = try KeptAnswer(answer)
        if case .tooLarge = kept { return try await forget(place) }
        let secret = secret
        try await storage.write { sql throws(Failure) in
            try AnswerRows(sql: sql).keep(kept, answer.status, at: place, secret)
        }
    }

    /// Releases the key of a request that failed: the client may send it again.
    func forget(_ place: Place) async throws(Failure) {
        try await storage.write(.relaxed) { sql throws(Failure) in try AnswerRows(sql: sql).forget(at: place) }
    }
}

/// Stores the answer to a request, for a handler that writes in one transaction.
struct AnswerKeeper: Sendable {
    let place: Idempotency.Place
    let secret: ServerSecret
    /// Whether carrying out the request again would change nothing more.
    let isRepeatable: Bool

    /// Stores the answer in the transaction of the write: after a kill both are there or neither is.
    /// - Throws: `inProgress` when another request with the same key was quicker; that undoes this one's write.
    func keep(_ answer: Answer, in sql: any SQL) throws(Failure) {
        switch try KeptAnswer(answer) {
        case .tooLarge where isRepeatable: try AnswerRows(sql: sql).forget(at: place)
        case let kept: try AnswerRows(sql: sql).keep(kept, answer.status, at: place, secret)
        }
    }
}

extension Call {
    /// Runs one durable transaction, which is all that the call does, and returns the answer. An error of `work` undoes
    /// the transaction.
    package func write(
        _ storage: any Storage, _ work: @escaping @Sendable (any SQL) throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await settle(storage) { sql throws(Failure) in (.success(try work(sql)), ()) }.answer
    }

    /// Like `write`, for work that returns a value beside the answer, or whose writes stay though the request is
    /// refused.
    package func settle<Extra: Sendable>(
        _ storage: any Storage,
        _ work: @escaping @Sendable (any SQL) throws(Failure) -> (Result<Answer, Failure>, Extra)
    ) async throws(Failure) -> (answer: Answer, extra: Extra) {
        let keeper = keeper
        let (outcome, extra) = try await storage.write { sql throws(Failure) in
            let (outcome, extra) = try work(sql)
            guard let keeper, case .success(var answer) = outcome else { return (outcome, extra) }
            try keeper.keep(answer, in: sql)
            answer.isKept = true
            return (.success(answer), extra)
        }
        return (try outcome.get(), extra)
    }
}

/// An answer in the form that the database stores.
private enum KeptAnswer: Sendable {
    case small(type: String?, body: [UInt8])
    /// The database records that the request was carried out, not its answer.
    case tooLarge

    /// A value in the column of content types, for logins.
    static let session = "session"
    static let tooLargeType = "too-large"

    init(_ answer: Answer) throws(Failure) {
        switch answer.content {
        case .bytes(let bytes, let type):
            self = bytes.count <= ServerLimits.idempotentAnswerBytesMax ? .small(type: type, body: bytes) : .tooLarge
        case .session(let ticket):
            self = .small(type: Self.session, body: try ticket.json())
        default: self = .small(type: nil, body: [])
        }
    }
}

extension SessionTicket {
    fileprivate func json() throws(Failure) -> [UInt8] {
        do {
            return Array(try JSONForm.encoder.encode(self))
        } catch {
            throw Failure(.internalError, cause: "a session has no JSON")
        }
    }
}

/// The answers to requests with a key, inside one transaction. It owns the rows of `answers`.
private struct AnswerRows {
    let sql: any SQL

    /// - Throws: `keyReused`, `inProgress`, `alreadyDone`.
    func claim(_ place: Idempotency.Place, _ secret: ServerSecret, now: Int64) throws(Failure) -> Idempotency.Standing {
        let row = try sql.row(
            "SELECT fingerprint, begun, status, content_type, body FROM answers WHERE place = $1",
            [.bytes(place.raw.bytes)])
        let seconds = now / 1_000_000
        if let row, seconds - (try row.count(1)) < ServerLimits.idempotencyLifetime {
            guard try row.bytes(0) == place.fingerprint.bytes else { throw Failure(.keyReused) }
            if let status = try row.optionalInteger(2) {
                return .answered(try secret.answer(row, status: Int(clamping: status), place: place))
            }
            let waited = seconds - (try row.count(1))
            guard waited >= ServerLimits.idempotencyWorkTime else {
                throw Failure(.inProgress, retryAfter: Int(ServerLimits.idempotencyWorkTime - max(waited, 0)))
            }
        }
        try sql.run(
            """
            INSERT INTO answers (place, fingerprint, begun) VALUES ($1, $2, $3)
            ON CONFLICT (place) DO UPDATE SET fingerprint = excluded.fingerprint, begun = excluded.begun,
                status = NULL, content_type = NULL, body = NULL
            """, [.bytes(place.raw.bytes), .bytes(place.fingerprint.bytes), .integer(seconds)])
        return .begun
    }

    func forgetUnended() throws(Failure) {
        try sql.run("DELETE FROM answers WHERE status IS NULL", [])
    }

    /// - Throws: `inProgress` if the row has an answer already, or is gone.
    func keep(
        _ answer: KeptAnswer, _ status: HTTPResponse.Status, at place: Idempotency.Place, _ secret: ServerSecret
    ) throws(Failure) {
        var values: [SQLValue] = [.integer(Int64(status.code)), .null, .null, .bytes(place.raw.bytes)]
        switch answer {
        case .small(let type?, let body):
            values[1] = .text(type)
            values[2] = .bytes(secret.seal(body, for: place.raw.bytes))
        case .small: break
        case .tooLarge: values[1] = .text(KeptAnswer.tooLargeType)
        }
        let kept = try sql.run(
            "UPDATE answers SET status = $1, content_type = $2, body = $3 WHERE place = $4 AND status IS NULL", values)
        guard kept == 1 else { throw Failure(.inProgress, retryAfter: 1) }
    }

    /// Releases the key, unless another request with the same key was answered meanwhile.
    func forget(at place: Idempotency.Place) throws(Failure) {
        try sql.run("DELETE FROM answers WHERE place = $1 AND status IS NULL", [.bytes(place.raw.bytes)])
    }
}

extension ServerSecret {
    /// - Throws: `alreadyDone` for an answer that was too large to store.
    fileprivate func answer(
        _ row: SQLRow, status: Int, place: Idempotency.Place
    ) throws(Failure) -> Answer {
        guard (200..<600).contains(status) else {
            throw Failure(.internalError, cause: "an answer that was kept has a status that is none")
        }
        let status = HTTPResponse.Status(code: status)
        guard let type = try row.optionalText(3) else { return Answer(status) }
        guard type != KeptAnswer.tooLargeType else { throw Failure(.alreadyDone) }
        let body = try open(try row.bytes(4), for: place.raw.bytes)
        guard type == KeptAnswer.session else { return Answer(status, content: .bytes(body, type: type)) }
        guard let ticket = try? JSONDecoder().decode(SessionTicket.self, from: Data(body)) else {
            throw Failure(.internalError, cause: "an answer that was kept cannot be read")
        }
        return Answer(status, content: .session(ticket))
    }
}
