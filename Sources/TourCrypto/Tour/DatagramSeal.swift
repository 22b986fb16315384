import TourModel

/// A sealed multicast datagram: version 1, nonce 24, ciphertext, tag 16. The version is the associated data, so that
/// nobody can change it. Source: `Protocol/08-datagrams.md`, "Seal".
package struct DatagramSeal: Sendable {
    private static let version: UInt8 = 1
    private let key: SecretBytes

    package init(_ epoch: EpochKey) { key = epoch.multicastKey }

    /// The seal between holders of a code and members that may admit them, before the join.
    package init(joinSecret: SecretBytes) { key = Hash.keyed(joinSecret, .multicastInvite) }

    /// Seals a datagram under a random nonce.
    package func seal(_ plaintext: [UInt8]) -> [UInt8] {
        [Self.version] + Seal.seal(plaintext, key: key, associatedData: [Self.version])
    }

    /// - Returns: nil for a datagram that this key did not seal.
    package func open(_ datagram: [UInt8]) -> [UInt8]? {
        guard datagram.count <= Limits.datagramBytesMax, datagram.first == Self.version else { return nil }
        return try? Seal.open(datagram.dropFirst(), key: key, associatedData: [Self.version])
    }
}

/// The last datagrams received, by their nonces: this node processes none twice. It records its own too, since these
/// come back where two nodes share a machine. Source: `Protocol/08-datagrams.md`, "Replay".
package struct ReplayWindow: Sendable {
    /// The number remembered: some seconds of a busy segment. An older datagram that returns brings nothing new.
    package static let count = 4_096

    private var nonces = LastSeen<UInt64>(limit: count)

    package init() {}

    /// - Returns: whether the datagram is new.
    package mutating func insert(_ datagram: [UInt8]) -> Bool { nonces.insert(Self.nonce(datagram)) }

    /// Whether the datagram was inserted: check this before trying any key.
    package func contains(_ datagram: [UInt8]) -> Bool { nonces.contains(Self.nonce(datagram)) }

    /// Eight bytes of a random nonce: among a billion datagrams about one is mistaken for another.
    private static func nonce(_ datagram: [UInt8]) -> UInt64 {
        datagram.dropFirst().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
