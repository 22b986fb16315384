import Foundation
import HTTPTypes
import HummingbirdCore
import ServerBase

/// One request as a handler receives it: read, counted against rates and authorised.
package struct Call: Sendable {
    /// Names the request in the log and in the answer's `X-Request-Id`.
    package let id: String
    /// Method, path and headers.
    package let head: HTTPRequest
    /// The decoded path segments that matched `{name}` in the route.
    package let parameters: [String: String]
    /// The whole body; empty where the route reads none, or reads `stream`.
    package let body: Data
    /// The body as it arrives, for a route that streams it.
    package let stream: RequestBody
    /// The account that asks; nil on an open route without a token, and for a member's token.
    package let account: AuthenticatedAccount?
    /// The member that asks by a member's token; else nil.
    package let member: MemberToken?
    /// The client's address as rate limits count it: the first 64 bits of IPv6.
    package let address: String
    /// The client's whole address; nil where it cannot be read.
    package let client: IPNetwork?
    /// The language of texts that people read in the answer.
    package let language: Language
    /// Microseconds since 1970.
    package let now: Int64
    /// Stores the answer; nil without an Idempotency-Key.
    var keeper: AnswerKeeper?

    /// The account that asks, on a route that is not open.
    /// - Throws: `unauthenticated` without an account's token.
    package func requireAccount() throws(Failure) -> AuthenticatedAccount {
        guard let account else { throw Failure(.unauthenticated) }
        return account
    }

    /// The caller's name in rate limits and shares: the account, the member, or the client's address.
    package var callerName: String {
        if let member { return member.subject }
        return account.map { "account:\($0.id)" } ?? "address:\(address)"
    }

    /// The decoded value of a query field; nil when the query lacks the field.
    package func query(_ name: String) -> String? {
        guard let query = (head.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            return parts.count == 2 ? String(parts[1]).removingPercentEncoding : ""
        }
        return nil
    }

    /// The media type of messages of the schema.
    package static let protobuf = "application/x-protobuf"

    /// Whether the client accepts messages of the schema rather than JSON.
    package var wantsProtobuf: Bool {
        (head.headerFields[.accept] ?? "").split(separator: ",").contains { part in
            part.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased() == Self.protobuf
        }
    }

    /// Decodes the body.
    /// - Throws: `badJSON`; `invalidField` naming the field that is missing or of another type.
    package func json<Value: Decodable>(_ type: Value.Type) throws(Failure) -> Value {
        do {
            return try JSONForm.decoder.decode(type, from: body)
        } catch let error as DecodingError {
            throw Failure(decoding: error)
        } catch {
            throw Failure(.badJSON)
        }
    }
}

extension Failure {
    /// `invalidField` naming the field; `badJSON` for a text that is no JSON.
    package init(decoding error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .invalid(Self.field(context.codingPath))
        case .keyNotFound(let key, let context): self = .invalid(Self.field(context.codingPath + [key]))
        // A value that its type rejects has a path; a text that is no JSON has none.
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self = .invalid(Self.field(context.codingPath))
        default: self.init(.badJSON)
        }
    }

    /// `messages[3].sealed`; `body` for the whole body.
    private static func field(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text.isEmpty ? "body" : text
    }
}

extension String {
    /// A number in a path, in its one form: `1`, and neither `+1` nor `01`; nil for anything else.
    package var pathNumber: Int64? { Int64(self).flatMap { String($0) == self ? $0 : nil } }
}
