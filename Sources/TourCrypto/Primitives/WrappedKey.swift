import CSodium
import TourModel

extension WrappingKeyPair {
    /// - Returns: the key of 32 bytes; nil when it was wrapped for another key, or these bytes are no wrapped key.
    package func open(_ wrapped: some Collection<UInt8>) -> SecretBytes? {
        Sodium.start()
        guard wrapped.count == WrappingKey.wrappedBytes else { return nil }
        var status: Int32 = -1
        let key = SecretBytes(count: WrappingKey.keyBytes) { target in
            wrapped.withBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                status = publicKey.raw.withPointer { point in
                    secret.withPointer { crypto_box_seal_open(target, base, UInt64(bytes.count), point, $0) }
                }
            }
        }
        return status == 0 ? key : nil
    }
}

extension WrappingKey {
    /// An epoch key's length in bytes.
    package static let keyBytes = 32
    /// A wrapped epoch key's length in bytes: ephemeral public key, tag, key.
    package static let wrappedBytes = 80

    /// Wraps a key of 32 bytes (another length is a caller error) under a random ephemeral key.
    /// - Returns: 80 bytes; nil when this public key is a point of low order, which no honest device publishes.
    package func wrap(_ key: SecretBytes) -> [UInt8]? {
        precondition(key.count == Self.keyBytes, "only keys of 32 bytes are wrapped")
        Sodium.start()
        var wrapped = [UInt8](repeating: 0, count: Self.wrappedBytes)
        let status = key.withPointer { source in
            raw.withPointer { crypto_box_seal(&wrapped, source, UInt64(key.count), $0) }
        }
        return status == 0 ? wrapped : nil
    }
}
