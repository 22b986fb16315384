/// The tokens of a login. Source: `Protocol/09-mailbox.md`, "Common".
package struct AccountTokens: Hashable, Codable, Sendable {
    /// Short-lived; sent with each request.
    package var access: String
    /// Long-lived: exchanged for the next pair, once.
    package var refresh: String?
    /// The account as the user typed it: for `status`.
    package var account: String
    /// The server that issued them; they are sent nowhere else.
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
    /// - Returns: nil when nobody is logged in, or the stored tokens cannot be read.
    func tokens() async -> AccountTokens?

    /// - Parameter tokens: nil removes the stored ones.
    func keep(_ tokens: AccountTokens?) async
}
