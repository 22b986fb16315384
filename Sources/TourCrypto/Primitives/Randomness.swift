import CSodium

/// The only source of randomness. Pure machines get random values from here as arguments.
package enum Randomness {
    /// - Parameter count: how many bytes, 0 or more.
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        Sodium.start()
        guard let base = buffer.baseAddress else { return }
        randombytes_buf(base, buffer.count)
    }
}
