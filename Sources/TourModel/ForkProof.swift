/// Two signed headers of one author for one place in its log: anybody that has both can prove the fork to anybody.
/// Source: `Protocol/05-events.md`, "Control bodies".
package struct ForkProof: Hashable, Sendable {
    /// One event without its body.
    package struct Branch: Hashable, Sendable {
        /// The exact 178 bytes that were signed.
        package var header: [UInt8]
        /// 64 bytes.
        package var signature: [UInt8]

        package init(header: [UInt8], signature: [UInt8]) {
            self.header = header
            self.signature = signature
        }

        package init(_ event: Event) {
            self.init(header: Array(event.headerBytes), signature: Array(event.signature))
        }
    }

    /// The identity key of both events' author.
    package var identity: SigningKey
    /// One of the two events.
    package var first: Branch
    /// The other one.
    package var second: Branch

    package init(identity: SigningKey, first: Branch, second: Branch) {
        self.identity = identity
        self.first = first
        self.second = second
    }
}
