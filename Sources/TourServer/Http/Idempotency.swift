import HTTPTypes
import TourCrypto
import TourModel

/// A write that comes twice with the same Idempotency-Key is done once: its answer is kept, sealed, for a day.
struct Idempotency: Sendable {
    /// What is known of a key.
    enum Standing: Sendable {
        /// Nobody has used it: the request goes on, and `keep` or `forget` follows.
        case begun
        /// This was answered.
        case answered(Answer)
    }

    let storage: any Storage
    let secret: ServerSecret

    /// Whose key it is: one caller's key says nothing of another's.
    struct Place: Sendable {
        let raw: Bytes32
        let fingerprint: Bytes32

        /// - Throws: `badRequest` when the key is empty or too long.
        init(key: String, call: Call, route: Route) throws(Failure) {
            guard ServerLimits.idempotencyKeyBytes.contains(key.utf8.count) else { throw Failure(.badRequest) }
            let caller = call.member?.subject ?? call.account.map { "account:\($0.id)" } ?? "address:\(call.address)"
            raw = Hash.of(.idempotencyKey, Array(caller.utf8), Array(key.utf8))
            let target = call.head.method.rawValue + " " + (call.head.path ?? "")
            fingerprint = Hash.of(.requestBody, Array(target.utf8), Array(call.body))
        }
    }

    /// - Throws: `keyReused`, `inProgress`.
    func begin(_ place: Place, now: Int64) async throws(Failure) -> Standing {
        let secret = secret
        return try await storage.write { sql throws(Failure) in
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
    }

    /// The answer was made: the next request with this key gets it.
    func keep(_ answer: Answer, at place: Place) async throws(Failure) {
        var type = SQLValue.null
        var body = SQLValue.null
        if case .bytes(let bytes, let contentType) = answer.content {
            guard bytes.count <= ServerLimits.idempotentAnswerBytesMax else { return try await forget(place) }
            type = .text(contentType)
            body = .bytes(secret.seal(bytes, for: place.raw.bytes))
        }
        let values: [SQLValue] = [.integer(Int64(answer.status.code)), type, body, .bytes(place.raw.bytes)]
        try await storage.write { sql throws(Failure) in
            try sql.run("UPDATE answers SET status = $1, content_type = $2, body = $3 WHERE place = $4", values)
        }
    }

    /// The request failed: it may come again.
    func forget(_ place: Place) async throws(Failure) {
        try await storage.write(.relaxed) { sql throws(Failure) in
            try sql.run("DELETE FROM answers WHERE place = $1", [.bytes(place.raw.bytes)])
        }
    }
}

extension ServerSecret {
    fileprivate func answer(
        _ row: SQLRow, status: Int, place: Idempotency.Place
    ) throws(Failure) -> Answer {
        guard (200..<600).contains(status) else {
            throw Failure(.internalError, cause: "an answer that was kept has a status that is none")
        }
        let status = HTTPResponse.Status(code: status)
        guard let type = try row.optionalText(3) else { return Answer(status) }
        return Answer(status, content: .bytes(try open(try row.bytes(4), for: place.raw.bytes), type: type))
    }
}
