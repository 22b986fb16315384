import FuzzSupport
import TourCrypto
import TourLink
import TourModel

/// Both roles of the handshake, each fed with an honest peer's message or the input's bytes at each step: nothing that
/// was not written by the peer is ever taken, and a message that fails leaves the handshake as it was.
enum HandshakeHarness {
    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        let pattern: HandshakePattern = program.flag() ? .XX : .XXpsk0
        let prologue = program.chunk()
        var initiator = side(.initiator, pattern, prologue, key: 1)
        var responder = side(.responder, pattern, prologue, key: 2)
        for _ in 0..<pattern.messages.count {
            let isInitiators = initiator.isOurTurn
            let payload = program.chunk()
            let honest = isInitiators ? write(&initiator, payload) : write(&responder, payload)
            for _ in 0..<program.number(below: 4) {
                let forged = forge(honest, &program)
                // Without a key the first message proves nothing.
                guard forged != honest, pattern.usesPSK || !isInitiators || initiator.isFinished else { continue }
                let taken = isInitiators ? read(&responder, forged) : read(&initiator, forged)
                check(taken == nil, "a forged message was taken")
            }
            let taken = isInitiators ? read(&responder, honest) : read(&initiator, honest)
            check(taken == payload, "an honest message was not taken after a forged one")
        }
        check(initiator.isFinished && responder.isFinished, "a handshake does not end")
        transport(initiator.transport(), responder.transport(), &program)
    }

    private static func transport(
        _ first: consuming TransportState, _ second: consuming TransportState, _ program: inout ByteProgram
    ) {
        check(first.handshakeHash == second.handshakeHash, "two sides of one handshake have two hashes")
        while !program.isAtEnd {
            let plaintext = program.chunk()
            guard let frame = try? first.encrypt(plaintext) else { return check(false, "a frame was not encrypted") }
            let forged = forge(frame, &program)
            if forged != frame { check((try? second.decrypt(forged)) == nil, "a forged frame was taken") }
            check((try? second.decrypt(frame)) == plaintext, "a frame was not taken")
        }
    }

    /// A byte changed, some cut off or more behind, or other bytes.
    private static func forge(_ message: [UInt8], _ program: inout ByteProgram) -> [UInt8] {
        switch program.number(below: 4) {
        case 0:
            var changed = message
            let place = Int(program.byte()) << 8 | Int(program.byte())
            changed[place % changed.count] ^= max(program.byte(), 1)
            return changed
        case 1: return Array(message.dropLast(max(program.number(below: 256), 1)))
        case 2: return message + program.chunk()
        default: return program.chunk()
        }
    }

    private static func side(
        _ role: HandshakeState.Role, _ pattern: HandshakePattern, _ prologue: [UInt8], key: UInt8
    ) -> HandshakeState {
        HandshakeState(
            pattern: pattern, role: role, prologue: prologue, psk: pattern.usesPSK ? FuzzTour.memberSecret : nil,
            localStatic: FuzzTour.linkKeys(key).link)
    }

    private static func write(_ side: inout HandshakeState, _ payload: [UInt8]) -> [UInt8] {
        guard let message = try? side.writeMessage(payload: payload) else {
            check(false, "an honest message was not written")
            return []
        }
        return message
    }

    private static func read(_ side: inout HandshakeState, _ message: [UInt8]) -> [UInt8]? {
        try? side.readMessage(message)
    }
}
