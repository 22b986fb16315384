import TourModel

/// The bounds of asking that both sides know. Source: `Protocol/14-asking.md`, "Limits".
package enum AskLimits {
    /// How long an asker waits for a person, from the handshake on.
    package static let lifetime: Duration = .seconds(300)
    /// The same until the words are shown, and by digits.
    package static let exchangeTime: Duration = .seconds(30)
    /// Askers by words at a time.
    package static let openMax = 8
    /// The same from one address.
    package static let openPerAddressMax = 1
    /// Open ask links, also of those who have said nothing yet.
    package static let linksMax = 24
    /// The same from one address.
    package static let linksPerAddressMax = 3
    /// How long the code of an admission is valid, in seconds.
    static let admissionLifetime: Int64 = 600
    /// How many commitments a node answers, in all and from one address: after each one somebody who relays knows
    /// whether the words would agree. Source: `Protocol/14-asking.md`, "By words".
    static let commitments = KeyedRate<String>(
        ofAll: TokenBucket.Rate(atOnce: 12, perMinute: 12), ofEach: TokenBucket.Rate(atOnce: 3, perMinute: 3))
}
