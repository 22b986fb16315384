import Foundation
import HTTPTypes
import HummingbirdCore

/// One request as a handler sees it: read, limited and checked.
package struct Call: Sendable {
    /// Names the request in the log and in the answer's `X-Request-Id`.
    package let id: String
    package let head: HTTPRequest
    /// What stood in the path for `{name}`, decoded.
    package let parameters: [String: String]
    /// Empty where the route reads none, or reads it as it comes.
    package let body: Data
    /// What the client sends, for a route that reads it as it comes.
    let stream: RequestBody
    /// nil on an open route, and where a member's token opens.
    package let account: Account?
    /// What a member's token says.
    package let member: MemberToken?
    /// The client's address, as rates are counted by: of IPv6 the first 64 bits.
    package let address: String
    package let language: Language
    /// Microseconds since 1970.
    package let now: Int64
    /// Where its answer is kept; nil without an Idempotency-Key.
    var keeper: AnswerKeeper?

    /// The caller of a route that is not open.
    /// - Throws: `unauthenticated` on an open one.
    package func requireAccount() throws(Failure) -> Account {
        guard let account else { throw Failure(.unauthenticated) }
        return account
    }

    /// Whose request it is, as rates and shares count it: the account, the member, or the client's address.
    var callerName: String {
        if let member { return member.subject }
        return account.map { "account:\($0.id)" } ?? "address:\(address)"
    }

    /// The value of a query's field, decoded; nil when there is none.
    package func query(_ name: String) -> String? {
        guard let query = (head.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            return parts.count == 2 ? String(parts[1]).removingPercentEncoding : ""
        }
        return nil
    }

    static let protobuf = "application/x-protobuf"

    /// Whether the client takes messages of the schema rather than JSON.
    var wantsProtobuf: Bool {
        (head.headerFields[.accept] ?? "").split(separator: ",").contains { part in
            part.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased() == Self.protobuf
        }
    }

    /// The body as a value of this type.
    /// - Throws: `badJSON`; `invalidField` with the name of the field that is missing or of another type.
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

/// A whole number of a request. Of one with a fraction, or too large, the decoder says that it is no JSON, without its
/// field.
struct WholeNumber: Decodable, Sendable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = try? container.decode(Int.self) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no whole number")
        }
        self.value = value
    }
}

extension Failure {
    /// `invalidField`, naming the field; `badJSON` for a text that is none.
    init(decoding error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .invalid(Self.field(context.codingPath))
        case .keyNotFound(let key, let context): self = .invalid(Self.field(context.codingPath + [key]))
        // A value that its type refuses has a path; a text that is no JSON has none.
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self = .invalid(Self.field(context.codingPath))
        default: self.init(.badJSON)
        }
    }

    /// `messages[3].sealed`; `body` for the whole.
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
