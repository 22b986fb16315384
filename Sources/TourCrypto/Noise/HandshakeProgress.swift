import TourModel

/// The part of a handshake that changes: the symmetric state and the keys learnt so far.
struct HandshakeProgress: ~Copyable {
    var symmetric: SymmetricState
    private(set) var localEphemeral: LinkKeyPair?
    private(set) var remoteEphemeral: LinkKey?
    private(set) var remoteStatic: LinkKey?

    init(protocolName: String, prologue: some Collection<UInt8>) {
        symmetric = SymmetricState(protocolName: protocolName)
        symmetric.mixHash(prologue)
    }

    private init(
        symmetric: consuming SymmetricState, localEphemeral: LinkKeyPair?, remoteEphemeral: LinkKey?,
        remoteStatic: LinkKey?
    ) {
        self.symmetric = symmetric
        self.localEphemeral = localEphemeral
        self.remoteEphemeral = remoteEphemeral
        self.remoteStatic = remoteStatic
    }

    /// A copy of the progress, only for a message that may fail: the caller discards one of the two before using either
    /// again.
    func draft() -> HandshakeProgress {
        HandshakeProgress(
            symmetric: symmetric.draft(), localEphemeral: localEphemeral, remoteEphemeral: remoteEphemeral,
            remoteStatic: remoteStatic)
    }

    /// Token e, written. With a PSK the key is also mixed into the chaining key. Source: Noise section 9.2.
    mutating func writeEphemeral(_ pair: LinkKeyPair, mixesKey: Bool) -> [UInt8] {
        localEphemeral = pair
        let key = pair.publicKey.bytes
        mixEphemeral(key, mixesKey: mixesKey)
        return key
    }

    /// Token e, read from the front of `message`.
    mutating func readEphemeral(_ message: inout ArraySlice<UInt8>, mixesKey: Bool) throws(NoiseError) {
        guard let key = LinkKey(message.prefix(Bytes32.count)) else { throw .messageTooShort }
        message = message.dropFirst(Bytes32.count)
        remoteEphemeral = key
        mixEphemeral(key.bytes, mixesKey: mixesKey)
    }

    /// Token s, read from the front of `message`.
    mutating func readStatic(_ message: inout ArraySlice<UInt8>) throws(NoiseError) {
        let length = Bytes32.count + (symmetric.hasKey ? CipherState.tagBytes : 0)
        guard message.count >= length else { throw .messageTooShort }
        let key = try symmetric.decryptAndHash(message.prefix(length))
        message = message.dropFirst(length)
        remoteStatic = LinkKey(raw: Bytes32(exactly: key))
    }

    /// MixKey(DH(…)).
    mutating func mixDH(_ local: LinkKeyPair?, _ remote: LinkKey?) throws(NoiseError) {
        guard let local, let remote else { preconditionFailure("a pattern sends keys before it uses them") }
        guard let shared = X25519.shared(secret: local.secret, point: remote.raw) else { throw .badPoint }
        shared.withBytes { symmetric.mixKey($0) }
    }

    private mutating func mixEphemeral(_ key: [UInt8], mixesKey: Bool) {
        symmetric.mixHash(key)
        if mixesKey { key.withUnsafeBytes { symmetric.mixKey($0) } }
    }
}
