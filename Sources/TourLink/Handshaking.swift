import TourCrypto
import TourModel
import TourWire

/// Between the hello and the end of the Noise handshake. Source: `Protocol/03-handshake.md`, "Messages".
struct Handshaking: ~Copyable {
    enum Party {
        case initiator(DialIntent)
        case responder(LinkCredential)
    }

    var handshake: HandshakeState
    let party: Party

    consuming func receive(
        _ frame: [UInt8], _ outputs: inout [LinkMachine.Output]
    ) throws(LinkFault) -> LinkMachine.State {
        do { _ = try handshake.readMessage(frame) } catch { throw .handshakeFailed }
        if case .initiator(.member(let credential)) = party, let key = handshake.remoteStatic {
            outputs.append(.met(credential.tour, key))
        }
        if handshake.isOurTurn {
            do { outputs.append(.write(FrameReader.frame(try handshake.writeMessage()))) } catch {
                throw .handshakeFailed
            }
        }
        guard handshake.isFinished else { return .handshaking(self) }
        let party = self.party
        return .binding(Binding(transport: handshake.transport(), party: party, outputs: &outputs))
    }
}
