import CSodium

/// A BLAKE2b computation in progress. Exists only inside `hash`, whose stack frame holds its state.
struct BLAKE2b: ~Copyable {
    private static let alignment = 64
    private static let roomBytes = 512

    private let state: OpaquePointer

    /// - Parameter output: 16 to 64 bytes that receive the hash.
    /// - Parameter key: nil for the plain hash; otherwise 16 to 64 bytes.
    static func hash(
        into output: UnsafeMutableBufferPointer<UInt8>, keyed key: SecretBytes?, _ feed: (borrowing BLAKE2b) -> Void
    ) {
        Sodium.start()
        guard let target = output.baseAddress else { preconditionFailure("a hash has bytes") }
        // The library's type needs an alignment of 64 bytes, which Swift's own types cannot have and which would move
        // the allocation off the stack.
        let size = crypto_generichash_statebytes()
        precondition(size + alignment <= roomBytes, "a state of BLAKE2b is some 400 bytes long")
        withUnsafeTemporaryAllocation(byteCount: roomBytes, alignment: 16) { memory in
            guard let room = memory.baseAddress else { preconditionFailure("a state has bytes") }
            let start = room.alignedUp(toMultipleOf: alignment)
            let state = OpaquePointer(start)
            let started =
                if let key {
                    key.withPointer { crypto_generichash_init(state, $0, key.count, output.count) }
                } else {
                    crypto_generichash_init(state, nil, 0, output.count)
                }
            precondition(started == 0, "key and output lengths are in range")
            feed(BLAKE2b(state: state))
            crypto_generichash_final(state, target, output.count)
            sodium_memzero(start, size)
        }
    }

    func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        crypto_generichash_update(state, base, UInt64(bytes.count))
    }

    func update(_ bytes: some Collection<UInt8>) { bytes.withBytes { update($0) } }

    /// The length as 32 bits, most significant byte first, then the bytes.
    func update(prefixed bytes: some Collection<UInt8>) {
        bytes.withBytes { part in
            withUnsafeBytes(of: UInt32(part.count).bigEndian) { update($0.bindMemory(to: UInt8.self)) }
            update(part)
        }
    }
}
