import HTTPTypes
import Logging
import ServerBase
import ServerStorage

/// The parts that routes of every subject share. They keep only caches, counters and queues in memory, so that the
/// process may end at any moment: the database and the files hold everything else.
package struct RequestParts: Sendable {
    /// The database.
    package let storage: any Storage
    /// The key for digests and for what is stored sealed.
    package let secret: ServerSecret
    /// Hashes passwords.
    package let passwords: PasswordHasher
    /// Sends SMS.
    package let sms: any SMSSender
    /// Sends mail.
    package let mail: any MailSender
    /// Mail on its way to the mail server; nil: `mail` sends at once.
    package let mailQueue: MailQueue?
    /// Bounds the SMS of a day.
    package let smsBudget: SMSBudget
    /// Tells the callers of requests, and signs their tokens.
    package let authenticator: Authenticator
    /// The rule about new accounts.
    package let registration: Registration
    /// How often one address may ask for what costs much.
    package let addressBounds: AddressBounds
    /// The address by which clients reach the server.
    package let served: ServedAddress
    /// The places of callers whose answers take long.
    package let places = AnswerPlaces()
    /// The turns of requests that take seconds of processor time.
    package let heavy = HeavyRequests()
    /// Counts requests by their callers.
    package let rates: Rates
    /// Counts requests for monitoring programs.
    package let metrics = ServerMetrics()
    /// Whether the server is ending.
    package let farewell = Farewell()
    /// The server's log.
    package let logger: Logger
    /// Microseconds since 1970.
    package let now: @Sendable () -> Int64

    /// - Parameter smsCaps: bound what the server sends by SMS.
    /// - Parameter now: microseconds since 1970.
    package init(
        storage: any Storage, secret: ServerSecret, passwords: PasswordHasher, sms: any SMSSender,
        mail: any MailSender, smsCaps: SMSCaps, authenticator: Authenticator, registration: Registration,
        addressBounds: AddressBounds, served: ServedAddress, logger: Logger,
        now: @escaping @Sendable () -> Int64
    ) {
        self.storage = storage
        self.secret = secret
        self.passwords = passwords
        self.sms = sms
        self.mail = mail
        mailQueue =
            mail.mayTryAgain
            ? MailQueue(
                storage: storage, secret: secret, sender: mail, metrics: metrics, logger: logger, now: now) : nil
        smsBudget = SMSBudget(storage: storage, caps: smsCaps, logger: logger)
        self.authenticator = authenticator
        self.registration = registration
        self.addressBounds = addressBounds
        self.served = served
        rates = Rates(storage: storage, logger: logger, now: now)
        self.logger = logger
        self.now = now
    }

    /// The bans of addresses, contacts and accounts.
    package var bans: Bans { authenticator.bans }

    /// Looks once more whether an account may ask, behind a body that may have taken hours.
    /// - Throws: `unauthenticated` where the account was deleted or disabled meanwhile, or its session ended; `banned`.
    package func requireStillOpen(_ account: AuthenticatedAccount, _ call: Call, in sql: any SQL) throws(Failure) {
        guard try account.isOpen(at: now(), in: sql) else { throw Failure(.unauthenticated) }
        guard !bans.hold(client: call.client, account: account.id, now: now()) else { throw Failure(.banned) }
    }

    /// The host that a proof must have been made for.
    /// - Throws: `badProof` for a name that is not the server's own, if it has any: another server may have asked a
    ///   member for the proof and pass it on.
    package func host(of call: Call) throws(Failure) -> String {
        let host = (call.head.authority ?? "").lowercased()
        guard served.isOwn(host) else { throw Failure(.badProof) }
        return host
    }
}
