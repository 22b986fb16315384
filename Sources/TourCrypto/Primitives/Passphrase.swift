import CSodium

/// Derives a key from a passphrase by Argon2id, to wrap the storage key. Source: `Protocol/01-identity.md`, "At rest".
package enum Passphrase {
    /// The values stored beside the wrapped key; none of them is secret.
    package struct Parameters: Hashable, Sendable {
        /// The salt's length in bytes.
        package static let saltBytes = 16
        /// The bounds keep a stored file from running for minutes or exhausting the machine's memory.
        package static let operationsBound: ClosedRange<UInt64> = 1...10
        /// The range of allowed memory, in bytes.
        package static let memoryBytesBound: ClosedRange<Int> = 8 * 1024...1024 * 1024 * 1024

        /// The number of passes.
        package let operations: UInt64
        /// The memory used, in bytes.
        package let memoryBytes: Int
        /// 16 bytes.
        package let salt: [UInt8]

        /// - Throws: `CryptoError.badPassphraseParameters` outside the bounds.
        package init(operations: UInt64, memoryBytes: Int, salt: [UInt8]) throws(CryptoError) {
            guard Self.operationsBound.contains(operations), Self.memoryBytesBound.contains(memoryBytes),
                salt.count == Self.saltBytes
            else { throw .badPassphraseParameters }
            self.init(unchecked: operations, memoryBytes, salt)
        }

        private init(unchecked operations: UInt64, _ memoryBytes: Int, _ salt: [UInt8]) {
            self.operations = operations
            self.memoryBytes = memoryBytes
            self.salt = salt
        }

        /// 3 passes over 256 MiB, about 0.75 s; a random salt.
        package static func moderate() -> Parameters {
            Parameters(unchecked: 3, 256 * 1024 * 1024, Randomness.bytes(saltBytes))
        }

        /// 2 passes over 64 MiB, about 0.1 s, for small machines; a random salt.
        package static func interactive() -> Parameters {
            Parameters(unchecked: 2, 64 * 1024 * 1024, Randomness.bytes(saltBytes))
        }

        /// `moderate` on machines with at least 1 GiB of memory, otherwise `interactive`; a random salt.
        package static func random(machineMemoryBytes: UInt64) -> Parameters {
            machineMemoryBytes < 1024 * 1024 * 1024 ? interactive() : moderate()
        }
    }

    /// Derives a key of 32 bytes on the calling thread. The parameters determine how long that takes.
    /// - Throws: `CryptoError.outOfMemory`. Scope: the node.
    package static func key(_ passphrase: [UInt8], _ parameters: Parameters) throws(CryptoError) -> SecretBytes {
        Sodium.start()
        var status: Int32 = -1
        let key = SecretBytes(count: Seal.keyBytes) { target in
            // One spare byte, so that an empty passphrase has an address too.
            var text = passphrase.map { CChar(bitPattern: $0) } + [0]
            defer { text.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
            status = crypto_pwhash(
                target, UInt64(Seal.keyBytes), text, UInt64(passphrase.count), parameters.salt,
                parameters.operations, parameters.memoryBytes, crypto_pwhash_ALG_ARGON2ID13)
        }
        guard status == 0 else { throw .outOfMemory }
        return key
    }
}
