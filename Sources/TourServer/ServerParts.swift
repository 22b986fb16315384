import Logging

/// What the routes of every concept are made of. Nothing in it knows more than the storage and the files do, so that
/// a process may end at any moment, and several may run side by side.
package struct ServerParts: Sendable {
    package let storage: any Storage
    package let secret: ServerSecret
    package let passwords: PasswordHasher
    package let sms: any SMSSender
    let authenticator: Authenticator
    let metrics = ServerMetrics()
    package let logger: Logger
    /// Microseconds since 1970.
    package let now: @Sendable () -> Int64

    package init(
        storage: any Storage, directory: ServerDirectory, passwords: PasswordHasher, sms: any SMSSender,
        outside: OutsideIssuer? = nil, logger: Logger, now: @escaping @Sendable () -> Int64
    ) throws(Failure) {
        self.storage = storage
        secret = try ServerSecret(directory: directory)
        self.passwords = passwords
        self.sms = sms
        authenticator = Authenticator(
            storage: storage, keys: try TokenKeys(directory: directory, now: now()), outside: outside)
        self.logger = logger
        self.now = now
    }

    /// Every concept that keeps something of an account.
    var holdings: [any AccountHolding] { [SessionHolding(), OutsideNameHolding()] }

    /// Every route of the server.
    package var routes: [Route] {
        OperatorRoutes(parts: self).routes + AccountRoutes(parts: self).routes + PasswordRoutes(parts: self).routes
            + PhoneRoutes(parts: self).routes
    }
}
