import TourCrypto
import TourGroup
import TourModel
import TourWire

/// The secrets of a tour that a store keeps sealed: our private keys and the epochs' keys.
///
/// ```
/// version u8 (2) | identity 64 | link 32 | number of wrapping keys u8
/// per wrapping key, oldest first: secret 32, made u64, superseded u64 (0: not), used u8; times in ms since 1970
/// per epoch: id 32, key 32
/// ```
package struct SessionSecrets {
    /// Our identity, link and newest wrapping key.
    package var keys: MemberKeys
    /// Our wrapping keys; that of `keys` is one of them.
    package var wrapping: WrappingKeys
    /// The keys of epochs.
    package var epochs: [(id: EpochID, key: SecretBytes)]

    private static let version: UInt8 = 2

    private static let wrappingKeyBytes = WrappingKeyPair.secretBytes + 8 + 8 + 1

    /// The bytes to keep.
    package var encoded: SecretBytes {
        var bytes = [Self.version]
        // Reserved so that the buffer never moves: nothing would wipe the copy left behind.
        bytes.reserveCapacity(
            2 + SigningKeyPair.secretBytes + LinkKeyPair.secretBytes + wrapping.kept.count * Self.wrappingKeyBytes
                + epochs.count * (Bytes32.count + EpochKey.keyBytes))
        for secret in [keys.identity.secret, keys.link.secret] { secret.withBytes { bytes.append(contentsOf: $0) } }
        bytes.append(UInt8(clamping: wrapping.kept.count))
        for kept in wrapping.kept {
            kept.pair.secret.withBytes { bytes.append(contentsOf: $0) }
            bytes.append(bigEndian: UInt64(clamping: kept.madeAt))
            bytes.append(bigEndian: UInt64(clamping: kept.supersededAt ?? 0))
            bytes.append(kept.isUsed ? 1 : 0)
        }
        for epoch in epochs {
            bytes += epoch.id.bytes
            epoch.key.withBytes { bytes.append(contentsOf: $0) }
        }
        return SecretBytes(taking: &bytes)
    }

    package init(keys: MemberKeys, wrapping: WrappingKeys, epochs: [EpochKey]) {
        self.keys = keys
        self.wrapping = wrapping
        self.epochs = epochs.map { ($0.id, $0.key) }
    }

    /// - Returns: nil for bytes that are not in our format.
    package init?(decoding secrets: SecretBytes) {
        guard let decoded = secrets.withCopy({ SessionSecrets(decoding: $0) }) else { return nil }
        self = decoded
    }

    private init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let version: UInt8 = reader.integer(), version == Self.version,
            let identity = reader.slice(SigningKeyPair.secretBytes).flatMap({ SigningKeyPair(secret: SecretBytes($0)) }
            ),
            let link = reader.slice(LinkKeyPair.secretBytes).flatMap({ LinkKeyPair(secret: SecretBytes($0)) }),
            let count: UInt8 = reader.integer()
        else { return nil }
        var kept = [WrappingKeys.Kept]()
        for _ in 0..<count {
            guard let one = Self.wrappingKey(&reader) else { return nil }
            kept.append(one)
        }
        guard let wrapping = WrappingKeys(kept) else { return nil }
        self.wrapping = wrapping
        keys = MemberKeys(identity: identity, link: link, wrapping: wrapping.newest)
        epochs = []
        while reader.remaining > 0 {
            guard let id = reader.slice(32).flatMap({ EpochID($0) }), let key = reader.slice(EpochKey.keyBytes) else {
                return nil
            }
            epochs.append((id, SecretBytes(key)))
        }
    }

    private static func wrappingKey(_ reader: inout ByteReader) -> WrappingKeys.Kept? {
        guard
            let pair = reader.slice(WrappingKeyPair.secretBytes).flatMap({ WrappingKeyPair(secret: SecretBytes($0)) }),
            let madeAt: UInt64 = reader.integer(), let supersededAt: UInt64 = reader.integer(),
            let isUsed: UInt8 = reader.integer()
        else { return nil }
        return WrappingKeys.Kept(
            pair: pair, madeAt: Int64(clamping: madeAt),
            supersededAt: supersededAt == 0 ? nil : Int64(clamping: supersededAt), isUsed: isUsed != 0)
    }
}
