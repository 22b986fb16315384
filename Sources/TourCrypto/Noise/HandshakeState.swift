import TourModel

/// One side of a handshake. Source: Noise revision 34, section 5.3.
///
/// A message that fails, written or read, leaves the state unchanged. Not copyable: two copies would use one nonce or
/// one ephemeral key twice.
package struct HandshakeState: ~Copyable {
    /// A side of the handshake; the raw value goes into signed bytes.
    package enum Role: UInt8, Sendable {
        /// The side that dialled.
        case initiator = 0
        /// The side that was dialled.
        case responder = 1
    }

    /// A pre-shared key's length in bytes.
    package static let pskBytes = 32

    /// The pattern of messages.
    package let pattern: HandshakePattern
    /// The side that this state plays.
    package let role: Role
    private let localStatic: LinkKeyPair
    private let psk: SecretBytes?
    private let fixedEphemeral: LinkKeyPair?
    /// The number of messages written and read.
    private var done = 0
    private var progress: HandshakeProgress

    /// - Parameter prologue: bytes on which both sides must agree.
    /// - Parameter psk: 32 bytes if the pattern uses a PSK, otherwise nil; anything else is a caller error.
    /// - Parameter fixedEphemeralForVectorsOnly: nil except in tests: a fixed ephemeral key destroys forward secrecy.
    package init(
        pattern: HandshakePattern, role: Role, prologue: some Collection<UInt8>, psk: SecretBytes? = nil,
        localStatic: LinkKeyPair, fixedEphemeralForVectorsOnly: LinkKeyPair? = nil
    ) {
        precondition(psk?.count == (pattern.usesPSK ? Self.pskBytes : nil), "the PSK is what the pattern asks for")
        self.pattern = pattern
        self.role = role
        self.localStatic = localStatic
        self.psk = psk
        fixedEphemeral = fixedEphemeralForVectorsOnly
        progress = HandshakeProgress(protocolName: pattern.protocolName, prologue: prologue)
    }

    /// Whether all messages have been exchanged.
    package var isFinished: Bool { done == pattern.messages.count }

    /// Whether the next message is ours to write.
    package var isOurTurn: Bool { !isFinished && (done.isMultiple(of: 2) == (role == .initiator)) }

    /// The peer's static key once it has been read: for an initiator after message 2, before it writes message 3.
    package var remoteStatic: LinkKey? { progress.remoteStatic }

    /// - Throws: `outOfTurn`, `messageTooLong`, `badPoint`. Scope: the link.
    package mutating func writeMessage(payload: some Collection<UInt8> = [UInt8]()) throws(NoiseError) -> [UInt8] {
        guard isOurTurn else { throw .outOfTurn }
        var draft = progress.draft()
        var message = [UInt8]()
        for token in pattern.messages[done] {
            switch token {
            case .e: message += draft.writeEphemeral(fixedEphemeral ?? LinkKeyPair(), mixesKey: psk != nil)
            case .s: message += try draft.symmetric.encryptAndHash(localStatic.publicKey.bytes)
            default: try mix(token, into: &draft)
            }
        }
        message += try draft.symmetric.encryptAndHash(payload)
        guard message.count <= Limits.noiseMessageBytesMax else { throw .messageTooLong }
        advance(to: draft)
        return message
    }

    /// - Returns: the payload.
    /// - Throws: any `NoiseError` but `nonceExhausted`. Scope: the link.
    package mutating func readMessage(_ message: some Collection<UInt8>) throws(NoiseError) -> [UInt8] {
        guard !isFinished, !isOurTurn else { throw .outOfTurn }
        guard message.count <= Limits.noiseMessageBytesMax else { throw .messageTooLong }
        var draft = progress.draft()
        var rest = Array(message)[...]
        for token in pattern.messages[done] {
            switch token {
            case .e: try draft.readEphemeral(&rest, mixesKey: psk != nil)
            case .s: try draft.readStatic(&rest)
            default: try mix(token, into: &draft)
            }
        }
        let payload = try draft.symmetric.decryptAndHash(rest)
        advance(to: draft)
        return payload
    }

    /// Split: turns the finished handshake into the two ciphers of the link. Call only when `isFinished`.
    package consuming func transport() -> TransportState {
        guard isFinished, let remoteStatic = progress.remoteStatic else {
            preconditionFailure("a handshake is finished before it is used")
        }
        let keys = progress.symmetric.split()
        return TransportState(
            sendingKey: role == .initiator ? keys.initiator : keys.responder,
            receivingKey: role == .initiator ? keys.responder : keys.initiator,
            handshakeHash: progress.symmetric.handshakeHash, remoteStatic: remoteStatic)
    }

    private mutating func advance(to next: consuming HandshakeProgress) {
        progress = next
        done += 1
    }

    /// The tokens that carry no bytes.
    private func mix(_ token: HandshakePattern.Token, into draft: inout HandshakeProgress) throws(NoiseError) {
        let isInitiator = role == .initiator
        switch token {
        case .psk: psk?.withBytes { draft.symmetric.mixKeyAndHash($0) }
        case .ee: try draft.mixDH(draft.localEphemeral, draft.remoteEphemeral)
        case .ss: try draft.mixDH(localStatic, draft.remoteStatic)
        case .es:
            if isInitiator {
                try draft.mixDH(draft.localEphemeral, draft.remoteStatic)
            } else {
                try draft.mixDH(localStatic, draft.remoteEphemeral)
            }
        case .se:
            if isInitiator {
                try draft.mixDH(localStatic, draft.remoteEphemeral)
            } else {
                try draft.mixDH(draft.localEphemeral, draft.remoteStatic)
            }
        case .e, .s: preconditionFailure("e and s carry bytes")
        }
    }
}
