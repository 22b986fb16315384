import HTTPTypes
import ServerBase

/// One path and method of the contract, with every condition that holds before its handler runs, so that the table of
/// routes shows who may do what.
/// Contract: `Protocol/Schema/openapi.yaml`, which names the same routes.
package struct Route: Sendable {
    /// The callers that a route admits.
    package enum Access: Hashable, Sendable {
        /// Everybody; a valid token identifies the caller, an invalid one counts as none.
        case open
        /// Every account.
        case account
        /// Every account, and every member's token; the handler checks which tours the caller may use.
        case member
        /// Every account of this role or a higher one.
        case role(AccountRole)
    }

    /// How the server reads a request's body.
    package enum Body: Hashable, Sendable {
        case none
        /// A JSON document of at most this many bytes, read as a whole.
        case json(bytesMax: Int)
        /// Bytes of any kind, which the handler reads as they arrive.
        case stream

        /// A JSON document of at most `ServerLimits.jsonBytesMax` bytes.
        package static let json = Body.json(bytesMax: ServerLimits.jsonBytesMax)
    }

    /// Answers one request.
    package typealias Handler = @Sendable (Call) async throws(Failure) -> Answer

    /// The method; GET answers HEAD as well.
    package let method: HTTPRequest.Method
    /// The path as the contract writes it: `/groups/{id}/members`. A slash at the end of a request's path makes no
    /// difference.
    package let path: String
    /// The callers that the route admits.
    package let access: Access
    /// How the server reads the body.
    package let body: Body
    let limits: [RateLimit]
    /// Whether the answer to a request with an Idempotency-Key is stored; not needed where repeating a request changes
    /// nothing.
    let keepsAnswers: Bool
    /// Whether it is for monitoring programs, which ask often and without patience: their requests are neither counted
    /// nor refused, and need no Host.
    let isProbe: Bool
    /// Whether a request may take seconds of processor time and so waits its turn. See `HeavyRequests`.
    let isHeavy: Bool
    /// Answers a request that has met every condition.
    package let handler: Handler

    /// - Parameter limits: counted for the client's address before the body is read.
    package init(
        _ method: HTTPRequest.Method, _ path: String, access: Access = .account, body: Body = .none,
        limits: [RateLimit] = [], keepsAnswers: Bool = true, isHeavy: Bool = false, isProbe: Bool = false,
        handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.body = body
        self.limits = limits
        self.keepsAnswers = keepsAnswers && ![.get, .head, .options].contains(method)
        self.isHeavy = isHeavy
        self.isProbe = isProbe
        self.handler = handler
    }
}
