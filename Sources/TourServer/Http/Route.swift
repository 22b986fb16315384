import HTTPTypes

/// One address and method of the contract: everything that must be so before its handler runs stands here, so that the
/// table of routes says who may do what. Contract: `Protocol/Schema/openapi.yaml`, which names the same routes.
package struct Route: Sendable {
    /// Who may call.
    package enum Access: Hashable, Sendable {
        /// Everybody; a good token is looked at, another is as none.
        case open
        /// Whoever has an account.
        case account
        /// Whoever has an account or a member's token; which tours these open, the handler asks.
        case seat
        /// Whoever has an account of this role or a higher one.
        case role(AccountRole)
    }

    /// What is read of a body.
    package enum Body: Hashable, Sendable {
        case none
        /// A JSON document of at most so many bytes, read as a whole.
        case json(bytesMax: Int)
        /// Bytes of any kind, which the handler reads as they come.
        case stream

        package static let json = Body.json(bytesMax: ServerLimits.jsonBytesMax)
    }

    package typealias Handler = @Sendable (Call) async throws(Failure) -> Answer

    package let method: HTTPRequest.Method
    /// As the contract writes it: `/groups/{id}/members`. A slash at the end of a request's path makes no difference.
    package let path: String
    package let access: Access
    package let body: Body
    let limits: [RateLimit]
    /// Whether the answer to an Idempotency-Key is kept; where repeating changes nothing it need not be.
    let keepsAnswers: Bool
    /// Whether it may take seconds of a processor, and waits for its turn. See `HeavyRequests`.
    let isHeavy: Bool
    let handler: Handler

    /// - Parameter limits: counted for the client's address before anything is read.
    package init(
        _ method: HTTPRequest.Method, _ path: String, access: Access = .account, body: Body = .none,
        limits: [RateLimit] = [], keepsAnswers: Bool = true, isHeavy: Bool = false, handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.body = body
        self.limits = limits
        self.keepsAnswers = keepsAnswers && ![.get, .head, .options].contains(method)
        self.isHeavy = isHeavy
        self.handler = handler
    }
}
