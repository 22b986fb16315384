import TourModel

/// A seat's identity as it stands in the seat's log, sealed under the secret that its phone keeps.
/// Source: `Protocol/15-seats.md`, "Seat records".
package enum SeatKeys {
    /// The length of a phone secret in bytes.
    package static let secretBytes = 32

    /// - Parameters:
    ///   - seed: the identity's seed, 32 bytes.
    ///   - secret: the phone secret, `secretBytes` bytes.
    /// - Returns: `SeatRecord.keysBytes` bytes.
    package static func seal(
        _ seed: SecretBytes, under secret: SecretBytes, tour: TourID, member: MemberID
    ) -> [UInt8] {
        seed.withBytes {
            Seal.seal($0, key: Hash.keyed(secret, .seatKeys), associatedData: tour.bytes + member.bytes)
        }
    }

    /// - Throws: `CryptoError.decryptionFailed` for another secret, tour or member. Scope: the record.
    package static func open(
        _ keys: [UInt8], under secret: SecretBytes, tour: TourID, member: MemberID
    ) throws(CryptoError) -> SigningKeyPair {
        var seed = try Seal.open(
            keys, key: Hash.keyed(secret, .seatKeys), associatedData: tour.bytes + member.bytes)
        guard seed.count == SigningKeyPair.seedBytes else { throw .decryptionFailed }
        let pair = SigningKeyPair(seed: SecretBytes(taking: &seed))
        // A host that sealed another key would make the guest write as somebody else.
        guard MemberID(identity: pair.publicKey) == member else { throw .decryptionFailed }
        return pair
    }
}
