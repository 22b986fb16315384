import Testing
import TourCrypto
import TourModel

/// Goal: a handshake survives everything a hostile peer sends. Method: each message is given with every byte changed
/// and cut at every length to a state that must refuse it, then be as good as before.
struct HandshakeStateTests {
    private let psk = SecretBytes([UInt8](repeating: 1, count: 32))
    private let prologue = [UInt8]("tour-chat/1".utf8)
    private let firstKey = LinkKeyPair()
    private let secondKey = LinkKeyPair()

    @Test(arguments: [HandshakePattern.XX, .XXpsk0])
    func bothSidesAgree(pattern: HandshakePattern) throws {
        var initiator = side(.initiator, pattern)
        var responder = side(.responder, pattern)
        _ = try responder.readMessage(try initiator.writeMessage(payload: [UInt8]()))
        #expect(initiator.remoteStatic == nil)
        _ = try initiator.readMessage(try responder.writeMessage())
        #expect(initiator.remoteStatic == secondKey.publicKey)
        #expect(responder.remoteStatic == nil && initiator.isOurTurn && !initiator.isFinished)
        _ = try responder.readMessage(try initiator.writeMessage())
        #expect(initiator.isFinished && responder.isFinished && !initiator.isOurTurn && !responder.isOurTurn)
        let first = initiator.transport()
        let second = responder.transport()
        #expect(first.handshakeHash == second.handshakeHash && first.handshakeHash.count == 64)
        #expect(second.remoteStatic == firstKey.publicKey)
    }

    @Test func ephemeralKeysAreFresh() throws {
        var first = side(.initiator)
        var second = side(.initiator)
        #expect(try first.writeMessage() != second.writeMessage())
    }

    @Test func everyChangeAndTruncationOfEveryMessageIsRefusedAndForgotten() throws {
        var initiator = side(.initiator)
        var responder = side(.responder)
        let first = try initiator.writeMessage(payload: [1, 2, 3])
        try attack(&responder, first)
        #expect(try responder.readMessage(first) == [1, 2, 3])
        let second = try responder.writeMessage(payload: [4])
        try attack(&initiator, second)
        #expect(initiator.remoteStatic == nil)
        #expect(try initiator.readMessage(second) == [4])
        let third = try initiator.writeMessage(payload: [UInt8]())
        try attack(&responder, third)
        #expect(try responder.readMessage(third).isEmpty)
        let mine = initiator.transport()
        let other = responder.transport()
        #expect(mine.handshakeHash == other.handshakeHash)
    }

    @Test func anotherSecretOrPrologueIsRefusedAtTheFirstMessage() throws {
        var initiator = side(.initiator)
        let message = try initiator.writeMessage()
        var stranger = HandshakeState(
            pattern: .XXpsk0, role: .responder, prologue: prologue, psk: .random(count: 32), localStatic: secondKey)
        #expect(try read(&stranger, message) == .decryptionFailed)
        var elsewhere = HandshakeState(
            pattern: .XXpsk0, role: .responder, prologue: prologue + [0], psk: psk, localStatic: secondKey)
        #expect(try read(&elsewhere, message) == .decryptionFailed)
    }

    @Test func replayedMessagesOfAnotherHandshakeAreRefused() throws {
        var initiator = side(.initiator)
        var responder = side(.responder)
        _ = try responder.readMessage(try initiator.writeMessage())
        let answer = try responder.writeMessage()
        var another = side(.initiator)
        _ = try another.writeMessage()
        #expect(try read(&another, answer) == .decryptionFailed)
        #expect(try initiator.readMessage(answer).isEmpty)
    }

    /// Zero, one and a point of order eight: the shared secret would be zero.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    ])
    func pointOfLowOrderEndsTheHandshake(point: String) throws {
        var initiator = side(.initiator, .XX)
        var responder = side(.responder, .XX)
        // Without a PSK, message 1 is not authenticated: the point is met when it is used.
        _ = try responder.readMessage(try #require(Hex.decode(point)))
        #expect(throws: NoiseError.badPoint) { try responder.writeMessage() }
        _ = try initiator.writeMessage()
        let second = try #require(Hex.decode(point)) + [UInt8](repeating: 0, count: 64)
        #expect(try read(&initiator, second) == .badPoint)
    }

    @Test func messagesOutOfTurnAreRefused() throws {
        var initiator = side(.initiator)
        var responder = side(.responder)
        #expect(throws: NoiseError.outOfTurn) { try responder.writeMessage() }
        #expect(try read(&initiator, [UInt8](repeating: 0, count: 48)) == .outOfTurn)
        let first = try initiator.writeMessage()
        #expect(throws: NoiseError.outOfTurn) { try initiator.writeMessage() }
        _ = try responder.readMessage(first)
        #expect(try read(&responder, first) == .outOfTurn)
    }

    @Test func messagesEndAt65535Bytes() throws {
        var initiator = side(.initiator)
        var responder = side(.responder)
        let overhead = 32 + 16
        let longest = [UInt8](repeating: 7, count: 65_535 - overhead)
        #expect(throws: NoiseError.messageTooLong) { try initiator.writeMessage(payload: longest + [0]) }
        let message = try initiator.writeMessage(payload: longest)
        #expect(message.count == 65_535)
        #expect(try read(&responder, message + [0]) == .messageTooLong)
        #expect(try responder.readMessage(message) == longest)
    }

    private func side(_ role: HandshakeState.Role, _ pattern: HandshakePattern = .XXpsk0) -> HandshakeState {
        HandshakeState(
            pattern: pattern, role: role, prologue: prologue, psk: pattern.usesPSK ? psk : nil,
            localStatic: role == .initiator ? firstKey : secondKey)
    }

    /// Every byte changed, every truncation, one byte more: each a typed error.
    private func attack(_ state: inout HandshakeState, _ message: [UInt8]) throws {
        for index in message.indices {
            for bit: UInt8 in [0x01, 0x80] {
                var changed = message
                changed[index] ^= bit
                #expect(try read(&state, changed) != nil, "byte \(index) changed")
            }
            #expect(try read(&state, Array(message.prefix(index))) != nil, "cut at \(index)")
        }
        #expect(try read(&state, message + [0]) == .decryptionFailed)
        #expect(try read(&state, [UInt8](repeating: 0, count: message.count)) != nil)
    }

    /// The error with which a message is refused; nil when it is taken.
    private func read(_ state: inout HandshakeState, _ message: [UInt8]) throws -> NoiseError? {
        do throws(NoiseError) {
            _ = try state.readMessage(message)
            return nil
        } catch {
            return error
        }
    }
}
