/// How much of what phones send is in memory. A request counts once it has named a channel that there is: for the seat
/// of that channel or, before it has one, for its address. Those without a seat leave the others room. Short requests
/// count for nothing: there are only as many as connections. Source: `Protocol/15-seats.md`, "Limits".
package struct GuestBodies: Sendable {
    /// For whom a request counts.
    package enum Owner: Hashable, Sendable {
        case seat(String)
        /// Of a channel without a seat.
        case address(String)
    }

    private var held: [Owner: Int] = [:]
    private var all = 0
    private var strangers = 0

    package init() {}

    /// - Returns: false where too much is in memory; otherwise `free` follows.
    package mutating func reserve(_ bytes: Int, for owner: Owner) -> Bool {
        let own = held[owner, default: 0]
        let most = own > 0 ? GuestLimits.bodyBytesOfSecondsMax : GuestLimits.bodyBytesMax
        guard own + bytes <= GuestLimits.bodyBytesOfOneMax, all + bytes <= most else { return false }
        if case .address = owner {
            guard strangers + bytes <= GuestLimits.bodyBytesOfStrangersMax else { return false }
            strangers += bytes
        }
        held[owner] = own + bytes
        all += bytes
        return true
    }

    /// The request is not in memory any more.
    package mutating func free(_ bytes: Int, for owner: Owner) {
        let rest = held[owner, default: 0] - bytes
        held[owner] = rest > 0 ? rest : nil
        all -= bytes
        if case .address = owner { strangers -= bytes }
    }
}
