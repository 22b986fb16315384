import Testing
import TourCrypto
import TourModel

/// Goal: a link delivers each message once, in order, unchanged, up to the longest. Method: two finished handshakes,
/// then changed, cut, repeated, swapped and reflected messages, and a counter at its end.
struct TransportStateTests {
    @Test func bothDirections() throws {
        var link = try link()
        for number in 0..<100 {
            let bytes = [UInt8](repeating: UInt8(number), count: number)
            #expect(try link.responder.decrypt(try link.initiator.encrypt(bytes)) == bytes)
            #expect(try link.initiator.decrypt(try link.responder.encrypt(bytes)[...]) == bytes)
        }
    }

    @Test func longestPlaintextHas65519Bytes() throws {
        var link = try link()
        let longest = [UInt8](repeating: 1, count: 65_519)
        let message = try link.initiator.encrypt(longest)
        #expect(message.count == 65_535 && TransportState.plaintextBytesMax == 65_519)
        #expect(try link.responder.decrypt(message) == longest)
        #expect(throws: NoiseError.messageTooLong) { try link.initiator.encrypt(longest + [1]) }
        #expect(throws: NoiseError.messageTooLong) { try link.responder.decrypt(message + [1]) }
        #expect(try link.responder.decrypt(try link.initiator.encrypt([9])) == [9])
    }

    @Test func changedAndCutMessagesAreRefusedAndForgotten() throws {
        var link = try link()
        let message = try link.initiator.encrypt([UInt8](0..<40))
        for index in message.indices {
            var changed = message
            changed[index] ^= 1
            #expect(throws: NoiseError.decryptionFailed) { try link.responder.decrypt(changed) }
            let expected: NoiseError = index < 16 ? .messageTooShort : .decryptionFailed
            #expect(throws: expected) { try link.responder.decrypt(message.prefix(index)) }
        }
        #expect(try link.responder.decrypt(message) == [UInt8](0..<40))
    }

    @Test func repeatedSwappedAndReflectedMessagesAreRefused() throws {
        var link = try link()
        let (one, two) = (try link.initiator.encrypt([1]), try link.initiator.encrypt([2]))
        #expect(throws: NoiseError.decryptionFailed) { try link.responder.decrypt(two) }
        #expect(throws: NoiseError.decryptionFailed) { try link.initiator.decrypt(one) }
        #expect(try link.responder.decrypt(one) == [1])
        #expect(throws: NoiseError.decryptionFailed) { try link.responder.decrypt(one) }
        #expect(try link.responder.decrypt(two) == [2])
    }

    @Test func theLastNonceIsNeverUsed() throws {
        let key = SecretBytes.random(count: 32)
        var sender = CipherState(key: key, nonce: .max - 1)
        var receiver = CipherState(key: key, nonce: .max - 1)
        let last = try sender.encrypt([1], associatedData: [UInt8]())
        #expect(throws: NoiseError.nonceExhausted) { try sender.encrypt([2], associatedData: [UInt8]()) }
        #expect(try receiver.decrypt(last, associatedData: [UInt8]()) == [1])
        #expect(throws: NoiseError.nonceExhausted) { try receiver.decrypt(last, associatedData: [UInt8]()) }
    }

    private func link() throws -> Link {
        let psk = SecretBytes.random(count: 32)
        var initiator = HandshakeState(
            pattern: .XXpsk0, role: .initiator, prologue: [UInt8](), psk: psk, localStatic: LinkKeyPair())
        var responder = HandshakeState(
            pattern: .XXpsk0, role: .responder, prologue: [UInt8](), psk: psk, localStatic: LinkKeyPair())
        _ = try responder.readMessage(try initiator.writeMessage())
        _ = try initiator.readMessage(try responder.writeMessage())
        _ = try responder.readMessage(try initiator.writeMessage())
        return Link(initiator: initiator.transport(), responder: responder.transport())
    }

    /// Both ends; a tuple cannot hold what is not copyable.
    private struct Link: ~Copyable {
        var initiator: TransportState
        var responder: TransportState
    }
}
