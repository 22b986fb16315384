import TourCrypto
import TourModel
import TourWire

/// The keys that a device has in one tour. Source: `Protocol/01-identity.md`.
package struct MemberKeys: Sendable {
    package var identity: SigningKeyPair
    package var link: LinkKeyPair
    package var wrapping: WrappingKeyPair

    /// New random keys; nothing is shared between tours.
    package static func random() -> MemberKeys {
        MemberKeys(identity: SigningKeyPair(), link: LinkKeyPair(), wrapping: WrappingKeyPair())
    }

    package init(identity: SigningKeyPair, link: LinkKeyPair, wrapping: WrappingKeyPair) {
        self.identity = identity
        self.link = link
        self.wrapping = wrapping
    }

    package var memberID: MemberID { MemberID(identity: identity.publicKey) }
}

/// A tour just made: its genesis and the first epoch's key, which the genesis commits to.
package struct Founding: Sendable {
    package let group: TourGroup
    package let author: Author
    package let epoch: EpochKey

    /// - Parameter salt: 16 random bytes, so that two tours of one creator in one millisecond differ.
    package init(keys: MemberKeys, epochKey: SecretBytes, fullHistory: Bool, salt: [UInt8], wallMilliseconds: Int64) {
        let body = ControlBody.genesis(
            ControlBody.Genesis(
                identity: keys.identity.publicKey, linkKey: keys.link.publicKey,
                wrappingKey: keys.wrapping.publicKey,
                commitment: EpochKey.commitment(of: epochKey, author: keys.identity.publicKey),
                fullHistory: fullHistory, salt: salt))
        var unnamed = Author(
            identity: keys.identity, tour: .none, tail: Author.Tail(sequence: 0, id: .none), clock: .zero)
        let genesis = unnamed.write(body, wallMilliseconds: wallMilliseconds)
        guard var group = try? TourGroup(genesis: genesis.bytes),
            let epoch = EpochKey(id: EpochID(raw: genesis.id.raw), key: epochKey),
            group.learn(epoch: epoch.id, key: epochKey)
        else { preconditionFailure("a genesis of our own is sound") }
        self.group = group
        self.epoch = epoch
        author = Author(identity: keys.identity, tour: group.tour, tail: unnamed.tail, clock: unnamed.clock)
    }
}
