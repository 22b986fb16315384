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
        if let asked = Self.asked(by: party) {
            let transport = handshake.transport()
            let link = AskLink(tag: asked.tag, tour: asked.tour, handshakeHash: transport.handshakeHash)
            outputs.append(.openedForAsking(link))
            return .open(
                OpenLink(
                    transport: transport, reassembly: Reassembly(), audience: link.isAsker ? .asked : .asker))
        }
        return .binding(Binding(transport: handshake.transport(), party: party, outputs: &outputs))
    }

    /// On an ask link no bind follows.
    /// - Returns: the tour that is asked for, unknown where we ask; nil for another kind of link.
    private static func asked(by party: Party) -> (tag: DiscoveryTag, tour: TourID?)? {
        switch party {
        case .initiator(.ask(let ticket)): (ticket.tag, nil)
        case .responder(let credential): credential.askTag.map { ($0, credential.tour) }
        case .initiator: nil
        }
    }
}
