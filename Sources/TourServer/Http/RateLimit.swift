/// How often something may be done: `burst` at once, then one each `interval`. The generic cell rate algorithm: one
/// number for each key, which is the time at which the bucket will be full again.
package struct RateLimit: Hashable, Sendable {
    /// Part of the key: two limits of the same name share their counters.
    let name: String
    let burst: Int64
    /// Microseconds.
    let interval: Int64

    package init(_ name: String, burst: Int64, every interval: Duration) {
        self.name = name
        self.burst = burst
        self.interval = interval.components.seconds * 1_000_000 + interval.components.attoseconds / 1_000_000_000_000
    }

    /// Of one address: generous, since a whole tour sits behind one address of a hotel.
    static let perAddress = RateLimit("address", burst: 600, every: .milliseconds(50))
    static let perAccount = RateLimit("account", burst: 300, every: .milliseconds(100))
    /// Proofs of members: each costs a signature's check, and a nonce is kept for a minute.
    static let noncesPerAddress = RateLimit("nonces-address", burst: 400, every: .milliseconds(250))
    /// Passwords tried: of one address, of one address at one account, and of all addresses from which the account
    /// was never used.
    static let loginPerAddress = RateLimit("login-address", burst: 20, every: .seconds(15))
    static let loginPerPair = RateLimit("login-pair", burst: 10, every: .seconds(60))
    static let loginOfStrangers = RateLimit("login-strangers", burst: 100, every: .seconds(10))
    /// Accounts made from one address.
    static let signupPerAddress = RateLimit("signup-address", burst: 60, every: .seconds(60))
    /// Codes sent to one phone, and on behalf of one address: each costs money, and somebody's phone rings.
    static let smsPerPhone = RateLimit("sms-phone", burst: 3, every: .seconds(300))
    static let smsPerPhoneAndDay = RateLimit("sms-phone-day", burst: 6, every: .seconds(4 * 60 * 60))
    static let smsPerAddress = RateLimit("sms-address", burst: 20, every: .seconds(60))
    /// Mails sent to one address, asked for from one place, and of the whole server: 10,000 in a day.
    static let mailPerAddress = RateLimit("mail-recipient", burst: 3, every: .seconds(300))
    static let mailPerAddressAndDay = RateLimit("mail-recipient-day", burst: 6, every: .seconds(4 * 60 * 60))
    static let mailPerClient = RateLimit("mail-address", burst: 20, every: .seconds(60))
    static let mailOfServer = RateLimit("mail-server", burst: 5_000, every: .milliseconds(17_280))
    /// Codes tried from one address; each code bears few tries of its own.
    static let codesPerAddress = RateLimit("codes-address", burst: 60, every: .seconds(10))
}

extension RateLimit {
    /// Half of what the server may send in a day, for those who ask from an address that the account is known at, or
    /// for all others: strangers cannot use up what its users need.
    static func smsOfServer(perDay count: Int) -> RateLimit {
        let half = Int64(max(count / 2, 1))
        return RateLimit("sms-server", burst: half, every: .seconds(24 * 60 * 60) / Int(half))
    }

    /// - Parameter stored: when the bucket of whom it is for will be full again; microseconds since 1970, as `now`.
    /// - Returns: the same once one more is counted.
    /// - Throws: `tooManyRequests` with the seconds to wait.
    func counting(_ stored: Int64, now: Int64) throws(Failure) -> Int64 {
        let full = now + burst * interval
        // Only before the clock was set back can it have been fuller than that: it says nothing then.
        let arrival = stored > full ? now : max(stored, now)
        let wait = arrival + interval - full
        guard wait <= 0 else {
            throw Failure(.tooManyRequests, retryAfter: Int((wait + 999_999) / 1_000_000))
        }
        return arrival + interval
    }
}

extension Migration {
    static let requests = [
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
