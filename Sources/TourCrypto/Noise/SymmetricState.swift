/// The chaining key, the handshake hash and the cipher of a handshake. Source: Noise revision 34, section 5.2.
struct SymmetricState: ~Copyable {
    /// h: 64 bytes.
    private(set) var handshakeHash: [UInt8]
    /// ck: 64 bytes.
    private var chainingKey: SecretBytes
    private var cipher: CipherState

    /// InitializeSymmetric.
    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        handshakeHash =
            name.count <= NoiseHash.length
            ? name + [UInt8](repeating: 0, count: NoiseHash.length - name.count)
            : NoiseHash.hash(name, [])
        chainingKey = SecretBytes(handshakeHash)
        cipher = CipherState(key: nil)
    }

    private init(handshakeHash: [UInt8], chainingKey: SecretBytes, cipher: consuming CipherState) {
        self.handshakeHash = handshakeHash
        self.chainingKey = chainingKey
        self.cipher = cipher
    }

    /// A copy of the state, only for a message that may fail: the caller discards one of the two before using either
    /// again.
    func draft() -> SymmetricState {
        SymmetricState(handshakeHash: handshakeHash, chainingKey: chainingKey, cipher: cipher.draft())
    }

    /// HasKey.
    var hasKey: Bool { cipher.hasKey }

    /// MixKey.
    mutating func mixKey(_ input: UnsafeRawBufferPointer) {
        let (next, key) = NoiseHash.hkdf2(chainingKey: chainingKey, input)
        chainingKey = next
        cipher = CipherState(key: key)
    }

    /// MixHash.
    mutating func mixHash(_ data: some Collection<UInt8>) {
        handshakeHash = NoiseHash.hash(handshakeHash, data)
    }

    /// MixKeyAndHash.
    mutating func mixKeyAndHash(_ input: UnsafeRawBufferPointer) {
        let (next, hash, key) = NoiseHash.hkdf3(chainingKey: chainingKey, input)
        chainingKey = next
        hash.withBytes { mixHash($0) }
        cipher = CipherState(key: key)
    }

    /// EncryptAndHash.
    mutating func encryptAndHash(_ plaintext: some Collection<UInt8>) throws(NoiseError) -> [UInt8] {
        let ciphertext = try cipher.encrypt(plaintext, associatedData: handshakeHash)
        mixHash(ciphertext)
        return ciphertext
    }

    /// DecryptAndHash.
    mutating func decryptAndHash(_ ciphertext: some Collection<UInt8>) throws(NoiseError) -> [UInt8] {
        let plaintext = try cipher.decrypt(ciphertext, associatedData: handshakeHash)
        mixHash(ciphertext)
        return plaintext
    }

    /// Split: the keys of the initiator's and of the responder's messages.
    func split() -> (initiator: SecretBytes, responder: SecretBytes) {
        let (first, second) = NoiseHash.hkdf2(
            chainingKey: chainingKey, UnsafeRawBufferPointer(start: nil, count: 0))
        return (first, second)
    }
}
