import TourModel

/// What an invite code's seed opens. Source: `Protocol/07-joining.md`.
package struct InviteSecret: Sendable, Equatable {
    package static let seedBytes = 16

    package let seed: SecretBytes

    /// - Returns: nil unless `seed` has 16 bytes.
    package init?(seed: some Collection<UInt8>) { self.init(seed: SecretBytes(seed)) }

    /// - Returns: nil unless `seed` has 16 bytes.
    package init?(seed: SecretBytes) {
        guard seed.count == Self.seedBytes else { return nil }
        self.seed = seed
    }

    package init(code: InviteCode) { seed = SecretBytes(code.seed) }

    private init(random: SecretBytes) { seed = random }

    /// The secret of a new invite.
    package static func random() -> InviteSecret { InviteSecret(random: .random(count: seedBytes)) }

    /// The pair that signs join requests; its public key stands in the invite event.
    package var invitePair: SigningKeyPair { SigningKeyPair(seed: Hash.keyed(seed, .invite)) }

    /// K(seed, "join-secret"): the PSK of the joiner's link.
    package var joinSecret: SecretBytes { Hash.keyed(seed, .joinSecret) }
}
