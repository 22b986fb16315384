/// What a login gives. Source: `Protocol/09-mailbox.md`, "Common".
package struct AccountTokens: Hashable, Codable, Sendable {
    /// Short-lived, goes with each request.
    package var access: String
    /// Long-lived: buys the next pair, once.
    package var refresh: String?
    /// Who logged in, as typed: for `status`.
    package var account: String
    /// The base that gave them; they go nowhere else.
    package var base: String

    package init(access: String, refresh: String?, account: String, base: String) {
        self.access = access
        self.refresh = refresh
        self.account = account
        self.base = base
    }
}

/// Keeps the tokens of the account over restarts, sealed.
package protocol TokenStore: Sendable {
    /// - Returns: nil when nobody is logged in, or what is kept cannot be read.
    func tokens() async -> AccountTokens?

    /// - Parameter tokens: nil removes what is kept.
    func keep(_ tokens: AccountTokens?) async
}
