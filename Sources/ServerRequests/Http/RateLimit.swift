import ServerBase
import ServerStorage

/// How often an action is allowed: `burst` times at once, then once in each `interval`. The generic cell rate
/// algorithm: it stores one number for each key, the time at which the bucket is full again.
package struct RateLimit: Hashable, Sendable {
    /// Part of the key: two limits of the same name share their counters.
    let name: String
    private(set) var burst: Int64
    /// Microseconds.
    private(set) var interval: Int64
    /// Whether it holds exactly, however many processes serve: each action is counted in the database before it is
    /// done.
    let isStrict: Bool

    /// - Parameter name: begins the keys of the counters; see `name`.
    package init(_ name: String, burst: Int64, every interval: Duration, isStrict: Bool = true) {
        self.name = name
        self.burst = burst
        self.isStrict = isStrict
        self.interval = interval.components.seconds * 1_000_000 + interval.components.attoseconds / 1_000_000_000_000
    }

    /// Requests from one address: generous, since a whole tour may share one address of a hotel.
    static let perAddress = RateLimit("address", burst: 600, every: .milliseconds(50), isStrict: false)
    /// Requests of one account or member.
    static let perAccount = RateLimit("account", burst: 300, every: .milliseconds(100), isStrict: false)
    /// Nonces for proofs of members from one address: each proof costs a signature check, and a nonce is stored for a
    /// minute.
    package static let noncesPerAddress = RateLimit(
        "nonces-address", burst: 400, every: .milliseconds(250), isStrict: false)
    /// Passwords tried: from one address, from one address at one account, and at one account from all addresses where
    /// it was never used.
    package static let loginPerAddress = RateLimit("login-address", burst: 20, every: .seconds(15))
    package static let loginPerPair = RateLimit("login-pair", burst: 10, every: .seconds(60))
    package static let loginOfStrangers = RateLimit("login-strangers", burst: 100, every: .seconds(10))
    /// Second factors tried at one account, apart for addresses where it was used and for all others: of a million
    /// codes three are right at a time.
    package static let secondFactorTries = RateLimit("second-factor", burst: 10, every: .seconds(300))
    /// Accounts created from one address.
    package static func signupPerAddress(_ bounds: AddressBounds) -> RateLimit {
        RateLimit("signup-address", burst: Int64(bounds.signups), every: .seconds(60))
    }
    /// Codes sent to one phone, and on request of one address: each costs money and disturbs somebody.
    package static let smsPerPhone = RateLimit("sms-phone", burst: 3, every: .seconds(300))
    package static let smsPerPhoneAndDay = RateLimit("sms-phone-day", burst: 6, every: .seconds(4 * 60 * 60))
    package static func smsPerAddress(_ bounds: AddressBounds) -> RateLimit {
        RateLimit("sms-address", burst: Int64(bounds.texts), every: .seconds(60))
    }
    /// Those beyond it on request of an address where a guide was today: a whole group logs in at its hotel.
    package static let smsPerAddressOfGuides = RateLimit("sms-address-guides", burst: 100, every: .seconds(60))
    /// How often the database is asked whether a guide was at one address: no less than such a group needs, and in
    /// memory alone, so that requests which are refused cost nothing.
    package static let smsGuidesAsked = RateLimit(
        "sms-guides-asked", burst: 100, every: .seconds(10), isStrict: false)
    /// Mails sent to one address, mails requested from one client address, and those that one account requests to
    /// addresses that are not its own.
    package static let mailPerAddress = RateLimit("mail-recipient", burst: 3, every: .seconds(300))
    package static let mailPerAddressAndDay = RateLimit("mail-recipient-day", burst: 6, every: .seconds(4 * 60 * 60))
    package static let mailPerClient = RateLimit("mail-address", burst: 20, every: .seconds(60))
    package static let mailPerAccount = RateLimit("mail-account", burst: 5, every: .seconds(720))
    /// Codes tried from one address; each code limits its own tries too.
    package static let codesPerAddress = RateLimit("codes-address", burst: 60, every: .seconds(10))
    /// Documents printed for one address: each may occupy a core for seconds.
    package static let printsPerAddress = RateLimit("prints-address", burst: 60, every: .seconds(2))
}

/// How often one address may ask at once for what a whole group asks for that shares it, as the operator rules; once
/// more in each minute.
package struct AddressBounds: Hashable, Sendable {
    /// New accounts.
    package var signups = ServerLimits.signupsPerAddress
    /// Codes by text message.
    package var texts = ServerLimits.textsPerAddress

    /// The bounds of a server whose operator has not said anything.
    package init() {}
}

extension RateLimit {
    /// The server's messages for one of two sides: requests from addresses where the account is known, and all others,
    /// so that strangers cannot use up what the server's users need. Each side may send a quarter of the daily count
    /// at once, and regains a quarter in a day, so that no 24 hours have more
    /// than the count. `SMSBudget` counts them, in the database alone.
    static func smsOfServer(perDay count: Int) -> RateLimit {
        let quarter = Int64(max(count / 4, 1))
        return RateLimit("sms-server", burst: quarter, every: .seconds(24 * 60 * 60) / Int(quarter))
    }

    /// This limit for a client, and for the networks around it, which have several times as much: a household or a
    /// company may hold a network as a whole, and thousands of strangers' phones may share another one.
    /// - Parameter what: follows the client's name where it has a counter for each of several things.
    package func at(_ client: String, _ what: String = "") -> [(limit: RateLimit, who: String)] {
        [(self, client + what)]
            + ClientAddress.networks(of: client).map { network in
                var wide = self
                wide.burst *= network.times
                wide.interval = max(wide.interval / network.times, 1)
                return (wide, network.name + what)
            }
    }

    /// The key of a counter.
    func key(of who: String) -> String { name + ":" + who }

    /// How much of the bucket is used, from 0 to 1.
    /// - Parameter full: when it is full again; microseconds since 1970, as `now`.
    func used(_ full: Int64, now: Int64) -> Double {
        min(max(Double(full - now) / (Double(burst) * Double(interval)), 0), 1)
    }

    /// Counts one action.
    /// - Parameter stored: when the bucket of this key is full again; microseconds since 1970, as `now`.
    /// - Parameter leeway: how far the clocks of those who count may differ, in microseconds.
    /// - Returns: when the bucket is full again after this action.
    /// - Throws: `tooManyRequests` with the seconds to wait.
    func counting(_ stored: Int64, now: Int64, leeway: Int64 = 0) throws(Failure) -> Int64 {
        let full = now + burst * interval
        // A time beyond the leeway can only date from before the clock was set back, and then means nothing.
        let arrival = stored > full + leeway ? now : max(stored, now)
        let wait = arrival + interval - full
        guard wait <= 0 else {
            throw Failure(.tooManyRequests, retryAfter: Int((wait + 999_999) / 1_000_000), limit: name)
        }
        return arrival + interval
    }
}

extension Rates {
    /// Of `Idempotency` too.
    package static let migrations = [
        Migration(
            name: "requests-1",
            statements: [
                "CREATE TABLE rates (key TEXT PRIMARY KEY, arrival BIGINT NOT NULL)",
                "CREATE INDEX rates_by_arrival ON rates (arrival)",
                """
                CREATE TABLE answers (
                    place BYTEA PRIMARY KEY, fingerprint BYTEA NOT NULL, begun BIGINT NOT NULL, status BIGINT,
                    content_type TEXT, body BYTEA)
                """,
                "CREATE INDEX answers_by_begun ON answers (begun)",
            ])
    ]
}
