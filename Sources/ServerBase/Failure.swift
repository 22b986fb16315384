import HTTPTypes

/// The one error of this module: why a request failed. The client receives the code, its text in the client's language
/// and the field; the cause goes to the log.
package struct Failure: Error, Hashable, Sendable {
    /// The stable code that clients decide by.
    package let code: FailureCode
    /// The field of the request that is wrong, in the client's spelling: `email`, `messages[3].sealed`.
    package let field: String?
    /// Seconds after which the same request may succeed.
    package let retryAfter: Int?
    /// With `methodNotAllowed`: the methods that the path allows.
    package let allowed: [HTTPRequest.Method]
    /// With `removed`: the exact bytes of the control events that end the membership.
    package let evidence: [[UInt8]]
    /// Further headers of the answer, such as `Upload-Offset`.
    package let headers: HTTPFields
    /// For the operator's log: never holds a phone number, address, token or body.
    package let cause: String?
    /// The name of the limit that was reached, for the metrics.
    package let limit: String?

    /// A failure; only the code is required.
    package init(
        _ code: FailureCode, field: String? = nil, retryAfter: Int? = nil, allowed: [HTTPRequest.Method] = [],
        evidence: [[UInt8]] = [], headers: HTTPFields = [:], cause: String? = nil, limit: String? = nil
    ) {
        self.code = code
        self.field = field
        self.retryAfter = retryAfter
        self.allowed = allowed
        self.evidence = evidence
        self.headers = headers
        self.cause = cause
        self.limit = limit
    }

    /// 422: the request is readable, but this field is missing or not valid.
    package static func invalid(_ field: String) -> Failure { Failure(.invalidField, field: field) }
}

extension Failure: CustomStringConvertible {
    /// The cause, for the operator; the text for clients where there is none.
    package var description: String { cause ?? FailureText.text(for: code, in: .english, field: field) }
}
