import CSodium

/// A password as a server stores it: libsodium's Argon2id hash, a PHC string that names its own parameters.
/// Source: `Protocol/10-server.md`, "Passwords, tokens, codes".
package struct PasswordHash: Hashable, Sendable {
    /// `$argon2id$v=19$m=65536,t=2,p=1$SALT$HASH`: memory in KiB, passes, threads.
    package let text: String

    /// A stored text.
    /// - Returns: nil for anything but a hash by Argon2id whose parameters are inside `Passphrase.Parameters`' bounds:
    ///   a changed row must not run for minutes, or take the machine's memory.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count < Int(crypto_pwhash_STRBYTES), parts.count == 6, parts[0].isEmpty,
            parts[1] == "argon2id", parts[2] == "v=19"
        else { return nil }
        let values = parts[3].split(separator: ",").map { $0.split(separator: "=") }
        guard values.count == 3, values.allSatisfy({ $0.count == 2 }), values.map({ $0[0] }) == ["m", "t", "p"],
            let memory = Int(values[0][1]), let passes = UInt64(values[1][1]),
            Passphrase.Parameters.operationsBound.contains(passes),
            (0...Passphrase.Parameters.memoryBytesBound.upperBound / 1024).contains(memory),
            Passphrase.Parameters.memoryBytesBound.contains(memory * 1024)
        else { return nil }
        self.text = text
    }

    /// Hashes on the calling thread, with a random salt.
    /// - Parameter operations: the number of passes.
    /// - Throws: `CryptoError.badPassphraseParameters`, `CryptoError.outOfMemory`. Scope: the node.
    package init(of password: [UInt8], operations: UInt64, memoryBytes: Int) throws(CryptoError) {
        guard Passphrase.Parameters.operationsBound.contains(operations),
            Passphrase.Parameters.memoryBytesBound.contains(memoryBytes)
        else { throw .badPassphraseParameters }
        Sodium.start()
        var output = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let status = Self.withCharacters(password) { text in
            crypto_pwhash_str(&output, text, UInt64(password.count), operations, memoryBytes)
        }
        guard status == 0 else { throw .outOfMemory }
        text = String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether this is the password, on the calling thread.
    /// - Throws: `CryptoError.outOfMemory`, also for a text that only looks like a hash. Scope: the node.
    package func matches(_ password: [UInt8]) throws(CryptoError) -> Bool {
        Sodium.start()
        let found = Self.withCharacters(password) { sodium_password_check(text, $0, UInt64(password.count)) }
        guard found >= 0 else { throw .outOfMemory }
        return found == 0
    }

    /// Whether its parameters are others than these.
    package func isOther(than operations: UInt64, memoryBytes: Int) -> Bool {
        crypto_pwhash_str_needs_rehash(text, operations, memoryBytes) != 0
    }

    private static func withCharacters<Result>(_ password: [UInt8], _ body: ([CChar]) -> Result) -> Result {
        // One spare byte, so that an empty password has an address too.
        var text = password.map { CChar(bitPattern: $0) } + [0]
        defer { text.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
        return body(text)
    }
}
