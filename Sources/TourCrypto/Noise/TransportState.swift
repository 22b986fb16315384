import TourModel

/// The two ciphers of an established link. Source: Noise revision 34, section 5.3, `Split`.
///
/// Messages must be read in the order in which they were written. Not copyable: two copies would use one nonce twice.
package struct TransportState: ~Copyable {
    /// The longest plaintext that fits one message.
    package static let plaintextBytesMax = Limits.noiseMessageBytesMax - CipherState.tagBytes

    /// 64 bytes, equal on both sides and unique to this handshake: both sides sign it to bind their identities.
    package let handshakeHash: [UInt8]
    /// The peer's static key.
    package let remoteStatic: LinkKey
    private var sending: CipherState
    private var receiving: CipherState

    init(sendingKey: SecretBytes, receivingKey: SecretBytes, handshakeHash: [UInt8], remoteStatic: LinkKey) {
        self.handshakeHash = handshakeHash
        self.remoteStatic = remoteStatic
        sending = CipherState(key: sendingKey)
        receiving = CipherState(key: receivingKey)
    }

    /// - Parameter plaintext: at most `plaintextBytesMax` bytes.
    /// - Throws: `messageTooLong`, `nonceExhausted`; the state is then unchanged. Scope: the link.
    package mutating func encrypt(_ plaintext: some Collection<UInt8>) throws(NoiseError) -> [UInt8] {
        guard plaintext.count <= Self.plaintextBytesMax else { throw .messageTooLong }
        return try sending.encrypt(plaintext, associatedData: [UInt8]())
    }

    /// - Throws: `messageTooShort`, `messageTooLong`, `decryptionFailed`, `nonceExhausted`; the next genuine message
    ///   can still be read afterwards. Scope: the link.
    package mutating func decrypt(_ message: some Collection<UInt8>) throws(NoiseError) -> [UInt8] {
        guard message.count <= Limits.noiseMessageBytesMax else { throw .messageTooLong }
        return try receiving.decrypt(message, associatedData: [UInt8]())
    }
}
