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
        _ frame: [UInt8], _ surroundings: LinkMachine.Surroundings, _ outputs: inout [LinkMachine.Output]
    ) throws(LinkFault) -> LinkMachine.State {
        do { _ = try handshake.readMessage(frame) } catch { throw .handshakeFailed }
        if let key = handshake.remoteStatic, let tour = memberTour, surroundings.standing(tour, key) == .removed {
            // Before an initiator has shown its own key, and before a responder says anything more.
            throw .removedMember
        }
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

    /// The tour whose roster decides; nil on a join link, where the responder's key is checked by the genesis.
    private var memberTour: TourID? {
        switch party {
        case .initiator(.member(let credential)): credential.tour
        case .initiator(.join): nil
        case .responder(let credential): credential.purpose == .member ? credential.tour : nil
        }
    }
}
