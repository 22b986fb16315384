import TourModel

/// The keys derived from an invite code's seed. Source: `Protocol/07-joining.md`.
package struct InviteSecret: Sendable, Equatable {
    /// The seed's length in bytes.
    package static let seedBytes = 16

    /// The seed.
    package let seed: SecretBytes

    /// - Returns: nil unless `seed` has 16 bytes.
    package init?(seed: some Collection<UInt8>) { self.init(seed: SecretBytes(seed)) }

    /// - Returns: nil unless `seed` has 16 bytes.
    package init?(seed: SecretBytes) {
        guard seed.count == Self.seedBytes else { return nil }
        self.seed = seed
    }

    /// The secret in a code.
    package init(code: InviteCode) { seed = SecretBytes(code.seed) }

    private init(random: SecretBytes) { seed = random }

    /// The secret of a new invite.
    package static func random() -> InviteSecret { InviteSecret(random: .random(count: seedBytes)) }

    /// The pair that signs join requests; the invite event contains its public key.
    package var invitePair: SigningKeyPair { SigningKeyPair(seed: Hash.keyed(seed, .invite)) }

    /// K(seed, "join-secret"): the PSK of the joiner's link.
    package var joinSecret: SecretBytes { Hash.keyed(seed, .joinSecret) }
}
