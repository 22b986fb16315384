import CSodium

/// HASH, HMAC-HASH and HKDF of Noise section 4.3 for BLAKE2b. HMAC uses the unkeyed hash: the library's keyed mode is
/// another function.
enum NoiseHash {
    /// HASHLEN.
    static let length = 64
    /// BLOCKLEN.
    static let block = 128

    /// HASH over the concatenation of the parts.
    static func hash(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
            let output = UnsafeMutableBufferPointer(rebasing: buffer[..<length])
            BLAKE2b.hash(into: output, keyed: nil) { state in
                state.update(first)
                state.update(second)
            }
            initialized = length
        }
    }

    /// HKDF with two outputs of 64 bytes.
    static func hkdf2(
        chainingKey: SecretBytes, _ input: UnsafeRawBufferPointer
    ) -> (SecretBytes, SecretBytes) {
        let key = hmac(key: chainingKey, input)
        let first = hmac(key: key, suffix: 1)
        return (first, chained(key, first, 2))
    }

    /// HKDF with three outputs of 64 bytes.
    static func hkdf3(
        chainingKey: SecretBytes, _ input: UnsafeRawBufferPointer
    ) -> (SecretBytes, SecretBytes, SecretBytes) {
        let key = hmac(key: chainingKey, input)
        let first = hmac(key: key, suffix: 1)
        let second = chained(key, first, 2)
        return (first, second, chained(key, second, 3))
    }

    private static func chained(_ key: SecretBytes, _ previous: SecretBytes, _ counter: UInt8) -> SecretBytes {
        previous.withBytes { hmac(key: key, $0, suffix: counter) }
    }

    /// HMAC-HASH over `data` followed by `suffix`, if any. `key` has at most `block` bytes.
    private static func hmac(
        key: SecretBytes, _ data: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        suffix: UInt8? = nil
    ) -> SecretBytes {
        let inner = SecretBytes(count: length) { target in
            let output = UnsafeMutableBufferPointer(start: target, count: length)
            BLAKE2b.hash(into: output, keyed: nil) { state in
                update(state, key, padding: 0x36)
                state.update(data.bindMemory(to: UInt8.self))
                if let suffix { state.update(CollectionOfOne(suffix)) }
            }
        }
        return SecretBytes(count: length) { target in
            let output = UnsafeMutableBufferPointer(start: target, count: length)
            BLAKE2b.hash(into: output, keyed: nil) { state in
                update(state, key, padding: 0x5C)
                inner.withBytes { state.update($0.bindMemory(to: UInt8.self)) }
            }
        }
    }

    /// Feeds the key, padded with zeros to a block, each byte XORed with `padding`.
    private static func update(_ state: borrowing BLAKE2b, _ key: SecretBytes, padding: UInt8) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: block) { buffer in
            buffer.initialize(repeating: padding)
            key.withBytes { bytes in
                for (index, byte) in bytes.enumerated() { buffer[index] ^= byte }
            }
            state.update(UnsafeBufferPointer(buffer))
            if let base = buffer.baseAddress { sodium_memzero(base, block) }
        }
    }
}
