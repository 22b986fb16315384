import TourCrypto
import TourModel
import TourWire

/// The key pairs of a device in one tour. Source: `Protocol/01-identity.md`.
package struct MemberKeys: Sendable {
    /// Signs events and binds.
    package var identity: SigningKeyPair
    /// The static key of links.
    package var link: LinkKeyPair
    /// Opens the epoch keys that rekeys wrap.
    package var wrapping: WrappingKeyPair

    /// New random keys; tours share none.
    package static func random() -> MemberKeys {
        MemberKeys(identity: SigningKeyPair(), link: LinkKeyPair(), wrapping: WrappingKeyPair())
    }

    package init(identity: SigningKeyPair, link: LinkKeyPair, wrapping: WrappingKeyPair) {
        self.identity = identity
        self.link = link
        self.wrapping = wrapping
    }

    /// The member that the identity names.
    package var memberID: MemberID { MemberID(identity: identity.publicKey) }
}

/// A newly created tour: its genesis and the first epoch's key, to which the genesis commits.
package struct Founding: Sendable {
    /// The tour with its genesis.
    package let group: TourGroup
    /// The writing end of the creator's log, behind the genesis.
    package let author: Author
    /// The first epoch's key.
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
