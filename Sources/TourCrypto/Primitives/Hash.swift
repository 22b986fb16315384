import TourModel

/// The protocol's two functions, H and K: BLAKE2b over length-prefixed parts.
/// Source: `Protocol/01-identity.md`, "Hashing".
package enum Hash {
    /// The key lengths that K accepts.
    package static let keyBytes = 16...64

    /// H: 32 bytes over the label and each part, every one preceded by its 32-bit length.
    package static func of(_ label: HashLabel, _ parts: any Collection<UInt8>...) -> Bytes32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Bytes32.count) { output in
            hash(into: output, keyed: nil, label.text, parts)
            return Bytes32(exactly: output)
        }
    }

    /// K: a secret of 32 bytes. `key` has 16 to 64 bytes; another length is a caller error.
    package static func keyed(
        _ key: SecretBytes, _ label: KeyLabel, _ parts: any Collection<UInt8>...
    ) -> SecretBytes {
        precondition(keyBytes.contains(key.count), "K takes keys of 16 to 64 bytes")
        return SecretBytes(count: Bytes32.count) { target in
            let output = UnsafeMutableBufferPointer(start: target, count: Bytes32.count)
            hash(into: output, keyed: key, label.text, parts)
        }
    }

    /// K for values sent or compared in the open: tags and commitments. `key` has 16 to 64 bytes; another length is a
    /// caller error.
    package static func tag(_ key: SecretBytes, _ label: KeyLabel, _ parts: any Collection<UInt8>...) -> Bytes32 {
        precondition(keyBytes.contains(key.count), "K takes keys of 16 to 64 bytes")
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Bytes32.count) { output in
            hash(into: output, keyed: key, label.text, parts)
            return Bytes32(exactly: output)
        }
    }

    private static func hash(
        into output: UnsafeMutableBufferPointer<UInt8>, keyed key: SecretBytes?, _ label: String,
        _ parts: [any Collection<UInt8>]
    ) {
        BLAKE2b.hash(into: output, keyed: key) { state in
            state.update(prefixed: label.utf8)
            for part in parts { state.update(prefixed: part) }
        }
    }
}
