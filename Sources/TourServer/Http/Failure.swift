import HTTPTypes

/// Why a request is not answered as it wishes: the one error of this module. What reaches the client is the code, its
/// text in the client's language and the field; the cause goes to the log.
package struct Failure: Error, Hashable, Sendable {
    package let code: FailureCode
    /// The field of the request that is wrong, as the client wrote it: `email`, `messages[3].sealed`.
    package let field: String?
    /// Seconds after which the same request may do.
    package let retryAfter: Int?
    /// The methods that the address takes, with `methodNotAllowed`.
    let allowed: [HTTPRequest.Method]
    /// With `removed`: the exact bytes of the control events that end the membership.
    let evidence: [[UInt8]]
    /// What else the answer says: `Upload-Offset`, say.
    let headers: HTTPFields
    /// For the operator. Holds no phone number, address, token or body.
    let cause: String?

    package init(
        _ code: FailureCode, field: String? = nil, retryAfter: Int? = nil, allowed: [HTTPRequest.Method] = [],
        evidence: [[UInt8]] = [], headers: HTTPFields = [:], cause: String? = nil
    ) {
        self.code = code
        self.field = field
        self.retryAfter = retryAfter
        self.allowed = allowed
        self.evidence = evidence
        self.headers = headers
        self.cause = cause
    }

    /// 422: the request can be read, but this field cannot be taken.
    package static func invalid(_ field: String) -> Failure { Failure(.invalidField, field: field) }
}

extension Failure: CustomStringConvertible {
    package var description: String { cause ?? FailureText.text(for: code, in: .english, field: field) }
}
