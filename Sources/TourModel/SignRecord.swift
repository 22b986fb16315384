/// When a member last gave a sign of life, as far as this node received it.
package struct SignRecord: Hashable, Sendable {
    /// The member.
    package let member: MemberID
    /// Microseconds since 1970, by this node's clock.
    package let seenAt: Int64
    /// The counter of the member's newest row received; 0: none.
    package let counter: UInt64

    package init(member: MemberID, seenAt: Int64, counter: UInt64) {
        self.member = member
        self.seenAt = seenAt
        self.counter = counter
    }
}
