import ServerBase

/// The operator's rule about new accounts. The operator makes accounts whatever the rule says, and
/// so do the tokens of an outside issuer, who registers its users itself.
package struct Registration: Hashable, Sendable {
    /// The rule for accounts with a name.
    package enum Rule: String, CaseIterable, Sendable {
        /// Everybody.
        case open
        /// Everybody who brings a code that the operator made.
        case invited
        /// Nobody.
        case closed
    }

    /// Whether people get an account without a name.
    package enum Guests: String, CaseIterable, Sendable {
        case on
        case off
    }

    /// The rule for accounts with a name, and for guests who want one.
    package let rule: Rule
    private let guests: Guests

    /// - Parameter guests: nil: on where everybody gets an account.
    package init(_ rule: Rule = .open, guests: Guests? = nil) {
        self.rule = rule
        self.guests = guests ?? (rule == .open ? .on : .off)
    }

    /// - Throws: `guestsOff`.
    package func requireGuests() throws(Failure) {
        guard guests == .on else { throw Failure(.guestsOff) }
    }
}
