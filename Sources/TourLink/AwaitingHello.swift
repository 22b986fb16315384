import TourCrypto
import TourModel
import TourWire

/// A responder before the first frame: it knows nothing, and spends one hash on each secret.
struct AwaitingHello {
    /// The connection's remote address: any text that is the same for one address.
    let address: String

    func receive(
        _ frame: [UInt8], _ surroundings: LinkMachine.Surroundings, _ salts: inout HelloGuard
    ) throws(LinkFault) -> LinkMachine.State {
        let hello = try Hello(decoding: frame)
        guard let credential = surroundings.credentials().first(where: { hello.matches($0.secret) }) else {
            throw .stranger
        }
        // A repeated hello of an asker leads nowhere, and its rate bounds what it costs; so its salt takes no place.
        let isAsker = credential.askTag != nil
        guard isAsker || salts.isFresh(hello.salt, now: surroundings.now) else { throw .replayedHello }
        let isWithinRate =
            isAsker
            ? salts.askerRate.acquire(address, now: surroundings.now)
            : salts.rate.acquire(address, now: surroundings.now)
        guard isWithinRate else { throw .tooManyHandshakes }
        let handshake = HandshakeState(
            pattern: .XXpsk0, role: .responder, prologue: hello.prologue, psk: credential.secret,
            localStatic: isAsker ? LinkKeyPair() : credential.keys.link)
        return .handshaking(Handshaking(handshake: handshake, party: .responder(credential)))
    }
}
