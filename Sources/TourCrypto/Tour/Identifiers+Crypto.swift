import TourModel

extension MemberID {
    /// H("member", identity key). Source: `Protocol/01-identity.md`.
    package init(identity: SigningKey) {
        self.init(raw: Hash.of(.member, identity.bytes))
    }
}

extension TourID {
    /// H("genesis", event).
    /// - Parameter genesis: the exact bytes of the creator's first event: header, signature and body.
    package init(genesis: some Collection<UInt8>) {
        self.init(raw: Hash.of(.genesis, genesis))
    }
}
